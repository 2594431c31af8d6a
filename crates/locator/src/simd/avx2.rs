//! AVX2: a block is two registers. A text that does not fill them is loaded from both of its ends
//! with overlapping loads, so that no memory after it is read.

use core::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm_set1_epi8, _mm256_and_si256, _mm256_broadcastsi128_si256,
    _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_set_m128i, _mm256_set1_epi8,
    _mm256_setr_epi8, _mm256_shuffle_epi8, _mm256_srli_epi16,
};

use super::eight::OctetByOctet;
use super::ssse3::load_below_16;
use super::{BLOCK, Backend, Class, Table, WithBackend};

/// The number of octets in a register.
const HALF: usize = 32;

/// The AVX2 backend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

/// Two registers of octets, and the offset of the second in the block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    first: Nibbles,
    second: Nibbles,
    second_at: u32,
}

/// Octets, with the bit of the high nibble of each in [`Table::nibbles`].
#[derive(Clone, Copy, Debug)]
struct Nibbles {
    octets: __m256i,
    high: __m256i,
}

/// Runs the operation with AVX2.
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
        // SAFETY: an `Avx2` exists only inside of `run`, where the processor has the features.
        // Every load of n octets begins at least n before the end of the text and not before its
        // start.
        unsafe {
            // An octet of no class follows a text of less than a register.
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
        // SAFETY: as above.
        unsafe { bitmap_of_row(block, &table.nibbles[class.number()]) }
    }

    /// Two classes at once for a text of less than 32 octets: each half of a register has the same
    /// 16 octets, and looks them up for one of the classes.
    #[inline(always)]
    fn write_bitmaps(self, octets: &[u8], table: &Table, bitmaps: &mut [[u64; 8]]) {
        let bitmaps = bitmaps.as_flattened_mut();
        if octets.len() >= HALF {
            let block = self.load(octets, table);
            for (bitmap, row) in bitmaps.iter_mut().zip(&table.nibbles) {
                // SAFETY: as above.
                *bitmap = unsafe { bitmap_of_row(&block, row) };
            }
            return;
        }
        let (pairs, _) = bitmaps.as_chunks_mut::<2>();
        let (rows, _) = table.nibbles.as_chunks::<2>();
        // SAFETY: as above; 16 octets are read from arrays of 16, 32 from two arrays of 16.
        unsafe {
            if let (Some(first), Some(last)) = (octets.first_chunk::<16>(), octets.last_chunk::<16>()) {
                let [first, last] = [first, last]
                    .map(|half| nibbles(_mm256_broadcastsi128_si256(_mm_loadu_si128(half.as_ptr().cast()))));
                let last_at = octets.len() - HALF / 2;
                for (pair, rows) in pairs.iter_mut().zip(rows) {
                    let rows = _mm256_loadu_si256(rows.as_ptr().cast());
                    let (first, last) = (halves(among(first, rows)), halves(among(last, rows)));
                    *pair = [first[0] | last[0] << last_at, first[1] | last[1] << last_at];
                }
            } else {
                let all = nibbles(_mm256_broadcastsi128_si256(load_below_16(octets)));
                for (pair, rows) in pairs.iter_mut().zip(rows) {
                    *pair = halves(among(all, _mm256_loadu_si256(rows.as_ptr().cast())));
                }
            }
        }
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

/// Returns the bitmap of the octets whose bit is set in a row of [`Table::nibbles`].
///
/// # Safety
///
/// The processor must have AVX2.
#[inline(always)]
unsafe fn bitmap_of_row(block: &Block, row: &[u8; 16]) -> u64 {
    // SAFETY: guaranteed by the caller; 16 octets are read from an array of 16.
    let (first, second) = unsafe {
        let row = _mm256_broadcastsi128_si256(_mm_loadu_si128(row.as_ptr().cast()));
        (among(block.first, row), among(block.second, row))
    };
    u64::from(first) | u64::from(second) << block.second_at
}

/// Returns the bits of each half of a register.
#[inline(always)]
fn halves(bits: u32) -> [u64; 2] {
    [u64::from(bits & 0xFFFF), u64::from(bits >> 16)]
}

/// # Safety
///
/// The processor must have AVX2.
#[inline(always)]
unsafe fn nibbles(octets: __m256i) -> Nibbles {
    // SAFETY: guaranteed by the caller.
    unsafe {
        // Nibbles 0 to 7 have the bit of the same number. Those of octets above 127, which no row
        // contains, have all bits, so that the comparison fails.
        let bits = _mm256_setr_epi8(
            1, 2, 4, 8, 16, 32, 64, -128, -1, -1, -1, -1, -1, -1, -1, -1, //
            1, 2, 4, 8, 16, 32, 64, -128, -1, -1, -1, -1, -1, -1, -1, -1,
        );
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(octets), _mm256_set1_epi8(0x0F));
        Nibbles { octets, high: _mm256_shuffle_epi8(bits, high) }
    }
}

/// Returns the bitmap of the octets whose bit is set in a row of [`Table::nibbles`].
///
/// # Safety
///
/// The processor must have AVX2.
#[inline(always)]
unsafe fn among(block: Nibbles, row: __m256i) -> u32 {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let found = _mm256_and_si256(_mm256_shuffle_epi8(row, block.octets), block.high);
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(found, block.high)).cast_unsigned()
    }
}
