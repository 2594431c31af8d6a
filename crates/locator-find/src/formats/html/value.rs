//! Values of attributes. Finds the URLs in a value, each as a stretch of it. Follows the HTML
//! standard: "parsing a srcset attribute" (4.8.4.3.10).

use std::ops::Range;

use memchr::{memchr, memchr2};

use super::references::decode;
use super::tag::is_space;
use crate::decode::charset::Charset;
use crate::decode::decoded::Decoded;

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
}
