//! What all documents of a run share ([`Site`]): the files and URLs that links lead to, each once, and where links may
//! lead.
//!
//! `repository` knows the working tree of git that a document is in and the URLs of its files at forges; `crate::sites` which
//! sites are made of the documents.
//!
//! ```
//! use locator_links::{LinkRules, Site, UrlUse};
//!
//! let site = Site::new(LinkRules { is_private: true, ..LinkRules::default() }, None);
//! let id = site.urls.find("https://h.de/", UrlUse::default());
//! assert_eq!((&*site.urls.text(id), site.urls.len()), ("https://h.de/", 1));
//! ```

pub(crate) mod repository;

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use locator::PctStr;
use locator_find::{Document, HeadingIds};

use self::repository::{FileUrl, WorkingTree};
use crate::doubt::LinkCounts;
use crate::files::{FileId, FileKind, Files, repository_of};
use crate::outcome::Code;
use crate::redacted::debug_redacted;
use crate::reference::with_normal_host;
use crate::sites::model::Headings;
use crate::sites::{BuiltSite, FoundSite, GivenSite, SiteTree, Sites, UnreadForm};

/// How links are resolved, and which of them are kept.
#[derive(Clone, Debug, Default)]
pub struct LinkRules {
    /// The directory in which absolute paths begin.
    pub root: Option<PathBuf>,
    /// The URL of that directory: links to it are checked in the directory.
    pub published: Option<String>,
    /// Whether URLs in code are links.
    pub includes_code: bool,
    /// Whether files and servers are checked that only this machine can reach.
    pub is_private: bool,
    /// Whether links that are certainly good are kept, too.
    pub keeps_all: bool,
    /// Whether no server is asked.
    pub is_offline: bool,
    /// Whether configurations of generators of sites, which are beside the documents, are read.
    pub reads_configurations: bool,
    /// The files and directories that the user named, as absolute paths.
    pub named: Vec<PathBuf>,
    /// The sites that the user names; others are recognised by their configurations.
    pub sites: Vec<GivenSite>,
    /// The sites that were built.
    pub built: Vec<BuiltSite>,
    /// Whether documents of a site are read only there: a link is broken if the site has no such page, although the file
    /// exists.
    pub is_site_only: bool,
    /// Whether verdicts have the steps by which a site was searched.
    pub explains: bool,
}

/// A file of a working tree.
pub(crate) struct TreeFile {
    pub(crate) file: FileId,
    /// Whether the file of the branch that is meant may be another one.
    pub(crate) is_other_branch: bool,
}

/// Returns why a URL is not checked, by its text: [`Code::Excluded`] or [`Code::ExcludedByFile`].
pub type UrlFilter = Box<dyn Fn(&str) -> Option<Code> + Send + Sync>;

/// The state that the documents of a run share.
pub struct Site {
    pub(crate) rules: LinkRules,
    pub(crate) filter: Option<UrlFilter>,
    /// The files that links lead to.
    pub files: Files,
    /// The URLs that links lead to.
    pub urls: Urls,
    /// The working trees of git that documents are in, by their roots.
    trees: Mutex<HashMap<PathBuf, Arc<WorkingTree>>>,
    sites: Sites,
    /// Paths in documents of no known site.
    pub(crate) paths: LinkCounts,
    /// Fragments of headings, by the directories of the files that have the headings.
    pub(crate) fragments: LinkCounts,
    /// Files that do not exist and that the directory beside theirs has, by their directories.
    pub(crate) beside: LinkCounts,
}

impl Site {
    /// Creates a site without documents.
    #[must_use]
    pub fn new(rules: LinkRules, filter: Option<UrlFilter>) -> Self {
        let (files, urls) = (Files::default(), Urls::default());
        let published = rules.published.map(|url| with_normal_host(&url).into_owned());
        let rules = LinkRules { published, ..rules };
        let (trees, sites) = Default::default();
        let (paths, fragments, beside) = Default::default();
        Self { rules, filter, files, urls, trees, sites, paths, fragments, beside }
    }

    /// Returns the sites that documents were found to be of.
    #[must_use]
    pub fn found_sites(&self) -> Vec<FoundSite> {
        self.sites.trees().iter().flat_map(|tree| tree.found()).collect()
    }

    /// Returns the forms of links that are not understood.
    #[must_use]
    pub fn unread_forms(&self) -> Vec<UnreadForm> {
        let of_sites = self.sites.trees();
        let of_sites = of_sites.iter().flat_map(|tree| tree.unread_forms());
        of_sites.chain(self.paths.unread_forms()).chain(self.fragments.unread_forms()).collect()
    }

    /// Returns whether a file is in what the user named.
    pub(crate) fn is_named(&self, path: &Path) -> bool {
        let roots = self.rules.named.iter().chain(&self.rules.root);
        roots.into_iter().any(|root| path.starts_with(root))
    }

    /// Returns the file in the root for a path of a URL: `/a/b.html`.
    pub(crate) fn in_root(&self, path: &str) -> Option<FileId> {
        let root = self.rules.root.as_ref()?;
        Some(self.files.find(&inside(root, path)))
    }

    /// Returns the file of a working tree that a URL of a forge leads to; `None` if only the forge knows.
    pub(crate) fn in_tree(&self, root: &Path, url: &FileUrl<'_>) -> Option<TreeFile> {
        let tree = self.tree(root);
        if !tree.remotes.iter().any(|remote| url.is_of(&remote.host, &remote.project)) {
            return None;
        }
        let in_branch = |branch: &String| Some((branch.clone(), url.path_in(branch)?));
        let (branch, path) = tree.branches.iter().find_map(in_branch)?;
        let file = self.files.find(&inside(&tree.root, path));
        let decides = tree.decides(&branch);
        (self.files.kind(file) != FileKind::Missing || decides)
            .then_some(TreeFile { file, is_other_branch: !decides })
    }

    /// Returns the rule by which the headings of a file of Markdown have ids.
    #[must_use]
    pub fn heading_ids(&self, path: &Path) -> HeadingIds {
        self.headings(path).ids
    }

    /// Returns a document with the rule for the ids of its headings, if it has headings.
    pub(crate) fn with_ids(&self, document: &Document, path: Option<&Path>) -> Document {
        match path.filter(|_| document.format().is_markdown()) {
            Some(path) => document.clone().heading_ids(self.heading_ids(path)),
            None => document.clone(),
        }
    }

    /// Returns how the headings of a file of Markdown have ids: by its site, else by the forge that shows it.
    pub(crate) fn headings(&self, path: &Path) -> Headings {
        if let Some(headings) = self.site_tree(path).and_then(|tree| tree.headings(path)) {
            return headings;
        }
        let root = path.parent().and_then(repository_of);
        let ids = root.map_or_else(HeadingIds::default, |root| self.tree(&root).heading_ids());
        Headings { ids, ..Headings::default() }
    }

    /// Returns the sites of the repository that a file is in, or of the topmost directory around it that the user named.
    pub(crate) fn site_tree(&self, path: &Path) -> Option<Arc<SiteTree>> {
        if !self.rules.reads_configurations || self.files.archive_of(path).is_some() {
            return None;
        }
        self.sites.of(path, &self.rules.sites, &self.rules.built, |directory| {
            repository_of(directory).or_else(|| {
                let named = self.rules.named.iter().filter(|named| path.starts_with(named) && *named != path);
                named.min_by_key(|named| named.as_os_str().len()).cloned()
            })
        })
    }

    /// Returns the working tree at a root, which is read once.
    fn tree(&self, root: &Path) -> Arc<WorkingTree> {
        let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tree) = trees.get(root) {
            return Arc::clone(tree);
        }
        let tree = Arc::new(WorkingTree::read(root));
        trees.insert(root.to_owned(), Arc::clone(&tree));
        tree
    }

    /// Returns the file that is published at a URL.
    pub(crate) fn published(&self, url: &str) -> Option<FileId> {
        let base = self.rules.published.as_deref()?;
        let base = &base[..=base.rfind('/')?];
        let url = with_normal_host(url);
        let rest = url.strip_prefix(base)?;
        self.in_root(rest.split(['?', '#']).next().unwrap_or_default())
    }
}

/// Returns the file that a path of a URL leads to in a directory, never out of it.
pub(crate) fn inside(root: &Path, path: &str) -> PathBuf {
    let mut file = root.to_owned();
    for segment in path.split('/').map(decoded) {
        match segment.as_os_str().as_encoded_bytes() {
            b"" | b"." => {}
            b".." if file != *root => drop(file.pop()),
            b".." => {}
            _ => file.push(segment),
        }
    }
    file
}

/// Returns the name of a file in a path of a URL.
fn decoded(segment: &str) -> PathBuf {
    match PctStr::new(segment) {
        Ok(segment) => name_of(&segment.decode()),
        Err(_) => name_of(segment.as_bytes()),
    }
}

/// Returns the name with these octets. A name with a delimiter is that of no file.
#[cfg(unix)]
fn name_of(octets: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;

    let is_name = !octets.contains(&b'/');
    PathBuf::from(std::ffi::OsStr::from_bytes(if is_name { octets } else { b"\0" }))
}

/// Returns the name with these octets. A name with a delimiter is that of no file.
#[cfg(not(unix))]
fn name_of(octets: &[u8]) -> PathBuf {
    let name = String::from_utf8_lossy(octets);
    PathBuf::from(if name.contains(['/', '\\', ':']) { "\0" } else { &*name })
}

/// The number of a URL in [`Urls`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlId(pub(crate) u32);

impl UrlId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The URLs of a run.
#[derive(Default)]
pub struct Urls {
    table: Mutex<UrlTable>,
}

impl fmt::Debug for Urls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_list().entries(&table.entries).finish()
    }
}

#[derive(Default)]
struct UrlTable {
    ids: HashMap<Arc<str>, UrlId>,
    entries: Vec<WantedUrl>,
}

/// What a link says of its URL.
#[derive(Clone, Copy, Debug, Default)]
pub struct UrlUse {
    /// Whether it has a fragment.
    pub has_fragment: bool,
    /// Whether the fragment leads to a text of the page.
    pub has_text: bool,
    /// Whether the user named it.
    pub is_own: bool,
    /// Whether it leads to a page: not to an image or another part of one.
    pub is_page: bool,
}

/// A URL that is asked for.
#[derive(Clone)]
pub struct WantedUrl {
    /// The URL, without a fragment.
    pub url: Arc<str>,
    /// Whether a link to it has a fragment, so that the page is read.
    pub has_fragment: bool,
    /// Whether a link to it leads to a text of the page.
    pub has_text: bool,
    /// Whether the user named it.
    pub is_own: bool,
    /// Whether a link leads to it as a page: not as an image or another part of one.
    pub is_page: bool,
}

debug_redacted!(WantedUrl { has_fragment, has_text, is_own, is_page; url });

impl Urls {
    /// Returns the number of a URL, which is used so, too.
    pub fn find(&self, url: &str, of: UrlUse) -> UrlId {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let id = match table.ids.get(url) {
            Some(&id) => id,
            None => {
                let (id, url) = (UrlId(table.entries.len() as u32), Arc::<str>::from(url));
                table.ids.insert(Arc::clone(&url), id);
                table.entries.push(WantedUrl {
                    url,
                    has_fragment: false,
                    has_text: false,
                    is_own: false,
                    is_page: false,
                });
                id
            }
        };
        if let Some(entry) = table.entries.get_mut(id.index()) {
            entry.has_fragment |= of.has_fragment;
            entry.has_text |= of.has_text;
            entry.is_own |= of.is_own;
            entry.is_page |= of.is_page;
        }
        id
    }

    /// Returns the URLs from a number on, in the order of their numbers.
    #[must_use]
    pub(crate) fn from(&self, first: usize) -> Vec<WantedUrl> {
        let table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.entries.get(first..).unwrap_or_default().to_vec()
    }

    /// Returns what is wanted of a URL.
    pub(crate) fn wanted(&self, id: UrlId) -> Option<WantedUrl> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner).entries.get(id.index()).cloned()
    }

    /// Returns how many URLs there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.lock().unwrap_or_else(PoisonError::into_inner).entries.len()
    }

    /// Returns whether there is no URL.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the text of a URL.
    #[must_use]
    pub fn text(&self, id: UrlId) -> Arc<str> {
        let table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.entries.get(id.index()).map_or_else(|| Arc::from(""), |entry| Arc::clone(&entry.url))
    }
}
