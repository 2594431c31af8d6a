//! The pairs of a query. Takes a query and returns its pairs unchanged, with their decoded names
//! and values.
//!
//! No edition defines pairs. HTML defines that "&" divides them, that "=" ends a name and that "+"
//! may be a space.

use alloc::borrow::Cow;
use alloc::string::String;
use core::iter::FusedIterator;
use core::str::Split;

use crate::as_text::{compares_by_text, text_traits};
use crate::edition::{Charset, CharsetError};
use crate::form_urlencoded::{self, QueryPairs};
use crate::pct::PctStr;
use crate::reference::{UriRef, delegate};
use crate::span::Component;

/// The encoding of a space in a query, which decides whether "+" is a space.
///
/// ```
/// use locator::{Builder, SpaceEncoding};
///
/// let form =
///     Builder::new().spaces(SpaceEncoding::Plus).pair("to be", "1+1").build()?;
/// assert_eq!(form, "?to+be=1%2B1");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SpaceEncoding {
    /// A space is `%20`, and "+" is a plus sign.
    #[default]
    Percent20,
    /// A space is "+", as in HTML forms.
    Plus,
}

/// A pair of a query: a name, and a value if there is a "=".
///
/// Equality, order and hash are those of the text, before decoding.
///
/// ```
/// let edit = locator::uri!("http://h/?a%20b=c=d").edit();
/// let pair = edit.pairs().next().unwrap();
/// assert_eq!(pair.as_str(), "a%20b=c=d");
/// assert_eq!(*pair.name_bytes(), *b"a b");
/// assert_eq!(pair.value().unwrap(), "c=d");
/// ```
#[derive(Clone, Copy)]
pub struct Pair<'a> {
    text: &'a str,
    space: SpaceEncoding,
}

impl<'a> Pair<'a> {
    /// Returns the text, exactly as it was given.
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// Returns the name, before the first "=", still encoded.
    ///
    /// Decoding it leaves "+" as it is: [`decode_utf8`](Self::decode_utf8) and
    /// [`name_bytes`](Self::name_bytes) know whether "+" is a space.
    #[must_use]
    pub fn name(self) -> PctStr<'a> {
        PctStr::checked(self.text.split_once('=').map_or(self.text, |(name, _)| name))
    }

    /// Returns the value, after the first "=", still encoded; `None` if there is no "=".
    ///
    /// Decoding it leaves "+" as it is: [`decode_utf8`](Self::decode_utf8) and
    /// [`value_bytes`](Self::value_bytes) know whether "+" is a space.
    #[must_use]
    pub fn value(self) -> Option<PctStr<'a>> {
        self.text.split_once('=').map(|(_, value)| PctStr::checked(value))
    }

    /// Returns the decoded name and value as text, with "" for a missing value; "+" is a space by
    /// [`SpaceEncoding::Plus`].
    ///
    /// ```
    /// use locator::{SpaceEncoding, uri};
    ///
    /// let mut pairs =
    ///     uri!("http://h/?q=a+b%26c&r=%FF").pairs(SpaceEncoding::Plus);
    /// assert_eq!(pairs.next().unwrap().decode_utf8()?, ("q".into(), "a b&c".into()));
    /// assert!(pairs.next().unwrap().decode_utf8().is_err());
    /// # Ok::<_, locator::CharsetError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the position in the decoded name or value of bytes that are not UTF-8.
    pub fn decode_utf8(self) -> Result<(Cow<'a, str>, Cow<'a, str>), CharsetError> {
        let value = self.value_bytes().unwrap_or_default();
        Ok((Charset::Utf8.decode(self.name_bytes())?, Charset::Utf8.decode(value)?))
    }

    /// Returns the decoded name and value as text, with U+FFFD for what is not UTF-8 and "" for a
    /// missing value.
    ///
    /// ```
    /// use locator::{SpaceEncoding, uri};
    ///
    /// let uri = uri!("http://h/?q=a+b%26c&debug");
    /// let pairs: Vec<_> = uri
    ///     .pairs(SpaceEncoding::Plus)
    ///     .map(|pair| pair.decode_utf8_lossy())
    ///     .collect();
    /// assert_eq!(pairs, [("q".into(), "a b&c".into()), ("debug".into(), "".into())]);
    /// ```
    #[must_use]
    pub fn decode_utf8_lossy(self) -> (Cow<'a, str>, Cow<'a, str>) {
        let text = |bytes| match bytes {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        };
        (text(self.name_bytes()), text(self.value_bytes().unwrap_or_default()))
    }

    /// Returns the decoded bytes of the name; "+" is a space by [`SpaceEncoding::Plus`].
    #[must_use]
    pub fn name_bytes(self) -> Cow<'a, [u8]> {
        octets(self.name().as_str(), self.space)
    }

    /// Returns the decoded bytes of the value; "+" is a space by [`SpaceEncoding::Plus`].
    #[must_use]
    pub fn value_bytes(self) -> Option<Cow<'a, [u8]>> {
        self.value().map(|value| octets(value.as_str(), self.space))
    }
}

text_traits!(Pair<'_>);
compares_by_text!(Pair<'_>);

/// The pairs of a query, as they are written: the result of [`Uri::pairs`](crate::Uri::pairs).
///
/// ```
/// use locator::{SpaceEncoding, build::Pairs, uri};
///
/// /// What is left of a query.
/// struct Rest<'a>(Pairs<'a>);
///
/// let mut rest = Rest(uri!("http://h/?a=1&b").pairs(SpaceEncoding::Plus));
/// assert_eq!(rest.0.next().unwrap(), "a=1");
/// assert_eq!(rest.0.next().unwrap().value(), None);
/// ```
#[derive(Clone, Debug)]
pub struct Pairs<'a> {
    texts: Option<Split<'a, char>>,
    space: SpaceEncoding,
}

impl<'a> Pairs<'a> {
    /// Creates the pairs of a query; an absent or empty query has no pairs.
    pub(super) fn new(query: Option<&'a str>, space: SpaceEncoding) -> Self {
        let query = query.filter(|query| !query.is_empty());
        Self { texts: query.map(|query| query.split('&')), space }
    }
}

impl<'a> Iterator for Pairs<'a> {
    type Item = Pair<'a>;

    fn next(&mut self) -> Option<Pair<'a>> {
        let text = self.texts.as_mut()?.next()?;
        Some(Pair { text, space: self.space })
    }
}

impl DoubleEndedIterator for Pairs<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let text = self.texts.as_mut()?.next_back()?;
        Some(Pair { text, space: self.space })
    }
}

impl FusedIterator for Pairs<'_> {}

impl<'a> UriRef<'a> {
    /// Returns the decoded names and values of the query, which are divided by "&"; "+" is a space. None if
    /// there is no query or an empty one.
    ///
    /// No edition defines pairs: "&", "=" and "+" are a convention of HTML forms, whose rules this follows
    /// ([`form_urlencoded`]). The value of a name without "=" is "". [`pairs`](Self::pairs) returns the pairs
    /// as they are written.
    ///
    /// ```
    /// use locator::uri_ref;
    ///
    /// let reference = uri_ref!("/search?q=a+b%26c&page=2&debug");
    /// let pairs: Vec<_> = reference.query_pairs().collect();
    /// assert_eq!(pairs[0], ("q".into(), "a b&c".into()));
    /// assert_eq!(pairs[2], ("debug".into(), "".into()));
    /// ```
    pub fn query_pairs(self) -> QueryPairs<'a> {
        form_urlencoded::parse(self.component(Component::Query).unwrap_or_default().as_bytes())
    }

    /// Returns the pairs of the query as they are written, divided by "&"; none if there is no query or an
    /// empty one.
    ///
    /// No edition defines pairs: "&", "=" and "+" are a convention of HTML forms, so say whether
    /// "+" is a space.
    ///
    /// ```
    /// use locator::{SpaceEncoding, uri};
    ///
    /// let uri = uri!("http://h/?a=1&b=2+3");
    /// let values =
    ///     uri.pairs(SpaceEncoding::Plus).map(|pair| pair.decode_utf8_lossy().1);
    /// assert!(values.eq(["1", "2 3"]));
    /// ```
    pub fn pairs(self, spaces: SpaceEncoding) -> Pairs<'a> {
        Pairs::new(self.component(Component::Query), spaces)
    }
}

delegate! {
    "Names and values of the query":
    /// Returns the decoded names and values of the query; "+" is a space, as in HTML forms.
    fn query_pairs() -> (QueryPairs<'_>) {
        //! ```
        //! let uri = locator::uri!("https://example.com/search?q=a+b&page=2");
        //! let page = uri.query_pairs().find(|(name, _)| name == "page");
        //! assert_eq!(page.unwrap().1.parse(), Ok(2));
        //!
        //! for (name, value) in uri.query_pairs() {
        //!     println!("{name}: {value}");
        //! }
        //! ```
    }
    /// Returns the pairs of the query as they are written, divided by "&".
    fn pairs(spaces: SpaceEncoding) -> (Pairs<'_>) {
        //! ```
        //! use locator::{SpaceEncoding, uri};
        //!
        //! // Strict: what is not UTF-8 is an error.
        //! let uri = uri!("https://example.com/search?q=a+b&r=%FF");
        //! let mut pairs = uri.pairs(SpaceEncoding::Plus);
        //! assert_eq!(pairs.next().unwrap().decode_utf8()?.1, "a b");
        //! assert!(pairs.next().unwrap().decode_utf8().is_err());
        //! # Ok::<_, locator::CharsetError>(())
        //! ```
    }
}

/// The decoded octets of a name or a value.
pub(super) fn octets(text: &str, space: SpaceEncoding) -> Cow<'_, [u8]> {
    if space == SpaceEncoding::Percent20 || !text.contains('+') {
        return PctStr::checked(text).decode();
    }
    let spaced = text.replace('+', "%20");
    Cow::Owned(PctStr::checked(&spaced).decode().into_owned())
}
