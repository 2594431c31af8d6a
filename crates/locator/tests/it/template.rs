//! The cases of `testdata/template.toml`, and what holds for every template (RFC 6570).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;

use locator::template::{TemplateValue, UriTemplate};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    variables: BTreeMap<String, Variable>,
    section: Vec<Section>,
    error: Vec<Failure>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Variable {
    Text(String),
    List(Vec<String>),
    Map(Vec<(String, String)>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    section: String,
    expansions: Vec<(String, String)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Failure {
    template: String,
    error: String,
}

fn cases() -> Cases {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/template.toml");
    toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

impl Variable {
    fn value(&self) -> TemplateValue<'_> {
        match self {
            Self::Text(text) => TemplateValue::from(text),
            Self::List(members) => TemplateValue::list(members),
            Self::Map(pairs) => TemplateValue::map(pairs.iter().map(|(name, text)| (name, text))),
        }
    }
}

impl Cases {
    fn values(&self) -> Vec<(&str, TemplateValue<'_>)> {
        self.variables.iter().map(|(name, variable)| (name.as_str(), variable.value())).collect()
    }
}

#[test]
fn every_template_expands_as_stated() {
    let cases = cases();
    let mut count = 0;
    for Section { section, expansions } in &cases.section {
        for (template, expected) in expansions {
            let expanded = UriTemplate::parse(template).unwrap().expand(cases.values()).unwrap();
            assert_eq!(expanded, *expected, "{template} ({section})");
            count += 1;
        }
    }
    assert!(count > 130, "{count}");
}

#[test]
fn every_error_is_reported_as_stated() {
    let cases = cases();
    for Failure { template, error } in &cases.error {
        let failed = UriTemplate::parse(template).and_then(|parsed| parsed.expand(cases.values()));
        assert_eq!(failed.unwrap_err().to_string(), *error, "{template}");
    }
}

proptest! {
    /// No text makes the parser panic; what is parsed expands without values.
    #[test]
    fn any_text_is_a_template_or_an_error(text in "[ab{}+?&#:*%,.é0-9]{0,20}") {
        let none: [(&str, &str); 0] = [];
        match UriTemplate::parse(&text) {
            Ok(template) => {
                template.expand_to_string(none)?;
            }
            Err(error) => prop_assert!(text.get(error.span()).is_some(), "{error}"),
        }
    }

    /// A value stays in its place: it is one segment, one pair, one label, whatever it contains.
    #[test]
    fn a_value_cannot_become_a_delimiter(value in any::<String>()) {
        let template = UriTemplate::parse("http://h/{a}/end{?a}&end=1#{a}").unwrap();
        let uri = template.expand([("a", &value)])?;
        let uri = uri.as_uri_ref();
        prop_assert_eq!(uri.path().segments().count(), 2);
        prop_assert_eq!(&*uri.path().segments().next().unwrap().decode(), value.as_bytes());
        prop_assert_eq!(uri.query().unwrap().as_str().split('&').count(), 2);
        prop_assert_eq!(&*uri.fragment().unwrap().decode(), value.as_bytes());
    }
}
