//! Shows the progress of a long search in a line on standard error, if that is a terminal and
//! nothing else is shown there.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};

static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// The time after which progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

/// The counts of a search, and the line that shows them.
pub(crate) struct Progress {
    counts: Arc<Counts>,
    line: Option<(Sender<()>, JoinHandle<()>)>,
}

/// What has been counted.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// Files.
    pub(crate) files: AtomicU64,
    /// Octets that were read.
    pub(crate) octets: AtomicU64,
    /// Links that were found.
    pub(crate) links: AtomicU64,
}

impl Progress {
    /// Begins to count. The line is shown if `wanted` and standard error is a terminal; it has a
    /// bar if the total number of bytes, `all`, is known.
    pub(crate) fn begin(wanted: bool, all: Option<u64>) -> Self {
        Self::start(wanted, all, Counts::write_counts)
    }

    fn start(wanted: bool, all: Option<u64>, write: Shown) -> Self {
        let counts = Arc::new(Counts::default());
        let line = (wanted && io::stderr().is_terminal()).then(|| {
            let (end, ended) = mpsc::channel();
            let counts = Arc::clone(&counts);
            let thread = thread::spawn(move || {
                let lasts = |time| ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
                if lasts(PATIENCE) {
                    begin_line(Arc::clone(&counts), all, write);
                    while lasts(TICK) {
                        draw_line(&counts);
                    }
                    end_line();
                }
            });
            (end, thread)
        });
        Self { counts, line }
    }

    /// Begins to count the octets of an object, like [`begin`](Self::begin).
    #[cfg(feature = "get")]
    pub(crate) fn of_octets(wanted: bool, all: Option<u64>) -> Self {
        Self::start(wanted, all, Counts::write_octets)
    }

    /// Begins to count objects and their octets, like [`begin`](Self::begin).
    #[cfg(feature = "get")]
    pub(crate) fn of_objects(wanted: bool) -> Self {
        Self::start(wanted, None, Counts::write_objects)
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

impl Counts {
    fn write_counts(&self, to: &mut dyn Write) {
        let [files, octets, links] =
            [&self.files, &self.octets, &self.links].map(|count| count.load(Ordering::Relaxed));
        let (files, octets, links) = (HumanCount(files), HumanBytes(octets), HumanCount(links));
        let _ = write!(to, "{files} files, {octets}, {links} links");
    }

    #[cfg(feature = "get")]
    fn write_objects(&self, to: &mut dyn Write) {
        let [objects, octets] = [&self.files, &self.octets].map(|count| count.load(Ordering::Relaxed));
        let _ = write!(to, "{} objects, {}", HumanCount(objects), HumanBytes(octets));
    }

    #[cfg(feature = "get")]
    fn write_octets(&self, to: &mut dyn Write) {
        let _ = write!(to, "{}", HumanBytes(self.octets.load(Ordering::Relaxed)));
    }
}

/// Writes counts for people.
type Shown = fn(&Counts, &mut dyn Write);

fn begin_line(counts: Arc<Counts>, all: Option<u64>, shown: Shown) {
    let template = if all.is_some() { "{bar:20} {counts} in {for}" } else { "{spinner} {counts} in {for}" };
    let style = ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_spinner())
        .with_key("counts", move |_: &ProgressState, to: &mut dyn Write| shown(&counts, to))
        .with_key("for", |state: &ProgressState, to: &mut dyn Write| {
            let _ = write!(to, "{}", HumanDuration(state.elapsed() + PATIENCE));
        });
    let bar = all.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    *lock() = Some(bar.with_style(style));
}

fn draw_line(counts: &Counts) {
    if let Some(bar) = &*lock() {
        bar.set_position(counts.octets.load(Ordering::Relaxed));
        bar.tick();
    }
}

/// Removes the line.
pub(crate) fn end_line() {
    if let Some(bar) = lock().take() {
        bar.finish_and_clear();
    }
}

/// Runs work that writes to standard error while the line is hidden.
pub(crate) fn aside<T>(work: impl FnOnce() -> T) -> T {
    // The lock is not held: the work may wait for a person, and be interrupted.
    let bar = lock().clone();
    match bar {
        Some(bar) => bar.suspend(work),
        None => work(),
    }
}

fn lock() -> std::sync::MutexGuard<'static, Option<ProgressBar>> {
    BAR.lock().unwrap_or_else(PoisonError::into_inner)
}
