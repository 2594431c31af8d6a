//! Redirects (RFC 9110, 15.4): takes a response, returns the URL that it leads to, and has the rules of
//! what is sent there. [`Request`](super::request::Request) applies them, and `fetch/http` asks the policy
//! about the URL.

use locator::plan::HttpOrigin;
use locator::scheme::default_port;
use locator::{UriBuf, UriRef, UriRefCow};

use super::settings::Http;
use crate::error::failure::{Detail, RedirectCause};
use crate::headers::ResponseHead;
use crate::redact::plain;

/// A redirect: the status of a response, and the URL that it leads to.
#[derive(Clone, Debug)]
pub(crate) struct Redirect {
    pub(crate) status: u16,
    pub(crate) url: UriBuf,
}

impl Redirect {
    /// Returns whether a response is a redirect.
    pub(crate) fn is_in(response: &ResponseHead) -> bool {
        matches!(response.status, 301 | 302 | 303 | 307 | 308)
    }

    /// Reads the URL that a response leads to, resolved against the one that was requested. A header of HTTP
    /// is read by RFC 3986 (RFC 9110, 4), whatever edition the URL is of. "If the Location
    /// value provided in a 3xx (Redirection) response does not have a fragment component, a user agent MUST
    /// process the redirection as if the value inherits the fragment component of the URI reference used to
    /// generate the target URI" (10.2.2).
    pub(crate) fn read(response: &ResponseHead, url: UriRef<'_>) -> Result<Self, Detail<RedirectCause>> {
        let location = response.headers.get_bytes("location").map(written).unwrap_or_default();
        // RFC 9110, 10.2.2 allows it, and it would lead to the same URL again.
        let base = by_rfc3986(url).filter(|_| !location.is_empty());
        let base = base.ok_or_else(|| Detail::new(RedirectCause::Url, "no Location header"))?;
        let reference = UriRef::parse(&location).map_err(|error| {
            Detail::new(RedirectCause::Url, format!("invalid Location: {error}")).source(error)
        })?;
        let target = base
            .without_fragment()
            .join(reference.as_str())
            .map_err(|error| Detail::new(RedirectCause::Url, error.to_string()).source(error))?;
        let url = match (target.fragment(), base.fragment()) {
            (None, Some(fragment)) => UriBuf::from_string(format!("{target}#{fragment}"))
                .map_err(|error| Detail::new(RedirectCause::Url, error.to_string()).source(error))?,
            _ => target,
        };
        Ok(Self { status: response.status, url })
    }

    /// Returns whether this redirect is followed by GET: "for historical reasons, a user agent MAY change the
    /// request method from POST to GET for the subsequent request" (15.4.2, 15.4.3), and 303 asks for GET or
    /// HEAD.
    pub(super) fn becomes_get(&self, method: &str) -> bool {
        match self.status {
            301 | 302 => method == "POST",
            303 => method != "HEAD",
            _ => false,
        }
    }
}

impl ResponseHead {
    /// Returns the URL that the header `Location` names, which is relative to the URL that was requested;
    /// `None` if there is no such header or it is not a URL. The result is one of RFC 3986, whatever the
    /// edition of the URL is (RFC 9110, 4).
    #[must_use]
    pub fn redirect_target(&self, url: UriRef<'_>) -> Option<UriBuf> {
        Some(Redirect::read(self, url).ok()?.url)
    }
}

/// Returns whether a header is sent to every origin that a redirect leads to: it selects a
/// representation, and identifies nobody.
pub(super) fn is_for_all(name: &str) -> bool {
    const NAMES: [&str; 6] =
        ["accept", "accept-language", "accept-encoding", "user-agent", "range", "cache-control"];
    let name = name.to_ascii_lowercase();
    name.starts_with("if-") || NAMES.contains(&&*name)
}

/// Returns whether a header says how to read the body of a request, and is sent where that is sent.
pub(super) fn describes_body(name: &str) -> bool {
    ["content-type", "content-encoding", "content-language"].contains(&&*name.to_ascii_lowercase())
}

/// Returns the names of the headers that are not sent to another origin. What describes the body is
/// missed by nobody.
pub(super) fn withheld_headers(http: &Http, is_at_home: bool) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in http.fields.iter().filter(|_| !is_at_home) {
        let is_sent = is_for_all(name) || is_about_body(name) || name.eq_ignore_ascii_case("host");
        if !is_sent && !names.iter().any(|other| other.eq_ignore_ascii_case(name)) {
            names.push(name.clone());
        }
    }
    names
}

/// Returns whether a header describes the body of a request (RFC 9110, 15.4).
pub(super) fn is_about_body(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("content-") || matches!(&*name, "digest" | "last-modified")
}

/// Returns a URL that a server named, with its secrets hidden.
pub(crate) fn shown(url: &str) -> String {
    locator_audit::redacted(url).to_string()
}

/// Writes an origin as a URL (RFC 6454, 6.2).
pub(crate) fn written_origin(origin: &HttpOrigin) -> String {
    let HttpOrigin { scheme, host, port } = origin;
    let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
    match default_port(scheme) == Some(*port) {
        true => format!("{scheme}://{host}"),
        false => format!("{scheme}://{host}:{port}"),
    }
}

/// Returns a URL as RFC 3986 writes it: without the prefix of its edition, an internationalized host in
/// ASCII, and what that document does not allow escaped.
fn by_rfc3986(url: UriRef<'_>) -> Option<UriBuf> {
    let text = plain(url);
    if let Ok(url) = UriRef::parse(text) {
        return Some(url.as_uri()?.to_owned());
    }
    let uri = UriRef::parse_with(text, url.edition()).ok()?.to_uri_with_idna().ok();
    let text = written(uri.as_ref().map_or(text, UriRefCow::as_str).as_bytes());
    UriBuf::from_string(text).ok()
}

/// Returns the text of a URL in which servers left characters that must be escaped, such as spaces and
/// octets of UTF-8: programs escape them.
fn written(location: &[u8]) -> String {
    let location = location.trim_ascii();
    // "[" and "]" are in addresses only.
    let authority = location.windows(2).position(|pair| pair == b"//").map_or(0, |start| start + 2);
    let length = location.get(authority..).unwrap_or_default();
    let path = authority + length.iter().position(|octet| b"/?#".contains(octet)).unwrap_or(length.len());
    let path = if authority == 0 { 0 } else { path };
    let (before, after) = location.split_at(path);
    let is_kept = |octet: &u8| octet.is_ascii_alphanumeric() || b"-._~:/?#@!$&'()*+,;=%".contains(octet);
    let mut text = String::new();
    for (octets, brackets) in [(before, &b"[]"[..]), (after, b"")] {
        for octet in octets {
            match is_kept(octet) || brackets.contains(octet) {
                true => text.push(char::from(*octet)),
                false => text.push_str(&format!("%{octet:02X}")),
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use locator::Edition;
    use locator::edition::{RFC1738, RFC3986, RFC3987, URL_1993, URL_1994};

    use super::*;
    use crate::headers::Version;

    fn led(url: &str, location: &[u8]) -> Result<String, String> {
        led_by(url, &RFC3986, location)
    }

    fn led_by(url: &str, edition: &'static Edition, location: &[u8]) -> Result<String, String> {
        let location = ("location".to_owned(), location.into());
        let response = ResponseHead {
            version: Version::Http11,
            status: 302,
            reason: String::new(),
            headers: [location].into_iter().collect(),
            sent: Bytes::new(),
        };
        Redirect::read(&response, UriRef::parse_with(url, edition).unwrap())
            .map(|redirect| redirect.url.into_string())
            .map_err(|why| why.text.into())
    }

    #[test]
    fn bases_of_every_edition() {
        for (edition, url, location, expected) in [
            (&URL_1994, "URL:http://h/a/b", "c", "http://h/a/c"),
            (&RFC1738, "http://h/a/b", "/c", "http://h/c"),
            (&URL_1993, "http://h/\"a/c", "d", "http://h/%22a/d"),
            (
                &RFC3987,
                "http://b\u{FC}cher.example/stra\u{DF}e/x",
                "y",
                "http://xn--bcher-kva.example/stra%C3%9Fe/y",
            ),
        ] {
            assert_eq!(led_by(url, edition, location.as_bytes()).as_deref(), Ok(expected), "{url}");
        }
    }

    #[test]
    fn locations() {
        for (url, location, expected) in [
            ("http://h/a/b?q", "c", "http://h/a/c"),
            ("http://h/a/b", "../../c", "http://h/c"),
            ("http://h/a", "//i/b", "http://i/b"),
            ("http://h/a", "https://i:1/", "https://i:1/"),
            ("http://h/a", "?x", "http://h/a?x"),
            ("http://h/a#old", "/b", "http://h/b#old"),
            ("http://h/a#old", "/b#new", "http://h/b#new"),
            ("http://h/a", " /b c ", "http://h/b%20c"),
            ("http://h/a", "/caf\u{e9}", "http://h/caf%C3%A9"),
            ("http://h/a", "/%20[x]|\"", "http://h/%20%5Bx%5D%7C%22"),
            ("http://h/a", "http://[::1]:8/[x]", "http://[::1]:8/%5Bx%5D"),
        ] {
            assert_eq!(led(url, location.as_bytes()).as_deref(), Ok(expected), "{location}");
        }
        assert_eq!(led("http://h/a", b"/\xE9").as_deref(), Ok("http://h/%E9"));
        for wrong in ["http://h:x/", "http://[::1/", "/%zz", "", "  "] {
            assert!(led("http://h/a", wrong.as_bytes()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn methods() {
        for (method, status, expected) in [
            ("POST", 301, true),
            ("POST", 302, true),
            ("POST", 303, true),
            ("POST", 307, false),
            ("POST", 308, false),
            ("PUT", 302, false),
            ("PUT", 303, true),
            ("HEAD", 303, false),
        ] {
            let redirect = Redirect { status, url: UriBuf::parse("http://h/").unwrap() };
            assert_eq!(redirect.becomes_get(method), expected, "{method} {status}");
        }
    }
}
