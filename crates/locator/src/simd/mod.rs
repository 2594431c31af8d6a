//! SIMD: takes the octets of a text and returns bitmaps of character classes.
//!
//! An edition has a [`Table`] of the classes of every octet. Searches ("the first octet of this
//! class", "the first that is not") use bitmaps, 64 octets at a time. A [`Backend`] is one
//! implementation of the bitmaps, and [`dispatch`] selects it. This module knows nothing about
//! URLs.
//!
//! Code that is generic over a backend is compiled once for each of them, so only the fast path of
//! an operation is generic. Rare code uses [`Bitmaps`], which is compiled once and calls the
//! backend. VBMI's copy is omitted where it would equal that of AVX-512
//! ([`WithBackend::USES_VBMI`]), and backends whose block takes four registers make a bitmap in a
//! function that is not inlined.

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
pub(crate) use table::{Class, Table};
pub(crate) use walk::{Blocks, Walk};

use alloc::string::String;

/// The number of octets in a block, which is the number of bits in a bitmap.
pub(crate) const BLOCK: usize = 64;

/// A SIMD implementation of octet classification.
///
/// Every backend returns the same bitmaps for the same block: bit i is set if octet i of the block
/// is of the class, and never after its end.
pub(crate) trait Backend: Copy {
    /// A block in the representation of the backend: registers, or bitmaps made beforehand.
    type Block<'t>: Copy;

    /// Loads the first octets, at most [`BLOCK`] of them.
    fn load<'t>(self, octets: &'t [u8], table: &Table) -> Self::Block<'t>;

    /// Returns the bitmap of the octets of a class.
    fn bitmap(self, block: &Self::Block<'_>, table: &Table, class: Class) -> u64;

    /// Returns the bitmap of the octets equal to this one, which is not 0xFF. This must be the
    /// fastest search, because the start of the next row depends on it.
    fn equal(self, block: &Self::Block<'_>, octet: u8) -> u64;

    /// Writes the positions of the bits of a bitmap, plus `base`; elements after them are
    /// undefined.
    #[inline(always)]
    fn write_places(self, bitmap: u64, base: u32, places: &mut [u32; BLOCK]) {
        let mut rest = bitmap;
        // Four are always written, which is faster than a branch.
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

    /// Appends a text to another. A copy of any length first branches on the length. For the short
    /// texts of references, the mispredicted branch takes longer than the copy.
    #[inline(always)]
    fn push(self, out: &mut String, text: &str) {
        out.push_str(text);
    }

    /// The kernel for operations on eight rows at once.
    type Eights: RowKernel;

    fn eights(self) -> Self::Eights;
}

/// An operation that is generic over the backend.
pub(crate) trait WithBackend {
    /// The result of the operation.
    type Output;

    /// Whether it uses what AVX-512 VBMI has beyond AVX-512: [`Backend::eights`] or
    /// [`Backend::write_places`]. Other operations are compiled for AVX-512 once.
    const USES_VBMI: bool = false;

    /// Runs the operation on a backend. It must be `#[inline(always)]`, down to the backend's own
    /// methods, so that all of it is compiled for that backend.
    fn run<M: Backend>(self, backend: M) -> Self::Output;

    /// Runs the operation on the plain backend. Its code is the only one that would be inlined into
    /// the caller. Operations that are called in a loop make this `#[inline(never)]`; otherwise the
    /// loop reserves registers for code that it never runs.
    #[inline(always)]
    fn run_plain(self) -> Self::Output
    where
        Self: Sized,
    {
        self.run(Plain)
    }
}
