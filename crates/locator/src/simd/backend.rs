//! What a SIMD backend must provide.

use super::eight::{BLOCK, RowKernel};
use super::table::{Class, Table};
use alloc::string::String;

/// A SIMD implementation of octet classification.
///
/// Every backend returns the same bitmaps for the same block: bit i is set if octet i of the block
/// is of the class, and never after its end. [`Plain`](super::Plain) defines the results; tests
/// compare every backend with it for every octet, length and alignment.
///
/// Every method must be `#[inline(always)]`, so that it is compiled with the `target_feature`s of
/// the function that an operation runs in, except the methods of backends that need none.
pub trait Backend: Copy {
    /// A block in the representation of the backend: registers, or bitmaps made beforehand. It may
    /// borrow the octets, and copying it must be cheap.
    type Block<'t>: Copy;

    /// Loads the first octets, at most 64 of them. No octet after the end of the slice may
    /// be read, and none that is after it may be in a bitmap. The slice may be empty and need not
    /// be aligned.
    fn load<'t>(self, octets: &'t [u8], table: &Table) -> Self::Block<'t>;

    /// Returns the bitmap of the octets of a class: bit i is octet i. The table must be the one
    /// that the block was loaded with, because a backend may look octets up when they are loaded.
    fn bitmap(self, block: &Self::Block<'_>, table: &Table, class: Class) -> u64;

    /// Writes the bitmaps of the first octets, at most 64 of them, for the classes of the first
    /// groups, as many as the slice has. Numbers of no class have empty bitmaps.
    #[inline(always)]
    fn write_bitmaps(self, octets: &[u8], table: &Table, bitmaps: &mut [[u64; 8]]) {
        let block = self.load(octets, table);
        // Borrowed: an array that is iterated by value is copied first.
        for (bitmap, &class) in bitmaps.as_flattened_mut().iter_mut().zip(&Class::ALL) {
            *bitmap = self.bitmap(&block, table, class);
        }
    }

    /// Returns the bitmap of the octets equal to this one. It must not be 0xFF, which a backend may
    /// put after the end of the text. This must be the fastest search, because the start of the
    /// next row depends on it.
    fn equal(self, block: &Self::Block<'_>, octet: u8) -> u64;

    /// Writes the positions of the bits of a bitmap, plus `base`, from the lowest; elements after
    /// them are undefined. The sum wraps around.
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

    /// Announces that the octets from `at` on, if there are any, will be read soon. The processor
    /// itself is late in predicting a search that reads far more than it computes.
    #[inline(always)]
    fn prefetch(self, octets: &[u8], at: usize) {
        let _ = (octets, at);
    }

    /// The kernel for operations on eight rows at once.
    type Eights: RowKernel;

    /// Returns the kernel.
    fn eights(self) -> Self::Eights;
}
