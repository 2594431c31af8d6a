//! Counts the URIs of a log, one a line, by their normal form; prints the most frequent first.
//!
//!     printf 'http://h/\nHTTP://h:80\nhttp://h/a\n' | cargo run -p locator-uri --example deduplicate
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

use std::collections::HashMap;
use std::io::{self, BufRead};

use locator::{Level, UriRef, UriRefBuf};

fn main() -> io::Result<()> {
    let mut counts: HashMap<UriRefBuf, usize> = HashMap::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let Ok(reference) = UriRef::parse(&line) else {
            eprintln!("skipped: {line}");
            continue;
        };
        let normal = reference.normalize(Level::Scheme);
        match counts.get_mut(normal.as_str()) {
            Some(count) => *count += 1,
            None => drop(counts.insert(normal.into_owned(), 1)),
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by(|(one, m), (other, n)| n.cmp(m).then_with(|| one.cmp(other)));
    for (reference, count) in counts {
        println!("{count:7} {reference}");
    }
    Ok(())
}
