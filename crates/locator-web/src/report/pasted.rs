//! URLs as users paste them: takes the bytes of an input and returns the URL without what delimits it
//! in text ([`unwrapped`]), or with the scheme that it lacks ([`with_scheme`]). Follows appendix E of the draft of
//! 1997 and appendix C of RFC 3986.

use alloc::string::String;
use core::net::Ipv6Addr;

use locator::{Edition, scheme};

/// Returns the URL without the delimiters, the white space around it and the line breaks in it, with
/// their blanks; `None` without them, or if the input is not UTF-8.
///
/// "In practice, URIs are delimited […] within double-quotes, within angle brackets, or just by using
/// white space. These wrappers do not form part of the URI." "The white space should be ignored when
/// the URI is extracted." A blank without a line break stays, because it may be a part of a name.
///
/// ```
/// use locator_web::report::pasted::unwrapped;
///
/// assert!(unwrapped(b"<http://h/>", &locator::edition::RFC3986).as_deref() == Some("http://h/"));
/// ```
#[must_use]
pub fn unwrapped(octets: &[u8], edition: &Edition) -> Option<String> {
    let given = core::str::from_utf8(octets).ok()?;
    let text = given.trim_ascii();
    let inner = match text.as_bytes() {
        [b'<', .., b'>'] | [b'"', .., b'"'] | [b'\'', .., b'\''] if text.len() > 1 => {
            text[1..text.len() - 1].trim_ascii()
        }
        _ => text,
    };
    // "<" and quotation marks are in no reference; "'a'" is one.
    let is_reference = !inner.is_empty() && !inner.contains(['<', '>', '"', ' ', '\t']);
    let is_wrapped = text.starts_with(['<', '"']) && inner.len() < text.len() && is_reference;
    let marked = inner.split_at_checked("URL:".len());
    let marked =
        marked.filter(|(marker, _)| marker.eq_ignore_ascii_case("URL:") && edition.prefix().is_none());
    let unmarked = marked.map(|(_, rest)| rest.trim_ascii_start());
    let inner = unmarked.filter(|rest| has_scheme(rest.as_bytes())).unwrap_or(inner);
    // What is not delimited may begin and end with quotes.
    let url = if is_wrapped || has_scheme(inner.as_bytes()) { inner } else { text };
    let url = url.split(['\r', '\n']).map(str::trim_ascii).collect::<String>();
    (url != given).then_some(url)
}

/// A host without a scheme, as users write it: `example.com/a`, `localhost:8080`, `[::1]:80`.
///
/// ```
/// use locator_web::report::pasted::Address;
///
/// let address = Address::of("localhost:8080/a").unwrap();
/// assert_eq!((address.server, address.rest), ("localhost:8080", "/a"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Address<'a> {
    /// The host and the port.
    pub server: &'a str,
    /// What follows them.
    pub rest: &'a str,
    has_port: bool,
    /// The scheme that was probably meant.
    scheme: &'static str,
}

impl<'a> Address<'a> {
    /// Reads a text, also one with "//" before the host; returns `None` if it does not look like a host.
    #[must_use]
    pub fn of(text: &'a str) -> Option<Self> {
        let text = text.trim_ascii();
        let text = text.strip_prefix("//").unwrap_or(text);
        let end = text.find(['/', '?', '#']).unwrap_or(text.len());
        let (server, rest) = text.split_at(end);
        // The ":" in an IPv6 address are before its "]".
        let colon = server.find(']').map_or(0, |bracket| bracket + 1);
        let colon = server[colon..].find(':').map(|at| colon + at);
        let (host, port) = colon.map_or((server, None), |at| (&server[..at], Some(&server[at + 1..])));
        let literal =
            host.strip_prefix('[').and_then(|host| host.strip_suffix(']')?.parse::<Ipv6Addr>().ok());
        let is_of_host =
            |octet: u8| octet.is_ascii_alphanumeric() || b"-._".contains(&octet) || !octet.is_ascii();
        let is_host = literal.is_some() || host.bytes().all(is_of_host);
        let has_port = port.is_some_and(is_port);
        let is_local = is_local(host, literal);
        let is_dotted = host.contains('.') && host.split('.').all(|label| !label.is_empty());
        let is_named = is_local || literal.is_some() || is_dotted;
        if host.is_empty() || !is_host || port.is_some() && !has_port || !is_named && !has_port {
            return None;
        }
        let scheme = if is_local || has_port && port != Some("443") { "http" } else { "https" };
        Some(Self { server, rest, has_port, scheme })
    }

    /// Reads a reference without "//" that begins with a host.
    #[must_use]
    pub fn without_slashes(text: &'a str) -> Option<Self> {
        let is_path = !text.starts_with("//") && (!has_scheme(text.as_bytes()) || is_host_with_port(text));
        if is_path { Self::of(text) } else { None }
    }

    /// Returns the URL that was probably meant, for a message.
    fn url(self) -> String {
        let Self { server, rest, scheme, .. } = self;
        let slash = if rest.starts_with('/') { "" } else { "/" };
        // What follows the path may have secrets.
        let path = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
        let cut = if path.len() < rest.len() { "…" } else { "" };
        [scheme, "://", server, slash, path, cut].concat()
    }
}

fn is_port(digits: &str) -> bool {
    (1..6).contains(&digits.len()) && digits.bytes().all(|octet| octet.is_ascii_digit())
}

fn is_local(host: &str, literal: Option<Ipv6Addr>) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.starts_with("127.")
        || literal.is_some_and(|address| address.is_loopback())
}

/// Returns the URL that was probably meant by a host without a scheme: `https://example.com/` for
/// `example.com`; `None` if the input does not look like one.
///
/// ```
/// use locator_web::report::pasted::with_scheme;
///
/// assert!(with_scheme(b"example.com").as_deref() == Some("https://example.com/"));
/// ```
#[must_use]
pub fn with_scheme(octets: &[u8]) -> Option<String> {
    Address::of(core::str::from_utf8(octets).ok()?).map(Address::url)
}

/// Returns whether a text is a host without a scheme, and with a port.
///
/// ```
/// use locator_web::report::pasted::has_port;
///
/// assert!(has_port(b"example.com:80") && !has_port(b"example.com"));
/// ```
#[must_use]
pub fn has_port(octets: &[u8]) -> bool {
    let address = core::str::from_utf8(octets).ok().and_then(Address::of);
    address.is_some_and(|address| address.has_port)
}

/// Returns whether a URL is rather a host with a port, `example.com:8080/a`: its scheme contains a dot or
/// is `localhost`, is not registered, and a port follows it.
///
/// ```
/// use locator_web::report::pasted::is_host_with_port;
///
/// assert!(is_host_with_port("example.com:8080/a") && !is_host_with_port("mailto:a@b"));
/// ```
#[must_use]
pub fn is_host_with_port(url: &str) -> bool {
    let Some((name, _)) = url.split_once(':') else { return false };
    let may_be_host = name.contains('.') || name.eq_ignore_ascii_case("localhost");
    may_be_host
        && scheme::lookup(name).is_none()
        && scheme::status(name).is_none()
        && Address::of(url).is_some_and(|address| address.has_port)
}

/// Returns whether the text begins with the name of a known or registered scheme and ":".
///
/// ```
/// use locator_web::report::pasted::begins_with_scheme;
///
/// assert!(begins_with_scheme(b"ftp://h/") && !begins_with_scheme(b"a:b"));
/// ```
#[must_use]
pub fn begins_with_scheme(octets: &[u8]) -> bool {
    let name = octets.split(|&octet| octet == b':').next().filter(|name| name.len() < octets.len().min(64));
    let name = name.and_then(|name| core::str::from_utf8(name).ok()).unwrap_or_default();
    scheme::lookup(name).is_some() || scheme::status(name).is_some()
}

/// Returns whether a text begins with a scheme, known or not, and ":" (RFC 3986, 3.1).
///
/// ```
/// use locator_web::report::pasted::has_scheme;
///
/// assert!(has_scheme(b"a:b") && !has_scheme(b"a/b:c"));
/// ```
#[must_use]
pub fn has_scheme(octets: &[u8]) -> bool {
    let name = octets.split(|&octet| octet == b':').next().filter(|name| name.len() < octets.len());
    let may_contain = |octet: &u8| octet.is_ascii_alphanumeric() || b"+-.".contains(octet);
    name.is_some_and(|name| name.first().is_some_and(u8::is_ascii_alphabetic) && name.iter().all(may_contain))
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
            ("<../g>", Some("../g")),
            ("\"a\"", Some("a")),
            ("'a'", None),
            (" a ", Some("a")),
            ("<>", None),
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
    fn a_host_with_a_port_is_no_scheme() {
        for url in ["a.b:1", "a.b:80/c", "a.b:99999?q", "a.b:8#f", "LocalHost:80", "localhost:8080/a:b"] {
            assert!(is_host_with_port(url), "{url}");
        }
        for url in [
            "a.b:",
            "a.b:x",
            "a.b:123456",
            "a.b:80x",
            "a.b:80:90",
            "host:80",
            "tel:112",
            "iris.beep:80",
            "a.b/c:80",
            "a.b",
            "http://a.b:80/",
            "urn:a.b:80",
            "",
        ] {
            assert!(!is_host_with_port(url), "{url}");
        }
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
