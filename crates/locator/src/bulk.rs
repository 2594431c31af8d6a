//! Many URLs at once: rows in, columns of offsets out.
//!
//! Rows are lines, or octets divided by NUL, or values with their offsets as Arrow has them.
//! The columns are kept from one buffer to the next, so nothing is allocated a URL, and a row
//! can be looked at as the [`UriRef`] that the single reader gives.

use alloc::vec::Vec;

use crate::edition::{self, Edition};
use crate::error::Error;
use crate::octet::{self, Machine, Work};
use crate::parse;
use crate::part::{HostKind, Parts};
use crate::reference::UriRef;

#[cfg(feature = "rayon")]
mod parallel;

/// Where the components of many references stand: one column an offset, one row a reference.
///
/// Offsets are octets from the row's start, as [`Parts`] draws them; where the row starts and ends
/// is counted from the buffer's. A row that is not valid has the offset of its first error and
/// nothing else.
///
/// ```
/// use locator::bulk::{Columns, Separator};
/// use locator::edition::RFC3986;
///
/// let buffer = b"http://a/b?c\nhttp://a b/\n//h:80\n";
/// let mut columns = Columns::new(&RFC3986);
/// columns.read(buffer, Separator::Newline)?;
/// assert_eq!(columns.len(), 3);
/// assert_eq!(columns.scheme_ends(), [4, 0, 0]);
/// assert_eq!(columns.errors(), [Columns::VALID, 8, Columns::VALID]);
/// assert_eq!(columns.row(buffer, 0).unwrap().query().unwrap(), "c");
/// assert!(columns.row(buffer, 1).is_none());
/// # Ok::<_, locator::bulk::BufferTooLong>(())
/// ```
#[derive(Clone, Debug)]
pub struct Columns {
    edition: &'static Edition,
    rows: usize,
    /// How far one column's first offset is from the next one's.
    stride: usize,
    offsets: Vec<u32>,
}

/// What divides rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// A line feed; the last line may do without.
    Newline,
    /// An octet 0, likewise.
    Nul,
}

/// The buffer has 4 GiB or more: read it in pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferTooLong;

impl core::fmt::Display for BufferTooLong {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the buffer has 4 GiB or more; read it in pieces")
    }
}

impl core::error::Error for BufferTooLong {}

impl Separator {
    const fn octet(self) -> u8 {
        match self {
            Self::Newline => b'\n',
            Self::Nul => 0,
        }
    }

    /// How many rows a buffer has.
    fn rows(self, buffer: &[u8]) -> usize {
        let separators = octet::dispatch(Count { buffer, separator: self.octet() });
        separators + usize::from(buffer.last().is_some_and(|&last| last != self.octet()))
    }
}

/// How often an octet stands in a buffer.
struct Count<'b> {
    buffer: &'b [u8],
    separator: u8,
}

impl Work for Count<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) -> usize {
        // What the table says is not asked.
        let table = &edition::DEFAULT.table;
        let (blocks, rest) = self.buffer.as_chunks();
        let mut count = machine.equal(machine.load(rest, table), self.separator).count_ones() as usize;
        for block in blocks {
            count += machine.equal(machine.load_whole(block, table), self.separator).count_ones() as usize;
        }
        count
    }
}

impl Columns {
    /// What stands in the column of errors for a row that is valid.
    pub const VALID: u32 = u32::MAX;

    /// Columns of no rows yet, for references of an edition.
    pub const fn new(edition: &'static Edition) -> Self {
        Self { edition, rows: 0, stride: 0, offsets: Vec::new() }
    }

    /// Reads the rows of a buffer, in the place of what was read before.
    ///
    /// # Errors
    ///
    /// A buffer of 4 GiB or more. A row that is not valid is no error: its place tells.
    pub fn read(&mut self, buffer: &[u8], separator: Separator) -> Result<(), BufferTooLong> {
        check_length(buffer)?;
        let edition = self.edition;
        let slots = self.slots(separator.rows(buffer));
        octet::dispatch(ReadRows { buffer, first: 0, separator, edition, slots });
        Ok(())
    }

    /// Reads values that stand one behind the other, value i from `offsets[i]` to `offsets[i + 1]`,
    /// in the place of what was read before.
    ///
    /// # Errors
    ///
    /// A buffer of 4 GiB or more.
    ///
    /// # Panics
    ///
    /// If an offset is less than the one before it or not in the buffer.
    ///
    /// ```
    /// use locator::bulk::Columns;
    ///
    /// let mut columns = Columns::new(&locator::edition::RFC3986);
    /// columns.read_values(b"a:b/c?d", &[0, 3, 7])?;
    /// assert_eq!(columns.path_ends(), [3, 2]);
    /// # Ok::<_, locator::bulk::BufferTooLong>(())
    /// ```
    pub fn read_values(&mut self, buffer: &[u8], offsets: &[u32]) -> Result<(), BufferTooLong> {
        check_length(buffer)?;
        let edition = self.edition;
        let slots = self.slots(offsets.len().saturating_sub(1));
        octet::dispatch(ReadValues { buffer, offsets, edition, slots });
        Ok(())
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The edition by which the rows are read.
    pub const fn edition(&self) -> &'static Edition {
        self.edition
    }

    /// The row as the single reader gives it, out of the buffer that was read; `None` if it is not
    /// valid, is not there, or the buffer is another one.
    pub fn row<'a>(&self, buffer: &'a [u8], row: usize) -> Option<UriRef<'a>> {
        let parts = self.parts(row)?;
        let octets = buffer.get(self.starts()[row] as usize..self.ends()[row] as usize)?;
        let text = core::str::from_utf8(octets).ok().filter(|text| parts.divide(text))?;
        Some(UriRef::of_parts(text, parts, self.edition))
    }

    /// The offsets of a row; `None` if it is not valid or not there.
    pub fn parts(&self, row: usize) -> Option<Parts> {
        if *self.errors().get(row)? != Self::VALID {
            return None;
        }
        let [start, has_authority, host_kind, _] = self.marks()[row].to_le_bytes();
        Some(Parts {
            scheme_end: self.scheme_ends()[row],
            host_start: self.host_starts()[row],
            host_end: self.host_ends()[row],
            path_start: self.path_starts()[row],
            path_end: self.path_ends()[row],
            query_end: self.query_ends()[row],
            len: self.ends()[row] - self.starts()[row],
            start,
            has_authority: has_authority != 0,
            host_kind: HOST_KINDS[usize::from(host_kind)],
        })
    }

    fn column(&self, column: usize) -> &[u32] {
        &self.offsets[column * self.stride..][..self.rows]
    }

    /// The columns as slices of `rows` rows each, in which everything is about to be written.
    fn slots(&mut self, rows: usize) -> Slots<'_> {
        self.rows = rows;
        self.stride = stride(rows);
        let all = COLUMNS * self.stride;
        if self.offsets.len() < all {
            self.offsets.resize(all, 0);
        }
        let mut columns = self.offsets.chunks_exact_mut(self.stride);
        Slots(core::array::from_fn(|_| &mut columns.next().unwrap_or_default()[..rows]))
    }
}

/// How many columns there are.
const COLUMNS: usize = 10;

/// A distance between columns of so many rows at which the places of one row in all of them do not
/// fall on the same lines of the processor's cache: seven lines of 64 octets past a page of 4,096.
const fn stride(rows: usize) -> usize {
    const PAGE: usize = 4_096 / 4;
    const SEVEN_LINES: usize = 7 * 64 / 4;
    rows.next_multiple_of(PAGE) + SEVEN_LINES
}

/// The accessors of columns, which differ in nothing but name and number.
macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident = $number:literal;)*) => {
        impl Columns {
            $($(#[$doc])* pub fn $name(&self) -> &[u32] { self.column($number) })*
        }
    };
}

columns! {
    /// Where each row begins in the buffer.
    starts = 0;
    /// Where each row ends in the buffer.
    ends = 1;
    /// Where the first error of the row is, from its start; [`Columns::VALID`] if there is none.
    errors = 2;
    /// Where the ":" behind the scheme stands; the scheme's start if there is none.
    scheme_ends = 3;
    /// Where the host begins.
    host_starts = 4;
    /// Where the host ends; a port follows unless the path begins there.
    host_ends = 5;
    /// Where the authority ends and the path begins.
    path_starts = 6;
    /// Where the path ends; a query follows unless it ends there.
    path_ends = 7;
    /// Where the query ends; a fragment follows unless the row ends there.
    query_ends = 8;
    /// In the lowest octet where the scheme begins, in the next whether there is an authority, in the
    /// third the kind of host: empty, name, IPv4, IPv6, IPvFuture, registry.
    marks = 9;
}

/// The kinds of host by their numbers in the column of marks.
const HOST_KINDS: [HostKind; 6] = [
    HostKind::Empty,
    HostKind::Name,
    HostKind::Ipv4,
    HostKind::Ipv6,
    HostKind::IpvFuture,
    HostKind::Registry,
];

const fn check_length(buffer: &[u8]) -> Result<(), BufferTooLong> {
    if buffer.len() < u32::MAX as usize { Ok(()) } else { Err(BufferTooLong) }
}

/// The rows of all columns, to be written.
struct Slots<'c>([&'c mut [u32]; COLUMNS]);

impl Slots<'_> {
    fn rows(&self) -> usize {
        self.0[0].len()
    }

    /// Takes over the first `rows` rows of a tile, from `row` on.
    #[inline(always)]
    fn put(&mut self, row: usize, rows: usize, tile: &Tile) {
        for (column, rows_of_tile) in self.0.iter_mut().zip(&tile.0) {
            column[row..row + rows].copy_from_slice(&rows_of_tile[..rows]);
        }
    }
}

/// How many rows a tile has.
const TILE: usize = 64;

/// Some rows of all columns, close together: where a row's offset in a column is needs no look at
/// where the column is.
struct Tile([[u32; TILE]; COLUMNS]);

impl Tile {
    #[inline(always)]
    fn write(&mut self, row: usize, start: usize, len: usize, parts: &Parts) {
        let marks = [parts.start, u8::from(parts.has_authority), parts.host_kind as u8, 0];
        self.0[0][row] = start as u32;
        self.0[1][row] = (start + len) as u32;
        self.0[2][row] = Columns::VALID;
        self.0[3][row] = parts.scheme_end;
        self.0[4][row] = parts.host_start;
        self.0[5][row] = parts.host_end;
        self.0[6][row] = parts.path_start;
        self.0[7][row] = parts.path_end;
        self.0[8][row] = parts.query_end;
        self.0[9][row] = u32::from_le_bytes(marks);
    }

    /// A row that is long, rare or wrong.
    #[inline(never)]
    fn write_more(&mut self, row: usize, start: usize, octets: &[u8], edition: &'static Edition) {
        match read_more(octets, edition) {
            Ok(parts) => self.write(row, start, octets.len(), &parts),
            Err(offset) => {
                let wrong = [start as u32, (start + octets.len()) as u32, offset, 0, 0, 0, 0, 0, 0, 0];
                self.0.iter_mut().zip(wrong).for_each(|(column, value)| column[row] = value);
            }
        }
    }
}

/// The parts, or where the first error is.
fn read_more(octets: &[u8], edition: &'static Edition) -> Result<Parts, u32> {
    if let Some(parts) = parse::read_more(octets, edition, |parts| parts) {
        return Ok(parts);
    }
    let wrong = |error: Error| error.span().start;
    match core::str::from_utf8(octets) {
        Ok(text) => parse::read_const(text, edition).map_err(wrong),
        Err(_) => UriRef::from_octets(octets, edition).map(UriRef::parts).map_err(wrong),
    }
}

/// Rows divided by a separator; `first` is where the buffer begins in the whole one.
struct ReadRows<'b, 'c> {
    buffer: &'b [u8],
    first: usize,
    separator: Separator,
    edition: &'static Edition,
    slots: Slots<'c>,
}

impl Work for ReadRows<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) {
        let ReadRows { buffer, first, separator, edition, mut slots } = self;
        let separator = separator.octet();
        // A copy of its own stays in registers, since no column can be written over it.
        let table = edition.table.clone();
        let mut tile = Tile([[0; TILE]; COLUMNS]);
        let mut start = 0;
        let mut row = 0;
        while row < slots.rows() {
            let rows = TILE.min(slots.rows() - row);
            for row in 0..rows {
                let Some(rest) = buffer.get(start..) else { break };
                let (len, parts) = parse::read_row(machine, rest, separator, edition, &table);
                match parts {
                    Some(parts) => tile.write(row, first + start, len, &parts),
                    None => tile.write_more(row, first + start, &rest[..len], edition),
                }
                start += len + 1;
            }
            slots.put(row, rows, &tile);
            row += rows;
        }
    }
}

/// Values by their offsets.
struct ReadValues<'b, 'c> {
    buffer: &'b [u8],
    offsets: &'b [u32],
    edition: &'static Edition,
    slots: Slots<'c>,
}

impl Work for ReadValues<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) {
        let ReadValues { buffer, offsets, edition, mut slots } = self;
        let mut tile = Tile([[0; TILE]; COLUMNS]);
        let mut row = 0;
        while row < slots.rows() {
            let rows = TILE.min(slots.rows() - row);
            for (i, pair) in offsets[row..=row + rows].windows(2).enumerate() {
                let start = pair[0] as usize;
                let octets = &buffer[start..pair[1] as usize];
                match parse::read_value(machine, octets, edition) {
                    Some(parts) => tile.write(i, start, octets.len(), &parts),
                    None => tile.write_more(i, start, octets, edition),
                }
            }
            slots.put(row, rows, &tile);
            row += rows;
        }
    }
}
