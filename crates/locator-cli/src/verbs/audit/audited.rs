//! A URL with its findings, and without its secrets: the bytes of passwords, credentials and tokens.

use std::ops::Range;

use locator::audit::{Auditor, Finding, Readings};
use locator::{Edition, Redacted};

use super::located::Located;
use crate::terminal::secrets;

/// A URL with the findings that are reported.
pub(super) struct Audited<'a> {
    pub(super) located: &'a Located<'a>,
    pub(super) edition: &'static Edition,
    pub(super) findings: &'a [Finding],
    /// The URL with its secrets hidden, whatever is shown.
    pub(super) hidden: &'a Redacted<'a>,
    /// The URL as it is shown.
    pub(super) shown: &'a Redacted<'a>,
}

impl Audited<'_> {
    pub(super) fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter()
    }

    /// Returns what each reader contacts. White space around the URL delimits it.
    pub(super) fn readings(&self) -> Readings {
        let text = self.located.text().trim_matches([' ', '\t', '\n', '\r']);
        Readings::new(text, self.edition, None)
    }

    /// Returns the sentence of a finding. That of the code replaces it if it quotes a hidden text.
    pub(super) fn message<'f>(&self, finding: &'f Finding) -> &'f str {
        let (span, hidden) = (finding.span(), self.shown.hidden());
        let after = hidden.partition_point(|hidden| hidden.end <= span.start);
        let quotes = |hidden: &Range<usize>| {
            // The sentence of this one names a character.
            let is_text = |text: &str| finding.message().contains(text);
            finding.code().name() == "invalid" || self.shown.as_str().get(hidden.clone()).is_none_or(is_text)
        };
        let mut inside = hidden.iter().skip(after).take_while(|hidden| hidden.start < span.end);
        if !finding.code().is_secret() && inside.any(quotes) {
            finding.code().title()
        } else {
            finding.message()
        }
    }
}

/// Returns a URL with its secrets hidden.
pub(super) fn redacted<'a>(text: &'a str, edition: &'static Edition, findings: &[Finding]) -> Redacted<'a> {
    let spans = findings.iter().filter(|finding| finding.code().is_secret()).map(Finding::span);
    secrets::without(text, edition, spans)
}

/// Returns the text of a URL with its secrets hidden.
pub(super) fn without_secrets(text: &str, edition: &'static Edition) -> String {
    redacted(text, edition, &Auditor::new().edition(edition).audit(text)).to_string()
}
