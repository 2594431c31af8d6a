//! How far a run has come in, a line that says so on standard error out: for work that lasts, and only where a person
//! sees it who sees nothing else.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};

static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// How long work has to last.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

/// What is counted while it works, and the line that shows it.
pub(crate) struct Progress {
    counts: Arc<Counts>,
    line: Option<(Sender<()>, JoinHandle<()>)>,
}

/// What is done.
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
    /// Begins to count; the line has its turn if standard error is a terminal and `wanted`. It has a bar where it is known
    /// how many octets there are in `all`.
    pub(crate) fn begin(wanted: bool, all: Option<u64>) -> Self {
        let counts = Arc::new(Counts::default());
        let line = (wanted && io::stderr().is_terminal()).then(|| {
            let (end, ended) = mpsc::channel();
            let counts = Arc::clone(&counts);
            let thread = thread::spawn(move || {
                let lasts = |time| ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
                if lasts(PATIENCE) {
                    begin_line(Arc::clone(&counts), all);
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

    /// Counts more.
    pub(crate) fn add(to: &AtomicU64, more: u64) {
        to.fetch_add(more, Ordering::Relaxed);
    }

    /// Ends the line, and gives out what was counted.
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
            // A line that cannot be drawn is no loss.
            let _ = thread.join();
        }
    }
}

impl Counts {
    fn tell(&self, to: &mut dyn Write) {
        let [files, octets, links] =
            [&self.files, &self.octets, &self.links].map(|count| count.load(Ordering::Relaxed));
        let (files, octets, links) = (HumanCount(files), HumanBytes(octets), HumanCount(links));
        let _ = write!(to, "{files} files, {octets}, {links} links");
    }
}

fn begin_line(counts: Arc<Counts>, all: Option<u64>) {
    let template = if all.is_some() { "{bar:20} {counts} in {for}" } else { "{spinner} {counts} in {for}" };
    let style = ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_spinner())
        .with_key("counts", move |_: &ProgressState, to: &mut dyn Write| counts.tell(to))
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

/// Takes the line away.
pub(crate) fn end_line() {
    if let Some(bar) = lock().take() {
        bar.finish_and_clear();
    }
}

/// Does what writes to standard error, without the line in its way.
pub(crate) fn aside<T>(work: impl FnOnce() -> T) -> T {
    match &*lock() {
        Some(bar) => bar.suspend(work),
        None => work(),
    }
}

fn lock() -> std::sync::MutexGuard<'static, Option<ProgressBar>> {
    BAR.lock().unwrap_or_else(PoisonError::into_inner)
}
