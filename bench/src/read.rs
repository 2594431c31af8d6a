//! The race for parsing: our parser with each SIMD backend and edition, and the rivals. Each racer
//! validates every URL of a corpus, splits it into the components it knows, and counts those it
//! accepts.

use std::cell::RefCell;
use std::hint::black_box;

use locator::bulk::{Batch, Separator};
use locator::{Edition, UriRef, edition};
use rayon::ThreadPoolBuilder;

use crate::corpus::Corpus;
use crate::race::{self, Racer};

/// Makes a racer that parses a corpus and returns how many URLs it accepts.
fn racer(name: &str, corpus: &'static Corpus, run: impl Fn(&Corpus) -> usize + 'static) -> Racer {
    Racer::new(name, move |judge| judge.count = black_box(run(corpus)))
}

/// Counts the accepted URLs. Inlined into each racer, so none pays for a call.
#[inline(always)]
fn count(corpus: &Corpus, accepts: impl Fn(&str) -> bool) -> usize {
    corpus.urls.iter().filter(|url| accepts(black_box(url))).count()
}

/// Returns all racers; the first is ours with the best backend.
pub fn racers(corpus: &'static Corpus) -> Vec<Racer> {
    let mut racers = vec![racer("locator", corpus, |corpus| read(corpus, edition::DEFAULT))];
    racers.extend(race::backends().into_iter().map(|backend| {
        let name = format!("locator, {}", backend.name());
        racer(&name, corpus, |corpus| read(corpus, edition::DEFAULT)).on(backend)
    }));
    racers.extend(
        edition::ALL.into_iter().map(|edition| {
            racer(&format!("locator, {edition}"), corpus, move |corpus| read(corpus, edition))
        }),
    );
    racers.extend(bulk(corpus));
    racers.extend(rivals_of_lines(corpus));
    racers.extend(rivals(corpus));
    racers
}

/// Returns the racers of `bulk`, which parse lines or values into columns. The columns are kept
/// from round to round. Some parse all at once; others in pieces whose columns stay in the cache,
/// as a program would read a file.
fn bulk(corpus: &'static Corpus) -> Vec<Racer> {
    let [whole, values, pieces, values_in_pieces] = [(); 4].map(|()| columns());
    vec![
        racer("bulk", corpus, move |corpus| lines(&whole, &corpus.lines)),
        racer("bulk, values", corpus, move |corpus| {
            let mut columns = values.borrow_mut();
            columns.read_values(black_box(&corpus.values), &corpus.offsets).expect("the corpus is short");
            valid(&columns)
        }),
        racer("bulk, in pieces", corpus, move |corpus| {
            pieces_of(&corpus.lines).map(|piece| lines(&pieces, piece)).sum()
        }),
        racer("bulk, values in pieces", corpus, move |corpus| {
            let read = |columns: &mut Batch, offsets| {
                columns.read_values(black_box(&corpus.values), offsets).expect("the corpus is short");
                valid(columns)
            };
            let rows = corpus.offsets.len() - 1;
            let ends = (0..rows).step_by(ROWS).map(|row| row..=rows.min(row + ROWS));
            ends.map(|rows| read(&mut values_in_pieces.borrow_mut(), &corpus.offsets[rows])).sum()
        }),
    ]
}

/// Returns the two fastest rivals on lines, which they must find first, as `bulk` does.
fn rivals_of_lines(corpus: &'static Corpus) -> Vec<Racer> {
    vec![
        racer("fluent-uri, lines", corpus, |corpus| {
            count_lines(corpus, |url| black_box(&fluent_uri::UriRef::parse(url)).is_ok())
        }),
        racer("oxiri, lines", corpus, |corpus| {
            count_lines(corpus, |url| black_box(&oxiri::IriRef::parse(url)).is_ok())
        }),
    ]
}

/// Counts the accepted lines, with the fastest search for line ends that we know for parsing lines
/// one by one.
#[inline(always)]
fn count_lines(corpus: &Corpus, accepts: impl Fn(&str) -> bool) -> usize {
    let text = black_box(str::from_utf8(&corpus.lines).expect("the lists are text"));
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', text.as_bytes());
    ends.filter(|&end| accepts(&text[std::mem::replace(&mut start, end + 1)..end])).count()
}

fn lines(columns: &RefCell<Batch>, text: &[u8]) -> usize {
    let mut columns = columns.borrow_mut();
    columns.read(black_box(text), Separator::Newline).expect("the corpus is short");
    valid(&columns)
}

/// The least size of a piece of lines, and the number of rows of a piece of values.
const PIECE: usize = 1 << 16;
const ROWS: usize = 1 << 10;

/// Splits a text into pieces of whole lines.
fn pieces_of(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let end = text.iter().skip(PIECE).position(|&octet| octet == b'\n');
        let (piece, rest) = text.split_at(end.map_or(text.len(), |at| PIECE + at + 1));
        text = rest;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Returns racers with one thread and with two, on a text that is parsed several times: a shorter
/// task would end before the second thread wakes up.
pub fn threads(corpus: &'static Corpus) -> Vec<Racer> {
    let two_threads = ThreadPoolBuilder::new().num_threads(2).build().expect("two threads can be started");
    let text: &'static [u8] = corpus.lines.repeat(LARGE.div_ceil(corpus.lines.len())).leak();
    let times = AGAIN * (text.len() / corpus.lines.len());
    let (one, two) = (columns(), columns());
    vec![
        racer("one thread", corpus, move |_| (0..AGAIN).map(|_| lines(&one, text)).sum()).times(times),
        racer("two threads", corpus, move |_| {
            let columns = &mut *two.borrow_mut();
            two_threads.install(|| {
                let read = |_| {
                    columns.read_in_parallel(black_box(text), Separator::Newline).expect("the text is short");
                    valid(columns)
                };
                (0..AGAIN).map(read).sum()
            })
        })
        .times(times),
    ]
}

/// The least number of bytes of the text, and how often it is parsed.
const LARGE: usize = 1 << 22;
const AGAIN: usize = 16;

fn columns() -> RefCell<Batch> {
    RefCell::new(Batch::new())
}

fn valid(columns: &Batch) -> usize {
    columns.errors().iter().filter(|&&error| error == Batch::VALID).count()
}

fn read(corpus: &Corpus, edition: &'static Edition) -> usize {
    count(corpus, |url| black_box(&UriRef::parse_with(url, edition)).is_ok())
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
