//! What has changed since a revision of git: says of a line of a file whether it was there before, and
//! of a file what was there and is not any more.
//!
//! [`Since`] asks [`Git`] for the differences between the revision and the working tree, which are read to
//! [`Differences`]. Whatever git does not know is new: a file that it does not track, or a URL that is in no file.
//!
//! The repository may be that of somebody else, whose configuration and attributes name programs. git starts none of
//! them: filters, the monitor of files, hooks, programs for differences and texts, pagers, helpers for logins and
//! transports are turned off, by options that take precedence over the configuration of the repository
//! (git-config(1), gitattributes(5)). What is left of the environment says where the repository is.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::process::{Child, Command, Stdio};

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
        let is_named = env::var_os("GIT_DIR").is_some();
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
        let differences = git.run(directory, &arguments_of_diff(&commit), |out| read_diff(out))?;
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

/// What differs, by the names of files relative to the root.
#[derive(Debug, Default, PartialEq, Eq)]
struct Differences {
    /// The lines that were added or changed, by their numbers and the name in the working tree.
    added: HashMap<Vec<u8>, Lines>,
    /// The lines that were removed or changed, by their numbers and the name in the revision.
    removed: HashMap<Vec<u8>, Lines>,
    /// The files that are not where they were, by their names in the revision: their names in the
    /// working tree, if they were renamed.
    moved: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
}

/// Ranges of lines, from top to bottom.
type Lines = Vec<Range<u64>>;

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
fn arguments_of_diff(commit: &str) -> Vec<&str> {
    [&DIFF[..], &[commit, "--"]].concat()
}

/// Reads what differs. Lines of a hunk are counted, because one of them may look like the head of a
/// file.
fn read_diff(out: &mut impl BufRead) -> io::Result<Differences> {
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
        } else if let Some(Hunk { removed, added }) = hunk(text) {
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
/// names; returns the name before, and that after, which a deleted file does not have.
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

/// The lines of a hunk: those of the file before, and those of the file after.
struct Hunk {
    removed: Range<u64>,
    added: Range<u64>,
}

/// Parses `@@ -7,2 +8 @@`.
fn hunk(line: &[u8]) -> Option<Hunk> {
    let mut words = line.strip_prefix(b"@@ ")?.split(|&octet| octet == b' ');
    let mut lines = |sign: &[u8]| {
        let word = str::from_utf8(words.next()?.strip_prefix(sign)?).ok()?;
        let (start, count) = word.split_once(',').unwrap_or((word, "1"));
        let (start, count): (u64, u64) = (start.parse().ok()?, count.parse().ok()?);
        Some(start..start.checked_add(count)?)
    };
    Some(Hunk { removed: lines(b"-")?, added: lines(b"+")? })
}

/// What git is told before the command, whatever the repository says. An empty value names no program.
const SETTINGS: [&str; 18] = [
    "core.quotePath=false",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.untrackedCache=false",
    "core.pager=cat",
    "core.askPass=",
    "core.sshCommand=false",
    "core.gitProxy=",
    "credential.helper=",
    "diff.relative=false",
    "diff.ignoreSubmodules=all",
    "submodule.recurse=false",
    "protocol.allow=never",
    "maintenance.auto=false",
    "gc.auto=0",
    // Files of the checkout may look like a repository.
    "safe.bareRepository=explicit",
    "advice.detachedHead=false",
];

/// The variables that say where the repository and the user's own configuration are, and which versions of git are
/// run. All others whose names begin with "GIT_" are removed.
const KEPT: [&str; 15] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_EXEC_PATH",
    "GIT_DEFAULT_HASH",
    "GIT_REPLACE_REF_BASE",
];

/// The variables that are set: nothing is fetched, nobody is asked, nothing is written.
const SET: [(&str, &str); 7] = [
    ("GIT_ALLOW_PROTOCOL", ""),
    ("GIT_PROTOCOL_FROM_USER", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_ATTR_NOSYSTEM", "1"),
];

/// Runs git for a repository, none of whose programs is started.
#[derive(Debug, Default)]
struct Git {
    /// The options that turn off the filters of the repository.
    filters: Vec<OsString>,
}

impl Git {
    /// Asks which filters the repository in a directory has.
    fn of(directory: &Path) -> Result<Self, String> {
        let names = ["config", "-z", "--name-only", "--get-regexp", "^filter\\."];
        // The status is 1 if there is none, and that of another error is found by the next command.
        let names = Self::default()
            .run(directory, &names, |out| out.split(0).collect::<io::Result<Vec<_>>>())
            .unwrap_or_default();
        Ok(Self { filters: without_filters(&names)? })
    }

    /// Runs git in a directory, and reads what it prints.
    fn run<T>(
        &self,
        directory: &Path,
        arguments: &[impl AsRef<OsStr>],
        read: impl FnOnce(&mut BufReader<&mut dyn Read>) -> io::Result<T>,
    ) -> Result<T, String> {
        let mut git = Command::new("git");
        git.arg("--no-pager").args(SETTINGS.iter().flat_map(|setting| ["-c", *setting]));
        git.args(&self.filters).args(arguments);
        for (name, _) in env::vars_os() {
            let is_of_git = name.to_string_lossy().to_ascii_uppercase().starts_with("GIT_");
            if is_of_git && !KEPT.iter().any(|kept| name == *kept) {
                git.env_remove(name);
            }
        }
        read_output(git.envs(SET).current_dir(directory), read)
    }
}

/// Returns the options that turn filters off, by the names of their settings: `filter.lfs.clean`.
fn without_filters(names: &[Vec<u8>]) -> Result<Vec<OsString>, String> {
    let mut options = Vec::new();
    for name in names {
        let name = str::from_utf8(name).ok().filter(|name| !name.contains('='));
        let name = name.ok_or("the repository has a filter whose name cannot be written in an option")?;
        let Some((filter, key)) = name.rsplit_once('.') else { continue };
        match key {
            "clean" | "smudge" | "process" => options.extend(["-c".into(), format!("{name}=").into()]),
            "required" => options.extend(["-c".into(), format!("{filter}.required=false").into()]),
            _ => {}
        }
    }
    Ok(options)
}

fn read_output<T>(
    git: &mut Command,
    read: impl FnOnce(&mut BufReader<&mut dyn Read>) -> io::Result<T>,
) -> Result<T, String> {
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

/// Reads an output of one line.
fn one_line(out: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    out.read_to_end(&mut line)?;
    Ok(line.trim_ascii_end().to_vec())
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
        let found = read_diff(&mut &diff[..]).expect("it is all there");
        let added: [(&[u8], Lines); 3] =
            [(b"x", vec![1..3, 19..22]), ("é\t".as_bytes(), vec![1..2, 5..6]), (b"c d", vec![1..2, 4..5])];
        let removed: [(&[u8], Lines); 3] = [
            (b"x", vec![1..2, 7..9]),
            (b"z", std::iter::once(1..2).collect()),
            ("é".as_bytes(), vec![1..2, 5..6]),
        ];
        let named = |(file, lines): (&[u8], Lines)| (file.to_vec(), lines);
        assert_eq!(found.added, added.map(named).into());
        assert_eq!(found.removed, removed.map(named).into());
    }

    #[test]
    fn a_rename_has_two_names() {
        let diff = b":100644 000000 9daeafb 0000000 D\ta b\n:100644 100644 9daeafb 0000000 R097\tc\t\"d\\ne\"\n\
            :100644 100644 9daeafb 0000000 M\tsame\n:000000 100644 0000000 0000000 A\tnew\n\n--- a/x\n+++ b/x\n\
            @@ -1 +0,0 @@\n-a\n";
        let found = read_diff(&mut &diff[..]).expect("it is all there");
        let expected: [(&[u8], Option<&[u8]>); 2] = [(b"a b", None), (b"c", Some(b"d\ne"))];
        let named = |(before, after): (&[u8], Option<&[u8]>)| (before.to_vec(), after.map(<[u8]>::to_vec));
        assert_eq!(found.moved, expected.map(named).into());
        assert_eq!(found.removed.len(), 1);
    }

    #[test]
    fn lines_outside_of_the_hunks_are_old() {
        assert!(Since::default().tracked_name(b"no/such/file").is_none());
        let place = |line| Place { file: Some(b"x".to_vec()), line, column: Some(1) };
        let added = [(b"x".to_vec(), vec![1..3, 19..22])].into();
        let mut since = Since {
            differences: Differences { added, ..Differences::default() },
            last: (b"x".to_vec(), Some(b"x".to_vec())),
            ..Since::default()
        };
        let new: Vec<_> = (0..25).filter(|&line| !since.is_old(&place(line))).collect();
        assert_eq!(new, [1, 2, 19, 20, 21]);
        assert!(!since.is_old(&Place { file: None, line: 5, column: Some(1) }), "it is in no file");
    }

    /// A repository in a temporary directory.
    struct Repository(tempfile::TempDir);

    impl Repository {
        /// A repository without commits, on the branch "main".
        fn new() -> Self {
            let new = Self(tempfile::tempdir().expect("there is a place for temporary files"));
            new.git(&["init", "-q", "-b", "main"]);
            // The name and the address of an author.
            new.git(&["config", "user.name", "a"]);
            new.git(&["config", "user.email", "a@host.example"]);
            new
        }

        fn git(&self, arguments: &[&str]) {
            let mut git = Command::new("git");
            git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
            let status = git.args(arguments).current_dir(&self.0).stdout(Stdio::null()).status();
            assert!(status.expect("git is installed").success(), "{arguments:?}");
        }

        fn write(&self, name: &str, text: &str) {
            let path = self.0.path().join(name);
            fs::create_dir_all(path.parent().expect("it is in a directory"))
                .expect("a directory can be made");
            fs::write(path, text).expect("a file can be written");
        }

        fn commit(&self) {
            self.git(&["add", "-A"]);
            self.git(&["commit", "-q", "-m", "x"]);
        }

        fn path(&self, name: &str) -> Vec<u8> {
            self.0.path().join(name).into_os_string().into_encoded_bytes()
        }

        fn since(&self, revision: &str) -> Result<Since, String> {
            let directory = self.0.path();
            Since::read(directory, revision, |git, commit| merge_base(git, directory, commit))
        }
    }

    /// A repository in which a branch has removed, renamed and changed files, and so has "main" later.
    fn branched() -> Repository {
        let repository = Repository::new();
        for name in ["gone.md", "moved.md", "old/a.md", "old/b c.md", "same.md", "later.md"] {
            repository.write(name, &format!("# {name}\n\none\n\n## Two\n\nthree\n"));
        }
        repository.commit();
        repository.git(&["checkout", "-q", "-b", "branch"]);
        fs::remove_file(repository.0.path().join("gone.md")).expect("it is there");
        repository.git(&["mv", "moved.md", "to é.md"]);
        repository.git(&["rm", "-q", "-r", "old"]);
        repository.commit();
        repository.git(&["checkout", "-q", "main"]);
        repository.write("later.md", "on main only\n");
        repository.commit();
        repository.git(&["checkout", "-q", "branch"]);
        // In the working tree alone.
        repository.write("same.md", "# same.md\n\none\n\n## Second\n\nthree\n");
        repository
    }

    #[test]
    fn what_a_branch_has_removed_is_known() {
        let repository = branched();
        let since = repository.since("main").expect("both are known");
        let removed = |name| since.removed(&repository.path(name));
        let root = fs::canonicalize(repository.0.path()).expect("it is there");
        let now = Some(root.join("to é.md"));
        assert_eq!(removed("gone.md"), Some(Removed::File { now: None }));
        assert_eq!(removed("moved.md"), Some(Removed::File { now }));
        assert_eq!(removed("same.md"), Some(Removed::Lines(std::slice::from_ref(&(5..6)))));
        for there_no_more in ["old/a.md", "old/b c.md", "old", "old/", "x/../old/./a.md"] {
            assert_eq!(removed(there_no_more), Some(Removed::File { now: None }), "{there_no_more}");
        }
        for other in ["later.md", "to é.md", "never.md", "old/never.md", ".", "../gone.md"] {
            assert_eq!(removed(other), None, "{other}");
        }
        // With the commit itself, what "main" has changed would be different, too.
        let place = Place { file: Some(repository.path("later.md")), line: 1, column: None };
        assert!({ since }.is_old(&place));
    }

    #[test]
    fn neither_the_directory_nor_the_configuration_matters() {
        let repository = branched();
        repository.write("sub/x.md", "x\n");
        for (name, value) in
            [("diff.relative", "true"), ("core.quotePath", "true"), ("diff.noprefix", "true")]
        {
            repository.git(&["config", name, value]);
        }
        let below = repository.0.path().join("sub");
        let since = Since::read(&below, "main", |git, commit| merge_base(git, &below, commit))
            .expect("both are known");
        for name in ["gone.md", "moved.md", "same.md", "old/b c.md"] {
            assert!(since.removed(&repository.path(name)).is_some(), "{name}");
        }
        assert!(since.content(&repository.path("gone.md")).is_ok());
    }

    #[test]
    fn a_renamed_file_is_known_by_its_new_name() {
        let repository = branched();
        let since = repository.since("main").expect("both are known");
        let was_renamed = |name| since.was_renamed(&repository.path(name));
        assert!(was_renamed("to é.md"));
        assert!(!was_renamed("same.md") && !was_renamed("moved.md") && !was_renamed("never.md"));
    }

    #[test]
    fn the_file_as_it_was_can_be_read() {
        let repository = branched();
        let since = repository.since("main").expect("both are known");
        let content = |name| since.content(&repository.path(name)).map(|text| text.starts_with(b"# "));
        for name in ["gone.md", "moved.md", "old/b c.md", "same.md"] {
            assert_eq!(content(name), Ok(true), "{name}");
        }
        assert!(content("never.md").is_err() && content("old").is_err() && content("../x").is_err());
    }

    #[test]
    fn without_a_common_commit_there_is_an_error() {
        let repository = branched();
        repository.git(&["checkout", "-q", "--orphan", "other"]);
        repository.commit();
        let error = |revision| repository.since(revision).err().unwrap_or_default();
        assert!(error("main").starts_with("it has no commit in common with HEAD"), "{}", error("main"));
        assert!(error("no-such").starts_with("git does not know this revision"), "{}", error("no-such"));
        assert!(error("--all").starts_with("expected a revision"), "{}", error("--all"));
        assert!(error("main..branch").starts_with("git does not know"), "{}", error("main..branch"));
    }
}
