//! Asks servers, and takes their replies.
//!
//! What earlier runs know is judged at once, without a request and without the pace of its server. An old redirect
//! may lead elsewhere by now, so it proves only that a page is there. If it leads to anything else, its server is asked.
//!
//! A loop of redirects is followed once more, with cookies of its own and by GET: some pages set a cookie and
//! redirect to themselves.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;
use std::time::Duration;

use locator::UriRef;
use locator_fetch::http::CookieJar;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::graph::{
    AnswerSource, Chain, Ending, MOST_HOPS, Node, NodeId, NodeState, Refresh, WantedNode, Wants, verdict,
};
use super::{CacheUse, Checker, Job, RedirectLoop, SentRequest, Task, doubted};
use crate::cache::CachedReply;
use crate::judge::{Method, NextStep, Reply, ReplyKind, Response, is_of_host, judge};
use crate::network::request::Request;
use crate::outcome::{Code, Hop, Outcome, Verdict};
use crate::pace::{HostPace, NextJob, most_waits};
use crate::reference::{is_reserved, is_secure, origin_of};

/// How often it is looked whether the run is to end.
const TICK: Duration = Duration::from_millis(100);

impl Checker<'_, '_> {
    /// Asks for a URL, unless that is done or on its way. If more is wanted of the page, or more redirects may be
    /// followed than before, those that are known are followed to it.
    pub(super) fn want(&mut self, id: NodeId, wants: Wants) {
        let (mut next, mut passed) = (Some(WantedNode { id, wants }), Vec::new());
        while let Some(WantedNode { id, wants }) = next {
            next = self.want_next(id, wants);
            passed.push(id);
        }
        // From the last one, on which the others depend.
        passed.into_iter().rev().for_each(|id| self.go_on(id));
    }

    /// Asks for a URL, and returns the one that it is known to redirect to if that is wanted now.
    fn want_next(&mut self, id: NodeId, wants: Wants) -> Option<WantedNode> {
        let node = self.graph.nodes.get_mut(id)?;
        let is_more = !node.wants.includes(wants);
        let is_farther = wants.redirects > node.wants.redirects;
        node.wants = node.wants.union(wants);
        match &node.state {
            NodeState::New => {}
            NodeState::Redirects { to, .. } => {
                let to = *to;
                return self
                    .wants_after(to, wants)
                    .filter(|_| is_more || is_farther)
                    .map(|wants| WantedNode { id: to, wants });
            }
            // The page was asked for without its anchors.
            NodeState::Final(ending) if is_more && ending.code == Code::Ok => {}
            // When the reply is there, the page is asked for once more if it has no anchors.
            NodeState::Asked | NodeState::Later(_) | NodeState::Final(_) => return None,
        }
        let (url, is_for_public) = (Arc::clone(&node.url), node.is_for_public);
        if node.wants.anchors {
            node.method = Method::Get;
        }
        let known = match node.source {
            AnswerSource::Server => None,
            AnswerSource::Any | AnswerSource::Cache => self.transport.cached(&request(node)),
        };
        match (self.refused(&url, is_for_public), known) {
            (Some(ending), _) => self.set(id, NodeState::Final(ending)),
            (None, Some(known)) => return self.serve(id, &known),
            (None, None) => self.queue(id),
        }
        None
    }

    /// Returns why a URL is not asked for, if its text says so.
    pub(super) fn refused(&self, url: &str, is_for_public: bool) -> Option<Ending> {
        if !self.crawl.allows(url) {
            return Some(Ending::of(Code::Robots));
        }
        let failure = self.transport.refused(url, is_for_public)?;
        Some(Ending { reason: Some(failure.text), ..Ending::of(failure.code) })
    }

    /// Sends as many requests as may be sent now.
    pub(super) fn send(&mut self) {
        let now = self.start.elapsed();
        while self.running.len() < self.settings.at_once {
            match self.hosts.next(now) {
                None => return,
                Some(NextJob::Send(Job::Node(id))) => self.send_one(id),
                Some(NextJob::Send(Job::Loop(of))) => {
                    let (of, request) = *of;
                    self.spawn(Task::Loop(of.into()), request);
                }
                Some(NextJob::Refused(Job::Loop(of), code)) => self.end_loop(of.0, &Ending::of(code)),
                Some(NextJob::Refused(Job::Node(id), code)) => {
                    let is_retried = self.graph.nodes.get(id).is_some_and(|node| node.is_retried);
                    let is_later = is_of_host(code) && !is_retried;
                    let ending = Ending::of(code);
                    self.set(id, if is_later { NodeState::Later(ending) } else { NodeState::Final(ending) });
                }
            }
        }
    }

    fn send_one(&mut self, id: NodeId) {
        let Some(node) = self.graph.nodes.get_mut(id) else { return };
        let refuses_head = self.hosts.get(node.host).is_some_and(HostPace::refuses_head);
        if node.method == Method::Head && (refuses_head || node.wants.anchors) {
            node.method = Method::Get;
        }
        let request = request(node);
        let sent = SentRequest { method: request.method, wants: node.wants };
        self.spawn(Task::Node(id, sent), request);
    }

    /// Waits for a reply, or until a host may be asked again.
    pub(super) async fn wait(&mut self) {
        let now = Instant::now();
        let wakes = self.hosts.wakes().and_then(|time| self.start.checked_add(time));
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

    pub(super) fn take(&mut self, task: Task, reply: Reply) {
        match task {
            Task::Node(id, sent) => self.take_node(id, sent, reply),
            Task::Loop(of) => self.take_loop(*of, &reply),
        }
    }

    fn take_node(&mut self, id: NodeId, sent: SentRequest, mut reply: Reply) {
        self.take_page(id, &mut reply);
        let reply = &reply;
        let Some(node) = self.graph.nodes.get(id) else { return };
        let (host, is_last) = (node.host, node.is_retried);
        let is_more = !sent.wants.includes(node.wants);
        let next = judge(sent.method, reply);
        self.note(host, &next, reply, node.is_after_head);
        self.hosts.is_free(host);
        let mut ending = ending(&next, reply);
        if self.forgets_names {
            ending.code = doubted(ending.code);
        }
        match next {
            NextStep::Final(Code::Ok) if is_more => self.queue(id),
            NextStep::Final(Code::Ok) if sent.method == Method::Head && reply.may_refresh => {
                if let Some(node) = self.graph.nodes.get_mut(id) {
                    (node.method, node.is_there) = (Method::Get, true);
                    self.hosts.push_front(host, Job::Node(id));
                }
            }
            NextStep::Final(Code::Ok) => {
                let next = reply.refresh.as_deref().and_then(|to| self.set_refresh(id, to, reply));
                self.set(id, NodeState::Final(ending));
                if let Some(WantedNode { id, wants }) = next {
                    self.want(id, wants);
                }
            }
            NextStep::Final(_) => self.set(id, NodeState::Final(ending)),
            NextStep::Later(_) if is_last => self.set(id, NodeState::Final(ending)),
            NextStep::Later(_) => self.set(id, NodeState::Later(ending)),
            NextStep::Ask(method) => {
                if let Some(node) = self.graph.nodes.get_mut(id) {
                    (node.method, node.is_after_head) = (method, true);
                    // Before others, which need not ask by HEAD if this one need not.
                    self.hosts.push_front(host, Job::Node(id));
                }
            }
            NextStep::Wait(code) if self.waits_for(id, code, reply) => self.queue(id),
            NextStep::Wait(code) => {
                let fault = self.hosts.get(host).and_then(HostPace::fault).unwrap_or(code);
                let asked = reply.waits.filter(|_| fault == Code::Waits);
                let asked = asked.map(|time| format!("it asks for {} s", time.as_secs()));
                let reasons = ending.reason.into_iter().chain(asked).collect::<Vec<_>>();
                let reason = Some(reasons.join("; ")).filter(|reason| !reason.is_empty());
                self.set(id, NodeState::Final(Ending { code: fault, reason, ..ending }));
            }
            NextStep::Redirect(to) => self.redirect(id, &to, reply),
        }
    }

    /// Returns whether a URL whose server refuses it for now is asked for again.
    fn waits_for(&mut self, id: NodeId, code: Code, reply: &Reply) -> bool {
        let Some(node) = self.graph.nodes.get_mut(id) else { return false };
        node.refusals += 1;
        // Some pages are refused by a server that serves the others.
        let is_bounded = node.refusals <= most_waits(code, reply.waits);
        is_bounded && self.hosts.get(node.host).is_some_and(HostPace::has_no_fault)
    }

    /// Notes what a reply says about its host.
    pub(super) fn note(&mut self, host: usize, next: &NextStep, reply: &Reply, is_after_head: bool) {
        let now = self.start.elapsed();
        let Some(host) = self.hosts.get_mut(host) else { return };
        match (&reply.kind, next) {
            (_, NextStep::Wait(code)) => drop(host.refuses(now, *code, reply.waits)),
            (ReplyKind::Failed(failure), _) if is_of_host(failure.code) => host.failed(failure.code),
            (ReplyKind::Failed(_), _) => host.ended(),
            // GET says whether the server is busy.
            (ReplyKind::Response(Response { status: 503, .. }), NextStep::Ask(_)) => host.ended(),
            (_, NextStep::Final(Code::Ok)) if is_after_head => {
                host.answered(now, reply.waits);
                host.note_refused_head();
            }
            _ => host.answered(now, reply.waits),
        }
    }

    /// Sets where a page refreshes to; returns what is wanted of that, if it may be asked for.
    fn set_refresh(&mut self, id: NodeId, to: &str, reply: &Reply) -> Option<WantedNode> {
        let stem = to.split('#').next().unwrap_or_default();
        let node = self.graph.nodes.get(id)?;
        let redirects = node.wants.redirects.checked_sub(1)?;
        // As for redirects: what a public server names must be public.
        let is_for_public = reply.is_public || node.is_for_public || !self.may_be_private(stem);
        if not_asked_after_redirects(stem).is_some() {
            return None;
        }
        let next = self.node(stem, is_for_public);
        let node = self.graph.nodes.get_mut(id).filter(|_| next != id)?;
        node.refresh = Some(Box::new(Refresh { to: next, shown: to.to_owned() }));
        Some(WantedNode { id: next, wants: Wants { redirects, ..Wants::default() } })
    }

    pub(super) fn redirect(&mut self, id: NodeId, to: &str, reply: &Reply) {
        if let Some(WantedNode { id, wants }) = self.set_redirect(id, to, reply) {
            self.want(id, wants);
        }
        self.go_on(id);
    }

    /// Sets where a URL redirects to; returns what is wanted of that, if it may be asked for.
    fn set_redirect(&mut self, id: NodeId, to: &str, reply: &Reply) -> Option<WantedNode> {
        let ReplyKind::Response(response) = &reply.kind else { return None };
        let stem = to.split('#').next().unwrap_or_default().to_owned();
        let node = self.graph.nodes.get(id)?;
        // What a public server names must be public, whatever the user allows.
        let is_for_public = reply.is_public || node.is_for_public || !self.may_be_private(&stem);
        let (wants, is_cached) = (node.wants, node.source == AnswerSource::Cache);
        // A server does not decide what others get a login for.
        let sends_login =
            node.sends_login && origin_of(&node.url).is_some_and(|own| Some(own) == origin_of(&stem));
        let known = self.graph.nodes.len();
        let next = self.node(&stem, is_for_public);
        if let Some(node) = self.graph.nodes.get_mut(next).filter(|_| next >= known) {
            node.sends_login = sends_login;
        }
        let not_asked = not_asked_after_redirects(&stem);
        let wants = if self.enters_site(id, next, &stem) { wants.union(Wants::of_page()) } else { wants };
        match not_asked {
            Some(code) => self.set(next, NodeState::Final(Ending::of(code))),
            // What the server says now is not mixed with what was at the new place some time ago.
            None if !is_cached => self.graph.ask_anew(next),
            None => {}
        }
        let (status, sets_cookie) = (response.status, response.sets_cookie);
        if let Some(node) = self.graph.nodes.get_mut(id) {
            node.state = NodeState::Redirects { to: next, status, shown: to.to_owned(), sets_cookie };
        }
        self.wants_after(next, wants)
            .filter(|_| not_asked.is_none())
            .map(|wants| WantedNode { id: next, wants })
    }
}

pub(super) fn request(node: &Node) -> Request {
    Request {
        url: Arc::clone(&node.url),
        method: node.method,
        is_for_public: node.is_for_public,
        wants_anchors: node.wants.anchors,
        wants_page: node.wants.page,
        wants_text: node.wants.text,
        sends_headers: true,
        sends_login: node.sends_login,
        jar: None,
    }
}

/// Returns why a URL that a server of the web redirects to is not asked for: it is of another protocol, or of a
/// name under which there is nothing.
fn not_asked_after_redirects(url: &str) -> Option<Code> {
    let url = UriRef::parse(url).ok()?;
    match url.host() {
        _ if !url.is_web() => Some(Code::Policy),
        Some(host) if is_reserved(host.as_str()) => Some(Code::ReservedName),
        _ => None,
    }
}

/// Returns the ending that an answer means, if it is one.
pub(super) fn ending(next: &NextStep, reply: &Reply) -> Ending {
    let code = match next {
        NextStep::Final(code) | NextStep::Later(code) | NextStep::Wait(code) => *code,
        NextStep::Redirect(_) | NextStep::Ask(_) => Code::Status,
    };
    let (status, reason) = match &reply.kind {
        ReplyKind::Found => (None, None),
        ReplyKind::Response(response) => (Some(response.status), Some(response.reason.clone())),
        ReplyKind::Failed(failure) => (None, Some(failure.text.clone())),
    };
    let reason = reason.filter(|reason| !reason.is_empty());
    Ending { code, status, reason, seen: reply.seen, anchors: reply.anchors.clone().map(Arc::new) }
}

impl Checker<'_, '_> {
    /// Begins to follow the loop of a URL.
    pub(super) fn begin_loop(&mut self, url: usize, start: NodeId) {
        let Some(node) = self.graph.nodes.get(start) else { return };
        let (jar, is_for_public) = (CookieJar::new(), node.is_for_public);
        let asked = vec![(Arc::clone(&node.url), hash_of(&jar))];
        let request = Request {
            method: Method::Get,
            jar: Some(jar.clone()),
            wants_page: false,
            sends_login: false,
            ..request(node)
        };
        let host = node.host;
        let of = RedirectLoop { url, hops: Vec::new(), jar, asked, is_for_public };
        self.hosts.push(host, Job::Loop((of, request).into()));
    }

    /// Takes the reply to the last request of a loop.
    fn take_loop(&mut self, mut of: RedirectLoop, reply: &Reply) {
        let next = judge(Method::GetHttp1, reply);
        if let Some((at, _)) = of.asked.last() {
            let host = self.hosts.number(at);
            self.note(host, &next, reply, false);
            self.hosts.is_free(host);
        }
        let NextStep::Redirect(to) = next else { return self.end_loop(of, &ending(&next, reply)) };
        let status = if let ReplyKind::Response(response) = &reply.kind { response.status } else { 0 };
        of.hops.push(Hop { status, to: to.clone() });
        let stem: Arc<str> = to.split('#').next().unwrap_or_default().into();
        let step = (Arc::clone(&stem), hash_of(&of.jar));
        if of.hops.len() > MOST_HOPS || of.asked.contains(&step) {
            return self.judge(of.url, Verdict { hops: of.hops, ..Verdict::new(Code::Loop) }, None);
        }
        of.is_for_public |= reply.is_public || !self.may_be_private(&stem);
        let refused = not_asked_after_redirects(&stem).map(Ending::of);
        if let Some(ending) = refused.or_else(|| self.refused(&stem, of.is_for_public)) {
            return self.judge(of.url, verdict(&ending, of.hops, false), None);
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
            wants_text: false,
            wants_page: false,
            sends_headers: false,
            sends_login: false,
            jar: Some(of.jar.clone()),
        };
        let host = self.hosts.number(&request.url);
        self.hosts.push(host, Job::Loop((of, request).into()));
    }

    /// Judges the URL of a loop by where it ended.
    fn end_loop(&mut self, of: RedirectLoop, ending: &Ending) {
        // With its cookie the page is where the link leads.
        let is_same = of.asked.last().zip(of.asked.first()).is_some_and(|(last, first)| last.0 == first.0);
        let hops = if is_same { Vec::new() } else { of.hops };
        let start = self.nodes.get(of.url).copied().flatten().and_then(|id| self.graph.nodes.get(id));
        if ending.code == Code::Ok && start.is_some_and(|node| node.wants.page) {
            // Its octets were not kept, since it depends on cookies.
            self.crawl.note_unreadable();
        }
        self.judge(of.url, verdict(ending, hops, false), None);
    }
}

/// Returns the hash of all cookies with their values: one that has changed may lead out of a loop.
fn hash_of(jar: &CookieJar) -> u64 {
    let mut hasher = DefaultHasher::new();
    jar.write().hash(&mut hasher);
    hasher.finish()
}

impl Checker<'_, '_> {
    /// Returns how many URLs the cache knows, of how many that it knows or that servers were asked for.
    #[must_use]
    pub fn cache_use(&self) -> CacheUse {
        let count = |source| self.graph.nodes.iter().filter(|node| node.source == source).count() as u64;
        let cached = count(AnswerSource::Cache);
        CacheUse { cached, all: cached + count(AnswerSource::Server) }
    }

    /// Judges a URL by what an earlier run knows, and returns the one that it redirects to.
    pub(super) fn serve(&mut self, id: NodeId, known: &CachedReply) -> Option<WantedNode> {
        let CachedReply { method, reply } = known;
        if let Some(node) = self.graph.nodes.get_mut(id) {
            node.method = *method;
            if !matches!(reply.kind, ReplyKind::Failed(_)) {
                node.source = AnswerSource::Cache;
            }
        }
        let next = judge(*method, reply);
        if let NextStep::Redirect(to) = &next {
            return self.set_redirect(id, to, reply);
        }
        if let Some(node) = self.graph.nodes.get_mut(id) {
            node.state = NodeState::Final(ending(&next, reply));
        }
        None
    }

    /// Follows the redirects from a URL, as far as they are known. Those that the cache knows are asked for once
    /// more if they lead to no page.
    pub(super) fn chain(&mut self, start: NodeId) -> Chain {
        let chain = self.graph.follow(start);
        if !leads_nowhere(&chain) {
            return chain;
        }
        let cached = self.graph.cached_redirects(start);
        for &id in &cached {
            self.graph.ask_anew(id);
            self.want(id, Wants::default());
        }
        if cached.is_empty() { chain } else { self.graph.follow(start) }
    }
}

/// Returns whether redirects led to no page.
fn leads_nowhere(chain: &Chain) -> bool {
    match chain {
        Chain::At(_) => false,
        Chain::Loop { .. } => true,
        Chain::End(verdict, _) => {
            matches!(verdict.outcome(), Outcome::Broken | Outcome::Refused | Outcome::Unknown)
        }
    }
}
