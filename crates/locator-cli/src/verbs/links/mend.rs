//! Mends the links of documents whose verdicts are known: asks `locator_links::mend` for what replaces them,
//! and writes the files, or the difference.
//!
//! A file is replaced by a new one at once: a crash leaves the old one or the new one. Permissions are kept, and a
//! symbolic link stays one. The difference is written as `git diff` writes it: a unified diff with three lines of context,
//! which `git apply` takes. Texts are octets: line ends, marks and invalid UTF-8 stay as they are.

use std::collections::HashMap;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use locator_find::{Document, Finder};
use locator_links::mend::{self, KeepReason, LinkChange, LinkEdit, RedirectScope, Replacement};
use locator_links::{Page, Site, Verdict};

use super::arguments::LinksArgs;
use crate::exit::say_error;
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
            mended.diff = diff(&name_in_diff(page, path), &old, &edits);
        } else if replace(path, &original.stamp, &new.octets)? {
            mended.is_written = true;
        } else {
            return Ok(None);
        }
        let reference = |edit: Result<LinkEdit, KeepReason>| edit.map(|edit| edit.reference);
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

/// A file as it was read.
#[derive(Clone, Debug)]
pub(super) struct Original {
    pub(super) path: PathBuf,
    pub(super) stamp: Stamp,
    /// How it was read.
    pub(super) document: Document,
}

/// What differs if a file has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    number: (u64, u64),
}

impl Stamp {
    pub(super) fn of(file: &Metadata) -> Self {
        Self { length: file.len(), modified: file.modified().ok(), number: number(file) }
    }
}

#[cfg(unix)]
fn number(file: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;

    (file.dev(), file.ino())
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

/// Returns the octets of a file; `None` if it has changed.
fn read_unchanged(path: &Path, stamp: &Stamp) -> io::Result<Option<Vec<u8>>> {
    let mut file = File::open(path)?;
    let mut octets = Vec::new();
    file.read_to_end(&mut octets)?;
    let is_same = Stamp::of(&file.metadata()?) == *stamp && octets.len() as u64 == stamp.length;
    Ok(is_same.then_some(octets))
}

/// Replaces a file by one with these octets; returns whether that is done: a file that has changed stays. The
/// path must not be that of a symbolic link.
pub(super) fn replace(path: &Path, stamp: &Stamp, octets: &[u8]) -> io::Result<bool> {
    // A directory may be writable, and a file in it not.
    let old = OpenOptions::new().write(true).open(path)?.metadata()?;
    let directory = path.parent().unwrap_or_else(|| Path::new("."));
    let mut new = tempfile::Builder::new().prefix(".locator-").tempfile_in(directory)?;
    new.write_all(octets)?;
    keep_owner(new.as_file(), &old);
    new.as_file().set_permissions(old.permissions())?;
    new.as_file().sync_all()?;
    if Stamp::of(&fs::metadata(path)?) != *stamp {
        return Ok(false);
    }
    new.persist(path)?;
    Ok(true)
}

/// Gives a file the owner of another one, if this user may do that.
#[cfg(unix)]
fn keep_owner(file: &File, of: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};

    let _ = fchown(file, Some(of.uid()), Some(of.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

/// The lines around a change.
const CONTEXT: usize = 3;

/// Returns the difference; `edits` are in the order of the text.
pub(super) fn diff(name: &[u8], old: &[u8], edits: &[&LinkEdit]) -> Vec<u8> {
    let lines = lines(old);
    let changes = changes(&lines, old, edits);
    let mut written = header(name);
    let (mut rest, mut shift) = (changes.as_slice(), 0);
    while let Some(first) = rest.first() {
        let is_near = |two: &&[ChangedLines]| match two {
            [one, next] => next.lines.start <= one.lines.end + 2 * CONTEXT,
            _ => false,
        };
        let length = 1 + rest.windows(2).take_while(is_near).count();
        let (hunk, after) = rest.split_at(length);
        let last = hunk.last().unwrap_or(first);
        let range = first.lines.start.saturating_sub(CONTEXT)..(last.lines.end + CONTEXT).min(lines.len());
        shift = write_hunk(&mut written, (&lines, old), hunk, range, shift);
        rest = after;
    }
    written
}

/// Lines that are replaced, and what replaces them.
struct ChangedLines {
    lines: Range<usize>,
    new: Vec<u8>,
}

/// Returns the ranges of the lines with their ends.
fn lines(text: &[u8]) -> Vec<Range<usize>> {
    let ends = memchr::memchr_iter(b'\n', text).map(|at| at + 1);
    let mut start = 0;
    let mut lines: Vec<_> = ends.map(|end| std::mem::replace(&mut start, end)..end).collect();
    if start < text.len() {
        lines.push(start..text.len());
    }
    lines
}

/// Returns the lines that change; those that follow each other are one change.
fn changes(lines: &[Range<usize>], old: &[u8], edits: &[&LinkEdit]) -> Vec<ChangedLines> {
    let line_at = |at: usize| lines.partition_point(|line| line.end <= at);
    let mut changes: Vec<(Range<usize>, Vec<&LinkEdit>)> = Vec::new();
    for edit in edits {
        let own = line_at(edit.range.start)..line_at(edit.range.end.saturating_sub(1)) + 1;
        match changes.last_mut().filter(|(lines, _)| own.start <= lines.end) {
            Some((lines, edits)) => {
                lines.end = lines.end.max(own.end);
                edits.push(edit);
            }
            None => changes.push((own, vec![edit])),
        }
    }
    let start = |line: usize| lines.get(line).map_or(old.len(), |line| line.start);
    let text = |(lines, edits): (Range<usize>, Vec<&LinkEdit>)| {
        let (mut at, end, mut new) = (start(lines.start), start(lines.end), Vec::new());
        for edit in edits {
            new.extend_from_slice(old.get(at..edit.range.start).unwrap_or_default());
            new.extend_from_slice(&edit.written);
            at = edit.range.end;
        }
        new.extend_from_slice(old.get(at..end).unwrap_or_default());
        ChangedLines { lines, new }
    };
    changes.into_iter().map(text).collect()
}

/// Writes a hunk, and returns by how much the lines after it move.
fn write_hunk(
    written: &mut Vec<u8>,
    (lines, old): (&[Range<usize>], &[u8]),
    hunk: &[ChangedLines],
    range: Range<usize>,
    shift: isize,
) -> isize {
    let texts = |lines_of: Range<usize>| {
        let of = lines.get(lines_of).unwrap_or_default();
        of.iter().map(|line| old.get(line.clone()).unwrap_or_default())
    };
    let (mut body, mut added, mut at) = (Vec::new(), 0_isize, range.start);
    for ChangedLines { lines: own, new } in hunk {
        texts(at..own.start).for_each(|line| write_line(&mut body, b' ', line));
        texts(own.clone()).for_each(|line| write_line(&mut body, b'-', line));
        let new_lines = self::lines(new);
        new_lines
            .iter()
            .for_each(|line| write_line(&mut body, b'+', new.get(line.clone()).unwrap_or_default()));
        added += new_lines.len() as isize - own.len() as isize;
        at = own.end;
    }
    texts(at..range.end).for_each(|line| write_line(&mut body, b' ', line));
    let count = range.len();
    let (start, new_count) = (range.start + 1, count.saturating_add_signed(added));
    let new_start = start.saturating_add_signed(shift);
    let stretch = |start: usize, count: usize| match count {
        1 => start.to_string(),
        _ => format!("{start},{count}"),
    };
    let (old, new) = (stretch(start, count), stretch(new_start, new_count));
    written.extend(format!("@@ -{old} +{new} @@\n").bytes());
    written.extend(body);
    shift + added
}

fn write_line(written: &mut Vec<u8>, sign: u8, line: &[u8]) {
    written.push(sign);
    written.extend_from_slice(line);
    if !line.ends_with(b"\n") {
        written.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

/// Returns the lines with the name of the file, which git quotes if it has control characters or quotes.
fn header(name: &[u8]) -> Vec<u8> {
    let has_quote = name.iter().any(|octet| matches!(octet, 0..=0x1F | 0x7F | b'"' | b'\\'));
    let named = |prefix: &str| -> Vec<u8> {
        let whole = [prefix.as_bytes(), name].concat();
        if has_quote { quoted(&whole) } else { whole }
    };
    let (old, new) = (named("a/"), named("b/"));
    // A name with a space ends with a tab.
    let end: &[u8] = if !has_quote && name.contains(&b' ') { b"\t\n" } else { b"\n" };
    let parts: [&[u8]; 11] =
        [b"diff --git ", &old, b" ", &new, b"\n--- ", &old, end, b"+++ ", &new, end, b""];
    parts.concat()
}

fn quoted(name: &[u8]) -> Vec<u8> {
    let mut text = vec![b'"'];
    for &octet in name {
        match octet {
            b'"' | b'\\' => text.extend([b'\\', octet]),
            0..=0x1F | 0x7F => text.extend(format!("\\{octet:03o}").bytes()),
            _ => text.push(octet),
        }
    }
    text.push(b'"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(range: Range<usize>, written: &str) -> LinkEdit {
        LinkEdit { range, written: written.into(), reference: written.to_owned() }
    }

    #[test]
    fn hunks() {
        let old: String = (1..=20).map(|number| format!("line {number:02}\n")).collect();
        let text = |edits: &[&LinkEdit]| String::from_utf8(diff(b"a b", old.as_bytes(), edits)).unwrap();
        let (second, third) = (edit(8..15, "new"), edit(16..20, "other"));
        let far = edit(152..159, "end");
        let head = "diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n";
        let one =
            "@@ -1,6 +1,6 @@\n line 01\n-line 02\n-line 03\n+new\n+other 03\n line 04\n line 05\n line 06\n";
        assert_eq!(text(&[&second, &third]), format!("{head}{one}"));
        let two = "@@ -17,4 +17,4 @@\n line 17\n line 18\n line 19\n-line 20\n+end\n";
        assert_eq!(text(&[&second, &third, &far]), format!("{head}{one}{two}"));
    }

    #[test]
    fn octets_stay() {
        let old = b"\xEF\xBB\xBFa\r\n\xFF b";
        let printed = diff(b"x\n\"", old, &[&edit(7..8, "c")]);
        let expected = b"diff --git \"a/x\\012\\\"\" \"b/x\\012\\\"\"\n--- \"a/x\\012\\\"\"\n+++ \"b/x\\012\\\"\"\n\
            @@ -1,2 +1,2 @@\n \xEF\xBB\xBFa\r\n-\xFF b\n\\ No newline at end of file\n+\xFFcb\n\\ No newline at end of file\n";
        assert_eq!(printed, expected);
    }
}
