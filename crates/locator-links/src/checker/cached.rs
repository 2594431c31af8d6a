//! What earlier runs know: judged at once, without a request and without the pace of its server.
//!
//! An old redirect may lead elsewhere by now, so it proves only that a page is there. If it leads to anything
//! else, its server is asked.

use super::memory::{Chain, NodeId, Source, State, Wants};
use super::requests::ending;
use super::state::Checker;
use crate::judge::reply::{Method, Reply, Said};
use crate::judge::{Next, judge};
use crate::outcome::Outcome;

impl Checker<'_, '_> {
    /// Returns how many URLs the cache knows, of how many that it knows or that servers were asked for.
    #[must_use]
    pub fn from_cache(&self) -> (u64, u64) {
        let count = |source| self.memory.nodes.iter().filter(|node| node.source == source).count() as u64;
        let cached = count(Source::Cache);
        (cached, cached + count(Source::Server))
    }

    /// Judges a URL by what an earlier run knows, and returns the one that it redirects to.
    pub(super) fn serve(&mut self, id: NodeId, method: Method, reply: &Reply) -> Option<(NodeId, Wants)> {
        if let Some(node) = self.memory.nodes.get_mut(id) {
            node.method = method;
            if !matches!(reply.said, Said::Failed(_)) {
                node.source = Source::Cache;
            }
        }
        let next = judge(method, reply);
        if let Next::Redirect(to) = &next {
            return self.set_redirect(id, to, reply);
        }
        if let Some(node) = self.memory.nodes.get_mut(id) {
            node.state = State::Final(ending(&next, reply));
        }
        None
    }

    /// Follows the redirects from a URL, as far as they are known. Those that the cache knows are asked for once
    /// more if they lead to no page.
    pub(super) fn chain(&mut self, start: NodeId) -> Chain {
        let chain = self.memory.follow(start);
        if !leads_nowhere(&chain) {
            return chain;
        }
        let cached = self.memory.cached_redirects(start);
        for &id in &cached {
            self.memory.ask_anew(id);
            self.want(id, Wants::default());
        }
        if cached.is_empty() { chain } else { self.memory.follow(start) }
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
