//! The HTML says what the cases of `testdata` state: every component, finding, contact and comparison.

use std::collections::BTreeSet;

use locator::{Component, UriRef, edition, scheme};
use locator_audit::Readings;
use locator_dev::cases;
use locator_web::Renderer;
use serde::Deserialize;
use toml::Table;

/// The text of HTML, a tag being a bar.
fn text_of(html: &str) -> String {
    let mut text = String::new();
    for (number, piece) in html.split('<').enumerate() {
        let after = piece.split_once('>').map_or(piece, |(_, text)| text);
        text.push_str(if number == 0 { piece } else { after });
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

fn shown(text: &str) -> String {
    locator_web::report::visible::legible(text).to_string()
}

#[test]
fn components_are_those_of_the_cases() {
    let renderer = Renderer::new().show_secrets();
    let mut count = 0;
    for (edition, case) in edition::ALL.into_iter().flat_map(|edition| {
        cases::of_edition::<Table>("parse", edition.name).into_iter().map(move |case| (edition, case))
    }) {
        let input = case["input"].as_str().unwrap();
        let html = renderer.components(input);
        let text = text_of(html.as_str());
        for part in ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"] {
            let stated = case.get(part).and_then(toml::Value::as_str).filter(|text| !text.is_empty());
            if let Some(value) = stated.map(shown).filter(|_| case["valid"].as_bool() == Some(true)) {
                assert!(text.contains(&value), "{edition}: {part} {value} of {input}:\n{html}");
                count += 1;
            }
        }
    }
    assert!(count > 3000, "{count}");
}

#[test]
fn components_that_differ_between_editions_are_marked() {
    let renderer = Renderer::new().show_secrets();
    let mut count = 0;
    for case in cases::read::<Table>("parse") {
        let input = case["input"].as_str().unwrap();
        let valid =
            edition::ALL.into_iter().filter(|edition| scheme::errors_with(input, edition).next().is_none());
        let readings: Vec<_> = valid.filter_map(|edition| UriRef::parse_with(input, edition).ok()).collect();
        let html = renderer.components(input);
        for part in Component::ALL {
            let values: BTreeSet<_> = readings.iter().map(|one| one.component(part)).collect();
            if values.len() > 1 {
                let row = format!("<tr class=\"c-{} differs\">", part.name());
                assert!(html.as_str().contains(&row), "{} differs in {input}:\n{html}", part.name());
                count += 1;
            }
        }
    }
    assert!(count > 90, "{count}");
}

#[derive(Deserialize)]
struct Audited {
    input: String,
    #[serde(default)]
    findings: Vec<String>,
    /// The renderer has no names to protect.
    protect: Option<Vec<String>>,
    /// The renderer has no texts of links.
    text: Option<String>,
}

#[test]
fn findings_and_contacts_are_those_of_audit() {
    let renderer = Renderer::new().show_secrets();
    let mut count = 0;
    let is_of_url = |case: &Audited| case.protect.is_none() && case.text.is_none();
    for case in cases::read::<Audited>("audit").into_iter().filter(is_of_url) {
        let input = case.input;
        let html = renderer.findings(&input);
        // Without a base no reference leaves it.
        let is_shown = |finding: &&String| !finding.contains(" info ") && !finding.starts_with("leaves-base");
        for finding in case.findings.iter().filter(is_shown) {
            let code = format!("<code>{}</code>", finding.split(' ').next().unwrap());
            assert!(html.as_str().contains(&code), "{code} of {input}:\n{html}");
            count += 1;
        }
        let html = renderer.programs(&input);
        let text = text_of(html.as_str());
        for contacted in Readings::new(&input, None).contacts() {
            let host = shown(&contacted.contact.host().to_string());
            assert!(text.contains(&host) || host == "base.invalid", "{host} of {input}:\n{html}");
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[derive(Deserialize)]
struct Compared {
    edition: Option<String>,
    first: String,
    second: String,
    rung: Option<String>,
    error: Option<String>,
    domain_names: Option<bool>,
    addresses: Option<String>,
    redirects: Option<toml::Value>,
    without_fragments: Option<bool>,
}

#[test]
fn comparisons_are_those_of_the_cases() {
    let renderer = Renderer::new().show_secrets();
    let mut count = 0;
    for case in cases::read::<Compared>("compare.toml") {
        let is_plain = case.edition.is_none() && case.addresses.is_none() && case.redirects.is_none();
        if !is_plain || case.domain_names.or(case.without_fragments).is_some() {
            continue;
        }
        let (first, second) = (case.first, case.second);
        let html = renderer.comparison(&first, &second);
        let is = |words: &str| html.as_str().contains(words);
        match (case.error, case.rung) {
            (Some(_), _) => assert!(is("cannot be compared"), "{first} {second}: {html}"),
            (None, Some(_)) => assert!(is(">Equivalent "), "{first} {second}: {html}"),
            (None, None) => assert!(is("Not equivalent"), "{first} {second}: {html}"),
        }
        count += 1;
    }
    assert!(count > 10, "{count}");
}
