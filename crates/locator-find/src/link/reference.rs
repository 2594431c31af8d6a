//! References as they are written, before they are parsed. Removes white space, as browsers do, and
//! percent-encodes the characters that an edition rejects, with the query in the encoding of its
//! document. Follows the URL standard, 4.4.
//!
//! Finds the URL in a refresh, too: `<meta http-equiv=refresh>` and the header `Refresh`. Follows the
//! HTML standard, 4.2.5.3 "shared declarative refresh steps".

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};
use locator::repair::escape_with;
use locator::{AsciiSet, BaseCandidate, BaseStack, Component, Edition, PctString};
use memchr::{memchr, memchr3};

/// Returns the span without "any leading and trailing C0 control or space", which the URL standard
/// removes before parsing.
pub(crate) fn without_edges(text: &str, span: Range<usize>) -> Range<usize> {
    let is_edge = |character: char| character <= ' ';
    let within = &text[span.clone()];
    let start = span.start + within.len() - within.trim_start_matches(is_edge).len();
    start..start + within.trim_matches(is_edge).len()
}

/// "Remove all ASCII tab or newline from input."
pub(crate) fn without_breaks(text: &str) -> Cow<'_, str> {
    match memchr3(b'\t', b'\n', b'\r', text.as_bytes()) {
        Some(_) => Cow::Owned(text.replace(['\t', '\n', '\r'], "")),
        None => Cow::Borrowed(text),
    }
}

/// Escapes the characters that the edition rejects; returns `None` if the reference is valid as
/// written or stays invalid.
///
/// A query is encoded in the encoding of its document, as in browsers.
pub(crate) fn escaped(
    reference: &str,
    edition: &'static Edition,
    encoding: &'static Encoding,
) -> Option<String> {
    let encoding = encoding.output_encoding();
    escape_with(reference, edition, |query| {
        let (octets, _, has_others) = encoding.encode(query);
        // "If potentialError is non-null, then append "%26%23", followed by the shortest sequence
        // of ASCII digits [...] and "%3B""
        let letters_and_digits = AsciiSet::ALPHA.union(AsciiSet::DIGIT);
        PctString::encode(octets, if has_others { letters_and_digits } else { edition.set(Component::Query) })
    })
}

/// The maximum length of a base, since each resolved link contains it. "It is RECOMMENDED that all
/// senders and recipients support, at a minimum, URIs with lengths of 8000 octets" (RFC 9110, 4.1).
pub(crate) const LONGEST_BASE: usize = 8 << 10;

/// Adds a base that a document declares, repaired as links are; returns whether it is short enough.
pub(crate) fn embed_base(bases: &mut BaseStack, given: &str) -> bool {
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

/// Returns the URL of a refresh.
pub(crate) fn refresh_url(text: &str) -> Option<Range<usize>> {
    let octets = text.as_bytes();
    let skip = |from: usize, is: &dyn Fn(u8) -> bool| {
        octets[from..].iter().position(|octet| !is(*octet)).map_or(octets.len(), |length| from + length)
    };
    let skip_space = |from: usize| skip(from.min(octets.len()), &|octet: u8| octet.is_ascii_whitespace());
    let time = skip_space(0);
    // "Collect a sequence of code points that are ASCII digits": none are needed before a full
    // stop.
    let digits = skip(time, &|octet| octet.is_ascii_digit());
    if digits == time && octets.get(time) != Some(&b'.') {
        return None;
    }
    let at = skip(digits, &|octet| octet.is_ascii_digit() || octet == b'.');
    // "If the code point in input pointed to by position is not U+003B (;), U+002C (,), or ASCII
    // whitespace, then return."
    octets.get(at).filter(|octet| matches!(octet, b';' | b',') || octet.is_ascii_whitespace())?;
    let at = skip_space(at);
    let at = skip_space(at + usize::from(matches!(octets.get(at), Some(b';' | b','))));
    // "If the code point in input pointed to by position is U+0055 (U) or U+0075 (u)" and so on:
    // all of "url=" or none.
    let start = after_url_equals(octets, at, skip_space).unwrap_or(at);
    let span = match octets.get(start)? {
        quote @ (b'"' | b'\'') => {
            start + 1..memchr(*quote, &octets[start + 1..]).map_or(octets.len(), |length| start + 1 + length)
        }
        _ => start..octets.len(),
    };
    Some(span)
}

/// Returns the time of a refresh in whole seconds: "Parse timeString using the rules for parsing non-negative
/// integers". Without digits it is 0.
pub(crate) fn refresh_seconds(octets: &[u8]) -> u32 {
    let digits = octets.trim_ascii_start().iter().take_while(|octet| octet.is_ascii_digit());
    digits.fold(0, |sum: u32, digit| sum.saturating_mul(10).saturating_add((digit - b'0').into()))
}

fn after_url_equals(octets: &[u8], at: usize, skip_space: impl Fn(usize) -> usize) -> Option<usize> {
    let equals = skip_space(at + 3);
    let is_url = octets.get(at..at + 3)?.eq_ignore_ascii_case(b"url");
    (is_url && octets.get(equals) == Some(&b'=')).then(|| skip_space(equals + 1))
}

#[cfg(test)]
mod tests {
    use encoding_rs::{SHIFT_JIS, UTF_16LE, WINDOWS_1252};
    use locator::edition::RFC3986;

    use super::*;

    #[test]
    fn edges_and_breaks_are_removed() {
        let text = "\u{1} a\tb\r\nc \u{A0}\n";
        assert_eq!(&text[without_edges(text, 0..text.len())], "a\tb\r\nc \u{A0}");
        assert_eq!(without_breaks("a\tb\r\nc"), "abc");
        assert_eq!(without_edges("  ", 0..2), 2..2);
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

    #[test]
    fn the_time_of_a_refresh() {
        for (text, expected) in
            [("5; url=a", 5), (" 10.9,a", 10), (".5;a", 0), ("x", 0), ("", 0), ("99999999999;a", u32::MAX)]
        {
            assert_eq!(refresh_seconds(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn a_refresh_is_read_as_the_standard_does() {
        for (text, expected) in [
            ("0; url=a", Some("a")),
            ("5;URL='a b' c", Some("a b")),
            (".5 , Url = \"a", Some("a")),
            ("5 a", Some("a")),
            ("5;a", Some("a")),
            ("5;ur=a", Some("ur=a")),
            ("5;'a'b", Some("a")),
            ("5; url a", Some("url a")),
            ("1.2.3;url=", None),
            ("5", None),
            ("5;", None),
            ("5a", None),
            ("x;url=a", None),
        ] {
            assert_eq!(refresh_url(text).map(|span| &text[span]), expected, "{text}");
        }
    }
}
