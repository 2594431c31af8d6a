//! A reference that is borrowed if nothing changed, and owned otherwise.

use alloc::borrow::Cow;
use alloc::string::String;

use super::{Uri, UriBuf, UriRef, UriRefBuf};

/// A reference that is borrowed or owned: the result of normalising or converting one.
///
/// It has all methods of [`UriRef`].
///
/// ```
/// use locator::{Level, UriRefCow, uri_ref};
///
/// let reference = uri_ref!("http://h/%7Ea");
/// let normal = reference.normalize(Level::Syntax);
/// assert_eq!(normal, "http://h/~a");
/// assert_eq!(normal.path(), "/~a");
/// assert!(!normal.is_borrowed());
/// assert!(matches!(uri_ref!("http://h/~a").normalize(Level::Syntax), UriRefCow::Borrowed(_)));
/// ```
#[derive(Clone)]
pub enum UriRefCow<'a> {
    /// A borrowed reference: nothing changed and nothing was copied.
    Borrowed(UriRef<'a>),
    /// The changed reference.
    Owned(UriRefBuf),
}

impl<'a> UriRefCow<'a> {
    /// Returns the reference, borrowed.
    #[must_use]
    pub fn as_uri_ref(&self) -> UriRef<'_> {
        match self {
            Self::Borrowed(reference) => *reference,
            Self::Owned(reference) => reference.as_uri_ref(),
        }
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.as_uri_ref().as_str()
    }

    /// Returns whether the reference is borrowed, that is, unchanged and not copied.
    #[must_use]
    pub const fn is_borrowed(&self) -> bool {
        matches!(self, Self::Borrowed(_))
    }

    /// Returns the text, borrowed from the original reference if nothing changed.
    #[must_use]
    pub fn into_cow(self) -> Cow<'a, str> {
        match self {
            Self::Borrowed(reference) => Cow::Borrowed(reference.as_str()),
            Self::Owned(reference) => Cow::Owned(reference.into_string()),
        }
    }

    /// Returns the text as a `String`.
    #[must_use]
    pub fn into_string(self) -> String {
        self.into_cow().into_owned()
    }

    /// Converts the reference into one that owns its text.
    #[must_use]
    pub fn into_owned(self) -> UriRefBuf {
        match self {
            Self::Borrowed(reference) => reference.to_owned(),
            Self::Owned(reference) => reference,
        }
    }
}

impl Default for UriRefCow<'_> {
    fn default() -> Self {
        Self::Borrowed(UriRef::default())
    }
}

impl<'a> From<UriRef<'a>> for UriRefCow<'a> {
    fn from(reference: UriRef<'a>) -> Self {
        Self::Borrowed(reference)
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

impl From<UriRefBuf> for UriRefCow<'_> {
    fn from(reference: UriRefBuf) -> Self {
        Self::Owned(reference)
    }
}

impl From<UriRefCow<'_>> for UriRefBuf {
    fn from(reference: UriRefCow<'_>) -> Self {
        reference.into_owned()
    }
}

impl<'a> From<&'a UriRefCow<'_>> for UriRef<'a> {
    fn from(reference: &'a UriRefCow<'_>) -> Self {
        reference.as_uri_ref()
    }
}
