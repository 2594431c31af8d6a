//! AVX-512: a block is one register, and a load that leaves out lanes never touches what is
//! behind the text. With VBMI an octet is looked up in a table of 128 at once; without it, by
//! its two nibbles.

use core::arch::x86_64::{
    __m128i, __m512i, _cvtu64_mask64, _mm_loadu_si128, _mm512_and_si512, _mm512_broadcast_i32x4,
    _mm512_cmpeq_epi8_mask, _mm512_loadu_si512, _mm512_mask_loadu_epi8, _mm512_maskz_permutex2var_epi8,
    _mm512_maskz_set1_epi64, _mm512_movepi8_mask, _mm512_set1_epi8, _mm512_shuffle_epi8, _mm512_srli_epi16,
    _mm512_test_epi8_mask,
};

use super::{BLOCK, Class, Machine, Table, Work};

/// AVX-512 F and BW.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

/// The octets, and for each the bit that its high nibble has in [`Table::nibbles`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nibbles {
    octets: __m512i,
    high: __m512i,
}

/// AVX-512 VBMI.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vbmi(());

/// Does the work with AVX-512.
///
/// # Safety
///
/// The processor must have AVX-512 F and BW, BMI 1 and 2.
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,popcnt")]
pub(super) unsafe fn run<W: Work>(work: W) -> W::Output {
    work.run(Avx512(()))
}

/// Does the work with AVX-512 VBMI.
///
/// # Safety
///
/// The processor must have AVX-512 F, BW and VBMI, BMI 1 and 2.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2,popcnt")]
pub(super) unsafe fn run_with_vbmi<W: Work>(work: W) -> W::Output {
    work.run(Vbmi(()))
}

/// The first octets of a text, at most a block of them; behind them an octet that no class knows.
///
/// # Safety
///
/// The processor must have AVX-512 F and BW.
#[inline(always)]
unsafe fn load(octets: &[u8]) -> __m512i {
    let lanes = u64::MAX.unbounded_shr((BLOCK as u32).saturating_sub(octets.len() as u32));
    // SAFETY: a lane is read only where `lanes` has a bit, that is, below `octets.len()`; the others
    // are not touched, be the memory there or not.
    unsafe { _mm512_mask_loadu_epi8(_mm512_set1_epi8(-1), _cvtu64_mask64(lanes), octets.as_ptr().cast()) }
}

impl Machine for Avx512 {
    type Block<'t> = Nibbles;

    #[inline(always)]
    fn load(self, octets: &[u8], _: &Table) -> Nibbles {
        // For nibbles 0 to 7 the bit of the same number; octets above 127 have none.
        const BITS: i64 = i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);
        // SAFETY: there is an `Avx512` only inside of `run`, where the processor has the features.
        unsafe {
            let octets = load(octets);
            let nibble = _mm512_and_si512(_mm512_srli_epi16::<4>(octets), _mm512_set1_epi8(0x0F));
            let bits = _mm512_maskz_set1_epi64(0b0101_0101, BITS);
            Nibbles { octets, high: _mm512_shuffle_epi8(bits, nibble) }
        }
    }

    #[inline(always)]
    fn bitmap(self, block: Nibbles, table: &Table, class: Class) -> u64 {
        let nibbles: &[u8; 16] = &table.nibbles[class as usize];
        // SAFETY: as above; 16 octets are read from an array of 16.
        unsafe {
            let row: __m128i = _mm_loadu_si128(nibbles.as_ptr().cast());
            let low = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(row), block.octets);
            _mm512_test_epi8_mask(low, block.high)
        }
    }

    #[inline(always)]
    fn equal(self, block: Nibbles, octet: u8) -> u64 {
        // SAFETY: as above.
        unsafe { _mm512_cmpeq_epi8_mask(block.octets, _mm512_set1_epi8(octet.cast_signed())) }
    }
}

/// The octets, and for each its entry in the table's first group; in another group they are looked up
/// when one of its classes is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entries {
    octets: __m512i,
    first_group: __m512i,
}

impl Machine for Vbmi {
    type Block<'t> = Entries;

    #[inline(always)]
    fn load(self, octets: &[u8], table: &Table) -> Entries {
        // SAFETY: there is a `Vbmi` only inside of `run_with_vbmi`, where the processor has the features.
        unsafe {
            let octets = load(octets);
            Entries { octets, first_group: look_up(octets, &table.groups[0]) }
        }
    }

    #[inline(always)]
    fn load_whole(self, octets: &[u8; BLOCK], table: &Table) -> Entries {
        // SAFETY: as above; 64 octets are read from an array of 64.
        unsafe {
            let octets = _mm512_loadu_si512(octets.as_ptr().cast());
            Entries { octets, first_group: look_up(octets, &table.groups[0]) }
        }
    }

    #[inline(always)]
    fn bitmap(self, block: Entries, table: &Table, class: Class) -> u64 {
        let class = class as usize;
        // SAFETY: as above.
        unsafe {
            let entries = match class / 8 {
                0 => block.first_group,
                group => look_up(block.octets, &table.groups[group]),
            };
            _mm512_test_epi8_mask(entries, _mm512_set1_epi8(1 << (class % 8)))
        }
    }

    #[inline(always)]
    fn equal(self, block: Entries, octet: u8) -> u64 {
        // SAFETY: as above.
        unsafe { _mm512_cmpeq_epi8_mask(block.octets, _mm512_set1_epi8(octet.cast_signed())) }
    }
}

/// For each octet its entry; nothing for those above 127.
///
/// # Safety
///
/// The processor must have AVX-512 F, BW and VBMI.
#[inline(always)]
unsafe fn look_up(octets: __m512i, group: &[u8; 128]) -> __m512i {
    // SAFETY: what the caller guarantees; twice 64 octets are read from an array of 128.
    unsafe {
        let first = _mm512_loadu_si512(group.as_ptr().cast());
        let second = _mm512_loadu_si512(group.as_ptr().add(BLOCK).cast());
        _mm512_maskz_permutex2var_epi8(!_mm512_movepi8_mask(octets), first, octets, second)
    }
}
