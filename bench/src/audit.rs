//! The race for auditing: every finding of [`Severity::Low`](locator_audit::Severity) or more of each
//! URL, against our own parser.

use std::hint::black_box;

use locator::UriRef;
use locator_audit::audit;

use crate::corpus::Corpus;
use crate::race::{self, Racer};

/// Makes a racer that counts the URLs of a corpus that pass.
fn racer(name: impl Into<String>, corpus: &'static Corpus, passes: impl Fn(&str) -> bool + 'static) -> Racer {
    Racer::new(name, move |judge| {
        judge.count = black_box(corpus.urls.iter().filter(|url| passes(black_box(url))).count());
    })
}

/// Returns the racers: the audit, which counts the URLs without findings, and the parser, which counts
/// the valid ones, with each backend.
pub fn racers(corpus: &'static Corpus) -> Vec<Racer> {
    let audits = |url: &str| black_box(&audit(url)).is_empty();
    let reads = |url: &str| black_box(&UriRef::parse(url)).is_ok();
    let mut racers = vec![racer("locator", corpus, audits), racer("locator, read", corpus, reads)];
    for backend in race::backends() {
        let name = backend.name();
        racers.push(racer(format!("locator, {name}"), corpus, audits).on(backend));
        racers.push(racer(format!("locator, read, {name}"), corpus, reads).on(backend));
    }
    racers
}
