//! Operations on eight rows at once. Each octet has a code of eight bits that answers all questions
//! about nearly every row. There is a bitmap for each bit, for eight rows in one value.
//!
//! The highest bit of a bitmap is the first octet's. A position is therefore a number of leading
//! zeros, which is one instruction for eight rows.

use core::ops::{BitAnd, BitOr, Not};

use super::table::Table;

/// The number of octets in a block, which is the number of bits in a bitmap.
pub(crate) const BLOCK: usize = 64;

/// A backend for operations on eight rows at once.
pub trait RowKernel: Copy {
    /// Eight numbers in the representation of the backend.
    type Eight: U64x8;

    /// Whether this is faster than parsing one row after the other.
    const IS_PROFITABLE: bool;

    /// Returns the same number eight times.
    fn all(self, number: u64) -> Self::Eight;

    /// Converts eight numbers.
    fn eight(self, numbers: &[u32; 8]) -> Self::Eight;

    /// Returns the codes of eight blocks that begin at these offsets of the buffer.
    fn code(self, buffer: &[u8], starts: &[u32; 8], table: &Table) -> Codes<Self::Eight>;
}

/// Eight bitmaps or positions, with element-wise operations.
pub trait U64x8: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// Returns the lower halves.
    fn numbers(self) -> [u32; 8];

    /// Adds the elements of the other.
    fn plus(self, other: Self) -> Self;

    /// Shifts each element towards the highest bit; the result is 0 if the distance is 64 or more.
    fn up(self, places: Self) -> Self;

    /// Shifts each element towards the lowest bit; the result is 0 if the distance is 64 or more.
    fn down(self, places: Self) -> Self;

    fn leading_zeros(self) -> Self;

    /// Returns a bit for each element: whether the two are equal.
    fn equals(self, other: Self) -> u8;

    /// Returns a bit for each element: whether it is less than the other.
    fn is_less(self, other: Self) -> u8;

    /// Returns a bit for each element: whether its highest bit is set.
    fn highest(self) -> u8;

    /// Returns each element that has its bit in `which`, and otherwise the other's.
    fn or_where(self, which: u8, other: Self) -> Self;

    /// Returns masks of the octets before each position.
    #[inline(always)]
    fn before(self) -> Self {
        let every = self | !self;
        !every.down(self)
    }

    /// Returns a bit for each element: whether the bit at a position is set; after the block none
    /// is.
    #[inline(always)]
    fn at(self, place: Self) -> u8 {
        self.up(place).highest()
    }

    /// Returns the first position at or after `from` whose bit is not set, or the end of the block.
    #[inline(always)]
    fn past(self, from: Self) -> Self {
        (!(self | from.before())).leading_zeros()
    }
}

/// A bit in the lower half of a code: whether the octet is in a class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bit(u8);

impl Bit {
    /// Returns the bit with this number, which is less than 4.
    pub(crate) const fn of(number: u8) -> Self {
        assert!(number < 4);
        Self(number)
    }

    /// Returns the number of the bit.
    pub(crate) const fn number(self) -> usize {
        self.0 as usize
    }
}

/// A value of the upper half of a code: the category of the octet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteCategory(u8);

impl ByteCategory {
    /// Returns the category with this number, which is less than 16.
    pub(crate) const fn of(number: u8) -> Self {
        assert!(number < 16);
        Self(number)
    }

    /// Returns the number of the category.
    pub(crate) const fn number(self) -> usize {
        self.0 as usize
    }
}

/// For each bit of a code, the bitmaps of the blocks of eight rows. After the end of a row they
/// describe the following octets of the buffer; after the end of the buffer no bit is set.
#[derive(Clone, Copy, Debug)]
pub struct Codes<E>(pub(super) [E; 8]);

impl<E: U64x8> Codes<E> {
    /// Returns the bitmaps of a class.
    #[inline(always)]
    #[cfg(feature = "bulk")]
    pub(crate) fn bit(&self, bit: Bit) -> E {
        self.0[bit.number()]
    }

    /// Returns the bitmaps of a category.
    #[inline(always)]
    #[cfg(feature = "bulk")]
    pub(crate) fn category(&self, sort: ByteCategory) -> E {
        let sort = sort.number();
        let same = |bit: usize| if sort >> bit & 1 == 1 { self.0[4 + bit] } else { !self.0[4 + bit] };
        same(0) & same(1) & (same(2) & same(3))
    }
}

/// Eight numbers, on any backend.
#[derive(Clone, Copy, Debug)]
pub struct Numbers([u64; 8]);

/// The portable row kernel, octet by octet; all other kernels must return the same results.
#[derive(Clone, Copy, Debug)]
pub struct OctetByOctet;

impl RowKernel for OctetByOctet {
    type Eight = Numbers;

    const IS_PROFITABLE: bool = false;

    fn all(self, number: u64) -> Numbers {
        Numbers([number; 8])
    }

    fn eight(self, numbers: &[u32; 8]) -> Numbers {
        Numbers(numbers.map(u64::from))
    }

    fn code(self, buffer: &[u8], starts: &[u32; 8], table: &Table) -> Codes<Numbers> {
        let mut codes = Codes([Numbers([0; 8]); 8]);
        for (row, &start) in starts.iter().enumerate() {
            let rest = buffer.get(start as usize..).unwrap_or_default();
            for (place, &octet) in rest.iter().take(BLOCK).enumerate() {
                let code = table.codes.get(usize::from(octet)).copied().unwrap_or(0);
                for (bit, bitmaps) in codes.0.iter_mut().enumerate() {
                    bitmaps.0[row] |= u64::from(code >> bit & 1) << (BLOCK - 1 - place);
                }
            }
        }
        codes
    }
}

impl Numbers {
    fn each(self, other: Self, make: impl Fn(u64, u64) -> u64) -> Self {
        Self(core::array::from_fn(|i| make(self.0[i], other.0[i])))
    }

    fn ask(self, other: Self, is: impl Fn(&u64, &u64) -> bool) -> u8 {
        let pairs = self.0.iter().zip(&other.0);
        pairs.rev().fold(0, |bits, (one, other)| bits << 1 | u8::from(is(one, other)))
    }
}

impl BitAnd for Numbers {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        self.each(other, |one, other| one & other)
    }
}

impl BitOr for Numbers {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.each(other, |one, other| one | other)
    }
}

impl Not for Numbers {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0.map(|one| !one))
    }
}

impl U64x8 for Numbers {
    fn numbers(self) -> [u32; 8] {
        self.0.map(|number| number as u32)
    }

    fn plus(self, other: Self) -> Self {
        self.each(other, u64::wrapping_add)
    }

    fn up(self, places: Self) -> Self {
        self.each(places, |bits, places| if places < 64 { bits << places } else { 0 })
    }

    fn down(self, places: Self) -> Self {
        self.each(places, |bits, places| if places < 64 { bits >> places } else { 0 })
    }

    fn leading_zeros(self) -> Self {
        Self(self.0.map(|bits| bits.leading_zeros().into()))
    }

    fn equals(self, other: Self) -> u8 {
        self.ask(other, u64::eq)
    }

    fn is_less(self, other: Self) -> u8 {
        self.ask(other, u64::lt)
    }

    fn highest(self) -> u8 {
        self.ask(self, |one, _| one >> 63 == 1)
    }

    fn or_where(self, which: u8, other: Self) -> Self {
        Self(core::array::from_fn(|i| if which >> i & 1 == 1 { self.0[i] } else { other.0[i] }))
    }
}
