//! Decodes escapes to printable characters.
//!
//! An escape is kept if it is a control character, reorders or hides text, or is not valid in the
//! charset of the edition. So that the text of the result tells such an escape from a value that has the
//! same characters, `%07` from `%2507`, the "%" of the latter keeps its escape, too.

use locator::{Charset, SpaceEncoding};

use super::visible::shows_itself;

/// A piece of a decoded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undone<'a> {
    /// Text without escapes.
    Text(&'a str),
    /// A decoded character.
    Char(char),
    /// An escape that is kept.
    Kept(&'a str),
    /// The escape of a "%" after which the value goes on like an escape that is kept.
    Percent(&'a str),
}

/// How escapes are decoded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoding {
    /// Whether "+" is a space.
    pub(crate) space: SpaceEncoding,
    /// The charset of escaped bytes.
    pub(crate) charset: Charset,
}

/// Decodes escapes from left to right.
#[derive(Clone, Debug)]
pub(crate) struct Undo<'a> {
    rest: &'a str,
    by: Decoding,
    /// How many of the next "%" of the value belong to an escape whose character shows itself.
    harmless: usize,
}

impl<'a> Undo<'a> {
    /// Those of a text.
    pub(crate) const fn of(text: &'a str, by: Decoding) -> Self {
        Self { rest: text, by, harmless: 0 }
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// Returns whether the "%" whose escape the rest begins with looks like the beginning of an escape
    /// that is kept, or of such a "%": after it the value has "25" any number of times, and two digits.
    fn looks_kept(&mut self) -> bool {
        if self.harmless > 0 {
            self.harmless -= 1;
            return false;
        }
        let mut value = octets(&self.rest[3..]);
        let mut is_nested = false;
        let octet = loop {
            match next_octet(&mut value) {
                Some(b'%') => is_nested = true,
                Some(octet) => break octet,
                None => return false,
            }
        };
        if octet.is_ascii() {
            return !shows_itself(char::from(octet));
        }
        if is_nested {
            return true;
        }
        let (mut escaped, mut count) = ([octet, 0, 0, 0], 1);
        while count < escaped.len() && value.next() == Some(b'%') {
            let Some(octet) = next_octet(&mut value) else { break };
            escaped[count] = octet;
            count += 1;
        }
        match self.by.charset.first(&escaped[..count]) {
            Some((c, length)) if shows_itself(c) => {
                self.harmless = length - 1;
                false
            }
            _ => true,
        }
    }
}

impl<'a> Iterator for Undo<'a> {
    type Item = Undone<'a>;

    fn next(&mut self) -> Option<Undone<'a>> {
        let is_special = |c| c == '%' || c == '+' && self.by.space == SpaceEncoding::Plus;
        match self.rest.find(is_special).unwrap_or(self.rest.len()) {
            0 => {}
            length => return Some(Undone::Text(self.take(length))),
        }
        if self.rest.starts_with('+') {
            self.take(1);
            return Some(Undone::Char(' '));
        }
        if self.rest.is_empty() {
            return None;
        }
        Some(match character(self.rest.as_bytes(), self.by.charset) {
            Some(('%', length)) if self.looks_kept() => Undone::Percent(self.take(length)),
            Some((c, length)) if shows_itself(c) => {
                self.take(length);
                Undone::Char(c)
            }
            Some((_, length)) => Undone::Kept(self.take(length)),
            // Not a character: keep this escape; the next may begin a character.
            None => Undone::Kept(self.take(3.min(self.rest.len()))),
        })
    }
}

/// Returns the octets of the value that a text has.
fn octets(text: &str) -> impl Iterator<Item = u8> {
    let mut rest = text.as_bytes();
    std::iter::from_fn(move || {
        let (octet, length) = match rest {
            [b'%', high, low, ..] => (octet(*high, *low)?, 3),
            [octet, ..] => (*octet, 1),
            [] => return None,
        };
        rest = &rest[length..];
        Some(octet)
    })
}

/// Returns the octet that the next two digits of a value mean.
fn next_octet(value: &mut impl Iterator<Item = u8>) -> Option<u8> {
    let high = value.next().filter(u8::is_ascii_hexdigit)?;
    octet(high, value.next()?)
}

fn octet(high: u8, low: u8) -> Option<u8> {
    let digit = |digit| char::from(digit).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

/// Returns the character at the start of the text, and the length of its escapes.
fn character(text: &[u8], charset: Charset) -> Option<(char, usize)> {
    let mut octets = [0; 4];
    let mut count = 0;
    for escape in text.chunks_exact(3).take(4) {
        let Some(digits) = escape.strip_prefix(b"%") else { break };
        octets[count] = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        count += 1;
    }
    charset.first(&octets[..count]).map(|(c, length)| (c, 3 * length))
}

/// Returns the decoded text, as in `{part}`.
pub(crate) fn undone(text: &str, by: Decoding) -> String {
    let mut undone = String::new();
    for piece in Undo::of(text, by) {
        match piece {
            Undone::Text(text) | Undone::Kept(text) | Undone::Percent(text) => undone.push_str(text),
            Undone::Char(c) => undone.push(c),
        }
    }
    undone
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn by(space: SpaceEncoding, charset: Charset) -> Decoding {
        Decoding { space, charset }
    }

    #[test]
    fn what_shows_itself_is_undone() {
        let cases = [
            ("", ""),
            ("a%20b", "a b"),
            ("%C3%A9%c3%a9", "éé"),
            ("%E2%82%AC%F0%9F%98%80.", "€😀."),
            ("%E9%C3%A9", "%E9é"),
            ("%C3%41", "%C3A"),
            ("%C3", "%C3"),
            ("%C3%A", "%C3%A"),
            ("%00%0a%1B[%7F%C2%9B", "%00%0a%1B[%7F%C2%9B"),
            ("%E2%80%AEx", "%E2%80%AEx"),
            ("%2541+", "%41+"),
        ];
        for (text, stated) in cases {
            assert_eq!(undone(text, by(SpaceEncoding::Percent20, Charset::Utf8)), stated, "{text}");
        }
        // A value that looks like an escape which is kept is another text than that.
        let cases = [
            ("%07", "%07"),
            ("%2507", "%2507"),
            ("%252507", "%252507"),
            ("%25%30%37", "%2507"),
            ("%250", "%0"),
            ("%25zz%25", "%zz%"),
            ("%25%2507", "%%2507"),
            // The URL in a URL stays one.
            ("http%3A%2F%2Fh%2F%2520%252520", "http://h/%20%2520"),
            ("%25C3%25A9.", "%C3%A9."),
            ("%C3%25A9", "%C3%25A9"),
            ("%25C3%A9", "%25C3%A9"),
            ("%C3%25C3%25A9%25A9", "%C3%C3%A9%25A9"),
            ("%25E2%2580%25AE", "%25E2%2580%25AE"),
            ("%2525C3%2525A9", "%2525C3%2525A9"),
        ];
        for (text, stated) in cases {
            assert_eq!(undone(text, by(SpaceEncoding::Percent20, Charset::Utf8)), stated, "{text}");
        }
        assert_eq!(undone("a+%2B", by(SpaceEncoding::Plus, Charset::Utf8)), "a +");
        assert_eq!(undone("%E9%c3%A9%85%A0.", by(SpaceEncoding::Percent20, Charset::Latin1)), "éÃ©%85%A0.");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

        #[test]
        fn different_values_have_different_texts(
            first in "(%25|%07|%C3|%A9|%E2|%80|%AE|25|07|C3|A9|2|5|%32|E2|80|AE){0,7}",
            second in "(%25|%07|%C3|%A9|%E2|%80|%AE|25|07|C3|A9|2|5|%32|E2|80|AE){0,7}",
        ) {
            let by = by(SpaceEncoding::Percent20, Charset::Utf8);
            let value = |text: &str| octets(text).collect::<Vec<_>>();
            let shown = undone(&first, by);
            // What a reader who decodes the text again would compare.
            prop_assert_eq!(shown == undone(&second, by), value(&first) == value(&second));
        }
    }
}
