//! The rows of a batch as references. Takes the columns and the buffer that they are of, and returns
//! references without parsing a row again.

use core::fmt::{self, Debug, Formatter};
use core::iter::FusedIterator;
use core::ops::Range;

use super::write::{COLUMNS, VALID};
use crate::edition::Edition;
use crate::reference::UriRef;
use crate::span::{ComponentSpans, HostKind};

/// The rows of a buffer as references, which [`Batch::references`](super::Batch::references) returns.
///
/// ```
/// use locator::bulk::Batch;
///
/// let buffer = b"http://a/http://b c/";
/// let mut batch = Batch::new();
/// let rows = batch.references(buffer, &[0, 9], &[9, 11], None)?;
/// assert_eq!(rows.get(0).unwrap().path(), "/");
/// assert!(rows.get(1).is_none());
/// # Ok::<_, locator::bulk::RowsError>(())
/// ```
#[derive(Clone, Copy)]
pub struct References<'b, 'a> {
    rows: Texts<'b, 'a>,
    edition: &'static Edition,
    errors: &'b [u32],
    spans: &'b [ComponentSpans],
}

/// The texts of rows.
#[derive(Clone, Copy)]
struct Texts<'b, 'a> {
    buffer: &'a [u8],
    /// The start of each row in the buffer.
    starts: &'b [u64],
    /// The part of the buffer with all rows, and its start there, if it is UTF-8 as a whole.
    whole: Option<(&'a str, usize)>,
}

impl<'b, 'a> References<'b, 'a> {
    /// Returns the rows of a buffer with the errors and spans that were found in it.
    pub(super) fn new(
        buffer: &'a [u8],
        starts: &'b [u64],
        lengths: &[u32],
        errors: &'b [u32],
        spans: &'b [ComponentSpans],
        edition: &'static Edition,
    ) -> Self {
        Self { rows: Texts::new(buffer, starts, lengths, errors), edition, errors, spans }
    }
}

impl<'b, 'a> References<'b, 'a> {
    /// Returns the number of rows.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.rows.starts.len()
    }

    /// Returns whether there are no rows.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rows.starts.is_empty()
    }

    /// Returns a row; `None` if it is not valid, the mask excludes it or it does not exist.
    #[inline]
    #[must_use]
    pub fn get(&self, row: usize) -> Option<UriRef<'a>> {
        if *self.errors.get(row)? != VALID {
            return None;
        }
        let spans = self.spans.get(row)?;
        let text = self.rows.get(row, spans.len as usize)?;
        Some(UriRef::of_parts(text, *spans, self.edition))
    }

    /// Returns an iterator over the rows; `None` as [`get`](Self::get) returns it.
    pub const fn iter(&self) -> ReferencesIter<'b, 'a> {
        ReferencesIter { references: *self, rows: 0..self.len() }
    }
}

impl<'b, 'a> IntoIterator for References<'b, 'a> {
    type Item = Option<UriRef<'a>>;
    type IntoIter = ReferencesIter<'b, 'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'b, 'a> IntoIterator for &References<'b, 'a> {
    type Item = Option<UriRef<'a>>;
    type IntoIter = ReferencesIter<'b, 'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The references of rows: the result of [`References::iter`].
///
/// ```
/// use locator::bulk::Batch;
///
/// let buffer = b"http://a/http://b c/";
/// let mut batch = Batch::new();
/// let rows = batch.references(buffer, &[0, 9], &[9, 11], None)?;
/// assert_eq!(rows.iter().flatten().count(), 1);
/// # Ok::<_, locator::bulk::RowsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReferencesIter<'b, 'a> {
    references: References<'b, 'a>,
    rows: Range<usize>,
}

impl<'a> Iterator for ReferencesIter<'_, 'a> {
    type Item = Option<UriRef<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.rows.next().map(|row| self.references.get(row))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rows.size_hint()
    }
}

impl ExactSizeIterator for ReferencesIter<'_, '_> {}

impl FusedIterator for ReferencesIter<'_, '_> {}

impl<'b, 'a> Texts<'b, 'a> {
    fn new(buffer: &'a [u8], starts: &'b [u64], lengths: &[u32], errors: &[u32]) -> Self {
        let (mut first, mut end, mut sum) = (u64::MAX, 0, 0);
        for ((&start, &length), &error) in starts.iter().zip(lengths).zip(errors) {
            let (length, is_valid) = (u64::from(length), error == VALID);
            first = first.min(if is_valid { start } else { u64::MAX });
            end = end.max(if is_valid { start.saturating_add(length) } else { 0 });
            sum += if is_valid { length } else { 0 };
        }
        let (first, end) = (first as usize, end as usize);
        // What is between the rows must not take longer than the rows.
        let is_dense = (end as u64).saturating_sub(first as u64) <= 2 * sum;
        let octets = buffer.get(first..end).filter(|_| is_dense);
        let text = octets.and_then(|octets| core::str::from_utf8(octets).ok());
        Self { buffer, starts, whole: text.map(|text| (text, first)) }
    }

    /// Returns the text of a valid row, which is UTF-8.
    #[inline]
    fn get(&self, row: usize, length: usize) -> Option<&'a str> {
        let start = *self.starts.get(row)? as usize;
        match self.whole {
            Some((text, first)) => text.get(start - first..start - first + length),
            None => core::str::from_utf8(self.buffer.get(start..start + length)?).ok(),
        }
    }
}

impl Debug for References<'_, '_> {
    // Without the texts, which may have passwords.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("References").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// The kinds of host by their numbers in the column of flags.
const HOST_KINDS: [HostKind; 6] = [
    HostKind::Empty,
    HostKind::Name,
    HostKind::Ipv4,
    HostKind::Ipv6,
    HostKind::IpvFuture,
    HostKind::Registry,
];

/// Returns the spans of a valid row from all columns.
#[inline(always)]
pub(super) fn spans_of(columns: &[&[u32]; COLUMNS], row: usize) -> ComponentSpans {
    let cell = |number: usize| columns[number].get(row).copied().unwrap_or_default();
    let [start, has_authority, host_kind, _] = cell(9).to_le_bytes();
    ComponentSpans {
        scheme_end: cell(3),
        host_start: cell(4),
        host_end: cell(5),
        path_start: cell(6),
        path_end: cell(7),
        query_end: cell(8),
        len: cell(1).wrapping_sub(cell(0)),
        start,
        has_authority: has_authority != 0,
        host_kind: HOST_KINDS[usize::from(host_kind) % HOST_KINDS.len()],
    }
}
