//! Invalid references as people write them. Percent-encodes the characters that an edition rejects,
//! with the query in the encoding of its document. Follows the URL standard, 4.4 ("percent-encode after
//! encoding").

use encoding_rs::{Encoding, UTF_8};
use locator::repair::escape_with;
use locator::{AsciiSet, BaseCandidate, BaseStack, Component, Edition, PctString};

/// Escapes the characters that the edition rejects; returns `None` if the reference is valid as
/// written or stays invalid.
///
/// A query is encoded in the encoding of its document, as in browsers.
pub(crate) fn escaped(
    reference: &str,
    edition: &'static Edition,
    encoding: &'static Encoding,
) -> Option<String> {
    let encoding = encoding.output_encoding();
    escape_with(reference, edition, |query| {
        let (octets, _, has_others) = encoding.encode(query);
        // "If potentialError is non-null, then append "%26%23", followed by the shortest sequence
        // of ASCII digits [...] and "%3B""
        let letters_and_digits = AsciiSet::ALPHA.union(AsciiSet::DIGIT);
        PctString::encode(octets, if has_others { letters_and_digits } else { edition.set(Component::Query) })
    })
}

/// The maximum length of a base, since each resolved link contains it. "It is RECOMMENDED that all
/// senders and recipients support, at a minimum, URIs with lengths of 8000 octets" (RFC 9110, 4.1).
pub(crate) const LONGEST_BASE: usize = 8 << 10;

/// Adds a base that a document declares, repaired as links are; returns whether it is short enough.
pub(crate) fn embed(bases: &mut BaseStack, given: &str) -> bool {
    if given.len() > LONGEST_BASE {
        return false;
    }
    let around = bases.len();
    let escaped = escaped(given, bases.edition(), UTF_8);
    bases.embedded(escaped.as_deref().unwrap_or(given));
    keep_if_short(bases, around)
}

/// Removes the last base if the resulting base is too long.
pub(crate) fn keep_if_short(bases: &mut BaseStack, around: usize) -> bool {
    let is_short =
        bases.chosen().and_then(BaseCandidate::uri).is_none_or(|uri| uri.as_str().len() <= LONGEST_BASE);
    if !is_short && bases.len() > around {
        bases.truncate(around);
    }
    is_short
}

#[cfg(test)]
mod tests {
    use encoding_rs::{SHIFT_JIS, UTF_16LE, WINDOWS_1252};
    use locator::edition::RFC3986;

    use super::*;

    #[test]
    fn a_query_is_in_the_encoding_of_its_document() {
        for (encoding, expected) in [
            (WINDOWS_1252, "%C3%A9?%E9&%26%2328450%3B#%C3%A9"),
            (SHIFT_JIS, "%C3%A9?%26%23233%3B&%8A%BF#%C3%A9"),
            (UTF_16LE, "%C3%A9?%C3%A9&%E6%BC%A2#%C3%A9"),
        ] {
            let escaped = escaped("é?é&漢#é", &RFC3986, encoding);
            assert_eq!(escaped.as_deref(), Some(expected));
        }
        let mail = escaped("mailto:a@b?subject=é", &RFC3986, WINDOWS_1252);
        assert_eq!(mail.as_deref(), Some("mailto:a@b?subject=%C3%A9"));
    }
}
