//! A quick benchmark during development: each verb of `locator` alone, on a short text and a long
//! one, in a minute. For a comparison with rivals, run the race (`cargo run --release`).
//!
//!     cargo bench [-- NAME]

use divan::{Bencher, black_box};
use locator::bulk::{Batch, Separator};
use locator::edition::RFC3986;
use locator::{Base, Level, PctStr, PctString, ResolveOptions, Uri, UriRef};

fn main() {
    divan::main();
}

const SHORT: &str = "https://example.org/a/page.html?q=1";
const LONG: &str = "https://user@www.example.org:8080/a/long/path/that/goes/on/and/on/for/more/than/one/block/of/\
                    sixty-four/octets/page.html?with=a&query=of&some=length#and-a-fragment";
const REFUSED: &str = "https://example.org/a page.html";
const NOT_NORMAL: &str = "HTTPS://Example.ORG/a/./b/../%7epage.html";
const BASE: &str = "https://example.org/a/b/c?q";

#[divan::bench(args = [SHORT, LONG, REFUSED])]
fn read(text: &str) -> bool {
    black_box(&UriRef::parse(black_box(text))).is_ok()
}

#[divan::bench]
fn bulk_of_a_thousand_lines(bencher: Bencher<'_, '_>) {
    let lines = format!("{SHORT}\n").repeat(1_000);
    let mut columns = Batch::new();
    bencher.bench_local(|| columns.read(black_box(lines.as_bytes()), Separator::Newline).is_ok());
}

#[divan::bench(args = ["g", "../g", "/g?y#s", "./g/../h", LONG])]
fn resolve(bencher: Bencher<'_, '_>, text: &str) {
    let base = Base::new(uri(BASE)).expect("it is absolute");
    let (reference, mut out) = (UriRef::parse(text).expect("it is valid"), String::new());
    bencher.bench_local(|| base.resolve_into(black_box(reference), ResolveOptions::new(), &mut out).is_ok());
}

#[divan::bench(args = [SHORT, LONG, NOT_NORMAL])]
fn normalize(bencher: Bencher<'_, '_>, text: &str) {
    let reference = UriRef::parse(text).expect("it is valid");
    bencher.bench_local(|| black_box(reference).normalize(Level::Syntax));
}

#[divan::bench(args = ["https://example.org/a/g", "https://example.net/", SHORT, LONG])]
fn relativize(bencher: Bencher<'_, '_>, text: &str) {
    let (base, target) = (Base::new(uri(BASE)).expect("it is absolute"), uri(text));
    bencher.bench_local(|| base.make_relative(black_box(target)));
}

#[divan::bench(args = [SHORT, LONG])]
fn escape(text: &str) -> PctString {
    PctString::encode(black_box(text).as_bytes(), RFC3986.unreserved())
}

#[divan::bench(args = ["a%2Fb%20c", "caf%C3%A9"])]
fn unescape(text: &str) -> usize {
    PctStr::new(black_box(text)).map_or(0, |escaped| escaped.decode().len())
}

fn uri(text: &str) -> Uri<'_> {
    Uri::parse(text).expect("it is valid")
}
