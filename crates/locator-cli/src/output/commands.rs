//! Lines that CI services obey: takes text for people, and returns it without such lines.
//!
//! GitHub Actions reads the log of a job, standard output and standard error, and obeys lines that begin with `::`
//! after white space, and those with `##[` (actions/runner, `ActionCommand`); Azure Pipelines obeys `##vso[`. Names of
//! files, URLs and what servers say are those of others. The character that completes a command is written by code,
//! as all characters that are not shown as they are: `:<U+003A>error::`.

use std::io::{self, Write};

/// How far a line has begun like a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    /// Only white space.
    #[default]
    Start,
    /// A colon after that.
    Colon,
    /// Something else.
    Inside,
    /// A "#".
    Hash,
    /// "##", and letters after it.
    Hashes,
}

/// Passes on text, in which no line is a command.
#[derive(Clone, Debug, Default)]
pub(super) struct Commandless {
    at: At,
    /// Whether an escape sequence has begun, and whether it is one with parameters (ECMA-48, 5.4).
    escape: Option<bool>,
}

impl Commandless {
    /// Writes a piece of text.
    pub(super) fn write(&mut self, to: &mut impl Write, text: &[u8]) -> io::Result<()> {
        let mut written = 0;
        for (at, &octet) in text.iter().enumerate() {
            if self.completes(octet) {
                to.write_all(text.get(written..at).unwrap_or_default())?;
                write!(to, "<U+{octet:04X}>")?;
                written = at + 1;
            }
        }
        to.write_all(text.get(written..).unwrap_or_default())
    }

    /// Takes the next octet; returns whether a command would be complete with it.
    fn completes(&mut self, octet: u8) -> bool {
        // Colours are not seen, and may be removed.
        match (self.escape, octet) {
            (None, 0x1B) => {
                self.escape = Some(false);
                return false;
            }
            (Some(false), b'[') => {
                self.escape = Some(true);
                return false;
            }
            (Some(true), b' '..=b'?') => return false,
            (Some(_), _) => {
                self.escape = None;
                return false;
            }
            (None, _) => {}
        }
        let is_command = matches!((self.at, octet), (At::Colon, b':') | (At::Hashes, b'['));
        self.at = match (self.at, octet) {
            (_, b'\n' | b'\r') | (At::Start, b' ' | b'\t' | 0x0B | 0x0C) => At::Start,
            (At::Start, b':') => At::Colon,
            (At::Hash | At::Hashes, b'#') => At::Hashes,
            (_, b'#') => At::Hash,
            (At::Hashes, b'a'..=b'z' | b'A'..=b'Z' | b'-') => At::Hashes,
            _ => At::Inside,
        };
        is_command
    }
}

#[cfg(test)]
mod tests {
    use super::Commandless;

    fn written(pieces: &[&str]) -> String {
        let (mut commandless, mut out) = (Commandless::default(), Vec::new());
        for piece in pieces {
            commandless.write(&mut out, piece.as_bytes()).expect("memory can be written");
        }
        String::from_utf8(out).expect("it is text")
    }

    #[test]
    fn no_line_is_a_command() {
        for (text, expected) in [
            ("::error::x", ":<U+003A>error::x"),
            ("a\n::error file=a::x\n", "a\n:<U+003A>error file=a::x\n"),
            ("a\r::error::x", "a\r:<U+003A>error::x"),
            (" \t ::add-mask::x", " \t :<U+003A>add-mask::x"),
            ("\x1b[1m\x1b[31m::error::x", "\x1b[1m\x1b[31m:<U+003A>error::x"),
            (":\x1b[0m:error::x", ":\x1b[0m<U+003A>error::x"),
            (":::", ":<U+003A>:"),
            ("##[error]x", "##<U+005B>error]x"),
            ("a ##[group]x", "a ##<U+005B>group]x"),
            ("###[error]x", "###<U+005B>error]x"),
            ("##vso[task.x]", "##vso<U+005B>task.x]"),
            ("##\x1b[31m[error]", "##\x1b[31m<U+005B>error]"),
            ("a::b: ::x", "a::b: ::x"),
            ("## [error] # #[x]", "## [error] # #[x]"),
            ("note: x [::1]:80", "note: x [::1]:80"),
            ("", ""),
        ] {
            assert_eq!(written(&[text]), expected);
            let pieces: Vec<_> = text.split_inclusive(|_| true).collect();
            assert_eq!(written(&pieces), expected);
        }
    }
}
