//! A site as its build wrote it: the files of `public/`, `site/`, `_build/html` or `dist` are what the site has, plugins
//! included, so that nothing is open. The links that are judged are those of the sources.
//!
//! A document is mapped to the page that its generator makes of it, if that is known and the page is there, else to the page
//! with the same path, however many directories the site leaves out at its beginning. Fragments are looked up in the page
//! that was written ([`SiteModel::page_of`]), and a link of Markdown to a document is one to its page only if the pages do not
//! have it as it is written.
//!
//! ```text
//! let site = built::read(&tree, Path::new("/home/me/book/public"), "docs", Some(site));
//! assert!(site.routes.openness("/").is_none());
//! ```

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use locator_find::{Document, Finder, Format, Link, Sink};

use super::model::{
    BaseUse, ContentRoot, Found, Generator, LinkRule, Origin, Output, Routes, SiteModel, SourceStep,
    no_special, output_of,
};
use super::redirects;
use super::resolve::{decoded, has_scheme};
use super::tree::{Tree, joined, name_of, parent, path_below, split_ending};

/// A site whose generator is not known.
pub(crate) static BUILT: Generator = Generator {
    name: "built",
    title: "the built site",
    configurations: &[],
    read: |_| None,
    special: no_special,
};

/// The endings of documents that pages are made from.
const DOCUMENTS: [&str; 14] = [
    "md", "mdx", "markdown", "rst", "adoc", "asciidoc", "org", "ipynb", "html", "njk", "liquid", "mdoc",
    "txt", "qmd",
];

/// Directories that sites leave out at the beginning of a path.
const LEFT_OUT: [&str; 9] =
    ["docs", "doc", "content", "src", "source", "pages", "site", "website", "src/content/docs"];

/// How many pages are read for the way in which the generator writes links.
const MOST_READ: usize = 200;

/// How many links of a page are kept.
const MOST_LINKS: usize = 2_000;

/// Reads a built directory as the site of the documents of a directory. `known` is the site that a generator makes of them,
/// if one was found.
pub(crate) fn read(tree: &Tree, built: &Path, directory: &str, known: Option<SiteModel>) -> SiteModel {
    let output = Tree::open(built);
    let found = Found { tree, directory, configuration: None };
    let is_known = known.is_some();
    let mut site = known.unwrap_or_else(|| SiteModel::new(&BUILT, &found));
    if site.content.is_empty() {
        site.content.push(ContentRoot::new(directory, "/"));
    }
    let old = std::mem::take(&mut site.routes);
    for path in output.files() {
        site.routes.add_file(&path_of(built, path), path);
    }
    if output.files().next().is_none() {
        site.routes.open("/", format!("{} has no files", built.display()));
    }
    // What is below the built directory is no source.
    let inside =
        built.strip_prefix(tree.root()).ok().and_then(Path::to_str).map(|path| path.replace('\\', "/"));
    let mut pages = Pages { output: &output, built, site: &mut site, known: HashSet::new() };
    pages.add_known(&old);
    if !is_known || pages.known.is_empty() {
        pages.add_by_path(tree, directory, inside.as_deref());
    }
    let roots: Vec<String> = site.content.iter().map(|root| root.directory.clone()).collect();
    let written = Written::read(tree, &output, &site, built);
    written.set_rules(&mut site, is_known);
    for root in roots.iter().filter(|_| is_known) {
        // Documents that a plugin moved.
        let missing = |path: &str| site.routes.url_of(path).is_none();
        let left: Vec<&str> = tree.below(root).filter(|path| is_document(path) && missing(path)).collect();
        let below = |path: &str| inside.as_deref().is_some_and(|inside| path_below(path, inside).is_some());
        for path in left.into_iter().filter(|path| !below(path)) {
            let within = path_below(path, root).unwrap_or(path);
            if let Some(page) = page_of_stem(&output, split_ending(within).0) {
                add_page(&mut site, built, path, &page);
            }
        }
    }
    if output.has_file("_redirects") {
        let text = output.read("_redirects").unwrap_or_default();
        redirects::add_lines(&mut site, &text);
    }
    site.is_built = true;
    site
}

/// Returns whether a file is a document.
fn is_document(path: &str) -> bool {
    DOCUMENTS.contains(&split_ending(path).1)
}

/// Returns the path of a file of a built directory: the whole path on this machine.
fn path_of(built: &Path, path: &str) -> String {
    built.join(path).to_string_lossy().into_owned()
}

/// Adds a document with the page that was made of it.
fn add_page(site: &mut SiteModel, built: &Path, source: &str, page: &str) {
    let url = match page.strip_suffix("index.html") {
        Some(directory) if directory.is_empty() || directory.ends_with('/') => format!("/{directory}"),
        _ => format!("/{page}"),
    };
    let file = path_of(built, page);
    site.routes.add_page_in(source, &url, page);
    site.routes.add_file(&file, page);
    site.names.insert(("built", source.into()), file.into());
}

/// The pages of a built directory, which documents are mapped to.
struct Pages<'p> {
    output: &'p Tree,
    built: &'p Path,
    site: &'p mut SiteModel,
    /// The documents that have a page.
    known: HashSet<String>,
}

impl Pages<'_> {
    /// Maps what the generator makes, as far as it was written.
    fn add_known(&mut self, old: &Routes) {
        for (source, url) in old.pages() {
            if let Some(page) = served(self.output, url) {
                add_page(self.site, self.built, source, &page);
                self.known.insert(source.to_owned());
            }
        }
        // What is copied.
        for (path, output) in old.outputs() {
            if let Output::Source(source) = output
                && !self.known.contains(&**source)
                && self.output.has_file(path)
            {
                let file = path_of(self.built, path);
                self.site.routes.add_file(source, path);
                self.site.routes.add_file(&file, path);
                self.site.names.insert(("built", source.clone()), file.into());
            }
        }
    }

    /// Maps documents and files to what was written with the same path.
    fn add_by_path(&mut self, tree: &Tree, directory: &str, without: Option<&str>) {
        let is_source = |path: &&str| without.is_none_or(|without| path_below(path, without).is_none());
        let below = || {
            tree.below(directory)
                .filter(is_source)
                .filter_map(|path| Some((path, path_below(path, directory)?)))
        };
        // How often a beginning of the paths is left out.
        let mut beginnings: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, inside) in below().filter(|(path, _)| is_document(path)) {
            let name = name_of(split_ending(inside).0);
            if matches!(name, "index" | "README" | "_index" | "readme") {
                continue;
            }
            for beginning in beginnings_of(inside) {
                let rest = path_below(inside, beginning).unwrap_or(inside);
                let is_usual = beginning.is_empty() || LEFT_OUT.contains(&beginning) || rest.contains('/');
                if is_usual && page_of_stem(self.output, split_ending(rest).0).is_some() {
                    *beginnings.entry(beginning).or_default() += 1;
                }
            }
        }
        let mut beginnings: Vec<(&str, usize)> = beginnings.into_iter().collect();
        beginnings.sort_by_key(|(beginning, count)| (std::cmp::Reverse(*count), beginning.len()));
        let mut beginnings: Vec<&str> = beginnings.into_iter().map(|(beginning, _)| beginning).collect();
        if beginnings.is_empty() {
            beginnings.extend([""].into_iter().chain(LEFT_OUT));
        }
        for (path, inside) in below() {
            for beginning in &beginnings {
                let Some(rest) = path_below(inside, beginning) else { continue };
                if is_document(path)
                    && let Some(page) = page_of_stem(self.output, split_ending(rest).0)
                {
                    add_page(self.site, self.built, path, &page);
                    self.known.insert(path.to_owned());
                    break;
                }
                if self.output.has_file(rest) {
                    let file = path_of(self.built, rest);
                    self.site.routes.add_file(path, rest);
                    self.site.routes.add_file(&file, rest);
                    self.site.names.insert(("built", path.into()), file.into());
                    break;
                }
            }
        }
    }
}

/// Returns the beginnings of a path that can be left out: "", "docs", "docs/guide" of "docs/guide/a.md".
fn beginnings_of(inside: &str) -> impl Iterator<Item = &str> {
    let ends = inside.match_indices('/').map(|(at, _)| &inside[..at]);
    std::iter::once("").chain(ends).take(6)
}

/// Returns the page that a server finds for a path of a URL.
fn served(output: &Tree, url: &str) -> Option<String> {
    let own = output_of(url);
    let inside = url.trim_matches('/');
    let others = [inside.to_owned(), joined(inside, "index.html"), format!("{inside}.html")];
    std::iter::once(own).chain(others).find(|path| output.has_file(path))
}

/// Returns the page of a document by its path without its ending, as generators write names.
fn page_of_stem(output: &Tree, stem: &str) -> Option<String> {
    let (directory, name) = (parent(stem), name_of(stem));
    let without_number = |name: &str| {
        let rest = name.trim_start_matches(|one: char| one.is_ascii_digit());
        let rest =
            if rest.len() < name.len() { rest.strip_prefix(['-', '_', '.']).unwrap_or(name) } else { name };
        rest.trim_start().to_owned()
    };
    let stems = [
        stem.to_owned(),
        stem.to_lowercase().replace(' ', "-"),
        stem.split('/').map(without_number).collect::<Vec<_>>().join("/"),
    ];
    if matches!(name, "index" | "README" | "_index" | "readme" | "Index") {
        let index = joined(directory, "index.html");
        let lower = joined(&directory.to_lowercase(), "index.html");
        return [index, lower, format!("{stem}.html")].into_iter().find(|path| output.has_file(path));
    }
    let mut candidates = stems
        .iter()
        .flat_map(|stem| [format!("{stem}.html"), joined(stem, "index.html"), format!("{stem}.htm")]);
    candidates.find(|path| output.has_file(path))
}

/// How the generator writes links, seen in its pages.
#[derive(Debug, Default)]
struct Written {
    /// How many references of pages begin with "/", by their first name, "" if what follows is on the site without it.
    bases: HashMap<String, usize>,
    /// How many references of pages are paths of documents: `a.md`.
    documents: usize,
}

impl Written {
    /// Reads pages of documents, and some others if there are none.
    fn read(tree: &Tree, output: &Tree, site: &SiteModel, built: &Path) -> Self {
        let mut written = Self::default();
        let own = tree.files().filter_map(|path| site.names.get(&("built", path.into())));
        let own: Vec<_> =
            own.filter(|path| path.ends_with(".html")).take(MOST_READ).map(|path| path.to_string()).collect();
        let others = output
            .files()
            .filter(|path| path.ends_with(".html"))
            .take(MOST_READ)
            .map(|path| path_of(built, path));
        let pages: Vec<String> = if own.is_empty() { others.collect() } else { own };
        for page in pages {
            let mut references = References::default();
            let file = File::open(&page);
            let read = file.and_then(|mut file| {
                Finder::new().find_seekable(&Document::new(Format::Html), &mut file, &mut references)
            });
            if read.is_err() {
                continue;
            }
            for reference in references.0 {
                written.add(output, &reference);
            }
        }
        written
    }

    fn add(&mut self, output: &Tree, reference: &str) {
        let path = decoded(reference.split(['?', '#']).next().unwrap_or_default()).into_owned();
        if has_scheme(&path) || path.starts_with("//") {
            return;
        }
        if path.ends_with(".md") || path.ends_with(".mdx") {
            self.documents += usize::from(!output.has_file(path.trim_start_matches(['.', '/'])));
        }
        let Some(inside) = path.strip_prefix('/').filter(|inside| !inside.is_empty()) else { return };
        if served(output, &path).is_some() {
            *self.bases.entry(String::new()).or_default() += 1;
        }
        for (at, _) in inside.match_indices('/').take(3) {
            let (base, rest) = inside.split_at(at);
            if served(output, rest).is_some() {
                *self.bases.entry(format!("/{base}")).or_default() += 1;
            }
        }
    }

    /// Sets what was seen.
    fn set_rules(&self, site: &mut SiteModel, is_known: bool) {
        let count = |base: &str| self.bases.get(base).copied().unwrap_or_default();
        let best = self.bases.iter().max_by_key(|(base, count)| (**count, std::cmp::Reverse(base.len())));
        if let Some((base, _)) =
            best.filter(|(base, found)| **found > count(&site.base) && **base != site.base)
        {
            site.base.clone_from(base);
        }
        if is_known {
            return;
        }
        let step = |from, endings| SourceStep { from, endings, added: &[""], any_file: false };
        let documents: &[&str] = &[".md", ".mdx", ".markdown", ".rst", ".adoc", ".ipynb", ".org"];
        let mut rule = LinkRule { base: BaseUse::AddedOnce, ..LinkRule::default() };
        if self.documents == 0 {
            rule.sources = vec![step(Origin::Document, documents), step(Origin::RootedContent, documents)];
        }
        // Pictures are copied or renamed.
        rule.sources.push(super::bundler::pictures());
        site.component = rule.clone();
        site.markdown = rule;
    }
}

/// Receives the references of a page.
#[derive(Default)]
struct References(Vec<String>);

impl Sink for References {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        if self.0.len() >= MOST_LINKS {
            return ControlFlow::Break(());
        }
        self.0.push(link.url().to_owned());
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics has failed")]
mod tests {
    use super::super::model::{LinkForm, SiteLink};
    use super::super::resolve::{State, judge};
    use super::*;

    /// Writes files into a new directory.
    fn directory(files: &[(&str, &str)]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = directory.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        directory
    }

    fn state(site: &SiteModel, tree: &Tree, document: &str, written: &str) -> String {
        let link = SiteLink { document, tree, written, form: LinkForm::Markup };
        match judge(site, &link).map(|judgement| judgement.state) {
            Some(State::Source { file, .. }) => {
                let page = site.page_of(&file).unwrap_or(&file);
                Path::new(page).file_name().unwrap().to_string_lossy().into_owned()
            }
            Some(State::Dead(_)) => "dead".to_owned(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn documents_are_mapped_by_their_paths() {
        let directory = directory(&[
            ("docs/guide/a.md", ""),
            ("docs/guide/README.md", ""),
            ("docs/guide/b.md", ""),
            ("docs/img/x.png", ""),
            ("docs/orphan.md", ""),
            ("README.md", ""),
            ("public/index.html", "<a href=/base/guide/a/>a</a><link href=/base/x.css>"),
            ("public/x.css", ""),
            ("public/guide/index.html", ""),
            ("public/guide/a/index.html", "<a href=../b/>b</a> <a href=/base/tags/>"),
            ("public/guide/b/index.html", "<h2 id=c>c</h2>"),
            ("public/tags/index.html", ""),
            ("public/img/x.png", ""),
        ]);
        let tree = Tree::open(directory.path());
        let site = read(&tree, &directory.path().join("public"), "", None);
        assert_eq!(site.base, "/base");
        assert_eq!(site.routes.url_of("docs/guide/a.md"), Some("/guide/a/"));
        assert_eq!(site.routes.url_of("docs/guide/README.md"), Some("/guide/"));
        for (written, expected) in [
            ("b.md", "index.html"),
            ("b.md#c", "index.html"),
            ("../b/", "index.html"),
            ("/base/tags/", "index.html"),
            ("/tags/", "index.html"),
            ("/base/none/", "dead"),
            ("../none/", "dead"),
            ("../../img/x.png", "x.png"),
        ] {
            assert_eq!(state(&site, &tree, "docs/guide/a.md", written), expected, "{written}");
        }
    }

    #[test]
    fn links_that_pages_have_as_they_are_written_are_urls() {
        let directory = directory(&[
            ("content/a.md", "[b](b.md)"),
            ("content/b.md", ""),
            ("dist/a.html", "<a href=b.md>b</a>"),
            ("dist/b.html", ""),
        ]);
        let tree = Tree::open(directory.path());
        let site = read(&tree, &directory.path().join("dist"), "content", None);
        assert_eq!(state(&site, &tree, "content/a.md", "b.md"), "dead");
        assert_eq!(state(&site, &tree, "content/a.md", "b.html"), "b.html");
    }
}
