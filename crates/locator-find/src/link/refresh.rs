//! Refreshes: a time and a URL, in `<meta http-equiv=refresh>` and the header `Refresh`. Returns the
//! stretch that is the URL. Follows the HTML standard, 4.2.5.3 "shared declarative refresh steps".

use std::ops::Range;

use memchr::memchr;

/// Returns the URL of a refresh.
pub(crate) fn url_of(text: &str) -> Option<Range<usize>> {
    let octets = text.as_bytes();
    let skip = |from: usize, is: &dyn Fn(u8) -> bool| {
        octets[from..].iter().position(|octet| !is(*octet)).map_or(octets.len(), |length| from + length)
    };
    let skip_space = |from: usize| skip(from.min(octets.len()), &|octet: u8| octet.is_ascii_whitespace());
    let time = skip_space(0);
    // "Collect a sequence of code points that are ASCII digits": none are needed before a full
    // stop.
    let digits = skip(time, &|octet| octet.is_ascii_digit());
    if digits == time && octets.get(time) != Some(&b'.') {
        return None;
    }
    let at = skip(digits, &|octet| octet.is_ascii_digit() || octet == b'.');
    // "If the code point in input pointed to by position is not U+003B (;), U+002C (,), or ASCII
    // whitespace, then return."
    octets.get(at).filter(|octet| matches!(octet, b';' | b',') || octet.is_ascii_whitespace())?;
    let at = skip_space(at);
    let at = skip_space(at + usize::from(matches!(octets.get(at), Some(b';' | b','))));
    // "If the code point in input pointed to by position is U+0055 (U) or U+0075 (u)" and so on:
    // all of "url=" or none.
    let start = after_url_equals(octets, at, skip_space).unwrap_or(at);
    let span = match octets.get(start)? {
        quote @ (b'"' | b'\'') => {
            start + 1..memchr(*quote, &octets[start + 1..]).map_or(octets.len(), |length| start + 1 + length)
        }
        _ => start..octets.len(),
    };
    Some(span)
}

/// Returns the time of a refresh in whole seconds: "Parse timeString using the rules for parsing non-negative
/// integers". Without digits it is 0.
pub(crate) fn seconds(octets: &[u8]) -> u32 {
    let digits = octets.trim_ascii_start().iter().take_while(|octet| octet.is_ascii_digit());
    digits.fold(0, |sum: u32, digit| sum.saturating_mul(10).saturating_add((digit - b'0').into()))
}

fn after_url_equals(octets: &[u8], at: usize, skip_space: impl Fn(usize) -> usize) -> Option<usize> {
    let equals = skip_space(at + 3);
    let is_url = octets.get(at..at + 3)?.eq_ignore_ascii_case(b"url");
    (is_url && octets.get(equals) == Some(&b'=')).then(|| skip_space(equals + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_refresh() {
        for (text, expected) in
            [("5; url=a", 5), (" 10.9,a", 10), (".5;a", 0), ("x", 0), ("", 0), ("99999999999;a", u32::MAX)]
        {
            assert_eq!(seconds(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn a_refresh_is_read_as_the_standard_does() {
        for (text, expected) in [
            ("0; url=a", Some("a")),
            ("5;URL='a b' c", Some("a b")),
            (".5 , Url = \"a", Some("a")),
            ("5 a", Some("a")),
            ("5;a", Some("a")),
            ("5;ur=a", Some("ur=a")),
            ("5;'a'b", Some("a")),
            ("5; url a", Some("url a")),
            ("1.2.3;url=", None),
            ("5", None),
            ("5;", None),
            ("5a", None),
            ("x;url=a", None),
        ] {
            assert_eq!(url_of(text).map(|span| &text[span]), expected, "{text}");
        }
    }
}
