//! The character encodings of the editions: converts text to the octets that escapes encode, and
//! back.

use crate::as_text::error_as_sentence;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::ops::Range;

crate::as_text::named! {
    /// The character encoding of percent-encoded octets.
    ///
    /// ```
    /// use locator::Charset;
    /// use locator::edition::{RFC3986, URL_1993};
    ///
    /// assert_eq!(
    ///     (URL_1993.charset(), RFC3986.charset()),
    ///     (Charset::Latin1, Charset::Utf8)
    /// );
    /// assert_eq!(Charset::Latin1.decode(b"caf\xE9".into())?, "café");
    /// assert_eq!(Charset::Utf8.decode(b"caf\xE9".into()).unwrap_err().span(), 3..4);
    /// assert_eq!(Charset::Latin1.encode("€"), Err('€'));
    /// # Ok::<_, locator::CharsetError>(())
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Charset {
        /// UTF-8, which every new scheme uses (RFC 3986, section 2.5).
        Utf8 = "UTF-8",
        /// ISO 8859-1, the charset of the edition `url-1993`.
        Latin1 = "ISO 8859-1",
    }

    /// Returns the name as documents write it: `ISO 8859-1`.
    pub const fn name;
}

impl Charset {
    /// Returns the text encoded in this charset.
    ///
    /// ```
    /// use locator::Charset;
    ///
    /// assert_eq!(*Charset::Utf8.encode("é").unwrap(), *b"\xC3\xA9");
    /// assert_eq!(*Charset::Latin1.encode("é").unwrap(), *b"\xE9");
    /// assert_eq!(Charset::Latin1.encode("5 €"), Err('€'));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first character that the charset does not contain.
    pub fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, char> {
        match self {
            Self::Latin1 if !text.is_ascii() => {
                let octets: Result<Vec<u8>, char> =
                    text.chars().map(|c| u8::try_from(c).map_err(|_| c)).collect();
                octets.map(Cow::Owned)
            }
            _ => Ok(Cow::Borrowed(text.as_bytes())),
        }
    }

    /// Returns the text that these octets encode, borrowed if they are UTF-8 of that text.
    ///
    /// ```
    /// use locator::Charset;
    ///
    /// assert_eq!(Charset::Latin1.decode(b"\xE9".into()).unwrap(), "é");
    /// assert_eq!(Charset::Utf8.decode(b"a\xE9".into()).unwrap_err().offset(), 1);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the position of the first octet that the charset does not define.
    pub fn decode(self, octets: Cow<'_, [u8]>) -> Result<Cow<'_, str>, CharsetError> {
        let error = |error: core::str::Utf8Error| CharsetError { charset: self, offset: error.valid_up_to() };
        match (self, octets) {
            (Self::Latin1, octets) if !octets.is_ascii() => {
                Ok(Cow::Owned(octets.iter().map(|&octet| char::from(octet)).collect()))
            }
            (_, Cow::Borrowed(octets)) => str::from_utf8(octets).map(Cow::Borrowed).map_err(error),
            (_, Cow::Owned(octets)) => {
                String::from_utf8(octets).map(Cow::Owned).map_err(|refused| error(refused.utf8_error()))
            }
        }
    }

    /// Returns the first character of the octets and its length in octets.
    ///
    /// ```
    /// use locator::Charset;
    ///
    /// assert_eq!(Charset::Utf8.first(b"\xC3\xA9a"), Some(('é', 2)));
    /// assert_eq!(Charset::Latin1.first(b"\xC3\xA9a"), Some(('Ã', 1)));
    /// assert_eq!(Charset::Utf8.first(b"\xE9a"), None);
    /// ```
    #[must_use]
    pub fn first(self, octets: &[u8]) -> Option<(char, usize)> {
        match self {
            Self::Latin1 => octets.first().map(|&octet| (char::from(octet), 1)),
            Self::Utf8 => (1..=octets.len().min(4)).find_map(|length| {
                let c = str::from_utf8(&octets[..length]).ok()?.chars().next()?;
                Some((c, length))
            }),
        }
    }
}

/// The error of decoded bytes that are not text in a charset.
///
/// ```
/// let path = locator::uri!("http://h/a%FFb").path();
/// let error = path.as_pct_str().decode_utf8().unwrap_err();
/// assert_eq!(error.charset(), locator::Charset::Utf8);
/// assert_eq!(error.offset(), error.span().start);
/// assert_eq!(path.as_pct_str().decode_utf8_lossy(), "/a\u{FFFD}b");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CharsetError {
    charset: Charset,
    offset: usize,
}

impl CharsetError {
    /// Returns the charset.
    #[must_use]
    pub const fn charset(&self) -> Charset {
        self.charset
    }

    /// Returns the offset of the first decoded byte that is not text in the charset, from 0.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the byte range of that byte in the decoded data.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.offset..self.offset + 1
    }

    /// Returns the document that defines the charset: `RFC 3629, 4`.
    #[must_use]
    pub const fn citation(&self) -> &'static str {
        match self.charset {
            Charset::Utf8 => "RFC 3629, 4",
            Charset::Latin1 => "ISO/IEC 8859-1",
        }
    }
}

impl Display for CharsetError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "invalid {}, at byte {} of the decoded data", self.charset.name(), self.offset)
    }
}

error_as_sentence!(CharsetError);
