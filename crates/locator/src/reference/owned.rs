//! References that own their text: they keep it with its parts and lend themselves as the
//! borrowed ones, which answer every question.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::str::FromStr;

use super::{Uri, UriRef};
use crate::edition::{self, Edition};
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
    ///
    /// ```
    /// use locator::{UriRefBuf, edition::RFC3986};
    ///
    /// let (error, text) = UriRefBuf::from_string(String::from("a b"), &RFC3986).unwrap_err();
    /// assert_eq!((error.span().start, text.as_str()), (1, "a b"));
    /// ```
    pub fn from_string(text: String, edition: &'static Edition) -> Result<Self, (Error, String)> {
        match parse::read(&text, edition, |_, parts, _| parts) {
            Ok(parts) => Ok(Self { text, parts, edition }),
            Err(error) => Err((error, text)),
        }
    }

    /// A text that was put together from what has been read, with its parts.
    #[inline(always)]
    pub(crate) fn of_parts(text: String, parts: Parts, edition: &'static Edition) -> Self {
        debug_assert_eq!(parse::read(&text, edition, |_, parts, _| parts), Ok(parts), "{text}");
        Self { text, parts, edition }
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

    /// Reads a reference that has a scheme by an edition and keeps the text.
    ///
    /// # Errors
    ///
    /// The first thing from the left that is wrong, and the text given back.
    pub fn from_string(text: String, edition: &'static Edition) -> Result<Self, (Error, String)> {
        let reference = UriRefBuf::from_string(text, edition)?;
        match Uri::try_from(reference.as_uri_ref()) {
            Ok(_) => Ok(Self(reference)),
            Err(error) => Err((error, reference.text)),
        }
    }

    /// A text with a scheme that was put together from what has been read, with its parts.
    #[inline(always)]
    pub(crate) fn of_parts(text: String, parts: Parts, edition: &'static Edition) -> Self {
        debug_assert!(parts.scheme_end > u32::from(parts.start), "{text}");
        Self(UriRefBuf::of_parts(text, parts, edition))
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

/// The borrowed and the owned ones of a kind.
macro_rules! owns {
    ($($owned:ident of $borrowed:ident),*) => {$(
        impl FromStr for $owned {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> {
                $borrowed::parse(text).map($borrowed::to_owned)
            }
        }

        impl TryFrom<String> for $owned {
            type Error = Error;

            fn try_from(text: String) -> Result<Self, Error> {
                Self::from_string(text, edition::DEFAULT).map_err(|(error, _)| error)
            }
        }

        impl From<$borrowed<'_>> for $owned {
            fn from(reference: $borrowed<'_>) -> Self {
                reference.to_owned()
            }
        }
    )*};
}

owns!(UriRefBuf of UriRef, UriBuf of Uri);

impl<'a> From<&'a UriRefBuf> for UriRef<'a> {
    fn from(reference: &'a UriRefBuf) -> Self {
        reference.as_uri_ref()
    }
}

impl<'a> From<&'a UriBuf> for UriRef<'a> {
    fn from(uri: &'a UriBuf) -> Self {
        *uri.as_uri()
    }
}

impl<'a> From<&'a UriBuf> for Uri<'a> {
    fn from(uri: &'a UriBuf) -> Self {
        uri.as_uri()
    }
}

impl From<UriBuf> for UriRefBuf {
    fn from(uri: UriBuf) -> Self {
        uri.0
    }
}

/// The text is taken over, not read again.
impl TryFrom<UriRefBuf> for UriBuf {
    type Error = Error;

    fn try_from(reference: UriRefBuf) -> Result<Self, Error> {
        Uri::try_from(reference.as_uri_ref()).map(drop)?;
        Ok(Self(reference))
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
            |text: &str, edition| UriBuf::from_string(text.to_owned(), edition).expect_err("refused");
        let (error, text) = refused("//h/a", &RFC3986);
        assert_eq!((error, &text[..]), (Uri::parse("//h/a").expect_err("it has no scheme"), "//h/a"));
        let (error, text) = refused("http://h/~", &RFC1738);
        assert_eq!((error.span().start, &text[..]), (9, "http://h/~"));
    }
}
