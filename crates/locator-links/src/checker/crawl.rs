//! The pages of the sites that the user names: which are read, in which order, and how many.
//!
//! The pages are in the order in which links lead to them, so that two runs have the same results: the links of a
//! page are followed when all pages before it are read, while the requests for those after it are on their way.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io;

use super::{Checker, Receiver};
use crate::asking::origin_of;
use crate::memory::{Chain, NodeId, State, Wants};
use crate::page::{Page, fragment_of};
use crate::reply::{PageBody, Reply};
use crate::robots::Robots;
use crate::urls::UrlId;

/// How much of a site is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest number of pages, of all sites together.
    pub pages: u64,
    /// The largest number of pages that differ only in their queries.
    pub per_path: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { pages: 10_000, per_path: 100 }
    }
}

/// How many pages were not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unread {
    /// Those after the largest number of pages.
    pub pages: u64,
    /// Those after the largest number of pages that differ only in their queries.
    pub per_path: u64,
    /// Those that are too large.
    pub too_large: u64,
}

/// The sites that are read, and how far that is.
#[derive(Debug, Default)]
pub struct Crawl {
    limits: Limits,
    /// The rules of each site, by its origin.
    sites: HashMap<String, Robots>,
    unread: Unread,
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
    pub fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Adds the site of a page that was fetched.
    pub fn add(&mut self, url: &str, robots: Robots) {
        if let Some(origin) = origin_of(url) {
            self.begun += 1;
            self.sites.insert(origin, robots);
        }
    }

    /// Returns whether no site is read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// Returns how many pages were not read.
    #[must_use]
    pub const fn unread(&self) -> Unread {
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

    /// Notes that a page is too large.
    pub(super) const fn note_too_large(&mut self) {
        self.unread.too_large += 1;
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

impl Checker<'_, '_> {
    /// Follows the links of the pages that were read, in the order in which links lead to them.
    pub(super) fn read_on(&mut self) {
        while let Some(&id) = self.crawl.frontier.front() {
            let to = match self.memory.nodes.get(id).map(|node| &node.state) {
                Some(State::New | State::Asked) => return,
                Some(State::Redirects { to, .. }) => Some(*to),
                Some(State::Later(_)) => {
                    // It is read last, if it is there then.
                    self.crawl.known.remove(&id);
                    None
                }
                _ => None,
            };
            self.crawl.frontier.pop_front();
            let wants_page = |id: &NodeId| self.memory.nodes.get(*id).is_some_and(|node| node.wants.page);
            if let Some(page) = self.crawl.arrived.remove(&id) {
                self.take_urls();
                self.begin(&page);
                self.read.push_back(page);
            } else if let Some(to) = to.filter(wants_page)
                && self.crawl.known.insert(to)
            {
                self.crawl.frontier.push_front(to);
            }
        }
    }

    /// Asks for what another page wants to know of a URL that was met before.
    pub(super) fn begin_again(&mut self, url: usize, node: NodeId, link: &str) {
        if self.crawl.is_empty() {
            return;
        }
        let Some(wanted) = self.settler.site().urls.wanted(UrlId(url as u32)) else { return };
        let is_new = wanted.is_page && self.urls.get(url).is_some_and(|known| !known.is_page);
        let is_read = is_new && !self.crawl.known.contains(&node) && self.crawl.begins(&wanted.url);
        let has_fragment = fragment_of(link).is_some_and(|fragment| !fragment.is_empty());
        if let Some(known) = self.urls.get_mut(url) {
            *known = wanted;
        }
        if !has_fragment && !is_read {
            return;
        }
        self.want(node, Wants { anchors: true, page: is_read });
        if is_read {
            self.crawl.push(node);
        }
        // What is judged is judged again when its anchors are known.
        if let (Chain::At(_), Some(own)) = (self.memory.follow(node), self.verdicts.get_mut(url))
            && own.take().is_some()
        {
            (self.done, self.judged) = (self.done - 1, 0);
            self.advance(url);
        }
    }

    /// Returns what is wanted of a URL that another one redirects to: pages of other sites are not read.
    pub(super) fn wants_after(&self, to: NodeId, wants: Wants) -> Wants {
        let node = self.memory.nodes.get(to);
        let is_of_site = node.is_some_and(|node| self.crawl.has(&node.url));
        Wants { page: wants.page && is_of_site, ..wants }
    }

    /// Reads a page of a site, whose links are followed.
    pub(super) fn take_page(&mut self, id: NodeId, reply: &mut Reply) {
        let page = match reply.page.take() {
            None => return,
            Some(PageBody::Whole(page)) => page,
            Some(PageBody::TooLarge) => return self.crawl.note_too_large(),
        };
        // The octets are in memory, so that they can be read.
        let Ok(read) = self.settler.read(&page) else { return };
        reply.anchors = Some(read.anchors);
        self.crawl.arrived.insert(id, read.page);
        self.crawl.push(id);
    }

    /// Passes on the pages of sites whose links are all judged.
    pub(super) fn pass_on(&mut self, receiver: &mut dyn Receiver) -> io::Result<()> {
        while let Some(page) = self.read.pop_front() {
            if !self.is_judged(&page) {
                self.read.push_front(page);
                break;
            }
            let verdicts = self.page(&page);
            receiver.page(&page, &verdicts)?;
            self.judged = 0;
        }
        Ok(())
    }
}
