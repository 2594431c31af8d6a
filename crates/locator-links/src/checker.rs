//! Asks servers for the URLs that links lead to, and passes on the documents whose links are all judged, in their
//! order. Everything runs in one thread; [`Ask`] sends the requests, [`Host`] says how fast.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use locator_fetch::http::CookieJar;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout_at};

use crate::anchors::Anchors;
use crate::asking::{Ask, Request, origin_of};
use crate::judge::{Next, is_of_host, judge};
use crate::memory::{Chain, Ending, MOST_HOPS, Memory, Node, NodeId, State, is_secure, verdict};
use crate::outcome::{Code, Hop, Outcome, Verdict};
use crate::page::{FoundLink, Page, Target, fragment_of};
use crate::patience::{Host, Pace, Permission};
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
    hosts: Vec<Host>,
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    /// What is to be asked of each host.
    queues: Vec<VecDeque<NodeId>>,
    /// The hosts that may be asked now, and those that may be later.
    ready: VecDeque<usize>,
    sleeping: BinaryHeap<Reverse<(Duration, usize)>>,
    running: JoinSet<(Task, Reply)>,
    start: Instant,
    urls: Vec<Wanted>,
    nodes: Vec<Option<NodeId>>,
    /// The verdicts of URLs, without fragments.
    verdicts: Vec<Option<(Verdict, Option<Arc<Anchors>>)>>,
    /// The URLs whose chains wait for another one.
    waiting: HashMap<NodeId, Vec<usize>>,
    done: usize,
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
    wants_anchors: bool,
}

/// A loop of redirects that is followed once more.
#[derive(Clone, Debug)]
struct Loop {
    url: usize,
    hops: Vec<Hop>,
    jar: CookieJar,
    /// The URLs that were asked for, and how many cookies there were.
    asked: Vec<(Arc<str>, usize)>,
    is_for_public: bool,
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
            hosts: Vec::new(),
            names: Vec::new(),
            numbers: HashMap::new(),
            queues: Vec::new(),
            ready: VecDeque::new(),
            sleeping: BinaryHeap::new(),
            running: JoinSet::new(),
            start: Instant::now(),
            urls: Vec::new(),
            nodes: Vec::new(),
            verdicts: Vec::new(),
            waiting: HashMap::new(),
            done: 0,
            forgets_names: false,
        }
    }

    /// Judges the links of documents.
    ///
    /// # Errors
    ///
    /// Returns the errors of the receiver.
    pub async fn run(
        &mut self,
        pages: &[Page],
        urls: Vec<Wanted>,
        receiver: &mut dyn Receiver,
    ) -> io::Result<End> {
        self.urls = urls;
        self.nodes = vec![None; self.urls.len()];
        self.verdicts = vec![None; self.urls.len()];
        self.begin(pages);
        let (mut next, mut judged, mut end) = (0, 0, End::Complete);
        loop {
            self.send();
            while let Some(page) = pages.get(next).filter(|page| self.is_judged(page, &mut judged)) {
                let verdicts = self.page(page);
                receiver.page(page, &verdicts)?;
                (next, judged) = (next + 1, 0);
            }
            receiver.progress(self.done, self.urls.len(), &|| self.awaited());
            if receiver.is_over() {
                self.end_early(pages.get(next..).unwrap_or_default(), receiver)?;
                return Ok(End::Interrupted);
            }
            if next == pages.len() {
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
        self.running.is_empty() && self.ready.is_empty() && self.sleeping.is_empty()
    }

    /// Queues the URLs in the order in which documents have them.
    fn begin(&mut self, pages: &[Page]) {
        for page in pages {
            for link in &page.links {
                if let Target::Url(UrlId(url)) = link.target {
                    self.begin_url(url as usize);
                }
            }
        }
    }

    fn begin_url(&mut self, url: usize) {
        let Some(wanted) = self.urls.get(url).filter(|_| self.nodes.get(url) == Some(&None)).cloned() else {
            return;
        };
        let is_for_public = !(self.settings.is_private || wanted.is_own || self.is_own(&wanted.url));
        let node = self.node(&wanted.url, is_for_public);
        if let Some(own) = self.nodes.get_mut(url) {
            *own = Some(node);
        }
        self.want(node, wanted.has_fragment);
        self.advance(url);
    }

    fn is_own(&self, url: &str) -> bool {
        origin_of(url).is_some_and(|origin| self.own.contains(&origin))
    }

    fn node(&mut self, url: &str, is_for_public: bool) -> NodeId {
        let Self { memory, hosts, names, numbers, queues, settings, .. } = self;
        memory.find(url, is_for_public, || {
            let origin = origin_of(url).unwrap_or_default();
            *numbers.entry(origin).or_insert_with_key(|origin| {
                hosts.push(Host::new(settings.pace));
                names.push(origin.clone());
                queues.push(VecDeque::new());
                hosts.len() - 1
            })
        })
    }

    /// Asks for a URL, unless that is done or on its way. If the anchors of the page are wanted, redirects that
    /// are known are followed to it.
    fn want(&mut self, id: NodeId, wants_anchors: bool) {
        let mut next = Some(id);
        while let Some(id) = next {
            next = self.want_next(id, wants_anchors);
        }
    }

    /// Asks for a URL, and returns the one that it is known to redirect to if that is wanted now.
    fn want_next(&mut self, id: NodeId, wants_anchors: bool) -> Option<NodeId> {
        let node = self.memory.nodes.get_mut(id)?;
        let is_more = wants_anchors && !node.wants_anchors;
        node.wants_anchors |= wants_anchors;
        match &node.state {
            State::New => {}
            State::Redirects { to, .. } => return Some(*to).filter(|_| is_more),
            // The page was asked for without its anchors.
            State::Final(ending) if is_more && ending.code == Code::Ok => {}
            // When the reply is there, the page is asked for once more if it has no anchors.
            State::Asked | State::Later(_) | State::Final(_) => return None,
        }
        if let Some(trouble) = self.asker.refused(&node.url, node.is_for_public) {
            let reason = Some(trouble.text);
            node.state = State::Final(Ending { reason, ..Ending::of(trouble.code) });
            return None;
        }
        if node.wants_anchors {
            node.method = Method::Get;
        }
        self.queue(id);
        None
    }

    fn queue(&mut self, id: NodeId) {
        let Some(node) = self.memory.nodes.get_mut(id) else { return };
        node.state = State::Asked;
        let host = node.host;
        if let Some(queue) = self.queues.get_mut(host) {
            queue.push_back(id);
        }
        self.ready.push_back(host);
    }

    /// Sends as many requests as may be sent now.
    fn send(&mut self) {
        let now = self.start.elapsed();
        while let Some(&Reverse((time, host))) = self.sleeping.peek() {
            if time > now {
                break;
            }
            self.sleeping.pop();
            self.ready.push_back(host);
        }
        while self.running.len() < self.settings.at_once {
            let Some(host) = self.ready.pop_front() else { break };
            self.send_to(host, now);
        }
    }

    /// Sends requests to a host, as many as it may get now.
    fn send_to(&mut self, host: usize, now: Duration) {
        while self.running.len() < self.settings.at_once {
            let Some(&id) = self.queues.get(host).and_then(VecDeque::front) else { return };
            match self.hosts.get(host).map_or(Permission::Now, |host| host.permission(now)) {
                Permission::Now => {}
                Permission::At(time) => return self.sleeping.push(Reverse((time, host))),
                // It is ready again when that one has ended.
                Permission::AfterAnother => return,
                Permission::Never(code) => {
                    if let Some(queue) = self.queues.get_mut(host) {
                        queue.pop_front();
                    }
                    let is_retried = self.memory.nodes.get(id).is_some_and(|node| node.is_retried);
                    let is_later = is_of_host(code) && !is_retried;
                    let ending = Ending::of(code);
                    self.set(id, if is_later { State::Later(ending) } else { State::Final(ending) });
                    continue;
                }
            }
            if let Some(queue) = self.queues.get_mut(host) {
                queue.pop_front();
            }
            if let Some(host) = self.hosts.get_mut(host) {
                host.begin(now);
            }
            if let Some(node) = self.memory.nodes.get_mut(id) {
                let refuses_head = self.hosts.get(host).is_some_and(Host::refuses_head);
                if refuses_head && node.method == Method::Head {
                    node.method = Method::Get;
                }
                if node.wants_anchors && node.method == Method::Head {
                    node.method = Method::Get;
                }
                let request = request(node);
                let sent = Sent { method: request.method, wants_anchors: request.wants_anchors };
                self.spawn(Task::Node(id, sent), request);
            }
        }
        self.ready.push_back(host);
    }

    fn spawn(&mut self, task: Task, request: Request) {
        let replying = self.asker.ask(request);
        self.running.spawn(async move { (task, replying.await) });
    }

    /// Waits for a reply, or until a host may be asked again.
    async fn wait(&mut self) {
        let now = Instant::now();
        let wakes = self.sleeping.peek().map(|Reverse((time, _))| self.start + *time);
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
            Task::Node(id, sent) => self.take_node(id, sent, &reply),
            Task::Loop(of) => self.take_loop(*of, &reply),
        }
    }

    fn take_node(&mut self, id: NodeId, sent: Sent, reply: &Reply) {
        let Some(node) = self.memory.nodes.get(id) else { return };
        let (host, is_last) = (node.host, node.is_retried);
        let is_more = node.wants_anchors && !sent.wants_anchors;
        let next = judge(sent.method, reply);
        self.note(host, &next, reply, node.is_after_head);
        self.ready.push_back(host);
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
                    if let Some(queue) = self.queues.get_mut(host) {
                        queue.push_front(id);
                    }
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
        let may_be_private = self.settings.is_private || self.is_own(&stem);
        let is_for_public = reply.is_public || node.is_for_public || !may_be_private;
        // Other protocols are not asked because a server of the web says so.
        let is_web = origin_of(&stem).is_some_and(|origin| origin.starts_with("http"));
        let wants_anchors = node.wants_anchors;
        let next = self.node(&stem, is_for_public);
        if is_web {
            self.want(next, wants_anchors);
        } else if let Some(node) = self.memory.nodes.get_mut(next) {
            node.state = State::Final(Ending::of(Code::Policy));
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

    /// Follows a loop once more, with cookies and by GET.
    fn begin_loop(&mut self, url: usize, start: NodeId) {
        let Some(node) = self.memory.nodes.get(start) else { return };
        let (jar, is_for_public) = (CookieJar::new(), node.is_for_public);
        let asked = vec![(Arc::clone(&node.url), 0)];
        let request = Request { method: Method::Get, jar: Some(jar.clone()), ..request(node) };
        let of = Loop { url, hops: Vec::new(), jar, asked, is_for_public };
        self.spawn(Task::Loop(of.into()), request);
    }

    fn take_loop(&mut self, mut of: Loop, reply: &Reply) {
        let next = judge(Method::GetHttp1, reply);
        let Next::Redirect(to) = next else {
            let ending = ending(&next, reply);
            // With its cookie the page is where the link leads.
            let is_same =
                of.asked.last().zip(of.asked.first()).is_some_and(|(last, first)| last.0 == first.0);
            let hops = if is_same { Vec::new() } else { of.hops };
            return self.judge(of.url, verdict(&ending, hops, false), None);
        };
        let status = if let Said::Response(response) = &reply.said { response.status } else { 0 };
        of.hops.push(Hop { status, to: to.clone() });
        let stem: Arc<str> = to.split('#').next().unwrap_or_default().into();
        let step = (Arc::clone(&stem), of.jar.len());
        if of.hops.len() > MOST_HOPS || of.asked.contains(&step) {
            return self.judge(of.url, Verdict { hops: of.hops, ..Verdict::new(Code::Loop) }, None);
        }
        let is_own = self.settings.is_private || self.is_own(&stem);
        of.is_for_public |= reply.is_public || !is_own;
        if let Some(trouble) = self.asker.refused(&stem, of.is_for_public) {
            return self.judge(of.url, verdict(&Ending::of(trouble.code), of.hops, false), None);
        }
        if of.asked.last().is_some_and(|(at, _)| is_secure(at)) && !is_secure(&stem) {
            // Cookies are not sent in the clear after they were secret.
            of.jar = CookieJar::new();
        }
        of.asked.push(step);
        let request = Request {
            url: stem,
            method: Method::Get,
            is_for_public: of.is_for_public,
            wants_anchors: false,
            sends_headers: false,
            jar: Some(of.jar.clone()),
        };
        self.spawn(Task::Loop(of.into()), request);
    }

    /// Returns whether the resolver says that a name does not exist, and was not doubted yet.
    fn is_name_missing(&self) -> bool {
        let is_missing =
            |node: &Node| matches!(&node.state, State::Later(ending) if ending.code == Code::NoSuchName);
        !self.forgets_names && self.memory.nodes.iter().any(is_missing)
    }

    /// Takes back that names do not exist: the resolver does not know any.
    fn forget_names(&mut self) {
        self.forgets_names = true;
        for node in &mut self.memory.nodes {
            if let State::Later(ending) = &mut node.state {
                ending.code = doubted(ending.code);
            }
        }
    }

    /// Asks once more for everything that failed; returns whether there is something.
    fn begin_last_tries(&mut self) -> bool {
        self.hosts.iter_mut().for_each(Host::begin_last_try);
        let mut failed = Vec::new();
        for (id, node) in self.memory.nodes.iter_mut().enumerate() {
            if matches!(node.state, State::Later(_)) && !node.is_retried {
                node.is_retried = true;
                failed.push(id);
            }
        }
        let has_failed = !failed.is_empty();
        failed.into_iter().for_each(|id| self.queue(id));
        has_failed
    }

    /// Judges what is left by its last failure; without a network that is all.
    fn finish(&mut self, end: End) {
        let left: Vec<_> = self.waiting.keys().copied().collect();
        for id in left {
            let code = match self.memory.nodes.get(id).map(|node| &node.state) {
                Some(State::Later(_)) if end == End::NoNetwork => Ending::of(Code::NoNetwork),
                Some(State::Later(ending)) => ending.clone(),
                _ => Ending::of(Code::DeadHost),
            };
            self.set(id, State::Final(code));
        }
        let open: Vec<_> = (0..self.verdicts.len()).filter(|&url| self.verdicts[url].is_none()).collect();
        open.into_iter().for_each(|url| self.judge(url, Verdict::new(Code::DeadHost), None));
    }

    /// Returns whether no request has left this machine.
    fn has_no_network(&self) -> bool {
        let mut failed = self.memory.nodes.iter().filter_map(|node| match &node.state {
            State::Later(ending) => Some(ending.code),
            State::Final(ending) if matches!(ending.code.outcome(), Outcome::Skipped | Outcome::Refused) => {
                None
            }
            State::New | State::Asked => None,
            _ => Some(Code::Ok),
        });
        let is_no_network = |code| code == Code::NoNetwork || self.forgets_names && code == Code::NameFailed;
        failed.next().is_some_and(is_no_network) && failed.all(is_no_network)
    }

    /// Returns whether all links of a page are judged; the first `judged` are.
    fn is_judged(&self, page: &Page, judged: &mut usize) -> bool {
        let is_judged = |link: &FoundLink| match link.target {
            Target::Url(UrlId(url)) => self.verdicts.get(url as usize).is_some_and(Option::is_some),
            _ => true,
        };
        while page.links.get(*judged).is_some_and(is_judged) {
            *judged += 1;
        }
        *judged == page.links.len()
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
        Ok(())
    }

    /// Returns the hosts that requests wait for.
    fn awaited(&self) -> Vec<String> {
        let hosts = self.hosts.iter().zip(&self.names);
        let waits = hosts.filter(|(host, _)| host.is_awaited());
        waits.map(|(_, name)| name.split("://").last().unwrap_or(name).to_owned()).collect()
    }
}

fn request(node: &Node) -> Request {
    Request {
        url: Arc::clone(&node.url),
        method: node.method,
        is_for_public: node.is_for_public,
        wants_anchors: node.wants_anchors,
        sends_headers: true,
        jar: None,
    }
}

/// Returns the code where the resolver says of every name that it does not exist.
const fn doubted(code: Code) -> Code {
    match code {
        Code::NoSuchName => Code::NameFailed,
        code => code,
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
