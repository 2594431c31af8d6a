//! Cookies (RFC 6265bis): takes the `Set-Cookie` headers of responses, returns the `Cookie` header of
//! requests. A cookie goes to the host that set it or, with `Domain`, to the hosts of its registered
//! domain; never to another site. `SameSite` is not considered: it is about requests that a page makes, and
//! every request here is made by the user.

mod cookie;
mod date;
mod file;
mod set_cookie;

use std::fmt::{self, Debug, Formatter};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

pub(super) use self::cookie::Place;
use self::cookie::{Cookie, domain_matches, is_address, is_public_suffix, path_matches};
use self::set_cookie::SetCookie;

/// "At least 50 cookies per domain", "at least 3000 cookies total" (RFC 6265bis, 6.1). The oldest are removed.
const MOST: usize = 3_000;
const MOST_PER_DOMAIN: usize = 180;

/// How many cookies, and how many octets of them, a request has: as in curl. Servers refuse longer heads.
const MOST_SENT: usize = 150;
const LONGEST_SENT: usize = 8_190;

/// Cookies that responses have set, and that requests send back. A clone shares them.
///
/// ```
/// use locator_fetch::Fetcher;
/// use locator_fetch::http::{CookieJar, Http};
///
/// let jar = CookieJar::new();
/// jar.read(b"example.com\tFALSE\t/\tTRUE\t0\tsession\t1234\n");
/// let fetcher = Fetcher::for_user_input().http(Http::new().cookies(&jar));
/// assert_eq!(jar.len(), 1);
/// ```
#[derive(Clone, Default)]
pub struct CookieJar(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// In the order in which they were created.
    cookies: Vec<Cookie>,
}

impl CookieJar {
    /// Creates a jar without cookies.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the cookies of a file in Netscape's format, as curl, wget and browsers' extensions write it.
    /// Returns how many lines were not cookies.
    pub fn read(&self, file: &[u8]) -> usize {
        let mut state = self.lock();
        let mut wrong = 0;
        for cookie in file::cookies(file) {
            match cookie {
                Some(cookie) => state.keep(cookie, now()),
                None => wrong += 1,
            }
        }
        wrong
    }

    /// Writes the cookies as a file in Netscape's format. Session cookies have the time 0 there.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut state = self.lock();
        state.expire(now());
        file::written(&state.cookies)
    }

    /// Removes session cookies, as a browser does when it starts.
    pub fn remove_session_cookies(&self) {
        self.lock().cookies.retain(|cookie| cookie.expires.is_some());
    }

    /// Returns the number of cookies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().cookies.len()
    }

    /// Returns whether there are no cookies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value of `Cookie` for a request; `None` without cookies for it.
    pub(super) fn header(&self, place: &Place<'_>) -> Option<Vec<u8>> {
        self.lock().header(place, now())
    }

    /// Keeps what the values of `Set-Cookie` in a response say.
    pub(super) fn store<'v>(&self, place: &Place<'_>, values: impl Iterator<Item = &'v [u8]>) {
        for value in values {
            self.lock().store(place, value, now());
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Shows no values.
impl Debug for CookieJar {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("CookieJar").field("len", &self.len()).finish_non_exhaustive()
    }
}

impl State {
    /// "The cookies SHOULD be ordered: cookies with longer paths are listed before cookies with shorter paths;
    /// among cookies that have equal-length path fields, cookies with earlier creation-times are listed before
    /// cookies with later creation-times" (5.8.3).
    fn header(&mut self, place: &Place<'_>, now: u64) -> Option<Vec<u8>> {
        self.expire(now);
        let mut found: Vec<_> = self.cookies.iter().filter(|cookie| cookie.is_for(place)).collect();
        found.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        let mut header = Vec::new();
        for pair in found.iter().map(|cookie| cookie.pair()).take(MOST_SENT) {
            let separator: &[u8] = if header.is_empty() { b"" } else { b"; " };
            // A server may refuse every request whose headers are too long, so a site must not be able to
            // make them so.
            if header.len() + separator.len() + pair.len() <= LONGEST_SENT {
                header.extend_from_slice(separator);
                header.extend_from_slice(&pair);
            }
        }
        (!header.is_empty()).then_some(header)
    }

    /// Keeps a cookie of a response, if the rules of section 5.7 allow it.
    fn store(&mut self, place: &Place<'_>, value: &[u8], now: u64) {
        let Some(set) = SetCookie::parse(value, now) else { return };
        let Some((domain, is_host_only)) = domain_of(place.host, set.domain.as_deref()) else { return };
        let cookie = Cookie {
            name: set.name,
            value: set.value,
            domain,
            is_host_only,
            path: set.path.unwrap_or_else(|| default_path(place.path).to_vec()),
            is_secure: set.is_secure,
            is_http_only: set.is_http_only,
            expires: set.expires,
        };
        let is_allowed = cookie.keeps_prefix() && (place.is_secured || !cookie.is_secure);
        if is_allowed && (place.is_secured || !self.overlays(&cookie)) {
            self.keep(cookie, now);
        }
    }

    /// Returns whether a cookie that was not set securely would hide one that was: "leave secure cookies alone"
    /// (5.7, step 16).
    fn overlays(&self, new: &Cookie) -> bool {
        self.cookies.iter().any(|old| {
            old.is_secure
                && old.name == new.name
                && (domain_matches(&old.domain, &new.domain) || domain_matches(&new.domain, &old.domain))
                && path_matches(&new.path, &old.path)
        })
    }

    /// Adds a cookie, or replaces the one of the same name, domain and path; one that has expired is removed.
    fn keep(&mut self, cookie: Cookie, now: u64) {
        let is_same = |old: &Cookie| {
            (&old.name, &old.domain, old.is_host_only, &old.path)
                == (&cookie.name, &cookie.domain, cookie.is_host_only, &cookie.path)
        };
        let old = self.cookies.iter().position(is_same);
        match (old, cookie.has_expired(now)) {
            (Some(old), true) => {
                self.cookies.remove(old);
            }
            (Some(old), false) => self.cookies[old] = cookie,
            (None, true) => {}
            (None, false) => {
                let of_domain = |other: &Cookie| other.domain == cookie.domain;
                if self.cookies.iter().filter(|other| of_domain(other)).count() >= MOST_PER_DOMAIN
                    && let Some(oldest) = self.cookies.iter().position(of_domain)
                {
                    self.cookies.remove(oldest);
                }
                if self.cookies.len() >= MOST {
                    self.cookies.remove(0);
                }
                self.cookies.push(cookie);
            }
        }
    }

    fn expire(&mut self, now: u64) {
        self.cookies.retain(|cookie| !cookie.has_expired(now));
    }
}

/// Returns the domain of a cookie of a host, and whether it is for this host only; `None` if the host may not
/// set it: "if the domain-attribute is a public suffix", unless it is the host itself, and "if the
/// canonicalized request-host does not domain-match the domain-attribute" (5.7, steps 9 and 10).
fn domain_of(host: &str, attribute: Option<&str>) -> Option<(String, bool)> {
    let Some(domain) = attribute else { return Some((host.to_owned(), true)) };
    // An address has no hosts below it.
    if is_public_suffix(domain) || is_address(host) {
        return (domain == host).then(|| (host.to_owned(), true));
    }
    domain_matches(host, domain).then(|| (domain.to_owned(), false))
}

/// "The characters of the uri-path from the first character up to, but not including, the right-most "/""
/// (5.1.4).
fn default_path(path: &[u8]) -> &[u8] {
    match path.iter().rposition(|octet| *octet == b'/') {
        Some(at) if at > 0 && path.starts_with(b"/") => &path[..at],
        _ => b"/",
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use locator::plan::HttpOrigin;

    use super::*;

    const NOW: u64 = 1_000_000_000;

    fn place(url: &str) -> (HttpOrigin, Vec<u8>) {
        let (scheme, rest) = url.split_once("://").unwrap();
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        (HttpOrigin::new(scheme, host, 80), path.into())
    }

    fn store(state: &mut State, url: &str, value: &str) {
        let (origin, path) = place(url);
        state.store(&Place::new(&origin, &path).unwrap(), value.as_bytes(), NOW);
    }

    fn sent(state: &mut State, url: &str) -> String {
        let (origin, path) = place(url);
        let header = state.header(&Place::new(&origin, &path).unwrap(), NOW);
        String::from_utf8(header.unwrap_or_default()).unwrap()
    }

    /// What is set by a response, and whether another request sends it.
    #[test]
    fn where_cookies_go() {
        for (from, value, to, expected) in [
            ("http://a.example.com/x/y", "n=v", "http://a.example.com/x/z", "n=v"),
            ("http://a.example.com/x/y", "n=v", "http://a.example.com/x", "n=v"),
            ("http://a.example.com/x/y", "n=v", "http://a.example.com/xy", ""),
            ("http://a.example.com/x/y", "n=v", "http://b.example.com/x/z", ""),
            ("http://a.example.com/x/y", "n=v; Path=/", "http://a.example.com", "n=v"),
            ("http://a.example.com/x/y", "n=v; path=x", "http://a.example.com/x/", "n=v"),
            ("http://a.example.com/", "n=v; Domain=.Example.COM", "http://b.example.com/", "n=v"),
            ("http://a.example.com/", "n=v; Domain=example.com", "http://example.com/", "n=v"),
            ("http://a.example.com/", "n=v; Domain=example.com", "http://badexample.com/", ""),
            ("http://a.example.com/", "n=v; Domain=b.example.com", "http://b.example.com/", ""),
            ("http://a.example.com/", "n=v; Domain=com", "http://a.example.com/", ""),
            ("http://a.example.co.uk/", "n=v; Domain=co.uk", "http://a.example.co.uk/", ""),
            ("http://anna.github.io/", "n=v; Domain=github.io", "http://anna.github.io/", ""),
            ("http://github.io/", "n=v; Domain=github.io", "http://github.io/", "n=v"),
            ("http://github.io/", "n=v; Domain=github.io", "http://anna.github.io/", ""),
            ("http://a.lan/", "n=v; Domain=lan", "http://a.lan/", ""),
            ("http://1.2.3.4/", "n=v; Domain=1.2.3.4", "http://1.2.3.4/", "n=v"),
            ("http://1.2.3.4/", "n=v; Domain=3.4", "http://1.2.3.4/", ""),
            ("https://h.example/", "n=v; Secure", "http://h.example/", ""),
            ("https://h.example/", "n=v; Secure", "https://h.example/", "n=v"),
            ("http://h.example/", "n=v; Secure", "https://h.example/", ""),
            ("http://localhost/", "n=v; Secure", "http://localhost/", "n=v"),
            ("https://h.example/", "__Secure-n=v", "https://h.example/", ""),
            ("https://h.example/", "__Secure-n=v; Secure", "https://h.example/", "__Secure-n=v"),
            ("https://h.example/", "__Host-n=v; Secure; Path=/", "https://h.example/", "__Host-n=v"),
            ("https://h.example/a/b", "__host-n=v; Secure", "https://h.example/a/b", ""),
            ("https://h.example/", "__Host-n=v; Secure; Path=/; Domain=h.example", "https://h.example/", ""),
            ("https://h.example/", "=__Host-n=v; Secure; Path=/", "https://h.example/", ""),
            ("http://h.example/", "v", "http://h.example/", "v"),
            ("http://h.example/", "n=v; Max-Age=0", "http://h.example/", ""),
            (
                "http://h.example/",
                "n=v; Max-Age=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
                "http://h.example/",
                "n=v",
            ),
            ("http://h.example/", "n=v; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "http://h.example/", ""),
            ("http://h.example/", "n=v; HttpOnly; SameSite=Strict; Other", "http://h.example/", "n=v"),
        ] {
            let mut state = State::default();
            store(&mut state, from, value);
            assert_eq!(sent(&mut state, to), expected, "{from} {value} {to}");
        }
    }

    #[test]
    fn order_and_replacement() {
        let mut state = State::default();
        for (url, value) in [
            ("http://h.example/", "a=1; Path=/"),
            ("http://h.example/", "b=1; Path=/x"),
            ("http://h.example/", "c=1; Path=/"),
            ("http://h.example/", "a=2; Path=/"),
        ] {
            store(&mut state, url, value);
        }
        assert_eq!(sent(&mut state, "http://h.example/x"), "b=1; a=2; c=1");
        store(&mut state, "http://h.example/", "c=; Max-Age=-1; Path=/");
        assert_eq!(sent(&mut state, "http://h.example/x"), "b=1; a=2");
        // A cookie that was set securely is not hidden by one that was not.
        store(&mut state, "https://h.example/", "s=1; Secure");
        store(&mut state, "http://h.example/", "s=2");
        assert_eq!(sent(&mut state, "https://h.example/"), "a=2; s=1");
    }

    #[test]
    fn what_is_sent_is_bounded() {
        let mut state = State::default();
        for i in 0..MOST_SENT + 10 {
            store(&mut state, "http://h.example/", &format!("n{i}=v"));
        }
        assert_eq!(sent(&mut state, "http://h.example/").matches("; ").count(), MOST_SENT - 1);
        let mut state = State::default();
        for name in ["a", "b", "c"] {
            store(&mut state, "http://h.example/", &format!("{name}={}", "v".repeat(4_000)));
        }
        store(&mut state, "http://h.example/", "short=v");
        let header = sent(&mut state, "http://h.example/");
        assert!(header.len() <= LONGEST_SENT && header.ends_with("; short=v"), "{}", header.len());
        assert_eq!(header.matches("; ").count(), 2);
    }

    #[test]
    fn jars_have_an_end() {
        let mut state = State::default();
        for i in 0..MOST_PER_DOMAIN + 10 {
            store(&mut state, "http://h.example/", &format!("n{i}=v"));
        }
        assert_eq!((state.cookies.len(), &*state.cookies[0].name), (MOST_PER_DOMAIN, &b"n10"[..]));
        for i in 0..MOST + 10 {
            store(&mut state, &format!("http://h{i}.example/"), "n=v");
        }
        assert_eq!(state.cookies.len(), MOST);
    }
}
