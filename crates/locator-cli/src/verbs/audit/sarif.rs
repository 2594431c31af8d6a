//! The object of `audit --sarif`: SARIF 2.1.0 as code scanning takes it.
//!
//! Sections are those of the OASIS standard. Code scanning refuses more than 25,000 results, so
//! those of less severity are left out first.

use std::collections::HashMap;
use std::io::{self, Write};

use locator_audit::{self as audit, Code, Finding, Severity};
use serde::Serialize;
use serde_json::{Value, json};

use super::audited::Audited;
use super::choice::Key;
use super::files::{Address, Files, Region};
use super::located::{Located, Place};
use crate::exit::say;
use crate::output::Output;
use crate::progress::grouped;
use crate::show::excerpt;
use crate::show::json;

/// The results of a run so far.
pub(super) struct Sarif {
    /// By severity, in the order of the input.
    results: [Vec<ResultObject>; Severity::ALL.len()],
    left_out: u64,
    /// How often each finding has occurred.
    occurrences: HashMap<Key, u32>,
    files: Files,
}

/// How many results code scanning takes.
const MOST: usize = 25_000;

impl Sarif {
    /// No results yet.
    pub(super) fn new() -> Self {
        Self {
            results: Default::default(),
            left_out: 0,
            occurrences: HashMap::new(),
            files: Files::default(),
        }
    }

    /// Adds the findings of a URL.
    pub(super) fn add(&mut self, audited: &Audited<'_>) {
        let file = audited.place.and_then(|place| place.file.as_deref());
        let url = Key::of_url(file, audited.hidden);
        for finding in audited.findings() {
            let key = url.of(finding.code().name());
            let count = self.occurrences.entry(key).or_default();
            *count += 1;
            let fingerprint = fingerprint(&key, *count);
            let location = self.location(audited.located, audited.place, finding);
            let result = ResultObject::new(audited, finding, location, fingerprint);
            self.results[finding.severity() as usize].push(result);
            if self.results.iter().map(Vec::len).sum::<usize>() > MOST {
                let least = self.results.iter_mut().find(|results| !results.is_empty());
                self.left_out += u64::from(least.and_then(Vec::pop).is_some());
            }
        }
    }

    fn location(
        &mut self,
        located: &Located<'_>,
        place: Option<&Place>,
        finding: &Finding,
    ) -> LocationObject {
        let Some(place) = place else {
            // An argument is in no file; code scanning wants one.
            let region = RegionObject { start_line: located.input.number, ..RegionObject::default() };
            return LocationObject::new(ArtifactObject::named(located.input.origin.name()), region);
        };
        let region = self.files.region(place, located.octets(), located.octets_of(finding.span()));
        let artifact =
            place.file.as_deref().map_or_else(|| ArtifactObject::named("stdin"), ArtifactObject::of);
        LocationObject::new(artifact, RegionObject::new(&region))
    }

    /// Writes the object.
    pub(super) fn write(self, out: &mut Output, is_silent: bool) -> io::Result<()> {
        let notes = (self.left_out > 0).then(|| {
            let note =
                format!("{} findings are left out, those of the least severity", grouped(self.left_out));
            if !is_silent {
                say(&format!("code scanning takes {} findings; {note}", grouped(MOST as u64)));
            }
            vec![json!({"level": "warning", "message": {"text": note}})]
        });
        let invocation =
            notes.map(|notes| json!([{"executionSuccessful": true, "toolExecutionNotifications": notes}]));
        let log = Log {
            schema: "https://json.schemastore.org/sarif-2.1.0.json",
            version: "2.1.0",
            runs: [Run {
                tool: json!({"driver": {
                    "name": "locator",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": audit::codes().map(rule).collect::<Vec<_>>(),
                }}),
                invocations: invocation,
                column_kind: "utf16CodeUnits",
                results: self.results.iter().rev().flatten().collect(),
            }],
        };
        json::line(out, &log)?;
        out.flush()
    }
}

/// The beginning of the key, and which occurrence of it this is.
fn fingerprint(key: &Key, occurrence: u32) -> String {
    let digits: String = key.0[..16].iter().map(|octet| format!("{octet:02x}")).collect();
    format!("{digits}:{occurrence}")
}

/// Returns a rule (3.49).
fn rule(code: &'static Code) -> Value {
    let (title, explanation, advice) = (code.title(), code.explanation(), code.advice());
    let example = if code.example().len() > 200 { "" } else { code.example() };
    let mut rule = json!({
        "id": code.name(),
        "name": pascal(code.name()),
        "shortDescription": {"text": title},
        "fullDescription": {"text": explanation},
        "help": {
            "text": format!("{explanation}\n\nWhat to do: {advice}.\n\nExample: {example}\n\nSee {}.", code.citation()),
            "markdown": format!(
                "{}\n\n**What to do**: {}.\n\n```text\n{example}\n```\n\nSee {}.",
                markdown(explanation),
                markdown(advice),
                reference(code.citation())
            ),
        },
        "defaultConfiguration": {"level": level(code.severity())},
        "properties": {"precision": code.precision().name(), "tags": ["security", "url"]},
    });
    if let Some(address) = address(code.citation()) {
        rule["helpUri"] = address.into();
    }
    match security_severity(code.severity()) {
        Some(severity) => rule["properties"]["security-severity"] = severity.into(),
        None => rule["properties"]["tags"] = json!(["url"]),
    }
    rule
}

/// Returns the level of a result (3.27.10).
const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::High => "error",
        Severity::Medium | Severity::Low => "warning",
        _ => "note",
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

/// `userinfo-like-host` as `UserinfoLikeHost`.
fn pascal(code: &str) -> String {
    code.split('-')
        .flat_map(|word| word[..1].chars().map(|c| c.to_ascii_uppercase()).chain(word[1..].chars()))
        .collect()
}

/// Returns the address of a section of an RFC, the first one that is cited.
fn address(citation: &str) -> Option<String> {
    let first = citation.split(';').next()?;
    let (number, section) = first.strip_prefix("RFC ")?.split_once(", ")?;
    let is_number = |word: &str, others: &str| word.chars().all(|c| c.is_ascii_digit() || others.contains(c));
    if !is_number(number, "") {
        return None;
    }
    let section = match section.strip_prefix("appendix ") {
        Some(appendix) => format!("appendix-{appendix}"),
        None => format!("section-{section}"),
    };
    let is_plain = section.chars().all(|c| c.is_ascii_alphanumeric() || ".-".contains(c));
    is_plain.then(|| format!("https://www.rfc-editor.org/rfc/rfc{number}#{section}"))
}

fn reference(citation: &str) -> String {
    address(citation).map_or_else(|| markdown(citation), |address| format!("[{citation}]({address})"))
}

/// Escapes the characters that mean something in Markdown.
fn markdown(text: &str) -> String {
    let escape = |c: char| if "\\`*_{}[]<>#|!~".contains(c) { format!("\\{c}") } else { c.to_string() };
    text.chars().map(escape).collect()
}

/// Returns a message in which nothing is a link (3.11.6).
fn plain(text: &str) -> String {
    if text.contains("](") {
        text.replace('\\', r"\\").replace('[', r"\[").replace(']', r"\]")
    } else {
        text.to_owned()
    }
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'a str,
    version: &'a str,
    runs: [Run<'a>; 1],
}

/// A run (3.14).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    invocations: Option<Value>,
    column_kind: &'a str,
    results: Vec<&'a ResultObject>,
}

/// A result (3.27).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultObject {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: MessageObject,
    locations: [LocationObject; 1],
    partial_fingerprints: FingerprintsObject,
    properties: PropertiesObject,
}

#[derive(Serialize)]
struct MessageObject {
    text: String,
}

/// Code scanning compares the first; both are the same.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FingerprintsObject {
    primary_location_line_hash: String,
    #[serde(rename = "locatorFinding/v2")]
    finding: String,
}

#[derive(Serialize)]
struct PropertiesObject {
    severity: &'static str,
    component: &'static str,
    offset: usize,
    length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    redacted: Option<bool>,
}

impl ResultObject {
    fn new(audited: &Audited<'_>, finding: &Finding, location: LocationObject, fingerprint: String) -> Self {
        let (code, span) = (finding.code(), audited.located.octets_of(finding.span()));
        let url = excerpt::beginning(audited.shown);
        let text = format!("{}: {url} - {}", audited.message(finding), code.advice());
        Self {
            rule_id: code.name(),
            rule_index: audit::codes().position(|one| one == code).unwrap_or_default(),
            level: level(finding.severity()),
            message: MessageObject { text: plain(&text) },
            locations: [location],
            partial_fingerprints: FingerprintsObject {
                primary_location_line_hash: fingerprint.clone(),
                finding: fingerprint,
            },
            properties: PropertiesObject {
                severity: finding.severity().name(),
                component: finding.component().name(),
                offset: span.start,
                length: span.len(),
                redacted: (!audited.shown.hidden().is_empty()).then_some(true),
            },
        }
    }
}

/// A location (3.28).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LocationObject {
    physical_location: PhysicalObject,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalObject {
    artifact_location: ArtifactObject,
    region: RegionObject,
}

impl LocationObject {
    const fn new(artifact_location: ArtifactObject, region: RegionObject) -> Self {
        Self { physical_location: PhysicalObject { artifact_location, region } }
    }
}

/// A file (3.4).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactObject {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

impl ArtifactObject {
    fn of(file: &[u8]) -> Self {
        let Address { uri, is_relative } = Address::of(file);
        Self { uri, uri_base_id: is_relative.then_some("%SRCROOT%") }
    }

    fn named(name: &str) -> Self {
        Self { uri: name.to_owned(), uri_base_id: None }
    }
}

/// A region (3.30).
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct RegionObject {
    start_line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte_offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte_length: Option<u64>,
}

impl RegionObject {
    fn new(region: &Region) -> Self {
        let (columns, octets) = (region.columns.as_ref(), region.octets.as_ref());
        Self {
            start_line: region.line,
            start_column: columns.map(|columns| columns.start),
            end_column: columns.map(|columns| columns.end),
            byte_offset: octets.map(|octets| octets.start),
            byte_length: octets.map(|octets| octets.end - octets.start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_citation_of_an_rfc_has_an_address() {
        let rfc = |rest: &str| Some(format!("https://www.rfc-editor.org/rfc/rfc{rest}"));
        assert_eq!(address("RFC 3986, 7.6"), rfc("3986#section-7.6"));
        assert_eq!(address("RFC 1738, 6; Fetch Standard, 2.9"), rfc("1738#section-6"));
        assert_eq!(address("RFC 3986, appendix A"), rfc("3986#appendix-A"));
        for other in ["URL Standard, 4.4", "RFC 3986", "RFC 3986 and 3987, 4", "RFC 3986, 4 and 5"] {
            assert_eq!(address(other), None, "{other}");
        }
    }

    #[test]
    fn no_text_becomes_a_link() {
        assert_eq!(plain("http://[::1]/"), "http://[::1]/");
        assert_eq!(plain("[a](1)"), r"\[a\](1)");
        assert_eq!(pascal("userinfo-like-host"), "UserinfoLikeHost");
    }
}
