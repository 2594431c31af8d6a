//! The character encoding of a document. Decodes the bytes of a value beyond ASCII into characters.
//! Follows the Encoding standard.

use std::borrow::Cow;

use encoding_rs::Encoding;

/// Returns the first character of `octets` and its length in octets; U+FFFD for an invalid octet.
/// Some encodings map one sequence to two characters.
pub(crate) fn first_character<'a>(octets: &'a [u8], encoding: &'static Encoding) -> (Cow<'a, str>, usize) {
    // No encoding has characters of more than four octets.
    (1..=octets.len().min(4))
        .find_map(|length| {
            let text = encoding.decode_without_bom_handling_and_without_replacement(&octets[..length])?;
            Some((text, length))
        })
        .unwrap_or((Cow::Borrowed("\u{FFFD}"), 1))
}

/// The encoding by which values of a document are decoded.
///
/// Markup is ASCII here: a document in UTF-16 is decoded before it is searched.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Charset {
    declared: Option<&'static Encoding>,
}

impl Charset {
    /// The encoding of a text that is already decoded.
    pub(crate) const UTF_8: Self = Self::new(Some(encoding_rs::UTF_8));

    /// Returns the encoding that the document declares, if any.
    pub(crate) const fn new(declared: Option<&'static Encoding>) -> Self {
        Self { declared }
    }

    /// Returns whether octets in UTF-8 are decoded as UTF-8.
    pub(crate) fn is_utf_8(self) -> bool {
        self.declared.is_none_or(|declared| declared == encoding_rs::UTF_8)
    }

    /// Returns the encoding of `octets`: the declared one, else UTF-8 if they are valid, else
    /// windows-1252.
    pub(crate) fn of(self, octets: &[u8]) -> &'static Encoding {
        self.declared.unwrap_or(match str::from_utf8(octets) {
            Ok(_) => encoding_rs::UTF_8,
            Err(_) => encoding_rs::WINDOWS_1252,
        })
    }
}
