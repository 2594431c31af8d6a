//! The text of roff. Decodes a line or an argument into text without escape sequences.

use std::collections::HashMap;

use memchr::{memchr, memchr2};

use super::arguments::{Argument, arguments, blanks};
use super::characters;
use super::escape::{Meaning, escape_at};
use crate::search::decoder::Text;

/// A text decoder with the definitions of the document so far.
#[derive(Debug)]
pub(super) struct Reader {
    /// The escape character: "\", unless the document changes it or turns it off.
    pub(super) escape: Option<u8>,
    /// The end of the current macro definition or ignored text.
    pub(super) definition: Option<Vec<u8>>,
    /// The strings that the document defines.
    strings: HashMap<Vec<u8>, Vec<u8>>,
    /// Whether the next line continues without a space.
    pub(super) joins: bool,
}

/// The maximum number of strings, and the maximum length of each.
const STRINGS: usize = 1000;
const LONGEST_STRING: usize = 160;

/// The placeholder for an unknown value. It makes a URL a template.
pub(super) const UNKNOWN: &[u8] = b"{";

impl Reader {
    /// Returns a decoder at the beginning of a document.
    pub(super) fn new() -> Self {
        Self { escape: Some(b'\\'), definition: None, strings: HashMap::new(), joins: false }
    }

    /// Begins a definition, whose end is named by the argument with this number.
    pub(super) fn define(&mut self, rest: &[u8], number: usize) {
        if self.definition.is_none() {
            let end = arguments(rest, self.escape).into_iter().nth(number);
            let end =
                end.map(|end| rest[end.start..end.end].to_vec()).filter(|end| !end.starts_with(b"\\\""));
            self.definition = Some(end.unwrap_or_else(|| b".".to_vec()));
        }
    }

    /// Stores a string if it is short and there are not too many.
    pub(super) fn define_string(&mut self, rest: &[u8]) {
        let rest = &rest[blanks(rest)..];
        let (name, value) = rest.split_at(rest.iter().position(|octet| *octet == b' ').unwrap_or(rest.len()));
        let value = &value[blanks(value)..];
        // "If a leading neutral double quote is present, it is removed".
        let value = value.strip_prefix(b"\"").unwrap_or(value);
        if name.len() + value.len() <= LONGEST_STRING && self.strings.len() < STRINGS {
            self.strings.insert(name.to_vec(), value.to_vec());
        }
    }

    /// Appends the decoded argument.
    pub(super) fn argument(&mut self, line: &[u8], at: usize, argument: &Argument, text: &mut Text) {
        self.text(&line[argument.start..argument.end], at + argument.start, argument.is_quoted, text);
    }

    /// Appends the decoded text; between quotes, two quotes are one.
    pub(super) fn text(&mut self, line: &[u8], at: usize, is_quoted: bool, text: &mut Text) {
        let escape = self.escape.unwrap_or(b'\n');
        let quote = if is_quoted { b'"' } else { b'\n' };
        let mut done = 0;
        while let Some(length) = memchr2(escape, quote, &line[done..]) {
            text.keep(&line[done..done + length], at + done);
            done += length;
            let octet = line[done];
            done += match octet {
                b'\n' => {
                    text.keep(b"\n", at + done);
                    1
                }
                _ if octet == escape => self.escape(&line[done..], at + done, text),
                _ => {
                    let length = if line[done + 1..].starts_with(b"\"") { 2 } else { 1 };
                    text.put(b"\"", at + done, length);
                    length
                }
            };
        }
        text.keep(&line[done..], at + done);
    }

    /// Appends the decoded escape sequence and returns its length.
    fn escape(&mut self, rest: &[u8], at: usize, text: &mut Text) -> usize {
        let (meaning, length) = escape_at(rest, self.definition.is_some());
        match meaning {
            Meaning::Text(meant) => text.put(meant.as_bytes(), at, length),
            Meaning::Nothing => {}
            Meaning::Gap => text.gap(at, length),
            Meaning::Joins => self.joins = true,
            Meaning::Unknown => text.put(UNKNOWN, at, length),
            Meaning::Interpolation(name) => match self.interpolated(&name) {
                Some(meant) => text.put(&meant, at, length),
                None => text.put(UNKNOWN, at, length),
            },
        }
        length
    }

    /// Returns the value of a string: the document's, if it does not contain others, or that of a
    /// macro package.
    fn interpolated(&self, name: &[u8]) -> Option<Vec<u8>> {
        let Some(value) = self.strings.get(name) else {
            return characters::string(name).map(|text| text.as_bytes().to_vec());
        };
        let mut meant = Vec::new();
        let mut rest = &value[..];
        while let Some(at) = self.escape.and_then(|escape| memchr(escape, rest)) {
            meant.extend_from_slice(&rest[..at]);
            let (meaning, length) = escape_at(&rest[at..], false);
            match meaning {
                Meaning::Text(text) => meant.extend_from_slice(text.as_bytes()),
                Meaning::Gap => meant.push(b' '),
                Meaning::Nothing | Meaning::Joins => {}
                Meaning::Unknown | Meaning::Interpolation(_) => return None,
            }
            rest = &rest[at + length..];
        }
        meant.extend_from_slice(rest);
        Some(meant)
    }
}
