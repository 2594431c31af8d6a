//! Columns filled by several threads: the buffer is divided at separators, the rows of each piece
//! are counted, and each piece is written into its own part of the columns.

use alloc::vec::Vec;
use core::ops::Range;

use rayon::prelude::*;

use super::divide::{Count, Divide};
use super::{BufferTooLong, COLUMNS, Columns, ReadRows, Separator, Slots, check_length};
use crate::octet;

/// How many octets a piece has at least: less is not worth a thread.
const SMALLEST: usize = 1 << 16;

impl Columns {
    /// The same as [`Columns::read`], by the threads of rayon's pool.
    ///
    /// # Errors
    ///
    /// A buffer of 4 GiB or more.
    pub fn read_in_parallel(&mut self, buffer: &[u8], separator: Separator) -> Result<(), BufferTooLong> {
        check_length(buffer)?;
        let edition = self.edition;
        let separator = separator.octet();
        let pieces = pieces(buffer, separator);
        let count =
            |piece: &Range<usize>| octet::dispatch(Count { buffer: &buffer[piece.clone()], separator });
        let rows: Vec<usize> = pieces.par_iter().map(count).collect();
        self.rows = 0;
        let mut rest = self.add(rows.iter().sum());
        let mut parts = Vec::with_capacity(pieces.len());
        for (piece, rows) in pieces.into_iter().zip(rows) {
            let (slots, behind) = rest.split_at(rows);
            parts.push((piece, slots));
            rest = behind;
        }
        parts.into_par_iter().for_each_init(Vec::new, |offsets, (piece, mut slots)| {
            let (buffer, mut start) = (&buffer[..piece.end], piece.start);
            while start < buffer.len() {
                octet::dispatch(Divide { buffer, start, limit: super::PIECE, separator, offsets });
                let (slots_here, behind) = slots.split_at(offsets.len() - 1);
                octet::dispatch(ReadRows { buffer, offsets, gap: 1, edition, slots: slots_here });
                slots = behind;
                start = offsets.last().map_or(buffer.len(), |&end| end as usize);
            }
        });
        Ok(())
    }
}

/// Pieces of whole rows, several for each thread.
fn pieces(buffer: &[u8], separator: u8) -> Vec<Range<usize>> {
    let size = SMALLEST.max(buffer.len() / (8 * rayon::current_num_threads()));
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < buffer.len() {
        let middle = buffer.len().min(start + size);
        let row_end = buffer[middle..].iter().position(|&octet| octet == separator);
        let end = row_end.map_or(buffer.len(), |at| middle + at + 1);
        pieces.push(start..end);
        start = end;
    }
    pieces
}

impl<'c> Slots<'c> {
    /// The first rows, and those behind them.
    fn split_at(self, rows: usize) -> (Self, Self) {
        let mut behind: [&mut [u32]; COLUMNS] = Default::default();
        let mut columns = behind.iter_mut();
        let first = self.0.map(|column| {
            let (first, rest) = column.split_at_mut(rows);
            if let Some(behind) = columns.next() {
                *behind = rest;
            }
            first
        });
        (Self(first), Self(behind))
    }
}
