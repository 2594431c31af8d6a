//! Builds a nondeterministic automaton from a grammar and a start element (Thompson's
//! construction). Its states are joined by transitions on octets and by empty transitions.

use crate::grammar::{Element, Grammar};
use crate::octets::OctetSet;

/// A nondeterministic automaton; states are numbers, and 0 is the start.
#[derive(Default)]
pub(super) struct Nfa {
    /// The transitions of each state: a set of octets and the next state.
    pub(super) moves: Vec<Vec<(OctetSet, usize)>>,
    /// The empty transitions of each state.
    pub(super) empty: Vec<Vec<usize>>,
    /// The one accepting state.
    pub(super) end: usize,
}

impl Nfa {
    /// Builds the automaton. All names must be defined and not recursive.
    pub(super) fn build(grammar: &Grammar, start: &Element) -> Nfa {
        let mut nfa = Nfa::default();
        let first = nfa.add_state();
        nfa.end = nfa.add(grammar, start, first);
        nfa
    }

    /// Adds the transitions of `element`, which begin at `from`, and returns the state where it
    /// ends.
    ///
    /// INVARIANT: no added transition leads back to `from`, so alternatives may share it.
    fn add(&mut self, grammar: &Grammar, element: &Element, from: usize) -> usize {
        // One transition for "ALPHA / DIGIT / ...", instead of a branch for each, keeps subsets
        // small.
        if let Some(set) = as_set(grammar, element) {
            let to = self.add_state();
            self.moves[from].push((set, to));
            return to;
        }
        match element {
            Element::Octets(_) => unreachable!("one octet is a set"),
            Element::Rule { name, .. } => self.add(grammar, grammar.rule(name), from),
            Element::Sequence(of) => of.iter().fold(from, |at, one| self.add(grammar, one, at)),
            Element::Choice(of) => {
                let join = self.add_state();
                for one in of {
                    let end = self.add(grammar, one, from);
                    self.empty[end].push(join);
                }
                join
            }
            Element::Repeat { least, most, of } => {
                let from = (0..*least).fold(from, |at, _| self.add(grammar, of, at));
                match most {
                    None => self.add_loop(grammar, of, from),
                    Some(most) => self.add_options(grammar, of, from, most - least),
                }
            }
        }
    }

    fn add_loop(&mut self, grammar: &Grammar, of: &Element, from: usize) -> usize {
        let hub = self.add_state();
        self.empty[from].push(hub);
        let end = self.add(grammar, of, hub);
        self.empty[end].push(hub);
        hub
    }

    /// Adds zero to `most` repetitions of an element.
    fn add_options(&mut self, grammar: &Grammar, of: &Element, from: usize, most: usize) -> usize {
        let join = self.add_state();
        self.empty[from].push(join);
        (0..most).fold(from, |at, _| {
            let end = self.add(grammar, of, at);
            self.empty[end].push(join);
            end
        });
        join
    }

    fn add_state(&mut self) -> usize {
        self.moves.push(Vec::new());
        self.empty.push(Vec::new());
        self.moves.len() - 1
    }
}

/// Returns the set of an element that always matches exactly one octet.
fn as_set(grammar: &Grammar, element: &Element) -> Option<OctetSet> {
    match element {
        Element::Octets(set) => Some(*set),
        Element::Rule { name, .. } => as_set(grammar, grammar.rule(name)),
        Element::Choice(of) => of
            .iter()
            .try_fold(OctetSet::default(), |set, one| as_set(grammar, one).map(|other| set.union(other))),
        Element::Sequence(_) | Element::Repeat { .. } => None,
    }
}
