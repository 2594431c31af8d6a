//! AVX2: a block is two registers. A text that does not fill them is loaded from both of its
//! ends, the second load overlapping the first, so that nothing behind it is touched.

use core::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm_set1_epi8, _mm256_and_si256, _mm256_broadcastsi128_si256,
    _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_set_m128i, _mm256_set1_epi8,
    _mm256_setr_epi8, _mm256_shuffle_epi8, _mm256_srli_epi16,
};

use super::eight::OctetByOctet;
use super::ssse3::load_below_16;
use super::{BLOCK, Backend, Class, Table, WithBackend};

/// How many octets a register has.
const HALF: usize = 32;

/// AVX2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

/// Two registers of octets, and where in the block the second one begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    first: Nibbles,
    second: Nibbles,
    second_at: u32,
}

/// Octets, and for each the bit that its high nibble has in [`Table::nibbles`].
#[derive(Clone, Copy, Debug)]
struct Nibbles {
    octets: __m256i,
    high: __m256i,
}

/// Does the work with AVX2.
///
/// # Safety
///
/// The processor must have AVX2, BMI 1 and 2.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) unsafe fn run<W: WithBackend>(work: W) -> W::Output {
    work.run(Avx2(()))
}

impl Backend for Avx2 {
    type Block<'t> = Block;
    type Eights = OctetByOctet;

    #[inline(always)]
    fn load(self, octets: &[u8], _: &Table) -> Block {
        let len = octets.len().min(BLOCK);
        let start = octets.as_ptr();
        // SAFETY: there is an `Avx2` only inside of `run`, where the processor has the features. Every
        // load of n octets begins n before the end of the text or sooner, at its start at the soonest.
        unsafe {
            // Behind a text of less than a register stands an octet that no class knows.
            let none = _mm_set1_epi8(-1);
            let (first, second, second_at) = if len >= HALF {
                let second = _mm256_loadu_si256(start.add(len - HALF).cast());
                (_mm256_loadu_si256(start.cast()), second, len - HALF)
            } else if len >= HALF / 2 {
                let first = _mm_loadu_si128(start.cast());
                let second = _mm_loadu_si128(start.add(len - HALF / 2).cast());
                (_mm256_set_m128i(none, first), _mm256_set_m128i(none, second), len - HALF / 2)
            } else {
                let all = _mm256_set_m128i(none, load_below_16(octets));
                (all, all, 0)
            };
            Block { first: nibbles(first), second: nibbles(second), second_at: second_at as u32 }
        }
    }

    #[inline(always)]
    fn bitmap(self, block: &Block, table: &Table, class: Class) -> u64 {
        let row: &[u8; 16] = &table.nibbles[class as usize];
        // SAFETY: as above; 16 octets are read from an array of 16.
        let (first, second) = unsafe {
            let row = _mm256_broadcastsi128_si256(_mm_loadu_si128(row.as_ptr().cast()));
            (among(block.first, row), among(block.second, row))
        };
        u64::from(first) | u64::from(second) << block.second_at
    }

    #[inline(always)]
    fn equal(self, block: &Block, octet: u8) -> u64 {
        // SAFETY: as above.
        let (first, second) = unsafe {
            let octet = _mm256_set1_epi8(octet.cast_signed());
            let first = _mm256_cmpeq_epi8(block.first.octets, octet);
            let second = _mm256_cmpeq_epi8(block.second.octets, octet);
            (_mm256_movemask_epi8(first).cast_unsigned(), _mm256_movemask_epi8(second).cast_unsigned())
        };
        u64::from(first) | u64::from(second) << block.second_at
    }

    #[inline(always)]
    fn eights(self) -> OctetByOctet {
        OctetByOctet
    }
}

/// # Safety
///
/// The processor must have AVX2.
#[inline(always)]
unsafe fn nibbles(octets: __m256i) -> Nibbles {
    // SAFETY: what the caller guarantees.
    unsafe {
        // For nibbles 0 to 7 the bit of the same number; for those of octets above 127, which no row
        // knows, all of them, so that what is looked up is never equal.
        let bits = _mm256_setr_epi8(
            1, 2, 4, 8, 16, 32, 64, -128, -1, -1, -1, -1, -1, -1, -1, -1, //
            1, 2, 4, 8, 16, 32, 64, -128, -1, -1, -1, -1, -1, -1, -1, -1,
        );
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(octets), _mm256_set1_epi8(0x0F));
        Nibbles { octets, high: _mm256_shuffle_epi8(bits, high) }
    }
}

/// The bitmap of the octets whose bit is set in a row of [`Table::nibbles`].
///
/// # Safety
///
/// The processor must have AVX2.
#[inline(always)]
unsafe fn among(block: Nibbles, row: __m256i) -> u32 {
    // SAFETY: what the caller guarantees.
    unsafe {
        let found = _mm256_and_si256(_mm256_shuffle_epi8(row, block.octets), block.high);
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(found, block.high)).cast_unsigned()
    }
}
