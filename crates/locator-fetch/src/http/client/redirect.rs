//! Redirects: what is sent to where a response leads (RFC 9110, 15.4). The URL is resolved here, and the
//! policy judges it.

use locator::UriRef;
use locator::plan::{Credentials, Origin};

use bytes::Bytes;
use tokio::time::Instant;

use super::response::Response;
use super::settings::Http;

/// The way from a URL to an object, as far as HTTP is concerned.
pub(crate) struct Journey {
    /// The origin of the URL that was given, which fields, body and login belong to.
    origin: Option<Origin>,
    pub(super) method: String,
    pub(super) body: Option<Bytes>,
    pub(super) login: Option<Credentials>,
    /// The URL that a gateway was asked for in place of the present one, which it maps.
    pub(super) mapped: Option<String>,
    /// When it began.
    pub(super) start: Instant,
    /// Whether the request before was secured.
    was_secured: bool,
}

impl Journey {
    pub(crate) fn new(http: &Http) -> Self {
        let method = http.method.clone();
        let usual = if http.body.is_some() { "POST" } else { "GET" };
        Self {
            origin: None,
            method: method.unwrap_or_else(|| usual.into()),
            body: http.body.clone(),
            login: None,
            mapped: None,
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
    pub(super) fn is_at_home(&self, origin: &Origin) -> bool {
        self.origin.as_ref() == Some(origin)
    }

    /// Returns why a request with a body may not be sent; else notes whether it is secured.
    pub(super) fn set_secured(&mut self, is_secured: bool) -> Result<(), String> {
        if self.was_secured && !is_secured && self.body.is_some() {
            return Err("a body that was sent to an https server is not sent in the clear".into());
        }
        self.was_secured = is_secured;
        Ok(())
    }

    /// Changes the method as a redirect says: "for historical reasons, a user agent MAY change the request
    /// method from POST to GET for the subsequent request" (15.4.2, 15.4.3), and 303 asks for GET or HEAD.
    pub(super) fn redirect(&mut self, status: u16) {
        let becomes_get = match status {
            301 | 302 => self.method == "POST",
            303 => self.method != "HEAD",
            _ => false,
        };
        if becomes_get {
            self.method = "GET".into();
            self.body = None;
        }
    }
}

/// Returns whether a response leads to another URL.
pub(super) fn redirects(response: &Response) -> bool {
    matches!(response.status, 301 | 302 | 303 | 307 | 308)
}

/// Returns the URL that a response leads to, resolved against the one that was asked for. "If the Location
/// value provided in a 3xx (Redirection) response does not have a fragment component, a user agent MUST
/// process the redirection as if the value inherits the fragment component of the URI reference used to
/// generate the target URI" (10.2.2).
pub(super) fn target(response: &Response, url: &str) -> Result<String, String> {
    let location = response.field("location").ok_or("it names no URL")?;
    let text = written(location);
    let base = UriRef::parse(url).map_err(|error| error.to_string())?;
    let reference = UriRef::parse(&text).map_err(|error| format!("it names no URL: {error}"))?;
    let absolute = base.without_fragment().as_uri().ok_or("it names no URL")?;
    let target = absolute.join(reference.as_str()).map_err(|error| error.to_string())?;
    match (target.fragment(), base.fragment()) {
        (None, Some(fragment)) => Ok(format!("{target}#{fragment}")),
        _ => Ok(target.as_str().to_owned()),
    }
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
    use super::*;
    use crate::http::{Field, Version};

    fn led(url: &str, location: &[u8]) -> Result<String, String> {
        let field = Field { name: "location".into(), value: location.into() };
        let response = Response {
            version: Version::Http11,
            status: 302,
            reason: String::new(),
            fields: vec![field],
            sent: Bytes::new(),
        };
        target(&response, url)
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
        for wrong in ["http://h:x/", "http://[::1/", "/%zz"] {
            assert!(led("http://h/a", wrong.as_bytes()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn methods() {
        let after = |method: &str, status| {
            let http = Http::new().method(method).unwrap().body("x");
            let mut journey = Journey::new(&http);
            journey.redirect(status);
            (journey.method, journey.body.is_some())
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
