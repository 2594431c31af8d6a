//! Diagnostics: the codes by which a server says that it cannot do something (Z39.50-1988).

use std::fmt::{self, Display, Formatter};

use locator::plan::Meaning;

use super::field::MalformedError;

/// A diagnostic of a server.
///
/// ```
/// use locator::plan::Meaning;
/// use locator_fetch::wais::SearchResponse;
///
/// // A diagnostic (tag 28) in the user information (99).
/// let user = b"\x63\x09\x1C\0\x06S5the\0";
/// let apdu = [b"\0\x0B\x17\0\0\0\0\0\0\0\0\0\0", &user[..]].concat();
/// let response = SearchResponse::parse(&apdu)?;
/// let diagnostic = response.diagnostics[0];
/// assert_eq!(
///     (diagnostic.to_string().as_str(), diagnostic.meaning()),
///     ("S5 the", Meaning::Refused)
/// );
/// assert_eq!(diagnostic.words(), "the words are too common to be searched for");
/// # Ok::<_, locator_fetch::wais::MalformedError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagnostic<'a> {
    /// The code: `SF`.
    pub code: [u8; 2],
    /// The text of the server, which may be empty.
    pub text: &'a [u8],
}

/// The code of a request that is out of range: a slice after the end of a document, or a document that
/// does not exist.
const OUT_OF_RANGE: [u8; 2] = *b"SF";

/// The codes, what they mean, and their words.
const CODES: [(&[u8; 2], Meaning, &str); 28] = [
    (b"S1", Meaning::Refused, "permanent error of the system"),
    (b"S2", Meaning::Busy, "temporary error of the system"),
    (b"S3", Meaning::NotSupported, "the search is not supported"),
    (b"S5", Meaning::Refused, "the words are too common to be searched for"),
    (b"S6", Meaning::Refused, "too many words"),
    (b"S7", Meaning::Refused, "too many Boolean operators"),
    (b"S8", Meaning::Refused, "too many truncated words"),
    (b"S9", Meaning::Refused, "too many incomplete subfields"),
    (b"SA", Meaning::Refused, "the truncated words are too short"),
    (b"SB", Meaning::Refused, "the number of a record has a wrong form"),
    (b"SC", Meaning::Refused, "too many characters in the search"),
    (b"SD", Meaning::Refused, "too many records were found"),
    (&OUT_OF_RANGE, Meaning::Missing, "the request is out of range"),
    (b"SG", Meaning::Refused, "error of the system while records were read"),
    (b"SH", Meaning::Refused, "the record is not for everybody"),
    (b"SI", Meaning::Refused, "the record is longer than the preferred size of a message"),
    (b"SJ", Meaning::Refused, "the record is longer than the largest record"),
    (b"SK", Meaning::NotSupported, "a result set is not supported as a term"),
    (b"SL", Meaning::NotSupported, "only one result set is supported as a term"),
    (b"SM", Meaning::NotSupported, "only AND with one result set is supported"),
    (b"SN", Meaning::Refused, "the result set exists"),
    (b"SO", Meaning::NotSupported, "names of result sets are not supported"),
    (b"SP", Meaning::NotSupported, "these databases cannot be searched together"),
    (b"SQ", Meaning::NotSupported, "names of element sets are not supported"),
    (b"SR", Meaning::Refused, "the name of the element set is not valid"),
    (b"SV", Meaning::Busy, "the database is locked"),
    (b"T2", Meaning::Refused, "access is denied"),
    (b"T3", Meaning::NotSupported, "security is not supported"),
];

impl<'a> Diagnostic<'a> {
    /// Parses the value of a diagnostic: the code, the text, and a flag.
    pub(super) fn parse(value: &'a [u8]) -> Result<Self, MalformedError> {
        match value {
            [first, second, text @ .., _] => Ok(Self { code: [*first, *second], text }),
            _ => Err(MalformedError),
        }
    }

    fn listed(&self) -> Option<&'static (&'static [u8; 2], Meaning, &'static str)> {
        CODES.iter().find(|(code, ..)| code.eq_ignore_ascii_case(&self.code))
    }

    /// Returns what the code means.
    #[must_use]
    pub fn meaning(&self) -> Meaning {
        self.listed().map_or(Meaning::Refused, |&(_, meaning, _)| meaning)
    }

    /// Returns the words for the code.
    #[must_use]
    pub fn words(&self) -> &'static str {
        self.listed().map_or("an error without a known code", |&(.., words)| words)
    }

    /// Returns whether the request was out of range.
    #[must_use]
    pub const fn is_out_of_range(&self) -> bool {
        self.code.eq_ignore_ascii_case(&OUT_OF_RANGE)
    }
}

/// Writes the code and the text of the server, or the words for the code if the server sent no text.
impl Display for Diagnostic<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(self.text);
        let text = if self.text.is_empty() { self.words() } else { &*text };
        write!(f, "{} {text}", String::from_utf8_lossy(&self.code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagnostics() {
        let of = |value: &'static [u8]| Diagnostic::parse(value).unwrap();
        let range = of(b"SFRequest out of range\0");
        assert_eq!(
            (range.to_string().as_str(), range.meaning()),
            ("SF Request out of range", Meaning::Missing)
        );
        assert!(range.is_out_of_range());
        assert_eq!(of(b"S2\x01").to_string(), "S2 temporary error of the system");
        assert_eq!(of(b"s2\0").meaning(), Meaning::Busy);
        assert_eq!(
            (of(b"?!\0").to_string().as_str(), of(b"?!\0").meaning()),
            ("?! an error without a known code", Meaning::Refused)
        );
        assert!(Diagnostic::parse(b"SF").is_err());
    }
}
