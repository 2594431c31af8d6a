//! The settings of HTTP: what is asked for besides the URL, and how.

use std::fmt::{self, Display, Formatter};

use locator::plan::Secret;

use super::body::RequestBody;
use super::cookies::CookieJar;
use crate::net::proxy::Proxies;

/// How HTTP is spoken. What belongs to the URL that was given, which is the login, the headers and the
/// body, is sent to its origin, and from port 80 of `http` to port 443 of `https` on the same host. Where
/// a redirect leads to another origin, these headers are sent: `Accept`, `Accept-Language`,
/// `Accept-Encoding`, `User-Agent`, `Range`, `Cache-Control` and those that begin with `If-`. A redirect
/// that repeats the body there (307, 308; with another method than POST 301 and 302, too) is an error, and
/// so is one that repeats a method with an effect, which is any but GET, HEAD, OPTIONS and TRACE.
///
/// ```
/// use locator_fetch::Fetcher;
/// use locator_fetch::http::Http;
///
/// let http = Http::new().header("Accept-Language", "en")?.compressed(true);
/// let fetcher = Fetcher::for_untrusted_urls().http(http);
/// # Ok::<_, locator_fetch::http::HttpError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Http {
    pub(crate) method: Option<String>,
    pub(crate) fields: Vec<(String, Secret)>,
    /// The fields that are not sent, in lower case.
    pub(crate) left_out: Vec<String>,
    pub(crate) body: Option<RequestBody>,
    pub(crate) user_agent: Option<String>,
    pub(crate) login: Option<(Secret, Secret)>,
    /// The logins of hosts, of which the first that fits is used.
    host_logins: Vec<HostLogin>,
    /// Whether a login is sent before the server asks for it.
    sends_login: bool,
    /// The schemes of logins that servers and proxies may ask for.
    pub(crate) auth: AuthSchemes,
    pub(crate) proxy_auth: AuthSchemes,
    pub(crate) cookies: Option<CookieJar>,
    pub(crate) range: Option<ByteRange>,
    pub(crate) is_compressed: bool,
    pub(crate) has_http2: bool,
    pub(crate) follows: bool,
    /// Whether redirects to another origin get all that belongs to the given URL.
    pub(crate) trusts_redirects: bool,
    /// Whether redirects to another origin get the body.
    pub(crate) redirects_body: bool,
    /// The schemes that redirects may lead to, if not to all that the policy allows.
    pub(crate) redirects_to: Option<Vec<String>>,
    pub(crate) gives_errors: bool,
    pub(crate) proxies: Proxies,
}

impl Default for Http {
    fn default() -> Self {
        Self {
            method: None,
            fields: Vec::new(),
            left_out: Vec::new(),
            body: None,
            user_agent: Some(concat!("locator/", env!("CARGO_PKG_VERSION")).into()),
            login: None,
            host_logins: Vec::new(),
            sends_login: false,
            auth: AuthSchemes::ALL,
            proxy_auth: AuthSchemes::ALL,
            cookies: None,
            range: None,
            is_compressed: false,
            has_http2: true,
            follows: true,
            trusts_redirects: false,
            redirects_body: false,
            redirects_to: None,
            gives_errors: false,
            proxies: Proxies::none(),
        }
    }
}

impl Http {
    /// Returns the settings of a fetcher that has no others: GET, redirects are followed, HTTP/2 where
    /// a server of TLS has it, no proxy, no compression, and an error status is an error.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the method, which must be a token (RFC 9110, 5.6.2) and not CONNECT.
    pub(crate) fn method(self, method: &str) -> Result<Self, HttpError> {
        if !is_token(method) || method.eq_ignore_ascii_case("CONNECT") {
            return Err(HttpError::Method);
        }
        Ok(Self { method: Some(method.into()), ..self })
    }

    /// Adds a field. A field of the same name that the client would send is left out, also `Host`,
    /// `User-Agent` and `Accept`.
    ///
    /// # Errors
    ///
    /// The name is not a token, the value contains CR, LF or NUL (RFC 9110, 5.5), the field is one
    /// of the connection or of the framing, such as `Content-Length`, or it was added before and can be in a
    /// request only once, such as `Host`.
    pub fn header(mut self, name: &str, value: impl Into<Vec<u8>>) -> Result<Self, HttpError> {
        let value = value.into();
        if !is_token(name) {
            return Err(HttpError::HeaderName);
        }
        if value.iter().any(|octet| matches!(octet, b'\r' | b'\n' | 0)) {
            return Err(HttpError::HeaderValue);
        }
        if FRAMING.iter().any(|own| own.eq_ignore_ascii_case(name)) {
            return Err(HttpError::FramingHeader);
        }
        let is_same = |(own, _): &(String, Secret)| own.eq_ignore_ascii_case(name);
        if SINGLE.iter().any(|one| one.eq_ignore_ascii_case(name)) && self.fields.iter().any(is_same) {
            return Err(HttpError::RepeatedHeader);
        }
        self.fields.push((name.into(), Secret::new(value)));
        Ok(self)
    }

    /// Leaves a field out that the client would send, such as `Accept`.
    ///
    /// # Errors
    ///
    /// The name is not a token, or the field is `Host`, or one of the connection or of the framing.
    pub fn without_header(mut self, name: &str) -> Result<Self, HttpError> {
        if !is_token(name) {
            return Err(HttpError::HeaderName);
        }
        if name.eq_ignore_ascii_case("Host") || FRAMING.iter().any(|own| own.eq_ignore_ascii_case(name)) {
            return Err(HttpError::FramingHeader);
        }
        self.left_out.push(name.to_ascii_lowercase());
        Ok(self)
    }

    /// Sets the body of the request.
    pub(crate) fn body(self, body: impl Into<RequestBody>) -> Self {
        Self { body: Some(body.into()), ..self }
    }

    /// Sets the field `User-Agent`; without one it is not sent.
    ///
    /// # Errors
    ///
    /// The value contains CR, LF or NUL.
    pub fn user_agent(self, value: Option<&str>) -> Result<Self, HttpError> {
        if value.is_some_and(|value| value.bytes().any(|octet| matches!(octet, b'\r' | b'\n' | 0))) {
            return Err(HttpError::HeaderValue);
        }
        Ok(Self { user_agent: value.map(str::to_owned), ..self })
    }

    /// Sets user and password, for a URL that contains none. They are sent only if the server asks for
    /// them; once it has accepted them, at once for other URLs of that server (RFC 7617, 2.2).
    #[must_use]
    pub fn login(self, user: impl Into<Vec<u8>>, password: impl Into<Vec<u8>>) -> Self {
        Self { login: Some((Secret::new(user), Secret::new(password))), ..self }
    }

    /// Adds the login of a host, as a file `.netrc` has it: for URLs that contain none, and for those with this
    /// user and no password. It is sent wherever a redirect leads to this host, and to no other. Without a
    /// host it is for all hosts of URLs that are given, but not for those that redirects lead to. The first
    /// that fits is used.
    ///
    /// ```
    /// use locator_fetch::http::Http;
    ///
    /// let http = Http::new().host_login(Some("www.example.com"), "joe", Some("secret"));
    /// assert!(!format!("{http:?}").contains("secret"));
    /// ```
    #[must_use]
    pub fn host_login(
        mut self,
        host: Option<&str>,
        user: impl Into<Vec<u8>>,
        password: Option<&str>,
    ) -> Self {
        let (user, password) = (Secret::new(user), password.map(Secret::new));
        self.host_logins.push(HostLogin { host: host.map(str::to_ascii_lowercase), user, password });
        self
    }

    /// Returns the first login of a host, of this user if one is given; `is_given` says whether the host is that of
    /// a URL that was given.
    pub(super) fn login_of(&self, host: &str, user: Option<&Secret>, is_given: bool) -> Option<&HostLogin> {
        let host = host.trim_end_matches('.');
        let is_of_host = |login: &&HostLogin| match &login.host {
            Some(own) => own.trim_end_matches('.').trim_matches(['[', ']']).eq_ignore_ascii_case(host),
            None => is_given,
        };
        // A line without a user has the password of any.
        let is_of_user = |login: &&HostLogin| match (login.user.reveal(), user) {
            (own, None) => !own.is_empty(),
            (own, Some(user)) => own.is_empty() || own == user.reveal(),
        };
        self.host_logins.iter().find(|login| is_of_host(login) && is_of_user(login))
    }

    /// Sets the schemes by which a login is sent to a server, if it offers them. It is never sent by another
    /// one; all that are supported may be used without this.
    ///
    /// ```
    /// use locator_fetch::http::{AuthSchemes, Http};
    ///
    /// // No server gets the password itself.
    /// let http = Http::new().login("joe", "secret").auth_schemes(AuthSchemes::DIGEST);
    /// ```
    #[must_use]
    pub const fn auth_schemes(mut self, schemes: AuthSchemes) -> Self {
        self.auth = schemes;
        self
    }

    /// Sets the schemes by which a login is sent to a proxy of HTTP, like [`auth_schemes`](Self::auth_schemes).
    /// One of SOCKS gets a login only if [`BASIC`](AuthSchemes::BASIC) is allowed, because it is sent the
    /// password itself, too.
    #[must_use]
    pub const fn proxy_auth_schemes(mut self, schemes: AuthSchemes) -> Self {
        self.proxy_auth = schemes;
        self
    }

    /// Sets whether a login is sent by Basic with the first request, before the server asks for it, like
    /// `--auth-no-challenge` of wget. A server without TLS, or one that wants Digest, then gets the password
    /// all the same. It is not sent if [`auth_schemes`](Self::auth_schemes) do not allow Basic.
    #[must_use]
    pub const fn auth_no_challenge(mut self, is_sent: bool) -> Self {
        self.sends_login = is_sent;
        self
    }

    /// Returns whether a login is sent before the server asks for it.
    pub(super) const fn sends_basic_at_once(&self) -> bool {
        self.sends_login && self.auth.basic
    }

    /// Sets the jar that cookies of responses are kept in, and that those of requests come from; without one
    /// there are none. A header `Cookie` is sent in addition.
    #[must_use]
    pub fn cookies(self, jar: &CookieJar) -> Self {
        Self { cookies: Some(jar.clone()), ..self }
    }

    /// Sets the octets that are requested.
    pub(crate) const fn range(mut self, range: ByteRange) -> Self {
        self.range = Some(range);
        self
    }

    /// Sets whether the server may compress what it sends, by gzip, brotli or zstd, which is then
    /// decompressed. It is not asked to when a part of the object is asked for.
    #[must_use]
    pub const fn compressed(mut self, is_compressed: bool) -> Self {
        self.is_compressed = is_compressed;
        self
    }

    /// Sets whether HTTP/2 is offered in TLS.
    #[must_use]
    pub const fn http2(mut self, is_offered: bool) -> Self {
        self.has_http2 = is_offered;
        self
    }

    /// Sets whether redirects are followed. Otherwise the response that redirects is the object.
    #[must_use]
    pub const fn follow(mut self, follows: bool) -> Self {
        self.follows = follows;
        self
    }

    /// Sets whether the login, all headers and the body are sent to any origin that a redirect leads to,
    /// like `--location-trusted` of curl. They are never sent from `https` to `http`.
    #[must_use]
    pub const fn trust_redirects(mut self, are_trusted: bool) -> Self {
        self.trusts_redirects = are_trusted;
        self
    }

    /// Sets whether a redirect that repeats the body of the request sends it to another origin, with
    /// `Content-Type`, `Content-Encoding` and `Content-Language`, and whether one repeats a method with an
    /// effect there. Otherwise such a redirect is an error.
    #[must_use]
    pub const fn redirect_body(mut self, is_sent: bool) -> Self {
        self.redirects_body = is_sent;
        self
    }

    /// Sets the schemes that redirects may lead to, of those that the policy allows; all of them without
    /// it.
    #[must_use]
    pub fn redirects_to<'s>(self, schemes: impl IntoIterator<Item = &'s str>) -> Self {
        let schemes = schemes.into_iter().map(str::to_ascii_lowercase).collect();
        Self { redirects_to: Some(schemes), ..self }
    }

    /// Sets whether the body of a response is given whose status is an error, 400 or more.
    #[must_use]
    pub const fn error_bodies(mut self, are_given: bool) -> Self {
        self.gives_errors = are_given;
        self
    }

    /// Sets the proxies.
    #[must_use]
    pub fn proxies(self, proxies: Proxies) -> Self {
        Self { proxies, ..self }
    }
}

/// The login of a host.
#[derive(Clone, Debug)]
pub(super) struct HostLogin {
    /// In lower case; `None` is any that was given.
    pub(super) host: Option<String>,
    pub(super) user: Secret,
    pub(super) password: Option<Secret>,
}

/// Schemes of logins (RFC 9110, 11.1): Basic (RFC 7617) and Digest (RFC 7616).
///
/// ```
/// use locator_fetch::http::AuthSchemes;
///
/// assert_eq!(AuthSchemes::BASIC.with(AuthSchemes::DIGEST), AuthSchemes::ALL);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuthSchemes {
    pub(super) basic: bool,
    pub(super) digest: bool,
}

impl AuthSchemes {
    /// All schemes that are supported.
    pub const ALL: Self = Self { basic: true, digest: true };
    /// Basic, which sends the password itself.
    pub const BASIC: Self = Self { basic: true, digest: false };
    /// Digest, which proves that the client knows the password.
    pub const DIGEST: Self = Self { basic: false, digest: true };

    /// Returns these schemes and others.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self { basic: self.basic || other.basic, digest: self.digest || other.digest }
    }

    /// Returns whether the password itself may be sent.
    pub(super) const fn allows_passwords(self) -> bool {
        self.basic
    }

    /// Returns the names of the schemes.
    pub(super) fn names(self) -> Vec<&'static str> {
        let all = [(self.basic, "Basic"), (self.digest, "Digest")];
        all.into_iter().filter_map(|(is_one, name)| is_one.then_some(name)).collect()
    }
}

impl Default for AuthSchemes {
    fn default() -> Self {
        Self::ALL
    }
}

/// The fields of the connection and of the framing, which the client writes itself.
const FRAMING: [&str; 8] = [
    "Connection",
    "Content-Length",
    "Keep-Alive",
    "Proxy-Connection",
    "TE",
    "Trailer",
    "Transfer-Encoding",
    "Upgrade",
];

/// The fields with one value: "a sender MUST NOT generate multiple field lines with the same name in a message"
/// unless it is a list (RFC 9110, 5.3). Servers and proxies that take different ones of two `Host` can be set
/// against each other.
const SINGLE: [&str; 20] = [
    "Access-Control-Request-Method",
    "Authorization",
    "Content-Disposition",
    "Content-Location",
    "Content-Range",
    "Content-Type",
    "Date",
    "Expect",
    "From",
    "Host",
    "If-Modified-Since",
    "If-Range",
    "If-Unmodified-Since",
    "Last-Modified",
    "Max-Forwards",
    "Origin",
    "Proxy-Authorization",
    "Range",
    "Referer",
    "User-Agent",
];

/// Octets of an object (RFC 9110, 14.1.2).
///
/// ```
/// use locator_fetch::http::ByteRange;
///
/// assert_eq!(ByteRange::Between(0, 99).to_string(), "0-99");
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteRange {
    /// All from this offset on.
    From(u64),
    /// Those between two offsets, of which the second is included.
    Between(u64, u64),
    /// This many at the end.
    Last(u64),
}

impl ByteRange {
    /// Parses a range as the field `Range` has it after `bytes=`: `500-`, `0-99` or `-500`.
    ///
    /// ```
    /// use locator_fetch::http::ByteRange;
    ///
    /// assert_eq!(ByteRange::parse("0-99"), Some(ByteRange::Between(0, 99)));
    /// assert_eq!(ByteRange::parse("-500"), Some(ByteRange::Last(500)));
    /// assert_eq!(ByteRange::parse("99-0"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let number = |digits: &str| {
            let is_number = !digits.is_empty() && digits.bytes().all(|octet| octet.is_ascii_digit());
            is_number.then(|| digits.parse::<u64>().ok()).flatten()
        };
        match text.split_once('-')? {
            ("", last) => number(last).map(Self::Last),
            (first, "") => number(first).map(Self::From),
            (first, last) => {
                let (first, last) = (number(first)?, number(last)?);
                (first <= last).then_some(Self::Between(first, last))
            }
        }
    }
}

/// Writes the range as in the field `Range`: `0-99`.
impl Display for ByteRange {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::From(first) => write!(f, "{first}-"),
            Self::Between(first, last) => write!(f, "{first}-{last}"),
            Self::Last(count) => write!(f, "-{count}"),
        }
    }
}

/// What cannot be sent by HTTP.
///
/// ```
/// use locator_fetch::http::{Http, HttpError};
///
/// assert_eq!(Http::new().header("X Y", "z").unwrap_err(), HttpError::HeaderName);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum HttpError {
    /// The method is not a token (RFC 9110, 5.6.2), or is CONNECT.
    Method,
    /// The name of a header is not a token.
    HeaderName,
    /// The value of a header, or of one in a form, contains CR, LF or NUL.
    HeaderValue,
    /// The client writes this header itself.
    FramingHeader,
    /// A request has this header only once (RFC 9110, 5.3).
    RepeatedHeader,
}

impl Display for HttpError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Method => "invalid method: use letters, digits and \"-\"",
            Self::HeaderName => "invalid header name: use letters, digits and \"-\"",
            Self::HeaderValue => "invalid header value: CR, LF and NUL would end it",
            Self::FramingHeader => "this header is written by the client itself",
            Self::RepeatedHeader => "a request can have this header only once",
        })
    }
}

crate::redact::error!(HttpError);

/// Returns whether a text is a token (RFC 9110, 5.6.2).
fn is_token(text: &str) -> bool {
    let is_token = |octet: u8| octet.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&octet);
    !text.is_empty() && text.bytes().all(is_token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_sent() {
        let field = |name, value: &str| Http::new().header(name, value).map(|_| ());
        assert_eq!(field("X-A", "b c"), Ok(()));
        assert_eq!(field("X A", "b"), Err(HttpError::HeaderName));
        assert_eq!(field("", "b"), Err(HttpError::HeaderName));
        assert_eq!(field("X-A", "b\r\nHost: c"), Err(HttpError::HeaderValue));
        assert_eq!(field("content-length", "1"), Err(HttpError::FramingHeader));
        let twice =
            |one: &str, other: &str| Http::new().header(one, "a").unwrap().header(other, "a").map(|_| ());
        assert_eq!(twice("Host", "hOST"), Err(HttpError::RepeatedHeader));
        assert_eq!(twice("Content-Type", "content-type"), Err(HttpError::RepeatedHeader));
        assert_eq!(
            (twice("X-A", "x-a"), twice("Accept", "accept"), twice("Host", "Origin")),
            (Ok(()), Ok(()), Ok(()))
        );
        let without = |name| Http::new().without_header(name).map(|_| ());
        assert_eq!((without("Accept"), without("host")), (Ok(()), Err(HttpError::FramingHeader)));
        for method in ["", "GET ", "GET\r\n", "connect"] {
            assert_eq!(Http::new().method(method).map(|_| ()), Err(HttpError::Method), "{method:?}");
        }
        assert_eq!(Http::new().user_agent(Some("a\nb")).map(|_| ()), Err(HttpError::HeaderValue));
    }

    #[test]
    fn ranges() {
        for text in ["0-", "0-0", "5-7", "-1", "18446744073709551615-"] {
            assert_eq!(ByteRange::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "-", "a-", "5", "7-5", "1-2,4-5", "+1-2", " 1-", "18446744073709551616-"] {
            assert_eq!(ByteRange::parse(text), None, "{text:?}");
        }
    }
}
