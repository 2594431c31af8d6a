//! Builds the minimal complete deterministic automaton of a grammar's rule. Octets that it never
//! distinguishes form one class, and its table has one column for each class. The numbers of states
//! and classes depend only on the language, so two rules are equivalent exactly if their automata
//! are equal.

mod nfa;
mod subset;
mod table;

use std::collections::HashMap;

use crate::grammar::{Grammar, GrammarError};
use nfa::Nfa;
use table::Table;

/// A minimal complete deterministic automaton over octets. State 0 is the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dfa {
    /// The class of each octet.
    class_of: [u8; 256],
    /// The octets of each class, the most readable one first.
    members: Vec<Vec<u8>>,
    /// The next state, at `state * classes + class`.
    next: Vec<usize>,
    accepting: Vec<bool>,
}

impl Dfa {
    /// Returns whether the whole text is in the language.
    pub fn accepts(&self, text: &[u8]) -> bool {
        self.is_accepting(text.iter().fold(0, |state, octet| self.step(state, *octet)))
    }

    /// Returns the number of states, including the dead state.
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// Returns the number of classes of octets.
    pub fn classes(&self) -> usize {
        self.members.len()
    }

    /// Returns the state after `octet`.
    pub fn step(&self, state: usize, octet: u8) -> usize {
        self.step_class(state, self.class_of(octet))
    }

    /// Returns the state after any octet of `class`.
    pub fn step_class(&self, state: usize, class: usize) -> usize {
        self.next[state * self.classes() + class]
    }

    /// Returns whether a text that ends in `state` is in the language.
    pub fn is_accepting(&self, state: usize) -> bool {
        self.accepting[state]
    }

    /// Returns the class of an octet.
    pub fn class_of(&self, octet: u8) -> usize {
        usize::from(self.class_of[usize::from(octet)])
    }

    /// Returns the octets of a class: letters first, then digits, marks, controls, and octets
    /// beyond ASCII.
    pub fn members(&self, class: usize) -> &[u8] {
        &self.members[class]
    }

    /// Returns the least number of octets from each state to an accepting one; `None` for the dead
    /// state.
    pub fn distances(&self) -> Vec<Option<usize>> {
        let mut distances: Vec<_> = self.accepting.iter().map(|yes| yes.then_some(0)).collect();
        for round in 0..self.states() {
            let near: Vec<_> = (0..self.states()).filter(|state| distances[*state].is_none()).collect();
            for state in near {
                let reaches = |class| distances[self.step_class(state, class)] == Some(round);
                if (0..self.classes()).any(reaches) {
                    distances[state] = Some(round + 1);
                }
            }
        }
        distances
    }

    /// Returns a shortest string to each state, as classes, in breadth-first order.
    pub fn access_strings(&self) -> Vec<Vec<usize>> {
        let mut found = vec![None; self.states()];
        found[0] = Some(Vec::new());
        // States are numbered breadth first, so each was found before its turn.
        for state in 0..self.states() {
            for class in 0..self.classes() {
                let next = self.step_class(state, class);
                if found[next].is_none() {
                    let before: &Vec<_> = found[state].as_ref().expect("states are numbered breadth first");
                    found[next] = Some([before.as_slice(), &[class]].concat());
                }
            }
        }
        found.into_iter().map(|access| access.expect("a minimal automaton reaches all its states")).collect()
    }

    /// Merges the classes that no state of a minimal table distinguishes. Numbers the remaining
    /// classes by their first octet, and the states breadth first.
    fn number(table: &Table) -> Dfa {
        let mut numbers = HashMap::new();
        let mut columns = Vec::new();
        let class_of = std::array::from_fn(|octet| {
            let column = usize::from(table.class_of[octet]);
            let content: Vec<_> = (0..table.states()).map(|state| table.step(state, column)).collect();
            let class = *numbers.entry(content).or_insert_with(|| {
                columns.push(column);
                columns.len() - 1
            });
            u8::try_from(class).expect("256 octets have at most 256 classes")
        });
        let mut members = vec![Vec::new(); columns.len()];
        let mut octets: Vec<u8> = (0..=255).collect();
        octets.sort_by_key(|octet| preference(*octet));
        for octet in octets {
            members[usize::from(class_of[usize::from(octet)])].push(octet);
        }
        let (next, accepting) = table.number_states(&columns);
        Dfa { class_of, members, next, accepting }
    }
}

impl Grammar {
    /// Compiles the minimal automaton of the strings that `start_rule` matches as a whole.
    ///
    /// # Errors
    ///
    /// The rule, or one that it names, is not defined; or a rule refers to itself, which a finite
    /// automaton cannot express.
    pub fn compile(&self, start_rule: &str) -> Result<Dfa, GrammarError> {
        let start = self.start(start_rule)?;
        let table = subset::determinise(&Nfa::build(self, &start));
        Ok(Dfa::number(&merge_states(table)))
    }
}

/// Returns a sort key that puts the most readable octets of a class first.
fn preference(octet: u8) -> u8 {
    match octet {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        b'!'..=b'~' => 3,
        0..=0x7F => 4,
        _ => 5,
    }
}

/// Merges the states that no text distinguishes (Moore's algorithm): splits them by acceptance, then
/// by the blocks that each class leads to, until no block splits.
fn merge_states(table: Table) -> Table {
    let mut blocks: Vec<usize> = table.accepting.iter().map(|yes| usize::from(*yes)).collect();
    let mut count = 0;
    loop {
        let (split, now) = split_blocks(&table, &blocks);
        blocks = split;
        if now == count {
            return merge(&table, &blocks, count);
        }
        count = now;
    }
}

/// Splits the blocks once more, and returns them with their number.
fn split_blocks(table: &Table, blocks: &[usize]) -> (Vec<usize>, usize) {
    let mut numbers = HashMap::new();
    let split = table.next.chunks_exact(table.classes).zip(blocks).map(|(row, block)| {
        let mut key = Vec::with_capacity(row.len() + 1);
        key.push(*block);
        key.extend(row.iter().map(|state| blocks[*state]));
        let fresh = numbers.len();
        *numbers.entry(key).or_insert(fresh)
    });
    let split = split.collect();
    (split, numbers.len())
}

fn merge(table: &Table, blocks: &[usize], count: usize) -> Table {
    let mut next = vec![0; count * table.classes];
    let mut accepting = vec![false; count];
    for (state, block) in blocks.iter().enumerate() {
        accepting[*block] = table.accepting[state];
        for class in 0..table.classes {
            next[block * table.classes + class] = blocks[table.step(state, class)];
        }
    }
    Table { class_of: table.class_of, classes: table.classes, start: blocks[table.start], next, accepting }
}

#[cfg(test)]
impl Dfa {
    /// Returns this automaton with one transition changed.
    pub(crate) fn with_transition(&self, state: usize, class: usize, target: usize) -> Dfa {
        let mut mutant = self.clone();
        mutant.next[state * self.classes() + class] = target;
        mutant
    }

    /// Returns this automaton with the acceptance of one state inverted.
    pub(crate) fn with_answer_flipped(&self, state: usize) -> Dfa {
        let mut mutant = self.clone();
        mutant.accepting[state] = !mutant.accepting[state];
        mutant
    }
}

#[cfg(test)]
mod tests;
