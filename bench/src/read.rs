//! Who runs: ours by each machine and each edition, and the rivals. Each reads every URL of a
//! corpus, validated, with all the components it knows, and tells how many it accepts.

use std::cell::RefCell;
use std::hint::black_box;

use locator::bulk::{Columns, Separator};
use locator::{Edition, UriRef, edition};
use rayon::ThreadPoolBuilder;

use crate::corpus::Corpus;
use crate::race::{self, Racer};

/// One that reads a corpus and tells how many URLs it accepts.
fn racer(name: &str, corpus: &'static Corpus, run: impl Fn(&Corpus) -> usize + 'static) -> Racer {
    Racer::new(name, move |judge| judge.count = black_box(run(corpus)))
}

/// Counts what is accepted. Inlined into each racer, so that none pays for a call.
#[inline(always)]
fn count(corpus: &Corpus, accepts: impl Fn(&str) -> bool) -> usize {
    corpus.urls.iter().filter(|url| accepts(black_box(url))).count()
}

/// All of them; the first is ours on the best machine.
pub fn racers(corpus: &'static Corpus) -> Vec<Racer> {
    let mut racers = vec![racer("locator", corpus, |corpus| read(corpus, edition::DEFAULT))];
    racers.extend(race::machines().into_iter().map(|machine| {
        let name = format!("locator, {}", machine.name());
        racer(&name, corpus, |corpus| read(corpus, edition::DEFAULT)).on(machine)
    }));
    racers.extend(
        edition::ALL.into_iter().map(|edition| {
            racer(&format!("locator, {edition}"), corpus, move |corpus| read(corpus, edition))
        }),
    );
    racers.extend(bulk(corpus));
    racers.extend(rivals(corpus));
    racers
}

/// The bulk reader: lines to columns, which are kept from round to round.
fn bulk(corpus: &'static Corpus) -> Vec<Racer> {
    let columns = || RefCell::new(Columns::new(edition::DEFAULT));
    let valid = |columns: &Columns| columns.errors().iter().filter(|&&error| error == Columns::VALID).count();
    let (one, two, values) = (columns(), columns(), columns());
    let two_threads = ThreadPoolBuilder::new().num_threads(2).build().expect("two threads can be had");
    vec![
        racer("bulk", corpus, move |corpus| {
            let mut columns = one.borrow_mut();
            columns.read(black_box(&corpus.lines), Separator::Newline).expect("the corpus is short");
            valid(&columns)
        }),
        racer("bulk, values", corpus, move |corpus| {
            let mut columns = values.borrow_mut();
            columns.read_values(black_box(&corpus.values), &corpus.offsets).expect("the corpus is short");
            valid(&columns)
        }),
        racer("bulk, two threads", corpus, move |corpus| {
            let columns = &mut *two.borrow_mut();
            two_threads.install(|| {
                columns
                    .read_in_parallel(black_box(&corpus.lines), Separator::Newline)
                    .expect("the corpus is short");
            });
            valid(&columns)
        }),
    ]
}

fn read(corpus: &Corpus, edition: &'static Edition) -> usize {
    count(corpus, |url| black_box(&UriRef::parse_by(url, edition)).is_ok())
}

fn rivals(corpus: &'static Corpus) -> Vec<Racer> {
    vec![
        racer("fluent-uri", corpus, |corpus| {
            count(corpus, |url| black_box(&fluent_uri::UriRef::parse(url)).is_ok())
        }),
        racer("oxiri", corpus, |corpus| count(corpus, |url| black_box(&oxiri::IriRef::parse(url)).is_ok())),
        racer("iri-string", corpus, |corpus| {
            count(corpus, |url| black_box(&iri_string::types::UriReferenceStr::new(url)).is_ok())
        }),
        racer("iref", corpus, |corpus| count(corpus, |url| black_box(&iref::UriRef::new(url)).is_ok())),
        racer("http", corpus, |corpus| count(corpus, |url| black_box(&http::Uri::try_from(url)).is_ok())),
        racer("uriparse", corpus, |corpus| {
            count(corpus, |url| black_box(&uriparse::URIReference::try_from(url)).is_ok())
        }),
        racer("url", corpus, |corpus| count(corpus, |url| black_box(&url::Url::parse(url)).is_ok())),
        #[cfg(feature = "ada")]
        racer("ada-url", corpus, |corpus| {
            count(corpus, |url| black_box(&ada_url::Url::parse(url, None)).is_ok())
        }),
    ]
}
