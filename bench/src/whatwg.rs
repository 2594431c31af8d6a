//! The race for the URL Standard: `locator-whatwg` against `url` and `ada-url`. Lists of real URLs, which
//! are in serialised form but for a few; the same with long queries; and URLs as people write them, all of
//! which must be changed. Then joining, and each setter.

use std::cell::RefCell;
use std::hint::black_box;

use locator_whatwg::{Url, UrlRef};

use crate::corpus::Corpus;
use crate::race::{self, Outcome, Racer, race};
use crate::resolve;

/// Texts that racers borrow, with a name.
pub struct Texts {
    pub name: String,
    pub texts: &'static [String],
}

impl Texts {
    fn new(name: &str, texts: impl Iterator<Item = String>) -> Self {
        Self { name: name.to_owned(), texts: texts.collect::<Vec<_>>().leak() }
    }

    /// Returns the mean length of a text in bytes.
    pub fn mean_length(&self) -> f64 {
        self.texts.iter().map(String::len).sum::<usize>() as f64 / self.texts.len().max(1) as f64
    }
}

/// Returns the lists, and two that are made of them.
pub fn lists(corpora: &[&'static Corpus]) -> Vec<Texts> {
    let mut lists: Vec<_> =
        corpora.iter().map(|corpus| Texts::new(&corpus.name, corpus.urls.iter().cloned())).collect();
    let web = || {
        let urls = corpora.iter().flat_map(|corpus| corpus.urls.iter());
        urls.filter(|url| url.starts_with("http")).step_by(3)
    };
    lists.push(Texts::new(LONG_QUERIES, web().enumerate().map(|(i, url)| with_query(i, url))));
    lists.push(Texts::new(CHANGED, web().enumerate().map(|(i, url)| as_written(i, url))));
    lists
}

pub const LONG_QUERIES: &str = "long queries";
pub const CHANGED: &str = "changed";

/// The queries of tracking and of signed URLs, as real ones have them.
fn with_query(i: usize, url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or(url);
    let (n, m) = (i * 7_919 % 1_000_003, i * 104_729 % 999_983);
    match i % 3 {
        0 => format!(
            "{url}?utm_source=newsletter&utm_medium=email&utm_campaign=week-{n}&utm_content=button&\
             gclid=EAIaIQobChMI{m}{n}&fbclid=IwAR0{n}x{m}&mc_eid={n:x}"
        ),
        1 => format!(
            "{url}?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA{n}%2F20260702%2Feu-west-1%2Fs3%2F\
             aws4_request&X-Amz-Date=20260702T120000Z&X-Amz-Expires=3600&X-Amz-SignedHeaders=host&\
             X-Amz-Signature={:064x}",
            n * m
        ),
        _ => format!(
            "{url}?q=red+shoes&page={n}&sort=price&f%5B%5D=size-{m}&ref=https%3A%2F%2Fwww.example%2F{n}"
        ),
    }
}

/// A URL as people and programs write it, so that parsing changes it.
fn as_written(i: usize, url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    match i % 8 {
        0 => format!("{scheme}://{host}"),
        1 => format!("{}://{host}{path}", scheme.to_ascii_uppercase()),
        2 => format!("{scheme}://{}{path}", host.to_ascii_uppercase()),
        3 => format!("{scheme}://{host}{path} and more"),
        4 => format!("{scheme}://{host}/a/../b{path}"),
        5 => format!("{scheme}://{host}{path}?q=caf\u{e9} au lait"),
        6 => format!(" {scheme}://{host}{path}\n"),
        _ => format!("{scheme}://{host}:{}{path}", if scheme == "https" { 443 } else { 80 }),
    }
}

/// Makes a racer that counts the texts that pass.
fn racer(
    name: impl Into<String>,
    texts: &'static [String],
    passes: impl Fn(&str) -> bool + 'static,
) -> Racer {
    Racer::new(name, move |judge| {
        judge.count = black_box(texts.iter().filter(|text| passes(black_box(text))).count());
    })
}

/// Runs the race for parsing.
pub fn parsing(list: &Texts, rounds: usize) -> Vec<Outcome> {
    let texts = list.texts;
    let borrows = |text: &str| black_box(&UrlRef::parse(text)).is_ok();
    let owns = |text: &str| black_box(&Url::parse(text)).is_ok();
    let asks = |text: &str| Url::can_parse(text);
    let mut racers =
        vec![racer("UrlRef", texts, borrows), racer("Url", texts, owns), racer("can_parse", texts, asks)];
    for backend in race::backends() {
        let name = backend.name();
        racers.push(racer(format!("UrlRef, {name}"), texts, borrows).on(backend));
        racers.push(racer(format!("Url, {name}"), texts, owns).on(backend));
        racers.push(racer(format!("can_parse, {name}"), texts, asks).on(backend));
    }
    racers.push(racer("url", texts, |text| black_box(&url::Url::parse(text)).is_ok()));
    #[cfg(feature = "ada")]
    racers.extend([
        racer("ada-url", texts, |text| black_box(&ada_url::Url::parse(text, None)).is_ok()),
        racer("ada-url, can_parse", texts, |text| ada_url::Url::can_parse(text, None)),
    ]);
    race(texts.len(), &racers, rounds)
}

/// A base with a reference, parsed by both.
struct Joined {
    ours: Url,
    theirs: url::Url,
    reference: String,
}

/// Runs the race for joining: a page of a list, and a link to the next one.
pub fn joining(list: &Texts, rounds: usize) -> Vec<Outcome> {
    let pairs = list.texts.windows(2).enumerate().filter_map(|(i, pair)| {
        let (ours, theirs) = (Url::parse(&pair[0]).ok()?, url::Url::parse(&pair[0]).ok()?);
        Some(Joined { ours, theirs, reference: resolve::cut(i, &pair[1]) })
    });
    let pairs: &'static [Joined] = pairs.collect::<Vec<_>>().leak();
    let racer = |name: &str, joins: fn(&Joined) -> bool| {
        Racer::new(name, move |judge| {
            judge.count = black_box(pairs.iter().filter(|pair| joins(black_box(pair))).count());
        })
    };
    let racers = [
        racer("Url", |pair| black_box(&pair.ours.join(&pair.reference)).is_ok()),
        racer("url", |pair| black_box(&pair.theirs.join(&pair.reference)).is_ok()),
    ];
    race(pairs.len(), &racers, rounds)
}

/// Makes two racers, of a setter of both crates, which set one value and then another one.
macro_rules! setter {
    ($url:ident, $is_other:ident, $set:expr) => {{
        fn both(list: &Texts) -> [Racer; 2] {
            let ours =
                RefCell::new(list.texts.iter().filter_map(|text| Url::parse(text).ok()).collect::<Vec<_>>());
            let theirs = RefCell::new(
                list.texts.iter().filter_map(|text| url::Url::parse(text).ok()).collect::<Vec<_>>(),
            );
            [
                Racer::new("Url", move |judge| {
                    let mut urls = ours.borrow_mut();
                    [false, true].iter().for_each(|&$is_other| urls.iter_mut().for_each(|$url| $set));
                    judge.count = urls.len();
                }),
                Racer::new("url", move |judge| {
                    let mut urls = theirs.borrow_mut();
                    [false, true].iter().for_each(|&$is_other| urls.iter_mut().for_each(|$url| $set));
                    judge.count = urls.len();
                }),
            ]
        }
        both as fn(&Texts) -> [Racer; 2]
    }};
}

/// The setters, each with its name.
pub fn setters() -> Vec<(&'static str, fn(&Texts) -> [Racer; 2])> {
    vec![
        (
            "set_scheme",
            setter!(url, is_other, {
                drop(black_box(url.set_scheme(if is_other { "http" } else { "https" })));
            }),
        ),
        (
            "set_username",
            setter!(url, is_other, {
                drop(black_box(url.set_username(if is_other { "joe" } else { "" })));
            }),
        ),
        (
            "set_password",
            setter!(url, is_other, {
                drop(black_box(url.set_password(if is_other { Some("secret") } else { None })));
            }),
        ),
        (
            "set_host",
            setter!(url, is_other, {
                drop(black_box(url.set_host(Some(if is_other { "www.example.org" } else { "Example.com" }))));
            }),
        ),
        (
            "set_port",
            setter!(url, is_other, {
                drop(black_box(url.set_port(if is_other { Some(8080) } else { None })));
            }),
        ),
        (
            "set_path",
            setter!(url, is_other, {
                url.set_path(if is_other { "/a/b/page.html" } else { "/docs/../a b" });
            }),
        ),
        (
            "set_query",
            setter!(url, is_other, {
                url.set_query(if is_other { Some("id=7&sort=price&page=2") } else { Some("q=a b") });
            }),
        ),
        (
            "set_fragment",
            setter!(url, is_other, {
                url.set_fragment(if is_other { Some("top") } else { None });
            }),
        ),
        (
            "path_segments_mut",
            setter!(url, is_other, {
                if let Ok(mut segments) = url.path_segments_mut() {
                    segments.pop().push(if is_other { "page.html" } else { "a b" });
                }
            }),
        ),
        (
            "query_pairs_mut",
            setter!(url, is_other, {
                url.query_pairs_mut()
                    .clear()
                    .append_pair("q", if is_other { "a b" } else { "c" })
                    .append_pair("page", "2");
            }),
        ),
    ]
}
