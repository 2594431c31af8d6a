//! Replaces a file by a new one at once: a crash leaves the old one or the new one. Permissions are kept, and a
//! symbolic link stays one.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use locator_find::Document;

/// A file as it was read.
#[derive(Clone, Debug)]
pub(super) struct Original {
    pub(super) path: PathBuf,
    pub(super) stamp: Stamp,
    /// How it was read.
    pub(super) document: Document,
}

/// What differs if a file has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    number: (u64, u64),
}

impl Stamp {
    pub(super) fn of(file: &Metadata) -> Self {
        Self { length: file.len(), modified: file.modified().ok(), number: number(file) }
    }
}

#[cfg(unix)]
fn number(file: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;

    (file.dev(), file.ino())
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

/// Returns the octets of a file; `None` if it has changed.
pub(super) fn read(path: &Path, stamp: &Stamp) -> io::Result<Option<Vec<u8>>> {
    let mut file = File::open(path)?;
    let mut octets = Vec::new();
    file.read_to_end(&mut octets)?;
    let is_same = Stamp::of(&file.metadata()?) == *stamp && octets.len() as u64 == stamp.length;
    Ok(is_same.then_some(octets))
}

/// Replaces a file by one with these octets; returns whether that is done: a file that has changed stays. The
/// path must not be that of a symbolic link.
pub(super) fn replace(path: &Path, stamp: &Stamp, octets: &[u8]) -> io::Result<bool> {
    // A directory may be writable, and a file in it not.
    let old = OpenOptions::new().write(true).open(path)?.metadata()?;
    let directory = path.parent().unwrap_or_else(|| Path::new("."));
    let mut new = tempfile::Builder::new().prefix(".locator-").tempfile_in(directory)?;
    new.write_all(octets)?;
    keep_owner(new.as_file(), &old);
    new.as_file().set_permissions(old.permissions())?;
    new.as_file().sync_all()?;
    if Stamp::of(&fs::metadata(path)?) != *stamp {
        return Ok(false);
    }
    new.persist(path)?;
    Ok(true)
}

/// Gives a file the owner of another one, if this user may do that.
#[cfg(unix)]
fn keep_owner(file: &File, of: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};

    let _ = fchown(file, Some(of.uid()), Some(of.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}
