//! The sentences of findings: takes a finding and the URL as it is shown, and returns what may be said
//! of it.

use core::ops::Range;

use alloc::borrow::Cow;
use alloc::string::ToString;

use locator::{Edition, Redacted, UriRef};
use locator_audit::Finding;

/// Returns what a finding is about: its sentence, or the error of what is not valid.
#[must_use]
pub fn fact<'f>(finding: &'f Finding, edition: &'static Edition, shown: &Redacted<'_>) -> Cow<'f, str> {
    let error = UriRef::parse_with(shown.as_str(), edition).err();
    match error.filter(|error| finding.code().name() == "invalid" && error.span() == finding.span()) {
        Some(error) => Cow::Owned(shown.error(error).message().to_string()),
        None => Cow::Borrowed(message(finding, shown)),
    }
}

/// Returns the sentence of a finding. That of the code replaces it if it quotes a hidden text.
#[must_use]
pub fn message<'f>(finding: &'f Finding, shown: &Redacted<'_>) -> &'f str {
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
#[must_use]
pub fn is_about_readers(finding: &Finding) -> bool {
    ["readers-disagree", "unexpected-host"].contains(&finding.code().name()) || is_of_past(finding)
}

/// Returns whether the readers that differ are of the past.
#[must_use]
pub fn is_of_past(finding: &Finding) -> bool {
    finding.code().name() == "historical-readers-disagree"
}
