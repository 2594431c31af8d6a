//! What a walk finds: an item of a directory, with its place in the folder.

use std::hash::BuildHasher;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use locator::UriRefBuf;
use locator_fetch::save::FileNameError;

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
