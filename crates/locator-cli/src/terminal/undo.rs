//! A text in escaped form in; the characters that it stands for out, as far as they show themselves.
//!
//! An escape stays as it stands if it is a control character, turns or hides text, or is nothing in the charset of the
//! edition.

use locator::{Charset, Space};

use super::visible::shows_itself;

/// A piece of a text whose escapes are undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undone<'a> {
    /// There was no escape.
    Text(&'a str),
    /// An escape was this.
    Char(char),
    /// An escape stays.
    Kept(&'a str),
}

/// What escapes stand for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoding {
    /// Whether "+" is a space.
    pub(crate) space: Space,
    /// What their octets are characters of.
    pub(crate) charset: Charset,
}

/// Undoes escapes from left to right.
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
        let is_special = |c| c == '%' || c == '+' && self.by.space == Space::Plus;
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
            // No character: the octet stays alone, the next may begin a character.
            None => Undone::Kept(self.take(3.min(self.rest.len()))),
        })
    }
}

/// The character whose escapes stand first, and how many octets they are.
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

/// The text, as `{part}` has it.
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

    fn by(space: Space, charset: Charset) -> Decoding {
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
            assert_eq!(undone(text, by(Space::Escaped, Charset::Utf8)), stated, "{text}");
        }
        assert_eq!(undone("a+%2B", by(Space::Plus, Charset::Utf8)), "a +");
        assert_eq!(undone("%E9%c3%A9%85%A0.", by(Space::Escaped, Charset::Latin1)), "éÃ©%85%A0.");
    }
}
