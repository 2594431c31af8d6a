//! The questions that can be asked of a text, answered from bitmaps.
//!
//! [`Short`] has one block, in registers; [`Long`] goes from block to block. The same
//! reader works on both, so a short text costs no loop and a long one no second parser.

use super::{BLOCK, Class, Machine, Table};

/// A text that can be asked where its octets of a class are.
pub(crate) trait Map {
    /// How many octets it has.
    fn len(&self) -> usize;

    /// The first octet of the class at `from` or behind it; else the length.
    fn find(&self, class: Class, from: usize) -> usize;

    /// The first octet at `from` or behind it that is not of the class; else the length.
    fn past(&self, class: Class, from: usize) -> usize;

    /// Whether every "%" is followed by two hex digits.
    fn escapes_are_whole(&self) -> bool;

    /// The bitmap of a class from `from` to before `to`, if the map has it at hand: bit 0 is `from`.
    fn bits(&self, class: Class, from: usize, to: usize) -> Option<u64>;
}

/// A text of at most [`BLOCK`] octets.
#[derive(Debug)]
pub(crate) struct Short<'t, M: Machine> {
    machine: M,
    table: &'t Table,
    block: M::Block,
    len: usize,
}

impl<'t, M: Machine> Short<'t, M> {
    #[inline(always)]
    pub(crate) fn new(machine: M, octets: &[u8], table: &'t Table) -> Self {
        debug_assert!(octets.len() <= BLOCK);
        Self { machine, table, block: machine.load(octets, table), len: octets.len() }
    }

    #[inline(always)]
    fn bitmap(&self, class: Class) -> u64 {
        self.machine.bitmap(self.block, self.table, class)
    }
}

impl<M: Machine> Map for Short<'_, M> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn find(&self, class: Class, from: usize) -> usize {
        let found = self.bitmap(class) & from_on(from);
        self.len.min(found.trailing_zeros() as usize)
    }

    #[inline(always)]
    fn past(&self, class: Class, from: usize) -> usize {
        // No bit is set behind the text, so the first clear one is at its end at the latest.
        (!self.bitmap(class) & from_on(from)).trailing_zeros() as usize
    }

    #[inline(always)]
    fn escapes_are_whole(&self) -> bool {
        let percent = self.bitmap(Class::Percent);
        if percent == 0 {
            return true;
        }
        let hex = self.bitmap(Class::Hex);
        percent & !((hex >> 1) & (hex >> 2)) == 0
    }

    #[inline(always)]
    fn bits(&self, class: Class, from: usize, to: usize) -> Option<u64> {
        Some((self.bitmap(class) & before(to)).unbounded_shr(from as u32))
    }
}

/// A text of any length.
#[derive(Debug)]
pub(crate) struct Long<'t, M: Machine> {
    machine: M,
    table: &'t Table,
    octets: &'t [u8],
}

impl<'t, M: Machine> Long<'t, M> {
    #[inline(always)]
    pub(crate) fn new(machine: M, octets: &'t [u8], table: &'t Table) -> Self {
        Self { machine, table, octets }
    }

    /// The first octet at `from` or behind it whose being of the class is as asked.
    #[inline(always)]
    fn first(&self, class: Class, from: usize, inside: bool) -> usize {
        let mut start = from;
        while start < self.octets.len() {
            let end = self.octets.len().min(start + BLOCK);
            let block = self.machine.load(&self.octets[start..end], self.table);
            let bitmap = self.machine.bitmap(block, self.table, class);
            let wanted = if inside { bitmap } else { !bitmap } & before(end - start);
            if wanted != 0 {
                return start + wanted.trailing_zeros() as usize;
            }
            start = end;
        }
        self.octets.len()
    }
}

impl<M: Machine> Map for Long<'_, M> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.octets.len()
    }

    #[inline(always)]
    fn find(&self, class: Class, from: usize) -> usize {
        self.first(class, from, true)
    }

    #[inline(always)]
    fn past(&self, class: Class, from: usize) -> usize {
        self.first(class, from, false)
    }

    /// Blocks overlap by two octets, so that an escape is never cut.
    #[inline(always)]
    fn escapes_are_whole(&self) -> bool {
        let mut start = 0;
        while start < self.octets.len() {
            let end = self.octets.len().min(start + BLOCK);
            let block = Short::new(self.machine, &self.octets[start..end], self.table);
            let last = end == self.octets.len();
            let percent = block.bitmap(Class::Percent) & before(if last { BLOCK } else { BLOCK - 2 });
            if percent != 0 {
                let hex = block.bitmap(Class::Hex);
                if percent & !((hex >> 1) & (hex >> 2)) != 0 {
                    return false;
                }
            }
            start += BLOCK - 2;
        }
        true
    }

    #[inline(always)]
    fn bits(&self, class: Class, from: usize, to: usize) -> Option<u64> {
        if to - from > BLOCK {
            return None;
        }
        Short::new(self.machine, &self.octets[from..to], self.table).bits(class, 0, to - from)
    }
}

/// The bits at `index` and above it; none for 64.
#[inline(always)]
fn from_on(index: usize) -> u64 {
    u64::MAX.unbounded_shl(index as u32)
}

/// The bits below `index`.
#[inline(always)]
fn before(index: usize) -> u64 {
    !from_on(index)
}
