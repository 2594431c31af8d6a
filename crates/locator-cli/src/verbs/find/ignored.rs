//! Limits the rules about ignored files. The crate `ignore` reads each `.gitignore` as a whole and
//! needs up to two hundred times its length, so a directory with too many rules is not searched.

use std::collections::HashMap;
use std::fs::{self, File, FileType};
use std::io::{self, BufRead, BufReader, Read};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ignore::{DirEntry, Error, WalkBuilder};

/// The maximum length of the rules that apply to a directory: its own and those of the directories
/// around it.
const LONGEST: u64 = 512 << 10;

/// The length of the rules of directories, and the directories that have too many.
#[derive(Debug, Default)]
pub(super) struct Rules {
    /// The length of the rules that apply in a directory, if it has any.
    lengths: Mutex<HashMap<PathBuf, u64>>,
    refused: Mutex<Vec<Error>>,
}

impl Rules {
    /// Sets that a walk does not enter directories with too many rules.
    pub(super) fn limit(self: &Arc<Self>, builder: &mut WalkBuilder) {
        let rules = Arc::clone(self);
        builder.filter_entry(move |entry: &DirEntry| {
            !entry.file_type().is_some_and(|of| of.is_dir()) || rules.allow(entry.path())
        });
    }

    /// Returns whether a named directory can be searched, and notes it if not.
    pub(super) fn allow_root(&self, path: &Path) -> bool {
        if !path.is_dir() {
            return true;
        }
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let around = absolute.ancestors().skip(1).fold(0, |sum, path| own(path).1.saturating_add(sum));
        self.allow_within(path, around)
    }

    fn allow(&self, path: &Path) -> bool {
        let around = path.parent().and_then(|parent| locked(&self.lengths).get(parent).copied());
        self.allow_within(path, around.unwrap_or_default())
    }

    fn allow_within(&self, path: &Path, around: u64) -> bool {
        let (last, length) = own(path);
        let length = length.saturating_add(around);
        if length > LONGEST {
            let file = last.unwrap_or_else(|| path.to_owned());
            locked(&self.refused).push(too_long(&file, "; its directory is not searched (see --no-ignore)"));
            return false;
        }
        if length > 0 {
            locked(&self.lengths).insert(path.to_owned(), length);
        }
        true
    }

    /// Returns the errors of the directories that were not entered.
    pub(super) fn refused(&self) -> Vec<Error> {
        mem::take(&mut *locked(&self.refused))
    }
}

/// Returns an error if a file given with `--ignore-file` is too long. A pipe is read as it is.
pub(super) fn check_given(path: &Path) -> Result<(), Error> {
    let is_pipe = fs::metadata(path).is_ok_and(|of| is_pipe(of.file_type()));
    if is_pipe || length_of(path) <= LONGEST { Ok(()) } else { Err(too_long(path, "")) }
}

fn too_long(path: &Path, what: &str) -> Error {
    let why = format!("the ignore rules are longer than {} KiB{what}", LONGEST >> 10);
    let error = io::Error::new(io::ErrorKind::InvalidData, why);
    Error::WithPath { path: path.to_owned(), err: Box::new(Error::Io(error)) }
}

/// Returns the length of the rules in a directory and the last file that has some.
fn own(directory: &Path) -> (Option<PathBuf>, u64) {
    let git = directory.join(".git");
    let of_git = match git.symlink_metadata() {
        Ok(_) if git.is_dir() => vec![git.join("info/exclude")],
        Ok(_) => of_git_file(git),
        Err(_) => Vec::new(),
    };
    let files = [directory.join(".ignore"), directory.join(".gitignore")].into_iter().chain(of_git);
    files.fold((None, 0), |(last, sum), file| match length_of(&file) {
        0 => (last, sum),
        length => (Some(file), length.saturating_add(sum)),
    })
}

/// Returns the files that are read for a `.git` that names another directory.
fn of_git_file(file: PathBuf) -> Vec<PathBuf> {
    let first = |path: &Path| {
        let mut line = String::new();
        let most = (length_of(path) <= LONGEST).then_some(LONGEST)?;
        BufReader::new(File::open(path).ok()?.take(most)).read_line(&mut line).ok()?;
        Some(line.trim_end_matches(['\r', '\n']).to_owned())
    };
    let directory = first(&file).and_then(|line| Some(PathBuf::from(line.strip_prefix("gitdir: ")?)));
    let Some(directory) = directory else { return vec![file] };
    let common = directory.join("commondir");
    let exclude = first(&common).map(|line| directory.join(line).join("info/exclude"));
    [file, common].into_iter().chain(exclude).collect()
}

/// Returns the length of a file: 0 if it does not exist, and the maximum for what has no length.
fn length_of(path: &Path) -> u64 {
    match fs::metadata(path) {
        Ok(of) if of.is_file() => of.len(),
        Ok(of) if of.is_dir() => 0,
        Ok(_) if fs::canonicalize(path).is_ok_and(|path| path == Path::new("/dev/null")) => 0,
        Ok(_) => u64::MAX,
        Err(_) => 0,
    }
}

#[cfg(unix)]
fn is_pipe(of: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    of.is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: FileType) -> bool {
    false
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
