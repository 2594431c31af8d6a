//! A reference that was to be written anew: as it was given, if there was nothing to change.

use alloc::borrow::Cow;
use alloc::string::String;

use super::{UriRef, UriRefBuf};

/// A reference that was written anew, or the one that was given.
///
/// ```
/// use locator::{Rewritten, UriRef, edition::RFC3987};
///
/// let iri = UriRef::parse_by("/naïve", &RFC3987)?;
/// let Rewritten::Changed(uri) = iri.iri_to_uri()? else { panic!() };
/// assert_eq!(uri, "/na%C3%AFve");
/// # Ok::<_, locator::Error>(())
/// ```
#[derive(Clone)]
pub enum Rewritten<'a> {
    /// There was nothing to change, and nothing has been copied.
    AsGiven(UriRef<'a>),
    /// The reference with what was changed.
    Changed(UriRefBuf),
}

impl<'a> Rewritten<'a> {
    /// The same as a reference, of which every question can be asked.
    pub fn as_uri_ref(&self) -> UriRef<'_> {
        match self {
            Self::AsGiven(reference) => *reference,
            Self::Changed(reference) => reference.as_uri_ref(),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.as_uri_ref().as_str()
    }

    /// Whether there was nothing to change.
    pub const fn is_as_given(&self) -> bool {
        matches!(self, Self::AsGiven(_))
    }

    /// The text, borrowed from the reference that was given if nothing was changed.
    pub fn into_text(self) -> Cow<'a, str> {
        match self {
            Self::AsGiven(reference) => Cow::Borrowed(reference.as_str()),
            Self::Changed(reference) => Cow::Owned(reference.into_string()),
        }
    }

    /// The text, given away.
    pub fn into_string(self) -> String {
        self.into_text().into_owned()
    }

    /// The same with its own text.
    pub fn into_owned(self) -> UriRefBuf {
        match self {
            Self::AsGiven(reference) => reference.to_owned(),
            Self::Changed(reference) => reference,
        }
    }
}
