//! CSV and TSV. Decodes the cells of a table into text, each separate from the others. Follows RFC
//! 4180, section 2; other separators than the comma are accepted.
//!
//! A cell that begins with a scheme and "//" is read as a whole. Elsewhere a URL ends with its cell. An unquoted cell is written to the text in quotes, because a URL that
//! fills a cell ends with it.

use locator::text::Finder;
use memchr::{memchr, memchr3};

use crate::formats::values::{Begins, Values};
use crate::search::FormatSpec;
use crate::search::stream::{self, Decoder, Text};

/// Tables whose cells are separated by a comma or another character.
pub(crate) static CSV: FormatSpec = FormatSpec {
    name: "csv",
    extensions: &["csv"],
    sections: None,
    has_media_type: |kind, subtype| (kind, subtype) == ("text", "csv"),
    begins: None,
    find: |query, input| {
        let separator = input.separator;
        stream::find(query, input, Csv::new(&query.options.text, separator))
    },
    find_seekable: None,
    find_in: |query, text, emitter| {
        stream::find_in(query, Csv::new(&query.options.text, None), text, emitter)
    },
};

/// Tables whose cells are separated by tabs.
pub(crate) static TSV: FormatSpec = FormatSpec {
    name: "tsv",
    extensions: &["tsv", "tab"],
    sections: None,
    has_media_type: |kind, subtype| (kind, subtype) == ("text", "tab-separated-values"),
    begins: None,
    find: |query, input| {
        let separator = input.separator.unwrap_or(b'\t');
        stream::find(query, input, Csv::new(&query.options.text, Some(separator)))
    },
    find_seekable: None,
    find_in: |query, text, emitter| {
        stream::find_in(query, Csv::new(&query.options.text, Some(b'\t')), text, emitter)
    },
};

/// The decoder of a table.
#[derive(Debug)]
struct Csv<'f> {
    values: Values<'f>,
    /// `None` before the first line.
    separator: Option<u8>,
    state: State,
}

/// The position of the decoder in a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Start,
    /// In an unquoted cell, or at its end.
    Plain,
    /// In a quoted cell.
    Quoted,
}

/// The lookahead for the end of a cell and for the separator, in octets.
const AHEAD: usize = 64 << 10;

impl<'f> Csv<'f> {
    /// Returns a decoder with this separator; without one, it is detected in the first line.
    fn new(finder: &'f Finder, separator: Option<u8>) -> Self {
        Self { values: Values::new(finder), separator, state: State::Start }
    }
}

/// What was read of a cell.
struct DecodedCell {
    length: usize,
    /// The state after it.
    state: State,
}

/// Decodes a cell if it is complete. `may_be_value` is
/// whether it may begin with a scheme and "//".
fn decode_cell(
    values: &Values<'_>,
    octets: &[u8],
    at: usize,
    cell: Cell,
    may_be_value: bool,
    text: &mut Text,
) -> DecodedCell {
    let has_quotes = |length: usize| memchr(b'"', &octets[..length]).is_some();
    let is_value = |content: &[u8], at, text: &mut Text| may_be_value && values.emit_cell(content, at, text);
    match cell {
        Cell::Plain(length) if is_value(&octets[..length], at, text) => {
            DecodedCell { length, state: State::Plain }
        }
        Cell::Plain(length) if !has_quotes(length) => {
            enclose(&octets[..length], at, 0, text);
            DecodedCell { length, state: State::Plain }
        }
        Cell::Quoted(length) => {
            let content = &octets[1..length - 1];
            if !is_value(content, at + 1, text) {
                enclose(content, at + 1, 1, text);
            }
            DecodedCell { length, state: State::Plain }
        }
        Cell::Escaped(length) if may_be_value && is_escaped_value(values, &octets[..length], at, text) => {
            DecodedCell { length, state: State::Plain }
        }
        Cell::Escaped(_) | Cell::Open => {
            text.gap(at, 1);
            DecodedCell { length: 1, state: State::Quoted }
        }
        // Cells that contain quotes are decoded octet by octet, whether quoted or not.
        Cell::Plain(_) | Cell::Long => {
            text.gap(at, 0);
            DecodedCell { length: 0, state: State::Plain }
        }
    }
}

/// Adds the URL that a quoted cell with doubled quotes is; returns whether it is one.
fn is_escaped_value(values: &Values<'_>, cell: &[u8], at: usize, text: &mut Text) -> bool {
    let content = &cell[1..cell.len() - 1];
    str::from_utf8(content)
        .is_ok_and(|value| values.emit(&value.replace("\"\"", "\""), at + 1..at + 1 + content.len(), text))
}

impl Csv<'_> {
    /// Continues an unquoted cell; returns the number of octets consumed.
    fn plain(&mut self, octets: &[u8], at: usize, separator: u8, text: &mut Text) -> usize {
        let end = memchr3(separator, b'\n', b'\r', octets);
        text.keep(&octets[..end.unwrap_or(octets.len())], at);
        if let Some(end) = end {
            text.gap(at + end, 1);
            self.state = State::Start;
        }
        end.map_or(octets.len(), |end| end + 1)
    }

    /// Continues a quoted cell; returns the number of octets consumed, or `None` if more are
    /// needed.
    fn quoted(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> Option<usize> {
        let Some(quote) = memchr(b'"', octets) else {
            text.keep(octets, at);
            return Some(octets.len());
        };
        match octets.get(quote + 1) {
            None if !is_all && quote == 0 => return None,
            None if !is_all => {
                text.keep(&octets[..quote], at);
                return Some(quote);
            }
            // "A double-quote appearing inside a field must be escaped by preceding it with another
            // double quote."
            Some(b'"') => {
                text.keep(&octets[..quote], at);
                text.put(b"\"", at + quote, 2);
                return Some(quote + 2);
            }
            _ => {}
        }
        text.keep(&octets[..quote], at);
        text.gap(at + quote, 1);
        self.state = State::Plain;
        Some(quote + 1)
    }
}

impl Decoder for Csv<'_> {
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize {
        let Some(separator) = self.separator.or_else(|| sniff(octets, is_all)) else { return 0 };
        self.separator = Some(separator);
        let values = self.values.clone();
        let mut schemes = values.schemes(octets, false);
        let mut done = 0;
        while done < octets.len() {
            let (rest, at) = (&octets[done..], at + done);
            let read = match self.state {
                State::Start => cell_at(rest, separator, is_all).map(|found| {
                    let start = done + usize::from(rest[0] == b'"');
                    let is_value = schemes.begin_at(start, true) == Begins::Yes;
                    let cell = decode_cell(&values, rest, at, found, is_value, text);
                    self.state = cell.state;
                    cell.length
                }),
                State::Plain => Some(self.plain(rest, at, separator, text)),
                State::Quoted => self.quoted(rest, at, is_all, text),
            };
            match read {
                Some(read) => done += read,
                None => break,
            }
        }
        done
    }
}

/// A cell and its length in octets.
enum Cell {
    Plain(usize),
    /// A quoted cell without quotes in it.
    Quoted(usize),
    /// A quoted cell with doubled quotes in it.
    Escaped(usize),
    /// A quoted cell whose end is not near.
    Open,
    /// A cell whose end is not near.
    Long,
}

/// Returns the cell at the start of `octets`; `None` if more octets are needed.
fn cell_at(octets: &[u8], separator: u8, is_all: bool) -> Option<Cell> {
    let is_long = octets.len() > AHEAD;
    let octets = &octets[..octets.len().min(AHEAD)];
    if octets.first() == Some(&b'"') {
        let ends_at =
            |at: usize| octets.get(at).is_none_or(|octet| *octet == separator || b"\r\n".contains(octet));
        let mut at = 1;
        loop {
            match memchr(b'"', &octets[at..]).map(|length| at + length) {
                Some(quote) if octets.get(quote + 1) == Some(&b'"') => at = quote + 2,
                Some(quote) if quote + 1 < octets.len() || !is_long && is_all => {
                    let has_quotes = memchr(b'"', &octets[1..quote]).is_some();
                    match ends_at(quote + 1) {
                        true if has_quotes => return Some(Cell::Escaped(quote + 1)),
                        true => return Some(Cell::Quoted(quote + 1)),
                        // A cell with text after its closing quote does not follow RFC 4180.
                        false => break,
                    }
                }
                _ if is_long => return Some(Cell::Open),
                // Nor does a cell without an end.
                _ if is_all => break,
                _ => return None,
            }
        }
    }
    match memchr3(separator, b'\n', b'\r', octets) {
        Some(length) => Some(Cell::Plain(length)),
        None if is_long => Some(Cell::Long),
        None => is_all.then_some(Cell::Plain(octets.len())),
    }
}

/// Appends the content of a cell in quotes, each of which replaces this number of octets.
fn enclose(content: &[u8], at: usize, replaced: usize, text: &mut Text) {
    text.put(b"\"", at - replaced, replaced);
    text.keep(content, at);
    text.put(b"\"", at + content.len(), replaced);
}

/// The separators that are detected.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Detects the separator: the most frequent one outside of quotes in the first line. Among several,
/// it is one that divides the second line into as many cells. Returns `None` if more octets are
/// needed.
fn sniff(octets: &[u8], is_all: bool) -> Option<u8> {
    let is_all = is_all || octets.len() > AHEAD;
    let octets = &octets[..octets.len().min(AHEAD)];
    let FirstRow { row: first, after } = first_row(octets, is_all)?;
    // The separator line that Excel reads and writes.
    if let [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', separator] = first.trim_ascii_end() {
        return Some(*separator);
    }
    let counts = SEPARATORS.map(|separator| count(first, separator));
    if counts.iter().filter(|count| **count > 0).count() < 2 {
        let only = counts.iter().position(|count| *count > 0);
        return Some(SEPARATORS[only.unwrap_or(0)]);
    }
    let second = first_row(after, is_all)?.row;
    let is_even = |index: usize| count(second, SEPARATORS[index]) == counts[index];
    let best = (0..SEPARATORS.len())
        .rev()
        .max_by_key(|index| (counts[*index] > 0 && is_even(*index), counts[*index]));
    Some(SEPARATORS[best.unwrap_or(0)])
}

/// The first row that is not empty.
struct FirstRow<'o> {
    row: &'o [u8],
    after: &'o [u8],
}

/// Returns the first row that is not empty; `None` if it has no end.
fn first_row(octets: &[u8], is_all: bool) -> Option<FirstRow<'_>> {
    let start = octets.iter().take_while(|octet| b"\r\n".contains(octet)).count();
    let octets = &octets[start..];
    let mut is_quoted = false;
    let end = octets.iter().position(|octet| {
        is_quoted ^= *octet == b'"';
        !is_quoted && b"\r\n".contains(octet)
    });
    let end = end.or(is_all.then_some(octets.len()))?;
    let (row, after) = octets.split_at(end);
    Some(FirstRow { row, after })
}

/// Counts the separators of a row outside of quotes.
fn count(row: &[u8], separator: u8) -> usize {
    row.split(|octet| *octet == b'"').step_by(2).flatten().filter(|octet| **octet == separator).count()
}
