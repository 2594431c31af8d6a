//! Files of this machine that links lead to: whether they exist.

pub(crate) mod archives;
pub(crate) mod near;
pub(crate) mod neighbours;
pub(crate) mod sources;
pub(crate) mod spelling;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::archives::{Archives, There};
use self::sources::{INDEXES, seen_from_page, source_of};
use crate::outcome::{Code, Verdict};

/// The number of a file in [`Files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub(crate) u32);

impl FileId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A directory, and the page that is shown for it.
    Directory(Option<FileId>),
    /// A device or a pipe, which is not read.
    Other,
    /// Nothing.
    Missing,
    /// Something that cannot be looked at.
    Unreadable(io::ErrorKind),
}

/// The files that links lead to. Each is looked at once.
#[derive(Debug, Default)]
pub struct Files {
    table: Mutex<Table>,
    archives: Mutex<Archives>,
}

#[derive(Debug, Default)]
struct Table {
    /// The numbers of paths, as octets: the components of a path need not be compared.
    ids: HashMap<Arc<Octets>, FileId>,
    entries: Vec<Entry>,
}

type Octets = std::ffi::OsStr;

#[derive(Clone, Debug)]
struct Entry {
    path: Arc<Octets>,
    kind: Kind,
}

impl Files {
    /// Returns the number of a file, which is looked at if it is new.
    pub fn find(&self, path: &Path) -> FileId {
        let octets = path.as_os_str();
        if let Some(&id) = self.table().ids.get(octets) {
            return id;
        }
        let kind = self.kind_at(path);
        let mut table = self.table();
        if let Some(&id) = table.ids.get(octets) {
            return id;
        }
        let (id, path) = (FileId(table.entries.len() as u32), Arc::from(octets));
        table.ids.insert(Arc::clone(&path), id);
        table.entries.push(Entry { path, kind });
        id
    }

    /// Returns what is at the path.
    #[must_use]
    pub fn kind(&self, id: FileId) -> Kind {
        self.table().entries.get(id.index()).map_or(Kind::Missing, |entry| entry.kind)
    }

    /// Returns the path.
    #[must_use]
    pub fn path(&self, id: FileId) -> PathBuf {
        let table = self.table();
        table.entries.get(id.index()).map(|entry| PathBuf::from(&*entry.path)).unwrap_or_default()
    }

    /// Returns how many files there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table().entries.len()
    }

    /// Returns whether there is no file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the members of an archive as files of a directory, which is named after it: `/x/site.zip!`.
    pub fn add_archive<N: AsRef<str>>(&self, directory: &Path, names: impl IntoIterator<Item = N>) {
        self.archives().add(directory, names);
    }

    /// Returns the path of a member in the directory of its archive; `None` if its name leads out of it.
    #[must_use]
    pub fn in_archive(directory: &Path, name: &str) -> Option<PathBuf> {
        archives::inside(name).map(|inside| directory.join(inside))
    }

    /// Returns the directory of the archive that a path leads into.
    #[must_use]
    pub fn archive_of(&self, path: &Path) -> Option<PathBuf> {
        self.archives().directory_of(path).map(Path::to_owned)
    }

    /// Returns what is known of a link of a document to a path in an archive where nothing is.
    pub(crate) fn missing_in_archive(&self, path: &Path, document: Option<&Path>) -> Option<Verdict> {
        self.archives().missing(path, document)
    }

    fn kind_at(&self, path: &Path) -> Kind {
        let there = self.archives().at(path);
        match there {
            Some(There::File) => return Kind::File,
            Some(There::Directory(index)) => return Kind::Directory(index.map(|index| self.find(&index))),
            Some(There::Nothing) => return Kind::Missing,
            None => {}
        }
        match fs::metadata(path) {
            Ok(of) if of.is_dir() => {
                let index = INDEXES.iter().map(|name| path.join(name)).find(|index| index.is_file());
                Kind::Directory(index.map(|index| self.find(&index)))
            }
            Ok(of) if of.is_file() => Kind::File,
            Ok(_) => Kind::Other,
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Kind::Missing,
                // A name that no file can have.
                io::ErrorKind::InvalidFilename | io::ErrorKind::InvalidInput => Kind::Missing,
                kind => Kind::Unreadable(kind),
            },
        }
    }

    fn archives(&self) -> MutexGuard<'_, Archives> {
        self.archives.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns what is known of a link of a document to a path where nothing is. `repository` is the root of the working
/// tree that the document is in.
#[must_use]
pub(crate) fn missing(path: &Path, document: Option<&Path>, repository: Option<&Path>) -> Verdict {
    if repository.is_some_and(|root| !path.starts_with(root)) {
        return Verdict::new(Code::Outside);
    }
    if let Some(source) = source_of(path, Path::is_file) {
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        return Verdict::new(Code::Generated).because(format!("made from {name}?"));
    }
    if let Some(path) = document.and_then(|document| seen_from_page(path, document))
        && (path.exists() || source_of(&path, Path::is_file).is_some())
    {
        let why = "it exists if the page of the document is a directory";
        return Verdict::new(Code::Generated).because(why);
    }
    Verdict::new(Code::NoSuchFile)
}

/// Returns the root of the working tree of git that a directory is in.
#[must_use]
pub(crate) fn repository_of(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().find(|around| around.join(".git").exists()).map(Path::to_owned)
}
