//! Generates random strings from an automaton and a seed, each with the answer of the automaton.
//! Half of them are accepted walks; half are such walks with one edit, which resemble human
//! mistakes.

use crate::automaton::Dfa;

/// An endless iterator of strings, each with whether the automaton accepts it. Equal seeds give
/// equal strings.
#[derive(Clone, Debug)]
pub struct Strings<'d> {
    dfa: &'d Dfa,
    distances: Vec<Option<usize>>,
    access: Vec<Vec<usize>>,
    chance: Chance,
}

impl<'d> Strings<'d> {
    /// Creates the strings for `dfa`.
    pub fn new(dfa: &'d Dfa, seed: u64) -> Self {
        let (distances, access) = (dfa.distances(), dfa.access_strings());
        Self { dfa, distances, access, chance: Chance::new(seed) }
    }

    /// Returns a string of the language, or the empty string if the language is empty.
    pub fn walk(&mut self) -> Vec<u8> {
        let mut text = Vec::new();
        let mut state = self.go_somewhere(&mut text);
        let length = text.len() + self.choose_length();
        while text.len() < length {
            let Some(class) = self.choose_class(state, |distance| distance.is_some()) else { break };
            state = self.step(&mut text, state, class);
        }
        while let Some(distance @ 1..) = self.distances[state] {
            let nearer = self.choose_class(state, |next| next == Some(distance - 1));
            let class = nearer.expect("a state at a distance has a neighbour one nearer");
            state = self.step(&mut text, state, class);
        }
        text
    }

    /// Makes one edit: inserts, removes or replaces an octet, or swaps two.
    pub fn edit(&mut self, text: &mut Vec<u8>) {
        let octet = self.choose_octet();
        let place = self.chance.below(text.len() + 1);
        match self.chance.below(4) {
            1 if place < text.len() => drop(text.remove(place)),
            2 if place < text.len() => text[place] = octet,
            3 if place + 1 < text.len() => text.swap(place, place + 1),
            _ => text.insert(place, octet),
        }
    }

    /// Begins half of the walks at a random state that is not dead. Random steps alone would hardly
    /// ever reach an authority, much less the middle of an IPv6 address.
    fn go_somewhere(&mut self, text: &mut Vec<u8>) -> usize {
        let goal = self.chance.below(2 * self.dfa.states());
        if self.distances.get(goal).copied().flatten().is_none() {
            return 0;
        }
        let mut state = 0;
        for class in self.access[goal].clone() {
            self.linger(text, state);
            state = self.step(text, state, class);
        }
        state
    }

    /// Occasionally makes the string longer, with octets that do not change the state.
    fn linger(&mut self, text: &mut Vec<u8>, state: usize) {
        let stays: Vec<_> =
            (0..self.dfa.classes()).filter(|class| self.dfa.step_class(state, *class) == state).collect();
        if stays.is_empty() || self.chance.below(2) == 0 {
            return;
        }
        for _ in 0..self.chance.below(6) {
            let class = *self.chance.pick(&stays);
            self.step(text, state, class);
        }
    }

    fn step(&mut self, text: &mut Vec<u8>, state: usize, class: usize) -> usize {
        text.push(*self.chance.pick(self.dfa.members(class)));
        self.dfa.step_class(state, class)
    }

    /// Returns a length: mostly short, occasionally long enough for several blocks of 64.
    fn choose_length(&mut self) -> usize {
        let most = *self.chance.pick(&[4, 12, 24, 48, 200]);
        self.chance.below(most)
    }

    /// Chooses a class; all classes are equally likely, so delimiters are as frequent as letters.
    fn choose_class(&mut self, state: usize, wanted: impl Fn(Option<usize>) -> bool) -> Option<usize> {
        let fits = |class: &usize| wanted(self.distances[self.dfa.step_class(state, *class)]);
        let classes: Vec<_> = (0..self.dfa.classes()).filter(fits).collect();
        (!classes.is_empty()).then(|| *self.chance.pick(&classes))
    }

    /// Chooses an octet: half of the time by class, half of the time any octet.
    fn choose_octet(&mut self) -> u8 {
        let class = self.chance.below(self.dfa.classes());
        match self.chance.below(2) {
            0 => *self.chance.pick(self.dfa.members(class)),
            _ => (self.chance.next() >> 56) as u8,
        }
    }
}

impl Iterator for Strings<'_> {
    type Item = (Vec<u8>, bool);

    fn next(&mut self) -> Option<Self::Item> {
        let mut text = self.walk();
        if self.chance.below(2) == 1 {
            self.edit(&mut text);
        }
        let accepted = self.dfa.accepts(&text);
        Some((text, accepted))
    }
}

/// A random number generator (SplitMix64), which avoids a dependency.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// Creates a generator; equal seeds give equal numbers.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns 64 random bits.
    #[expect(clippy::should_implement_trait, reason = "the numbers never end")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to `limit - 1`; 0 for a limit of 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    /// Returns a random element of a list that is not empty.
    pub fn pick<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grammar;

    fn compile(text: &str) -> Dfa {
        Grammar::parse(text).expect("the grammar is well formed").compile("a").expect("the rule is regular")
    }

    #[test]
    fn walks_are_accepted_and_edits_are_often_not() {
        let dfa = compile("a = 1*ALPHA \"://\" *( DIGIT / \".\" ) [ \"#\" 3DIGIT ]\n");
        let mut strings = Strings::new(&dfa, 1);
        for _ in 0..1000 {
            let text = strings.walk();
            assert!(dfa.accepts(&text), "{}", text.escape_ascii());
        }
        let refused = strings.take(1000).filter(|(_, accepted)| !accepted).count();
        assert!((200..500).contains(&refused), "{refused}");
    }

    #[test]
    fn a_seed_gives_the_same_strings_again() {
        let dfa = compile("a = *ALPHA\n");
        assert!(Strings::new(&dfa, 5).take(50).eq(Strings::new(&dfa, 5).take(50)));
        assert!(!Strings::new(&dfa, 5).take(50).eq(Strings::new(&dfa, 6).take(50)));
    }

    #[test]
    fn languages_of_nothing_and_of_the_empty_string_end() {
        let empty = compile("a = \"\"\n");
        assert!(Strings::new(&empty, 3).walk().is_empty());
        assert!(Strings::new(&empty, 3).take(100).any(|(_, accepted)| !accepted));
    }
}
