//! Decodes escapes to printable characters.
//!
//! An escape is kept if it is a control character, reorders or hides text, or is not valid in the
//! charset of the edition.

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
}

impl<'a> Undo<'a> {
    /// Those of a text.
    pub(crate) const fn of(text: &'a str, by: Decoding) -> Self {
        Self { rest: text, by }
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
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
            Undone::Text(text) | Undone::Kept(text) => undone.push_str(text),
            Undone::Char(c) => undone.push(c),
        }
    }
    undone
}

#[cfg(test)]
mod tests {
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
        assert_eq!(undone("a+%2B", by(SpaceEncoding::Plus, Charset::Utf8)), "a +");
        assert_eq!(undone("%E9%c3%A9%85%A0.", by(SpaceEncoding::Percent20, Charset::Latin1)), "éÃ©%85%A0.");
    }
}
