//! Who runs: ours by each machine and each edition, and the rivals. Each reads every URL of a
//! corpus, validated, with all the components it knows, and tells how many it accepts.

use std::cell::RefCell;
use std::hint::black_box;

use locator::bulk::{Columns, Separator};
use locator::{Edition, Machine, UriRef, edition};
use rayon::ThreadPoolBuilder;

use crate::corpus::Corpus;

/// One that reads.
pub struct Racer {
    pub name: String,
    /// Done before each round, and not measured.
    pub prepare: Box<dyn Fn()>,
    pub run: Box<dyn Fn(&Corpus) -> usize>,
}

impl Racer {
    fn new(name: impl Into<String>, run: impl Fn(&Corpus) -> usize + 'static) -> Self {
        Self { name: name.into(), prepare: Box::new(|| {}), run: Box::new(run) }
    }

    fn on(mut self, machine: Machine) -> Self {
        self.prepare = Box::new(move || assert!(machine.force()));
        self
    }
}

/// Counts what is accepted. Inlined into each racer, so that none pays for a call.
#[inline(always)]
fn count(corpus: &Corpus, accepts: impl Fn(&str) -> bool) -> usize {
    corpus.urls.iter().filter(|url| accepts(black_box(url))).count()
}

/// All of them; the first is ours on the best machine.
pub fn all(_: &Corpus) -> Vec<Racer> {
    let machines: Vec<Machine> = Machine::ALL.into_iter().rev().filter(|machine| machine.is_there()).collect();
    let best = machines[0];
    let mut racers = vec![Racer::new("locator", |corpus| read(corpus, edition::DEFAULT)).on(best)];
    racers.extend(machines.into_iter().map(|machine| {
        Racer::new(format!("locator, {}", machine.name()), |corpus| read(corpus, edition::DEFAULT)).on(machine)
    }));
    racers.extend(edition::ALL.into_iter().map(|edition| {
        Racer::new(format!("locator, {edition}"), move |corpus| read(corpus, edition)).on(best)
    }));
    racers.extend(bulk(best));
    racers.extend(rivals());
    racers
}

/// The bulk reader: lines to columns, which are kept from round to round.
fn bulk(best: Machine) -> Vec<Racer> {
    let columns = || RefCell::new(Columns::new(edition::DEFAULT));
    let valid = |columns: &Columns| columns.errors().iter().filter(|&&error| error == Columns::VALID).count();
    let (one, two, values) = (columns(), columns(), columns());
    let two_threads = ThreadPoolBuilder::new().num_threads(2).build().expect("two threads can be had");
    let racer = |name: &str, run: Box<dyn Fn(&Corpus) -> usize>| Racer::new(name, run).on(best);
    vec![
        racer(
            "bulk",
            Box::new(move |corpus| {
                let mut columns = one.borrow_mut();
                columns.read(black_box(&corpus.lines), Separator::Newline).expect("the corpus is short");
                valid(&columns)
            }),
        ),
        racer(
            "bulk, values",
            Box::new(move |corpus| {
                let mut columns = values.borrow_mut();
                columns.read_values(black_box(&corpus.values), &corpus.offsets).expect("the corpus is short");
                valid(&columns)
            }),
        ),
        racer(
            "bulk, two threads",
            Box::new(move |corpus| {
                let columns = &mut *two.borrow_mut();
                two_threads.install(|| {
                    columns
                        .read_in_parallel(black_box(&corpus.lines), Separator::Newline)
                        .expect("the corpus is short");
                });
                valid(&columns)
            }),
        ),
    ]
}

fn read(corpus: &Corpus, edition: &'static Edition) -> usize {
    count(corpus, |url| black_box(&UriRef::parse_by(url, edition)).is_ok())
}

fn rivals() -> Vec<Racer> {
    vec![
        Racer::new("fluent-uri", |corpus| {
            count(corpus, |url| black_box(&fluent_uri::UriRef::parse(url)).is_ok())
        }),
        Racer::new("oxiri", |corpus| count(corpus, |url| black_box(&oxiri::IriRef::parse(url)).is_ok())),
        Racer::new("iri-string", |corpus| {
            count(corpus, |url| black_box(&iri_string::types::UriReferenceStr::new(url)).is_ok())
        }),
        Racer::new("iref", |corpus| count(corpus, |url| black_box(&iref::UriRef::new(url)).is_ok())),
        Racer::new("http", |corpus| count(corpus, |url| black_box(&http::Uri::try_from(url)).is_ok())),
        Racer::new("uriparse", |corpus| {
            count(corpus, |url| black_box(&uriparse::URIReference::try_from(url)).is_ok())
        }),
        Racer::new("url", |corpus| count(corpus, |url| black_box(&url::Url::parse(url)).is_ok())),
        #[cfg(feature = "ada")]
        Racer::new("ada-url", |corpus| count(corpus, |url| black_box(&ada_url::Url::parse(url, None)).is_ok())),
    ]
}
