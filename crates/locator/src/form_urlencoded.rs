//! The names and values of HTML forms: `application/x-www-form-urlencoded`.
//!
//! A query of a URL and the body of a form have this format. [`parse`] takes a text and returns its names
//! and values, decoded; a [`Serializer`] takes names and values and returns the text. "+" is a
//! space, and "&" divides the pairs. It follows the URL Standard, section 5; no edition defines it.
//!
//! ```
//! use locator::form_urlencoded::{self, Serializer};
//!
//! let fields = [("name", "Zoë & Jan"), ("page", "2")];
//! let body = Serializer::new(String::new()).extend_pairs(fields).finish();
//! assert_eq!(body, "name=Zo%C3%AB+%26+Jan&page=2");
//!
//! let pairs: Vec<_> = form_urlencoded::parse(body.as_bytes()).into_owned().collect();
//! assert_eq!(pairs[0], ("name".to_string(), "Zoë & Jan".to_string()));
//! ```
//!
//! [`Uri::query_pairs`](crate::Uri::query_pairs) parses the query of a URL, and
//! [`UriBuf::query_pairs_mut`](crate::UriBuf::query_pairs_mut) changes it.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::iter::FusedIterator;

use crate::pct::{AsciiSet, PctString, escape_of, escaped_octet};

/// Parses names and values that are divided by "&".
///
/// Nothing is an error: empty pairs are left out, a name without "=" has the value "", a "%" that begins no
/// escape stays, and U+FFFD replaces what is not UTF-8.
///
/// ```
/// use locator::form_urlencoded;
///
/// let mut pairs = form_urlencoded::parse(b"q=a+b%26c&&debug");
/// assert_eq!(pairs.next(), Some(("q".into(), "a b&c".into())));
/// assert_eq!(pairs.next(), Some(("debug".into(), "".into())));
/// assert_eq!(pairs.next(), None);
/// ```
#[must_use]
pub const fn parse(input: &[u8]) -> QueryPairs<'_> {
    QueryPairs { rest: input }
}

/// The names and values of a query or of a form, decoded: the result of
/// [`Uri::query_pairs`](crate::Uri::query_pairs) and of [`parse`].
///
/// ```
/// use locator::form_urlencoded::QueryPairs;
///
/// /// A request whose parameters are read one by one.
/// struct Request<'a>(QueryPairs<'a>);
///
/// let mut request = Request(locator::uri!("https://h/?q=a+b").query_pairs());
/// assert_eq!(request.0.next().unwrap().1, "a b");
/// ```
#[derive(Clone, Debug)]
pub struct QueryPairs<'a> {
    rest: &'a [u8],
}

impl<'a> QueryPairs<'a> {
    /// Returns the pairs as owned strings, for a map that outlives the text.
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// let parameters: HashMap<String, String> =
    ///     locator::uri!("https://h/?q=a+b&page=2").query_pairs().into_owned().collect();
    /// assert_eq!(parameters["q"], "a b");
    /// ```
    #[must_use]
    pub const fn into_owned(self) -> OwnedQueryPairs<'a> {
        OwnedQueryPairs(self)
    }
}

impl<'a> Iterator for QueryPairs<'a> {
    type Item = (Cow<'a, str>, Cow<'a, str>);

    fn next(&mut self) -> Option<Self::Item> {
        while !self.rest.is_empty() {
            let pair = cut(&mut self.rest, b'&');
            // "If bytes is the empty byte sequence, then continue."
            if !pair.is_empty() {
                let mut value = pair;
                let name = cut(&mut value, b'=');
                return Some((decoded(name), decoded(value)));
            }
        }
        None
    }
}

impl FusedIterator for QueryPairs<'_> {}

/// The names and values of a query as owned strings: the result of [`QueryPairs::into_owned`].
///
/// ```
/// let mut pairs = locator::uri!("https://h/?q=a+b").query_pairs().into_owned();
/// assert_eq!(pairs.next(), Some((String::from("q"), String::from("a b"))));
/// ```
#[derive(Clone, Debug)]
pub struct OwnedQueryPairs<'a>(QueryPairs<'a>);

impl Iterator for OwnedQueryPairs<'_> {
    type Item = (String, String);

    fn next(&mut self) -> Option<(String, String)> {
        let (name, value) = self.0.next()?;
        Some((name.into_owned(), value.into_owned()))
    }
}

impl FusedIterator for OwnedQueryPairs<'_> {}

/// Returns the bytes before a delimiter and leaves those after it.
fn cut<'a>(rest: &mut &'a [u8], delimiter: u8) -> &'a [u8] {
    let whole = *rest;
    let end = whole.iter().position(|&byte| byte == delimiter).unwrap_or(whole.len());
    *rest = whole.get(end + 1..).unwrap_or_default();
    &whole[..end]
}

/// Returns the text of a name or of a value.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    if !bytes.iter().any(|byte| matches!(byte, b'+' | b'%')) {
        return String::from_utf8_lossy(bytes);
    }
    let (mut octets, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let escaped = if byte == b'%' { escaped_octet(&bytes[at..]) } else { None };
        octets.push(if byte == b'+' { b' ' } else { escaped.unwrap_or(byte) });
        at += if escaped.is_some() { "%XX".len() } else { 1 };
    }
    Cow::Owned(
        String::from_utf8(octets)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
    )
}

/// Writes names and values, divided by "&", after a text.
///
/// ```
/// use locator::form_urlencoded::Serializer;
///
/// let body = Serializer::new(String::new())
///     .append_pair("a", "x y")
///     .append_key_only("debug")
///     .finish();
/// assert_eq!(body, "a=x+y&debug");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Serializer {
    text: String,
}

impl Serializer {
    /// Creates a serializer that appends to a text: an empty one, or pairs that are written already.
    #[must_use]
    pub const fn new(text: String) -> Self {
        Self { text }
    }

    /// Appends a name and its value.
    pub fn append_pair(&mut self, name: &str, value: &str) -> &mut Self {
        self.append_key_only(name);
        self.text.push('=');
        push_encoded(&mut self.text, value);
        self
    }

    /// Appends a name without "=" and value.
    pub fn append_key_only(&mut self, name: &str) -> &mut Self {
        if !self.text.is_empty() {
            self.text.push('&');
        }
        push_encoded(&mut self.text, name);
        self
    }

    /// Appends names and values.
    pub fn extend_pairs<N: AsRef<str>, V: AsRef<str>>(
        &mut self,
        pairs: impl IntoIterator<Item = (N, V)>,
    ) -> &mut Self {
        for (name, value) in pairs {
            self.append_pair(name.as_ref(), value.as_ref());
        }
        self
    }

    /// Returns the text, and leaves an empty one.
    pub fn finish(&mut self) -> String {
        core::mem::take(&mut self.text)
    }
}

/// The characters that stay: "the ASCII code points, excluding … U+002A (*), U+002D (-), U+002E (.), U+005F
/// (_)" and ASCII alphanumeric ones are the set of those that are encoded (URL Standard, 1.3).
const KEPT: AsciiSet = AsciiSet::UNRESERVED.remove(b'~').add(b'*').add(b' ');

fn push_encoded(out: &mut String, text: &str) {
    for (index, word) in PctString::encode(text, KEPT).as_str().split(' ').enumerate() {
        if index > 0 {
            out.push('+');
        }
        out.push_str(word);
    }
}

/// Encodes one name or value, in pieces.
///
/// ```
/// use locator::form_urlencoded;
///
/// let value: String = form_urlencoded::byte_serialize("What is ❤?".as_bytes()).collect();
/// assert_eq!(value, "What+is+%E2%9D%A4%3F");
/// ```
#[must_use]
pub const fn byte_serialize(input: &[u8]) -> ByteSerialize<'_> {
    ByteSerialize { rest: input }
}

/// The pieces of an encoded name or value: the result of [`byte_serialize`].
///
/// ```
/// use locator::form_urlencoded;
///
/// assert!(form_urlencoded::byte_serialize(b"ab c").eq(["ab", "+", "c"]));
/// ```
#[derive(Clone, Debug)]
pub struct ByteSerialize<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for ByteSerialize<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let is_kept = |byte: &u8| *byte != b' ' && KEPT.contains(*byte);
        let (first, others) = self.rest.split_first()?;
        if !is_kept(first) {
            self.rest = others;
            return Some(if *first == b' ' { "+" } else { escape_of(*first) });
        }
        let end = self.rest.iter().position(|byte| !is_kept(byte)).unwrap_or(self.rest.len());
        let (kept, rest) = self.rest.split_at(end);
        self.rest = rest;
        // INVARIANT: what is kept is ASCII.
        Some(str::from_utf8(kept).unwrap_or_default())
    }
}

impl FusedIterator for ByteSerialize<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    #[test]
    fn what_is_not_valid_stays() {
        let pairs: Vec<_> = parse(b"100%=%zz&=a&%FF=%C3%A9+&b==c&&").into_owned().collect();
        let expected = [("100%", "%zz"), ("", "a"), ("\u{FFFD}", "é "), ("b", "=c")];
        assert_eq!(pairs, expected.map(|(name, value)| (String::from(name), String::from(value))));
    }

    #[test]
    fn pieces_make_the_text() {
        let text = "a b~*-._%&=é\u{1F600}\0";
        let pieces: String = byte_serialize(text.as_bytes()).collect();
        let mut whole = String::new();
        push_encoded(&mut whole, text);
        assert_eq!(pieces, whole);
        assert_eq!(byte_serialize(b"").next(), None);
    }

    #[test]
    fn what_is_written_is_read() {
        let pairs = vec![("a b", "x&y=z"), ("+", "~*-._%"), ("é\0", "")];
        let text = Serializer::default().extend_pairs(pairs.clone()).finish();
        assert_eq!(text, "a+b=x%26y%3Dz&%2B=%7E*-._%25&%C3%A9%00=");
        assert!(
            parse(text.as_bytes()).eq(pairs.into_iter().map(|(name, value)| (name.into(), value.into())))
        );
    }
}
