//! One cookie, and the rules of which requests it is for (RFC 6265bis, 5.1).

use locator::plan::HttpOrigin;
use locator_domain::{Rules, public_suffix};

/// A cookie that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cookie {
    pub(super) name: Vec<u8>,
    pub(super) value: Vec<u8>,
    /// The host, or the domain whose hosts get it, in lower case.
    pub(super) domain: String,
    /// Whether only this host gets it.
    pub(super) is_host_only: bool,
    pub(super) path: Vec<u8>,
    pub(super) is_secure: bool,
    pub(super) is_http_only: bool,
    /// When it expires, in seconds since 1970; a session cookie does not.
    pub(super) expires: Option<u64>,
}

/// What a request is sent to, as far as cookies are concerned.
pub(in crate::http) struct Place<'a> {
    pub(super) host: &'a str,
    pub(super) path: &'a [u8],
    pub(super) is_secured: bool,
}

impl<'a> Place<'a> {
    /// Returns the place of a request to an origin; `None` if that has no cookies, such as one of ftp by a
    /// proxy.
    pub(in crate::http) fn new(origin: &'a HttpOrigin, path: &'a [u8]) -> Option<Self> {
        let is_secured = match &*origin.scheme {
            // "The definition of "secure" protocol is left to the user agent" (5.8.3): what does not leave this
            // machine is secure, as in curl and in browsers.
            "http" => matches!(&*origin.host, "localhost" | "127.0.0.1" | "::1"),
            "https" => true,
            _ => return None,
        };
        Some(Self { host: &origin.host, path: if path.is_empty() { b"/" } else { path }, is_secured })
    }
}

impl Cookie {
    pub(super) fn has_expired(&self, now: u64) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }

    pub(super) fn is_for(&self, place: &Place<'_>) -> bool {
        let is_of_host = match self.is_host_only {
            true => self.domain == place.host,
            false => domain_matches(place.host, &self.domain),
        };
        is_of_host && path_matches(place.path, &self.path) && (place.is_secured || !self.is_secure)
    }

    pub(super) fn pair(&self) -> Vec<u8> {
        match self.name.is_empty() {
            true => self.value.clone(),
            false => [&self.name[..], b"=", &self.value].concat(),
        }
    }

    /// "If a cookie's name begins with a case-insensitive match for the string `__Host-`, then the cookie will
    /// have been set with a `Secure` attribute, a `Path` attribute with a value of `/`, and no `Domain`
    /// attribute"; one with `__Secure-` has `Secure` (4.1.3). A cookie without a name must not look like one.
    pub(super) fn keeps_prefix(&self) -> bool {
        let text = if self.name.is_empty() { &self.value } else { &self.name };
        let begins =
            |prefix: &[u8]| text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
        let is_whole = self.is_host_only && self.path == b"/";
        match (begins(b"__Host-"), begins(b"__Secure-")) {
            (false, false) => true,
            _ if self.name.is_empty() => false,
            (is_host, _) => self.is_secure && (is_whole || !is_host),
        }
    }
}

/// Returns whether anybody can register names below a domain. An unknown one with a single label is taken for
/// one, such as `lan`.
pub(super) fn is_public_suffix(domain: &str) -> bool {
    !domain.contains(['.', ':']) || public_suffix(domain, Rules::Private) == Some(domain)
}

/// "The domain string is a suffix of the string, the last character of the string that is not included in the
/// domain string is a "." character, and the string is a host name (i.e., not an IP address)" (5.1.3).
pub(super) fn domain_matches(host: &str, domain: &str) -> bool {
    let is_below = || {
        let before = host.strip_suffix(domain).and_then(|before| before.strip_suffix('.'));
        before.is_some() && !is_address(host)
    };
    host == domain || is_below()
}

pub(super) fn is_address(host: &str) -> bool {
    host.parse::<std::net::IpAddr>().is_ok()
}

/// "The cookie-path is a prefix of the request-path", and ends with "/" or is followed by it (5.1.4).
pub(super) fn path_matches(path: &[u8], cookie: &[u8]) -> bool {
    path.strip_prefix(cookie)
        .is_some_and(|rest| rest.is_empty() || cookie.ends_with(b"/") || rest.starts_with(b"/"))
}
