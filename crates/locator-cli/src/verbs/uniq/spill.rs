//! Lines that do not fit into memory: takes records, and returns them in the same order.
//!
//! All runs are blocks of one temporary file. It has no name (on Windows it is deleted when it is
//! closed), so it is gone when the process ends, however it ends.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use crate::exit::{CliError, say_error};
use crate::interrupt::Turn;
use crate::terminal::visible;

/// A line that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record<'a> {
    /// The hash of what it is compared by.
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
#[derive(Default)]
pub(super) struct Run {
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
    /// Where the next record begins.
    at: usize,
}

/// The bytes of a record before its line.
const HEAD: usize = 16 + 8 + 8 + 8;

impl Spill {
    /// Holds at most that many bytes in memory.
    pub(super) fn new(free: usize, block: usize) -> Self {
        Self { file: None, end: 0, free, block }
    }

    /// Appends a record to a run.
    pub(super) fn push(&mut self, run: &mut Run, record: Record<'_>) -> Result<(), CliError> {
        run.open.extend_from_slice(&record.key.to_le_bytes());
        for number in [record.number, record.count, record.line.len() as u64] {
            run.open.extend_from_slice(&number.to_le_bytes());
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

impl Run {
    /// Returns whether the run, which is closed, has no record.
    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Begins to read the run, which is closed.
    pub(super) fn read(&self) -> Reader<'_> {
        Reader { blocks: self.blocks.iter(), held: None, buffer: Vec::new(), at: 0 }
    }
}

impl Reader<'_> {
    /// Returns the next record without passing it.
    pub(super) fn peek(&mut self, spill: &mut Spill) -> Result<Option<Record<'_>>, CliError> {
        while self.at >= self.block().len() {
            if Turn::is_over() {
                return Err(CliError::Interrupted);
            }
            self.at = 0;
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
        Ok(Some(self.record()))
    }

    /// Passes the record that [`Self::peek`] returned.
    pub(super) fn pass(&mut self) {
        self.at += HEAD + self.record().line.len();
    }

    fn block(&self) -> &[u8] {
        self.held.unwrap_or(&self.buffer)
    }

    fn record(&self) -> Record<'_> {
        let (head, rest) = self.block()[self.at..].split_at(HEAD);
        let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| head[at + byte]));
        Record {
            key: u128::from(number(8)) << 64 | u128::from(number(0)),
            number: number(16),
            count: number(24),
            line: &rest[..number(32) as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_returns_what_it_took() {
        // Nothing, a part of it or all of it fits into memory.
        for free in [0, 1 << 10, 1 << 20] {
            let mut spill = Spill::new(free, 256);
            let mut runs = [Run::default(), Run::default(), Run::default()];
            let line = |number: u64| vec![b'a'; if number == 50 { 3_000 } else { number as usize }];
            for number in 0..100 {
                let record = Record { key: u128::MAX - 1, number, count: 7, line: &line(number) };
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
                    assert_eq!((record.key, record.number, record.count), (u128::MAX - 1, number, 7));
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
