//! Files of this machine that links lead to: whether they exist.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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

/// The pages that are shown for a directory, by servers and by forges.
const INDEXES: [&str; 4] = ["index.html", "index.htm", "README.md", "index.md"];

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

    fn kind_at(&self, path: &Path) -> Kind {
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
    if let Some(source) = source_of(path) {
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        return Verdict::new(Code::Generated).because(format!("made from {name}?"));
    }
    if let Some(path) = document.and_then(|document| seen_from_page(path, document))
        && (path.exists() || source_of(&path).is_some())
    {
        let why = "it exists if the page of the document is a directory";
        return Verdict::new(Code::Generated).because(why);
    }
    Verdict::new(Code::NoSuchFile)
}

/// Returns what a path of a link in a Markdown document means if a generator publishes its page as a directory: a
/// link of `a/b.md` is relative to `a/b/` then, as Jekyll and others leave it.
fn seen_from_page(path: &Path, document: &Path) -> Option<PathBuf> {
    let is_markdown = document.extension().is_some_and(|end| end == "md" || end == "markdown");
    let is_index = document.file_stem().is_some_and(|stem| stem == "index" || stem == "README");
    let around = document.parent().filter(|_| is_markdown && !is_index)?;
    // What they have in common is where the link goes up to: one name less from the page.
    let common = around.ancestors().find(|above| path.starts_with(above))?;
    let rest = path.strip_prefix(common).ok()?;
    let page = document.with_extension("");
    let next = page.strip_prefix(common).ok()?.iter().next()?;
    Some(common.join(next).join(rest))
}

/// The endings of what pages are made from.
const SOURCES: [&str; 8] = ["md", "markdown", "mdx", "rst", "adoc", "html", "ipynb", "org"];

/// Returns the file that a generator makes a page from: of `a.html`, `a` and `a/index.html` it is `a.md`.
fn source_of(path: &Path) -> Option<PathBuf> {
    let is_page = path.extension().is_none_or(|end| end == "html" || end == "htm");
    if !is_page {
        return None;
    }
    let is_index = path.file_stem().is_some_and(|stem| stem == "index");
    let stem = path.with_extension("");
    let around = path.parent().filter(|_| is_index);
    let readme = around.map(|around| around.join("README"));
    let stems = [Some(stem), around.map(Path::to_owned), readme];
    stems.into_iter().flatten().find_map(|stem| {
        SOURCES.iter().map(|end| with_ending(&stem, end)).find(|source| source != path && source.is_file())
    })
}

fn with_ending(stem: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(stem);
    name.push(".");
    name.push(end);
    name.into()
}

/// Returns the root of the working tree of git that a directory is in.
#[must_use]
pub(crate) fn repository_of(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().find(|around| around.join(".git").exists()).map(Path::to_owned)
}
