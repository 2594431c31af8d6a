//! A download: a file that is named `NAME.part` until it is complete. It is created exclusively, so that
//! no other file is overwritten and no symbolic link is followed. A record beside it, `NAME.part.json`,
//! allows a later run to resume it: it contains the URL, and the ETag or date by which that run knows that
//! the file is unchanged on the server.

use std::error::Error;
use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use locator::UriRef;
use serde::{Deserialize, Serialize};

use super::name::FileNameError;
use crate::error::FetchError;
use crate::run::resume::{Proof, Resume};

/// What is done about a file that exists.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Existing {
    /// It is an error, as is an incomplete download.
    #[default]
    Keep,
    /// It is replaced, and an incomplete download starts over.
    Replace,
    /// It is an error; an incomplete download resumes if the file is unchanged on the server, and starts over
    /// if not.
    Resume,
}

/// Why a file was not saved.
#[non_exhaustive]
#[derive(Debug)]
pub enum SaveError {
    /// The URL has no safe file name.
    Name(FileNameError),
    /// The URL was not fetched, or its body ended early.
    Fetch(FetchError),
    /// The response is a listing, not a file.
    Listing,
    /// There is a directory of this name.
    IsDirectory(PathBuf),
    /// There is a file of this name.
    Exists(PathBuf),
    /// An earlier run has left this incomplete download.
    Incomplete(PathBuf),
    /// Another process is writing this file.
    InUse(PathBuf),
    /// A file that is not a download has the name of one.
    NotADownload(PathBuf),
    /// A file of this name was created while it was downloaded.
    CreatedMeanwhile {
        /// The file that was created.
        path: PathBuf,
        /// The complete download.
        download: PathBuf,
    },
    /// The file cannot be created.
    Create(PathBuf, io::Error),
    /// The file cannot be written.
    Write(PathBuf, io::Error),
    /// The file cannot be given the time of the one on the server.
    SetTime(PathBuf, io::Error),
    /// The program has ended the download of this file before it was complete.
    Stopped(PathBuf),
}

impl Display for SaveError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(error) => error.fmt(f),
            Self::Fetch(error) => error.fmt(f),
            Self::Listing => f.write_str("the response is a listing, not a file"),
            Self::IsDirectory(path) => write!(f, "{path:?} is a directory"),
            Self::Exists(path) => write!(f, "{path:?} exists"),
            Self::Incomplete(path) => write!(f, "{path:?} exists: an earlier download is incomplete"),
            Self::InUse(path) => write!(f, "another process is writing {path:?}"),
            Self::NotADownload(path) => write!(f, "{path:?} is not an incomplete download"),
            Self::CreatedMeanwhile { path, download } => {
                write!(f, "{path:?} was created in the meantime; the download is in {download:?}")
            }
            Self::Create(path, error) => write!(f, "{path:?} cannot be created: {error}"),
            Self::Write(path, error) => write!(f, "{path:?} cannot be written: {error}"),
            Self::SetTime(path, error) => write!(f, "{path:?} cannot be given its time: {error}"),
            Self::Stopped(path) => write!(f, "the download of {path:?} was stopped"),
        }
    }
}

impl Error for SaveError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Fetch(error) => error.source(),
            Self::Create(_, error) | Self::Write(_, error) | Self::SetTime(_, error) => Some(error),
            _ => None,
        }
    }
}

impl From<FileNameError> for SaveError {
    fn from(error: FileNameError) -> Self {
        Self::Name(error)
    }
}

impl From<FetchError> for SaveError {
    fn from(error: FetchError) -> Self {
        Self::Fetch(error)
    }
}

/// A file that is being downloaded. Dropping it leaves what was written; [`keep`](Self::keep) says that it is
/// resumed later, [`discard`](Self::discard) removes it.
///
/// ```
/// use std::io::Write;
///
/// use locator_fetch::Proof;
/// use locator_fetch::save::{Download, Existing, resume_point};
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("large.iso");
/// let url = locator::uri_ref!("https://www.example/large.iso");
/// let proof = Proof::default().etag("\"v1\"");
///
/// // A run whose connection is lost.
/// let mut download = Download::create(&path, Existing::Resume)?;
/// download.begin(url, 0, &proof)?;
/// download.write_all(b"the first bytes")?;
/// assert!(download.keep());
/// drop(download);
///
/// // A later one asks for the rest, `RequestBuilder::resume`.
/// let resume = resume_point(&path, url).unwrap();
/// assert_eq!((resume.from, resume.proof.etag.as_deref()), (15, Some("\"v1\"")));
/// let mut download = Download::create(&path, Existing::Resume)?;
/// download.begin(url, resume.from, &proof)?;
/// download.write_all(b", and the rest")?;
/// download.finish()?;
/// assert_eq!(std::fs::read(&path)?, b"the first bytes, and the rest");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Download {
    file: File,
    path: PathBuf,
    /// The name of the complete file; `None` for a device, which is written directly.
    whole: Option<PathBuf>,
    existing: Existing,
    /// The number of bytes that an earlier run left; they are kept if nothing is fetched.
    left: u64,
    /// The record, until it is written.
    record: Option<Box<Record>>,
    has_record: bool,
    /// The time that the complete file gets, and whether it is an error if it cannot.
    time: Option<SystemTime>,
    needs_time: bool,
}

/// The record of a file of at most so many bytes is written only if the connection is lost: after an
/// interruption such a file is fetched again.
const SHORT: u64 = 64 << 10;

impl Download {
    /// Creates the file. A device or a pipe is opened instead: it is written directly.
    ///
    /// # Errors
    ///
    /// The file exists, another process is writing it, or it cannot be created.
    pub fn create(name: impl Into<PathBuf>, existing: Existing) -> Result<Self, SaveError> {
        let whole = name.into();
        let there = fs::symlink_metadata(&whole).ok();
        // A device or a pipe that the user names is written to.
        if there.as_ref().is_some_and(is_special) || is_open_file(&whole) {
            // Only an open file may have octets, which are kept.
            let opened = OpenOptions::new().append(true).open(&whole);
            let file = opened.map_err(|error| SaveError::Write(whole.clone(), error))?;
            return Ok(Self::new(file, whole, None, existing, 0));
        }
        if there.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(SaveError::IsDirectory(whole));
        }
        if existing != Existing::Replace && there.is_some() {
            return Err(SaveError::Exists(whole));
        }
        let path = with_ending(&whole, ".part");
        let earlier =
            (existing == Existing::Resume).then(|| fs::symlink_metadata(&path)).and_then(Result::ok);
        let (file, earlier) = match earlier {
            Some(earlier) => (open_left(&path, &earlier)?, Some(earlier)),
            None => create_new(&path, existing)?,
        };
        // Another run may have completed and renamed it.
        let is_there = |earlier| fs::symlink_metadata(&path).is_ok_and(|found| is_same(earlier, &found));
        if is_locked(&file) || !earlier.as_ref().is_none_or(is_there) {
            return Err(SaveError::InUse(path));
        }
        let (existing, left) = match (earlier, existing) {
            (Some(earlier), _) => (Existing::Resume, earlier.len()),
            // There is nothing to resume, and no file to replace.
            (None, Existing::Resume) => (Existing::Keep, 0),
            (None, existing) => (existing, 0),
        };
        Ok(Self::new(file, path, Some(whole), existing, left))
    }

    const fn new(file: File, path: PathBuf, whole: Option<PathBuf>, existing: Existing, left: u64) -> Self {
        let (record, has_record, time, needs_time) = (None, false, None, false);
        Self { file, path, whole, existing, left, record, has_record, time, needs_time }
    }

    /// Returns whether an earlier run left bytes.
    #[must_use]
    pub const fn has_left(&self) -> bool {
        self.left > 0
    }

    /// Begins to write after the first `from` bytes, and writes the record that a later run needs to
    /// resume.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn begin(&mut self, url: UriRef<'_>, from: u64, proof: &Proof) -> Result<(), SaveError> {
        if self.whole.is_none() {
            return Ok(());
        }
        let left = std::mem::replace(&mut self.left, from);
        self.record = Record::new(url, proof).map(Box::new);
        let is_worth_it = from > 0 || proof.length.is_none_or(|length| length > SHORT);
        let mut begin = || {
            if left > 0 {
                self.file.set_len(from)?;
                self.file.seek(SeekFrom::Start(from))?;
            }
            remove_record(&self.record_path())?;
            if is_worth_it { self.write_record() } else { Ok(()) }
        };
        begin().map_err(|error| SaveError::Write(self.path.clone(), error))
    }

    /// Sets the time of the last change that the complete file gets.
    pub const fn set_time(&mut self, time: SystemTime) {
        (self.time, self.needs_time) = (Some(time), true);
    }

    /// Sets the time of the last change that the complete file gets, unless its file system has no times.
    pub const fn set_time_if_possible(&mut self, time: SystemTime) {
        (self.time, self.needs_time) = (Some(time), false);
    }

    /// Writes the record, if there is one and it was not written.
    fn write_record(&mut self) -> io::Result<()> {
        let Some(record) = self.record.take() else { return Ok(()) };
        record.write(&self.record_path())?;
        self.has_record = true;
        Ok(())
    }

    fn record_path(&self) -> PathBuf {
        record_path(&self.path)
    }

    /// Writes the record of a download that ended early, if there is one; returns whether a later run can
    /// resume it.
    pub fn keep(&mut self) -> bool {
        self.write_record().is_ok() && self.has_record
    }

    /// Renames the complete file.
    ///
    /// # Errors
    ///
    /// A file of that name has appeared, or the file cannot be renamed.
    pub fn finish(mut self) -> Result<(), SaveError> {
        self.file.flush().map_err(|error| SaveError::Write(self.path.clone(), error))?;
        let Some(whole) = &self.whole else { return Ok(()) };
        if let Some(Err(error)) = self.time.map(|time| self.file.set_modified(time))
            && self.needs_time
        {
            return Err(SaveError::SetTime(self.path.clone(), error));
        }
        let renamed = match self.existing {
            Existing::Replace => self.open_up(whole).and_then(|()| fs::rename(&self.path, whole)),
            Existing::Resume => self.rename(whole),
            Existing::Keep => self.rename_new(whole),
        };
        renamed.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                SaveError::CreatedMeanwhile { path: whole.clone(), download: self.path.clone() }
            }
            _ => SaveError::Create(whole.clone(), error),
        })?;
        // The file is complete, with or without it.
        if self.has_record {
            let _ = remove_record(&self.record_path());
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
                // An interrupted run may have left it. This run has locked the download, so no other one uses it.
                if fs::symlink_metadata(&path).is_ok() {
                    fs::remove_file(&path)?;
                }
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
    #[must_use]
    pub fn length(&self) -> u64 {
        let metadata = self.file.metadata().ok().filter(fs::Metadata::is_file);
        metadata.map_or(0, |metadata| metadata.len())
    }

    /// Removes the file, unless an earlier run left octets.
    pub fn discard(self) {
        if self.whole.is_some() && self.left == 0 {
            let _ = fs::remove_file(&self.path);
            if self.has_record {
                let _ = remove_record(&self.record_path());
            }
        }
    }

    /// Returns the file that is written: `NAME.part`, or the device.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the name that the complete file gets.
    #[must_use]
    pub fn target(&self) -> &Path {
        self.whole.as_deref().unwrap_or(&self.path)
    }

    /// Opens the file again, so that it can only be read.
    #[cfg(test)]
    pub(super) fn unwritable(mut self) -> Self {
        self.file = File::open(&self.path).unwrap();
        self
    }

    /// Returns whether it is a device or a pipe, which is written directly and not renamed.
    #[must_use]
    pub const fn is_direct(&self) -> bool {
        self.whole.is_none()
    }
}

impl Write for Download {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.file.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Returns whether a name is that of a device or a pipe, which may be written several times.
#[must_use]
pub fn is_device(name: impl AsRef<Path>) -> bool {
    let path = name.as_ref();
    fs::symlink_metadata(path).is_ok_and(|found| is_special(&found)) || is_open_file(path)
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

/// Returns the length of a file that an earlier run has completed: there is a regular file of this name, and
/// no incomplete download beside it.
#[must_use]
pub fn complete_length(name: impl AsRef<Path>) -> Option<u64> {
    let name = name.as_ref();
    let found = fs::symlink_metadata(name).ok().filter(fs::Metadata::is_file)?;
    let part = with_ending(name, ".part");
    fs::symlink_metadata(part).is_err().then_some(found.len())
}

/// Returns the point at which the download of this URL to a file ended in an earlier run, for
/// [`RequestBuilder::resume`](crate::RequestBuilder::resume).
#[must_use]
pub fn resume_point(name: impl AsRef<Path>, url: UriRef<'_>) -> Option<Resume> {
    let path = with_ending(name.as_ref(), ".part");
    let from = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?.len();
    let proof = Record::read(&record_path(&path))?.proof_of(url)?;
    (from > 0).then(|| Resume::new(from, proof))
}

/// Creates a file that was not there. One without octets, which a run has left that was interrupted before
/// it received any, is opened, and returned with what was found.
fn create_new(path: &Path, existing: Existing) -> Result<(File, Option<fs::Metadata>), SaveError> {
    if existing == Existing::Replace {
        remove_left(path)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if existing == Existing::Replace {
        // The file that gets its name may be one that others must not read.
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let error = match options.open(path) {
        Ok(file) => return Ok((file, None)),
        Err(error) => error,
    };
    if error.kind() != ErrorKind::AlreadyExists {
        return Err(SaveError::Create(path.into(), error));
    }
    match fs::symlink_metadata(path) {
        Ok(left) if left.is_file() => {
            let file = open_left(path, &left)?;
            match left.len() {
                0 => Ok((file, Some(left))),
                _ if is_locked(&file) => Err(SaveError::InUse(path.into())),
                _ => Err(SaveError::Incomplete(path.into())),
            }
        }
        _ => Err(SaveError::Exists(path.into())),
    }
}

/// Removes what an earlier run left, unless a run is writing it. A link is removed, and not what it leads
/// to.
fn remove_left(path: &Path) -> Result<(), SaveError> {
    let Ok(left) = fs::symlink_metadata(path) else { return Ok(()) };
    let locked = if left.is_file() { Some(open_left(path, &left)?) } else { None };
    // A run that has completed the file in the meantime has given it its name.
    let is_there = || fs::symlink_metadata(path).is_ok_and(|found| is_same(&left, &found));
    if locked.as_ref().is_some_and(|file| is_locked(file) || !is_there()) {
        return Err(SaveError::InUse(path.into()));
    }
    // As long as it is locked, nobody else removes it or gives it its name.
    let _ = fs::remove_file(path);
    drop(locked);
    Ok(())
}

/// Opens what an earlier run left. A link is not followed, also if it has just replaced the file.
fn open_left(path: &Path, found: &fs::Metadata) -> Result<File, SaveError> {
    let wrong = || SaveError::NotADownload(path.into());
    let cannot = |error| SaveError::Write(path.into(), error);
    if !found.is_file() {
        return Err(wrong());
    }
    let file = OpenOptions::new().write(true).open(path).map_err(cannot)?;
    let opened = file.metadata().map_err(cannot)?;
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

/// A record is shorter than this.
const LONGEST_RECORD: u64 = 64 << 10;

/// Returns the name of the record beside an incomplete download, `NAME.part`.
#[must_use]
pub fn record_path(part: &Path) -> PathBuf {
    let mut name = part.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

/// The record of a download, `NAME.part.json`.
#[derive(Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
struct Record {
    url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    etag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_modified: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    length: Option<u64>,
}

/// The URL may contain secrets.
impl fmt::Debug for Record {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record").field("length", &self.length).finish_non_exhaustive()
    }
}

impl Record {
    /// Creates the record of a download; `None` without an ETag and a date.
    fn new(url: UriRef<'_>, proof: &Proof) -> Option<Self> {
        let Proof { etag, last_modified, date, length, .. } = proof.clone();
        // Only the change needs it.
        let date = date.filter(|_| last_modified.is_some());
        let proves = etag.is_some() || last_modified.is_some();
        proves.then(|| Self { url: url.redacted().to_string(), etag, last_modified, date, length })
    }

    /// Returns the ETag, date and length, if the record is of this URL. Passwords are not recorded.
    fn proof_of(self, url: UriRef<'_>) -> Option<Proof> {
        let Self { url: own, etag, last_modified, date, length } = self;
        let mut proof = Proof::default();
        (proof.etag, proof.last_modified, proof.date, proof.length) = (etag, last_modified, date, length);
        (own == url.redacted().to_string()).then_some(proof)
    }

    /// Reads a record; `None` without one of this program.
    fn read(path: &Path) -> Option<Self> {
        // Opening a pipe would wait for a writer.
        if !fs::symlink_metadata(path).is_ok_and(|found| found.is_file()) {
            return None;
        }
        let mut text = String::new();
        File::open(path).ok()?.take(LONGEST_RECORD).read_to_string(&mut text).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Writes the record, which must not be there.
    fn write(&self, path: &Path) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path)?.write_all(&serde_json::to_vec(self)?)
    }
}

/// Removes a record, if there is one.
fn remove_record(path: &Path) -> io::Result<()> {
    // Checking first is faster, and does not lock the directory.
    match fs::symlink_metadata(path).and_then(|_| fs::remove_file(path)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_of_one_url_and_has_no_password() {
        let url = UriRef::parse("ftp://joe:secret@h/a").unwrap();
        let proof = Proof::default().last_modified("20260301120000").length(9);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.part.json");
        assert_eq!(Record::read(&path), None);
        Record::new(url, &proof).unwrap().write(&path).unwrap();
        remove_record(&path).unwrap();
        Record::new(url, &proof).unwrap().write(&path).unwrap();
        assert!(!fs::read_to_string(&path).unwrap().contains("secret"));
        assert_eq!(Record::read(&path).unwrap().proof_of(url), Some(proof));
        assert_eq!(Record::read(&path).unwrap().proof_of(UriRef::parse("ftp://h/b").unwrap()), None);
        fs::write(&path, "{}").unwrap();
        assert_eq!(Record::read(&path), None);
        assert_eq!(Record::new(url, &Proof::default().length(9)), None);
    }

    #[test]
    fn files_that_exist() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let url = UriRef::parse("ftp://h/a").unwrap();
        let create = |existing| Download::create(&path, existing);

        let mut first = create(Existing::Keep).unwrap();
        assert_eq!((first.path(), first.target()), (&*folder.path().join("a.part"), &*path));
        assert!(matches!(create(Existing::Resume), Err(SaveError::InUse(_))));
        first.begin(url, 0, &Proof::default()).unwrap();
        first.write_all(b"one").unwrap();
        // Without an ETag or a date nothing proves that the file is unchanged.
        assert!(!first.keep());
        drop(first);
        assert!(matches!(create(Existing::Keep), Err(SaveError::Incomplete(_))));
        assert_eq!((resume_point(&path, url), complete_length(&path)), (None, None));

        let mut again = create(Existing::Resume).unwrap();
        assert!(again.has_left());
        again.begin(url, 0, &Proof::default()).unwrap();
        again.write_all(b"two").unwrap();
        again.finish().unwrap();
        assert_eq!((fs::read(&path).unwrap(), complete_length(&path)), (b"two".to_vec(), Some(3)));
        assert!(matches!(create(Existing::Keep), Err(SaveError::Exists(_))));
        assert!(matches!(create(Existing::Resume), Err(SaveError::Exists(_))));

        let mut replaced = create(Existing::Replace).unwrap();
        replaced.begin(url, 0, &Proof::default()).unwrap();
        fs::write(&path, "three").unwrap();
        replaced.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"");
        assert!(matches!(Download::create(folder.path(), Existing::Replace), Err(SaveError::IsDirectory(_))));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_replaced_although_a_run_left_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::os::unix::fs::symlink("b", &path).unwrap();
        fs::write(folder.path().join("a.part.new"), "").unwrap();
        let mut download = Download::create(&path, Existing::Replace).unwrap();
        download.begin(UriRef::parse("ftp://h/a").unwrap(), 0, &Proof::default()).unwrap();
        download.write_all(b"mine").unwrap();
        download.finish().unwrap();
        assert_eq!((fs::read(&path).unwrap(), path.is_symlink()), (b"mine".to_vec(), false));
        assert!(!folder.path().join("a.part.new").exists());
    }

    #[test]
    fn a_file_that_appears_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut download = Download::create(&path, Existing::Keep).unwrap();
        download.begin(UriRef::parse("ftp://h/a").unwrap(), 0, &Proof::default()).unwrap();
        download.write_all(b"mine").unwrap();
        fs::write(&path, "other").unwrap();
        let Err(SaveError::CreatedMeanwhile { download, .. }) = download.finish() else { panic!() };
        assert_eq!(
            (fs::read(&path).unwrap(), fs::read(download).unwrap()),
            (b"other".to_vec(), b"mine".to_vec())
        );
    }
}
