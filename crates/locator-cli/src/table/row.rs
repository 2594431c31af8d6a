//! A row of a table: its bytes, and where the cell with the URL is. What is not changed is written
//! as it was read, byte for byte.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

use super::{delimited, object};
use crate::arguments::TableFormat;
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
            (TableFormat::Csv, value) => delimited::write_csv(value.text().as_bytes(), in_quotes, row),
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
        if matches!(self, Self::Tsv) { b'\t' } else { b',' }
    }
}

impl<'a> Row<'a> {
    /// Returns whether the row has nothing in it.
    pub(super) fn is_blank(&self) -> bool {
        self.body().trim_ascii().is_empty() && self.format != TableFormat::Tsv || self.body().is_empty()
    }

    /// The bytes without the line end.
    fn body(&self) -> &'a [u8] {
        let body = self.octets.strip_suffix(b"\n").map(|body| body.strip_suffix(b"\r").unwrap_or(body));
        body.unwrap_or(self.octets)
    }

    /// Returns the value of a cell, as it is in a line of names.
    pub(super) fn value(&self, index: usize) -> Cow<'a, [u8]> {
        let cell = &self.octets[self.cells[index].clone()];
        if self.format == TableFormat::Csv { delimited::value(cell) } else { Cow::Borrowed(cell) }
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

    /// Appends the row, with a cell replaced and cells added.
    pub(super) fn write(
        &self,
        replaced: Option<(usize, &CellValue)>,
        added: &[(String, CellValue)],
        columns: usize,
        row: &mut Vec<u8>,
    ) {
        let body = self.body();
        let mut written = 0;
        if let Some((index, value)) = replaced {
            let range = self.cells[index].clone();
            row.extend_from_slice(&body[..range.start]);
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
                if !added.is_empty() {
                    let missing = columns.saturating_sub(self.cells.len());
                    row.extend(std::iter::repeat_n(self.format.separator(), missing));
                }
                for (_, value) in added {
                    row.push(self.format.separator());
                    value.write(self.format, false, row);
                }
            }
        }
        row.extend_from_slice(&self.octets[body.len()..]);
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
