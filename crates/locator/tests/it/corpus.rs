//! The cases of `testdata/parse` run against the library: what is read must be what is stated.

use std::collections::BTreeMap;

use locator::{Component, Edition, UriRef, edition, scheme};
use locator_dev::cases;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    name: String,
    input: String,
    valid: bool,
    error: Option<Place>,
    scheme_valid: Option<bool>,
    #[serde(flatten)]
    stated: BTreeMap<String, toml::Value>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Place {
    offset: usize,
    length: usize,
    component: String,
}

#[test]
fn every_case_is_read_as_stated() {
    let mut differences = Vec::new();
    let mut count = 0;
    for edition in edition::ALL.into_iter().chain(edition::WITH_OPTIONS) {
        let cases = cases(edition);
        count += cases.len();
        for case in cases {
            if let Err(difference) = run(&case, edition) {
                differences.push(format!("{edition}: {} {:?}: {difference}", case.name, case.input));
            }
        }
    }
    assert_eq!(count, 1_610, "cases of all editions");
    assert!(differences.is_empty(), "{} of {count}:\n{}", differences.len(), differences.join("\n"));
}

/// What is valid without an option is valid with it, and every URI is an IRI.
#[test]
fn what_adds_to_rfc3986_takes_nothing_away() {
    for case in cases(&edition::RFC3986).iter().filter(|case| case.valid) {
        for edition in [&edition::RFC3986_WITH_ZONES, &edition::RFC3987] {
            if let Err(difference) = run(case, edition) {
                panic!("{edition}: {} {:?}: {difference}", case.name, case.input);
            }
        }
    }
}

fn cases(edition: &Edition) -> Vec<Case> {
    cases::of_edition("parse", edition.name)
}

fn run(case: &Case, edition: &'static Edition) -> Result<(), String> {
    let errors: Vec<_> = scheme::errors_with(&case.input, edition).collect();
    if errors.is_empty() != case.valid {
        return Err(format!("stated valid = {}, but {errors:?}", case.valid));
    }
    match (UriRef::parse_with(&case.input, edition), errors.first()) {
        (Ok(reference), None) => read_as_stated(case, reference),
        (_, Some(error)) => {
            let place = Place {
                offset: error.span().start,
                length: error.span().len(),
                component: error.component().name().to_owned(),
            };
            match &case.error {
                Some(stated) if *stated != place => {
                    Err(format!("stated {stated:?}, found {place:?}: {error}"))
                }
                _ => Ok(()),
            }
        }
        (Err(error), None) => Err(format!("parse tells {error}, and the list of errors is empty")),
    }
}

fn read_as_stated(case: &Case, reference: UriRef<'_>) -> Result<(), String> {
    let composed = reference.edit().to_string();
    if composed != case.input {
        return Err(format!("composes to {composed:?}"));
    }
    let found = reading(reference);
    let stated: BTreeMap<String, String> = case
        .stated
        .iter()
        .filter(|(key, _)| *key != "section")
        .map(|(key, value)| (key.clone(), value.as_str().unwrap_or_default().to_owned()))
        .collect();
    if found != stated {
        return Err(format!("\n  stated {stated:?}\n  found  {found:?}"));
    }
    let by_scheme = scheme::check(reference).map(|result| result.is_ok());
    match case.scheme_valid == by_scheme {
        true => Ok(()),
        false => Err(format!("stated scheme_valid = {:?}, found {by_scheme:?}", case.scheme_valid)),
    }
}

/// The output of `read --json`, except for `input`, `edition` and validity.
fn reading(reference: UriRef<'_>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::from([("kind".to_owned(), reference.kind().name().to_owned())]);
    for part in Component::ALL {
        if let Some(text) = reference.component(part) {
            found.insert(part.name().to_owned(), text.to_owned());
        }
    }
    if let Some(authority) = reference.authority() {
        found.insert("host_kind".to_owned(), authority.host().kind().name().to_owned());
        if let Some(zone) = authority.host().zone() {
            found.insert("zone".to_owned(), zone.to_string());
        }
        if let Some(userinfo) = authority.userinfo() {
            found.insert("user".to_owned(), userinfo.user().to_string());
            if let Some(password) = userinfo.password() {
                found.insert("password".to_owned(), password.to_string());
            }
        }
    }
    found
}
