//! Proxies: which server a URL is asked of, by settings or by the variables of the environment.

use std::fmt::{self, Display, Formatter};
use std::net::IpAddr;

use locator::plan::{Secret, Server};
use locator::{SchemeName, UriRef};

/// The proxies for http and https. A [policy](locator_audit::Policy::uses_proxies) for URLs of strangers
/// refuses them, unless it says that they check addresses.
///
/// ```
/// use locator_fetch::http::Proxies;
///
/// let proxies = Proxies::none()
///     .all("http://proxy.example:3128")?
///     .except("localhost,.example.org,10.0.0.0/8");
/// let socks = Proxies::none().https("socks5h://127.0.0.1:9050")?;
/// assert!(Proxies::none().http("gopher://proxy.example").is_err());
/// # Ok::<_, locator_fetch::http::ProxyError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Proxies {
    http: Option<Proxy>,
    https: Option<Proxy>,
    /// Names, addresses and networks that are reached without a proxy.
    direct: Vec<String>,
}

/// A proxy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Proxy {
    pub(crate) kind: ProxyKind,
    /// Whether the connection to it is secured by TLS.
    pub(crate) is_secured: bool,
    /// Without brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) login: Option<Login>,
}

/// User and password.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Login {
    pub(crate) user: Secret,
    pub(crate) password: Secret,
}

/// What a proxy speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ProxyKind {
    Http,
    /// SOCKS5 (RFC 1928); it looks names up.
    Socks,
    /// SOCKS4, which has addresses of IPv4 only; with the extension 4A it looks names up.
    Socks4 {
        has_names: bool,
    },
}

impl Proxies {
    /// Returns no proxies.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Returns the proxies of the environment: `http_proxy`, `https_proxy`, `HTTPS_PROXY`, `all_proxy`,
    /// `ALL_PROXY`, `no_proxy` and `NO_PROXY`; the first that is not empty counts. `HTTP_PROXY` is not
    /// read, because a program that is started by a web server has it of the request's field `Proxy`
    /// (CVE-2016-5385).
    ///
    /// # Errors
    ///
    /// A variable is not the URL of a proxy.
    pub fn environment() -> Result<Self, ProxyError> {
        Self::of_variables(|name| std::env::var(name).ok())
    }

    /// Returns the proxies of the environment, whose variables a function returns.
    ///
    /// # Errors
    ///
    /// A variable is not the URL of a proxy.
    pub fn of_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Self, ProxyError> {
        let first = |names: &[&str]| {
            names.iter().find_map(|name| variable(name).filter(|value| !value.trim().is_empty()))
        };
        let proxy = |names| first(names).map(|url| Proxy::parse(&url)).transpose();
        let proxies = Self {
            http: proxy(&["http_proxy", "all_proxy", "ALL_PROXY"])?,
            https: proxy(&["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])?,
            direct: Vec::new(),
        };
        Ok(proxies.except(&first(&["no_proxy", "NO_PROXY"]).unwrap_or_default()))
    }

    /// Sets the proxy for http: `http://host:port`, `https://host:port`, or `socks5h://host:port`, which may also
    /// be `socks5`, `socks4` and `socks4a`. Only `socks4` proxies do not look names up themselves. Without a
    /// port it is 443 for https, and else 1080. The certificate of a proxy is checked like those of
    /// servers.
    ///
    /// # Errors
    ///
    /// The text is not the URL of a proxy.
    pub fn http(self, url: &str) -> Result<Self, ProxyError> {
        Ok(Self { http: Some(Proxy::parse(url)?), ..self })
    }

    /// Sets the proxy for https.
    ///
    /// # Errors
    ///
    /// The text is not the URL of a proxy.
    pub fn https(self, url: &str) -> Result<Self, ProxyError> {
        Ok(Self { https: Some(Proxy::parse(url)?), ..self })
    }

    /// Sets the proxy for both.
    ///
    /// # Errors
    ///
    /// The text is not the URL of a proxy.
    pub fn all(self, url: &str) -> Result<Self, ProxyError> {
        self.http(url)?.https(url)
    }

    /// Sets user and password for these proxies, whatever their URLs contain.
    ///
    /// ```
    /// let proxies = locator_fetch::http::Proxies::none()
    ///     .all("http://proxy.example:3128")?
    ///     .login("joe", "secret");
    /// assert!(!format!("{proxies:?}").contains("secret"));
    /// # Ok::<_, locator_fetch::http::ProxyError>(())
    /// ```
    #[must_use]
    pub fn login(mut self, user: impl Into<Vec<u8>>, password: impl Into<Vec<u8>>) -> Self {
        let login = Login { user: Secret::new(user), password: Secret::new(password) };
        for proxy in [&mut self.http, &mut self.https].into_iter().flatten() {
            proxy.login = Some(login.clone());
        }
        self
    }

    /// Returns whether there is no proxy.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.http.is_none() && self.https.is_none()
    }

    /// Sets the hosts that are reached without a proxy, as `no_proxy` has them: names with commas
    /// between them, each with the names in that domain; addresses; networks, such
    /// as `10.0.0.0/8`; or `*` for all hosts.
    #[must_use]
    pub fn except(mut self, hosts: &str) -> Self {
        let hosts = hosts.split([',', ' ', '\t']).filter(|host| !host.is_empty());
        self.direct = hosts.map(str::to_ascii_lowercase).collect();
        self
    }

    /// Returns whether a host is reached without a proxy.
    ///
    /// ```
    /// let proxies = locator_fetch::http::Proxies::none().except("example.org,10.0.0.0/8");
    /// assert!(proxies.excepts("www.example.org") && !proxies.excepts("192.0.2.1"));
    /// ```
    #[must_use]
    pub fn excepts(&self, host: &str) -> bool {
        self.direct.iter().any(|pattern| is_direct(pattern, host))
    }

    /// Returns the proxy for a host.
    pub(crate) fn proxy_for(&self, is_secured: bool, host: &str) -> Option<&Proxy> {
        let proxy = if is_secured { &self.https } else { &self.http };
        proxy.as_ref().filter(|_| !self.excepts(host))
    }

    /// Returns the proxy of the options of plans, with its login if it is one of these.
    pub(crate) fn of_plan(&self, server: Server<'_>) -> Proxy {
        let mut proxy = Proxy::of(server);
        let is_same = |own: &&Proxy| Proxy { login: None, ..(*own).clone() } == proxy;
        proxy.login =
            [&self.http, &self.https].into_iter().flatten().find(is_same).and_then(|own| own.login.clone());
        proxy
    }
}

impl Proxy {
    /// Returns the proxy of the options of plans, without a login.
    fn of(server: Server<'_>) -> Self {
        let Server { host, port } = server;
        let (kind, port) = (ProxyKind::Http, port.unwrap_or(80));
        Self { kind, is_secured: false, host: host.to_owned(), port, login: None }
    }

    /// Parses the URL of a proxy; without a scheme it is one of HTTP.
    fn parse(text: &str) -> Result<Self, ProxyError> {
        let text = text.trim();
        let url = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        let url = UriRef::parse(&url).map_err(|_| ProxyError::NotUrl)?;
        let scheme = url.scheme().map(SchemeName::lowercase);
        let (kind, is_secured, port) = match scheme.as_deref() {
            Some("http") => (ProxyKind::Http, false, 1080),
            Some("https") => (ProxyKind::Http, true, 443),
            Some("socks5" | "socks5h") => (ProxyKind::Socks, false, 1080),
            Some("socks4") => (ProxyKind::Socks4 { has_names: false }, false, 1080),
            Some("socks4a") => (ProxyKind::Socks4 { has_names: true }, false, 1080),
            _ => return Err(ProxyError::Scheme),
        };
        let authority = url.authority().ok_or(ProxyError::NotUrl)?;
        let host = authority.host().as_str();
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let host = host.strip_suffix('.').unwrap_or(host);
        if host.is_empty() || host.contains('%') {
            return Err(ProxyError::NotUrl);
        }
        let port = match authority.port().filter(|port| !port.as_str().is_empty()) {
            Some(port) => port.number().filter(|port| *port > 0).ok_or(ProxyError::NotUrl)?,
            None => port,
        };
        let login = authority.userinfo().map(|userinfo| {
            let (user, password) = userinfo.as_str().split_once(':').unwrap_or((userinfo.as_str(), ""));
            Login { user: decode(user), password: decode(password) }
        });
        Ok(Self { kind, is_secured, host: host.to_owned(), port, login })
    }
}

fn decode(text: &str) -> Secret {
    let decoded = locator::pct::PctStr::new(text).map(|text| text.decode().into_owned());
    Secret::new(decoded.unwrap_or_else(|_| text.into()))
}

/// Returns whether a pattern of `no_proxy` is for a host.
fn is_direct(pattern: &str, host: &str) -> bool {
    if pattern == "*" {
        return true;
    }
    let plain =
        |text: &str| text.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.').to_owned();
    let host = plain(&host.to_ascii_lowercase());
    if let Ok(address) = host.parse::<IpAddr>() {
        let (network, length) = pattern.split_once('/').unwrap_or((pattern, ""));
        let Ok(network) = plain(network).parse::<IpAddr>() else { return false };
        let width = if network.is_ipv4() { 32 } else { 128 };
        let length = if length.is_empty() { Ok(width) } else { length.parse() };
        return length
            .is_ok_and(|length: u32| length <= width && is_within(address, network, width - length));
    }
    let domain = plain(pattern.trim_start_matches('.'));
    host == domain || host.strip_suffix(&domain).is_some_and(|rest| !domain.is_empty() && rest.ends_with('.'))
}

/// Returns whether two addresses are equal but for some bits at their ends.
fn is_within(address: IpAddr, network: IpAddr, free: u32) -> bool {
    let differs = match (address, network) {
        (IpAddr::V4(address), IpAddr::V4(network)) => u128::from(address.to_bits() ^ network.to_bits()),
        (IpAddr::V6(address), IpAddr::V6(network)) => address.to_bits() ^ network.to_bits(),
        _ => return false,
    };
    differs.checked_shr(free).unwrap_or(0) == 0
}

/// Why a text is not the URL of a proxy. It does not quote the text, which may contain a password.
///
/// ```
/// use locator_fetch::http::{Proxies, ProxyError};
///
/// assert_eq!(
///     Proxies::none().http("ftp://proxy.example").unwrap_err(),
///     ProxyError::Scheme
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ProxyError {
    /// The text is not a URL with a host.
    NotUrl,
    /// Proxies of this scheme are not used.
    Scheme,
}

impl Display for ProxyError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotUrl => "expected the URL of a proxy, such as http://proxy.example:3128",
            Self::Scheme => "unsupported proxy: use http, https, socks5, socks5h, socks4 or socks4a",
        })
    }
}

crate::redact::error!(ProxyError);

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Result<Proxies, ProxyError> {
        let value =
            |name: &str| variables.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).into());
        Proxies::of_variables(value)
    }

    #[test]
    fn variables() {
        let host = |proxies: &Proxies, is_secured| {
            proxies.proxy_for(is_secured, "www.example.com").map(|proxy| (proxy.host.clone(), proxy.port))
        };
        let own = |host: &str, port| Some((host.to_owned(), port));
        let proxies = of(&[("http_proxy", "a:1"), ("HTTPS_PROXY", "http://b:2/")]).unwrap();
        assert_eq!((host(&proxies, false), host(&proxies, true)), (own("a", 1), own("b", 2)));
        // A CGI program has HTTP_PROXY of the request.
        assert_eq!(host(&of(&[("HTTP_PROXY", "a:1")]).unwrap(), false), None);
        let proxies = of(&[("ALL_PROXY", "c"), ("https_proxy", " ")]).unwrap();
        assert_eq!((host(&proxies, false), host(&proxies, true)), (own("c", 1080), own("c", 1080)));
        let proxies = of(&[("http_proxy", "a:1"), ("no_proxy", "example.com")]).unwrap();
        assert_eq!(host(&proxies, false), None);
        for wrong in ["http://", "http://a:0", "ftp://a", "http://a b", "http://[fe80::1%25e]"] {
            assert!(of(&[("http_proxy", wrong)]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_login() {
        let proxies = Proxies::none().http("socks5h://joe:p%40ss@[::1]:9").unwrap();
        let proxy = proxies.proxy_for(false, "h").unwrap();
        assert_eq!((proxy.kind, &*proxy.host, proxy.port), (ProxyKind::Socks, "::1", 9));
        let Login { user, password } = proxy.login.as_ref().unwrap();
        assert_eq!((user.reveal(), password.reveal()), (&b"joe"[..], &b"p@ss"[..]));
        assert!(!format!("{proxies:?}").contains("p@ss"));
        let proxies = Proxies::none().all("http://joe:secret@h.example:8080").unwrap();
        let login = |host, port| proxies.of_plan(Server { host, port }).login.is_some();
        assert!(
            login("h.example", Some(8080))
                && !login("h.example", None)
                && !login("other.example", Some(8080))
        );
        let proxies = Proxies::none().https("https://[::1]").unwrap();
        let proxy = proxies.proxy_for(true, "h").unwrap();
        assert_eq!((proxy.kind, proxy.is_secured, proxy.port), (ProxyKind::Http, true, 443));
    }

    #[test]
    fn hosts_without_a_proxy() {
        for (patterns, host, expected) in [
            ("example.com", "example.com", true),
            ("example.com", "WWW.example.com.", true),
            (".example.com", "example.com", true),
            ("example.com", "badexample.com", false),
            ("a.example,example.com", "x.example.com", true),
            ("*", "10.0.0.1", true),
            ("*.example.com", "www.example.com", false),
            ("10.0.0.0/8", "10.1.2.3", true),
            ("10.0.0.0/8", "11.1.2.3", false),
            ("10.0.0.0/33", "10.0.0.0", false),
            ("127.0.0.1", "127.0.0.1", true),
            ("127.0.0.1", "127.0.0.11", false),
            ("[::1]", "::1", true),
            ("fd00::/8", "[fd12::1]", true),
            ("fd00::/8", "10.0.0.1", false),
            ("", "example.com", false),
            (".", "example.com", false),
        ] {
            let proxies = Proxies::none().all("p:1").unwrap().except(patterns);
            assert_eq!(proxies.proxy_for(true, host).is_none(), expected, "{patterns} {host}");
        }
    }
}
