//! The text of `-w` after a transfer, with curl's variables.

mod seen;
mod variables;

use std::fs;
use std::io::{self, Read};
use std::str::FromStr;

pub(super) use self::seen::Seen;
use self::variables::{Facts, VARIABLES, Variable};

/// The text of `-w`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Format(Vec<Piece>);

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Text(String),
    Variable(&'static Variable),
    /// The header with this name.
    Header(String),
}

/// Where a part of the text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Stdout,
    Stderr,
}

impl FromStr for Format {
    type Err = String;

    /// Parses a text with `%{NAME}`, `%header{NAME}`, `%%`, `\n`, `\r`, `\t` and `\\`; or reads it from a file:
    /// `@FILE`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix('@') {
            Some("-") => {
                let mut text = String::new();
                let read = io::stdin().read_to_string(&mut text);
                read.map_err(|error| format!("standard input cannot be read: {error}"))?;
                Self::parse(&text)
            }
            Some(file) => {
                let text = fs::read_to_string(file);
                Self::parse(&text.map_err(|error| format!("\"{file}\" cannot be read: {error}"))?)
            }
            None => Self::parse(text),
        }
    }
}

impl Format {
    fn parse(text: &str) -> Result<Self, String> {
        let (mut pieces, mut plain, mut rest) = (Vec::new(), String::new(), text);
        while let Some(at) = rest.find(['%', '\\']) {
            let (before, marked) = rest.split_at(at);
            plain.push_str(before);
            let (piece, taken) = piece(marked)?;
            match piece {
                Piece::Text(text) => plain.push_str(&text),
                piece => {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                    pieces.push(piece);
                }
            }
            rest = &marked[taken..];
        }
        plain.push_str(rest);
        pieces.push(Piece::Text(plain));
        Ok(Self(pieces))
    }

    /// Returns the text for the transfer of `input`, the nth URL, in parts that are written to standard output
    /// or to standard error.
    pub(super) fn texts(&self, input: &[u8], number: u64, seen: &Seen) -> Vec<(Stream, String)> {
        let facts = Facts { seen, input, number };
        let (mut texts, mut stream) = (Vec::new(), Stream::Stdout);
        for piece in &self.0 {
            let text = match piece {
                Piece::Text(text) => text.clone(),
                Piece::Variable(Variable { name: "stdout", .. }) => {
                    stream = Stream::Stdout;
                    continue;
                }
                Piece::Variable(Variable { name: "stderr", .. }) => {
                    stream = Stream::Stderr;
                    continue;
                }
                // What follows is written after an error only.
                Piece::Variable(Variable { name: "onerror", .. }) if seen.exit == 0 => break,
                Piece::Variable(variable) => variable.text(&facts),
                Piece::Header(name) => seen.header(name),
            };
            match texts.last_mut() {
                Some((last, before)) if *last == stream => String::push_str(before, &text),
                _ => texts.push((stream, text)),
            }
        }
        texts
    }
}

/// Reads what begins with "%" or "\"; returns it and its length.
fn piece(marked: &str) -> Result<(Piece, usize), String> {
    if let Some(prefix) = function(marked).filter(|name| *name != "header") {
        return Err(format!("unknown \"%{prefix}{{\"; expected %{{NAME}} or %header{{NAME}}"));
    }
    for (prefix, is_header) in [("%{", false), ("%header{", true)] {
        let Some(named) = marked.strip_prefix(prefix) else { continue };
        let (name, _) = named.split_once('}').ok_or_else(|| format!("\"{prefix}\" has no \"}}\""))?;
        let taken = prefix.len() + name.len() + 1;
        if is_header {
            return Ok((Piece::Header(name.to_ascii_lowercase()), taken));
        }
        let variable = VARIABLES.iter().find(|known| known.name == name).ok_or_else(|| unknown(name))?;
        return Ok((Piece::Variable(variable), taken));
    }
    let (text, taken) = match marked.as_bytes() {
        [b'%', b'%', ..] => ("%", 2),
        [b'\\', b'n', ..] => ("\n", 2),
        [b'\\', b'r', ..] => ("\r", 2),
        [b'\\', b't', ..] => ("\t", 2),
        [b'\\', b'\\', ..] => ("\\", 2),
        _ => (&marked[..1], 1),
    };
    Ok((Piece::Text(text.into()), taken))
}

/// Returns the word of "%word{".
fn function(marked: &str) -> Option<&str> {
    let (word, _) = marked.strip_prefix('%')?.split_once('{')?;
    (!word.is_empty() && word.bytes().all(|octet| octet.is_ascii_lowercase())).then_some(word)
}

/// Returns the error of an unknown variable: the most similar one, or all.
fn unknown(name: &str) -> String {
    let likeness = |known: &str| strsim::jaro_winkler(name, known);
    let names = VARIABLES.iter().map(|variable| variable.name);
    let nearest = names.clone().max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    match nearest.filter(|nearest| likeness(nearest) > 0.8) {
        Some(nearest) => format!("unknown variable %{{{name}}}; did you mean %{{{nearest}}}?"),
        None => {
            let names: Vec<_> = names.map(|name| format!("%{{{name}}}")).collect();
            format!("unknown variable %{{{name}}}; expected %header{{NAME}} or one of {}", names.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn text(format: &str, seen: &Seen) -> String {
        let texts = format.parse::<Format>().unwrap().texts(b"http://h/a", 1, seen);
        texts.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn texts() {
        let seen = Seen {
            octets: 12,
            time: Duration::from_millis(1500),
            exit: 1,
            error: Some("refused".into()),
            method: "GET".into(),
            ..Seen::default()
        };
        for (format, expected) in [
            ("", ""),
            ("%{http_code}\\n", "000\n"),
            ("%{url} %{num_redirects} %{method} %{urlnum}", "http://h/a 0 GET 0"),
            ("%{size_download}\\t%{speed_download}\\\\", "12\t8\\"),
            ("100%% %{time_total} %{time_connect} %{exitcode} \\q%", "100% 1.500000 0.000000 1 \\q%"),
            ("a%{onerror}b %{errormsg}", "ab refused"),
            ("[%header{X-A}] %header", "[] %header"),
        ] {
            assert_eq!(text(format, &seen), expected, "{format}");
        }
        let done = Seen { exit: 0, ..seen };
        assert_eq!(text("a%{onerror}b", &done), "a");
        let format: Format = "a%{stderr}b%{url}%{stdout}c".parse().unwrap();
        let expected = [(Stream::Stdout, "a"), (Stream::Stderr, "bu"), (Stream::Stdout, "c")];
        assert_eq!(format.texts(b"u", 1, &done), expected.map(|(stream, text)| (stream, text.to_owned())));
    }

    #[test]
    fn all_variables_as_json() {
        let seen = Seen { time: Duration::from_micros(1_500_250), ..Seen::default() };
        let object: serde_json::Value = serde_json::from_str(&text("%{json}", &seen)).unwrap();
        let object = object.as_object().unwrap();
        assert_eq!(object.len(), VARIABLES.len() - 5);
        assert_eq!((&object["time_total"], &object["http_code"]), (&1.50025.into(), &0.into()));
        assert_eq!(object["errormsg"], serde_json::Value::Null);
        assert_eq!(text("%{header_json}", &seen), "{}");
    }

    #[test]
    fn wrong_variables() {
        let wrong = |format: &str| format.parse::<Format>().unwrap_err();
        assert_eq!(
            wrong("%{time_start_transfer}"),
            "unknown variable %{time_start_transfer}; did you mean %{time_starttransfer}?"
        );
        assert_eq!(
            wrong("%{size-download}"),
            "unknown variable %{size-download}; did you mean %{size_download}?"
        );
        assert!(wrong("%{nothing}").contains("%{time_total}, %{url}, %{url_effective}"));
        assert!(wrong("%{}").starts_with("unknown variable %{}; expected"));
        assert_eq!(wrong("100%output{a}"), "unknown \"%output{\"; expected %{NAME} or %header{NAME}");
        assert_eq!(wrong("%{url"), "\"%{\" has no \"}\"");
        assert_eq!(wrong("%header{x"), "\"%header{\" has no \"}\"");
        assert!(wrong("@/does/not/exist").contains("cannot be read"));
    }
}
