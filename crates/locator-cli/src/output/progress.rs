//! Shows the progress of a long search or transfer in a line on standard error, if that is a terminal
//! and nothing else is shown there.
//!
//! [`line`] divides the line into what fits the terminal. [`meter`] measures the speed, and writes sizes
//! and times.

mod line;
mod meter;

use std::io::{self, IsTerminal, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use unicode_width::UnicodeWidthStr as _;

use self::line::{Field, Line};
#[cfg(feature = "get")]
pub(crate) use self::meter::duration;
use self::meter::{Meter, clock};
pub(crate) use self::meter::{grouped, size};
use crate::output::Output;
use crate::terminal::Paint;

static DRAWN: Mutex<Drawn> = Mutex::new(Drawn { is_shown: false, pauses: 0, columns: 0 });

/// The line on the terminal. The cursor stays in it, so that "^C" is written in it, too, and is removed
/// with it. It is removed by blanks, which every terminal knows.
struct Drawn {
    is_shown: bool,
    /// How many writers want it to be hidden.
    pauses: usize,
    /// How many columns of the terminal have been written to.
    columns: usize,
}

/// The time after which progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

/// The counts of a search or of transfers, and the line that shows them.
pub(crate) struct Progress {
    counts: Arc<Counts>,
    line: Option<(Sender<()>, JoinHandle<()>)>,
}

/// What has been counted.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// Files that were searched, or transfers that succeeded.
    pub(crate) files: AtomicU64,
    /// Transfers that failed.
    #[cfg(feature = "get")]
    pub(crate) failed: AtomicU64,
    /// Bytes that were read.
    pub(crate) octets: AtomicU64,
    /// Links that were found or judged.
    pub(crate) links: AtomicU64,
    /// How many URLs a check of links has.
    #[cfg(feature = "links")]
    urls: AtomicU64,
    /// The hosts that it waits for.
    #[cfg(feature = "links")]
    waiting: Mutex<Vec<String>>,
}

/// What the line shows.
enum Task {
    /// A search, with the number of bytes of all files if it is known.
    Search { all: Option<u64> },
    /// A transfer, with its name and its number of bytes if it is known.
    #[cfg(feature = "get")]
    Transfer { name: String, all: Option<u64> },
    /// Parallel transfers, with their number if it is known.
    #[cfg(feature = "get")]
    Transfers { all: Option<u64> },
    /// A check of URLs.
    #[cfg(feature = "links")]
    Links,
}

impl Progress {
    /// Begins to count a search. The line is shown if `wanted` and standard error is a terminal; it has a
    /// bar if the total number of bytes, `all`, is known.
    pub(crate) fn begin(wanted: bool, all: Option<u64>) -> Self {
        Self::start(wanted, Task::Search { all }, 0)
    }

    /// Begins to count the bytes of a transfer, which has `from` bytes already.
    #[cfg(feature = "get")]
    pub(crate) fn of_transfer(wanted: bool, name: String, all: Option<u64>, from: u64) -> Self {
        Self::start(wanted, Task::Transfer { name, all }, from)
    }

    /// Begins to count parallel transfers.
    #[cfg(feature = "get")]
    pub(crate) fn of_transfers(wanted: bool, all: Option<u64>) -> Self {
        Self::start(wanted, Task::Transfers { all }, 0)
    }

    /// Begins to count the URLs that links lead to.
    #[cfg(feature = "links")]
    pub(crate) fn of_links(wanted: bool) -> Self {
        Self::start(wanted, Task::Links, 0)
    }

    /// Sets how many URLs are judged, of how many, and which hosts are waited for, if that is shown.
    #[cfg(feature = "links")]
    pub(crate) fn set_links(&self, (done, all): (u64, u64), waiting: &dyn Fn() -> Vec<String>) {
        self.counts.urls.store(all, Ordering::Relaxed);
        if self.line.is_some() && self.counts.links.swap(done, Ordering::Relaxed) != done {
            *self.counts.waiting.lock().unwrap_or_else(PoisonError::into_inner) = waiting();
        }
    }

    fn start(wanted: bool, task: Task, from: u64) -> Self {
        let counts = Arc::new(Counts { octets: AtomicU64::new(from), ..Counts::default() });
        let line = (wanted && is_shown()).then(|| {
            let (end, ended) = mpsc::channel();
            let (counts, start) = (Arc::clone(&counts), Instant::now());
            let thread = thread::spawn(move || {
                let lasts = |time| ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
                let mut meter = Meter::new(from);
                let mut draw = || {
                    meter.note(start.elapsed(), counts.octets());
                    draw_line(&task.line(&counts, &meter));
                };
                if lasts(PATIENCE) {
                    begin_line();
                    draw();
                    while lasts(TICK) {
                        draw();
                    }
                    end_line();
                }
            });
            (end, thread)
        });
        Self { counts, line }
    }

    /// Counts more.
    pub(crate) fn add(to: &AtomicU64, more: u64) {
        to.fetch_add(more, Ordering::Relaxed);
    }

    /// Removes the line and returns the counts.
    pub(crate) fn end(self) -> Arc<Counts> {
        Arc::clone(&self.counts)
    }

    /// What is counted.
    pub(crate) fn counts(&self) -> &Counts {
        &self.counts
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.line.take() {
            drop(end);
            // A failure to draw the line is ignored.
            let _ = thread.join();
        }
    }
}

/// Returns whether standard error is a terminal on which a line can be drawn again.
pub(crate) fn is_shown() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|kind| kind != "dumb")
}

impl Counts {
    fn octets(&self) -> u64 {
        self.octets.load(Ordering::Relaxed)
    }
}

impl Task {
    /// Returns the line for the counts.
    fn line(&self, counts: &Counts, meter: &Meter) -> Line {
        match self {
            Self::Search { all } => search(counts, meter, *all),
            #[cfg(feature = "get")]
            Self::Transfer { name, all } => transfer(name, counts, meter, *all),
            #[cfg(feature = "get")]
            Self::Transfers { all } => transfers(counts, meter, *all),
            #[cfg(feature = "links")]
            Self::Links => links(counts, meter, counts.urls.load(Ordering::Relaxed)),
        }
    }
}

/// Returns the line of a search: `━━━──  35%  1,234 files  7.0 MiB  56 links  in 0:07`.
fn search(counts: &Counts, meter: &Meter, all: Option<u64>) -> Line {
    let [files, links] = [&counts.files, &counts.links].map(|count| count.load(Ordering::Relaxed));
    let mut line = Line::default();
    if let Some(all) = all {
        line = line.part(counts.octets(), all);
    }
    line.field(Field::Counted, counted(files, "file"))
        .field(Field::Size, size(counts.octets()))
        .field(Field::Rest, counted(links, "link"))
        .field(Field::Time, format!("in {}", clock(meter.elapsed())))
}

/// Returns the line of a transfer: `large.iso  ━━━──  35%  7.0 of 20.0 MiB  1.8 MiB/s  0:07`; without a
/// length `large.iso  7.0 MiB  1.8 MiB/s  in 0:04`.
#[cfg(feature = "get")]
fn transfer(name: &str, counts: &Counts, meter: &Meter, all: Option<u64>) -> Line {
    let (octets, line) = (counts.octets(), Line::named(name));
    let speed = format!("{:>11}", meter::speed(meter.speed()));
    let Some(all) = all.filter(|&all| all >= octets) else {
        let line = line.field(Field::Size, size(octets)).field(Field::Speed, speed);
        return line.field(Field::Time, format!("in {}", clock(meter.elapsed())));
    };
    let left = meter.left(all - octets).map_or_else(|| "-:--".into(), clock);
    line.part(octets, all)
        .field(Field::Size, meter::size_of(octets, all))
        .field(Field::Speed, speed)
        .field(Field::Time, left)
}

/// Returns the line of parallel transfers: `2 of 3 done, 1 failed  7.0 MiB  1.8 MiB/s`.
#[cfg(feature = "get")]
fn transfers(counts: &Counts, meter: &Meter, all: Option<u64>) -> Line {
    let [done, failed] = [&counts.files, &counts.failed].map(|count| count.load(Ordering::Relaxed));
    let of = all.map(|all| format!(" of {}", grouped(all))).unwrap_or_default();
    let failed = if failed == 0 { String::new() } else { format!(", {} failed", grouped(failed)) };
    Line::default()
        .field(Field::Counted, format!("{}{of} done{failed}", grouped(done)))
        .field(Field::Size, size(counts.octets()))
        .field(Field::Speed, meter::speed(meter.speed()))
}

/// Returns the line of a check of links: `━━━──  35%  700 of 2,000 URLs  56/s  waiting for a.example`.
#[cfg(feature = "links")]
fn links(counts: &Counts, meter: &Meter, all: u64) -> Line {
    let done = counts.links.load(Ordering::Relaxed);
    let seconds = meter.elapsed().as_secs_f64().max(1.0);
    let waiting = counts.waiting.lock().unwrap_or_else(PoisonError::into_inner);
    let line = Line::default()
        .part(done, all)
        .field(Field::Counted, format!("{} of {} URLs", grouped(done), grouped(all)))
        .field(Field::Time, format!("{:.0}/s", done as f64 / seconds));
    match waiting.as_slice() {
        [] => line,
        [one] => line.field(Field::Rest, format!("waiting for {one}")),
        [one, rest @ ..] => line.field(Field::Rest, format!("waiting for {one} and {} more", rest.len())),
    }
}

/// Returns a number and a noun: `1 file`, `1,234 files`.
fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// The columns of "^C".
const CONTROL_C: usize = 2;

/// Returns how many columns the line may have: some terminals begin a new line after the last, and Ctrl-C
/// writes "^C" after it. A line that is longer than a narrow terminal could not be removed.
fn columns() -> usize {
    let size = terminal_size::terminal_size_of(io::stderr());
    size.map_or(80, |(width, _)| usize::from(width.0)).saturating_sub(1 + CONTROL_C)
}

fn begin_line() {
    lock().is_shown = true;
}

fn draw_line(line: &Line) {
    let mut drawn = lock();
    if drawn.is_shown && drawn.pauses == 0 {
        let mut errors = Output::messages();
        let text = line.drawn(columns(), errors.paint);
        let columns = line.drawn(columns(), Paint::new(false)).width();
        let rest = drawn.columns.saturating_sub(columns);
        drawn.columns = drawn.columns.max(columns);
        // A failure to draw the line is ignored.
        let _ = write!(errors, "\r{text}{:rest$}", "").and_then(|()| errors.flush());
    }
}

/// Removes the line.
pub(crate) fn end_line() {
    let mut drawn = lock();
    drawn.erase();
    drawn.is_shown = false;
}

/// Runs work that writes to standard error while the line is hidden.
pub(crate) fn aside<T>(work: impl FnOnce() -> T) -> T {
    // The lock is not held: the work may wait for a person, and be interrupted.
    let pause = Pause::begin();
    let result = work();
    drop(pause);
    result
}

/// A time in which the line is hidden.
struct Pause;

impl Pause {
    fn begin() -> Self {
        let mut drawn = lock();
        drawn.erase();
        drawn.pauses += 1;
        Self
    }
}

impl Drop for Pause {
    fn drop(&mut self) {
        lock().pauses -= 1;
    }
}

impl Drawn {
    fn erase(&mut self) {
        if self.columns > 0 {
            let columns = self.columns + CONTROL_C;
            let mut errors = Output::messages();
            let _ = write!(errors, "\r{:columns$}\r", "").and_then(|()| errors.flush());
            self.columns = 0;
        }
    }
}

fn lock() -> MutexGuard<'static, Drawn> {
    DRAWN.lock().unwrap_or_else(PoisonError::into_inner)
}
