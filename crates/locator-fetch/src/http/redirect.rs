//! Redirects: what is sent to where a response leads (RFC 9110, 15.4). The URL is resolved here, and the
//! policy judges it.

use locator::plan::{Credentials, GatewayUrl, Origin};
use locator::scheme::default_port;
use locator::{UriBuf, UriRef, UriRefCow};

use bytes::Bytes;
use tokio::time::Instant;

use super::settings::Http;
use crate::failure::FailureKind;
use crate::response_head::ResponseHead;
use crate::shown::plain;

/// A request, as the redirects that were followed have changed it.
pub(crate) struct Request {
    /// The origin of the URL that was given, which headers, body and login belong to.
    origin: Option<Origin>,
    /// Whether they are sent to any origin, and whether the body is.
    trusts_all: bool,
    sends_body: bool,
    pub(crate) method: String,
    pub(crate) body: Option<Bytes>,
    pub(crate) login: Option<Credentials>,
    /// Whether a redirect changed the method, and the body is not sent again.
    pub(crate) has_lost_body: bool,
    /// The URL of the gateway that was asked in place of the present URL.
    pub(crate) gateway: Option<GatewayUrl>,
    /// When it began.
    pub(crate) start: Instant,
    /// Whether the request before was secured.
    was_secured: bool,
}

impl Request {
    pub(crate) fn new(http: &Http) -> Self {
        let method = http.method.clone();
        let usual = if http.body.is_some() { "POST" } else { "GET" };
        Self {
            origin: None,
            trusts_all: http.trusts_redirects,
            sends_body: http.redirects_body || http.trusts_redirects,
            method: method.unwrap_or_else(|| usual.into()),
            body: http.body.clone(),
            login: None,
            has_lost_body: false,
            gateway: None,
            start: Instant::now(),
            was_secured: false,
        }
    }

    /// Forgets what belongs to another URL than the one that an object names: the body.
    pub(crate) fn forget(&mut self) {
        self.body = None;
        if self.method != "HEAD" {
            self.method = "GET".into();
        }
    }

    /// Notes the origin of the URL that was given; later ones may be other origins.
    pub(crate) fn begin(&mut self, origin: Option<Origin>) {
        self.origin = origin;
    }

    /// Returns whether what belongs to the URL that was given is sent to an origin.
    pub(crate) fn is_at_home(&self, origin: &Origin) -> bool {
        self.origin.as_ref().is_some_and(|own| self.shares(own, origin))
    }

    /// Returns whether what belongs to one origin is sent to another: to the same host from port 80 of
    /// http to port 443 of https, too: what answers there could have read the same on port 80.
    pub(crate) fn shares(&self, own: &Origin, other: &Origin) -> bool {
        let is = |origin: &Origin, scheme, port| origin.scheme == scheme && origin.port == port;
        let is_secured = own.host == other.host && is(own, "http", 80) && is(other, "https", 443);
        self.trusts_all || own == other || is_secured
    }

    /// Checks that the body, if there still is one, and the method may be sent to an origin; `url` is the
    /// one that is led to. "Automatic redirection needs to be done with care for methods not known to be
    /// safe […] since the user might not wish to redirect an unsafe request" (RFC 9110, 15.4).
    pub(crate) fn check_repeated(&self, origin: Option<&Origin>, url: &str) -> Result<(), FailureKind> {
        if self.sends_body || origin.is_some_and(|origin| self.is_at_home(origin)) {
            return Ok(());
        }
        match &*self.method {
            _ if self.body.is_some() => Err(FailureKind::RedirectsBody(shown(url))),
            "GET" | "HEAD" | "OPTIONS" | "TRACE" => Ok(()),
            method => Err(FailureKind::RedirectsMethod { method: method.into(), to: shown(url) }),
        }
    }

    /// Returns why a request with a body may not be sent; else notes whether it is secured.
    pub(crate) fn set_secured(&mut self, is_secured: bool) -> Result<(), String> {
        if self.was_secured && !is_secured && self.body.is_some() {
            return Err("a body that was sent to an https server is not sent in the clear".into());
        }
        self.was_secured = is_secured;
        Ok(())
    }

    /// Changes the method as a redirect says: "for historical reasons, a user agent MAY change the request
    /// method from POST to GET for the subsequent request" (15.4.2, 15.4.3), and 303 asks for GET or HEAD.
    pub(crate) fn redirect(&mut self, status: u16) {
        let becomes_get = match status {
            301 | 302 => self.method == "POST",
            303 => self.method != "HEAD",
            _ => false,
        };
        if becomes_get {
            self.has_lost_body |= self.body.is_some() || self.method != "GET";
            self.method = "GET".into();
            self.body = None;
        }
    }
}

/// Returns a URL that a server named, with its secrets hidden.
pub(crate) fn shown(url: &str) -> String {
    locator_audit::redacted(url).to_string()
}

/// Writes an origin as a URL (RFC 6454, 6.2).
pub(crate) fn written_origin(origin: &Origin) -> String {
    let Origin { scheme, host, port } = origin;
    let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
    match default_port(scheme) == Some(*port) {
        true => format!("{scheme}://{host}"),
        false => format!("{scheme}://{host}:{port}"),
    }
}

/// Returns whether a response leads to another URL.
pub(crate) fn redirects(response: &ResponseHead) -> bool {
    matches!(response.status, 301 | 302 | 303 | 307 | 308)
}

/// Returns the URL that a response leads to, resolved against the one that was asked for. A header of HTTP
/// is read by RFC 3986 (RFC 9110, 4), whatever edition the URL is of. "If the Location
/// value provided in a 3xx (Redirection) response does not have a fragment component, a user agent MUST
/// process the redirection as if the value inherits the fragment component of the URI reference used to
/// generate the target URI" (10.2.2).
pub(crate) fn target(response: &ResponseHead, url: UriRef<'_>) -> Result<UriBuf, String> {
    let location = response.field("location").map(written).unwrap_or_default();
    // RFC 9110, 10.2.2 allows it, and it would lead to the same URL again.
    if location.is_empty() {
        return Err("it names no URL".into());
    }
    let base = by_rfc3986(url).ok_or("it names no URL")?;
    let reference = UriRef::parse(&location).map_err(|error| format!("it names no URL: {error}"))?;
    let target = base.without_fragment().join(reference.as_str()).map_err(|error| error.to_string())?;
    match (target.fragment(), base.fragment()) {
        (None, Some(fragment)) => {
            let text = format!("{target}#{fragment}");
            UriBuf::from_string(text).map_err(|error| error.to_string())
        }
        _ => Ok(target),
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
    use locator::Edition;
    use locator::edition::{RFC1738, RFC3986, RFC3987, URL_1993, URL_1994};

    use super::*;
    use crate::response_head::{Field, Version};

    fn led(url: &str, location: &[u8]) -> Result<String, String> {
        led_by(url, &RFC3986, location)
    }

    fn led_by(url: &str, edition: &'static Edition, location: &[u8]) -> Result<String, String> {
        let field = Field { name: "location".into(), value: location.into() };
        let response = ResponseHead {
            version: Version::Http11,
            status: 302,
            reason: String::new(),
            fields: vec![field],
            sent: Bytes::new(),
        };
        target(&response, UriRef::parse_with(url, edition).unwrap()).map(UriBuf::into_string)
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
        let after = |method: &str, status| {
            let http = Http::new().method(method).unwrap().body("x");
            let mut request = Request::new(&http);
            request.redirect(status);
            (request.method, request.body.is_some())
        };
        for (method, status, expected) in [
            ("POST", 301, ("GET", false)),
            ("POST", 302, ("GET", false)),
            ("POST", 303, ("GET", false)),
            ("POST", 307, ("POST", true)),
            ("POST", 308, ("POST", true)),
            ("PUT", 302, ("PUT", true)),
            ("PUT", 303, ("GET", false)),
            ("HEAD", 303, ("HEAD", true)),
        ] {
            assert_eq!(after(method, status), (expected.0.into(), expected.1), "{method} {status}");
        }
    }
}
