//! Parses inputs by an edition's grammar and its rule for the scheme, and repairs those that are not
//! valid.

use locator::edition::RFC3987;
use locator::{Component, Edition, Found, ParseError, UriRef, UriRefCow};
pub(crate) use locator_report::{AllEditions, Key, Parsed, errors, parse, read};

use crate::exit::Status;
use crate::failure::Failure;
use crate::given;

/// Returns an invalid input repaired as browsers do, if the result is valid.
pub(crate) fn repaired(octets: &[u8], edition: &'static Edition) -> Option<String> {
    let unwrapped = given::unwrapped(octets, edition);
    let text = unwrapped.as_deref().map_or_else(|| std::str::from_utf8(octets), Ok).ok()?;
    let repaired =
        UriRef::parse_repaired_with(text, edition).ok().filter(|repaired| repaired.as_str() != text);
    repaired
        .map(UriRefCow::into_string)
        .or_else(|| unwrapped.filter(|url| read(url.as_bytes(), edition).is_ok()))
}

/// Returns why an input is not repaired: the error is the first one that no repair mends, not one of the
/// characters that would be escaped.
#[cold]
pub(crate) fn not_repaired(octets: &[u8], error: ParseError) -> Failure {
    let edition = error.edition();
    let Ok(given) = std::str::from_utf8(octets) else { return error.into() };
    let unwrapped = given::unwrapped(octets, edition);
    // What has line breaks within is not a part of the input.
    let part = unwrapped.as_deref().and_then(|url| Some((given.find(url)?, url)));
    let (start, text) = part.unwrap_or((0, given));
    let Err(found) = UriRef::parse_repaired_with(text, edition) else { return error.into() };
    let found = found.moved_to(start + found.span().start..start + found.span().end);
    without_name(given, &found).unwrap_or_else(|| found.into())
}

/// Returns why a host beyond ASCII has no name in the DNS.
fn without_name(given: &str, error: &ParseError) -> Option<Failure> {
    let is_of_host = matches!(error.component(), Component::Host | Component::Authority);
    if !is_of_host || !matches!(error.found(), Found::Char(c) if !c.is_ascii()) {
        return None;
    }
    let before = given.get(..error.offset())?;
    let start = before.rfind(['/', '\\', '@']).map_or(0, |delimiter| delimiter + 1);
    let end = given[start..].find(['/', '\\', '?', '#', ':']).map_or(given.len(), |length| start + length);
    // Another scheme of the same length keeps the place.
    let scheme = start.checked_sub("://".len()).filter(|length| *length > 0);
    let scheme = scheme.map_or_else(String::new, |length| "x".repeat(length) + ":");
    let url = format!("{scheme}//{}", &given[start..end]);
    let is_in_place = url.len() == end;
    let refused = UriRef::parse_with(&url, &RFC3987).ok()?.to_uri_with_idna().err()?;
    is_in_place.then(|| Failure::without_name(refused))
}

/// Returns whether an input is valid in all of the editions.
pub(crate) fn judge(octets: &[u8], editions: &[&'static Edition]) -> Status {
    Status::of(editions.iter().all(|edition| read(octets, edition).is_ok()))
}
