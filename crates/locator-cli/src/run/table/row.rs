//! A row of a table: its bytes, and where the cell with the URL is. What is not changed is written
//! as it was read, byte for byte.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

use super::source::shown;
use super::{delimited, object};
use crate::arguments::TableFormat;
use crate::input::MARK;
use crate::output::{self, Output};

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
pub(crate) enum CellValue {
    /// There is none: an empty cell, in JSON null.
    Null,
    Text(String),
    /// A value that is not a text: as it is in a cell, and as JSON.
    Other {
        cell: String,
        json: String,
    },
}

impl CellValue {
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
                delimited::write_csv(value.text().as_bytes(), delimiter, in_quotes, row);
            }
            (TableFormat::Tsv, value) => delimited::write_tsv(value.text().as_bytes(), row),
            (TableFormat::Ndjson, Self::Null) => row.extend_from_slice(b"null"),
            (TableFormat::Ndjson, Self::Text(text)) => object::write_text(text, row),
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
    pub(super) const fn has_quotes(self) -> bool {
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
        if self.format.has_quotes() { delimited::value(cell) } else { Cow::Borrowed(cell) }
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
        let is_bare = |cell: &Range<usize>| {
            delimited::has_bare_return(&self.octets[cell.clone()], self.format.has_quotes())
        };
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
        replaced: &[(usize, CellValue)],
        added: &[(String, CellValue)],
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
                    object::write_text(name, row);
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
                TableFormat::Csv { delimiter } if delimited::has_bare_return(octets, true) => {
                    delimited::write_csv(&self.value(column), delimiter, true, row);
                }
                TableFormat::Tsv => delimited::write_tsv(octets, row),
                _ => row.extend_from_slice(octets),
            }
        }
        row.extend_from_slice(&self.octets[self.body().len()..]);
    }

    /// Appends an object with the keys that are added alone, and without values.
    pub(super) fn write_nulls(&self, added: &[String], row: &mut Vec<u8>) {
        for (number, name) in added.iter().enumerate() {
            row.push(if number == 0 { b'{' } else { b',' });
            object::write_text(name, row);
            row.extend_from_slice(b":null");
        }
        row.push(b'}');
        row.extend_from_slice(&self.octets[self.body().len()..]);
    }
}

/// A row of a table that has no other columns.
pub(crate) struct TextRow<'a> {
    pub(crate) format: TableFormat,
    pub(crate) names: &'a [String],
    pub(crate) values: &'a [CellValue],
}

impl TextRow<'_> {
    /// Writes the row and ends the line.
    pub(crate) fn write(&self, out: &mut Output) -> io::Result<()> {
        let mut row = Vec::new();
        let is_object = self.format == TableFormat::Ndjson;
        for (number, (name, value)) in self.names.iter().zip(self.values).enumerate() {
            match (number, is_object) {
                (0, true) => row.push(b'{'),
                (0, false) => {}
                _ => row.push(self.format.separator()),
            }
            if is_object {
                object::write_text(name, &mut row);
                row.push(b':');
            }
            value.write(self.format, false, &mut row);
        }
        row.extend_from_slice(if is_object { b"}\n" } else { b"\n" });
        write(&row, out)
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
