//! Columns filled by several threads: the buffer is divided at separators, the rows of each piece
//! are counted, and each piece is written into its own part of the columns.

use alloc::vec::Vec;

use rayon::prelude::*;

use super::{BufferTooLong, COLUMNS, Columns, Divide, ReadRows, Separator, Slots, check_length};
use crate::octet;

/// How many octets a piece has at least: less is not worth a thread.
const PIECE: usize = 1 << 16;

impl Columns {
    /// The same as [`Columns::read`], by the threads of rayon's pool.
    ///
    /// # Errors
    ///
    /// A buffer of 4 GiB or more.
    pub fn read_in_parallel(&mut self, buffer: &[u8], separator: Separator) -> Result<(), BufferTooLong> {
        check_length(buffer)?;
        let edition = self.edition;
        let pieces = pieces(buffer, separator);
        let rows_at: Vec<Vec<u32>> = pieces
            .par_iter()
            .map(|&(_, buffer)| {
                let mut offsets = Vec::new();
                octet::dispatch(Divide { buffer, separator: separator.octet(), offsets: &mut offsets });
                offsets
            })
            .collect();
        let mut rest = self.slots(rows_at.iter().map(|offsets| offsets.len() - 1).sum());
        let mut parts = Vec::with_capacity(pieces.len());
        for (&(first, buffer), offsets) in pieces.iter().zip(&rows_at) {
            let (slots, behind) = rest.split_at(offsets.len() - 1);
            parts.push(ReadRows { buffer, first: first as u32, offsets, gap: 1, edition, slots });
            rest = behind;
        }
        parts.into_par_iter().for_each(octet::dispatch);
        Ok(())
    }
}

/// Pieces of whole rows, several for each thread, with where each begins.
fn pieces(buffer: &[u8], separator: Separator) -> Vec<(usize, &[u8])> {
    let size = PIECE.max(buffer.len() / (4 * rayon::current_num_threads()));
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < buffer.len() {
        let middle = buffer.len().min(start + size);
        let row_end = buffer[middle..].iter().position(|&octet| octet == separator.octet());
        let end = row_end.map_or(buffer.len(), |at| middle + at + 1);
        pieces.push((start, &buffer[start..end]));
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
