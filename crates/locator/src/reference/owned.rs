//! References that own their text: they keep it with its parts and lend themselves as the
//! borrowed ones, which answer every question.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::str::FromStr;

use super::{Uri, UriRef};
use crate::edition::Edition;
use crate::error::Error;
use crate::parse;
use crate::part::Parts;

/// A [`UriRef`] that owns its text.
///
/// ```
/// use locator::UriRefBuf;
///
/// let reference: UriRefBuf = "//host/path".parse()?;
/// assert_eq!(reference.as_uri_ref().authority().unwrap().as_str(), "host");
/// # Ok::<_, locator::Error>(())
/// ```
#[derive(Clone)]
pub struct UriRefBuf {
    text: String,
    parts: Parts,
    edition: &'static Edition,
}

impl UriRefBuf {
    pub(super) fn of(reference: UriRef<'_>) -> Self {
        Self { text: reference.text.to_owned(), parts: reference.parts, edition: reference.edition }
    }

    /// Reads a reference by an edition and keeps the text.
    ///
    /// # Errors
    ///
    /// The first thing from the left that is wrong, and the text given back.
    pub fn from_string(text: String, edition: &'static Edition) -> Result<Self, (Error, String)> {
        match parse::read(&text, edition, |_, parts, _| parts) {
            Ok(parts) => Ok(Self { text, parts, edition }),
            Err(error) => Err((error, text)),
        }
    }

    /// The same, borrowed: every question is asked of that.
    pub fn as_uri_ref(&self) -> UriRef<'_> {
        UriRef { text: &self.text, parts: self.parts, edition: self.edition }
    }

    /// The text as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text, given away.
    pub fn into_string(self) -> String {
        self.text
    }
}

/// A [`Uri`] that owns its text.
///
/// ```
/// use locator::UriBuf;
///
/// let uri: UriBuf = "mailto:John.Doe@example.com".parse()?;
/// assert_eq!(uri.as_uri().scheme(), "mailto");
/// # Ok::<_, locator::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UriBuf(UriRefBuf);

impl UriBuf {
    pub(super) fn of(uri: Uri<'_>) -> Self {
        Self(UriRefBuf::of(uri.0))
    }

    /// The same, borrowed: every question is asked of that.
    pub fn as_uri(&self) -> Uri<'_> {
        Uri(self.0.as_uri_ref())
    }

    /// The text as it was given.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The text, given away.
    pub fn into_string(self) -> String {
        self.0.into_string()
    }
}

impl FromStr for UriRefBuf {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        UriRef::parse(text).map(UriRef::to_owned)
    }
}

impl FromStr for UriBuf {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Uri::parse(text).map(Uri::to_owned)
    }
}

impl From<UriBuf> for UriRefBuf {
    fn from(uri: UriBuf) -> Self {
        uri.0
    }
}
