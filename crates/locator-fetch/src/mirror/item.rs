//! What is found below a URL: a [`MirrorItem`], the listing of a directory with its items, and what came of an item.

use std::fmt::{self, Debug, Formatter};
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use locator::{UriRef, UriRefBuf};

use super::error::SkipReason;
use crate::redact;
use crate::save::FileNameError;

/// A file, a directory or a symbolic link below the directory that is mirrored.
pub struct MirrorItem {
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
    pub(super) trail: Option<Arc<ListingTrail>>,
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

impl MirrorItem {
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

    /// Returns the URL.
    #[must_use]
    pub fn url(&self) -> UriRef<'_> {
        self.url.as_uri_ref()
    }

    /// Returns the path of the file below the folder that is saved to.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of octets, if the listing states it.
    #[must_use]
    pub const fn size(&self) -> Option<u64> {
        self.size
    }

    /// Returns the time of the last change, if the listing states it. Some listings round it to a minute or a day.
    #[must_use]
    pub const fn modified(&self) -> Option<SystemTime> {
        self.modified
    }

    /// Returns what another item has that is the same.
    pub(super) fn key(&self) -> &[u8] {
        self.unique.as_deref().unwrap_or(self.url.as_str().as_bytes())
    }
}

impl Debug for MirrorItem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut item = f.debug_struct("MirrorItem");
        item.field("url", &redact::Url(self.url())).field("path", &self.path);
        item.field("size", &self.size).field("modified", &self.modified).finish_non_exhaustive()
    }
}

/// The listings of a directory and of those that it is in, as hashes.
pub(super) struct ListingTrail {
    listing: u64,
    above: Option<Arc<ListingTrail>>,
}

impl ListingTrail {
    /// Adds the listing of a directory to those above it; `None` if it is the same as one of them. A directory
    /// of one item says nothing.
    pub(super) fn extend(
        above: Option<&Arc<Self>>,
        listing: &DirectoryListing,
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
pub(super) struct DirectoryListing {
    pub(super) items: Vec<MirrorItem>,
    /// What is not followed, and why.
    pub(super) skipped: Vec<SkippedEntry>,
    /// Whether the directory was not listed yet.
    pub(super) is_unknown: bool,
}

/// What is not followed.
pub(super) struct SkippedEntry {
    /// Its URL, or the name of what has none.
    pub(super) url: String,
    pub(super) reason: SkipReason,
    /// Whether it is a file or a directory that has no name here.
    pub(super) is_lost: bool,
}

impl DirectoryListing {
    /// Returns the listing of a directory that was not listed yet.
    pub(super) fn unknown() -> Self {
        Self { is_unknown: true, ..Self::default() }
    }

    pub(super) fn skip(&mut self, url: impl Into<String>, reason: SkipReason) {
        self.skipped.push(SkippedEntry { url: url.into(), reason, is_lost: false });
    }

    /// Skips a file or a directory of which no URL can be written.
    pub(super) fn lose(&mut self, url: impl Into<String>, reason: SkipReason) {
        self.skipped.push(SkippedEntry { url: url.into(), reason, is_lost: true });
    }
}

/// What came of an item.
pub(super) enum Outcome {
    /// It was saved, or is to be reported.
    Saved,
    /// It is there already.
    Present,
    /// The patterns leave it out.
    LeftOut,
    Skipped(SkipReason),
    /// It is skipped because of its name.
    Lost(SkipReason),
    /// It is a directory with these items.
    Directory(DirectoryListing),
}
