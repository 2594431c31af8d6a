//! roff: manual pages and other documents for troff and groff. Decodes escape sequences into text
//! and finds the links in the arguments of macros. Follows groff(7); groff_man(7) for `.UR` and `.MT`,
//! groff_www(7) for `.URL`, `.FTP` and `.MTO`, and mdoc(7) for `.Lk`, `.Mt` and `.%U`, which may also
//! follow other macros in their line.
//!
//! Nothing is formatted: conditions are not evaluated, and macro definitions and comments are text.
//! A URL that contains a value known only to the formatter is a template.

mod escape;

use std::collections::HashMap;
use std::mem;

use locator::scheme::MailtoParts;
use memchr::{memchr, memchr2, memmem, memrchr};

use crate::decode::Escape;
use crate::link::Context;
use crate::search::stream::{self, Decoder, Text};
use crate::search::{FormatSpec, Sections};

use escape::{Meaning, escape_at};

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
        if emit_macro(&mut self.reader, name, LineAt { octets: rest, at }, &arguments, text) {
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

/// A text decoder with the definitions of the document so far.
#[derive(Debug)]
struct Reader {
    /// The escape character: "\", unless the document changes it or turns it off.
    escape: Option<u8>,
    /// The end of the current macro definition or ignored text.
    definition: Option<Vec<u8>>,
    /// The strings that the document defines.
    strings: HashMap<Vec<u8>, Vec<u8>>,
    /// Whether the next line continues without a space.
    joins: bool,
}

/// The maximum number of strings, and the maximum length of each.
const STRINGS: usize = 1000;
const LONGEST_STRING: usize = 160;

/// The placeholder for an unknown value. It makes a URL a template.
const UNKNOWN: &[u8] = b"{";

impl Reader {
    /// Returns a decoder at the beginning of a document.
    fn new() -> Self {
        Self { escape: Some(b'\\'), definition: None, strings: HashMap::new(), joins: false }
    }

    /// Begins a definition, whose end is named by the argument with this number.
    fn define(&mut self, rest: &[u8], number: usize) {
        if self.definition.is_none() {
            let end = arguments(rest, self.escape).into_iter().nth(number);
            let end =
                end.map(|end| rest[end.start..end.end].to_vec()).filter(|end| !end.starts_with(b"\\\""));
            self.definition = Some(end.unwrap_or_else(|| b".".to_vec()));
        }
    }

    /// Stores a string if it is short and there are not too many.
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

    /// Appends the decoded argument.
    fn argument(&mut self, line: &[u8], at: usize, argument: &Argument, text: &mut Text) {
        self.text(&line[argument.start..argument.end], at + argument.start, argument.is_quoted, text);
    }

    /// Appends the decoded text; between quotes, two quotes are one.
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

    /// Appends the decoded escape sequence and returns its length.
    fn escape(&mut self, rest: &[u8], at: usize, text: &mut Text) -> usize {
        let Escape { means: meaning, length } = escape_at(rest, self.definition.is_some());
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
            return escape::string(name).map(|text| text.as_bytes().to_vec());
        };
        let mut meant = Vec::new();
        let mut rest = &value[..];
        while let Some(at) = self.escape.and_then(|escape| memchr(escape, rest)) {
            meant.extend_from_slice(&rest[..at]);
            let Escape { means: meaning, length } = escape_at(&rest[at..], false);
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

/// An argument, without the quotes around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Argument {
    start: usize,
    end: usize,
    is_quoted: bool,
}

/// Splits arguments at spaces. A comment after them is the last one.
fn arguments(line: &[u8], escape: Option<u8>) -> Vec<Argument> {
    let mut arguments = Vec::new();
    let mut at = 0;
    loop {
        at += blanks(&line[at..]);
        if at == line.len() {
            return arguments;
        }
        let is_quoted = line[at] == b'"';
        let start = at + usize::from(is_quoted);
        let ArgumentEnd { at: end, is_comment } = end_of(line, start, is_quoted, escape);
        if end > start || is_quoted {
            arguments.push(Argument { start, end, is_quoted });
        }
        at = end + usize::from(is_quoted && end < line.len() && !is_comment);
        if is_comment {
            arguments.push(Argument { start: at, end: line.len(), is_quoted: false });
            return arguments;
        }
    }
}

/// The end of an argument.
struct ArgumentEnd {
    at: usize,
    /// Whether a comment begins there.
    is_comment: bool,
}

fn end_of(line: &[u8], start: usize, is_quoted: bool, escape: Option<u8>) -> ArgumentEnd {
    let mut at = start;
    while let Some(&octet) = line.get(at) {
        match octet {
            b'"' if is_quoted && line.get(at + 1) == Some(&b'"') => at += 2,
            b'"' if is_quoted => break,
            b' ' | b'\t' if !is_quoted => break,
            _ if Some(octet) == escape => match escape_at(&line[at..], false) {
                Escape { means: Meaning::Gap, length: 2 } => return ArgumentEnd { at, is_comment: true },
                escape => at += escape.length,
            },
            _ => at += 1,
        }
    }
    ArgumentEnd { at: at.min(line.len()), is_comment: false }
}

/// Returns the number of leading blanks.
fn blanks(octets: &[u8]) -> usize {
    octets.iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count()
}

/// The arguments of a macro that are links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MacroTarget {
    /// The first argument is a URL.
    Url,
    /// The first argument is an e-mail address.
    Address,
    /// All arguments are e-mail addresses.
    Addresses,
}

/// The macros by name: those of man and www, which are recognised only at the start of a line, and
/// those of mdoc.
const MACROS: [(&str, MacroTarget); 8] = [
    ("UR", MacroTarget::Url),
    ("URL", MacroTarget::Url),
    ("FTP", MacroTarget::Url),
    ("MT", MacroTarget::Address),
    ("MTO", MacroTarget::Address),
    ("Lk", MacroTarget::Url),
    ("Mt", MacroTarget::Addresses),
    ("%U", MacroTarget::Url),
];

/// The octets of a line, and their position in the document.
#[derive(Clone, Copy)]
struct LineAt<'o> {
    octets: &'o [u8],
    at: usize,
}

/// Appends the links and the text of a line, if its macro may make links.
fn emit_macro(
    reader: &mut Reader,
    name: &[u8],
    line: LineAt<'_>,
    arguments: &[Argument],
    text: &mut Text,
) -> bool {
    if known_macro(name).is_none() && !is_of_mdoc(name) {
        return false;
    }
    let mut target = known_macro(name);
    let mut joins = true;
    for argument in arguments {
        let written = &line.octets[argument.start..argument.end];
        if is_of_mdoc(name) && !argument.is_quoted && is_of_mdoc(written) {
            // "Ns" omits white space: the output of a macro after it, mostly a word, belongs to the
            // previous word.
            match (known_macro(written), written) {
                (Some(other), _) => {
                    target = Some(other);
                    text.gap(line.at + argument.start, 0);
                    continue;
                }
                (None, b"Ns") => {
                    joins = true;
                    continue;
                }
                (None, _) if joins => {
                    text.put(UNKNOWN, line.at + argument.start, 0);
                    continue;
                }
                (None, _) => {}
            }
        }
        if let Some((macro_name, of)) = target {
            let is_link = emit_link(reader, macro_name, of, line, argument, text);
            if !is_link || of != MacroTarget::Addresses {
                target = None;
            }
            if is_link {
                continue;
            }
        }
        if !joins {
            text.put(b" ", line.at + argument.start, 0);
        }
        joins = false;
        reader.argument(line.octets, line.at, argument, text);
    }
    true
}

fn known_macro(name: &[u8]) -> Option<(&'static str, MacroTarget)> {
    MACROS.into_iter().find(|(known, _)| known.as_bytes() == name)
}

/// Returns whether a name has the form of mdoc: an upper-case and a lower-case letter.
fn is_of_mdoc(name: &[u8]) -> bool {
    name == b"%U"
        || matches!(name, [first, second] if first.is_ascii_uppercase() && second.is_ascii_lowercase())
        || name == b"Brq"
}

/// Adds the link of an argument, if it is one.
fn emit_link(
    reader: &mut Reader,
    name: &'static str,
    target: MacroTarget,
    line: LineAt<'_>,
    argument: &Argument,
    text: &mut Text,
) -> bool {
    let mut alone = Text::default();
    reader.argument(line.octets, line.at, argument, &mut alone);
    let Ok(meant) = str::from_utf8(alone.octets()) else { return false };
    // Older pages have the brackets in the argument.
    let inner = meant.trim().trim_start_matches('<').trim_end_matches('>');
    let start = meant.find(inner).unwrap_or(0);
    // An unknown value makes it a template.
    if inner.is_empty() || inner.contains(['{', '\u{1F}']) {
        return false;
    }
    let url = match target {
        // Some pages have a bare address there, which is not a useful reference.
        MacroTarget::Url if !inner.contains([':', '/', '?', '#']) && inner.contains('@') => mailto(inner),
        MacroTarget::Url => Some(inner.to_owned()),
        MacroTarget::Address | MacroTarget::Addresses => mailto(inner),
    };
    let Some(url) = url else { return false };
    text.gap(line.at + argument.start, 0);
    text.link(alone.source_of(start..start + inner.len()), url, Context::Macro(name));
    text.gap(line.at + argument.end, 0);
    true
}

/// Returns the URL of an address.
fn mailto(address: &str) -> Option<String> {
    if address.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("mailto:")) {
        return Some(address.to_owned());
    }
    let (local, domain) = address.rsplit_once('@')?;
    if local.is_empty() || domain.is_empty() || address.contains(char::is_whitespace) {
        return None;
    }
    let parts = MailtoParts::new(address);
    parts.build().ok().map(|url| url.as_str().to_owned())
}
