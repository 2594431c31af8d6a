//! A text walked through from left to right, each block looked at once, its escapes checked on the
//! way: what is asked of nearly every text.

use super::{BLOCK, Backend, Class, ShortText, Table};

/// A text to be walked through.
pub(crate) trait Walk {
    /// The first octet at `from` or behind it that is not of the class; else the length. No octet before
    /// one that was told may be asked about.
    fn find_not_in(&mut self, class: Class, from: usize) -> usize;

    /// Whether every "%" is followed by two hex digits, once the end has been reached.
    fn escapes_are_whole(&self) -> bool;
}

/// One block is walked through at once.
impl<M: Backend> Walk for &ShortText<'_, M> {
    #[inline(always)]
    fn find_not_in(&mut self, class: Class, from: usize) -> usize {
        super::ClassSearch::find_not_in(*self, class, from)
    }

    #[inline(always)]
    fn escapes_are_whole(&self) -> bool {
        (**self).escapes_are_whole()
    }
}

/// A text of any length, of which one block is at hand.
#[derive(Debug)]
pub(crate) struct Blocks<'t, M: Backend> {
    backend: M,
    table: &'t Table,
    octets: &'t [u8],
    /// Where the block at hand begins.
    start: usize,
    block: M::Block<'t>,
    /// Which octets of the next block must be hex digits by an escape that begins in this one.
    digits: u64,
    broken: bool,
}

impl<'t, M: Backend> Blocks<'t, M> {
    /// From the start; its first block is at hand.
    #[inline(always)]
    pub(crate) fn new(backend: M, octets: &'t [u8], table: &'t Table, first: M::Block<'t>) -> Self {
        let mut blocks = Self { backend, table, octets, start: 0, block: first, digits: 0, broken: false };
        blocks.check_escapes();
        blocks
    }

    #[inline(always)]
    fn bitmap(&self, class: Class) -> u64 {
        self.backend.bitmap(&self.block, self.table, class)
    }

    #[inline(always)]
    fn go_on(&mut self) {
        self.start += BLOCK;
        self.block = self.backend.load(self.octets.get(self.start..).unwrap_or_default(), self.table);
        self.check_escapes();
    }

    /// escape = "%" HEXDIG HEXDIG. Behind the text stands an octet that is no digit.
    #[inline(always)]
    fn check_escapes(&mut self) {
        let percent = self.bitmap(Class::Percent);
        if percent | self.digits != 0 {
            let digits = percent << 1 | percent << 2 | self.digits;
            self.broken |= digits & !self.bitmap(Class::Hex) != 0;
            self.digits = percent >> 62 | percent >> 63;
        }
    }
}

impl<M: Backend> Walk for Blocks<'_, M> {
    #[inline(always)]
    fn find_not_in(&mut self, class: Class, from: usize) -> usize {
        loop {
            // There is nothing at `from` yet where it is in a later block.
            let ahead = from.saturating_sub(self.start) as u32;
            let found = !self.bitmap(class) & u64::MAX.unbounded_shl(ahead);
            if found != 0 {
                return self.start + found.trailing_zeros() as usize;
            }
            self.go_on();
        }
    }

    #[inline(always)]
    fn escapes_are_whole(&self) -> bool {
        !self.broken
    }
}
