//! What was found: places in a text enter, and leave when a hit is made of them.

use super::MatchKind;

/// Where a URL was found. It is written where it stays, and a [`Match`](super::Match) made of it at the very end; its fields are other
/// ones than a hit's, for to copy fields that were just written, several at once, takes as long as to find a URL.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) start: usize,
    length: u32,
    /// How many octets of a wrapper stand before it and behind it.
    lead: u32,
    trail: u32,
    pub(super) how: MatchKind,
}

impl Default for Found {
    fn default() -> Self {
        Self { start: 0, length: 0, lead: 0, trail: 0, how: MatchKind::Bare }
    }
}

impl Found {
    /// Between `start` and `end`, wrapped by what is between the others. None is longer than [`LIMIT`](super::LIMIT).
    #[inline(always)]
    pub(super) fn set(&mut self, (start, end): (usize, usize), outer: (usize, usize), how: MatchKind) {
        self.start = start;
        self.length = (end - start) as u32;
        self.lead = (start - outer.0) as u32;
        self.trail = (outer.1 - end) as u32;
        self.how = how;
    }

    #[inline(always)]
    pub(super) fn end(&self) -> usize {
        self.start + self.length as usize
    }

    #[inline(always)]
    pub(super) fn outer(&self) -> (usize, usize) {
        (self.start - self.lead as usize, self.end() + self.trail as usize)
    }
}
