//! What is dangerous in a URL that a verb shows: the findings of `audit` of medium severity or more,
//! in one line. `locator audit` shows them all.

use anstyle::Style;
use locator::{Edition, Redacted};
use locator_audit::{Auditor, Finding, Severity};
pub(crate) use locator_web::report::words::{fact, is_about_readers, is_of_past, message};

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

/// Returns the colour of a severity.
pub(crate) const fn style(severity: Severity) -> Style {
    Word::of(severity).style()
}
