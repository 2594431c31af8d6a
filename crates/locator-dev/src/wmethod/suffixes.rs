//! Computes the characterising set of a minimal automaton: a small set of suffixes such that, for
//! any two states, exactly one of them accepts some suffix of the set.

use std::collections::{HashMap, HashSet};

use crate::automaton::Dfa;

/// A suffix, and the states that accept it.
#[derive(Clone, Debug)]
pub(super) struct Suffix {
    pub(super) classes: Vec<usize>,
    pub(super) accepted_from: Vec<bool>,
}

/// Repeatedly takes the suffix that splits the states most, then drops suffixes that later ones
/// have made superfluous.
///
/// The empty suffix always stays: it tests the acceptance of the states themselves.
pub(super) fn find_suffixes(dfa: &Dfa) -> Vec<Suffix> {
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
