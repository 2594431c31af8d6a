//! Values of attributes. Decodes the character references of a value, maps each character to its source,
//! and finds the URLs in it, each as a stretch of it. Follows the HTML standard, 13.2.5.72 to 13.2.5.80,
//! and "parsing a srcset attribute" (4.8.4.3.10).

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use encoding_rs::{Encoding, WINDOWS_1252};
use entities::ENTITIES;
use memchr::{memchr, memchr2};

use crate::decode::charset::{Charset, first_character};
use crate::decode::{Decoded, Escape};
use crate::formats::html::tag::is_space;

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
    pub(super) fn truncated(&self) -> Option<usize> {
        match self {
            Self::Plain(..) => None,
            Self::Decoded(decoded) => decoded.truncated(),
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
pub(crate) fn candidates(text: &str) -> impl Iterator<Item = Range<usize>> {
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

/// Decodes octets that begin at `start` of a text: references, NUL, and characters beyond ASCII.
pub(super) fn decode(octets: &[u8], start: usize, encoding: &'static Encoding) -> Decoded {
    let mut decoded = Decoded::default();
    let mut at = 0;
    while let Some(first) = octets.get(at) {
        let rest = &octets[at..];
        let reference = match first {
            b'&' => read_reference(rest).unwrap_or(Escape::new(Character::One('&'), 1)),
            // "unexpected-null-character": "Append a U+FFFD REPLACEMENT CHARACTER"
            0 => Escape::new(Character::One('\u{FFFD}'), 1),
            octet if octet.is_ascii() => {
                let length =
                    rest.iter().position(|octet| matches!(octet, b'&' | 0 | 0x80..)).unwrap_or(rest.len());
                decoded.keep(&rest[..length], start + at);
                at += length;
                continue;
            }
            _ => {
                let Escape { means: text, length } = first_character(rest, encoding);
                // In UTF-8 it is copied unchanged.
                match text.as_bytes() == &rest[..length] {
                    true => decoded.keep(text.as_bytes(), start + at),
                    false => decoded.put(text.as_bytes(), start + at, length),
                }
                at += length;
                continue;
            }
        };
        let mut buffer = [0; 4];
        let text = match reference.means {
            Character::One(character) => &*character.encode_utf8(&mut buffer),
            Character::Named(text) => text,
        };
        decoded.put(text.as_bytes(), start + at, reference.length);
        at += reference.length;
    }
    decoded
}

/// The meaning of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Character {
    One(char),
    /// Some names denote two characters.
    Named(&'static str),
}

/// Decodes the reference at the initial "&".
fn read_reference(octets: &[u8]) -> Option<Escape<Character>> {
    match octets.get(1)? {
        b'#' => read_number(octets),
        octet if octet.is_ascii_alphanumeric() => read_name(octets),
        _ => None,
    }
}

/// "named character reference state"
fn read_name(octets: &[u8]) -> Option<Escape<Character>> {
    // No name is longer.
    let within = &octets[..octets.len().min(LONGEST + 1)];
    let end =
        1 + within[1..].iter().position(|octet| !octet.is_ascii_alphanumeric()).unwrap_or(within.len() - 1);
    let next = octets.get(end).copied();
    let end = if next == Some(b';') { end + 1 } else { end };
    // "If the character reference was consumed as part of an attribute, and the last character
    // matched is not a U+003B SEMICOLON character (;), and the next input character is either a
    // U+003D EQUALS SIGN character (=) or an ASCII alphanumeric, then, for historical reasons,
    // flush code points". So only a whole word is a name here.
    if next == Some(b'=') {
        return None;
    }
    let name = str::from_utf8(&octets[..end]).ok()?;
    names().get(name).map(|text| Escape::new(Character::Named(text), end))
}

const LONGEST: usize = "&CounterClockwiseContourIntegral;".len();

/// Returns all names with their "&", and with their ";" if it is required.
fn names() -> &'static HashMap<&'static str, &'static str> {
    static NAMES: OnceLock<HashMap<&str, &str>> = OnceLock::new();
    NAMES.get_or_init(|| ENTITIES.iter().map(|entity| (entity.entity, entity.characters)).collect())
}

/// "numeric character reference state"
fn read_number(octets: &[u8]) -> Option<Escape<Character>> {
    let (digits, radix) = match octets.get(2)? {
        b'x' | b'X' => (&octets[3..], 16),
        _ => (&octets[2..], 10),
    };
    let is_digit = |octet: &u8| char::from(*octet).is_digit(radix);
    let length = digits.iter().position(|octet| !is_digit(octet)).unwrap_or(digits.len());
    if length == 0 {
        return None;
    }
    let number = digits[..length].iter().fold(0u32, |number, octet| {
        number.saturating_mul(radix).saturating_add(char::from(*octet).to_digit(radix).unwrap_or(0))
    });
    let semicolon = usize::from(digits.get(length) == Some(&b';'));
    let length = octets.len() - digits.len() + length + semicolon;
    Some(Escape::new(Character::One(character_of(number)), length))
}

/// "numeric character reference end state"
fn character_of(number: u32) -> char {
    match number {
        // "if the number is one of the numbers in the first column of the following table": that of
        // windows-1252.
        0x80..=0x9F => {
            first_character(&[number as u8], WINDOWS_1252).means.chars().next().unwrap_or('\u{FFFD}')
        }
        // "null-character-reference", "character-reference-outside-unicode-range",
        // "surrogate-character-reference"
        0 => '\u{FFFD}',
        number => char::from_u32(number).unwrap_or('\u{FFFD}'),
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::UTF_8;

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

    fn decoded(octets: &[u8]) -> String {
        String::from_utf8(decode(octets, 0, UTF_8).text().to_vec()).expect("characters make it")
    }

    #[test]
    fn references_are_decoded_as_in_attributes() {
        for (text, expected) in [
            ("a&amp;b", "a&b"),
            ("a&ampb", "a&ampb"),
            ("a&amp=b", "a&amp=b"),
            ("a&amp-b", "a&-b"),
            ("?x=1&copy=2&reg;&copy", "?x=1&copy=2®©"),
            ("&notit;", "&notit;"),
            ("&lang;", "⟨"),
            ("&acE;", "∾̳"),
            ("&#x41;&#65&#X4a;", "AAJ"),
            (
                "&#x80;&#129;&#0;&#xD800;&#x110000;&#99999999999999;",
                "€\u{81}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
            ),
            ("&#;&#x;&;&", "&#;&#x;&;&"),
            (
                "&CounterClockwiseContourIntegral;&CounterClockwiseContourIntegrals;",
                "∳&CounterClockwiseContourIntegrals;",
            ),
            ("\0", "\u{FFFD}"),
        ] {
            assert_eq!(decoded(text.as_bytes()), expected, "{text}");
        }
        assert!(ENTITIES.iter().all(|entity| entity.entity.len() <= LONGEST));
    }

    #[test]
    fn a_character_is_made_of_its_reference() {
        let decode = decode("é&amp;x&#x20AC;".as_bytes(), 10, UTF_8);
        assert_eq!(decode.text(), "é&x€".as_bytes());
        assert_eq!(decode.source_of(2..3), 12..17);
        assert_eq!(decode.source_of(3..7), 17..26);
    }
}
