//! Labels of a host in letters: takes a host as it is written, returns its labels as a person
//! reads them, and where each is.
//!
//! Escapes are decoded, A-labels (`xn--…`) are decoded from Punycode (RFC 3492), and characters are
//! mapped as UTS 46 maps them. A label that UTS 46 refuses is decoded as far as possible.

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

use crate::domain;
use locator::PctStr;

/// The characters between labels: "." and what IDNA reads as such (RFC 3490, 3.1).
const DOTS: [char; 4] = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];

/// The beginning of an A-label (RFC 5890, 2.3.2.1).
pub(crate) const ACE_PREFIX: &str = "xn--";

/// The octets that a label has at most (RFC 1034, 3.1). Longer ones are not decoded, because that takes
/// quadratic time.
pub(crate) const MAX_LABEL: usize = 63;

/// A label of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    /// The bytes of the host that it is.
    pub(crate) span: Range<usize>,
    /// Its letters, in lower case.
    pub(crate) letters: String,
}

/// Returns whether a host may have letters beyond ASCII: as characters, in escapes or in A-labels.
pub(crate) fn may_have_letters_beyond_ascii(host: &str) -> bool {
    !host.is_ascii() || host.contains('%') || host.split('.').any(is_a_label)
}

/// Returns whether a label begins as A-labels do.
pub(crate) fn is_a_label(label: &str) -> bool {
    label.get(..ACE_PREFIX.len()).is_some_and(|start| start.eq_ignore_ascii_case(ACE_PREFIX))
}

/// Returns the labels of a host, without an empty one at its end.
pub(crate) fn labels(host: &str) -> impl Iterator<Item = Label> {
    let mut start = 0;
    host.split_inclusive(DOTS).map(move |label| {
        let written = label.strip_suffix(DOTS).unwrap_or(label);
        let span = start..start + written.len();
        start += label.len();
        Label { span, letters: letters(written) }
    })
}

/// Returns the letters of a label.
fn letters(written: &str) -> String {
    if !may_have_letters_beyond_ascii(written) {
        return written.to_ascii_lowercase();
    }
    let decoded = decoded(written);
    domain::mapped_letters(&decoded).unwrap_or_else(|| {
        let is_encoded = is_a_label(&decoded) && decoded.len() <= MAX_LABEL;
        let encoded = decoded.get(ACE_PREFIX.len()..).filter(|_| is_encoded);
        let lower = || decoded.chars().flat_map(char::to_lowercase).collect();
        encoded.and_then(domain::from_punycode).unwrap_or_else(lower)
    })
}

/// Returns a text with its escapes decoded, if all of them are UTF-8. It is owned only if it has escapes.
pub(crate) fn decoded(written: &str) -> Cow<'_, str> {
    match PctStr::new(written) {
        Ok(encoded) => encoded.decode_utf8().unwrap_or(Cow::Borrowed(written)),
        Err(_) => Cow::Borrowed(written),
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn labels_of_hosts() {
        for (host, expected) in [
            ("", &[][..]),
            ("WWW.example.com.", &["www", "example", "com"]),
            ("a..b", &["a", "", "b"]),
            ("M\u{DC}NCHEN.de", &["m\u{FC}nchen", "de"]),
            ("xn--mnchen-3ya.DE", &["m\u{FC}nchen", "de"]),
            ("XN--MNCHEN-3YA.de", &["m\u{FC}nchen", "de"]),
            ("m%C3%BCnchen.de", &["m\u{FC}nchen", "de"]),
            ("m%FCnchen.de", &["m%fcnchen", "de"]),
            ("m%nchen.de", &["m%nchen", "de"]),
            ("\u{65E5}\u{672C}\u{8A9E}\u{3002}jp", &["\u{65E5}\u{672C}\u{8A9E}", "jp"]),
            // U+0378 is not assigned.
            ("a\u{378}B", &["a\u{378}b"]),
            ("xn--ab-g4b", &["a\u{378}b"]),
            ("xn--\u{E9}", &["xn--\u{E9}"]),
        ] {
            let labels = labels(host).map(|label| label.letters).collect::<Vec<_>>();
            assert_eq!(labels, expected, "{host}");
        }
    }

    #[test]
    fn spans_are_those_of_the_host() {
        let host = "www.xn--mnchen-3ya\u{FF0E}de.";
        let labels = labels(host).map(|label| &host[label.span]).collect::<Vec<_>>();
        assert_eq!(labels, ["www", "xn--mnchen-3ya", "de"]);
    }
}
