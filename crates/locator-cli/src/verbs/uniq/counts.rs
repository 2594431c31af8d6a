//! How often lines occur: takes places, which count from 0, and returns a number for each in order.
//!
//! Nearly all numbers are small, so each takes two bytes, and the few large ones are in a map.

use std::collections::HashMap;

/// Numbers of at least 1, by place.
#[derive(Default)]
pub(super) struct Counts {
    /// What is above the numbers in the map, or the whole number if it is not there.
    low: Vec<u16>,
    /// For each place that has passed the largest number of two bytes: how much it had then.
    high: HashMap<u32, u64>,
}

impl Counts {
    /// How many bytes a number takes, of those that are not large.
    pub(super) const BYTES: usize = size_of::<u16>();

    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Adds a place with the number 1, and returns it.
    #[inline]
    pub(super) fn push(&mut self) -> u32 {
        let place = self.low.len() as u32;
        self.low.push(1);
        place
    }

    /// Adds 1 to the number of a place.
    #[inline]
    pub(super) fn increase(&mut self, place: u32) {
        let low = &mut self.low[place as usize];
        match low.checked_add(1) {
            Some(more) => *low = more,
            None => {
                *self.high.entry(place).or_default() += u64::from(*low);
                *low = 1;
            }
        }
    }

    /// Returns the numbers in the order of their places.
    pub(super) fn iter(&self) -> impl Iterator<Item = u64> {
        let high = |place: u32| self.high.get(&place).copied().unwrap_or_default();
        (0..).zip(&self.low).map(move |(place, &low)| u64::from(low) + high(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_exact() {
        let mut counts = Counts::new();
        let numbers = [1, 2, 65_534, 65_535, 65_536, 65_537, 131_070, 131_071, 200_000];
        for number in numbers {
            let place = counts.push();
            (1..number).for_each(|_| counts.increase(place));
        }
        assert_eq!(counts.iter().collect::<Vec<_>>(), numbers);
    }
}
