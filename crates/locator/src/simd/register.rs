//! Eight numbers in one register of AVX-512.

use core::arch::x86_64::{
    __m512i, _mm256_loadu_si256, _mm256_storeu_si256, _mm512_add_epi64, _mm512_and_si512,
    _mm512_cmpeq_epi64_mask, _mm512_cmplt_epu64_mask, _mm512_cvtepi64_epi32, _mm512_cvtepu32_epi64,
    _mm512_lzcnt_epi64, _mm512_mask_blend_epi64, _mm512_movepi64_mask, _mm512_or_si512, _mm512_set1_epi64,
    _mm512_sllv_epi64, _mm512_srlv_epi64, _mm512_xor_si512,
};
use core::ops::{BitAnd, BitOr, Not};

use super::eight::U64x8;

/// Eight numbers. A value exists only if the processor has AVX-512 F, CD and DQ; the code that creates
/// it checks this.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Register(pub(super) __m512i);

// Every `unsafe` below is of one kind: the intrinsics need AVX-512 F (CD for the leading zeros, DQ
// for the highest bits), which the processor has if a `Register` exists.

impl Register {
    /// # Safety
    ///
    /// The processor must have AVX-512 F, CD and DQ.
    #[inline(always)]
    pub(super) unsafe fn all(number: u64) -> Self {
        // SAFETY: guaranteed by the caller.
        Self(unsafe { _mm512_set1_epi64(number.cast_signed()) })
    }

    /// # Safety
    ///
    /// The processor must have AVX-512 F, CD and DQ.
    #[inline(always)]
    pub(super) unsafe fn of(numbers: &[u32; 8]) -> Self {
        // SAFETY: guaranteed by the caller; 32 octets are read from eight numbers of four.
        Self(unsafe { _mm512_cvtepu32_epi64(_mm256_loadu_si256(numbers.as_ptr().cast())) })
    }
}

impl BitAnd for Register {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: a `Register` exists.
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }
}

impl BitOr for Register {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: a `Register` exists.
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }
}

impl Not for Register {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: a `Register` exists.
        Self(unsafe { _mm512_xor_si512(self.0, _mm512_set1_epi64(-1)) })
    }
}

impl U64x8 for Register {
    #[inline(always)]
    fn numbers(self) -> [u32; 8] {
        let mut numbers = [0; 8];
        // SAFETY: a `Register` exists; 32 octets are written to eight numbers of four.
        unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), _mm512_cvtepi64_epi32(self.0)) };
        numbers
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: a `Register` exists.
        Self(unsafe { _mm512_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn up(self, places: Self) -> Self {
        // SAFETY: a `Register` exists.
        Self(unsafe { _mm512_sllv_epi64(self.0, places.0) })
    }

    #[inline(always)]
    fn down(self, places: Self) -> Self {
        // SAFETY: a `Register` exists.
        Self(unsafe { _mm512_srlv_epi64(self.0, places.0) })
    }

    #[inline(always)]
    fn leading_zeros(self) -> Self {
        // SAFETY: a `Register` exists.
        Self(unsafe { _mm512_lzcnt_epi64(self.0) })
    }

    #[inline(always)]
    fn equals(self, other: Self) -> u8 {
        // SAFETY: a `Register` exists.
        unsafe { _mm512_cmpeq_epi64_mask(self.0, other.0) }
    }

    #[inline(always)]
    fn is_less(self, other: Self) -> u8 {
        // SAFETY: a `Register` exists.
        unsafe { _mm512_cmplt_epu64_mask(self.0, other.0) }
    }

    #[inline(always)]
    fn highest(self) -> u8 {
        // SAFETY: a `Register` exists.
        unsafe { _mm512_movepi64_mask(self.0) }
    }

    #[inline(always)]
    fn or_where(self, which: u8, other: Self) -> Self {
        // SAFETY: a `Register` exists.
        Self(unsafe { _mm512_mask_blend_epi64(which, other.0, self.0) })
    }
}
