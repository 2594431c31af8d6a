//! Which columns a batch writes, and which rows it reads.

use super::write::COLUMNS;
use core::fmt::Debug;

/// A set of the columns of a [`Batch`](super::Batch): those that are not in it are not written, which is
/// faster.
///
/// ```
/// use locator::bulk::{Batch, Columns, Separator};
///
/// let mut batch =
///     Batch::new().columns(Columns::ERRORS.union(Columns::PATH_STARTS));
/// batch.read(b"http://a/b\nhttp://a b\n", Separator::Newline)?;
/// assert_eq!(batch.errors(), [Batch::VALID, 8]);
/// assert!(batch.host_starts().is_empty());
/// # Ok::<_, locator::bulk::BufferTooLongError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns(u16);

impl Columns {
    /// All columns.
    pub const ALL: Self = Self((1 << COLUMNS) - 1);
    /// [`Batch::starts`](super::Batch::starts).
    pub const STARTS: Self = Self(1);
    /// [`Batch::ends`](super::Batch::ends).
    pub const ENDS: Self = Self(1 << 1);
    /// [`Batch::errors`](super::Batch::errors).
    pub const ERRORS: Self = Self(1 << 2);
    /// [`Batch::scheme_ends`](super::Batch::scheme_ends).
    pub const SCHEME_ENDS: Self = Self(1 << 3);
    /// [`Batch::host_starts`](super::Batch::host_starts).
    pub const HOST_STARTS: Self = Self(1 << 4);
    /// [`Batch::host_ends`](super::Batch::host_ends).
    pub const HOST_ENDS: Self = Self(1 << 5);
    /// [`Batch::path_starts`](super::Batch::path_starts).
    pub const PATH_STARTS: Self = Self(1 << 6);
    /// [`Batch::path_ends`](super::Batch::path_ends).
    pub const PATH_ENDS: Self = Self(1 << 7);
    /// [`Batch::query_ends`](super::Batch::query_ends).
    pub const QUERY_ENDS: Self = Self(1 << 8);
    /// [`Batch::marks`](super::Batch::marks).
    pub const MARKS: Self = Self(1 << 9);

    /// Returns the columns of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether all columns of the other set are in this one.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(super) const fn has(self, column: usize) -> bool {
        self.0 >> column & 1 == 1
    }
}

/// Which rows are read, as Arrow's validity bitmap: a bit for each row, the lowest of an octet first.
///
/// ```
/// use locator::bulk::Mask;
///
/// assert_eq!(Mask::new(&[0b0000_1011], 0).len(), 8);
/// assert_eq!(Mask::new(&[0b0000_1011], 3).len(), 5);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mask<'a> {
    bits: &'a [u8],
    offset: usize,
}

impl<'a> Mask<'a> {
    /// Creates a mask whose first bit is at an offset, in bits.
    #[must_use]
    pub const fn new(bits: &'a [u8], offset: usize) -> Self {
        Self { bits, offset }
    }

    /// Returns the number of bits.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.bits.len().saturating_mul(8).saturating_sub(self.offset)
    }

    /// Returns whether there are no bits.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bits of 64 rows; those after the last one are 0.
    #[inline]
    pub(super) fn bits_from(&self, row: usize) -> u64 {
        let (start, shift) = ((self.offset + row) / 8, (self.offset + row) % 8);
        let rest = self.bits.get(start..).unwrap_or_default();
        let mut octets = [0; 16];
        for (to, from) in octets.iter_mut().zip(rest.iter().take(9)) {
            *to = *from;
        }
        (u128::from_le_bytes(octets) >> shift) as u64
    }
}
