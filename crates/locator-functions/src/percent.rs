//! Percent-encoding of texts, as they are put into a component and taken out of it (RFC 3986, 2.1).

use std::borrow::Cow;
use std::fmt::Write;

/// Returns a text with escapes for everything but unreserved characters: what can be put in any component
/// as data (RFC 3986, 2.3). Other characters are escaped as UTF-8.
///
/// ```
/// assert_eq!(locator_functions::percent_encode("a b/é"), "a%20b%2F%C3%A9");
/// ```
#[must_use]
pub fn percent_encode(text: &str) -> Cow<'_, str> {
    if text.bytes().all(is_unreserved) {
        return Cow::Borrowed(text);
    }
    let mut encoded = String::with_capacity(text.len() + 16);
    for octet in text.bytes() {
        match is_unreserved(octet) {
            true => encoded.push(octet.into()),
            false => {
                // Writing to a text cannot fail.
                let _ = write!(encoded, "%{octet:02X}");
            }
        }
    }
    Cow::Owned(encoded)
}

/// "unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"" (RFC 3986, 2.3)
const fn is_unreserved(octet: u8) -> bool {
    matches!(octet, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~')
}

/// Returns a text without escapes; `None` if what they are of is not UTF-8. A "%" without two digits
/// stays. In forms "+" is a space.
///
/// ```
/// use locator_functions::percent_decode;
///
/// assert_eq!(percent_decode("a%20b+c", false).as_deref(), Some("a b+c"));
/// assert_eq!(percent_decode("a%20b+c", true).as_deref(), Some("a b c"));
/// assert_eq!(percent_decode("100%", false).as_deref(), Some("100%"));
/// assert_eq!(percent_decode("%FF", false), None);
/// ```
#[must_use]
pub fn percent_decode(text: &str, is_form: bool) -> Option<Cow<'_, str>> {
    let is_coded = |octet| octet == b'%' || is_form && octet == b'+';
    if !text.bytes().any(is_coded) {
        return Some(Cow::Borrowed(text));
    }
    let (octets, mut decoded, mut at) = (text.as_bytes(), Vec::with_capacity(text.len()), 0);
    while let Some(&octet) = octets.get(at) {
        let escaped = if octet == b'%' { escaped(octets, at) } else { None };
        decoded.push(match escaped {
            Some(escaped) => escaped,
            None if is_form && octet == b'+' => b' ',
            None => octet,
        });
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8(decoded).ok().map(Cow::Owned)
}

/// Returns the octet of the escape at this place, if there is one.
fn escaped(octets: &[u8], at: usize) -> Option<u8> {
    let digit = |octet: u8| char::from(octet).to_digit(16);
    let value = 16 * digit(*octets.get(at + 1)?)? + digit(*octets.get(at + 2)?)?;
    u8::try_from(value).ok()
}
