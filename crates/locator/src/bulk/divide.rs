//! Where rows begin: a buffer and a separator in, offsets out.

use alloc::vec::Vec;

use crate::edition;
use crate::octet::{BLOCK, Machine, Work};

/// Finds where rows begin, from an octet of the buffer on at which one does, up to about so many octets
/// behind it; the last place is where one more row would begin.
pub(super) struct Divide<'b, 'o> {
    pub(super) buffer: &'b [u8],
    pub(super) start: usize,
    pub(super) limit: usize,
    pub(super) separator: u8,
    pub(super) offsets: &'o mut Vec<u32>,
}

impl Work for Divide<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) {
        let Divide { buffer, start, limit, separator, offsets } = self;
        // What the table says is not asked.
        let table = &edition::DEFAULT.table;
        offsets.clear();
        offsets.push(start as u32);
        let mut places = [0; PIECE + BLOCK];
        let mut end = start;
        // A row that is longer than the limit is gone through to its end.
        while end < buffer.len() && (end < start.saturating_add(limit) || offsets.len() == 1) {
            let rest = &buffer[end..buffer.len().min(end + PIECE)];
            let mut count = 0;
            let (blocks, last) = rest.as_chunks::<BLOCK>();
            let blocks = blocks.iter().map(|block| machine.load(block, table));
            let last = core::iter::once_with(|| machine.load(last, table));
            for (block, at) in blocks.chain(last).zip((end as u32..).step_by(BLOCK)) {
                let found = machine.equal(block, separator);
                if let Some(places) = places[count..].first_chunk_mut() {
                    machine.write_places(found, at + 1, places);
                }
                count += found.count_ones() as usize;
            }
            offsets.extend_from_slice(&places[..count]);
            end += rest.len();
        }
        // The last row may do without a separator.
        if end == buffer.len() && buffer.last().is_some_and(|&last| last != separator) {
            offsets.push(buffer.len() as u32 + 1);
        }
    }
}

/// How many octets are gone through before what was found is kept.
const PIECE: usize = 32 * BLOCK;

/// How many rows a buffer has.
#[cfg(feature = "rayon")]
pub(super) struct Count<'b> {
    pub(super) buffer: &'b [u8],
    pub(super) separator: u8,
}

#[cfg(feature = "rayon")]
impl Work for Count<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) -> usize {
        let Count { buffer, separator } = self;
        let table = &edition::DEFAULT.table;
        let (blocks, last) = buffer.as_chunks::<BLOCK>();
        let mut rows = machine.equal(machine.load(last, table), separator).count_ones() as usize;
        for block in blocks {
            rows += machine.equal(machine.load(block, table), separator).count_ones() as usize;
        }
        rows + usize::from(buffer.last().is_some_and(|&last| last != separator))
    }
}
