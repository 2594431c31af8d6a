//! Invalid references as people write them. Percent-encodes the characters that an edition rejects,
//! if the result is valid. Follows the URL standard, 4.4 ("UTF-8 percent-encode" and
//! "percent-encode after encoding"), XLink 1.1, 5.4.1, and RFC 3987, 3.1.
//!
//! The edition defines these characters for each component. "%" is never escaped, because existing
//! escapes must not be escaped again. Nor is "\" in a path, which browsers convert to "/".

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};
use locator::edition::{self, RFC3987};
use locator::{AsciiSet, BaseCandidate, BaseStack, Charset, Component, Edition, PctString, UriRef};

use crate::whitespace::{without_breaks, without_edges};

/// Escapes the characters that the edition rejects; returns `None` if the reference is valid as
/// written or stays invalid.
///
/// A query is encoded in the encoding of its document, as in browsers.
pub(crate) fn escaped(
    reference: &str,
    edition: &'static Edition,
    encoding: &'static Encoding,
) -> Option<String> {
    if UriRef::parse_with(reference, edition).is_ok() {
        return None;
    }
    let cut = Cut::new(reference);
    if reference[cut.path.clone()].contains('\\') && !cut.is_opaque {
        return None;
    }
    // "If encoding is not UTF-8 and url is not special [...] then set encoding to UTF-8."
    let of_query = if cut.is_opaque { UTF_8 } else { encoding.output_encoding() };
    let mut text = reference[..cut.userinfo.start].to_owned();
    escape(&reference[cut.userinfo.clone()], (edition, Component::Userinfo), UTF_8, &mut text)?;
    text.push_str(&reference[cut.userinfo.end..cut.path.start]);
    for (part, span, encoding) in [
        (Component::Path, cut.path, UTF_8),
        (Component::Query, cut.query, of_query),
        (Component::Fragment, cut.fragment, UTF_8),
    ] {
        // The delimiter of a component is not part of it.
        let lead = usize::from(part != Component::Path && !span.is_empty());
        text.push_str(&reference[span.start..span.start + lead]);
        escape(&reference[span.start + lead..span.end], (edition, part), encoding, &mut text)?;
    }
    match UriRef::parse_with(&text, edition) {
        Ok(_) => Some(text),
        Err(_) => with_host(&text, edition),
    }
}

/// Repairs a reference that RFC 3986 rejects, as browsers do; returns `None` if it is valid as
/// written or stays invalid.
///
/// Invalid characters are escaped as UTF-8 and a host beyond ASCII is converted to its DNS name.
/// Surrounding white space is removed, and so are line ends and tabs (URL standard, 4.4).
///
/// ```
/// assert_eq!(locator_find::repaired(" http://h/a b|c\n").as_deref(), Some("http://h/a%20b%7Cc"));
/// assert_eq!(locator_find::repaired("http://h/a%20b"), None);
/// assert_eq!(locator_find::repaired("http://h/100%"), None);
/// ```
pub fn repaired(reference: &str) -> Option<String> {
    repaired_with(reference, edition::DEFAULT)
}

/// Repairs a reference that an edition rejects, as [`repaired`] does for RFC 3986.
pub fn repaired_with(reference: &str, edition: &'static Edition) -> Option<String> {
    let text = without_breaks(&reference[without_edges(reference, 0..reference.len())]);
    let is_other = text.len() < reference.len();
    let valid = || UriRef::parse_with(&text, edition).is_ok().then(|| text.clone().into_owned());
    escaped(&text, edition, UTF_8).or_else(|| valid().filter(|_| is_other))
}

/// The maximum length of a base, since each resolved link contains it. "It is RECOMMENDED that all
/// senders and recipients support, at a minimum, URIs with lengths of 8000 octets" (RFC 9110, 4.1).
pub(crate) const LONGEST_BASE: usize = 8 << 10;

/// Adds a base that a document declares, repaired as links are; returns whether it is short enough.
pub(crate) fn embed(bases: &mut BaseStack, given: &str) -> bool {
    if given.len() > LONGEST_BASE {
        return false;
    }
    let around = bases.len();
    let escaped = escaped(given, bases.edition(), UTF_8);
    bases.embedded(escaped.as_deref().unwrap_or(given));
    keep_if_short(bases, around)
}

/// Removes the last base if the resulting base is too long.
pub(crate) fn keep_if_short(bases: &mut BaseStack, around: usize) -> bool {
    let is_short =
        bases.chosen().and_then(BaseCandidate::uri).is_none_or(|uri| uri.as_str().len() <= LONGEST_BASE);
    if !is_short && bases.len() > around {
        bases.truncate(around);
    }
    is_short
}

/// Returns the reference with its host converted to the DNS name.
fn with_host(text: &str, edition: &'static Edition) -> Option<String> {
    let iri = UriRef::parse_with(text, &RFC3987).ok()?;
    let uri = iri.to_uri_with_idna().ok()?;
    UriRef::parse_with(uri.as_str(), edition).is_ok().then(|| uri.as_str().to_owned())
}

/// A reference, divided as in appendix B, whatever its components contain.
struct Cut {
    /// The user and the password, before the last "@" of the authority: "Set atSignSeen to true"
    /// and "append "%40"" for an "@" before it (URL standard, authority state).
    userinfo: Range<usize>,
    path: Range<usize>,
    /// The query with its "?".
    query: Range<usize>,
    /// The fragment with its "#".
    fragment: Range<usize>,
    /// Whether it has a scheme without a slash after it.
    is_opaque: bool,
}

impl Cut {
    fn new(reference: &str) -> Self {
        let fragment = reference.find('#').unwrap_or(reference.len());
        let query = reference[..fragment].find('?').unwrap_or(fragment);
        // scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
        let in_name = |character: char| character.is_ascii_alphanumeric() || "+-.".contains(character);
        let scheme = reference[..query].find(':').filter(|colon| {
            let name = &reference[..*colon];
            name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(in_name)
        });
        let hier = scheme.map_or(0, |colon| colon + 1);
        let (userinfo, path) = match reference[hier..query].strip_prefix("//") {
            Some(rest) => {
                let authority = &rest[..rest.find(['/', '\\']).unwrap_or(rest.len())];
                (hier + 2..hier + 2 + authority.rfind('@').unwrap_or(0), hier + 2 + authority.len())
            }
            None => (hier..hier, hier),
        };
        let is_opaque = scheme.is_some() && !reference[hier..].starts_with(['/', '\\']);
        let (path, query, fragment) = (path..query, query..fragment, fragment..reference.len());
        Self { userinfo, path, query, fragment, is_opaque }
    }
}

/// Appends a component with escapes for the characters that are not allowed; "%" is never escaped.
/// Returns `None` if a character is not in the charset of the edition.
fn escape(
    component: &str,
    (edition, part): (&'static Edition, Component),
    encoding: &'static Encoding,
    text: &mut String,
) -> Option<()> {
    let is_kept = |character: char| character == '%' || edition.allows(part, character);
    let mut rest = component;
    while let Some(kept) = rest.find(|character| !is_kept(character)) {
        let length = rest[kept..].find(is_kept).unwrap_or(rest.len() - kept);
        let (octets, has_others) = encoded(&rest[kept..kept + length], edition.charset(), encoding)?;
        // "If potentialError is non-null, then append "%26%23", followed by the shortest sequence
        // of ASCII digits [...] and "%3B""
        let keep = if has_others { AsciiSet::ALPHA.union(AsciiSet::DIGIT) } else { edition.set(part) };
        text.push_str(&rest[..kept]);
        text.push_str(PctString::encode(&octets, keep).as_str());
        rest = &rest[kept + length..];
    }
    text.push_str(rest);
    Some(())
}

/// Returns the octets of a text and whether unmappable characters became character references. An
/// edition with its own charset ignores the encoding of the document.
fn encoded<'t>(
    text: &'t str,
    charset: Charset,
    encoding: &'static Encoding,
) -> Option<(Cow<'t, [u8]>, bool)> {
    if charset == Charset::Utf8 {
        let (octets, _, has_others) = encoding.encode(text);
        return Some((octets, has_others));
    }
    charset.encode(text).ok().map(|octets| (octets, false))
}

#[cfg(test)]
mod tests {
    use encoding_rs::{SHIFT_JIS, UTF_16LE, WINDOWS_1252};
    use locator::edition::{RFC1738, RFC3986, URL_1993};

    use super::*;

    #[test]
    fn what_is_refused_is_escaped_and_no_more() {
        for (written, expected) in [
            ("x y", Some("x%20y")),
            ("é", Some("%C3%A9")),
            ("a%20b c", Some("a%20b%20c")),
            ("a[1]{2}<3>\"^`|", Some("a%5B1%5D%7B2%7D%3C3%3E%22%5E%60%7C")),
            ("?a b\\c[]|#d e#f", Some("?a%20b%5Cc%5B%5D%7C#d%20e%23f")),
            ("//h/a b?c d#e f", Some("//h/a%20b?c%20d#e%20f")),
            ("http://é.example/é", Some("http://xn--9ca.example/%C3%A9")),
            ("javascript:a(\"\\n\")", Some("javascript:a(%22%5Cn%22)")),
            // Valid as written, or invalid with every escape.
            ("x%20y", None),
            ("100%", None),
            ("100% x", None),
            ("a\\b c", None),
            ("http:\\\\h\\a b", None),
            ("http://u w@h/", Some("http://u%20w@h/")),
            ("http://u:p|w@h/a b", Some("http://u:p%7Cw@h/a%20b")),
            ("//ü@é.example/", Some("//%C3%BC@xn--9ca.example/")),
            ("http://u@v:p@h/", Some("http://u%40v:p@h/")),
            ("http://u w@h?a@b", Some("http://u%20w@h?a@b")),
            ("mailto:a b@h", Some("mailto:a%20b@h")),
            ("http://u w@a b/", None),
            ("http://u%zw@h/", None),
            ("http://[bad", None),
            ("http://a b/c d", None),
            ("a b:c", None),
        ] {
            assert_eq!(escaped(written, &RFC3986, UTF_8).as_deref(), expected, "{written}");
        }
    }

    #[test]
    fn an_edition_says_what_it_refuses() {
        assert_eq!(escaped("é x", &RFC3987, UTF_8).as_deref(), Some("é%20x"));
        assert_eq!(escaped("http://h/~a b", &RFC1738, UTF_8).as_deref(), Some("http://h/%7Ea%20b"));
        assert_eq!(escaped("http://h/é?é#é", &URL_1993, UTF_8).as_deref(), Some("http://h/%E9?%E9#%E9"));
        assert_eq!(escaped("http://h/€", &URL_1993, UTF_8), None);
    }

    #[test]
    fn a_query_is_in_the_encoding_of_its_document() {
        for (encoding, expected) in [
            (WINDOWS_1252, "%C3%A9?%E9&%26%2328450%3B#%C3%A9"),
            (SHIFT_JIS, "%C3%A9?%26%23233%3B&%8A%BF#%C3%A9"),
            (UTF_16LE, "%C3%A9?%C3%A9&%E6%BC%A2#%C3%A9"),
        ] {
            let escaped = escaped("é?é&漢#é", &RFC3986, encoding);
            assert_eq!(escaped.as_deref(), Some(expected));
        }
        let mail = escaped("mailto:a@b?subject=é", &RFC3986, WINDOWS_1252);
        assert_eq!(mail.as_deref(), Some("mailto:a@b?subject=%C3%A9"));
    }
}
