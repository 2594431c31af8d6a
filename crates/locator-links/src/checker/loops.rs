//! A loop of redirects is followed once more, with cookies of its own and by GET: some pages set a cookie and
//! redirect to themselves.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use locator_fetch::http::CookieJar;

use super::memory::{Ending, MOST_HOPS, NodeId, is_secure, verdict};
use super::requests::{ending, not_asked_after_redirects, request};
use super::state::{Checker, Job, Loop};
use crate::judge::reply::{Method, Reply, Said};
use crate::judge::{Next, judge};
use crate::network::asking::Request;
use crate::outcome::{Code, Hop, Verdict};

impl Checker<'_, '_> {
    /// Begins to follow the loop of a URL.
    pub(super) fn begin_loop(&mut self, url: usize, start: NodeId) {
        let Some(node) = self.memory.nodes.get(start) else { return };
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
        let of = Loop { url, hops: Vec::new(), jar, asked, is_for_public };
        self.hosts.push(host, Job::Loop((of, request).into()));
    }

    /// Takes the reply to the last request of a loop.
    pub(super) fn take_loop(&mut self, mut of: Loop, reply: &Reply) {
        let next = judge(Method::GetHttp1, reply);
        if let Some((at, _)) = of.asked.last() {
            let host = self.hosts.number(at);
            self.note(host, &next, reply, false);
            self.hosts.is_free(host);
        }
        let Next::Redirect(to) = next else { return self.end_loop(of, &ending(&next, reply)) };
        let status = if let Said::Response(response) = &reply.said { response.status } else { 0 };
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
    pub(super) fn end_loop(&mut self, of: Loop, ending: &Ending) {
        // With its cookie the page is where the link leads.
        let is_same = of.asked.last().zip(of.asked.first()).is_some_and(|(last, first)| last.0 == first.0);
        let hops = if is_same { Vec::new() } else { of.hops };
        let start = self.nodes.get(of.url).copied().flatten().and_then(|id| self.memory.nodes.get(id));
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
