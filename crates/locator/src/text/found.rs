//! The offsets of a URL that was found, from which a match is made.

use super::matched::MatchKind;

/// The position of a URL that was found. It is written in place; a [`Match`](super::Match) is made
/// from it at the end. Its fields differ from those of a match: copying several fields that were
/// just written takes as long as finding a URL.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) start: usize,
    length: u32,
    /// The number of octets of the wrapper before and after it.
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
    /// Sets the span of the URL and that of its wrapper. Neither is longer than
    /// [`LIMIT`](super::LIMIT).
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
