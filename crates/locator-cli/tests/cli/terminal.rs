//! A terminal for the command.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

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

    pub(crate) fn type_in(&mut self, text: &str) {
        self.script.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }
}
