//! Searches for octets of a class, using bitmaps.
//!
//! [`ShortText`] has one block in registers; its callers are compiled for each backend.
//! [`Bitmaps`] has every bitmap of the first block in memory and calls the backend for the others.
//! Its callers are compiled once, which makes the code slower and much smaller.
//!
//! A scan of a text from left to right: each block is loaded once, and escapes are checked on the
//! way. This is sufficient for nearly every text.

use super::table::GROUPS;
use super::{BLOCK, Backend, Class, Table, WithBackend, dispatch};

/// A text that can be searched for octets of a class.
pub(crate) trait ClassSearch {
    /// Returns the first octet of the class at or after `from`, or the length.
    fn find_in(&self, class: Class, from: usize) -> usize;

    /// Returns the first octet at or after `from` that is not of the class, or the length.
    fn find_not_in(&self, class: Class, from: usize) -> usize;

    /// Returns whether octets of the class are at `from` (which must not be 0) and after each octet
    /// in `from..to` that is not of the class `between`. Returns `false` if this needs more than
    /// the loaded bitmaps.
    fn each_followed_by(&self, class: Class, between: Class, from: usize, to: usize) -> bool;

    /// Returns the bitmap of a class from `from` to before `to`, if it is loaded: bit 0 is `from`.
    fn bits(&self, class: Class, from: usize, to: usize) -> Option<u64>;
}

/// A text of less than [`BLOCK`] octets, so that every index is a bit index.
#[derive(Debug)]
pub(crate) struct ShortText<'t, M: Backend> {
    backend: M,
    table: &'t Table,
    block: M::Block<'t>,
    len: usize,
}

impl<'t, M: Backend> ShortText<'t, M> {
    /// Creates the map of the first `len` octets of a text, which are a block of it.
    #[inline(always)]
    pub(crate) fn of_block(backend: M, block: M::Block<'t>, table: &'t Table, len: usize) -> Self {
        Self { backend, table, block, len }
    }

    #[inline(always)]
    fn bitmap(&self, class: Class) -> u64 {
        self.backend.bitmap(&self.block, self.table, class)
    }

    /// Returns whether every "%" is followed by two hex digits.
    #[inline(always)]
    pub(super) fn escapes_are_whole(&self) -> bool {
        let percent = self.bitmap(Class::PERCENT);
        if percent == 0 {
            return true;
        }
        // There are no digits after the text.
        (percent << 1 | percent << 2) & !self.bitmap(Class::HEX) == 0
    }
}

impl<M: Backend> ClassSearch for ShortText<'_, M> {
    #[inline(always)]
    fn find_in(&self, class: Class, from: usize) -> usize {
        let found = self.bitmap(class) & u64::MAX.wrapping_shl(from as u32);
        self.len.min(found.trailing_zeros() as usize)
    }

    #[inline(always)]
    fn find_not_in(&self, class: Class, from: usize) -> usize {
        // An octet of no class follows the text, so the first clear bit is at its end at the
        // latest, or after the block.
        (!self.bitmap(class) & u64::MAX.wrapping_shl(from as u32)).trailing_zeros() as usize
    }

    #[inline(always)]
    fn each_followed_by(&self, class: Class, between: Class, from: usize, to: usize) -> bool {
        follow(self.bitmap(class), !self.bitmap(between), from, to)
    }

    #[inline(always)]
    fn bits(&self, class: Class, from: usize, to: usize) -> Option<u64> {
        Some(between(self.bitmap(class), from, to))
    }
}

/// The bitmaps of all classes, in groups of eight. A group is written at once, which is slow across
/// cache lines.
#[derive(Debug)]
#[repr(align(64))]
struct AllBitmaps([[u64; 8]; GROUPS]);

/// A text of any length whose reader is compiled once. All bitmaps of the first block are made
/// together, and the backend is called for each search in the octets after it. If there are few
/// searches, [`ShortText`] is faster.
#[derive(Debug)]
pub(crate) struct Bitmaps<'t> {
    octets: &'t [u8],
    table: &'t Table,
    /// How many groups of classes have bitmaps.
    groups: usize,
    first_block: AllBitmaps,
    /// The first "%" of the text that is not followed by two hex digits; otherwise at least the
    /// length.
    broken: usize,
}

impl<'t> Bitmaps<'t> {
    /// Creates the map of a text for searches of the first groups of classes;
    /// [`fill`](Self::fill) makes its bitmaps.
    pub(crate) const fn new(octets: &'t [u8], table: &'t Table, groups: usize) -> Self {
        Self { octets, table, groups, first_block: AllBitmaps([[0; 8]; GROUPS]), broken: 0 }
    }

    /// Makes the bitmaps, in place because moving them takes as long as making them. Returns
    /// `false` on the plain backend, which makes no bitmaps because it is faster octet by octet.
    #[inline(always)]
    pub(crate) fn fill(&mut self) -> bool {
        let (octets, table) = (self.octets, self.table);
        let filled = dispatch(AllClasses { octets, table, bitmaps: &mut self.first_block.0[..self.groups] });
        if octets.len() < BLOCK {
            self.broken = self.broken_in_first_block(0);
        } else if filled {
            self.broken = broken_escape(octets, 0, table);
        }
        filled
    }

    #[inline(always)]
    fn bitmap(&self, class: Class) -> u64 {
        debug_assert!(class.number() < 8 * self.groups, "the class has no bitmap");
        self.first_block.0[class.number() / 8][class.number() % 8]
    }

    /// Returns whether every octet in `from..to` is of the class.
    #[inline(never)]
    pub(crate) fn is_all(&self, class: Class, from: usize, to: usize) -> bool {
        match self.octets.len() < BLOCK {
            true => between(!self.bitmap(class), from, to) == 0,
            false => self.first(class, from, false) >= to,
        }
    }

    /// Returns whether every octet in `from..to` is of the class, and every escape before `to` is
    /// complete; always `false` for a text of at least a block.
    #[inline(always)]
    pub(crate) fn is_short_and_whole(&self, class: Class, from: usize, to: usize) -> bool {
        let is_short = self.octets.len() < BLOCK;
        is_short && self.broken >= to && between(!self.bitmap(class), from, to) == 0
    }

    /// Returns the first "%" at or after `from` that is not followed by two hex digits; otherwise
    /// at least the length.
    pub(crate) fn broken_escape(&self, from: usize) -> usize {
        if self.broken >= from {
            return self.broken;
        }
        if self.octets.len() < BLOCK {
            return self.broken_in_first_block(from);
        }
        broken_escape(self.octets, from, self.table)
    }

    #[inline(always)]
    fn broken_in_first_block(&self, from: usize) -> usize {
        let hex = self.bitmap(Class::HEX);
        let broken = self.bitmap(Class::PERCENT) & !(hex >> 1 & hex >> 2);
        (broken & u64::MAX.unbounded_shl(from as u32)).trailing_zeros() as usize
    }

    /// Returns the first octet at or after `from` that is of the class, or is not, in a text of at
    /// least a block.
    #[inline(never)]
    fn first(&self, class: Class, from: usize, inside: bool) -> usize {
        let bitmap = self.bitmap(class);
        let found = (if inside { bitmap } else { !bitmap }) & u64::MAX.unbounded_shl(from as u32);
        if found != 0 {
            return found.trailing_zeros() as usize;
        }
        dispatch(First { octets: self.octets, table: self.table, class, from: from.max(BLOCK), inside })
    }
}

impl ClassSearch for &Bitmaps<'_> {
    #[inline(always)]
    fn find_in(&self, class: Class, from: usize) -> usize {
        if self.octets.len() >= BLOCK {
            return self.first(class, from, true);
        }
        let found = self.bitmap(class) & u64::MAX.wrapping_shl(from as u32);
        self.octets.len().min(found.trailing_zeros() as usize)
    }

    #[inline(always)]
    fn find_not_in(&self, class: Class, from: usize) -> usize {
        if self.octets.len() >= BLOCK {
            return self.first(class, from, false);
        }
        // An octet of no class follows the text, so the first clear bit is at its end at the
        // latest.
        (!self.bitmap(class) & u64::MAX.wrapping_shl(from as u32)).trailing_zeros() as usize
    }

    #[inline]
    fn each_followed_by(&self, class: Class, between: Class, from: usize, to: usize) -> bool {
        to < BLOCK && follow(self.bitmap(class), !self.bitmap(between), from, to)
    }

    #[inline]
    fn bits(&self, class: Class, from: usize, to: usize) -> Option<u64> {
        if to < BLOCK {
            return Some(between(self.bitmap(class), from, to));
        }
        if to - from >= BLOCK {
            return None;
        }
        let mut there = Bitmaps::new(&self.octets[from..to], self.table, self.groups);
        there.fill().then(|| there.bitmap(class))
    }
}

/// The operation that makes the bitmap of each class of the first groups.
struct AllClasses<'a> {
    octets: &'a [u8],
    table: &'a Table,
    bitmaps: &'a mut [[u64; 8]],
}

impl WithBackend for AllClasses<'_> {
    /// Whether the bitmaps were made.
    type Output = bool;

    const USES_VBMI: bool = true;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> bool {
        backend.write_bitmaps(self.octets, self.table, self.bitmaps);
        true
    }

    fn run_plain(self) -> bool {
        false
    }
}

/// The search for the first octet at or after `from` that is of the class, or is not; at most the
/// length.
pub(super) struct First<'a> {
    pub(super) octets: &'a [u8],
    pub(super) table: &'a Table,
    pub(super) class: Class,
    pub(super) from: usize,
    pub(super) inside: bool,
}

impl WithBackend for First<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> usize {
        let Self { octets, table, class, from, inside } = self;
        let mut start = from;
        while let Some(rest) = octets.get(start..).filter(|rest| !rest.is_empty()) {
            let bitmap = backend.bitmap(&backend.load(rest, table), table, class);
            let found = if inside { bitmap } else { !bitmap };
            if found != 0 {
                return octets.len().min(start + found.trailing_zeros() as usize);
            }
            start += BLOCK;
        }
        octets.len()
    }

    fn run_plain(self) -> usize {
        let is_found = |&octet: &u8| self.table.contains(self.class, octet) == self.inside;
        let rest = self.octets.get(self.from..).unwrap_or_default();
        rest.iter().position(is_found).map_or(self.octets.len(), |at| self.from + at)
    }
}

/// Returns the first "%" at or after `from` that is not followed by two hex digits, or the length.
pub(crate) fn broken_escape(octets: &[u8], from: usize, table: &Table) -> usize {
    dispatch(BrokenEscape { octets, table, from })
}

pub(super) struct BrokenEscape<'a> {
    pub(super) octets: &'a [u8],
    pub(super) table: &'a Table,
    pub(super) from: usize,
}

impl WithBackend for BrokenEscape<'_> {
    type Output = usize;

    /// Blocks overlap by two octets, so that no escape is cut.
    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> usize {
        let Self { octets, table, from } = self;
        let mut start = from;
        while let Some(rest) = octets.get(start..).filter(|rest| !rest.is_empty()) {
            let block = backend.load(rest, table);
            let percent = backend.bitmap(&block, table, Class::PERCENT);
            let is_last = rest.len() <= BLOCK;
            if percent != 0 {
                let hex = backend.bitmap(&block, table, Class::HEX);
                let seen = if is_last { u64::MAX } else { u64::MAX >> 2 };
                let broken = percent & seen & !(hex >> 1 & hex >> 2);
                if broken != 0 {
                    return start + broken.trailing_zeros() as usize;
                }
            }
            if is_last {
                break;
            }
            start += BLOCK - 2;
        }
        octets.len()
    }
}

/// Returns the bits from `from` to before `to`, which is below [`BLOCK`]; bit 0 is `from`.
#[inline(always)]
fn between(bitmap: u64, from: usize, to: usize) -> u64 {
    (bitmap & !u64::MAX.wrapping_shl(to as u32)) >> from
}

/// Returns whether bits are set at `from` and after each mark in `from..to`; `to` is below
/// [`BLOCK`].
#[inline(always)]
fn follow(bits: u64, marks: u64, from: usize, to: usize) -> bool {
    let missing = (marks << 1 | 1 << from) & !bits;
    between(missing >> from, 0, to + 1 - from) == 0
}

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
        ClassSearch::find_not_in(*self, class, from)
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
