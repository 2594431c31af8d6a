//! Documentation sites: what a link in a source file means on the published site, and whether the site has that.
//!
//! A repository is read once ([`SiteTree`]): the names of its files, and each site that a configuration in it describes, as a
//! map of URLs to files. A document belongs to the nearest site whose content root holds it; a document of no site is read
//! where its file is shown. `model` has the one shape of all generators, `resolve` judges links by it, and each generator
//! is a file of its own, with a line in [`GENERATORS`].
//!
//! A site that can have pages which nothing in the tree tells is *open* there: what is missing is unknown then. Doubt is not
//! death, either: if over half of the links of one form miss, the form is not understood ([`SiteTree::is_doubtful`]).

mod antora;
mod asciidoctor;
mod base;
pub(crate) mod built;
mod bundler;
pub(crate) mod configuration;
mod docfx;
mod docs_builder;
mod docsify;
mod docusaurus;
mod eleventy;
pub(crate) mod front_matter;
mod gatsby;
mod gitbook;
mod given;
mod glob;
mod hexo;
mod hugo;
mod javascript;
mod jekyll;
mod mdbook;
mod mkdocs;
pub(crate) mod model;
mod nextra;
mod program;
mod python;
mod redirect_pattern;
mod redirects;
pub(crate) mod resolve;
mod sphinx;
mod starlight;
mod suggest;
pub(crate) mod tree;
pub(crate) mod value;
mod vitepress;
mod vuepress;
mod wiki;
mod workflow;
mod zola;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub use self::given::{BuiltSite, FoundSite, GivenSite, UnreadForm};
use self::model::{DoubtForm, Found, Generator, Headings, SiteLink, SiteModel};
use self::resolve::{DeadLink, Judgement, State};
pub(crate) use self::suggest::SiteSuggestion;
use self::suggest::{OwnedForm, SiteIndex};
use self::tree::{Tree, joined, name_of, parent};
use crate::anchors::hash;

/// The generators that are known. In a directory with the configurations of several, a link is alive if it is for one.
static GENERATORS: [&Generator; 26] = [
    &antora::ANTORA,
    &asciidoctor::ASCIIDOCTOR,
    &docusaurus::DOCUSAURUS,
    &hugo::HUGO,
    &jekyll::JEKYLL,
    &mdbook::MDBOOK,
    &mkdocs::MKDOCS,
    &docfx::DOCFX,
    &docs_builder::DOCS_BUILDER,
    &docsify::DOCSIFY,
    &eleventy::ELEVENTY,
    &gatsby::GATSBY,
    &gitbook::GITBOOK,
    &gitbook::HONKIT,
    &hexo::HEXO,
    &nextra::NEXT,
    &nextra::NEXTRA,
    &sphinx::SPHINX,
    &sphinx::SPHINX_DIRHTML,
    &starlight::ASTRO,
    &starlight::STARLIGHT,
    &vitepress::VITEPRESS,
    &vuepress::VUEPRESS,
    &wiki::GITHUB_WIKI,
    &wiki::GITLAB_WIKI,
    &zola::ZOLA,
];

/// Returns the names of the generators that are known, for `--site NAME=DIR`.
///
/// ```
/// assert!(locator_links::site_generators().any(|name| name == "mkdocs"));
/// ```
pub fn site_generators() -> impl Iterator<Item = &'static str> {
    GENERATORS.iter().map(|generator| generator.name)
}

/// The sites of all repositories that documents are in.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    /// By the directories of documents.
    known: Mutex<HashMap<PathBuf, Option<Arc<SiteTree>>>>,
    /// By their roots.
    trees: Mutex<HashMap<PathBuf, Arc<SiteTree>>>,
}

impl Sites {
    /// Returns the sites of the repository that a document is in. `scope_of` says where that begins, by the directory of the
    /// document; it is `None` if nothing does, so that only the directory itself counts, if it has a configuration.
    pub(crate) fn of(
        &self,
        document: &Path,
        named: &[GivenSite],
        built: &[BuiltSite],
        scope_of: impl FnOnce(&Path) -> Option<PathBuf>,
    ) -> Option<Arc<SiteTree>> {
        let directory = document.parent()?;
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(directory) {
            return known.clone();
        }
        let root = scope_of(directory).or_else(|| has_configuration(directory).then(|| directory.to_owned()));
        let found = root.map(|root| {
            let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
            let read = || Arc::new(SiteTree::read(&root, named, built));
            Arc::clone(trees.entry(root.clone()).or_insert_with(read))
        });
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(directory.to_owned(), found.clone());
        found
    }

    /// Returns the trees in the order of their roots.
    pub(crate) fn trees(&self) -> Vec<Arc<SiteTree>> {
        let trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<_> = trees.values().map(Arc::clone).collect();
        all.sort_by(|one, other| one.tree.root().cmp(other.tree.root()));
        all
    }
}

/// Returns whether a directory has a file by which a generator is recognised.
fn has_configuration(directory: &Path) -> bool {
    let mut names = GENERATORS.iter().flat_map(|generator| generator.configurations);
    names.any(|name| directory.join(name).is_file())
}

/// The files of a repository, and the sites in it.
#[derive(Debug, Default)]
pub(crate) struct SiteTree {
    tree: Tree,
    sites: Vec<SiteModel>,
    /// The sites whose content root is a directory.
    roots: HashMap<String, Vec<usize>>,
    /// The sites whose configuration is in a directory.
    homes: HashMap<String, Vec<usize>>,
    /// The sites that the user named.
    named: HashSet<usize>,
    /// The names of the pages of all books.
    book_pages: OnceLock<HashSet<String>>,
    /// The files of the tree, by the hashes of their names.
    by_name: OnceLock<HashMap<u64, Vec<u32>>>,
    /// The pages that a workflow copies to elsewhere.
    copied: OnceLock<HashSet<String>>,
    /// The sites that documents which were read are of.
    visited: Mutex<BTreeSet<usize>>,
    /// How many links of each form there are, by their sites.
    counts: Mutex<HashMap<(usize, DoubtForm), FormCount>>,
    /// The names on sites with dead links.
    indexes: Mutex<HashMap<usize, SiteIndex>>,
}

/// How many links of a form there are, and how many of them lead nowhere.
#[derive(Clone, Debug, Default)]
struct FormCount {
    links: u64,
    misses: u64,
    /// Documents with misses, as many as are needed.
    documents: Vec<Box<str>>,
    example: Box<str>,
}

/// The fewest misses that say that a form is not understood, and the fewest documents that have them.
const FEWEST_MISSES: u64 = 20;
const FEWEST_DOCUMENTS: usize = 3;

impl FormCount {
    fn is_doubtful(&self) -> bool {
        self.misses >= FEWEST_MISSES
            && self.documents.len() >= FEWEST_DOCUMENTS
            && self.misses * 2 > self.links
    }
}

/// The number of no site: the tree alone says where a link leads.
pub(crate) const NO_SITE: usize = usize::MAX;

/// What a site says of a link.
#[derive(Clone, Debug)]
pub(crate) struct OnSite {
    /// Which site of the tree.
    pub(crate) site: usize,
    pub(crate) judgement: Judgement,
    /// How the link is written, if another reference may be better.
    pub(crate) form: Option<OwnedForm>,
}

impl OnSite {
    fn new(site: usize, judgement: Judgement, form: model::LinkForm<'_>) -> Self {
        let is_good = judgement.redirects.is_empty() && !matches!(judgement.state, State::Dead(_));
        Self { site, form: (!is_good).then(|| OwnedForm::new(form)), judgement }
    }
}

impl SiteTree {
    /// Reads the files below a directory, and the sites among them.
    pub(crate) fn read(root: &Path, named: &[GivenSite], built: &[BuiltSite]) -> Self {
        let mut all = Self { tree: Tree::open(root), ..Self::default() };
        all.find_named(named);
        all.find_sites();
        all.find_built(built);
        all
    }

    /// Adds the sites that the user named.
    fn find_named(&mut self, named: &[GivenSite]) {
        for GivenSite { generator, directory } in named {
            let Some(generator) = GENERATORS.iter().find(|own| own.name == *generator) else { continue };
            let Some(directory) = self.path_of(directory) else { continue };
            let configuration = self.tree.first_file(&directory, generator.configurations);
            let found =
                Found { tree: &self.tree, directory: &directory, configuration: configuration.as_deref() };
            if let Some(mut site) = (generator.read)(&found) {
                redirects::add_of_hosts(&mut site, &found);
                self.named.insert(self.sites.len());
                self.add(site);
            }
        }
    }

    /// Adds the sites whose configurations are in the tree.
    fn find_sites(&mut self) {
        let mut by_name: HashMap<&str, Vec<(usize, usize, &str)>> = HashMap::new();
        for (number, generator) in GENERATORS.iter().enumerate() {
            for (rank, configuration) in generator.configurations.iter().enumerate() {
                by_name.entry(name_of(configuration)).or_default().push((number, rank, configuration));
            }
        }
        // Of the configurations of one generator in one directory the first of its list counts.
        let mut found: HashMap<(&str, usize), (usize, &str)> = HashMap::new();
        for path in self.tree.files() {
            for &(number, rank, configuration) in by_name.get(name_of(path)).into_iter().flatten() {
                let Some(before) = path.strip_suffix(configuration) else { continue };
                let directory = before.strip_suffix('/').unwrap_or(before);
                if !(before.is_empty() || before.ends_with('/')) {
                    continue;
                }
                let best = found.entry((directory, number)).or_insert((rank, path));
                if rank < best.0 {
                    *best = (rank, path);
                }
            }
        }
        let mut found: Vec<_> =
            found.into_iter().map(|((directory, number), (_, path))| (directory, number, path)).collect();
        found.sort_unstable();
        let read = found.into_iter().filter_map(|(directory, number, path)| {
            let generator = GENERATORS.get(number)?;
            // `sphinx-dirhtml` is Sphinx, too.
            let is_same = |own: &str| {
                own.strip_prefix(generator.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
            };
            let is_known =
                self.sites.iter().any(|site| is_same(site.generator.name) && site.directory == directory);
            if is_known || self.tree.is_ignored(path) {
                return None;
            }
            let found = Found { tree: &self.tree, directory, configuration: Some(path) };
            let mut site = (generator.read)(&found)?;
            redirects::add_of_hosts(&mut site, &found);
            Some(site)
        });
        let read: Vec<_> = read.collect();
        read.into_iter().for_each(|site| self.add(site));
    }

    /// Replaces sites by what their builds wrote.
    fn find_built(&mut self, built: &[BuiltSite]) {
        for BuiltSite { directory, output } in built {
            let Some(directory) = self.path_of(directory) else { continue };
            let key = |site: &SiteModel| (site.generator.name, site.directory.clone());
            let named: HashSet<_> =
                self.named.iter().filter_map(|site| self.sites.get(*site)).map(key).collect();
            let mut sites = std::mem::take(&mut self.sites);
            let mut below =
                sites.iter().filter(|site| tree::path_below(&site.directory, &directory).is_some());
            // The site in the directory, or the only one below it.
            let only = below.next().filter(|_| below.next().is_none()).map(key);
            let own = sites.iter().find(|site| site.directory == directory).map(key).or(only);
            let at = own.and_then(|own| sites.iter().position(|site| key(site) == own));
            let known = at.map(|at| sites.remove(at));
            let home = known.as_ref().map_or(directory.clone(), |site| site.directory.clone());
            sites.retain(|site| site.directory != home);
            let site = built::read(&self.tree, output, &home, known);
            self.roots.clear();
            self.homes.clear();
            self.named.clear();
            for site in sites.into_iter().chain([site]) {
                if site.is_built || named.contains(&key(&site)) {
                    self.named.insert(self.sites.len());
                }
                self.add(site);
            }
        }
    }

    fn add(&mut self, site: SiteModel) {
        let number = self.sites.len();
        for root in &site.content {
            let sites = self.roots.entry(root.directory.clone()).or_default();
            if !sites.contains(&number) {
                sites.push(number);
            }
        }
        self.homes.entry(site.directory.clone()).or_default().push(number);
        self.sites.push(site);
    }

    /// Returns the path of a file in the tree, with "/" between names.
    pub(crate) fn path_of(&self, path: &Path) -> Option<String> {
        let below = path.strip_prefix(self.tree.root()).ok()?;
        let mut found = String::new();
        for component in below.components() {
            let Component::Normal(name) = component else { return None };
            found = joined(&found, name.to_str()?);
        }
        Some(found)
    }

    /// Returns the path of a file of the tree on this machine.
    pub(crate) fn path_in(&self, path: &str) -> PathBuf {
        self.tree.root().join(path)
    }

    /// Returns the sites that a document is in: those of the nearest content root.
    fn sites_of(&self, document: &str) -> &[usize] {
        nearest(&self.roots, document)
    }

    /// Notes that a document is read, whose links are put to its sites.
    pub(crate) fn visit(&self, document: &Path) {
        let Some(path) = self.path_of(document) else { return };
        let mut visited = self.visited.lock().unwrap_or_else(PoisonError::into_inner);
        visited.extend(self.sites_of(&path));
    }

    /// Returns how the headings of a document get their ids; `None` if it is of no site.
    pub(crate) fn headings(&self, document: &Path) -> Option<Headings> {
        let path = self.path_of(document)?;
        let site = self.sites_of(&path).first()?;
        self.sites.get(*site).map(|site| Headings { is_of_site: true, ..site.headings })
    }

    /// Judges a link of a document; `None` if no site has a say in it.
    pub(crate) fn judge(&self, document: &Path, written: &str, form: model::LinkForm<'_>) -> Option<OnSite> {
        let document = self.path_of(document)?;
        let link = SiteLink { document: &document, tree: &self.tree, written, form };
        let sites = self.sites_of(&document).iter();
        let judged = sites.filter_map(|&site| {
            let judgement = resolve::judge(self.sites.get(site)?, &link)?;
            Some(OnSite::new(site, judgement, form))
        });
        let best = judged.min_by_key(|found| rank(&found.judgement.state));
        if let Some(found) = &best {
            self.count(found, &link);
        }
        let of_site = best.or_else(|| self.judge_label(&link)).or_else(|| self.judge_elsewhere(&link));
        of_site.or_else(|| self.judge_by_tree(&link))
    }

    /// Judges a path from the root of a site whose generator is not known: a file with this path in a directory around the
    /// document, of which the page can be made. Only what is there is known.
    fn judge_by_tree(&self, link: &SiteLink<'_>) -> Option<OnSite> {
        const BELOW: [&str; 11] = [
            "",
            "public",
            "static",
            "source",
            "src",
            "content",
            "docs",
            "pages",
            "src/pages",
            "src/content",
            "site",
        ];
        const ADDED: [&str; 13] = [
            "",
            ".md",
            ".mdx",
            "/index.md",
            "/index.mdx",
            "/README.md",
            ".html",
            "/index.html",
            ".html.md",
            ".html.erb",
            ".html.md.erb",
            ".html.haml",
            ".html.slim",
        ];
        let is_attribute = matches!(link.form, model::LinkForm::Html { attribute: "href" | "src", .. });
        let path = resolve::decoded(link.path());
        let is_rooted = path.starts_with('/') && !path.starts_with("//");
        if !is_rooted || !is_attribute && link.form != model::LinkForm::Markup {
            return None;
        }
        let inside = tree::resolved("", path.trim_start_matches('/').trim_end_matches('/'))?;
        let stem = inside.strip_suffix(".html").unwrap_or(&inside);
        let mut directory = parent(link.document);
        loop {
            let around = BELOW.iter().map(|below| joined(directory, below));
            let mut candidates = around.flat_map(|around| {
                let of_stem = joined(&around, stem);
                ADDED.iter().map(move |added| format!("{of_stem}{added}"))
            });
            let exact = joined(directory, &inside);
            let found = Some(exact).filter(|path| self.tree.has_file(path));
            let found =
                found.or_else(|| candidates.find(|path| self.tree.has_file(path.trim_start_matches('/'))));
            if let Some(file) = found {
                let file = file.trim_start_matches('/').to_owned();
                let route = vec![format!("file: {file}, by its path in \"{directory}\"")];
                let fragment = link.written.split_once('#').map(|(_, fragment)| fragment.to_owned());
                let state = State::Source { file, fragment };
                let judgement = Judgement {
                    state,
                    form: DoubtForm::Rooted,
                    redirects: Vec::new(),
                    redirected_from: String::new(),
                    route,
                    is_meant: false,
                };
                return Some(OnSite { site: NO_SITE, judgement, form: None });
            }
            if directory.is_empty() {
                return None;
            }
            directory = parent(directory);
        }
    }

    /// Judges an absolute URL of a site of the tree; `None` if it is of none. Any document may have it.
    pub(crate) fn judge_url(&self, document: &Path, url: &str, form: model::LinkForm<'_>) -> Option<OnSite> {
        let (scheme, rest) = url.split_once("://")?;
        let is_web = ["http", "https"].iter().any(|own| scheme.eq_ignore_ascii_case(own));
        let (authority, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let path = rest.split(['?', '#']).next().unwrap_or_default();
        let document = self.path_of(document)?;
        let link = SiteLink { document: &document, tree: &self.tree, written: url, form };
        let judged = self.sites.iter().enumerate().filter(|_| is_web).filter_map(|(number, site)| {
            let inside = site.inside_of_url(authority, path)?;
            let judgement = resolve::look_up_url(site, &link, inside);
            Some((inside.len(), OnSite::new(number, judgement, form)))
        });
        // The site with the longest base is the nearest.
        let (_, found) = judged.min_by_key(|(length, found)| (rank(&found.judgement.state), *length))?;
        self.count(&found, &link);
        Some(found)
    }

    /// Returns the better reference for a link that is dead on its site or goes through redirects of it.
    pub(crate) fn suggest(&self, document: &Path, written: &str, found: &OnSite) -> Option<SiteSuggestion> {
        let document = self.path_of(document)?;
        let (site, form) = (self.sites.get(found.site)?, found.form.as_ref()?.as_form());
        let link = SiteLink { document: &document, tree: &self.tree, written, form };
        let judgement = &found.judgement;
        match &judgement.state {
            State::Source { file, .. } => suggest::for_redirect(site, &link, file, &judgement.redirects),
            State::Dead(dead) => {
                let mut indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
                let index = indexes.entry(found.site).or_insert_with(|| SiteIndex::new(site));
                suggest::for_dead(site, index, &link, dead)
            }
            _ => None,
        }
    }

    /// Returns whether another reference in place of a link leads somewhere on its site.
    pub(crate) fn is_alive(&self, document: &Path, written: &str, found: &OnSite) -> bool {
        let (Some(document), Some(site), Some(form)) =
            (self.path_of(document), self.sites.get(found.site), &found.form)
        else {
            return false;
        };
        let link = SiteLink { document: &document, tree: &self.tree, written, form: form.as_form() };
        let judged = resolve::judge(site, &link);
        judged.is_none_or(|judged| !matches!(judged.state, State::Dead(_)))
    }

    /// Judges a label of a project of Sphinx in a document outside of it, which one of the project includes: a change log.
    fn judge_label(&self, link: &SiteLink<'_>) -> Option<OnSite> {
        let name = link.written.strip_prefix('#').unwrap_or(link.written);
        let is_name =
            matches!(link.form, model::LinkForm::Markup) && !name.is_empty() && !name.contains([':', '#']);
        let key = || ("label", Box::from(name.to_lowercase()));
        let mut sites = self.sites.iter().enumerate().filter(|_| is_name);
        sites.find_map(|(number, site)| {
            let place = site.names.get(&key())?.to_string();
            let route = vec![format!("label: {name} in {place}")];
            let judgement = Judgement {
                state: State::Place(place),
                form: DoubtForm::Special,
                redirects: Vec::new(),
                redirected_from: String::new(),
                route,
                is_meant: false,
            };
            Some(OnSite { site: number, judgement, form: None })
        })
    }

    /// Judges a path from the root of the site in a file that is in its directory, but not one of its documents: a layout, a
    /// style sheet. Only what is there is known.
    fn judge_elsewhere(&self, link: &SiteLink<'_>) -> Option<OnSite> {
        if !link.written.starts_with('/') || matches!(link.form, model::LinkForm::Markup) {
            return None;
        }
        nearest(&self.homes, link.document).iter().find_map(|&site| {
            let judgement = resolve::look_up_rooted(self.sites.get(site)?, link)?;
            matches!(judgement.state, State::Source { .. } | State::Made)
                .then(|| OnSite::new(site, judgement, link.form))
        })
    }

    /// Counts a link for the doubt about its form.
    fn count(&self, found: &OnSite, link: &SiteLink<'_>) {
        let OnSite { site, judgement, form: _ } = found;
        let is_miss = match &judgement.state {
            // A path of a document is understood everywhere.
            State::Dead(DeadLink { is_file_path: true, .. }) => return,
            State::Dead(_) => true,
            State::Source { .. } | State::Place(_) | State::Made => false,
            State::Unknown(_) | State::Outside | State::Template => return,
        };
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry((*site, judgement.form)).or_default();
        count.links += 1;
        if is_miss {
            count.misses += 1;
            if count.example.is_empty() {
                count.example = link.written.into();
            }
            if count.documents.len() < FEWEST_DOCUMENTS
                && !count.documents.iter().any(|own| **own == *link.document)
            {
                count.documents.push(link.document.into());
            }
        }
    }

    /// Returns whether over half of the links of a form miss on a site, so that they are not understood.
    pub(crate) fn is_doubtful(&self, site: usize, form: DoubtForm) -> bool {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let is_built = self.sites.get(site).is_some_and(|site| site.is_built);
        !is_built && counts.get(&(site, form)).is_some_and(FormCount::is_doubtful)
    }

    /// Returns why a page with this name may be published beside a document that is of no site: it is that of a chapter of a
    /// book, or the document is of a book without a configuration.
    pub(crate) fn published_beside(&self, document: &Path, name: &str) -> Option<String> {
        let document = self.path_of(document)?;
        if !self.sites_of(&document).is_empty() {
            return None;
        }
        let mut directory = parent(&document);
        while !directory.is_empty() {
            if self.tree.has_file(&joined(directory, "SUMMARY.md")) {
                return Some(format!("{directory} has a SUMMARY.md, by which a book is made"));
            }
            directory = parent(directory);
        }
        let is_page = self.book_pages.get_or_init(|| self.names_of_book_pages()).contains(name);
        is_page.then(|| "a book of the repository has a page with this name".to_owned())
    }

    /// Returns the names of the pages of all books.
    fn names_of_book_pages(&self) -> HashSet<String> {
        let books = self.sites.iter().filter(|site| site.generator.name == "mdbook");
        books.flat_map(|site| site.routes.outputs()).map(|(path, _)| name_of(path).to_owned()).collect()
    }

    /// Returns the directory from which a path leads to a file, other than the one that the document says: for `a/b.png` it is
    /// `images` if there is `images/a/b.png`.
    pub(crate) fn directory_with(&self, inside: &str) -> Option<String> {
        let inside = tree::resolved("", inside).filter(|inside| !inside.is_empty())?;
        let before = |path: &str| {
            let directory = path.strip_suffix(&*inside)?.strip_suffix('/')?;
            Some(directory.to_owned())
        };
        self.named_like(name_of(&inside)).find_map(before)
    }

    /// Returns the source of a page in another directory, by the name of the page alone: `docs/guide.adoc` for `guide.html`.
    pub(crate) fn source_elsewhere(&self, page: &str) -> Option<&str> {
        const SOURCES: [&str; 7] = ["adoc", "asciidoc", "md", "rst", "org", "mdx", "xml"];
        let stem = page.strip_suffix(".html").or_else(|| page.strip_suffix(".htm"))?;
        if stem.contains('/') || matches!(stem, "" | "index" | "README" | "readme") {
            return None;
        }
        SOURCES.iter().find_map(|ending| self.named_like(&format!("{stem}.{ending}")).next())
    }

    /// Returns the file with the same name in a directory beside that of a path, which exists: `a/b/x.md` for `a/c/x`.
    pub(crate) fn beside(&self, path: &Path) -> Option<&str> {
        let path = self.path_of(path)?;
        let directory = parent(&path);
        if directory.is_empty() || !self.tree.has_directory(directory) {
            return None;
        }
        let is_beside =
            |other: &&str| parent(parent(other)) == parent(directory) && parent(other) != directory;
        let stems =
            [format!("{}.md", name_of(&path)), format!("{}.mdx", name_of(&path)), name_of(&path).to_owned()];
        stems.iter().find_map(|name| self.named_like(name).find(is_beside))
    }

    /// Returns the paths of all files of the tree.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.tree.files()
    }

    /// Returns the text of a file of the tree; `None` if it is too large.
    pub(crate) fn text_of(&self, path: &str) -> Option<String> {
        self.tree.read(path)
    }

    /// Returns the file that a document of AsciiDoc includes: by the rules of its site, relative to the document, or the only one
    /// that may be meant by a path which begins with an attribute (`{docdir}/a.adoc`).
    pub(crate) fn included(&self, document: &str, written: &str) -> Option<String> {
        let link = SiteLink { document, tree: &self.tree, written, form: model::LinkForm::Role("include") };
        let sites = self.sites_of(document).iter().filter_map(|site| self.sites.get(*site));
        let of_site = sites.filter_map(|site| match resolve::judge(site, &link)?.state {
            State::Source { file, .. } => Some(file),
            _ => None,
        });
        let beside = || tree::resolved(parent(document), written).filter(|path| self.tree.has_file(path));
        let by_end = || {
            let rest = written.rsplit_once('}')?.1.trim_start_matches('/');
            let is_end = |path: &&str| {
                path.strip_suffix(rest).is_some_and(|before| before.is_empty() || before.ends_with('/'))
            };
            let mut all = self.named_like(name_of(rest)).filter(is_end);
            let only = all.next().filter(|_| !rest.is_empty())?;
            all.next().is_none().then(|| only.to_owned())
        };
        of_site.into_iter().next().or_else(beside).or_else(by_end)
    }

    /// Returns the paths of the files with a name.
    fn named_like<'s>(&'s self, name: &str) -> impl Iterator<Item = &'s str> + use<'s> {
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name: HashMap<u64, Vec<u32>> = HashMap::new();
            for (number, path) in self.tree.files().enumerate() {
                by_name.entry(hash(name_of(path))).or_default().push(number as u32);
            }
            by_name
        });
        let name = name.to_owned();
        let numbers = by_name.get(&hash(&name)).map(Vec::as_slice).unwrap_or_default();
        let paths = numbers.iter().filter_map(|number| self.tree.file(*number as usize));
        paths.filter(move |path| name_of(path) == name)
    }

    /// Returns whether a workflow copies a page to elsewhere, so that its relative links are of there.
    pub(crate) fn is_copied(&self, document: &Path) -> bool {
        let copied = self.copied.get_or_init(|| workflow::copied_pages(&self.tree));
        !copied.is_empty() && self.path_of(document).is_some_and(|path| copied.contains(&path))
    }

    /// Returns whether the user named a site.
    pub(crate) fn is_named(&self, site: usize) -> bool {
        self.named.contains(&site)
    }

    /// Returns the name of the generator of a site, for people.
    pub(crate) fn title(&self, site: usize) -> &'static str {
        self.sites.get(site).map_or("", |site| site.generator.title)
    }

    /// Returns the sites that documents which were read are of, in the order in which they were found.
    pub(crate) fn found(&self) -> Vec<FoundSite> {
        let visited = self.visited.lock().unwrap_or_else(PoisonError::into_inner);
        let sites = visited.iter().filter_map(|site| self.sites.get(*site));
        sites
            .map(|site| FoundSite {
                generator: site.generator.title.to_owned(),
                directory: self.path_in(&site.directory),
                pages: site.routes.page_count(),
                open: site.routes.openness("/").map(str::to_owned),
            })
            .collect()
    }

    /// Returns the forms of links that are not understood, with one of the links that lead nowhere.
    pub(crate) fn unread_forms(&self) -> Vec<UnreadForm> {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let doubtful = counts.values().filter(|count| count.is_doubtful());
        let form = |count: &FormCount| UnreadForm { example: count.example.to_string(), links: count.misses };
        let mut all: Vec<_> = doubtful.map(form).collect();
        all.sort_by(|one, other| (other.links, &one.example).cmp(&(one.links, &other.example)));
        all
    }
}

/// Returns what is known of the nearest directory around a path.
fn nearest<'m>(map: &'m HashMap<String, Vec<usize>>, path: &str) -> &'m [usize] {
    let mut directory = parent(path);
    loop {
        if let Some(found) = map.get(directory) {
            return found;
        }
        if directory.is_empty() {
            return &[];
        }
        directory = parent(directory);
    }
}

/// Returns how good a result is: of several sites in one directory the best counts.
fn rank(state: &State) -> u8 {
    match state {
        State::Source { .. } | State::Place(_) | State::Made => 0,
        State::Template => 1,
        State::Unknown(_) => 2,
        State::Outside => 3,
        State::Dead(_) => 4,
    }
}
