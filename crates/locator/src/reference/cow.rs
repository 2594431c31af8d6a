//! A reference that a call may have changed: borrowed as it was given if there was nothing to change, else owned.

use alloc::borrow::Cow;
use alloc::string::String;

use super::{UriRef, UriRefBuf};

/// A reference that a call may have changed, such as a normal form: borrowed if there was nothing to change.
///
/// Equality, order and hash are those of its text, as of every reference; see
/// [`ByNormalForm`](crate::ByNormalForm) for a reference that keeps the text it was given.
///
/// ```
/// use locator::{Level, UriRef, UriRefCow, edition::RFC3987, uri_ref};
///
/// let iri = UriRef::parse_by("/naïve", &RFC3987)?;
/// let UriRefCow::Owned(uri) = iri.iri_to_uri()? else { panic!() };
/// assert_eq!(uri, "/na%C3%AFve");
///
/// let normal = uri_ref!("http://EXAMPLE.com/").normalize(Level::Syntax);
/// assert!(!normal.is_as_given());
/// assert_eq!(normal.as_uri_ref().authority().unwrap().as_str(), "example.com");
/// assert_eq!(normal.into_string(), "http://example.com/");
/// # Ok::<_, locator::Error>(())
/// ```
#[derive(Clone)]
pub enum UriRefCow<'a> {
    /// There was nothing to change, and nothing has been copied.
    Borrowed(UriRef<'a>),
    /// The reference with what was changed.
    Owned(UriRefBuf),
}

impl<'a> UriRefCow<'a> {
    /// The same as a reference, of which every question can be asked.
    pub fn as_uri_ref(&self) -> UriRef<'_> {
        match self {
            Self::Borrowed(reference) => *reference,
            Self::Owned(reference) => reference.as_uri_ref(),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.as_uri_ref().as_str()
    }

    /// Whether there was nothing to change.
    pub const fn is_as_given(&self) -> bool {
        matches!(self, Self::Borrowed(_))
    }

    /// The text, borrowed from the reference that was given if nothing was changed.
    pub fn into_text(self) -> Cow<'a, str> {
        match self {
            Self::Borrowed(reference) => Cow::Borrowed(reference.as_str()),
            Self::Owned(reference) => Cow::Owned(reference.into_string()),
        }
    }

    /// The text, given away.
    pub fn into_string(self) -> String {
        self.into_text().into_owned()
    }

    /// The same with its own text.
    pub fn into_owned(self) -> UriRefBuf {
        match self {
            Self::Borrowed(reference) => reference.to_owned(),
            Self::Owned(reference) => reference,
        }
    }
}
