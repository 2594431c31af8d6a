//! What is dangerous in a URL that a verb shows: the findings of `audit` of medium severity or more,
//! in one line. `locator audit` shows them all.

use std::ops::Range;

use anstyle::Style;
use locator::{Edition, Redacted};
use locator_audit::{Auditor, Finding, Severity};

use crate::terminal::{Word, secrets, visible};

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

/// Returns the sentence of a finding. That of the code replaces it if it quotes a hidden text.
pub(crate) fn message<'f>(finding: &'f Finding, shown: &Redacted<'_>) -> &'f str {
    let (span, hidden) = (finding.span(), shown.hidden());
    let after = hidden.partition_point(|hidden| hidden.end <= span.start);
    let quotes = |hidden: &Range<usize>| {
        // The sentence of this one names a character.
        let is_text = |text: &str| finding.message().contains(text);
        finding.code().name() == "invalid" || shown.as_str().get(hidden.clone()).is_none_or(is_text)
    };
    let mut inside = hidden.iter().skip(after).take_while(|hidden| hidden.start < span.end);
    if !finding.code().is_secret() && inside.any(quotes) { finding.code().title() } else { finding.message() }
}

/// Returns whether the finding is that readers differ.
pub(crate) fn is_about_readers(finding: &Finding) -> bool {
    ["readers-disagree", "unexpected-host"].contains(&finding.code().name()) || is_of_past(finding)
}

/// Returns whether the readers that differ are of the past.
pub(crate) fn is_of_past(finding: &Finding) -> bool {
    finding.code().name() == "historical-readers-disagree"
}

/// Returns the colour of a severity.
pub(crate) const fn style(severity: Severity) -> Style {
    Word::of(severity).style()
}
