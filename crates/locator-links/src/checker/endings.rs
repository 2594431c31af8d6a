//! When no request is left: what failed is asked for once more, then judged by its failure.

use super::memory::{Ending, Node, Source, State};
use super::receiver::End;
use super::requests::doubted;
use super::state::Checker;
use crate::outcome::{Code, Outcome, Verdict};

impl Checker<'_, '_> {
    /// Returns whether the resolver says that a name does not exist, and was not doubted yet.
    pub(super) fn is_name_missing(&self) -> bool {
        let is_missing =
            |node: &Node| matches!(&node.state, State::Later(ending) if ending.code == Code::NoSuchName);
        !self.forgets_names && self.memory.nodes.iter().any(is_missing)
    }

    /// Takes back that names do not exist: the resolver does not know any.
    pub(super) fn forget_names(&mut self) {
        self.forgets_names = true;
        for node in &mut self.memory.nodes {
            if let State::Later(ending) = &mut node.state {
                ending.code = doubted(ending.code);
            }
        }
    }

    /// Returns whether no request has left this machine.
    pub(super) fn has_no_network(&self) -> bool {
        let mut failed = self.memory.nodes.iter().filter_map(|node| match &node.state {
            State::Later(ending) => Some(ending.code),
            State::Final(ending) if matches!(ending.code.outcome(), Outcome::Skipped | Outcome::Refused) => {
                None
            }
            State::New | State::Asked => None,
            _ if node.source == Source::Cache => None,
            _ => Some(Code::Ok),
        });
        let is_no_network = |code| code == Code::NoNetwork || self.forgets_names && code == Code::NameFailed;
        failed.next().is_some_and(is_no_network) && failed.all(is_no_network)
    }

    /// Asks once more for everything that failed; returns whether there is something.
    pub(super) fn begin_last_tries(&mut self) -> bool {
        self.hosts.begin_last_try();
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
    pub(super) fn finish(&mut self, end: End) {
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
}
