//! Queries over the column `url` of a Parquet file, on two threads: takes the name of a query a line, and
//! writes its answer and the seconds that it took.
//!
//! A thread takes one row group after the other. A name that begins with "same_" is the query over those
//! rows only that all engines understand alike: "http" at the start, and no "@", space or "[".

use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringArray};
use locator_arrow::Uniq;
use locator_functions::hash128;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

const THREADS: usize = 2;
/// Few enough for the cache: a column of so many URLs, and its hosts, take less than 1 MiB.
const BATCH: usize = 8192;

/// Answers queries until standard input ends.
pub fn serve(file: &Path) -> Result<()> {
    let metadata = ArrowReaderMetadata::load(&File::open(file)?, ArrowReaderOptions::new())?;
    let table = Table { file, metadata };
    for line in std::io::stdin().lines() {
        let line = line?;
        let (name, is_same) = match line.strip_prefix("same_") {
            Some(name) => (name, true),
            None => (&line[..], false),
        };
        let start = Instant::now();
        let answer = table.answer(name, is_same)?;
        println!("{answer} {}", start.elapsed().as_secs_f64());
        std::io::stdout().flush()?;
    }
    Ok(())
}

struct Table<'a> {
    file: &'a Path,
    metadata: ArrowReaderMetadata,
}

impl Table<'_> {
    fn answer(&self, name: &str, is_same: bool) -> Result<u64> {
        match name {
            "scan" => {
                Ok(self.on_threads(is_same, |sum: &mut u64, urls| *sum += length(urls))?.into_iter().sum())
            }
            "sum_host_lengths" => {
                let sums = self.on_threads(is_same, |sum: &mut u64, urls| *sum += length(&hosts(urls)))?;
                Ok(sums.into_iter().sum())
            }
            "distinct_hosts" => Ok(count(self.on_threads(is_same, |set, urls| add(set, &hosts(urls)))?)),
            "distinct_without_query" => {
                let strip = |urls: &StringArray| crate::kernel::call("uri_strip", urls);
                Ok(count(self.on_threads(is_same, |set, urls| add(set, &strip(urls)))?))
            }
            _ => Err(format!("no query is named {name:?}").into()),
        }
    }

    /// Returns the state of each thread after all batches.
    fn on_threads<T: Default + Send>(
        &self,
        is_same: bool,
        step: impl Fn(&mut T, &StringArray) + Sync,
    ) -> Result<Vec<T>> {
        let next = AtomicUsize::new(0);
        let work = || -> Result<T> {
            let mut state = T::default();
            while let Some(group) =
                Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&group| group < self.groups())
            {
                self.each_batch(group, |urls| match is_same {
                    true => step(&mut state, &urls.iter().map(|url| url.filter(|url| same(url))).collect()),
                    false => step(&mut state, urls),
                })?;
            }
            Ok(state)
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        })
    }

    fn groups(&self) -> usize {
        self.metadata.metadata().num_row_groups()
    }

    fn each_batch(&self, group: usize, mut each: impl FnMut(&StringArray)) -> Result<()> {
        let file = File::open(self.file)?;
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone());
        let url = ProjectionMask::columns(builder.parquet_schema(), ["url"]);
        let reader = builder.with_row_groups(vec![group]).with_projection(url).with_batch_size(BATCH);
        for batch in reader.build()? {
            each(batch?.column(0).as_string_opt().ok_or("the column is not of Utf8")?);
        }
        Ok(())
    }
}

fn same(url: &str) -> bool {
    url.starts_with("http") && !url.contains(['@', ' ', '['])
}

fn hosts(urls: &StringArray) -> ArrayRef {
    crate::kernel::call("uri_host", urls)
}

fn length(texts: &dyn Array) -> u64 {
    let offsets = texts.as_string::<i32>().value_offsets();
    (offsets[offsets.len() - 1] - offsets[0]) as u64
}

/// Hashes of texts, by their highest bit, so that two threads can put the sets of two threads together.
#[derive(Default)]
struct Halves([Uniq; 2]);

fn add(set: &mut Halves, texts: &dyn Array) {
    for text in texts.as_string::<i32>().iter().flatten() {
        let hash = hash128(text.as_bytes());
        set.0[usize::from(hash[0] >> 7)].add_hash(hash);
    }
}

/// Returns how many texts are in any of some sets.
fn count(sets: Vec<Halves>) -> u64 {
    let mut halves = [Vec::new(), Vec::new()];
    for Halves([low, high]) in sets {
        halves[0].push(low);
        halves[1].push(high);
    }
    let count = |sets: Vec<Uniq>| {
        let merged = sets.into_iter().reduce(|mut one, other| {
            one.merge(other);
            one
        });
        merged.map_or(0, |mut merged| merged.count())
    };
    std::thread::scope(|scope| {
        let threads = halves.map(|sets| scope.spawn(move || count(sets)));
        threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
    })
}
