//! SIMD: takes the octets of a text and returns bitmaps of character classes.
//!
//! An edition has a [`Table`] of the classes of every octet. Searches ("the first octet of this
//! class", "the first that is not") use bitmaps, 64 octets at a time. A [`Backend`] is one
//! implementation of the bitmaps, and [`dispatch`] selects it. This module knows nothing about
//! URLs. Users of the library see [`AsciiSet`] and [`SimdBackend`]:
//!
//! ```
//! use locator::AsciiSet;
//!
//! const SLUG: AsciiSet = AsciiSet::of(b"abcdefghijklmnopqrstuvwxyz0123456789-");
//! assert!(b"my-first-post".iter().all(|octet| SLUG.contains(*octet)));
//! ```
//!
//! Code that is generic over a backend is compiled once for each of them, so only the fast path of
//! an operation is generic. Rare code uses [`Bitmaps`], which is compiled once and calls the
//! backend. VBMI's copy is omitted where it would equal that of AVX-512
//! ([`WithBackend::USES_VBMI`]), and backends whose block takes four registers make a bitmap in a
//! function that is not inlined.

#![allow(unsafe_code, reason = "the intrinsics of processors; each backend is compared with the plain one")]

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx512;
mod backend;
mod choose;
mod eight;
mod map;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
mod plain;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod register;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod ssse3;
mod table;
#[cfg(test)]
mod tests;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod vbmi;

pub use backend::Backend;
pub use choose::{SimdBackend, dispatch};
#[cfg(any(test, feature = "bulk"))]
pub(crate) use eight::RowKernel;
pub(crate) use eight::{BLOCK, Bit, ByteCategory, Codes, U64x8};
pub(crate) use map::{Bitmaps, Blocks, ClassSearch, ShortText, Walk, broken_escape};
pub use plain::Plain;
pub(crate) use table::GROUPS;
pub use table::{AsciiSet, Class, Table};

/// An operation that is generic over the backend.
pub trait WithBackend {
    /// The result of the operation.
    type Output;

    /// Whether it uses what AVX-512 VBMI has beyond AVX-512: [`Backend::eights`],
    /// [`Backend::write_bitmaps`] or [`Backend::write_places`]. Other operations are compiled for
    /// AVX-512 once.
    const USES_VBMI: bool = false;

    /// Whether it is compiled for AVX-512 and NEON only. The other backends use
    /// [`run_plain`](Self::run_plain), which can call the selected backend for parts of the work.
    const WIDEST_ONLY: bool = false;

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
