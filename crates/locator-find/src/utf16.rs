//! UTF-16. Decodes the code units of a document into text, piece by piece. Follows RFC 2781, 2; a
//! surrogate without its pair is read as U+FFFD, as in the Encoding standard.

use crate::decoder::{Decoder, Text};

/// The decoder of UTF-16.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Utf16 {
    BigEndian,
    LittleEndian,
}

impl Utf16 {
    fn unit(self, octets: &[u8], at: usize) -> Option<u16> {
        let octets = [*octets.get(at)?, *octets.get(at + 1)?];
        Some(match self {
            Self::BigEndian => u16::from_be_bytes(octets),
            Self::LittleEndian => u16::from_le_bytes(octets),
        })
    }
}

impl Decoder for Utf16 {
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize {
        let mut done = 0;
        while let Some(first) = self.unit(octets, done) {
            let second = self.unit(octets, done + 2);
            if second.is_none() && matches!(first, 0xD800..0xDC00) && !is_all {
                return done;
            }
            let units = [first, second.unwrap_or_default()];
            let character = char::decode_utf16(units).next().and_then(Result::ok);
            let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
            let length = 2 * character.len_utf16();
            text.put(character.encode_utf8(&mut [0; 4]).as_bytes(), at + done, length);
            done += length;
        }
        if is_all && done < octets.len() {
            // Half of a code unit.
            text.put("\u{FFFD}".as_bytes(), at + done, octets.len() - done);
            done = octets.len();
        }
        done
    }
}
