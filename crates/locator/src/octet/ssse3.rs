//! SSSE3: a block is four registers, loaded as far as the text goes.

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set_epi64x,
    _mm_set1_epi8, _mm_setr_epi8, _mm_setzero_si128, _mm_shuffle_epi8, _mm_srli_epi16,
};

use super::{BLOCK, Class, Machine, Table, Work};

/// How many octets a register has.
const QUARTER: usize = 16;

/// SSSE3.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ssse3(());

/// Octets, and for each the bit that its high nibble has in [`Table::nibbles`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nibbles {
    octets: __m128i,
    high: __m128i,
}

/// Does the work with SSSE3.
///
/// # Safety
///
/// The processor must have SSSE3.
#[target_feature(enable = "ssse3")]
pub(super) unsafe fn run<W: Work>(work: W) -> W::Output {
    work.run(Ssse3(()))
}

impl Machine for Ssse3 {
    type Block = [Nibbles; BLOCK / QUARTER];

    #[inline(always)]
    fn load(self, octets: &[u8], _: &Table) -> Self::Block {
        // SAFETY: there is an `Ssse3` only inside of `run`, where the processor has it; 16 octets are
        // read where the text has 16 more.
        core::array::from_fn(|quarter| unsafe {
            let rest = octets.get(QUARTER * quarter..).unwrap_or_default();
            let octets = match rest.first_chunk::<QUARTER>() {
                Some(sixteen) => _mm_loadu_si128(sixteen.as_ptr().cast()),
                None => load_below_16(rest),
            };
            nibbles(octets)
        })
    }

    #[inline(always)]
    fn bitmap(self, block: Self::Block, table: &Table, class: Class) -> u64 {
        let row: &[u8; 16] = &table.nibbles[class as usize];
        let mut bitmap = 0;
        // SAFETY: as above; 16 octets are read from an array of 16.
        unsafe {
            let row = _mm_loadu_si128(row.as_ptr().cast());
            for (quarter, nibbles) in block.into_iter().enumerate() {
                let found = _mm_and_si128(_mm_shuffle_epi8(row, nibbles.octets), nibbles.high);
                let none = _mm_movemask_epi8(_mm_cmpeq_epi8(found, _mm_setzero_si128()));
                bitmap |= u64::from(!none as u16) << (QUARTER * quarter);
            }
        }
        bitmap
    }
}

/// # Safety
///
/// The processor must have SSSE3.
#[inline(always)]
unsafe fn nibbles(octets: __m128i) -> Nibbles {
    // SAFETY: what the caller guarantees.
    unsafe {
        // For nibbles 0 to 7 the bit of the same number; octets above 127 have none.
        let bits = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
        let high = _mm_and_si128(_mm_srli_epi16::<4>(octets), _mm_set1_epi8(0x0F));
        Nibbles { octets, high: _mm_shuffle_epi8(bits, high) }
    }
}

/// Less than 16 octets with zeros behind, put together in ordinary registers: from both ends, what
/// overlaps being the same.
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
    // SAFETY: every x86-64 has SSE2.
    unsafe { _mm_set_epi64x((both >> 64) as i64, both as i64) }
}
