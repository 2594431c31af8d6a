//! The origin of a URL: takes a reference, returns its scheme, host and port in normal form, which two
//! URLs share if one server is responsible for both. Follows RFC 6454, sections 4 and 6.2.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};

use crate::as_text::{compares_by_text, text_traits};
use crate::normalize::Level;
use crate::reference::{UriRef, delegate};
use crate::scheme::default_port;
use crate::span::{Component, HostKind};

/// An origin (RFC 6454): the scheme, the host and the port of a URL in normal form, as
/// [`UriRef::origin`] returns it.
///
/// Equality, order and hash are those of its text, which omits the default port. It borrows the text
/// of a URL that begins with it.
///
/// ```
/// use locator::uri;
///
/// let origin = uri!("HTTPS://jan@Example.com:443/a").origin().unwrap();
/// assert_eq!(origin, "https://example.com");
/// assert_eq!((origin.scheme(), origin.host()), ("https", "example.com"));
/// assert_eq!(origin.port(), Some(443));
/// assert_eq!(Some(origin), uri!("https://example.com/b?c").origin());
/// ```
#[derive(Clone)]
pub struct Origin<'a> {
    text: Cow<'a, str>,
    scheme_end: usize,
    host_end: usize,
    port: Option<u16>,
}

text_traits!(Origin<'_>);
compares_by_text!(Origin<'_>);

impl<'a> Origin<'a> {
    /// Returns the text of the origin (RFC 6454, 6.2): `https://example.com`, `http://[::1]:8080`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the scheme in lower case.
    #[must_use]
    pub fn scheme(&self) -> &str {
        &self.text[..self.scheme_end]
    }

    /// Returns the host in normal form, with the brackets of an IPv6 address.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.text[self.scheme_end + "://".len()..self.host_end]
    }

    /// Returns the port, which is the scheme's default port if the URL has none; `None` if the scheme
    /// has no default port, either.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// Returns the text, which is borrowed from the URL if that begins with it.
    #[must_use]
    pub fn into_cow(self) -> Cow<'a, str> {
        self.text
    }

    /// Returns this origin with a text of its own.
    #[must_use]
    pub fn into_owned(self) -> Origin<'static> {
        Origin { text: Cow::Owned(self.text.into_owned()), ..self }
    }
}

impl From<Origin<'_>> for String {
    fn from(origin: Origin<'_>) -> Self {
        origin.text.into_owned()
    }
}

impl<'a> UriRef<'a> {
    /// Returns the origin: the scheme and the host in normal form, and the port, or else the default
    /// port of the scheme.
    ///
    /// Two URLs that have none are not of the same origin: compare the origins, not the `Option`s.
    ///
    /// `None` for a reference whose origin is only equal to itself (RFC 6454, 4): one without a scheme,
    /// or without a host (`mailto:`, `data:`, `file:///`), or with a port above 65535.
    ///
    /// ```
    /// use locator::{uri, uri_ref};
    ///
    /// assert_eq!(uri!("http://h:8080/a").origin().unwrap(), "http://h:8080");
    /// assert_eq!(uri!("http://h:80/").origin(), uri!("HTTP://H/a").origin());
    /// assert_ne!(uri!("http://h/").origin(), uri!("https://h/").origin());
    /// assert_eq!(uri!("http://%61.example/").origin().unwrap(), "http://a.example");
    /// assert!(uri!("mailto:jan@h").origin().is_none());
    /// assert!(uri_ref!("//h/").origin().is_none());
    /// ```
    ///
    /// The host is normalised as [`normalize`](Self::normalize) does it: a name beyond ASCII remains as
    /// it is, and "h." is another host than "h".
    #[must_use]
    pub fn origin(self) -> Option<Origin<'a>> {
        let scheme = self.scheme()?.lowercase();
        let host = self.normal_host().filter(|host| !host.is_empty())?;
        // "If there is no port component of the URI: Let uri-port be the default port for the protocol"
        let written = match self.port().filter(|port| !port.as_str().is_empty()) {
            Some(port) => Some(port.number()?),
            None => None,
        };
        let default = default_port(&scheme);
        let shown = written.filter(|_| written != default);
        let is_given = matches!((&scheme, &host), (Cow::Borrowed(_), Cow::Borrowed(_)))
            && self.userinfo().is_none()
            && shown.is_none();
        let text = if is_given {
            let start = self.span(Component::Scheme)?.start;
            Cow::Borrowed(self.as_str().get(start..self.span(Component::Host)?.end)?)
        } else {
            let port = shown.map_or_else(String::new, |port| format!(":{port}"));
            Cow::Owned([&*scheme, "://", &*host, &*port].concat())
        };
        let scheme_end = scheme.len();
        let host_end = scheme_end + "://".len() + host.len();
        Some(Origin { text, scheme_end, host_end, port: written.or(default) })
    }

    /// Returns the host in the normal form of its scheme, or `None` if there is no authority.
    fn normal_host(self) -> Option<Cow<'a, str>> {
        let host = self.host()?;
        let text = host.as_str();
        // Some schemes have no name for the local host in their normal form.
        let is_plain = matches!(host.kind(), HostKind::Name | HostKind::Ipv4)
            && text != "localhost"
            && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_'));
        if is_plain {
            return Some(Cow::Borrowed(text));
        }
        // Only the scheme and the authority have to be normalised.
        let end = self.span(Component::Authority)?.end;
        let head = UriRef::parse_with(self.as_str().get(..end)?, self.edition()).ok()?;
        let normal = head.normalize(Level::Scheme);
        let normal = normal.host().map_or("", |host| host.as_str());
        Some(if normal == text { Cow::Borrowed(text) } else { Cow::Owned(normal.to_string()) })
    }
}

delegate! {
    "Origin":
    /// Returns the origin: the scheme and the host in normal form, and the port, or else the default
    /// port of the scheme.
    #[must_use]
    fn origin() -> (Option<Origin<'_>>) {
        //! ```
        //! use locator::uri;
        //!
        //! // Whether a cookie or a password may go along.
        //! let (page, link) = (uri!("https://example.com/a"), uri!("https://EXAMPLE.com:443/b"));
        //! assert_eq!(page.origin().unwrap(), link.origin().unwrap());
        //! assert_eq!(page.origin().unwrap().to_string(), "https://example.com");
        //! ```
    }
}
