//! Reads a table row by row. Output is flushed whenever no further input is available.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Write};
use std::ops::Range;

use super::delimited::Divider;
use crate::arguments::TableFormat;
use crate::exit::CliError;
use crate::input::files::{Named, Unpacked};
use crate::input::{MARK, STDIN};
use crate::output::Output;
use crate::run::interrupt::Turn;
use crate::terminal::visible;

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
