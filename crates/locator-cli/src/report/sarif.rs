//! SARIF 2.1.0 as code scanning takes it: a log of rules, and of results with their places. Sections are those of the OASIS
//! standard. Code scanning refuses more than 25,000 results, so those of the lowest rank are left out first.
//!
//! The objects are key by key in their order. The address of a file is a URI, which is relative to the working directory if
//! the file is in it.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::io::Write;
use std::ops::Range;

use locator_web::report::quantity::grouped;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::exit::say;
use crate::input::located::Place;
use crate::input::located::{Files, Region};
use crate::output::Output;
use crate::report::baseline::Address;
use crate::report::baseline::Key;
use crate::report::json;

/// The results of a run so far; `P` are the properties of a result.
pub(crate) struct Sarif<P> {
    vocabulary: Vocabulary,
    rules: Vec<Rule>,
    /// By rank, in the order of the input.
    results: BTreeMap<u8, Vec<ResultObject<P>>>,
    left_out: u64,
    /// What there is to say of the run besides.
    notes: Vec<String>,
    /// How often each key has occurred.
    occurrences: HashMap<Key, u32>,
    files: Files,
}

/// The words of a verb for its results.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vocabulary {
    /// What results are called, in the plural.
    pub(crate) results: &'static str,
    /// The name of their fingerprints, with its version.
    pub(crate) fingerprint: &'static str,
}

/// A result (3.27).
pub(crate) struct NewResult<'a, P> {
    /// The `id` of its rule.
    pub(crate) rule: &'static str,
    pub(crate) level: Level,
    /// If there are too many results, those of the lowest rank are left out.
    pub(crate) rank: u8,
    pub(crate) message: &'a str,
    pub(crate) source: Source<'a>,
    /// What the same result has in every run.
    pub(crate) key: Key,
    pub(crate) properties: P,
}

/// Where the text of a result is.
pub(crate) enum Source<'a> {
    /// It is an input that is in no file: what such inputs are called, and its number.
    Input(&'a str, u64),
    /// It is a part of a URL, which is at this place.
    Url { place: &'a Place, url: &'a [u8], part: Range<usize> },
}

/// How many results code scanning takes.
const MOST: usize = 25_000;

impl<P: Serialize> Sarif<P> {
    /// No results yet.
    pub(crate) fn new(vocabulary: Vocabulary, rules: Vec<Rule>) -> Self {
        let (results, occurrences) = (BTreeMap::new(), HashMap::new());
        let (notes, files) = (Vec::new(), Files::default());
        Self { vocabulary, rules, results, left_out: 0, notes, occurrences, files }
    }

    /// Adds what there is to say of the run.
    #[cfg_attr(not(feature = "links"), expect(dead_code, reason = "only `links` uses it"))]
    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Adds a result.
    pub(crate) fn add(&mut self, result: NewResult<'_, P>) {
        let NewResult { rule, level, rank, message, source, key, properties } = result;
        let count = self.occurrences.entry(key).or_default();
        *count += 1;
        // Which occurrence of the key this is.
        let fingerprint = format!("{}:{count}", key.digits());
        let object = ResultObject {
            rule_id: rule,
            rule_index: self.rules.iter().position(|one| one.id == rule).unwrap_or_default(),
            level: level.name(),
            message: plain(message).into(),
            locations: [self.location(source)],
            partial_fingerprints: FingerprintsObject { name: self.vocabulary.fingerprint, fingerprint },
            properties,
        };
        self.results.entry(rank).or_default().push(object);
        if self.results.values().map(Vec::len).sum::<usize>() > MOST {
            let least = self.results.values_mut().find(|results| !results.is_empty());
            self.left_out += u64::from(least.and_then(Vec::pop).is_some());
        }
    }

    fn location(&mut self, source: Source<'_>) -> LocationObject {
        match source {
            // An argument is in no file; code scanning wants one.
            Source::Input(name, number) => {
                LocationObject::new(ArtifactObject::named(name), RegionObject::of_line(number))
            }
            Source::Url { place, url, part } => {
                let region = self.files.region(place, url, part);
                let artifact = match place.file.as_deref() {
                    Some(file) => ArtifactObject::of(Address::of(file)),
                    None => ArtifactObject::named("stdin"),
                };
                LocationObject::new(artifact, RegionObject::new(&region))
            }
        }
    }

    /// Writes the log.
    pub(crate) fn write(self, out: &mut Output, is_silent: bool) -> io::Result<()> {
        let what = self.vocabulary.results;
        let more = self.notes.iter().map(|note| json!({"level": "note", "message": {"text": note}}));
        let left_out = (self.left_out > 0).then(|| {
            let note = format!("{} {what} are left out, those of the least severity", grouped(self.left_out));
            if !is_silent {
                say(&format!("code scanning takes {} {what}; {note}", grouped(MOST as u64)));
            }
            json!({"level": "warning", "message": {"text": note}})
        });
        let notes: Vec<_> = left_out.into_iter().chain(more).collect();
        let invocation = (!notes.is_empty())
            .then(|| json!([{"executionSuccessful": true, "toolExecutionNotifications": notes}]));
        let log = Log {
            schema: "https://json.schemastore.org/sarif-2.1.0.json",
            version: "2.1.0",
            runs: [Run {
                tool: json!({"driver": {
                    "name": "locator",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": self.rules.iter().map(Rule::object).collect::<Vec<_>>(),
                }}),
                invocations: invocation,
                column_kind: "utf16CodeUnits",
                results: self.results.values().rev().flatten().collect(),
            }],
        };
        json::line(out, &log)?;
        out.flush()
    }
}

/// A log (3.13).
#[derive(Serialize)]
#[serde(bound(serialize = "P: Serialize"))]
pub(super) struct Log<'a, P> {
    #[serde(rename = "$schema")]
    schema: &'a str,
    version: &'a str,
    runs: [Run<'a, P>; 1],
}

/// A run (3.14).
#[derive(Serialize)]
#[serde(rename_all = "camelCase", bound(serialize = "P: Serialize"))]
pub(super) struct Run<'a, P> {
    tool: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    invocations: Option<Value>,
    column_kind: &'a str,
    results: Vec<&'a ResultObject<P>>,
}

/// A result (3.27).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultObject<P> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: MessageObject,
    locations: [LocationObject; 1],
    partial_fingerprints: FingerprintsObject,
    properties: P,
}

#[derive(Serialize)]
struct MessageObject {
    text: String,
}

impl From<String> for MessageObject {
    fn from(text: String) -> Self {
        Self { text }
    }
}

/// Two fingerprints, which are the same: code scanning compares the first.
struct FingerprintsObject {
    name: &'static str,
    fingerprint: String,
}

impl Serialize for FingerprintsObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("primaryLocationLineHash", &self.fingerprint)?;
        map.serialize_entry(self.name, &self.fingerprint)?;
        map.end()
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
    pub(super) const fn new(artifact_location: ArtifactObject, region: RegionObject) -> Self {
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
    pub(super) fn of(Address { uri, is_relative }: Address) -> Self {
        Self { uri, uri_base_id: is_relative.then_some("%SRCROOT%") }
    }

    pub(super) fn named(name: &str) -> Self {
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
    fn of_line(start_line: u64) -> Self {
        Self { start_line, ..Self::default() }
    }

    pub(super) fn new(region: &Region) -> Self {
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

/// A rule (3.49): the kind of a result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// A name in lower case with hyphens.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) explanation: &'static str,
    pub(crate) advice: &'static str,
    /// A text that breaks the rule, if there is one.
    pub(crate) example: Option<&'static str>,
    /// The section of a standard that says so.
    pub(crate) citation: &'static str,
    pub(crate) level: Level,
    /// How many of its results are true: `high`.
    pub(crate) precision: &'static str,
    /// The score that code scanning sorts by; `None` if it is not a matter of security.
    pub(crate) security_severity: Option<&'static str>,
}

/// The level of a result (3.27.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Error,
    Warning,
    Note,
}

impl Level {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

impl Rule {
    pub(super) fn object(&self) -> Value {
        let mut rule = json!({
            "id": self.id,
            "name": pascal(self.id),
            "shortDescription": {"text": self.title},
            "fullDescription": {"text": self.explanation},
            "help": {"text": self.help(), "markdown": self.help_in_markdown()},
            "defaultConfiguration": {"level": self.level.name()},
            "properties": {"precision": self.precision, "tags": ["security", "url"]},
        });
        if let Some(address) = address(self.citation) {
            rule["helpUri"] = address.into();
        }
        match self.security_severity {
            Some(severity) => rule["properties"]["security-severity"] = severity.into(),
            None => rule["properties"]["tags"] = json!(["url"]),
        }
        rule
    }

    fn help(&self) -> String {
        let Self { explanation, advice, citation, .. } = self;
        let example = self.example.map(|example| format!("Example: {example}\n\n")).unwrap_or_default();
        format!("{explanation}\n\nWhat to do: {advice}.\n\n{example}See {citation}.")
    }

    fn help_in_markdown(&self) -> String {
        let example = self.example.map(|example| format!("```text\n{example}\n```\n\n"));
        format!(
            "{}\n\n**What to do**: {}.\n\n{}See {}.",
            markdown(self.explanation),
            markdown(self.advice),
            example.unwrap_or_default(),
            reference(self.citation)
        )
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
pub(super) fn plain(text: &str) -> String {
    if text.contains("](") {
        text.replace('\\', r"\\").replace('[', r"\[").replace(']', r"\]")
    } else {
        text.to_owned()
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
