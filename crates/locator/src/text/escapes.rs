//! Decodes the escapes of strings in JSON and similar notations: takes a text and returns its
//! characters. Follows RFC 8259, section 7.

use alloc::string::String;

/// Returns a URL without its escapes.
pub(super) fn unescaped(text: &str) -> String {
    let mut url = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (character, length) = character(&rest.as_bytes()[at..]).unwrap_or(('\\', 1));
        url.push_str(&rest[..at]);
        url.push(character);
        rest = &rest[at + length..];
    }
    url.push_str(rest);
    url
}

/// Returns the character of an escape and the length of the escape; `None` for a surrogate and for
/// other escapes.
pub(super) fn character(escape: &[u8]) -> Option<(char, usize)> {
    match escape {
        [b'\\', b'/', ..] => Some(('/', 2)),
        [b'\\', b'u', digits @ ..] => {
            let digits = core::str::from_utf8(digits.get(..4)?).ok()?;
            let is_hex = digits.bytes().all(|octet| octet.is_ascii_hexdigit());
            let number = is_hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten()?;
            // A character beyond ASCII mostly ends a URL.
            char::from_u32(number).filter(char::is_ascii).map(|character| (character, 6))
        }
        _ => None,
    }
}
