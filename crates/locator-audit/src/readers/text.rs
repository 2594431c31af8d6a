//! What several steps of a reader do with a text.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use locator::internal::escaped_octet;

/// Returns the text without TAB, LF and CR.
pub(super) fn without_breaks(text: &str) -> Cow<'_, str> {
    if text.contains(['\t', '\n', '\r']) { text.replace(['\t', '\n', '\r'], "").into() } else { text.into() }
}

/// Returns whether each "%" begins an escape.
pub(super) fn are_escapes(text: &str) -> bool {
    text.split('%').skip(1).all(|rest| {
        let mut digits = rest.bytes().take(2);
        digits.len() == 2 && digits.all(|octet| octet.is_ascii_hexdigit())
    })
}

/// Returns the octets of a text with its escapes decoded; a "%" without two digits stays.
pub(super) fn unescaped(text: &str) -> Vec<u8> {
    decoded(text, |_| true)
}

/// Returns the octets of a text with the wanted escapes decoded.
pub(super) fn decoded(text: &str, wanted: impl Fn(u8) -> bool) -> Vec<u8> {
    let (octets, mut written, mut at) = (text.as_bytes(), Vec::with_capacity(text.len()), 0);
    while let Some(&octet) = octets.get(at) {
        match escaped_octet(&octets[at..]) {
            Some(octet) if wanted(octet) => {
                written.push(octet);
                at += 3;
            }
            _ => {
                written.push(octet);
                at += 1;
            }
        }
    }
    written
}
