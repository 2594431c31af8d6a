//! Character encodings. Converts octets of a known encoding to UTF-8, and maps each character to its
//! octets; [`Charset`] is the encoding that a document declares. Follows the Encoding standard.

use std::borrow::Cow;

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8};

use crate::decode::{Decoded, Escape};

/// Returns what the first octets stand for; U+FFFD for an invalid octet. Some encodings map one sequence to
/// two characters.
pub(crate) fn first_character<'a>(octets: &'a [u8], encoding: &'static Encoding) -> Escape<Cow<'a, str>> {
    // No encoding has characters of more than four octets.
    (1..=octets.len().min(4))
        .find_map(|length| {
            let text = encoding.decode_without_bom_handling_and_without_replacement(&octets[..length])?;
            Some(Escape::new(text, length))
        })
        .unwrap_or(Escape::new(Cow::Borrowed("\u{FFFD}"), 1))
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
    pub(crate) const UTF_8: Self = Self::new(Some(UTF_8));

    /// Returns the encoding that the document declares, if any.
    pub(crate) const fn new(declared: Option<&'static Encoding>) -> Self {
        Self { declared }
    }

    /// Returns whether octets in UTF-8 are decoded as UTF-8.
    pub(crate) fn is_utf_8(self) -> bool {
        self.declared.is_none_or(|declared| declared == UTF_8)
    }

    /// Returns the encoding of `octets`: the declared one, else UTF-8 if they are valid, else
    /// windows-1252.
    pub(crate) fn of(self, octets: &[u8]) -> &'static Encoding {
        self.declared.unwrap_or(match str::from_utf8(octets) {
            Ok(_) => UTF_8,
            Err(_) => encoding_rs::WINDOWS_1252,
        })
    }
}

/// Decodes octets; returns `None` if they are already UTF-8.
pub(crate) fn decode(octets: &[u8], encoding: &'static Encoding) -> Option<Decoded> {
    let is_utf_8 =
        if encoding == UTF_8 { str::from_utf8(octets).is_ok() } else { is_plain(octets, encoding) };
    if is_utf_8 {
        return None;
    }
    let mut decoded = Decoded::default();
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (mut at, mut done) = (0, 0);
    while at < octets.len() {
        if at == done && encoding.is_ascii_compatible() {
            let length = octets[at..].iter().position(|octet| !octet.is_ascii());
            let end = length.map_or(octets.len(), |length| at + length);
            decoded.keep(&octets[at..end], at);
            (at, done) = (end, end);
        }
        let Some(octet) = octets.get(at..=at) else { break };
        at += 1;
        // Decoding one octet at a time shows the source of each character; no octet yields more
        // than two characters.
        let mut buffer = [0; 32];
        let (_, _, written, _) = decoder.decode_to_utf8(octet, &mut buffer, at == octets.len());
        match &buffer[..written] {
            [] => {}
            // The octet itself, also after a sequence that switches to another character set.
            made if made == octet && (at - done == 1 || encoding == ISO_2022_JP) => {
                decoded.keep(made, at - 1);
                done = at;
            }
            made => {
                decoded.put(made, done, at - done);
                done = at;
            }
        }
    }
    Some(decoded)
}

fn is_plain(octets: &[u8], encoding: &'static Encoding) -> bool {
    encoding.is_ascii_compatible() && octets.is_ascii()
}

#[cfg(test)]
mod tests {
    use encoding_rs::{SHIFT_JIS, UTF_16BE, UTF_16LE, WINDOWS_1252};

    use super::*;

    #[track_caller]
    fn decoded(octets: &[u8], encoding: &'static Encoding, text: &str) -> Decoded {
        let decoded = decode(octets, encoding).expect("it must be decoded");
        assert_eq!(str::from_utf8(decoded.text()), Ok(text));
        decoded
    }

    #[test]
    fn utf_8_is_unchanged() {
        assert!(decode("é".as_bytes(), UTF_8).is_none());
        assert!(decode(b"e", WINDOWS_1252).is_none());
    }

    #[test]
    fn a_character_has_its_octets() {
        let latin = decoded(b"\xE9\xE8a\xE9", WINDOWS_1252, "éèaé");
        assert_eq!(latin.source_of(2..4), 1..2);
        assert_eq!(latin.source_of(4..5), 2..3);
        let wide = decoded(b"h\0\xE9\0t\0", UTF_16LE, "hét");
        assert_eq!(wide.source_of(1..3), 2..4);
        let other = decoded(b"\0h\0t", UTF_16BE, "ht");
        assert_eq!(other.source_of(1..2), 2..4);
        let kanji = decoded(b"\x8A\xBF\x8E\x9Aa", SHIFT_JIS, "漢字a");
        assert_eq!(kanji.source_of(3..7), 2..5);
        let broken = decoded(b"a\xC3b\xFF", UTF_8, "a\u{FFFD}b\u{FFFD}");
        assert_eq!(broken.source_of(5..8), 3..4);
    }

    #[test]
    fn a_switch_is_no_part_of_what_follows_in_ascii() {
        let text = decoded(b"\x1B$B4A\x1B(Bhttp", ISO_2022_JP, "漢http");
        assert_eq!(text.source_of(3..7), 8..12);
    }
}
