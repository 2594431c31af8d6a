//! Lines whose keys do not fit into the table: divides them into parts by their keys, removes the
//! duplicates of each part, and merges the parts in the order of the input.
//!
//! Equal lines are in the same part. A part whose keys do not fit into the table either is divided
//! again, by other bits of the keys.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::counts::Counts;
use super::spill::{Record, Run, Spill};
use super::table::{Added, Table};
use crate::exit::CliError;

/// How much memory is used, in bytes, and for what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// For the table.
    pub(super) table: usize,
    /// For records.
    pub(super) records: usize,
    /// For the last block of each part.
    pub(super) block: usize,
    /// Whether lines are counted.
    pub(super) counts: bool,
}

impl Budget {
    /// Divides that many bytes. The table needs half as much more while it grows, and each part its last
    /// block.
    pub(super) fn new(memory: usize, counts: bool) -> Self {
        let block = (memory / 2048).clamp(1 << 10, 64 << 10);
        Self { table: memory / 16 * 9, records: memory / 16, block, counts }
    }

    pub(super) fn table(&self) -> Table {
        Table::new(self.table, self.counts)
    }

    pub(super) fn spill(&self) -> Spill {
        Spill::new(self.records, self.block)
    }

    /// How many runs are merged at a time; each needs a block.
    fn merged(&self) -> usize {
        (self.table / self.block).max(2)
    }
}

/// Lines by their keys.
pub(super) struct Parts {
    runs: Vec<Run>,
    /// How often what is in them was divided before.
    depth: u32,
}

impl Parts {
    const BITS: u32 = 6;
    /// When all bits of the half of a key that the table does not use have been used.
    const DEEPEST: u32 = 64 / Self::BITS;

    pub(super) fn new() -> Self {
        Self::at(0)
    }

    fn at(depth: u32) -> Self {
        Self { runs: std::iter::repeat_with(Run::with_keys).take(1 << Self::BITS).collect(), depth }
    }

    /// Adds a line to its part.
    pub(super) fn push(&mut self, spill: &mut Spill, record: Record<'_>) -> Result<(), CliError> {
        let part = (record.key as u64 >> (self.depth * Self::BITS)) as usize % self.runs.len();
        spill.push(&mut self.runs[part], record)
    }

    /// Ends the parts: returns those with lines, each with its depth.
    fn end(mut self, spill: &mut Spill) -> Result<Vec<(Run, u32)>, CliError> {
        self.runs.iter_mut().try_for_each(|run| spill.close(run))?;
        let depth = self.depth + 1;
        Ok(self.runs.into_iter().filter(|run| !run.is_empty()).map(|run| (run, depth)).collect())
    }

    /// Passes the first line of each key, with its count, in the order of the input.
    pub(super) fn finish(
        self,
        budget: Budget,
        spill: &mut Spill,
        print: &mut impl FnMut(Record<'_>) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let mut parts = self.end(spill)?;
        let mut firsts = Vec::new();
        while let Some((part, depth)) = parts.pop() {
            let (run, more) = first_lines(&part, depth, budget, spill)?;
            firsts.push(run);
            parts.extend(more.end(spill)?);
        }
        while firsts.len() > budget.merged() {
            let some = firsts.split_off(firsts.len() - budget.merged());
            let mut merged = Run::without_keys();
            merge(&some, spill, |spill, record| spill.push(&mut merged, record))?;
            spill.close(&mut merged)?;
            // At the other end, so that runs of equal length are merged.
            firsts.insert(0, merged);
        }
        merge(&firsts, spill, |_, record| print(record))
    }
}

/// Returns the first line of each key of a part that fits into a table, and the other lines.
fn first_lines(part: &Run, depth: u32, budget: Budget, spill: &mut Spill) -> Result<(Run, Parts), CliError> {
    let budget = if depth > Parts::DEEPEST { Budget { table: usize::MAX / 2, ..budget } } else { budget };
    let (mut firsts, mut more) = (Run::without_keys(), Parts::at(depth));
    let (mut table, mut reader) = (budget.table(), part.read());
    while let Some(record) = reader.peek(spill)? {
        match table.add(record.key) {
            Added::Full => more.push(spill, record)?,
            Added::New => spill.push(&mut firsts, record)?,
            Added::Known => {}
        }
        reader.pass();
    }
    spill.close(&mut firsts)?;
    if !budget.counts {
        return Ok((firsts, more));
    }
    let mut counted = Run::without_keys();
    each_counted(&firsts, &table.into_counts(), spill, |spill, record| spill.push(&mut counted, record))?;
    spill.close(&mut counted)?;
    Ok((counted, more))
}

/// Passes the records of a run, whose keys were added to a table in the same order, with their counts.
pub(super) fn each_counted(
    firsts: &Run,
    counts: &Counts,
    spill: &mut Spill,
    mut pass: impl FnMut(&mut Spill, Record<'_>) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let mut reader = firsts.read();
    for count in counts.iter() {
        let Some(record) = reader.peek(spill)? else { break };
        pass(spill, Record { count, ..record })?;
        reader.pass();
    }
    Ok(())
}

/// Passes the records of runs in the order of their numbers, which each run has.
fn merge(
    runs: &[Run],
    spill: &mut Spill,
    mut pass: impl FnMut(&mut Spill, Record<'_>) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let mut readers: Vec<_> = runs.iter().map(Run::read).collect();
    let mut next = BinaryHeap::new();
    for (index, reader) in readers.iter_mut().enumerate() {
        next.extend(reader.peek(spill)?.map(|record| Reverse((record.number, index))));
    }
    while let Some(Reverse((_, index))) = next.pop() {
        let reader = &mut readers[index];
        if let Some(record) = reader.peek(spill)? {
            pass(spill, record)?;
            reader.pass();
        }
        next.extend(reader.peek(spill)?.map(|record| Reverse((record.number, index))));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use twox_hash::XxHash3_128;

    use super::*;

    fn line(number: u64) -> Vec<u8> {
        // A few are longer than a block.
        let length = if number.is_multiple_of(97) { 300 } else { number as usize % 7 };
        [number.to_string().into_bytes(), vec![b'a'; length]].concat()
    }

    #[test]
    fn parts_are_divided_and_merged() {
        // A table has 75 keys, so parts of parts are needed, and more runs than are merged at a time.
        for (counts, records) in [(false, 0), (true, 0), (false, 3_000), (true, 1 << 20)] {
            let table = if counts { 2_200 } else { 1_600 };
            let budget = Budget { table, records, block: 64, counts };
            let (mut spill, mut parts) = (budget.spill(), Parts::new());
            let mut expected: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
            for number in 0..30_000_u64 {
                let different = number * 7_919 % 12_000;
                let line = line(different);
                let key = XxHash3_128::oneshot(&line);
                expected.entry(different).or_insert((number, 0)).1 += 1;
                let record = Record { key, number, count: 1, line: &line };
                assert!(parts.push(&mut spill, record).is_ok());
            }
            let mut expected: Vec<_> =
                expected.into_iter().map(|(line, (number, count))| (number, count, line)).collect();
            expected.sort_unstable();
            let mut found = Vec::new();
            let mut print = |record: Record<'_>| {
                found.push((record.number, record.count, record.line.to_vec()));
                Ok(())
            };
            assert!(parts.finish(budget, &mut spill, &mut print).is_ok());
            let count = |count| if counts { count } else { 1 };
            let expected: Vec<_> = expected
                .into_iter()
                .map(|(number, found, different)| (number, count(found), line(different)))
                .collect();
            assert_eq!(found.len(), expected.len());
            assert!(found == expected, "{counts}, {records}");
        }
    }
}
