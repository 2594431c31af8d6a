//! Asks servers for the URLs that links lead to, and passes on the documents whose links are all judged, in their
//! order. Everything runs in one thread; [`Ask`] sends the requests, [`Host`] says how fast.

mod crawl;
mod endings;
mod hosts;
mod loops;

use std::collections::{HashMap, HashSet, VecDeque};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use locator::UriRef;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout_at};

pub use self::crawl::{Crawl, Limits, Unread};
use self::endings::doubted;
use self::hosts::Hosts;
use self::loops::Loop;
use crate::anchors::Anchors;
use crate::asking::{Ask, Request, origin_of};
use crate::eligible::is_reserved;
use crate::judge::{Next, is_of_host, judge};
use crate::memory::{Chain, Ending, Memory, Node, NodeId, State, Wants};
use crate::outcome::{Code, Outcome, Verdict};
use crate::page::{FoundLink, Page, Target, fragment_of};
use crate::patience::{Host, Pace};
use crate::reply::{Method, Reply, Said};
use crate::settle::Settler;
use crate::urls::{UrlId, Wanted};

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

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All links are judged.
    Complete,
    /// This machine has no network: nothing is known of any server.
    NoNetwork,
    /// The run was ended.
    Interrupted,
}

/// Judges the links of documents.
pub struct Checker<'c, 's> {
    settler: &'c mut Settler<'s>,
    settings: Settings,
    asker: Arc<dyn Ask>,
    own: HashSet<String>,
    memory: Memory,
    hosts: Hosts,
    crawl: Crawl,
    /// The pages of sites that were read, and are not passed on yet.
    read: VecDeque<Page>,
    running: JoinSet<(Task, Reply)>,
    start: Instant,
    urls: Vec<Wanted>,
    nodes: Vec<Option<NodeId>>,
    /// The verdicts of URLs, without fragments.
    verdicts: Vec<Option<(Verdict, Option<Arc<Anchors>>)>>,
    /// The URLs whose chains wait for another one.
    waiting: HashMap<NodeId, Vec<usize>>,
    done: usize,
    /// How many of the links of the next page are judged.
    judged: usize,
    /// Whether the resolver says that names do not exist although they may.
    forgets_names: bool,
}

/// What a request was sent for.
#[derive(Clone, Debug)]
enum Task {
    Node(NodeId, Sent),
    /// A loop of redirects is followed once more, with cookies.
    Loop(Box<Loop>),
}

/// What was asked, since more may be wanted meanwhile.
#[derive(Clone, Copy, Debug)]
struct Sent {
    method: Method,
    wants: Wants,
}

/// How often it is looked whether the run is to end.
const TICK: Duration = Duration::from_millis(100);

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
            node.wants = Wants { anchors: true, page: true };
            node.state = State::Final(Ending { anchors, status: Some(200), ..Ending::of(Code::Ok) });
        }
        self.crawl.known.insert(id);
    }

    /// Returns the sites whose links are followed.
    #[must_use]
    pub const fn crawl(&self) -> &Crawl {
        &self.crawl
    }

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
                let verdicts = self.page(page);
                receiver.page(page, &verdicts)?;
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
        self.want(node, Wants { anchors: wanted.has_fragment || is_read, page: is_read });
        if is_read {
            self.crawl.push(node);
        }
        self.advance(url);
    }

    /// Returns whether a URL may lead to a private address.
    fn may_be_private(&self, url: &str) -> bool {
        self.settings.is_private || self.is_own(url)
    }

    fn is_own(&self, url: &str) -> bool {
        origin_of(url).is_some_and(|origin| self.own.contains(&origin))
    }

    fn node(&mut self, url: &str, is_for_public: bool) -> NodeId {
        let Self { memory, hosts, .. } = self;
        memory.find(url, is_for_public, || hosts.number(url))
    }

    /// Asks for a URL, unless that is done or on its way. If the anchors of the page are wanted, redirects that
    /// are known are followed to it.
    fn want(&mut self, id: NodeId, wants: Wants) {
        let mut next = Some((id, wants));
        while let Some((id, wants)) = next {
            next = self.want_next(id, wants);
        }
    }

    /// Asks for a URL, and returns the one that it is known to redirect to if that is wanted now.
    fn want_next(&mut self, id: NodeId, wants: Wants) -> Option<(NodeId, Wants)> {
        let node = self.memory.nodes.get_mut(id)?;
        let is_more = !node.wants.include(wants);
        node.wants = node.wants.and(wants);
        match &node.state {
            State::New => {}
            State::Redirects { to, .. } => {
                let to = *to;
                return is_more.then(|| (to, self.wants_after(to, wants)));
            }
            // The page was asked for without its anchors.
            State::Final(ending) if is_more && ending.code == Code::Ok => {}
            // When the reply is there, the page is asked for once more if it has no anchors.
            State::Asked | State::Later(_) | State::Final(_) => return None,
        }
        let (url, is_for_public) = (Arc::clone(&node.url), node.is_for_public);
        if node.wants.anchors {
            node.method = Method::Get;
        }
        match self.refused(&url, is_for_public) {
            Some(ending) => self.set(id, State::Final(ending)),
            None => self.queue(id),
        }
        None
    }

    /// Returns why a URL is not asked for, if its text says so.
    fn refused(&self, url: &str, is_for_public: bool) -> Option<Ending> {
        if !self.crawl.allows(url) {
            return Some(Ending::of(Code::Robots));
        }
        let trouble = self.asker.refused(url, is_for_public)?;
        Some(Ending { reason: Some(trouble.text), ..Ending::of(trouble.code) })
    }

    fn queue(&mut self, id: NodeId) {
        let Some(node) = self.memory.nodes.get_mut(id) else { return };
        node.state = State::Asked;
        self.hosts.push(node.host, id);
    }

    /// Sends as many requests as may be sent now.
    fn send(&mut self) {
        let now = self.start.elapsed();
        while self.running.len() < self.settings.at_once {
            match self.hosts.next(now) {
                None => return,
                Some((id, Ok(()))) => self.send_one(id),
                Some((id, Err(code))) => {
                    let is_retried = self.memory.nodes.get(id).is_some_and(|node| node.is_retried);
                    let is_later = is_of_host(code) && !is_retried;
                    let ending = Ending::of(code);
                    self.set(id, if is_later { State::Later(ending) } else { State::Final(ending) });
                }
            }
        }
    }

    fn send_one(&mut self, id: NodeId) {
        let Some(node) = self.memory.nodes.get_mut(id) else { return };
        let refuses_head = self.hosts.get(node.host).is_some_and(Host::refuses_head);
        if node.method == Method::Head && (refuses_head || node.wants.anchors) {
            node.method = Method::Get;
        }
        let request = request(node);
        let sent = Sent { method: request.method, wants: node.wants };
        self.spawn(Task::Node(id, sent), request);
    }

    fn spawn(&mut self, task: Task, request: Request) {
        let replying = self.asker.ask(request);
        self.running.spawn(async move { (task, replying.await) });
    }

    /// Waits for a reply, or until a host may be asked again.
    async fn wait(&mut self) {
        let now = Instant::now();
        let wakes = self.hosts.wakes().map(|time| self.start + time);
        let until = wakes.map_or(now + TICK, |wakes| wakes.min(now + TICK));
        if self.running.is_empty() {
            return sleep_until(until).await;
        }
        let Ok(Some(Ok((task, reply)))) = timeout_at(until, self.running.join_next()).await else { return };
        self.take(task, reply);
        // What has ended meanwhile is taken at once.
        while let Some(Ok((task, reply))) = self.running.try_join_next() {
            self.take(task, reply);
        }
    }

    fn take(&mut self, task: Task, reply: Reply) {
        match task {
            Task::Node(id, sent) => self.take_node(id, sent, reply),
            Task::Loop(of) => self.take_loop(*of, &reply),
        }
    }

    fn take_node(&mut self, id: NodeId, sent: Sent, mut reply: Reply) {
        self.take_page(id, &mut reply);
        let reply = &reply;
        let Some(node) = self.memory.nodes.get(id) else { return };
        let (host, is_last) = (node.host, node.is_retried);
        let is_more = !sent.wants.include(node.wants);
        let next = judge(sent.method, reply);
        self.note(host, &next, reply, node.is_after_head);
        self.hosts.is_free(host);
        let mut ending = ending(&next, reply);
        if self.forgets_names {
            ending.code = doubted(ending.code);
        }
        match next {
            Next::Final(Code::Ok) if is_more => self.queue(id),
            Next::Final(_) => self.set(id, State::Final(ending)),
            Next::Later(_) if is_last => self.set(id, State::Final(ending)),
            Next::Later(_) => self.set(id, State::Later(ending)),
            Next::Ask(method) => {
                if let Some(node) = self.memory.nodes.get_mut(id) {
                    (node.method, node.is_after_head) = (method, true);
                    // Before others, which need not ask by HEAD if this one need not.
                    self.hosts.push_front(host, id);
                }
            }
            Next::Wait(_) if self.hosts.get(host).is_some_and(Host::has_no_fault) => self.queue(id),
            Next::Wait(code) => {
                let fault = self.hosts.get(host).and_then(Host::fault).unwrap_or(code);
                self.set(id, State::Final(Ending { code: fault, ..ending }));
            }
            Next::Redirect(to) => self.redirect(id, &to, reply),
        }
    }

    /// Notes what a reply says about its host.
    fn note(&mut self, host: usize, next: &Next, reply: &Reply, is_after_head: bool) {
        let now = self.start.elapsed();
        let Some(host) = self.hosts.get_mut(host) else { return };
        match (&reply.said, next) {
            (_, Next::Wait(_)) => drop(host.has_too_many(now, reply.waits)),
            (Said::Failed(trouble), _) if is_of_host(trouble.code) => host.failed(trouble.code),
            (Said::Failed(_), _) => host.ended(),
            (_, Next::Final(Code::Ok)) if is_after_head => {
                host.answered(now, reply.waits);
                host.note_refused_head();
            }
            _ => host.answered(now, reply.waits),
        }
    }

    fn redirect(&mut self, id: NodeId, to: &str, reply: &Reply) {
        let Said::Response(response) = &reply.said else { return };
        let stem = to.split('#').next().unwrap_or_default().to_owned();
        let Some(node) = self.memory.nodes.get(id) else { return };
        // What a public server names must be public, whatever the user allows.
        let is_for_public = reply.is_public || node.is_for_public || !self.may_be_private(&stem);
        let wants = node.wants;
        let next = self.node(&stem, is_for_public);
        match not_asked_after_redirects(&stem) {
            None => self.want(next, self.wants_after(next, wants)),
            Some(code) => self.set(next, State::Final(Ending::of(code))),
        }
        let (status, sets_cookie) = (response.status, response.sets_cookie);
        self.set(id, State::Redirects { to: next, status, shown: to.to_owned(), sets_cookie });
    }

    /// Sets what is known of a URL, and goes on with the chains that wait for it.
    fn set(&mut self, id: NodeId, state: State) {
        let is_known = !matches!(state, State::Later(_));
        if let Some(node) = self.memory.nodes.get_mut(id) {
            node.state = state;
        }
        if is_known {
            for url in self.waiting.remove(&id).unwrap_or_default() {
                self.advance(url);
            }
        }
    }

    /// Follows the chain of a URL as far as it is known.
    fn advance(&mut self, url: usize) {
        let Some(start) = self.nodes.get(url).copied().flatten() else { return };
        match self.memory.follow(start) {
            Chain::At(id) => self.waiting.entry(id).or_default().push(url),
            Chain::End(verdict, anchors) => self.judge(url, verdict, anchors),
            Chain::Loop { hops, may_end: false } => {
                self.judge(url, Verdict { hops, ..Verdict::new(Code::Loop) }, None);
            }
            Chain::Loop { may_end: true, .. } => self.begin_loop(url, start),
        }
    }

    fn judge(&mut self, url: usize, verdict: Verdict, anchors: Option<Arc<Anchors>>) {
        if let Some(own) = self.verdicts.get_mut(url).filter(|own| own.is_none()) {
            *own = Some((verdict, anchors));
            self.done += 1;
        }
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

    /// Returns the verdicts of a page, of whose links all that can be is known.
    fn page(&mut self, page: &Page) -> Vec<Verdict> {
        let verdict = |link| self.verdict(page, link);
        page.links.iter().map(verdict).collect()
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
        for page in pages {
            let verdicts = self.page(page);
            receiver.page(page, &verdicts)?;
        }
        while let Some(page) = self.read.pop_front() {
            let verdicts = self.page(&page);
            receiver.page(&page, &verdicts)?;
        }
        Ok(())
    }
}

fn request(node: &Node) -> Request {
    Request {
        url: Arc::clone(&node.url),
        method: node.method,
        is_for_public: node.is_for_public,
        wants_anchors: node.wants.anchors,
        wants_page: node.wants.page,
        sends_headers: true,
        jar: None,
    }
}

/// Returns why a URL that a server of the web redirects to is not asked for: it is of another protocol, or of a
/// name under which there is nothing.
fn not_asked_after_redirects(url: &str) -> Option<Code> {
    let url = UriRef::parse(url).ok()?;
    let is_web = url.scheme().is_some_and(|scheme| matches!(&*scheme.lowercase(), "http" | "https"));
    match url.host() {
        _ if !is_web => Some(Code::Policy),
        Some(host) if is_reserved(host.as_str()) => Some(Code::ReservedName),
        _ => None,
    }
}

/// Returns the ending that an answer means, if it is one.
fn ending(next: &Next, reply: &Reply) -> Ending {
    let code = match next {
        Next::Final(code) | Next::Later(code) | Next::Wait(code) => *code,
        Next::Redirect(_) | Next::Ask(_) => Code::Status,
    };
    let (status, reason) = match &reply.said {
        Said::Found => (None, None),
        Said::Response(response) => (Some(response.status), Some(response.reason.clone())),
        Said::Failed(trouble) => (None, Some(trouble.text.clone())),
    };
    let reason = reason.filter(|reason| !reason.is_empty());
    Ending { code, status, reason, seen: reply.seen, anchors: reply.anchors.clone().map(Arc::new) }
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
