//! roff: manual pages and other documents for troff and groff enter, their text leaves without escape sequences, and the links that macros make. Follows
//! groff(7), groff_man(7), groff_www(7) and mdoc(7).
//!
//! Nothing is formatted: conditions are not evaluated, and the definition of a macro is text as the rest, comments too. What is not known before a document
//! is formatted makes a template of a URL that it is in.

mod arguments;
mod characters;
mod escape;
mod links;

use std::collections::HashMap;
use std::mem;

use memchr::{memchr, memchr2, memmem, memrchr};

use crate::stream::{Decoder, Text};
use arguments::{Argument, arguments};
use escape::{Meaning, escape_at};

/// Reads roff.
#[derive(Debug)]
pub(crate) struct Roff {
    /// What begins escape sequences: "\", unless it was changed or turned off.
    escape: Option<u8>,
    /// What ends the macro that is being defined, or the text that is being ignored.
    definition: Option<Vec<u8>>,
    /// What separates the cells of a table, if it is not the tab.
    cell: Option<u8>,
    /// Whether the next line may be the options of a table.
    is_table: bool,
    /// Whether it is in a cell that has lines of its own.
    is_block: bool,
    /// Strings that the document defines.
    strings: HashMap<Vec<u8>, Vec<u8>>,
    /// Whether the start of the line was read before.
    is_in_line: bool,
    /// Whether the next line goes on without a space.
    joins: bool,
}

/// How many strings are kept, and how long one may be.
const STRINGS: usize = 1000;
const LONGEST_STRING: usize = 160;

/// What stands for a value that is not known. It makes a template of a URL.
const UNKNOWN: &[u8] = b"{";

impl Roff {
    /// Reads a document from its beginning.
    pub(crate) fn new() -> Self {
        Self {
            escape: Some(b'\\'),
            definition: None,
            cell: None,
            is_table: false,
            is_block: false,
            strings: HashMap::new(),
            is_in_line: false,
            joins: false,
        }
    }

    fn line(&mut self, line: &[u8], at: usize, text: &mut Text) {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        let content = content.strip_suffix(b"\r").unwrap_or(content);
        self.joins = false;
        match content {
            [b'.' | b'\'', rest @ ..] if !self.is_in_line => self.control(rest, at + 1, text),
            _ => self.text_line(content, at, text),
        }
        self.is_in_line = !line.ends_with(b"\n");
        if !self.joins {
            text.keep(&line[content.len()..], at + content.len());
        }
    }

    /// Reads a line of text, or a row of a table.
    fn text_line(&mut self, line: &[u8], at: usize, text: &mut Text) {
        if mem::take(&mut self.is_table) {
            self.cell = cell_separator(line);
        }
        self.is_block &= !line.starts_with(b"T}");
        let cell = self.cell.filter(|_| !self.is_block);
        let mut done = 0;
        while let Some(length) = cell.and_then(|cell| memchr(cell, &line[done..])) {
            self.text(&line[done..done + length], at + done, false, text);
            text.gap(at + done + length, 1);
            done += length + 1;
        }
        self.text(&line[done..], at + done, false, text);
        self.is_block |= line.ends_with(b"T{");
    }

    /// Reads a request or the call of a macro, without the octet that begins it.
    fn control(&mut self, line: &[u8], at: usize, text: &mut Text) {
        let mut start = 0;
        // Each turn reads what a condition is about.
        loop {
            start += blanks(&line[start..]);
            let rest = &line[start..];
            let is_end = |octet: &u8| matches!(octet, b' ' | b'\t') || Some(*octet) == self.escape;
            let name = &rest[..rest.iter().position(is_end).unwrap_or(rest.len())];
            let behind = start + name.len();
            if self.definition.as_deref() == Some(name) {
                self.definition = None;
                return;
            }
            if !matches!(name, b"if" | b"ie" | b"el" | b"while" | b"nop") {
                return self.request(name, &line[behind..], at + behind, text);
            }
            match nested(&line[behind..]) {
                Some(length) => start = behind + length,
                None => return self.text(&line[behind..], at + behind, false, text),
            }
        }
    }

    fn request(&mut self, name: &[u8], rest: &[u8], at: usize, text: &mut Text) {
        match name {
            b"de" | b"de1" | b"dei" | b"am" | b"am1" | b"ami" => self.define(rest, 1),
            b"ig" => self.define(rest, 0),
            b"eo" => self.escape = None,
            b"ec" => self.escape = Some(rest.trim_ascii().first().copied().unwrap_or(b'\\')),
            b"TS" | b"TE" => (self.cell, self.is_block, self.is_table) = (None, false, name == b"TS"),
            b"ds" | b"ds1" => self.define_string(rest),
            _ => {}
        }
        let arguments = arguments(rest, self.escape);
        if links::emit(self, name, (rest, at), &arguments, text) {
            return;
        }
        let is_alternating = matches!(name, b"BR" | b"RB" | b"IR" | b"RI" | b"BI" | b"IB");
        for (number, argument) in arguments.iter().enumerate() {
            if number > 0 && !is_alternating {
                text.put(b" ", at + argument.start, 0);
            }
            self.argument(rest, at, argument, text);
        }
    }

    /// Begins a definition, whose end is named by the argument of that number.
    fn define(&mut self, rest: &[u8], number: usize) {
        if self.definition.is_none() {
            let end = arguments(rest, self.escape).into_iter().nth(number);
            let end =
                end.map(|end| rest[end.start..end.end].to_vec()).filter(|end| !end.starts_with(b"\\\""));
            self.definition = Some(end.unwrap_or_else(|| b".".to_vec()));
        }
    }

    fn define_string(&mut self, rest: &[u8]) {
        let rest = &rest[blanks(rest)..];
        let (name, value) = rest.split_at(rest.iter().position(|octet| *octet == b' ').unwrap_or(rest.len()));
        let value = &value[blanks(value)..];
        // "If a leading neutral double quote is present, it is removed".
        let value = value.strip_prefix(b"\"").unwrap_or(value);
        if name.len() + value.len() <= LONGEST_STRING && self.strings.len() < STRINGS {
            self.strings.insert(name.to_vec(), value.to_vec());
        }
    }

    fn argument(&mut self, line: &[u8], at: usize, argument: &Argument, text: &mut Text) {
        self.text(&line[argument.start..argument.end], at + argument.start, argument.is_quoted, text);
    }

    /// Appends what text means; between quotes two of them are one.
    fn text(&mut self, line: &[u8], at: usize, is_quoted: bool, text: &mut Text) {
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

    /// Appends what an escape sequence means, and returns how long it is.
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

    /// What a string is: that of the document, if it does not contain others, or that of a macro package.
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

impl Decoder for Roff {
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize {
        let mut done = 0;
        while done < octets.len() {
            let rest = &octets[done..];
            let length = match line_length(rest) {
                Some(length) => length,
                None if is_all => rest.len(),
                None => break,
            };
            self.line(&rest[..length], at + done, text);
            done += length;
        }
        done
    }
}

/// How long the first line is with those that go on with it, since a "\" is before their end; nothing if it does not end.
fn line_length(octets: &[u8]) -> Option<usize> {
    let mut start = 0;
    loop {
        let end = start + memchr(b'\n', &octets[start..])?;
        let line = octets[start..end].strip_suffix(b"\r").unwrap_or(&octets[start..end]);
        let escapes = line.iter().rev().take_while(|octet| **octet == b'\\').count();
        let is_comment = || memrchr(b'"', line).is_some_and(|quote| line[..quote].ends_with(b"\\"));
        // Behind "\{" comes another line of its own.
        if escapes % 2 == 0 || line.ends_with(b"\\{\\") || is_comment() {
            return Some(end + 1);
        }
        start = end + 1;
    }
}

fn blanks(octets: &[u8]) -> usize {
    octets.iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count()
}

/// Where behind a condition a request begins, without the octet that begins it.
fn nested(rest: &[u8]) -> Option<usize> {
    let begins = |three: &[u8]| {
        matches!(three[0], b' ' | b'\t' | b'{')
            && matches!(three[1], b'.' | b'\'')
            && three[2].is_ascii_alphabetic()
    };
    rest.windows(3).position(begins).map(|at| at + 2)
}

/// What `tab(x)` among the options of a table says, which end with ";" (tbl(1)).
fn cell_separator(options: &[u8]) -> Option<u8> {
    let options = options.trim_ascii_end().strip_suffix(b";")?;
    let at = memmem::find(options, b"tab")? + 3;
    let inner = options[at..].trim_ascii_start().strip_prefix(b"(")?;
    (inner.get(1) == Some(&b')')).then(|| inner[0])
}
