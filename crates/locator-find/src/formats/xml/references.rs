//! References in XML. Decodes text or the value of an attribute and maps each character to its
//! source. Follows XML 1.0, 4.1 and 4.6. Entities that a document declares are not known here and
//! are copied unchanged.

use memchr::memchr;

use crate::decode::decoded::Decoded;

/// Decodes octets that begin at `start`.
pub(super) fn decode(octets: &[u8], start: usize, decoded: &mut Decoded) {
    let mut at = 0;
    while let Some(sign) = memchr(b'&', &octets[at..]).map(|length| at + length) {
        decoded.keep(&octets[at..sign], start + at);
        let (text, length) = read(&octets[sign..]).unwrap_or(('&', 1));
        let mut buffer = [0; 4];
        let text = text.encode_utf8(&mut buffer);
        decoded.put(text.as_bytes(), start + sign, (text.len(), length));
        at = sign + length;
    }
    decoded.keep(&octets[at..], start + at);
}

/// The maximum length of a reference.
const LONGEST: usize = 12;

/// Returns the character of the reference at the start, and its length.
fn read(octets: &[u8]) -> Option<(char, usize)> {
    let end = octets.iter().take(LONGEST).position(|octet| *octet == b';')?;
    let name = str::from_utf8(&octets[1..end]).ok()?;
    let character = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "apos" => '\'',
        "quot" => '"',
        _ => {
            let number = name.strip_prefix('#')?;
            let read =
                number.strip_prefix('x').map_or_else(|| number.parse(), |hex| u32::from_str_radix(hex, 16));
            char::from_u32(read.ok()?)?
        }
    };
    Some((character, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_decoded_and_traced() {
        let mut decoded = Decoded::default();
        decode(b"a&amp;b&#xE9;&#38;&nbsp;&#0;&", 10, &mut decoded);
        assert_eq!(str::from_utf8(decoded.text()), Ok("a&b\u{E9}&&nbsp;\0&"));
        assert_eq!(decoded.source_of(1..3), 11..17);
        assert_eq!(decoded.source_of(3..5), 17..23);
    }
}
