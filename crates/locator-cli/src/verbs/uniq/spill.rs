//! Lines that do not fit into memory: takes records, and returns them in the same order.
//!
//! All runs are blocks of one temporary file. It has no name (on Windows it is deleted when it is
//! closed), so it is gone when the process ends, however it ends.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use crate::exit::{CliError, say_error};
use crate::run::interrupt::Turn;
use crate::terminal::visible;

/// A line that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record<'a> {
    /// The hash of what it is compared by; 0 in a run without keys.
    pub(super) key: u128,
    /// Its number in the input.
    pub(super) number: u64,
    /// How often it occurs, if that is known.
    pub(super) count: u64,
    pub(super) line: &'a [u8],
}

/// The memory for runs, and the file for what is more.
pub(super) struct Spill {
    file: Option<File>,
    end: u64,
    /// How many bytes of blocks may be held in memory.
    free: usize,
    /// How long a block is, unless a single record is longer.
    block: usize,
}

/// Records in order.
pub(super) struct Run {
    has_keys: bool,
    blocks: Vec<Block>,
    /// The last block, which may grow.
    open: Vec<u8>,
}

enum Block {
    Held(Vec<u8>),
    Stored { start: u64, length: usize },
}

/// Where a run is read.
pub(super) struct Reader<'r> {
    blocks: std::slice::Iter<'r, Block>,
    /// The block that is read, if it is in memory; else it is in the buffer.
    held: Option<&'r [u8]>,
    buffer: Vec<u8>,
    has_keys: bool,
    /// Where the next record begins.
    at: usize,
    /// Where the record after it begins, if that is known.
    next: usize,
}

impl Spill {
    /// Holds at most that many bytes in memory.
    pub(super) fn new(free: usize, block: usize) -> Self {
        Self { file: None, end: 0, free, block }
    }

    /// Appends a record to a run.
    pub(super) fn push(&mut self, run: &mut Run, record: Record<'_>) -> Result<(), CliError> {
        if run.has_keys {
            run.open.extend_from_slice(&record.key.to_le_bytes());
        }
        for number in [record.number, record.count, record.line.len() as u64] {
            write_number(&mut run.open, number);
        }
        run.open.extend_from_slice(record.line);
        if run.open.len() >= self.block { self.end_block(run) } else { Ok(()) }
    }

    /// Ends a run, which can be read then.
    pub(super) fn close(&mut self, run: &mut Run) -> Result<(), CliError> {
        self.end_block(run)?;
        run.open = Vec::new();
        Ok(())
    }

    /// Ends the last block of a run, in memory if there is room.
    fn end_block(&mut self, run: &mut Run) -> Result<(), CliError> {
        let length = run.open.len();
        if length == 0 {
            return Ok(());
        }
        if length <= self.free {
            self.free -= length;
            run.blocks.push(Block::Held(std::mem::take(&mut run.open)));
            return Ok(());
        }
        self.store(&run.open).map_err(|error| trouble(&error))?;
        run.blocks.push(Block::Stored { start: self.end, length });
        self.end += length as u64;
        run.open.clear();
        // A long line does not keep its memory.
        run.open.shrink_to(2 * self.block);
        Ok(())
    }

    fn store(&mut self, block: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            file => file.insert(tempfile::tempfile()?),
        };
        file.seek(SeekFrom::Start(self.end))?;
        file.write_all(block)
    }

    fn load(&mut self, start: u64, block: &mut [u8]) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Err(io::ErrorKind::UnexpectedEof.into()) };
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(block)
    }
}

/// Reports an error of the temporary file.
fn trouble(error: &io::Error) -> CliError {
    let folder = std::env::temp_dir();
    let folder = visible(&folder.to_string_lossy()).to_string();
    say_error(&format!("the temporary file in \"{folder}\" cannot be written or read: {error}"));
    CliError::Reported
}

/// Appends a number as few bytes: 7 bits in each, and the highest bit in all but the last (LEB128).
#[inline]
fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number that [`write_number`] has written, and moves to its end.
#[inline]
fn read_number(bytes: &[u8], at: &mut usize) -> u64 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = bytes[*at];
        *at += 1;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return number;
        }
        shift += 7;
    }
}

impl Run {
    /// Creates a run whose records keep their keys.
    pub(super) const fn with_keys() -> Self {
        Self { has_keys: true, blocks: Vec::new(), open: Vec::new() }
    }

    /// Creates a run of lines that are known to be different, and need no keys any more.
    pub(super) const fn without_keys() -> Self {
        Self { has_keys: false, blocks: Vec::new(), open: Vec::new() }
    }

    /// Returns whether the run, which is closed, has no record.
    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Begins to read the run, which is closed.
    pub(super) fn read(&self) -> Reader<'_> {
        let (blocks, has_keys) = (self.blocks.iter(), self.has_keys);
        Reader { blocks, held: None, buffer: Vec::new(), has_keys, at: 0, next: 0 }
    }
}

impl Reader<'_> {
    /// Returns the next record without passing it.
    pub(super) fn peek(&mut self, spill: &mut Spill) -> Result<Option<Record<'_>>, CliError> {
        while self.at >= self.block().len() {
            if Turn::is_over() {
                return Err(CliError::Interrupted);
            }
            (self.at, self.next) = (0, 0);
            match self.blocks.next() {
                None => {
                    (self.held, self.buffer) = (None, Vec::new());
                    return Ok(None);
                }
                Some(Block::Held(held)) => self.held = Some(held),
                Some(&Block::Stored { start, length }) => {
                    self.held = None;
                    self.buffer.resize(length, 0);
                    spill.load(start, &mut self.buffer).map_err(|error| trouble(&error))?;
                }
            }
        }
        let block = self.held.unwrap_or(&self.buffer);
        let (record, next) = record_at(block, self.at, self.has_keys);
        self.next = next;
        Ok(Some(record))
    }

    /// Passes the record that [`Self::peek`] returned.
    pub(super) fn pass(&mut self) {
        self.at = self.next;
    }

    fn block(&self) -> &[u8] {
        self.held.unwrap_or(&self.buffer)
    }
}

/// Reads the record of a block that begins at an offset; returns where the next one begins, too.
#[inline]
fn record_at(block: &[u8], mut at: usize, has_keys: bool) -> (Record<'_>, usize) {
    let mut key = 0;
    if has_keys {
        key = u128::from_le_bytes(std::array::from_fn(|byte| block[at + byte]));
        at += size_of::<u128>();
    }
    let [number, count, length] = std::array::from_fn(|_| read_number(block, &mut at));
    let end = at + length as usize;
    (Record { key, number, count, line: &block[at..end] }, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_returns_what_it_took() {
        const COUNT: u64 = u64::MAX - 1;
        // Nothing, a part of it or all of it fits into memory.
        for free in [0, 1 << 10, 1 << 20] {
            let mut spill = Spill::new(free, 256);
            let mut runs = [Run::with_keys(), Run::without_keys(), Run::with_keys()];
            let line = |number: u64| vec![b'a'; if number == 50 { 3_000 } else { number as usize }];
            for number in 0..100 {
                let record = Record { key: u128::MAX - 1, number, count: COUNT, line: &line(number) };
                spill.push(&mut runs[usize::from(number % 2 == 0)], record).expect("it can be written");
            }
            for run in &mut runs {
                spill.close(run).expect("it can be written");
            }
            for (run, numbers) in [(&runs[1], 0..50), (&runs[0], 0..50), (&runs[1], 0..50)] {
                let odd = u64::from(std::ptr::eq(run, &raw const runs[0]));
                let mut reader = run.read();
                for number in numbers.map(|half| 2 * half + odd) {
                    let record = reader.peek(&mut spill).expect("it can be read").expect("there is more");
                    let key = if odd == 1 { u128::MAX - 1 } else { 0 };
                    assert_eq!((record.key, record.number, record.count), (key, number, COUNT));
                    assert_eq!(record.line, line(number));
                    reader.pass();
                }
                assert_eq!(reader.peek(&mut spill).expect("it can be read"), None);
            }
            assert!(runs[2].is_empty() && !runs[1].is_empty());
            assert_eq!(spill.file.is_some(), free < 1 << 20);
        }
    }
}
