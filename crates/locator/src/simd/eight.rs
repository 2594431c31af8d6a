//! Eight rows at once: instead of a bitmap a class, each octet has a code of eight bits that tells all
//! that is asked of nearly every row, and there is a bitmap a bit, for eight rows in one value.
//!
//! The highest bit of a bitmap is the first octet's, so that a place is a number of leading
//! zeros, which is one step for eight.

use core::ops::{BitAnd, BitOr, Not};

use super::{BLOCK, Table};

/// One way of looking at eight rows at once.
pub(crate) trait RowKernel: Copy {
    /// Eight numbers as the backend likes to have them.
    type Eight: U64x8;

    /// Whether it is faster than to read one row after the other.
    const IS_PROFITABLE: bool;

    /// The same number eight times.
    fn all(self, number: u64) -> Self::Eight;

    /// Eight numbers.
    fn eight(self, numbers: &[u32; 8]) -> Self::Eight;

    /// The codes of eight blocks that begin at these places of the buffer.
    fn code(self, buffer: &[u8], starts: &[u32; 8], table: &Table) -> Codes<Self::Eight>;
}

/// Eight bitmaps or places, on which everything is done at once.
pub(crate) trait U64x8:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// The lower halves.
    fn numbers(self) -> [u32; 8];

    /// Each one and the other's.
    fn plus(self, other: Self) -> Self;

    /// Each one's bits that many places towards the highest; none are left where that is 64 or more.
    fn up(self, places: Self) -> Self;

    /// The same towards the lowest.
    fn down(self, places: Self) -> Self;

    fn leading_zeros(self) -> Self;

    /// A bit for each of the eight: whether the two are equal.
    fn equals(self, other: Self) -> u8;

    /// A bit for each: whether it is less than the other.
    fn is_less(self, other: Self) -> u8;

    /// A bit for each: whether its highest one is set.
    fn highest(self) -> u8;

    /// The lower halves of those that have their bit in `which`, one behind the other, and anything behind
    /// them.
    fn pack(self, which: u8) -> [u32; 8];

    /// Each one that has its bit in `which`, else the other's.
    fn or_where(self, which: u8, other: Self) -> Self;

    /// The bits of the octets before each place.
    #[inline(always)]
    fn before(self) -> Self {
        let every = self | !self;
        !every.down(self)
    }

    /// A bit for each: whether the bit at a place is set; behind the block none is.
    #[inline(always)]
    fn at(self, place: Self) -> u8 {
        self.up(place).highest()
    }

    /// The first place at `from` or behind it whose bit is not set; else the end of the block.
    #[inline(always)]
    fn past(self, from: Self) -> Self {
        (!(self | from.before())).leading_zeros()
    }
}

/// What the lower half of a code tells: whether the octet is of these classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Bit {
    Scheme,
    Host,
    Path,
    Query,
}

/// What the upper half tells: which one of these the octet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ByteCategory {
    Other,
    /// "A" to "F" and "a" to "f".
    HexLetter,
    /// Any other letter.
    Letter,
    Digit,
    Percent,
    Colon,
    Slash,
    QuestionMark,
    Dot,
}

impl ByteCategory {
    /// What an octet is.
    pub(super) const fn of(octet: u8) -> Self {
        match octet {
            b'A'..=b'F' | b'a'..=b'f' => Self::HexLetter,
            b'G'..=b'Z' | b'g'..=b'z' => Self::Letter,
            b'0'..=b'9' => Self::Digit,
            b'%' => Self::Percent,
            b':' => Self::Colon,
            b'/' => Self::Slash,
            b'?' => Self::QuestionMark,
            b'.' => Self::Dot,
            _ => Self::Other,
        }
    }
}

/// For each bit of a code the bitmaps of blocks of eight rows. Behind a row's end they tell of what is
/// there, and of nothing behind the buffer's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Codes<E>(pub(super) [E; 8]);

impl<E: U64x8> Codes<E> {
    /// Where octets are of a class.
    #[inline(always)]
    pub(crate) fn bit(&self, bit: Bit) -> E {
        self.0[bit as usize]
    }

    /// Where octets are of a sort.
    #[inline(always)]
    pub(crate) fn category(&self, sort: ByteCategory) -> E {
        let sort = sort as usize;
        let same = |bit: usize| if sort >> bit & 1 == 1 { self.0[4 + bit] } else { !self.0[4 + bit] };
        same(0) & same(1) & (same(2) & same(3))
    }
}

/// Eight numbers, on any backend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers([u64; 8]);

/// Eight rows on any backend, octet by octet: what every other way must come to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OctetByOctet;

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

    fn pack(self, which: u8) -> [u32; 8] {
        let mut packed = [0; 8];
        let those = self.0.iter().enumerate().filter(|(i, _)| which >> i & 1 == 1);
        packed.iter_mut().zip(those).for_each(|(to, (_, &from))| *to = from as u32);
        packed
    }

    fn or_where(self, which: u8, other: Self) -> Self {
        Self(core::array::from_fn(|i| if which >> i & 1 == 1 { self.0[i] } else { other.0[i] }))
    }
}
