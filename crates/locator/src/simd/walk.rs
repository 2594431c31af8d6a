//! A scan of a text from left to right: each block is loaded once, and escapes are checked on the
//! way. This is sufficient for nearly every text.

use super::{BLOCK, Backend, Class, ShortText, Table};

/// A text that is scanned from left to right.
pub(crate) trait Walk {
    /// Returns the first octet at or after `from` that is not of the class, or the length. Later
    /// calls must not go back before a returned position.
    fn find_not_in(&mut self, class: Class, from: usize) -> usize;

    /// Returns whether every "%" is followed by two hex digits; valid once the end has been
    /// reached.
    fn escapes_are_whole(&self) -> bool;
}

/// One block is scanned at once.
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

/// A text of any length, with one block loaded.
#[derive(Debug)]
pub(crate) struct Blocks<'t, M: Backend> {
    backend: M,
    table: &'t Table,
    octets: &'t [u8],
    /// The start of the loaded block.
    start: usize,
    block: M::Block<'t>,
    /// The octets of the next block that must be hex digits because of an escape that begins in
    /// this one.
    digits: u64,
    broken: bool,
}

impl<'t, M: Backend> Blocks<'t, M> {
    /// Creates a scan from the start; its first block is loaded.
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

    /// escape = "%" HEXDIG HEXDIG. An octet that is not a digit follows the text.
    #[inline(always)]
    fn check_escapes(&mut self) {
        let percent = self.bitmap(Class::PERCENT);
        if percent | self.digits != 0 {
            let digits = percent << 1 | percent << 2 | self.digits;
            self.broken |= digits & !self.bitmap(Class::HEX) != 0;
            self.digits = percent >> 62 | percent >> 63;
        }
    }
}

impl<M: Backend> Walk for Blocks<'_, M> {
    #[inline(always)]
    fn find_not_in(&mut self, class: Class, from: usize) -> usize {
        loop {
            // If `from` is in a later block, this block has no octet to check.
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
