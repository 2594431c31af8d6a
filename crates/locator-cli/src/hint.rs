//! The octets of an input in, what a person may want to know of it out: what somebody has put around its URL, for RFC 3986, appendix C, lists what URLs are
//! delimited by in text, and `locator find` is what takes that off.

use locator::{Edition, scheme};

/// What is said of an input that is no URL, but has one in it.
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

/// Whether a URL begins with "URL:", which is no scheme.
pub(crate) fn has_prefix(octets: &[u8]) -> bool {
    let rest = without_prefix(octets);
    rest.len() < octets.len() && begins_with_scheme(rest)
}

/// What is said of that.
pub(crate) const PREFIX: &str =
    "\"URL:\" marks a URL in text and is no scheme (RFC 3986, appendix C): leave it
out, read it by -e url-1994, or read the text with 'locator find'";

const IN_BRACKETS: &str = "\"<\" and \">\" mark a URL in text and are no part of it (RFC 3986, appendix C):
leave them out, or read the text with 'locator find'";

const IN_QUOTES: &str = "quotes mark a URL in text and are no part of it (RFC 3986, appendix C): leave
them out, or read the text with 'locator find'";

const AROUND: &str = "there is white space around it, which is no part of a URL (RFC 3986, appendix C)";

fn without_prefix(octets: &[u8]) -> &[u8] {
    match octets.split_at_checked(4) {
        Some((prefix, rest)) if prefix.eq_ignore_ascii_case(b"URL:") => rest,
        _ => octets,
    }
}

/// Whether it begins with the name of a scheme that is known or registered, and ":".
pub(crate) fn begins_with_scheme(octets: &[u8]) -> bool {
    let name = octets.split(|&octet| octet == b':').next().filter(|name| name.len() < octets.len().min(64));
    let name = name.and_then(|name| std::str::from_utf8(name).ok()).unwrap_or_default();
    scheme::named(name).is_some() || scheme::status(name).is_some()
}

/// What a name of a scheme is that is not known here.
pub(crate) fn scheme_note(name: &str) -> String {
    if scheme::named(name).is_some() {
        return String::new();
    }
    match (scheme::status(name), scheme::near(name)) {
        (Some(status), _) => format!("{} in IANA's registry", status.name()),
        (None, Some(near)) => format!("not in IANA's registry; \"{near}\" is near"),
        (None, None) => "not in IANA's registry".to_owned(),
    }
}

/// What `locator find` prints before a URL, `README.md:12:5:`, and the URL.
pub(crate) fn place(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut colons = memchr::memchr_iter(b':', octets);
    let mut number = |from: usize| {
        let end = colons.next()?;
        let digits = octets.get(from..end)?;
        Some((end + 1, !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)))
    };
    let (mut from, mut before) = (0, false);
    // The first two numbers, one after the other: a name may have colons of its own.
    loop {
        let (end, is_number) = number(from)?;
        if before && is_number {
            return Some((&octets[..end - 1], &octets[end..]));
        }
        (from, before) = (end, is_number);
    }
}

/// Whether an input is a URL with its place before it, and not a URL of a scheme that is called like a file.
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
