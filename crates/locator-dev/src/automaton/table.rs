//! The table of a complete deterministic automaton before it is minimal and numbered.

/// A complete automaton before minimisation and numbering.
pub(super) struct Table {
    pub(super) class_of: [u8; 256],
    pub(super) classes: usize,
    pub(super) start: usize,
    /// The next state, at `state * classes + class`.
    pub(super) next: Vec<usize>,
    pub(super) accepting: Vec<bool>,
}

impl Table {
    pub(super) fn states(&self) -> usize {
        self.accepting.len()
    }

    pub(super) fn step(&self, state: usize, class: usize) -> usize {
        self.next[state * self.classes + class]
    }

    /// Returns the rows and accepting flags of the states, breadth first, for these columns.
    pub(super) fn number_states(&self, columns: &[usize]) -> (Vec<usize>, Vec<bool>) {
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
