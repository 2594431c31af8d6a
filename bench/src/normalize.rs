//! The race for normalising. A result is right if it equals the syntax-based normal form of
//! RFC 3986, section 6.2.2. Racers that do more than the section says are counted as wrong there.

use iri_string::format::ToDedicatedString;
use iri_string::types::UriReferenceStr;
use locator::{Level, Uri, UriRef};

use crate::corpus::Corpus;
use crate::pages::{Pages, Row, target};
use crate::race::Racer;

/// Returns the lists as they are, nearly all normal, and one list without any normal URL.
pub fn pages(lists: &[&'static Corpus]) -> Vec<Pages> {
    let row = |url: String| Row { answer: normal(&url).into_bytes(), given: url.into() };
    let valid = |corpus: &&'static Corpus| corpus.urls.iter().filter(|url| Uri::parse(url).is_ok());
    let as_given =
        |corpus: &&'static Corpus| Pages::without_base(&corpus.name, valid(corpus).cloned().map(row));
    let changed = lists.last().map(|corpus| {
        let urls = valid(corpus).enumerate().map(|(i, url)| disguised(i, url));
        let name = format!("{}, none normal", corpus.name);
        let pages = Pages::without_base(&name, urls.filter(|url| Uri::parse(url).is_ok()).map(row));
        pages.not_counted()
    });
    lists.iter().map(as_given).chain(changed).collect()
}

/// Returns an equivalent URL that is not normal.
fn disguised(kind: usize, url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_ascii_uppercase() };
    let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    match kind % 5 {
        0 => format!("{}://{rest}", scheme.to_ascii_uppercase()),
        1 => format!("{scheme}://{}{path}", host.to_ascii_uppercase()),
        2 => format!("{scheme}://{host}/./a/..{path}"),
        3 => format!("{scheme}://{host}/%7euser{path}"),
        _ => format!("{scheme}://{host}/%c3%a9{path}"),
    }
}

/// Returns the normal form, step by step as the section describes it.
fn normal(url: &str) -> String {
    let (url, fragment) = url.split_at(url.find('#').unwrap_or(url.len()));
    let (url, query) = url.split_at(url.find('?').unwrap_or(url.len()));
    let (scheme, rest) = url.split_once(':').expect("it is absolute");
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            let (user, host) = authority.split_at(authority.rfind('@').map_or(0, |at| at + 1));
            (format!("//{}{}", undone(user, false), undone(host, true)), path)
        }
        None => (String::new(), rest),
    };
    let path = undone(path, false);
    let path = match path.starts_with('/') {
        true => target("x://h", &path).expect("it can be resolved")["x://h".len()..].to_owned(),
        false => path,
    };
    let (query, fragment) = (undone(query, false), undone(fragment, false));
    format!("{}:{authority}{path}{query}{fragment}", scheme.to_ascii_lowercase())
}

/// Applies 6.2.2.1 and 6.2.2.2: hex digits in upper case, unreserved characters unescaped.
fn undone(text: &str, lower: bool) -> String {
    let case = |c: char| if lower { c.to_ascii_lowercase() } else { c };
    let mut pieces = text.split('%');
    let mut out: String = pieces.next().unwrap_or_default().chars().map(case).collect();
    for piece in pieces {
        let value = u8::from_str_radix(&piece[..2], 16).expect("it is valid");
        match value {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(case(value.into()))
            }
            _ => out.push_str(&format!("%{value:02X}")),
        }
        out.extend(piece[2..].chars().map(case));
    }
    out
}

/// Returns all racers; the first is ours, on references parsed beforehand.
pub fn racers(pages: &Pages) -> Vec<Racer> {
    let base = |_| Some(());
    let reference = |text| UriRef::parse(text).ok();
    vec![
        pages.racer("locator", base, reference, |(), reference, answer| {
            answer.is(reference.normalize(Level::Syntax).as_str());
        }),
        pages.racer("locator, with reading", base, Some, |(), text, answer| {
            if let Ok(reference) = UriRef::parse(text) {
                answer.is(reference.normalize(Level::Syntax).as_str());
            }
        }),
        pages.racer("locator, by scheme", base, reference, |(), reference, answer| {
            answer.is(reference.normalize(Level::Scheme).as_str());
        }),
        pages.racer(
            "fluent-uri",
            base,
            |text| fluent_uri::UriRef::parse(text).ok(),
            |(), reference, answer| answer.is(reference.normalize().as_str()),
        ),
        pages.racer(
            "iri-string",
            base,
            |text| UriReferenceStr::new(text).ok()?.to_iri().ok(),
            |(), uri, answer| answer.is(uri.normalize().to_dedicated_string().as_str()),
        ),
        pages.racer("url, parse", base, Some, |(), text, answer| {
            if let Ok(url) = url::Url::parse(text) {
                answer.is(url.as_str());
            }
        }),
        #[cfg(feature = "ada")]
        pages.racer("ada-url, parse", base, Some, |(), text, answer| {
            if let Ok(url) = ada_url::Url::parse(*text, None) {
                answer.is(url.href());
            }
        }),
    ]
}
