//! White space in and around references. Removes it as browsers do before they parse a reference.
//! Follows the URL standard, 4.4.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr3;

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

/// The division of a text that is read piece by piece: at white space, which no URL contains.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LongText {
    /// Whether the text begins in a word that is too long to hold.
    is_in_word: bool,
}

/// The length of a text that is divided. A shorter one is held until its end.
pub(crate) const DIVIDED: usize = 256 << 10;

impl LongText {
    /// Returns the part of a held text that can be searched; the text after it must be held, and
    /// the text before it is skipped. Returns `None` if more of the text is needed, unless
    /// `is_whole` is set.
    pub(crate) fn part(&mut self, octets: &[u8], text: Range<usize>, is_whole: bool) -> Option<Range<usize>> {
        let within = &octets[text.clone()];
        let mut start = text.start;
        if self.is_in_word {
            let space = within.iter().position(u8::is_ascii_whitespace);
            self.is_in_word = space.is_none() && !is_whole;
            start = space.map_or(text.end, |at| text.start + at);
        }
        if is_whole || self.is_in_word {
            return Some(start..text.end);
        }
        let space = match text.end - start >= DIVIDED {
            true => octets[start..text.end].iter().rposition(u8::is_ascii_whitespace),
            false => None,
        };
        let end = space.map_or(start, |at| start + at + 1);
        (end > text.start).then_some(start..end)
    }

    /// Skips the word at the start of the held text, which is too long to hold.
    pub(crate) fn skip_word(&mut self) {
        self.is_in_word = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_divided_at_white_space() {
        let mut text = LongText::default();
        let long = format!("{} b c", "a".repeat(DIVIDED));
        let part = text.part(long.as_bytes(), 0..long.len(), false);
        assert_eq!(part, Some(0..DIVIDED + 3));
        assert_eq!(text.part(b"a b", 0..3, false), None);
        assert_eq!(text.part(b"a b", 1..3, true), Some(1..3));
        assert_eq!(text.part(long.as_bytes(), 0..DIVIDED, false), None);
        text.skip_word();
        assert_eq!(text.part(b"aaa", 0..3, false), Some(3..3));
        assert_eq!(text.part(b"aa b c", 0..6, false), Some(2..2));
        assert_eq!(text.part(b" b c", 0..4, true), Some(0..4));
        text.skip_word();
        assert_eq!(text.part(b"aaa", 0..3, true), Some(3..3));
        assert_eq!(text.part(b"aaa", 0..3, true), Some(0..3));
    }

    #[test]
    fn edges_and_breaks_are_removed() {
        let text = "\u{1} a\tb\r\nc \u{A0}\n";
        assert_eq!(&text[without_edges(text, 0..text.len())], "a\tb\r\nc \u{A0}");
        assert_eq!(without_breaks("a\tb\r\nc"), "abc");
        assert_eq!(without_edges("  ", 0..2), 2..2);
    }
}
