//! URIs with characters beyond ASCII: IRIs of RFC 3987, borrowed and owned.
//!
//! They are [`Uri`] and [`UriBuf`] that RFC 3987 has parsed. Everything else is the same, so
//! [`as_uri`](Iri::as_uri) and [`IriBuf::as_uri`] lead to what these types do not have themselves.

use alloc::string::String;

use super::{Uri, UriBuf, UriCow, UriRef};
use crate::component::SchemeName;
use crate::edition::RFC3987;
use crate::error::{FromStringError, ParseError};

/// A borrowed IRI: a URI that may contain characters beyond ASCII (RFC 3987).
///
/// It is a [`Uri`] that RFC 3987 has parsed, and has its methods. [`IriBuf`] owns its text.
///
/// ```
/// use locator::Iri;
///
/// let iri = Iri::parse("https://bücher.example/straße?q=ü")?;
/// assert_eq!(iri.host_str(), Some("bücher.example"));
/// assert_eq!(iri.path_segments().next(), Some("straße"));
///
/// // For programs that take URIs only: percent-encoded UTF-8.
/// assert_eq!(iri.to_uri()?, "https://b%C3%BCcher.example/stra%C3%9Fe?q=%C3%BC");
/// # Ok::<_, locator::ParseError>(())
/// ```
///
/// A host that is looked up needs another form, `xn--bcher-kva.example`: that is
/// `iri.as_uri().to_uri_with_idna()` (feature `idna`).
#[derive(Clone, Copy)]
pub struct Iri<'a>(Uri<'a>);

/// An owned IRI: a URI that may contain characters beyond ASCII (RFC 3987).
///
/// It is a [`UriBuf`] that RFC 3987 has parsed, and has its methods.
///
/// ```
/// use locator::IriBuf;
///
/// let mut iri: IriBuf = "https://example.com/straße".parse()?;
/// iri.query_pairs_mut().append_pair("q", "ü");
/// assert_eq!(iri, "https://example.com/straße?q=ü");
/// assert_eq!(iri.join("weg")?, "https://example.com/weg");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct IriBuf(pub(crate) UriBuf);

/// # Parsing
impl<'a> Iri<'a> {
    /// Parses an IRI.
    ///
    /// ```
    /// use locator::Iri;
    ///
    /// assert!(Iri::parse("https://example.com/é").is_ok());
    /// assert!(Iri::parse("https://example.com/a b").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error from the left; a missing scheme is one.
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        Uri::parse_with(text, &RFC3987).map(Self)
    }

    /// Parses an IRI from bytes, which must be UTF-8.
    ///
    /// # Errors
    ///
    /// Returns the first error from the left; invalid UTF-8 and a missing scheme are ones.
    pub fn parse_bytes(bytes: &'a [u8]) -> Result<Self, ParseError> {
        Uri::parse_bytes_with(bytes, &RFC3987).map(Self)
    }
}

/// # The whole
impl<'a> Iri<'a> {
    /// Returns this IRI as a [`Uri`] of the edition RFC 3987, which has all methods.
    ///
    /// ```
    /// use locator::{Iri, edition::RFC3987};
    ///
    /// assert_eq!(Iri::parse("https://example.com/é")?.as_uri().edition(), &RFC3987);
    /// # Ok::<_, locator::ParseError>(())
    /// ```
    #[must_use]
    pub const fn as_uri(self) -> Uri<'a> {
        self.0
    }

    /// Returns this IRI as a [`UriRef`] of the edition RFC 3987.
    #[must_use]
    pub const fn as_uri_ref(self) -> UriRef<'a> {
        self.0.as_uri_ref()
    }

    /// Returns the text, exactly as it was given.
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.0.as_str()
    }

    /// Returns the scheme.
    #[must_use]
    pub fn scheme(self) -> SchemeName<'a> {
        self.0.scheme()
    }

    /// Returns this IRI up to "#".
    #[must_use]
    pub fn without_fragment(self) -> Self {
        Self(self.0.without_fragment())
    }

    /// Returns a copy that owns its text.
    #[allow(
        clippy::wrong_self_convention,
        reason = "by reference, or `ToOwned` would be found first on a `&Iri`"
    )]
    #[must_use]
    pub fn to_owned(&self) -> IriBuf {
        IriBuf(self.0.to_owned())
    }

    /// Returns the URI of this IRI: characters beyond ASCII become percent-encoded UTF-8 (RFC 3987, 3.1).
    ///
    /// # Errors
    ///
    /// Returns an error only if the URI would have 4 GiB or more.
    pub fn to_uri(self) -> Result<UriCow<'a>, ParseError> {
        self.0.to_uri_form()
    }
}

impl IriBuf {
    /// Parses a copy of the text.
    ///
    /// # Errors
    ///
    /// Returns the first error from the left; a missing scheme is one.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        Iri::parse(text).map(|iri| iri.to_owned())
    }

    /// Parses a copy of bytes, which must be UTF-8.
    ///
    /// # Errors
    ///
    /// Returns the first error from the left; invalid UTF-8 and a missing scheme are ones.
    pub fn parse_bytes(bytes: &[u8]) -> Result<Self, ParseError> {
        Iri::parse_bytes(bytes).map(|iri| iri.to_owned())
    }

    /// Parses a string and keeps it without copying.
    ///
    /// # Errors
    ///
    /// Returns the first error from the left, together with the string; a missing scheme is one.
    pub fn from_string(text: String) -> Result<Self, FromStringError> {
        UriBuf::from_string_with(text, &RFC3987).map(Self)
    }

    /// Returns the IRI, borrowed.
    #[must_use]
    pub fn as_iri(&self) -> Iri<'_> {
        Iri(self.0.as_uri())
    }

    /// Returns this IRI as a [`Uri`] of the edition RFC 3987, which has all methods.
    #[must_use]
    pub fn as_uri(&self) -> Uri<'_> {
        self.0.as_uri()
    }

    /// Returns this IRI as a [`UriRef`] of the edition RFC 3987.
    #[must_use]
    pub fn as_uri_ref(&self) -> UriRef<'_> {
        self.0.as_uri_ref()
    }

    /// Returns the text, exactly as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns the text as a `String`, without copying.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0.into_string()
    }

    /// Returns the scheme.
    #[must_use]
    pub fn scheme(&self) -> SchemeName<'_> {
        self.as_uri().scheme()
    }

    /// Returns the URI of this IRI: see [`Iri::to_uri`].
    ///
    /// # Errors
    ///
    /// Returns an error only if the URI would have 4 GiB or more.
    pub fn to_uri(&self) -> Result<UriCow<'_>, ParseError> {
        self.as_iri().to_uri()
    }
}

/// Every URI of RFC 3986 is an IRI; one of another edition need not be.
impl<'a> TryFrom<Uri<'a>> for Iri<'a> {
    type Error = ParseError;

    fn try_from(uri: Uri<'a>) -> Result<Self, ParseError> {
        Self::parse(uri.as_str())
    }
}

/// Moves the text; every URI of RFC 3986 is an IRI, one of another edition need not be.
impl TryFrom<UriBuf> for IriBuf {
    type Error = FromStringError;

    fn try_from(uri: UriBuf) -> Result<Self, FromStringError> {
        Self::from_string(uri.into_string())
    }
}

impl From<IriBuf> for UriBuf {
    fn from(iri: IriBuf) -> Self {
        iri.0
    }
}
