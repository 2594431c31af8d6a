//! The one shape that the module of each generator fills: what a site has ([`SiteModel`], [`Routes`]), and how links in
//! its documents are read ([`LinkRule`]).
//!
//! A generator is data ([`Generator`]): the names of its configurations and a function that reads one of them. It adds each
//! page and each file that is copied to the [`Routes`]; `resolve` looks links up there, by the rules of the model. Only what is
//! a form of one generator alone (`@/a.md`, `{{< ref >}}`, `:doc:`) has a function ([`Generator::special`]).
//!
//! What follows from a look-up, with the code of the verdict:
//!
//! | look-up | code | outcome |
//! |---|---|---|
//! | the map has it | `ok`, or that of the fragment | ok |
//! | it has not, and is closed | `no-such-page` | broken |
//! | the same, but the path names a file of the tree, and does not begin with "/" | `dead-on-site` | unknown (broken with `--site-only`) |
//! | it has not, and is open there | `generated`, with the reason | unknown |
//! | over half of the links of this form miss | `not-understood` | unknown |
//! | the path leads out of the site | `outside` | unknown |
//! | a form that needs what is not in the tree (intersphinx, another component) | `generated`, with the reason | unknown |
//!
//! [`Verdict::route`](crate::Verdict) is how a link was judged, a line for each step, for `--explain`.
//!
//! ```text
//! let mut site = SiteModel::new(&GENERATOR, found);
//! site.content.push(ContentRoot::new("docs", "/"));
//! for path in found.tree.below("docs") {
//!     match split_ending(path) {
//!         (stem, "md") => site.routes.add_page(path, &format!("/{stem}/")),
//!         _ => site.routes.add_file(path, path),
//!     }
//! }
//! ```

use std::collections::{HashMap, HashSet};

use locator_find::HeadingIds;

use super::glob::Globs;
use super::redirect_pattern::RedirectPattern;
use super::tree::{Tree, name_of, parent};

/// A generator of sites.
#[derive(Debug)]
pub(crate) struct Generator {
    /// The name in `--site NAME=DIR`: `mkdocs`.
    pub(crate) name: &'static str,
    /// The name for people: `MkDocs`.
    pub(crate) title: &'static str,
    /// The files by which it is recognised, relative to the directory of the site: `.vitepress/config.ts`.
    pub(crate) configurations: &'static [&'static str],
    /// Reads a site; `None` if the file is of another program, so that there is no site.
    pub(crate) read: fn(&Found<'_>) -> Option<SiteModel>,
    /// Looks up a link in a form that only this generator has; `None` if the link is an ordinary one, which the rules
    /// of the model look up.
    pub(crate) special: fn(&SiteModel, &SiteLink<'_>) -> Option<Lookup>,
}

/// Returns `None`: a generator has no form of its own.
pub(crate) fn no_special(_: &SiteModel, _: &SiteLink<'_>) -> Option<Lookup> {
    None
}

/// Where a site was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<'t> {
    /// The files of the repository.
    pub(crate) tree: &'t Tree,
    /// The directory of the site, in which its configuration is ("" is the root).
    pub(crate) directory: &'t str,
    /// The path of the configuration; `None` if the user says which generator it is (`--site NAME=DIR`) and there is
    /// none.
    pub(crate) configuration: Option<&'t str>,
}

impl Found<'_> {
    /// Returns the text of the configuration, "" if there is none.
    pub(crate) fn text(&self) -> String {
        self.configuration.and_then(|path| self.tree.read(path)).unwrap_or_default()
    }
}

/// A site: what it has, and how links in its documents are read.
#[derive(Debug)]
pub(crate) struct SiteModel {
    pub(crate) generator: &'static Generator,
    /// The directory of the configuration.
    pub(crate) directory: String,
    /// The path of the configuration, "" if there is none.
    pub(crate) configuration: String,
    /// The directories whose files are documents of this site. A file belongs to the site with the longest one.
    pub(crate) content: Vec<ContentRoot>,
    /// The path at which the site is published, without "/" at the end: "" or "/base".
    pub(crate) base: String,
    /// Whether the configuration says so. If not, the site may be below any path of its host.
    pub(crate) has_known_base: bool,
    /// The URL at which the site is published, if the configuration says so.
    pub(crate) published: Option<PublishedAt>,
    /// Which files a server finds.
    pub(crate) serving: Serving,
    /// The ids of headings.
    pub(crate) headings: Headings,
    /// How links of Markdown are read. Also those of reStructuredText, `AsciiDoc` and Org that are URLs or paths.
    pub(crate) markdown: LinkRule,
    /// How attributes of HTML are read, in Markdown, too.
    pub(crate) html: LinkRule,
    /// How `to` and `href` of components are read (MDX): elements whose names begin with a capital letter.
    pub(crate) component: LinkRule,
    /// What the site has.
    pub(crate) routes: Routes,
    /// What a generator keeps for [`Generator::special`]: labels, unique names of pages, by kind and name. The value
    /// is the path of a file, with `#id` if it is a place in it.
    pub(crate) names: HashMap<(&'static str, Box<str>), Box<str>>,
    /// Whether the routes are those that a build wrote, so that nothing else can be there.
    pub(crate) is_built: bool,
}

impl SiteModel {
    /// Creates a site without pages, whose links are URLs that are left as they are written.
    pub(crate) fn new(generator: &'static Generator, found: &Found<'_>) -> Self {
        Self {
            generator,
            directory: found.directory.to_owned(),
            configuration: found.configuration.unwrap_or_default().to_owned(),
            content: Vec::new(),
            base: String::new(),
            has_known_base: false,
            published: None,
            serving: Serving::default(),
            headings: Headings::default(),
            markdown: LinkRule::default(),
            html: LinkRule::default(),
            component: LinkRule::default(),
            routes: Routes::default(),
            names: HashMap::new(),
            is_built: false,
        }
    }

    /// Returns the page that a build wrote of a source, as a path on this machine.
    pub(crate) fn page_of(&self, source: &str) -> Option<&str> {
        let page = if self.is_built { self.names.get(&("built", source.into())) } else { None };
        page.map(|page| &**page)
    }

    /// Returns the content root that a file is in, the longest one.
    pub(crate) fn root_of(&self, file: &str) -> Option<&ContentRoot> {
        let roots =
            self.content.iter().filter(|root| super::tree::path_below(file, &root.directory).is_some());
        roots.max_by_key(|root| root.directory.len())
    }

    /// Sets the base from a URL or a path: `https://h/a/`, `/a`, `a/`.
    pub(crate) fn set_base(&mut self, url: &str) {
        self.set_published(url);
        let path = url.split_once("://").map_or(url, |(_, rest)| rest.find('/').map_or("", |at| &rest[at..]));
        let path = path.split(['?', '#']).next().unwrap_or_default().trim_matches('/');
        self.base = if path.is_empty() { String::new() } else { format!("/{path}") };
        self.has_known_base = true;
    }

    /// Sets the URL at which the site is published, with or without a path: `https://h/a/`. The base of links stays.
    pub(crate) fn set_published(&mut self, url: &str) {
        let Some((scheme, rest)) = url.trim().split_once("://") else { return };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let is_host = authority.contains('.') && !authority.contains(['@', '{', '$', '<']);
        if is_host && matches!(scheme, "http" | "https") {
            let path = path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
            let path = (!path.is_empty()).then(|| path.into());
            self.published = Some(PublishedAt { authority: authority.to_ascii_lowercase().into(), path });
        }
    }

    /// Returns what is left of the path of an absolute URL of this site, below its root: "/a" of `https://h/base/a`; `None` if
    /// it is not known to be one of this site.
    pub(crate) fn inside_of_url<'u>(&self, authority: &str, path: &'u str) -> Option<&'u str> {
        let published = self.published.as_ref()?;
        let base = published.path.as_deref().unwrap_or(&self.base);
        let rest =
            path.strip_prefix(base).filter(|_| authority.eq_ignore_ascii_case(&published.authority))?;
        (rest.is_empty() || rest.starts_with('/')).then_some(rest)
    }
}

/// The URL at which a site is published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PublishedAt {
    /// The host and the port, in lower case.
    pub(crate) authority: Box<str>,
    /// The path of the root, without "/" at the end, if it is not the base of links.
    pub(crate) path: Option<Box<str>>,
}

/// A directory whose files are documents of a site.
#[derive(Clone, Debug)]
pub(crate) struct ContentRoot {
    /// The directory in the tree.
    pub(crate) directory: String,
    /// Where its pages are, below the base: `/`, `/docs/`.
    pub(crate) url: String,
    /// Directories that are looked at after this one for a file that it does not have: the original of a translation.
    pub(crate) fallbacks: Vec<String>,
}

impl ContentRoot {
    /// Creates a root without fallbacks.
    pub(crate) fn new(directory: &str, url: &str) -> Self {
        Self { directory: directory.to_owned(), url: url.to_owned(), fallbacks: Vec::new() }
    }
}

/// Which files a server finds for a path: `/a/` is always `a/index.html`, `/a.html` always `a.html`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Serving {
    /// Whether `/a` finds `a.html`. GitHub Pages, Netlify, Vercel and Cloudflare do; when in doubt, it is true.
    pub(crate) adds_html: bool,
    /// Whether `/a` finds `a/index.html`, as servers redirect.
    pub(crate) adds_index: bool,
    /// Whether `/a/` finds `a.html` as well: Docusaurus and Starlight, whose pages have either form.
    pub(crate) ignores_slash: bool,
}

impl Default for Serving {
    fn default() -> Self {
        Self { adds_html: true, adds_index: true, ignores_slash: false }
    }
}

/// The ids of headings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Headings {
    pub(crate) ids: HeadingIds,
    /// Whether the configuration can change the rule, or adds headings: a missing id is unknown then.
    pub(crate) is_changed: bool,
    /// Whether the document is one of a site, so that no other rule makes its page.
    pub(crate) is_of_site: bool,
}

/// How links of one form are read. They are looked up as sources first, in the order of `sources`; if none is found,
/// as a URL.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkRule {
    /// Where a path is looked up as one of a source.
    pub(crate) sources: Vec<SourceStep>,
    /// How a path is changed before it is read as a URL, the first that fits: `(".md", ".html")` of mdBook. Only paths without
    /// a scheme.
    pub(crate) rewrites: &'static [(&'static str, &'static str)],
    /// Whether the base is before a URL that begins with "/".
    pub(crate) base: BaseUse,
    /// What a relative URL is relative to.
    pub(crate) relative_to: RelativeTo,
    /// Why a link that leads nowhere may be rewritten to one that does, by something that is not read.
    pub(crate) doubt: Option<&'static str>,
}

/// One look-up of a path as a source.
#[derive(Clone, Debug)]
pub(crate) struct SourceStep {
    /// The directory that the path is relative to.
    pub(crate) from: Origin,
    /// The endings that a path must have, of which any is allowed if there is none: `.md`.
    pub(crate) endings: &'static [&'static str],
    /// What is tried after a path, in this order: `""`, `".md"`, `"/index.md"`.
    pub(crate) added: &'static [&'static str],
    /// Whether any file counts that exists there, not only what is a page or is served: a bundler copies it.
    pub(crate) any_file: bool,
}

/// The directory that a path of a source is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// That of the document, for a path that does not begin with "/".
    Document,
    /// The content root of the document, for any path, with or without "/" at its beginning.
    Content,
    /// The content root of the document, for a path that begins with "/".
    RootedContent,
}

/// Whether the base is before a URL that begins with "/".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BaseUse {
    /// It must be written.
    #[default]
    Written,
    /// The generator adds it, also if it is written.
    Added,
    /// The generator adds it where it is not written.
    AddedOnce,
}

/// What a relative URL is relative to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RelativeTo {
    /// The URL of the page.
    #[default]
    Page,
    /// The root of the site (Docsify).
    Root,
}

/// What a site has: the files that a build writes, and the URLs of pages.
///
/// Paths of files are those in the directory that is published, without "/" at the beginning: `guide/install/index.html`. URLs
/// begin with "/" and do not have the base: `/guide/install/`.
#[derive(Debug, Default)]
pub(crate) struct Routes {
    /// The files that are published.
    outputs: HashMap<Box<str>, Output>,
    /// The URLs of the pages that are made from sources. The first is that of relative links.
    pages: HashMap<Box<str>, Vec<Box<str>>>,
    /// The files of the tree that are published: pages, and what is copied.
    published: HashSet<Box<str>>,
    /// The directories that are copied, and where to, without "/" at the ends.
    directories: Vec<(Box<str>, Box<str>)>,
    /// Where something that is not read can add files.
    open: Vec<OpenPrefix>,
    /// The redirects from paths of a pattern, the first first.
    patterns: Vec<RedirectPattern>,
}

/// A file that is published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// It is made from, or is a copy of, a file of the tree.
    Source(Box<str>),
    /// The generator makes it: a list of posts, a map of the site.
    Made,
    /// It leads to another URL.
    Redirect(Box<SiteRedirect>),
}

/// A redirect of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SiteRedirect {
    /// Where it leads: a path with or without the base, or an absolute URL; "" if that is not known.
    pub(crate) to: Box<str>,
    pub(crate) kind: RedirectKind,
}

/// Who makes a redirect, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RedirectKind {
    /// The generator writes a page that leads to another one: an alias.
    Page,
    /// The host answers that the page has moved for good (301, 308).
    Permanent,
    /// The host answers that the page is elsewhere for now (302, 307).
    Temporary,
    /// The host shows the other page at this URL (200).
    Rewrite,
}

impl RedirectKind {
    /// Returns the status of the response that redirects.
    pub(crate) const fn status(self) -> u16 {
        match self {
            Self::Page | Self::Rewrite => 200,
            Self::Permanent => 301,
            Self::Temporary => 302,
        }
    }
}

/// A part of a site to which something that is not read can add files.
#[derive(Clone, Debug)]
pub(crate) struct OpenPrefix {
    /// The beginning of the paths of URLs, without the base: `/api/`. "/" is the whole site.
    pub(crate) prefix: Box<str>,
    /// Which files can be added.
    pub(crate) files: AddedFiles,
    /// The paths below it that can be added, if not all can.
    pub(crate) pattern: Option<Globs>,
    /// What can add files, for people: `the plugin gen-files adds pages`.
    pub(crate) reason: Box<str>,
}

/// Which files something that is not read can add, by their endings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddedFiles {
    /// Everything.
    All,
    /// Pages and data, but no pictures: routes of a program.
    NoPictures,
    /// Every file with an ending other than that of a page.
    NoPages,
    /// Files with these endings.
    Endings(&'static [&'static str]),
}

impl Routes {
    /// Adds a page that is made from a source. It is written to `a/index.html` for `/a/` and to `a.html` for `/a.html`
    /// and for `/a`.
    pub(crate) fn add_page(&mut self, source: &str, url: &str) {
        self.add_page_in(source, url, &output_of(url));
    }

    /// Adds a page that is made from a source, and written to a file.
    pub(crate) fn add_page_in(&mut self, source: &str, url: &str, output: &str) {
        self.add_file(source, output);
        let urls = self.pages.entry(source.into()).or_default();
        if !urls.iter().any(|own| **own == *url) {
            urls.push(url.into());
        }
    }

    /// Adds a file that is copied.
    pub(crate) fn add_file(&mut self, source: &str, output: &str) {
        self.published.insert(source.into());
        self.outputs.insert(output.into(), Output::Source(source.into()));
    }

    /// Adds the files of a directory that are copied: `img/a.png` of `static` is published as `a/img/a.png` for `/a/`.
    pub(crate) fn add_directory(&mut self, tree: &Tree, directory: &str, url: &str) {
        let start = url.trim_matches('/');
        self.directories.push((directory.into(), start.into()));
        for path in tree.below(directory) {
            let below = super::tree::path_below(path, directory).unwrap_or(path);
            self.add_file(path, &super::tree::joined(start, below));
        }
    }

    /// Adds a page or a file that the generator makes: `/tags/`, `/sitemap.xml`.
    pub(crate) fn add_made(&mut self, url: &str) {
        self.outputs.entry(output_of(url).into()).or_insert(Output::Made);
    }

    /// Adds a redirect from a URL, as a page that the generator writes. A page that is there stays.
    pub(crate) fn add_redirect(&mut self, from: &str, to: &str) {
        self.add_redirect_of(from, to, RedirectKind::Page);
    }

    /// Adds a redirect from a URL. A page that is there stays.
    pub(crate) fn add_redirect_of(&mut self, from: &str, to: &str, kind: RedirectKind) {
        let redirect = || Output::Redirect(Box::new(SiteRedirect { to: to.into(), kind }));
        self.outputs.entry(output_of(from).into()).or_insert_with(redirect);
    }

    /// Adds another URL that a page may have, if nothing is there.
    pub(crate) fn add_other_url(&mut self, source: &str, url: &str) {
        self.outputs.entry(output_of(url).into()).or_insert_with(|| Output::Source(source.into()));
    }

    /// Says that something that is not read can add pages and files below a URL; "/" is the whole site.
    pub(crate) fn open(&mut self, prefix: &str, reason: impl Into<Box<str>>) {
        self.open_to(prefix, AddedFiles::All, reason);
    }

    /// Says that something that is not read can add pages below a URL, but no pictures.
    pub(crate) fn open_pages(&mut self, prefix: &str, reason: impl Into<Box<str>>) {
        self.open_to(prefix, AddedFiles::NoPictures, reason);
    }

    fn open_to(&mut self, prefix: &str, files: AddedFiles, reason: impl Into<Box<str>>) {
        self.open.push(OpenPrefix { prefix: prefix.into(), files, pattern: None, reason: reason.into() });
    }

    /// Says that something that is not read can add files with these endings below a URL, but no pages: `["css"]`. None are
    /// all endings but that of pages.
    pub(crate) fn open_files(
        &mut self,
        prefix: &str,
        endings: &'static [&'static str],
        reason: impl Into<Box<str>>,
    ) {
        let files = if endings.is_empty() { AddedFiles::NoPages } else { AddedFiles::Endings(endings) };
        self.open_to(prefix, files, reason);
    }

    /// Says that something that is not read can add paths that match a pattern: `*/guide`, `old/**`.
    pub(crate) fn open_pattern(&mut self, pattern: &str, reason: impl Into<Box<str>>) {
        let directory = super::glob::fixed_directory(pattern);
        let prefix = if directory.is_empty() { "/".to_owned() } else { format!("/{directory}/") };
        let pattern = Some(Globs::new([pattern]));
        let reason = reason.into();
        self.open.push(OpenPrefix { prefix: prefix.into(), files: AddedFiles::All, pattern, reason });
    }

    /// Adds redirects from all paths of a pattern.
    pub(crate) fn add_pattern(&mut self, pattern: RedirectPattern) {
        self.patterns.push(pattern);
    }

    /// Returns where the first pattern of redirects that a URL matches leads.
    pub(crate) fn redirected(&self, url: &str) -> Option<String> {
        self.patterns.iter().find_map(|pattern| pattern.target(url))
    }

    /// Returns why a URL that is not in the map may exist; `None` if the map is closed there.
    pub(crate) fn openness(&self, url: &str) -> Option<&str> {
        let found = self.open.iter().filter(|open| open.has(url));
        found.max_by_key(|open| open.prefix.len()).map(|open| &*open.reason)
    }

    /// Returns why a URL may exist, because it is in a part of the site that is open, not only in the whole of it.
    pub(crate) fn openness_of_part(&self, url: &str) -> Option<&str> {
        let mut parts = self.open.iter().filter(|open| *open.prefix != *"/" || open.pattern.is_some());
        parts.find(|open| open.has(url)).map(|open| &*open.reason)
    }

    /// Returns the parts of the site that are open.
    pub(crate) fn open_prefixes(&self) -> &[OpenPrefix] {
        &self.open
    }

    /// Returns the sources of pages, each with its URLs, in no order.
    pub(crate) fn pages(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pages.iter().flat_map(|(source, urls)| urls.iter().map(move |url| (&**source, &**url)))
    }

    /// Returns the files that are published, with their paths, in no order.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = (&str, &Output)> {
        self.outputs.iter().map(|(path, output)| (&**path, output))
    }

    /// Returns the file that is published with this path.
    pub(crate) fn output(&self, path: &str) -> Option<&Output> {
        self.outputs.get(path)
    }

    /// Returns the URLs of the pages that are made from a source, none if it is no page.
    pub(crate) fn urls_of(&self, source: &str) -> &[Box<str>] {
        self.pages.get(source).map_or(&[], Vec::as_slice)
    }

    /// Returns the URL of the page that is made from a source.
    pub(crate) fn url_of(&self, source: &str) -> Option<&str> {
        self.urls_of(source).first().map(|url| &**url)
    }

    /// Returns whether a file of the tree is a page or is copied.
    pub(crate) fn is_published(&self, source: &str) -> bool {
        self.published.contains(source)
    }

    /// Returns the directories that are copied, and where to, without "/" at the ends.
    pub(crate) fn directories(&self) -> impl Iterator<Item = (&str, &str)> {
        self.directories.iter().map(|(directory, url)| (&**directory, &**url))
    }

    /// Returns how many pages there are.
    pub(crate) fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// Returns what a server finds for the path of a URL, without the base, decoded: `/guide/install/`.
    pub(crate) fn served(&self, path: &str, serving: Serving) -> Option<&Output> {
        let inside = path.strip_prefix('/').unwrap_or(path);
        let index = |directory: &str| self.output(&super::tree::joined(directory, "index.html"));
        let Some(directory) = inside.strip_suffix('/').or_else(|| inside.is_empty().then_some("")) else {
            let with_html = || serving.adds_html.then(|| self.output(&format!("{inside}.html"))).flatten();
            let with_index = || serving.adds_index.then(|| index(inside)).flatten();
            return self.output(inside).or_else(with_index).or_else(with_html);
        };
        let without = || serving.ignores_slash.then(|| self.output(&format!("{directory}.html"))).flatten();
        index(directory).or_else(without)
    }
}

/// The endings of pictures and films.
const PICTURES: [&str; 13] =
    ["png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "bmp", "apng", "mp4", "webm", "mov"];

impl OpenPrefix {
    /// Returns whether a URL can be of what is added.
    fn has(&self, url: &str) -> bool {
        let is_below = url.starts_with(&*self.prefix) || self.prefix.strip_suffix('/') == Some(url);
        let ending = name_of(url).rsplit_once('.').map_or("", |(_, ending)| ending);
        is_below
            && self.pattern.as_ref().is_none_or(|pattern| pattern.has(url.trim_matches('/')))
            && match self.files {
                AddedFiles::All => true,
                AddedFiles::NoPictures => !PICTURES.contains(&&*ending.to_ascii_lowercase()),
                AddedFiles::NoPages => has_file_ending(url) && !matches!(ending, "html" | "md" | "mdx"),
                AddedFiles::Endings(endings) => endings.contains(&ending),
            }
    }
}

/// Returns the file that a page of a URL is written to: `a/index.html` of `/a/`, `a.html` of `/a`, `a.xml` of `/a.xml`.
pub(crate) fn output_of(url: &str) -> String {
    let inside = url.trim_start_matches('/');
    match inside {
        "" => "index.html".to_owned(),
        directory if directory.ends_with('/') => format!("{directory}index.html"),
        file if has_file_ending(file) => file.to_owned(),
        page => format!("{page}.html"),
    }
}

/// Returns whether a name ends like one of a file that is published: `.xml`, not `1.20` or `v2.0`.
pub(crate) fn has_file_ending(path: &str) -> bool {
    let ending = name_of(path).rsplit_once('.').map_or("", |(_, ending)| ending);
    (2..=6).contains(&ending.len())
        && ending.starts_with(|first: char| first.is_ascii_alphabetic())
        && ending.bytes().all(|octet| octet.is_ascii_alphanumeric())
}

/// A link in a document of a site.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiteLink<'a> {
    /// The path of the document in the tree.
    pub(crate) document: &'a str,
    /// The files of the repository.
    pub(crate) tree: &'a Tree,
    /// The reference as it is written, decoded by the rules of the format: `../a.md?q#b`.
    pub(crate) written: &'a str,
    /// How it is written.
    pub(crate) form: LinkForm<'a>,
}

impl<'a> SiteLink<'a> {
    /// Returns the path of the reference, without query and fragment, with escapes.
    pub(crate) fn path(&self) -> &'a str {
        self.written.split(['?', '#']).next().unwrap_or_default()
    }

    /// Returns the directory of the document.
    pub(crate) fn directory(&self) -> &'a str {
        parent(self.document)
    }
}

/// How a link is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkForm<'a> {
    /// A link, an image or a definition of Markdown, a URL or path of reStructuredText, `AsciiDoc` or Org.
    Markup,
    /// An attribute of an element of HTML.
    Html {
        /// The name of the element: `img`.
        element: &'a str,
        /// The name of the attribute: `src`.
        attribute: &'a str,
    },
    /// An attribute of a component of MDX, whose name begins with a capital letter.
    Component {
        /// The name of the component: `Link`.
        element: &'a str,
    },
    /// A role, a directive or a macro, with its name: `doc`, `ref`, `toctree`, `xref`, `include`.
    Role(&'a str),
}

/// What is known of where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// To what is made from a file of the tree, at whose headings its fragment is looked up. A fragment that the reference does
    /// not have at its end is after the path: `a.md#b`.
    Source(Box<str>),
    /// To a place in a file of the tree that is known to be there: a label. Its fragment is not looked up.
    Place(Box<str>),
    /// To what the generator makes, whose ids are not known.
    Made,
    /// To where a redirect leads, which is looked up in turn if it is of this site.
    Redirect(Box<str>),
    /// To nothing: the map is closed. The reason is for people, "" if the path says all.
    Dead(Box<str>),
    /// To a file of the tree that the site does not publish, for a reason: it is alive where files are shown.
    NotPublished(Box<str>),
    /// To what is not known, for a reason.
    Unknown(Box<str>),
    /// Out of the site.
    Outside,
    /// Not a link that the site resolves: it is judged without it, as a path of the tree.
    NotOfSite,
    /// Another reference that this one means, which is looked up in its place: `/static/a.png` for `@site/static/a.png`.
    Means(Box<str>),
    /// A template or a script: it is not a link.
    Template,
}

/// A form of links of a site that are understood together or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DoubtForm {
    /// It begins with "/".
    Rooted,
    /// It is relative, and looked up as a URL of the page.
    PageRelative,
    /// It is written in a form that only the generator has.
    Special,
    /// It is an absolute URL of the site.
    Absolute,
}
