//! A document that is read piece by piece: a stream enters, the stretch of it that is being looked at leaves, with places that
//! count from the document's start.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};

use memchr::{memchr_iter, memrchr};

use crate::limits::LONGEST;
use crate::link::Location;
use crate::source::SourceMap;

/// What is held of a document at first.
const ROOM: usize = 64 << 10;

/// A stretch of a document.
#[derive(Debug)]
pub(crate) struct Window {
    octets: Vec<u8>,
    room: usize,
    is_last: bool,
    /// At the first octet that is held.
    first: Mark,
    /// Behind it, at the octet that was last asked for.
    latest: Cell<Mark>,
}

/// An octet and its line.
#[derive(Clone, Copy, Debug)]
struct Mark {
    at: u64,
    line: u64,
    line_start: u64,
}

/// A search that goes on where more octets are there.
pub(crate) trait Search {
    /// Looks at octets up to where more are needed; gives how many are done with, or that it wants no more.
    fn search(&mut self, window: &Window) -> ControlFlow<(), usize>;

    /// What begins at the first octet is longer than [`LONGEST`].
    fn let_go(&mut self, window: &Window);
}

impl Window {
    /// Holds nothing.
    pub(crate) const fn new() -> Self {
        let first = Mark { at: 0, line: 1, line_start: 0 };
        Self { octets: Vec::new(), room: ROOM, is_last: false, first, latest: Cell::new(first) }
    }

    /// Holds octets that begin a line, which is at that place.
    pub(crate) fn behind(start: &Location, octets: Vec<u8>) -> Self {
        let first = Mark { at: start.span.start, line: start.line, line_start: start.span.start };
        Self { room: octets.len().max(ROOM), octets, is_last: false, first, latest: Cell::new(first) }
    }

    /// Holds nothing, and at first takes no more than that.
    #[cfg(test)]
    pub(crate) fn with_room(room: usize) -> Self {
        Self { room, ..Self::new() }
    }

    /// What it holds.
    pub(crate) fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Whether nothing is behind that.
    pub(crate) const fn is_last(&self) -> bool {
        self.is_last
    }

    /// Where in the document begins what it holds.
    pub(crate) const fn start(&self) -> u64 {
        self.first.at
    }

    /// Whether it is the document's beginning that it holds.
    pub(crate) const fn is_first(&self) -> bool {
        self.first.at == 0
    }

    /// Reads until it holds so many octets, or all.
    pub(crate) fn hold(&mut self, source: &mut (impl Read + ?Sized), length: usize) -> io::Result<()> {
        while !self.is_last && self.octets.len() < length {
            self.room = self.room.max(self.octets.len() * 2).min(length.max(ROOM));
            self.fill(source)?;
        }
        Ok(())
    }

    /// Gives all to a search as it comes; it may begin with what is held already.
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
                0 if self.octets.len() >= self.room => self.room = self.octets.len() * 2,
                0 => {}
                _ => self.drop_first(done),
            }
            self.fill(source)?;
        }
        Ok(())
    }

    fn fill(&mut self, source: &mut (impl Read + ?Sized)) -> io::Result<()> {
        let mut length = self.octets.len();
        let wanted = self.room.saturating_sub(length);
        // One read: who writes waits for an answer, maybe. What is long is not looked at again for every piece of it.
        let least = length + if length < ROOM { wanted.min(1) } else { wanted };
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

    /// Forgets the first octets.
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
