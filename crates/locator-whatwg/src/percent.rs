//! Percent-encoding and decoding, and the sets of code points that are encoded (URL Standard,
//! "Percent-encoded bytes").

use alloc::string::String;
use alloc::vec::Vec;

/// A percent-encode set: the ASCII code points that are encoded. Those above U+007E always are.
#[derive(Clone, Copy)]
pub(crate) struct EncodeSet(u128);

impl EncodeSet {
    pub(crate) const C0_CONTROL: Self = Self(((1 << 0x20) - 1) | (1 << 0x7F));
    pub(crate) const FRAGMENT: Self = Self::C0_CONTROL.and(b" \"<>`");
    pub(crate) const QUERY: Self = Self::C0_CONTROL.and(b" \"#<>");
    pub(crate) const SPECIAL_QUERY: Self = Self::QUERY.and(b"'");
    pub(crate) const PATH: Self = Self::QUERY.and(b"?^`{}");
    pub(crate) const USERINFO: Self = Self::PATH.and(b"/:;=@[\\]|");

    const fn and(self, bytes: &[u8]) -> Self {
        let mut bits = self.0;
        let mut at = 0;
        while at < bytes.len() {
            bits |= 1 << bytes[at];
            at += 1;
        }
        Self(bits)
    }

    pub(crate) const fn contains(self, byte: u8) -> bool {
        byte > 0x7E || self.0 >> byte & 1 == 1
    }
}

/// Appends bytes; those of a set are percent-encoded.
pub(crate) fn push_encoded(out: &mut String, bytes: &[u8], set: EncodeSet) {
    const HEX: [u8; 16] = *b"0123456789ABCDEF";
    let mut rest = bytes;
    loop {
        let kept = rest.iter().position(|&byte| set.contains(byte)).unwrap_or(rest.len());
        let (before, after) = rest.split_at(kept);
        // INVARIANT: what is kept is ASCII.
        out.push_str(core::str::from_utf8(before).unwrap_or_default());
        let Some((&byte, after)) = after.split_first() else { return };
        for digit in [b'%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]] {
            out.push(char::from(digit));
        }
        rest = after;
    }
}

/// Appends a text without its tabs and line ends, which the parser removes.
pub(crate) fn push_encoded_line(out: &mut String, text: &str, set: EncodeSet) {
    for part in text.split(['\t', '\n', '\r']) {
        push_encoded(out, part.as_bytes(), set);
    }
}

/// Appends a code point: "UTF-8 percent-encode".
pub(crate) fn push_encoded_char(out: &mut String, character: char, set: EncodeSet) {
    push_encoded(out, character.encode_utf8(&mut [0; 4]).as_bytes(), set);
}

/// Percent-decodes bytes.
pub(crate) fn decode(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, after @ ..] = rest {
        match (first, hex_pair(after)) {
            (b'%', Some(value)) => {
                out.push(value);
                rest = &after[2..];
            }
            _ => {
                out.push(*first);
                rest = after;
            }
        }
    }
    out
}

/// The value of two hex digits at the start of bytes.
pub(crate) fn hex_pair(bytes: &[u8]) -> Option<u8> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let value = digit(bytes.first()?)? << 4 | digit(bytes.get(1)?)?;
    u8::try_from(value).ok()
}
