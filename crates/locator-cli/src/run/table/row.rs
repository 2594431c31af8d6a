//! The rows of a table, read one by one: their bytes, and where the cell with the URL is. What is not changed is written as
//! it was read, byte for byte. Output is flushed whenever no further input is available.
//!
//! A cell of CSV (RFC 4180) may be in quotes, in which "," and line ends are data and `""` is a quote; in TSV nothing is
//! quoted. In NDJSON a value of an object is replaced, and all other bytes stay.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::{fmt, io};

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::arguments::TableFormat;
use crate::exit::CliError;
use crate::input::files::{Named, Unpacked};
use crate::input::{MARK, STDIN};
use crate::output;
use crate::output::Output;
use crate::run::interrupt::Turn;
use crate::terminal::visible;

/// A row.
pub(super) struct Row<'a> {
    pub(super) format: TableFormat,
    /// The bytes with the line end.
    pub(super) octets: &'a [u8],
    /// The number of its first line.
    pub(super) line: u64,
    /// Where the cells are.
    pub(super) cells: Vec<Range<usize>>,
    /// The keys of a JSON object, in the order of the cells.
    pub(super) keys: Vec<Cow<'a, str>>,
}

/// The cell with the URL.
pub(super) struct UrlCell<'a> {
    pub(super) octets: Cow<'a, [u8]>,
    /// The line, and the bytes before the URL in it.
    pub(super) line: u64,
    pub(super) column: usize,
    /// Which cell it is.
    pub(super) index: usize,
}

/// A value that is written to a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CellValue<'a> {
    /// There is none: an empty cell, in JSON null.
    Null,
    Text(Cow<'a, str>),
    /// A value that is not a text: as it is in a cell, and as JSON.
    Other {
        cell: String,
        json: String,
    },
}

impl CellValue<'_> {
    /// Returns the value with a text of its own.
    pub(crate) fn into_owned(self) -> CellValue<'static> {
        match self {
            Self::Null => CellValue::Null,
            Self::Text(text) => CellValue::Text(Cow::Owned(text.into_owned())),
            Self::Other { cell, json } => CellValue::Other { cell, json },
        }
    }

    fn text(&self) -> &str {
        match self {
            Self::Null => "",
            Self::Text(text) => text,
            Self::Other { cell, .. } => cell,
        }
    }

    /// Appends the value in a format.
    pub(super) fn write(&self, format: TableFormat, in_quotes: bool, row: &mut Vec<u8>) {
        match (format, self) {
            (TableFormat::Csv { delimiter }, value) => {
                write_csv(value.text().as_bytes(), delimiter, in_quotes, row);
            }
            (TableFormat::Tsv, value) => write_tsv(value.text().as_bytes(), row),
            (TableFormat::Ndjson, Self::Null) => row.extend_from_slice(b"null"),
            (TableFormat::Ndjson, Self::Text(text)) => write_text(text, row),
            (TableFormat::Ndjson, Self::Other { json, .. }) => row.extend_from_slice(json.as_bytes()),
        }
    }
}

impl TableFormat {
    /// Returns what separates two cells.
    pub(super) const fn separator(self) -> u8 {
        match self {
            Self::Csv { delimiter } => delimiter,
            Self::Tsv => b'\t',
            Self::Ndjson => b',',
        }
    }

    /// Returns whether a cell may be in quotes.
    const fn has_quotes(self) -> bool {
        matches!(self, Self::Csv { .. })
    }
}

impl<'a> Row<'a> {
    /// Returns whether the row has nothing in it.
    pub(super) fn is_blank(&self) -> bool {
        let body = self.body();
        let is_white = self.format != TableFormat::Tsv && self.cells.len() <= 1;
        body.is_empty() || is_white && body.trim_ascii().is_empty()
    }

    /// Returns the delimiter that the first line of a CSV table names for Excel: `sep=;`.
    pub(super) fn declared_delimiter(&self) -> Option<u8> {
        if self.line != 1 || !matches!(self.format, TableFormat::Csv { .. }) {
            return None;
        }
        let body = self.body();
        let body = body.strip_prefix(MARK).unwrap_or(body);
        let body = body.strip_prefix(b"\"").and_then(|body| body.strip_suffix(b"\"")).unwrap_or(body);
        let (name, rest) = body.split_at_checked("sep=".len())?;
        match rest {
            &[delimiter] if name.eq_ignore_ascii_case(b"sep=") && delimiter != b'"' => Some(delimiter),
            _ => None,
        }
    }

    /// Returns the row for people.
    pub(super) fn shown(&self) -> String {
        shown(self.body())
    }

    /// The bytes without the line end.
    fn body(&self) -> &'a [u8] {
        let body = self.octets.strip_suffix(b"\n").map(|body| body.strip_suffix(b"\r").unwrap_or(body));
        body.unwrap_or(self.octets)
    }

    /// Returns the value of a cell, as it is in a line of names.
    pub(super) fn value(&self, index: usize) -> Cow<'a, [u8]> {
        let cell = &self.octets[self.cells[index].clone()];
        if self.format.has_quotes() { value(cell) } else { Cow::Borrowed(cell) }
    }

    /// Returns the places of the keys of an object that a predicate accepts.
    pub(super) fn places_of(&self, is_one: impl Fn(&str) -> bool) -> Vec<usize> {
        (0..self.keys.len()).filter(|&place| is_one(&self.keys[place])).collect()
    }

    /// Returns the cell with that index as a URL; `None` if it is missing, empty or null.
    ///
    /// # Errors
    ///
    /// Returns where the value is, if it is not a text.
    pub(super) fn url(&self, index: usize) -> Result<Option<UrlCell<'a>>, usize> {
        let Some(range) = self.cells.get(index).cloned() else { return Ok(None) };
        let cell = &self.octets[range.clone()];
        let value = match self.format {
            TableFormat::Ndjson if cell == b"null" => return Ok(None),
            TableFormat::Ndjson => {
                let text = serde_json::from_slice::<String>(cell).map_err(|_| self.place(range.start).1)?;
                Cow::Owned(text.into_bytes())
            }
            _ => self.value(index),
        };
        if value.is_empty() && self.format != TableFormat::Ndjson {
            return Ok(None);
        }
        let in_quotes = cell.starts_with(b"\"") && self.format != TableFormat::Tsv;
        let (line, column) = self.place(range.start + usize::from(in_quotes));
        Ok(Some(UrlCell { octets: value, line, column, index }))
    }

    /// Returns the line of a byte, and the bytes before it in the line.
    fn place(&self, at: usize) -> (u64, usize) {
        let before = &self.octets[..at];
        let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        (self.line + memchr::memchr_iter(b'\n', before).count() as u64, at - start)
    }

    /// Returns why programs do not agree where the row and its cells end, if they do not.
    pub(super) fn ambiguity(&self) -> Option<&'static str> {
        let body = self.body();
        if self.format == TableFormat::Ndjson {
            let has_return = memchr::memchr(b'\r', body).is_some();
            return has_return.then_some("a CR within the line, where some programs end it");
        }
        let is_bare =
            |cell: &Range<usize>| has_bare_return(&self.octets[cell.clone()], self.format.has_quotes());
        if memchr::memchr(b'\r', body).is_some() && self.cells.iter().any(is_bare) {
            return Some(match self.format.has_quotes() {
                true => "a CR outside quotes, where many programs end the row",
                false => "a CR, where many programs end the row",
            });
        }
        memchr::memchr(0, body).map(|_| "a NUL, where some programs end the row")
    }

    /// Appends the row, with cells replaced, in their order, and cells added.
    pub(super) fn write(
        &self,
        replaced: &[(usize, CellValue<'_>)],
        added: &[(&str, CellValue<'_>)],
        row: &mut Vec<u8>,
    ) {
        let body = self.body();
        let mut written = 0;
        for (index, value) in replaced {
            let range = self.cells[*index].clone();
            row.extend_from_slice(&body[written..range.start]);
            value.write(self.format, body[range.clone()].starts_with(b"\""), row);
            written = range.end;
        }
        let rest = &body[written..];
        match self.format {
            TableFormat::Ndjson if !added.is_empty() => {
                let end = memchr::memrchr(b'}', rest).unwrap_or(rest.len());
                row.extend_from_slice(rest[..end].trim_ascii_end());
                for (number, (name, value)) in added.iter().enumerate() {
                    if number > 0 || !self.cells.is_empty() {
                        row.push(b',');
                    }
                    write_text(name, row);
                    row.push(b':');
                    value.write(self.format, false, row);
                }
                row.extend_from_slice(&rest[end..]);
            }
            _ => {
                row.extend_from_slice(rest);
                for (_, value) in added {
                    row.push(self.format.separator());
                    value.write(self.format, false, row);
                }
            }
        }
        row.extend_from_slice(&self.octets[body.len()..]);
    }

    /// Appends a row of CSV or TSV that has another number of cells than the table has columns, or
    /// that other programs divide in other places: as many cells as there are columns, in which no
    /// program ends the row, and empty ones for the columns that are added.
    pub(super) fn write_refused(&self, columns: usize, added: usize, row: &mut Vec<u8>) {
        for column in 0..columns + added {
            if column > 0 {
                row.push(self.format.separator());
            }
            let Some(cell) = self.cells.get(column).filter(|_| column < columns) else { continue };
            let octets = &self.octets[cell.clone()];
            match self.format {
                TableFormat::Csv { delimiter } if has_bare_return(octets, true) => {
                    write_csv(&self.value(column), delimiter, true, row);
                }
                TableFormat::Tsv => write_tsv(octets, row),
                _ => row.extend_from_slice(octets),
            }
        }
        row.extend_from_slice(&self.octets[self.body().len()..]);
    }

    /// Appends an object with the keys that are added alone, and without values.
    pub(super) fn write_nulls(&self, added: &[String], row: &mut Vec<u8>) {
        for (number, name) in added.iter().enumerate() {
            row.push(if number == 0 { b'{' } else { b',' });
            write_text(name, row);
            row.extend_from_slice(b":null");
        }
        row.push(b'}');
        row.extend_from_slice(&self.octets[self.body().len()..]);
    }
}

/// A row of a table that has no other columns. Its memory is used again for the next row.
#[derive(Clone, Debug)]
pub(crate) struct TextRow {
    pub(crate) format: TableFormat,
    octets: Vec<u8>,
    /// Whether a cell has been added.
    has_cell: bool,
}

impl TextRow {
    /// Begins the first row.
    pub(crate) const fn new(format: TableFormat) -> Self {
        Self { format, octets: Vec::new(), has_cell: false }
    }

    /// Adds a cell in the column of a name.
    pub(crate) fn push(&mut self, name: &str, value: &CellValue<'_>) {
        let row = &mut self.octets;
        let is_object = self.format == TableFormat::Ndjson;
        match (std::mem::replace(&mut self.has_cell, true), is_object) {
            (false, true) => row.push(b'{'),
            (false, false) => {}
            (true, _) => row.push(self.format.separator()),
        }
        if is_object {
            write_text(name, row);
            row.push(b':');
        }
        value.write(self.format, false, row);
    }

    /// Writes the row with a line end, and begins the next one.
    pub(crate) fn write(&mut self, out: &mut Output) -> io::Result<()> {
        let end: &[u8] = if self.format == TableFormat::Ndjson { b"}\n" } else { b"\n" };
        self.octets.extend_from_slice(end);
        let written = write(&self.octets, out);
        self.octets.clear();
        self.has_cell = false;
        written
    }
}

/// Writes rows; on a terminal, invisible characters are written by code.
pub(super) fn write(rows: &[u8], out: &mut Output) -> io::Result<()> {
    if !out.is_terminal {
        return out.write_all(rows);
    }
    for line in String::from_utf8_lossy(rows).split_inclusive('\n') {
        let body = line.trim_end_matches('\n');
        output::text(out, body)?;
        out.write_all(&line.as_bytes()[body.len()..])?;
    }
    Ok(())
}

/// A file that is read.
pub(super) struct Source<'a> {
    pub(super) file: Named<'a>,
    /// Its name in messages.
    pub(super) name: &'static str,
    from: BufReader<Unpacked>,
    limit: usize,
    /// How many lines have been read.
    lines: u64,
}

/// The bytes of a row, with its cells unless it is JSON.
#[derive(Default)]
pub(super) struct RowBuffer {
    pub(super) octets: Vec<u8>,
    pub(super) cells: Vec<Range<usize>>,
    /// The number of the first line.
    pub(super) line: u64,
}

impl<'a> Source<'a> {
    const BUFFER: usize = 256 * 1024;

    pub(super) fn open(path: &'a OsStr, limit: usize) -> Result<Self, CliError> {
        let file = Named(path);
        let name = match file.is_stdin() {
            true => STDIN,
            // One for each file that is named.
            false => visible(&path.to_string_lossy()).to_string().leak(),
        };
        let from = BufReader::with_capacity(Self::BUFFER, file.open_unpacked()?);
        Ok(Self { file, name, from, limit, lines: 0 })
    }

    /// Reads the next row; returns false at the end.
    pub(super) fn next(
        &mut self,
        format: TableFormat,
        row: &mut RowBuffer,
        turn: &mut Turn,
        out: &mut Output,
    ) -> Result<bool, CliError> {
        row.octets.clear();
        row.cells.clear();
        row.line = self.lines + 1;
        let mut divider = Divider::new(format.separator(), format.has_quotes());
        while self.line(&mut row.octets, turn, out)? {
            if self.lines == 1 && row.octets.starts_with(MARK) {
                divider.begin(MARK.len());
            }
            if self.lines == 1 && (row.octets.starts_with(b"\xFF\xFE") || row.octets.starts_with(b"\xFE\xFF"))
            {
                let what = "it is UTF-16; convert it to UTF-8, as by iconv -f UTF-16 -t UTF-8";
                return Err(self.unreadable(what.to_owned()));
            }
            let body = body(&row.octets);
            if format == TableFormat::Ndjson
                || divider.line(&row.octets, body, row.octets.len(), &mut row.cells)
            {
                return Ok(true);
            }
        }
        if row.octets.is_empty() {
            return Ok(false);
        }
        // What follows the quote would be read as one cell, and would so be lost.
        let before = &row.octets[..divider.unclosed()];
        let line = row.line + memchr::memchr_iter(b'\n', before).count() as u64;
        Err(self.unreadable(format!("the quote of a cell at line {line} is not closed")))
    }

    fn unreadable(&self, what: String) -> CliError {
        self.file.unreadable(io::Error::new(io::ErrorKind::InvalidData, what))
    }

    /// Appends the next line with its end; returns false at the end.
    fn line(&mut self, row: &mut Vec<u8>, turn: &mut Turn, out: &mut Output) -> Result<bool, CliError> {
        let start = row.len();
        loop {
            if self.from.buffer().is_empty() {
                out.flush()?;
                match turn.wait(|| self.from.fill_buf().map(|_| ())) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    result => result.map_err(|error| self.file.unreadable(error))?,
                }
            }
            let buffer = self.from.buffer();
            let (taken, is_whole) = match memchr::memchr(b'\n', buffer) {
                Some(end) => (end + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            };
            row.extend_from_slice(&buffer[..taken]);
            self.from.consume(taken);
            if row.len() > self.limit {
                let message = format!(
                    "at line {} a row is longer than {} bytes; use --max-line to allow \
                    more, or look for a quote that is not closed",
                    self.lines + 1,
                    self.limit
                );
                return Err(self.file.unreadable(io::Error::new(io::ErrorKind::FileTooLarge, message)));
            }
            if is_whole {
                let is_there = row.len() > start;
                self.lines += u64::from(is_there);
                return Ok(is_there);
            }
        }
    }
}

/// Returns where the line end begins.
fn body(row: &[u8]) -> usize {
    match row {
        [.., b'\r', b'\n'] => row.len() - 2,
        [.., b'\n'] => row.len() - 1,
        _ => row.len(),
    }
}

/// Returns bytes for people.
pub(super) fn shown(octets: &[u8]) -> String {
    let text: Cow<'_, str> = String::from_utf8_lossy(octets);
    visible(&text).to_string()
}

/// Divides a row into cells as its lines come.
#[derive(Debug)]
struct Divider {
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
    const fn unclosed(&self) -> usize {
        self.start
    }
}

/// Returns whether a cell has a CR outside quotes, where many readers end the row.
fn has_bare_return(cell: &[u8], has_quotes: bool) -> bool {
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
pub(crate) fn write_csv(value: &[u8], delimiter: u8, in_quotes: bool, row: &mut Vec<u8>) {
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
fn write_tsv(value: &[u8], row: &mut Vec<u8>) {
    if memchr::memchr3(b'\t', b'\n', b'\r', value).is_none() {
        return row.extend_from_slice(value);
    }
    for &octet in value {
        match octet {
            b'\t' => row.extend_from_slice(b"\\t"),
            b'\n' => row.extend_from_slice(b"\\n"),
            b'\r' => row.extend_from_slice(b"\\r"),
            _ => row.push(octet),
        }
    }
}

/// Appends the keys of an object, each with the range of its value.
///
/// # Errors
///
/// Returns why a line is not a JSON object.
pub(super) fn members<'a>(
    line: &'a str,
    members: &mut Vec<(Cow<'a, str>, Range<usize>)>,
) -> Result<(), String> {
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let found = deserializer.deserialize_map(Members).and_then(|found| deserializer.end().map(|()| found));
    let found = found.map_err(|error| why(&error))?;
    let start = line.as_ptr() as usize;
    members.extend(found.into_iter().map(|(key, value)| {
        let at = value.get().as_ptr() as usize - start;
        (key, at..at + value.get().len())
    }));
    Ok(())
}

/// Returns the range of the value that a path names in an object: names with a dot between them, or a
/// JSON pointer (RFC 6901); `None` if there is none.
///
/// # Errors
///
/// Returns the name of a key on the path that an object has more than once.
pub(super) fn nested(object: &str, path: &str) -> Result<Option<Range<usize>>, String> {
    let names: Vec<Cow<'_, str>> = match path.strip_prefix('/') {
        Some(pointer) => pointer.split('/').map(unescaped).collect(),
        None if path.contains('.') => path.split('.').map(Cow::Borrowed).collect(),
        None => return Ok(None),
    };
    let mut at = 0..object.len();
    for name in &names {
        let text = &object[at.clone()];
        let (mut found, mut count) = (None, 0);
        let mut keep = |range: Range<usize>| {
            found = Some(at.start + range.start..at.start + range.end);
            count += 1;
        };
        match text.as_bytes().first() {
            Some(b'[') => {
                let place = name.parse().ok();
                let item = place.and_then(|place: usize| items(text).into_iter().nth(place));
                item.into_iter().for_each(&mut keep);
            }
            _ => {
                let mut pairs = Vec::new();
                // What is no object has no keys.
                let _ = members(text, &mut pairs);
                pairs.into_iter().filter(|(key, _)| key == name).for_each(|(_, range)| keep(range));
            }
        }
        match found {
            Some(_) if count > 1 => return Err(name.clone().into_owned()),
            Some(range) => at = range,
            None => return Ok(None),
        }
    }
    Ok(Some(at))
}

/// "first transforming any occurrence of the sequence '~1' to '/', and then transforming any occurrence
/// of the sequence '~0' to '~'" (RFC 6901, 4)
fn unescaped(name: &str) -> Cow<'_, str> {
    if name.contains('~') {
        Cow::Owned(name.replace("~1", "/").replace("~0", "~"))
    } else {
        Cow::Borrowed(name)
    }
}

/// Returns the ranges of the items of a list.
fn items(list: &str) -> Vec<Range<usize>> {
    let start = list.as_ptr() as usize;
    let items: Vec<&RawValue> = serde_json::from_str(list).unwrap_or_default();
    let range = |item: &RawValue| {
        let at = item.get().as_ptr() as usize - start;
        at..at + item.get().len()
    };
    items.into_iter().map(range).collect()
}

/// Returns the message without its place, which is that of a text of one line.
fn why(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.split_once(" at line ").map_or(message.as_str(), |(message, _)| message).to_owned()
}

struct Members;

impl<'a> Visitor<'a> for Members {
    type Value = Vec<(Cow<'a, str>, &'a RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'a>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut members = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, &RawValue>()? {
            members.push((Cow::Owned(key), value));
        }
        Ok(members)
    }
}

/// Appends a text as a JSON string.
pub(super) fn write_text(text: &str, row: &mut Vec<u8>) {
    // A text can always be written to memory.
    let _ = serde_json::to_writer(row, text);
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

    #[test]
    fn values_have_their_ranges() {
        let line = r#" {"a": 1.10, "b\n":"x\"y" ,"c":{"a":[]}} "#;
        let mut found = Vec::new();
        assert_eq!(members(line, &mut found), Ok(()));
        let found: Vec<_> = found.iter().map(|(key, range)| (&**key, &line[range.clone()])).collect();
        assert_eq!(found, [("a", "1.10"), ("b\n", "\"x\\\"y\""), ("c", "{\"a\":[]}")]);
        for line in ["", "[]", "1", "{", "{} {}", "{\"a\"}"] {
            assert!(members(line, &mut Vec::new()).is_err(), "{line}");
        }
    }

    #[test]
    fn a_path_names_a_value() {
        let line = r#"{"a":{"b":[1,{"c/d":"x"}],"e~":2,"a":{},"a":{}}, "n":null}"#;
        for (path, found) in [
            ("a.b", Ok(Some(r#"[1,{"c/d":"x"}]"#))),
            ("a.b.0", Ok(Some("1"))),
            ("/a/b/1/c~1d", Ok(Some("\"x\""))),
            ("/a/e~0", Ok(Some("2"))),
            ("/n", Ok(Some("null"))),
            ("a", Ok(None)),
            ("a.c", Ok(None)),
            ("a.b.2", Ok(None)),
            ("n.a", Ok(None)),
            ("a.a", Err("a".to_owned())),
        ] {
            let range = nested(line, path);
            assert_eq!(range.map(|range| range.map(|range| &line[range])), found, "{path}");
        }
    }
}
