//! Files in archives, as files of a directory with the name of the archive and "!": `/x/site.zip!/docs/a.html`.
//! Nothing is unpacked: what exists is known by the list of the archive.

use std::collections::{BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};

use super::near::nearest;
use super::sources::{INDEXES, seen_from_page, source_of};
use crate::outcome::{Code, Verdict};

/// The archives of a run, by their directories.
#[derive(Debug, Default)]
pub(crate) struct Archives {
    archives: HashMap<PathBuf, Members>,
    /// How many names were compared for suggestions.
    compared: usize,
}

/// The files in an archive.
#[derive(Debug, Default)]
struct Members {
    /// The names, of directories with "/" at the end.
    names: BTreeSet<String>,
    /// Whether a name is not in UTF-8, so that it may be any name.
    has_other_names: bool,
    /// Whether a name has "\", which some programs write between directories.
    has_backslashes: bool,
}

/// What is at a path in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum There {
    /// A file.
    File,
    /// A directory, and the page that is shown for it.
    Directory(Option<PathBuf>),
    /// Nothing.
    Nothing,
}

/// How many names of a directory, with those below it, are compared with one.
const MOST_NAMES: usize = 10_000;

/// How many names are compared in a run.
const MOST_COMPARED: usize = 50_000_000;

impl Archives {
    /// Adds an archive. A name that leads out of the directory is that of no file.
    pub(crate) fn add<N: AsRef<str>>(&mut self, directory: &Path, names: impl IntoIterator<Item = N>) {
        let members = self.archives.entry(directory.to_owned()).or_default();
        for name in names {
            let name = name.as_ref();
            members.has_other_names |= name.contains(char::REPLACEMENT_CHARACTER);
            members.has_backslashes |= name.contains('\\');
            let end = if name.ends_with('/') { "/" } else { "" };
            members.names.extend(inside(name).and_then(|path| Some(key(&path)? + end)));
        }
    }

    /// Returns the directory of the archive that a path leads into.
    pub(crate) fn directory_of(&self, path: &Path) -> Option<&Path> {
        self.members(path).map(|(directory, _)| directory)
    }

    /// Returns what is at a path; `None` if it is not in an archive.
    pub(crate) fn at(&self, path: &Path) -> Option<There> {
        let (directory, members) = self.members(path)?;
        let inside = path.strip_prefix(directory).ok()?;
        let Some(name) = key(inside) else { return Some(There::Nothing) };
        if members.names.contains(&name) {
            return Some(There::File);
        }
        if !name.is_empty() && members.below(&name).next().is_none() {
            return Some(There::Nothing);
        }
        let index = INDEXES.iter().map(|name| inside.join(name)).find(|index| members.has_file(index));
        Some(There::Directory(index.map(|index| directory.join(index))))
    }

    /// Returns what is known of a link of a document to a path where nothing is, with the name that was probably meant;
    /// `None` if the path is not in an archive.
    pub(crate) fn missing(&mut self, path: &Path, document: Option<&Path>) -> Option<Verdict> {
        let (directory, members) = self.members(path)?;
        let inside = path.strip_prefix(directory).ok()?;
        if members.has_other_names && !inside.to_str().is_some_and(str::is_ascii) {
            let why = "the archive has names that are not in UTF-8";
            return Some(Verdict::new(Code::Unreadable).because(why.to_owned()));
        }
        if members.has_backslashes {
            let why = "the archive has names with \"\\\"";
            return Some(Verdict::new(Code::Unreadable).because(why.to_owned()));
        }
        if let Some(source) = source_of(inside, |path| members.has_file(path)) {
            let name = source.file_name().unwrap_or_default().to_string_lossy();
            return Some(Verdict::new(Code::Generated).because(format!("made from {name}?")));
        }
        let document = document.and_then(|document| document.strip_prefix(directory).ok());
        let seen = document.and_then(|document| seen_from_page(inside, document));
        if seen.is_some_and(|path| members.has(&path)) {
            let why = "it exists if the page of the document is a directory";
            return Some(Verdict::new(Code::Generated).because(why.to_owned()));
        }
        let (suggestion, compared) = members.near(inside, MOST_COMPARED.saturating_sub(self.compared));
        self.compared += compared;
        Some(Verdict { suggestion, ..Verdict::new(Code::NoSuchFile) })
    }

    fn members(&self, path: &Path) -> Option<(&Path, &Members)> {
        if self.archives.is_empty() {
            return None;
        }
        let mut found = path.ancestors().filter_map(|around| self.archives.get_key_value(around));
        found.next().map(|(directory, members)| (&**directory, members))
    }
}

impl Members {
    fn has_file(&self, path: &Path) -> bool {
        key(path).is_some_and(|name| self.names.contains(&name))
    }

    /// Returns whether there is a file or a directory, or a file that a page is made from.
    fn has(&self, path: &Path) -> bool {
        let is_there = |name: String| self.names.contains(&name) || self.below(&name).next().is_some();
        key(path).is_some_and(is_there) || source_of(path, |path| self.has_file(path)).is_some()
    }

    /// Returns the names in a directory and below it, as they follow its own.
    fn below(&self, directory: &str) -> impl Iterator<Item = &str> {
        let start = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let from = self.names.range(start.clone()..);
        from.map_while(move |name| name.strip_prefix(&start))
    }

    /// Returns the name in the same directory that was probably meant, and how many were compared.
    fn near(&self, path: &Path, most: usize) -> (Option<String>, usize) {
        let wanted = path.file_name().and_then(|name| name.to_str());
        let Some((wanted, around)) = wanted.zip(path.parent().and_then(key)) else { return (None, 0) };
        let mut names: Vec<&str> = Vec::new();
        let below = self.below(&around).take(most.min(MOST_NAMES));
        names.extend(below.map(|name| name.split('/').next().unwrap_or(name)));
        let compared = names.len();
        names.dedup();
        (nearest(wanted, names).map(str::to_owned), compared)
    }
}

/// Returns the path of a member in its archive; `None` if it may lead out of it.
pub(crate) fn inside(name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    // "All slashes MUST be forward slashes '/'" (APPNOTE, 4.4.17.1).
    if !path.components().all(is_inside) || cfg!(windows) && name.contains(['\\', ':']) {
        return None;
    }
    let path: PathBuf = path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
    (!path.as_os_str().is_empty()).then_some(path)
}

/// Returns a path in an archive as the archive has it.
fn key(path: &Path) -> Option<String> {
    let names: Option<Vec<&str>> = path.components().map(|part| part.as_os_str().to_str()).collect();
    Some(names?.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archives() -> Archives {
        let mut archives = Archives::default();
        let names =
            ["./docs/a.html", "docs/b/c.md", "index.html", "empty/", "../out", "/abs", "docs/b/index.md"];
        archives.add(Path::new("/x/s.zip!"), names);
        archives
    }

    #[test]
    fn what_is_in_an_archive_is_known() {
        let archives = archives();
        let at = |path: &str| archives.at(Path::new(path));
        let directory = |index: Option<&str>| Some(There::Directory(index.map(PathBuf::from)));
        assert_eq!(at("/x/s.zip!/docs/a.html"), Some(There::File));
        assert_eq!(at("/x/s.zip!/docs"), directory(None));
        assert_eq!(at("/x/s.zip!/docs/b"), directory(Some("/x/s.zip!/docs/b/index.md")));
        assert_eq!(at("/x/s.zip!"), directory(Some("/x/s.zip!/index.html")));
        assert_eq!(at("/x/s.zip!/empty"), directory(None));
        for nothing in ["/x/s.zip!/out", "/x/s.zip!/abs", "/x/s.zip!/docs/a.html/x"] {
            assert_eq!(at(nothing), Some(There::Nothing), "{nothing}");
        }
        for outside in ["/x/s.zip", "/x/s.zip!!", "/x/docs", "/x"] {
            assert_eq!(at(outside), None, "{outside}");
        }
    }

    #[test]
    fn what_is_missing_may_be_misspelled_or_generated() {
        let mut archives = archives();
        let missing = |archives: &mut Archives, path: &str| {
            let document = Path::new("/x/s.zip!/docs/b/c.md");
            let verdict = archives.missing(Path::new(path), Some(document)).unwrap();
            (verdict.code, verdict.suggestion)
        };
        assert_eq!(
            missing(&mut archives, "/x/s.zip!/docs/A.html"),
            (Code::NoSuchFile, Some("a.html".into()))
        );
        assert_eq!(missing(&mut archives, "/x/s.zip!/doc"), (Code::NoSuchFile, Some("docs".into())));
        assert_eq!(missing(&mut archives, "/x/s.zip!/no/such"), (Code::NoSuchFile, None));
        assert_eq!(missing(&mut archives, "/x/s.zip!/docs/b/c.html"), (Code::Generated, None));
        // "../d.md" of the page "c/" is beside it.
        archives.add(Path::new("/x/s.zip!"), ["docs/b/d.md"]);
        assert_eq!(missing(&mut archives, "/x/s.zip!/docs/d.md"), (Code::Generated, None));
        assert_eq!(missing(&mut archives, "/x/s.zip!/\u{e9}"), (Code::NoSuchFile, None));
        archives.add(Path::new("/x/s.zip!"), ["\u{FFFD}.html"]);
        assert_eq!(missing(&mut archives, "/x/s.zip!/\u{e9}"), (Code::Unreadable, None));
        assert_eq!(missing(&mut archives, "/x/s.zip!/no/such"), (Code::NoSuchFile, None));
    }
}
