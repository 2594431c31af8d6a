//! Minimises a complete automaton (Moore's algorithm): merges the states that no text
//! distinguishes.

use std::collections::HashMap;

use super::table::Table;

/// Splits states by acceptance, then by the blocks that each class leads to, until no block splits.
pub(super) fn merge_states(table: Table) -> Table {
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
