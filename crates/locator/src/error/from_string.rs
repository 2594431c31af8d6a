//! The error of `from_string`, which returns the string to the caller.

use alloc::string::String;
use core::fmt::{self, Display, Formatter};
use core::ops::Range;

use super::parse_error::{ParseError, ParseErrorKind};
use super::redacted::Redacted;

/// The error of a `String` that is not a valid reference, with the string.
///
/// It converts into a parse error, so that `?` works in functions that return one.
///
/// ```
/// use locator::UriBuf;
///
/// let error = UriBuf::from_string(String::from("http://a b/")).unwrap_err();
/// assert_eq!(error.error().span().start, 8);
/// assert_eq!(error.into_string(), "http://a b/");
///
/// fn read(text: String) -> Result<UriBuf, locator::ParseError> {
///     Ok(UriBuf::try_from(text)?)
/// }
/// assert!(read(String::from("/a")).is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct FromStringError {
    error: ParseError,
    text: String,
}

impl FromStringError {
    pub(crate) const fn new(error: ParseError, text: String) -> Self {
        Self { error, text }
    }

    /// Returns the parse error of the string.
    #[must_use]
    pub const fn error(&self) -> ParseError {
        self.error
    }

    /// Returns the kind of the parse error.
    #[must_use]
    pub const fn kind(&self) -> ParseErrorKind {
        self.error.kind()
    }

    /// Returns the bytes of the string that the error is about; empty where something is missing.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.error.span()
    }

    /// Returns the document and section of the rule that the string breaks: `RFC 3986, 3.3`.
    #[must_use]
    pub fn citation(&self) -> impl Display {
        self.error.citation()
    }

    /// Returns the string as a `&str`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the string, unchanged.
    #[must_use]
    pub fn into_string(self) -> String {
        self.text
    }

    /// Returns both the parse error and the string.
    #[must_use]
    pub fn into_parts(self) -> (ParseError, String) {
        (self.error, self.text)
    }
}

impl From<FromStringError> for ParseError {
    fn from(error: FromStringError) -> Self {
        error.error
    }
}

impl fmt::Debug for FromStringError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = Redacted::new(&self.text);
        if !f.alternate() {
            return Display::fmt(&text.error(self.error), f);
        }
        f.debug_struct("FromStringError")
            .field("error", &text.error(self.error))
            .field("text", &text)
            .finish()
    }
}

impl Display for FromStringError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl core::error::Error for FromStringError {}
