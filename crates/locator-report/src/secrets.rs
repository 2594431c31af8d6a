//! URLs with their passwords hidden: takes a URL, valid or not, and returns it as it may be shown.

use core::ops::Range;

use locator::{Edition, HostKind, Redacted, UriRef};
use locator_audit::{Auditor, Severity};

use crate::editions::AllEditions;
use crate::key::Key;
use crate::reading::Parsed;

/// Returns a URL, valid or not, with whatever may be a password hidden, for what shows the rest as it
/// was given.
///
/// ```
/// let shown = locator_report::secrets::without_passwords("ftp://u:p@h/ a");
/// assert_eq!(shown.to_string(), "ftp://u:(hidden)@h/ a");
/// ```
#[must_use]
pub fn without_passwords(text: &str) -> Redacted<'_> {
    Redacted::new(text).hide(passwords(text))
}

/// Returns a valid reference with the password hidden that it has.
#[must_use]
pub fn without_password(reference: UriRef<'_>) -> Redacted<'_> {
    reference.redacted().hide(passwords(reference.as_str()))
}

/// Returns a URL with its password hidden, wherever an edition sees one.
#[must_use]
pub fn in_every_edition<'a>(text: &'a str, every: &AllEditions<'a>) -> Redacted<'a> {
    let is_suspect =
        |reading: &&Parsed<'_>| Key::Password.of(reading).is_some() || is_registered(reading.reference);
    match (every.valid().find(is_suspect), every.valid().last()) {
        (None, Some(reading)) => without_password(reading.reference),
        _ => without_passwords(text),
    }
}

/// Returns a URL, valid in an edition or not, with its passwords and these ranges hidden.
#[must_use]
pub fn without<'a>(
    text: &'a str,
    edition: &'static Edition,
    ranges: impl Iterator<Item = Range<usize>>,
) -> Redacted<'a> {
    let redacted = UriRef::parse_with(text, edition).map_or_else(|_| Redacted::new(text), UriRef::redacted);
    redacted.hide(ranges)
}

/// Returns the passwords that the audit finds, which has the readers that supply missing slashes.
fn passwords(text: &str) -> impl Iterator<Item = Range<usize>> + use<> {
    let found = Auditor::new().least(Severity::Info).only(&["password"]).audit(text);
    found.into_iter().map(|finding| finding.span())
}

/// Returns whether an authority is the name of another registry, in which nothing is said of passwords.
fn is_registered(reference: UriRef<'_>) -> bool {
    reference.authority().is_some_and(|authority| authority.host().kind() == HostKind::Registry)
}
