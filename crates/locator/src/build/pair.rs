//! The pairs of a query. Takes a query and returns its pairs unchanged, with their decoded names
//! and values.
//!
//! No edition defines pairs. HTML defines that "&" divides them, that "=" ends a name and that "+"
//! may be a space.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::as_text::{compares_by_text, text_traits};
use crate::edition::{Charset, CharsetError};
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
    ///     uri!("http://h/?q=a+b%26c&r=%FF").query_pairs(SpaceEncoding::Plus);
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
    ///     .query_pairs(SpaceEncoding::Plus)
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

impl<'a> UriRef<'a> {
    /// Returns the pairs of the query, divided by "&"; none if there is no query or an empty one.
    ///
    /// No edition defines pairs: "&", "=" and "+" are a convention of HTML forms, so say whether
    /// "+" is a space.
    ///
    /// ```
    /// use locator::{SpaceEncoding, uri};
    ///
    /// let uri = uri!("http://h/?a=1&b=2+3");
    /// let values =
    ///     uri.query_pairs(SpaceEncoding::Plus).map(|pair| pair.decode_utf8_lossy().1);
    /// assert!(values.eq(["1", "2 3"]));
    /// ```
    pub fn query_pairs(self, spaces: SpaceEncoding) -> impl Iterator<Item = Pair<'a>> + Clone {
        pairs(self.component(Component::Query), spaces)
    }
}

delegate! {
    /// Returns the pairs of the query, divided by "&"; none if there is no query or an empty one.
    fn query_pairs(spaces: SpaceEncoding) -> impl Iterator<Item = Pair<'_>> + Clone;
}

/// Returns the pairs of a query; an absent or empty query has no pairs.
pub(super) fn pairs(query: Option<&str>, space: SpaceEncoding) -> impl Iterator<Item = Pair<'_>> + Clone {
    let query = query.filter(|query| !query.is_empty());
    query.into_iter().flat_map(|query| query.split('&')).map(move |text| Pair { text, space })
}

/// The decoded octets of a name or a value.
pub(super) fn octets(text: &str, space: SpaceEncoding) -> Cow<'_, [u8]> {
    if space == SpaceEncoding::Percent20 || !text.contains('+') {
        return PctStr::checked(text).decode();
    }
    let spaced = text.replace('+', "%20");
    Cow::Owned(PctStr::checked(&spaced).decode().into_owned())
}
