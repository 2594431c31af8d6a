//! Mends the links of documents whose verdicts are known: asks `locator_links::mend` for what replaces them,
//! and writes the files, or the difference.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use locator_find::Finder;
use locator_links::mend::{self, Change, Kept, Mending, Scope};
use locator_links::{Page, Site, Verdict};

use super::args::LinksArgs;
use super::diff::diff;
use super::replace::{self, Original};
use crate::exit::say_error;
use crate::run::interrupt::Turn;
use crate::terminal::visible;

/// What became of each link of a document: the new reference, or why it is kept.
#[derive(Debug, Default)]
pub(super) struct Mended {
    links: Vec<Option<Result<String, Kept>>>,
    /// The difference, if it is asked for.
    pub(super) diff: Vec<u8>,
    /// Whether the file is written.
    pub(super) is_written: bool,
    /// Whether this is another name of a file that is counted already.
    is_again: bool,
}

impl Mended {
    /// Returns what became of a link.
    pub(super) fn link(&self, index: usize) -> Option<&Result<String, Kept>> {
        self.links.get(index)?.as_ref()
    }

    /// Returns how many links are replaced.
    pub(super) fn count(&self) -> u64 {
        if self.is_again {
            return 0;
        }
        self.links.iter().flatten().filter(|link| link.is_ok()).count() as u64
    }
}

/// What became of each change of a file, by its position.
type Results = HashMap<u64, (Mending, Result<String, Kept>)>;

/// Mends one document after the other.
pub(super) struct Mender<'a> {
    scope: Scope,
    is_diff: bool,
    finder: &'a Finder,
    originals: std::vec::IntoIter<Result<Original, Kept>>,
    /// The files that are mended: links with the same place and aim have the same result under another name.
    done: HashMap<PathBuf, Results>,
    /// Whether something could not be written, which is reported.
    pub(super) has_failed: bool,
}

impl<'a> Mender<'a> {
    /// Creates a mender of documents in their order, if links are to be mended.
    pub(super) fn new(
        asked: &LinksArgs,
        finder: &'a Finder,
        originals: Vec<Result<Original, Kept>>,
    ) -> Option<Self> {
        let is_diff = asked.mend.diff;
        let scope = asked.mend.fix.or(is_diff.then(Scope::default))?;
        let originals = originals.into_iter();
        Some(Self { scope, is_diff, finder, originals, done: HashMap::new(), has_failed: false })
    }

    /// Mends the next document.
    pub(super) fn page(&mut self, site: &Site, page: &Page, verdicts: &[Verdict]) -> Mended {
        let original = self.originals.next().unwrap_or(Err(Kept::NoFile));
        let mut mended = Mended::default();
        let mut changes = Vec::new();
        for (index, (link, verdict)) in page.links.iter().zip(verdicts).enumerate() {
            let (offset, length) = (link.offset, link.length);
            let kept = match mend::mending(site, page, (link, verdict), self.scope) {
                Some(Ok(new)) => {
                    let old = page.url(link).to_owned();
                    changes.push((index, Change { offset, length, old, new }));
                    None
                }
                Some(Err(kept)) => Some(Err(kept)),
                None => None,
            };
            mended.links.push(kept);
        }
        if changes.is_empty() || Turn::is_over() {
            return mended;
        }
        changes.sort_by_key(|(_, change)| change.offset);
        let (indexes, changes): (Vec<_>, Vec<_>) = changes.into_iter().unzip();
        let results = match original {
            Ok(original) => self.file(page, &original, &changes, &mut mended),
            Err(kept) => vec![Err(kept); changes.len()],
        };
        for (index, result) in indexes.into_iter().zip(results) {
            if let Some(own) = mended.links.get_mut(index) {
                *own = Some(result);
            }
        }
        mended
    }

    fn file(
        &mut self,
        page: &Page,
        original: &Original,
        changes: &[Change],
        mended: &mut Mended,
    ) -> Vec<Result<String, Kept>> {
        let all = |kept| vec![Err(kept); changes.len()];
        if let Some(kept) = mend::kept_file(&original.path, original.document.format()) {
            return all(kept);
        }
        // A symbolic link stays one.
        let path = match fs::canonicalize(&original.path) {
            Ok(path) => path,
            Err(error) => return all(self.failed(page, &error)),
        };
        if let Some(done) = self.done.get(&path) {
            (mended.is_written, mended.is_again) = (!self.is_diff, true);
            return changes.iter().map(|change| known(done, change)).collect();
        }
        let results = match self.write(page, (&path, original), changes, mended) {
            Ok(Some(results)) => results,
            Ok(None) => all(self.changed(page)),
            Err(error) => all(self.failed(page, &error)),
        };
        let of = changes.iter().zip(&results);
        let done = of.map(|(change, result)| (change.offset, (change.new.clone(), result.clone())));
        self.done.insert(path, done.collect());
        results
    }

    /// Writes a file or its difference; returns what became of each change, or `None` if the file has changed.
    fn write(
        &self,
        page: &Page,
        (path, original): (&Path, &Original),
        changes: &[Change],
        mended: &mut Mended,
    ) -> io::Result<Option<Vec<Result<String, Kept>>>> {
        let Some(old) = replace::read(path, &original.stamp)? else { return Ok(None) };
        let new = mend::rewrite(self.finder, &original.document, &old, changes)?;
        let edits: Vec<_> = new.edits.iter().flatten().collect();
        if edits.is_empty() {
            // Nothing can be written.
        } else if self.is_diff {
            mended.diff = diff(&name_in_diff(page, path), &old, &edits);
        } else if replace::replace(path, &original.stamp, &new.octets)? {
            mended.is_written = true;
        } else {
            return Ok(None);
        }
        let reference = |edit: Result<mend::Edit, Kept>| edit.map(|edit| edit.reference);
        Ok(Some(new.edits.into_iter().map(reference).collect()))
    }

    fn changed(&mut self, page: &Page) -> Kept {
        self.report(&format!(
            "\"{}\" has changed since it was read, and stays as it is",
            visible(&page.name)
        ));
        Kept::Changed
    }

    fn failed(&mut self, page: &Page, error: &io::Error) -> Kept {
        self.report(&format!("\"{}\" cannot be written: {error}", visible(&page.name)));
        Kept::Unwritable
    }

    fn report(&mut self, what: &str) {
        self.has_failed = true;
        say_error(what);
    }
}

/// Returns what became of a change of the same file under another name.
fn known(done: &Results, change: &Change) -> Result<String, Kept> {
    match done.get(&change.offset) {
        Some((new, result)) if *new == change.new => result.clone(),
        _ => Err(Kept::Changed),
    }
}

/// Returns the name of a file in a patch, as `git diff` has it: from the root of the working tree that the
/// working directory is in; else from the working directory.
fn name_in_diff(page: &Page, path: &Path) -> Vec<u8> {
    let here = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    let directory = here.ancestors().find(|around| around.join(".git").exists()).unwrap_or(&here);
    let mut name = match path.strip_prefix(directory) {
        Ok(inside) => inside.as_os_str().as_encoded_bytes().to_vec(),
        Err(_) => page.name.trim_start_matches('/').as_bytes().to_vec(),
    };
    if cfg!(windows) {
        name.iter_mut().filter(|octet| **octet == b'\\').for_each(|octet| *octet = b'/');
    }
    name
}
