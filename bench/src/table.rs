//! Outcomes in, a table out.

use crate::bars::Measured;
use crate::race::Outcome;

/// What was raced on.
pub struct Heading<'a> {
    pub verb: &'static str,
    pub corpus: &'a str,
    pub rows: usize,
    /// Octets a row.
    pub length: f64,
    /// What is counted: `accepts`, `right`.
    pub counted: &'static str,
}

impl Heading<'_> {
    /// The outcomes with what they were measured on.
    pub fn measured(self, counts: bool, outcomes: Vec<Outcome>) -> Measured {
        let Heading { verb, corpus, rows, length, counted } = self;
        Measured { verb, corpus: corpus.to_owned(), rows, length, counted, counts, outcomes }
    }
}

/// Prints a row a racer, with ratios to the first one's.
pub fn print(heading: &Heading<'_>, outcomes: &[Outcome]) {
    let Heading { verb, corpus, rows, length, counted } = heading;
    println!("{verb}, {corpus}: {rows} of {length:.0} octets");
    let head = ("min ns", "median ns", "MB/s", "ratio", "octets");
    println!(
        "  {:<24} {:>9} {:>9} {:>9} {:>9} {:>7} {counted:>8}",
        "", head.0, head.1, head.2, head.3, head.4
    );
    for outcome in outcomes {
        let speed = length / outcome.median * 1_000.0;
        let ratio = outcome.median / outcomes[0].median;
        println!(
            "  {:<24} {:>9.1} {:>9.1} {:>9.0} {:>9.2} {:>7.1} {:>8}",
            outcome.name, outcome.minimum, outcome.median, speed, ratio, outcome.octets, outcome.count
        );
    }
    println!();
}
