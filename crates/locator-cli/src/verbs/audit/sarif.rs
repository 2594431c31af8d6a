//! The findings of `audit --sarif` as results.

use locator_audit::{self as audit, Code, Finding, Severity};
use serde::Serialize;

use super::audited::Audited;
use crate::report::baseline::Key;
use crate::report::excerpt;
use crate::report::sarif::{Level, NewResult, Rule, Sarif, Source, Vocabulary};

/// What is known of a finding besides its place.
#[derive(Serialize)]
pub(super) struct PropertiesObject {
    severity: &'static str,
    component: &'static str,
    offset: usize,
    length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    redacted: Option<bool>,
}

/// No findings yet.
pub(super) fn new() -> Sarif<PropertiesObject> {
    let vocabulary = Vocabulary { results: "findings", fingerprint: "locatorFinding/v2" };
    Sarif::new(vocabulary, audit::codes().map(rule).collect())
}

/// Adds the findings of a URL.
pub(super) fn add(sarif: &mut Sarif<PropertiesObject>, audited: &Audited<'_>) {
    let file = audited.place.and_then(|place| place.file.as_deref());
    let key = Key::of_url(file, audited.hidden);
    for finding in audited.findings() {
        let code = finding.code();
        let url = excerpt::beginning(audited.shown);
        let message = format!("{}: {url} - {}", audited.message(finding), code.advice());
        sarif.add(NewResult {
            rule: code.name(),
            level: level(finding.severity()),
            rank: finding.severity() as u8,
            message: &message,
            source: source(audited, finding),
            key: key.of(code.name()),
            properties: properties(audited, finding),
        });
    }
}

fn source<'a>(audited: &'a Audited<'_>, finding: &Finding) -> Source<'a> {
    let located = audited.located;
    match audited.place {
        Some(place) => Source::Url { place, url: located.octets(), part: located.octets_of(finding.span()) },
        None => Source::Input(located.input.origin.name(), located.input.number),
    }
}

fn properties(audited: &Audited<'_>, finding: &Finding) -> PropertiesObject {
    let span = audited.located.octets_of(finding.span());
    PropertiesObject {
        severity: finding.severity().name(),
        component: finding.component().name(),
        offset: span.start,
        length: span.len(),
        redacted: (!audited.shown.hidden().is_empty()).then_some(true),
    }
}

fn rule(code: &'static Code) -> Rule {
    Rule {
        id: code.name(),
        title: code.title(),
        explanation: code.explanation(),
        advice: code.advice(),
        // A long example shows little.
        example: Some(if code.example().len() > 200 { "" } else { code.example() }),
        citation: code.citation(),
        level: level(code.severity()),
        precision: code.precision().name(),
        security_severity: security_severity(code.severity()),
    }
}

const fn level(severity: Severity) -> Level {
    match severity {
        Severity::High => Level::Error,
        Severity::Medium | Severity::Low => Level::Warning,
        _ => Level::Note,
    }
}

/// Returns the score that code scanning sorts by; `None` if it is not a matter of security.
const fn security_severity(severity: Severity) -> Option<&'static str> {
    match severity {
        Severity::High => Some("8.5"),
        Severity::Medium => Some("5.5"),
        Severity::Low => Some("2.5"),
        _ => None,
    }
}
