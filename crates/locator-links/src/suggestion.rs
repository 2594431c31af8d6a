//! What was meant by the name of a file, a heading or an id that does not exist: of the names that exist, the nearest;
//! or another spelling of the path. The suggestion is a reference, written as the old one was.
//!
//! ```text
//! assert_eq!(nearest("instal.md", ["install.md", "index.md"]), Some("install.md"));
//! ```

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use locator::{AsciiSet, PctString, edit_distance};

use crate::anchors::decoded_fragment;

/// The names in directories, each of which is read once.
#[derive(Debug, Default)]
pub(crate) struct Directories {
    names: HashMap<PathBuf, Rc<DirectoryNames>>,
    /// How many names were compared.
    compared: usize,
}

/// The names in a directory.
#[derive(Debug)]
struct DirectoryNames {
    names: Vec<String>,
    /// Whether there is no other name: all are in Unicode, and there are not too many.
    are_all: bool,
}

/// A name in a path, and the one that exists in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameReplacement {
    /// How many names are after it in the path.
    pub(crate) after: usize,
    /// The name that does not exist.
    pub(crate) old: String,
    /// The only one that can be meant.
    pub(crate) new: String,
}

/// A path in which names are replaced so that it leads to a file.
pub(crate) struct Respelling {
    pub(crate) names: Vec<NameReplacement>,
    pub(crate) file: PathBuf,
}

/// What variants of a document are for: languages of programs.
const VARIANTS: [&str; 25] = [
    "js",
    "javascript",
    "ts",
    "typescript",
    "node",
    "nodejs",
    "py",
    "python",
    "java",
    "kotlin",
    "scala",
    "csharp",
    "cs",
    "dotnet",
    "net",
    "fsharp",
    "vb",
    "cpp",
    "go",
    "golang",
    "ruby",
    "php",
    "rust",
    "swift",
    "dart",
];

/// A directory of a million files is not searched to its end.
const MOST_NAMES: usize = 10_000;

/// How many names are compared in a run. A site in which everything is missing has other faults than misspellings.
const MOST_COMPARED: usize = 50_000_000;

impl Directories {
    /// Returns the name in the same directory that was probably meant.
    pub(crate) fn nearest_file(&mut self, path: &Path) -> Option<String> {
        let wanted = path.file_name()?.to_str()?;
        let names = self.names_in(path.parent()?)?;
        nearest(wanted, names.names.iter().map(String::as_str)).map(str::to_owned)
    }

    /// Returns whether a directory has a README.
    pub(crate) fn has_readme(&mut self, directory: &Path) -> bool {
        let is_readme = |name: &String| name.to_lowercase().split('.').next() == Some("readme");
        self.names_in(directory).is_some_and(|names| names.names.iter().any(is_readme))
    }

    /// Returns a file in whose place a build puts one with this name: `a-python.md` and `a-java.md` are variants of `a.md`.
    pub(crate) fn variant(&mut self, path: &Path) -> Option<String> {
        let name = path.file_name()?.to_str()?;
        // A page by its name without an ending, too.
        const ENDINGS: [&str; 4] = ["md", "mdx", "rst", "adoc"];
        let (stem, own) = name.rsplit_once('.').unwrap_or((name, ""));
        let names = self.names_in(path.parent()?)?;
        let is_variant = |name: &&String| {
            let (rest, ending) =
                name.strip_prefix(stem).and_then(|rest| rest.rsplit_once('.')).unwrap_or_default();
            if !(ending == own || own.is_empty() && ENDINGS.contains(&ending)) {
                return false;
            }
            let mut words = rest.split(['-', '.', '_']);
            words.next() == Some("")
                && words.clone().next().is_some()
                && words.all(|word| VARIANTS.contains(&word))
        };
        names.names.iter().find(is_variant).cloned()
    }

    /// Returns how a path where nothing is must be spelled to lead to the only file that can be meant: names differ
    /// by their case, or one of them by one letter.
    pub(crate) fn respelled(&mut self, path: &Path) -> Option<Respelling> {
        let start = path.ancestors().skip(1).find(|around| around.is_dir())?;
        let missing: Vec<&str> =
            path.strip_prefix(start).ok()?.iter().map(|name| name.to_str()).collect::<Option<_>>()?;
        let (mut at, mut replaced, mut distance) = (start.to_owned(), Vec::new(), 0);
        for (number, &old) in missing.iter().enumerate() {
            if at.join(old).exists() {
                at.push(old);
                continue;
            }
            let names = self.names_in(&at).filter(|names| names.are_all)?;
            let new = only_candidate(old, names.names.iter().map(String::as_str))?;
            distance += usize::from(old.to_lowercase() != new.to_lowercase());
            replaced.push(NameReplacement {
                after: missing.len() - number - 1,
                old: old.to_owned(),
                new: new.to_owned(),
            });
            at.push(new);
        }
        (distance <= 1).then_some(Respelling { names: replaced, file: at })
    }

    /// Returns the names in a directory, which are to be compared with one.
    fn names_in(&mut self, directory: &Path) -> Option<Rc<DirectoryNames>> {
        if self.compared >= MOST_COMPARED {
            return None;
        }
        let names = match self.names.get(directory) {
            Some(names) => Rc::clone(names),
            None => {
                let names = Rc::new(DirectoryNames::read(directory)?);
                self.names.insert(directory.to_owned(), Rc::clone(&names));
                names
            }
        };
        self.compared += names.names.len();
        Some(names)
    }
}

impl DirectoryNames {
    fn read(directory: &Path) -> Option<Self> {
        let mut entries = fs::read_dir(directory).ok()?;
        let mut are_all = true;
        let name = |entry: std::io::Result<fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
        let mut names = Vec::new();
        for entry in entries.by_ref().take(MOST_NAMES) {
            match name(entry) {
                Some(name) => names.push(name),
                None => are_all = false,
            }
        }
        are_all &= entries.next().is_none();
        Some(Self { names, are_all })
    }
}

/// Returns the nearest of these names, if one is near enough: a difference of case, or few letters that are
/// wrong.
#[must_use]
pub(crate) fn nearest<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // The ending of a name is no difference between two files.
    let stem = wanted.rsplit_once('.').map_or(wanted, |(stem, _)| stem);
    let most = match stem.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        6..=11 => 2,
        _ => 3,
    };
    let distance = |name: &str| match name.eq_ignore_ascii_case(wanted) {
        true => Some(0),
        false => edit_distance(name, wanted, most),
    };
    names.into_iter().filter_map(|name| Some((distance(name)?, name))).min().map(|(_, name)| name)
}

/// Returns the only one of these names that can be meant: no other differs from `wanted` by its case alone or
/// by one letter. Numbers are no misspellings of others, and short names none of each other.
#[must_use]
pub(crate) fn only_candidate<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let mut found: Option<&str> = None;
    for name in names.into_iter().filter(|name| may_mean(wanted, name)) {
        if found.is_some_and(|other| other != name) {
            return None;
        }
        found = Some(name);
    }
    found
}

fn may_mean(wanted: &str, name: &str) -> bool {
    if wanted.to_lowercase() == name.to_lowercase() {
        return true;
    }
    if edit_distance(wanted, name, 1) != Some(1) {
        return false;
    }
    let (stem, ending) = split_ending(wanted);
    let (other_stem, other_ending) = split_ending(name);
    let has_same_ending = ending.eq_ignore_ascii_case(other_ending);
    // A letter more makes another ending for the same kind of file: "htm", "jpg", "yml", "doc".
    let is_same_kind = stem == other_stem && ending.len() != other_ending.len() && ending.len() > 2;
    let is_long = stem.chars().count().min(other_stem.chars().count()) > 2;
    is_long && digits_of(wanted) == digits_of(name) && (has_same_ending || is_same_kind)
}

/// Returns a name without its ending, and the ending.
fn split_ending(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or((name, ""))
}

fn digits_of(name: &str) -> String {
    name.chars().filter(char::is_ascii_digit).collect()
}

/// What is not escaped in a suggestion (RFC 3986, 2.3).
const KEPT: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT).union(AsciiSet::of(b"-._~"));

/// Returns a reference with another name of the file.
pub(crate) fn with_name(url: &str, name: &str) -> String {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    let start = url[..end].trim_end_matches('/').rfind('/').map_or(0, |at| at + 1);
    format!("{}{}{}", &url[..start], written_like(&url[start..end], name), &url[end..])
}

/// Returns a name as it is written in a URL where `old` was: characters that `old` has unescaped are not
/// escaped.
pub(crate) fn written_like(old: &str, name: &str) -> String {
    let is_ascii = old.is_ascii();
    let keeps = |character: char| match character {
        '%' | '?' | '#' | '/' | '\\' => false,
        _ if character.is_ascii() => old.contains(character),
        _ => !is_ascii,
    };
    let mut text = String::with_capacity(name.len());
    for character in name.chars() {
        match keeps(character) {
            true => text.push(character),
            false => text.push_str(PctString::encode(character.encode_utf8(&mut [0; 4]), KEPT).as_str()),
        }
    }
    text
}

/// Returns a reference with other names in its path; `None` if it does not have the old ones as they are.
pub(crate) fn with_names(url: &str, names: &[NameReplacement]) -> Option<String> {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    let (path, rest) = url.split_at(end);
    let stem = path.trim_end_matches('/');
    let mut segments: Vec<String> = stem.split('/').map(str::to_owned).collect();
    for NameReplacement { after, old, new } in names {
        let at = segments.len().checked_sub(after + 1)?;
        let is_plain = |segment: &String| !matches!(segment.as_str(), "" | "." | "..");
        if !segments.get(at..)?.iter().all(is_plain) {
            return None;
        }
        let segment = segments.get_mut(at)?;
        if decoded_fragment(segment) != *old {
            return None;
        }
        *segment = written_like(segment, new);
    }
    Some(format!("{}{}{rest}", segments.join("/"), &path[stem.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_only_be_meant() {
        for (wanted, names, expected) in [
            ("instal.md", &["install.md", "index.md"][..], Some("install.md")),
            ("instal.md", &["install.md", "instil.md"], None),
            ("instal.md", &["install.md", "install.md"], Some("install.md")),
            ("readme.md", &["README.md"], Some("README.md")),
            ("readme.md", &["README.md", "Readme.md"], None),
            ("instlal.md", &["install.md"], Some("install.md")),
            ("instaal.md", &["install.md"], Some("install.md")),
            ("inxtaal.md", &["install.md"], None),
            ("v1.md", &["v2.md"], None),
            ("chapter-1.md", &["chapter-2.md"], None),
            ("chapter-1.md", &["chapter-11.md"], None),
            ("b.md", &["a.md"], None),
            ("ab.md", &["abc.md"], None),
            ("main.c", &["main.h"], None),
            ("logo.jpg", &["logo.jpeg"], Some("logo.jpeg")),
            ("guide.htm", &["guide.html"], Some("guide.html")),
            ("guide.md", &["guide.mdx"], None),
            ("guide.ts", &["guide.tsx"], None),
            ("größe.md", &["Größe.md"], Some("Größe.md")),
        ] {
            assert_eq!(only_candidate(wanted, names.iter().copied()), expected, "{wanted}");
        }
    }

    #[test]
    fn what_is_near() {
        for (wanted, names, expected) in [
            ("instal.md", &["install.md", "index.md"][..], Some("install.md")),
            ("readme.md", &["README.md"], Some("README.md")),
            ("ab", &["ac"], None),
            ("b.md", &["a.md"], None),
            ("b.md", &["B.md"], Some("B.md")),
            ("guide.md", &["other.md"], None),
            ("configuration", &["configurations", "config"], Some("configurations")),
        ] {
            assert_eq!(nearest(wanted, names.iter().copied()), expected, "{wanted}");
        }
    }
}
