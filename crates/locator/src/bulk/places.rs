//! Parses rows anywhere in a buffer. Takes the start and length of each and which of them are wanted,
//! and writes the columns.

use super::columns::Mask;
use super::write::{BatchColumns, MASKED, RowPlaces, Tile};
use crate::edition::Edition;
use crate::parse::{ROWS, Rows};
use crate::simd::{Backend, WithBackend};

/// Rows given by their starts and lengths, of which there are as many as `slots` has rows.
pub(super) struct ReadPlaces<'b, 'c> {
    pub(super) buffer: &'b [u8],
    pub(super) starts: &'b [u64],
    pub(super) lengths: &'b [u32],
    pub(super) mask: Option<Mask<'b>>,
    pub(super) edition: &'static Edition,
    pub(super) slots: BatchColumns<'c>,
}

impl WithBackend for ReadPlaces<'_, '_> {
    /// The first row that is not in the buffer, as an error.
    type Output = Result<(), usize>;

    const USES_VBMI: bool = true;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> Result<(), usize> {
        let Self { buffer, starts, lengths, mask, edition, mut slots } = self;
        let mut rows = Rows::NONE;
        let (mut rows_at, mut tile) = (RowPlaces::NONE, Tile::EMPTY);
        for (number, (starts, lengths)) in starts.chunks(ROWS).zip(lengths.chunks(ROWS)).enumerate() {
            let (row, count) = (number * ROWS, starts.len());
            let all = u64::MAX >> (ROWS - count);
            let wanted = mask.map_or(all, |mask| mask.bits_from(row) & all);
            let place = rows_at.put(starts, lengths, wanted, buffer.len() as u64);
            match place.map_err(|place| row + place)? {
                Some(base) => tile.read(backend, &mut rows, &buffer[base..], &rows_at, count, edition),
                None => read_far_apart(backend, &mut tile, buffer, starts, lengths, wanted, edition),
            }
            for place in 0..count {
                tile.write_length(place, rows_at.lengths[place]);
            }
            let mut unwanted = all & !wanted;
            while unwanted != 0 {
                tile.write_wrong(unwanted.trailing_zeros() as usize, MASKED);
                unwanted &= unwanted - 1;
            }
            slots.put(row, &tile);
        }
        Ok(())
    }
}

/// Reads rows one by one that have no common base within 4 GiB.
#[inline(always)]
fn read_far_apart<M: Backend>(
    backend: M,
    tile: &mut Tile,
    buffer: &[u8],
    starts: &[u64],
    lengths: &[u32],
    mut wanted: u64,
    edition: &'static Edition,
) {
    while wanted != 0 {
        let row = wanted.trailing_zeros() as usize;
        let octets = &buffer[starts[row] as usize..][..lengths[row] as usize];
        tile.write_alone(backend, row, octets, edition);
        wanted &= wanted - 1;
    }
}

impl RowPlaces {
    /// Takes rows, and returns the position in the buffer that their starts are counted from; `None` if
    /// they are further apart than 32 bits. A row that is not wanted is empty, whatever its place is.
    ///
    /// Fails with the first row that is not in the buffer, or too long for a position.
    #[inline(always)]
    fn put(
        &mut self,
        starts: &[u64],
        lengths: &[u32],
        wanted: u64,
        len: u64,
    ) -> Result<Option<usize>, usize> {
        let (mut base, mut end, mut longest) = (u64::MAX, 0, 0);
        for (row, (&start, &length)) in starts.iter().zip(lengths).enumerate() {
            let is_wanted = wanted >> row & 1 == 1;
            base = base.min(if is_wanted { start } else { u64::MAX });
            let row_end = start.saturating_add(u64::from(length));
            end = end.max(if is_wanted { row_end } else { 0 });
            self.lengths[row] = if is_wanted { length } else { 0 };
            longest = longest.max(self.lengths[row]);
        }
        if end > len || longest >= MASKED {
            return Err(first_outside(starts, lengths, wanted, len));
        }
        base = base.min(end);
        for (row, &start) in starts.iter().enumerate() {
            let is_wanted = wanted >> row & 1 == 1;
            self.starts[row] = if is_wanted { (start - base) as u32 } else { 0 };
        }
        Ok((end - base < u64::from(u32::MAX)).then_some(base as usize))
    }
}

#[cold]
fn first_outside(starts: &[u64], lengths: &[u32], wanted: u64, len: u64) -> usize {
    let is_outside = |&row: &usize| {
        let end = starts[row].checked_add(u64::from(lengths[row]));
        wanted >> row & 1 == 1 && (lengths[row] >= MASKED || end.is_none_or(|end| end > len))
    };
    (0..starts.len()).find(is_outside).unwrap_or_default()
}
