//! Files of this machine that links lead to: whether they exist, which files pages are made from, and which pages
//! are shown for directories. [`Files`] looks at each path once.
//!
//! Files in archives are files of a directory with the name of the archive and "!": `/x/site.zip!/docs/a.html`. Nothing
//! is unpacked: what exists is known by the list of the archive.
//!
//! ```
//! use std::path::Path;
//!
//! use locator_links::{FileKind, Files};
//!
//! let files = Files::default();
//! let id = files.find(Path::new("Cargo.toml"));
//! assert_eq!(files.kind(id), FileKind::File);
//! assert_eq!(files.kind(files.find(Path::new("no-such-file"))), FileKind::Missing);
//! ```

pub(crate) mod builds;

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fs, io};

use self::builds::Builds;
use crate::outcome::{Code, Verdict};
use crate::suggestion::nearest;

/// The number of a file in [`Files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub(crate) u32);

impl FileId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A file.
    File,
    /// A directory, and the page that is shown for it.
    Directory(Option<FileId>),
    /// A device or a pipe, which is not read.
    Other,
    /// Nothing.
    Missing,
    /// Something that cannot be looked at.
    Unreadable(io::ErrorKind),
}

/// The files that links lead to. Each is looked at once.
#[derive(Debug, Default)]
pub struct Files {
    table: Mutex<FileTable>,
    archives: Mutex<Archives>,
    builds: Builds,
}

#[derive(Debug, Default)]
struct FileTable {
    /// The numbers of paths, as octets: the components of a path need not be compared.
    ids: HashMap<Arc<Octets>, FileId>,
    entries: Vec<Entry>,
}

type Octets = std::ffi::OsStr;

#[derive(Clone, Debug)]
struct Entry {
    path: Arc<Octets>,
    kind: FileKind,
}

impl Files {
    /// Returns the number of a file, which is looked at if it is new.
    pub fn find(&self, path: &Path) -> FileId {
        let octets = path.as_os_str();
        if let Some(&id) = self.table().ids.get(octets) {
            return id;
        }
        let kind = self.kind_at(path);
        let mut table = self.table();
        if let Some(&id) = table.ids.get(octets) {
            return id;
        }
        let (id, path) = (FileId(table.entries.len() as u32), Arc::from(octets));
        table.ids.insert(Arc::clone(&path), id);
        table.entries.push(Entry { path, kind });
        id
    }

    /// Returns what is at the path.
    #[must_use]
    pub fn kind(&self, id: FileId) -> FileKind {
        self.table().entries.get(id.index()).map_or(FileKind::Missing, |entry| entry.kind)
    }

    /// Returns the path.
    #[must_use]
    pub fn path(&self, id: FileId) -> PathBuf {
        let table = self.table();
        table.entries.get(id.index()).map(|entry| PathBuf::from(&*entry.path)).unwrap_or_default()
    }

    /// Returns how many files there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table().entries.len()
    }

    /// Returns whether there is no file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the members of an archive as files of a directory, which is named after it: `/x/site.zip!`.
    pub fn add_archive<N: AsRef<str>>(&self, directory: &Path, names: impl IntoIterator<Item = N>) {
        self.archives().add(directory, names);
    }

    /// Returns the path of a member in the directory of its archive; `None` if its name leads out of it.
    #[must_use]
    pub fn in_archive(directory: &Path, name: &str) -> Option<PathBuf> {
        path_inside(name).map(|inside| directory.join(inside))
    }

    /// Returns the directory of the archive that a path leads into.
    #[must_use]
    pub fn archive_of(&self, path: &Path) -> Option<PathBuf> {
        self.archives().directory_of(path).map(Path::to_owned)
    }

    /// Returns what is known of a link of a document to a path in an archive where nothing is.
    pub(crate) fn missing_in_archive(&self, path: &Path, document: Option<&Path>) -> Option<Verdict> {
        self.archives().missing(path, document)
    }

    /// Returns what is known of a link of a document to a path where nothing is. `repository` is the root of the working
    /// tree that the document is in.
    pub(crate) fn missing(&self, path: &Path, document: Option<&Path>, repository: Option<&Path>) -> Verdict {
        if repository.is_some_and(|root| !path.starts_with(root)) {
            return Verdict::new(Code::Outside);
        }
        if let Some(source) = source_of(path, Path::is_file) {
            let name = source.file_name().unwrap_or_default().to_string_lossy();
            return Verdict::new(Code::Generated).because(format!("made from {name}?"));
        }
        let is_there = |path: PathBuf| path.exists() || source_of(&path, Path::is_file).is_some();
        if document.and_then(|document| seen_from_page(path, document)).is_some_and(is_there) {
            let why = "it exists if the page of the document is a directory";
            return Verdict::new(Code::Generated).because(why);
        }
        if document.and_then(|document| seen_from_index(path, document)).is_some_and(is_there) {
            let why = "it exists if the page of the document has no \"/\" at its end";
            return Verdict::new(Code::Generated).because(why);
        }
        if let Some(index) = document.and_then(|document| directory_of(path, document)) {
            let why = format!("{index} is there, whose page a site may have at this path");
            return Verdict::new(Code::Generated).because(why);
        }
        let why = repository.and_then(|root| {
            let beside = || document.and_then(|document| in_public_directory(path, document, root));
            self.builds.reason(path, root).or_else(|| original_of(path, root)).or_else(beside)
        });
        match why {
            Some(why) => Verdict::new(Code::Generated).because(why),
            None => Verdict::new(Code::NoSuchFile),
        }
    }

    fn kind_at(&self, path: &Path) -> FileKind {
        let there = self.archives().entry_at(path);
        match there {
            Some(ArchiveEntry::File) => return FileKind::File,
            Some(ArchiveEntry::Directory(index)) => {
                return FileKind::Directory(index.map(|index| self.find(&index)));
            }
            Some(ArchiveEntry::Nothing) => return FileKind::Missing,
            None => {}
        }
        match fs::metadata(path) {
            Ok(of) if of.is_dir() => {
                let index = INDEXES.iter().map(|name| path.join(name)).find(|index| index.is_file());
                FileKind::Directory(index.map(|index| self.find(&index)))
            }
            Ok(of) if of.is_file() => FileKind::File,
            Ok(_) => FileKind::Other,
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => FileKind::Missing,
                // A name that no file can have.
                io::ErrorKind::InvalidFilename | io::ErrorKind::InvalidInput => FileKind::Missing,
                kind => FileKind::Unreadable(kind),
            },
        }
    }

    fn archives(&self) -> MutexGuard<'_, Archives> {
        self.archives.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn table(&self) -> MutexGuard<'_, FileTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the root of the working tree of git that a directory is in.
#[must_use]
pub(crate) fn repository_of(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().find(|around| around.join(".git").exists()).map(Path::to_owned)
}

/// Returns the directory that the user named and that is the root of a repository without `.git`, as in an archive of its
/// files.
#[must_use]
pub(crate) fn exported_repository(path: &Path, named: &[PathBuf]) -> Option<PathBuf> {
    const MARKS: [&str; 4] = [".gitignore", ".gitattributes", ".github", ".gitlab-ci.yml"];
    let is_root = |root: &&PathBuf| MARKS.iter().any(|mark| root.join(mark).exists());
    named.iter().filter(|root| path.starts_with(root)).find(is_root).cloned()
}

/// The pages that are shown for a directory, by servers and by forges.
pub(crate) const INDEXES: [&str; 4] = ["index.html", "index.htm", "README.md", "index.md"];

/// The endings of what pages are made from.
const SOURCES: [&str; 8] = ["md", "markdown", "mdx", "rst", "adoc", "html", "ipynb", "org"];

/// Returns the file that a generator makes a page from: of `a.html`, `a` and `a/index.html` it is `a.md`.
fn source_of(path: &Path, is_file: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    // Style sheets and scripts are made from other languages.
    let made: &[&str] = match path.extension().and_then(|end| end.to_str()) {
        Some("css") => &["scss", "sass", "less", "styl"],
        Some("js" | "mjs") => &["ts", "tsx", "jsx", "coffee", "mts"],
        _ => &[],
    };
    if let Some(source) = made.iter().map(|end| path.with_extension(end)).find(|source| is_file(source)) {
        return Some(source);
    }
    let ending = path.extension().and_then(|end| end.to_str());
    let is_html = matches!(ending, Some("html" | "htm"));
    if !is_html && path.extension().is_some() && !ending.is_some_and(is_version) {
        return None;
    }
    let is_index = path.file_stem().is_some_and(|stem| stem == "index");
    let stem = if is_html { path.with_extension("") } else { path.to_owned() };
    let around = path.parent().filter(|_| is_index);
    let readme = around.map(|around| around.join("README"));
    let stems = [Some(stem), around.map(Path::to_owned), readme];
    stems.into_iter().flatten().find_map(|stem| {
        SOURCES.iter().map(|end| with_ending(&stem, end)).find(|source| source != path && is_file(source))
    })
}

/// Returns whether what is after the last "." of a name is a part of a version, not of a kind of file: `20` of
/// `go1.20`, `x` of `v2.x`, `0-rc1`.
fn is_version(ending: &str) -> bool {
    ending == "x" || ending.starts_with(|first: char| first.is_ascii_digit())
}

fn with_ending(stem: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(stem);
    name.push(".");
    name.push(end);
    name.into()
}

/// Returns what a path of a link in a Markdown document means if a generator publishes its page as a directory: a
/// link of `a/b.md` is relative to `a/b/` then, as Jekyll and others leave it.
fn seen_from_page(path: &Path, document: &Path) -> Option<PathBuf> {
    let is_markdown =
        document.extension().is_some_and(|end| end == "md" || end == "mdx" || end == "markdown");
    let is_index = document.file_stem().is_some_and(|stem| stem == "index" || stem == "README");
    let around = document.parent().filter(|_| is_markdown && !is_index)?;
    // What they have in common is where the link goes up to: one name less from the page.
    let common = around.ancestors().find(|above| path.starts_with(above))?;
    let rest = path.strip_prefix(common).ok()?;
    let page = document.with_extension("");
    let next = page.strip_prefix(common).ok()?.iter().next()?;
    Some(common.join(next).join(rest))
}

/// Returns what a path of a link in `a/index.mdx` means if its page is `/a`: a link is relative to what is around `a/` then.
/// Documents of MDX are read by programs, never as files.
fn seen_from_index(path: &Path, document: &Path) -> Option<PathBuf> {
    let is_component = document.extension().is_some_and(|end| end == "mdx");
    let is_index = document.file_stem().is_some_and(|stem| stem == "index");
    let around = document.parent().filter(|_| is_component && is_index)?;
    let common = around.ancestors().find(|above| path.starts_with(above))?;
    Some(common.parent()?.join(path.strip_prefix(common).ok()?))
}

/// Returns the name of the document of a directory that is there where a document is asked for: `a/README.md` for `a.md`. Many
/// programs have the pages of both at the same URL; where the root of a repository is shown, no program makes it.
fn directory_of(path: &Path, document: &Path) -> Option<String> {
    let is_document = path.extension().is_some_and(|end| end == "md" || end == "mdx");
    let is_of_repository = document.parent().is_none_or(|around| around.join(".git").exists());
    let directory = path.with_extension("");
    let indexes = ["README.md", "index.md", "index.mdx", "README.mdx"];
    let found = indexes.into_iter().filter(|_| is_document && !is_of_repository);
    let index = found.map(|name| directory.join(name)).find(|index| index.is_file())?;
    let name = directory.file_name()?.to_string_lossy();
    Some(format!("{name}/{}", index.file_name()?.to_string_lossy()))
}

/// Returns why a file of a translation may be there: the original is, which sites show in its place.
fn original_of(path: &Path, root: &Path) -> Option<String> {
    const ORIGINALS: [&str; 3] = ["en", "en-us", "en-US"];
    let inside = path.strip_prefix(root).ok()?;
    let names: Vec<_> = inside.iter().collect();
    let replaced = |number: usize, original: &str| {
        let mut there = root.to_owned();
        there.extend(names.iter().take(number));
        there.push(original);
        there.extend(names.iter().skip(number + 1));
        there
    };
    let languages = names.iter().enumerate().filter(|(_, name)| name.to_str().is_some_and(is_language));
    let mut all = languages.flat_map(|(number, _)| ORIGINALS.map(|original| (number, original)));
    let (_, original) = all.find(|(number, original)| replaced(*number, original).exists())?;
    Some(format!("{original} has it, and translations may show the original"))
}

/// Returns whether a name is one of a language: `de`, `pt-BR`, `zh_hant`.
fn is_language(name: &str) -> bool {
    let (language, region) = name.split_once(['-', '_']).unwrap_or((name, ""));
    let is_lower = language.bytes().all(|octet| octet.is_ascii_lowercase());
    let is_region = region.bytes().all(|octet| octet.is_ascii_alphanumeric());
    is_lower && is_region && matches!(language.len(), 2 | 3) && region.len() <= 4
}

/// The directories whose files sites serve from their roots.
const PUBLIC: [&str; 3] = ["public", "static", "docs/public"];

/// Returns why a file may be there as it is seen from the page of a document: it is in a directory that a site serves from
/// its root.
fn in_public_directory(path: &Path, document: &Path, root: &Path) -> Option<String> {
    let around = document.parent()?;
    let common = around.ancestors().find(|above| path.starts_with(above))?;
    let rest =
        path.strip_prefix(common).ok().filter(|rest| rest.extension().is_some_and(|end| end != "md"))?;
    let above = around.ancestors().take_while(|above| above.starts_with(root));
    let mut all = above.flat_map(|above| PUBLIC.map(|name| (name, above.join(name).join(rest))));
    let (name, _) = all.find(|(_, there)| there.is_file())?;
    Some(format!("\"{name}\" has it, which a site may serve from its root"))
}

/// The archives of a run, by their directories.
#[derive(Debug, Default)]
struct Archives {
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
enum ArchiveEntry {
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
            members.names.extend(path_inside(name).and_then(|path| Some(key(&path)? + end)));
        }
    }

    /// Returns the directory of the archive that a path leads into.
    pub(crate) fn directory_of(&self, path: &Path) -> Option<&Path> {
        self.archive_at(path).map(|(directory, _)| directory)
    }

    /// Returns what is at a path; `None` if it is not in an archive.
    pub(crate) fn entry_at(&self, path: &Path) -> Option<ArchiveEntry> {
        let (directory, members) = self.archive_at(path)?;
        let inside = path.strip_prefix(directory).ok()?;
        let Some(name) = key(inside) else { return Some(ArchiveEntry::Nothing) };
        if members.names.contains(&name) {
            return Some(ArchiveEntry::File);
        }
        if !name.is_empty() && members.below(&name).next().is_none() {
            return Some(ArchiveEntry::Nothing);
        }
        let index = INDEXES.iter().map(|name| inside.join(name)).find(|index| members.has_file(index));
        Some(ArchiveEntry::Directory(index.map(|index| directory.join(index))))
    }

    /// Returns what is known of a link of a document to a path where nothing is, with the name that was probably meant;
    /// `None` if the path is not in an archive.
    pub(crate) fn missing(&mut self, path: &Path, document: Option<&Path>) -> Option<Verdict> {
        let (directory, members) = self.archive_at(path)?;
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
        let found = members.nearest_file(inside, MOST_COMPARED.saturating_sub(self.compared));
        self.compared += found.compared;
        Some(Verdict { suggestion: found.name, ..Verdict::new(Code::NoSuchFile) })
    }

    fn archive_at(&self, path: &Path) -> Option<(&Path, &Members)> {
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

    /// Returns the name in the same directory that was probably meant; compares at most so many.
    fn nearest_file(&self, path: &Path, most: usize) -> NearestName {
        let wanted = path.file_name().and_then(|name| name.to_str());
        let Some((wanted, around)) = wanted.zip(path.parent().and_then(key)) else {
            return NearestName::default();
        };
        let mut names: Vec<&str> = Vec::new();
        let below = self.below(&around).take(most.min(MOST_NAMES));
        names.extend(below.map(|name| name.split('/').next().unwrap_or(name)));
        let compared = names.len();
        names.dedup();
        NearestName { name: nearest(wanted, names).map(str::to_owned), compared }
    }
}

/// The name that was probably meant, if one is near.
#[derive(Default)]
struct NearestName {
    name: Option<String>,
    /// How many names were compared.
    compared: usize,
}

/// Returns the path of a member in its archive; `None` if it may lead out of it.
fn path_inside(name: &str) -> Option<PathBuf> {
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
        let at = |path: &str| archives.entry_at(Path::new(path));
        let directory = |index: Option<&str>| Some(ArchiveEntry::Directory(index.map(PathBuf::from)));
        assert_eq!(at("/x/s.zip!/docs/a.html"), Some(ArchiveEntry::File));
        assert_eq!(at("/x/s.zip!/docs"), directory(None));
        assert_eq!(at("/x/s.zip!/docs/b"), directory(Some("/x/s.zip!/docs/b/index.md")));
        assert_eq!(at("/x/s.zip!"), directory(Some("/x/s.zip!/index.html")));
        assert_eq!(at("/x/s.zip!/empty"), directory(None));
        for nothing in ["/x/s.zip!/out", "/x/s.zip!/abs", "/x/s.zip!/docs/a.html/x"] {
            assert_eq!(at(nothing), Some(ArchiveEntry::Nothing), "{nothing}");
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
