//! Compares the library with the model of each document's steps, over every reference of up to four
//! segments, in the thorough test of five. Also compares its shortest references with every shorter reference.

use std::collections::HashMap;

use locator::edition::PathUnderflow as Left;
use locator::edition::{RFC2396, RFC3986, SameDocument, URI_2003, URL_1993, URL_1997};
use locator::{Base, Edition, ResolveError, ResolveOptions, Resolved, Uri, UriRef};
use locator_dev::is_thorough;
use locator_dev::model::{self, Choices, Document, Leftover, Outcome};

const SEGMENTS: [&str; 6] = ["a", ".", "..", "", "a;x=1", ".b"];

const LEADS: [&str; 5] = ["", "/", "//h/", "x:", "HTTP:"];

const TAILS: [&str; 8] = ["", "?y", "?y/./x", "?../y/../../x?/..", "?", "#s/../t", "?y#", "?y/..#./s"];

const BASES: [&str; 14] = [
    "http://a/b/c/d;p?q",
    "http://a",
    "http://a?q",
    "http://a/",
    "http://a/b/../../c/./d/e?q",
    "http://a//b//c",
    "http://u@a:80/b/.//../c/",
    "x:/b/c",
    "x:/.//b/c?q",
    "x:b",
    "x:b/c/d?q",
    "x:",
    "x:../b/./c",
    "file:///b/c",
];

/// Returns every sequence of up to `most` segments.
fn rows(most: usize) -> Vec<String> {
    let mut all: Vec<String> = SEGMENTS.map(str::to_string).into();
    let mut longest = all.clone();
    for _ in 1..most {
        longest = longest.iter().flat_map(|row| SEGMENTS.map(|segment| format!("{row}/{segment}"))).collect();
        all.extend(longest.iter().cloned());
    }
    all
}

/// Converts the choices to options of the library.
fn options(choices: Choices) -> ResolveOptions {
    let leftover = match choices.leftover {
        Leftover::Keep => Left::Keep,
        Leftover::Remove => Left::Remove,
        Leftover::Refuse => Left::Refuse,
    };
    let empty = if choices.empty_is_base { SameDocument::Base } else { SameDocument::CurrentDocument };
    ResolveOptions::new()
        .path_underflow(leftover)
        .same_document(empty)
        .same_scheme(choices.ignores_same_scheme)
}

/// Counts the references that are valid in the edition; library and model must agree on each.
fn agree(edition: &'static Edition, document: Document, most: usize, choices: Choices, own: bool) -> usize {
    let options = if own { ResolveOptions::new() } else { options(choices) };
    let rows = rows(most);
    let mut texts: Vec<String> = LEADS
        .iter()
        .flat_map(|lead| rows.iter().flat_map(move |row| TAILS.map(|tail| format!("{lead}{row}{tail}"))))
        .filter(|text| UriRef::parse_with(text, edition).is_ok())
        .collect();
    texts.dedup();
    let references: Vec<UriRef<'_>> =
        texts.iter().filter_map(|text| UriRef::parse_with(text, edition).ok()).collect();
    let bases = BASES.iter().filter_map(|base| Uri::parse_with(base, edition).ok());
    let mut count = 0;
    let mut written = String::new();
    for base in bases {
        let ground = Base::new(base).expect("it has a scheme, and the edition resolves");
        for reference in &references {
            let stated = model::resolve(document, base.as_str(), reference.as_str(), choices);
            let found = outcome(ground.resolve_into(*reference, options, &mut written));
            assert_eq!(found, stated, "{edition} {choices:?} {base} {reference}");
            if let Outcome::Target(target) = found {
                assert!(Uri::parse_with(&target, edition).is_ok(), "{edition} {base} {reference} {target}");
            }
            count += 1;
        }
    }
    count
}

fn outcome(found: Result<Resolved<'_, &str>, ResolveError>) -> Outcome {
    match found {
        Ok(Resolved::Uri(target)) => Outcome::Target(target.to_string()),
        Ok(Resolved::CurrentDocument { fragment }) => {
            Outcome::CurrentDocument(fragment.map(|fragment| fragment.to_string()))
        }
        Err(ResolveError::BaseOpaque { .. }) => Outcome::Opaque,
        Err(ResolveError::PathUnderflow { .. }) => Outcome::Refused,
        Err(error) => panic!("{error}"),
    }
}

/// Tests the choices of the document with four or five segments, and all other choices with three.
fn agrees(edition: &'static Edition, document: Document) {
    let mut count = agree(edition, document, 4 + usize::from(is_thorough()), document.choices(), true);
    for leftover in [Leftover::Keep, Leftover::Remove, Leftover::Refuse] {
        for ignores_same_scheme in [false, true] {
            for empty_is_base in [false, true] {
                let choices = Choices { leftover, ignores_same_scheme, empty_is_base };
                count += agree(edition, document, 3, choices, false);
            }
        }
    }
    assert!(count > if is_thorough() { 1_000_000 } else { 500_000 }, "{edition}: {count}");
}

#[test]
fn url_1993_agrees_with_its_model() {
    agrees(&URL_1993, Document::Url1993);
}

#[test]
fn url_1997_agrees_with_its_model() {
    agrees(&URL_1997, Document::Url1997);
}

#[test]
fn rfc2396_agrees_with_its_model() {
    agrees(&RFC2396, Document::Rfc2396);
}

#[test]
fn uri_2003_agrees_with_its_model() {
    agrees(&URI_2003, Document::Uri2003);
}

#[test]
fn rfc3986_agrees_with_its_model() {
    agrees(&RFC3986, Document::Rfc3986);
}

/// Returns every text of up to `most` octets, the shortest first.
fn texts(alphabet: &[u8], most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut first = 0;
    for _ in 0..most {
        let end = all.len();
        for i in first..end {
            all.extend(
                alphabet.iter().map(|octet| format!("{}{}", all[i], char::from(*octet))).collect::<Vec<_>>(),
            );
        }
        first = end;
    }
    all
}

/// For each text of the alphabet and its target: the reference that relativising returns is not
/// longer than the text, and resolves to the same target.
fn is_shortest(edition: &'static Edition, most: usize, options: ResolveOptions) -> usize {
    let texts = texts(b"a./:?", most);
    let mut count = 0;
    for base in SHORT_BASES {
        let Ok(uri) = Uri::parse_with(base, edition) else { continue };
        let base = Base::new(uri).expect("it has a scheme, and the edition resolves");
        let mut targets: HashMap<String, &str> = HashMap::new();
        for text in &texts {
            let Ok(reference) = UriRef::parse_with(text, edition) else { continue };
            if let Ok(Resolved::Uri(target)) = base.resolve_with(reference, options) {
                targets.entry(target.into_string()).or_insert(text);
            }
        }
        for (target, shortest) in &targets {
            let target = Uri::parse_with(target, edition).expect("what is resolved can be read");
            let found = base.make_relative_with(target, options).expect("there is one");
            assert_eq!(
                found.as_str().len(),
                shortest.len(),
                "{edition} {base} {target}: {found}, {shortest}"
            );
            let back = base.resolve_with(found.as_uri_ref(), options).map(Resolved::into_uri);
            assert_eq!(back, Ok(Some(target.to_owned())), "{edition} {base} {found}");
            count += 1;
        }
    }
    count
}

const SHORT_BASES: [&str; 18] = [
    "a://a/a/a.a/a?a",
    "a://a",
    "a://a?a",
    "a://a/",
    "a://a//a//",
    "a:///a/a",
    "a:/a/a",
    "a:/a",
    "a:/.//a/a",
    "a:a",
    "a:a/a?a",
    "a:a/a/a",
    "a:",
    "a:?a",
    "a://a/./a/../a/a",
    "a://a/../a/a",
    "a://a/../../a/",
    "a:../a",
];

#[test]
fn the_shortest_is_given() {
    let lenient = ResolveOptions::new().same_scheme(true);
    let others = [
        lenient.same_document(SameDocument::Base).path_underflow(Left::Keep),
        lenient.same_document(SameDocument::CurrentDocument).path_underflow(Left::Remove),
        ResolveOptions::new().same_document(SameDocument::Base).path_underflow(Left::Refuse),
    ];
    for edition in [&URL_1993, &URL_1997, &RFC2396, &URI_2003, &RFC3986] {
        let longest = 6 + usize::from(is_thorough());
        let mut count = is_shortest(edition, longest, ResolveOptions::new());
        count += others.into_iter().map(|options| is_shortest(edition, longest - 1, options)).sum::<usize>();
        let expected = if is_thorough() { 500_000 } else { 100_000 };
        assert!(count > expected, "{edition}: {count}");
    }
}
