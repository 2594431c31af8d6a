//! The questions that can be asked of a text, answered from bitmaps.
//!
//! [`Short`] has one block, in registers; [`Long`] goes from block to block. The same
//! reader works on both, so a short text costs no loop and a long one no second parser.

use super::{BLOCK, Class, Machine, Table, Work, dispatch};

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

    /// Whether the map knows at once that octets of the class stand at `from` (there must be an octet before
    /// it) and behind each one from there to before `to` that is not of the class `between`. `false` if it
    /// does not know.
    fn follow(&self, class: Class, between: Class, from: usize, to: usize) -> bool;

    /// The bitmap of a class from `from` to before `to`, if the map has it at hand: bit 0 is `from`.
    fn bits(&self, class: Class, from: usize, to: usize) -> Option<u64>;
}

/// A text of less than [`BLOCK`] octets, so that every index is a bit's.
#[derive(Debug)]
pub(crate) struct Short<'t, M: Machine> {
    machine: M,
    table: &'t Table,
    block: M::Block<'t>,
    len: usize,
}

impl<'t, M: Machine> Short<'t, M> {
    #[inline(always)]
    pub(crate) fn new(machine: M, octets: &'t [u8], table: &'t Table) -> Self {
        debug_assert!(octets.len() < BLOCK);
        Self::of_block(machine, machine.load(octets, table), table, octets.len())
    }

    /// The first `len` octets of a text, which are a block of it.
    #[inline(always)]
    pub(crate) fn of_block(machine: M, block: M::Block<'t>, table: &'t Table, len: usize) -> Self {
        Self { machine, table, block, len }
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
        let found = self.bitmap(class) & u64::MAX.wrapping_shl(from as u32);
        self.len.min(found.trailing_zeros() as usize)
    }

    #[inline(always)]
    fn past(&self, class: Class, from: usize) -> usize {
        // Behind the text is an octet of no class, so the first clear bit is at its end at the latest, or
        // behind the block.
        (!self.bitmap(class) & u64::MAX.wrapping_shl(from as u32)).trailing_zeros() as usize
    }

    #[inline(always)]
    fn escapes_are_whole(&self) -> bool {
        let percent = self.bitmap(Class::Percent);
        if percent == 0 {
            return true;
        }
        // Behind the text is no digit.
        (percent << 1 | percent << 2) & !self.bitmap(Class::Hex) == 0
    }

    #[inline(always)]
    fn follow(&self, class: Class, between: Class, from: usize, to: usize) -> bool {
        follow(self.bitmap(class), !self.bitmap(between), from, to)
    }

    #[inline(always)]
    fn bits(&self, class: Class, from: usize, to: usize) -> Option<u64> {
        Some(between(self.bitmap(class), from, to))
    }
}

/// Every bitmap of a text of less than [`BLOCK`] octets, made in one go. What asks them is compiled once and not
/// for each machine; where few questions are asked, [`Short`] is faster.
#[derive(Debug)]
pub(crate) struct Bitmaps {
    classes: [u64; Class::COUNT],
    len: usize,
}

impl Bitmaps {
    /// The bitmaps of no text.
    pub(crate) const EMPTY: Self = Self { classes: [0; Class::COUNT], len: 0 };

    /// Makes the bitmaps of a text, in place since moving them takes as long as making them. The plain machine
    /// makes none, since it is faster octet by octet: `false`.
    pub(crate) fn fill(&mut self, octets: &[u8], table: &Table) -> bool {
        debug_assert!(octets.len() < BLOCK);
        self.len = octets.len();
        dispatch(AllClasses { octets, table, classes: &mut self.classes })
    }

    fn bitmap(&self, class: Class) -> u64 {
        self.classes[class as usize]
    }

    /// The first "%" at `from` or after it that is not followed by two hex digits; else 64 or more.
    pub(crate) fn broken_escape(&self, from: usize) -> usize {
        let hex = self.bitmap(Class::Hex);
        let broken = self.bitmap(Class::Percent) & !(hex >> 1 & hex >> 2);
        (broken & u64::MAX.unbounded_shl(from as u32)).trailing_zeros() as usize
    }
}

/// The bitmap of each class.
struct AllClasses<'a> {
    octets: &'a [u8],
    table: &'a Table,
    classes: &'a mut [u64; Class::COUNT],
}

impl Work for AllClasses<'_> {
    /// Whether they were made.
    type Output = bool;

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) -> bool {
        let block = machine.load(self.octets, self.table);
        for (bitmap, class) in self.classes.iter_mut().zip(Class::ALL) {
            *bitmap = machine.bitmap(block, self.table, class);
        }
        true
    }

    fn run_plain(self) -> bool {
        false
    }
}

impl Map for &Bitmaps {
    fn len(&self) -> usize {
        self.len
    }

    fn find(&self, class: Class, from: usize) -> usize {
        let found = self.bitmap(class) & u64::MAX.wrapping_shl(from as u32);
        self.len.min(found.trailing_zeros() as usize)
    }

    fn past(&self, class: Class, from: usize) -> usize {
        (!self.bitmap(class) & u64::MAX.wrapping_shl(from as u32)).trailing_zeros() as usize
    }

    fn escapes_are_whole(&self) -> bool {
        let percent = self.bitmap(Class::Percent);
        (percent << 1 | percent << 2) & !self.bitmap(Class::Hex) == 0
    }

    fn follow(&self, class: Class, between: Class, from: usize, to: usize) -> bool {
        follow(self.bitmap(class), !self.bitmap(between), from, to)
    }

    fn bits(&self, class: Class, from: usize, to: usize) -> Option<u64> {
        Some(between(self.bitmap(class), from, to))
    }
}

/// A text of any length: the first block at hand, the others made when they are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Long<'t, M: Machine> {
    machine: M,
    table: &'t Table,
    first: M::Block<'t>,
    octets: &'t [u8],
}

impl<'t, M: Machine> Long<'t, M> {
    #[inline(always)]
    pub(crate) fn new(machine: M, octets: &'t [u8], table: &'t Table) -> Self {
        Self::of_block(machine, machine.load(octets, table), octets, table)
    }

    /// Octets whose first block is at hand; behind them nothing or a separator.
    #[inline(always)]
    pub(crate) fn of_block(machine: M, first: M::Block<'t>, octets: &'t [u8], table: &'t Table) -> Self {
        Self { machine, table, first, octets }
    }

    /// The first octet at `from` or behind it whose being of the class is as asked; the length at most.
    #[inline(always)]
    fn first(&self, class: Class, from: usize, inside: bool) -> usize {
        let len = self.octets.len();
        let bitmap = |block| {
            let bitmap = self.machine.bitmap(block, self.table, class);
            if inside { bitmap } else { !bitmap }
        };
        let mut start = from;
        if from < BLOCK {
            let found = bitmap(self.first) & u64::MAX.wrapping_shl(from as u32);
            if found != 0 {
                return len.min(found.trailing_zeros() as usize);
            }
            start = BLOCK;
        }
        while start < len {
            let found = bitmap(self.machine.load(&self.octets[start..], self.table));
            if found != 0 {
                return len.min(start + found.trailing_zeros() as usize);
            }
            start += BLOCK;
        }
        len
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

    /// Each block begins at an escape and overlaps the next by two octets, so that none is cut.
    #[inline(always)]
    fn escapes_are_whole(&self) -> bool {
        let len = self.octets.len();
        let mut start = self.find(Class::Percent, 0);
        while start < len {
            let block = self.machine.load(&self.octets[start..], self.table);
            let bitmap = |class| self.machine.bitmap(block, self.table, class);
            let hex = bitmap(Class::Hex);
            let last = len - start <= BLOCK;
            let seen = if last { u64::MAX } else { u64::MAX >> 2 };
            if bitmap(Class::Percent) & seen & !((hex >> 1) & (hex >> 2)) != 0 {
                return false;
            }
            start = if last { len } else { self.find(Class::Percent, start + BLOCK - 2) };
        }
        true
    }

    #[inline(always)]
    fn follow(&self, class: Class, between: Class, from: usize, to: usize) -> bool {
        if to >= BLOCK {
            return false;
        }
        let bits = self.machine.bitmap(self.first, self.table, class);
        follow(bits, !self.machine.bitmap(self.first, self.table, between), from, to)
    }

    #[inline(always)]
    fn bits(&self, class: Class, from: usize, to: usize) -> Option<u64> {
        if to < BLOCK {
            return Some(between(self.machine.bitmap(self.first, self.table, class), from, to));
        }
        if to - from >= BLOCK {
            return None;
        }
        Short::new(self.machine, &self.octets[from..to], self.table).bits(class, 0, to - from)
    }
}

/// The bits from `from` to before `to`, which is below [`BLOCK`]; bit 0 is `from`.
#[inline(always)]
fn between(bitmap: u64, from: usize, to: usize) -> u64 {
    (bitmap & !u64::MAX.wrapping_shl(to as u32)) >> from
}

/// Whether bits are set at `from` and behind each mark from there to before `to`, which is below [`BLOCK`].
#[inline(always)]
fn follow(bits: u64, marks: u64, from: usize, to: usize) -> bool {
    let missing = (marks << 1 | 1 << from) & !bits;
    between(missing >> from, 0, to + 1 - from) == 0
}
