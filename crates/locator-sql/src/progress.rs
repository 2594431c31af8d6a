//! Progress on standard error, if that is a terminal: how many rows of the files are read.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use datafusion::common::stats::Precision;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::statistics::StatisticsArgs;

use crate::interrupt;

/// The rows of text files that are read: the engine counts those of other files.
static TEXT_ROWS: AtomicUsize = AtomicUsize::new(0);

/// Counts rows of a text file that are read.
pub(crate) fn count_rows(rows: usize) {
    TEXT_ROWS.fetch_add(rows, Ordering::Relaxed);
}

/// Shows the progress of a plan until it is dropped.
pub(crate) struct Progress {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    const FIRST: Duration = Duration::from_millis(700);
    const NEXT: Duration = Duration::from_millis(200);

    /// Begins to show the progress, if standard error is a terminal.
    pub(crate) fn begin(plan: &Arc<dyn ExecutionPlan>, is_wanted: bool) -> Self {
        if !is_wanted || !io::stderr().is_terminal() {
            return Self { stop: None, thread: None };
        }
        let (stop, stopped) = mpsc::channel();
        let sources = sources(plan);
        let thread = thread::Builder::new().spawn(move || {
            let (start, total) = (Instant::now(), rows_in_all(&sources));
            let mut wait = Self::FIRST;
            while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                wait = Self::NEXT;
                let line = line(rows_read(&sources), total, start.elapsed());
                let _ = write!(io::stderr(), "\r\x1b[K{line}");
            }
            if wait == Self::NEXT {
                interrupt::end_line();
            }
        });
        Self { stop: Some(stop), thread: thread.ok() }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Returns the parts of a plan that read files.
fn sources(plan: &Arc<dyn ExecutionPlan>) -> Vec<Arc<dyn ExecutionPlan>> {
    let (mut sources, mut plans) = (Vec::new(), vec![Arc::clone(plan)]);
    while let Some(plan) = plans.pop() {
        let children = plan.children();
        if children.is_empty() {
            sources.push(Arc::clone(&plan));
        }
        plans.extend(children.into_iter().cloned());
    }
    sources
}

fn rows_read(sources: &[Arc<dyn ExecutionPlan>]) -> usize {
    let counted = sources.iter().filter_map(|source| source.metrics()?.output_rows()).sum::<usize>();
    counted + TEXT_ROWS.load(Ordering::Relaxed)
}

/// Returns how many rows the files have, if their formats say it.
fn rows_in_all(sources: &[Arc<dyn ExecutionPlan>]) -> Option<usize> {
    let rows = sources.iter().map(|source| {
        let statistics = source.statistics_from_inputs(&[], &StatisticsArgs::new()).ok()?;
        if let Precision::Exact(rows) = statistics.num_rows { Some(rows) } else { None }
    });
    rows.sum::<Option<usize>>().filter(|&rows| rows > 0)
}

fn line(read: usize, total: Option<usize>, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    match total {
        Some(total) => {
            let percent = (read.saturating_mul(100) / total).min(100);
            format!("{} of {} rows read, {percent} %, {seconds} s", grouped(read), grouped(total))
        }
        None => format!("{} rows read, {seconds} s", grouped(read)),
    }
}

/// Writes a number with commas between groups of three digits.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let second = Duration::from_millis(1500);
        assert_eq!(line(1_234_567, Some(5_000_000), second), "1,234,567 of 5,000,000 rows read, 24 %, 1 s");
        assert_eq!(line(12, None, second), "12 rows read, 1 s");
        assert_eq!(line(usize::MAX, Some(3), second).split(',').next_back(), Some(" 1 s"));
    }
}
