//! The W-method (Chow, "Testing software design modeled by finite-state machines", 1978): computes
//! a test set of strings from a minimal automaton. Every other recogniser with at most as many
//! states gives a different answer for at least one of the strings. A string of the set is a
//! shortest string to a state, then one octet of a class or nothing, then a suffix.
//!
//! The set of suffixes, the characterising set, is small: for any two states, exactly one of them accepts
//! some suffix of it.

use std::collections::{HashMap, HashSet};

use crate::automaton::Dfa;
use crate::random::Chance;

/// Returns the test set of `dfa`; the first octet of each class represents it.
pub fn test_set(dfa: &Dfa) -> TestSet {
    test_set_with(dfa, Representatives::First)
}

/// Returns the test set of `dfa` with this choice of representatives.
pub fn test_set_with(dfa: &Dfa, representatives: Representatives) -> TestSet {
    let dfa = dfa.clone();
    TestSet { access: dfa.access_strings(), suffixes: find_suffixes(&dfa), dfa, representatives }
}

/// Selects the octet that represents a class. The automaton treats all octets of a class alike; the
/// parser under test may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Representatives {
    /// The most readable octet: "a", "0".
    First,
    /// The last octet in that order: "Z", "9", 0xFF.
    Last,
    /// A random octet at every position, the same in every run.
    Varied,
    /// All 256 octets after the access string; elsewhere the first octet of the class. This also
    /// detects a recogniser that divides octets into other classes.
    Every,
}

/// The strings that decide whether a recogniser with at most as many states equals an automaton.
/// They are generated one by one and not stored.
#[derive(Clone, Debug)]
pub struct TestSet {
    dfa: Dfa,
    /// A shortest string to each state, as classes.
    access: Vec<Vec<usize>>,
    suffixes: Vec<Suffix>,
    representatives: Representatives,
}

impl TestSet {
    /// Calls `visit` with every string, and whether the automaton accepts it.
    pub fn for_each(&self, mut visit: impl FnMut(&[u8], bool)) {
        let mut visit = Visit { set: self, text: Vec::new(), chance: Chance::new(0), visit: &mut visit };
        for (state, access) in self.access.iter().enumerate() {
            visit.show_suffixes(access, None, state);
            for (class, octet) in self.middles() {
                let next = self.dfa.step_class(state, class);
                // If this string is itself an access string, it is visited for its own state.
                let is_access = self.access[next].split_last() == Some((&class, access));
                if !is_access || octet != self.dfa.members(class)[0] {
                    visit.show_suffixes(access, Some(octet), next);
                }
            }
        }
    }

    /// Returns the number of strings that `for_each` visits.
    pub fn len(&self) -> usize {
        let middles = self.middles().count();
        (self.access.len() * middles + 1) * self.suffixes.len()
    }

    /// Returns `false`: the set always contains the empty string.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of suffixes that distinguish all states.
    pub fn suffixes(&self) -> usize {
        self.suffixes.len()
    }

    /// Returns the octets that follow an access string, each with its class.
    fn middles(&self) -> impl Iterator<Item = (usize, u8)> {
        let every = self.representatives == Representatives::Every;
        (0..=255)
            .map(|octet| (self.dfa.class_of(octet), octet))
            .filter(move |(class, octet)| every || self.dfa.members(*class)[0] == *octet)
    }

    fn choose(&self, class: usize, chance: &mut Chance) -> u8 {
        let members = self.dfa.members(class);
        match self.representatives {
            Representatives::First | Representatives::Every => members[0],
            Representatives::Last => members[members.len() - 1],
            Representatives::Varied => *chance.pick(members),
        }
    }
}

/// The state of `for_each`.
struct Visit<'s, F> {
    set: &'s TestSet,
    text: Vec<u8>,
    chance: Chance,
    visit: &'s mut F,
}

impl<F: FnMut(&[u8], bool)> Visit<'_, F> {
    /// Visits the access string, the octet and each suffix; the first two lead to `state`.
    fn show_suffixes(&mut self, access: &[usize], middle: Option<u8>, state: usize) {
        for suffix in &self.set.suffixes {
            self.text.clear();
            self.push(access);
            match middle {
                Some(octet) if self.set.representatives == Representatives::Every => self.text.push(octet),
                Some(octet) => self.push(&[self.set.dfa.class_of(octet)]),
                None => {}
            }
            self.push(&suffix.classes);
            (self.visit)(&self.text, suffix.accepted_from[state]);
        }
    }

    fn push(&mut self, classes: &[usize]) {
        let chosen = classes.iter().map(|class| self.set.choose(*class, &mut self.chance));
        self.text.extend(chosen);
    }
}

/// A suffix, and the states that accept it.
#[derive(Clone, Debug)]
struct Suffix {
    classes: Vec<usize>,
    accepted_from: Vec<bool>,
}

/// Repeatedly takes the suffix that splits the states most, then drops suffixes that later ones
/// have made superfluous.
///
/// The empty suffix always stays: it tests the acceptance of the states themselves.
fn find_suffixes(dfa: &Dfa) -> Vec<Suffix> {
    let mut pool = find_short(dfa);
    let mut chosen = vec![pool.remove(0)];
    let mut blocks = divide(&vec![0; dfa.states()], &chosen[0]);
    while blocks.count < dfa.states() {
        // The pool contains every chosen suffix with one more octet in front. One of these splits a
        // block; otherwise the blocks would be the states of a smaller automaton.
        let longer = chosen.last().map(|last| extend(dfa, last));
        pool.extend(longer.into_iter().flatten());
        let best =
            choose_best(&pool, &blocks).expect("the states of a minimal automaton are distinguishable");
        let best = pool.swap_remove(best);
        blocks = divide(&blocks.of, &best);
        chosen.push(best);
    }
    drop_superfluous(dfa, chosen)
}

/// The blocks of states that the suffixes so far do not distinguish.
struct Blocks {
    of: Vec<usize>,
    count: usize,
}

fn divide(of: &[usize], by: &Suffix) -> Blocks {
    let mut numbers = HashMap::new();
    let divided = of.iter().zip(&by.accepted_from).map(|key| {
        let fresh = numbers.len();
        *numbers.entry(key).or_insert(fresh)
    });
    let of = divided.collect();
    Blocks { of, count: numbers.len() }
}

/// Returns the suffix that makes most blocks, the shortest if there are several; `None` if no
/// suffix splits a block.
fn choose_best(pool: &[Suffix], blocks: &Blocks) -> Option<usize> {
    let mut seen_by = vec![0; 2 * blocks.count];
    let mut best = None;
    let mut most = (blocks.count, usize::MAX);
    for (place, suffix) in pool.iter().enumerate() {
        let mut count = 0;
        for (block, accepted) in blocks.of.iter().zip(&suffix.accepted_from) {
            let seen_by = &mut seen_by[2 * block + usize::from(*accepted)];
            count += usize::from(*seen_by <= place);
            *seen_by = place + 1;
        }
        let shortness = usize::MAX - suffix.classes.len();
        if (count, shortness) > most {
            most = (count, shortness);
            best = Some(place);
        }
    }
    best
}

/// Returns the shortest suffixes, breadth first and the empty one first, one for each set of
/// accepting states. Their number is limited to about `POOL`.
fn find_short(dfa: &Dfa) -> Vec<Suffix> {
    let accepted_from: Vec<_> = (0..dfa.states()).map(|state| dfa.is_accepting(state)).collect();
    let mut known = HashSet::from([accepted_from.clone()]);
    let mut found = vec![Suffix { classes: Vec::new(), accepted_from }];
    let mut at = 0;
    while at < found.len() && found.len() < POOL {
        for longer in extend(dfa, &found[at]) {
            if known.insert(longer.accepted_from.clone()) {
                found.push(longer);
            }
        }
        at += 1;
    }
    found
}

/// The size of the pool. A larger pool makes the set hardly smaller, and the search slower.
const POOL: usize = 4000;

/// Returns the suffix with one more octet in front, for each class.
fn extend(dfa: &Dfa, suffix: &Suffix) -> Vec<Suffix> {
    let before = |class| Suffix {
        classes: [&[class], suffix.classes.as_slice()].concat(),
        accepted_from: (0..dfa.states())
            .map(|state| suffix.accepted_from[dfa.step_class(state, class)])
            .collect(),
    };
    (0..dfa.classes()).map(before).collect()
}

fn drop_superfluous(dfa: &Dfa, mut chosen: Vec<Suffix>) -> Vec<Suffix> {
    let mut place = 1;
    while place < chosen.len() {
        let without = chosen.remove(place);
        if count_blocks(dfa, &chosen) < dfa.states() {
            chosen.insert(place, without);
            place += 1;
        }
    }
    chosen
}

fn count_blocks(dfa: &Dfa, suffixes: &[Suffix]) -> usize {
    let whole = Blocks { of: vec![0; dfa.states()], count: 1 };
    suffixes.iter().fold(whole, |blocks, suffix| divide(&blocks.of, suffix)).count
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::Grammar;
    use crate::edition::read_grammar;

    fn compile(text: &str) -> Dfa {
        Grammar::parse(text).expect("the grammar is well formed").compile("a").expect("the rule is regular")
    }

    fn rule(edition: &str, rule: &str) -> Dfa {
        let grammar = read_grammar(edition).expect("the grammars of the project are well formed");
        grammar.compile(rule).expect("the rule is one of the edition's")
    }

    fn small_automata() -> Vec<Dfa> {
        vec![
            compile("a = *( \"x\" \"y\" )\n"),
            compile("a = *( \"x\" / \"y\" ) \"x\" 2( \"x\" / \"y\" )\n"),
            compile("a = *5DIGIT [ \"-\" 1*3ALPHA ]\n"),
            compile("a = *OCTET\n"),
            compile("a = \"\"\n"),
            rule("rfc3986", "scheme"),
            rule("rfc3986", "IPv4address"),
            rule("url-1997", "hostport"),
        ]
    }

    fn distinguishes(set: &TestSet, mutant: &Dfa) -> bool {
        let mut differs = false;
        set.for_each(|text, accepted| differs |= mutant.accepts(text) != accepted);
        differs
    }

    const WAYS: [Representatives; 4] =
        [Representatives::First, Representatives::Last, Representatives::Varied, Representatives::Every];

    #[test]
    fn every_wrong_transition_and_every_wrong_answer_is_found() {
        for dfa in small_automata() {
            let set = test_set(&dfa);
            for state in 0..dfa.states() {
                assert!(distinguishes(&set, &dfa.with_answer_flipped(state)), "{dfa:?} {state}");
                for class in 0..dfa.classes() {
                    let right = dfa.step_class(state, class);
                    for wrong in (0..dfa.states()).filter(|wrong| *wrong != right) {
                        let mutant = dfa.with_transition(state, class, wrong);
                        assert!(distinguishes(&set, &mutant), "{dfa:?} {state} {class} {wrong}");
                    }
                }
            }
        }
    }

    #[test]
    fn any_other_automaton_of_no_more_states_is_found() {
        let automata = small_automata();
        for dfa in &automata {
            for other in automata.iter().filter(|other| other.states() <= dfa.states() && *other != dfa) {
                // The mutant may divide octets into other classes; only `Every` is sure to detect
                // this.
                assert!(
                    distinguishes(&test_set_with(dfa, Representatives::Every), other),
                    "{dfa:?} {other:?}"
                );
            }
        }
    }

    #[test]
    fn a_set_has_its_length_and_the_answers_of_its_automaton() {
        for dfa in small_automata() {
            for way in WAYS {
                let set = test_set_with(&dfa, way);
                let mut shown = 0;
                set.for_each(|text, accepted| {
                    assert_eq!(dfa.accepts(text), accepted, "{}", text.escape_ascii());
                    shown += 1;
                });
                assert_eq!(shown, set.len());
            }
        }
    }

    #[test]
    fn the_whole_product_is_in_the_set() {
        for dfa in small_automata() {
            let set = test_set(&dfa);
            let mut shown = HashSet::new();
            set.for_each(|text, _| shown.extend([text.to_vec()]));
            let text = |classes: &[usize]| -> Vec<u8> {
                classes.iter().map(|class| dfa.members(*class)[0]).collect()
            };
            for access in &set.access {
                for suffix in &set.suffixes {
                    assert!(shown.contains(&[text(access), text(&suffix.classes)].concat()));
                    for class in 0..dfa.classes() {
                        let parts = [text(access), text(&[class]), text(&suffix.classes)];
                        assert!(shown.contains(&parts.concat()));
                    }
                }
            }
        }
    }

    #[test]
    fn suffixes_distinguish_all_states() {
        for dfa in [rule("rfc3986", "URI-reference"), rule("url-1993", "known-url")] {
            let suffixes = find_suffixes(&dfa);
            let answers = |state| suffixes.iter().map(|one| one.accepted_from[state]).collect::<Vec<_>>();
            let all: HashSet<_> = (0..dfa.states()).map(answers).collect();
            assert_eq!(all.len(), dfa.states());
        }
    }
}
