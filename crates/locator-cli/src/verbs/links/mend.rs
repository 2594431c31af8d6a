//! Mends the links of documents whose verdicts are known: asks `locator_links::mend` for what replaces them,
//! and writes the files, or the difference.
//!
//! A symbolic link stays one: the file that it leads to is replaced.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use locator_find::{Document, Finder, RewrittenLink};
use locator_links::mend::{self, KeepReason, LinkChange, RedirectScope, Replacement};
use locator_links::{Page, Site, Verdict};

use super::arguments::LinksArgs;
use crate::exit::say_error;
use crate::output::rewrite::{Stamp, diff, name_in_diff, read_unchanged, replace};
use crate::run::interrupt::Turn;
use crate::terminal::visible;

/// What became of each link of a document: the new reference, or why it is kept.
#[derive(Debug, Default)]
pub(super) struct MendedPage {
    links: Vec<Option<Result<String, KeepReason>>>,
    /// The difference, if it is asked for.
    pub(super) diff: Vec<u8>,
    /// Whether the file is written.
    pub(super) is_written: bool,
    /// Whether this is another name of a file that is counted already.
    is_again: bool,
}

impl MendedPage {
    /// Returns what became of a link.
    pub(super) fn link(&self, index: usize) -> Option<&Result<String, KeepReason>> {
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
type Results = HashMap<u64, (Replacement, Result<String, KeepReason>)>;

/// Mends one document after the other.
pub(super) struct Mender<'a> {
    scope: RedirectScope,
    is_diff: bool,
    finder: &'a Finder,
    originals: std::vec::IntoIter<Result<Original, KeepReason>>,
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
        originals: Vec<Result<Original, KeepReason>>,
    ) -> Option<Self> {
        let is_diff = asked.mend.diff;
        let scope = asked.mend.fix.or(is_diff.then(RedirectScope::default))?;
        let originals = originals.into_iter();
        Some(Self { scope, is_diff, finder, originals, done: HashMap::new(), has_failed: false })
    }

    /// Mends the next document.
    pub(super) fn page(&mut self, site: &Site, page: &Page, verdicts: &[Verdict]) -> MendedPage {
        let original = self.originals.next().unwrap_or(Err(KeepReason::NoFile));
        let mut mended = MendedPage::default();
        let mut changes = Vec::new();
        for (index, (link, verdict)) in page.links.iter().zip(verdicts).enumerate() {
            let (offset, length) = (link.offset, link.length);
            let kept = match mend::replacement(site, page, link, verdict, self.scope) {
                Some(Ok(new)) => {
                    let old = page.url(link).to_owned();
                    changes.push((index, LinkChange { offset, length, old, new }));
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
        changes: &[LinkChange],
        mended: &mut MendedPage,
    ) -> Vec<Result<String, KeepReason>> {
        let all = |kept| vec![Err(kept); changes.len()];
        if let Some(kept) = mend::keep_reason(&original.path, original.document.format()) {
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
        let results = match self.write(page, &path, original, changes, mended) {
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
        path: &Path,
        original: &Original,
        changes: &[LinkChange],
        mended: &mut MendedPage,
    ) -> io::Result<Option<Vec<Result<String, KeepReason>>>> {
        let Some(old) = read_unchanged(path, &original.stamp)? else { return Ok(None) };
        let new = mend::rewrite(self.finder, &original.document, &old, changes)?;
        let edits: Vec<_> = new.edits.iter().flatten().collect();
        if edits.is_empty() {
            // Nothing can be written.
        } else if self.is_diff {
            mended.diff = diff(&name_in_diff(&page.name, path), &old, &edits);
        } else if replace(path, &original.stamp, &new.octets)? {
            mended.is_written = true;
        } else {
            return Ok(None);
        }
        let reference = |edit: Result<RewrittenLink, KeepReason>| edit.map(|edit| edit.reference);
        Ok(Some(new.edits.into_iter().map(reference).collect()))
    }

    fn changed(&mut self, page: &Page) -> KeepReason {
        self.report(&format!(
            "\"{}\" has changed since it was read, and stays as it is",
            visible(&page.name)
        ));
        KeepReason::Changed
    }

    fn failed(&mut self, page: &Page, error: &io::Error) -> KeepReason {
        self.report(&format!("\"{}\" cannot be written: {error}", visible(&page.name)));
        KeepReason::Unwritable
    }

    fn report(&mut self, what: &str) {
        self.has_failed = true;
        say_error(what);
    }
}

/// Returns what became of a change of the same file under another name.
fn known(done: &Results, change: &LinkChange) -> Result<String, KeepReason> {
    match done.get(&change.offset) {
        Some((new, result)) if *new == change.new => result.clone(),
        _ => Err(KeepReason::Changed),
    }
}

/// A file as it was read.
#[derive(Clone, Debug)]
pub(super) struct Original {
    pub(super) path: PathBuf,
    pub(super) stamp: Stamp,
    /// How it was read.
    pub(super) document: Document,
}
