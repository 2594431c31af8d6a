//! What was meant by the name of a file that does not exist: a name in the same directory, or another spelling of
//! the path.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::near::{nearest, only};

/// The names in directories, each of which is read once.
#[derive(Debug, Default)]
pub(crate) struct Directories {
    names: HashMap<PathBuf, Rc<Names>>,
    /// How many names were compared.
    compared: usize,
}

/// The names in a directory.
#[derive(Debug)]
struct Names {
    names: Vec<String>,
    /// Whether there is no other name: all are in Unicode, and there are not too many.
    are_all: bool,
}

/// A name in a path, and the one that exists in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Respelled {
    /// How many names are after it in the path.
    pub(crate) after: usize,
    /// The name that does not exist.
    pub(crate) old: String,
    /// The only one that can be meant.
    pub(crate) new: String,
}

/// A directory of a million files is not searched to its end.
const MOST_NAMES: usize = 10_000;

/// How many names are compared in a run. A site in which everything is missing has other faults than misspellings.
const MOST_COMPARED: usize = 50_000_000;

impl Directories {
    /// Returns the name in the same directory that was probably meant.
    pub(crate) fn near(&mut self, path: &Path) -> Option<String> {
        let wanted = path.file_name()?.to_str()?;
        let names = self.names_in(path.parent()?)?;
        nearest(wanted, names.names.iter().map(String::as_str)).map(str::to_owned)
    }

    /// Returns the names to replace in a path where nothing is so that it leads to the only file that can be
    /// meant, and that file: names differ by their case, or one of them by one letter.
    pub(crate) fn respelled(&mut self, path: &Path) -> Option<(Vec<Respelled>, PathBuf)> {
        let start = path.ancestors().skip(1).find(|around| around.is_dir())?;
        let missing: Vec<&str> =
            path.strip_prefix(start).ok()?.iter().map(|name| name.to_str()).collect::<Option<_>>()?;
        let (mut at, mut replaced, mut distance) = (start.to_owned(), Vec::new(), 0);
        for (number, &old) in missing.iter().enumerate() {
            if at.join(old).exists() {
                at.push(old);
                continue;
            }
            let names = self.names_in(&at).filter(|names| names.are_all)?;
            let new = only(old, names.names.iter().map(String::as_str))?;
            distance += usize::from(old.to_lowercase() != new.to_lowercase());
            replaced.push(Respelled {
                after: missing.len() - number - 1,
                old: old.to_owned(),
                new: new.to_owned(),
            });
            at.push(new);
        }
        (distance <= 1).then_some((replaced, at))
    }

    /// Returns the names in a directory, which are to be compared with one.
    fn names_in(&mut self, directory: &Path) -> Option<Rc<Names>> {
        if self.compared >= MOST_COMPARED {
            return None;
        }
        let names = match self.names.get(directory) {
            Some(names) => Rc::clone(names),
            None => {
                let names = Rc::new(Names::read(directory)?);
                self.names.insert(directory.to_owned(), Rc::clone(&names));
                names
            }
        };
        self.compared += names.names.len();
        Some(names)
    }
}

impl Names {
    fn read(directory: &Path) -> Option<Self> {
        let mut entries = fs::read_dir(directory).ok()?;
        let mut are_all = true;
        let name = |entry: std::io::Result<fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
        let mut names = Vec::new();
        for entry in entries.by_ref().take(MOST_NAMES) {
            match name(entry) {
                Some(name) => names.push(name),
                None => are_all = false,
            }
        }
        are_all &= entries.next().is_none();
        Some(Self { names, are_all })
    }
}
