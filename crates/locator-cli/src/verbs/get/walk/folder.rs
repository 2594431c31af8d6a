//! What a walk finds, and the folder that it saves to: takes an [`Item`] of a directory, returns its file, or why
//! none is written. No symbolic link is followed below the folder.

use std::ffi::OsString;
use std::fs;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use locator::UriRefBuf;
use locator_fetch::save::{Existing, FileNameError};

use crate::report::failure::Failure;
use crate::verbs::get::destination::file_error;
use crate::verbs::get::download::shown;

/// An item that is fetched.
pub(super) struct Item {
    pub(super) url: UriRefBuf,
    /// Its path below the folder.
    pub(super) path: PathBuf,
    /// Its name, for the patterns.
    pub(super) name: Vec<u8>,
    pub(super) kind: ItemKind,
    pub(super) size: Option<u64>,
    /// The time of its last change, as the listing states it.
    pub(super) modified: Option<SystemTime>,
    /// Whether that time is the one that `MDTM` would reply.
    pub(super) is_exact: bool,
    /// Why its name is not used here.
    pub(super) refused: Option<FileNameError>,
    /// What no other file of the server has.
    pub(super) unique: Option<Vec<u8>>,
    /// The listings of the directories that it is in.
    pub(super) trail: Option<Arc<Trail>>,
    /// How many directories are between it and the first one.
    pub(super) depth: u32,
}

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ItemKind {
    File,
    Directory,
    /// A symbolic link; one to a directory is not followed.
    Link,
    /// A file or a directory.
    Unknown,
}

impl Item {
    pub(super) fn new(url: UriRefBuf, path: PathBuf, name: &[u8], kind: ItemKind) -> Self {
        let (size, modified, is_exact, refused, unique) = (None, None, false, None, None);
        Self {
            url,
            path,
            name: name.into(),
            kind,
            size,
            modified,
            is_exact,
            refused,
            unique,
            trail: None,
            depth: 0,
        }
    }

    /// Returns what another item has that is the same.
    pub(super) fn key(&self) -> &[u8] {
        self.unique.as_deref().unwrap_or(self.url.as_str().as_bytes())
    }
}

/// The listings of a directory and of those that it is in, as hashes.
pub(super) struct Trail {
    listing: u64,
    above: Option<Arc<Trail>>,
}

impl Trail {
    /// Adds the listing of a directory to those above it; `None` if it is the same as one of them. A directory
    /// of one item says nothing.
    pub(super) fn extend(
        above: Option<&Arc<Self>>,
        listing: &Listing,
        hasher: &impl BuildHasher,
    ) -> Option<Arc<Self>> {
        let names: Vec<_> = listing.items.iter().map(|item| (&*item.name, item.kind)).collect();
        let hash = hasher.hash_one(&names);
        let mut trails = std::iter::successors(above, |trail| trail.above.as_ref());
        let is_loop = names.len() > 1 && trails.any(|trail| trail.listing == hash);
        (!is_loop).then(|| Arc::new(Self { listing: hash, above: above.cloned() }))
    }
}

/// The items of a directory.
#[derive(Default)]
pub(super) struct Listing {
    pub(super) items: Vec<Item>,
    /// What is not followed, and why.
    pub(super) skipped: Vec<(String, String)>,
    /// How many of these are files or directories that have no name here.
    pub(super) lost: u64,
    /// Whether the directory was not listed yet.
    pub(super) is_unknown: bool,
}

impl Listing {
    pub(super) fn skip(&mut self, url: impl Into<String>, why: impl Into<String>) {
        self.skipped.push((url.into(), why.into()));
    }
}

/// What came of an item.
pub(super) enum Outcome {
    Saved,
    /// It is there already.
    Present,
    /// The patterns leave it out.
    LeftOut,
    Skipped(String),
    /// It is skipped because of its name.
    Lost(String),
    /// It is a directory with these items.
    Directory(Listing),
}

/// The folder that a walk saves to.
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
    Differs(String),
}

impl Folder {
    /// Creates the folder unless it is there.
    pub(super) fn create(path: &Path, replaces: bool, newer: bool) -> Result<Self, Failure> {
        let cannot = |error| file_error(format!("the folder {} cannot be created: {error}", shown(path)));
        fs::create_dir_all(path).map_err(cannot)?;
        Ok(Self { path: path.into(), replaces, newer })
    }

    /// Returns whether a directory of this machine is the folder.
    pub(super) fn is(&self, directory: &Path) -> bool {
        let real = |path: &Path| fs::canonicalize(path).ok();
        real(&self.path).is_some_and(|own| real(directory) == Some(own))
    }

    /// Returns the name of the file of an item, whose directory is created.
    pub(super) fn file(&self, item: &Item) -> Result<OsString, Failure> {
        let parent = item.path.parent().unwrap_or(Path::new(""));
        let name = item.path.file_name().ok_or_else(|| file_error("the file has no name".into()))?;
        Ok(self.directory(parent)?.join(name).into())
    }

    /// Returns a directory below the folder, which is created. A symbolic link is not one.
    pub(super) fn directory(&self, below: &Path) -> Result<PathBuf, Failure> {
        let mut path = self.path.clone();
        for name in below {
            path.push(name);
            let is_there = || fs::symlink_metadata(&path).map(|found| found.is_dir());
            match is_there() {
                Ok(true) => {}
                Ok(false) => return Err(file_error(format!("{} is not a directory", shown(&path)))),
                Err(_) => {
                    let made = fs::create_dir(&path);
                    // Another thread may have made it.
                    if let Err(error) = made.or_else(|error| is_there()?.then_some(()).ok_or(error)) {
                        return Err(file_error(format!("{} cannot be created: {error}", shown(&path))));
                    }
                }
            }
        }
        Ok(path)
    }

    /// Returns what is done about the file of an item.
    pub(super) fn decide(&self, file: &OsString, item: &Item) -> Result<Decision, Failure> {
        let Ok(found) = fs::symlink_metadata(file) else { return Ok(Decision::Fetch(Existing::Resume)) };
        // A pipe is never written to: nobody may read from it.
        if !(found.is_file() || self.replaces && found.is_symlink()) {
            let what = if found.is_dir() { "a directory" } else { "not a regular file" };
            return Err(file_error(format!("{} is {what}", shown(Path::new(file)))));
        }
        let differs = item.size.is_some_and(|size| size != found.len());
        Ok(match (self.replaces, self.newer, item.modified) {
            (true, ..) => Decision::Fetch(Existing::Replace),
            (_, false, _) if differs => Decision::Differs(format!(
                "{} has another size than the file on the server; use --newer or --clobber to replace it",
                shown(Path::new(file))
            )),
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
fn is_unclear(item: &Item, modified: SystemTime, own: Option<SystemTime>) -> bool {
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
