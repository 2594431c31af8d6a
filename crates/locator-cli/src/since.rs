//! What has changed since a revision of git: says of a line of a file whether it was there before, and
//! of a file what was there and is not any more.
//!
//! Whatever git does not know is new: a file that it does not track, or a URL that is in no file.

mod diff;
mod git;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use self::diff::{Differences, Lines};
use self::git::{Git, one_line};
use crate::exit::{CliError, say_error};
use crate::input::located::Place;
use crate::input::paths::native;

/// The differences between a revision and the working tree.
#[derive(Debug, Default)]
pub(crate) struct Since {
    git: Git,
    /// The root of the working tree.
    root: PathBuf,
    /// The commit that the working tree is compared with.
    commit: String,
    /// The files that git tracks, relative to the root.
    tracked: HashSet<Vec<u8>>,
    differences: Differences,
    /// The names of the files that were renamed.
    renamed: HashSet<Vec<u8>>,
    /// The file that was asked for last, with its name in the working tree.
    last: (Vec<u8>, Option<Vec<u8>>),
}

/// What was there in the revision and is not any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Removed<'a> {
    /// The file, or all files of the directory: where the file is now, if git recognises it.
    File { now: Option<PathBuf> },
    /// These lines of the file, by their numbers in the revision.
    Lines(&'a [Range<u64>]),
}

impl Since {
    /// Asks git for what differs from a revision. It runs in the working directory.
    pub(crate) fn new(revision: &str) -> Result<Self, CliError> {
        reported(revision, Self::read(HERE.as_ref(), revision, |_, commit| Ok(commit.to_owned())))
    }

    /// Asks git for what differs from the last commit that a revision and HEAD have in common: what a
    /// branch has changed since it left another one.
    #[cfg_attr(not(any(test, feature = "links")), expect(dead_code, reason = "only `links` uses it"))]
    pub(crate) fn at_merge_base(revision: &str) -> Result<Self, CliError> {
        reported(
            revision,
            Self::read(HERE.as_ref(), revision, |git, commit| merge_base(git, HERE.as_ref(), commit)),
        )
    }

    fn read(
        directory: &Path,
        revision: &str,
        base: impl FnOnce(&Git, &str) -> Result<String, String>,
    ) -> Result<Self, String> {
        if revision.is_empty() || revision.starts_with('-') {
            return Err("expected a revision of git, such as HEAD~1 or origin/main".to_owned());
        }
        let git = Git::of(directory)?;
        let root = git.run(directory, &["rev-parse", "--show-toplevel"], |out| one_line(out))?;
        let root = native(&root).and_then(|root| fs::canonicalize(root).ok());
        let root = root.ok_or("the working tree cannot be found")?;
        // The configuration of a repository may name any directory (core.worktree).
        let is_named = std::env::var_os("GIT_DIR").is_some();
        if !is_named && root.join(".git").symlink_metadata().is_err() {
            return Err("the working tree of the repository is another directory".to_owned());
        }
        // A revision is not taken for a file, and a range is no revision.
        let commit = format!("{revision}^{{commit}}");
        let commit = git
            .run(directory, &["rev-parse", "--verify", "--end-of-options", &commit], |out| one_line(out))
            .map_err(|_| {
                "git does not know this revision; a shallow clone has only the last ones".to_owned()
            })?;
        let commit = base(&git, &String::from_utf8_lossy(&commit))?;
        let differences = git.run(directory, &diff::arguments(&commit), |out| diff::read(out))?;
        let tracked = git.run(directory, &["ls-files", "-z", "--full-name", ":/"], |out| {
            out.split(0).collect::<io::Result<HashSet<_>>>()
        })?;
        let renamed = differences.moved.values().flatten().cloned().collect();
        Ok(Self { git, root, commit, tracked, differences, renamed, last: Default::default() })
    }

    /// Returns whether the line was in the revision as it is.
    pub(crate) fn is_old(&mut self, place: &Place) -> bool {
        let Some(name) = &place.file else { return false };
        if self.last.0 != *name {
            self.last = (name.clone(), self.tracked_name(name));
        }
        let Some(file) = &self.last.1 else { return false };
        self.differences.added.get(file).is_none_or(|lines| !contains(lines, place.line))
    }

    /// Returns whether the file at this path had another name in the revision, so that its relative links
    /// may lead elsewhere.
    #[cfg_attr(not(any(test, feature = "links")), expect(dead_code, reason = "only `links` uses it"))]
    pub(crate) fn was_renamed(&self, path: &[u8]) -> bool {
        self.tracked_name(path).is_some_and(|name| self.renamed.contains(&name))
    }

    /// Returns what was removed at this path, which need not exist; `None` if all of it is there as it
    /// was, or never was.
    #[cfg_attr(not(any(test, feature = "links")), expect(dead_code, reason = "only `links` uses it"))]
    pub(crate) fn removed(&self, path: &[u8]) -> Option<Removed<'_>> {
        let name = self.name_in_tree(native(path)?)?;
        if let Some(now) = self.differences.moved.get(&name) {
            let now = now.as_deref().and_then(native).map(|now| self.root.join(now));
            return Some(Removed::File { now });
        }
        if let Some(lines) = self.differences.removed.get(&name) {
            return Some(Removed::Lines(lines));
        }
        let directory = [&*name, b"/"].concat();
        let below = self.differences.moved.range(directory.clone()..).next();
        let had_files = below.is_some_and(|(name, _)| name.starts_with(&directory));
        (had_files && !self.root.join(native(&name)?).exists()).then_some(Removed::File { now: None })
    }

    /// Returns the file at this path as it was in the revision, up to a length.
    #[cfg_attr(not(any(test, feature = "links")), expect(dead_code, reason = "only `links` uses it"))]
    pub(crate) fn content(&self, path: &[u8]) -> Result<Vec<u8>, String> {
        let name = native(path).and_then(|path| self.name_in_tree(path));
        let name = name.ok_or("the file is not in the working tree")?;
        let object = [self.commit.as_bytes(), b":", &name].concat();
        let object = native(&object).ok_or("git cannot name the file")?;
        let arguments = ["cat-file", "blob"].map(OsStr::new);
        self.git.run(&self.root, &[&arguments[..], &[object.as_os_str()]].concat(), |out| {
            let mut content = Vec::new();
            out.take(LONGEST + 1).read_to_end(&mut content)?;
            match content.len() as u64 > LONGEST {
                true => Err(io::Error::other("the file is too long")),
                false => Ok(content),
            }
        })
    }

    /// Returns the name of a file relative to the root; `None` if git does not track it.
    fn tracked_name(&self, name: &[u8]) -> Option<Vec<u8>> {
        let path = fs::canonicalize(native(name)?).ok()?;
        self.name_below_root(&path).filter(|name| self.tracked.contains(name))
    }

    /// Returns the name relative to the root of a path whose last segments need not exist.
    fn name_in_tree(&self, path: &Path) -> Option<Vec<u8>> {
        let path = std::path::absolute(path).ok()?;
        let (there, existing) =
            path.ancestors().find_map(|there| Some((there, fs::canonicalize(there).ok()?)))?;
        let mut whole = existing;
        for step in path.strip_prefix(there).ok()?.components() {
            match step {
                Component::ParentDir => drop(whole.pop()),
                step => whole.push(step),
            }
        }
        self.name_below_root(&whole)
    }

    fn name_below_root(&self, path: &Path) -> Option<Vec<u8>> {
        let steps = path.strip_prefix(&self.root).ok()?.components();
        let steps: Vec<_> = steps.map(|step| step.as_os_str().as_encoded_bytes()).collect();
        Some(steps.join(&b'/'))
    }
}

/// The working directory.
const HERE: &str = ".";

/// The maximum length of a file that is read.
const LONGEST: u64 = 64 << 20;

/// Prints why there are no differences.
fn reported(revision: &str, since: Result<Since, String>) -> Result<Since, CliError> {
    since.map_err(|why| {
        say_error(&format!("--since {revision}: {why}"));
        CliError::Reported
    })
}

fn merge_base(git: &Git, directory: &Path, commit: &str) -> Result<String, String> {
    let base = git.run(directory, &["merge-base", commit, "HEAD"], |out| one_line(out)).map_err(|_| {
        "it has no commit in common with HEAD; a shallow clone has only the last ones".to_owned()
    })?;
    Ok(String::from_utf8_lossy(&base).into_owned())
}

/// Returns whether a line is in one of these ranges, which are in order.
fn contains(lines: &Lines, line: u64) -> bool {
    let order = |lines: &Range<u64>| match lines {
        lines if lines.end <= line => Ordering::Less,
        lines if lines.start > line => Ordering::Greater,
        _ => Ordering::Equal,
    };
    lines.binary_search_by(order).is_ok()
}
