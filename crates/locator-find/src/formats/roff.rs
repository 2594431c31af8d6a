//! roff: manual pages and other documents for troff and groff. Decodes escape sequences into text
//! and finds the links of macros. Follows groff(7), groff_man(7), groff_www(7) and mdoc(7).
//!
//! Nothing is formatted: conditions are not evaluated, and macro definitions and comments are text.
//! A URL that contains a value known only to the formatter is a template.

mod arguments;
mod characters;
mod escape;
mod links;
mod reader;

use std::mem;

use memchr::{memchr, memmem, memrchr};

use crate::search::decoder::{Decoder, Text};
use crate::search::stream;
use crate::search::{FormatSpec, Sections};
use arguments::{arguments, blanks};
use reader::Reader;

/// The roff format.
pub(crate) static ROFF: FormatSpec = FormatSpec {
    name: "roff",
    extensions: &["roff", "man", "mdoc", "troff", "groff", "tmac", "mom"],
    sections: Some(Sections {
        names: &["1", "2", "3", "4", "5", "6", "7", "8", "9"],
        may_begin: |head| !head.is_wide() && may_be_roff(head.text()),
    }),
    has_media_type: |kind, subtype| {
        matches!(kind, "text" | "application") && matches!(subtype, "troff" | "x-troff" | "x-troff-man")
    },
    begins: Some(|head| is_roff(head.start())),
    find: |query, input| stream::find(query, input, Roff::new()),
    find_seekable: None,
    find_in: |query, text, emitter| stream::find_in(query, Roff::new(), text, emitter),
};

/// The decoder of roff.
#[derive(Debug)]
struct Roff {
    reader: Reader,
    /// The separator of table cells, if it is not the tab.
    cell: Option<u8>,
    /// Whether the next line may be the options of a table.
    is_table: bool,
    /// Whether the decoder is in a cell that has its own lines.
    is_block: bool,
    /// Whether the start of the line was already read.
    is_in_line: bool,
}

impl Roff {
    /// Returns a decoder at the beginning of a document.
    fn new() -> Self {
        Self { reader: Reader::new(), cell: None, is_table: false, is_block: false, is_in_line: false }
    }

    fn line(&mut self, line: &[u8], at: usize, text: &mut Text) {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        let content = content.strip_suffix(b"\r").unwrap_or(content);
        self.reader.joins = false;
        match content {
            [b'.' | b'\'', rest @ ..] if !self.is_in_line => self.control(rest, at + 1, text),
            _ => self.text_line(content, at, text),
        }
        self.is_in_line = !line.ends_with(b"\n");
        if !self.reader.joins {
            text.keep(&line[content.len()..], at + content.len());
        }
    }

    /// Decodes a line of text or a row of a table.
    fn text_line(&mut self, line: &[u8], at: usize, text: &mut Text) {
        if mem::take(&mut self.is_table) {
            self.cell = cell_separator(line);
        }
        self.is_block &= !line.starts_with(b"T}");
        let cell = self.cell.filter(|_| !self.is_block);
        let mut done = 0;
        while let Some(length) = cell.and_then(|cell| memchr(cell, &line[done..])) {
            self.reader.text(&line[done..done + length], at + done, false, text);
            text.gap(at + done + length, 1);
            done += length + 1;
        }
        self.reader.text(&line[done..], at + done, false, text);
        self.is_block |= line.ends_with(b"T{");
    }

    /// Decodes a request or a macro call, after its control character.
    fn control(&mut self, line: &[u8], at: usize, text: &mut Text) {
        let mut start = 0;
        // Each iteration reads the body of a condition.
        loop {
            start += blanks(&line[start..]);
            let rest = &line[start..];
            let is_end = |octet: &u8| matches!(octet, b' ' | b'\t') || Some(*octet) == self.reader.escape;
            let name = &rest[..rest.iter().position(is_end).unwrap_or(rest.len())];
            let after = start + name.len();
            if self.reader.definition.as_deref() == Some(name) {
                self.reader.definition = None;
                return;
            }
            if !matches!(name, b"if" | b"ie" | b"el" | b"while" | b"nop") {
                return self.request(name, &line[after..], at + after, text);
            }
            match nested(&line[after..]) {
                Some(length) => start = after + length,
                None => return self.reader.text(&line[after..], at + after, false, text),
            }
        }
    }

    fn request(&mut self, name: &[u8], rest: &[u8], at: usize, text: &mut Text) {
        match name {
            b"de" | b"de1" | b"dei" | b"am" | b"am1" | b"ami" => self.reader.define(rest, 1),
            b"ig" => self.reader.define(rest, 0),
            b"eo" => self.reader.escape = None,
            b"ec" => self.reader.escape = Some(rest.trim_ascii().first().copied().unwrap_or(b'\\')),
            b"TS" | b"TE" => (self.cell, self.is_block, self.is_table) = (None, false, name == b"TS"),
            b"ds" | b"ds1" => self.reader.define_string(rest),
            _ => {}
        }
        let arguments = arguments(rest, self.reader.escape);
        if links::emit(&mut self.reader, name, (rest, at), &arguments, text) {
            return;
        }
        let is_alternating = matches!(name, b"BR" | b"RB" | b"IR" | b"RI" | b"BI" | b"IB");
        for (number, argument) in arguments.iter().enumerate() {
            if number > 0 && !is_alternating {
                text.put(b" ", at + argument.start, 0);
            }
            self.reader.argument(rest, at, argument, text);
        }
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

/// Returns the length of the first line with its continuations, which follow a "\" before the line
/// end; `None` if it has no end.
fn line_length(octets: &[u8]) -> Option<usize> {
    let mut start = 0;
    loop {
        let end = start + memchr(b'\n', &octets[start..])?;
        let line = octets[start..end].strip_suffix(b"\r").unwrap_or(&octets[start..end]);
        let escapes = line.iter().rev().take_while(|octet| **octet == b'\\').count();
        let is_comment = || memrchr(b'"', line).is_some_and(|quote| line[..quote].ends_with(b"\\"));
        // A separate line follows "\{".
        if escapes % 2 == 0 || line.ends_with(b"\\{\\") || is_comment() {
            return Some(end + 1);
        }
        start = end + 1;
    }
}

/// Returns where a request begins after a condition, after its control character.
fn nested(rest: &[u8]) -> Option<usize> {
    let begins = |three: &[u8]| {
        matches!(three[0], b' ' | b'\t' | b'{')
            && matches!(three[1], b'.' | b'\'')
            && three[2].is_ascii_alphabetic()
    };
    rest.windows(3).position(begins).map(|at| at + 2)
}

/// Returns the argument of `tab(x)` among the options of a table, which end with ";" (tbl(1)).
fn cell_separator(options: &[u8]) -> Option<u8> {
    let options = options.trim_ascii_end().strip_suffix(b";")?;
    let at = memmem::find(options, b"tab")? + 3;
    let inner = options[at..].trim_ascii_start().strip_prefix(b"(")?;
    (inner.get(1) == Some(&b')')).then(|| inner[0])
}

/// Recognises a comment, or one of the requests with which manual pages begin.
fn is_roff(text: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 5] = [b".\\\"", b"'\\\"", b".TH ", b".Dd ", b".so "];
    let text = after_empty_requests(text);
    BEGINNINGS.iter().any(|beginning| text.starts_with(beginning))
}

/// Recognises any request, which suffices if the file name is that of a manual page.
fn may_be_roff(text: &[u8]) -> bool {
    let text = after_empty_requests(text);
    let request = text.split_first().filter(|(control, _)| matches!(control, b'.' | b'\''));
    let name = request.map(|(_, name)| name.trim_ascii_start());
    name.and_then(<[u8]>::first).is_some_and(|first| first.is_ascii_alphabetic() || *first == b'\\')
}

/// Returns the text after empty lines, empty requests and comments.
fn after_empty_requests(text: &[u8]) -> &[u8] {
    let is_empty = |line: &&[u8]| matches!(line.trim_ascii(), b"" | b"." | b"'" | [b'\\', b'"', ..]);
    let length: usize =
        text.split_inclusive(|octet| *octet == b'\n').take_while(is_empty).map(<[u8]>::len).sum();
    &text[length..]
}
