//! The SIMD module: octets in, bitmaps out.
//!
//! An edition is a [`Table`] that tells for every octet in which classes it is. The room
//! answers every question of the parser ("where is the first octet of this class", "where is
//! the first that is not") from bitmaps, 64 octets at a time; a [`Backend`] is one way of
//! making them, and [`dispatch`] chooses it. Nothing here knows what a URL is.
//!
//! Whatever is generic over a backend is compiled once for each of them, so only the common path of a verb is. Rare
//! code asks [`Bitmaps`], which is compiled once and calls the backend. VBMI's copy is left out where it would be that
//! of AVX-512 ([`WithBackend::USES_VBMI`]), and backends whose block takes four registers make a bitmap by a call.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unsafe_code)]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unsafe_code)]
mod avx512;
mod choose;
mod eight;
mod map;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[allow(unsafe_code)]
mod neon;
mod plain;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unsafe_code)]
mod register;
mod set;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unsafe_code)]
mod ssse3;
mod table;
#[cfg(test)]
#[allow(unsafe_code)]
mod tests;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unsafe_code)]
mod vbmi;
mod walk;

pub use choose::SimdBackend;
pub(crate) use choose::dispatch;
pub(crate) use eight::{Bit, ByteCategory, Codes, RowKernel, U64x8};
pub(crate) use map::{Bitmaps, ClassSearch, LongText, ShortText, broken_escape};
pub(crate) use plain::Plain;
pub use set::AsciiSet;
pub(crate) use table::{Class, Sets, Table};
pub(crate) use walk::{Blocks, Walk};

use alloc::string::String;

/// How many octets one bitmap tells of.
pub(crate) const BLOCK: usize = 64;

/// One way of classifying octets: this is the seam.
///
/// For every machine the same block gives the same bitmaps: bit i of a bitmap is set if
/// octet i of the block is of the class, and never beyond its length.
pub(crate) trait Backend: Copy {
    /// A block as the backend likes to have it: registers, or bitmaps made beforehand.
    type Block<'t>: Copy;

    /// Takes in the first octets, at most [`BLOCK`] of them.
    fn load<'t>(self, octets: &'t [u8], table: &Table) -> Self::Block<'t>;

    /// The bitmap of the octets of a class.
    fn bitmap(self, block: &Self::Block<'_>, table: &Table, class: Class) -> u64;

    /// The bitmap of the octets that are this one, which is not 0xFF: the shortest question there is,
    /// since where the next row begins hangs on it.
    fn equal(self, block: &Self::Block<'_>, octet: u8) -> u64;

    /// Writes where the bits of a bitmap are, `base` more each; behind them anything.
    #[inline(always)]
    fn write_places(self, bitmap: u64, base: u32, places: &mut [u32; BLOCK]) {
        let mut rest = bitmap;
        // Four are written whether they are there or not, which is faster than to ask.
        for place in &mut places[..4] {
            *place = base.wrapping_add(rest.trailing_zeros());
            rest &= rest.wrapping_sub(1);
        }
        for place in &mut places[4..] {
            if rest == 0 {
                break;
            }
            *place = base + rest.trailing_zeros();
            rest &= rest - 1;
        }
    }

    /// Puts a text behind another. What copies any length must first ask how long it is, and for the short
    /// texts that references are made of, no two alike, the asking takes longer than the copying.
    #[inline(always)]
    fn push(self, out: &mut String, text: &str) {
        out.push_str(text);
    }

    /// How it looks at eight rows at once.
    type Eights: RowKernel;

    fn eights(self) -> Self::Eights;
}

/// Something to be done on whatever backend there is.
pub(crate) trait WithBackend {
    /// What comes out.
    type Output;

    /// Whether it uses what AVX-512 VBMI has beyond AVX-512: [`Backend::eights`] or [`Backend::write_places`].
    /// Other works are compiled for AVX-512 once.
    const USES_VBMI: bool = false;

    /// Does it on this machine. Must be `#[inline(always)]`, down to the backend's own methods, so
    /// that all of it is compiled for that backend.
    fn run<M: Backend>(self, backend: M) -> Self::Output;

    /// The same on the plain backend, whose code is the only one that would stand within the caller's: what is
    /// called in a loop has it `#[inline(never)]`, or the loop makes room for what it never does.
    #[inline(always)]
    fn run_plain(self) -> Self::Output
    where
        Self: Sized,
    {
        self.run(Plain)
    }
}
