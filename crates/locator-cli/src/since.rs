//! Which lines are older than a revision of git: takes the differences that `git diff` prints, and
//! says of a line of a file whether it was there before.
//!
//! Whatever git does not know is new: a file that it does not track, or a URL that is in no file.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::exit::{CliError, say_error};
use crate::located::Place;
use crate::paths::native;

/// The lines that have changed since a revision, in the files of a working tree.
#[derive(Debug, Default)]
pub(crate) struct Since {
    /// The root of the working tree.
    root: PathBuf,
    /// The files that git tracks, relative to the root.
    tracked: HashSet<Vec<u8>>,
    changed: Changed,
    /// The file that was asked for last, with its name in the working tree.
    last: (Vec<u8>, Option<Vec<u8>>),
}

/// The lines that were added or changed in each file, from top to bottom.
type Changed = HashMap<Vec<u8>, Vec<Range<u64>>>;

/// The options that make the output of `git diff` independent of the configuration. `-a` compares
/// the lines of binary files, too.
const DIFF: [&str; 11] = [
    "diff",
    "-a",
    "--unified=0",
    "--inter-hunk-context=0",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--find-renames",
    "--ignore-submodules=all",
    "--src-prefix=a/",
    "--dst-prefix=b/",
];

impl Since {
    /// Asks git for the lines that differ from a revision. It runs in the working directory.
    pub(crate) fn new(revision: &str) -> Result<Self, CliError> {
        Self::read(revision).map_err(|why| {
            say_error(&format!("--since {revision}: {why}"));
            CliError::Reported
        })
    }

    fn read(revision: &str) -> Result<Self, String> {
        if revision.is_empty() || revision.starts_with('-') {
            return Err("expected a revision of git, such as HEAD~1 or origin/main".to_owned());
        }
        let root = git(&["rev-parse", "--show-toplevel"], |out| one_line(out))?;
        let root = native(&root).and_then(|root| fs::canonicalize(root).ok());
        let root = root.ok_or("the working tree cannot be found")?;
        // A revision is not taken for a file, and a range is no revision.
        let commit = format!("{revision}^{{commit}}");
        let commit = git(&["rev-parse", "--verify", "--end-of-options", &commit], |out| one_line(out))
            .map_err(|_| {
                "git does not know this revision; a shallow clone has only the last ones".to_owned()
            })?;
        let commit = String::from_utf8_lossy(&commit).into_owned();
        let changed = git(&[&DIFF[..], &[&commit, "--"]].concat(), |out| changes(out))?;
        let tracked = git(&["ls-files", "-z", "--full-name", ":/"], |out| {
            out.split(0).collect::<io::Result<HashSet<_>>>()
        })?;
        Ok(Self { root, tracked, changed, last: Default::default() })
    }

    /// Returns whether the line was in the revision as it is.
    pub(crate) fn is_old(&mut self, place: &Place) -> bool {
        let Some(name) = &place.file else { return false };
        if self.last.0 != *name {
            self.last = (name.clone(), self.tracked_name(name));
        }
        let Some(file) = &self.last.1 else { return false };
        self.changed.get(file).is_none_or(|lines| {
            let order = |lines: &Range<u64>| match lines {
                lines if lines.end <= place.line => Ordering::Less,
                lines if lines.start > place.line => Ordering::Greater,
                _ => Ordering::Equal,
            };
            lines.binary_search_by(order).is_err()
        })
    }

    /// Returns the name of a file relative to the root; `None` if git does not track it.
    fn tracked_name(&self, name: &[u8]) -> Option<Vec<u8>> {
        let path = fs::canonicalize(native(name)?).ok()?;
        let steps = path.strip_prefix(&self.root).ok()?.components();
        let steps: Vec<_> = steps.map(|step| step.as_os_str().as_encoded_bytes()).collect();
        Some(steps.join(&b'/')).filter(|name| self.tracked.contains(name))
    }
}

/// Runs git, and reads what it prints.
fn git<T>(
    arguments: &[&str],
    read: impl FnOnce(&mut BufReader<&mut dyn Read>) -> io::Result<T>,
) -> Result<T, String> {
    let mut git = Command::new("git");
    git.args(["-c", "core.quotePath=false"]).args(arguments);
    let started = git.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = started.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "git is not installed, which compares the files".to_owned(),
        _ => format!("git cannot be run: {error}"),
    })?;
    let (result, errors) = outputs(child, read).map_err(|error| format!("git cannot be read: {error}"))?;
    match (result, errors) {
        (Some(result), _) => Ok(result),
        (None, errors) => {
            let first = errors.lines().find(|line| !line.is_empty()).unwrap_or("git failed");
            Err(format!("git says: {}", first.trim_start_matches("fatal: ")))
        }
    }
}

/// Reads the output of a child to its end: `None` if it failed, and what it said about it.
fn outputs<T>(
    mut child: Child,
    read: impl FnOnce(&mut BufReader<&mut dyn Read>) -> io::Result<T>,
) -> io::Result<(Option<T>, String)> {
    let (Some(mut out), Some(mut err)) = (child.stdout.take(), child.stderr.take()) else {
        return Ok((None, String::new()));
    };
    // Neither pipe may fill up while the other one is read.
    let errors = std::thread::spawn(move || {
        let mut errors = Vec::new();
        err.read_to_end(&mut errors).map(|_| String::from_utf8_lossy(&errors).into_owned())
    });
    let result = read(&mut BufReader::new(&mut out as &mut dyn Read));
    // After an error of reading git ends, too, because the pipe is closed.
    drop(out);
    let status = child.wait()?;
    let errors = errors.join().unwrap_or_else(|_| Ok(String::new()))?;
    let result = if status.success() { Some(result?) } else { None };
    Ok((result, errors))
}

fn one_line(out: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    out.read_to_end(&mut line)?;
    Ok(line.trim_ascii_end().to_vec())
}

/// Reads the output of `git diff`. Lines of a hunk are counted, because one of them may look like the
/// head of a file.
fn changes(out: &mut impl BufRead) -> io::Result<Changed> {
    let (mut changed, mut file) = (Changed::new(), None);
    let (mut line, mut rest) = (Vec::new(), 0);
    loop {
        line.clear();
        if out.read_until(b'\n', &mut line)? == 0 {
            return Ok(changed);
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        if rest > 0 {
            // "\ No newline at end of file" is not counted.
            rest -= u64::from(!text.starts_with(b"\\"));
        } else if let Some(name) = text.strip_prefix(b"+++ ") {
            file = name_of(name);
        } else if let Some((before, after)) = hunk(text) {
            rest = (before.end - before.start) + (after.end - after.start);
            if let Some(file) = file.as_ref().filter(|_| !after.is_empty()) {
                changed.entry(file.clone()).or_insert_with(Vec::new).push(after);
            }
        }
    }
}

/// Parses `b/a.md`, `"b/a\tb"` or `/dev/null`. After a name with a space is a TAB.
fn name_of(word: &[u8]) -> Option<Vec<u8>> {
    let name = match word.strip_suffix(b"\t").unwrap_or(word) {
        [b'"', quoted @ .., b'"'] => unquoted(quoted),
        word => word.to_vec(),
    };
    name.strip_prefix(b"b/").map(<[u8]>::to_vec)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_are_counted() {
        let diff = b"diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@ a\n-- b\n+++ b/y\n+@@ -1 +9 @@\n\
            \\ No newline at end of file\n@@ -7,2 +8,0 @@\n-a\n-b\n@@ -20,0 +19,3 @@\n+a\n+b\n+c\n\
            diff --git a/z b/z\ndeleted file mode 100644\n--- a/z\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\
            --- \"a/\\303\\251\"\n+++ \"b/\\303\\251\\t\"\n@@ -1 +1 @@\n-a\n+b\n@@ -5 +5 @@\n-a\n+b\n--- a/c d\t\n+++ b/c d\t\n@@ -0,0 +1 @@\n+a\n@@ -2,0 +4 @@\n+a\n";
        let changed = changes(&mut &diff[..]).expect("it is all there");
        let expected: [(&[u8], Vec<Range<u64>>); 3] =
            [(b"x", vec![1..3, 19..22]), ("é\t".as_bytes(), vec![1..2, 5..6]), (b"c d", vec![1..2, 4..5])];
        assert_eq!(changed, expected.map(|(file, lines)| (file.to_vec(), lines)).into());
    }

    #[test]
    fn lines_outside_of_the_hunks_are_old() {
        assert!(Since::default().tracked_name(b"no/such/file").is_none());
        let place = |line| Place { file: Some(b"x".to_vec()), line, column: Some(1) };
        let mut since = Since {
            changed: [(b"x".to_vec(), vec![1..3, 19..22])].into(),
            last: (b"x".to_vec(), Some(b"x".to_vec())),
            ..Since::default()
        };
        let new: Vec<_> = (0..25).filter(|&line| !since.is_old(&place(line))).collect();
        assert_eq!(new, [1, 2, 19, 20, 21]);
        assert!(!since.is_old(&Place { file: None, line: 5, column: Some(1) }), "it is in no file");
    }
}
