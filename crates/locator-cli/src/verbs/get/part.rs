//! A download: a file that is named `NAME.part` until it is complete. It is created exclusively, so that
//! no other file is overwritten and no symbolic link is followed. A record beside it allows a later run to
//! resume it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use locator::UriRef;
use locator_fetch::{Proof, Resume};

use super::files::{self, shown};
use super::record::{self, Record};

/// What to do with existing files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Report an error.
    Kept,
    /// Overwrite them.
    Replaced,
    /// Resume the download of an earlier run, if the file is unchanged on the server.
    Continued,
}

/// A file that is being written.
pub(super) struct Part {
    file: File,
    path: PathBuf,
    /// The name of the complete file; `None` for a device, which is written directly.
    whole: Option<PathBuf>,
    found: Found,
    /// The number of bytes that an earlier run left; they are kept if nothing is fetched.
    left: u64,
    /// The record, until it is written.
    record: Option<Record>,
    has_record: bool,
    /// Whether it is one of the files that a run reports if it is interrupted.
    is_reported: bool,
    /// The time that the complete file gets.
    time: Option<SystemTime>,
}

/// The record of a file of at most so many bytes is written only if the connection is lost: after an
/// interruption such a file is fetched again.
const SHORT: u64 = 64 << 10;

impl Part {
    /// Creates the file.
    ///
    /// # Errors
    ///
    /// A sentence: the file exists, or it cannot be created.
    pub(super) fn create(name: &OsStr, found: Found) -> Result<Self, String> {
        let whole = PathBuf::from(name);
        let there = fs::symlink_metadata(&whole).ok();
        // A device or a pipe that the user names is written to.
        if there.as_ref().is_some_and(is_special) || is_open_file(&whole) {
            // Only an open file may have octets, which are kept.
            let opened = OpenOptions::new().append(true).open(&whole);
            let file = opened.map_err(|error| cannot(&whole, "written", &error))?;
            return Ok(Self::new(file, whole, None, (found, 0)));
        }
        if there.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(format!("{} is a directory", shown(&whole)));
        }
        if found != Found::Replaced && there.is_some() {
            return Err(format!("{} exists; use --clobber to overwrite it", shown(&whole)));
        }
        let path = with_ending(&whole, ".part");
        let earlier = (found == Found::Continued).then(|| fs::symlink_metadata(&path)).and_then(Result::ok);
        let (file, earlier) = match earlier {
            Some(earlier) => (open_left(&path, &earlier)?, Some(earlier)),
            None => create_new(&path, found)?,
        };
        // Another run may have completed and renamed it.
        let is_there = |earlier| fs::symlink_metadata(&path).is_ok_and(|found| is_same(earlier, &found));
        if is_locked(&file) || !earlier.as_ref().is_none_or(is_there) {
            return Err(is_being_written(&path));
        }
        let found = match earlier {
            Some(earlier) => (Found::Continued, earlier.len()),
            None => (found, 0),
        };
        Ok(Self::new(file, path, Some(whole), found))
    }

    const fn new(file: File, path: PathBuf, whole: Option<PathBuf>, (found, left): (Found, u64)) -> Self {
        let (record, has_record, is_reported, time) = (None, false, false, None);
        Self { file, path, whole, found, left, record, has_record, is_reported, time }
    }

    /// Returns whether an earlier run left bytes.
    pub(super) const fn has_left(&self) -> bool {
        self.left > 0
    }

    /// Begins to write after the first `from` bytes, and writes the record that a later run needs to
    /// resume.
    ///
    /// # Errors
    ///
    /// A sentence: the file cannot be written.
    pub(super) fn begin(&mut self, url: UriRef<'_>, from: u64, proof: &Proof) -> Result<(), String> {
        if self.whole.is_none() {
            return Ok(());
        }
        files::opened(&self.path);
        self.is_reported = true;
        let left = std::mem::replace(&mut self.left, from);
        self.record = Record::new(url, proof);
        let is_worth_it = from > 0 || proof.length.is_none_or(|length| length > SHORT);
        let mut begin = || {
            if left > 0 {
                self.file.set_len(from)?;
                self.file.seek(SeekFrom::Start(from))?;
            }
            record::remove(&self.record_path())?;
            if is_worth_it { self.write_record() } else { Ok(()) }
        };
        begin().map_err(|error| cannot(&self.path, "written", &error))
    }

    /// Sets the time of the last change that the complete file gets.
    pub(super) const fn set_time(&mut self, time: SystemTime) {
        self.time = Some(time);
    }

    /// Writes the record, if there is one and it was not written.
    fn write_record(&mut self) -> io::Result<()> {
        let Some(record) = self.record.take() else { return Ok(()) };
        record.write(&self.record_path())?;
        self.has_record = true;
        Ok(())
    }

    fn record_path(&self) -> PathBuf {
        record::path_of(&self.path)
    }

    /// Writes the record, if there is one; returns whether a later run can resume.
    pub(super) fn leave(&mut self) -> bool {
        self.write_record().is_ok() && self.has_record
    }

    /// Renames the complete file.
    ///
    /// # Errors
    ///
    /// A sentence: a file of that name has appeared, or the file cannot be renamed.
    pub(super) fn finish(mut self) -> Result<(), String> {
        self.file.flush().map_err(|error| cannot(&self.path, "written", &error))?;
        let Some(whole) = &self.whole else { return Ok(()) };
        if let Some(time) = self.time {
            self.file.set_modified(time).map_err(|error| cannot(&self.path, "given its time", &error))?;
        }
        let renamed = match self.found {
            Found::Replaced => self.open_up(whole).and_then(|()| fs::rename(&self.path, whole)),
            Found::Continued => self.rename(whole),
            Found::Kept => self.rename_new(whole),
        };
        renamed.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                format!(
                    "{} was created in the meantime; the download is in {}",
                    shown(whole),
                    shown(&self.path)
                )
            }
            _ => cannot(whole, "created", &error),
        })?;
        files::closed(&self.path, true);
        self.is_reported = false;
        // The file is complete, with or without it.
        if self.has_record {
            let _ = record::remove(&self.record_path());
        }
        Ok(())
    }

    /// Gives the file, which has the permissions of a new one, its name, unless another file has it.
    fn rename_new(&self, whole: &Path) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{CWD, RenameFlags, renameat_with};

            match renameat_with(CWD, &self.path, CWD, whole, RenameFlags::NOREPLACE) {
                Ok(()) => return Ok(()),
                Err(rustix::io::Errno::EXIST) => return Err(ErrorKind::AlreadyExists.into()),
                // Some file systems have no such call.
                Err(_) => {}
            }
        }
        self.rename(whole)
    }

    /// Gives the file its name, unless another file has it, and the permissions of a new one.
    fn rename(&self, whole: &Path) -> io::Result<()> {
        // The new name is reserved first: a rename would replace whatever has it. An empty file is
        // there only until the next call.
        let reserved = OpenOptions::new().write(true).create_new(true).open(whole)?;
        // It has the permissions that a new file has.
        let permissions = reserved.metadata()?.permissions();
        self.file.set_permissions(permissions)?;
        drop(reserved);
        fs::rename(&self.path, whole)
    }

    /// Gives the file the permissions of the one that it replaces, or else those of a new one.
    fn open_up(&self, whole: &Path) -> io::Result<()> {
        match fs::symlink_metadata(whole) {
            Ok(found) if found.is_file() => self.file.set_permissions(found.permissions()),
            // A link is replaced by a new file.
            Ok(_) => {
                let path = with_ending(&self.path, ".new");
                let new = OpenOptions::new().write(true).create_new(true).open(&path)?;
                let permissions = new.metadata().map(|found| found.permissions());
                drop(new);
                fs::remove_file(&path)?;
                self.file.set_permissions(permissions?)
            }
            Err(_) => {
                let reserved = OpenOptions::new().write(true).create_new(true).open(whole)?;
                self.file.set_permissions(reserved.metadata()?.permissions())
            }
        }
    }

    /// Returns the number of octets in the file; 0 for a device.
    pub(super) fn length(&self) -> u64 {
        let metadata = self.file.metadata().ok().filter(fs::Metadata::is_file);
        metadata.map_or(0, |metadata| metadata.len())
    }

    /// Removes the file, unless an earlier run left octets.
    pub(super) fn discard(self) {
        if self.whole.is_some() && self.left == 0 {
            let _ = fs::remove_file(&self.path);
            if self.has_record {
                let _ = record::remove(&self.record_path());
            }
        }
    }

    /// Returns the name that the file gets.
    pub(super) fn whole_name(&self) -> String {
        self.whole.as_ref().unwrap_or(&self.path).to_string_lossy().into_owned()
    }

    /// Returns what is in the file, for messages.
    pub(super) fn first_bytes(&self, length: u64) -> String {
        files::first_bytes(&self.path, length)
    }

    /// Returns the error of a write as a sentence.
    pub(super) fn cannot_write(&self, error: &io::Error) -> String {
        cannot(&self.path, "written", error)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if self.is_reported {
            files::closed(&self.path, false);
        }
    }
}

impl Write for Part {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.file.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Returns whether a name is that of a device or a pipe, which may be written several times.
pub(super) fn is_device(name: &OsStr) -> bool {
    let path = Path::new(name);
    fs::symlink_metadata(path).is_ok_and(|found| is_special(&found)) || is_open_file(path)
}

/// Returns the error of a file name that another URL of this run has.
pub(super) fn is_of_another_url(name: &OsStr) -> String {
    format!("{} is the file of another URL; fetch this one separately, with -o FILE", shown(Path::new(name)))
}

/// Returns whether a file is neither a regular one, nor a directory or a link.
fn is_special(found: &fs::Metadata) -> bool {
    !found.is_file() && !found.is_dir() && !found.is_symlink()
}

/// Returns whether a name is one of a file that a process has open, such as "/dev/fd/3", to which a shell
/// gives a pipe. To replace that name would be of no use.
fn is_open_file(path: &Path) -> bool {
    let is_of_system = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
    is_of_system && path.is_symlink() && !path.is_dir()
}

/// Locks a file until it is closed; returns whether another run has locked it. Some file systems have no
/// locks.
fn is_locked(file: &File) -> bool {
    matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

fn is_being_written(path: &Path) -> String {
    format!("another process is writing {}", shown(path))
}

/// Returns the length of a file that an earlier run has completed: there is a regular file of this name, and
/// no incomplete download beside it.
pub(super) fn complete_length(name: &OsStr) -> Option<u64> {
    let found = fs::symlink_metadata(name).ok().filter(fs::Metadata::is_file)?;
    let part = with_ending(Path::new(name), ".part");
    fs::symlink_metadata(part).is_err().then_some(found.len())
}

/// Returns the point at which the download of this URL to a file ended in an earlier run.
pub(super) fn resume(name: &OsStr, url: UriRef<'_>) -> Option<Resume> {
    let path = with_ending(Path::new(name), ".part");
    let from = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?.len();
    let proof = Record::read(&record::path_of(&path))?.proof_of(url)?;
    (from > 0).then(|| Resume::new(from, proof))
}

/// Creates a file that was not there. One without octets, which a run has left that was interrupted before
/// it received any, is opened, and returned with what was found.
fn create_new(path: &Path, found: Found) -> Result<(File, Option<fs::Metadata>), String> {
    if found == Found::Replaced {
        remove_left(path)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if found != Found::Kept {
        // The file that gets its name may be one that others must not read.
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let error = match options.open(path) {
        Ok(file) => return Ok((file, None)),
        Err(error) => error,
    };
    if error.kind() != ErrorKind::AlreadyExists {
        return Err(cannot(path, "created", &error));
    }
    match fs::symlink_metadata(path) {
        Ok(left) if left.is_file() => {
            let file = open_left(path, &left)?;
            match left.len() {
                0 => Ok((file, Some(left))),
                _ if is_locked(&file) => Err(is_being_written(path)),
                _ => Err(format!(
                    "{} exists: an earlier download is incomplete; use -C - to resume it, or --clobber to start over",
                    shown(path)
                )),
            }
        }
        _ => Err(format!("{} exists; use --clobber to overwrite it", shown(path))),
    }
}

/// Removes what an earlier run left, unless a run is writing it. A link is removed, and not what it leads
/// to.
fn remove_left(path: &Path) -> Result<(), String> {
    let Ok(left) = fs::symlink_metadata(path) else { return Ok(()) };
    let locked = if left.is_file() { Some(open_left(path, &left)?) } else { None };
    // A run that has completed the file in the meantime has given it its name.
    let is_there = || fs::symlink_metadata(path).is_ok_and(|found| is_same(&left, &found));
    if locked.as_ref().is_some_and(|file| is_locked(file) || !is_there()) {
        return Err(is_being_written(path));
    }
    // As long as it is locked, nobody else removes it or gives it its name.
    let _ = fs::remove_file(path);
    drop(locked);
    Ok(())
}

/// Opens what an earlier run left. A link is not followed, also if it has just replaced the file.
fn open_left(path: &Path, found: &fs::Metadata) -> Result<File, String> {
    let wrong = || format!("{} is not an incomplete download", shown(path));
    if !found.is_file() {
        return Err(wrong());
    }
    let file = OpenOptions::new().write(true).open(path).map_err(|error| cannot(path, "written", &error))?;
    let opened = file.metadata().map_err(|error| cannot(path, "written", &error))?;
    if is_same(found, &opened) { Ok(file) } else { Err(wrong()) }
}

#[cfg(unix)]
fn is_same(found: &fs::Metadata, opened: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    found.dev() == opened.dev() && found.ino() == opened.ino()
}

#[cfg(not(unix))]
fn is_same(found: &fs::Metadata, opened: &fs::Metadata) -> bool {
    opened.is_file() && found.len() == opened.len()
}

fn with_ending(name: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(name);
    name.push(ending);
    name.into()
}

fn cannot(path: &Path, what: &str, error: &io::Error) -> String {
    format!("{} cannot be {what}: {error}", shown(path))
}
