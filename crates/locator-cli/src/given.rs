//! URLs as users paste them: takes the bytes of an input and returns the URL without what delimits it
//! in text. Follows appendix E of the draft of 1997 and appendix C of RFC 3986.

use std::net::Ipv6Addr;

use locator::Edition;

use crate::hint;

/// Returns the URL without the delimiters, the white space around it and the line breaks in it, with
/// their blanks; `None` without them, or if the input is not UTF-8.
///
/// "In practice, URIs are delimited […] within double-quotes, within angle brackets, or just by using
/// white space. These wrappers do not form part of the URI." "The white space should be ignored when
/// the URI is extracted." A blank without a line break stays, because it may be a part of a name.
pub(crate) fn unwrapped(octets: &[u8], edition: &Edition) -> Option<String> {
    let given = std::str::from_utf8(octets).ok()?;
    let text = given.trim_ascii();
    let inner = match text.as_bytes() {
        [b'<', .., b'>'] | [b'"', .., b'"'] | [b'\'', .., b'\''] if text.len() > 1 => {
            text[1..text.len() - 1].trim_ascii()
        }
        _ => text,
    };
    let marked = inner.split_at_checked("URL:".len());
    let marked =
        marked.filter(|(marker, _)| marker.eq_ignore_ascii_case("URL:") && edition.prefix().is_none());
    let unmarked = marked.map(|(_, rest)| rest.trim_ascii_start());
    let inner = unmarked.filter(|rest| hint::has_scheme(rest.as_bytes())).unwrap_or(inner);
    // What is not delimited may begin and end with quotes.
    let url = if hint::has_scheme(inner.as_bytes()) { inner } else { text };
    let url = url.split(['\r', '\n']).map(str::trim_ascii).collect::<String>();
    (url != given).then_some(url)
}

/// Returns the URL that was probably meant by a host without a scheme: `https://example.com/` for
/// `example.com`; `None` if the input does not look like one.
pub(crate) fn with_scheme(octets: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(octets).ok()?.trim_ascii();
    let text = text.strip_prefix("//").unwrap_or(text);
    let end = text.find(['/', '?', '#']).unwrap_or(text.len());
    let (server, rest) = text.split_at(end);
    // The ":" in an IPv6 address are before its "]".
    let colon = server.find(']').map_or(0, |bracket| bracket + 1);
    let colon = server[colon..].find(':').map(|at| colon + at);
    let (host, port) = colon.map_or((server, None), |at| (&server[..at], Some(&server[at + 1..])));
    let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')?.parse::<Ipv6Addr>().ok());
    let is_host = literal.is_some()
        || host
            .bytes()
            .all(|octet| octet.is_ascii_alphanumeric() || b"-._".contains(&octet) || !octet.is_ascii());
    let has_port = port.is_some_and(|port| {
        !port.is_empty() && port.len() < 6 && port.bytes().all(|octet| octet.is_ascii_digit())
    });
    let is_local = host.eq_ignore_ascii_case("localhost")
        || host.starts_with("127.")
        || literal.is_some_and(|address| address.is_loopback());
    let is_named =
        is_local || literal.is_some() || host.split('.').all(|label| !label.is_empty()) && host.contains('.');
    if host.is_empty() || !is_host || port.is_some() && !has_port || !is_named && !has_port {
        return None;
    }
    let scheme = if is_local || has_port && port != Some("443") { "http" } else { "https" };
    let slash = if rest.starts_with('/') { "" } else { "/" };
    // What follows the path may have secrets.
    let path = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    let cut = if path.len() < rest.len() { "…" } else { "" };
    Some([scheme, "://", server, slash, path, cut].concat())
}

#[cfg(test)]
mod tests {
    use locator::edition::{RFC3986, URL_1994};

    use super::*;

    #[test]
    fn delimiters_and_line_breaks_are_not_part_of_a_url() {
        for (given, url) in [
            ("<http://h/a>", Some("http://h/a")),
            ("<URL:http://h/a>", Some("http://h/a")),
            ("< url: http://h/a >", Some("http://h/a")),
            ("\"http://h/a\"", Some("http://h/a")),
            (" http://h/a\n", Some("http://h/a")),
            ("http://h/a\r\n   b/\tc", Some("http://h/ab/\tc")),
            ("http://h/a-\n  b", Some("http://h/a-b")),
            ("URL:http://h/a", Some("http://h/a")),
            ("http://h/a b", None),
            ("<a b>", None),
            ("'", None),
            ("<", None),
            ("", None),
        ] {
            assert_eq!(unwrapped(given.as_bytes(), &RFC3986).as_deref(), url, "{given:?}");
        }
        assert_eq!(unwrapped(b"URL:http://h/a", &URL_1994), None);
        assert_eq!(unwrapped(b"\xFF ", &RFC3986), None);
    }

    #[test]
    fn a_host_without_a_scheme() {
        for (given, url) in [
            ("example.com", Some("https://example.com/")),
            ("example.com/a?b", Some("https://example.com/a…")),
            ("www.example.com?q", Some("https://www.example.com/…")),
            ("localhost:8080/", Some("http://localhost:8080/")),
            ("localhost", Some("http://localhost/")),
            ("127.0.0.1/x", Some("http://127.0.0.1/x")),
            ("host:8080/x", Some("http://host:8080/x")),
            ("127.0.0.1:20494", Some("http://127.0.0.1:20494/")),
            ("192.0.2.1:443/x", Some("https://192.0.2.1:443/x")),
            ("[::1]:80", Some("http://[::1]:80/")),
            ("[2001:db8::1]/x", Some("https://[2001:db8::1]/x")),
            ("[2001:db8::1]:x/", None),
            ("[a]:80", None),
            ("u@192.0.2.1:80", None),
            ("//example.com/a", Some("https://example.com/a")),
            ("../a.b", None),
            ("foo", None),
            ("foo:bar", None),
            ("mailto:a@b.c", None),
            ("", None),
            (".", None),
        ] {
            assert_eq!(with_scheme(given.as_bytes()).as_deref(), url, "{given:?}");
        }
    }
}
