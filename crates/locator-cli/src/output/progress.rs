//! Shows the progress of a long search or transfer in a line on standard error, if that is a terminal and nothing else is
//! shown there. The line fits the terminal: the bar shrinks, then it is left out, then other fields are, the least
//! important first; the name is cut. Also the speed of a transfer, over the last seconds; and numbers, sizes and times
//! for people.

use std::collections::VecDeque;
use std::io::{IsTerminal, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use std::{io, thread};

#[cfg(feature = "get")]
use locator_web::report::quantity::part_of_size;
use locator_web::report::quantity::{binary_size, clock, grouped};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr as _};

use crate::output::Output;
use crate::terminal::Paint;
use crate::terminal::paint::{FAINT, GOOD};
#[cfg(feature = "get")]
use crate::terminal::visible;

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
        .field(Field::Size, binary_size(counts.octets()))
        .field(Field::Rest, counted(links, "link"))
        .field(Field::Time, format!("in {}", clock(meter.elapsed())))
}

/// Returns the line of a transfer: `large.iso  ━━━──  35%  7.0 of 20.0 MiB  1.8 MiB/s  0:07`; without a
/// length `large.iso  7.0 MiB  1.8 MiB/s  in 0:04`.
#[cfg(feature = "get")]
fn transfer(name: &str, counts: &Counts, meter: &Meter, all: Option<u64>) -> Line {
    let (octets, line) = (counts.octets(), Line::named(name));
    let speed = format!("{:>11}", speed(meter.speed()));
    let Some(all) = all.filter(|&all| all >= octets) else {
        let line = line.field(Field::Size, binary_size(octets)).field(Field::Speed, speed);
        return line.field(Field::Time, format!("in {}", clock(meter.elapsed())));
    };
    let left = meter.left(all - octets).map_or_else(|| "-:--".into(), clock);
    line.part(octets, all)
        .field(Field::Size, part_of_size(octets, all))
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
        .field(Field::Size, binary_size(counts.octets()))
        .field(Field::Speed, speed(meter.speed()))
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

/// What a field says. Those first here stay longest on a narrow terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Field {
    Percent,
    Counted,
    Time,
    Size,
    #[cfg(feature = "get")]
    Speed,
    Rest,
}

/// What is to be shown, in the order of the line: a name, a bar, fields.
#[derive(Default)]
pub(super) struct Line {
    name: String,
    /// The part that is done, from 0 to 1.
    done: Option<f64>,
    fields: Vec<(Field, String)>,
}

/// The columns between two fields.
const GAP: usize = 2;

/// The columns of a bar.
const SHORTEST: usize = 8;
const LONGEST: usize = 40;

/// The most columns of a name, and those that are kept for it.
const NAME: usize = 30;
const SHORT_NAME: usize = 12;

impl Line {
    /// Begins with a name.
    #[cfg(feature = "get")]
    pub(super) fn named(name: &str) -> Self {
        Self { name: visible(name).to_string(), ..Self::default() }
    }

    /// Adds a bar, and its percent.
    pub(super) fn part(self, done: u64, all: u64) -> Self {
        let part = if all == 0 { 1.0 } else { (done as f64 / all as f64).min(1.0) };
        Self { done: Some(part), ..self }.field(Field::Percent, format!("{:>3}%", (part * 100.0) as u8))
    }

    /// Adds a field.
    pub(super) fn field(mut self, field: Field, text: String) -> Self {
        self.fields.push((field, text));
        self
    }

    /// Returns the line for so many columns.
    fn drawn(&self, columns: usize, paint: Paint) -> String {
        let mut fields: Vec<_> = self.fields.iter().collect();
        let room = |fields: &[&(Field, String)], name: usize| {
            let named = usize::from(name > 0);
            let texts: usize = fields.iter().map(|(_, text)| GAP + text.width()).sum();
            (columns + GAP * (1 - named)).checked_sub(name + texts)
        };
        let name = self.name.width();
        while room(&fields, name.min(SHORT_NAME)).is_none() {
            let Some(least) = fields.iter().map(|(field, _)| *field).max() else { break };
            fields.retain(|(field, _)| *field != least);
        }
        let free = room(&fields, 0).unwrap_or(columns);
        // The name is cut before the bar is left out.
        let bar = self.done.filter(|_| room(&fields, name.min(SHORT_NAME)) >= Some(GAP + SHORTEST));
        let reserved = if bar.is_some() { GAP + SHORTEST } else { 0 };
        let name = cut(&self.name, free.saturating_sub(reserved + GAP).clamp(1, NAME));
        let left = room(&fields, name.width()).unwrap_or(0);
        let bar = bar.map(|done| drawn_bar(done, left.saturating_sub(GAP).clamp(SHORTEST, LONGEST), paint));
        let texts = fields.into_iter().map(|(_, text)| text.clone());
        let parts = Some(name).filter(|name| !name.is_empty()).into_iter().chain(bar).chain(texts);
        parts.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }
}

/// Returns a bar of so many columns.
fn drawn_bar(done: f64, columns: usize, paint: Paint) -> String {
    let full = (columns as f64 * done) as usize;
    let (full, rest) = ("━".repeat(full), "─".repeat(columns - full));
    format!("{}{}", paint.with(GOOD, full), paint.with(FAINT, rest))
}

/// Returns a name of at most so many columns.
fn cut(name: &str, columns: usize) -> String {
    if name.width() <= columns {
        return name.to_owned();
    }
    let mut width = 0;
    let fits = |c: &char| {
        width += c.width().unwrap_or(0);
        width < columns
    };
    name.chars().take_while(fits).chain(['…']).collect()
}

/// The numbers of bytes at some times.
struct Meter {
    samples: VecDeque<(Duration, u64)>,
}

/// The speed is that of this time, as in curl.
const SPAN: Duration = Duration::from_secs(5);

impl Meter {
    /// Begins with so many bytes at the time 0.
    pub(super) fn new(octets: u64) -> Self {
        Self { samples: VecDeque::from([(Duration::ZERO, octets)]) }
    }

    /// Notes how many bytes there are at a time.
    pub(super) fn note(&mut self, time: Duration, octets: u64) {
        self.samples.push_back((time, octets));
        while self.samples.get(1).is_some_and(|(second, _)| time.saturating_sub(*second) >= SPAN) {
            self.samples.pop_front();
        }
    }

    /// Returns the time of the last number.
    pub(super) fn elapsed(&self) -> Duration {
        self.samples.back().map_or(Duration::ZERO, |(time, _)| *time)
    }

    /// Returns the number of bytes per second.
    #[cfg(feature = "get")]
    pub(super) fn speed(&self) -> u64 {
        let (Some(first), Some(last)) = (self.samples.front(), self.samples.back()) else { return 0 };
        let (time, octets) = (last.0.saturating_sub(first.0), last.1.saturating_sub(first.1));
        if time.is_zero() { 0 } else { (octets as f64 / time.as_secs_f64()) as u64 }
    }

    /// Returns the time that so many bytes take; `None` if nothing comes.
    #[cfg(feature = "get")]
    pub(super) fn left(&self, octets: u64) -> Option<Duration> {
        let speed = self.speed();
        (speed > 0).then(|| Duration::from_secs(octets.div_ceil(speed)))
    }
}

/// Returns a speed: `1.8 MiB/s`.
#[cfg(feature = "get")]
fn speed(octets: u64) -> String {
    format!("{}/s", binary_size(octets))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(name: &str, columns: usize) -> String {
        let line = Line::named(name).part(7, 20);
        let line = line.field(Field::Size, "7.0 of 20.0 MiB".into()).field(Field::Speed, "1.8 MiB/s".into());
        line.field(Field::Time, "0:07".into()).drawn(columns, Paint::new(false))
    }

    #[test]
    fn the_bar_shrinks_then_goes() {
        for (columns, shown) in [
            (
                119,
                "large.iso  ━━━━━━━━━━━━━━──────────────────────────   35%  7.0 of 20.0 MiB  1.8 MiB/s  0:07",
            ),
            (79, "large.iso  ━━━━━━━━━───────────────────   35%  7.0 of 20.0 MiB  1.8 MiB/s  0:07"),
            (60, "large.iso  ━━━──────   35%  7.0 of 20.0 MiB  1.8 MiB/s  0:07"),
            (58, "large.iso   35%  7.0 of 20.0 MiB  1.8 MiB/s  0:07"),
            (39, "large.iso   35%  7.0 of 20.0 MiB  0:07"),
            (30, "large.iso   35%  0:07"),
            (12, "large.iso"),
            (5, "larg…"),
        ] {
            let line = drawn("large.iso", columns);
            assert_eq!(line, shown, "{columns}");
        }
    }

    #[test]
    fn no_line_is_longer_than_the_terminal() {
        for name in
            ["a", "large.iso", "a-very-long-name-of-a-file-with-a-date-20261123.tar.zst", "大きい文件.iso"]
        {
            for columns in 1..200 {
                let line = drawn(name, columns);
                assert!(line.width() <= columns, "{columns}: {line}");
            }
        }
    }

    #[test]
    fn a_line_without_a_name() {
        let line = Line::default().field(Field::Counted, "2 of 3 done, 1 failed".into());
        let line = line.field(Field::Speed, "1.8 MiB/s".into());
        assert_eq!(line.drawn(79, Paint::new(false)), "2 of 3 done, 1 failed  1.8 MiB/s");
        assert_eq!(line.drawn(30, Paint::new(false)), "2 of 3 done, 1 failed");
    }

    #[cfg(feature = "get")]
    #[test]
    fn the_speed_is_that_of_the_last_seconds() {
        let mut meter = Meter::new(100);
        assert_eq!((meter.speed(), meter.left(1)), (0, None));
        meter.note(Duration::from_secs(2), 300);
        assert_eq!((meter.speed(), meter.left(250)), (100, Some(Duration::from_secs(3))));
        for second in 3..20 {
            meter.note(Duration::from_secs(second), 300);
        }
        assert_eq!((meter.speed(), meter.elapsed()), (0, Duration::from_secs(19)));
    }
}
