//! AVX-512: a block is one register. A masked load never reads memory after the text. Octets are
//! classified by their two nibbles.

use alloc::string::String;
use core::arch::x86_64::{
    __m128i, __m512i, _cvtu64_mask64, _mm_loadu_si128, _mm512_and_si512, _mm512_broadcast_i32x4,
    _mm512_cmpeq_epi8_mask, _mm512_mask_loadu_epi8, _mm512_mask_storeu_epi8, _mm512_maskz_set1_epi64,
    _mm512_set1_epi8, _mm512_shuffle_epi8, _mm512_srli_epi16, _mm512_test_epi8_mask,
};

use super::eight::OctetByOctet;
use super::{BLOCK, Backend, Class, Table, WithBackend};

/// The backend for AVX-512 F and BW.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

/// The octets, with the bit of the high nibble of each in [`Table::nibbles`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nibbles {
    octets: __m512i,
    high: __m512i,
}

/// Runs the operation with AVX-512.
///
/// # Safety
///
/// The processor must have AVX-512 F and BW, BMI 1 and 2.
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,popcnt")]
pub(super) unsafe fn run<W: WithBackend>(work: W) -> W::Output {
    work.run(Avx512(()))
}

/// Loads the first octets of a text, at most a block; the rest of the register has an octet of no
/// class.
///
/// # Safety
///
/// The processor must have AVX-512 F and BW.
#[inline(always)]
pub(super) unsafe fn load(octets: &[u8]) -> __m512i {
    let lanes = lanes(octets.len());
    // SAFETY: a lane is read only where `lanes` has a bit, that is, below `octets.len()`; the
    // others are not read, whether the memory is mapped or not.
    unsafe { _mm512_mask_loadu_epi8(_mm512_set1_epi8(-1), _cvtu64_mask64(lanes), octets.as_ptr().cast()) }
}

/// Returns a mask of the first `len` octets, at most a block.
#[inline(always)]
fn lanes(len: usize) -> u64 {
    u64::MAX.unbounded_shr(BLOCK.saturating_sub(len) as u32)
}

impl Avx512 {
    /// # Safety
    ///
    /// The processor must have AVX-512 F and BW.
    #[inline(always)]
    pub(super) unsafe fn new() -> Self {
        Self(())
    }
}

impl Backend for Avx512 {
    type Block<'t> = Nibbles;
    type Eights = OctetByOctet;

    #[inline(always)]
    fn load(self, octets: &[u8], _: &Table) -> Nibbles {
        // Nibbles 0 to 7 have the bit of the same number; octets above 127 have none.
        const BITS: i64 = i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);
        // SAFETY: an `Avx512` exists only inside of `run`, where the processor has the features.
        unsafe {
            let octets = load(octets);
            let nibble = _mm512_and_si512(_mm512_srli_epi16::<4>(octets), _mm512_set1_epi8(0x0F));
            let bits = _mm512_maskz_set1_epi64(0b0101_0101, BITS);
            Nibbles { octets, high: _mm512_shuffle_epi8(bits, nibble) }
        }
    }

    #[inline(always)]
    fn bitmap(self, block: &Nibbles, table: &Table, class: Class) -> u64 {
        let nibbles: &[u8; 16] = &table.nibbles[class.number()];
        // SAFETY: as above; 16 octets are read from an array of 16.
        unsafe {
            let row: __m128i = _mm_loadu_si128(nibbles.as_ptr().cast());
            let low = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(row), block.octets);
            _mm512_test_epi8_mask(low, block.high)
        }
    }

    #[inline(always)]
    fn equal(self, block: &Nibbles, octet: u8) -> u64 {
        // SAFETY: as above.
        unsafe { _mm512_cmpeq_epi8_mask(block.octets, _mm512_set1_epi8(octet.cast_signed())) }
    }

    #[inline(always)]
    fn push(self, out: &mut String, text: &str) {
        // SAFETY: the appended octets are a complete `str`. Each store writes the octets of one
        // block, which are within the reserved capacity, and the length is set after it.
        unsafe {
            let out = out.as_mut_vec();
            out.reserve(text.len());
            for block in text.as_bytes().chunks(BLOCK) {
                let spare = out.as_mut_ptr().add(out.len());
                _mm512_mask_storeu_epi8(spare.cast(), _cvtu64_mask64(lanes(block.len())), load(block));
                out.set_len(out.len() + block.len());
            }
        }
    }

    #[inline(always)]
    fn eights(self) -> OctetByOctet {
        OctetByOctet
    }
}
