//! Divides a buffer into rows. Takes a buffer and a separator and returns the offsets of the rows.

use alloc::vec::Vec;

use crate::edition;
use crate::simd::{BLOCK, Backend, WithBackend};

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
            let mut found = Found { places, count: 0, next: end as u32 + 1 };
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
struct Found<'r> {
    places: &'r mut [u32; RESERVED],
    count: usize,
    /// The offset after the next block's first octet.
    next: u32,
}

impl Found<'_> {
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
