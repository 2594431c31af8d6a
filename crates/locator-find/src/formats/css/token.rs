//! Tokens of a style sheet. Finds the end of a name, a string or a URL, and decodes it. Follows CSS
//! Syntax Module Level 3, chapter 4 "Tokenization".

use std::borrow::Cow;

/// Octets, and whether they are the last ones.
pub(super) struct Piece<'a> {
    pub(super) octets: &'a [u8],
    pub(super) is_last: bool,
}

impl Piece<'_> {
    /// "consume an ident sequence"; `None` if more octets are needed.
    pub(super) fn end_of_name(&self, from: usize) -> Option<usize> {
        let mut at = from;
        while let Some(octet) = self.octets.get(at) {
            match octet {
                octet if is_in_name(*octet) => at += 1,
                b'\\' if is_escape(&self.octets[at..]) => at += escape(&self.octets[at..]).1,
                _ if *octet != b'\\' || self.is_last || at + 1 < self.octets.len() => return Some(at),
                _ => return None,
            }
        }
        self.is_last.then_some(at)
    }

    pub(super) fn skip_space(&self, from: usize) -> Option<usize> {
        let space = self.octets[from..].iter().position(|octet| !is_space(*octet));
        space.map(|length| from + length).or(self.is_last.then_some(self.octets.len()))
    }
}

/// Returns the end of an unquoted URL, and whether it is valid; "the remnants of a bad url" end at
/// the same parenthesis.
pub(super) fn end_of_url(octets: &[u8], start: usize) -> (usize, bool) {
    let (mut at, mut is_good, mut is_over) = (start, true, false);
    while let Some(octet) = octets.get(at) {
        at += match octet {
            b')' => return (at, is_good),
            octet if is_space(*octet) => {
                is_over = true;
                1
            }
            b'\\' if is_escape(&octets[at..]) => {
                is_good &= !is_over;
                escape(&octets[at..]).1
            }
            // "This is a parse error. Consume the remnants of a bad url"
            b'"' | b'\'' | b'(' | b'\\' | 0..=8 | 0x0B | 0x0E..=0x1F | 0x7F => {
                is_good = false;
                1
            }
            _ => {
                is_good &= !is_over;
                1
            }
        };
    }
    (octets.len(), is_good)
}

/// Returns the end of a string, without its quote, and whether it is valid: a line end is not
/// allowed in it.
pub(super) fn end_of_string(octets: &[u8], quote: usize) -> (usize, bool) {
    let mut at = quote + 1;
    while let Some(octet) = octets.get(at) {
        match octet {
            octet if *octet == octets[quote] => return (at, true),
            octet if is_line_end(*octet) => return (at, false),
            b'\\' if octets.get(at + 1) == Some(&b'\r') && octets.get(at + 2) == Some(&b'\n') => at += 3,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    (octets.len(), true)
}

/// Returns a name in the form that is compared.
pub(super) fn name_of(written: &[u8]) -> Cow<'_, str> {
    // No known name is longer, even with escapes.
    match written.len() <= 120 {
        true => Cow::Owned(text_of(written).to_ascii_lowercase()),
        false => Cow::Borrowed(""),
    }
}

/// Decodes the escapes of octets.
pub(super) fn text_of(written: &[u8]) -> Cow<'_, str> {
    if !written.contains(&b'\\') {
        return text_without_escapes(written);
    }
    let mut text = String::new();
    let mut rest = written;
    while let Some(length) = memchr::memchr(b'\\', rest) {
        text.push_str(&text_without_escapes(&rest[..length]));
        rest = &rest[length..];
        let (character, length) = match rest {
            // "If the next input code point is EOF, do nothing. Otherwise, if the next input code
            // point is a newline, consume it."
            [_] | [_, b'\n' | 0x0C, ..] => (None, rest.len().min(2)),
            [_, b'\r', b'\n', ..] => (None, 3),
            [_, b'\r', ..] => (None, 2),
            _ => escape(rest),
        };
        text.extend(character);
        rest = &rest[length..];
    }
    text.push_str(&text_without_escapes(rest));
    Cow::Owned(text)
}

/// "The fallback encoding" is UTF-8; other octets are most likely windows-1252.
fn text_without_escapes(octets: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(octets) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(octets).0,
    }
}

/// "consume an escaped code point"; returns it with the number of octets. Octets beyond ASCII
/// follow unchanged.
fn escape(octets: &[u8]) -> (Option<char>, usize) {
    let digits = octets[1..].iter().take(6).take_while(|octet| octet.is_ascii_hexdigit()).count();
    match octets[1] {
        octet if !octet.is_ascii() => (None, 1),
        octet if digits == 0 => (Some(char::from(octet)), 2),
        _ => {
            let number = octets[1..=digits]
                .iter()
                .fold(0, |number, octet| number * 16 + char::from(*octet).to_digit(16).unwrap_or(0));
            let rest = &octets[1 + digits..];
            let space = match rest {
                [b'\r', b'\n', ..] => 2,
                [octet, ..] if is_space(*octet) => 1,
                _ => 0,
            };
            // "If this number is zero, or is for a surrogate, or is greater than the maximum
            // allowed code point, return U+FFFD"
            let character =
                char::from_u32(number).filter(|character| *character != '\0').unwrap_or('\u{FFFD}');
            (Some(character), 1 + digits + space)
        }
    }
}

/// "check if two code points are a valid escape"
pub(super) fn is_escape(octets: &[u8]) -> bool {
    matches!(octets, [b'\\', next, ..] if !is_line_end(*next))
}

/// "ident code point"
pub(super) const fn is_in_name(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_' | 0x80..)
}

pub(super) const fn is_space(octet: u8) -> bool {
    matches!(octet, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

pub(super) const fn is_line_end(octet: u8) -> bool {
    matches!(octet, b'\n' | 0x0C | b'\r')
}
