//! URLs as users paste them: takes the bytes of an input and returns the URL without what delimits it
//! in text ([`unwrapped`]), with the scheme that it lacks ([`with_scheme`]), or what to tell the user about it ([`hint`]). Follows
//! appendix E of the draft of 1997 and appendix C of RFC 3986.
//!
//! An input may contain more than a URL: delimiters around it, or a location before it, as `locator find` prints it ([`place`]).
//! Also the nearest name to an unknown one.

use std::net::Ipv6Addr;

use locator::{Edition, scheme};

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

/// Returns whether the text begins with the name of a known or registered scheme and ":".
pub(crate) fn begins_with_scheme(octets: &[u8]) -> bool {
    let name = octets.split(|&octet| octet == b':').next().filter(|name| name.len() < octets.len().min(64));
    let name = name.and_then(|name| std::str::from_utf8(name).ok()).unwrap_or_default();
    scheme::lookup(name).is_some() || scheme::status(name).is_some()
}

/// Returns whether a text begins with a scheme, known or not, and ":" (RFC 3986, 3.1).
pub(crate) fn has_scheme(octets: &[u8]) -> bool {
    let name = octets.split(|&octet| octet == b':').next().filter(|name| name.len() < octets.len());
    let may_contain = |octet: &u8| octet.is_ascii_alphanumeric() || b"+-.".contains(octet);
    name.is_some_and(|name| name.first().is_some_and(u8::is_ascii_alphabetic) && name.iter().all(may_contain))
}

/// Returns the name of a file as a word of a shell.
pub(crate) fn shell_word(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./+,:@%".contains(c);
    match name.chars().all(is_plain) && !name.is_empty() {
        true => name.to_owned(),
        false => format!("'{}'", name.replace('\'', "'\\''")),
    }
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

/// Returns what to say of a word that names no part: the nearest name, or `all`, the list of the names.
pub(crate) fn unknown_part<'n>(
    word: &str,
    names: impl IntoIterator<Item = &'n str>,
    all: impl FnOnce() -> String,
) -> String {
    // A word and another with two letters exchanged are more alike than this.
    const LEAST: f64 = 0.8;
    let word_in_sql = word.strip_prefix("uri_").unwrap_or(word);
    let likeness = |name: &str| strsim::jaro(word_in_sql, name);
    let near = names.into_iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match near.filter(|near| likeness(near) > LEAST) {
        Some(near) => format!("unknown part \"{word}\"; did you mean \"{near}\"?"),
        None => format!("unknown part \"{word}\"; the parts are {}", all()),
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
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address<'a> {
    /// The host and the port.
    pub(crate) server: &'a str,
    /// What follows them.
    pub(crate) rest: &'a str,
    has_port: bool,
    /// The scheme that was probably meant.
    scheme: &'static str,
}

impl<'a> Address<'a> {
    /// Reads a text, also one with "//" before the host; returns `None` if it does not look like a host.
    pub(crate) fn of(text: &'a str) -> Option<Self> {
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
    pub(crate) fn without_slashes(text: &'a str) -> Option<Self> {
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
pub(crate) fn with_scheme(octets: &[u8]) -> Option<String> {
    Address::of(std::str::from_utf8(octets).ok()?).map(Address::url)
}

/// Returns whether a text is a host without a scheme, and with a port.
pub(crate) fn has_port(octets: &[u8]) -> bool {
    let address = std::str::from_utf8(octets).ok().and_then(Address::of);
    address.is_some_and(|address| address.has_port)
}

/// Returns whether a URL is rather a host with a port, `example.com:8080/a`: its scheme contains a dot or
/// is `localhost`, is not registered, and a port follows it.
pub(crate) fn is_host_with_port(url: &str) -> bool {
    let Some((name, _)) = url.split_once(':') else { return false };
    let may_be_host = name.contains('.') || name.eq_ignore_ascii_case("localhost");
    may_be_host
        && scheme::lookup(name).is_none()
        && scheme::status(name).is_none()
        && Address::of(url).is_some_and(|address| address.has_port)
}

#[cfg(test)]
mod tests {
    use locator::edition::{RFC3986, URL_1994};

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
