//! Writes files that were rewritten, or the difference.
//!
//! A file is replaced by a new one at once ([`replace`]): a crash leaves the old one or the new one. Permissions are
//! kept, and a file that has changed since it was read ([`Stamp`]) stays. The difference ([`diff`]) is written as `git
//! diff` writes it: a unified diff with three lines of context, which `git apply` takes. Texts are octets: line ends,
//! marks and invalid UTF-8 stay as they are.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::ops::Range;
use std::path::Path;
use std::time::SystemTime;

use anstyle::{AnsiColor, Style};
use locator_find::RewrittenLink;

use crate::output::Output;
use crate::terminal::paint::{BAD, GOOD};
use crate::terminal::visible;

/// What differs if a file has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    number: FileNumber,
}

impl Stamp {
    pub(crate) fn of(file: &Metadata) -> Self {
        Self { length: file.len(), modified: file.modified().ok(), number: FileNumber::of(file) }
    }
}

/// Which file it is, where the system says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct FileNumber {
    device: u64,
    inode: u64,
}

impl FileNumber {
    #[cfg(unix)]
    fn of(file: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;

        Self { device: file.dev(), inode: file.ino() }
    }

    #[cfg(not(unix))]
    fn of(_: &Metadata) -> Self {
        Self::default()
    }
}

/// Returns the octets of a file; `None` if it has changed.
pub(crate) fn read_unchanged(path: &Path, stamp: &Stamp) -> io::Result<Option<Vec<u8>>> {
    let mut file = File::open(path)?;
    let mut octets = Vec::new();
    file.read_to_end(&mut octets)?;
    let is_same = Stamp::of(&file.metadata()?) == *stamp && octets.len() as u64 == stamp.length;
    Ok(is_same.then_some(octets))
}

/// Replaces a file by one with these octets; returns whether that is done: a file that has changed stays. The
/// path must not be that of a symbolic link.
pub(crate) fn replace(path: &Path, stamp: &Stamp, octets: &[u8]) -> io::Result<bool> {
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
pub(crate) fn diff(name: &[u8], old: &[u8], edits: &[&RewrittenLink]) -> Vec<u8> {
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
fn changes(lines: &[Range<usize>], old: &[u8], edits: &[&RewrittenLink]) -> Vec<ChangedLines> {
    let line_at = |at: usize| lines.partition_point(|line| line.end <= at);
    let mut changes: Vec<(Range<usize>, Vec<&RewrittenLink>)> = Vec::new();
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
    let text = |(lines, edits): (Range<usize>, Vec<&RewrittenLink>)| {
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

/// Writes a difference; at a terminal in the colours of `git diff`, without control characters.
pub(crate) fn write_diff(out: &mut Output, text: &[u8]) -> io::Result<()> {
    if !out.is_terminal {
        return out.write_all(text);
    }
    for line in text.split_inclusive(|&octet| octet == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let style = match line {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] | [b'd', ..] => Style::new().bold(),
            [b'+', ..] => GOOD,
            [b'-', ..] => BAD,
            [b'@', ..] => AnsiColor::Cyan.on_default(),
            _ => Style::new(),
        };
        let line = visible(&String::from_utf8_lossy(line)).to_string();
        let paint = out.paint;
        writeln!(out, "{}", paint.with(style, line))?;
    }
    Ok(())
}

/// Returns the name of a file in a patch, as `git diff` has it: from the root of the working tree that the
/// working directory is in; else from the working directory, or the name that it was given by.
pub(crate) fn name_in_diff(name: &str, path: &Path) -> Vec<u8> {
    let here = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    let directory = here.ancestors().find(|around| around.join(".git").exists()).unwrap_or(&here);
    let mut name_of_file = match path.strip_prefix(directory) {
        Ok(inside) => inside.as_os_str().as_encoded_bytes().to_vec(),
        Err(_) => name.trim_start_matches('/').as_bytes().to_vec(),
    };
    if cfg!(windows) {
        name_of_file.iter_mut().filter(|octet| **octet == b'\\').for_each(|octet| *octet = b'/');
    }
    name_of_file
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(range: Range<usize>, written: &str) -> RewrittenLink {
        RewrittenLink { range, written: written.into(), reference: written.to_owned() }
    }

    #[test]
    fn hunks() {
        let old: String = (1..=20).map(|number| format!("line {number:02}\n")).collect();
        let text = |edits: &[&RewrittenLink]| String::from_utf8(diff(b"a b", old.as_bytes(), edits)).unwrap();
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
