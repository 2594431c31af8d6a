//! Hints for inputs that contain more than a URL: delimiters around it (RFC 3986, appendix C) or a
//! location before it, as `locator find` prints it.

use locator::{Edition, scheme};

/// Returns the hint for an invalid input that contains a URL.
pub(crate) fn of(octets: &[u8], edition: &Edition) -> Option<&'static str> {
    let trimmed = octets.trim_ascii();
    match trimmed {
        [b'<', inner @ .., b'>'] if begins_with_scheme(without_prefix(inner.trim_ascii())) => {
            Some(IN_BRACKETS)
        }
        [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] if begins_with_scheme(inner) => Some(IN_QUOTES),
        _ if has_prefix(octets) && edition.prefix().is_none() => Some(PREFIX),
        _ if trimmed.len() < octets.len() => Some(AROUND),
        _ => None,
    }
}

/// Returns whether a URL begins with "URL:", which is not a scheme.
pub(crate) fn has_prefix(octets: &[u8]) -> bool {
    let rest = without_prefix(octets);
    rest.len() < octets.len() && begins_with_scheme(rest)
}

/// The hint for the prefix "URL:".
pub(crate) const PREFIX: &str = "\"URL:\" is a marker for URLs in text, not a scheme (RFC 3986, appendix C);
remove it, read it with -e url-1994, or read the text with 'locator find'";

const IN_BRACKETS: &str = "\"<\" and \">\" delimit a URL in text and are not part of it (RFC 3986,
appendix C); remove them, or read the text with 'locator find'";

const IN_QUOTES: &str = "quotes delimit a URL in text and are not part of it (RFC 3986, appendix C);
remove them, or read the text with 'locator find'";

const AROUND: &str = "the white space around the URL is not part of it (RFC 3986, appendix C)";

fn without_prefix(octets: &[u8]) -> &[u8] {
    match octets.split_at_checked(4) {
        Some((prefix, rest)) if prefix.eq_ignore_ascii_case(b"URL:") => rest,
        _ => octets,
    }
}

/// Returns whether the text begins with the name of a known or registered scheme and ":".
pub(crate) fn begins_with_scheme(octets: &[u8]) -> bool {
    let name = octets.split(|&octet| octet == b':').next().filter(|name| name.len() < octets.len().min(64));
    let name = name.and_then(|name| std::str::from_utf8(name).ok()).unwrap_or_default();
    scheme::lookup(name).is_some() || scheme::status(name).is_some()
}

/// Returns a note on an unknown scheme; empty if the scheme is known.
pub(crate) fn scheme_note(name: &str) -> String {
    if scheme::lookup(name).is_some() {
        return String::new();
    }
    match (scheme::status(name), scheme::suggest(name)) {
        (Some(status), _) => format!("registered with IANA: {}", status.name()),
        (None, Some(near)) => format!("not registered with IANA; did you mean \"{near}\"?"),
        (None, None) => "not registered with IANA".to_owned(),
    }
}

/// Splits a line of `locator find`, `README.md:12:5:URL`, into the location and the URL.
pub(crate) fn place(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut colons = memchr::memchr_iter(b':', octets);
    let mut number = |from: usize| {
        let end = colons.next()?;
        let digits = octets.get(from..end)?;
        Some((end + 1, !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)))
    };
    let (mut from, mut before) = (0, false);
    // Find the first two adjacent numbers; the file name may contain colons.
    loop {
        let (end, is_number) = number(from)?;
        if before && is_number {
            return Some((&octets[..end - 1], &octets[end..]));
        }
        (from, before) = (end, is_number);
    }
}

/// Returns whether an input is a URL after a location, and not a URL whose scheme looks like a file
/// name.
pub(crate) fn has_place(octets: &[u8]) -> bool {
    !begins_with_scheme(octets) && place(octets).is_some_and(|(_, url)| begins_with_scheme(url))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_what_find_prints() {
        for (line, divided) in [
            ("README.md:12:5:http://h:80/", Some(("README.md:12:5", "http://h:80/"))),
            ("12:5:a", Some(("12:5", "a"))),
            ("a:b:1:2:", Some(("a:b:1:2", ""))),
            ("C:\\a:1:2:x", Some(("C:\\a:1:2", "x"))),
            ("http://h:80/a:1", None),
            ("a:1:b:2:", None),
            ("", None),
        ] {
            let divided = divided.map(|(place, url): (&str, &str)| (place.as_bytes(), url.as_bytes()));
            assert_eq!(place(line.as_bytes()), divided, "{line}");
        }
        assert!(has_place(b"README.md:12:5:http://h/"));
        assert!(!has_place(b"urn:1:2:http:"));
    }
}
