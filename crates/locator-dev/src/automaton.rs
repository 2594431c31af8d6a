//! Builds the minimal complete deterministic automaton of a grammar's rule. Octets that it never
//! distinguishes form one class, and its table has one column for each class. The numbers of states
//! and classes depend only on the language, so two rules are equivalent exactly if their automata
//! are equal.
//!
//! A rule becomes an `Nfa` (Thompson's construction), the subset construction makes of it a
//! `Table`, whose equal states are merged, and the states of a [`Dfa`] are numbered.

use std::collections::HashMap;

use crate::grammar::{Element, Grammar, GrammarError, OctetSet};

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
        let table = determinise(&Nfa::build(self, &start));
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

/// A nondeterministic automaton; states are numbers, and 0 is the start.
#[derive(Default)]
struct Nfa {
    /// The transitions of each state: a set of octets and the next state.
    moves: Vec<Vec<(OctetSet, usize)>>,
    /// The empty transitions of each state.
    empty: Vec<Vec<usize>>,
    /// The one accepting state.
    end: usize,
}

impl Nfa {
    /// Builds the automaton. All names must be defined and not recursive.
    fn build(grammar: &Grammar, start: &Element) -> Nfa {
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

/// Makes one state from each set of states that a text can lead to.
fn determinise(nfa: &Nfa) -> Table {
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

/// A complete automaton before minimisation and numbering.
struct Table {
    class_of: [u8; 256],
    classes: usize,
    start: usize,
    /// The next state, at `state * classes + class`.
    next: Vec<usize>,
    accepting: Vec<bool>,
}

impl Table {
    fn states(&self) -> usize {
        self.accepting.len()
    }

    fn step(&self, state: usize, class: usize) -> usize {
        self.next[state * self.classes + class]
    }

    /// Returns the rows and accepting flags of the states, breadth first, for these columns.
    fn number_states(&self, columns: &[usize]) -> (Vec<usize>, Vec<bool>) {
        let mut number = vec![None; self.states()];
        number[self.start] = Some(0);
        let mut order = vec![self.start];
        let mut next = Vec::new();
        let mut at = 0;
        while at < order.len() {
            for column in columns {
                let target = self.step(order[at], *column);
                next.push(*number[target].get_or_insert_with(|| {
                    order.push(target);
                    order.len() - 1
                }));
            }
            at += 1;
        }
        (next, order.iter().map(|state| self.accepting[*state]).collect())
    }
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
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::edition::{START_RULES, read_grammar};
    use crate::random::Strings;

    // Tests small grammars whose automata are known, and compares the automata of the editions with a
    // matcher that interprets the grammar and shares no code with the construction.
    fn compile(text: &str) -> Dfa {
        Grammar::parse(text).expect("the grammar is well formed").compile("a").expect("the rule a is regular")
    }

    #[test]
    fn small_automata_are_minimal() {
        let sizes = |text| {
            let dfa = compile(text);
            (dfa.states(), dfa.classes())
        };
        // States: even, odd, dead. Classes: x (any case), y, the rest.
        assert_eq!(sizes("a = *( \"x\" \"y\" )\n"), (3, 3));
        assert_eq!(sizes("a = *OCTET\n"), (1, 1));
        assert_eq!(sizes("a = \"\"\n"), (2, 1));
        assert_eq!(sizes("a = *DIGIT / 3DIGIT / \"1\" DIGIT\n"), (2, 2));
        assert_eq!(sizes("a = 1*4HEXDIG\n"), (6, 2));
        assert_eq!(sizes("a = %x61.62 / %x61.63\n"), (4, 3));
        assert_eq!(sizes("a = \"p\" \"q\" / \"r\" \"q\"\n"), (4, 3));
        // The third octet from the end is x: 2^3 states and the dead one.
        assert_eq!(sizes("a = *( \"x\" / \"y\" ) \"x\" 2( \"x\" / \"y\" )\n"), (9, 3));
    }

    #[test]
    fn notation_is_read_as_rfc_5234_has_it() {
        let dfa = compile(
            "a = *1( \"b;\" ) ; a comment with a \"quote\n\n    2*3DIGIT ; more\n  [ C ]\n\nc = \"\\\"\n",
        );
        for text in ["b;12", "B;123", "12\\", "123"] {
            assert!(dfa.accepts(text.as_bytes()), "{text}");
        }
        for text in ["b;b;12", "1", "1234", "12c", "b12"] {
            assert!(!dfa.accepts(text.as_bytes()), "{text}");
        }
        assert_eq!(compile("a = \"x\" / \"y\"\r\n"), compile("a = \"x\"\na =/ %d121 / %b01011001\n"));
        assert_eq!(compile("a = \"x\" \"y\" / \"z\"\n"), compile("a = ( \"x\" \"y\" ) / \"z\"\n"));
        assert_ne!(compile("a = \"x\" \"y\" / \"z\"\n"), compile("a = \"x\" ( \"y\" / \"z\" )\n"));
    }

    #[test]
    fn representatives_are_what_a_reader_would_choose() {
        let dfa = compile("a = *( ALPHA / DIGIT / \"-\" ) \".\" 1*DIGIT\n");
        let first = |octet| dfa.members(dfa.class_of(octet))[0];
        assert_eq!([first(b'-'), first(b'5'), first(b'.'), first(0)], [b'a', b'0', b'.', b'!']);
    }

    #[test]
    fn distances_count_octets() {
        let dfa = compile("a = \"xyz\"\n");
        assert_eq!(dfa.distances()[0], Some(3));
        assert_eq!(dfa.distances()[dfa.step(0, b'y')], None);
    }

    #[test]
    fn automata_agree_with_the_grammar_itself() {
        for (edition, rules) in START_RULES {
            let grammar = read_grammar(edition).expect("the grammars of the project are well formed");
            for rule in *rules {
                let dfa = grammar.compile(rule).expect("the rule is one of the edition's");
                for (text, accepted) in Strings::new(&dfa, 7).take(300) {
                    let shown = text.escape_ascii();
                    assert_eq!(matches(&grammar, rule, &text), accepted, "{edition} {rule} {shown}");
                }
            }
        }
    }

    fn matches(grammar: &Grammar, rule: &str, text: &[u8]) -> bool {
        let start = grammar.rule(&rule.to_ascii_lowercase());
        ends(grammar, start, text, &BTreeSet::from([0])).contains(&text.len())
    }

    /// Returns the positions where `element` can end if it begins at one of the positions `from`.
    fn ends(grammar: &Grammar, element: &Element, text: &[u8], from: &BTreeSet<usize>) -> BTreeSet<usize> {
        let of = |element, from: &_| ends(grammar, element, text, from);
        match element {
            Element::Octets(set) => {
                let fits = |at: &&usize| text.get(**at).is_some_and(|octet| set.contains(*octet));
                from.iter().filter(fits).map(|at| at + 1).collect()
            }
            Element::Rule { name, .. } => of(grammar.rule(name), from),
            Element::Choice(list) => list.iter().flat_map(|one| of(one, from)).collect(),
            Element::Sequence(list) => list.iter().fold(from.clone(), |at, one| of(one, &at)),
            Element::Repeat { least, most, of: one } => {
                let mut at = (0..*least).fold(from.clone(), |at, _| of(one, &at));
                let mut all = at.clone();
                let mut rounds = most.map_or(usize::MAX, |most| most - least);
                while rounds > 0 && !at.is_empty() {
                    // A position that an earlier round reached leads to nothing new.
                    at = of(one, &at).difference(&all).copied().collect();
                    all.extend(&at);
                    rounds -= 1;
                }
                all
            }
        }
    }
}
