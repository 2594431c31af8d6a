//! Changes that say why they fail ([`SetError`]), and URLs from their components ([`UrlBuilder`]).

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::net::IpAddr;

use crate::error::ParseError;
use crate::machine::special_scheme;
use crate::search_params::SearchParams;
use crate::url::Url;

/// Why a component cannot be set.
///
/// ```
/// use locator_whatwg::{SetError, Url};
///
/// let mut url = Url::parse("mailto:joe@example.com")?;
/// assert_eq!(url.try_set_port(Some(80)), Err(SetError::NoHost));
/// assert_eq!(url.try_set_scheme("https"), Err(SetError::SchemeIsSpecial));
/// # Ok::<_, locator_whatwg::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum SetError {
    /// The text is not a scheme: a letter, then letters, digits, "+", "-" or ".".
    InvalidScheme,
    /// The scheme is special (http, https, ws, wss, ftp, file), that of the URL is not.
    SchemeIsSpecial,
    /// The scheme is not special, that of the URL is.
    SchemeIsNotSpecial,
    /// The scheme file has no user, password or port, which the URL has.
    FileHasNoUserOrPort,
    /// A URL without a host has no user, password or port, and cannot become http.
    NoHost,
    /// A URL with an opaque path, as mailto, has no host and no segments.
    OpaquePath,
    /// The text is not a host.
    InvalidHost(ParseError),
    /// A segment is "." or "..", which the parser would remove.
    DotSegment,
    /// A port follows the host: set it by itself.
    PortAfterHost,
    /// The URL would be longer than allowed.
    TooLong,
    /// The result would be read as a URL with another host.
    OtherHost,
}

impl Display for SetError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidScheme => {
                "invalid scheme: it must be a letter, followed by letters, digits, \"+\", \"-\" or \".\""
            }
            Self::SchemeIsSpecial => {
                "the scheme is special (http, https, ws, wss, ftp, file) and that of the URL is not; use \
                 with_scheme"
            }
            Self::SchemeIsNotSpecial => {
                "the scheme of the URL is special (http, https, ws, wss, ftp, file) and the new one is not; use \
                 with_scheme"
            }
            Self::FileHasNoUserOrPort => "a file URL has no user name, password or port",
            Self::NoHost => "the URL has no host, which a user name, a password, a port and http need",
            Self::OpaquePath => "the path of the URL is opaque, so it has neither a host nor segments",
            Self::InvalidHost(error) => return write!(f, "invalid host: {error}"),
            Self::DotSegment => "a segment of a path cannot be \".\" or \"..\"",
            Self::PortAfterHost => "a port follows the host; set it by set_port",
            Self::TooLong => "the URL would be longer than allowed",
            Self::OtherHost => "the result would be read as a URL with another host",
        })
    }
}

impl core::error::Error for SetError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::InvalidHost(error) => Some(error),
            _ => None,
        }
    }
}

fn is_scheme(text: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_allowed)
}

/// Setters that say why they fail. They follow the setters of the crate `url`.
impl Url {
    /// Why user, password and port cannot be set, as for the standard's "cannot have a
    /// username/password/port".
    fn userinfo_or_port_error(&self) -> SetError {
        if self.scheme() == "file" { SetError::FileHasNoUserOrPort } else { SetError::NoHost }
    }

    /// Whether some text of a length could make this URL too long: each byte may become three.
    fn check_length(&self, added: usize) -> Result<(), SetError> {
        let is_short = (self.as_str().len() + 3 * added.min(u32::MAX as usize)) < u32::MAX as usize;
        if is_short { Ok(()) } else { Err(SetError::TooLong) }
    }

    /// Sets the scheme, as [`Self::set_scheme`] does.
    ///
    /// # Errors
    ///
    /// Returns why this URL cannot have the scheme.
    pub fn try_set_scheme(&mut self, scheme: &str) -> Result<&mut Self, SetError> {
        if !is_scheme(scheme) {
            return Err(SetError::InvalidScheme);
        }
        self.check_length(scheme.len())?;
        let is_special = special_scheme(scheme.to_ascii_lowercase().as_bytes()).is_some();
        match self.set_scheme(scheme) {
            Ok(()) => Ok(self),
            Err(()) if is_special && !self.is_special() => Err(SetError::SchemeIsSpecial),
            Err(()) if !is_special => Err(SetError::SchemeIsNotSpecial),
            Err(()) if self.scheme() == "file" => Err(SetError::NoHost),
            Err(()) => Err(SetError::FileHasNoUserOrPort),
        }
    }

    /// Sets the user, as [`Self::set_username`] does.
    ///
    /// # Errors
    ///
    /// Returns why this URL has no user.
    pub fn try_set_username(&mut self, username: &str) -> Result<&mut Self, SetError> {
        self.check_length(username.len())?;
        self.set_username(username).map_err(|()| self.userinfo_or_port_error())?;
        Ok(self)
    }

    /// Sets the password, as [`Self::set_password`] does.
    ///
    /// # Errors
    ///
    /// Returns why this URL has no password.
    pub fn try_set_password(&mut self, password: Option<&str>) -> Result<&mut Self, SetError> {
        self.check_length(password.map_or(0, str::len))?;
        self.set_password(password).map_err(|()| self.userinfo_or_port_error())?;
        Ok(self)
    }

    /// Sets the host, as [`Self::set_host`] does, but a port after it is an error.
    ///
    /// # Errors
    ///
    /// Returns why this URL cannot have the host.
    pub fn try_set_host(&mut self, host: Option<&str>) -> Result<&mut Self, SetError> {
        let text = host.unwrap_or_default();
        self.check_length(text.len())?;
        if text.contains(':') && !(text.starts_with('[') && text.ends_with(']')) {
            return Err(SetError::PortAfterHost);
        }
        match self.set_host(host) {
            Ok(()) => Ok(self),
            Err(ParseError::SetHostOnCannotBeABaseUrl) => Err(SetError::OpaquePath),
            Err(error) => Err(SetError::InvalidHost(error)),
        }
    }

    /// Sets the host to an address, as [`Self::set_ip_host`] does.
    ///
    /// # Errors
    ///
    /// Returns why this URL has no host.
    pub fn try_set_ip_host(&mut self, address: IpAddr) -> Result<&mut Self, SetError> {
        self.set_ip_host(address).map_err(|()| SetError::OpaquePath)?;
        Ok(self)
    }

    /// Sets the port, as [`Self::set_port`] does.
    ///
    /// # Errors
    ///
    /// Returns why this URL has no port.
    pub fn try_set_port(&mut self, port: Option<u16>) -> Result<&mut Self, SetError> {
        self.set_port(port).map_err(|()| self.userinfo_or_port_error())?;
        Ok(self)
    }

    /// Sets the path, as [`Self::set_path`] does.
    ///
    /// # Errors
    ///
    /// Returns an error if the URL would be too long.
    pub fn try_set_path(&mut self, path: &str) -> Result<&mut Self, SetError> {
        self.check_length(path.len())?;
        self.set_path(path);
        Ok(self)
    }

    /// Sets the query, as [`Self::set_query`] does.
    ///
    /// # Errors
    ///
    /// Returns an error if the URL would be too long.
    pub fn try_set_query(&mut self, query: Option<&str>) -> Result<&mut Self, SetError> {
        self.check_length(query.map_or(0, str::len))?;
        self.set_query(query);
        Ok(self)
    }

    /// Sets the fragment, as [`Self::set_fragment`] does.
    ///
    /// # Errors
    ///
    /// Returns an error if the URL would be too long.
    pub fn try_set_fragment(&mut self, fragment: Option<&str>) -> Result<&mut Self, SetError> {
        self.check_length(fragment.map_or(0, str::len))?;
        self.set_fragment(fragment);
        Ok(self)
    }

    /// Returns this URL with another scheme, also where [`Self::set_scheme`] refuses: the text is parsed
    /// again, so the host of a special scheme is read as a domain or an address.
    ///
    /// ```
    /// use locator_whatwg::Url;
    ///
    /// let url = Url::parse("git+https://Example.com:443/a")?;
    /// assert_eq!(url.with_scheme("https").unwrap().as_str(), "https://example.com/a");
    /// # Ok::<_, locator_whatwg::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a scheme, if the URL would not be valid, and if its path would
    /// be read as a host: `foo:a` with https.
    pub fn with_scheme(&self, scheme: &str) -> Result<Self, SetError> {
        if !is_scheme(scheme) {
            return Err(SetError::InvalidScheme);
        }
        self.check_length(scheme.len())?;
        let rest = &self.as_str()[self.scheme().len()..];
        let is_file = scheme.eq_ignore_ascii_case("file");
        let is_special = special_scheme(scheme.to_ascii_lowercase().as_bytes()).is_some();
        if is_file && (!self.username().is_empty() || self.password().is_some() || self.port().is_some()) {
            return Err(SetError::FileHasNoUserOrPort);
        }
        if is_special && !is_file && !self.has_host() {
            return Err(SetError::NoHost);
        }
        let changed = Self::parse(&format!("{scheme}{rest}")).map_err(SetError::InvalidHost)?;
        if changed.has_host() == self.has_host() { Ok(changed) } else { Err(SetError::OtherHost) }
    }

    /// Returns a builder of a URL with a scheme.
    ///
    /// ```
    /// use locator_whatwg::Url;
    ///
    /// let url = Url::builder("https")
    ///     .host("example.com")
    ///     .segments(["docs", "a/b"])
    ///     .query_pair("q", "x y")
    ///     .fragment("top")
    ///     .build()?;
    /// assert_eq!(url.as_str(), "https://example.com/docs/a%2Fb?q=x+y#top");
    /// # Ok::<_, locator_whatwg::SetError>(())
    /// ```
    pub fn builder(scheme: impl Into<String>) -> UrlBuilder {
        UrlBuilder { scheme: scheme.into(), ..UrlBuilder::default() }
    }
}

/// Makes a URL of its components, none of which can become another: [`Url::builder`].
#[derive(Clone, Default)]
#[must_use]
pub struct UrlBuilder {
    scheme: String,
    username: String,
    password: Option<String>,
    host: Option<String>,
    port: Option<u16>,
    path: Option<String>,
    segments: Vec<String>,
    query: Option<String>,
    pairs: SearchParams,
    fragment: Option<String>,
    max_len: Option<usize>,
}

impl UrlBuilder {
    /// Sets the user.
    pub fn username(mut self, username: impl Into<String>) -> Self {
        self.username = username.into();
        self
    }

    /// Sets the password.
    pub fn password(mut self, password: impl Into<String>) -> Self {
        self.password = Some(password.into());
        self
    }

    /// Sets the host, without a port. An IPv6 address is in brackets.
    pub fn host(mut self, host: impl Into<String>) -> Self {
        self.host = Some(host.into());
        self
    }

    /// Sets the host to an address.
    pub fn ip_host(self, address: IpAddr) -> Self {
        self.host(match address {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        })
    }

    /// Sets the port.
    pub fn port(mut self, port: u16) -> Self {
        self.port = Some(port);
        self
    }

    /// Sets the path, whose "/" divide segments. "?" and "#" are escaped.
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Appends a segment to the path. A "/" in it is escaped.
    pub fn segment(mut self, segment: impl Into<String>) -> Self {
        self.segments.push(segment.into());
        self
    }

    /// Appends segments to the path. A "/" in them is escaped.
    pub fn segments(mut self, segments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.segments.extend(segments.into_iter().map(Into::into));
        self
    }

    /// Sets the query, as it is in a URL.
    pub fn query(mut self, query: impl Into<String>) -> Self {
        self.query = Some(query.into());
        self
    }

    /// Appends a pair to the query. It is encoded as in forms.
    pub fn query_pair(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.pairs.append(name, value);
        self
    }

    /// Sets the fragment.
    pub fn fragment(mut self, fragment: impl Into<String>) -> Self {
        self.fragment = Some(fragment.into());
        self
    }

    /// Sets how long the URL may be, in bytes; without it 4 GiB.
    pub fn max_len(mut self, bytes: usize) -> Self {
        self.max_len = Some(bytes);
        self
    }

    /// Makes the URL.
    ///
    /// # Errors
    ///
    /// Returns an error if a component is not valid, or needs one that is not there.
    pub fn build(&self) -> Result<Url, SetError> {
        if !is_scheme(&self.scheme) {
            return Err(SetError::InvalidScheme);
        }
        let has_host = self.host.as_ref().is_some_and(|host| !host.is_empty());
        let is_file = self.scheme.eq_ignore_ascii_case("file");
        let is_special = special_scheme(self.scheme.to_ascii_lowercase().as_bytes()).is_some();
        if is_special && !is_file && !has_host {
            return Err(SetError::InvalidHost(ParseError::EmptyHost));
        }
        // A host of any scheme, which is replaced.
        let start = format!("{}:{}", self.scheme, if has_host || is_file { "//h/" } else { "/" });
        let mut url = Url::parse(&start).map_err(SetError::InvalidHost)?;
        if has_host || is_file {
            url.try_set_host(Some(self.host.as_deref().unwrap_or_default()))?;
        }
        if !self.username.is_empty() {
            url.try_set_username(&self.username)?;
        }
        if self.password.is_some() {
            url.try_set_password(self.password.as_deref())?;
        }
        if self.port.is_some() {
            url.try_set_port(self.port)?;
        }
        if let Some(path) = &self.path {
            url.try_set_path(path)?;
        }
        if !self.segments.is_empty() {
            url.check_length(self.segments.iter().map(|segment| segment.len() + 1).sum())?;
            if self.segments.iter().any(|segment| matches!(segment.as_str(), "." | "..")) {
                return Err(SetError::DotSegment);
            }
            url.path_segments_mut().map_err(|()| SetError::OpaquePath)?.pop_if_empty().extend(&self.segments);
        }
        if self.query.is_some() {
            url.try_set_query(self.query.as_deref())?;
        }
        if !self.pairs.is_empty() {
            let before = url.query().map(ToOwned::to_owned).filter(|query| !query.is_empty());
            let pairs = self.pairs.to_string();
            url.try_set_query(Some(&before.map_or(pairs.clone(), |query| query + "&" + &pairs)))?;
        }
        if self.fragment.is_some() {
            url.try_set_fragment(self.fragment.as_deref())?;
        }
        let is_short = self.max_len.is_none_or(|most| url.as_str().len() <= most);
        if is_short { Ok(url) } else { Err(SetError::TooLong) }
    }
}

/// Shows no password.
impl fmt::Debug for UrlBuilder {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("UrlBuilder")
            .field("scheme", &self.scheme)
            .field("username", &self.username)
            .field("password", &self.password.as_ref().map(|_| "***"))
            .field("host", &self.host)
            .field("port", &self.port)
            .field("path", &self.path)
            .field("segments", &self.segments)
            .field("query", &self.query)
            .field("pairs", &self.pairs)
            .field("fragment", &self.fragment)
            .field("max_len", &self.max_len)
            .finish()
    }
}
