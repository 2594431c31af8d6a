//! Asks servers for the URLs that links lead to, and passes on the documents whose links are all judged, in their
//! order. Everything runs in one thread; [`Transport`] sends the requests, [`HostPace`](crate::pace::Host) says how fast.
//!
//! [`Checker::run`] takes the documents, and a [`Receiver`] takes the verdicts of their links. `requests` sends what is
//! asked and takes the replies, `graph` has what is known of each URL and follows redirects over it, and `crawl` says which
//! pages of a site are read for their links. When no request is left, what failed is asked for once more, then
//! judged by its failure.

mod crawl;
pub(crate) mod graph;
mod requests;

use std::collections::{HashMap, HashSet, VecDeque};
use std::io;
use std::sync::Arc;

use locator_fetch::http::CookieJar;
use tokio::task::JoinSet;
use tokio::time::Instant;

pub use self::crawl::{Crawl, CrawlLimits, UnreadPages};
use self::graph::{AnswerSource, Chain, Ending, Node, NodeId, NodeState, UrlGraph, Wants};
use crate::anchors::Anchors;
use crate::anchors::text::{PageText, has_directive};
use crate::document::{LinkTarget, Page, PageLink, fragment_of};
use crate::judge::{Method, PageBody, Reply};
use crate::local::FileChecker;
use crate::network::request::{Request, Transport};
use crate::outcome::{Code, Hop, Outcome, Verdict};
use crate::pace::{Hosts, Pace};
use crate::reference::{origin_of, with_normal_host};
use crate::site::{UrlId, WantedUrl};

/// How servers are asked.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The pace for each server.
    pub pace: Pace,
    /// How many requests are sent at a time, to all servers together.
    pub at_once: usize,
    /// Whether private addresses are checked.
    pub is_private: bool,
}

/// How many URLs the cache knew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheUse {
    /// How many it knew.
    pub cached: u64,
    /// How many there are that it knew or that servers were asked for.
    pub all: u64,
}

/// Judges the links of documents.
pub struct Checker<'c, 's> {
    file_checker: &'c mut FileChecker<'s>,
    settings: Settings,
    transport: Arc<dyn Transport>,
    own: HashSet<String>,
    graph: UrlGraph,
    hosts: Hosts<Job>,
    crawl: Crawl,
    /// The pages of sites that were read, and are not passed on yet.
    read: VecDeque<Page>,
    running: JoinSet<(Task, Reply)>,
    start: Instant,
    urls: Vec<WantedUrl>,
    nodes: Vec<Option<NodeId>>,
    /// The verdicts of URLs, without fragments.
    verdicts: Vec<Option<UrlVerdict>>,
    /// The URLs whose chains wait for another one.
    waiting: HashMap<NodeId, Vec<usize>>,
    done: usize,
    /// How many of the links of the next page are judged.
    judged: usize,
    /// Whether the resolver says that names do not exist although they may.
    forgets_names: bool,
}

/// What is known of a URL, without fragments.
#[derive(Clone)]
struct UrlVerdict {
    verdict: Verdict,
    /// The names in its page, if that was read.
    anchors: Option<Arc<Anchors>>,
}

/// What is to be asked of a host.
#[derive(Clone, Debug)]
enum Job {
    Node(NodeId),
    /// The next request of a loop.
    Loop(Box<(RedirectLoop, Request)>),
}

/// What a request was sent for.
#[derive(Clone, Debug)]
enum Task {
    Node(NodeId, SentRequest),
    /// A loop of redirects is followed once more, with cookies.
    Loop(Box<RedirectLoop>),
}

/// What was asked, since more may be wanted meanwhile.
#[derive(Clone, Copy, Debug)]
struct SentRequest {
    method: Method,
    wants: Wants,
}

/// A loop of redirects that is followed once more.
#[derive(Clone, Debug)]
struct RedirectLoop {
    url: usize,
    hops: Vec<Hop>,
    jar: CookieJar,
    /// The URLs that were asked for, and the hash of the cookies.
    asked: Vec<(Arc<str>, u64)>,
    is_for_public: bool,
}

impl<'c, 's> Checker<'c, 's> {
    /// Creates a checker. `own` are the origins that the user named, which may be private.
    pub fn new(
        file_checker: &'c mut FileChecker<'s>,
        settings: Settings,
        transport: Arc<dyn Transport>,
        own: impl IntoIterator<Item = String>,
    ) -> Self {
        Self {
            file_checker,
            settings,
            transport,
            own: own.into_iter().collect(),
            graph: UrlGraph::default(),
            hosts: Hosts::new(settings.pace),
            crawl: Crawl::default(),
            read: VecDeque::new(),
            running: JoinSet::new(),
            start: Instant::now(),
            urls: Vec::new(),
            nodes: Vec::new(),
            verdicts: Vec::new(),
            waiting: HashMap::new(),
            done: 0,
            judged: 0,
            forgets_names: false,
        }
    }

    /// Follows the links of the pages of these sites, too.
    #[must_use]
    pub fn with_crawl(mut self, crawl: Crawl) -> Self {
        self.crawl = crawl;
        self
    }

    /// Adds what is known of a page that was fetched, which is not asked for again.
    pub fn add_fetched(&mut self, url: &str, anchors: Anchors) {
        let id = self.node(url, !self.may_be_private(url));
        let anchors = Some(Arc::new(anchors));
        if let Some(node) = self.graph.nodes.get_mut(id) {
            node.wants = Wants::of_link(true, true);
            node.state = NodeState::Final(Ending { anchors, status: Some(200), ..Ending::of(Code::Ok) });
        }
        self.crawl.known.insert(id);
    }

    /// Returns the sites whose links are followed.
    #[must_use]
    pub const fn crawl(&self) -> &Crawl {
        &self.crawl
    }

    /// Returns whether a URL may lead to a private address.
    fn may_be_private(&self, url: &str) -> bool {
        self.settings.is_private || self.is_own(url)
    }

    fn is_own(&self, url: &str) -> bool {
        origin_of(url).is_some_and(|origin| self.own.contains(&origin))
    }

    fn node(&mut self, url: &str, is_for_public: bool) -> NodeId {
        let Self { graph, hosts, .. } = self;
        let url = &*with_normal_host(url);
        graph.find(url, is_for_public, || hosts.number(url))
    }

    fn queue(&mut self, id: NodeId) {
        let Some(node) = self.graph.nodes.get_mut(id) else { return };
        (node.state, node.source) = (NodeState::Asked, AnswerSource::Server);
        self.hosts.push(node.host, Job::Node(id));
    }

    fn spawn(&mut self, task: Task, request: Request) {
        let replying = self.transport.send(request);
        self.running.spawn(async move { (task, replying.await) });
    }

    /// Sets what is known of a URL, and goes on with the chains that wait for it.
    fn set(&mut self, id: NodeId, state: NodeState) {
        if let Some(node) = self.graph.nodes.get_mut(id) {
            let is_unknown = |ending: &Ending| ending.code.outcome() == Outcome::Unknown;
            node.state = match state {
                // HEAD has found it; only where it refreshes to is not known.
                NodeState::Later(ending) | NodeState::Final(ending)
                    if node.is_there && is_unknown(&ending) =>
                {
                    NodeState::Final(Ending { anchors: None, ..Ending::of(Code::Ok) })
                }
                state => state,
            };
        }
        self.go_on(id);
    }

    /// Goes on with the chains that wait for a URL, if it is judged.
    fn go_on(&mut self, id: NodeId) {
        let is_judged = |node: &Node| matches!(node.state, NodeState::Final(_) | NodeState::Redirects { .. });
        if self.graph.nodes.get(id).is_some_and(is_judged) {
            for url in self.waiting.remove(&id).unwrap_or_default() {
                self.advance(url);
            }
        }
    }

    /// Follows the chain of a URL as far as it is known.
    fn advance(&mut self, url: usize) {
        let Some(start) = self.nodes.get(url).copied().flatten() else { return };
        match self.chain(start) {
            Chain::At(id) => self.waiting.entry(id).or_default().push(url),
            // By GET, or with a cookie of the way, it may be there.
            Chain::End(verdict, _) if is_dead(&verdict) && self.graph.may_differ(start) => {
                self.begin_loop(url, start);
            }
            Chain::End(verdict, anchors) => self.judge(url, verdict, anchors),
            Chain::Loop { hops, may_end: false } => {
                self.judge(url, Verdict { hops, ..Verdict::new(Code::Loop) }, None);
            }
            Chain::Loop { may_end: true, .. } => self.begin_loop(url, start),
        }
    }

    fn judge(&mut self, url: usize, verdict: Verdict, anchors: Option<Arc<Anchors>>) {
        if let Some(own) = self.verdicts.get_mut(url).filter(|own| own.is_none()) {
            *own = Some(UrlVerdict { verdict, anchors });
            self.done += 1;
        }
    }
}

/// Returns whether a server has said that there is no page.
const fn is_dead(verdict: &Verdict) -> bool {
    matches!(verdict.code, Code::NotFound | Code::Gone)
}

/// Receives the results of a run.
pub trait Receiver {
    /// Receives a document, with the verdicts of the links that it has kept.
    ///
    /// # Errors
    ///
    /// The results cannot be written, which ends the run.
    fn page(&mut self, page: &Page, verdicts: &[Verdict]) -> io::Result<()>;

    /// Receives how many URLs are judged, how many there are, and for which hosts requests wait.
    fn progress(&mut self, done: usize, all: usize, waiting: &dyn Fn() -> Vec<String>) {
        let _ = (done, all, waiting);
    }

    /// Returns whether the run is to end.
    fn is_over(&self) -> bool {
        false
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// All links are judged.
    Complete,
    /// This machine has no network: nothing is known of any server.
    NoNetwork,
    /// The run was ended.
    Interrupted,
}

impl Checker<'_, '_> {
    /// Judges the links of documents.
    ///
    /// # Errors
    ///
    /// Returns the errors of the receiver.
    pub async fn run(&mut self, pages: &[Page], receiver: &mut dyn Receiver) -> io::Result<RunEnd> {
        self.take_urls();
        self.file_checker.count_fragments(pages);
        pages.iter().for_each(|page| self.begin(page));
        let (mut next, mut end) = (0, RunEnd::Complete);
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
                return Ok(RunEnd::Interrupted);
            }
            if next == pages.len() && self.read.is_empty() && self.crawl.frontier.is_empty() {
                return Ok(end);
            }
            if !self.is_idle() {
                self.wait().await;
            } else if self.is_name_missing() && !self.transport.knows_names().await {
                self.forget_names();
            } else if self.has_no_network() {
                end = RunEnd::NoNetwork;
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
        self.urls.extend(self.file_checker.site().urls.from(self.urls.len()));
        self.nodes.resize(self.urls.len(), None);
        self.verdicts.resize(self.urls.len(), None);
    }

    /// Queues the URLs in the order in which documents have them.
    fn begin(&mut self, page: &Page) {
        for link in &page.links {
            if let LinkTarget::Url(UrlId(url)) = link.target {
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
        let is_judged = |link: &PageLink| match link.target {
            LinkTarget::Url(UrlId(url)) => self.verdicts.get(url as usize).is_some_and(Option::is_some),
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

    fn verdict(&mut self, page: &Page, link: &PageLink) -> Verdict {
        let mut verdict = self.verdict_of_target(page, link);
        let paths = &self.file_checker.site().paths;
        if page.is_not_understood(link, verdict.code, paths) {
            verdict = Verdict { route: verdict.route, ..Verdict::new(Code::NotUnderstood) };
        }
        page.doubted(link, verdict)
    }

    fn verdict_of_target(&mut self, page: &Page, link: &PageLink) -> Verdict {
        match &link.target {
            LinkTarget::Known(verdict) => (**verdict).clone(),
            LinkTarget::File(file) => self.file_checker.verdict(page, link, *file),
            LinkTarget::Site(target) => self.file_checker.site_verdict(page, link, target),
            LinkTarget::Forge { file, is_other_branch } => {
                let verdict = self.file_checker.forge_verdict(page, link, *file);
                if *is_other_branch { verdict.of_other_branch() } else { verdict }
            }
            LinkTarget::Url(UrlId(url)) => match self.verdicts.get(*url as usize).and_then(Option::as_ref) {
                None => Verdict::new(Code::Interrupted),
                Some(known) => with_fragment(&known.verdict, known.anchors.as_deref(), page.url(link)),
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

impl Checker<'_, '_> {
    /// Returns whether the resolver says that a name does not exist, and was not doubted yet.
    fn is_name_missing(&self) -> bool {
        let is_missing =
            |node: &Node| matches!(&node.state, NodeState::Later(ending) if ending.code == Code::NoSuchName);
        !self.forgets_names && self.graph.nodes.iter().any(is_missing)
    }

    /// Takes back that names do not exist: the resolver does not know any.
    fn forget_names(&mut self) {
        self.forgets_names = true;
        for node in &mut self.graph.nodes {
            if let NodeState::Later(ending) = &mut node.state {
                ending.code = doubted(ending.code);
            }
        }
    }

    /// Returns whether no request has left this machine.
    fn has_no_network(&self) -> bool {
        let mut failed = self.graph.nodes.iter().filter_map(|node| match &node.state {
            NodeState::Later(ending) => Some(ending.code),
            NodeState::Final(ending)
                if matches!(ending.code.outcome(), Outcome::Skipped | Outcome::Refused) =>
            {
                None
            }
            NodeState::New | NodeState::Asked => None,
            _ if node.source == AnswerSource::Cache => None,
            _ => Some(Code::Ok),
        });
        let is_no_network = |code| code == Code::NoNetwork || self.forgets_names && code == Code::NameFailed;
        failed.next().is_some_and(is_no_network) && failed.all(is_no_network)
    }

    /// Asks once more for everything that failed; returns whether there is something.
    fn begin_last_tries(&mut self) -> bool {
        self.hosts.begin_last_try();
        let mut failed = Vec::new();
        for (id, node) in self.graph.nodes.iter_mut().enumerate() {
            if matches!(node.state, NodeState::Later(_)) && !node.is_retried {
                node.is_retried = true;
                failed.push(id);
            }
        }
        let has_failed = !failed.is_empty();
        failed.into_iter().for_each(|id| self.queue(id));
        has_failed
    }

    /// Judges what is left by its last failure; without a network that is all.
    fn finish(&mut self, end: RunEnd) {
        let left: Vec<_> = self.waiting.keys().copied().collect();
        for id in left {
            let code = match self.graph.nodes.get(id).map(|node| &node.state) {
                Some(NodeState::Later(_)) if end == RunEnd::NoNetwork => Ending::of(Code::NoNetwork),
                Some(NodeState::Later(ending)) => ending.clone(),
                _ => Ending::of(Code::DeadHost),
            };
            self.set(id, NodeState::Final(code));
        }
        let open: Vec<_> = (0..self.verdicts.len()).filter(|&url| self.verdicts[url].is_none()).collect();
        open.into_iter().for_each(|url| self.judge(url, Verdict::new(Code::DeadHost), None));
    }
}

/// Returns the code where the resolver says of every name that it does not exist.
const fn doubted(code: Code) -> Code {
    match code {
        Code::NoSuchName => Code::NameFailed,
        code => code,
    }
}

impl Checker<'_, '_> {
    /// Follows the links of the pages that were read, in the order in which links lead to them.
    fn read_on(&mut self) {
        while let Some(&id) = self.crawl.frontier.front() {
            let to = match self.graph.nodes.get(id).map(|node| &node.state) {
                Some(NodeState::New | NodeState::Asked) => return,
                Some(NodeState::Redirects { to, .. }) => Some(*to),
                Some(NodeState::Later(_)) => {
                    // It is read last, if it is there then.
                    self.crawl.known.remove(&id);
                    None
                }
                _ => None,
            };
            self.crawl.frontier.pop_front();
            let wants_page = |id: &NodeId| self.graph.nodes.get(*id).is_some_and(|node| node.wants.page);
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
    fn begin_again(&mut self, url: usize, node: NodeId, link: &str) {
        if self.crawl.is_empty() {
            return;
        }
        let Some(wanted) = self.file_checker.site().urls.wanted(UrlId(url as u32)) else { return };
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
        if let (Chain::At(_), Some(own)) = (self.graph.follow(node), self.verdicts.get_mut(url))
            && own.take().is_some()
        {
            (self.done, self.judged) = (self.done - 1, 0);
            self.advance(url);
        }
    }

    /// Returns whether a redirect of another origin leads to a page of a site that is read, and counts the page then.
    fn enters_site(&mut self, from: NodeId, to: NodeId, url: &str) -> bool {
        let is_of_site = self.graph.nodes.get(from).is_none_or(|node| self.crawl.has(&node.url));
        let enters = !is_of_site && !self.crawl.known.contains(&to) && self.crawl.begins(url);
        if enters {
            self.crawl.push(to);
        }
        enters
    }

    /// Returns what is wanted of a URL that another one redirects to, unless that were too many redirects. Pages of
    /// other sites are not read.
    fn wants_after(&self, to: NodeId, wants: Wants) -> Option<Wants> {
        let node = self.graph.nodes.get(to);
        let is_of_site = node.is_some_and(|node| self.crawl.has(&node.url));
        let redirects = wants.redirects.checked_sub(1)?;
        Some(Wants { page: wants.page && is_of_site, redirects, ..wants })
    }

    /// Reads a page of a site, whose links are followed.
    fn take_page(&mut self, id: NodeId, reply: &mut Reply) {
        let page = match reply.page.take() {
            None => return,
            Some(PageBody::Whole(page)) => page,
            Some(PageBody::Unreadable) => return self.crawl.note_unreadable(),
        };
        // The octets are in memory, so that they can be read.
        let Ok(read) = self.file_checker.read(&page) else { return };
        let wants_text = self.graph.nodes.get(id).is_some_and(|node| node.wants.text);
        let text = wants_text.then(|| PageText::of(page.format, &page.octets));
        reply.anchors = Some(read.anchors.with_text(text));
        self.crawl.arrived.insert(id, read.page);
        self.crawl.push(id);
    }

    /// Passes on the pages of sites whose links are all judged.
    fn pass_on(&mut self, receiver: &mut dyn Receiver) -> io::Result<()> {
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
