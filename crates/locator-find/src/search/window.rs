//! A window over a document. Reads a stream piece by piece and holds the stretch in use, with
//! positions that count from the start of the document.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};

use memchr::{memchr_iter, memrchr};

use crate::decode::source::SourceMap;
use crate::link::Location;
use crate::search::options::LONGEST;

/// The initial length of the window.
const INITIAL: usize = 64 << 10;

/// The held stretch of a document.
#[derive(Debug)]
pub(crate) struct Window {
    octets: Vec<u8>,
    capacity: usize,
    is_last: bool,
    /// The position of the first held octet.
    first: Mark,
    /// The position last asked for, which is not before the first one.
    latest: Cell<Mark>,
}

/// An octet and its line.
#[derive(Clone, Copy, Debug)]
struct Mark {
    at: u64,
    line: u64,
    line_start: u64,
}

/// An incremental search over a window.
pub(crate) trait Search {
    /// Searches octets until more are needed; returns how many are consumed, or `Break` to end the
    /// search.
    fn search(&mut self, window: &Window) -> ControlFlow<(), usize>;

    /// Handles a construct that begins at the first octet and is longer than [`LONGEST`].
    fn let_go(&mut self, window: &Window);
}

impl Window {
    /// Returns an empty window.
    pub(crate) const fn new() -> Self {
        let first = Mark { at: 0, line: 1, line_start: 0 };
        Self { octets: Vec::new(), capacity: INITIAL, is_last: false, first, latest: Cell::new(first) }
    }

    /// Returns a window with octets that begin a line at `start`.
    pub(crate) fn starting_at(start: &Location, octets: Vec<u8>) -> Self {
        let first = Mark { at: start.span.start, line: start.line, line_start: start.span.start };
        Self { capacity: octets.len().max(INITIAL), octets, is_last: false, first, latest: Cell::new(first) }
    }

    /// Returns an empty window with this initial length.
    #[cfg(test)]
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { capacity, ..Self::new() }
    }

    /// Returns the held octets.
    pub(crate) fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Returns whether no octets follow.
    pub(crate) const fn is_last(&self) -> bool {
        self.is_last
    }

    /// Returns the offset of the first held octet in the document.
    pub(crate) const fn start(&self) -> u64 {
        self.first.at
    }

    /// Returns whether the window begins at the start of the document.
    pub(crate) const fn is_first(&self) -> bool {
        self.first.at == 0
    }

    /// Reads until the window holds `length` octets, or all.
    pub(crate) fn hold(&mut self, source: &mut (impl Read + ?Sized), length: usize) -> io::Result<()> {
        while !self.is_last && self.octets.len() < length {
            self.capacity = self.capacity.max(self.octets.len() * 2).min(length.max(INITIAL));
            self.fill(source)?;
        }
        Ok(())
    }

    /// Runs a search over the stream as it arrives; the window may already hold octets.
    pub(crate) fn run(
        &mut self,
        source: &mut (impl Read + ?Sized),
        search: &mut impl Search,
    ) -> io::Result<()> {
        if self.octets.is_empty() {
            self.fill(source)?;
        }
        while let ControlFlow::Continue(done) = search.search(self)
            && !self.is_last
        {
            match done {
                0 if self.octets.len() >= LONGEST => search.let_go(self),
                0 if self.octets.len() >= self.capacity => self.capacity = self.octets.len() * 2,
                0 => {}
                _ => self.drop_first(done),
            }
            self.fill(source)?;
        }
        Ok(())
    }

    fn fill(&mut self, source: &mut (impl Read + ?Sized)) -> io::Result<()> {
        let mut length = self.octets.len();
        let wanted = self.capacity.saturating_sub(length);
        // Read once: a writer may wait for an answer. A long stretch is not searched again for each
        // piece.
        let least = length + if length < INITIAL { wanted.min(1) } else { wanted };
        self.octets.resize(length + wanted, 0);
        let read = loop {
            if length >= least {
                break Ok(());
            }
            match source.read(&mut self.octets[length..]) {
                Ok(0) => {
                    self.is_last = true;
                    break Ok(());
                }
                Ok(read) => length += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        self.octets.truncate(length);
        read
    }

    /// Releases the first octets.
    pub(crate) fn drop_first(&mut self, done: usize) {
        self.first = self.mark(done);
        self.latest.set(self.first);
        self.octets.copy_within(done.., 0);
        self.octets.truncate(self.octets.len() - done);
    }

    fn mark(&self, at: usize) -> Mark {
        let at = self.first.at + at as u64;
        let from = if self.latest.get().at <= at { self.latest.get() } else { self.first };
        let between = &self.octets[(from.at - self.first.at) as usize..(at - self.first.at) as usize];
        Mark {
            at,
            line: from.line + memchr_iter(b'\n', between).count() as u64,
            line_start: memrchr(b'\n', between)
                .map_or(from.line_start, |line_end| from.at + line_end as u64 + 1),
        }
    }
}

impl SourceMap for Window {
    fn written(&self, span: Range<usize>) -> &[u8] {
        &self.octets[span]
    }

    fn place(&self, span: Range<usize>) -> Location {
        let mark = self.mark(span.start);
        self.latest.set(mark);
        let end = self.first.at + span.end as u64;
        Location { span: mark.at..end, line: mark.line, column: mark.at - mark.line_start + 1 }
    }
}
