//! The files of a run: which are being written, and how many are saved. A run that is interrupted reports
//! them, in another thread than those that write.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use locator_fetch::save;

use crate::exit::say;
use crate::output::Output;
use crate::output::progress::grouped;
use crate::report::reports::plural;
use crate::terminal::paint::BAD;
use crate::terminal::visible;

static FILES: Mutex<Files> = Mutex::new(Files { report: None, open: Vec::new(), saved: 0, failed: 0 });

struct Files {
    report: Option<Report>,
    /// The incomplete files, in the order in which they began.
    open: Vec<PathBuf>,
    saved: u64,
    /// How many URLs failed.
    failed: u64,
}

/// What is reported of an interrupted run.
#[derive(Clone, Copy)]
pub(super) struct Report {
    /// The number of URLs, if it is known.
    pub(super) all: Option<u64>,
    /// Whether a summary is printed besides the notes.
    pub(super) has_summary: bool,
    /// Whether the files are those below directories, whose number is not known.
    pub(super) is_walk: bool,
}

/// The most files that notes name.
const MOST: usize = 5;

fn lock() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets what is reported; without it nothing is.
pub(super) fn will_report(report: Report) {
    lock().report = Some(report);
}

/// Notes that a file is being written.
pub(super) fn opened(path: &Path) {
    lock().open.push(path.to_owned());
}

/// Notes that a file is not written any more.
pub(super) fn closed(path: &Path, is_saved: bool) {
    let mut files = lock();
    if let Some(place) = files.open.iter().position(|open| open.as_os_str() == path.as_os_str()) {
        files.open.remove(place);
        files.saved += u64::from(is_saved);
    }
}

/// Notes that a URL failed.
pub(super) fn failed() {
    lock().failed += 1;
}

/// Reports the files of an interrupted run: those that are incomplete, and at a terminal how many are
/// saved.
pub(super) fn report() {
    let mut files = lock();
    let Some(report) = files.report else { return };
    // A file that was completed in this moment has its name already.
    let before = files.open.len();
    files.open.retain(|path| path.exists());
    files.saved += (before - files.open.len()) as u64;
    let left = files.open.iter().filter_map(|path| {
        let length = fs::metadata(path).ok()?.len();
        (length > 0).then(|| note(path, length))
    });
    let left: Vec<_> = left.collect();
    left.iter().take(MOST).for_each(|note| say(note));
    if left.len() > MOST {
        say(&format!("{} more files are incomplete", left.len() - MOST));
    }
    if report.is_walk {
        let failed =
            if files.failed > 0 { format!(", {} failed", grouped(files.failed)) } else { String::new() };
        say(&format!("{} saved{failed}; run it again to fetch the rest", plural(files.saved, "file")));
    } else if report.has_summary {
        files.summarize(report.all);
    }
}

/// Returns what is in an incomplete file, and how to go on.
fn note(path: &Path, length: u64) -> String {
    let has_record = save::record_path(path).exists();
    let how = if has_record { "use -C - to resume" } else { "use --clobber to start over" };
    format!("{}; {how}", first_bytes(path, length))
}

/// Returns what is in an incomplete file: `the first 400 bytes are in "x.part"`.
pub(super) fn first_bytes(path: &Path, length: u64) -> String {
    let are = if length == 1 { "byte is".into() } else { format!("{} are", plural(length, "byte")) };
    format!("the first {are} in {}", shown(path))
}

/// Returns the name of a file for messages.
pub(super) fn shown(path: &Path) -> String {
    format!("\"{}\"", visible(&path.to_string_lossy()))
}

impl Files {
    /// Prints `1 of 3 saved, 2 interrupted` at a terminal, if there are several.
    fn summarize(&self, all: Option<u64>) {
        let all = all.unwrap_or(self.saved + self.failed + self.open.len() as u64);
        let mut errors = Output::messages();
        if all < 2 || !errors.is_terminal {
            return;
        }
        let interrupted = all.saturating_sub(self.saved + self.failed);
        let [saved, all, failed, interrupted] = [self.saved, all, self.failed, interrupted].map(grouped);
        let failed = match self.failed {
            0 => String::new(),
            _ => format!(", {}", errors.paint.with(BAD, format_args!("{failed} failed"))),
        };
        let _ = writeln!(errors, "{saved} of {all} saved{failed}, {interrupted} interrupted")
            .and_then(|()| errors.flush());
    }
}
