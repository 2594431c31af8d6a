//! Looks for differences between `locator-whatwg` and other implementations of the URL Standard: `url`,
//! `ada-url` and, with Node, `whatwg-url`. Texts are mutated; half of the cases are parsed, with and without a
//! base, the others are calls of setters.
//!
//!     cargo run --release -- [--cases 100000] [--seed 1] [--whatwg-url DIRECTORY]
//!
//! Every known class of difference has a name, a section of the standard, and who is right; the table at the
//! end counts them. A difference of no class is printed, and the status is 1. The seeds are `testdata/urls`,
//! and `../shared/wpt` and `../shared/data` beside the repository, where they exist. `--whatwg-url` names a
//! directory in which `npm install whatwg-url` has run.

mod case;
mod class;
mod implementation;

use std::collections::BTreeMap;
use std::process::ExitCode;

use case::{Case, Random, Seeds};
use class::{Difference, Right};
use implementation::{Implementation, Ours, Outcome};

/// How many differences without a class are printed before the run ends.
const MOST_UNKNOWN: usize = 40;

/// How many cases an implementation gets at once.
const BATCH: usize = 1_000;

/// A class that was met: how often, and the first case.
struct Met {
    count: usize,
    example: String,
    section: &'static str,
    right: Right,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let word = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).map(String::as_str)
    };
    let cases: usize = word("--cases").map_or(100_000, |word| word.parse().expect("a number of cases"));
    let seed: u64 = word("--seed").map_or(1, |word| word.parse().expect("a number"));
    let seeds = Seeds::read();
    let mut others = implementation::others(word("--whatwg-url"));
    let mut random = Random::new(seed);
    let (mut met, mut unknown) = (BTreeMap::<(&str, &str), Met>::new(), 0);
    let mut done = 0;
    while done < cases && unknown < MOST_UNKNOWN {
        let batch: Vec<Case> = (0..BATCH.min(cases - done)).map(|_| seeds.case(&mut random)).collect();
        done += batch.len();
        let ours: Vec<Outcome> = Ours.run(&batch);
        for other in &mut others {
            let theirs = other.run(&batch);
            assert_eq!(theirs.len(), batch.len(), "{} answers every case", other.name());
            for ((case, ours), theirs) in batch.iter().zip(&ours).zip(&theirs) {
                if ours == theirs {
                    continue;
                }
                let difference = Difference { case, ours, theirs };
                match class::of(other.name(), &difference) {
                    Some(class) => {
                        let entry = met.entry((other.name(), class.name)).or_insert_with(|| Met {
                            count: 0,
                            example: difference.to_string(),
                            section: class.section,
                            right: class.right,
                        });
                        entry.count += 1;
                    }
                    None => {
                        unknown += 1;
                        println!("no class: {}: {difference}", other.name());
                    }
                }
            }
        }
    }
    println!("{done} cases, seed {seed}\n");
    println!("| implementation | class | section | right | cases | example |\n|---|---|---|---|--:|---|");
    for ((name, class), met) in &met {
        let Met { count, example, section, right } = met;
        println!("| {name} | {class} | {section} | {right} | {count} | {} |", example.replace('|', "\\|"));
    }
    for other in &others {
        if !met.keys().any(|(name, _)| *name == other.name()) {
            println!("| {} | no difference | | | 0 | |", other.name());
        }
    }
    if unknown > 0 {
        println!("\n{unknown} differences have no class");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
