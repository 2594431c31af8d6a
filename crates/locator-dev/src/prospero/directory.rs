//! Trees of files, in memory or of the file system.

use std::io;
use std::path::{Path, PathBuf};

/// A file or a directory.
#[derive(Clone, Debug)]
pub struct Node {
    /// The name, in octets.
    pub name: Vec<u8>,
    /// A file or a directory, and what it contains.
    pub kind: Kind,
    /// When it was modified, as the protocol writes it: `20261121094706Z`.
    pub modified: String,
}

/// A file or a directory.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A file: its length, and where its octets are.
    File(u64, Contents),
    /// A directory, in the order of its entries.
    Directory(Vec<Node>),
}

/// Where the octets of a file are.
#[derive(Clone, Debug)]
pub enum Contents {
    /// In memory.
    Octets(Vec<u8>),
    /// In a file.
    File(PathBuf),
}

impl Contents {
    /// Reads the octets; none if the file cannot be read.
    pub(super) fn read(&self) -> Vec<u8> {
        match self {
            Self::Octets(octets) => octets.clone(),
            Self::File(path) => std::fs::read(path).unwrap_or_default(),
        }
    }
}

impl Node {
    /// Creates a file in memory.
    #[must_use]
    pub fn file(name: &str, octets: &[u8]) -> Self {
        let kind = Kind::File(octets.len() as u64, Contents::Octets(octets.into()));
        Self { name: name.into(), kind, modified: "19940517000000Z".into() }
    }

    /// Creates a directory in memory.
    #[must_use]
    pub fn directory(name: &str, nodes: Vec<Self>) -> Self {
        Self { name: name.into(), kind: Kind::Directory(nodes), modified: "19940517000000Z".into() }
    }

    /// Sets when it was modified.
    #[must_use]
    pub fn modified(self, time: &str) -> Self {
        Self { modified: time.into(), ..self }
    }

    /// Reads the directory of a file system, without links and special files, sorted by name.
    ///
    /// # Errors
    ///
    /// The directory cannot be read.
    pub fn read(path: &Path) -> io::Result<Vec<Self>> {
        let mut nodes = Vec::new();
        for entry in std::fs::read_dir(path)? {
            let entry = entry?;
            let metadata = std::fs::symlink_metadata(entry.path())?;
            let kind = if metadata.is_dir() {
                Kind::Directory(Self::read(&entry.path())?)
            } else if metadata.is_file() {
                Kind::File(metadata.len(), Contents::File(entry.path()))
            } else {
                continue;
            };
            let seconds = metadata.modified()?.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
            let modified = date(seconds.as_secs());
            nodes.push(Self { name: entry.file_name().into_encoded_bytes(), kind, modified });
        }
        nodes.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(nodes)
    }

    /// Returns the node that a path leads to from these nodes, if it leads to one. An empty path
    /// leads nowhere.
    pub(super) fn find<'n>(nodes: &'n [Self], path: &[u8]) -> Option<&'n Self> {
        let mut names = path.split(|&octet| octet == b'/').filter(|name| !name.is_empty());
        let first = names.next()?;
        let mut node = nodes.iter().find(|node| node.name == first)?;
        for name in names {
            let Kind::Directory(nodes) = &node.kind else { return None };
            node = nodes.iter().find(|node| node.name == name)?;
        }
        Some(node)
    }
}

/// Returns a time of UTC, in seconds since 1970, as the protocol writes it.
fn date(seconds: u64) -> String {
    let (days, time) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March, so that a leap day is the last one (Fliegel and van Flandern, 1968).
    let era_day = days + 719_468;
    let (era, day) = (era_day / 146_097, era_day % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + later;
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}Z")
}

#[cfg(test)]
mod tests {
    #[test]
    fn dates() {
        for (seconds, expected) in [
            (0, "19700101000000Z"),
            (951_782_399, "20000228235959Z"),
            (951_782_400, "20000229000000Z"),
            (1_795_254_426, "20261121094706Z"),
        ] {
            assert_eq!(super::date(seconds), expected);
        }
    }
}
