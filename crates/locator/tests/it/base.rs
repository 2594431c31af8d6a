//! The cases of `testdata/base`.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use locator::{BaseCandidate, BaseStack, Edition, ResolveError, UriRef, edition};
use locator_dev::cases;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(rename = "section")]
    _section: Option<String>,
    default: Option<String>,
    retrieval: Option<OneOrMore>,
    #[serde(default)]
    entities: Vec<Entity>,
    embedded: Option<String>,
    base: Option<String>,
    source: Option<String>,
    layers: Option<Vec<String>>,
    reference: Option<String>,
    result: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entity {
    content_base: Option<String>,
    content_location: Option<String>,
}

#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

#[test]
fn every_document_has_the_base_that_is_stated() {
    let (mut count, mut wrong) = (0, Vec::new());
    for edition in edition::ALL.into_iter().filter(|edition| edition.defines_resolution()) {
        for case in cases(edition) {
            count += 1;
            wrong.extend(run(&case, edition).err().map(|why| format!("{edition}: {}: {why}", case.name)));
        }
    }
    assert!(count > 50, "the cases are not whole: {count}");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

fn cases(edition: &Edition) -> Vec<Case> {
    cases::read(&format!("base/{edition}.toml"))
}

fn run(case: &Case, edition: &'static Edition) -> Result<(), String> {
    let stack = stack(case, edition);
    let differs = |what: &str, stated: &dyn std::fmt::Debug, found: &dyn std::fmt::Debug| {
        Err(format!("{what}: stated {stated:?}, found {found:?}"))
    };
    let base = stack.base().map(|base| base.as_str().to_owned());
    if base != case.base {
        return differs("base", &case.base, &base);
    }
    let source = stack.chosen().map(|layer| layer.source().name());
    if source != case.source.as_deref() {
        return differs("source", &case.source, &source);
    }
    let layers: Vec<_> = stack.layers().map(describe).collect();
    if case.layers.as_ref().is_some_and(|stated| *stated != layers) {
        return differs("layers", &case.layers, &layers);
    }
    let Some(reference) = &case.reference else { return Ok(()) };
    let reference = UriRef::parse_with(reference, edition).unwrap();
    let target = stack.base().unwrap().resolve(reference).unwrap().into_uri().map(|uri| uri.into_string());
    if target == case.result { Ok(()) } else { differs("result", &case.result, &target) }
}

fn stack(case: &Case, edition: &'static Edition) -> BaseStack {
    let mut stack = BaseStack::new_with(edition).unwrap();
    if let Some(given) = &case.default {
        stack.default_base(given);
    }
    let retrieval = match case.retrieval.clone() {
        None => Vec::new(),
        Some(OneOrMore::One(one)) => vec![one],
        Some(OneOrMore::More(more)) => more,
    };
    for given in &retrieval {
        stack.retrieved_by(given);
    }
    for Entity { content_base, content_location } in &case.entities {
        stack.entity(content_base.as_deref(), content_location.as_deref());
    }
    if let Some(given) = &case.embedded {
        stack.embedded(given);
    }
    stack
}

fn describe(layer: &BaseCandidate) -> String {
    match layer.error() {
        Some(fault) => format!("({})", fault.name()),
        None => layer.uri().unwrap().as_str().to_owned(),
    }
}

#[test]
fn an_edition_that_resolves_nothing_has_no_bases() {
    for edition in [&edition::URL_1994, &edition::RFC1738] {
        assert_eq!(BaseStack::new_with(edition).unwrap_err(), ResolveError::NotDefined { edition });
    }
}

#[test]
fn each_error_has_a_message() {
    let message = |edition, embedded| {
        let mut stack = BaseStack::new_with(edition).unwrap();
        stack.default_base("mailto:a@b").embedded(embedded);
        stack.layers().filter_map(BaseCandidate::error).map(|fault| fault.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(
        message(&edition::URL_1997, "c"),
        [
            "the base is relative, and a base from this source must be absolute (draft-fielding-url-syntax-05, 5.1)",
            "an application cannot set a default base (draft-fielding-url-syntax-05, 5.1.4)",
        ]
    );
    assert_eq!(
        message(&edition::RFC3986, "|"),
        ["\"|\" is not allowed in the path, at byte 0 (pchar, RFC 3986, 3.3)"]
    );
}
