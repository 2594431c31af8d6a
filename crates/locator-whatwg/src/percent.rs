//! Percent-encoding and decoding, and the sets of code points that are encoded (URL Standard,
//! "Percent-encoded bytes").

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// A percent-encode set: the bytes that are encoded. Those above 0x7E always are.
#[derive(Clone, Copy)]
pub(crate) struct EncodeSet(&'static [bool; 256]);

macro_rules! sets {
    ($($name:ident = $from:expr, $more:literal;)*) => {$(
        pub(crate) const $name: Self = {
            static SET: [bool; 256] = with($from, $more);
            Self(&SET)
        };
    )*};
}

impl EncodeSet {
    sets! {
        C0_CONTROL = [false; 256], b"";
        FRAGMENT = [false; 256], b" \"<>`";
        QUERY = [false; 256], b" \"#<>";
        SPECIAL_QUERY = *EncodeSet::QUERY.0, b"'";
        PATH = *EncodeSet::QUERY.0, b"?^`{}";
        USERINFO = *EncodeSet::PATH.0, b"/:;=@[\\]|";
        // Data of one segment: also what would divide it, or be an escape.
        PATH_SEGMENT = *EncodeSet::PATH.0, b"/%";
        SPECIAL_PATH_SEGMENT = *EncodeSet::PATH_SEGMENT.0, b"\\";
    }

    pub(crate) const fn contains(self, byte: u8) -> bool {
        self.0[byte as usize]
    }
}

/// A set with C0 controls, what is above 0x7E, and some more bytes.
const fn with(mut set: [bool; 256], more: &[u8]) -> [bool; 256] {
    let mut byte = 0;
    while byte < 256 {
        set[byte] |= byte < 0x20 || byte > 0x7E;
        byte += 1;
    }
    let mut at = 0;
    while at < more.len() {
        set[more[at] as usize] = true;
        at += 1;
    }
    set
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
