//! What a mirror is set to: where it saves, how deep it goes, which names it takes. As in wget, a pattern of names
//! without "*", "?" and "[" is the end of a name.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use locator::Edition;
use locator::edition::RFC3986;

/// How many directories a mirror descends if nothing else is set: a link of a server may lead back up.
const MOST_LEVELS: u32 = 100;

/// The settings of a mirror.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// The folder to save to, if the URL does not name it.
    pub(super) folder: Option<PathBuf>,
    pub(super) levels: u32,
    pub(super) patterns: Patterns,
    /// Whether existing files are replaced.
    pub(super) replaces: bool,
    /// Whether existing files are replaced if the server's are newer.
    pub(super) newer: bool,
    /// Whether files are only reported.
    pub(super) lists_only: bool,
    pub(super) at_once: usize,
    pub(super) edition: &'static Edition,
    /// The files that were saved.
    pub(super) names: Arc<FileNames>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            folder: None,
            levels: MOST_LEVELS,
            patterns: Patterns::default(),
            replaces: false,
            newer: false,
            lists_only: false,
            at_once: 1,
            edition: &RFC3986,
            names: Arc::default(),
        }
    }
}

/// Names of files, each of which is saved once. A hash of 128 bits is kept of each: its keys are random, so that
/// nobody can construct two names with the same one.
#[derive(Debug, Default)]
pub(super) struct FileNames {
    keys: [RandomState; 2],
    hashes: Mutex<HashSet<[u64; 2]>>,
}

impl FileNames {
    /// Returns whether a name is new.
    pub(super) fn is_new(&self, name: &Path) -> bool {
        let hash = self.hash(name);
        self.hashes.lock().unwrap_or_else(PoisonError::into_inner).insert(hash)
    }

    /// Forgets the name of a file that was not saved.
    pub(super) fn forget(&self, name: &Path) {
        let hash = self.hash(name);
        self.hashes.lock().unwrap_or_else(PoisonError::into_inner).remove(&hash);
    }

    fn hash(&self, name: &Path) -> [u64; 2] {
        self.keys.each_ref().map(|key| key.hash_one(name.as_os_str()))
    }
}

/// Which names are wanted.
#[derive(Clone, Debug, Default)]
pub(super) struct Patterns {
    accepted: Vec<Pattern>,
    rejected: Vec<Pattern>,
}

#[derive(Clone, Debug)]
enum Pattern {
    End(Vec<u8>),
    Glob(Vec<u8>),
}

impl Patterns {
    /// Adds patterns, which commas divide, of names that are wanted.
    pub(super) fn accept(&mut self, patterns: &str) {
        self.accepted.extend(read_patterns(patterns));
    }

    /// Adds patterns of names that are not wanted.
    pub(super) fn reject(&mut self, patterns: &str) {
        self.rejected.extend(read_patterns(patterns));
    }

    /// Returns whether a file of this name is wanted.
    pub(super) fn allow(&self, name: &[u8]) -> bool {
        let is_one_of = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.fits(name));
        (self.accepted.is_empty() || is_one_of(&self.accepted)) && !is_one_of(&self.rejected)
    }
}

fn read_patterns(patterns: &str) -> impl Iterator<Item = Pattern> {
    patterns.split(',').filter(|pattern| !pattern.is_empty()).map(Pattern::new)
}

impl Pattern {
    fn new(pattern: &str) -> Self {
        let octets = pattern.as_bytes().to_vec();
        if pattern.contains(['*', '?', '[']) { Self::Glob(octets) } else { Self::End(octets) }
    }

    fn fits(&self, name: &[u8]) -> bool {
        match self {
            Self::End(end) => name.ends_with(end),
            Self::Glob(pattern) => matches_pattern(pattern, name),
        }
    }
}

/// Returns whether a name fits a pattern. After a mismatch the last "*" takes one more octet, so the time is
/// at most that of comparing the pattern at each octet of the name.
fn matches_pattern(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut read) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(&octet) = name.get(read) {
        match (pattern.get(at), matched_length(pattern.get(at..).unwrap_or_default(), octet)) {
            (Some(b'*'), _) => {
                star = Some((at + 1, read));
                at += 1;
            }
            (_, Some(length)) => (at, read) = (at + length, read + 1),
            (_, None) => match star {
                Some((after, taken)) => {
                    star = Some((after, taken + 1));
                    (at, read) = (after, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|&octet| octet == b'*')
}

/// Returns the length of the beginning of a pattern that is for one octet, if it fits this one: "?", a set
/// such as `[a-z]` or `[!0-9]`, or the octet itself.
fn matched_length(pattern: &[u8], octet: u8) -> Option<usize> {
    match pattern.first()? {
        b'?' => Some(1),
        b'[' => {
            // "]" at the beginning of a set is one of its octets.
            let is_inverted = matches!(pattern.get(1), Some(b'!' | b'^'));
            let start = if is_inverted { 2 } else { 1 };
            let rest = pattern.get(start + 1..)?;
            let Some(end) = rest.iter().position(|&octet| octet == b']').map(|end| start + 1 + end) else {
                return (octet == b'[').then_some(1);
            };
            let (set, mut at, mut is_in) = (pattern.get(start..end)?, 0, false);
            while let Some(&first) = set.get(at) {
                match (set.get(at + 1), set.get(at + 2)) {
                    (Some(b'-'), Some(&last)) => {
                        is_in |= (first..=last).contains(&octet);
                        at += 3;
                    }
                    _ => {
                        is_in |= first == octet;
                        at += 1;
                    }
                }
            }
            (is_in != is_inverted).then_some(end + 1)
        }
        &own => (own == octet).then_some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        for (pattern, name, expected) in [
            ("*.iso", "a.iso", true),
            ("*.iso", "a.iso.txt", false),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "aXbYcd", false),
            ("**", "", true),
            ("?", "", false),
            ("?.txt", "a.txt", true),
            ("[a-c]*", "b.txt", true),
            ("[!a-c]*", "b.txt", false),
            ("[]x]", "]", true),
            ("[a", "[a", true),
            ("*[0-9].log", "x9.log", true),
            ("*a", "aaaaaaaaaaaaaaaaaaaaaaaab", false),
        ] {
            assert_eq!(matches_pattern(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn lists() {
        let patterns = |accept: &[&str], reject: &[&str]| {
            let mut patterns = Patterns::default();
            accept.iter().for_each(|list| patterns.accept(list));
            reject.iter().for_each(|list| patterns.reject(list));
            patterns
        };
        assert!(patterns(&[], &[]).allow(b"x"));
        let both = patterns(&["txt,*.iso", ".gz"], &["old*"]);
        assert!(both.allow(b"a.txt") && both.allow(b"a.iso") && both.allow(b"a.tar.gz"));
        assert!(!both.allow(b"a.doc") && !both.allow(b"old.iso"));
    }

    #[test]
    fn a_name_is_new_once() {
        let names = FileNames::default();
        let file = Path::new("a/b");
        assert!(names.is_new(file) && !names.is_new(file));
        names.forget(file);
        assert!(names.is_new(file));
    }
}
