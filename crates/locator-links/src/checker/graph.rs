//! What was asked in a run: each URL once, and where it led. A chain of redirects is followed here, over what is
//! remembered.

use std::collections::HashMap;
use std::sync::Arc;

use crate::anchors::Anchors;
use crate::judge::{Method, is_login};
use crate::outcome::{Code, Hop, Outcome, Verdict};
use crate::reference::is_secure;

/// The number of a URL in [`UrlGraph`].
pub(crate) type NodeId = usize;

/// What is known of a URL.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) url: Arc<str>,
    /// The number of its host.
    pub(crate) host: usize,
    /// Whether only public addresses may answer for it.
    pub(crate) is_for_public: bool,
    pub(crate) wants: Wants,
    /// Whether a login is sent: a document has the URL, or the same origin redirects to it.
    pub(crate) sends_login: bool,
    pub(crate) method: Method,
    /// Whether GET was asked because HEAD was refused.
    pub(crate) is_after_head: bool,
    /// Whether this is the second try.
    pub(crate) is_retried: bool,
    /// How often it was refused because its server has too many requests or is busy.
    pub(crate) refusals: u32,
    /// Whether HEAD has found it, and GET looks where it refreshes to.
    pub(crate) is_there: bool,
    /// Where the page leads by itself, soon after it is shown.
    pub(crate) refresh: Option<Box<Refresh>>,
    pub(crate) source: AnswerSource,
    pub(crate) state: NodeState,
}

/// What is wanted of a page besides whether it is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wants {
    /// The names that fragments may refer to.
    pub(crate) anchors: bool,
    /// Its links.
    pub(crate) page: bool,
    /// Its text.
    pub(crate) text: bool,
    /// How many redirects are followed from here.
    pub(crate) redirects: usize,
}

impl Wants {
    /// Returns what a link wants.
    pub(crate) const fn of_link(anchors: bool, page: bool) -> Self {
        Self { anchors, page, text: false, redirects: MOST_HOPS }
    }

    /// Returns what is wanted of a page whose links are followed.
    pub(crate) const fn of_page() -> Self {
        Self { anchors: true, text: false, page: true, redirects: 0 }
    }

    /// Returns whether all that others want of the page is wanted.
    pub(crate) const fn includes(self, others: Self) -> bool {
        (self.anchors || !others.anchors) && (self.page || !others.page) && (self.text || !others.text)
    }

    /// Returns what both want.
    pub(crate) const fn union(self, others: Self) -> Self {
        Self {
            anchors: self.anchors || others.anchors,
            page: self.page || others.page,
            text: self.text || others.text,
            redirects: if self.redirects > others.redirects { self.redirects } else { others.redirects },
        }
    }
}

/// A URL, and what is wanted of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WantedNode {
    pub(crate) id: NodeId,
    pub(crate) wants: Wants,
}

/// Where the answer for a URL comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AnswerSource {
    /// It is not known yet.
    #[default]
    Any,
    /// From the cache.
    Cache,
    /// From the server, in this run.
    Server,
}

/// How far a URL is.
#[derive(Debug)]
pub(crate) enum NodeState {
    /// Nobody asked for it yet.
    New,
    /// It is asked for, or waits for that.
    Asked,
    /// It failed, and is asked for again at the end.
    Later(Ending),
    /// It is judged.
    Final(Ending),
    /// It redirects.
    Redirects { to: NodeId, status: u16, shown: String, sets_cookie: bool },
}

/// The end of a chain.
#[derive(Clone, Debug)]
pub(crate) struct Ending {
    pub(crate) code: Code,
    pub(crate) status: Option<u16>,
    pub(crate) reason: Option<String>,
    pub(crate) seen: Option<u64>,
    pub(crate) anchors: Option<Arc<Anchors>>,
}

impl Ending {
    /// Returns an ending of which only the reason is known.
    pub(crate) const fn of(code: Code) -> Self {
        Self { code, status: None, reason: None, seen: None, anchors: None }
    }
}

/// Where a page leads by itself, soon after it is shown.
#[derive(Debug)]
pub(crate) struct Refresh {
    pub(crate) to: NodeId,
    /// The URL as the page has it, with its fragment.
    pub(crate) shown: String,
}

/// Where a chain of redirects is.
#[derive(Clone, Debug)]
pub(crate) enum Chain {
    /// At a URL that is not judged yet.
    At(NodeId),
    /// In a circle. `may_end` says whether cookies or another method could lead out of it.
    Loop { hops: Vec<Hop>, may_end: bool },
    /// At its end.
    End(Verdict, Option<Arc<Anchors>>),
}

/// How many redirects are followed.
pub(crate) const MOST_HOPS: usize = 20;

/// The URLs of a run.
#[derive(Debug, Default)]
pub(crate) struct UrlGraph {
    pub(crate) nodes: Vec<Node>,
    ids: HashMap<(Arc<str>, bool), NodeId>,
}

impl UrlGraph {
    /// Returns the number of a URL, which is new if it was not met before.
    pub(crate) fn find(&mut self, url: &str, is_for_public: bool, host: impl FnOnce() -> usize) -> NodeId {
        let key = (Arc::<str>::from(url), is_for_public);
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let id = self.nodes.len();
        self.nodes.push(Node {
            url: Arc::clone(&key.0),
            host: host(),
            is_for_public,
            wants: Wants::default(),
            sends_login: true,
            method: Method::Head,
            is_after_head: false,
            is_retried: false,
            refusals: 0,
            is_there: false,
            refresh: None,
            source: AnswerSource::Any,
            state: NodeState::New,
        });
        self.ids.insert(key, id);
        id
    }

    /// Follows the redirects from a URL, as far as they are known, and the refreshes of pages: a page that leads to one
    /// that is dead is dead, else it is there, wherever it leads.
    pub(crate) fn follow(&self, start: NodeId) -> Chain {
        let (mut at, mut hops, mut is_downgraded) = (start, Vec::new(), false);
        let mut passed = vec![start];
        let mut has_cookie = false;
        // The first page that was there.
        let mut page = None;
        loop {
            let Some(node) = self.nodes.get(at) else { return Chain::At(at) };
            match &node.state {
                NodeState::New | NodeState::Asked | NodeState::Later(_) => return Chain::At(at),
                NodeState::Final(ending) => {
                    let verdict = verdict(ending, hops.clone(), is_downgraded);
                    let is_dead = verdict.outcome() == Outcome::Broken;
                    let end = Chain::End(verdict, ending.anchors.clone());
                    let next = node.refresh.as_deref().filter(|_| ending.code == Code::Ok);
                    let Some(Refresh { to, shown }) = next else {
                        return if is_dead { end } else { page.unwrap_or(end) };
                    };
                    let page = page.get_or_insert(end);
                    hops.push(Hop { status: ending.status.unwrap_or(200), to: shown.clone() });
                    if passed.contains(to) || hops.len() > MOST_HOPS {
                        return page.clone();
                    }
                    passed.push(*to);
                    at = *to;
                }
                NodeState::Redirects { to, status, shown, sets_cookie } => {
                    hops.push(Hop { status: *status, to: shown.clone() });
                    has_cookie |= sets_cookie;
                    let next = self.nodes.get(*to).map(|node| &*node.url).unwrap_or_default();
                    is_downgraded |= is_secure(&node.url) && !is_secure(next);
                    if let Some(page) =
                        page.as_ref().filter(|_| passed.contains(to) || hops.len() > MOST_HOPS)
                    {
                        return Chain::clone(page);
                    }
                    if passed.contains(to) {
                        let is_head = passed.iter().any(|&id| self.method(id) == Method::Head);
                        return Chain::Loop { hops, may_end: has_cookie || is_head };
                    }
                    if hops.len() > MOST_HOPS {
                        return Chain::End(Verdict { hops, ..Verdict::new(Code::TooManyRedirects) }, None);
                    }
                    passed.push(*to);
                    at = *to;
                }
            }
        }
    }

    /// Forgets what the cache knows of a URL, so that its server is asked.
    pub(crate) fn ask_anew(&mut self, id: NodeId) {
        let Some(node) = self.nodes.get_mut(id) else { return };
        if node.source == AnswerSource::Cache {
            node.state = NodeState::New;
        }
        node.source = AnswerSource::Server;
    }

    /// Returns the redirects from a URL on that the cache knows.
    pub(crate) fn cached_redirects(&self, start: NodeId) -> Vec<NodeId> {
        let (mut at, mut cached) = (start, Vec::new());
        for _ in 0..=MOST_HOPS {
            let Some(Node { source, state: NodeState::Redirects { to, .. }, .. }) = self.nodes.get(at) else {
                break;
            };
            if *source == AnswerSource::Cache && !cached.contains(&at) {
                cached.push(at);
            }
            at = *to;
        }
        cached
    }

    /// Returns whether redirects from a URL were answered to HEAD or set a cookie, so that they could lead elsewhere.
    pub(crate) fn may_differ(&self, start: NodeId) -> bool {
        let mut at = start;
        for _ in 0..MOST_HOPS {
            let Some(node) = self.nodes.get(at) else { return false };
            match &node.state {
                NodeState::Redirects { sets_cookie, .. } if *sets_cookie || node.method == Method::Head => {
                    return true;
                }
                NodeState::Redirects { to, .. } => at = *to,
                _ => return false,
            }
        }
        false
    }

    fn method(&self, id: NodeId) -> Method {
        self.nodes.get(id).map_or(Method::Get, |node| node.method)
    }
}

/// Returns the verdict of a chain that ended.
pub(crate) fn verdict(ending: &Ending, hops: Vec<Hop>, is_downgraded: bool) -> Verdict {
    let code = match ending.code {
        code if hops.is_empty() => code,
        Code::Ok if hops.iter().any(|hop| is_login(&hop.to)) => Code::Login,
        Code::Ok if is_downgraded => Code::RedirectDowngrade,
        Code::Ok => Code::Redirected,
        Code::Private => Code::RedirectInward,
        Code::Policy => Code::RedirectRefused,
        code => code,
    };
    let (status, reason, seen) = (ending.status, ending.reason.clone(), ending.seen);
    Verdict { status, reason, hops, seen, ..Verdict::new(code) }
}
