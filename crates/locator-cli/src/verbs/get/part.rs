//! A file that is being written, as the command reports it: with advice about its options, and among the
//! files of a run that is interrupted.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use locator::UriRef;
use locator_fetch::Proof;
use locator_fetch::save::{Download, Existing, SaveError};

use super::files::{self, shown};

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
        let download = Download::create(name, existing).map_err(|error| sentence(&error))?;
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
            files::opened(self.download.path());
            self.report.0 = Some(self.download.path().to_owned());
        }
        self.download.begin(url, from, proof).map_err(|error| sentence(&error))
    }

    /// Sets the time of the last change that the complete file gets.
    pub(super) const fn set_time(&mut self, time: SystemTime) {
        self.download.set_time(time);
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
        download.finish().map_err(|error| sentence(&error))?;
        if let Some(path) = report.0.take() {
            files::closed(&path, true);
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
        files::first_bytes(self.download.path(), length)
    }

    /// Returns the error of a write as a sentence.
    pub(super) fn cannot_write(&self, error: &io::Error) -> String {
        cannot(self.download.path(), "written", error)
    }
}

impl Drop for Reported {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            files::closed(path, false);
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
    format!("{} is the file of another URL; fetch this one separately, with -o FILE", shown(Path::new(name)))
}

/// Returns the error of a file as a sentence, with the option that helps.
fn sentence(error: &SaveError) -> String {
    match error {
        SaveError::IsDirectory(path) => format!("{} is a directory", shown(path)),
        SaveError::Exists(path) => format!("{} exists; use --clobber to overwrite it", shown(path)),
        SaveError::Incomplete(path) => format!(
            "{} exists: an earlier download is incomplete; use -C - to resume it, or --clobber to start over",
            shown(path)
        ),
        SaveError::InUse(path) => format!("another process is writing {}", shown(path)),
        SaveError::NotADownload(path) => format!("{} is not an incomplete download", shown(path)),
        SaveError::CreatedMeanwhile { path, download } => {
            format!("{} was created in the meantime; the download is in {}", shown(path), shown(download))
        }
        SaveError::Create(path, error) => cannot(path, "created", error),
        SaveError::Write(path, error) => cannot(path, "written", error),
        SaveError::SetTime(path, error) => cannot(path, "given its time", error),
        // Those of names and of the network have their own reports.
        other => other.to_string(),
    }
}

fn cannot(path: &Path, what: &str, error: &io::Error) -> String {
    format!("{} cannot be {what}: {error}", shown(path))
}
