//! Reads the documents: threads walk the directories as for `find`, and find the links of each file, and of each file
//! in an archive (`-z`). Then the pages of servers are fetched that the user names.
//!
//! Of a directory only documents are read. Source code and data have URLs, too, but these are examples, identifiers and
//! configuration, which no reader follows.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::mem;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use ignore::DirEntry;
use locator_find::{Archive, Document, Finder, Format};
use locator_links::anchors::Anchors;
use locator_links::mend::KeepReason;
use locator_links::{Checker, Crawl, DocumentName, FetchedPage, Files, Network, ReadPage, Robots, Site};
use tokio::runtime::Runtime;

use super::arguments::{Inputs, LinksArgs, SiteOptions};
use super::mend::Original;
use crate::exit::{CliError, say, say_error, wrong};
use crate::input::Origin;
use crate::output::progress::Progress;
use crate::output::rewrite::Stamp;
use crate::run::interrupt::Turn;
use crate::terminal::{secrets, visible};
use crate::verbs::find::{
    self, FileArgs, FileSelection, FileVisitor, Octets, Opened, Source, Types, WalkEntry,
};

/// The documents in the order of their names.
pub(super) struct Documents {
    pub(super) pages: Vec<(ReadPage, Result<Original, KeepReason>)>,
    /// Whether something could not be read, which is reported.
    pub(super) has_failed: bool,
    /// How many documents the configuration of lychee leaves out.
    pub(super) left_out: u64,
}

/// Reads all documents.
pub(super) fn read_all(
    asked: &LinksArgs,
    site: &Site,
    finder: &Finder,
    inputs: &Inputs,
) -> Result<Documents, CliError> {
    let is_silent = asked.answer.no_messages || asked.answer.quiet;
    drop(Turn::begin(Origin::File));
    let reading = Reading {
        asked,
        site,
        finder,
        types: Types::new(&asked.places)?,
        own: asked.own_files().filter_map(|file| fs::canonicalize(file).ok()).collect(),
        progress: Progress::begin(!is_silent, None),
        pages: Mutex::default(),
        has_failed: AtomicBool::new(false),
        left_out: AtomicU64::new(0),
    };
    find::walk(&asked.places, &inputs.paths, || Reader { reading: &reading, head: Vec::new() })?;
    let Reading { progress, pages, has_failed, left_out, .. } = reading;
    progress.end();
    let mut pages = pages.into_inner().unwrap_or_else(PoisonError::into_inner);
    pages.sort_by(|(one, _), (other, _)| one.cmp(other));
    let pages = pages.into_iter().map(|(_, page)| page).collect();
    Ok(Documents { pages, has_failed: has_failed.into_inner(), left_out: left_out.into_inner() })
}

/// Reads a page that was fetched.
fn read_page(page: FetchedPage, site: &Site, finder: &Finder) -> Result<ReadPage, CliError> {
    let document = Document::new(page.format).within(page.bases);
    let name = secrets::redacted(&page.url).to_string();
    let named = DocumentName { name, path: None, is_own: is_sitemap(page.format, &page.octets) };
    Ok(site.read(finder, &document, named, &mut io::Cursor::new(page.octets))?)
}

/// Returns whether a document is a sitemap: the user who names it names its URLs.
fn is_sitemap(format: Format, head: &[u8]) -> bool {
    let has = |tag: &[u8]| memchr::memmem::find(&head[..head.len().min(4096)], tag).is_some();
    format == Format::Xml && (has(b"<urlset") || has(b"<sitemapindex"))
}

/// A document, and what is needed to write it.
type ReadFile = (ReadPage, Result<Original, KeepReason>);

/// What all threads share.
struct Reading<'a> {
    asked: &'a LinksArgs,
    site: &'a Site,
    finder: &'a Finder,
    types: Types,
    /// The files of this program: the baseline.
    own: Vec<PathBuf>,
    progress: Progress,
    pages: Mutex<Vec<(PathBuf, ReadFile)>>,
    has_failed: AtomicBool,
    left_out: AtomicU64,
}

/// One thread.
struct Reader<'r, 'a> {
    reading: &'r Reading<'a>,
    /// The first octets of a file.
    head: Vec<u8>,
}

impl FileVisitor for Reader<'_, '_> {
    fn visit(&mut self, step: WalkEntry) -> ControlFlow<()> {
        match step {
            Err(error) => self.reading.report(&find::reason(&error)),
            Ok(entry) if !is_file(&entry) || self.reading.is_own_file(&entry) => {}
            Ok(entry) if entry.depth() > 0 && !self.reading.asked.lychee.wants_file(entry.path()) => {
                self.reading.leave_out(entry.path());
            }
            Ok(entry) => {
                if let Err(error) = self.read(&entry) {
                    self.reading.report(&unreadable(&entry, &error));
                }
            }
        }
        if Turn::is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Reader<'_, '_> {
    fn read(&mut self, entry: &DirEntry) -> io::Result<()> {
        let reading = self.reading;
        let is_silent = reading.asked.answer.no_messages || reading.asked.answer.quiet;
        let choice = FileSelection { places: &reading.asked.places, types: &reading.types, is_silent };
        let mut head = mem::take(&mut self.head);
        let read = match find::open(entry, choice, &mut head)? {
            Some(Opened::Source(source)) if !reading.reads(entry, source.format) => Ok(None),
            Some(Opened::Source(source)) => {
                let is_own =
                    entry.depth() == 0 && !entry.is_stdin() && is_sitemap_at(entry.path(), source.format);
                reading.read(entry, source, is_own).map(Some)
            }
            Some(Opened::Archive(archive)) => {
                reading.read_members(entry, archive, choice);
                Ok(None)
            }
            None => Ok(None),
        };
        self.head = head;
        if let Some(page) = read? {
            reading.add(entry.path().to_owned(), page);
        }
        Ok(())
    }
}

impl Reading<'_> {
    /// Returns whether a file is read: what the user named by its path or its type is, of others documents.
    fn reads(&self, entry: &DirEntry, format: Format) -> bool {
        let places = &self.asked.places;
        let is_chosen = entry.depth() == 0 || places.format.is_some() || !places.types.is_empty();
        is_chosen || is_document(entry.path(), format)
    }

    /// Adds a document. Documents are sorted by `path`.
    fn add(&self, path: PathBuf, page: ReadFile) {
        let counts = self.progress.counts();
        Progress::add(&counts.files, 1);
        Progress::add(&counts.links, page.0.page.len());
        Turn::take().count();
        self.pages.lock().unwrap_or_else(PoisonError::into_inner).push((path, page));
    }

    /// Reads the documents in an archive.
    fn read_members(&self, entry: &DirEntry, mut archive: Archive<File>, choice: FileSelection<'_>) {
        let (name, directory) = (Self::name(entry), archive_directory(&absolute(entry.path())));
        self.site.files.add_archive(&directory, archive.names());
        each_member(&mut archive, &name, &|what| self.report(what), &mut |member, octets| {
            let mut head = Vec::new();
            match choice.stream(Path::new(member), false, octets, &mut head)? {
                Some(source) if self.reads_member(member, source.format) => {
                    let page = self.read_member((&name, &directory), member, source)?;
                    self.add(archive_directory(entry.path()).join(member), page);
                    Ok(())
                }
                _ => Ok(()),
            }
        });
    }

    /// Counts a file that the configuration of lychee leaves out, if it would be read by its name.
    fn leave_out(&self, path: &Path) {
        let places = &self.asked.places;
        let format = places.format.or_else(|| self.types.format_of_path(path));
        let is_wanted = self.types.wants(path, format).unwrap_or(format.is_some());
        let is_chosen = places.format.is_some() || !places.types.is_empty();
        let is_document = || format.is_some_and(|format| is_document(path, format));
        if is_wanted && (is_chosen || is_document()) {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns whether a file in an archive is read.
    fn reads_member(&self, name: &str, format: Format) -> bool {
        let FileArgs { format: given, types, .. } = &self.asked.places;
        let is_chosen = given.is_some() || !types.is_empty();
        let name = Path::new(name);
        let is_wanted = self.asked.lychee.wants_file(name);
        if !is_wanted {
            self.leave_out(name);
        }
        (is_chosen || is_document(name, format)) && is_wanted
    }

    fn read_member(
        &self,
        (archive, directory): (&str, &Path),
        member: &str,
        source: Source<'_>,
    ) -> io::Result<ReadFile> {
        let path = Files::in_archive(directory, member);
        // Relationships of a package to what is outside of it are relative to the package (ECMA-376, part 2).
        let has_base = !member.ends_with(".rels");
        let url = match self.asked.base_url().filter(|_| self.asked.links.root_dir.is_none()) {
            Some(base) => path.as_deref().and_then(|path| published(base, directory, path)),
            None => path.as_deref().and_then(find::file_url),
        };
        let document = self.document(source.format, url.filter(|_| has_base));
        let named =
            DocumentName { name: format!("{archive}!/{member}"), path: path.as_deref(), is_own: false };
        let (Octets::Stream(from), octets) = (source.octets, &self.progress.counts().octets) else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        let mut from = Counted { from, octets };
        Ok((self.site.read_stream(self.finder, &document, named, &mut from)?, Err(KeepReason::Packed)))
    }

    fn document(&self, format: Format, url: Option<String>) -> Document {
        let mut document = Document::new(format);
        if let Some(separator) = self.asked.places.separator {
            document = document.separated_by(separator);
        }
        match url {
            Some(url) => document.retrieved_by(&url),
            None => document,
        }
    }

    fn read(&self, entry: &DirEntry, source: Source<'_>, is_own: bool) -> io::Result<ReadFile> {
        let path = (!entry.is_stdin()).then(|| absolute(entry.path()));
        let url = match self.asked.base_url() {
            Some(base) => self.published(base, entry),
            None => path.as_deref().and_then(find::file_url),
        };
        let document = self.document(source.format, url);
        let named = DocumentName { name: Self::name(entry), path: path.as_deref(), is_own };
        let octets = &self.progress.counts().octets;
        match source.octets {
            Octets::File(from) => {
                let stamp = Stamp::of(&from.metadata()?);
                let read = self.site.read(self.finder, &document, named, &mut Counted { from, octets })?;
                Ok((read, Ok(Original { path: entry.path().to_owned(), stamp, document })))
            }
            Octets::Stream(from) => {
                let kept = if entry.is_stdin() { KeepReason::NoFile } else { KeepReason::Packed };
                let mut from = Counted { from, octets };
                Ok((self.site.read_stream(self.finder, &document, named, &mut from)?, Err(kept)))
            }
        }
    }

    /// Returns where a file is published.
    fn published(&self, base: &str, entry: &DirEntry) -> Option<String> {
        let root = match &self.asked.links.root_dir {
            Some(root) => absolute(root),
            None => absolute(entry.path().ancestors().nth(entry.depth())?),
        };
        published(base, &root, &absolute(entry.path()))
    }

    /// Returns the name of a document, as it is printed.
    fn name(entry: &DirEntry) -> String {
        if entry.is_stdin() {
            return "<stdin>".to_owned();
        }
        let path = entry.path();
        path.strip_prefix("./").unwrap_or(path).to_string_lossy().into_owned()
    }

    /// Returns whether a file is of this program: links in a report of links are no links.
    fn is_own_file(&self, entry: &DirEntry) -> bool {
        let has_name = |own: &&PathBuf| own.file_name() == entry.path().file_name();
        let is_same = |own: &PathBuf| fs::canonicalize(entry.path()).is_ok_and(|path| path == *own);
        self.own.iter().filter(has_name).any(is_same)
    }

    fn report(&self, what: &str) {
        self.has_failed.store(true, Ordering::Relaxed);
        say_error(what);
    }
}

fn is_sitemap_at(path: &Path, format: Format) -> bool {
    let mut head = Vec::new();
    let mut read = || File::open(path).and_then(|file| file.take(4096).read_to_end(&mut head));
    format == Format::Xml && read().is_ok() && is_sitemap(format, &head)
}

/// Returns the URL of a file in a directory that is published at `base`.
fn published(base: &str, root: &Path, path: &Path) -> Option<String> {
    let inside = path.strip_prefix(root).ok()?;
    let url = find::file_url(&Path::new("/").join(inside))?;
    let (base, path) = (&base[..=base.rfind('/')?], url.strip_prefix("file:///")?);
    Some(format!("{base}{path}"))
}

/// Returns a path from the root, without "." and "..".
fn absolute(path: &Path) -> PathBuf {
    let octets = path.as_os_str().as_encoded_bytes();
    crate::input::paths::absolute(octets).unwrap_or_else(|| path.to_owned())
}

/// Returns whether an entry is read: what was named is, unless it is a directory; of what is met, files are.
fn is_file(entry: &DirEntry) -> bool {
    match entry.depth() {
        0 => entry.is_stdin() || !entry.path().is_dir(),
        _ => entry.file_type().is_some_and(|of| of.is_file()),
    }
}

fn unreadable(entry: &DirEntry, error: &io::Error) -> String {
    match entry.is_stdin() {
        true => format!("standard input cannot be read: {error}"),
        false => {
            let name = visible(&entry.path().to_string_lossy()).to_string();
            format!("\"{name}\" cannot be read: {}", visible(&error.to_string()))
        }
    }
}

/// A reader that counts bytes.
struct Counted<'c, R> {
    from: R,
    octets: &'c AtomicU64,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.from.read(buffer)?;
        Progress::add(self.octets, length as u64);
        Ok(length)
    }
}

impl<R: Seek> Seek for Counted<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.from.seek(to)
    }
}

/// The endings of plain text that people write for readers.
const TEXTS: [&str; 9] = ["txt", "text", "rst", "adoc", "asciidoc", "org", "textile", "rdoc", "wiki"];

/// The names of such texts without an ending.
const NAMES: [&str; 12] = [
    "readme",
    "changelog",
    "changes",
    "news",
    "contributing",
    "authors",
    "install",
    "license",
    "copying",
    "notice",
    "todo",
    "faq",
];

/// Returns whether a file of this format is a document.
fn is_document(path: &Path, format: Format) -> bool {
    match format {
        Format::Text => is_text(path),
        Format::Json | Format::Yaml | Format::Toml | Format::Csv | Format::Tsv | Format::Ldif => false,
        _ => true,
    }
}

fn is_text(path: &Path) -> bool {
    let is_in =
        |names: &[&str], name: &std::ffi::OsStr| names.iter().any(|one| name.eq_ignore_ascii_case(one));
    match path.extension() {
        Some(ending) => is_in(&TEXTS, ending),
        None => path.file_name().is_some_and(|name| is_in(&NAMES, name)),
    }
}

/// How many bytes show that a member is packed.
const FIRST: u64 = 8;

/// Reads a member, which has this name in its archive.
type ReadMember<'a> = dyn FnMut(&str, Box<dyn Read + '_>) -> io::Result<()> + 'a;

/// Returns the name of the directory in which the files of an archive seem to be: that of `find`.
fn archive_directory(archive: &Path) -> PathBuf {
    let mut name = OsString::from(archive);
    name.push("!");
    name.into()
}

/// Reads the members of an archive one after the other. `name` is that of the archive for messages.
fn each_member(archive: &mut Archive<File>, name: &str, report: &dyn Fn(&str), read: &mut ReadMember<'_>) {
    let named = |member: &str| visible(&format!("{name}!/{member}")).to_string();
    for member in archive.repeated_names() {
        let why = "the archive has several files of this name, and only the last is checked";
        report(&format!("\"{}\" is not checked: {why}", named(member)));
    }
    for index in 0..archive.len() {
        if Turn::is_over() {
            return;
        }
        let mut shown = visible(name).to_string();
        let done = archive.member(index).and_then(|member| {
            let Some(mut member) = member else { return Ok(()) };
            let inner = member.name().to_owned();
            shown = named(&inner);
            let mut first = Vec::new();
            member.by_ref().take(FIRST).read_to_end(&mut first)?;
            // An archive in an archive is no document.
            if find::packed(&first).is_some() {
                return Ok(());
            }
            read(&inner, Box::new(io::Cursor::new(first).chain(member)))
        });
        if let Err(error) = done {
            report(&format!("\"{shown}\" cannot be read: {}", visible(&error.to_string())));
        }
    }
}

/// The pages that were fetched, and the sites that are read.
#[derive(Default)]
pub(super) struct FetchedPages {
    crawl: Crawl,
    pages: Vec<(String, Anchors)>,
}

impl FetchedPages {
    /// Fetches the pages that the user names, and adds them to the documents.
    pub(super) fn new(
        asked: &LinksArgs,
        inputs: &Inputs,
        site: &Site,
        finder: &Finder,
        runtime: &Runtime,
        network: &Network,
        documents: &mut Documents,
    ) -> Result<Self, CliError> {
        let sites = &asked.sites;
        if sites.recursive && inputs.urls.is_empty() {
            return Err(wrong("-r needs the URL of a site; of a directory everything is checked without it"));
        }
        if let Some(url) = inputs.urls.first().filter(|_| asked.links.offline) {
            let url = secrets::redacted(url).to_string();
            return Err(wrong(&format!("--offline asks no server, so {url} cannot be checked")));
        }
        let mut fetched = Self { crawl: Crawl::new(sites.limits()), pages: Vec::new() };
        for url in &inputs.urls {
            let page = match runtime.block_on(network.page(url)) {
                Ok(page) => page,
                Err(error) => {
                    documents.has_failed = true;
                    say_error(&format!("{error:#}"));
                    continue;
                }
            };
            if sites.recursive {
                let robots = fetched.robots(&page.url, sites, runtime, network, documents);
                fetched.crawl.add(&page.url, robots);
            }
            let from = page.url.clone();
            let read = read_page(page, site, finder)?;
            fetched.pages.push((from, read.anchors.clone()));
            documents.pages.push((read, Err(KeepReason::NoFile)));
        }
        Ok(fetched)
    }

    /// Returns what the site of a page allows.
    fn robots(
        &self,
        url: &str,
        sites: &SiteOptions,
        runtime: &Runtime,
        network: &Network,
        documents: &mut Documents,
    ) -> Robots {
        if sites.ignore_robots || self.crawl.has(url) {
            return Robots::allow_all();
        }
        runtime.block_on(network.robots(url)).unwrap_or_else(|error| {
            documents.has_failed = true;
            let url = secrets::redacted(url).to_string();
            say_error(&format!("{error:#}"));
            say(&format!("without its robots.txt no other page of the site of {url} is fetched; --ignore-robots fetches them"));
            Robots::allow_none()
        })
    }

    /// Tells a checker what is known.
    pub(super) fn told<'c, 's>(self, mut checker: Checker<'c, 's>) -> Checker<'c, 's> {
        for (url, anchors) in self.pages {
            checker.add_fetched(&url, anchors);
        }
        checker.with_crawl(self.crawl)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_readers_read() {
        for (name, format, expected) in [
            ("a/notes.TXT", Format::Text, true),
            ("README", Format::Text, true),
            ("guide.rst", Format::Text, true),
            ("page", Format::Html, true),
            ("a.svg", Format::Xml, true),
            ("main.rs", Format::Text, false),
            ("Makefile", Format::Text, false),
            ("data.json", Format::Json, false),
        ] {
            assert_eq!(is_document(Path::new(name), format), expected, "{name}");
        }
    }
}
