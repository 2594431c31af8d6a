//! References that own their text. The macro `delegate!` generates every method of the borrowed
//! ones.
//!
//! References that are borrowed if nothing changed, and owned otherwise.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;

use super::{Uri, UriRef};
use crate::edition::{self, Edition};
use crate::error::{FromStringError, ParseError};
use crate::span::ComponentSpans;

/// An owned reference, absolute or relative.
///
/// It has all methods of [`UriRef`]. A map with such keys accepts a `&str` for lookup.
///
/// ```
/// use locator::UriRefBuf;
///
/// let reference: UriRefBuf = "//host/path".parse()?;
/// assert_eq!(reference.host().unwrap(), "host");
/// # Ok::<_, locator::ParseError>(())
/// ```
#[derive(Clone)]
pub struct UriRefBuf {
    text: String,
    parts: ComponentSpans,
    edition: &'static Edition,
}

impl UriRefBuf {
    pub(super) fn of(reference: UriRef<'_>) -> Self {
        Self { text: reference.as_str().to_owned(), parts: reference.spans(), edition: reference.edition() }
    }

    /// Parses a string by RFC 3986 and keeps it without copying.
    ///
    /// ```
    /// use locator::UriRefBuf;
    ///
    /// let error = UriRefBuf::from_string(String::from("a b")).unwrap_err();
    /// assert_eq!(error.error().span().start, 1);
    /// assert_eq!(error.into_string(), "a b");
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error from the left, together with the string.
    pub fn from_string(text: String) -> Result<Self, FromStringError> {
        Self::from_string_with(text, edition::DEFAULT)
    }

    /// Parses a string by an edition and keeps it without copying.
    ///
    /// # Errors
    ///
    /// Returns the first error from the left, together with the string.
    pub fn from_string_with(text: String, edition: &'static Edition) -> Result<Self, FromStringError> {
        match UriRef::parse_with(&text, edition).map(UriRef::spans) {
            Ok(parts) => Ok(Self { text, parts, edition }),
            Err(error) => Err(FromStringError::new(error, text)),
        }
    }

    /// Creates a reference from a composed text and its spans, without validation.
    #[inline(always)]
    pub(crate) fn of_parts(text: String, parts: ComponentSpans, edition: &'static Edition) -> Self {
        debug_assert_eq!(UriRef::parse_with(&text, edition).map(UriRef::spans), Ok(parts), "{text}");
        Self { text, parts, edition }
    }

    /// Returns the reference, borrowed.
    #[must_use]
    pub fn as_uri_ref(&self) -> UriRef<'_> {
        UriRef::of_parts(&self.text, self.parts, self.edition)
    }

    /// Returns the text, exactly as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the text as a `String`, without copying.
    #[must_use]
    pub fn into_string(self) -> String {
        self.text
    }
}

/// An owned reference that has a scheme.
///
/// It has all methods of [`Uri`] and [`UriRef`]. A map with such keys accepts a `&str` for lookup.
///
/// ```
/// use std::collections::HashMap;
///
/// use locator::UriBuf;
///
/// let uri = UriBuf::parse("mailto:John.Doe@example.com")?;
/// assert_eq!(uri.scheme(), "mailto");
///
/// let sizes = HashMap::from([(UriBuf::parse("http://h/a")?, 7)]);
/// assert_eq!(sizes.get("http://h/a"), Some(&7));
/// # Ok::<_, locator::ParseError>(())
/// ```
#[derive(Clone)]
#[doc(alias("Url", "UriString"))]
pub struct UriBuf(UriRefBuf);

impl UriBuf {
    pub(super) fn of(uri: Uri<'_>) -> Self {
        Self(UriRefBuf::of(uri.as_uri_ref()))
    }

    /// Parses a string by RFC 3986 and keeps it without copying.
    ///
    /// # Errors
    ///
    /// Returns the first error from the left, together with the string; a missing scheme is an
    /// error.
    pub fn from_string(text: String) -> Result<Self, FromStringError> {
        Self::from_string_with(text, edition::DEFAULT)
    }

    /// Parses a string by an edition and keeps it without copying.
    ///
    /// # Errors
    ///
    /// Returns the first error from the left, together with the string; a missing scheme is an
    /// error.
    pub fn from_string_with(text: String, edition: &'static Edition) -> Result<Self, FromStringError> {
        UriRefBuf::from_string_with(text, edition)?.try_into()
    }

    /// Creates a URI from a reference that is known to have a scheme.
    pub(super) fn of_absolute(reference: UriRefBuf) -> Self {
        debug_assert!(reference.has_scheme());
        Self(reference)
    }

    /// Creates a URI from a composed text with a scheme and its spans, without validation.
    #[inline(always)]
    pub(crate) fn of_parts(text: String, parts: ComponentSpans, edition: &'static Edition) -> Self {
        debug_assert!(parts.scheme_end > u32::from(parts.start), "{text}");
        Self(UriRefBuf::of_parts(text, parts, edition))
    }

    /// Returns the URI, borrowed.
    #[must_use]
    pub fn as_uri(&self) -> Uri<'_> {
        Uri::of_absolute(self.0.as_uri_ref())
    }

    /// Returns the URI as a borrowed reference.
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
}

impl UriRef<'_> {
    /// Returns a copy that owns its text.
    #[allow(
        clippy::wrong_self_convention,
        reason = "by reference, or `ToOwned` would be found first on a `&UriRef`"
    )]
    #[must_use]
    pub fn to_owned(&self) -> UriRefBuf {
        UriRefBuf::of(*self)
    }
}

impl Uri<'_> {
    /// Returns a copy that owns its text.
    #[allow(
        clippy::wrong_self_convention,
        reason = "by reference, or `ToOwned` would be found first on a `&Uri`"
    )]
    #[must_use]
    pub fn to_owned(&self) -> UriBuf {
        UriBuf::of(*self)
    }
}

/// Implements the methods that an owned type shares with its borrowed type.
macro_rules! owns {
    ($($owned:ident of $borrowed:ident),*) => {$(
        impl $owned {
            /// Parses a copy of the text by RFC 3986.
            ///
            /// # Errors
            ///
            /// Returns the first error from the left.
            pub fn parse(text: &str) -> Result<Self, ParseError> {
                $borrowed::parse(text).map(|parsed| parsed.to_owned())
            }

            /// Parses a copy of the text by the generic grammar of an edition.
            ///
            /// # Errors
            ///
            /// Returns the first error from the left.
            pub fn parse_with(text: &str, edition: &'static Edition) -> Result<Self, ParseError> {
                $borrowed::parse_with(text, edition).map(|parsed| parsed.to_owned())
            }

            /// Parses a copy of bytes, which must be UTF-8, by RFC 3986.
            ///
            /// # Errors
            ///
            /// Returns the first error from the left; invalid UTF-8 is one.
            pub fn parse_bytes(bytes: &[u8]) -> Result<Self, ParseError> {
                $borrowed::parse_bytes(bytes).map(|parsed| parsed.to_owned())
            }

            /// Parses a copy of bytes, which must be UTF-8, by an edition.
            ///
            /// # Errors
            ///
            /// Returns the first error from the left; invalid UTF-8 is one.
            pub fn parse_bytes_with(bytes: &[u8], edition: &'static Edition) -> Result<Self, ParseError> {
                $borrowed::parse_bytes_with(bytes, edition).map(|parsed| parsed.to_owned())
            }
        }
    )*};
}

owns!(UriRefBuf of UriRef, UriBuf of Uri);

impl Default for UriRefBuf {
    /// Returns the empty reference of RFC 3986.
    fn default() -> Self {
        UriRef::default().to_owned()
    }
}

impl From<Uri<'_>> for UriRefBuf {
    fn from(uri: Uri<'_>) -> Self {
        uri.as_uri_ref().to_owned()
    }
}

impl From<UriBuf> for UriRefBuf {
    fn from(uri: UriBuf) -> Self {
        uri.0
    }
}

impl From<&UriBuf> for UriRefBuf {
    fn from(uri: &UriBuf) -> Self {
        uri.0.clone()
    }
}

/// Moves the text without parsing it again; the error gives it back.
impl TryFrom<UriRefBuf> for UriBuf {
    type Error = FromStringError;

    fn try_from(reference: UriRefBuf) -> Result<Self, FromStringError> {
        match Uri::try_from(reference.as_uri_ref()) {
            Ok(_) => Ok(Self(reference)),
            Err(error) => Err(FromStringError::new(error, reference.text)),
        }
    }
}

impl TryFrom<UriRef<'_>> for UriBuf {
    type Error = ParseError;

    fn try_from(reference: UriRef<'_>) -> Result<Self, ParseError> {
        Uri::try_from(reference).map(Self::of)
    }
}

impl<'a> TryFrom<&'a UriRefBuf> for Uri<'a> {
    type Error = ParseError;

    fn try_from(reference: &'a UriRefBuf) -> Result<Self, ParseError> {
        reference.as_uri_ref().try_into()
    }
}

/// A reference that is borrowed or owned: the result of normalising or converting one.
///
/// It has all methods of [`UriRef`]. [`UriCow`] always has a scheme.
///
/// ```
/// use locator::{Level, UriRefCow, uri_ref};
///
/// let reference = uri_ref!("http://h/%7Ea");
/// let normal = reference.normalize(Level::Syntax);
/// assert_eq!(normal, "http://h/~a");
/// assert_eq!(normal.path(), "/~a");
/// assert!(!normal.is_borrowed());
/// assert!(matches!(
///     uri_ref!("http://h/~a").normalize(Level::Syntax),
///     UriRefCow::Borrowed(_)
/// ));
/// ```
#[derive(Clone)]
pub enum UriRefCow<'a> {
    /// A borrowed reference: nothing changed and nothing was copied.
    Borrowed(UriRef<'a>),
    /// The changed reference.
    Owned(UriRefBuf),
}

/// A URI that is borrowed or owned: the result of normalising or converting one, which keeps its
/// scheme.
///
/// It has all methods of [`Uri`].
///
/// ```
/// use locator::{Level, UriBuf, uri};
///
/// let uri = uri!("HTTP://h/");
/// let normal = uri.normalize(Level::Syntax);
/// assert_eq!(normal.scheme().as_str(), "http");
/// let owned: UriBuf = normal.into_owned();
/// assert_eq!(owned, "http://h/");
/// ```
#[derive(Clone)]
pub enum UriCow<'a> {
    /// A borrowed URI: nothing changed and nothing was copied.
    Borrowed(Uri<'a>),
    /// The changed URI.
    Owned(UriBuf),
}

impl UriRefCow<'_> {
    /// Returns the reference, borrowed.
    #[must_use]
    pub fn as_uri_ref(&self) -> UriRef<'_> {
        match self {
            Self::Borrowed(reference) => *reference,
            Self::Owned(reference) => reference.as_uri_ref(),
        }
    }
}

impl<'a> UriCow<'a> {
    /// Creates one from a reference that is known to have a scheme.
    pub(crate) fn of_absolute(reference: UriRefCow<'a>) -> Self {
        match reference {
            UriRefCow::Borrowed(reference) => Self::Borrowed(Uri::of_absolute(reference)),
            UriRefCow::Owned(reference) => Self::Owned(UriBuf::of_absolute(reference)),
        }
    }

    /// Returns the URI, borrowed.
    #[must_use]
    pub fn as_uri(&self) -> Uri<'_> {
        match self {
            Self::Borrowed(uri) => *uri,
            Self::Owned(uri) => uri.as_uri(),
        }
    }

    /// Returns the URI as a borrowed reference.
    #[must_use]
    pub fn as_uri_ref(&self) -> UriRef<'_> {
        self.as_uri().as_uri_ref()
    }
}

/// Implements what both types have, apart from the names of the borrowed and the owned type.
macro_rules! cow {
    ($($cow:ident of $borrowed:ident, $owned:ident);*) => {$(
        impl<'a> $cow<'a> {
            /// Returns the text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                self.as_uri_ref().as_str()
            }

            /// Returns whether this is borrowed, that is, unchanged and not copied.
            #[must_use]
            pub const fn is_borrowed(&self) -> bool {
                matches!(self, Self::Borrowed(_))
            }

            /// Returns the text, borrowed from the original if nothing changed.
            #[must_use]
            pub fn into_cow(self) -> Cow<'a, str> {
                match self {
                    Self::Borrowed(borrowed) => Cow::Borrowed(borrowed.as_str()),
                    Self::Owned(owned) => Cow::Owned(owned.into_string()),
                }
            }

            /// Returns the text as a `String`.
            #[must_use]
            pub fn into_string(self) -> String {
                self.into_cow().into_owned()
            }

            /// Converts this into a reference that owns its text.
            #[must_use]
            pub fn into_owned(self) -> $owned {
                match self {
                    Self::Borrowed(borrowed) => borrowed.to_owned(),
                    Self::Owned(owned) => owned,
                }
            }
        }

        impl<'a> From<$borrowed<'a>> for $cow<'a> {
            fn from(borrowed: $borrowed<'a>) -> Self {
                Self::Borrowed(borrowed)
            }
        }

        impl From<$owned> for $cow<'_> {
            fn from(owned: $owned) -> Self {
                Self::Owned(owned)
            }
        }

        impl From<$cow<'_>> for $owned {
            fn from(cow: $cow<'_>) -> Self {
                cow.into_owned()
            }
        }
    )*};
}

cow!(UriRefCow of UriRef, UriRefBuf; UriCow of Uri, UriBuf);

impl Default for UriRefCow<'_> {
    fn default() -> Self {
        Self::Borrowed(UriRef::default())
    }
}

impl<'a> From<Uri<'a>> for UriRefCow<'a> {
    fn from(uri: Uri<'a>) -> Self {
        Self::Borrowed(uri.as_uri_ref())
    }
}

impl From<UriBuf> for UriRefCow<'_> {
    fn from(uri: UriBuf) -> Self {
        Self::Owned(uri.into())
    }
}

impl<'a> From<UriCow<'a>> for UriRefCow<'a> {
    fn from(uri: UriCow<'a>) -> Self {
        match uri {
            UriCow::Borrowed(uri) => uri.into(),
            UriCow::Owned(uri) => uri.into(),
        }
    }
}

impl<'a> TryFrom<&'a UriRefCow<'_>> for Uri<'a> {
    type Error = ParseError;

    fn try_from(reference: &'a UriRefCow<'_>) -> Result<Self, ParseError> {
        reference.as_uri_ref().try_into()
    }
}

/// Moves or borrows the text without parsing it again; the error gives it back.
impl<'a> TryFrom<UriRefCow<'a>> for UriCow<'a> {
    type Error = FromStringError;

    fn try_from(reference: UriRefCow<'a>) -> Result<Self, FromStringError> {
        match reference.as_uri_ref().try_into() {
            Ok::<Uri<'_>, _>(_) => Ok(Self::of_absolute(reference)),
            Err(error) => Err(FromStringError::new(error, reference.into_string())),
        }
    }
}

/// Moves an owned text without parsing it again; the error gives it back.
impl TryFrom<UriRefCow<'_>> for UriBuf {
    type Error = FromStringError;

    fn try_from(reference: UriRefCow<'_>) -> Result<Self, FromStringError> {
        UriCow::try_from(reference).map(UriCow::into_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edition::{RFC1738, RFC3986};

    #[test]
    fn a_text_is_taken_over() {
        let text = String::from("http://h/a");
        let place = text.as_ptr();
        let reference = UriRefBuf::try_from(text).expect("it is a reference");
        let uri = UriBuf::try_from(reference).expect("it has a scheme");
        assert_eq!(uri.as_str().as_ptr(), place);
    }

    #[test]
    fn what_is_refused_is_given_back() {
        let refused =
            |text: &str, edition| UriBuf::from_string_with(text.to_owned(), edition).expect_err("refused");
        let (error, text) = refused("//h/a", &RFC3986).into_parts();
        assert_eq!((error, &text[..]), (Uri::parse("//h/a").expect_err("it has no scheme"), "//h/a"));
        let (error, text) = refused("http://h/~", &RFC1738).into_parts();
        assert_eq!((error.span().start, &text[..]), (9, "http://h/~"));
    }
}
