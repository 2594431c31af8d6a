//! URLs with their secrets hidden: takes a URL, valid or not, and returns it as it may be shown.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use locator::{Edition, HostKind, Redacted, UriRef, internal};
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

/// Returns a sentence that may quote URLs, with their secrets hidden.
///
/// ```
/// let shown = locator_web::report::secrets::sentence("no answer from ftp://u:p@h/");
/// assert_eq!(shown, "no answer from ftp://u:(hidden)@h/");
/// ```
#[must_use]
pub fn sentence(text: &str) -> String {
    in_words(text, |word| locator_audit::secrets(word).into_iter().map(|finding| finding.span()).collect())
}

/// Returns a text with the passwords of URLs in it hidden, and what is found in each of its words.
///
/// ```
/// let shown = locator_web::report::secrets::in_words("pin 1234", |word| {
///     Vec::from_iter((word == "1234").then_some(0..4))
/// });
/// assert_eq!(shown, "pin (hidden)");
/// ```
#[must_use]
pub fn in_words(text: &str, find: impl Fn(&str) -> Vec<Range<usize>>) -> String {
    let words = text.split([' ', '\t', '\n', '"', '\'', '<', '>', '`']);
    let in_words = words.flat_map(|word| {
        let start = word.as_ptr().addr() - text.as_ptr().addr();
        find(word).into_iter().map(move |range| range.start + start..range.end + start)
    });
    let hidden = internal::secrets::passwords(text).into_iter().chain(in_words);
    // The end of the sentence is not part of the URL.
    let ends = |rest: &str| rest.chars().all(|one| matches!(one, ')' | ',' | ';' | ':' | '.'));
    let is_placeholder =
        |text: &str| PLACEHOLDERS.contains(&text) || text.strip_prefix(Redacted::HIDDEN).is_some_and(ends);
    let hidden = hidden.filter(|range| !text.get(range.clone()).is_some_and(is_placeholder));
    Redacted::exact(text).hide(hidden).to_string()
}

/// What looks like a password: in the syntax of a scheme, `ftp://[user[:password]@]host`, and what is
/// hidden already.
const PLACEHOLDERS: [&str; 2] = ["password]", Redacted::HIDDEN];

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
