//! Asks servers for the URLs that links lead to, and passes on the documents whose links are all judged, in their
//! order. Everything runs in one thread; [`Ask`] sends the requests, [`Host`] says how fast.

pub(crate) mod memory;

mod cached;
mod crawl;
mod endings;
mod hosts;
mod loops;
mod pages;
mod receiver;
mod requests;
mod state;

use std::io;

pub use self::crawl::{Crawl, Limits, Unread};
use self::memory::Wants;
pub use self::receiver::{End, Receiver};
pub use self::state::{Checker, Settings};
use crate::anchors::Anchors;
use crate::document::page::{FoundLink, Page, Target, fragment_of};
use crate::outcome::{Code, Outcome, Verdict};
use crate::site::urls::UrlId;

impl Checker<'_, '_> {
    /// Judges the links of documents.
    ///
    /// # Errors
    ///
    /// Returns the errors of the receiver.
    pub async fn run(&mut self, pages: &[Page], receiver: &mut dyn Receiver) -> io::Result<End> {
        self.take_urls();
        pages.iter().for_each(|page| self.begin(page));
        let (mut next, mut end) = (0, End::Complete);
        loop {
            self.send();
            self.read_on();
            while let Some(page) = pages.get(next).filter(|page| self.is_judged(page)) {
                self.deliver(page, receiver)?;
                (next, self.judged) = (next + 1, 0);
            }
            if next == pages.len() {
                self.pass_on(receiver)?;
            }
            receiver.progress(self.done, self.urls.len(), &|| self.hosts.awaited());
            if receiver.is_over() {
                self.end_early(pages.get(next..).unwrap_or_default(), receiver)?;
                return Ok(End::Interrupted);
            }
            if next == pages.len() && self.read.is_empty() && self.crawl.frontier.is_empty() {
                return Ok(end);
            }
            if !self.is_idle() {
                self.wait().await;
            } else if self.is_name_missing() && !self.asker.knows_names().await {
                self.forget_names();
            } else if self.has_no_network() {
                end = End::NoNetwork;
                self.finish(end);
            } else if !self.begin_last_tries() {
                self.finish(end);
            }
        }
    }

    fn is_idle(&self) -> bool {
        self.running.is_empty() && self.hosts.is_idle()
    }

    /// Takes the URLs of the pages that were read meanwhile.
    fn take_urls(&mut self) {
        self.urls.extend(self.settler.site().urls.from(self.urls.len()));
        self.nodes.resize(self.urls.len(), None);
        self.verdicts.resize(self.urls.len(), None);
    }

    /// Queues the URLs in the order in which documents have them.
    fn begin(&mut self, page: &Page) {
        for link in &page.links {
            if let Target::Url(UrlId(url)) = link.target {
                match self.nodes.get(url as usize).copied() {
                    Some(None) => self.begin_url(url as usize),
                    Some(Some(node)) => self.begin_again(url as usize, node, page.url(link)),
                    None => {}
                }
            }
        }
    }

    fn begin_url(&mut self, url: usize) {
        let Some(wanted) = self.urls.get(url).cloned() else { return };
        let is_for_public = !(wanted.is_own || self.may_be_private(&wanted.url));
        let node = self.node(&wanted.url, is_for_public);
        if let Some(own) = self.nodes.get_mut(url) {
            *own = Some(node);
        }
        let is_read = wanted.is_page && !self.crawl.known.contains(&node) && self.crawl.begins(&wanted.url);
        let wants = Wants::of_link(wanted.has_fragment || is_read, is_read);
        self.want(node, Wants { text: wanted.has_text, ..wants });
        if is_read {
            self.crawl.push(node);
        }
        self.advance(url);
    }

    /// Returns whether all links of a page are judged; the first `self.judged` are.
    fn is_judged(&mut self, page: &Page) -> bool {
        let is_judged = |link: &FoundLink| match link.target {
            Target::Url(UrlId(url)) => self.verdicts.get(url as usize).is_some_and(Option::is_some),
            _ => true,
        };
        let more = page.links.iter().skip(self.judged).take_while(|link| is_judged(link)).count();
        self.judged += more;
        self.judged == page.links.len()
    }

    /// Passes on a page, of whose links all that can be is known.
    fn deliver(&mut self, page: &Page, receiver: &mut dyn Receiver) -> io::Result<()> {
        let verdicts: Vec<_> = page.links.iter().map(|link| self.verdict(page, link)).collect();
        receiver.page(page, &verdicts)
    }

    fn verdict(&mut self, page: &Page, link: &FoundLink) -> Verdict {
        match &link.target {
            Target::Known(verdict) => (**verdict).clone(),
            Target::File(file) => self.settler.verdict(page, link, *file),
            Target::Forge { file, is_other_branch } => {
                let verdict = self.settler.forge_verdict(page, link, *file);
                if *is_other_branch { verdict.of_other_branch() } else { verdict }
            }
            Target::Url(UrlId(url)) => match self.verdicts.get(*url as usize).and_then(Option::as_ref) {
                None => Verdict::new(Code::Interrupted),
                Some((verdict, anchors)) => with_fragment(verdict, anchors.as_deref(), page.url(link)),
            },
        }
    }

    fn end_early(&mut self, pages: &[Page], receiver: &mut dyn Receiver) -> io::Result<()> {
        pages.iter().try_for_each(|page| self.deliver(page, receiver))?;
        std::mem::take(&mut self.read).iter().try_for_each(|page| self.deliver(page, receiver))
    }
}

/// Returns the verdict of a link, whose fragment is looked up in the page.
fn with_fragment(verdict: &Verdict, anchors: Option<&Anchors>, url: &str) -> Verdict {
    let is_there = matches!(verdict.outcome(), Outcome::Ok | Outcome::Redirected);
    let Some(fragment) = fragment_of(url).filter(|fragment| is_there && !fragment.is_empty()) else {
        return verdict.clone();
    };
    let missing = match anchors {
        Some(anchors) => anchors.missing(fragment),
        None => Some(Code::UnreadAnchor),
    };
    match missing {
        None => verdict.clone(),
        Some(Code::NoSuchAnchor | Code::OtherAnchor) => {
            Verdict { code: Code::RemoteAnchor, ..verdict.clone() }
        }
        Some(code) => Verdict { code, ..verdict.clone() },
    }
}
