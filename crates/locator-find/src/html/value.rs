//! Values of attributes. Finds the URLs in a value, each as a stretch of it. Follows the HTML
//! standard: "parsing a srcset attribute" (4.8.4.3.10), "shared declarative refresh steps"
//! (4.2.5.3).

use std::ops::Range;

use memchr::{memchr, memchr2};

use super::references::decode;
use super::tag::is_space;
use crate::charset::Charset;
use crate::decoded::Decoded;

/// A decoded value.
pub(super) enum Value<'a> {
    /// A value without escapes, and its offset.
    Plain(&'a str, usize),
    Decoded(Decoded),
}

impl<'a> Value<'a> {
    /// Decodes a stretch of octets.
    pub(super) fn of(octets: &'a [u8], span: Range<usize>, charset: Charset) -> Self {
        let written = &octets[span.clone()];
        match str::from_utf8(written) {
            Ok(text) if memchr2(b'&', 0, written).is_none() && (charset.is_utf_8() || text.is_ascii()) => {
                Self::Plain(text, span.start)
            }
            _ => Self::Decoded(decode(written, span.start, charset.of(written))),
        }
    }

    /// Returns the decoded text.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Plain(text, _) => text,
            // INVARIANT: it was assembled from characters.
            Self::Decoded(decoded) => str::from_utf8(decoded.text()).unwrap_or_default(),
        }
    }

    /// Returns where the value was cut, if it is too long to hold.
    pub(super) fn cut(&self) -> Option<usize> {
        match self {
            Self::Plain(..) => None,
            Self::Decoded(decoded) => decoded.cut(),
        }
    }

    /// Returns the source range of a stretch of the text.
    pub(super) fn source_of(&self, span: Range<usize>) -> Range<usize> {
        match self {
            Self::Plain(_, start) => start + span.start..start + span.end,
            Self::Decoded(decoded) => decoded.source_of(span),
        }
    }
}

/// Returns the stretches between separators that are not empty.
pub(super) fn split(text: &str, is_separator: impl Fn(u8) -> bool) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &text.as_bytes()[at..];
        let start = at + rest.iter().position(|octet| !is_separator(*octet))?;
        let rest = &text.as_bytes()[start..];
        at = start + rest.iter().position(|octet| is_separator(*octet)).unwrap_or(rest.len());
        Some(start..at)
    })
}

/// Returns the URLs of a `srcset`.
///
/// A candidate with invalid descriptors is a link, too: its author meant it to be fetched.
pub(super) fn candidates(text: &str) -> impl Iterator<Item = Range<usize>> {
    let octets = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        // "Collect a sequence of code points that are ASCII whitespace or U+002C COMMA characters"
        let start = at + octets[at..].iter().position(|octet| !is_space(*octet) && *octet != b',')?;
        // "Collect a sequence of code points that are not ASCII whitespace"
        let rest = &octets[start..];
        let end = start + rest.iter().position(|octet| is_space(*octet)).unwrap_or(rest.len());
        // "If url ends with U+002C (,), then: Remove all trailing U+002C COMMA characters from
        // url."
        let url_end = start + text[start..end].trim_end_matches(',').len();
        at = if url_end < end { end } else { after_descriptors(octets, end) };
        Some(start..url_end)
    })
}

/// "descriptor tokenizer": up to a comma outside of parentheses.
fn after_descriptors(octets: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(octet) = octets.get(at) {
        match octet {
            b',' => return at + 1,
            b'(' => match memchr(b')', &octets[at..]) {
                Some(length) => at += length + 1,
                None => return octets.len(),
            },
            _ => at += 1,
        }
    }
    at
}

/// Returns the URL of a refresh.
pub(super) fn refresh(text: &str) -> Option<Range<usize>> {
    let octets = text.as_bytes();
    let skip = |from: usize, is: &dyn Fn(u8) -> bool| {
        octets[from..].iter().position(|octet| !is(*octet)).map_or(octets.len(), |length| from + length)
    };
    let skip_space = |from: usize| skip(from.min(octets.len()), &is_space);
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
    octets.get(at).filter(|octet| matches!(octet, b';' | b',') || is_space(**octet))?;
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

fn after_url_equals(octets: &[u8], at: usize, skip_space: impl Fn(usize) -> usize) -> Option<usize> {
    let equals = skip_space(at + 3);
    let is_url = octets.get(at..at + 3)?.eq_ignore_ascii_case(b"url");
    (is_url && octets.get(equals) == Some(&b'=')).then(|| skip_space(equals + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_srcset_is_divided_as_the_standard_does() {
        let divided = |text: &'static str| candidates(text).map(|span| &text[span]).collect::<Vec<_>>();
        for (text, expected) in [
            ("a.png", &["a.png"][..]),
            ("a.png 1x, b.png 2x", &["a.png", "b.png"]),
            ("a.png, b.png", &["a.png", "b.png"]),
            ("a.png,b.png 2x", &["a.png,b.png"]),
            (" ,, data:,a 1x,\tb.png 100w , c", &["data:,a", "b.png", "c"]),
            ("a.png (1x, 2x), b.png", &["a.png", "b.png"]),
            ("a.png (1x, b.png", &["a.png"]),
            ("a.png,, b", &["a.png", "b"]),
            ("", &[]),
            (" , ", &[]),
        ] {
            assert_eq!(divided(text), expected, "{text}");
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
            assert_eq!(refresh(text).map(|span| &text[span]), expected, "{text}");
        }
    }
}
