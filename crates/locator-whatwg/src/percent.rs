//! Percent-encoding and decoding, and the sets of code points that are encoded (URL Standard,
//! "Percent-encoded bytes").

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// A percent-encode set: the bytes that are encoded. Those above 0x7E always are. It is a bit of [`SETS`].
#[derive(Clone, Copy)]
pub(crate) struct EncodeSet(u8);

impl EncodeSet {
    pub(crate) const C0_CONTROL: Self = Self(1);
    pub(crate) const FRAGMENT: Self = Self(1 << 1);
    pub(crate) const QUERY: Self = Self(1 << 2);
    pub(crate) const SPECIAL_QUERY: Self = Self(1 << 3);
    pub(crate) const PATH: Self = Self(1 << 4);
    pub(crate) const USERINFO: Self = Self(1 << 5);
    /// Data of one segment: also what would divide it, or be an escape.
    pub(crate) const PATH_SEGMENT: Self = Self(1 << 6);
    pub(crate) const SPECIAL_PATH_SEGMENT: Self = Self(1 << 7);

    pub(crate) const fn contains(self, byte: u8) -> bool {
        SETS[byte as usize] & self.0 != 0
    }
}

/// The sets that contain a byte. Each has C0 controls, what is above 0x7E, and some more bytes.
static SETS: [u8; 256] = {
    let (mut sets, mut byte) = ([0; 256], 0);
    while byte < 256 {
        if byte < 0x20 || byte > 0x7E {
            sets[byte] = u8::MAX;
        }
        byte += 1;
    }
    let segment = EncodeSet::PATH_SEGMENT.0 | EncodeSet::SPECIAL_PATH_SEGMENT.0;
    let path = EncodeSet::PATH.0 | EncodeSet::USERINFO.0 | segment;
    let query = EncodeSet::QUERY.0 | EncodeSet::SPECIAL_QUERY.0 | path;
    with(&mut sets, EncodeSet::FRAGMENT.0, b" \"<>`");
    with(&mut sets, query, b" \"#<>");
    with(&mut sets, EncodeSet::SPECIAL_QUERY.0, b"'");
    with(&mut sets, path, b"?^`{}");
    with(&mut sets, EncodeSet::USERINFO.0, b"/:;=@[\\]|");
    with(&mut sets, segment, b"/%");
    with(&mut sets, EncodeSet::SPECIAL_PATH_SEGMENT.0, b"\\");
    sets
};

/// Adds bytes to some sets.
const fn with(sets: &mut [u8; 256], of: u8, more: &[u8]) {
    let mut at = 0;
    while at < more.len() {
        sets[more[at] as usize] |= of;
        at += 1;
    }
}

/// Appends a text; its bytes that are in a set are percent-encoded: "UTF-8 percent-encode".
pub(crate) fn push_encoded(out: &mut String, text: &str, set: EncodeSet) {
    let mut kept = 0;
    for (at, byte) in text.bytes().enumerate() {
        if set.contains(byte) {
            // All bytes that are not ASCII are in the set, so these are places between characters.
            out.push_str(text.get(kept..at).unwrap_or_default());
            push_escape(out, byte);
            kept = at + 1;
        }
    }
    out.push_str(text.get(kept..).unwrap_or_default());
}

/// Appends bytes, of any encoding.
pub(crate) fn push_encoded_bytes(out: &mut String, bytes: &[u8], set: EncodeSet) {
    for &byte in bytes {
        if set.contains(byte) { push_escape(out, byte) } else { out.push(char::from(byte)) }
    }
}

fn push_escape(out: &mut String, byte: u8) {
    out.extend(escape(byte).map(char::from));
}

/// "percent-encode"
pub(crate) const fn escape(byte: u8) -> [u8; 3] {
    const HEX: [u8; 16] = *b"0123456789ABCDEF";
    [b'%', HEX[(byte >> 4) as usize], HEX[(byte & 15) as usize]]
}

/// Removes tabs and line ends, as the parser does.
pub(crate) fn without_line_ends(text: &str) -> Cow<'_, str> {
    let is_line_end = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r');
    // Without a branch for each byte, so that many are looked at together.
    match text.bytes().fold(false, |is_found, byte| is_found | is_line_end(byte)) {
        true => Cow::Owned(text.replace(['\t', '\n', '\r'], "")),
        false => Cow::Borrowed(text),
    }
}

/// Appends a text without its tabs and line ends.
pub(crate) fn push_encoded_line(out: &mut String, text: &str, set: EncodeSet) {
    push_encoded(out, &without_line_ends(text), set);
}

/// Appends a code point: "UTF-8 percent-encode".
#[inline(never)]
pub(crate) fn push_encoded_char(out: &mut String, character: char, set: EncodeSet) {
    push_encoded(out, character.encode_utf8(&mut [0; 4]), set);
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
pub(crate) const fn hex_pair(bytes: &[u8]) -> Option<u8> {
    let [high, low, ..] = bytes else { return None };
    match ((*high as char).to_digit(16), (*low as char).to_digit(16)) {
        // INVARIANT: a hex digit is below 16.
        (Some(high), Some(low)) => Some((high << 4 | low) as u8),
        _ => None,
    }
}
