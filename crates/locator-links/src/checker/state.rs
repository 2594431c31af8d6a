//! The state of a run: what is known of URLs, what is asked for, and what waits for that.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use locator_fetch::http::CookieJar;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::crawl::Crawl;
use super::hosts::Hosts;
use super::memory::{Chain, Ending, Memory, Node, NodeId, Source, State, Wants};
use crate::anchors::Anchors;
use crate::document::page::Page;
use crate::judge::reply::{Method, Reply};
use crate::local::Settler;
use crate::network::asking::{Ask, Request, origin_of};
use crate::outcome::{Code, Hop, Outcome, Verdict};
use crate::pace::Pace;
use crate::reference::with_normal_host;
use crate::site::urls::Wanted;

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

/// Judges the links of documents.
pub struct Checker<'c, 's> {
    pub(super) settler: &'c mut Settler<'s>,
    pub(super) settings: Settings,
    pub(super) asker: Arc<dyn Ask>,
    pub(super) own: HashSet<String>,
    pub(super) memory: Memory,
    pub(super) hosts: Hosts<Job>,
    pub(super) crawl: Crawl,
    /// The pages of sites that were read, and are not passed on yet.
    pub(super) read: VecDeque<Page>,
    pub(super) running: JoinSet<(Task, Reply)>,
    pub(super) start: Instant,
    pub(super) urls: Vec<Wanted>,
    pub(super) nodes: Vec<Option<NodeId>>,
    /// The verdicts of URLs, without fragments.
    pub(super) verdicts: Vec<Option<(Verdict, Option<Arc<Anchors>>)>>,
    /// The URLs whose chains wait for another one.
    pub(super) waiting: HashMap<NodeId, Vec<usize>>,
    pub(super) done: usize,
    /// How many of the links of the next page are judged.
    pub(super) judged: usize,
    /// Whether the resolver says that names do not exist although they may.
    pub(super) forgets_names: bool,
}

/// What is to be asked of a host.
#[derive(Clone, Debug)]
pub(super) enum Job {
    Node(NodeId),
    /// The next request of a loop.
    Loop(Box<(Loop, Request)>),
}

/// What a request was sent for.
#[derive(Clone, Debug)]
pub(super) enum Task {
    Node(NodeId, Sent),
    /// A loop of redirects is followed once more, with cookies.
    Loop(Box<Loop>),
}

/// What was asked, since more may be wanted meanwhile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    pub(super) method: Method,
    pub(super) wants: Wants,
}

/// A loop of redirects that is followed once more.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub(super) url: usize,
    pub(super) hops: Vec<Hop>,
    pub(super) jar: CookieJar,
    /// The URLs that were asked for, and the hash of the cookies.
    pub(super) asked: Vec<(Arc<str>, u64)>,
    pub(super) is_for_public: bool,
}

impl<'c, 's> Checker<'c, 's> {
    /// Creates a checker. `own` are the origins that the user named, which may be private.
    pub fn new(
        settler: &'c mut Settler<'s>,
        settings: Settings,
        asker: Arc<dyn Ask>,
        own: impl IntoIterator<Item = String>,
    ) -> Self {
        Self {
            settler,
            settings,
            asker,
            own: own.into_iter().collect(),
            memory: Memory::default(),
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
        if let Some(node) = self.memory.nodes.get_mut(id) {
            node.wants = Wants::of_link(true, true);
            node.state = State::Final(Ending { anchors, status: Some(200), ..Ending::of(Code::Ok) });
        }
        self.crawl.known.insert(id);
    }

    /// Returns the sites whose links are followed.
    #[must_use]
    pub const fn crawl(&self) -> &Crawl {
        &self.crawl
    }

    /// Returns whether a URL may lead to a private address.
    pub(super) fn may_be_private(&self, url: &str) -> bool {
        self.settings.is_private || self.is_own(url)
    }

    pub(super) fn is_own(&self, url: &str) -> bool {
        origin_of(url).is_some_and(|origin| self.own.contains(&origin))
    }

    pub(super) fn node(&mut self, url: &str, is_for_public: bool) -> NodeId {
        let Self { memory, hosts, .. } = self;
        let url = &*with_normal_host(url);
        memory.find(url, is_for_public, || hosts.number(url))
    }

    pub(super) fn queue(&mut self, id: NodeId) {
        let Some(node) = self.memory.nodes.get_mut(id) else { return };
        (node.state, node.source) = (State::Asked, Source::Server);
        self.hosts.push(node.host, Job::Node(id));
    }

    pub(super) fn spawn(&mut self, task: Task, request: Request) {
        let replying = self.asker.ask(request);
        self.running.spawn(async move { (task, replying.await) });
    }

    /// Sets what is known of a URL, and goes on with the chains that wait for it.
    pub(super) fn set(&mut self, id: NodeId, state: State) {
        if let Some(node) = self.memory.nodes.get_mut(id) {
            let is_unknown = |ending: &Ending| ending.code.outcome() == Outcome::Unknown;
            node.state = match state {
                // HEAD has found it; only where it refreshes to is not known.
                State::Later(ending) | State::Final(ending) if node.is_there && is_unknown(&ending) => {
                    State::Final(Ending { anchors: None, ..Ending::of(Code::Ok) })
                }
                state => state,
            };
        }
        self.go_on(id);
    }

    /// Goes on with the chains that wait for a URL, if it is judged.
    pub(super) fn go_on(&mut self, id: NodeId) {
        let is_judged = |node: &Node| matches!(node.state, State::Final(_) | State::Redirects { .. });
        if self.memory.nodes.get(id).is_some_and(is_judged) {
            for url in self.waiting.remove(&id).unwrap_or_default() {
                self.advance(url);
            }
        }
    }

    /// Follows the chain of a URL as far as it is known.
    pub(super) fn advance(&mut self, url: usize) {
        let Some(start) = self.nodes.get(url).copied().flatten() else { return };
        match self.chain(start) {
            Chain::At(id) => self.waiting.entry(id).or_default().push(url),
            // By GET, or with a cookie of the way, it may be there.
            Chain::End(verdict, _) if is_dead(&verdict) && self.memory.may_differ(start) => {
                self.begin_loop(url, start);
            }
            Chain::End(verdict, anchors) => self.judge(url, verdict, anchors),
            Chain::Loop { hops, may_end: false } => {
                self.judge(url, Verdict { hops, ..Verdict::new(Code::Loop) }, None);
            }
            Chain::Loop { may_end: true, .. } => self.begin_loop(url, start),
        }
    }

    pub(super) fn judge(&mut self, url: usize, verdict: Verdict, anchors: Option<Arc<Anchors>>) {
        if let Some(own) = self.verdicts.get_mut(url).filter(|own| own.is_none()) {
            *own = Some((verdict, anchors));
            self.done += 1;
        }
    }
}

/// Returns whether a server has said that there is no page.
const fn is_dead(verdict: &Verdict) -> bool {
    matches!(verdict.code, Code::NotFound | Code::Gone)
}
