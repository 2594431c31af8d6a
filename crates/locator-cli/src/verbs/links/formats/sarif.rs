//! The results as a log of SARIF, for code scanning. The codes are its rules.

use locator_links::{Code, Outcome};
use serde::Serialize;

use super::super::checked::CheckedLink;
use super::super::history::key;
use crate::input::located::Place;
use crate::report::sarif::{Level, NewResult, Rule, Sarif, Source, Vocabulary};
use crate::terminal::Word;

/// What is known of a link besides its place.
#[derive(Serialize)]
pub(super) struct PropertiesObject {
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    /// The steps by which a site was searched.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    route: Vec<String>,
}

/// No results yet.
pub(super) fn new() -> Sarif<PropertiesObject> {
    let vocabulary = Vocabulary { results: "links", fingerprint: "locatorLink/v1" };
    Sarif::new(vocabulary, Code::ALL.iter().map(|code| rule(*code)).collect())
}

/// Adds a link.
pub(super) fn add(sarif: &mut Sarif<PropertiesObject>, judged: &CheckedLink<'_>) {
    let CheckedLink { page, link, verdict, .. } = *judged;
    let url = page.url(link);
    let place = Place {
        file: Some(page.name.as_bytes().to_vec()),
        line: link.line.into(),
        column: Some(link.column.into()),
    };
    // What is in no file has no region.
    let source = match page.file {
        Some(_) => Source::Url { place: &place, url: url.as_bytes(), part: 0..url.len() },
        None => Source::Input(page.name.trim_matches(['<', '>']), place.line),
    };
    let (level, rank) = match judged.word() {
        Word::Error => (Level::Error, 2),
        Word::Warning => (Level::Warning, 1),
        _ => (Level::Note, 0),
    };
    let route = judged.route();
    let how = if route.is_empty() { String::new() } else { format!(" ({})", route.join("; ")) };
    sarif.add(NewResult {
        rule: verdict.code.name(),
        level,
        rank,
        message: &format!("{}: {}{how}", judged.url(), judged.advice()),
        source,
        key: key(&page.name, url, verdict.outcome()).of(verdict.code.name()),
        properties: PropertiesObject { outcome: verdict.outcome().name(), status: verdict.status, route },
    });
}

fn rule(code: Code) -> Rule {
    let level = match code.outcome() {
        Outcome::Broken => Level::Error,
        Outcome::Refused | Outcome::Unknown => Level::Warning,
        _ => Level::Note,
    };
    Rule {
        id: code.name(),
        title: code.meaning(),
        explanation: code.meaning(),
        advice: "mend or remove the link; --exclude and --baseline leave links out",
        example: None,
        citation: "'locator links --list'",
        level,
        precision: if code.outcome() == Outcome::Broken { "high" } else { "medium" },
        security_severity: None,
    }
}
