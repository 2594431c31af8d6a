//! Functions whose result is another reference: the key and the repair.

use locator::edition::Edition;
use locator::{UriRef, UriRefBuf};

use crate::query::keyed;
use crate::tracking::is_tracking;

/// Returns the key that joins tables: the normal form of the scheme, without fragment and known tracking
/// parameters ([`is_tracking`]), and with the other parameters sorted by name.
///
/// Two URLs with the same key are usually the same page, which is a guess and not a rule of RFC 3986: a
/// server may give the order of parameters a meaning.
///
/// ```
/// let url = locator::UriRef::parse("HTTP://Example.com:80/?b=2&utm_source=x&a=1#top")?;
/// assert_eq!(locator_functions::key(url).as_str(), "http://example.com/?a=1&b=2");
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn key(reference: UriRef<'_>) -> UriRefBuf {
    keyed(reference, |name| !is_tracking(name))
}

/// Returns a text as a valid reference, repaired as browsers do: without surrounding white space, with
/// escapes for what the edition does not allow, and with the host as its DNS name. With a scheme, what has
/// none gets it. `None` if it stays invalid.
///
/// ```
/// use locator::edition::RFC3986;
/// use locator_functions::repair;
///
/// assert_eq!(repair(" http://h/a b ", "", &RFC3986).as_deref(), Some("http://h/a%20b"));
/// assert_eq!(repair("example.com/a", "https", &RFC3986).as_deref(), Some("https://example.com/a"));
/// assert_eq!(repair("http://h/100%", "", &RFC3986), None);
/// ```
#[must_use]
pub fn repair(text: &str, scheme: &str, edition: &'static Edition) -> Option<String> {
    let valid = |text: &str| UriRef::parse_with(text, edition).is_ok();
    let fixed = if valid(text) { text.to_owned() } else { locator_find::repaired_with(text, edition)? };
    let has_scheme = UriRef::parse_with(&fixed, edition).is_ok_and(UriRef::has_scheme);
    if scheme.is_empty() || has_scheme || fixed.is_empty() {
        return Some(fixed);
    }
    let separator = if fixed.starts_with("//") { ":" } else { "://" };
    Some(format!("{scheme}{separator}{fixed}")).filter(|text| valid(text))
}
