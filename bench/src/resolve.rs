//! The race for resolving references of the kinds that pages contain. A result is right if it is
//! the target of RFC 3986. Racers parse references beforehand where they can; `url` and `ada-url`
//! parse them each time.

use std::cell::RefCell;

use iri_string::format::ToDedicatedString;
use iri_string::resolve::FixedBaseResolver;
use iri_string::types::{UriAbsoluteStr, UriReferenceStr};
use locator::{Base, ResolveOptions, Resolved, Uri, UriRef};

use crate::corpus::Corpus;
use crate::pages::{Page, Pages, link, neighbours};
use crate::race::Racer;

/// Returns the lists, each URL shortened to a link of one of four kinds, and the examples of
/// RFC 3986.
pub fn pages(lists: &[&'static Corpus]) -> Vec<Pages> {
    let made = |corpus: &&'static Corpus| {
        let pages = neighbours(corpus, |i, base, url| link(base, cut(i, url)));
        Pages::new(&corpus.name, pages, |_, row, answer| row.answer == answer)
    };
    let examples = Page {
        base: EXAMPLE_BASE.to_owned(),
        rows: EXAMPLES
            .iter()
            .cycle()
            .take(4_000)
            .filter_map(|one| link(EXAMPLE_BASE, (*one).into()))
            .collect(),
    };
    let examples = Pages::new("RFC 3986, 5.4", vec![examples], |_, row, answer| row.answer == answer);
    lists.iter().map(made).chain([examples]).collect()
}

/// Returns a link as a page would contain it: the whole URL, its path, the end of its path, or ".."
/// and its last segment.
pub fn cut(kind: usize, url: &str) -> String {
    let path =
        url.split_once("://").map_or("", |(_, rest)| rest.find('/').map_or("", |slash| &rest[slash..]));
    let last = |slashes: usize| path.rsplitn(slashes + 1, '/').take(slashes).collect::<Vec<_>>();
    match kind % 4 {
        _ if path.is_empty() => url.to_owned(),
        0 => url.to_owned(),
        1 => path.to_owned(),
        2 => last(2).into_iter().rev().collect::<Vec<_>>().join("/"),
        _ => format!("../{}", last(1).concat()),
    }
}

const EXAMPLE_BASE: &str = "http://a/b/c/d;p?q";

/// The examples of RFC 3986, sections 5.4.1 and 5.4.2.
const EXAMPLES: [&str; 42] = [
    "g:h",
    "g",
    "./g",
    "g/",
    "/g",
    "//g",
    "?y",
    "g?y",
    "#s",
    "g#s",
    "g?y#s",
    ";x",
    "g;x",
    "g;x?y#s",
    "",
    ".",
    "./",
    "..",
    "../",
    "../g",
    "../..",
    "../../",
    "../../g",
    "../../../g",
    "../../../../g",
    "/./g",
    "/../g",
    "g.",
    ".g",
    "g..",
    "..g",
    "./../g",
    "./g/.",
    "g/./h",
    "g/../h",
    "g;x=1/./y",
    "g;x=1/../y",
    "g?y/./x",
    "g?y/../x",
    "g#s/./x",
    "g#s/../x",
    "http:g",
];

/// Returns all racers; the first is ours, into a buffer that is reused.
pub fn racers(pages: &Pages) -> Vec<Racer> {
    let base = |text| Base::new(Uri::parse(text).ok()?).ok();
    let reference = |text| UriRef::parse(text).ok();
    let (out, read_out) = (RefCell::new(String::new()), RefCell::new(String::new()));
    let mut racers = vec![
        pages.racer("locator, resolve_into", base, reference, move |base, reference, answer| {
            let mut out = out.borrow_mut();
            if let Ok(Resolved::Uri(text)) = base.resolve_into(*reference, ResolveOptions::new(), &mut out) {
                answer.is(text);
            }
        }),
        pages.racer("locator, with reading", base, Some, move |base, text, answer| {
            let mut out = read_out.borrow_mut();
            let Ok(reference) = UriRef::parse(text) else { return };
            if let Ok(Resolved::Uri(text)) = base.resolve_into(reference, ResolveOptions::new(), &mut out) {
                answer.is(text);
            }
        }),
        pages.racer("locator, resolve", base, reference, |base, reference, answer| {
            if let Ok(Resolved::Uri(uri)) = base.resolve(*reference) {
                answer.is(uri.as_str());
            }
        }),
    ];
    racers.extend(rivals(pages));
    racers
}

fn rivals(pages: &Pages) -> Vec<Racer> {
    let oxiri_base = |text| oxiri::Iri::parse(text).ok();
    let oxiri_reference = |text| oxiri::IriRef::parse(text).ok();
    let (out, unchecked) = (RefCell::new(String::new()), RefCell::new(String::new()));
    vec![
        pages.racer("oxiri, resolve_into", oxiri_base, oxiri_reference, move |base, reference, answer| {
            let mut out = out.borrow_mut();
            out.clear();
            if base.resolve_into(reference, &mut *out).is_ok() {
                answer.is(&*out);
            }
        }),
        pages.racer("oxiri, unchecked", oxiri_base, oxiri_reference, move |base, reference, answer| {
            let mut out = unchecked.borrow_mut();
            out.clear();
            base.resolve_into_unchecked(reference, &mut *out);
            answer.is(&*out);
        }),
        pages.racer(
            "fluent-uri",
            |text| fluent_uri::Uri::parse(text).ok(),
            |text| fluent_uri::UriRef::parse(text).ok(),
            |base, reference, answer| {
                if let Ok(uri) = reference.resolve_against(base) {
                    answer.is(uri.as_str());
                }
            },
        ),
        pages.racer(
            "iri-string",
            |text| Some(FixedBaseResolver::new(UriAbsoluteStr::new(text).ok()?)),
            |text| UriReferenceStr::new(text).ok(),
            |base, reference, answer| answer.is(base.resolve(reference).to_dedicated_string().as_str()),
        ),
        pages.racer(
            "url, join",
            |text| url::Url::parse(text).ok(),
            Some,
            |base, reference, answer| {
                if let Ok(url) = base.join(reference) {
                    answer.is(url.as_str());
                }
            },
        ),
        #[cfg(feature = "ada")]
        pages.racer("ada-url", Some, Some, |base, reference, answer| {
            if let Ok(url) = ada_url::Url::parse(*reference, Some(base)) {
                answer.is(url.href());
            }
        }),
    ]
}
