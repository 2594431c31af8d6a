//! URLs with their secrets hidden: takes a URL, valid or not, and returns it as it may be shown.

use core::ops::Range;

use locator::{Edition, HostKind, Redacted, UriRef};
use locator_audit::{Auditor, Severity};

use crate::report::editions::{AllEditions, Key, Parsed};

/// Returns a URL, valid or not, with whatever may be a secret hidden, for what shows the rest as it was
/// given.
///
/// ```
/// let shown = locator_web::report::secrets::without_secrets("ftp://u:p@h/ a?pwd=b");
/// assert_eq!(shown.to_string(), "ftp://u:(hidden)@h/ a?pwd=(hidden)");
/// ```
#[must_use]
pub fn without_secrets(text: &str) -> Redacted<'_> {
    Redacted::new(text).hide(secrets(text))
}

/// Returns a valid reference with its secrets hidden.
#[must_use]
pub fn of_reference(reference: UriRef<'_>) -> Redacted<'_> {
    reference.redacted().hide(secrets(reference.as_str()))
}

/// Returns a URL with its secrets hidden, and its password wherever an edition sees one.
#[must_use]
pub fn in_every_edition<'a>(text: &'a str, every: &AllEditions<'a>) -> Redacted<'a> {
    let is_suspect =
        |reading: &&Parsed<'_>| Key::Password.of(reading).is_some() || is_registered(reading.reference);
    match (every.valid().find(is_suspect), every.valid().last()) {
        (None, Some(reading)) => of_reference(reading.reference),
        _ => without_secrets(text),
    }
}

/// Returns a URL, valid in an edition or not, with its secrets and these ranges hidden.
#[must_use]
pub fn without<'a>(
    text: &'a str,
    edition: &'static Edition,
    ranges: impl Iterator<Item = Range<usize>>,
) -> Redacted<'a> {
    let redacted = UriRef::parse_with(text, edition).map_or_else(|_| Redacted::new(text), UriRef::redacted);
    redacted.hide(ranges)
}

/// Returns the secrets that the audit finds, which has the readers that supply missing slashes, and knows the
/// forms of credentials.
fn secrets(text: &str) -> impl Iterator<Item = Range<usize>> + use<> {
    let found = Auditor::new().least(Severity::Info).only(&["password", "credential", "webhook"]).audit(text);
    found.into_iter().map(|finding| finding.span())
}

/// Returns whether an authority is the name of another registry, in which nothing is said of passwords.
fn is_registered(reference: UriRef<'_>) -> bool {
    reference.authority().is_some_and(|authority| authority.host().kind() == HostKind::Registry)
}
