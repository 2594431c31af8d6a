//! A terminal for the command: with the program `script` one that is typed into, and one whose
//! screen is compared with what `testdata/terminal` states.
//!
//! A case of a screen is a line for `sh`, and the screen at 40, 80 and 120 columns. The screens are
//! in files of their own, `NAME.COLUMNS`. In them `{red bold}` begins a style and `{}` ends it;
//! `{bell}` and so on are control characters. No line may be broken by the terminal, unless it
//! is a single word, such as a URL. `UPDATE=1 cargo test -p locator-cli --test it terminal`
//! rewrites the screens.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde::Deserialize;

use crate::runner;
use crate::screen::Screen;

/// A terminal, by the program `script`: what is typed there, and what is shown.
pub(crate) struct Terminal {
    pub(crate) script: Child,
    pub(crate) shown: String,
}

impl Terminal {
    pub(crate) fn start(command: &str) -> Self {
        let mut script = Command::new("script");
        script.args(["-qec", command, "/dev/null"]).env("LOCATOR", env!("CARGO_BIN_EXE_locator"));
        script.stdin(Stdio::piped()).stdout(Stdio::piped());
        Self { script: script.spawn().expect("util-linux has the program script"), shown: String::new() }
    }

    pub(crate) fn until_shown(&mut self, text: &str) {
        let from = self.script.stdout.as_mut().unwrap();
        let mut octet = [0];
        while !self.shown.contains(text) {
            assert_eq!(from.read(&mut octet).unwrap(), 1, "{}", self.shown);
            self.shown.push(octet[0].into());
        }
    }

    /// Reads what else is shown.
    pub(crate) fn until_end(&mut self) {
        let mut rest = Vec::new();
        self.script.stdout.as_mut().unwrap().read_to_end(&mut rest).unwrap();
        self.shown.extend(rest.into_iter().map(char::from));
    }

    pub(crate) fn type_in(&mut self, text: &str) {
        self.script.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }
}

/// The widths of terminals in which every case runs.
pub(crate) const WIDTHS: [usize; 3] = [40, 80, 120];

/// Runs a line of `sh` in a terminal of so many columns, in which `locator` is the command, and returns
/// what the terminal gets.
pub(crate) fn shown(line: &str, columns: usize, folder: &Path, environment: &[(&str, &str)]) -> Vec<u8> {
    let command = Path::new(env!("CARGO_BIN_EXE_locator")).parent().unwrap();
    let path = format!("{}:{}", command.display(), std::env::var("PATH").unwrap_or_default());
    let mut script = Command::new("script");
    script.args(["-qec", &format!("stty cols {columns} rows 50; {line}"), "/dev/null"]);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "COLORFGBG", "COLORTERM", "LC_ALL"] {
        script.env_remove(name);
    }
    script.env("SHELL", "/bin/sh").env("PATH", path).env("TERM", "xterm-256color").env("LANG", "C.UTF-8");
    script.env("XDG_CONFIG_HOME", runner::testdata("nowhere")).env("HOME", runner::testdata("nowhere"));
    script.envs(environment.iter().copied()).current_dir(folder);
    script.stdin(Stdio::null()).output().expect("util-linux has the program script").stdout
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// The name of its screens.
    name: String,
    /// The line for `sh`.
    line: String,
    #[serde(default)]
    files: BTreeMap<String, String>,
}

impl Case {
    /// Returns the screen in that many columns.
    fn screen(&self, columns: usize) -> String {
        let folder = tempfile::tempdir().expect("there is a place for temporary files");
        for (name, content) in &self.files {
            fs::write(folder.path().join(name), content).expect("a file can be written");
        }
        let mut screen = Screen::new(columns);
        screen.write(&String::from_utf8_lossy(&shown(&self.line, columns, folder.path(), &[])));
        let broken = screen.broken();
        assert!(broken.is_empty(), "{} in {columns} columns: {broken:#?}", self.name);
        format!("$ {}\n{}", self.line, screen.marked())
    }
}

#[test]
fn every_screen_is_as_stated() {
    let folder = runner::testdata("terminal");
    let mut differences = Vec::new();
    let entries = fs::read_dir(&folder).expect("testdata/terminal is there");
    for entry in entries.map(|entry| entry.expect("a folder can be listed").path()) {
        if entry.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let text = fs::read_to_string(&entry).expect("a case file can be read");
        let cases: Cases =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", entry.display()));
        for case in &cases.case {
            for columns in WIDTHS {
                let path = folder.join(format!("{}.{columns}", case.name));
                let screen = case.screen(columns);
                if std::env::var_os("UPDATE").is_some() {
                    fs::write(&path, screen).expect("a screen can be written");
                    continue;
                }
                let stated = fs::read_to_string(&path).unwrap_or_default();
                if stated != screen {
                    differences
                        .push(format!("{}\n--- stated\n{stated}\n--- found\n{screen}", path.display()));
                }
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn a_terminal_without_colour_gets_no_escape() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    fs::write(folder.path().join("urls"), "http://h/a b\nhttp://good.example\\@evil.example/\n").unwrap();
    for line in LINES {
        let shown = shown(line, 80, folder.path(), &[("NO_COLOR", "1")]);
        assert!(!shown.contains(&0x1B), "{line}: {}", String::from_utf8_lossy(&shown));
    }
}

#[test]
fn a_pipe_gets_no_escape() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    fs::write(folder.path().join("urls"), "http://h/a b\nhttp://good.example\\@evil.example/\n").unwrap();
    for line in LINES {
        let shown = shown(&format!("({line}) 2>&1 | cat"), 80, folder.path(), &[]);
        assert!(!shown.contains(&0x1B), "{line}: {}", String::from_utf8_lossy(&shown));
    }
}

/// Lines with what every verb prints: results, errors and help.
const LINES: [&str; 34] = [
    "locator",
    "locator -h",
    "locator --hepl",
    "locator http://user:x@h:99999/?q#f",
    "locator read http://user@example.com:8080/a?q#f 'http://a b/'",
    "locator read -e all http://10.0.0.256/",
    "locator read -f urls",
    "locator check 'http://a b/' http://h/",
    "locator check http://h/",
    "locator check -f urls",
    "locator check -e rfc9999 http://h/",
    "locator audit -f urls",
    "locator audit --brief -f urls",
    "locator audit --readings 'http://good.example\\@evil.example/'",
    "locator audit --list",
    "locator audit --explain backslash",
    "locator resolve --base http://a/b/c/d ../g '../ g'",
    "locator resolve --base 'http://a b/' ../g",
    "locator relative --base http://a/b/c/d http://a/b/g http://x/",
    "locator normalize HTTP://Example.COM:80/%7euser 'http://a b/'",
    "locator compare http://h/a HTTP://h/%61",
    "locator compare http://h/a http://h/b",
    "locator compare http://h/a /b",
    "locator convert http://r\u{E9}sum\u{E9}.example/ 'http://a b/'",
    "locator edit -s host=example.org http://h/ 'http://a b/'",
    "locator file 'a b' /usr/../x",
    "locator path file:///a%20b http://h/",
    "locator find .",
    "locator find --broken .",
    "locator find nowhere",
    "locator plan ftp://myname@host.dom/%2Fetc/motd xyz:a",
    "locator get xyz:a",
    "locator schemes; locator editions",
    "locator audit -h; locator get -h",
];
