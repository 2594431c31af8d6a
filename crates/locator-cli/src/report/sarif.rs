//! SARIF 2.1.0 as code scanning takes it: a log of rules, and of results with their places.
//!
//! Sections are those of the OASIS standard. Code scanning refuses more than 25,000 results, so
//! those of the lowest rank are left out first.

mod object;
mod rule;

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::ops::Range;

use serde::Serialize;
use serde_json::json;

use self::object::{
    ArtifactObject, FingerprintsObject, LocationObject, Log, RegionObject, ResultObject, Run,
};
pub(crate) use self::rule::{Level, Rule};
use crate::exit::say;
use crate::input::located::Place;
use crate::input::region::Files;
use crate::output::Output;
use crate::output::progress::grouped;
use crate::report::address::Address;
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
            message: rule::plain(message).into(),
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
