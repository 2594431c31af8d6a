//! Cookies (RFC 6265bis): takes the `Set-Cookie` headers of responses (5.6), returns the `Cookie` header of
//! requests (5.1). A cookie goes to the host that set it or, with `Domain`, to the hosts of its registered
//! domain; never to another site. `SameSite` is not considered: it is about requests that a page makes, and
//! every request here is made by the user. Dates have the many forms that servers write (RFC 6265, 5.1.1).
//!
//! Files of cookies have Netscape's format, which curl, wget and browsers' extensions read and write: one cookie a
//! line, seven fields with tabs between them. `#HttpOnly_` before the domain is not a comment.

use std::fmt::{self, Debug, Formatter};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use locator::plan::HttpOrigin;
use locator_domain::{Rules, public_suffix};

use crate::time::date::{UtcTime, days_of, month};

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
        for cookie in cookies_in_file(file) {
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
        file_of(&state.cookies)
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
    pub(super) fn header(&self, place: &CookieTarget<'_>) -> Option<Vec<u8>> {
        self.lock().header(place, now())
    }

    /// Keeps what the values of `Set-Cookie` in a response say.
    pub(super) fn store<'v>(&self, place: &CookieTarget<'_>, values: impl Iterator<Item = &'v [u8]>) {
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
    fn header(&mut self, place: &CookieTarget<'_>, now: u64) -> Option<Vec<u8>> {
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
    fn store(&mut self, place: &CookieTarget<'_>, value: &[u8], now: u64) {
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

/// A cookie that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cookie {
    pub(super) name: Vec<u8>,
    pub(super) value: Vec<u8>,
    /// The host, or the domain whose hosts get it, in lower case.
    pub(super) domain: String,
    /// Whether only this host gets it.
    is_host_only: bool,
    pub(super) path: Vec<u8>,
    is_secure: bool,
    is_http_only: bool,
    /// When it expires, in seconds since 1970; a session cookie does not.
    expires: Option<u64>,
}

/// What a request is sent to, as far as cookies are concerned.
pub(in crate::http) struct CookieTarget<'a> {
    pub(super) host: &'a str,
    pub(super) path: &'a [u8],
    pub(super) is_secured: bool,
}

impl<'a> CookieTarget<'a> {
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
    fn has_expired(&self, now: u64) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }

    fn is_for(&self, place: &CookieTarget<'_>) -> bool {
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
    fn keeps_prefix(&self) -> bool {
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
fn is_public_suffix(domain: &str) -> bool {
    !domain.contains(['.', ':']) || public_suffix(domain, Rules::Private) == Some(domain)
}

/// "The domain string is a suffix of the string, the last character of the string that is not included in the
/// domain string is a "." character, and the string is a host name (i.e., not an IP address)" (5.1.3).
fn domain_matches(host: &str, domain: &str) -> bool {
    let is_below = || {
        let before = host.strip_suffix(domain).and_then(|before| before.strip_suffix('.'));
        before.is_some() && !is_address(host)
    };
    host == domain || is_below()
}

fn is_address(host: &str) -> bool {
    host.parse::<std::net::IpAddr>().is_ok()
}

/// "The cookie-path is a prefix of the request-path", and ends with "/" or is followed by it (5.1.4).
fn path_matches(path: &[u8], cookie: &[u8]) -> bool {
    path.strip_prefix(cookie)
        .is_some_and(|rest| rest.is_empty() || cookie.ends_with(b"/") || rest.starts_with(b"/"))
}

/// What a header says.
#[derive(Debug, Default, PartialEq, Eq)]
struct SetCookie {
    pub(super) name: Vec<u8>,
    pub(super) value: Vec<u8>,
    /// The domain, in lower case and without a dot before it.
    pub(super) domain: Option<String>,
    pub(super) path: Option<Vec<u8>>,
    expires: Option<u64>,
    is_secure: bool,
    is_http_only: bool,
}

/// "If the sum of the lengths of the name string and the value string is more than 4096 octets, abort"; "if the
/// attribute-value is longer than 1024 octets, ignore the cookie-av string".
const LONGEST: usize = 4096;
const LONGEST_ATTRIBUTE: usize = 1024;

/// "The user agent MUST limit the maximum value": "SHOULD NOT be greater than 400 days in the future" (5.5).
const LONGEST_LIFE: u64 = 400 * 86_400;

impl SetCookie {
    /// Parses the value of a header; `None` if it must be ignored.
    pub(super) fn parse(header: &[u8], now: u64) -> Option<Self> {
        // "If the set-cookie-string contains a %x00-08 / %x0A-1F / %x7F character (CTL characters excluding
        // HTAB): Abort". A tab in a name, value, domain or path has no place in a file of cookies.
        if header.iter().any(|octet| octet.is_ascii_control() && *octet != b'\t') {
            return None;
        }
        let mut parts = header.split(|octet| *octet == b';');
        let (name, value) = name_and_value(parts.next()?);
        let (name, value) = match value {
            Some(value) => (name, value),
            None => (&b""[..], name),
        };
        let is_empty = name.is_empty() && value.is_empty();
        if is_empty || name.len() + value.len() > LONGEST || [name, value].concat().contains(&b'\t') {
            return None;
        }
        let mut cookie = Self { name: name.into(), value: value.into(), ..Self::default() };
        let (mut max_age, mut expires) = (None, None);
        for part in parts {
            let (name, value) = name_and_value(part);
            let value = value.unwrap_or_default();
            if value.len() > LONGEST_ATTRIBUTE {
                continue;
            }
            match &*name.to_ascii_lowercase() {
                b"expires" => expires = seconds_of_date(value).or(expires),
                b"max-age" => max_age = seconds(value).or(max_age),
                b"domain" | b"path" if value.contains(&b'\t') => return None,
                b"domain" => cookie.domain = domain(value)?,
                b"path" => cookie.path = Some(value.to_vec()).filter(|path| path.starts_with(b"/")),
                b"secure" => cookie.is_secure = true,
                b"httponly" => cookie.is_http_only = true,
                _ => {}
            }
        }
        // "If a cookie has both the Max-Age and the Expires attribute, the Max-Age attribute has precedence".
        let expires =
            max_age.map(|age| if age <= 0 { 0 } else { now.saturating_add(age.unsigned_abs()) }).or(expires);
        cookie.expires = expires.map(|expires| expires.min(now + LONGEST_LIFE));
        Some(cookie)
    }
}

/// Divides "NAME=VALUE", without the spaces around both.
fn name_and_value(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    let mut parts = text.splitn(2, |octet| *octet == b'=');
    (without_spaces(parts.next().unwrap_or_default()), parts.next().map(without_spaces))
}

fn without_spaces(text: &[u8]) -> &[u8] {
    let is_space = |octet: &u8| matches!(octet, b' ' | b'\t');
    let start = text.iter().position(|octet| !is_space(octet)).unwrap_or(text.len());
    let end = text.iter().rposition(|octet| !is_space(octet)).map_or(start, |last| last + 1);
    &text[start..end]
}

/// Reads a domain: "if the first character is ".": let cookie-domain be the attribute-value without the leading
/// "."". An empty one is ignored; one that is not in ASCII is not allowed, nor is the cookie.
fn domain(value: &[u8]) -> Option<Option<String>> {
    let text = std::str::from_utf8(value).ok().filter(|text| text.is_ascii())?.to_ascii_lowercase();
    let text = text.strip_prefix('.').unwrap_or(&text);
    Some(Some(text.to_owned()).filter(|text| !text.is_empty()))
}

/// Reads a `Max-Age`: digits, perhaps after "-". More than fit are very many.
fn seconds(value: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match value.strip_prefix(b"-") {
        Some(digits) => (true, digits),
        None => (false, value),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = std::str::from_utf8(digits).ok()?.parse().unwrap_or(i64::MAX);
    Some(if is_negative { -number } else { number })
}

/// Parses a date to the seconds since 1970; earlier ones are 0.
fn seconds_of_date(text: &[u8]) -> Option<u64> {
    let (mut time, mut day, mut month, mut year) = (None, None, None, None);
    for token in text.split(|octet| is_delimiter(*octet)).filter(|token| !token.is_empty()) {
        if time.is_none()
            && let Some(found) = time_of(token)
        {
            time = Some(found);
        } else if day.is_none()
            && let Some(found) = number(token, 1, 2)
        {
            day = Some(found);
        } else if month.is_none()
            && let Some(found) = month_of(token)
        {
            month = Some(found);
        } else if year.is_none()
            && let Some(found) = number(token, 2, 4)
        {
            year = Some(found);
        }
    }
    let ((hour, minute, second), day, month, year) = (time?, day?, month?, year?);
    // "If the year-value is greater than or equal to 70 and less than or equal to 99, increment the year-value
    // by 1900"; "greater than or equal to 0 and less than or equal to 69, […] by 2000".
    let year = match year {
        70..=99 => year + 1900,
        0..=69 => year + 2000,
        _ => year,
    };
    // "Let the parsed-cookie-date be the date"; one that does not exist, such as 30 February, is none.
    if !(1..=days_of(year, month)).contains(&day) || year < 1601 || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    if year < 1970 {
        return Some(0);
    }
    let time = UtcTime { year, month, day, hour, minute, second }.time()?;
    time.duration_since(UNIX_EPOCH).ok().map(|time| time.as_secs())
}

/// "delimiter = %x09 / %x20-2F / %x3B-40 / %x5B-60 / %x7B-7E".
const fn is_delimiter(octet: u8) -> bool {
    matches!(octet, 0x09 | 0x20..=0x2F | 0x3B..=0x40 | 0x5B..=0x60 | 0x7B..=0x7E)
}

/// Reads "at least" and "at most" so many digits at the beginning of a token, which others may follow but no
/// digit.
fn number(token: &[u8], least: usize, most: usize) -> Option<u64> {
    let count = token.iter().take_while(|octet| octet.is_ascii_digit()).count();
    let is_right = (least..=most).contains(&count);
    is_right.then(|| token[..count].iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0')))
}

/// "hms-time = time-field ":" time-field ":" time-field", each of one or two digits.
fn time_of(token: &[u8]) -> Option<(u64, u64, u64)> {
    let mut fields = token.splitn(3, |octet| *octet == b':');
    let exact = |field: &[u8]| number(field, 1, 2).filter(|_| field.len() <= 2);
    let hour = exact(fields.next()?).filter(|_| token.contains(&b':'))?;
    let minute = exact(fields.next()?)?;
    Some((hour, minute, number(fields.next()?, 1, 2)?))
}

/// Returns the month by its first three letters.
fn month_of(token: &[u8]) -> Option<u64> {
    month(str::from_utf8(token.get(..3)?).ok()?)
}

const HTTP_ONLY: &[u8] = b"#HttpOnly_";

/// Yields the cookies of a file; `None` for a line that is not one.
fn cookies_in_file(file: &[u8]) -> impl Iterator<Item = Option<Cookie>> {
    let lines = file.split(|octet| *octet == b'\n');
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let is_comment = |line: &[u8]| line.starts_with(b"#") && !line.starts_with(HTTP_ONLY);
    lines.filter(move |line| !line.trim_ascii().is_empty() && !is_comment(line)).map(cookie)
}

/// Parses a line: the domain, whether its hosts get the cookie, path, `Secure`, expiry, name and value. A line
/// of six fields has an empty value.
fn cookie(line: &[u8]) -> Option<Cookie> {
    let (is_http_only, line) = match line.strip_prefix(HTTP_ONLY) {
        Some(line) => (true, line),
        None => (false, line),
    };
    let mut fields = line.splitn(7, |octet| *octet == b'\t');
    let mut next = || fields.next();
    let domain = std::str::from_utf8(next()?).ok()?.to_ascii_lowercase();
    let domain = domain.strip_prefix('.').unwrap_or(&domain).to_owned();
    // Other programs write TRUE for the hosts of an address, too.
    let is_host_only = !is_true(next()?)? || is_address(&domain);
    let path = next()?.to_vec();
    let is_secure = is_true(next()?)?;
    let expires: u64 = std::str::from_utf8(next()?).ok()?.trim().parse().ok()?;
    let (name, value) = (next()?.to_vec(), next().unwrap_or_default().to_vec());
    let is_control = |octet: &u8| octet.is_ascii_control();
    let is_wrong = domain.is_empty()
        || !path.starts_with(b"/")
        || domain.contains(|c: char| c.is_ascii_control() || c == ' ')
        || [&path, &name, &value].into_iter().flatten().any(is_control)
        || !is_host_only && is_public_suffix(&domain);
    let expires = Some(expires).filter(|expires| *expires > 0);
    let cookie = Cookie { name, value, domain, is_host_only, path, is_secure, is_http_only, expires };
    (!is_wrong && cookie.keeps_prefix()).then_some(cookie)
}

fn is_true(field: &[u8]) -> Option<bool> {
    match () {
        () if field.eq_ignore_ascii_case(b"true") => Some(true),
        () if field.eq_ignore_ascii_case(b"false") => Some(false),
        () => None,
    }
}

/// Writes cookies.
fn file_of(cookies: &[Cookie]) -> Vec<u8> {
    let mut file = b"# Netscape HTTP Cookie File\n# Written by locator.\n\n".to_vec();
    let word = |is_true| if is_true { &b"TRUE"[..] } else { b"FALSE" };
    for cookie in cookies {
        if cookie.is_http_only {
            file.extend(HTTP_ONLY);
        }
        if !cookie.is_host_only {
            file.push(b'.');
        }
        let expires = cookie.expires.unwrap_or_default().to_string();
        let fields = [
            cookie.domain.as_bytes(),
            word(!cookie.is_host_only),
            &cookie.path,
            word(cookie.is_secure),
            expires.as_bytes(),
            &cookie.name,
            &cookie.value,
        ];
        file.extend(fields.join(&b'\t'));
        file.push(b'\n');
    }
    file
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
        state.store(&CookieTarget::new(&origin, &path).unwrap(), value.as_bytes(), NOW);
    }

    fn sent(state: &mut State, url: &str) -> String {
        let (origin, path) = place(url);
        let header = state.header(&CookieTarget::new(&origin, &path).unwrap(), NOW);
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

    #[test]
    fn headers() {
        let parsed = |text: &str| {
            let cookie = SetCookie::parse(text.as_bytes(), 1000)?;
            let text = |octets: Vec<u8>| String::from_utf8(octets).unwrap();
            Some((text(cookie.name), text(cookie.value), cookie.expires))
        };
        let pair = |name: &str, value: &str, expires| Some((name.to_owned(), value.to_owned(), expires));
        assert_eq!(parsed(" a = b c ; Path=/"), pair("a", "b c", None));
        assert_eq!(parsed("a=\"b\"=c"), pair("a", "\"b\"=c", None));
        assert_eq!(parsed("a=b; max-age=60"), pair("a", "b", Some(1060)));
        assert_eq!(parsed("a=b; max-age=60; Max-Age=x"), pair("a", "b", Some(1060)));
        assert_eq!(parsed("a=b; Max-Age=99999999999999999999"), pair("a", "b", Some(1000 + LONGEST_LIFE)));
        assert_eq!(parsed("a=b; Max-Age=-0"), pair("a", "b", Some(0)));
        assert_eq!(parsed("a=b; expires=Thu, 01-Jan-1970 00:20:00 GMT"), pair("a", "b", Some(1200)));
        let long = "a".repeat(LONGEST_ATTRIBUTE);
        let cookie = SetCookie::parse(format!("a=b; Path=/{long}; Domain=.a.B").as_bytes(), 0).unwrap();
        assert_eq!((cookie.path, cookie.domain.as_deref()), (None, Some("a.b")));
        for wrong in [
            "",
            "=",
            " ; Secure",
            "a=b\u{1}",
            "a=b\tc",
            "a=b; Path=/\tx",
            "a=b; Domain=\u{e9}.de",
            "a=b; Domain=h\t.de",
            &"a".repeat(LONGEST + 1),
        ] {
            assert_eq!(parsed(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn dates() {
        for (text, expected) in [
            ("Thu, 01 Jan 1970 00:00:01 GMT", Some(1)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", Some(784_111_777)),
            ("Sun Nov  6 08:49:37 1994", Some(784_111_777)),
            ("6 november 1994 8:49:37", Some(784_111_777)),
            ("Fri, 31-Dec-9999 23:59:59 GMT", Some(253_402_300_799)),
            ("Thu, 29 Feb 2024 23:59:59 GMT", Some(1_709_251_199)),
            ("Mon, 01 Jan 1601 00:00:00 GMT", Some(0)),
            ("Mon, 01 Jan 1600 00:00:00 GMT", None),
            ("Wed, 30 Feb 2024 00:00:00 GMT", None),
            ("Sun, 06 Nov 1994 24:00:00 GMT", None),
            ("06 Nov 1994", None),
            ("0", None),
            ("", None),
        ] {
            assert_eq!(seconds_of_date(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn files() {
        let text = "# Netscape HTTP Cookie File\n\n.example.com\tTRUE\t/\tFALSE\t2000000000\ta\tb\n\
            #HttpOnly_h.example\tFALSE\t/x\tTRUE\t0\tc\t\n";
        let found: Vec<_> = cookies_in_file(text.as_bytes()).map(Option::unwrap).collect();
        assert_eq!(found[0].domain, "example.com");
        assert_eq!((found[0].is_host_only, found[0].expires), (false, Some(2_000_000_000)));
        assert!(found[1].is_host_only && found[1].is_http_only && found[1].is_secure);
        assert_eq!((found[1].expires, &*found[1].path), (None, &b"/x"[..]));
        let again = file_of(&found);
        assert_eq!(cookies_in_file(&again).flatten().collect::<Vec<_>>(), found);
        assert!(again.ends_with(text.split_once("\n\n").unwrap().1.as_bytes()));
        let of_addresses = "127.0.0.1\tTRUE\t/\tFALSE\t0\ta\tb\n::1\tFALSE\t/\tFALSE\t0\ta\tb\n";
        let found: Vec<_> = cookies_in_file(of_addresses.as_bytes()).flatten().collect();
        assert_eq!(cookies_in_file(&file_of(&found)).flatten().collect::<Vec<_>>(), found);
        assert!(found.len() == 2 && found.iter().all(|cookie| cookie.is_host_only));
        // Windows writes CR LF; an empty value may be missing.
        let text = "h.example\tFALSE\t/\tFALSE\t0\ta\tb\r\nh.example\tFALSE\t/\tFALSE\t0\tc\r\n";
        assert!(cookies_in_file(text.as_bytes()).all(|cookie| cookie.is_some()));
        for wrong in [
            "a=b",
            "Set-Cookie: a=b",
            "h\tMAYBE\t/\tFALSE\t0\ta\tb",
            "h\tFALSE\t/\tFALSE\tsoon\ta\tb",
            "h\tFALSE\tx\tFALSE\t0\ta\tb",
            ".com\tTRUE\t/\tFALSE\t0\ta\tb",
            "h\tFALSE\t/\tFALSE\t0\ta\tb\u{1}",
            "h\tFALSE\t/\u{1}\tFALSE\t0\ta\tb",
            "h\u{1b}\tFALSE\t/\tFALSE\t0\ta\tb",
            "h \tFALSE\t/\tFALSE\t0\ta\tb",
            "h\tFALSE\t/\tFALSE\t0\ta\u{7f}\tb",
            "h\tFALSE\t/\tFALSE\t0\ta\tb\tc",
            "h\tFALSE\t/\tFALSE\t0\t__Secure-a\tb",
        ] {
            assert_eq!(cookies_in_file(wrong.as_bytes()).collect::<Vec<_>>(), [None], "{wrong:?}");
        }
    }
}
