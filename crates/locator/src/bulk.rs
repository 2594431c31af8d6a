//! Many URLs at once: rows in, columns of offsets out.
//!
//! Rows are lines, or octets divided by NUL, or values with their offsets as Arrow has them.
//! The columns are kept from one buffer to the next, so nothing is allocated a URL, and a row
//! can be looked at as the [`UriRef`] that the single reader gives.

use alloc::vec::Vec;

use crate::edition::{self, Edition};
use crate::octet::{self, BLOCK, Eights, Machine, Work};
use crate::parse::{self, Places, ROWS, Rows};
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
    /// Where the rows of a buffer with separators begin.
    rows_at: Vec<u32>,
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
}

/// Where rows begin, the last one being where one more would.
struct Divide<'b, 'o> {
    buffer: &'b [u8],
    separator: u8,
    offsets: &'o mut Vec<u32>,
}

impl Work for Divide<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) {
        let Divide { buffer, separator, offsets } = self;
        // What the table says is not asked.
        let table = &edition::DEFAULT.table;
        offsets.clear();
        offsets.push(0);
        let (mut near, mut count) = ([0; 4 * BLOCK], 0);
        let (blocks, rest) = buffer.as_chunks::<BLOCK>();
        let blocks = blocks.iter().map(|block| machine.load(block, table));
        let rest = core::iter::once_with(|| machine.load(rest, table));
        let mut start = 0_u32;
        for block in blocks.chain(rest) {
            let found = machine.equal(block, separator);
            if let Some(places) = near[count..].first_chunk_mut() {
                machine.write_places(found, start + 1, places);
            }
            count += found.count_ones() as usize;
            if count > near.len() - BLOCK {
                offsets.extend_from_slice(&near[..count]);
                count = 0;
            }
            start = start.wrapping_add(BLOCK as u32);
        }
        offsets.extend_from_slice(&near[..count]);
        // The last row may do without a separator.
        if buffer.last().is_some_and(|&last| last != separator) {
            offsets.push(buffer.len() as u32 + 1);
        }
    }
}

impl Columns {
    /// What stands in the column of errors for a row that is valid.
    pub const VALID: u32 = u32::MAX;

    /// Columns of no rows yet, for references of an edition.
    pub const fn new(edition: &'static Edition) -> Self {
        Self { edition, rows: 0, stride: 0, offsets: Vec::new(), rows_at: Vec::new() }
    }

    /// Reads the rows of a buffer, in the place of what was read before.
    ///
    /// # Errors
    ///
    /// A buffer of 4 GiB or more. A row that is not valid is no error: its place tells.
    pub fn read(&mut self, buffer: &[u8], separator: Separator) -> Result<(), BufferTooLong> {
        check_length(buffer)?;
        let edition = self.edition;
        let mut offsets = core::mem::take(&mut self.rows_at);
        octet::dispatch(Divide { buffer, separator: separator.octet(), offsets: &mut offsets });
        let slots = self.slots(offsets.len() - 1);
        octet::dispatch(ReadRows { buffer, first: 0, offsets: &offsets, gap: 1, edition, slots });
        self.rows_at = offsets;
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
        octet::dispatch(ReadRows { buffer, first: 0, offsets, gap: 0, edition, slots });
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

    /// The rows of a tile from `row` on.
    #[inline(always)]
    fn put(&mut self, row: usize, tile: &Tile) {
        for (column, rows_of_tile) in self.0.iter_mut().zip(&tile.0) {
            match column[row..].first_chunk_mut() {
                Some(rows) => *rows = *rows_of_tile,
                None => column[row..].iter_mut().zip(rows_of_tile).for_each(|(to, from)| *to = *from),
            }
        }
    }
}

/// Some rows of all columns.
struct Tile([[u32; ROWS]; COLUMNS]);

impl Tile {
    /// The rows that were found to be of the common form, as if all were.
    #[inline(always)]
    fn fill(&mut self, first: u32, starts: &[u32; ROWS], lengths: &[u32; ROWS], rows: &Rows) {
        for row in 0..ROWS {
            let start = first + starts[row];
            let tile = &mut self.0;
            tile[0][row] = start;
            tile[1][row] = start + lengths[row];
            tile[2][row] = Columns::VALID;
            tile[3][row] = rows.scheme_end[row];
            tile[4][row] = rows.scheme_end[row] + 3;
            tile[5][row] = rows.host_end[row];
            tile[6][row] = rows.host_end[row];
            tile[7][row] = rows.path_end[row];
            tile[8][row] = rows.query_end[row];
            tile[9][row] = 1 << 8 | rows.host_kind[row] << 16;
        }
    }

    #[inline(always)]
    fn write(&mut self, row: usize, parts: &Parts) {
        let marks = [parts.start, u8::from(parts.has_authority), parts.host_kind as u8, 0];
        self.0[2][row] = Columns::VALID;
        self.0[3][row] = parts.scheme_end;
        self.0[4][row] = parts.host_start;
        self.0[5][row] = parts.host_end;
        self.0[6][row] = parts.path_start;
        self.0[7][row] = parts.path_end;
        self.0[8][row] = parts.query_end;
        self.0[9][row] = u32::from_le_bytes(marks);
    }

    /// A row that is not like the others around it.
    #[inline(always)]
    fn write_alone<M: Machine>(&mut self, machine: M, row: usize, octets: &[u8], edition: &'static Edition) {
        match parse::read_value(machine, octets, edition) {
            Ok(parts) => self.write(row, &parts),
            Err(Some(wrong)) => self.write_wrong(row, wrong.at()),
            Err(None) => self.write_more(row, octets, edition),
        }
    }

    /// A row that is rare or wrong.
    #[inline(never)]
    fn write_more(&mut self, row: usize, octets: &[u8], edition: &'static Edition) {
        match read_more(octets, edition) {
            Ok(parts) => self.write(row, &parts),
            Err(error) => self.write_wrong(row, error),
        }
    }

    #[inline(always)]
    fn write_wrong(&mut self, row: usize, offset: u32) {
        let wrong = [offset, 0, 0, 0, 0, 0, 0, 0];
        self.0[2..].iter_mut().zip(wrong).for_each(|(column, value)| column[row] = value);
    }
}

/// The parts, or where the first error is.
fn read_more(octets: &[u8], edition: &'static Edition) -> Result<Parts, u32> {
    let parts = match core::str::from_utf8(octets) {
        Ok(text) => parse::read_more(text, edition),
        Err(_) => UriRef::from_octets(octets, edition).map(UriRef::parts),
    };
    parts.map_err(|error| error.span().start)
}

/// Rows by where they begin, each ending `gap` octets before the next one; `first` is where the buffer
/// begins in the whole one.
struct ReadRows<'b, 'c> {
    buffer: &'b [u8],
    first: u32,
    offsets: &'b [u32],
    gap: u32,
    edition: &'static Edition,
    slots: Slots<'c>,
}

impl Work for ReadRows<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) {
        let ReadRows { buffer, first, offsets, gap, edition, mut slots } = self;
        let mut rows = Rows::NONE;
        let mut tile = Tile([[0; ROWS]; COLUMNS]);
        let mut row = 0;
        while row < slots.rows() {
            let (starts, lengths) = row_places(&offsets[row..], gap);
            let count = ROWS.min(slots.rows() - row);
            if M::Eights::PAYS {
                let places = Places { buffer, starts: &starts, lengths: &lengths };
                rows.read(machine.eights(), &places, count, edition);
            }
            tile.fill(first, &starts, &lengths, &rows);
            let mut alone = u64::MAX >> (ROWS - count) & !rows.common;
            while alone != 0 {
                let i = alone.trailing_zeros() as usize;
                let octets = &buffer[starts[i] as usize..][..lengths[i] as usize];
                tile.write_alone(machine, i, octets, edition);
                alone &= alone - 1;
            }
            slots.put(row, &tile);
            row += ROWS;
        }
    }
}

/// Where the next rows begin and how long they are; behind the last one there are some of nothing.
#[inline(always)]
fn row_places(offsets: &[u32], gap: u32) -> ([u32; ROWS], [u32; ROWS]) {
    let mut next = [offsets[offsets.len() - 1]; ROWS + 1];
    match offsets.first_chunk() {
        Some(whole) => next = *whole,
        None => next[..offsets.len()].copy_from_slice(offsets),
    }
    let (mut starts, mut lengths, mut descends) = ([0; ROWS], [0; ROWS], false);
    for row in 0..ROWS {
        starts[row] = next[row];
        lengths[row] = next[row + 1].saturating_sub(gap).saturating_sub(next[row]);
        descends |= next[row + 1] < next[row];
    }
    assert!(!descends, "an offset stands behind the next one");
    (starts, lengths)
}
