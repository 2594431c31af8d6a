//! Documents of WAIS databases: takes the text after the name of a database, returns the document's
//! type, length and identifier. Follows "WAIS" of the drafts of 1993 and 1994, and RFC 1738,
//! section 3.9.

use alloc::vec::Vec;
use core::str::{self, FromStr};

use super::identifier;
use crate::component::SpannedStr;
use crate::form::ValueError;

/// The document that defines the length, which later documents omit.
#[cfg(feature = "plan")]
const LENGTH: &str = "draft of 1993, WAIS";

/// A document of a database.
///
/// ```
/// use locator::scheme::{WaisObject, WaisUrl};
/// use locator::uri;
///
/// let url = WaisUrl::try_from(uri!("wais://h/db/TEXT/%03%01a")).unwrap();
/// let WaisObject::Document(document) = url.object else {
///     panic!("it names a document")
/// };
/// assert_eq!(
///     (document.wtype.as_str(), document.wpath.as_str()),
///     ("TEXT", "%03%01a")
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaisDocument<'a> {
    /// "The WAIS designation of the type of the object": `TEXT`.
    pub wtype: SpannedStr<'a>,
    /// The length in octets, if the URL contains it: in 1993, and in the URLs of later programs.
    pub length: Option<SpannedStr<'a>>,
    /// The document's identifier, as a whole or as fields.
    pub wpath: SpannedStr<'a>,
}

impl<'a> WaisDocument<'a> {
    /// Reads `wtype "/" [ length "/" ] wpath`. Without a rule for the length, digits are a length
    /// only if fields follow them: a whole identifier may begin with anything.
    pub(super) fn read(document: SpannedStr<'a>, has_length: bool) -> Option<Self> {
        let (wtype, wpath) = document.split_once("/")?;
        let whole = Self { wtype, length: None, wpath };
        let with_length =
            wpath.split_once("/").map(|(length, wpath)| Self { length: Some(length), wpath, ..whole });
        let is_length = |document: &Self| {
            has_length || document.length.is_some_and(is_number) && document.fields().is_some()
        };
        Some(with_length.filter(is_length).unwrap_or(whole))
    }

    /// Returns the number and the value of each field of the identifier, if `wpath` has the form
    /// `number=value;…` of 1994; otherwise `wpath` is the identifier itself.
    #[must_use]
    pub fn fields(&self) -> Option<Vec<(SpannedStr<'a>, SpannedStr<'a>)>> {
        fields_of(self.wpath)
    }

    /// Returns the octets of the identifier, which "should be treated opaquely": only its server
    /// understands it.
    ///
    /// # Errors
    ///
    /// The number of a field is too large.
    pub fn identifier(&self) -> Result<Vec<u8>, ValueError> {
        let Some(fields) = self.fields() else { return Ok(self.wpath.decode().into_owned()) };
        let mut identifier = Vec::new();
        for (number, value) in fields {
            let expects = "the number of a field of a document identifier";
            let wrong = value_error(number, expects, "draft of 1994, WAIS");
            let number: u16 = value_of(number).ok_or(wrong)?;
            identifier::push(&mut identifier, number.into(), &value.decode());
        }
        Ok(identifier)
    }

    /// Returns the media type of documents of this type, for the types that servers used.
    ///
    /// ```
    /// use locator::scheme::{WaisObject, WaisUrl};
    /// use locator::uri;
    ///
    /// let url = WaisUrl::try_from(uri!("wais://h/db/HTML/%03%01a")).unwrap();
    /// let WaisObject::Document(document) = url.object else { panic!("it names a document") };
    /// assert_eq!(document.media_type(), Some("text/html"));
    /// ```
    #[must_use]
    pub fn media_type(&self) -> Option<&'static str> {
        media_type_of(&self.wtype.decode())
    }

    /// Returns the length; `None` if it is missing or 0.
    ///
    /// # Errors
    ///
    /// The length is too large.
    #[cfg(feature = "plan")]
    pub(super) fn octets(&self) -> Result<Option<u64>, ValueError> {
        let Some(length) = self.length else { return Ok(None) };
        match value_of(length) {
            Some(0) => Ok(None),
            Some(length) => Ok(Some(length)),
            None => Err(value_error(length, "the length of a document", LENGTH)),
        }
    }

    /// Returns the section that defines the form of the identifier.
    #[cfg(feature = "plan")]
    pub(super) fn citation(&self) -> &'static str {
        if self.length.is_some() { LENGTH } else { "RFC 1738, 3.9" }
    }
}

/// Returns the media type of a type of documents, for the types that servers used.
pub fn media_type_of(wtype: &[u8]) -> Option<&'static str> {
    Some(match wtype {
        b"TEXT" => "text/plain",
        b"HTML" => "text/html",
        b"WSRC" => "application/x-wais-source",
        b"GIF" => "image/gif",
        b"JPEG" => "image/jpeg",
        b"TIFF" => "image/tiff",
        b"PS" => "application/postscript",
        _ => return None,
    })
}

/// Returns the number and the value of each field of an identifier; `None` if it does not consist of
/// fields.
pub(super) fn fields_of<'w>(wpath: SpannedStr<'w>) -> Option<Vec<(SpannedStr<'w>, SpannedStr<'w>)>> {
    let mut fields: Vec<_> = wpath.split(";").collect();
    // The last ";" ends a field, and does not begin another.
    if fields.last().is_some_and(|last| last.is_empty()) {
        fields.pop();
    }
    let divided = |field: SpannedStr<'w>| field.split_once("=").filter(|(number, _)| is_number(*number));
    fields.into_iter().map(divided).collect::<Option<Vec<_>>>().filter(|fields| !fields.is_empty())
}

/// Returns the error of a value that a packet cannot contain.
pub(super) const fn value_error(
    excerpt: SpannedStr<'_>,
    expects: &'static str,
    citation: &'static str,
) -> ValueError {
    ValueError::Unexpected { span: excerpt.place(), expects, citation }
}

/// Returns whether these are decimal digits; escaped digits are equivalent.
fn is_number(excerpt: SpannedStr<'_>) -> bool {
    !excerpt.is_empty() && excerpt.decode().iter().all(u8::is_ascii_digit)
}

/// Returns the number of these digits; `None` if it is too large.
fn value_of<N: FromStr>(digits: SpannedStr<'_>) -> Option<N> {
    str::from_utf8(&digits.decode()).ok()?.parse().ok()
}
