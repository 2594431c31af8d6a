//! What is dangerous in a URL that a verb shows: the findings of `audit` of medium severity or more,
//! in one line. `locator audit` shows them all.

use std::io::{self, Write};
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use locator::{Edition, Redacted};
use locator_audit::{Auditor, Finding, Severity};

use crate::terminal::paint::{BAD, FAINT, WARN};
use crate::terminal::{Paint, secrets, visible};

/// Returns the auditor that finds what every verb reports. A verb makes it once, because that takes longer
/// than to audit an ordinary URL.
pub(crate) fn auditor(edition: &'static Edition) -> Auditor<'static> {
    Auditor::new().edition(edition).least(Severity::Medium)
}

/// Writes the most severe of these findings of a URL, and how many others there are; nothing
/// without findings.
pub(crate) fn note(
    out: &mut impl Write,
    paint: Paint,
    before: &str,
    text: &str,
    findings: &[Finding],
) -> io::Result<()> {
    // The first of those with the same severity.
    let Some(finding) = findings.iter().rev().max_by_key(|finding| finding.severity()) else {
        return Ok(());
    };
    let shown = secrets::redacted(text);
    let others = match findings.len() - 1 {
        0 => String::new(),
        others => format!("; {others} more"),
    };
    writeln!(
        out,
        "{before}{} {}: {}{others} {}",
        paint.with(style(finding.severity()), "note:"),
        finding.code().name(),
        visible(sentence(finding, &shown)),
        paint.with(FAINT, "('locator audit' explains)")
    )
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
    match severity {
        Severity::High => BAD,
        Severity::Medium => WARN,
        Severity::Low => AnsiColor::Cyan.on_default(),
        _ => FAINT,
    }
}
