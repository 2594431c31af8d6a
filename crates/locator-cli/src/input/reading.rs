//! Parses inputs by an edition's grammar and its rule for the scheme, and repairs those that are not
//! valid.

use locator::{Edition, UriRef, UriRefCow};
pub(crate) use locator_web::report::{AllEditions, Group, Key, Parsed, errors, parse, read};

use crate::exit::Status;
use crate::pasted;

/// Returns an invalid input repaired as browsers do, if the result is valid.
pub(crate) fn repaired(octets: &[u8], edition: &'static Edition) -> Option<String> {
    let unwrapped = pasted::unwrapped(octets, edition);
    let text = unwrapped.as_deref().map_or_else(|| std::str::from_utf8(octets), Ok).ok()?;
    let repaired =
        UriRef::parse_repaired_with(text, edition).ok().filter(|repaired| repaired.as_str() != text);
    repaired
        .map(UriRefCow::into_string)
        .or_else(|| unwrapped.filter(|url| read(url.as_bytes(), edition).is_ok()))
}

/// Returns whether an input is valid in all of the editions.
pub(crate) fn judge(octets: &[u8], editions: &[&'static Edition]) -> Status {
    Status::of(editions.iter().all(|edition| read(octets, edition).is_ok()))
}
