//! Hints for inputs that contain more than a URL: delimiters around it, or a location before it, as
//! `locator find` prints it ([`place`]). What users paste is read by [`unwrapped`] and [`with_scheme`].

use std::ffi::OsString;

use locator::{Edition, scheme};
pub(crate) use locator_web::report::pasted::{
    Address, begins_with_scheme, has_port, has_scheme, is_host_with_port, unwrapped, with_scheme,
};

/// Returns the hint for an invalid input that contains a URL.
pub(crate) fn hint(octets: &[u8], edition: &Edition) -> Option<&'static str> {
    let trimmed = octets.trim_ascii();
    match trimmed {
        [b'<', inner @ .., b'>'] if begins_with_scheme(without_prefix(inner.trim_ascii())) => {
            Some(IN_BRACKETS)
        }
        [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] if begins_with_scheme(inner) => Some(IN_QUOTES),
        _ if has_prefix(octets) && edition.prefix().is_none() => Some(PREFIX),
        _ if trimmed.len() < octets.len() => Some(AROUND),
        _ if has_zone(octets) && !edition.defines_zones() => Some(ZONE),
        _ => None,
    }
}

/// Returns whether a URL begins with "URL:", which is not a scheme.
pub(crate) fn has_prefix(octets: &[u8]) -> bool {
    let rest = without_prefix(octets);
    rest.len() < octets.len() && begins_with_scheme(rest)
}

/// The hint for a first line that begins with a location, in verbs that do not remove it.
pub(crate) const FIRST_PLACE: &str = "line 1 begins with a location as 'locator find -n' prints it, which is read as part of the URL; omit \
     -n, or use --places of check and audit";

/// The hint for the prefix "URL:".
pub(crate) const PREFIX: &str = "\"URL:\" is a marker for URLs in text, not a scheme (RFC 3986, appendix C);
remove it, read it with --edition url-1994, or read the text with 'locator find'";

/// The hint for a zone (RFC 6874).
const ZONE: &str = "to allow a zone after an IPv6 address (%25eth0), use --edition rfc3986+zones (RFC 6874)";

/// Returns whether there is a zone after an address, `[fe80::1%25eth0]`.
fn has_zone(octets: &[u8]) -> bool {
    let address =
        octets.split(|octet| *octet == b'[').nth(1).and_then(|rest| rest.split(|o| *o == b']').next());
    address.is_some_and(|address| memchr::memmem::find(address, b":").is_some() && address.contains(&b'%'))
}

const IN_BRACKETS: &str = "\"<\" and \">\" delimit a URL in text and are not part of it (RFC 3986,
appendix C); remove them, or read the text with 'locator find'";

const IN_QUOTES: &str = "quotes delimit a URL in text and are not part of it (RFC 3986, appendix C);
remove them, or read the text with 'locator find'";

const AROUND: &str = "remove the white space around the URL, which is not part of it (RFC 3986, appendix C)";

fn without_prefix(octets: &[u8]) -> &[u8] {
    match octets.split_at_checked(4) {
        Some((prefix, rest)) if prefix.eq_ignore_ascii_case(b"URL:") => rest,
        _ => octets,
    }
}

/// Returns the name of a file as a word of a shell.
pub(crate) fn shell_word(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./+,:@%=".contains(c);
    match name.chars().all(is_plain) && !name.is_empty() && !name.starts_with('=') {
        true => name.to_owned(),
        false => format!("'{}'", name.replace('\'', "'\\''")),
    }
}

/// Returns the first argument that is the name of a host and nothing else, in letters that need or have an ASCII form:
/// `bücher.example`. As a URL it is a path.
pub(crate) fn bare_host(arguments: &[OsString]) -> Option<&str> {
    let is_host = |text: &&str| {
        let is_of_host = |c: char| c.is_alphanumeric() || c == '.' || c == '-';
        text.contains('.') && text.chars().all(is_of_host) && (!text.is_ascii() || text.contains("xn--"))
    };
    arguments.iter().filter_map(|argument| argument.to_str()).find(is_host)
}

/// Returns a note on an unknown scheme of a URL; empty if the scheme is known.
pub(crate) fn scheme_note(name: &str, url: &str) -> String {
    if has_prefix(url.as_bytes()) && url.starts_with(name) {
        return "a marker for URLs in text, not a scheme; remove it, or read it with --edition url-1994"
            .to_owned();
    }
    if let Some(scheme) = scheme::lookup(name) {
        // A name that is none of the scheme's own is one of a kind: "x-mine" is experimental.
        let is_own = scheme.names().iter().any(|own| own.eq_ignore_ascii_case(name));
        return if is_own { String::new() } else { scheme.object().to_owned() };
    }
    match (scheme::status(name), scheme::suggest(name)) {
        (Some(status), _) => format!("registered with IANA: {}", status.name()),
        (None, Some(near)) => format!("not registered with IANA; did you mean \"{near}\"?"),
        (None, None) => "not registered with IANA".to_owned(),
    }
}

/// A line of `locator find`: a location, and the URL after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Located<'a> {
    /// The whole location, without the ":" after it.
    pub(crate) place: &'a [u8],
    /// The name of the file, if the location has one.
    pub(crate) file: Option<&'a [u8]>,
    /// The digits of the line.
    pub(crate) line: &'a [u8],
    /// The digits of the column, if the location has one.
    pub(crate) column: Option<&'a [u8]>,
    /// What follows the location.
    pub(crate) url: &'a [u8],
}

/// Splits a line of `locator find`, `README.md:12:5:URL`, into the location and the URL. With `-b` an
/// offset follows the column; with `--no-column` the line is alone, and only a known scheme after it
/// shows that a URL begins there.
pub(crate) fn place(octets: &[u8]) -> Option<Located<'_>> {
    let mut start = 0;
    // The file name may contain colons and numbers.
    loop {
        let (line, rest) = field(octets, start)?;
        let next = number(octets, rest);
        if number(octets, start).is_some() && (next.is_some() || begins_with_scheme(&octets[rest..])) {
            let column = next.map(|_| rest).and_then(|start| field(octets, start));
            // No URL begins with a number.
            let end = column.map_or(rest, |(_, end)| number(octets, end).unwrap_or(end));
            let file = start.checked_sub(1).map(|end| &octets[..end]);
            let column = column.map(|(column, _)| column);
            return Some(Located { place: &octets[..end - 1], file, line, column, url: &octets[end..] });
        }
        start = rest;
    }
}

/// Returns the text from an offset to the next ":", and the offset after that.
fn field(octets: &[u8], start: usize) -> Option<(&[u8], usize)> {
    let rest = octets.get(start..)?;
    let end = memchr::memchr(b':', rest)?;
    Some((&rest[..end], start + end + 1))
}

/// Returns the offset after a number and ":".
fn number(octets: &[u8], start: usize) -> Option<usize> {
    let (digits, end) = field(octets, start)?;
    (!digits.is_empty() && digits.iter().all(u8::is_ascii_digit)).then_some(end)
}

/// Returns the URL after a location, if a known scheme shows that it begins there.
#[cfg(feature = "get")]
pub(crate) fn url_after_place(octets: &[u8]) -> Option<&[u8]> {
    place_of(octets).map(|found| found.url)
}

/// Splits `README.md:http://h/` into the name and the URL: a known scheme follows the name, which is not
/// one itself.
pub(crate) fn after_name(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    // Nearly every line of a list is a URL.
    if begins_with_scheme(octets) {
        return None;
    }
    let mut colons = memchr::memchr_iter(b':', octets).map(|at| (&octets[..at], &octets[at + 1..]));
    colons.find(|(name, url)| !name.is_empty() && begins_with_scheme(url))
}

/// Returns whether an input is a URL after a location, and not a URL whose scheme looks like a file
/// name.
pub(crate) fn has_place(octets: &[u8]) -> bool {
    place_of(octets).is_some()
}

/// Returns the location before a URL that begins with a known scheme.
fn place_of(octets: &[u8]) -> Option<Located<'_>> {
    if begins_with_scheme(octets) {
        return None;
    }
    place(octets).filter(|found| begins_with_scheme(found.url))
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
            ("a:2:5:22:http://h/", Some(("a:2:5:22", "http://h/"))),
            ("2:5:22:x", Some(("2:5:22", "x"))),
            ("a:1:http://h/", Some(("a:1", "http://h/"))),
            ("1:http://h/1:2:x", Some(("1", "http://h/1:2:x"))),
            ("a:1:x", None),
            ("http://h:80/a:1", None),
            ("a:1:b:2:", None),
            ("", None),
        ] {
            let found = place(line.as_bytes()).map(|found| (found.place, found.url));
            let divided = divided.map(|(place, url): (&str, &str)| (place.as_bytes(), url.as_bytes()));
            assert_eq!(found, divided, "{line}");
        }
        let parts = place(b"a:b:2:5:22:http://h/").map(|found| (found.file, found.line, found.column));
        assert_eq!(parts, Some((Some(&b"a:b"[..]), &b"2"[..], Some(&b"5"[..]))));
        let parts = place(b"1:http://h/").map(|found| (found.file, found.line, found.column));
        assert_eq!(parts, Some((None, &b"1"[..], None)));
        assert!(has_place(b"README.md:12:5:http://h/"));
        assert!(has_place(b"f:1:http://h/") && has_place(b"1:http://h/"));
        assert!(!has_place(b"urn:1:2:http:"));
    }

    #[test]
    fn a_url_after_a_place_or_a_name() {
        #[cfg(feature = "get")]
        for (line, url) in
            [("a.md:1:2:http://h/", Some("http://h/")), ("a.md:1:2:b", None), ("http://h/", None)]
        {
            assert_eq!(url_after_place(line.as_bytes()), url.map(str::as_bytes), "{line}");
        }
        for (line, divided) in [
            ("a.md:http://h/", Some(("a.md", "http://h/"))),
            ("a:b:http://h/", Some(("a:b", "http://h/"))),
            (":http://h/", None),
            ("data:http://h/", None),
            ("a.md:b", None),
        ] {
            let divided = divided.map(|(name, url): (&str, &str)| (name.as_bytes(), url.as_bytes()));
            assert_eq!(after_name(line.as_bytes()), divided, "{line}");
        }
    }
}
