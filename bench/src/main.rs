//! The race: reading by `locator` and by its rivals, all in one run, alternating, minimum and
//! median of many rounds. What each accepts is counted beside its time, so that nobody wins by
//! checking less.
//!
//!     cargo run --release [-- --rounds 40] [FOLDER OF URLS]

mod corpus;
mod racers;
mod table;

use std::hint::black_box;
use std::time::Instant;

use corpus::Corpus;
use racers::Racer;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds = corpus::option(&arguments, "--rounds").unwrap_or(40);
    println!("{} rounds a racer, alternating; ratios are of medians to those of ours\n", rounds);
    for corpus in corpus::all(&arguments) {
        let racers = racers::all(&corpus);
        let results = race(&corpus, &racers, rounds);
        table::print(&corpus, &results);
    }
}

/// What a racer did on a corpus.
pub struct Outcome {
    pub name: String,
    pub accepted: usize,
    /// Nanoseconds a URL.
    pub minimum: f64,
    pub median: f64,
}

fn race(corpus: &Corpus, racers: &[Racer], rounds: usize) -> Vec<Outcome> {
    let mut times = vec![Vec::with_capacity(rounds); racers.len()];
    let mut accepted = vec![0; racers.len()];
    // The first round warms up and is not counted.
    for round in 0..=rounds {
        for (i, racer) in racers.iter().enumerate() {
            (racer.prepare)();
            let begin = Instant::now();
            accepted[i] = black_box((racer.run)(corpus));
            let nanoseconds = begin.elapsed().as_nanos() as f64 / corpus.urls.len() as f64;
            if round > 0 {
                times[i].push(nanoseconds);
            }
        }
    }
    times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
    let outcome = |(i, racer): (usize, &Racer)| {
        Outcome {
            name: racer.name.clone(),
            accepted: accepted[i],
            minimum: times[i][0],
            median: times[i][times[i].len() / 2],
        }
    };
    racers.iter().enumerate().map(outcome).collect()
}
