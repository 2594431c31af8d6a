//! Substrings of a reference that keep their position, so that errors in a scheme's data point at
//! the right byte. Split first and decode afterwards (RFC 3986, section 2.4).

use alloc::borrow::Cow;
use core::iter::FusedIterator;
use core::ops::Range;

use crate::as_text::{compares_by_text, text_traits};
use crate::edition::CharsetError;
use crate::pct::{PctStr, escaped_octet};
#[cfg(feature = "schemes")]
use crate::span::Span;

/// A percent-encoded substring of a reference, with its position in the reference.
///
/// Equality, order and hash are those of the text; the position does not count.
///
/// ```
/// use locator::{Component, uri};
///
/// let path = uri!("mailto:a%2Bb@h.example,c@h.example")
///     .spanned(Component::Path)
///     .unwrap();
/// let (first, second) = path.split_once(",").unwrap();
/// assert_eq!((first.as_str(), first.span()), ("a%2Bb@h.example", 7..22));
/// assert_eq!(
///     (first.decode_utf8()?.as_ref(), second.span()),
///     ("a+b@h.example", 23..34)
/// );
/// # Ok::<_, locator::CharsetError>(())
/// ```
#[derive(Clone, Copy)]
pub struct SpannedStr<'a> {
    text: &'a str,
    start: usize,
}

impl<'a> SpannedStr<'a> {
    /// Creates a substring that begins at offset `start` of its reference.
    pub(crate) const fn at(text: &'a str, start: usize) -> Self {
        Self { text, start }
    }

    /// Returns the text, percent-encoded as in the reference.
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// Returns whether the text is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// Returns the position in the reference, in bytes.
    #[must_use]
    pub const fn span(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// Returns the same position as errors have it.
    #[cfg(feature = "schemes")]
    pub(crate) const fn place(self) -> Span {
        Span::new(self.start, self.start + self.text.len())
    }

    /// Returns the text as a percent-encoded string.
    #[must_use]
    pub const fn as_pct_str(self) -> PctStr<'a> {
        PctStr::checked(self.text)
    }

    /// Returns the decoded bytes, borrowed if there is no "%".
    #[must_use]
    pub fn decode(self) -> Cow<'a, [u8]> {
        self.as_pct_str().decode()
    }

    /// Returns the decoded text, borrowed if there is no "%".
    ///
    /// # Errors
    ///
    /// Returns the position of decoded bytes that are not UTF-8.
    pub fn decode_utf8(self) -> Result<Cow<'a, str>, CharsetError> {
        self.as_pct_str().decode_utf8()
    }

    /// Returns the decoded text, with U+FFFD in place of invalid UTF-8.
    ///
    /// ```
    /// use locator::{Component, uri};
    ///
    /// let path =
    ///     uri!("mailto:caf%C3%A9@example.com").spanned(Component::Path).unwrap();
    /// assert_eq!(
    ///     (path.decode_utf8_lossy().as_ref(), path.span()),
    ///     ("café@example.com", 7..28)
    /// );
    /// ```
    #[must_use]
    pub fn decode_utf8_lossy(self) -> Cow<'a, str> {
        self.as_pct_str().decode_utf8_lossy()
    }

    /// Returns the decoded bytes, each with the position of the byte or escape that encodes it.
    pub fn placed(self) -> PlacedBytes<'a> {
        PlacedBytes { rest: self.text.as_bytes(), start: self.start }
    }

    /// Returns the same with the positions as errors have them.
    #[cfg(feature = "schemes")]
    pub(crate) fn octets(self) -> impl Iterator<Item = (u8, Span)> + Clone + 'a {
        self.placed().map(|(octet, place)| (octet, Span::new(place.start, place.end)))
    }

    /// Splits the text at the first match of the literal, ignoring ASCII case; `None` without one.
    ///
    /// The pieces keep their positions in the reference:
    ///
    /// ```
    /// use locator::{Component, uri};
    ///
    /// let path = uri!("ftp://h/a;type=i").spanned(Component::Path).unwrap();
    /// let (name, code) = path.split_once(";TYPE=").unwrap();
    /// assert_eq!((name.as_str(), code.as_str()), ("/a", "i"));
    /// assert_eq!(code.span(), 15..16);
    /// ```
    #[must_use]
    pub fn split_once(self, literal: &str) -> Option<(Self, Self)> {
        self.split_at(self.find(literal)?, literal.len())
    }

    /// Splits the text at the last match of the literal, ignoring ASCII case; `None` without one.
    #[must_use]
    pub fn rsplit_once(self, literal: &str) -> Option<(Self, Self)> {
        self.split_at(self.matches(literal).last()?, literal.len())
    }

    /// Returns the substrings between the matches of the literal; there is at least one.
    pub fn split<'l>(self, literal: &'l str) -> SpannedSplit<'a, 'l> {
        SpannedSplit { rest: Some(self), literal }
    }

    /// Returns the text after the literal, or `None` if the text does not begin with it.
    #[must_use]
    pub fn strip_prefix(self, literal: &str) -> Option<Self> {
        let (first, rest) = self.split_at(literal.len(), 0)?;
        first.text.eq_ignore_ascii_case(literal).then_some(rest)
    }

    /// Splits the text at byte `index` and leaves out `gap` bytes from there; `None` if that is not
    /// at the boundary of a character.
    ///
    /// ```
    /// use locator::{Component, uri};
    ///
    /// // Up to byte 1, and after the 2 bytes from there.
    /// let path = uri!("x:a--b").spanned(Component::Path).unwrap();
    /// let (first, rest) = path.split_at(1, 2).unwrap();
    /// assert_eq!((first.as_str(), rest.as_str()), ("a", "b"));
    /// ```
    #[must_use]
    pub fn split_at(self, index: usize, gap: usize) -> Option<(Self, Self)> {
        let after = index.checked_add(gap)?;
        let (first, rest) = (self.text.get(..index)?, self.text.get(after..)?);
        Some((Self { text: first, start: self.start }, Self { text: rest, start: self.start + after }))
    }

    /// Returns the index of the first match of the literal, ignoring ASCII case.
    #[must_use]
    pub fn find(self, literal: &str) -> Option<usize> {
        self.matches(literal).next()
    }

    fn matches(self, literal: &str) -> impl Iterator<Item = usize> {
        let windows = self.text.as_bytes().windows(literal.len().max(1)).enumerate();
        windows.filter_map(move |(i, window)| window.eq_ignore_ascii_case(literal.as_bytes()).then_some(i))
    }
}

text_traits!(SpannedStr<'_>);
compares_by_text!(SpannedStr<'_>);

/// The decoded bytes of a substring with their positions: the result of [`SpannedStr::placed`].
///
/// ```
/// use locator::{Component, uri};
///
/// let mut bytes = uri!("x:a%0Db").spanned(Component::Path).unwrap().placed();
/// assert_eq!(bytes.next(), Some((b'a', 2..3)));
/// assert_eq!(bytes.next(), Some((b'\r', 3..6)));
/// ```
#[derive(Clone, Debug)]
pub struct PlacedBytes<'a> {
    rest: &'a [u8],
    start: usize,
}

impl Iterator for PlacedBytes<'_> {
    type Item = (u8, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let (first, start) = (*self.rest.first()?, self.start);
        let escaped = escaped_octet(self.rest);
        let length = if escaped.is_some() { "%XX".len() } else { 1 };
        self.start += length;
        self.rest = self.rest.get(length..).unwrap_or_default();
        Some((escaped.unwrap_or(first), start..self.start))
    }
}

impl FusedIterator for PlacedBytes<'_> {}

/// The substrings between the matches of a literal: the result of [`SpannedStr::split`].
///
/// ```
/// use locator::{Component, uri};
///
/// let mut names = uri!("x:a,b").spanned(Component::Path).unwrap().split(",");
/// assert_eq!(names.next().unwrap().span(), 2..3);
/// assert_eq!(names.next().unwrap().span(), 4..5);
/// ```
#[derive(Clone, Debug)]
pub struct SpannedSplit<'a, 'l> {
    rest: Option<SpannedStr<'a>>,
    literal: &'l str,
}

impl<'a> Iterator for SpannedSplit<'a, '_> {
    type Item = SpannedStr<'a>;

    fn next(&mut self) -> Option<SpannedStr<'a>> {
        let whole = self.rest?;
        let (first, after) =
            whole.split_once(self.literal).map_or((whole, None), |(first, after)| (first, Some(after)));
        self.rest = after;
        Some(first)
    }
}

impl FusedIterator for SpannedSplit<'_, '_> {}

#[cfg(feature = "schemes")]
impl<'a, 'l> SpannedSplit<'a, 'l> {
    /// Returns the substrings of a text that may be absent.
    pub(crate) const fn of(text: Option<SpannedStr<'a>>, literal: &'l str) -> Self {
        Self { rest: text, literal }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn an_octet_has_the_place_of_its_escape() {
        let placed: Vec<_> = SpannedStr::at("a%0Db", 10).placed().collect();
        let spans: Vec<_> = placed.iter().map(|(octet, span)| (*octet, span.clone())).collect();
        assert_eq!(spans, [(b'a', 10..11), (b'\r', 11..14), (b'b', 14..15)]);
    }

    #[test]
    fn split_texts_keep_their_positions() {
        let whole = SpannedStr::at("a;TYPE=b;type=c", 3);
        let (before, after) = whole.split_once(";type=").expect("there is one");
        assert_eq!((before.as_str(), after.as_str(), after.span().start), ("a", "b;type=c", 11 - 1));
        assert_eq!(whole.rsplit_once(";type=").map(|(_, last)| last.as_str()), Some("c"));
        let all: Vec<_> = whole.split(";").map(SpannedStr::as_str).collect();
        assert_eq!(all, ["a", "TYPE=b", "type=c"]);
    }
}
