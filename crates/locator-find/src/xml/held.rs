//! What is held of a document while it is read: a stream enters; octets that are UTF-8 leave, and stay until they are let go.

use std::io::{self, BufRead, Read};

use memchr::{memchr_iter, memmem, memrchr};

use crate::limits::LONGEST;
use crate::link::Location;

/// A stream, and what of it has been read since the last piece of the document was done with.
#[derive(Debug)]
pub(super) struct Held<R> {
    source: R,
    buffer: Vec<u8>,
    /// Where in the buffer what is held begins, where what was not handed on yet does, and where what is not known to be UTF-8.
    start: usize,
    taken: usize,
    checked: usize,
    /// Where in the document what is held begins.
    first: Location,
    /// Whether the end of the source was seen.
    is_last: bool,
}

/// How many octets are read at once.
const ROOM: usize = 64 << 10;

/// What stands in place of an octet that is not UTF-8, so that all others keep their places: "substitute" in ASCII.
const SUBSTITUTE: u8 = 0x1A;

impl<R: Read> Held<R> {
    pub(super) const fn new(source: R) -> Self {
        let first = Location { span: 0..0, line: 1, column: 1 };
        Self { source, buffer: Vec::new(), start: 0, taken: 0, checked: 0, first, is_last: false }
    }

    /// What is held, up to where it was handed on.
    pub(super) fn octets(&self) -> &[u8] {
        &self.buffer[self.start..self.taken]
    }

    /// How much that is.
    pub(super) const fn taken(&self) -> usize {
        self.taken - self.start
    }

    /// Whether that is all there may be, so that no more is handed on until it is let go.
    pub(super) const fn is_full(&self) -> bool {
        self.taken() >= LONGEST
    }

    /// Passes over what is held and all behind it up to the end of a delimiter; holds nothing then.
    pub(super) fn pass(&mut self, delimiter: &[u8]) -> io::Result<()> {
        let mut last = Vec::new();
        loop {
            self.let_go();
            let octets = self.fill_buf()?;
            if octets.is_empty() {
                return Ok(());
            }
            // Of what was passed over before, as much as may be the beginning of the delimiter.
            let kept = last.len();
            last.extend_from_slice(&octets[..octets.len().min(delimiter.len() - 1)]);
            let end = memmem::find(&last, delimiter)
                .map(|at| (at + delimiter.len()).saturating_sub(kept))
                .or_else(|| memmem::find(octets, delimiter).map(|at| at + delimiter.len()));
            let passed = end.unwrap_or(octets.len());
            last = octets[octets.len().saturating_sub(delimiter.len() - 1)..].to_vec();
            self.consume(passed);
            if end.is_some() {
                self.let_go();
                return Ok(());
            }
        }
    }

    /// Where it begins.
    pub(super) fn place(&self) -> Location {
        self.first.clone()
    }

    /// Where it begins, in a text that is in memory.
    pub(super) fn start(&self) -> usize {
        // INVARIANT: there, no offset is larger than a `usize`.
        self.first.span.start as usize
    }

    /// Forgets what was handed on.
    pub(super) fn let_go(&mut self) {
        let gone = self.octets();
        let at = self.first.span.start + gone.len() as u64;
        let column = match memrchr(b'\n', gone) {
            Some(line_end) => (gone.len() - line_end) as u64,
            None => self.first.column + gone.len() as u64,
        };
        let line = self.first.line + memchr_iter(b'\n', gone).count() as u64;
        self.first = Location { span: at..at, line, column };
        self.start = self.taken;
    }

    fn fill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.start);
        (self.taken, self.checked, self.start) = (self.taken - self.start, self.checked - self.start, 0);
        let read = self.source.by_ref().take(ROOM as u64).read_to_end(&mut self.buffer)?;
        self.is_last = read == 0;
        while let Err(error) = str::from_utf8(&self.buffer[self.checked..]) {
            let start = self.checked + error.valid_up_to();
            self.checked = start;
            // What is cut off at the end may go on.
            let length = match error.error_len() {
                Some(length) => length,
                None if read == 0 => self.buffer.len() - start,
                None => return Ok(()),
            };
            self.buffer[start..start + length].fill(SUBSTITUTE);
            self.checked += length;
        }
        self.checked = self.buffer.len();
        Ok(())
    }
}

impl<R: Read> Read for Held<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(room)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: Read> BufRead for Held<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.is_full() {
            return Ok(&[]);
        }
        if self.taken == self.checked && !self.is_last {
            self.fill()?;
        }
        Ok(&self.buffer[self.taken..self.checked])
    }

    fn consume(&mut self, amount: usize) {
        self.taken += amount;
    }
}
