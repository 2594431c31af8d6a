//! Rows of CSV (RFC 4180) and TSV: where the cells are, and how a cell is written.
//!
//! A cell of CSV may be in quotes, in which "," and line ends are data and `""` is a quote. In TSV
//! nothing is quoted.

use std::borrow::Cow;
use std::ops::Range;

/// Divides a row into cells as its lines come.
#[derive(Debug)]
pub(super) struct Divider {
    separator: u8,
    has_quotes: bool,
    state: State,
    /// How much of the row has been divided.
    at: usize,
    /// Where the last cell starts.
    start: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Start,
    Plain,
    Quoted,
    /// After a quote in quotes, which may be the first of two.
    Closed,
}

impl Divider {
    pub(super) const fn new(separator: u8, has_quotes: bool) -> Self {
        Self { separator, has_quotes, state: State::Start, at: 0, start: 0 }
    }

    /// Begins a row, which starts at an offset.
    pub(super) fn begin(&mut self, start: usize) {
        (self.state, self.at, self.start) = (State::Start, start, start);
    }

    /// Adds the cells of the next line of the row, which has no line end; `end` is the end of what
    /// is in the row so far with it. Returns whether the row is complete.
    pub(super) fn line(
        &mut self,
        row: &[u8],
        body: usize,
        end: usize,
        cells: &mut Vec<Range<usize>>,
    ) -> bool {
        for (at, &octet) in row.iter().enumerate().take(body).skip(self.at) {
            self.state = match self.state {
                State::Quoted if octet == b'"' => State::Closed,
                State::Quoted => State::Quoted,
                State::Closed if octet == b'"' => State::Quoted,
                _ if octet == self.separator => {
                    cells.push(self.start..at);
                    self.start = at + 1;
                    State::Start
                }
                State::Start if octet == b'"' && self.has_quotes => State::Quoted,
                _ => State::Plain,
            };
        }
        self.at = end;
        if self.state != State::Quoted {
            cells.push(self.start..body);
        }
        self.state != State::Quoted
    }

    /// Returns where the cell starts in which the row ends with the input, since its quote is not
    /// closed.
    pub(super) const fn unclosed(&self) -> usize {
        self.start
    }
}

/// Returns whether a cell has a CR outside quotes, where many readers end the row.
pub(super) fn has_bare_return(cell: &[u8], has_quotes: bool) -> bool {
    if memchr::memchr(b'\r', cell).is_none() {
        return false;
    }
    let mut state = if has_quotes { State::Start } else { State::Plain };
    cell.iter().any(|&octet| {
        state = match state {
            State::Start | State::Closed if octet == b'"' => State::Quoted,
            State::Quoted if octet == b'"' => State::Closed,
            State::Quoted => State::Quoted,
            _ => State::Plain,
        };
        octet == b'\r' && state != State::Quoted
    })
}

/// Returns the value of a cell of CSV.
pub(super) fn value(cell: &[u8]) -> Cow<'_, [u8]> {
    let Some((b'"', rest)) = cell.split_first() else { return Cow::Borrowed(cell) };
    if let Some((b'"', inside)) = rest.split_last()
        && !inside.contains(&b'"')
    {
        return Cow::Borrowed(inside);
    }
    let (mut value, mut is_quoted, mut rest) = (Vec::with_capacity(rest.len()), true, rest);
    while let Some((&octet, after)) = rest.split_first() {
        rest = after;
        match (octet, is_quoted, after.first()) {
            (b'"', true, Some(b'"')) => {
                value.push(b'"');
                rest = &after[1..];
            }
            (b'"', true, _) => is_quoted = false,
            _ => value.push(octet),
        }
    }
    Cow::Owned(value)
}

/// Appends a value as a cell of CSV, in quotes if it needs them or is to have them.
pub(super) fn write_csv(value: &[u8], delimiter: u8, in_quotes: bool, row: &mut Vec<u8>) {
    let needs_quotes = value.iter().any(|&octet| matches!(octet, b'"' | b'\n' | b'\r') || octet == delimiter);
    if !in_quotes && !needs_quotes {
        return row.extend_from_slice(value);
    }
    row.push(b'"');
    for &octet in value {
        row.extend(std::iter::repeat_n(octet, if octet == b'"' { 2 } else { 1 }));
    }
    row.push(b'"');
}

/// Appends a value as a cell of TSV; a tab and line ends are written by their escapes.
pub(super) fn write_tsv(value: &[u8], row: &mut Vec<u8>) {
    for &octet in value {
        match octet {
            b'\t' => row.extend_from_slice(b"\\t"),
            b'\n' => row.extend_from_slice(b"\\n"),
            b'\r' => row.extend_from_slice(b"\\r"),
            _ => row.push(octet),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Divides a whole text, whose lines end with LF.
    fn rows(text: &[u8]) -> Vec<Vec<Vec<u8>>> {
        let (mut rows, mut row, mut cells) = (Vec::new(), Vec::new(), Vec::new());
        let mut divider = Divider::new(b',', true);
        let values = |row: &[u8], cells: &mut Vec<Range<usize>>| {
            cells.drain(..).map(|cell| value(&row[cell]).into_owned()).collect::<Vec<_>>()
        };
        for line in text.split_inclusive(|&octet| octet == b'\n') {
            row.extend_from_slice(line);
            let body = row.len() - usize::from(line.ends_with(b"\n"));
            // A line end in quotes is divided with the next line.
            if divider.line(&row, body, body, &mut cells) {
                rows.push(values(&row, &mut cells));
                row.clear();
                divider.begin(0);
            }
        }
        if !row.is_empty() {
            cells.push(divider.unclosed()..row.len());
            rows.push(values(&row, &mut cells));
        }
        rows.retain(|row| *row != [b""]);
        rows
    }

    #[test]
    fn rows_are_those_of_the_crate_csv() {
        let mut state = 1_u64;
        for _ in 0..20_000 {
            let mut random = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 33) as usize
            };
            let text: Vec<u8> = (0..random() % 16).map(|_| b"\"\",,\na "[random() % 7]).collect();
            let mut reader = csv::ReaderBuilder::new();
            reader.has_headers(false).flexible(true).terminator(csv::Terminator::Any(b'\n'));
            let mut reader = reader.from_reader(&text[..]);
            let expected: Vec<Vec<Vec<u8>>> = reader
                .byte_records()
                .map(|record| record.expect("it is read").iter().map(<[u8]>::to_vec).collect())
                .filter(|record: &Vec<Vec<u8>>| *record != [b""])
                .collect();
            assert_eq!(rows(&text), expected, "{}", String::from_utf8_lossy(&text));
        }
    }

    #[test]
    fn a_cell_is_read_as_it_was_written() {
        for text in ["", "a", "a,b", "\"", "a\"b\"", "a\nb", " ", "\r"] {
            for in_quotes in [false, true] {
                let mut cell = Vec::new();
                write_csv(text.as_bytes(), b',', in_quotes, &mut cell);
                assert_eq!(&*value(&cell), text.as_bytes(), "{text:?}");
            }
        }
    }

    #[test]
    fn a_return_in_quotes_is_data() {
        for (cell, is_bare) in [
            ("a", false),
            ("a\rb", true),
            ("\"a\rb\"", false),
            ("\"a\"\"\rb\"", false),
            ("\"a\"\r", true),
            ("\"a\"b\"\r\"", true),
            ("a\"\r\"", true),
        ] {
            assert_eq!(has_bare_return(cell.as_bytes(), true), is_bare, "{cell:?}");
            assert_eq!(has_bare_return(cell.as_bytes(), false), cell.contains('\r'), "{cell:?}");
        }
    }
}
