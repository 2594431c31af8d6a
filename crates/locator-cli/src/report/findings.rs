//! What is dangerous in a URL that a verb shows: the findings of `audit` of medium severity or more,
//! in one line. `locator audit` shows them all.
//!
//! [`warnings`] are about references that are valid but probably not intended: some findings of `audit`, and
//! inputs that are more than a URL.

use std::sync::LazyLock;

use anstyle::Style;
use locator::{Component, Edition, Redacted, Span, UriRef};
use locator_audit::{Auditor, Finding, Severity};

use crate::pasted;
use crate::terminal::{Word, secrets, visible};
pub(crate) use locator_web::report::words::{fact, is_about_readers, is_of_past, message};

/// Returns the auditor that finds what every verb reports. A verb makes it once, because that takes longer
/// than to audit an ordinary URL.
pub(crate) fn auditor(edition: &'static Edition) -> Auditor<'static> {
    Auditor::new().edition(edition).least(Severity::Medium)
}

/// Returns the most severe of these findings of a URL, how many others there are, and what explains
/// them.
pub(crate) fn remark(text: &str, findings: &[Finding]) -> Option<String> {
    Some(format!("{} ('locator audit' explains)", in_short(text, findings)?))
}

/// Returns the most severe of these findings of a URL, and how many others there are, in a sentence.
pub(crate) fn in_short(text: &str, findings: &[Finding]) -> Option<String> {
    // The first of those with the same severity.
    let finding = findings.iter().rev().max_by_key(|finding| finding.severity())?;
    let shown = secrets::redacted(text);
    let others = match findings.len() - 1 {
        0 => String::new(),
        others => format!("; {others} more"),
    };
    let (code, sentence) = (finding.code().name(), visible(sentence(finding, &shown)));
    Some(format!("{code}: {sentence}{others}"))
}

/// Returns the sentence of a finding where readings are not shown with it: that about readers is
/// long.
fn sentence<'f>(finding: &'f Finding, shown: &Redacted<'_>) -> &'f str {
    if is_about_readers(finding) { finding.code().title() } else { message(finding, shown) }
}

/// Returns the colour of a severity.
pub(crate) const fn style(severity: Severity) -> Style {
    Word::of(severity).style()
}

/// A warning for a valid reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Warning {
    /// Its name in JSON.
    pub(crate) kind: &'static str,
    /// The component that it is about.
    pub(crate) part: Component,
    /// The octets.
    pub(crate) span: Span,
    /// The sentence.
    pub(crate) message: String,
    /// Document and section.
    pub(crate) see: Option<String>,
}

/// Returns the warnings for a reference; `is_located` if a location before the URL has been
/// removed.
pub(crate) fn warnings(reference: UriRef<'_>, is_located: bool) -> Vec<Warning> {
    let octets = reference.as_str().as_bytes();
    if !is_located && pasted::has_place(octets) {
        return vec![place(reference)];
    }
    if pasted::has_prefix(octets) && reference.component(Component::Prefix).is_none() {
        return vec![prefix(reference)];
    }
    let findings = AUDITOR.edition(reference.edition()).audit(reference.as_str());
    // The advice for a bidirectional character is to percent-encode it.
    let is_escaped = |finding: &&Finding| octets.get(finding.span().start) == Some(&b'%');
    findings.iter().filter(|finding| !is_escaped(finding)).map(of_finding).collect()
}

/// Looks for the findings of `audit` that are warnings, too.
static AUDITOR: LazyLock<Auditor> = LazyLock::new(|| Auditor::new().least(Severity::Info).only(&CODES));

/// The codes of findings that are warnings, too.
const CODES: [&str; 6] =
    [NEAR_SCHEME, PASSWORD, "port-too-large", "scheme-form", "missing-host", "bidi-character"];

/// Returns the kind of a warning, which is older than the code of the finding.
fn kind(code: &'static str) -> &'static str {
    match code {
        "port-too-large" => "port",
        "scheme-form" => "form",
        "missing-host" => "no-host",
        "bidi-character" => "direction",
        code => code,
    }
}

/// Returns a finding of `audit` that is a warning, too.
fn of_finding(finding: &Finding) -> Warning {
    let (code, span) = (finding.code(), finding.span());
    // A reference is no longer than 4 GiB.
    let [start, end] = [span.start, span.end].map(|at| at as u32);
    Warning {
        kind: kind(code.name()),
        part: finding.component(),
        span: Span { start, end },
        message: finding.message().to_owned(),
        see: Some(finding.citation().to_owned()),
    }
}

/// The kind of a warning for a scheme with a name similar to a registered one.
pub(crate) const NEAR_SCHEME: &str = "near-scheme";

/// The kind of a warning for a password.
pub(crate) const PASSWORD: &str = "password";

/// The kind of a warning for a location before a URL, as 'locator find' prints it.
pub(crate) const PLACE: &str = "place";

/// The file name of a location is read as a scheme.
fn place(reference: UriRef<'_>) -> Warning {
    let message = "the location printed by 'locator find' is read as the scheme; use --places".to_owned();
    Warning {
        kind: PLACE,
        part: Component::Scheme,
        span: span(reference, Component::Scheme),
        message,
        see: None,
    }
}

fn prefix(reference: UriRef<'_>) -> Warning {
    let message = "\"URL:\" is a marker for URLs in text, not a scheme; remove it".to_owned();
    let see = Some("RFC 3986, appendix C".to_owned());
    Warning {
        kind: "prefix",
        part: Component::Scheme,
        span: span(reference, Component::Scheme),
        message,
        see,
    }
}

fn span(reference: UriRef<'_>, part: Component) -> Span {
    reference.span(part).map(Span::from).unwrap_or_default()
}
