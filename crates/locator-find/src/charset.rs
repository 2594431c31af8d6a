//! Octets beyond ASCII: those of a value enter, characters leave, by the encoding of the document. Follows the Encoding standard.

use std::borrow::Cow;

use encoding_rs::Encoding;

/// The first character of octets (two, in some encodings), and how many octets it has; U+FFFD for an octet that is none.
pub(crate) fn first_character<'a>(octets: &'a [u8], encoding: &'static Encoding) -> (Cow<'a, str>, usize) {
    // No encoding has characters of more than four octets.
    (1..=octets.len().min(4))
        .find_map(|length| {
            let text = encoding.decode_without_bom_handling_and_without_replacement(&octets[..length])?;
            Some((text, length))
        })
        .unwrap_or((Cow::Borrowed("\u{FFFD}"), 1))
}

/// The encoding of a document, as far as values must be decoded by it.
///
/// It is ASCII in all that tags are made of: a document in UTF-16 was decoded before.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Charset {
    declared: Option<&'static Encoding>,
}

impl Charset {
    /// That of a text which was decoded.
    pub(crate) const UTF_8: Self = Self::new(Some(encoding_rs::UTF_8));

    /// The one that the document declares, if it does.
    pub(crate) const fn new(declared: Option<&'static Encoding>) -> Self {
        Self { declared }
    }

    /// Whether octets that are UTF-8 are read as that.
    pub(crate) fn is_utf_8(self) -> bool {
        self.declared.is_none_or(|declared| declared == encoding_rs::UTF_8)
    }

    /// The encoding of some octets: the one that is declared; else UTF-8, if they are; else the one of the western web.
    pub(crate) fn of(self, octets: &[u8]) -> &'static Encoding {
        self.declared.unwrap_or(match str::from_utf8(octets) {
            Ok(_) => encoding_rs::UTF_8,
            Err(_) => encoding_rs::WINDOWS_1252,
        })
    }
}
