//! The pages of the sites that the user names: which are read, in which order, and how many.
//!
//! The pages are in the order in which links lead to them, so that two runs have the same results: the links of a
//! page are followed when all pages before it are read, while the requests for those after it are on their way.

use std::collections::{HashMap, HashSet, VecDeque};

use super::graph::NodeId;
use crate::document::Page;
use crate::network::robots::Robots;
use crate::reference::origin_of;

/// How much of a site is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrawlLimits {
    /// The largest number of pages, of all sites together.
    pub pages: u64,
    /// The largest number of pages that differ only in their queries.
    pub per_path: u64,
}

impl Default for CrawlLimits {
    fn default() -> Self {
        Self { pages: 10_000, per_path: 100 }
    }
}

/// How many pages were not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnreadPages {
    /// Those after the largest number of pages.
    pub pages: u64,
    /// Those after the largest number of pages that differ only in their queries.
    pub per_path: u64,
    /// Those that are too large, compressed although that was not asked for, or only shown with a cookie.
    pub unreadable: u64,
}

/// The sites that are read, and how far that is.
#[derive(Debug, Default)]
pub struct Crawl {
    limits: CrawlLimits,
    /// The rules of each site, by its origin.
    sites: HashMap<String, Robots>,
    unread: UnreadPages,
    /// How many pages there are, and how many by their path.
    begun: u64,
    paths: HashMap<String, u64>,
    /// The pages that are read next, and all that are or were among these.
    pub(super) frontier: VecDeque<NodeId>,
    pub(super) known: HashSet<NodeId>,
    /// The pages that were read before their turn.
    pub(super) arrived: HashMap<NodeId, Page>,
}

impl Crawl {
    /// Creates a crawl of no site.
    #[must_use]
    pub fn new(limits: CrawlLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Adds the site of a page that was fetched.
    pub fn add(&mut self, url: &str, robots: Robots) {
        if let Some(origin) = origin_of(url) {
            self.begun += 1;
            self.sites.entry(origin).or_insert(robots);
        }
    }

    /// Returns whether no site is read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// Returns how many pages were not read.
    #[must_use]
    pub const fn unread(&self) -> UnreadPages {
        self.unread
    }

    /// Returns whether a URL is of no site that is read, or its site allows to fetch it.
    pub(super) fn allows(&self, url: &str) -> bool {
        self.site(url).is_none_or(|robots| robots.allows(url))
    }

    /// Returns whether the links of the page at a URL are followed, and counts it if that is so.
    pub(super) fn begins(&mut self, url: &str) -> bool {
        if !self.site(url).is_some_and(|robots| robots.allows(url)) {
            return false;
        }
        if self.begun >= self.limits.pages {
            self.unread.pages += 1;
            return false;
        }
        if let Some((path, _)) = url.split_once('?') {
            let number = self.paths.entry(path.to_owned()).or_default();
            if *number >= self.limits.per_path {
                self.unread.per_path += 1;
                return false;
            }
            *number += 1;
        }
        self.begun += 1;
        true
    }

    /// Returns whether a URL is of a site that is read.
    #[must_use]
    pub fn has(&self, url: &str) -> bool {
        self.site(url).is_some()
    }

    /// Notes that a page cannot be read.
    pub(super) const fn note_unreadable(&mut self) {
        self.unread.unreadable += 1;
    }

    /// Adds a page to those that are read, unless it is among them.
    pub(super) fn push(&mut self, id: NodeId) {
        if self.known.insert(id) {
            self.frontier.push_back(id);
        }
    }

    fn site(&self, url: &str) -> Option<&Robots> {
        if self.sites.is_empty() {
            return None;
        }
        self.sites.get(&origin_of(url)?)
    }
}
