//! Parses rows in batches of `ROWS`. Takes a buffer and the offsets of its rows and writes the
//! columns.
//!
//! Divides a buffer into rows. Takes a buffer and a separator and returns the offsets of the rows.

use crate::edition::{self, Edition};
use crate::parse::{self, Places, ROWS, Rows};
use crate::reference::UriRef;
use crate::simd::{BLOCK, Backend, RowKernel, WithBackend};
use crate::span::ComponentSpans;
use alloc::vec::Vec;

/// The number of columns.
pub(super) const COLUMNS: usize = 10;

/// The value in the column of errors for a row that is valid.
pub(super) const VALID: u32 = u32::MAX;

/// The value in the column of errors for a row that is not read.
pub(super) const MASKED: u32 = VALID - 1;

/// The rows of all columns to write.
pub(super) struct BatchColumns<'c> {
    pub(super) rows: usize,
    /// Each has space for at least these rows, or is empty if nobody asked for it.
    pub(super) columns: [&'c mut [u32]; COLUMNS],
}

impl BatchColumns<'_> {
    /// Writes the rows of a tile from `row` on.
    #[inline(always)]
    pub(super) fn put(&mut self, row: usize, tile: &Tile) {
        for (column, rows_of_tile) in self.columns.iter_mut().zip(&tile.0) {
            if column.is_empty() {
                // Nobody asked for this column.
                continue;
            }
            match column[row..].first_chunk_mut() {
                Some(rows) => *rows = *rows_of_tile,
                None => column[row..].iter_mut().zip(rows_of_tile).for_each(|(to, from)| *to = *from),
            }
        }
    }
}

/// Some rows of all columns.
#[repr(align(64))]
pub(super) struct Tile([[u32; ROWS]; COLUMNS]);

impl Tile {
    pub(super) const EMPTY: Self = Self([[0; ROWS]; COLUMNS]);

    /// Reads some rows of a buffer. Rows from `count` on are undefined.
    #[inline(always)]
    pub(super) fn read<M: Backend>(
        &mut self,
        backend: M,
        rows: &mut Rows,
        buffer: &[u8],
        rows_at: &RowPlaces,
        count: usize,
        edition: &'static Edition,
    ) {
        let RowPlaces { starts, lengths } = rows_at;
        if M::Eights::IS_PROFITABLE {
            let places = Places { buffer, starts, lengths };
            rows.read(backend.eights(), &places, count, edition);
        }
        self.fill(rows_at, rows);
        let mut alone = u64::MAX >> (ROWS - count) & !rows.common();
        while alone != 0 {
            let i = alone.trailing_zeros() as usize;
            let octets = &buffer[starts[i] as usize..][..lengths[i] as usize];
            self.write_alone(backend, i, octets, edition);
            alone &= alone - 1;
        }
    }

    /// Makes the positions of a row count from its own start, for a row that has no position of 32 bits.
    #[inline(always)]
    pub(super) fn write_length(&mut self, row: usize, length: u32) {
        (self.0[0][row], self.0[1][row]) = (0, length);
    }

    /// Fills in all rows as if each were on the fast path; the caller overwrites the others.
    #[inline(always)]
    fn fill(&mut self, RowPlaces { starts, lengths }: &RowPlaces, rows: &Rows) {
        for row in 0..ROWS {
            let tile = &mut self.0;
            tile[0][row] = starts[row];
            tile[1][row] = starts[row].wrapping_add(lengths[row]);
            tile[2][row] = VALID;
            let ends = rows.ends()[row];
            tile[3][row] = ends.scheme();
            tile[4][row] = ends.scheme() + 3;
            tile[5][row] = ends.host();
            tile[6][row] = ends.host();
            tile[7][row] = ends.path();
            tile[8][row] = ends.query();
            tile[9][row] = 1 << 8 | (ends.host_kind() as u32) << 16;
        }
    }

    #[inline(always)]
    fn write(&mut self, row: usize, parts: &ComponentSpans) {
        let marks = [parts.start, u8::from(parts.has_authority), parts.host_kind as u8, 0];
        self.0[2][row] = VALID;
        self.0[3][row] = parts.scheme_end;
        self.0[4][row] = parts.host_start;
        self.0[5][row] = parts.host_end;
        self.0[6][row] = parts.path_start;
        self.0[7][row] = parts.path_end;
        self.0[8][row] = parts.query_end;
        self.0[9][row] = u32::from_le_bytes(marks);
    }

    /// Writes a row that the fast path does not parse.
    #[inline(always)]
    pub(super) fn write_alone<M: Backend>(
        &mut self,
        backend: M,
        row: usize,
        octets: &[u8],
        edition: &'static Edition,
    ) {
        match parse::read_value(backend, octets, edition) {
            Ok(parts) => self.write(row, &parts),
            Err(Some(wrong)) => self.write_wrong(row, wrong.at()),
            Err(None) => self.write_more(row, octets, edition),
        }
    }

    /// Writes a row that is rare or not valid.
    #[inline(never)]
    fn write_more(&mut self, row: usize, octets: &[u8], edition: &'static Edition) {
        let read = match core::str::from_utf8(octets) {
            Ok(text) => UriRef::parse_rare(text, edition, None),
            Err(_) => UriRef::parse_bytes_with(octets, edition),
        };
        match &read {
            Ok(reference) => self.write(row, &reference.spans()),
            Err(error) => self.write_wrong(row, error.place().start),
        }
    }

    #[inline(always)]
    pub(super) fn write_wrong(&mut self, row: usize, offset: u32) {
        let wrong = [offset, 0, 0, 0, 0, 0, 0, 0];
        self.0[2..].iter_mut().zip(wrong).for_each(|(column, value)| column[row] = value);
    }
}

/// Rows given by their starts, which ascend; each ends `gap` octets before the next one.
pub(super) struct ReadRows<'b, 'c> {
    pub(super) buffer: &'b [u8],
    pub(super) offsets: &'b [u32],
    pub(super) gap: u32,
    pub(super) edition: &'static Edition,
    pub(super) slots: BatchColumns<'c>,
}

impl WithBackend for ReadRows<'_, '_> {
    type Output = ();

    const USES_VBMI: bool = true;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) {
        let ReadRows { buffer, offsets, gap, edition, mut slots } = self;
        let mut rows = Rows::NONE;
        let (mut rows_at, mut tile) = (RowPlaces::NONE, Tile::EMPTY);
        let mut row = 0;
        while row < slots.rows {
            rows_at.fill(&offsets[row..], gap);
            tile.read(backend, &mut rows, buffer, &rows_at, ROWS.min(slots.rows - row), edition);
            slots.put(row, &tile);
            row += ROWS;
        }
    }
}

/// The starts and lengths of the rows of a tile, written in place, because a copy of what was just
/// written waits for it.
#[repr(align(64))]
pub(super) struct RowPlaces {
    pub(super) starts: [u32; ROWS],
    pub(super) lengths: [u32; ROWS],
}

impl RowPlaces {
    pub(super) const NONE: Self = Self { starts: [0; ROWS], lengths: [0; ROWS] };

    /// Takes the next rows; after the last row there are empty rows.
    #[inline(always)]
    fn fill(&mut self, offsets: &[u32], gap: u32) {
        match offsets.first_chunk() {
            Some(offsets) => self.fill_all(offsets, gap),
            None => self.fill_last(offsets, gap),
        }
    }

    #[inline(never)]
    fn fill_last(&mut self, offsets: &[u32], gap: u32) {
        let mut all = [offsets[offsets.len() - 1]; ROWS + 1];
        all[..offsets.len()].copy_from_slice(offsets);
        self.fill_all(&all, gap);
    }

    #[inline(always)]
    fn fill_all(&mut self, offsets: &[u32; ROWS + 1], gap: u32) {
        for row in 0..ROWS {
            let (start, next) = (offsets[row], offsets[row + 1]);
            self.starts[row] = start;
            self.lengths[row] = next.saturating_sub(gap).saturating_sub(start);
        }
    }
}

/// The offsets of the rows of a piece of a buffer, and of the row that would follow. The allocation
/// is reused for the next piece.
#[derive(Clone, Debug, Default)]
pub(super) struct Starts {
    places: Vec<u32>,
    count: usize,
}

impl Starts {
    pub(super) fn offsets(&self) -> &[u32] {
        &self.places[..self.count]
    }

    pub(super) const fn rows(&self) -> usize {
        self.count.saturating_sub(1)
    }

    fn add(&mut self, start: u32) {
        let places = self.reserve(1);
        places[0] = start;
        self.count += 1;
    }

    /// Returns space for so many more offsets, after the existing ones.
    fn reserve(&mut self, more: usize) -> &mut [u32] {
        let needed = self.count + more;
        if self.places.len() < needed {
            self.places.resize(2 * needed, 0);
        }
        &mut self.places[self.count..]
    }
}

/// Finds the starts of rows from an octet at which a row begins, up to about so many octets after
/// it.
pub(super) struct Divide<'b, 's> {
    pub(super) buffer: &'b [u8],
    pub(super) start: usize,
    pub(super) limit: usize,
    pub(super) separator: u8,
    pub(super) starts: &'s mut Starts,
}

impl WithBackend for Divide<'_, '_> {
    type Output = ();

    const USES_VBMI: bool = true;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) {
        let Divide { buffer, start, limit, separator, starts } = self;
        starts.count = 0;
        starts.add(start as u32);
        let mut end = start;
        // A row that is longer than the limit is scanned to its end.
        while end < buffer.len() && (end < start.saturating_add(limit) || starts.count == 1) {
            let rest = &buffer[end..buffer.len().min(end + PIECE)];
            let Some(places) = starts.reserve(RESERVED).first_chunk_mut::<RESERVED>() else { return };
            let mut found = StartsFound { places, count: 0, next: end as u32 + 1 };
            let (blocks, last) = rest.as_chunks::<BLOCK>();
            for block in blocks {
                backend.prefetch(block, AHEAD);
                found.take(backend, block, separator);
            }
            found.take(backend, last, separator);
            starts.count += found.count;
            end += rest.len();
        }
        // The separator is optional after the last row.
        if end == buffer.len() && buffer.last().is_some_and(|&last| last != separator) {
            starts.add(buffer.len() as u32 + 1);
        }
    }
}

/// The starts found in the blocks so far: a row begins after each separator.
struct StartsFound<'r> {
    places: &'r mut [u32; RESERVED],
    count: usize,
    /// The offset after the next block's first octet.
    next: u32,
}

impl StartsFound<'_> {
    #[inline(always)]
    fn take<M: Backend>(&mut self, backend: M, block: &[u8], separator: u8) {
        // The table is not used here.
        let found = backend.equal(&backend.load(block, &edition::DEFAULT.table), separator);
        let places = self.places.get_mut(self.count..);
        if let Some(places) = places.and_then(|places| places.first_chunk_mut()) {
            backend.write_places(found, self.next, places);
        }
        self.count += found.count_ones() as usize;
        self.next += BLOCK as u32;
    }
}

/// How far ahead of a block the text is fetched from distant memory.
const AHEAD: usize = 32 * BLOCK;

/// The number of octets that are scanned between two checks of capacity.
const PIECE: usize = 32 * BLOCK;

/// Space for each of them and for one block more: all cells of a block are written.
const RESERVED: usize = PIECE + BLOCK;
