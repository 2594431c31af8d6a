//! Proxies: which server a URL is asked of, by settings or by the variables of the environment; and tunnels
//! through proxies: CONNECT of HTTP (RFC 9110, 9.3.6) and SOCKS5 (RFC 1928, RFC 1929). The proxy looks the host up.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::net::{IpAddr, Ipv4Addr};

use locator::plan::{Message, Secret, Server};
use locator::{SchemeName, UriRef};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::dialer::text_of;
use crate::error::failure::{Detail, FailureKind, ProxyCause};
use crate::headers::{ResponseHead, Version};

/// The proxies for http and https. A [policy](locator_audit::Policy::uses_proxies) for untrusted URLs
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
            Login { user: decode_escapes(user), password: decode_escapes(password) }
        });
        Ok(Self { kind, is_secured, host: host.to_owned(), port, login })
    }
}

fn decode_escapes(text: &str) -> Secret {
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

/// The octets of a proxy's answer to CONNECT, and its fields.
const HEAD: usize = 64 << 10;
const FIELDS: usize = 1_000;

/// What a proxy answered to CONNECT.
pub(crate) enum Connected {
    /// The tunnel is there.
    Yes,
    /// The proxy wants a login; the values of `Proxy-Authenticate`.
    NeedsLogin(Vec<Vec<u8>>),
}

/// Asks a proxy of HTTP for a tunnel, by the message of the plan and with a login. What it answers is added
/// to `head`.
pub(crate) async fn connect(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    message: &Message,
    login: Option<&[u8]>,
    head: &mut Vec<u8>,
) -> Result<Connected, FailureKind> {
    let mut octets = message.to_bytes();
    if let Some(login) = login {
        // The head ends with an empty line.
        octets.truncate(octets.len().saturating_sub(2));
        octets.extend([b"Proxy-Authorization: ", login, b"\r\n\r\n"].concat());
    }
    stream.write_all(&octets).await.map_err(|error| lost_connection(&error))?;
    stream.flush().await.map_err(|error| lost_connection(&error))?;
    loop {
        let count = stream.read_buf(head).await.map_err(|error| lost_connection(&error))?;
        if let Some(answer) = answer(head)? {
            return Ok(answer);
        }
        if count == 0 {
            return Err(proxy_failure(ProxyCause::Closed, "it closed the connection"));
        }
        if head.len() > HEAD {
            return Err(FailureKind::TooMuch { what: "bytes in the proxy's response", limit: HEAD as u64 });
        }
    }
}

/// Reads the answer to CONNECT; `None` if it is not whole.
fn answer(octets: &[u8]) -> Result<Option<Connected>, FailureKind> {
    let mut fields = vec![httparse::EMPTY_HEADER; FIELDS];
    let mut head = httparse::Response::new(&mut fields);
    let mut config = httparse::ParserConfig::default();
    config.allow_obsolete_multiline_headers_in_responses(true);
    let length = match config.parse_response(&mut head, octets) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(error) => {
            return Err(proxy_failure(ProxyCause::Protocol, format!("invalid HTTP response: {error}")));
        }
    };
    match head.code.unwrap_or_default() {
        // Octets before TLS begins may be anybody's.
        200..=299 if octets.len() > length => Err(FailureKind::Injected),
        200..=299 => Ok(Some(Connected::Yes)),
        407 => {
            let wanted =
                head.headers.iter().filter(|field| field.name.eq_ignore_ascii_case("proxy-authenticate"));
            Ok(Some(Connected::NeedsLogin(wanted.map(|field| field.value.to_vec()).collect())))
        }
        code => {
            let reason: String =
                head.reason.unwrap_or_default().chars().filter(|one| !one.is_control()).collect();
            Err(proxy_failure(ProxyCause::Refused, format!("{code} {reason}").trim_end()))
        }
    }
}

/// Returns the head of an answer to CONNECT, if it is whole.
pub(crate) fn head_of(octets: &[u8]) -> Option<ResponseHead> {
    let mut fields = vec![httparse::EMPTY_HEADER; FIELDS];
    let mut head = httparse::Response::new(&mut fields);
    let Ok(httparse::Status::Complete(length)) = head.parse(octets) else { return None };
    let header = |field: &httparse::Header<'_>| (field.name.to_ascii_lowercase(), field.value.to_vec());
    Some(ResponseHead {
        version: if head.version == Some(0) { Version::Http10 } else { Version::Http11 },
        status: head.code?,
        reason: head.reason.unwrap_or_default().into(),
        headers: head.headers.iter().map(header).collect(),
        sent: octets[..length].to_vec().into(),
    })
}

/// Asks a proxy of SOCKS5 for a connection to a host; a name is looked up by the proxy.
pub(crate) async fn connect_by_socks(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    (host, port): (&str, u16),
    login: Option<&Login>,
) -> Result<(), FailureKind> {
    const LOGIN: u8 = 2;
    let greeting: &[u8] = if login.is_some() { &[5, 2, 0, LOGIN] } else { &[5, 1, 0] };
    let [version, method] = exchange_octets(stream, greeting).await?;
    match (version, method, login) {
        (5, 0, _) => {}
        (5, LOGIN, Some(login)) => {
            let (user, password) =
                (with_length_octet(login.user.reveal())?, with_length_octet(login.password.reveal())?);
            let [_, status] = exchange_octets(stream, &[&[1], &*user, &password].concat()).await?;
            if status != 0 {
                return Err(login_failure(true));
            }
        }
        (5, _, _) => return Err(proxy_failure(ProxyCause::Login, "no supported login method")),
        _ => return Err(proxy_failure(ProxyCause::Protocol, "not a SOCKS5 proxy")),
    }
    let address = match host.parse() {
        Ok(IpAddr::V4(address)) => [&[1][..], &address.octets()].concat(),
        Ok(IpAddr::V6(address)) => [&[4][..], &address.octets()].concat(),
        Err(_) => [&[3][..], &with_length_octet(host.as_bytes())?].concat(),
    };
    let [_, reply, _, kind] =
        exchange_octets(stream, &[&[5, 1, 0], &*address, &port.to_be_bytes()].concat()).await?;
    if reply != 0 {
        let (cause, text) = reply_text(reply);
        return Err(proxy_failure(cause, text));
    }
    // The address that the proxy connects from, and its port.
    let length = match kind {
        1 => 4,
        4 => 16,
        3 => usize::from(read_octets::<1>(stream).await?[0]),
        _ => return Err(proxy_failure(ProxyCause::Protocol, "not a SOCKS5 proxy")),
    };
    let mut rest = vec![0; length + 2];
    stream.read_exact(&mut rest).await.map_err(|error| lost_connection(&error))?;
    Ok(())
}

/// Asks a proxy of SOCKS4 for a connection to an address, or, with the extension 4A, to a name: the address
/// 0.0.0.1 says that one follows the user.
pub(crate) async fn connect_by_socks4(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    (host, port): (Result<Ipv4Addr, &str>, u16),
    user: &[u8],
) -> Result<(), FailureKind> {
    let (address, name) = match host {
        Ok(address) => (address, None),
        Err(name) => (Ipv4Addr::new(0, 0, 0, 1), Some(name.as_bytes())),
    };
    if user.contains(&0) {
        return Err(proxy_failure(ProxyCause::Login, "the user contains a NUL"));
    }
    let name = name.map(|name| [name, &[0]].concat()).unwrap_or_default();
    let message = [&[4, 1][..], &port.to_be_bytes(), &address.octets(), user, &[0], &name].concat();
    let [version, reply, ..]: [u8; 8] = exchange_octets(stream, &message).await?;
    match (version, reply) {
        (0, 90) => Ok(()),
        (0, 91) => Err(proxy_failure(ProxyCause::Refused, "rejected or failed")),
        (0, 92 | 93) => Err(proxy_failure(ProxyCause::Login, "it does not accept the user")),
        _ => Err(proxy_failure(ProxyCause::Protocol, "not a SOCKS4 proxy")),
    }
}

/// Sends a message, and reads the first octets of its answer.
async fn exchange_octets<const N: usize>(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    message: &[u8],
) -> Result<[u8; N], FailureKind> {
    stream.write_all(message).await.map_err(|error| lost_connection(&error))?;
    stream.flush().await.map_err(|error| lost_connection(&error))?;
    read_octets(stream).await
}

async fn read_octets<const N: usize>(stream: &mut (impl AsyncRead + Unpin)) -> Result<[u8; N], FailureKind> {
    let mut octets = [0; N];
    stream.read_exact(&mut octets).await.map_err(|error| lost_connection(&error))?;
    Ok(octets)
}

/// Writes octets after their number, which has one octet.
fn with_length_octet(octets: &[u8]) -> Result<Vec<u8>, FailureKind> {
    let length = u8::try_from(octets.len());
    let length = length
        .map_err(|_| proxy_failure(ProxyCause::TooLong, "a name or a password is longer than 255 bytes"))?;
    Ok([&[length], octets].concat())
}

/// The replies of RFC 1928, section 6.
const fn reply_text(reply: u8) -> (ProxyCause, &'static str) {
    match reply {
        1 => (ProxyCause::Other, "general failure"),
        2 => (ProxyCause::Refused, "not allowed by its rules"),
        3 => (ProxyCause::Unreachable, "network unreachable"),
        4 => (ProxyCause::Unreachable, "host unreachable"),
        5 => (ProxyCause::Unreachable, "connection refused"),
        6 => (ProxyCause::Unreachable, "the connection timed out"),
        7 => (ProxyCause::Refused, "it does not support connections"),
        8 => (ProxyCause::Refused, "it does not support this kind of address"),
        _ => (ProxyCause::Refused, "refused"),
    }
}

/// Returns the failure of a proxy.
pub(crate) fn proxy_failure(cause: ProxyCause, text: impl Into<Box<str>>) -> FailureKind {
    FailureKind::Proxy(Detail::new(cause, text))
}

/// Returns the failure of a proxy that wants a login: none was sent, or it refused the one that was.
pub(crate) fn login_failure(is_sent: bool) -> FailureKind {
    proxy_failure(
        ProxyCause::Login,
        if is_sent { "wrong user or password" } else { "user and password required" },
    )
}

fn lost_connection(error: &io::Error) -> FailureKind {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => proxy_failure(ProxyCause::Closed, "it closed the connection"),
        _ => proxy_failure(ProxyCause::Other, text_of(error)),
    }
}

#[cfg(test)]
mod tests {
    use locator::plan::Secret;
    use tokio::io::duplex;

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

    /// Has a client talk to a proxy that reads and sends in turn; returns what the client came to.
    async fn talk(
        script: &[(&[u8], &[u8])],
        login: Option<(&str, &str)>,
        host: &str,
    ) -> Result<(), FailureKind> {
        let (mut client, mut proxy) = duplex(1024);
        let login =
            login.map(|(user, password)| Login { user: Secret::new(user), password: Secret::new(password) });
        let serve = async {
            for (expected, sent) in script {
                let mut octets = vec![0; expected.len()];
                proxy.read_exact(&mut octets).await.unwrap();
                assert_eq!(octets, *expected);
                proxy.write_all(sent).await.unwrap();
            }
            drop(proxy);
        };
        tokio::join!(connect_by_socks(&mut client, (host, 443), login.as_ref()), serve).0
    }

    #[tokio::test]
    async fn socks() {
        let name = b"\x05\x01\0\x03\x09localhost\x01\xBB";
        let plain: &[u8] = b"\x05\x01\0";
        let done: &[u8] = b"\x05\0\0\x01\x7F\0\0\x01\x12\x34";
        assert_eq!(talk(&[(plain, b"\x05\0"), (name, done)], None, "localhost").await, Ok(()));
        let named = b"\x05\0\0\x03\x03abc\0\0";
        assert_eq!(
            talk(&[(plain, b"\x05\0"), (b"\x05\x01\0\x01\x7F\0\0\x01\x01\xBB", named)], None, "127.0.0.1")
                .await,
            Ok(())
        );
        let offered = (&b"\x05\x02\0\x02"[..], &b"\x05\x02"[..]);
        let login = (&b"\x01\x03joe\x06secret"[..], &b"\x01\0"[..]);
        assert_eq!(talk(&[offered, login, (name, done)], Some(("joe", "secret")), "localhost").await, Ok(()));
        let wrong = (login.0, &b"\x01\x01"[..]);
        for script in [
            &[(plain, &b"\x05\xFF"[..])][..],
            &[(plain, b"\x04\0")],
            &[(plain, b"\x05")],
            &[(plain, b"\x05\0"), (name, b"\x05\x05\0\x01\0\0\0\0\0\0")],
            &[(plain, b"\x05\0"), (name, b"\x05\0\0\x09\0\0\0\0\0\0")],
            &[(plain, b"\x05\0"), (name, b"\x05\0\0\x01\x7F")],
        ] {
            let result = talk(script, None, "localhost").await;
            assert!(matches!(result, Err(FailureKind::Proxy(_))), "{script:?}: {result:?}");
        }
        assert!(talk(&[offered, wrong], Some(("joe", "secret")), "localhost").await.is_err());
        assert!(talk(&[offered, (b"", b"")], Some((&"u".repeat(256), "")), "localhost").await.is_err());
        assert!(talk(&[(plain, b"\x05\0")], None, &"h".repeat(256)).await.is_err());
    }

    #[tokio::test]
    async fn socks4() {
        let name: Result<Ipv4Addr, &str> = Err("a.example");
        let by_name = &b"\x04\x01\x01\xBB\0\0\0\x01joe\0a.example\0"[..];
        let by_address = &b"\x04\x01\x01\xBB\x7F\0\0\x01joe\0"[..];
        for (host, sent, answer, is_done) in [
            (Ok(Ipv4Addr::LOCALHOST), by_address, &b"\0\x5A\0\0\0\0\0\0"[..], true),
            (name, by_name, b"\0\x5A\0\0\0\0\0\0", true),
            (name, by_name, b"\0\x5B\0\0\0\0\0\0", false),
            (name, by_name, b"\x05\x5A\0\0\0\0\0\0", false),
            (name, by_name, b"\0\x5A", false),
        ] {
            let (mut client, mut proxy) = duplex(1024);
            let serve = async {
                let mut octets = vec![0; sent.len()];
                proxy.read_exact(&mut octets).await.unwrap();
                assert_eq!(octets, sent);
                proxy.write_all(answer).await.unwrap();
                drop(proxy);
            };
            let result = tokio::join!(connect_by_socks4(&mut client, (host, 443), b"joe"), serve).0;
            assert_eq!(result.is_ok(), is_done, "{result:?}");
        }
    }

    #[test]
    fn answers_to_connect() {
        let yes = |text: &str| matches!(answer(text.as_bytes()), Ok(Some(Connected::Yes)));
        assert!(
            yes("HTTP/1.0 200 Connection established\r\nProxy-agent: x\r\n\r\n")
                && yes("HTTP/1.1 204\r\n\r\n")
        );
        assert!(matches!(answer(b"HTTP/1.1 200 OK\r\n\r\nHTTP"), Err(FailureKind::Injected)));
        assert!(matches!(answer(b"HTTP/1.1 200 OK\r\n"), Ok(None)));
        let wanted = b"HTTP/1.1 407 x\r\nproxy-authenticate: Basic realm=a\r\nX: y\r\n\r\nbody";
        match answer(wanted) {
            Ok(Some(Connected::NeedsLogin(values))) => assert_eq!(values, [b"Basic realm=a"]),
            _ => panic!("no login is wanted"),
        }
        for (text, expected) in
            [("HTTP/1.1 502 Bad Gateway\r\n\r\n", "502 Bad Gateway"), ("HTTP/1.1 403\r\n\r\n", "403")]
        {
            assert!(
                matches!(answer(text.as_bytes()), Err(FailureKind::Proxy(why)) if *why.text == *expected),
                "{text}"
            );
        }
        assert!(matches!(answer(b"SSH-2.0-x\r\n"), Err(FailureKind::Proxy(_))));
    }
}
