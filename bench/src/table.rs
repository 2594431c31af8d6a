//! Outcomes in, a table out.

use crate::Outcome;
use crate::corpus::Corpus;

/// Prints a row a racer, with ratios to the first one's.
pub fn print(corpus: &Corpus, outcomes: &[Outcome]) {
    let length = corpus.mean_length();
    println!("{}: {} URLs of {length:.0} octets", corpus.name, corpus.urls.len());
    println!("  {:<22} {:>9} {:>9} {:>9} {:>9} {:>8}", "", "min ns", "median ns", "MB/s", "ratio", "accepts");
    for outcome in outcomes {
        let speed = length / outcome.median * 1_000.0;
        let ratio = outcome.median / outcomes[0].median;
        println!(
            "  {:<22} {:>9.1} {:>9.1} {:>9.0} {:>9.2} {:>8}",
            outcome.name, outcome.minimum, outcome.median, speed, ratio, outcome.accepted
        );
    }
    println!();
}
