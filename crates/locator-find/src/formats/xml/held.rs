//! The held part of an XML document. Reads a stream and returns octets in UTF-8, which remain until
//! they are released.

use std::io::{self, BufRead, Read};

use memchr::{memchr_iter, memmem, memrchr};

use crate::link::Location;
use crate::search::options::LONGEST;

/// A stream and the octets read since the last released piece.
#[derive(Debug)]
pub(super) struct Held<R> {
    source: R,
    buffer: Vec<u8>,
    /// Offsets in the buffer: of the first held octet, of the first one not yet returned, and of
    /// the first one not checked for UTF-8.
    start: usize,
    taken: usize,
    checked: usize,
    /// The position of the first held octet in the document.
    first: Location,
    /// Whether the end of the source was reached.
    is_last: bool,
}

/// The number of octets read at once.
const PIECE: usize = 64 << 10;

/// The replacement of an octet that is not UTF-8, which keeps all offsets: "substitute" in ASCII.
const SUBSTITUTE: u8 = 0x1A;

impl<R: Read> Held<R> {
    pub(super) const fn new(source: R) -> Self {
        let first = Location { span: 0..0, line: 1, column: 1 };
        Self { source, buffer: Vec::new(), start: 0, taken: 0, checked: 0, first, is_last: false }
    }

    /// Returns the held octets that were already returned to the reader.
    pub(super) fn octets(&self) -> &[u8] {
        &self.buffer[self.start..self.taken]
    }

    /// Returns the number of these octets.
    pub(super) const fn taken(&self) -> usize {
        self.taken - self.start
    }

    /// Returns whether the maximum is held, so that no more octets are returned until a release.
    pub(super) const fn is_full(&self) -> bool {
        self.taken() >= LONGEST
    }

    /// Skips the held octets and all others up to the end of a delimiter; holds nothing then.
    pub(super) fn pass(&mut self, delimiter: &[u8]) -> io::Result<()> {
        let mut last = Vec::new();
        loop {
            self.let_go();
            let octets = self.fill_buf()?;
            if octets.is_empty() {
                return Ok(());
            }
            // Keeps as many skipped octets as may begin the delimiter.
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

    /// Returns the position of the first held octet.
    pub(super) fn place(&self) -> Location {
        self.first.clone()
    }

    /// Returns the offset of the first held octet, in a text in memory.
    pub(super) fn start(&self) -> usize {
        // INVARIANT: in memory, every offset fits a `usize`.
        self.first.span.start as usize
    }

    /// Releases the octets that were returned.
    pub(super) fn let_go(&mut self) {
        self.release(self.taken());
    }

    /// Releases the first of the held octets; the others are returned once more.
    pub(super) fn release(&mut self, length: usize) {
        let gone = &self.octets()[..length];
        let at = self.first.span.start + gone.len() as u64;
        let column = match memrchr(b'\n', gone) {
            Some(line_end) => (gone.len() - line_end) as u64,
            None => self.first.column + gone.len() as u64,
        };
        let line = self.first.line + memchr_iter(b'\n', gone).count() as u64;
        self.first = Location { span: at..at, line, column };
        self.start += length;
        self.taken = self.start;
    }

    fn fill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.start);
        (self.taken, self.checked, self.start) = (self.taken - self.start, self.checked - self.start, 0);
        let read = self.source.by_ref().take(PIECE as u64).read_to_end(&mut self.buffer)?;
        self.is_last = read == 0;
        while let Err(error) = str::from_utf8(&self.buffer[self.checked..]) {
            let start = self.checked + error.valid_up_to();
            self.checked = start;
            // An incomplete character at the end may continue.
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
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
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
        Ok(&self.buffer[self.taken..self.checked.min(self.start + LONGEST)])
    }

    fn consume(&mut self, amount: usize) {
        self.taken += amount;
    }
}
