//! The names of the files of a repository ([`Tree`]), read once, and the beginnings of files on demand.
//!
//! A generator makes pages from files, so that the names, and the front matter of some of them, say what a site has. Paths
//! are relative to the root, with "/" between names and none at the ends; "" is the root itself.
//!
//! ```text
//! let tree = Tree::open(Path::new("/home/me/book"));
//! assert!(tree.has_file("src/SUMMARY.md") && tree.has_directory("src"));
//! let chapters = tree.below("src").filter(|path| path.ends_with(".md"));
//! ```

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::front_matter::FrontMatter;
use crate::files::builds::Builds;

/// The files of a repository.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    root: PathBuf,
    /// The paths of all files, sorted.
    files: Vec<Box<str>>,
    /// The paths of all directories.
    directories: HashSet<Box<str>>,
    /// Directories that are not read: of packages and builds, and symbolic links.
    unread: Vec<Box<str>>,
    builds: Builds,
}

/// The largest configuration or other file that is read as a whole.
const LARGEST: u64 = 4 << 20;

/// How many bytes of a file are read for its front matter.
const BEGINNING: u64 = 64 << 10;

/// How many files a tree may have. Sites of larger ones are not looked for.
const MOST_FILES: usize = 2_000_000;

/// Directories that have no sources: packages that are installed, and what git keeps.
const NEVER_READ: [&str; 9] =
    [".git", ".hg", ".svn", "node_modules", "bower_components", ".venv", "__pycache__", ".tox", ".jj"];

impl Tree {
    /// Reads the names of the files below a directory. Symbolic links to directories are not followed.
    pub(crate) fn open(root: &Path) -> Self {
        let mut tree = Self { root: root.to_owned(), ..Self::default() };
        tree.directories.insert("".into());
        let mut open = vec![String::new()];
        while let Some(directory) = open.pop() {
            let Ok(entries) = fs::read_dir(root.join(&directory)) else { continue };
            for entry in entries.flatten() {
                // No generator finds a name that is not in UTF-8.
                let Ok(name) = entry.file_name().into_string() else { continue };
                let path = joined(&directory, &name);
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() {
                    tree.directories.insert(path.as_str().into());
                    // What git ignores is no source.
                    match NEVER_READ.contains(&&*name) || tree.is_ignored(&path) {
                        true => tree.unread.push(path.into()),
                        false => open.push(path),
                    }
                } else if kind.is_symlink() && entry.path().is_dir() {
                    tree.directories.insert(path.as_str().into());
                    tree.unread.push(path.into());
                } else {
                    tree.files.push(path.into());
                }
            }
            if tree.files.len() > MOST_FILES {
                return Self { root: root.to_owned(), ..Self::default() };
            }
        }
        tree.files.sort_unstable();
        tree.unread.sort_unstable();
        tree
    }

    /// Returns the directory that paths are relative to.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the paths of all files, sorted.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|path| &**path)
    }

    /// Returns the path of the file with a number in their order.
    pub(crate) fn file(&self, number: usize) -> Option<&str> {
        self.files.get(number).map(|path| &**path)
    }

    /// Returns the paths of the files in a directory and below it, sorted.
    pub(crate) fn below<'t>(&'t self, directory: &str) -> impl Iterator<Item = &'t str> + use<'t> {
        let start = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let from = self.files.partition_point(|path| **path < *start);
        let rest = self.files.get(from..).unwrap_or_default();
        let end = rest.partition_point(|path| path.starts_with(&start));
        rest.get(..end).unwrap_or_default().iter().map(|path| &**path)
    }

    /// Returns whether there is a file.
    pub(crate) fn has_file(&self, path: &str) -> bool {
        self.files.binary_search_by(|own| (**own).cmp(path)).is_ok()
    }

    /// Returns whether there is a directory.
    pub(crate) fn has_directory(&self, path: &str) -> bool {
        self.directories.contains(path)
    }

    /// Returns the directories whose files are not known: installed packages and symbolic links.
    pub(crate) fn unread(&self) -> impl Iterator<Item = &str> {
        self.unread.iter().map(|path| &**path)
    }

    /// Returns why a build may make a file that is not in the tree: git ignores it, or it is where builds write.
    pub(crate) fn build_reason(&self, path: &str) -> Option<String> {
        self.builds.reason(&self.root.join(path), &self.root)
    }

    /// Returns whether git ignores a path.
    pub(crate) fn is_ignored(&self, path: &str) -> bool {
        self.builds.is_ignored(&self.root.join(path), &self.root)
    }

    /// Returns the first of these names that is a file of a directory, as a path.
    pub(crate) fn first_file(&self, directory: &str, names: &[&str]) -> Option<String> {
        names.iter().map(|name| joined(directory, name)).find(|path| self.has_file(path))
    }

    /// Returns the text of a file; `None` if it is not there or too large. Invalid UTF-8 is replaced.
    pub(crate) fn read(&self, path: &str) -> Option<String> {
        if !self.has_file(path) {
            return None;
        }
        let path = self.inside(path)?;
        let is_small = fs::metadata(&path).is_ok_and(|about| about.is_file() && about.len() <= LARGEST);
        let text = is_small.then(|| fs::read(&path).ok()).flatten()?;
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    /// Returns the front matter of a file, of which only the beginning is read; an empty one if it has none.
    pub(crate) fn front_matter(&self, path: &str) -> FrontMatter {
        FrontMatter::read(&self.beginning(path))
    }

    /// Returns the beginning of a file as text: at most 64 KiB.
    pub(crate) fn beginning(&self, path: &str) -> String {
        let mut text = Vec::new();
        let file = self.inside(path).and_then(|path| File::open(path).ok());
        let read = file.and_then(|file| file.take(BEGINNING).read_to_end(&mut text).ok());
        read.map(|_| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default()
    }

    /// Returns the path of a file on this machine; `None` if a symbolic link leads out of the tree, so that a document
    /// cannot choose what is read.
    fn inside(&self, path: &str) -> Option<PathBuf> {
        let there = self.root.join(path);
        if !there.is_symlink() {
            return Some(there);
        }
        let real = fs::canonicalize(&there).ok()?;
        real.starts_with(fs::canonicalize(&self.root).ok()?).then_some(real)
    }
}

/// Returns the path of a name in a directory.
pub(crate) fn joined(directory: &str, name: &str) -> String {
    match (directory, name) {
        ("", name) => name.to_owned(),
        (directory, "" | ".") => directory.to_owned(),
        (directory, name) => format!("{directory}/{name}"),
    }
}

/// Returns the directory that a path is in, "" for the root.
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Returns the last name of a path.
pub(crate) fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Returns a path without the ending of its last name, and the ending without ".": `("a/b", "md")`. A name that begins with
/// "." has no ending there.
pub(crate) fn split_ending(path: &str) -> (&str, &str) {
    let start = path.len() - name_of(path).len();
    match path.rfind('.').filter(|at| *at > start) {
        Some(at) => (path.get(..at).unwrap_or_default(), path.get(at + 1..).unwrap_or_default()),
        None => (path, ""),
    }
}

/// Returns the path that a relative path of a directory leads to, without "." and ".."; `None` if it leads out of the tree.
/// Empty segments and a final "/" are dropped.
pub(crate) fn resolved(directory: &str, relative: &str) -> Option<String> {
    let mut names: Vec<&str> = directory.split('/').filter(|name| !name.is_empty()).collect();
    for name in relative.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()?),
            name => names.push(name),
        }
    }
    Some(names.join("/"))
}

/// Returns what is left of a path below a directory; `None` if it is not in it.
pub(crate) fn path_below<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    match directory {
        "" => Some(path),
        directory => path.strip_prefix(directory)?.strip_prefix('/'),
    }
}
