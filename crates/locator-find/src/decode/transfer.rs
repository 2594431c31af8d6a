//! Transfer encodings. Decodes a body or an encoded word and maps each octet to its source. Follows
//! RFC 2045, 6.7 and 6.8, and RFC 2047, 4.2. Malformed sequences are copied or skipped, as these
//! sections say.

use memchr::memchr;

use crate::decode::{Decoded, Group};

/// The transfer encoding of a body (RFC 2045, 6.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Transfer {
    /// 7bit, 8bit and binary.
    #[default]
    Identity,
    QuotedPrintable,
    Base64,
    /// Not known: "any entity with an unrecognized Content-Transfer-Encoding must be treated as if
    /// it has a Content-Type of application/octet-stream" (6.4).
    Unknown,
}

impl Transfer {
    /// Returns the encoding with this name.
    pub(crate) fn of_name(name: &[u8]) -> Self {
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        match () {
            () if ["7bit", "8bit", "binary", ""].into_iter().any(is) => Self::Identity,
            () if is("quoted-printable") => Self::QuotedPrintable,
            () if is("base64") => Self::Base64,
            () => Self::Unknown,
        }
    }

    /// Decodes a body; returns `None` if it is not encoded.
    pub(crate) fn decode(self, octets: &[u8]) -> Option<Decoded> {
        match self {
            Self::Identity | Self::Unknown => None,
            Self::QuotedPrintable => Some(quoted_printable(octets)),
            Self::Base64 => Some(base64(octets)),
        }
    }
}

/// Decodes quoted-printable.
fn quoted_printable(octets: &[u8]) -> Decoded {
    let mut decoded = Decoded::default();
    let mut at = 0;
    while at < octets.len() {
        let end = memchr(b'\n', &octets[at..]).map_or(octets.len(), |length| at + length + 1);
        quoted_printable_line(&octets[at..end], at, &mut decoded);
        at = end;
    }
    decoded
}

fn quoted_printable_line(line: &[u8], at: usize, decoded: &mut Decoded) {
    let content = line.strip_suffix(b"\n").unwrap_or(line);
    let content = content.strip_suffix(b"\r").unwrap_or(content);
    let line_end = content.len();
    // "any trailing white space on a line must be deleted"
    let content = content.trim_ascii_end();
    // "An equal sign as the last character on an encoded line is used to indicate such a
    // non-significant ('soft') line break"
    let (content, is_soft) = match content.strip_suffix(b"=") {
        Some(content) => (content, true),
        None => (content, false),
    };
    escapes(content, at, decoded);
    if !is_soft {
        decoded.keep(&line[line_end..], at + line_end);
    }
}

fn escapes(content: &[u8], at: usize, decoded: &mut Decoded) {
    let mut done = 0;
    while let Some(sign) = memchr(b'=', &content[done..]).map(|length| done + length) {
        decoded.keep(&content[done..sign], at + done);
        match escaped(&content[sign + 1..]) {
            Some(octet) => {
                decoded.put(&[octet], at + sign, 3);
                done = sign + 3;
            }
            // "A reasonable approach [...] is to include the "=" character and the following
            // character in the decoded data without any transformation"
            None => {
                decoded.keep(b"=", at + sign);
                done = sign + 1;
            }
        }
    }
    decoded.keep(&content[done..], at + done);
}

fn escaped(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| digits.get(at).and_then(|octet| char::from(*octet).to_digit(16));
    // INVARIANT: two hex digits are one octet.
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

/// Decodes the text of an encoded word in "Q": quoted-printable in one line, where "_" is a space
/// (RFC 2047, 4.2).
pub(crate) fn q(octets: &[u8], at: usize, decoded: &mut Decoded) {
    let mut done = 0;
    while let Some(low) = memchr(b'_', &octets[done..]).map(|length| done + length) {
        escapes(&octets[done..low], at + done, decoded);
        decoded.put(b" ", at + low, 1);
        done = low + 1;
    }
    escapes(&octets[done..], at + done, decoded);
}

/// Decodes base64.
fn base64(octets: &[u8]) -> Decoded {
    let mut decoded = Decoded::default();
    b(octets, 0, &mut decoded);
    decoded
}

/// Decodes base64 that begins at `at`.
pub(crate) fn b(octets: &[u8], at: usize, decoded: &mut Decoded) {
    let mut group = Quantum::default();
    for (index, octet) in octets.iter().enumerate() {
        match SEXTETS[usize::from(*octet)] {
            // "All line breaks or other characters not found in Table 1 must be ignored by decoding
            // software."
            OTHER => {}
            PAD => group.end(decoded),
            sextet => group.take(sextet, at + index, decoded),
        }
    }
    group.end(decoded);
}

/// Returns the length of the start of a base64 text after which no group is incomplete.
pub(crate) fn whole_groups(octets: &[u8]) -> usize {
    let (mut characters, mut end) = (0, 0);
    for (index, octet) in octets.iter().enumerate() {
        match SEXTETS[usize::from(*octet)] {
            OTHER => {}
            PAD => characters = 0,
            _ => characters = (characters + 1) % 4,
        }
        if characters == 0 {
            end = index + 1;
        }
    }
    end
}

/// Up to four characters and their offsets.
#[derive(Debug, Default)]
struct Quantum {
    bits: u32,
    places: [usize; 4],
    length: usize,
}

impl Quantum {
    fn take(&mut self, sextet: u8, place: usize, decoded: &mut Decoded) {
        self.bits = self.bits << 6 | u32::from(sextet);
        self.places[self.length] = place;
        self.length += 1;
        if self.length == 4 {
            self.end(decoded);
        }
    }

    fn end(&mut self, decoded: &mut Decoded) {
        let [_, octets @ ..] = (self.bits << (6 * (4 - self.length))).to_be_bytes();
        // Two characters contain one complete octet, one character none.
        let octets = &octets[..self.length.saturating_sub(1)];
        if self.places[self.length.saturating_sub(1)] - self.places[0] < self.length {
            decoded.put_groups(octets, self.places[0], Group { made: 3, of: 4 });
        } else {
            for (octet, of) in octets.iter().zip(self.places.windows(2)) {
                decoded.put(&[*octet], of[0], of[1] + 1 - of[0]);
            }
        }
        *self = Self::default();
    }
}

const OTHER: u8 = 0x80;
const PAD: u8 = 0x81;

/// "Table 1: The Base64 Alphabet", inverted.
static SEXTETS: [u8; 256] = {
    let mut sextets = [OTHER; 256];
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut sextet = 0;
    while sextet < alphabet.len() {
        sextets[alphabet[sextet] as usize] = sextet as u8;
        sextet += 1;
    }
    sextets[b'=' as usize] = PAD;
    sextets
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_printable_keeps_what_is_none() {
        let decoded = quoted_printable(b"a=3Db =\r\n c=zz= \t\r\nd =20 \r\n=");
        assert_eq!(decoded.text(), b"a=b  c=zzd  \r\n");
        assert_eq!(decoded.source_of(1..2), 1..4);
        assert_eq!(decoded.source_of(5..6), 10..11);
    }

    #[test]
    fn each_octet_of_base64_has_its_characters() {
        for (encoded, text) in
            [("YWJj", "abc"), ("YWI=", "ab"), ("YQ==", "a"), ("YQ==YWJj", "aabc"), ("Y", "")]
        {
            assert_eq!(base64(encoded.as_bytes()).text(), text.as_bytes());
        }
        let decoded = base64(b"YW\r\nJjZGVm");
        assert_eq!(decoded.text(), b"abcdef");
        let sources: Vec<_> = (0..6).map(|at| decoded.source_of(at..at + 1)).collect();
        assert_eq!(sources, [0..2, 1..5, 4..6, 6..8, 7..9, 8..10]);
    }

    #[test]
    fn a_piece_ends_with_a_group() {
        for (octets, length) in [("YWJjZG", 4), ("YW\n Jj\n Z", 8), ("YQ==YQ", 4), ("YWJ", 0), ("YWJj\n ", 6)]
        {
            assert_eq!(whole_groups(octets.as_bytes()), length, "{octets}");
        }
    }

    #[test]
    fn q_has_low_lines_for_spaces() {
        let mut decoded = Decoded::default();
        q(b"a_b=5Fc", 10, &mut decoded);
        assert_eq!(decoded.text(), b"a b_c");
        assert_eq!(decoded.source_of(3..4), 13..16);
    }
}
