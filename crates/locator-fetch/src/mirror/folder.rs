//! The folder that a mirror saves to: takes a [`MirrorItem`], returns its file and what is done about it if there is
//! one. No symbolic link is followed below the folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::error::MirrorError;
use super::item::MirrorItem;
use crate::save::{Existing, FileNameError, SaveError};

/// The folder that a mirror saves to.
pub(super) struct Folder {
    path: PathBuf,
    /// Whether existing files are replaced.
    replaces: bool,
    /// Whether existing files are replaced if the server's are newer.
    newer: bool,
}

/// What is done about a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// It is fetched, and existing files are treated so.
    Fetch(Existing),
    /// It is fetched if the server says that it is newer than this.
    FetchIfNewer(SystemTime),
    /// Ask the server when it changed; the listing says whether it is newer, but not exactly.
    AskIfNewer(SystemTime, bool),
    /// It is there.
    Keep,
    /// It is there, and another one is on the server.
    Differs,
}

impl Folder {
    /// Creates the folder unless it is there.
    pub(super) fn create(path: &Path, replaces: bool, newer: bool) -> Result<Self, MirrorError> {
        fs::create_dir_all(path).map_err(|error| MirrorError::CreateFolder(path.into(), error))?;
        Ok(Self { path: path.into(), replaces, newer })
    }

    /// Returns whether a directory of this machine is the folder.
    pub(super) fn is(&self, directory: &Path) -> bool {
        let real = |path: &Path| fs::canonicalize(path).ok();
        real(&self.path).is_some_and(|own| real(directory) == Some(own))
    }

    /// Returns the name of the file of an item, whose directory is created.
    pub(super) fn file(&self, item: &MirrorItem) -> Result<PathBuf, MirrorError> {
        let parent = item.path.parent().unwrap_or(Path::new(""));
        let name = item.path.file_name().ok_or(SaveError::Name(FileNameError::NoName))?;
        Ok(self.directory(parent)?.join(name))
    }

    /// Returns a directory below the folder, which is created. A symbolic link is not one.
    pub(super) fn directory(&self, below: &Path) -> Result<PathBuf, MirrorError> {
        let mut path = self.path.clone();
        for name in below {
            path.push(name);
            let is_there = || fs::symlink_metadata(&path).map(|found| found.is_dir());
            match is_there() {
                Ok(true) => {}
                Ok(false) => return Err(MirrorError::NotAFolder(path)),
                Err(_) => {
                    let made = fs::create_dir(&path);
                    // Another thread may have made it.
                    if let Err(error) = made.or_else(|error| is_there()?.then_some(()).ok_or(error)) {
                        return Err(SaveError::Create(path, error).into());
                    }
                }
            }
        }
        Ok(path)
    }

    /// Returns what is done about the file of an item; `found` is what is there.
    pub(super) fn decide(
        &self,
        file: &Path,
        found: Option<&fs::Metadata>,
        item: &MirrorItem,
    ) -> Result<Decision, MirrorError> {
        let Some(found) = found else { return Ok(Decision::Fetch(Existing::Resume)) };
        // A pipe is never written to: nobody may read from it.
        if !(found.is_file() || self.replaces && found.is_symlink()) {
            return Err(match found.is_dir() {
                true => SaveError::IsDirectory(file.into()).into(),
                false => MirrorError::NotAFile(file.into()),
            });
        }
        let differs = item.size.is_some_and(|size| size != found.len());
        Ok(match (self.replaces, self.newer, item.modified) {
            (true, ..) => Decision::Fetch(Existing::Replace),
            (_, false, _) if differs => Decision::Differs,
            (_, false, _) => Decision::Keep,
            (_, true, _) if differs => Decision::Fetch(Existing::Replace),
            (_, true, Some(modified)) if is_unclear(item, modified, found.modified().ok()) => {
                let own = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                Decision::AskIfNewer(own, is_newer(modified, Some(own)))
            }
            (_, true, Some(modified)) if !is_newer(modified, found.modified().ok()) => Decision::Keep,
            (_, true, Some(_)) => Decision::Fetch(Existing::Replace),
            (_, true, None) => Decision::FetchIfNewer(found.modified().unwrap_or(SystemTime::UNIX_EPOCH)),
        })
    }
}

/// Returns whether a listing does not say which of two files is newer: it has the time to the minute or the day,
/// in the time zone of the server.
fn is_unclear(item: &MirrorItem, modified: SystemTime, own: Option<SystemTime>) -> bool {
    let Some(own) = own.filter(|_| !item.is_exact) else { return false };
    modified + UNCLEAR > own && own + UNCLEAR > modified
}

/// A day, and the hours by which time zones differ.
const UNCLEAR: Duration = Duration::from_secs(48 * 60 * 60);

/// Returns whether a time of a server is after that of a file; parts of seconds do not count, because some
/// file systems do not keep them.
pub(super) fn is_newer(modified: SystemTime, own: Option<SystemTime>) -> bool {
    own.is_none_or(|own| modified >= own + Duration::from_secs(1))
}
