//! Parses many URLs at once, into columns of offsets.
//!
//! A [`Batch`] takes a buffer of rows and returns, for each component boundary, one column with an offset
//! for each row. The parser reads eight rows side by side where the processor can, and the columns are
//! reused for the next buffer, so no row causes an allocation.
//!
//! # When
//!
//! - For logs, crawls and tables: a million URLs at a time, of which some components are needed.
//! - For data that is in columns already, such as Arrow arrays: [`Batch::read_values`] takes the values
//!   and their offsets as they are, [`Batch::read_rows`] takes rows at any places of a buffer of any
//!   length and a mask.
//!
//! For single URLs, [`UriRef::parse`] is right. A batch returns the same: for every row, in every
//! edition, [`Batch::row`] is the reference that [`UriRef::parse_bytes`] returns, which is a test.
//!
//! # How
//!
//! Rows are lines, octets divided by NUL, or values with offsets. What is counted from where:
//! [`Batch::starts`] and [`Batch::ends`] count from the start of the buffer, all other columns from the
//! start of their row. [`Batch::columns`] selects the columns that are needed, since one is faster to
//! write than ten.
//!
//! ```
//! use locator::bulk::{Batch, Separator};
//!
//! let buffer = b"http://a/b?c\nnot a URL\nftp://h:21/\n";
//! let mut batch = Batch::new();
//! batch.read(buffer, Separator::Newline)?;
//!
//! // The hosts, by slices of the buffer: no reference is made.
//! let hosts: Vec<_> = (0..batch.len())
//!     .filter(|&row| batch.errors()[row] == Batch::VALID)
//!     .map(|row| {
//!         let start = batch.starts()[row] as usize;
//!         &buffer[start + batch.host_starts()[row] as usize
//!             ..start + batch.host_ends()[row] as usize]
//!     })
//!     .collect();
//! assert_eq!(hosts, [b"a", b"h"]);
//! # Ok::<_, locator::bulk::BufferTooLongError>(())
//! ```
//!
//! Where a column is not enough, a row is available as a reference, with all its methods.
//! [`Batch::row`] parses it again; [`Batch::references`] does not, for many rows:
//!
//! ```
//! use locator::bulk::{Batch, Separator};
//!
//! let buffer = b"http://a/b?c\nftp://h:21/\n";
//! let mut batch = Batch::new();
//! batch.read(buffer, Separator::Newline)?;
//! let ports: Vec<_> = (0..batch.len())
//!     .map(|row| batch.row(buffer, row).and_then(|url| url.port_u16()))
//!     .collect();
//! assert_eq!(ports, [None, Some(21)]);
//! # Ok::<_, locator::bulk::BufferTooLongError>(())
//! ```
//!
//! A file that is larger than memory is read in pieces that end with a line:
//!
//! ```
//! use std::io::{BufRead, BufReader, Read};
//!
//! use locator::bulk::{Batch, Separator};
//!
//! let file = "http://a/\nhttp://b/\nhttp://c\n".as_bytes();
//! let (mut reader, mut batch, mut valid) =
//!     (BufReader::new(file), Batch::new(), 0);
//! loop {
//!     let mut piece = Vec::new();
//!     reader.by_ref().take(16).read_to_end(&mut piece)?;
//!     reader.read_until(b'\n', &mut piece)?;
//!     if piece.is_empty() {
//!         break;
//!     }
//!     batch.read(&piece, Separator::Newline)?;
//!     valid += batch
//!         .errors()
//!         .iter()
//!         .filter(|&&error| error == Batch::VALID)
//!         .count();
//! }
//! assert_eq!(valid, 3);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! With the feature `rayon`, `Batch::read_in_parallel` divides the buffer among threads and returns the
//! same columns.
//!
//! # Pitfalls
//!
//! - A row that is not valid has only its error's offset; its other columns are not meaningful. Look at
//!   [`Batch::errors`] first. For the message, parse the row alone.
//! - An empty line is a valid row: the empty reference. A carriage return before the line feed is part
//!   of its row, and is an error there.
//! - The batch keeps no buffer. Give [`Batch::row`] the buffer that was read.
//! - Offsets have 32 bits, so a buffer of 4 GiB is an error: read it in pieces, or its rows by
//!   [`Batch::read_rows`].
//! - Rows are parsed by one edition, that of the batch: [`Batch::new_with`].

mod places;
mod references;
use alloc::vec::Vec;
use core::mem;

use crate::as_text::error_as_sentence;
use crate::edition::{self, Edition};
use crate::parse::ROWS;
use crate::reference::UriRef;
use crate::simd;
use crate::span::ComponentSpans;
use places::ReadPlaces;
use write::{BatchColumns, COLUMNS, Divide, MASKED, ReadRows, Starts, VALID};

mod columns;
#[cfg(feature = "rayon")]
mod parallel;
mod write;

pub use columns::{Columns, Mask};
pub use references::{References, ReferencesIter};

/// The offsets of the components of many references: one column per offset, one row per reference.
///
/// Offsets count octets from the start of the row, as in the drawing of [`ComponentSpans`]; the
/// start and end of a row count from the start of the buffer. A row that is not valid has only the
/// offset of its first error.
///
/// ```
/// use locator::bulk::{Batch, Separator};
///
/// let buffer = b"http://a/b?c\nhttp://a b/\n//h:80\n";
/// let mut columns = Batch::new();
/// columns.read(buffer, Separator::Newline)?;
/// assert_eq!(columns.len(), 3);
/// assert_eq!(columns.scheme_ends(), [4, 0, 0]);
/// assert_eq!(columns.errors(), [Batch::VALID, 8, Batch::VALID]);
/// assert_eq!(columns.row(buffer, 0).unwrap().query().unwrap(), "c");
/// assert!(columns.row(buffer, 1).is_none());
/// # Ok::<_, locator::bulk::BufferTooLongError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch {
    edition: &'static Edition,
    wanted: Columns,
    rows: usize,
    /// Each has capacity for more rows than there are, so that the next buffer reuses it.
    columns: [Vec<u32>; COLUMNS],
    /// The starts of the rows in each piece of a buffer.
    pieces: Vec<Starts>,
    /// The spans of the rows for [`Batch::references`].
    spans: Vec<ComponentSpans>,
}

/// The byte that separates the rows of a buffer.
///
/// ```
/// use locator::bulk::{Batch, Separator};
///
/// let mut batch = Batch::new();
/// batch.read(b"http://a/\0http://b/\0", Separator::Nul)?;
/// assert_eq!(batch.len(), 2);
/// # Ok::<_, locator::bulk::BufferTooLongError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// A line feed, which is optional after the last line.
    Newline,
    /// An octet 0, which is optional after the last row.
    Nul,
}

/// The error of a buffer of 4 GiB or more, which must be parsed in pieces.
///
/// ```
/// use locator::bulk::BufferTooLongError;
///
/// assert_eq!(
///     BufferTooLongError.to_string(),
///     "the buffer is 4 GiB or larger; read it in pieces"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BufferTooLongError;

impl core::fmt::Display for BufferTooLongError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the buffer is 4 GiB or larger; read it in pieces")
    }
}

error_as_sentence!(BufferTooLongError);

/// The error of rows that [`Batch::read_values`] or [`Batch::read_rows`] cannot find.
///
/// ```
/// use locator::bulk::RowsError;
///
/// assert_eq!(
///     RowsError::NotInBuffer { row: 7 }.to_string(),
///     "row 7 is not in the buffer"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowsError {
    /// The buffer is too long for offsets of 32 bits.
    BufferTooLong,
    /// A row is not in the buffer, or ends before it starts.
    NotInBuffer {
        /// The first of these rows.
        row: usize,
    },
    /// There are not as many starts as lengths and bits of the mask.
    Count,
}

impl core::fmt::Display for RowsError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::BufferTooLong => BufferTooLongError.fmt(f),
            Self::NotInBuffer { row } => write!(f, "row {row} is not in the buffer"),
            Self::Count => f.write_str("the numbers of starts, lengths and bits of the mask differ"),
        }
    }
}

error_as_sentence!(RowsError);

impl From<BufferTooLongError> for RowsError {
    fn from(_: BufferTooLongError) -> Self {
        Self::BufferTooLong
    }
}

impl Separator {
    const fn octet(self) -> u8 {
        match self {
            Self::Newline => b'\n',
            Self::Nul => 0,
        }
    }
}

impl Default for Batch {
    fn default() -> Self {
        Self::new()
    }
}

impl Batch {
    /// The value in the column of errors for a row that is valid.
    pub const VALID: u32 = VALID;

    /// The value in the column of errors for a row that a [`Mask`] excludes.
    pub const MASKED: u32 = MASKED;

    /// Creates an empty batch for references of RFC 3986.
    #[must_use]
    pub const fn new() -> Self {
        Self::new_with(edition::DEFAULT)
    }

    /// Creates an empty batch for references of an edition.
    #[must_use]
    pub const fn new_with(edition: &'static Edition) -> Self {
        let wanted = Columns::ALL;
        let columns = [const { Vec::new() }; COLUMNS];
        Self { edition, wanted, rows: 0, columns, pieces: Vec::new(), spans: Vec::new() }
    }

    /// Sets the columns to write. The others are empty.
    ///
    /// [`Batch::row`] and [`Batch::spans`] need all columns.
    #[must_use]
    pub fn columns(mut self, columns: Columns) -> Self {
        (self.wanted, self.rows) = (columns, 0);
        for (number, column) in self.columns.iter_mut().enumerate() {
            if !columns.has(number) {
                *column = Vec::new();
            }
        }
        self
    }

    /// Parses the rows of a buffer and replaces the previous rows.
    ///
    /// Each row is a reference without its line end. An invalid row does not end the search: its column of
    /// errors has the offset.
    ///
    /// ```
    /// use locator::bulk::{Batch, Separator};
    ///
    /// let lines = b"http://h/a\n/b c\n";
    /// let mut batch = Batch::new();
    /// batch.read(lines, Separator::Newline)?;
    /// assert_eq!(batch.row(lines, 0).unwrap(), "http://h/a");
    /// assert!(batch.row(lines, 1).is_none());
    /// assert_eq!(batch.errors(), [Batch::VALID, 2]);
    /// # Ok::<_, locator::bulk::BufferTooLongError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a buffer of 4 GiB or more. A row that is not valid is no such error;
    /// the column of errors has its position.
    pub fn read(&mut self, buffer: &[u8], separator: Separator) -> Result<(), BufferTooLongError> {
        check_length(buffer)?;
        self.rows = 0;
        let (edition, separator) = (self.edition, separator.octet());
        let mut starts = self.pieces.pop().unwrap_or_default();
        let mut start = 0;
        while start < buffer.len() {
            // A piece is still in the cache when its rows are parsed.
            simd::dispatch(Divide { buffer, start, limit: PIECE, separator, starts: &mut starts });
            let (slots, offsets) = (self.add(starts.rows()), starts.offsets());
            simd::dispatch(ReadRows { buffer, offsets, gap: 1, edition, slots });
            start = offsets.last().map_or(buffer.len(), |&end| end as usize);
        }
        self.pieces.push(starts);
        Ok(())
    }

    /// Parses contiguous values, value i from `offsets[i]` to `offsets[i + 1]`, and replaces the
    /// previous rows.
    ///
    /// # Errors
    ///
    /// Returns an error for a buffer of 4 GiB or more, and if an offset is less than the one before it or
    /// not in the buffer. The batch then has no rows.
    ///
    /// ```
    /// use locator::bulk::{Batch, RowsError};
    ///
    /// let mut columns = Batch::new();
    /// columns.read_values(b"a:b/c?d", &[0, 3, 7])?;
    /// assert_eq!(columns.path_ends(), [3, 2]);
    /// assert_eq!(
    ///     columns.read_values(b"a:b", &[0, 9]),
    ///     Err(RowsError::NotInBuffer { row: 0 })
    /// );
    /// # Ok::<_, RowsError>(())
    /// ```
    pub fn read_values(&mut self, buffer: &[u8], offsets: &[u32]) -> Result<(), RowsError> {
        self.rows = 0;
        check_length(buffer)?;
        // All at once without a branch for each; the row is found only for an error.
        let is_wrong = |start: u32, end: u32| end < start || end as usize > buffer.len();
        let rows = || offsets.windows(2).map(|row| is_wrong(row[0], row[1]));
        if rows().fold(false, |any, is_wrong| any | is_wrong) {
            let row = rows().position(|is_wrong| is_wrong).unwrap_or_default();
            return Err(RowsError::NotInBuffer { row });
        }
        let edition = self.edition;
        let slots = self.add(offsets.len().saturating_sub(1));
        simd::dispatch(ReadRows { buffer, offsets, gap: 0, edition, slots });
        Ok(())
    }

    /// Parses rows at any places of a buffer of any length, and replaces the previous rows.
    ///
    /// Row i is the `lengths[i]` octets from `starts[i]`. A mask excludes rows: their places may be wrong
    /// and their octets anything, and their error is [`Batch::MASKED`]. Since an offset from the start of
    /// the buffer may need more than 32 bits, all columns count from the start of the row: in
    /// [`Batch::starts`] is 0, in [`Batch::ends`] the length, and the buffer for [`Batch::row`] is that
    /// of the row alone.
    ///
    /// ```
    /// use locator::bulk::{Batch, Mask, RowsError};
    ///
    /// let buffer = b"http://a/\xFF\xFF//b?c";
    /// let (starts, lengths) = ([0, 9, 11], [9, 2, 5]);
    /// let mut batch = Batch::new();
    /// batch.read_rows(buffer, &starts, &lengths, Some(Mask::new(&[0b101], 0)))?;
    /// assert_eq!(batch.errors(), [Batch::VALID, Batch::MASKED, Batch::VALID]);
    /// assert_eq!(batch.row(b"//b?c", 2).unwrap().query().unwrap(), "c");
    /// # Ok::<_, RowsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a row that the mask includes is not in the buffer or 4 GiB long, or if there
    /// are not as many starts as lengths and bits. The batch then has no rows.
    pub fn read_rows(
        &mut self,
        buffer: &[u8],
        starts: &[u64],
        lengths: &[u32],
        mask: Option<Mask<'_>>,
    ) -> Result<(), RowsError> {
        self.rows = 0;
        if starts.len() != lengths.len() || mask.is_some_and(|mask| mask.len() < starts.len()) {
            return Err(RowsError::Count);
        }
        let edition = self.edition;
        let slots = self.add(starts.len());
        let read = simd::dispatch(ReadPlaces { buffer, starts, lengths, mask, edition, slots });
        read.map_err(|row| {
            self.rows = 0;
            RowsError::NotInBuffer { row }
        })
    }

    /// Parses rows at any places of a buffer like [`read_rows`](Self::read_rows), and returns them as
    /// references.
    ///
    /// This is faster than parsing each row if there are many. All columns are needed: without one
    /// of them, no row is a reference.
    ///
    /// ```
    /// use locator::bulk::Batch;
    ///
    /// let buffer = b"http://a/?q=1 http://b:80/";
    /// let mut batch = Batch::new();
    /// let rows = batch.references(buffer, &[0, 14], &[13, 12], None)?;
    /// let ports: Vec<_> =
    ///     rows.iter().map(|url| url.and_then(|url| url.port_u16())).collect();
    /// assert_eq!(ports, [None, Some(80)]);
    /// # Ok::<_, locator::bulk::RowsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`read_rows`](Self::read_rows).
    pub fn references<'b, 'a>(
        &'b mut self,
        buffer: &'a [u8],
        starts: &'b [u64],
        lengths: &[u32],
        mask: Option<Mask<'_>>,
    ) -> Result<References<'b, 'a>, RowsError> {
        self.read_rows(buffer, starts, lengths, mask)?;
        self.collect_spans();
        Ok(References::new(buffer, starts, lengths, self.errors(), &self.spans, self.edition))
    }

    /// Writes the spans of all rows as values. A reference that is made of them where they are read
    /// would wait for them.
    fn collect_spans(&mut self) {
        let mut spans = mem::take(&mut self.spans);
        spans.clear();
        if self.wanted == Columns::ALL {
            let columns = self.all_columns();
            spans.extend((0..self.rows).map(|row| references::spans_of(&columns, row)));
        }
        self.spans = spans;
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Returns whether the batch has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Returns the edition that the rows are parsed by.
    #[must_use]
    pub const fn edition(&self) -> &'static Edition {
        self.edition
    }

    /// Returns a row as a reference, from the buffer that was parsed. `None` if the row is not
    /// valid or does not exist.
    ///
    /// The batch does not keep the buffer, so the row is parsed again: if the buffer is another one,
    /// `None` is returned unless it has a valid row of the same components at the same offsets.
    ///
    /// ```
    /// use locator::bulk::{Batch, Separator};
    ///
    /// let mut batch = Batch::new();
    /// batch.read(b"http://a/b?c\n", Separator::Newline)?;
    /// assert_eq!(batch.row(b"http://a/b?c\n", 0).unwrap().query().unwrap(), "c");
    /// assert!(batch.row(b"not a URL at\n", 0).is_none());
    /// assert!(batch.row(b"http://a/bcd\n", 0).is_none());
    /// # Ok::<_, locator::bulk::BufferTooLongError>(())
    /// ```
    #[must_use]
    pub fn row<'a>(&self, buffer: &'a [u8], row: usize) -> Option<UriRef<'a>> {
        let parts = self.spans(row)?;
        let octets = buffer.get(*self.starts().get(row)? as usize..*self.ends().get(row)? as usize)?;
        let row = UriRef::parse_bytes_with(octets, self.edition).ok()?;
        (row.spans() == parts).then_some(row)
    }

    /// Returns the offsets of a row; `None` if it is not valid, does not exist or not all columns are
    /// written.
    #[must_use]
    pub fn spans(&self, row: usize) -> Option<ComponentSpans> {
        let is_valid = *self.errors().get(row)? == Self::VALID && self.wanted == Columns::ALL;
        is_valid.then(|| references::spans_of(&self.all_columns(), row))
    }

    fn all_columns(&self) -> [&[u32]; COLUMNS] {
        core::array::from_fn(|number| self.column(number))
    }

    fn column(&self, column: usize) -> &[u32] {
        self.columns[column].get(skew(column)..).unwrap_or_default().get(..self.rows).unwrap_or_default()
    }

    /// Adds so many rows, all of which the caller must write.
    fn add(&mut self, rows: usize) -> BatchColumns<'_> {
        let all = self.rows..self.rows + rows;
        self.rows = all.end;
        let (mut number, wanted) = (0, self.wanted);
        let columns = self.columns.each_mut().map(|column| {
            if !wanted.has(number) {
                number += 1;
                return &mut [][..];
            }
            // The last tile is also written whole.
            let (start, end) = (skew(number) + all.start, skew(number) + all.end + ROWS);
            number += 1;
            if column.len() < end {
                column.resize(end.max(2 * column.len()), 0);
            }
            &mut column[start..end]
        });
        BatchColumns { rows, columns }
    }
}

/// The offset of a column's first row. It differs by column, so that one row's cells do not share
/// cache lines when all columns begin at a page: seven lines of 64 octets apart.
const fn skew(column: usize) -> usize {
    const SEVEN_LINES: usize = 7 * 64 / size_of::<u32>();
    column * SEVEN_LINES
}

/// The number of octets that are divided into rows before they are parsed.
const PIECE: usize = 1 << 16;

/// The accessors of columns, which differ only in name and index.
macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident = $number:literal;)*) => {
        impl Batch {
            $($(#[$doc])* #[must_use] pub fn $name(&self) -> &[u32] { self.column($number) })*
        }
    };
}

columns! {
    /// Returns the offset of the start of each row in the buffer.
    starts = 0;
    /// Returns the offset of the end of each row in the buffer.
    ends = 1;
    /// Returns the offset of the first error of each row, from its start; [`Batch::VALID`] for a
    /// valid row.
    errors = 2;
    /// Returns the offset of the ":" after the scheme of each row; the scheme's start if there is
    /// no scheme.
    scheme_ends = 3;
    /// Returns the offset of the start of the host of each row.
    host_starts = 4;
    /// Returns the offset of the end of the host of each row; a port follows unless the path begins
    /// there.
    host_ends = 5;
    /// Returns the offset of the end of the authority, where the path begins, of each row.
    path_starts = 6;
    /// Returns the offset of the end of the path of each row; a query follows unless the row ends
    /// there.
    path_ends = 7;
    /// Returns the offset of the end of the query of each row; a fragment follows unless the row
    /// ends there.
    query_ends = 8;
    /// Returns the flags of each row. The lowest octet is the start of the scheme, the next is
    /// whether there is an authority. The third is the kind of host: empty, name, IPv4, IPv6,
    /// IPvFuture, registry.
    marks = 9;
}

const fn check_length(buffer: &[u8]) -> Result<(), BufferTooLongError> {
    if buffer.len() < u32::MAX as usize { Ok(()) } else { Err(BufferTooLongError) }
}
