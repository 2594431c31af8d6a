//! How many links of how many documents have which outcome.

use locator_links::{Counts, Outcome};

use crate::progress::grouped;
use crate::show::plural;

/// The numbers of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers<'a> {
    pub(super) counts: &'a Counts,
    /// How many documents there are, in words.
    pub(super) place: &'a str,
    /// What there is besides, in words.
    pub(super) others: &'a [String],
}

impl Numbers<'_> {
    /// Returns the numbers as a line; `paint` writes those of an outcome.
    pub(super) fn line(&self, paint: &dyn Fn(Outcome, String) -> String) -> String {
        let others = self.besides();
        if self.counts.total() == 0 {
            return self.sum();
        }
        let some = Outcome::ALL.into_iter().filter(|outcome| self.counts.of(*outcome) > 0);
        let words = some.map(|outcome| {
            paint(outcome, format!("{} {}", grouped(self.counts.of(outcome)), outcome.name()))
        });
        format!("{}: {}{others}", self.links(), words.collect::<Vec<_>>().join(", "))
    }

    /// Returns the numbers without those of the outcomes.
    pub(super) fn sum(&self) -> String {
        self.links() + &self.besides()
    }

    fn links(&self) -> String {
        let place = self.place;
        match self.counts.total() {
            0 if self.others.is_empty() => format!("no links in {place}"),
            0 => format!("no links to report in {place}"),
            links => format!("{} in {place}", plural(links, "link")),
        }
    }

    fn besides(&self) -> String {
        self.others.iter().map(|words| format!("; {words}")).collect()
    }
}
