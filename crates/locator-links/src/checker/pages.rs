//! Reads the pages of sites, follows their links, and passes them on in their order.

use std::io;

use super::memory::{Chain, NodeId, State, Wants};
use super::receiver::Receiver;
use super::state::Checker;
use crate::anchors::text::{PageText, has_directive};
use crate::document::page::fragment_of;
use crate::judge::reply::{PageBody, Reply};
use crate::site::urls::UrlId;

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
        self.want(node, Wants { text: has_directive(link), ..Wants::of_link(true, is_read) });
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

    /// Returns whether a redirect of another origin leads to a page of a site that is read, and counts the page then.
    pub(super) fn enters_site(&mut self, from: NodeId, to: NodeId, url: &str) -> bool {
        let is_of_site = self.memory.nodes.get(from).is_none_or(|node| self.crawl.has(&node.url));
        let enters = !is_of_site && !self.crawl.known.contains(&to) && self.crawl.begins(url);
        if enters {
            self.crawl.push(to);
        }
        enters
    }

    /// Returns what is wanted of a URL that another one redirects to, unless that were too many redirects. Pages of
    /// other sites are not read.
    pub(super) fn wants_after(&self, to: NodeId, wants: Wants) -> Option<Wants> {
        let node = self.memory.nodes.get(to);
        let is_of_site = node.is_some_and(|node| self.crawl.has(&node.url));
        let redirects = wants.redirects.checked_sub(1)?;
        Some(Wants { page: wants.page && is_of_site, redirects, ..wants })
    }

    /// Reads a page of a site, whose links are followed.
    pub(super) fn take_page(&mut self, id: NodeId, reply: &mut Reply) {
        let page = match reply.page.take() {
            None => return,
            Some(PageBody::Whole(page)) => page,
            Some(PageBody::Unreadable) => return self.crawl.note_unreadable(),
        };
        // The octets are in memory, so that they can be read.
        let Ok(read) = self.settler.read(&page) else { return };
        let wants_text = self.memory.nodes.get(id).is_some_and(|node| node.wants.text);
        let text = wants_text.then(|| PageText::of(page.format, &page.octets));
        reply.anchors = Some(read.anchors.with_text(text));
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
            self.deliver(&page, receiver)?;
            self.judged = 0;
        }
        Ok(())
    }
}
