//! Prints outcomes as a table.

use crate::bars::Measured;
use crate::race::Outcome;

/// The heading of a table.
pub struct Heading<'a> {
    pub verb: &'static str,
    pub corpus: &'a str,
    pub rows: usize,
    /// The mean length of a row in bytes.
    pub length: f64,
    /// The name of the count: `accepts`, `right`.
    pub counted: &'static str,
}

impl Heading<'_> {
    /// Returns the outcomes together with this heading.
    pub fn measured(self, counts: bool, outcomes: Vec<Outcome>) -> Measured {
        let Heading { verb, corpus, rows, length, counted } = self;
        Measured { verb, corpus: corpus.to_owned(), rows, length, counted, counts, outcomes }
    }
}

/// Prints a row for each racer, with ratios to the first.
pub fn print(heading: &Heading<'_>, outcomes: &[Outcome]) {
    let Heading { verb, corpus, rows, length, counted } = heading;
    println!("{verb}, {corpus}: {rows} of {length:.0} bytes");
    let head = ("min ns", "median ns", "MB/s", "ratio", "bytes");
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
