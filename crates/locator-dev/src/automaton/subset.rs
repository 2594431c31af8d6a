//! The subset construction: makes a nondeterministic automaton deterministic and complete. The
//! empty subset is the dead state.

use std::collections::HashMap;

use super::nfa::Nfa;
use super::table::Table;

/// Makes one state from each set of states that a text can lead to.
pub(super) fn determinise(nfa: &Nfa) -> Table {
    let (class_of, examples) = find_classes(nfa);
    let mut subsets = Subsets::default();
    let start = subsets.number(close(nfa, &[0]));
    let mut next = Vec::new();
    let mut at = 0;
    while at < subsets.list.len() {
        for octet in &examples {
            let reached = reach(nfa, &subsets.list[at], *octet);
            next.push(subsets.number(reached));
        }
        at += 1;
    }
    let accepting = subsets.list.iter().map(|subset| subset.binary_search(&nfa.end).is_ok()).collect();
    Table { class_of, classes: examples.len(), start, next, accepting }
}

#[derive(Default)]
struct Subsets {
    list: Vec<Vec<usize>>,
    numbers: HashMap<Vec<usize>, usize>,
}

impl Subsets {
    fn number(&mut self, subset: Vec<usize>) -> usize {
        if let Some(number) = self.numbers.get(&subset) {
            return *number;
        }
        self.numbers.insert(subset.clone(), self.list.len());
        self.list.push(subset);
        self.list.len() - 1
    }
}

/// Returns the states that one octet leads to from a subset.
fn reach(nfa: &Nfa, subset: &[usize], octet: u8) -> Vec<usize> {
    let moves = subset.iter().flat_map(|state| &nfa.moves[*state]);
    let targets: Vec<_> = moves.filter(|(set, _)| set.contains(octet)).map(|(_, to)| *to).collect();
    close(nfa, &targets)
}

/// Follows the empty transitions. States that have only empty transitions are left out, so more
/// subsets are equal.
fn close(nfa: &Nfa, from: &[usize]) -> Vec<usize> {
    let mut seen = std::collections::HashSet::new();
    let mut open = from.to_vec();
    while let Some(state) = open.pop() {
        if seen.insert(state) {
            open.extend(&nfa.empty[state]);
        }
    }
    let counts = |state: &usize| *state == nfa.end || !nfa.moves[*state].is_empty();
    let mut subset: Vec<_> = seen.into_iter().filter(counts).collect();
    subset.sort_unstable();
    subset
}

/// Returns the class of each octet, and one octet of each class. Octets that are in the same sets
/// of the grammar form one class.
fn find_classes(nfa: &Nfa) -> ([u8; 256], Vec<u8>) {
    let mut sets: Vec<_> = nfa.moves.iter().flatten().map(|(set, _)| *set).collect();
    let mut known = std::collections::HashSet::new();
    sets.retain(|set| known.insert(*set));
    let mut numbers = HashMap::new();
    let mut examples = Vec::new();
    let mut class_of = [0; 256];
    for octet in 0..=255 {
        let member_of: Vec<_> = sets.iter().map(|set| set.contains(octet)).collect();
        class_of[usize::from(octet)] = *numbers.entry(member_of).or_insert_with(|| {
            examples.push(octet);
            u8::try_from(examples.len() - 1).expect("256 octets have at most 256 classes")
        });
    }
    (class_of, examples)
}
