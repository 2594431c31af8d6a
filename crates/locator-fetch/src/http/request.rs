//! Requests: what is sent to an origin, after the redirects that led to it. A [`Redirect`] (RFC 9110, 15.4) is
//! where a response leads, with the rules of what is sent there, which [`Request`] applies; `fetcher/fetch/http`
//! asks the policy about the URL.

use locator::plan::{self, Credentials, GatewayUrl, HttpOrigin, Secret};
use locator::scheme::default_port;
use locator::{UriBuf, UriRef, UriRefCow};
use tokio::time::Instant;

use super::body::RequestBody;
use super::range::RangeRequest;
use super::settings::{HostLogin, Http};
use crate::error::failure::{Detail, FailureKind, RedirectCause, UnsentLogin, Withheld};
use crate::headers::ResponseHead;
use crate::redact::plain;
use crate::run::resume::Resume;

/// A request, as the redirects that were followed have changed it.
#[derive(Clone)]
pub(crate) struct Request {
    /// The origin of the URL that was given, which headers, body and login belong to.
    origin: Option<HttpOrigin>,
    /// Whether they are sent to any origin, and whether the body is.
    trusts_all: bool,
    sends_body: bool,
    pub(crate) method: String,
    pub(crate) body: Option<RequestBody>,
    pub(crate) login: Option<Credentials>,
    /// Whether a redirect changed the method, and the body is not sent again.
    has_lost_body: bool,
    /// The URL of the gateway that was asked in place of the present URL.
    pub(crate) gateway: Option<GatewayUrl>,
    /// When it began.
    pub(crate) start: Instant,
    /// Whether the request before was secured.
    was_secured: bool,
    /// Whether a login was sent to a server.
    has_sent_login: bool,
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
            has_sent_login: false,
        }
    }

    /// Returns this request as another call goes on with it, which has settings of its own: its method and its
    /// body, if it has them, are sent in place of those that the redirects have left.
    pub(crate) fn continued(&self, http: &Http) -> Self {
        let own = Self::new(http);
        let has_own = http.method.is_some() || http.body.is_some();
        Self {
            trusts_all: own.trusts_all,
            sends_body: own.sends_body,
            start: own.start,
            method: if has_own { own.method } else { self.method.clone() },
            body: own.body.or_else(|| self.body.clone()),
            has_lost_body: self.has_lost_body && http.body.is_none(),
            ..self.clone()
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
    pub(crate) fn begin(&mut self, origin: Option<HttpOrigin>) {
        self.origin = origin;
    }

    /// Returns whether what belongs to the URL that was given is sent to an origin.
    pub(crate) fn is_at_home(&self, origin: &HttpOrigin) -> bool {
        self.origin.as_ref().is_some_and(|own| self.shares(own, origin))
    }

    /// Returns whether what belongs to one origin is sent to another: to the same host from port 80 of
    /// http to port 443 of https, too: what answers there could have read the same on port 80.
    fn shares(&self, own: &HttpOrigin, other: &HttpOrigin) -> bool {
        let is = |origin: &HttpOrigin, scheme, port| origin.scheme == scheme && origin.port == port;
        let is_secured = own.host == other.host && is(own, "http", 80) && is(other, "https", 443);
        self.trusts_all || own == other || is_secured
    }

    /// Checks that the body, if there still is one, and the method may be sent to an origin; `url` is the
    /// one that is led to. "Automatic redirection needs to be done with care for methods not known to be
    /// safe […] since the user might not wish to redirect an unsafe request" (RFC 9110, 15.4).
    pub(crate) fn check_repeated(&self, origin: Option<&HttpOrigin>, url: &str) -> Result<(), FailureKind> {
        if self.sends_body || origin.is_some_and(|origin| self.is_at_home(origin)) {
            return Ok(());
        }
        match &*self.method {
            _ if self.body.is_some() => Err(FailureKind::RedirectsBody { to: shown(url).into() }),
            "GET" | "HEAD" | "OPTIONS" | "TRACE" => Ok(()),
            method => Err(FailureKind::RedirectsMethod { method: method.into(), to: shown(url).into() }),
        }
    }

    /// Returns why a request with a body may not be sent; else notes whether it is secured.
    fn set_secured(&mut self, is_secured: bool) -> Result<(), Detail<RedirectCause>> {
        if self.was_secured && !is_secured && self.body.is_some() {
            let text = "the request body would be sent unencrypted after https";
            return Err(Detail::new(RedirectCause::Downgrade, text));
        }
        self.was_secured = is_secured;
        Ok(())
    }

    /// Notes that a login was sent.
    pub(crate) fn note_login(&mut self, is_sent: bool) {
        self.has_sent_login |= is_sent;
    }

    /// Changes the method as a redirect says.
    pub(crate) fn follow(&mut self, redirect: &Redirect) {
        if redirect.becomes_get(&self.method) {
            self.has_lost_body |= self.body.is_some() || self.method != "GET";
            self.method = "GET".into();
            self.body = None;
        }
    }
}

/// A request that is ready to be sent to an origin.
pub(super) struct PreparedRequest {
    /// The target, and the fields of the plan.
    pub(super) plan: plan::Request,
    pub(super) origin: HttpOrigin,
    pub(super) method: String,
    pub(super) body: Option<RequestBody>,
    /// Whether all headers and the login of the settings are sent to this origin.
    is_at_home: bool,
    /// Whether a redirect led on without the body.
    has_lost_body: bool,
    /// What is not sent to this origin.
    pub(super) withheld: Option<Withheld>,
    pub(super) range: RangeRequest,
    /// User and password; the user is asked for a password that is not there.
    pub(super) login: Option<OriginLogin>,
    /// Whether nobody misses the login, because a server that redirected here was sent one.
    has_sent_login: bool,
}

impl Request {
    /// Returns the request of a plan for an origin; `is_secured` is the way to it.
    pub(super) fn prepare(
        &mut self,
        plan: plan::Request,
        origin: HttpOrigin,
        is_secured: bool,
        (http, resume): (&Http, Option<&Resume>),
    ) -> Result<PreparedRequest, FailureKind> {
        self.set_secured(is_secured).map_err(FailureKind::Redirect)?;
        let target = plan.target().to_bytes();
        let url = || format!("{}{}", written_origin(&origin), String::from_utf8_lossy(&target));
        self.check_repeated(Some(&origin), &url())?;
        let is_at_home = self.is_at_home(&origin);
        if let Some(login) = plan.credentials() {
            self.login = Some(login.clone());
        }
        let has_login = self.login.is_some() || http.login.is_some();
        let login = self.login_for(&origin, http);
        let is_of_any_host = login.as_ref().is_some_and(|login| login.is_of_any_host);
        let withheld = Withheld {
            origin: written_origin(&origin),
            login: has_login && login.is_none(),
            headers: withheld_headers(http, is_at_home),
        };
        Ok(PreparedRequest {
            plan,
            origin,
            method: self.method.clone(),
            body: self.body.clone(),
            is_at_home,
            has_lost_body: self.has_lost_body,
            withheld: Some(withheld).filter(|withheld| withheld.login || !withheld.headers.is_empty()),
            range: RangeRequest::new(http.range, resume),
            login,
            // Nobody expects that every server asks for the login of any host.
            has_sent_login: self.has_sent_login || is_of_any_host,
        })
    }
}

impl Request {
    /// Returns the login for an origin.
    fn login_for(&self, origin: &HttpOrigin, http: &Http) -> Option<OriginLogin> {
        let is_at_home = self.is_at_home(origin);
        let of_host = |user| http.login_of(&origin.host, user, is_at_home);
        if let Some(own) = self.login.as_ref().filter(|login| self.shares(&login.origin, origin)) {
            let of_user = || of_host(Some(&own.user)).and_then(|login| login.password.clone());
            let password = own.password.clone().or_else(of_user);
            return Some(OriginLogin { user: own.user.clone(), password, is_of_any_host: false });
        }
        if let Some((user, password)) = http.login.clone().filter(|_| is_at_home) {
            return Some(OriginLogin { user, password: Some(password), is_of_any_host: false });
        }
        let HostLogin { host, user, password } = of_host(None)?.clone();
        Some(OriginLogin { user, password, is_of_any_host: host.is_none() })
    }
}

/// The login for an origin.
#[derive(Clone)]
pub(super) struct OriginLogin {
    pub(super) user: Secret,
    /// `None` if the user is asked for it.
    pub(super) password: Option<Secret>,
    /// Whether it is one of any host, which not every server asks for.
    is_of_any_host: bool,
}

impl PreparedRequest {
    /// Returns whether a header of the settings is sent: to another origin only what RFC 9110 has for
    /// choosing a representation, and what describes the body with the body alone.
    pub(super) fn sends(&self, name: &str) -> bool {
        if self.has_lost_body && is_about_body(name) {
            return false;
        }
        self.is_at_home || is_for_all(name) || self.body.is_some() && describes_body(name)
    }

    /// Returns why the user's login was not sent, if there is one and no server was sent it before.
    /// `unusable` says why a server that asks for a login gets none.
    pub(super) fn unsent_login(&self, unusable: Option<String>) -> Option<UnsentLogin> {
        match (&self.login, &self.withheld) {
            _ if self.has_sent_login => None,
            (Some(_), _) => {
                Some(unusable.map_or(UnsentLogin::NotAsked, |why| UnsentLogin::Scheme(why.into())))
            }
            (None, Some(withheld)) if withheld.login => Some(UnsentLogin::OtherOrigin),
            (None, _) => None,
        }
    }

    /// Returns the path of the target, which for a proxy is a whole URL; nothing if that has none.
    pub(super) fn path(&self) -> Vec<u8> {
        path_of(&self.plan.target().to_bytes()).to_vec()
    }

    /// Returns whether the server may compress the object.
    pub(super) fn may_be_compressed(&self, http: &Http) -> bool {
        http.is_compressed && self.range.headers().range.is_none() && self.plan.first_octet() == 0
    }

    /// Returns the user, for whom a connection is made.
    pub(super) fn user(&self) -> Option<Vec<u8>> {
        self.login.as_ref().map(|login| login.user.reveal().to_vec())
    }
}

/// Returns the path of a request target, which for a proxy is a whole URL.
pub(super) fn path_of(target: &[u8]) -> &[u8] {
    let path = target.split(|octet| *octet == b'?').next().unwrap_or_default();
    if path.starts_with(b"/") {
        return path;
    }
    let after = path.windows(3).position(|three| three == b"://").map_or(0, |at| at + 3);
    let rest = path.get(after..).unwrap_or_default();
    let start = rest.iter().position(|octet| *octet == b'/').unwrap_or(rest.len());
    &rest[start..]
}

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
        let location = response.headers.get_bytes("location").map(location_text).unwrap_or_default();
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
    fn becomes_get(&self, method: &str) -> bool {
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
fn is_for_all(name: &str) -> bool {
    const NAMES: [&str; 6] =
        ["accept", "accept-language", "accept-encoding", "user-agent", "range", "cache-control"];
    let name = name.to_ascii_lowercase();
    name.starts_with("if-") || NAMES.contains(&&*name)
}

/// Returns whether a header says how to read the body of a request, and is sent where that is sent.
fn describes_body(name: &str) -> bool {
    ["content-type", "content-encoding", "content-language"].contains(&&*name.to_ascii_lowercase())
}

/// Returns the names of the headers that are not sent to another origin. What describes the body is
/// missed by nobody.
fn withheld_headers(http: &Http, is_at_home: bool) -> Vec<String> {
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
fn is_about_body(name: &str) -> bool {
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
    let text = location_text(uri.as_ref().map_or(text, UriRefCow::as_str).as_bytes());
    UriBuf::from_string(text).ok()
}

/// Returns the text of a URL in which servers left characters that must be escaped, such as spaces and
/// octets of UTF-8: programs escape them.
fn location_text(location: &[u8]) -> String {
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
