//! SSSE3: a block is four registers, loaded as far as the text goes.

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set_epi64x,
    _mm_set1_epi8, _mm_setr_epi8, _mm_shuffle_epi8, _mm_srli_epi16,
};

use super::eight::OctetByOctet;
use super::{BLOCK, Backend, Class, Table, WithBackend};

/// The number of octets in a register.
const QUARTER: usize = 16;

/// The SSSE3 backend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ssse3(());

/// Octets, with the bit of the high nibble of each in [`Table::nibbles`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nibbles {
    octets: __m128i,
    high: __m128i,
}

/// Runs the operation with SSSE3.
///
/// # Safety
///
/// The processor must have SSSE3.
#[target_feature(enable = "ssse3,popcnt")]
pub(super) unsafe fn run<W: WithBackend>(work: W) -> W::Output {
    work.run(Ssse3(()))
}

impl Backend for Ssse3 {
    type Block<'t> = [Nibbles; BLOCK / QUARTER];
    type Eights = OctetByOctet;

    #[inline(always)]
    fn load<'t>(self, octets: &'t [u8], _: &Table) -> Self::Block<'t> {
        // SAFETY: an `Ssse3` exists only inside of `run`, where the processor has it.
        unsafe { load(octets) }
    }

    #[inline(always)]
    fn bitmap(self, block: &Self::Block<'_>, table: &Table, class: Class) -> u64 {
        // SAFETY: as above.
        unsafe { bitmap(block, &table.nibbles[class.number()]) }
    }

    #[inline(always)]
    fn equal(self, block: &Self::Block<'_>, octet: u8) -> u64 {
        let &[first, second, third, fourth] = block;
        // SAFETY: as above.
        unsafe {
            let octet = _mm_set1_epi8(octet.cast_signed());
            equal(first, octet)
                | equal(second, octet) << QUARTER
                | equal(third, octet) << (2 * QUARTER)
                | equal(fourth, octet) << (3 * QUARTER)
        }
    }

    #[inline(always)]
    fn eights(self) -> OctetByOctet {
        OctetByOctet
    }
}

/// Loads the first block of a text. Not inlined, as `bitmap` is not: four registers make each use
/// long, and there are many uses.
#[target_feature(enable = "ssse3")]
#[inline(never)]
fn load(octets: &[u8]) -> [Nibbles; BLOCK / QUARTER] {
    let nothing = _mm_set1_epi8(-1);
    let mut block = [Nibbles { octets: nothing, high: nothing }; BLOCK / QUARTER];
    for (quarter, of_quarter) in block.iter_mut().enumerate() {
        // SAFETY: this function has SSSE3.
        *of_quarter = unsafe { nibbles(octets, quarter) };
    }
    block
}

/// Returns the bitmap of the octets whose bit is set in a row of [`Table::nibbles`].
#[target_feature(enable = "ssse3")]
#[inline(never)]
fn bitmap(block: &[Nibbles; BLOCK / QUARTER], row: &[u8; 16]) -> u64 {
    let &[first, second, third, fourth] = block;
    // SAFETY: this function has SSSE3; 16 octets are read from an array of 16.
    unsafe {
        let row = _mm_loadu_si128(row.as_ptr().cast());
        among(first, row)
            | among(second, row) << QUARTER
            | among(third, row) << (2 * QUARTER)
            | among(fourth, row) << (3 * QUARTER)
    }
}

/// Loads a quarter of a block, as far as the text goes.
///
/// # Safety
///
/// The processor must have SSSE3.
#[inline(always)]
unsafe fn nibbles(octets: &[u8], quarter: usize) -> Nibbles {
    let rest = octets.get(QUARTER * quarter..).unwrap_or_default();
    // SAFETY: guaranteed by the caller; 16 octets are read where the text has 16 more.
    unsafe {
        let octets = match rest.first_chunk::<QUARTER>() {
            Some(sixteen) => _mm_loadu_si128(sixteen.as_ptr().cast()),
            None => load_below_16(rest),
        };
        // Nibbles 0 to 7 have the bit of the same number. Those of octets above 127, which no row
        // contains, have all bits, so that the comparison fails.
        let bits = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, -1, -1, -1, -1, -1, -1, -1, -1);
        let high = _mm_and_si128(_mm_srli_epi16::<4>(octets), _mm_set1_epi8(0x0F));
        Nibbles { octets, high: _mm_shuffle_epi8(bits, high) }
    }
}

/// Returns the bitmap of the octets whose bit is set in a row of [`Table::nibbles`].
///
/// # Safety
///
/// The processor must have SSSE3.
#[inline(always)]
unsafe fn among(block: Nibbles, row: __m128i) -> u64 {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let found = _mm_and_si128(_mm_shuffle_epi8(row, block.octets), block.high);
        u64::from(_mm_movemask_epi8(_mm_cmpeq_epi8(found, block.high)) as u16)
    }
}

/// Returns the bitmap of the octets equal to this one.
///
/// # Safety
///
/// The processor must have SSE2.
#[inline(always)]
unsafe fn equal(block: Nibbles, octet: __m128i) -> u64 {
    // SAFETY: guaranteed by the caller.
    unsafe { u64::from(_mm_movemask_epi8(_mm_cmpeq_epi8(block.octets, octet)) as u16) }
}

/// Loads less than 16 octets in general-purpose registers: from both ends, with equal octets where
/// the loads overlap. An octet of no class follows them.
#[inline(always)]
pub(super) fn load_below_16(octets: &[u8]) -> __m128i {
    let together = |first: u64, last: u64, len: usize, width: usize| {
        u128::from(first) | u128::from(last) << (8 * (len - width))
    };
    let len = octets.len();
    let both = if let (Some(first), Some(last)) = (octets.first_chunk(), octets.last_chunk()) {
        together(u64::from_le_bytes(*first), u64::from_le_bytes(*last), len, 8)
    } else if let (Some(first), Some(last)) = (octets.first_chunk(), octets.last_chunk()) {
        together(u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into(), len, 4)
    } else {
        octets.iter().rev().fold(0, |all, &octet| all << 8 | u128::from(octet))
    };
    let both = both | u128::MAX << (8 * len);
    // SAFETY: every x86-64 has SSE2.
    unsafe { _mm_set_epi64x((both >> 64) as i64, both as i64) }
}
