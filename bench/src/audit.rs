//! The race for auditing: every finding of [`Severity::Low`](locator_audit::Severity) or more of each
//! URL, against our own parser, and the functions of tables that audit each row.

use std::hint::black_box;

use locator::UriRef;
use locator::edition::RFC3986;
use locator_audit::audit;
use locator_functions::{Answer, Row, function};

use crate::corpus::Corpus;
use crate::race::{self, Racer};

/// Makes a racer that counts the URLs of a corpus that pass.
fn racer(name: impl Into<String>, corpus: &'static Corpus, passes: impl Fn(&str) -> bool + 'static) -> Racer {
    Racer::new(name, move |judge| {
        judge.count = black_box(corpus.urls.iter().filter(|url| passes(black_box(url))).count());
    })
}

/// Returns the racers: the audit, which counts the URLs without findings, and the parser, which counts
/// the valid ones, with each backend; the functions count the rows without a finding.
pub fn racers(corpus: &'static Corpus) -> Vec<Racer> {
    let audits = |url: &str| black_box(&audit(url)).is_empty();
    let reads = |url: &str| black_box(&UriRef::parse(url)).is_ok();
    let mut racers = vec![racer("locator", corpus, audits), racer("locator, read", corpus, reads)];
    for name in ["uri_audit_severity", "uri_audit"] {
        let function = function(name).expect("there is such a function");
        let has_none = move |url: &str| {
            let answer = black_box(function.answer(&Row::unparsed(url, &RFC3986), &[]));
            match answer {
                Answer::Null => true,
                Answer::Texts(codes) => codes.is_empty(),
                _ => false,
            }
        };
        racers.push(racer(name, corpus, has_none));
    }
    for backend in race::backends() {
        let name = backend.name();
        racers.push(racer(format!("locator, {name}"), corpus, audits).on(backend));
        racers.push(racer(format!("locator, read, {name}"), corpus, reads).on(backend));
    }
    racers
}
