//! The differences that git prints, as arguments and as what is read of them.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead};
use std::ops::Range;

/// What differs, by the names of files relative to the root.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Differences {
    /// The lines that were added or changed, by their numbers and the name in the working tree.
    pub(super) added: HashMap<Vec<u8>, Lines>,
    /// The lines that were removed or changed, by their numbers and the name in the revision.
    pub(super) removed: HashMap<Vec<u8>, Lines>,
    /// The files that are not where they were, by their names in the revision: their names in the
    /// working tree, if they were renamed.
    pub(super) moved: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
}

/// Ranges of lines, from top to bottom.
pub(super) type Lines = Vec<Range<u64>>;

/// The options that make the output of `git diff` independent of the configuration. `-a` compares
/// the lines of binary files, too; `--raw` prints the names of all files before the lines.
const DIFF: [&str; 13] = [
    "diff",
    "-a",
    "--raw",
    "--unified=0",
    "--inter-hunk-context=0",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--find-renames",
    "--ignore-submodules=all",
    "-O/dev/null",
    "--src-prefix=a/",
    "--dst-prefix=b/",
];

/// Returns the arguments of git that print what differs from a commit.
pub(super) fn arguments(commit: &str) -> Vec<&str> {
    [&DIFF[..], &[commit, "--"]].concat()
}

/// Reads what differs. Lines of a hunk are counted, because one of them may look like the head of a
/// file.
pub(super) fn read(out: &mut impl BufRead) -> io::Result<Differences> {
    let (mut found, mut before, mut after) = (Differences::default(), None, None);
    let (mut line, mut rest) = (Vec::new(), 0);
    loop {
        line.clear();
        if out.read_until(b'\n', &mut line)? == 0 {
            return Ok(found);
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        if rest > 0 {
            // "\ No newline at end of file" is not counted.
            rest -= u64::from(!text.starts_with(b"\\"));
        } else if let Some(file) = text.strip_prefix(b":") {
            found.moved.extend(moved(file));
        } else if let Some(name) = text.strip_prefix(b"--- ") {
            before = name_of(name, b"a/");
        } else if let Some(name) = text.strip_prefix(b"+++ ") {
            after = name_of(name, b"b/");
        } else if let Some((removed, added)) = hunk(text) {
            rest = (removed.end - removed.start) + (added.end - added.start);
            put(&mut found.removed, before.as_ref(), removed);
            put(&mut found.added, after.as_ref(), added);
        }
    }
}

fn put(files: &mut HashMap<Vec<u8>, Lines>, file: Option<&Vec<u8>>, lines: Range<u64>) {
    if let Some(file) = file.filter(|_| !lines.is_empty()) {
        files.entry(file.clone()).or_default().push(lines);
    }
}

/// Parses `100644 000000 9daeafb 0000000 D`, a TAB and a name, or of a renamed file `… R097` and two
/// names; returns the names before and after.
fn moved(line: &[u8]) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
    let mut words = line.split(|&octet| octet == b'\t');
    let status = words.next()?.rsplit(|&octet| octet == b' ').next()?;
    let before = plain(words.next()?);
    match status.first()? {
        b'D' => Some((before, None)),
        b'R' => Some((before, Some(plain(words.next()?)))),
        _ => None,
    }
}

/// Parses `b/a.md`, `"b/a\tb"` or `/dev/null`. After a name with a space is a TAB.
fn name_of(word: &[u8], prefix: &[u8]) -> Option<Vec<u8>> {
    plain(word.strip_suffix(b"\t").unwrap_or(word)).strip_prefix(prefix).map(<[u8]>::to_vec)
}

/// Returns a name without its quotes, if it has some.
fn plain(name: &[u8]) -> Vec<u8> {
    match name {
        [b'"', quoted @ .., b'"'] => unquoted(quoted),
        name => name.to_vec(),
    }
}

/// Undoes the escapes of a quoted name: those of C.
fn unquoted(name: &[u8]) -> Vec<u8> {
    let (mut plain, mut rest) = (Vec::new(), name);
    while let Some((&octet, after)) = rest.split_first() {
        rest = after;
        if octet != b'\\' {
            plain.push(octet);
            continue;
        }
        if let Some((digits, after)) = rest.split_first_chunk::<3>()
            && digits.iter().all(|digit| matches!(digit, b'0'..=b'7'))
        {
            plain.push(digits.iter().fold(0, |octet: u8, digit| octet.wrapping_mul(8) + (digit - b'0')));
            rest = after;
        } else if let Some((&letter, after)) = rest.split_first() {
            let escapes = b"a\x07b\x08t\tn\nv\x0Bf\x0Cr\r";
            let escape = escapes.chunks_exact(2).find(|escape| escape[0] == letter);
            plain.push(escape.map_or(letter, |escape| escape[1]));
            rest = after;
        }
    }
    plain
}

/// Parses `@@ -7,2 +8 @@`: the lines before and after.
fn hunk(line: &[u8]) -> Option<(Range<u64>, Range<u64>)> {
    let mut words = line.strip_prefix(b"@@ ")?.split(|&octet| octet == b' ');
    let mut lines = |sign: &[u8]| {
        let word = str::from_utf8(words.next()?.strip_prefix(sign)?).ok()?;
        let (start, count) = word.split_once(',').unwrap_or((word, "1"));
        let (start, count): (u64, u64) = (start.parse().ok()?, count.parse().ok()?);
        Some(start..start.checked_add(count)?)
    };
    Some((lines(b"-")?, lines(b"+")?))
}
