//! A document and its links: finds its links and anchors by `locator-find`, and where each link leads.
//!
//! [`Site::read`] returns a [`ReadPage`]: the [`Page`] with the links that are still to be judged, or whose verdicts are
//! reported, and the names that fragments may refer to. Links that are certainly good are only counted, so that a
//! million of them need no memory.

pub(crate) mod directives;
mod names;
pub(crate) mod on_site;
pub(crate) mod role;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use locator::{BaseSource, BaseStack, Component, Resolved, UriRef};
use locator_find::{
    Anchor, Context, Document, Finder, Format, Label, Link, Location, PassedOver, ResolveLinkError, Sink,
};

use self::directives::{DirectiveReader, Directives, Ignored};
use self::names::DocumentNames;
use self::on_site::DocumentSite;
pub use self::on_site::SiteTarget;
use self::role::DocumentRole;
use crate::anchors::text::has_directive;
use crate::anchors::{AnchorSet, Anchors};
use crate::browser::{self, BrowserTarget};
use crate::doubt::{LinkCounts, is_page_like};
use crate::files::{FileId, FileKind, exported_repository, repository_of};
use crate::outcome::{Code, Outcome, Verdict};
use crate::reference::{
    LinkContext, impossible, is_module, is_placeholder_word, is_reserved, is_template, path_of, repaired,
    skipped, skipped_scheme, without_final_dot, wrong_address,
};
use crate::site::repository::FileUrl;
use crate::site::{Site, TreeFile, UrlId, UrlUse, inside};
use crate::sites::NO_SITE;
use crate::sites::model::DoubtForm;
use crate::sites::resolve::State;

/// A document whose links were found.
#[derive(Default)]
pub struct Page {
    /// The name of the document, as the user knows it.
    pub name: String,
    /// The document, if it is a file that links may lead to.
    pub file: Option<FileId>,
    /// Where the document redirects to.
    pub refresh: Option<LinkTarget>,
    /// The links that are kept, in the order of the document.
    pub links: Vec<PageLink>,
    /// How many links of each outcome are not kept.
    pub counts: OutcomeCounts,
    /// The links that are kept, one after the other.
    pub(crate) text: String,
    /// The root of the working tree that the document is in.
    pub(crate) repository: Option<PathBuf>,
    /// What the document is.
    pub(crate) role: DocumentRole,
    /// The directory below the root of the working tree that the document is in.
    pub(crate) area: PathBuf,
}

/// Without the texts of the links.
impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, file, refresh, links, counts, text: _, repository, role, area } = self;
        f.debug_struct("Page")
            .field("name", name)
            .field("file", file)
            .field("refresh", refresh)
            .field("links", links)
            .field("counts", counts)
            .field("repository", repository)
            .field("role", role)
            .field("area", area)
            .finish_non_exhaustive()
    }
}

/// A link in a document.
#[derive(Debug)]
pub struct PageLink {
    /// The line, from 1.
    pub line: u32,
    /// The position of the first byte in its line, from 1.
    pub column: u32,
    /// The position of the first byte in the document.
    pub offset: u64,
    /// How many bytes it has there.
    pub length: u32,
    pub(crate) text: Range<u32>,
    /// How it is written, if that is something else; else empty.
    pub(crate) written: Range<u32>,
    /// Where it leads.
    pub target: LinkTarget,
}

/// Where a link leads.
#[derive(Clone, Debug)]
pub enum LinkTarget {
    /// To a file of this machine.
    File(FileId),
    /// To a file of the working tree that the document is in, by its URL at a forge.
    Forge {
        /// The file.
        file: FileId,
        /// Whether the branch of the URL may be another one than that of the tree.
        is_other_branch: bool,
    },
    /// To where the site of the document has it, or to nothing there.
    Site(Box<SiteTarget>),
    /// To a URL that is asked for.
    Url(UrlId),
    /// What is known of it already.
    Known(Box<Verdict>),
}

/// How many links there are of each outcome, and of each code.
///
/// ```
/// use locator_links::{Code, Outcome, OutcomeCounts};
///
/// let mut counts = OutcomeCounts::default();
/// counts.add(Outcome::Ok);
/// counts.add_code(Code::Template);
/// assert_eq!((counts.total(), counts.of(Outcome::Skipped), counts.of_code(Code::Template)), (2, 1, 1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutcomeCounts {
    outcomes: [u64; Outcome::ALL.len()],
    /// By codes; not of links that are good.
    codes: BTreeMap<Code, u64>,
}

impl OutcomeCounts {
    /// Returns the number of links with an outcome.
    #[must_use]
    pub const fn of(&self, outcome: Outcome) -> u64 {
        self.outcomes[outcome as usize]
    }

    /// Returns the number of links with this code; of [`Code::Ok`] it is not known.
    #[must_use]
    pub fn of_code(&self, code: Code) -> u64 {
        self.codes.get(&code).copied().unwrap_or(0)
    }

    /// Returns the codes of an outcome with their numbers, those of the most links first.
    #[must_use]
    pub fn codes(&self, outcome: Outcome) -> Vec<(Code, u64)> {
        let own = self.codes.iter().filter(|(code, _)| code.outcome() == outcome);
        let mut own: Vec<_> = own.map(|(code, number)| (*code, *number)).collect();
        own.sort_by_key(|(code, number)| (std::cmp::Reverse(*number), *code));
        own
    }

    /// Adds a link, whose code is not counted.
    pub const fn add(&mut self, outcome: Outcome) {
        self.outcomes[outcome as usize] += 1;
    }

    /// Adds a link with this code.
    pub fn add_code(&mut self, code: Code) {
        self.add(code.outcome());
        if code != Code::Ok {
            *self.codes.entry(code).or_default() += 1;
        }
    }

    /// Adds the links of another document.
    pub fn add_all(&mut self, other: &Self) {
        self.outcomes.iter_mut().zip(&other.outcomes).for_each(|(own, other)| *own += other);
        for (code, number) in &other.codes {
            *self.codes.entry(*code).or_default() += number;
        }
    }

    /// Returns the number of all links.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.outcomes.iter().sum()
    }
}

impl Page {
    /// Returns the reference of a link, decoded.
    #[must_use]
    pub fn url(&self, link: &PageLink) -> &str {
        let Range { start, end } = link.text;
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Returns how a link is written in the document, with the escapes of its format: `a&amp;b`.
    #[must_use]
    pub fn written(&self, link: &PageLink) -> &str {
        let Range { start, end } = link.written;
        match start == end {
            true => self.url(link),
            false => self.text.get(start as usize..end as usize).unwrap_or_default(),
        }
    }

    /// Returns the verdict of a link, of which less is certain in this document: it is data of tests, or a part of others.
    pub fn doubted(&self, link: &PageLink, verdict: Verdict) -> Verdict {
        self.role.doubted(verdict, self.url(link))
    }

    /// Returns whether a link with this verdict is written in a form that is not understood here. Where paths are not
    /// understood, neither are the ids of headings.
    pub(crate) fn is_not_understood(&self, link: &PageLink, code: Code, paths: &LinkCounts) -> bool {
        let stem = || self.url(link).split('#').next().unwrap_or_default();
        let is_form = match code {
            Code::NoSuchFile => is_page_like(stem()),
            Code::NoSuchAnchor => true,
            _ => false,
        };
        is_form && paths.is_doubtful(&self.area)
    }

    /// Returns how many links the document has.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.counts.total() + self.links.len() as u64
    }

    /// Returns whether the document has no link.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Returns the fragment of a reference.
#[must_use]
pub fn fragment_of(url: &str) -> Option<&str> {
    url.split_once('#').map(|(_, fragment)| fragment)
}

/// A document that was read.
#[derive(Debug)]
pub struct ReadPage {
    /// The document with its links.
    pub page: Page,
    /// The names that fragments may refer to.
    pub anchors: Anchors,
}

/// A document before it is read.
#[derive(Debug)]
pub struct DocumentName<'a> {
    /// The name for the user.
    pub name: String,
    /// The path, if the document is a file.
    pub path: Option<&'a Path>,
    /// Whether the user named the servers of its links by naming the document: it is a sitemap.
    pub is_own: bool,
}

impl Site {
    /// Reads a document that can be read twice.
    ///
    /// # Errors
    ///
    /// Returns the errors of `source`.
    pub fn read(
        &self,
        finder: &Finder,
        document: &Document,
        named: DocumentName<'_>,
        source: &mut (impl Read + Seek),
    ) -> io::Result<ReadPage> {
        let document = &self.with_ids(document, named.path);
        let start = source.stream_position()?;
        let head = head_of(document, source)?;
        source.seek(SeekFrom::Start(start))?;
        let mut collector = Collector::new(self, document, named, &head);
        let mut source = DirectiveReader::new(source, has_directives(document));
        finder.find_seekable(document, &mut source, &mut collector)?;
        Ok(collector.finish(source.directives))
    }

    /// Reads a document from a stream.
    ///
    /// # Errors
    ///
    /// Returns the errors of `source`.
    pub fn read_stream(
        &self,
        finder: &Finder,
        document: &Document,
        named: DocumentName<'_>,
        source: &mut dyn Read,
    ) -> io::Result<ReadPage> {
        let document = &self.with_ids(document, named.path);
        let head = head_of(document, source)?;
        let mut collector = Collector::new(self, document, named, &head);
        let source = Cursor::new(&head).chain(source);
        let mut source = DirectiveReader::new(source, has_directives(document));
        finder.find(document, &mut source, &mut collector)?;
        Ok(collector.finish(source.directives))
    }
}

/// Returns whether comments of a document can say which links are not checked.
fn has_directives(document: &Document) -> bool {
    document.format() == Format::Html || document.format().is_markdown()
}

/// Returns whether a reference in a component is relative to the pages that have it, which are not known. Only
/// pictures (`./a.png`) and imports are relative to the file of the component.
fn is_relative_to_page(format: Format, reference: &str, context: &LinkContext<'_>) -> bool {
    let is_component = matches!(format, Format::Vue | Format::Svelte | Format::Astro);
    let is_of_file = reference.starts_with('.') && !matches!(context.attribute, "href" | "to");
    let has_scheme = || UriRef::parse(reference).is_ok_and(|reference| reference.has_scheme());
    is_component && !is_of_file && !reference.is_empty() && !reference.starts_with('/') && !has_scheme()
}

/// Reads the beginning of a document, if it shows what the document is.
fn head_of(document: &Document, source: &mut (impl Read + ?Sized)) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    if matches!(document.format(), Format::Html | Format::Xml) {
        source.take(role::HEAD).read_to_end(&mut head)?;
    }
    Ok(head)
}

/// Receives the links of a document.
struct Collector<'s> {
    site: &'s Site,
    page: Page,
    anchors: AnchorSet,
    format: Format,
    is_complete: bool,
    is_own: bool,
    /// The directory of the archive that the document is in.
    archive: Option<PathBuf>,
    /// The directory of the document.
    directory: Option<PathBuf>,
    /// Whether the attributes of this document of XML are known to be links.
    has_known_links: bool,
    /// Whether the base of the document is filled in later: `<base href="%BASE%">`.
    has_template_base: bool,
    /// Whether the document is in a project with a `package.json`, once that is of interest.
    is_in_package: Option<bool>,
    /// Where the references of this document lead, by their hashes.
    known: HashMap<u64, Destination>,
    names: DocumentNames,
    /// Whether the link is a cross-reference, which is no URL.
    is_cross_reference: bool,
    /// The sites of the document.
    on_site: Option<DocumentSite>,
}

/// Where a reference leads, without its fragment.
#[derive(Clone, Debug)]
enum Destination {
    File(FileId),
    Forge { file: FileId, is_other_branch: bool },
    Site(Box<SiteTarget>),
    Url(String),
    Known(Code, Option<Box<str>>),
}

impl<'s> Collector<'s> {
    fn new(site: &'s Site, document: &Document, named: DocumentName<'_>, head: &[u8]) -> Self {
        let format = document.format();
        let role = named.path.map(|path| DocumentRole::of(path, &site.rules.named, format, head));
        let file = named.path.map(|path| site.files.find(path));
        let repository = named.path.and_then(Path::parent).and_then(repository_of);
        let exported = || named.path.and_then(|path| exported_repository(path, &site.rules.named));
        let repository = repository.or_else(exported);
        let is_markdown = format.is_markdown();
        let judges_urls = site.rules.is_offline && site.rules.published.is_none();
        let on_site = named
            .path
            .and_then(|path| Some(DocumentSite::new(site.site_tree(path)?, path, format, judges_urls)));
        let is_copied = |role: &DocumentRole| {
            let is_page = format == Format::Html && *role == DocumentRole::Document;
            is_page
                && named.path.is_some_and(|path| on_site.as_ref().is_some_and(|site| site.is_copied(path)))
        };
        let role = role.map(|role| if is_copied(&role) { DocumentRole::Partial } else { role });
        let role = role.unwrap_or_default();
        let area = area_of(named.path, repository.as_deref());
        let page = Page { name: named.name, file, repository, role, area, ..Page::default() };
        Self {
            site,
            page,
            anchors: AnchorSet::new(is_markdown),
            format,
            is_complete: true,
            is_own: named.is_own,
            archive: named.path.and_then(|path| site.files.archive_of(path)),
            directory: named.path.and_then(Path::parent).map(Path::to_owned),
            has_known_links: format != Format::Xml || role::has_known_links(head),
            has_template_base: false,
            is_in_package: None,
            known: HashMap::new(),
            names: DocumentNames::new(format),
            is_cross_reference: false,
            on_site,
        }
    }

    fn finish(self, mut directives: Directives) -> ReadPage {
        let Self { site, mut page, anchors, format, is_complete, names, .. } = self;
        judge_names(&mut page, &names, site.rules.keeps_all);
        if let Some(code) = directives.code().filter(|_| !site.rules.includes_code) {
            leave_out(&mut page, &code, Code::Verbatim, site.rules.keeps_all);
        }
        if let Some(ignored) = directives.ignored() {
            leave_out(&mut page, &ignored, Code::Ignored, site.rules.keeps_all);
        }
        let is_known = is_complete && (format == Format::Html || format.is_markdown());
        let anchors = anchors.finish(is_known);
        let own = page.file.filter(|_| page.refresh.is_none());
        if !site.rules.keeps_all
            && let Some(own) = own
        {
            drop_good_fragments(&mut page, own, &anchors);
        }
        page.links.shrink_to_fit();
        page.text.shrink_to_fit();
        ReadPage { page, anchors }
    }

    fn take(&mut self, link: &Link<'_>) {
        let url = link.url();
        let context = LinkContext::of(link);
        self.has_template_base |= context.element == "base" && is_template(url);
        let destination = match skipped(&context, url, self.site.rules.includes_code) {
            Some(Code::Template) => self.template(link),
            Some(code) => Destination::Known(code, None),
            None if !self.has_known_links && context.is_plain_attribute(url) => {
                Destination::Known(Code::UnknownVocabulary, None)
            }
            None if self.is_placeholder(url) => Destination::Known(Code::Template, None),
            None => self.on_site(link, &context).unwrap_or_else(|| self.destination(link, &context)),
        };
        let destination = match destination {
            Destination::File(file) if self.is_module(file, &context, url) => {
                Destination::Known(Code::Module, None)
            }
            Destination::File(file) if self.site.files.kind(file) == FileKind::Missing => {
                self.elsewhere(link, file)
            }
            Destination::File(file) => {
                self.count_page_like(link, file);
                Destination::File(file)
            }
            destination => destination,
        };
        self.note_refresh(link, &destination);
        self.settle(link, destination);
    }

    /// Counts a link, or keeps it to be judged.
    fn settle(&mut self, link: &Link<'_>, destination: Destination) {
        let url = link.url();
        let has_fragment = url.contains('#');
        match destination {
            Destination::Known(code, why) => {
                if code.outcome() >= Outcome::Skipped && !self.site.rules.keeps_all {
                    return self.page.counts.add_code(code);
                }
                let verdict = Verdict { reason: why.map(String::from), ..Verdict::new(code) };
                self.keep(link, LinkTarget::Known(Box::new(verdict)));
            }
            Destination::File(file) => {
                let exists =
                    !matches!(self.site.files.kind(file), FileKind::Missing | FileKind::Unreadable(_));
                if exists && !has_fragment && !self.site.rules.keeps_all {
                    return self.page.counts.add(Outcome::Ok);
                }
                self.keep(link, LinkTarget::File(file));
            }
            Destination::Site(target) => self.keep(link, LinkTarget::Site(target)),
            Destination::Forge { file, is_other_branch } => {
                self.keep(link, LinkTarget::Forge { file, is_other_branch });
            }
            Destination::Url(text) => {
                let has_fragment = has_fragment && !url.ends_with('#');
                let (is_own, is_page) = (self.is_own, LinkContext::of(link).is_page(&text));
                let of = UrlUse { has_fragment, has_text: has_directive(url), is_own, is_page };
                let id = self.site.urls.find(&text, of);
                self.keep(link, LinkTarget::Url(id));
            }
        }
    }

    /// Returns whether what a style sheet names is a module of a package, which a bundler finds: no such file exists.
    fn is_module(&mut self, file: FileId, context: &LinkContext<'_>, url: &str) -> bool {
        if !is_module(context, url) || self.site.files.kind(file) != FileKind::Missing {
            return false;
        }
        let root = self.page.repository.as_deref();
        let directory = self.directory.as_deref();
        *self.is_in_package.get_or_insert_with(|| {
            let around = directory.into_iter().flat_map(Path::ancestors);
            let mut inside = around.take_while(|around| root.is_none_or(|root| around.starts_with(root)));
            let is_project = |around: &Path| PROJECTS.iter().any(|name| around.join(name).is_file());
            inside.any(is_project)
        })
    }

    /// Returns where a link leads to a path where nothing is, if the path may be one of another directory: an image of AsciiDoc
    /// (`imagesdir` may be set where the document is converted, or by the document that includes it), or a page by its
    /// name alone, whose source is elsewhere.
    fn elsewhere(&self, link: &Link<'_>, file: FileId) -> Destination {
        let path = link.url().split(['?', '#']).next().unwrap_or_default();
        let is_relative = !path.is_empty() && !path.starts_with('/');
        let why = self.on_site.as_ref().filter(|_| is_relative).and_then(|site| match link.context() {
            Context::Macro("image" | "video" | "audio") if self.format == Format::AsciiDoc => site
                .directory_with(path)
                .map(|directory| format!("\"{directory}\" has it, and imagesdir may be set elsewhere")),
            _ => site.source_elsewhere(path).map(|source| format!("made from {source}?")),
        });
        match why {
            Some(why) if self.is_dead(file) => Destination::Known(Code::Generated, Some(why.into())),
            _ => {
                self.count_page_like(link, file);
                let path = self.site.files.path(file);
                if let Some(around) = path.parent().filter(|_| is_relative)
                    && self.on_site.as_ref().is_some_and(|site| site.beside(&path).is_some())
                {
                    self.site.beside.count(around, &self.page.name, link.url(), false);
                }
                Destination::File(file)
            }
        }
    }

    /// Returns whether a reference is a word for a URL that is put in its place, and no file has that name.
    fn is_placeholder(&self, url: &str) -> bool {
        let is_file = || self.directory.as_ref().is_some_and(|directory| directory.join(url).exists());
        is_placeholder_word(url) && !is_file()
    }

    /// Returns whether nothing makes a file that is missing.
    fn is_dead(&self, file: FileId) -> bool {
        let path = self.site.files.path(file);
        let document = self.page.file.map(|file| self.site.files.path(file));
        let repository = self.page.repository.as_deref();
        self.site.files.missing(&path, document.as_deref(), repository).code == Code::NoSuchFile
    }

    /// Counts a path that names a page, in Markdown.
    fn count_page_like(&self, link: &Link<'_>, file: FileId) {
        let stem = link.url().split('#').next().unwrap_or_default();
        if self.format == Format::Markdown && is_page_like(stem) {
            let exists = self.site.files.kind(file) != FileKind::Missing || !self.is_dead(file);
            self.site.paths.count(&self.page.area, &self.page.name, link.url(), exists);
        }
    }

    fn keep(&mut self, link: &Link<'_>, target: LinkTarget) {
        let start = self.page.text.len() as u32;
        self.page.text.push_str(link.url());
        let end = self.page.text.len() as u32;
        if link.written() != link.url().as_bytes() {
            self.page.text.push_str(&String::from_utf8_lossy(link.written()));
        }
        let Location { span, line, column } = link.place();
        let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        self.page.links.push(PageLink {
            line: narrow(*line),
            column: narrow(*column),
            offset: span.start,
            length: narrow(span.end - span.start),
            text: start..end,
            written: end..self.page.text.len() as u32,
            target,
        });
    }

    /// Notes where a page redirects to: fragments are looked up there.
    fn note_refresh(&mut self, link: &Link<'_>, destination: &Destination) {
        if !link.is_refresh() {
            return;
        }
        self.page.refresh = match destination {
            Destination::File(file) | Destination::Forge { file, .. } => Some(LinkTarget::File(*file)),
            Destination::Url(url) => Some(LinkTarget::Url(
                self.site.urls.find(url, UrlUse { is_own: self.is_own, ..UrlUse::default() }),
            )),
            Destination::Known(..) | Destination::Site(_) => None,
        };
    }

    /// Returns where a link leads on the site of the document; `None` if that has no say in it.
    fn on_site(&mut self, link: &Link<'_>, context: &LinkContext<'_>) -> Option<Destination> {
        let on_site = self.on_site.as_ref()?;
        let target = on_site.target(link).or_else(|| self.of_own_url(on_site, link))?;
        // The user knows the root.
        if self.site.rules.root.is_some() && target.found.site == NO_SITE {
            return None;
        }
        // Another generator has no such form.
        if self.is_cross_reference && target.form() != DoubtForm::Special {
            return None;
        }
        // The user leaves out links by their URLs.
        if self.site.filter.is_some()
            && let excluded @ Destination::Known(Code::Excluded | Code::ExcludedByFile, _) =
                self.destination(link, context)
        {
            return Some(excluded);
        }
        Some(self.of_site(target))
    }

    /// Returns where an absolute URL of a site of the repository leads. That of a placeholder or of a private server is left
    /// to what says so.
    fn of_own_url(&self, on_site: &DocumentSite, link: &Link<'_>) -> Option<SiteTarget> {
        let url = UriRef::parse(link.url()).ok()?;
        let host = url.host()?;
        (!is_reserved(host.as_str()) && FileUrl::of(&url).is_none()).then_some(())?;
        on_site.target_of_url(link)
    }

    /// Returns where a template leads, if the generator of the site evaluates it.
    fn template(&self, link: &Link<'_>) -> Destination {
        let target = self.on_site.as_ref().and_then(|on_site| on_site.target_of_template(link));
        target.map_or(Destination::Known(Code::Template, None), |target| self.of_site(target))
    }

    fn of_site(&self, target: SiteTarget) -> Destination {
        match target.state() {
            State::Source { file, fragment: None }
                if !self.site.rules.explains && !target.is_redirected() =>
            {
                Destination::File(self.site.files.find(&target.tree.path_in(file)))
            }
            _ => Destination::Site(Box::new(target)),
        }
    }

    /// Returns where a link leads. Most links of a document are repeated in it.
    fn destination(&mut self, link: &Link<'_>, context: &LinkContext<'_>) -> Destination {
        let stem = link.url().split('#').next().unwrap_or_default();
        if self.is_cross_reference {
            return self.of_cross_reference(link, stem, context);
        }
        self.names.note_include(link);
        let mut hasher = DefaultHasher::new();
        link.base().map(|base| base.uri().map(|uri| uri.as_str())).hash(&mut hasher);
        (stem, context.is_guess).hash(&mut hasher);
        let key = hasher.finish();
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let destination = self.resolve(link, stem, context);
        self.known.insert(key, destination.clone());
        destination
    }

    /// Returns where a cross-reference leads that no site resolves: to a document of AsciiDoc, or a place in the same one.
    fn of_cross_reference(&self, link: &Link<'_>, stem: &str, context: &LinkContext<'_>) -> Destination {
        match link.context() {
            Context::Macro("xref") if stem.is_empty() => {
                self.page.file.map_or(Destination::Known(Code::NoBase, None), Destination::File)
            }
            // The id of a resource of Antora has one of these.
            Context::Macro("xref") if !stem.contains([':', '$', '@']) => {
                let has_ending = Path::new(stem).extension().is_some();
                let path = if has_ending { stem.to_owned() } else { format!("{stem}.adoc") };
                self.resolve(link, &path, context)
            }
            _ => Destination::Known(Code::CrossReference, None),
        }
    }

    fn resolve(&self, link: &Link<'_>, stem: &str, context: &LinkContext<'_>) -> Destination {
        if self.has_template_base && !UriRef::parse(stem).is_ok_and(|reference| reference.has_scheme()) {
            return Destination::Known(Code::Template, None);
        }
        if self.format == Format::Html
            && let Some(elsewhere) = self.elsewhere_in_browser(link, stem, context)
        {
            return elsewhere;
        }
        if is_relative_to_page(self.format, stem, context) {
            return Destination::Known(Code::NoBase, None);
        }
        let text = match repaired(link, stem) {
            Ok(text) => text,
            Err(error) => {
                let code = if context.is_guess { Code::DoubtfulUrl } else { Code::Invalid };
                return Destination::Known(code, Some(error.into()));
            }
        };
        let is_file = link.base().and_then(|base| base.uri()).is_some_and(is_of_file);
        if is_file && text.starts_with("//") {
            return self.absolute(&format!("https:{text}"), link);
        }
        let from = if is_file { BaseFrom::of(link.bases()) } else { BaseFrom::Document };
        if is_file && text.starts_with('/') && from != BaseFrom::Host {
            return self.rooted(&text);
        }
        let is_absolute = || UriRef::parse(&text).is_ok_and(|reference| reference.has_scheme());
        match link.resolve(&text) {
            Ok(Resolved::Uri(uri)) if from != BaseFrom::Document && !is_absolute() => {
                let authority = uri.span(Component::Authority);
                let rest = authority.and_then(|span| uri.as_str().get(span.start..)).unwrap_or_default();
                match from {
                    BaseFrom::Host => self.absolute(&format!("https://{rest}"), link),
                    // Only the root itself is certain: `/app/` is somewhere on the server.
                    _ if is_at_root(link.bases()) => self.rooted_by_base(rest),
                    _ => self.rooted(rest),
                }
            }
            Ok(Resolved::Uri(uri)) => self.absolute(uri.as_str(), link),
            Ok(Resolved::CurrentDocument { .. }) => match self.page.file {
                Some(file) => Destination::File(file),
                None => Destination::Known(Code::NoBase, None),
            },
            Err(ResolveLinkError::NoBase) => Destination::Known(Code::NoBase, None),
            Err(error) => Destination::Known(Code::DoubtfulUrl, Some(error.to_string().into())),
        }
    }

    /// Returns where a reference of HTML leads in a browser, if that is elsewhere than by RFC 3986.
    fn elsewhere_in_browser(
        &self,
        link: &Link<'_>,
        stem: &str,
        place: &LinkContext<'_>,
    ) -> Option<Destination> {
        if browser::is_plain(stem) {
            return None;
        }
        let base = link.base().and_then(|base| base.uri());
        let target = match browser::resolve(&browser::with_encoded_query(link, stem), base)? {
            Ok(target) => target,
            Err(why) => {
                let code = if place.is_guess { Code::DoubtfulUrl } else { Code::Invalid };
                return Some(Destination::Known(code, Some(why.into())));
            }
        };
        let text = repaired(link, stem).ok();
        let by_rfc = text.as_ref().and_then(|text| link.resolve(text).ok()?.into_uri());
        if by_rfc.is_some_and(|uri| target.is(uri.as_str())) {
            return None;
        }
        Some(match target {
            BrowserTarget::Url(url) => self.absolute(&url, link),
            BrowserTarget::Path(path)
                if browser::is_rooted(stem) || BaseFrom::of(link.bases()) == BaseFrom::Root =>
            {
                self.rooted(&path)
            }
            BrowserTarget::Path(path) => self.absolute(&format!("file://{path}"), link),
        })
    }

    /// Returns where an absolute path leads.
    fn rooted(&self, reference: &str) -> Destination {
        let path = reference.split('?').next().unwrap_or_default();
        if let Some(file) = self.site.in_root(path) {
            return Destination::File(file);
        }
        // A server of the tests has another root, mostly.
        if self.page.role == DocumentRole::TestData {
            return Destination::Known(
                Code::TestData,
                Some("an absolute path of the server of a test".into()),
            );
        }
        // Where files are shown, "/" is the root of the repository.
        let is_shown =
            self.format.is_markdown() || matches!(self.format, Format::Rst | Format::AsciiDoc | Format::Org);
        let shown = self.page.repository.as_deref().filter(|_| is_shown);
        let shown = shown.map(|root| self.site.files.find(&inside(root, path)));
        match shown.filter(|file| self.site.files.kind(*file) != FileKind::Missing) {
            Some(file) => Destination::File(file),
            None => Destination::Known(Code::NoRoot, None),
        }
    }

    /// Returns where a relative path leads in a page with `<base href="/">`: the page is at the root of its server.
    fn rooted_by_base(&self, reference: &str) -> Destination {
        let path = reference.split('?').next().unwrap_or_default();
        match self.rooted(reference) {
            Destination::Known(Code::NoRoot, _) => {}
            known => return known,
        }
        let Some(directory) = &self.directory else { return Destination::Known(Code::NoRoot, None) };
        let file = self.site.files.find(&inside(directory, path));
        match self.site.files.kind(file) {
            FileKind::Missing => {
                let why = "the page is at the root of its server (<base>), and a build may write to it";
                Destination::Known(Code::Generated, Some(why.into()))
            }
            _ => Destination::File(file),
        }
    }

    /// Returns where an absolute URL leads.
    fn absolute(&self, url: &str, link: &Link<'_>) -> Destination {
        let known = |code| Destination::Known(code, None);
        let Ok(parsed) = UriRef::parse(url) else { return known(Code::DoubtfulUrl) };
        let scheme = parsed.scheme().map(|scheme| scheme.lowercase()).unwrap_or_default();
        if let Some(code) = self.site.filter.as_ref().and_then(|excluded| excluded(url)) {
            return known(code);
        }
        if let Some(code) = skipped_scheme(&scheme) {
            return known(code);
        }
        match &*scheme {
            "file" => self.file(parsed, link),
            "mailto" => match wrong_address(parsed) {
                Some(why) => Destination::Known(Code::Invalid, Some(why.into())),
                None => known(Code::Ok),
            },
            "mid" | "cid" if link.part().is_some() => known(Code::Ok),
            "mid" | "cid" => known(Code::NoServer),
            "data" => known(Code::Ok),
            _ => self.remote(url, parsed, link),
        }
    }

    fn remote(&self, url: &str, parsed: UriRef<'_>, link: &Link<'_>) -> Destination {
        if let Some(file) = self.site.published(url) {
            return Destination::File(file);
        }
        if let Some(root) = &self.page.repository
            && let Some(TreeFile { file, is_other_branch }) =
                FileUrl::of(&parsed).and_then(|url| self.site.in_tree(root, &url))
        {
            return Destination::Forge { file, is_other_branch };
        }
        let Some(host) = parsed.host() else { return Destination::Known(Code::NoServer, None) };
        if is_reserved(host.as_str()) {
            return Destination::Known(Code::ReservedName, None);
        }
        if let Some(why) = impossible(parsed) {
            let code = if LinkContext::of(link).is_guess { Code::DoubtfulUrl } else { Code::Invalid };
            return Destination::Known(code, Some(why.into()));
        }
        if self.site.rules.is_offline {
            return Destination::Known(Code::Offline, None);
        }
        Destination::Url(without_final_dot(url, parsed))
    }

    /// Returns the file of a `file` URL. One that the document does not name relatively is only of this
    /// machine.
    fn file(&self, url: UriRef<'_>, link: &Link<'_>) -> Destination {
        let Some(path) = path_of(url) else { return Destination::Known(Code::ThisMachine, None) };
        let is_absolute = link.url().get(..5).is_some_and(|start| start.eq_ignore_ascii_case("file:"));
        if is_absolute && !self.site.rules.is_private && !self.site.is_named(&path) {
            return Destination::Known(Code::ThisMachine, None);
        }
        if self.archive.as_ref().is_some_and(|archive| !is_absolute && !path.starts_with(archive)) {
            return Destination::Known(Code::Outside, Some("the document is in an archive".into()));
        }
        Destination::File(self.site.files.find(&path))
    }
}

impl Sink for Collector<'_> {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        self.take(link);
        ControlFlow::Continue(())
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        self.anchors.add(&anchor.name);
    }

    fn malformed(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        // Templates with spaces: `[text]({{< ref "a.md" >}})`.
        if let destination @ (Destination::File(_) | Destination::Site(_)) = self.template(link) {
            self.settle(link, destination);
        }
        ControlFlow::Continue(())
    }

    fn cross_reference(&mut self, reference: &Link<'_>) -> ControlFlow<()> {
        if reference.context() == Context::Hyperlink && self.names.may_have(reference.url()) {
            self.names.look_up_later(self.page.links.len(), reference);
            self.keep(reference, LinkTarget::Known(Box::new(Verdict::new(Code::Ok))));
        } else {
            self.is_cross_reference = true;
            self.take(reference);
            self.is_cross_reference = false;
        }
        ControlFlow::Continue(())
    }

    fn label(&mut self, label: &Label<'_>) {
        self.names.add(label);
    }

    fn passed_over(&mut self, _: &Location, _: PassedOver) {
        self.is_complete = false;
    }
}

/// Judges the references to names of the document: those with a name are counted, and removed unless all links are kept.
fn judge_names(page: &mut Page, names: &DocumentNames, keeps_all: bool) {
    let judged: Vec<_> = names.judged(&page.name).collect();
    let mut good = HashSet::new();
    for (index, missing) in judged {
        match (page.links.get_mut(index), missing) {
            (Some(link), Some(code)) => link.target = LinkTarget::Known(Box::new(Verdict::new(code))),
            _ => drop(good.insert(index)),
        }
    }
    if keeps_all || good.is_empty() {
        return;
    }
    let mut index = 0;
    page.links.retain(|_| {
        index += 1;
        !good.contains(&(index - 1))
    });
    good.iter().for_each(|_| page.counts.add(Outcome::Ok));
}

/// Leaves out the links that the document says to ignore, for this reason.
fn leave_out(page: &mut Page, ignored: &Ignored, code: Code, keeps_all: bool) {
    let Page { links, counts, .. } = page;
    links.retain_mut(|link| {
        if !ignored.has(link.offset, link.line.into()) {
            return true;
        }
        if keeps_all {
            link.target = LinkTarget::Known(Box::new(Verdict::new(code)));
        } else {
            counts.add_code(code);
        }
        keeps_all
    });
}

/// Counts the links to fragments of the same document that exist, and removes them.
fn drop_good_fragments(page: &mut Page, own: FileId, anchors: &Anchors) {
    let Page { links, text, counts, .. } = page;
    let is_good = |link: &PageLink| {
        let url = text.get(link.text.start as usize..link.text.end as usize).unwrap_or_default();
        let fragment = fragment_of(url).unwrap_or_default();
        matches!(link.target, LinkTarget::File(file) if file == own) && anchors.missing(fragment).is_none()
    };
    links.retain(|link| {
        let is_good = is_good(link);
        if is_good {
            counts.add(Outcome::Ok);
        }
        !is_good
    });
}

/// The files of projects whose style sheets can name modules.
const PROJECTS: [&str; 3] = ["package.json", "deno.json", "deno.jsonc"];

/// Returns the directory directly below the root of a working tree that a document is in; the root itself, if it is
/// there.
fn area_of(path: Option<&Path>, root: Option<&Path>) -> PathBuf {
    let Some((path, root)) = path.zip(root) else { return PathBuf::new() };
    let inside = path.strip_prefix(root).ok().and_then(Path::parent);
    root.join(inside.and_then(|inside| inside.iter().next()).unwrap_or_default())
}

/// What the base of a file is relative to: the file is served from a directory that its URL does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BaseFrom {
    /// The document, or nothing.
    Document,
    /// The root of the site: `<base href="/">`.
    Root,
    /// Another host: `<base href="//h/">`.
    Host,
}

impl BaseFrom {
    fn of(bases: &BaseStack) -> Self {
        // A base that is declared within another one is relative to that.
        let mut declared =
            bases.layers().filter(|layer| layer.source() == BaseSource::Embedded && layer.uri().is_some());
        let start = declared.find_map(|layer| {
            let given = layer.given().trim_start();
            match given.replace('\\', "/") {
                path if path.starts_with("//") => Some(Self::Host),
                path if path.starts_with('/') => Some(Self::Root),
                _ if UriRef::parse_repaired(given).is_ok_and(|base| base.has_scheme()) => {
                    Some(Self::Document)
                }
                _ => None,
            }
        });
        start.unwrap_or(Self::Document)
    }
}

/// Returns whether a page says that it is at the root of its server: `<base href="/">`.
fn is_at_root(bases: &BaseStack) -> bool {
    let mut declared = bases.layers().filter(|layer| layer.source() == BaseSource::Embedded);
    declared.next().is_some_and(|layer| layer.given().trim() == "/")
}

fn is_of_file(base: locator::Uri<'_>) -> bool {
    base.scheme().lowercase() == "file"
}
