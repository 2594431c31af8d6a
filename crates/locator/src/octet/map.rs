//! The questions that can be asked of a text, answered from bitmaps.
//!
//! [`Short`] has one block, in registers; [`Long`] goes from block to block. The same
//! reader works on both, so a short text costs no loop and a long one no second parser.

use super::{BLOCK, Class, Classes, Machine, Table};

/// A text that can be asked where its octets of a class are.
pub(crate) trait Map {
    /// How many octets it has.
    fn len(&self) -> usize;

    /// The first octet in one of the classes at `from` or after it and before `to`; else `to`.
    fn find(&self, classes: Classes, from: usize, to: usize) -> usize;

    /// The first octet that is in none of the classes; else `to`.
    fn past(&self, classes: Classes, from: usize, to: usize) -> usize;

    /// Whether every octet from `from` to before `to` is in one of the classes.
    #[inline(always)]
    fn all(&self, classes: Classes, from: usize, to: usize) -> bool {
        self.past(classes, from, to) >= to
    }

    /// Whether every "%" is followed by two hex digits.
    fn escapes_are_whole(&self) -> bool;
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
    #[inline]
    pub(crate) fn new(machine: M, octets: &[u8], table: &'t Table) -> Self {
        debug_assert!(octets.len() <= BLOCK);
        Self { machine, table, block: machine.load(octets, table), len: octets.len() }
    }

    #[inline]
    fn bitmap(&self, classes: Classes) -> u64 {
        self.machine.bitmap(self.block, self.table, classes)
    }
}

impl<M: Machine> Map for Short<'_, M> {
    #[inline]
    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn find(&self, classes: Classes, from: usize, to: usize) -> usize {
        let found = self.bitmap(classes) & from_on(from);
        to.min(found.trailing_zeros() as usize)
    }

    #[inline]
    fn past(&self, classes: Classes, from: usize, to: usize) -> usize {
        let found = !self.bitmap(classes) & from_on(from);
        to.min(found.trailing_zeros() as usize)
    }

    #[inline]
    fn all(&self, classes: Classes, from: usize, to: usize) -> bool {
        !self.bitmap(classes) & from_on(from) & before(to) == 0
    }

    #[inline]
    fn escapes_are_whole(&self) -> bool {
        let percent = self.bitmap(Class::Percent.alone());
        let hex = self.bitmap(Class::Hex.alone());
        percent & !((hex >> 1) & (hex >> 2)) == 0
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
    #[inline]
    pub(crate) fn new(machine: M, octets: &'t [u8], table: &'t Table) -> Self {
        Self { machine, table, octets }
    }

    /// The first octet from `from` to before `to` whose being in the classes is as asked; else `to`.
    #[inline]
    fn first(&self, classes: Classes, from: usize, to: usize, inside: bool) -> usize {
        let mut start = from;
        while start < to {
            let end = to.min(start + BLOCK);
            let block = self.machine.load(&self.octets[start..end], self.table);
            let bitmap = self.machine.bitmap(block, self.table, classes);
            let wanted = if inside { bitmap } else { !bitmap } & before(end - start);
            if wanted != 0 {
                return start + wanted.trailing_zeros() as usize;
            }
            start = end;
        }
        to
    }
}

impl<M: Machine> Map for Long<'_, M> {
    #[inline]
    fn len(&self) -> usize {
        self.octets.len()
    }

    #[inline]
    fn find(&self, classes: Classes, from: usize, to: usize) -> usize {
        self.first(classes, from, to, true)
    }

    #[inline]
    fn past(&self, classes: Classes, from: usize, to: usize) -> usize {
        self.first(classes, from, to, false)
    }

    /// Blocks overlap by two octets, so that an escape is never cut.
    #[inline]
    fn escapes_are_whole(&self) -> bool {
        let mut start = 0;
        while start < self.octets.len() {
            let end = self.octets.len().min(start + BLOCK);
            let block = Short::new(self.machine, &self.octets[start..end], self.table);
            let last = end == self.octets.len();
            let percent = block.bitmap(Class::Percent.alone()) & before(if last { BLOCK } else { BLOCK - 2 });
            let hex = block.bitmap(Class::Hex.alone());
            if percent & !((hex >> 1) & (hex >> 2)) != 0 {
                return false;
            }
            start += BLOCK - 2;
        }
        true
    }
}

/// The bits at `index` and above it; none for 64.
#[inline]
fn from_on(index: usize) -> u64 {
    if index < BLOCK { u64::MAX << index } else { 0 }
}

/// The bits below `index`.
#[inline]
fn before(index: usize) -> u64 {
    !from_on(index)
}
