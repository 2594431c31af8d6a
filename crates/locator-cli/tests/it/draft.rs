//! `get --open`: what the mail program gets of a mailto URL.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempDir;

use crate::get::get;
use crate::terminal::Terminal;

/// A folder with a mail program, which writes its arguments to `got`, a line each.
fn mail_program(name: &str, status: i32) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let script = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$@\" >{}\necho it is shown\nexit {status}\n",
        folder.path().join("got").display()
    );
    let program = folder.path().join(name);
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// What the program got; `None` if it was not started.
fn got(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join("got")).ok()
}

/// Runs `get --open` on a terminal; returns what is shown.
fn open(folder: &Path, arguments: &str) -> String {
    let path = format!("PATH={}:/usr/bin:/bin", folder.display());
    let command =
        format!("XDG_CONFIG_HOME=/nowhere {path} $LOCATOR get --open {arguments}; echo status $?; echo end");
    let mut terminal = Terminal::start(&command);
    terminal.until_shown("end\r\n");
    terminal.script.wait().unwrap();
    terminal.shown
}

#[test]
fn a_mail_program_shows_a_draft() {
    let folder = mail_program("mailer", 0);
    let url = "mailto:-x@h.dom,%22a%20b%22@h.dom?subject=it's%20%26%20%22more%22&body=one%0D%0Atwo\
               &bcc=x@y&attach=/etc/passwd&attachment=%2Fetc%2Fpasswd&cc=c@h";
    let shown = open(folder.path(), &format!("--program 'mailto=mailer --compose' \"{url}\""));
    let expected = "--compose\nmailto:-x@h.dom,%22a%20b%22@h.dom?subject=it%27s%20%26%20%22more%22\
                    &cc=c%40h&body=one%0D%0Atwo\n";
    assert_eq!(got(folder.path()).as_deref(), Some(expected), "{shown}");
    for name in ["bcc", "attach", "attachment"] {
        assert!(
            shown.contains(&format!("{name} is left out of the draft, because it could do harm")),
            "{shown}"
        );
    }
    assert!(shown.contains("it is shown\r\nstatus 0\r\n"), "{shown}");
}

#[test]
fn the_mail_program_of_the_configuration() {
    let folder = mail_program("mailer", 0);
    let config = folder.path().join("config.toml");
    fs::write(&config, "[programs]\nmailto = [\"mailer\", \"a b\"]\n").unwrap();
    let shown = open(folder.path(), &format!("--config {} mailto:a@h", config.display()));
    assert_eq!(got(folder.path()).as_deref(), Some("a b\nmailto:a@h\n"), "{shown}");
}

#[test]
fn the_usual_mail_program() {
    let folder = mail_program("xdg-email", 0);
    let shown = open(folder.path(), "'mailto:joe@h.dom?subject=hello'");
    assert_eq!(got(folder.path()).as_deref(), Some("mailto:joe@h.dom?subject=hello\n"), "{shown}");
    fs::remove_file(folder.path().join("got")).unwrap();
    let shown = open(folder.path(), "\"mailto:joe@h.dom?body=',attachment='/etc/passwd\"");
    assert!(shown.contains("the draft contains a \"'\"") && shown.contains("status 2\r\n"), "{shown}");
    assert_eq!(got(folder.path()), None);
}

#[test]
fn what_starts_no_mail_program() {
    let folder = mail_program("mailer", 0);
    let program = format!("mailto={}", folder.path().join("mailer").display());
    let (printed, status, said) = get(folder.path(), &["--open", "--program", &program, "mailto:a@h"]);
    assert_eq!((printed.as_str(), status), ("", 2), "{said}");
    assert!(said.contains("a terminal is needed"), "{said}");
    let shown = open(folder.path(), "-Z --program mailto=mailer mailto:a@h");
    assert!(shown.contains("with -Z") && shown.contains("status 2\r\n"), "{shown}");
    // What a server names is no URL that was given.
    let menu_item = "gopher://h/hURL:mailto:a@h";
    let shown = open(folder.path(), &format!("--program mailto=mailer {menu_item}"));
    assert!(shown.contains("status 2\r\n"), "{shown}");
    assert_eq!(got(folder.path()), None);
}

#[test]
fn a_mail_program_that_fails() {
    let folder = mail_program("mailer", 3);
    let shown = open(folder.path(), "--program mailto=mailer mailto:a@h");
    assert!(shown.contains("mailer ended with exit status: 3") && shown.contains("status 2\r\n"), "{shown}");
    let shown = open(folder.path(), "--program mailto=absent mailto:a@h");
    assert!(shown.contains("absent: ") && shown.contains("status 2\r\n"), "{shown}");
}
