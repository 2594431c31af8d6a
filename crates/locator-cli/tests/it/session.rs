//! `get` of telnet URLs: what is shown of the suggested user and password.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use crate::terminal::Terminal;

/// Starts a session on a terminal; returns what is shown.
fn session(arguments: &str) -> String {
    let program = "--program 'telnet=echo host {host} port {port}'";
    let command = format!(
        "NO_COLOR=1 XDG_CONFIG_HOME=/nowhere $LOCATOR get {program} {arguments}; echo status $?; echo end"
    );
    let mut terminal = Terminal::start(&command);
    terminal.until_shown("end\r\n");
    terminal.script.wait().unwrap();
    terminal.shown
}

#[test]
fn a_suggested_password_is_shown_once() {
    let shown = session("telnet://guest:let%20me%1Bin@h.example:23/");
    let suggested = "note: the URL suggests the user guest and the password let me<U+001B>in\r\n";
    assert!(shown.contains(suggested), "{shown}");
    assert_eq!(shown.matches("let").count(), 1, "{shown}");
    assert!(shown.contains("host h.example port 23\r\nstatus 0\r\n"), "{shown}");
}

#[test]
fn what_is_suggested_without_a_user_or_a_password() {
    assert!(session("telnet://guest@h/").contains("the URL suggests the user guest\r\n"));
    assert!(session("telnet://guest:@h/").contains("the URL suggests the user guest\r\n"));
    assert!(session("telnet://:pw@h/").contains("the URL suggests the password pw\r\n"));
    let shown = session("telnet://h/");
    assert!(!shown.contains("suggests") && shown.contains("status 0\r\n"), "{shown}");
}

#[test]
fn a_password_is_shown_at_a_terminal_only() {
    let shown = session("telnet://guest:secret@h/ 2>messages; cat messages; rm messages");
    assert!(shown.contains("the user guest and the password") && !shown.contains("secret"), "{shown}");
}
