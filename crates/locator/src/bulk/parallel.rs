//! Fills a batch with several threads. The buffer is cut at separators and the pieces are divided
//! into rows. Then the number of rows of each piece is known, and each thread writes its own part
//! of the columns.

use alloc::vec::Vec;
use core::ops::Range;

use rayon::prelude::*;

use super::write::{BatchColumns, COLUMNS, Divide, ReadRows, Starts};
use super::{Batch, BufferTooLongError, Separator, check_length};
use crate::simd;

/// The minimum length of a piece: a shorter one is not worth a thread.
const SMALLEST: usize = 1 << 15;

impl Batch {
    /// Parses the rows of a buffer like [`Batch::read`], with the threads of rayon's pool.
    ///
    /// # Errors
    ///
    /// Returns an error for a buffer of 4 GiB or more.
    pub fn read_in_parallel(
        &mut self,
        buffer: &[u8],
        separator: Separator,
    ) -> Result<(), BufferTooLongError> {
        check_length(buffer)?;
        let (edition, separator) = (self.edition, separator.octet());
        let ranges = ranges(buffer, separator);
        let mut pieces = core::mem::take(&mut self.pieces);
        pieces.resize_with(ranges.len().max(pieces.len()), Starts::default);
        let each = pieces.par_iter_mut().zip(&ranges);
        each.for_each(|(starts, piece)| {
            let (buffer, start) = (&buffer[..piece.end], piece.start);
            simd::dispatch(Divide { buffer, start, limit: usize::MAX, separator, starts });
        });
        self.rows = 0;
        let rows = pieces.iter().zip(&ranges).map(|(starts, _)| starts.rows());
        let mut rest = self.add(rows.sum());
        let mut parts = Vec::with_capacity(ranges.len());
        for starts in &pieces[..ranges.len()] {
            let (slots, after) = rest.split_at(starts.rows());
            parts.push((starts.offsets(), slots));
            rest = after;
        }
        parts.into_par_iter().for_each(|(offsets, slots)| {
            simd::dispatch(ReadRows { buffer, offsets, gap: 1, edition, slots });
        });
        self.pieces = pieces;
        Ok(())
    }
}

/// Divides the buffer into pieces of whole rows, several for each thread.
fn ranges(buffer: &[u8], separator: u8) -> Vec<Range<usize>> {
    let size = SMALLEST.max(buffer.len() / (32 * rayon::current_num_threads()));
    let mut ranges = Vec::new();
    let mut start = 0;
    while start < buffer.len() {
        let middle = buffer.len().min(start + size);
        let row_end = buffer[middle..].iter().position(|&octet| octet == separator);
        let end = row_end.map_or(buffer.len(), |at| middle + at + 1);
        ranges.push(start..end);
        start = end;
    }
    ranges
}

impl<'c> BatchColumns<'c> {
    /// Splits the columns into the first rows and those after them.
    fn split_at(self, rows: usize) -> (Self, Self) {
        let mut after: [&mut [u32]; COLUMNS] = Default::default();
        let mut columns = after.iter_mut();
        let first = self.columns.map(|column| {
            let (first, rest) = column.split_at_mut(rows.min(column.len()));
            if let Some(after) = columns.next() {
                *after = rest;
            }
            first
        });
        (Self { rows, columns: first }, Self { rows: self.rows - rows, columns: after })
    }
}
