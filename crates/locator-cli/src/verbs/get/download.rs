//! The files of a run. A [`Part`] is one that is being written, as the command reports it: with advice about its
//! options, and among the files of a run that is interrupted. Such a run reports them in another thread than those
//! that write.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use locator::UriRef;
use locator_fetch::save::{Download, Existing, SaveError};
use locator_fetch::{Proof, save};
use locator_web::report::quantity::grouped;

use crate::exit::say;
use crate::output::Output;
use crate::report::reports::plural;
use crate::terminal::paint::BAD;
use crate::terminal::visible;

/// A file that is being written.
pub(super) struct Part {
    download: Download,
    report: Reported,
}

/// One of the files that a run reports if it is interrupted; `None` before it is written.
struct Reported(Option<PathBuf>);

impl Part {
    /// Creates the file.
    ///
    /// # Errors
    ///
    /// A sentence: the file exists, or it cannot be created.
    pub(super) fn create(name: &OsStr, existing: Existing) -> Result<Self, String> {
        let download = Download::create(name, existing).map_err(|error| save_sentence(&error))?;
        Ok(Self { download, report: Reported(None) })
    }

    /// Returns whether an earlier run left bytes.
    pub(super) const fn has_left(&self) -> bool {
        self.download.has_left()
    }

    /// Begins to write after the first `from` bytes, and writes the record that a later run needs to
    /// resume.
    ///
    /// # Errors
    ///
    /// A sentence: the file cannot be written.
    pub(super) fn begin(&mut self, url: UriRef<'_>, from: u64, proof: &Proof) -> Result<(), String> {
        if !self.download.is_direct() {
            opened(self.download.path());
            self.report.0 = Some(self.download.path().to_owned());
        }
        self.download.begin(url, from, proof).map_err(|error| save_sentence(&error))
    }

    /// Sets the time of the last change that the complete file gets.
    pub(super) const fn set_time(&mut self, time: SystemTime) {
        self.download.set_time(time);
    }

    /// Sets the time of the last change that the complete file gets, unless its file system has no times.
    pub(super) const fn set_time_if_possible(&mut self, time: SystemTime) {
        self.download.set_time_if_possible(time);
    }

    /// Keeps a download that ended early; returns whether a later run can resume.
    pub(super) fn keep(&mut self) -> bool {
        self.download.keep()
    }

    /// Renames the complete file.
    ///
    /// # Errors
    ///
    /// A sentence: a file of that name has appeared, or the file cannot be renamed.
    pub(super) fn finish(self) -> Result<(), String> {
        let Self { download, mut report } = self;
        download.finish().map_err(|error| save_sentence(&error))?;
        if let Some(path) = report.0.take() {
            closed(&path, true);
        }
        Ok(())
    }

    /// Returns the number of octets in the file; 0 for a device.
    pub(super) fn length(&self) -> u64 {
        self.download.length()
    }

    /// Removes the file, unless an earlier run left octets.
    pub(super) fn discard(self) {
        self.download.discard();
    }

    /// Returns the name that the file gets.
    pub(super) fn whole_name(&self) -> String {
        self.download.target().to_string_lossy().into_owned()
    }

    /// Returns what is in the file, for messages.
    pub(super) fn first_bytes(&self, length: u64) -> String {
        first_bytes(self.download.path(), length)
    }

    /// Returns the error of a write as a sentence.
    pub(super) fn cannot_write(&self, error: &io::Error) -> String {
        cannot_sentence(self.download.path(), "written", error)
    }
}

impl Drop for Reported {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            closed(path, false);
        }
    }
}

impl Write for Part {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.download.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.download.flush()
    }
}

/// Returns the error of a file name that another URL of this run has.
pub(super) fn is_of_another_url(name: &OsStr) -> String {
    format!(
        "{} is the file of another URL; fetch this one separately, with -o FILE",
        quoted_path(Path::new(name))
    )
}

/// Returns the error of a file as a sentence, with the option that helps.
pub(super) fn save_sentence(error: &SaveError) -> String {
    match error {
        SaveError::IsDirectory(path) => format!("{} is a directory", quoted_path(path)),
        SaveError::Exists(path) => format!("{} exists; use --clobber to overwrite it", quoted_path(path)),
        SaveError::Incomplete(path) => format!(
            "{} exists: an earlier download is incomplete; use -C - to resume it, or --clobber to start over",
            quoted_path(path)
        ),
        SaveError::InUse(path) => format!("another process is writing {}", quoted_path(path)),
        SaveError::NotADownload(path) => format!("{} is not an incomplete download", quoted_path(path)),
        SaveError::CreatedMeanwhile { path, download } => {
            format!(
                "{} was created in the meantime; the download is in {}",
                quoted_path(path),
                quoted_path(download)
            )
        }
        SaveError::Create(path, error) => cannot_sentence(path, "created", error),
        SaveError::Write(path, error) => cannot_sentence(path, "written", error),
        SaveError::SetTime(path, error) => cannot_sentence(path, "given its time", error),
        // Those of names and of the network have their own reports.
        other => other.to_string(),
    }
}

fn cannot_sentence(path: &Path, what: &str, error: &io::Error) -> String {
    format!("{} cannot be {what}: {error}", quoted_path(path))
}

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
        (length > 0).then(|| incomplete_note(path, length))
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
fn incomplete_note(path: &Path, length: u64) -> String {
    let has_record = save::record_path(path).exists();
    let how = if has_record { "use -C - to resume" } else { "use --clobber to start over" };
    format!("{}; {how}", first_bytes(path, length))
}

/// Returns what is in an incomplete file: `the first 400 bytes are in "x.part"`.
pub(super) fn first_bytes(path: &Path, length: u64) -> String {
    let are = if length == 1 { "byte is".into() } else { format!("{} are", plural(length, "byte")) };
    format!("the first {are} in {}", quoted_path(path))
}

/// Returns the name of a file for messages.
pub(super) fn quoted_path(path: &Path) -> String {
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
