//! Judges the links to files: whether the file exists, and whether it has the name of the fragment.
//!
//! [`FileChecker`] keeps what is known of the files. A fragment that a file of Markdown does not have may be there in its
//! page nevertheless ([`PossibleNames`]): another program would make it, the text looks like a heading or an id to another one, or
//! a part of the page comes from elsewhere. To know that, the file is read again, once for each program; few files have
//! missing fragments.
//!
//! ```
//! use locator_find::Finder;
//! use locator_links::{FileChecker, LinkRules, Site};
//!
//! let (site, finder) = (Site::new(LinkRules::default(), None), Finder::new());
//! // Its `verdict` judges a link of a page that `site` has read.
//! let _checker = FileChecker::new(&site, &finder);
//! ```

mod inclusion;
mod possible_names;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use locator::UriRef;
use locator_find::{Document, Finder, HeadingIds};

use self::possible_names::{PossibleNames, is_markdown};
use crate::anchors::text::{PageText, has_directive};
use crate::anchors::{AnchorNames, Anchors, decoded_fragment, hash, is_lines};
use crate::document::role::DocumentRole;
use crate::document::{DocumentName, LinkTarget, Page, PageLink, ReadPage, SiteTarget, fragment_of};
use crate::files::{FileId, FileKind};
use crate::includes::{AsciiDocTree, is_asciidoc};
use crate::judge::FetchedPage;
use crate::outcome::{Code, Hop, Outcome, Verdict};
use crate::site::Site;
use crate::site::repository::FileUrl;
use crate::sites::model::Headings;
use crate::sites::resolve::{DeadLink, State};
use crate::sites::{NO_SITE, SiteSuggestion};
use crate::suggestion::{Directories, nearest, only_candidate, with_name, with_names, written_like};

/// What is known of the files that links lead to.
pub struct FileChecker<'s> {
    site: &'s Site,
    finder: &'s Finder,
    /// The anchors of each file that was read, by the rule for headings, and where it redirects to.
    anchors: HashMap<(FileId, HeadingIds), Anchors>,
    refreshes: HashMap<FileId, Option<FileId>>,
    directories: Directories,
    /// The names in documents of AsciiDoc, by the roots of their repositories.
    asciidoc: HashMap<PathBuf, AsciiDocTree>,
    /// What is known of text fragments, by their hashes, and how many octets were searched for texts.
    looked_up: HashMap<(FileId, u64), Option<Code>>,
    searched: u64,
    /// How the headings of files have ids.
    headings: HashMap<FileId, Headings>,
    /// What files with missing anchors may have besides.
    doubts: HashMap<(FileId, HeadingIds), PossibleNames>,
    /// How many octets of texts are kept.
    texts: usize,
    /// How many files were read again for a suggestion.
    suggested: usize,
    /// How many references on sites were looked for.
    looked_for: usize,
}

/// How many times a page may redirect to another.
const MOST_REFRESHES: usize = 5;

/// How many octets of texts are kept.
const MOST_TEXT: usize = 64 << 20;

/// How many octets are searched for texts in a run.
const MOST_SEARCHED: u64 = 4 << 30;

/// How many references on sites are looked for. A site in which everything is missing has other faults.
const MOST_LOOKED_FOR: usize = 5_000;

/// How many files are read again for suggestions.
const MOST_SUGGESTED: usize = 200;

impl<'s> FileChecker<'s> {
    /// Creates a settler for the documents of a site.
    #[must_use]
    pub fn new(site: &'s Site, finder: &'s Finder) -> Self {
        let (anchors, refreshes) = (HashMap::new(), HashMap::new());
        let (headings, doubts, directories) = (HashMap::new(), HashMap::new(), Directories::default());
        Self {
            site,
            finder,
            anchors,
            refreshes,
            headings,
            doubts,
            directories,
            asciidoc: HashMap::new(),
            texts: 0,
            suggested: 0,
            looked_for: 0,
            looked_up: HashMap::new(),
            searched: 0,
        }
    }

    /// Returns what all documents share.
    pub(crate) const fn site(&self) -> &'s Site {
        self.site
    }

    /// Reads a page of a server.
    pub(crate) fn read(&self, page: &FetchedPage) -> io::Result<ReadPage> {
        let document = Document::new(page.format).within(page.bases.clone());
        let name = locator_audit::redacted(&page.url).to_string();
        let named = DocumentName { name, path: None, is_own: false };
        self.site.read(self.finder, &document, named, &mut io::Cursor::new(&page.octets))
    }

    /// Adds a document that was read.
    pub fn add(&mut self, page: &Page, anchors: Anchors) {
        let Some(file) = page.file else { return };
        let rule = self.headings(file).ids;
        self.anchors.insert((file, rule), anchors);
        match &page.refresh {
            None => {}
            Some(LinkTarget::File(to)) => drop(self.refreshes.insert(file, Some(*to))),
            Some(_) => drop(self.refreshes.insert(file, None)),
        }
    }

    /// Counts the links to headings of other documents, so that a form which is not understood is known before a link
    /// is judged.
    pub(crate) fn count_fragments(&mut self, pages: &[Page]) {
        for page in pages.iter().filter(|page| page.role != DocumentRole::TestData) {
            for link in &page.links {
                let Some((file, fragment)) = self.heading_of(page, link) else { continue };
                if self
                    .asciidoc_of(file, |tree, path| tree.count_style(path, &decoded_fragment(fragment)))
                    .is_some()
                {
                    continue;
                }
                let rule = self.headings(file).ids;
                let Some(anchors) = self.anchors.get(&(file, rule)).filter(|_| page.file != Some(file))
                else {
                    continue;
                };
                let is_missing = anchors.missing(fragment) == Some(Code::NoSuchAnchor);
                if let Some(directory) = self.site.files.path(file).parent() {
                    self.site.fragments.count(directory, &page.name, page.url(link), !is_missing);
                }
            }
        }
    }

    /// Returns the file of Markdown or AsciiDoc that a link leads to, and the fragment.
    fn heading_of<'p>(&self, page: &'p Page, link: &'p PageLink) -> Option<(FileId, &'p str)> {
        let (file, fragment) = match &link.target {
            LinkTarget::File(file) => (*file, fragment_of(page.url(link))?),
            LinkTarget::Site(target) => match target.state() {
                State::Source { file, fragment } => {
                    let fragment = fragment.as_deref().or_else(|| fragment_of(page.url(link)))?;
                    (self.site.files.find(&target.tree.path_in(file)), fragment)
                }
                _ => return None,
            },
            _ => return None,
        };
        let path = self.site.files.path(file);
        let has_headings = is_markdown(&path) || path.to_str().is_some_and(is_asciidoc);
        (has_headings && !fragment.is_empty()).then_some((file, fragment))
    }

    /// Returns what is known of a link to a file.
    pub fn verdict(&mut self, page: &Page, link: &PageLink, file: FileId) -> Verdict {
        let url = page.url(link);
        match self.site.files.kind(file) {
            FileKind::Missing => self.missing(page, url, file),
            FileKind::Unreadable(kind) => Verdict::new(Code::Unreadable).because(kind.to_string()),
            FileKind::Directory(_)
                if fragment_of(url).is_some_and(is_readme)
                    && self.directories.has_readme(&self.site.files.path(file)) =>
            {
                Verdict::new(Code::Ok)
            }
            FileKind::Directory(index) => match (index, fragment_of(url)) {
                (Some(index), Some(fragment)) => self.fragment_from(page, index, fragment),
                (None, Some(fragment)) if !fragment.is_empty() => Verdict::new(Code::UnreadAnchor),
                _ => Verdict::new(Code::Ok),
            },
            FileKind::Other => match fragment_of(url) {
                Some(fragment) if !fragment.is_empty() => Verdict::new(Code::UnreadAnchor),
                _ => Verdict::new(Code::Ok),
            },
            FileKind::File => match fragment_of(url) {
                Some(fragment) => self.fragment_from(page, file, fragment),
                None => Verdict::new(Code::Ok),
            },
        }
    }

    /// Returns what is known of a link that the site of its document resolves.
    pub fn site_verdict(&mut self, page: &Page, link: &PageLink, target: &SiteTarget) -> Verdict {
        let verdict = match target.state() {
            State::Source { file, fragment } => {
                let file = self.site.files.find(&target.tree.path_in(file));
                let fragment = match fragment {
                    Some(fragment) => Some(&**fragment).filter(|fragment| !fragment.is_empty()),
                    None => fragment_of(page.url(link)),
                };
                match fragment {
                    Some(fragment) => self.fragment_from(page, file, fragment),
                    None => Verdict::new(Code::Ok),
                }
            }
            State::Place(_) => Verdict::new(Code::Ok),
            State::Made => match fragment_of(page.url(link)).is_some_and(|fragment| !fragment.is_empty()) {
                true => Verdict::new(Code::UnreadAnchor).because("the generator makes the page"),
                false => Verdict::new(Code::Ok),
            },
            State::Unknown(reason) => Verdict::new(Code::Generated).because(reason.clone()),
            State::Outside => Verdict::new(Code::Outside),
            State::Template => Verdict::new(Code::Template),
            State::Dead(dead) => self.dead_on_site(page, link, target, dead),
        };
        // How the page of a document is made is not known.
        let is_guess = target.found.site == NO_SITE && verdict.outcome() == Outcome::Broken;
        let verdict = if is_guess { Verdict::new(Code::UnreadAnchor) } else { verdict };
        let verdict = match verdict.code {
            Code::Ok if target.is_redirected() => self.redirected_on_site(page, link, target),
            _ => with_whole_suggestion(verdict, page.url(link), target.state()),
        };
        let is_explained = self.site.rules.explains || verdict.outcome() != Outcome::Ok;
        let route = if is_explained { target.found.judgement.route.clone() } else { Vec::new() };
        Verdict { route, ..verdict }
    }

    /// Returns the verdict of a link to what its site does not have. It is broken if it is dead on the site, and does not name
    /// a file that is alive where the files are shown.
    fn dead_on_site(
        &mut self,
        page: &Page,
        link: &PageLink,
        target: &SiteTarget,
        dead: &DeadLink,
    ) -> Verdict {
        let (tree, site) = (&target.tree, target.found.site);
        let title = tree.title(site);
        let why = match &*dead.reason {
            "" => format!("{title} makes no {}", dead.wanted),
            reason => format!("{title} makes no {}: {reason}", dead.wanted),
        };
        let is_site_only = self.site.rules.is_site_only || tree.is_named(site);
        let code = match () {
            () if dead.is_loop => Code::Loop,
            () if !dead.is_file_path && tree.is_doubtful(site, target.form()) => Code::NotUnderstood,
            () if (dead.names_file || dead.is_absolute) && !is_site_only => Code::DeadOnSite,
            () => Code::NoSuchPage,
        };
        let verdict = Verdict::new(code).because(why);
        if dead.suggestion.is_some() {
            return Verdict { suggestion: dead.suggestion.clone(), is_sure: dead.is_sure, ..verdict };
        }
        if matches!(code, Code::NotUnderstood | Code::Loop) {
            return verdict;
        }
        if let Some(SiteSuggestion { reference, file, is_sure }) = self.suggest_on_site(page, link, target) {
            let is_sure = is_sure && self.has_fragment(page.url(link), &tree.path_in(&file));
            return Verdict { suggestion: Some(reference), is_sure, ..verdict };
        }
        let path = dead.path.as_ref().filter(|_| code == Code::NoSuchPage).map(|path| tree.path_in(path));
        let respelled = path.map(|path| self.with_respelling(verdict.clone(), page.url(link), &path));
        // A file that is there is of no use if the generator makes no page of it.
        let document = page.file.map(|file| self.site.files.path(file)).unwrap_or_default();
        let is_alive = |found: &Verdict| {
            found
                .suggestion
                .as_deref()
                .is_some_and(|reference| tree.is_alive(&document, reference, &target.found))
        };
        respelled.filter(is_alive).unwrap_or(verdict)
    }

    /// Returns the verdict of a link that is alive, and leads to its target by redirects of the site.
    fn redirected_on_site(&mut self, page: &Page, link: &PageLink, target: &SiteTarget) -> Verdict {
        let redirects = target.found.judgement.redirects.iter();
        let hops = redirects.map(|one| Hop { status: one.kind.status(), to: one.to.to_string() }).collect();
        let verdict = Verdict { hops, ..Verdict::new(Code::SiteRedirect) };
        match self.suggest_on_site(page, link, target) {
            Some(SiteSuggestion { reference, is_sure, .. }) => {
                Verdict { suggestion: Some(reference), is_sure, ..verdict }
            }
            None => verdict,
        }
    }

    fn suggest_on_site(
        &mut self,
        page: &Page,
        link: &PageLink,
        target: &SiteTarget,
    ) -> Option<SiteSuggestion> {
        self.looked_for += 1;
        if self.looked_for > MOST_LOOKED_FOR {
            return None;
        }
        let document = self.site.files.path(page.file?);
        target.tree.suggest(&document, page.url(link), &target.found)
    }

    /// Returns whether the page of a file has the fragment of a reference.
    fn has_fragment(&mut self, url: &str, path: &Path) -> bool {
        match fragment_of(url).filter(|fragment| !fragment.is_empty() && path.is_file()) {
            Some(fragment) => {
                let file = self.site.files.find(path);
                self.fragment(file, fragment).code == Code::Ok
            }
            None => true,
        }
    }

    /// Returns what is known of a link to a file of the working tree, as a forge shows it: pages of Markdown have
    /// headings there, other files have lines.
    pub fn forge_verdict(&mut self, page: &Page, link: &PageLink, file: FileId) -> Verdict {
        let url = page.url(link);
        let path = self.site.files.path(file);
        let fragment = fragment_of(url).unwrap_or_default();
        let shown = match self.site.files.kind(file) {
            FileKind::Missing => {
                let suggestion = self.directories.nearest_file(&path).map(|name| with_name(url, &name));
                return Verdict { suggestion, ..Verdict::new(Code::NoSuchFile) };
            }
            FileKind::Unreadable(kind) => return Verdict::new(Code::Unreadable).because(kind.to_string()),
            FileKind::Directory(_) if is_readme(fragment) => return Verdict::new(Code::Ok),
            FileKind::Directory(_) => self.site.files.find(&path.join("README.md")),
            FileKind::File | FileKind::Other => file,
        };
        if fragment.is_empty() || is_lines(fragment) {
            return Verdict::new(Code::Ok);
        }
        let is_page =
            is_markdown(&self.site.files.path(shown)) && self.site.files.kind(shown) == FileKind::File;
        if !is_page {
            return Verdict::new(Code::UnreadAnchor);
        }
        let stem = url.split('#').next().unwrap_or_default();
        let forge = UriRef::parse(stem).ok().and_then(|url| Some(FileUrl::of(&url)?.heading_ids()));
        let headings = Headings { ids: forge.unwrap_or_default(), ..Headings::default() };
        self.fragment_by(shown, headings, fragment)
    }

    /// Returns the verdict of a link to what does not exist, with the reference that was probably meant.
    fn missing(&mut self, page: &Page, url: &str, file: FileId) -> Verdict {
        let path = self.site.files.path(file);
        let document = page.file.map(|document| self.site.files.path(document));
        if let Some(verdict) = self.site.files.missing_in_archive(&path, document.as_deref()) {
            let suggestion = verdict.suggestion.as_deref().map(|name| with_name(url, name));
            return Verdict { suggestion, ..verdict };
        }
        let verdict = self.site.files.missing(&path, document.as_deref(), page.repository.as_deref());
        if verdict.code != Code::NoSuchFile {
            return verdict;
        }
        if let Some(reason) = document.as_deref().and_then(|document| self.published_beside(document, &path))
        {
            return Verdict::new(Code::Generated).because(reason);
        }
        if let Some(directory) = path.parent().filter(|directory| self.site.beside.is_doubtful(directory))
            && let Some(other) =
                self.site.site_tree(&path).and_then(|tree| tree.beside(&path).map(str::to_owned))
        {
            return Verdict::new(Code::Generated).because(format!(
                "{other} has this name, and a build may put it into {}",
                directory.file_name().unwrap_or_default().to_string_lossy()
            ));
        }
        if let Some(variant) = self.directories.variant(&path) {
            return Verdict::new(Code::Generated)
                .because(format!("a build may make it of variants: {variant}"));
        }
        self.with_respelling(verdict, url, &path)
    }

    /// Adds the reference that was probably meant by one to a path where nothing is.
    fn with_respelling(&mut self, verdict: Verdict, url: &str, path: &Path) -> Verdict {
        if let Some(respelling) = self.directories.respelled(path)
            && let Some(reference) = with_names(url, &respelling.names)
        {
            let is_sure = self.is_whole(url, &respelling.file);
            return Verdict { suggestion: Some(reference), is_sure, ..verdict };
        }
        let suggestion = self.directories.nearest_file(path).map(|name| with_name(url, &name));
        Verdict { suggestion, ..verdict }
    }

    /// Returns why a page that a document of Markdown names may be published, although the document is of no site that is
    /// known: a book is often published with loose pages beside its chapters.
    fn published_beside(&self, document: &Path, path: &Path) -> Option<String> {
        if !is_markdown(document) || path.extension().is_none_or(|end| end != "html") {
            return None;
        }
        let tree = self.site.site_tree(document)?;
        tree.published_beside(document, path.file_name()?.to_str()?)
    }

    /// Returns whether a link to this file would be good: its fragment is there, and a name that ends with
    /// "/" is that of a directory.
    fn is_whole(&mut self, url: &str, there: &Path) -> bool {
        let file = self.site.files.find(there);
        let (fragment, path) = (fragment_of(url), url.split(['?', '#']).next().unwrap_or_default());
        let page = match self.site.files.kind(file) {
            FileKind::File if !path.ends_with('/') => Some(file),
            FileKind::Directory(index) => index,
            _ => return false,
        };
        match (fragment, page) {
            (None | Some(""), _) => true,
            (Some(fragment), Some(page)) => self.fragment(page, fragment).code == Code::Ok,
            (Some(_), None) => false,
        }
    }

    /// Returns what is known of a fragment that a document names. What is not in a site, such as README.md, is
    /// read at a forge, and its links lead to what the forge makes of the files of the site.
    fn fragment_from(&mut self, page: &Page, file: FileId, fragment: &str) -> Verdict {
        let verdict = self.fragment(file, fragment);
        if verdict.code == Code::UnreadAnchor
            && let Some(known) = self.in_asciidoc(file, fragment)
        {
            return known;
        }
        if verdict.code == Code::Ok || !is_markdown(&self.site.files.path(file)) {
            return verdict;
        }
        let (own, other) = (page.file.map(|own| self.headings(own)), self.headings(file));
        match own.filter(|own| own.ids != other.ids) {
            Some(own) if self.fragment_by(file, own, fragment).code == Code::Ok => Verdict::new(Code::Ok),
            _ => verdict,
        }
    }

    /// Returns what is known of a fragment of a document of AsciiDoc, whose page may have parts of others.
    fn in_asciidoc(&mut self, file: FileId, fragment: &str) -> Option<Verdict> {
        let decoded = decoded_fragment(fragment);
        self.asciidoc_of(file, |tree, path| tree.verdict(path, &decoded))?
    }

    /// Does something with the documents of AsciiDoc of the repository that a file is in, if it is one of them.
    fn asciidoc_of<T>(&mut self, file: FileId, then: impl FnOnce(&mut AsciiDocTree, &str) -> T) -> Option<T> {
        let path = self.site.files.path(file);
        if !path.to_str().is_some_and(is_asciidoc) {
            return None;
        }
        let site = self.site.site_tree(&path)?;
        let (root, inside) = (site.path_in(""), site.path_of(&path)?);
        let finder = self.finder;
        let tree = self.asciidoc.entry(root).or_insert_with(|| AsciiDocTree::read(&site, finder));
        Some(then(tree, &inside))
    }

    fn fragment(&mut self, file: FileId, fragment: &str) -> Verdict {
        let Some(file) = self.after_refreshes(file) else { return Verdict::new(Code::UnreadAnchor) };
        let headings = self.headings(file);
        self.fragment_by(file, headings, fragment)
    }

    /// Returns what is known of a fragment of a file, whose headings have ids by this rule.
    fn fragment_by(&mut self, file: FileId, headings: Headings, fragment: &str) -> Verdict {
        let (site, finder, rule) = (self.site, self.finder, headings.ids);
        let anchors = self.anchors.entry((file, rule)).or_insert_with(|| {
            let read = AnchorNames::read(finder, &site.files.path(file), rule);
            read.map(|names| names.anchors()).unwrap_or_default()
        });
        let missing = match has_directive(fragment) {
            false => anchors.missing(fragment).filter(|_| {
                // Some programs write another fragment for that of a link.
                anchors.missing(&rule.fragment_of(&decoded_fragment(fragment))).is_some()
            }),
            true => self.missing_text(file, rule, fragment),
        };
        let Some(code) = missing else { return Verdict::new(Code::Ok) };
        // The rule of a site is known, so that a heading with another id does not have this one.
        let is_certain = headings.is_of_site && !headings.is_changed && code == Code::OtherAnchor;
        if code != Code::NoSuchAnchor && !is_certain {
            return Verdict::new(code);
        }
        let code = Code::NoSuchAnchor;
        let (path, decoded) = (site.files.path(file), decoded_fragment(fragment));
        if path.parent().is_some_and(|directory| site.fragments.is_doubtful(directory)) {
            return Verdict::new(Code::NotUnderstood);
        }
        if site.files.archive_of(&path).is_some() {
            // The file of an archive is not read again for what its text may say of ids.
            return Verdict::new(if is_markdown(&path) { Code::UnreadAnchor } else { code });
        }
        if let Some(doubt) = self.doubt(file, &path, headings, &decoded, is_certain) {
            return doubt;
        }
        match self.suggest_fragment(&path, rule, &decoded) {
            Some(Suggestion { reference, is_sure }) => {
                Verdict { suggestion: Some(reference), is_sure, ..Verdict::new(code) }
            }
            None => Verdict::new(code),
        }
    }

    /// Returns why a text fragment is not found in a file whose anchors are known. A text that many links lead to
    /// is looked up once.
    fn missing_text(&mut self, file: FileId, rule: HeadingIds, fragment: &str) -> Option<Code> {
        let key = (file, hash(fragment));
        if let Some(known) = self.looked_up.get(&key) {
            return *known;
        }
        if self.searched > MOST_SEARCHED {
            return Some(Code::UnreadAnchor);
        }
        let anchors = self.anchors.get_mut(&(file, rule))?;
        if anchors.text().is_none() {
            let text = PageText::read(&self.site.files.path(file));
            self.texts += text.len();
            anchors.set_text(text);
        }
        self.searched += anchors.text().map_or(0, |text| text.len() as u64);
        let missing = anchors.missing(fragment);
        self.looked_up.insert(key, missing);
        self.drop_texts();
        missing
    }

    /// Drops the texts of pages if there are too many.
    fn drop_texts(&mut self) {
        if self.texts > MOST_TEXT {
            self.texts = 0;
            self.anchors.values_mut().for_each(Anchors::drop_text);
        }
    }

    /// Returns the verdict of a missing name that the page of a file may have nevertheless. `is_certain` says that its heading
    /// was found, with another id.
    fn doubt(
        &mut self,
        file: FileId,
        path: &Path,
        headings: Headings,
        name: &str,
        is_certain: bool,
    ) -> Option<Verdict> {
        let is_markdown = is_markdown(path);
        let (finder, rule) = (self.finder, headings.ids);
        let doubts = self.doubts.entry((file, rule)).or_insert_with(|| match is_markdown {
            true => PossibleNames::read(finder, path, rule),
            false => PossibleNames::read_template(path),
        });
        if is_markdown && doubts.is_of_part(name) {
            return Some(Verdict::new(Code::Ok));
        }
        let is_exact = headings.is_of_site && !headings.is_changed;
        if is_markdown && is_exact && doubts.is_at_forge(name) && !self.site.rules.is_site_only {
            let why = "there is such an id only where files are shown";
            return Some(Verdict::new(Code::DeadOnSite).because(why));
        }
        let is_possible = match is_exact {
            true => !is_certain && doubts.may_have(name),
            false => doubts.has(name),
        };
        if is_markdown && is_possible {
            return Some(Verdict::new(Code::OtherAnchor));
        }
        let unread = |reason: String| Some(Verdict::new(Code::UnreadAnchor).because(reason));
        match (headings.is_changed, doubts.has_parts) {
            (true, _) if is_markdown => unread(format!("the configuration of {rule} can change them")),
            (_, true) => unread("the file includes others".to_owned()),
            _ if is_markdown && doubts.may_be_transliterated(name) => {
                unread(format!("{rule} writes headings of other scripts in Latin letters"))
            }
            _ => None,
        }
    }

    /// Returns how the headings of a file have ids; only those of Markdown matter.
    fn headings(&mut self, file: FileId) -> Headings {
        let site = self.site;
        *self.headings.entry(file).or_insert_with(|| {
            let path = site.files.path(file);
            if is_markdown(&path) { site.headings(&path) } else { Headings::default() }
        })
    }

    /// Returns the file that a page redirects to in the end; `None` if it is not a file.
    fn after_refreshes(&self, mut file: FileId) -> Option<FileId> {
        for _ in 0..MOST_REFRESHES {
            match self.refreshes.get(&file) {
                None => return Some(file),
                Some(to) => file = (*to)?,
            }
            if let FileKind::Directory(index) = self.site.files.kind(file) {
                file = index?;
            }
        }
        None
    }

    /// Returns the fragment that was probably meant.
    fn suggest_fragment(&mut self, path: &Path, rule: HeadingIds, fragment: &str) -> Option<Suggestion> {
        self.suggested += 1;
        if self.suggested > MOST_SUGGESTED {
            return None;
        }
        let names = AnchorNames::read(self.finder, path, rule).ok()?.names;
        let names = || names.iter().map(String::as_str);
        let sure = only_candidate(fragment, names());
        let near = sure.or_else(|| nearest(fragment, names()))?;
        let reference = format!("#{}", written_like(fragment, near));
        Some(Suggestion { reference, is_sure: sure.is_some() })
    }
}

/// Returns whether a fragment is that of the README which a forge shows for a directory.
fn is_readme(fragment: &str) -> bool {
    matches!(fragment, "readme" | "readme-ov-file")
}

/// Returns a verdict whose suggestion is not a fragment alone if the fragment is not at the end of the reference:
/// `{{< ref "a.md#x" >}}`.
fn with_whole_suggestion(verdict: Verdict, url: &str, state: &State) -> Verdict {
    let State::Source { fragment: Some(old), .. } = state else { return verdict };
    let Some(new) = verdict.suggestion.as_deref().filter(|new| new.starts_with('#')) else { return verdict };
    let whole = url.find('#').and_then(|at| {
        let rest = url.get(at + 1..)?.strip_prefix(&**old)?;
        Some(format!("{}{new}{rest}", &url[..at]))
    });
    // The reference that is meant is another one than the one that is written.
    let is_sure = verdict.is_sure && whole.is_some() && !url.starts_with("{{");
    Verdict { suggestion: whole, is_sure, ..verdict }
}

/// The reference that was probably meant.
struct Suggestion {
    reference: String,
    /// Whether no other can be meant.
    is_sure: bool,
}
