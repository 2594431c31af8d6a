//! AVX-512 with VBMI and GFNI: one class of octets is found as with AVX-512. For many classes or many
//! rows, an octet is looked up in a table of 128, and a bit transposition returns eight bitmaps.

use alloc::string::String;
use core::arch::x86_64::{
    __m512i, _MM_HINT_T0, _mm_loadu_si128, _mm_prefetch, _mm512_add_epi32, _mm512_alignr_epi64,
    _mm512_broadcast_i32x4, _mm512_castsi512_si128, _mm512_cvtepu8_epi32, _mm512_gf2p8affine_epi64_epi8,
    _mm512_loadu_si512, _mm512_mask_set1_epi8, _mm512_maskz_compress_epi8, _mm512_movepi8_mask,
    _mm512_or_si512, _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi32, _mm512_set1_epi64,
    _mm512_setzero_si512, _mm512_shuffle_epi8, _mm512_shuffle_i64x2, _mm512_storeu_si512,
    _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

use super::avx512::{Avx512, Nibbles, load};
use super::eight::RowKernel;
use super::register::Register;
use super::{BLOCK, Backend, Class, Codes, Table, U64x8, WithBackend};

/// The backend for AVX-512 VBMI and GFNI.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vbmi(Avx512);

/// Runs the operation with AVX-512 VBMI.
///
/// # Safety
///
/// The processor must have AVX-512 F, BW, CD, DQ, VBMI and VBMI2, GFNI, LZCNT, BMI 1 and 2.
#[target_feature(
    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vbmi,avx512vbmi2,gfni,bmi1,bmi2,popcnt,lzcnt"
)]
pub(super) unsafe fn run<W: WithBackend>(work: W) -> W::Output {
    // SAFETY: the caller guarantees more.
    work.run(Vbmi(unsafe { Avx512::new() }))
}

impl Backend for Vbmi {
    type Block<'t> = Nibbles;
    type Eights = Self;

    #[inline(always)]
    fn load(self, octets: &[u8], table: &Table) -> Nibbles {
        self.0.load(octets, table)
    }

    #[inline(always)]
    fn bitmap(self, block: &Nibbles, table: &Table, class: Class) -> u64 {
        self.0.bitmap(block, table, class)
    }

    /// Eight classes at once: the octets of each eight are reversed before they are transposed, so
    /// that the first one's bit comes to be the lowest.
    #[inline(always)]
    fn write_bitmaps(self, octets: &[u8], table: &Table, bitmaps: &mut [[u64; 8]]) {
        /// The octets of each eight, backwards.
        static BACKWARDS: [u8; 16] = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8];
        // SAFETY: as above; 16 octets are read from an array of 16, each group is an array of twice
        // 64 octets, and 64 octets are written to eight numbers of eight.
        unsafe {
            let backwards = _mm512_broadcast_i32x4(_mm_loadu_si128(BACKWARDS.as_ptr().cast()));
            let octets = _mm512_shuffle_epi8(without_high(load(octets)), backwards);
            for (bitmaps, group) in bitmaps.iter_mut().zip(&table.groups) {
                let bits = by_bit(look_up(group, octets), &FIRST_IS_LOWEST);
                _mm512_storeu_si512(bitmaps.as_mut_ptr().cast(), bits);
            }
        }
    }

    #[inline(always)]
    fn equal(self, block: &Nibbles, octet: u8) -> u64 {
        self.0.equal(block, octet)
    }

    #[inline(always)]
    fn write_places(self, bitmap: u64, base: u32, places: &mut [u32; BLOCK]) {
        // SAFETY: as above; 64 octets are read from an array of 64, and 64 written to 16 numbers of
        // four.
        unsafe {
            let mut packed = _mm512_maskz_compress_epi8(bitmap, _mm512_loadu_si512(IN_ORDER.as_ptr().cast()));
            let base = _mm512_set1_epi32(base.cast_signed());
            let (chunks, _) = places.as_chunks_mut::<16>();
            let mut rest = bitmap.count_ones();
            for places in chunks {
                let sixteen = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(packed));
                _mm512_storeu_si512(places.as_mut_ptr().cast(), _mm512_add_epi32(base, sixteen));
                if rest <= 16 {
                    break;
                }
                rest -= 16;
                packed = _mm512_alignr_epi64::<2>(packed, packed);
            }
        }
    }

    #[inline(always)]
    fn push(self, out: &mut String, text: &str) {
        self.0.push(out, text);
    }

    #[inline(always)]
    fn prefetch(self, octets: &[u8], at: usize) {
        // SAFETY: as above; a prefetch reads nothing, whether the memory is mapped or not.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(octets.as_ptr().wrapping_add(at).cast()) }
    }

    #[inline(always)]
    fn eights(self) -> Self {
        self
    }
}

impl RowKernel for Vbmi {
    type Eight = Register;

    const IS_PROFITABLE: bool = true;

    #[inline(always)]
    fn all(self, number: u64) -> Register {
        // SAFETY: a `Vbmi` exists only inside of `run`, where the processor has the features.
        unsafe { Register::all(number) }
    }

    #[inline(always)]
    fn eight(self, numbers: &[u32; 8]) -> Register {
        // SAFETY: as above.
        unsafe { Register::of(numbers) }
    }

    #[inline(always)]
    fn code(self, buffer: &[u8], starts: &[u32; 8], table: &Table) -> Codes<Register> {
        let after_wholes = buffer.len().saturating_sub(BLOCK - 1) as u64;
        let all_are_whole = self.eight(starts).is_less(self.all(after_wholes)) == u8::MAX;
        // SAFETY: as above. A load without looking is of 64 octets from a start less than the
        // number of starts that are followed by 64 octets.
        unsafe {
            let mut rows = [_mm512_setzero_si512(); 8];
            for (row, &start) in rows.iter_mut().zip(starts) {
                *row = if all_are_whole {
                    _mm512_loadu_si512(buffer.as_ptr().add(start as usize).cast())
                } else {
                    load(buffer.get(start as usize..).unwrap_or_default())
                };
            }
            let any = rows.iter().fold(_mm512_setzero_si512(), |any, &row| _mm512_or_si512(any, row));
            if _mm512_movepi8_mask(any) != 0 {
                rows.iter_mut().for_each(|row| *row = without_high(*row));
            }
            for row in &mut rows {
                *row = by_bit(look_up(&table.codes, *row), &FIRST_IS_HIGHEST);
            }
            Codes(by_row(rows))
        }
    }
}

/// Replaces octets above 127 by 127, which is also of no class.
///
/// # Safety
///
/// The processor must have AVX-512 F and BW.
#[inline(always)]
unsafe fn without_high(octets: __m512i) -> __m512i {
    // SAFETY: guaranteed by the caller.
    unsafe { _mm512_mask_set1_epi8(octets, _mm512_movepi8_mask(octets), 127) }
}

/// Looks up octets, all less than 128, in a table.
///
/// # Safety
///
/// The processor must have AVX-512 F and VBMI.
#[inline(always)]
unsafe fn look_up(table: &[u8; 128], octets: __m512i) -> __m512i {
    // SAFETY: guaranteed by the caller; twice 64 octets are read from an array of 128.
    unsafe {
        let halves = [0, BLOCK].map(|at| _mm512_loadu_si512(table[at..].as_ptr().cast()));
        _mm512_permutex2var_epi8(halves[0], octets, halves[1])
    }
}

/// The numbers 0 to 63.
static IN_ORDER: [u8; BLOCK] = {
    let mut numbers = [0; BLOCK];
    let mut i = 0;
    while i < BLOCK {
        numbers[i] = i as u8;
        i += 1;
    }
    numbers
};

/// The source index of each octet: the first octet of each eight in reverse order, then the second
/// ones, and so on, so that the octets of one bit are together.
static FIRST_IS_HIGHEST: [u8; BLOCK] = {
    let mut places = [0; BLOCK];
    let mut i = 0;
    while i < BLOCK {
        places[i] = (8 * (7 - i % 8) + i / 8) as u8;
        i += 1;
    }
    places
};

/// The same, with the first octets of each eight in order.
static FIRST_IS_LOWEST: [u8; BLOCK] = {
    let mut places = [0; BLOCK];
    let mut i = 0;
    while i < BLOCK {
        places[i] = (8 * (i % 8) + i / 8) as u8;
        i += 1;
    }
    places
};

/// Transposes the codes of 64 octets into a bitmap for each of their bits.
///
/// In each lane of 64 bits are the codes of eight octets, a matrix of eight by eight bits. It is
/// turned about its diagonal; then the octets are sorted, so that each lane has what all lanes have
/// of a bit. Octet `a` is the first of the text, and its bit becomes the highest:
///
/// ```text
///           lane 0                     lane 7
/// codes     a7…a0 b7…b0 … h7…h0    …   s7…s0 t7…t0 … z7…z0
/// turned    a0…h0 a1…h1 … a7…h7    …   s0…z0 s1…z1 … s7…z7
/// sorted    a0…h0 … s0…z0          …   a7…h7 … s7…z7
///           bit 0 of every octet       bit 7 of every octet
/// ```
///
/// # Safety
///
/// The processor must have AVX-512 F, BW and VBMI, and GFNI.
#[inline(always)]
unsafe fn by_bit(codes: __m512i, order: &[u8; BLOCK]) -> __m512i {
    /// Octet b has bit b alone.
    const EACH_BIT: i64 = i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);
    // SAFETY: guaranteed by the caller; 64 octets are read from an array of 64.
    unsafe {
        // The product of a matrix and the unit vectors is the matrix turned about its diagonal;
        // since the instruction counts rows from the last one, the first octet's bit comes to be
        // the highest.
        let turned = _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(EACH_BIT), codes);
        _mm512_permutexvar_epi8(_mm512_loadu_si512(order.as_ptr().cast()), turned)
    }
}

/// Transposes eight rows with a bitmap for each bit into eight bits with a bitmap for each row:
/// eight by eight numbers of 64 bits, in three steps. A letter is a row, a digit a bit:
///
/// ```text
/// rows      a0 a1 a2 a3 a4 a5 a6 a7    and so on to
///           b0 b1 b2 b3 b4 b5 b6 b7    h0 h1 h2 h3 h4 h5 h6 h7
///
/// even      a0 b0 a2 b2 a4 b4 a6 b6    unpack: the even numbers of two rows, in pairs
/// odd       a1 b1 a3 b3 a5 b5 a7 b7            the odd numbers
///
/// EVEN      a0 b0 a4 b4 c0 d0 c4 d4    shuffle of two results: their pairs 0 and 2
/// ODD       a2 b2 a6 b6 c2 d2 c6 d6                            their pairs 1 and 3
///
/// EVEN      a0 b0 c0 d0 e0 f0 g0 h0    the same again: bit 0
/// ODD       a4 b4 c4 d4 e4 f4 g4 h4                    bit 4
/// ```
///
/// # Safety
///
/// The processor must have AVX-512 F.
#[inline(always)]
unsafe fn by_row(rows: [__m512i; 8]) -> [Register; 8] {
    const EVEN: i32 = 0b10_00_10_00;
    const ODD: i32 = 0b11_01_11_01;
    // SAFETY: guaranteed by the caller.
    unsafe {
        let mut bits = [Register(_mm512_setzero_si512()); 8];
        let even = [
            _mm512_unpacklo_epi64(rows[0], rows[1]),
            _mm512_unpacklo_epi64(rows[2], rows[3]),
            _mm512_unpacklo_epi64(rows[4], rows[5]),
            _mm512_unpacklo_epi64(rows[6], rows[7]),
        ];
        let odd = [
            _mm512_unpackhi_epi64(rows[0], rows[1]),
            _mm512_unpackhi_epi64(rows[2], rows[3]),
            _mm512_unpackhi_epi64(rows[4], rows[5]),
            _mm512_unpackhi_epi64(rows[6], rows[7]),
        ];
        for (bit, pairs) in [even, odd].into_iter().enumerate() {
            let first = _mm512_shuffle_i64x2::<EVEN>(pairs[0], pairs[1]);
            let second = _mm512_shuffle_i64x2::<EVEN>(pairs[2], pairs[3]);
            bits[bit] = Register(_mm512_shuffle_i64x2::<EVEN>(first, second));
            bits[bit + 4] = Register(_mm512_shuffle_i64x2::<ODD>(first, second));
            let first = _mm512_shuffle_i64x2::<ODD>(pairs[0], pairs[1]);
            let second = _mm512_shuffle_i64x2::<ODD>(pairs[2], pairs[3]);
            bits[bit + 2] = Register(_mm512_shuffle_i64x2::<EVEN>(first, second));
            bits[bit + 6] = Register(_mm512_shuffle_i64x2::<ODD>(first, second));
        }
        bits
    }
}
