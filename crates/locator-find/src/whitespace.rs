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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_and_breaks_are_removed() {
        let text = "\u{1} a\tb\r\nc \u{A0}\n";
        assert_eq!(&text[without_edges(text, 0..text.len())], "a\tb\r\nc \u{A0}");
        assert_eq!(without_breaks("a\tb\r\nc"), "abc");
        assert_eq!(without_edges("  ", 0..2), 2..2);
    }
}
