//! The dialer: the only file that opens a socket. It asks the policy about the host and the port, looks
//! the name up, asks the policy about each address, connects to the first that answers, and asks the
//! policy about the peer.
//!
//! The next address is tried when one has failed, or when none has answered for a while, so that an address that
//! does not answer costs little time (RFC 8305, 4 and 5).

use std::future::{Future, poll_fn};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
#[cfg(feature = "http")]
use std::path::Path;
use std::path::PathBuf;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use dns_lookup::{AddrInfoHints, LookupError, LookupErrorKind, SockType, getaddrinfo};
use locator_audit::{Peer, Policy, Refusal, RefusalReason, Target};
use tokio::net::{TcpStream, UdpSocket, lookup_host};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep, timeout};

use crate::error::failure::{ConnectCause, Detail, FailureKind, NameCause, NameError};
use crate::time::timings::{Stopwatch, TimingStep};

/// The addresses that a [`Resolver`] finds, once the future is ready.
///
/// ```
/// use locator_fetch::Resolved;
///
/// fn nothing<'a>(_name: &'a str) -> Resolved<'a> {
///     Box::pin(async { Ok(Vec::new()) })
/// }
/// ```
pub type Resolved<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// Looks names up. A fetcher asks the resolver of the system unless it is given another one.
///
/// The policy is asked about each address that a resolver finds, and one that it forbids forbids all. A
/// connection is made to one of these addresses; the name is not looked up again for it. `localhost`
/// and names in it are not looked up.
///
/// ```
/// use locator_fetch::{Fetcher, Resolved, Resolver};
///
/// /// Knows one name.
/// struct One;
///
/// impl Resolver for One {
///     fn resolve<'a>(&'a self, name: &'a str) -> Resolved<'a> {
///         Box::pin(async move {
///             let found = (name == "www.example.com")
///                 .then_some("93.184.215.14".parse().unwrap());
///             Ok(found.into_iter().collect())
///         })
///     }
/// }
///
/// let fetcher = Fetcher::for_untrusted_urls().resolver(std::sync::Arc::new(One));
/// ```
pub trait Resolver: Send + Sync {
    /// Returns the addresses of a name, which is in ASCII and in lower case, without a dot at the end.
    /// It is absolute: no domain of a search list may be added. An error that is a
    /// [`NameError`](crate::run::NameError) says why there are none.
    fn resolve<'a>(&'a self, name: &'a str) -> Resolved<'a>;

    /// Returns the addresses of a name for a connection to this port; those of [`resolve`](Self::resolve)
    /// without a method of its own.
    fn resolve_for<'a>(&'a self, name: &'a str, port: u16) -> Resolved<'a> {
        let _ = port;
        self.resolve(name)
    }
}

/// The resolver of the system, which a fetcher uses without another one. A resolver of a program may ask it for
/// the names that it does not know.
///
/// ```
/// use locator_fetch::{Resolved, Resolver, SystemResolver};
///
/// struct Without(&'static str);
///
/// impl Resolver for Without {
///     fn resolve<'a>(&'a self, name: &'a str) -> Resolved<'a> {
///         match name == self.0 {
///             true => Box::pin(async { Ok(Vec::new()) }),
///             false => SystemResolver.resolve(name),
///         }
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    /// The name is looked up with a dot at its end, so that no domain of a search list is added; a list
    /// of hosts of this machine may know it only without.
    fn resolve<'a>(&'a self, name: &'a str) -> Resolved<'a> {
        Box::pin(async move {
            match system_addresses(&[name, "."].concat()).await {
                Ok(found) if !found.is_empty() => Ok(found),
                _ => system_addresses(name).await,
            }
        })
    }
}

/// Asks the resolver of the system. `getaddrinfo` is called here and not by the standard library, whose
/// errors have no code.
async fn system_addresses(name: &str) -> io::Result<Vec<IpAddr>> {
    let name = name.to_owned();
    let asking = spawn_blocking(move || {
        let hints = AddrInfoHints { socktype: SockType::Stream.into(), ..AddrInfoHints::default() };
        let found = getaddrinfo(Some(&name), None, Some(hints)).map_err(|error| name_error(&error))?;
        found.map(|found| found.map(|found| found.sockaddr.ip())).collect()
    });
    asking.await.map_err(io::Error::other)?
}

/// Returns the error of `getaddrinfo` by its code (RFC 3493, 6.1).
fn name_error(error: &LookupError) -> io::Error {
    let cause = match error.kind() {
        LookupErrorKind::NoName => NameCause::NoSuchName,
        LookupErrorKind::NoData => NameCause::NoAddress,
        LookupErrorKind::Again | LookupErrorKind::Fail if !has_route() => NameCause::NoNetwork,
        LookupErrorKind::Again => NameCause::Temporary,
        _ => NameCause::Other,
    };
    NameError::new(cause, error.to_string()).into()
}

/// Returns whether a way leads from this machine to others: to an address for documentation (RFC 5737, RFC
/// 3849). Nothing is sent: to connect a socket of datagrams only chooses the way.
fn has_route() -> bool {
    let chosen = |own: IpAddr, other: IpAddr| {
        std::net::UdpSocket::bind((own, 0)).and_then(|socket| socket.connect((other, 53))).is_ok()
    };
    chosen(Ipv4Addr::UNSPECIFIED.into(), Ipv4Addr::new(192, 0, 2, 1).into())
        || chosen(Ipv6Addr::UNSPECIFIED.into(), Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into())
}

/// Where connections are made instead of to the servers of URLs, as curl's `--connect-to` and `--unix-socket`
/// say. The request, and the name in the certificate, stay those of the URL. It is for what a user chose: the
/// [policy](locator_audit::Policy) of the fetcher is asked about the other server, and that server's answers are
/// judged like those of a proxy. A proxy is connected to as without it.
///
/// ```
/// use locator_fetch::{ConnectTo, blocking::Fetcher};
///
/// let rules = ConnectTo::new().rule("www.example.com:443:127.0.0.1:8443").unwrap();
/// let fetcher = Fetcher::for_user_input().connect_to(rules);
/// assert!(ConnectTo::new().rule("www.example.com").is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConnectTo {
    rules: Vec<Rule>,
    socket: Option<PathBuf>,
}

/// One server in place of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    /// Of which server; `None` for any.
    host: Option<String>,
    port: Option<u16>,
    /// Which server instead; `None` for the same.
    other_host: Option<String>,
    other_port: Option<u16>,
}

impl ConnectTo {
    /// Returns no rules.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a rule `HOST1:PORT1:HOST2:PORT2`: connect to HOST2 and PORT2 for URLs with HOST1 and PORT1. Of the
    /// first two an empty one is any, of the others the same; IPv6 addresses are in square brackets. The first
    /// rule for a server counts. Returns `None` if the text is no rule.
    #[must_use]
    pub fn rule(mut self, text: &str) -> Option<Self> {
        let (host, rest) = host_of(text)?;
        let (port, rest) = rest.split_once(':')?;
        let (other_host, rest) = host_of(rest)?;
        let (port, other_port) = (port_of(port)?, port_of(rest)?);
        self.rules.push(Rule { host, port, other_host, other_port });
        Some(self)
    }

    /// Connects to a socket of this machine instead, for every URL of http and https.
    #[must_use]
    pub fn unix_socket(self, path: impl Into<PathBuf>) -> Self {
        Self { socket: Some(path.into()), ..self }
    }

    /// Returns the socket that is connected to.
    #[cfg(feature = "http")]
    pub(crate) fn socket(&self) -> Option<&Path> {
        self.socket.as_deref()
    }

    /// Returns the server that is connected to for a target.
    fn server(&self, target: &Target) -> Option<(String, u16)> {
        let rule = self.rule_of(target.host(), target.port())?;
        let host = rule.other_host.clone().unwrap_or_else(|| target.host().to_owned());
        Some((host, rule.other_port.unwrap_or(target.port())))
    }

    /// Returns whether connections to a server are made elsewhere: by a rule, or to the socket. They are made
    /// without a proxy.
    ///
    /// ```
    /// let servers = locator_fetch::ConnectTo::new().rule("www.example.com:443:127.0.0.1:8443").unwrap();
    /// assert!(servers.leads_from("www.example.com", 443) && !servers.leads_from("www.example.com", 80));
    /// ```
    #[must_use]
    pub fn leads_from(&self, host: &str, port: u16) -> bool {
        self.socket.is_some() || self.rule_of(host, port).is_some()
    }

    fn rule_of(&self, host: &str, port: u16) -> Option<&Rule> {
        let plain = |host: &str| host.trim_matches(['[', ']']).trim_end_matches('.').to_owned();
        let host = plain(host);
        let is_host = |own: &str| plain(own).eq_ignore_ascii_case(&host);
        self.rules
            .iter()
            .find(|rule| rule.host.as_deref().is_none_or(is_host) && rule.port.is_none_or(|own| own == port))
    }
}

/// Reads a port; an empty one is `None`.
fn port_of(text: &str) -> Option<Option<u16>> {
    let is_digits = text.bytes().all(|octet| octet.is_ascii_digit());
    match text {
        "" => Some(None),
        _ => text.parse().ok().filter(|port| is_digits && *port > 0).map(Some),
    }
}

/// Divides a text after a host, which may be an IPv6 address in brackets, and ":"; an empty host is `None`.
fn host_of(text: &str) -> Option<(Option<String>, &str)> {
    let start = if text.starts_with('[') { text.find(']')? } else { 0 };
    let at = start + text.get(start..)?.find(':')?;
    let host = text.get(..at)?.trim_end_matches('.');
    Some((Some(host.to_owned()).filter(|host| !host.is_empty()), text.get(at + 1..)?))
}

/// The versions of IP that are used.
///
/// ```
/// use locator_fetch::{Family, blocking::Fetcher};
///
/// let fetcher = Fetcher::for_user_input().family(Family::Ipv4);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Family {
    /// Both.
    #[default]
    Any,
    /// IPv4 only.
    Ipv4,
    /// IPv6 only.
    Ipv6,
}

impl Family {
    const fn has(self, address: IpAddr) -> bool {
        match self {
            Self::Any => true,
            Self::Ipv4 => address.is_ipv4(),
            Self::Ipv6 => address.is_ipv6(),
        }
    }
}

/// A server that a client is connected to, which may name others: what for, and its address.
#[derive(Clone, Debug)]
pub(crate) struct ConnectedServer {
    pub(crate) target: Target,
    pub(crate) address: SocketAddr,
    /// Whether the address is that of a proxy, which is connected to the server, or of another server that the
    /// user chose ([`ConnectTo`]).
    pub(crate) is_proxied: bool,
}

impl ConnectedServer {
    /// Returns the peer whose answers a policy judges. A proxy is one that the user or the program
    /// configured, or that the policy allowed before it was asked.
    pub(crate) fn peer(&self) -> Result<Peer<'_>, Refusal> {
        if self.is_proxied {
            Ok(self.target.peer_by_own_proxy())
        } else {
            self.target.peer(self.address.ip())
        }
    }
}

/// Where a client is about to connect.
#[derive(Clone, Copy)]
pub(crate) struct Endpoint<'a> {
    /// The scheme of the URL.
    pub(crate) scheme: &'a str,
    /// The name or address, without brackets.
    pub(crate) host: &'a str,
    pub(crate) port: u16,
    /// The server whose answer named it; `None` if the user did.
    pub(crate) named_by: Option<&'a ConnectedServer>,
}

/// What connections are made with.
#[derive(Clone, Copy)]
pub(crate) struct Dialer<'a> {
    pub(crate) policy: &'a Policy,
    pub(crate) resolver: &'a dyn Resolver,
    pub(crate) family: Family,
    pub(crate) connect_to: &'a ConnectTo,
    /// The time for the name of a host and all of its addresses together, in milliseconds.
    pub(crate) limit: u64,
    /// The zone of a link-local address (RFC 6874): the interface that leads to it.
    pub(crate) zone: Option<&'a str>,
    /// Notes when the name is looked up and the server is connected.
    pub(crate) times: Option<&'a Stopwatch>,
}

impl<'a> Dialer<'a> {
    /// Sets the zone of the address in a host, if it has one: `fe80::1%eth0`.
    pub(crate) fn for_host(self, host: &'a str) -> Self {
        Self { zone: host.split_once('%').filter(|_| host.contains(':')).map(|(_, zone)| zone), ..self }
    }
}

impl Dialer<'_> {
    /// Connects to one of the addresses of a target.
    pub(crate) async fn dial(&self, target: Target) -> Result<(TcpStream, ConnectedServer), FailureKind> {
        match self.other(&target)? {
            None => self.dial_target(target).await,
            Some(other) => {
                let (stream, server) = self.dial_target(other).await?;
                Ok((stream, ConnectedServer { target, is_proxied: true, ..server }))
            }
        }
    }

    /// Returns the server that is connected to instead of a target, if the policy allows it.
    fn other(&self, target: &Target) -> Result<Option<Target>, Refusal> {
        let other = self.connect_to.server(target);
        other.map(|(host, port)| self.policy.endpoint(target.scheme(), &host, port)).transpose()
    }

    /// Connects to a socket of this machine instead of to a target, if the policy allows this machine. The
    /// address is that of this machine.
    #[cfg(all(unix, feature = "http"))]
    pub(crate) async fn dial_socket(
        &self,
        path: &Path,
        target: &Target,
    ) -> Result<(tokio::net::UnixStream, SocketAddr), FailureKind> {
        let local = self.policy.endpoint(target.scheme(), "localhost", target.port())?;
        local.addresses([Ipv4Addr::LOCALHOST])?;
        let connecting = timeout(Duration::from_millis(self.limit), tokio::net::UnixStream::connect(path));
        let connected = connecting.await.map_err(|_| FailureKind::TimedOut(self.limit))?;
        let stream = connected.map_err(|error| {
            let text = format!("{}: {}", path.display(), text_of(&error));
            FailureKind::NotConnected(Detail::new(error.kind().into(), text).source(error))
        })?;
        self.mark(TimingStep::Connect);
        Ok((stream, (Ipv4Addr::LOCALHOST, target.port()).into()))
    }

    async fn dial_target(&self, target: Target) -> Result<(TcpStream, ConnectedServer), FailureKind> {
        let attempts = async {
            let addresses = by_turns(self.addresses(&target).await?);
            self.mark(TimingStep::NameLookup);
            let attempt = |address| {
                let target = &target;
                async move { connect(target, address).await.map(|stream| (stream, address)) }
            };
            first_success(addresses, attempt).await.unwrap_or_else(|| Err(not_found("no address")))
        };
        let connected = timeout(Duration::from_millis(self.limit), attempts).await;
        let (stream, address) = connected.map_err(|_| FailureKind::TimedOut(self.limit))??;
        self.mark(TimingStep::Connect);
        Ok((stream, ConnectedServer { target, address, is_proxied: false }))
    }

    /// Opens a socket to exchange datagrams with a target. Nothing is sent.
    pub(crate) async fn exchange(&self, target: Target) -> Result<Datagrams, FailureKind> {
        let limit = Duration::from_millis(self.limit);
        let other = self.other(&target)?;
        let is_proxied = other.is_some();
        let addresses = timeout(limit, self.addresses(other.as_ref().unwrap_or(&target))).await;
        let mut others = addresses.map_err(|_| FailureKind::TimedOut(self.limit))??.into_iter();
        let address = others.next().ok_or_else(|| not_found("no address"))?;
        self.mark(TimingStep::NameLookup);
        let server = ConnectedServer { target, address, is_proxied };
        let socket = associate(&server).await?;
        Ok(Datagrams { socket, server, others, has_received: false })
    }

    fn mark(&self, step: TimingStep) {
        self.times.into_iter().for_each(|times| times.mark(step));
    }

    /// Connects to a port of a server that a connection was made to. What the server says about
    /// addresses is not asked.
    pub(crate) async fn dial_peer(
        &self,
        server: &ConnectedServer,
        port: u16,
    ) -> Result<(TcpStream, SocketAddr), FailureKind> {
        let ip = server.address.ip();
        let allowed = server.peer().and_then(|peer| self.policy.data_address(&peer, ip, port));
        let address = allowed.map_err(|refusal| match refusal.reason() {
            // The server may name a better port in another way.
            RefusalReason::AnswerPort => {
                let text = format!("port {port}: {refusal}");
                FailureKind::NotConnected(Detail::new(ConnectCause::DataPort, text))
            }
            _ => refusal.into(),
        })?;
        connect(&server.target, address).await.map(|stream| (stream, address))
    }

    /// Asks the policy about the host and the port.
    pub(crate) fn target(&self, place: Endpoint<'_>) -> Result<Target, Refusal> {
        let Endpoint { scheme, host, port, named_by } = place;
        let is_typed = named_by.is_none() && self.policy.is_typed();
        let host = if is_typed { without_zone(host) } else { host };
        let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
        match named_by {
            Some(server) => self.policy.named_endpoint(&server.peer()?, scheme, &host, port),
            None => self.policy.endpoint(scheme, &host, port),
        }
    }

    /// Returns the addresses of a target, all of which the policy allows.
    pub(crate) async fn addresses(&self, target: &Target) -> Result<Vec<SocketAddr>, FailureKind> {
        let mut found = match target.known_addresses()? {
            Some(known) => known,
            None => {
                let name = target.name_to_look_up();
                let name = name.trim_end_matches('.');
                self.resolver
                    .resolve_for(name, target.port())
                    .await
                    .map_err(|error| not_resolved(name, error))?
            }
        };
        if found.is_empty() {
            return Err(not_found(target.host()));
        }
        let mut seen = Vec::new();
        found.retain(|address| {
            !seen.contains(address) && {
                seen.push(*address);
                true
            }
        });
        let addresses = target.addresses(found)?;
        let mut addresses: Vec<_> =
            addresses.into_iter().filter(|address| self.family.has(address.ip())).collect();
        if let Some(zone) = self.zone {
            for address in &mut addresses {
                *address = in_zone(*address, zone).await?;
            }
        }
        if addresses.is_empty() {
            let family = if self.family == Family::Ipv6 { "IPv6" } else { "IPv4" };
            let why = format!("the host has no {family} address");
            return Err(FailureKind::NotConnected(Detail::new(ConnectCause::NoAddress, why)));
        }
        Ok(addresses)
    }
}

/// Returns the failure of a name that has no address.
fn not_found(name: &str) -> FailureKind {
    FailureKind::NameNotFound(Detail::new(NameCause::NoAddress, format!("{name}: the name has no address")))
}

/// Returns the failure of looking a name up.
fn not_resolved(name: &str, error: io::Error) -> FailureKind {
    let cause = NameCause::from(&error);
    let why = match cause {
        NameCause::NoSuchName => "no such name".into(),
        NameCause::NoAddress => "the name has no address".into(),
        NameCause::Temporary => "no answer from the name server for now".into(),
        NameCause::NoNetwork => "this machine has no network".into(),
        _ => text_of(&error),
    };
    FailureKind::NameNotFound(Detail::new(cause, format!("{name}: {why}")).source(error))
}

/// Returns the host that a person typed as policies judge it: without the dot at the end of an absolute
/// name, and without the zone of an address.
fn without_zone(host: &str) -> &str {
    let address = host.split_once('%').filter(|_| host.contains(':'));
    let host = address.map_or(host, |(address, _)| address);
    let name = host.strip_suffix('.').filter(|name| !name.is_empty() && name.parse::<IpAddr>().is_err());
    name.unwrap_or(host)
}

/// Returns an address in a zone, the name or the number of an interface, which the system knows.
async fn in_zone(address: SocketAddr, zone: &str) -> Result<SocketAddr, FailureKind> {
    let wrong = || {
        let text = format!("{}: no zone {zone} on this machine", address.ip());
        FailureKind::NotConnected(Detail::new(ConnectCause::NoZone, text))
    };
    let found = lookup_host((format!("{}%{zone}", address.ip()), address.port())).await;
    let found = found.map_err(|_| wrong())?.find(|found| found.ip() == address.ip());
    found.filter(|found| matches!(found, SocketAddr::V6(v6) if v6.scope_id() > 0)).ok_or_else(wrong)
}

/// A socket that exchanges datagrams with one address of a server. It is connected, so that the system
/// drops datagrams of others.
pub(crate) struct Datagrams {
    socket: UdpSocket,
    server: ConnectedServer,
    /// The other addresses, all of which the policy allows.
    others: std::vec::IntoIter<SocketAddr>,
    has_received: bool,
}

impl Datagrams {
    pub(crate) const fn server(&self) -> &ConnectedServer {
        &self.server
    }

    pub(crate) async fn send(&self, datagram: &[u8]) -> io::Result<()> {
        self.socket.send(datagram).await.map(drop)
    }

    pub(crate) async fn receive(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let received = self.socket.recv(into).await;
        self.has_received |= received.is_ok();
        received
    }

    /// Goes on with the next address, unless this one has answered; returns whether there is one.
    pub(crate) async fn move_on(&mut self) -> Result<bool, FailureKind> {
        match self.others.next().filter(|_| !self.has_received) {
            None => Ok(false),
            Some(address) => {
                self.server.address = address;
                self.socket = associate(&self.server).await?;
                Ok(true)
            }
        }
    }
}

/// Opens a socket for the address of a server, which the policy allowed.
async fn associate(server: &ConnectedServer) -> Result<UdpSocket, FailureKind> {
    let failed = |error: io::Error| not_connected(server.address, error);
    let any: IpAddr = match server.address {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let socket = UdpSocket::bind((any, 0)).await.map_err(failed)?;
    socket.connect(server.address).await.map_err(failed)?;
    server.target.connected(server.address.ip(), socket.peer_addr().map_err(failed)?.ip())?;
    Ok(socket)
}

/// Returns the failure of a connection to an address.
pub(crate) fn not_connected(address: SocketAddr, error: io::Error) -> FailureKind {
    let cause = error.kind().into();
    let text = match cause {
        ConnectCause::Other => format!("{address}: {}", text_of(&error)),
        _ => address.to_string(),
    };
    FailureKind::NotConnected(Detail::new(cause, text).source(error))
}

/// Connects to an address that the policy allowed, and to no other.
async fn connect(target: &Target, address: SocketAddr) -> Result<TcpStream, FailureKind> {
    let failed = |error: io::Error| not_connected(address, error);
    let stream = TcpStream::connect(address).await.map_err(failed)?;
    target.connected(address.ip(), stream.peer_addr().map_err(failed)?.ip())?;
    // Commands are short, and each is answered before the next one.
    let _ = stream.set_nodelay(true);
    Ok(stream)
}

/// Returns the text of an error of the system, without its number.
pub(crate) fn text_of(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// How long the next attempt waits for those that have begun. RFC 8305, 5: "One recommended value for a
/// default delay is 250 milliseconds."
const PAUSE: Duration = Duration::from_millis(250);

/// Returns the addresses in their order, but those of IPv6 and IPv4 by turns.
fn by_turns(addresses: Vec<SocketAddr>) -> Vec<SocketAddr> {
    let is_first =
        |address: &SocketAddr| addresses.first().is_some_and(|one| one.is_ipv6() == address.is_ipv6());
    let (one, other): (Vec<_>, Vec<_>) = addresses.iter().copied().partition(is_first);
    let mut other = other.into_iter();
    let mut turns: Vec<_> = one.into_iter().flat_map(|one| [Some(one), other.next()]).flatten().collect();
    turns.extend(other);
    turns
}

/// Returns the first result that is not an error, else the last error; `None` without attempts.
pub(super) async fn first_success<A, T, E, F: Future<Output = Result<T, E>>>(
    of: impl IntoIterator<Item = A>,
    mut attempt: impl FnMut(A) -> F,
) -> Option<Result<T, E>> {
    let (mut left, mut last) = (of.into_iter(), None);
    let mut begun: Vec<Pin<Box<F>>> = Vec::new();
    let mut timer = pin!(sleep(PAUSE));
    poll_fn(|cx| {
        loop {
            let (mut i, mut is_due) = (0, begun.is_empty());
            while let Some(one) = begun.get_mut(i) {
                match one.as_mut().poll(cx) {
                    Poll::Ready(Ok(value)) => return Poll::Ready(Some(Ok(value))),
                    Poll::Ready(Err(error)) => {
                        last = Some(Err(error));
                        begun.remove(i);
                        is_due = true;
                    }
                    Poll::Pending => i += 1,
                }
            }
            if !is_due && timer.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            match left.next() {
                Some(next) => {
                    begun.push(Box::pin(attempt(next)));
                    timer.as_mut().reset(Instant::now() + PAUSE);
                }
                None if begun.is_empty() => return Poll::Ready(last.take()),
                None => return Poll::Pending,
            }
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::net::TcpListener;

    use super::*;

    /// Has these addresses for all names, and counts how often it is asked.
    struct Fixed(&'static [&'static str], AtomicUsize);

    impl Resolver for Fixed {
        fn resolve<'a>(&'a self, _: &'a str) -> Resolved<'a> {
            self.1.fetch_add(1, Ordering::Relaxed);
            Box::pin(async { Ok(self.0.iter().map(|address| address.parse().unwrap()).collect()) })
        }
    }

    fn place(host: &str, port: u16) -> Endpoint<'_> {
        Endpoint { scheme: "gopher", host, port, named_by: None }
    }

    fn with_policy<'a>(policy: &'a Policy, resolver: &'a Fixed, family: Family) -> Dialer<'a> {
        static NOWHERE_ELSE: ConnectTo = ConnectTo { rules: Vec::new(), socket: None };
        let connect_to = &NOWHERE_ELSE;
        Dialer { policy, resolver, family, connect_to, limit: 1_000, zone: None, times: None }
    }

    async fn dial(
        dialer: Dialer<'_>,
        place: Endpoint<'_>,
    ) -> Result<(TcpStream, ConnectedServer), FailureKind> {
        dialer.dial(dialer.target(place)?).await
    }

    #[cfg(unix)]
    #[test]
    fn the_resolver_of_the_system_says_why() {
        for (kind, cause) in [(libc::EAI_NONAME, NameCause::NoSuchName), (libc::EAI_MEMORY, NameCause::Other)]
        {
            assert_eq!(NameCause::from(&name_error(&LookupError::new(kind))), cause);
        }
        let again = NameCause::from(&name_error(&LookupError::new(libc::EAI_AGAIN)));
        let expected = if has_route() { NameCause::Temporary } else { NameCause::NoNetwork };
        assert_eq!(again, expected);
    }

    #[tokio::test]
    async fn every_address_is_asked_about() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (typed, public) = (Policy::typed(), Policy::public_network());
        let resolver = Fixed(&["127.0.0.1", "127.0.0.1", "::1"], AtomicUsize::new(0));
        let dialer = with_policy(&typed, &resolver, Family::Any);
        let (_, server) = dial(dialer, place("www.example.com", port)).await.unwrap();
        assert_eq!(server.address, ([127, 0, 0, 1], port).into());
        let forbidden = |result: Result<(TcpStream, ConnectedServer), FailureKind>| {
            assert!(matches!(result, Err(FailureKind::Forbidden(_))), "{result:?}");
        };
        forbidden(dial(Dialer { policy: &public, ..dialer }, place("www.example.com", port)).await);
        // One address that is forbidden forbids all, also if its version of IP is not used.
        let mixed = Fixed(&["93.184.215.14", "::1"], AtomicUsize::new(0));
        let dialer = with_policy(&public, &mixed, Family::Ipv4);
        forbidden(dial(dialer, place("www.example.com", port)).await);
        // What a public server named does not lead inwards, by whatever name.
        let target = typed.check("gopher://www.example.com/").unwrap();
        let named_by =
            ConnectedServer { target, address: ([93, 184, 215, 14], 70).into(), is_proxied: false };
        let dialer = with_policy(&typed, &resolver, Family::Any);
        for host in ["www.example.org", "localhost", "127.0.0.1", "::ffff:127.0.0.1", "printer"] {
            forbidden(dial(dialer, Endpoint { named_by: Some(&named_by), ..place(host, port) }).await);
        }
        assert!(listener.accept().await.is_ok(), "the first is there");
        assert!(poll_fn(|cx| Poll::Ready(listener.poll_accept(cx).is_pending())).await);
    }

    #[test]
    fn other_servers() {
        let policy = Policy::typed();
        let to = |rules: &[&str], url: &str| {
            let rules = rules.iter().try_fold(ConnectTo::new(), |rules, rule| rules.rule(rule)).unwrap();
            rules.server(&policy.check(url).unwrap()).map(|(host, port)| format!("{host}:{port}"))
        };
        for (rule, url, expected) in [
            ("a.example:80:b.example:81", "http://A.example/", Some("b.example:81")),
            ("a.example:80:b.example:81", "http://a.example:8080/", None),
            ("a.example::b.example:", "http://a.example:8080/", Some("b.example:8080")),
            ("::127.0.0.1:9", "https://x.example/", Some("127.0.0.1:9")),
            (":443::8443", "https://x.example/", Some("x.example:8443")),
            ("[::1]:80:[::2]:81", "http://[::1]/", Some("[::2]:81")),
        ] {
            assert_eq!(to(&[rule], url).as_deref(), expected, "{rule} {url}");
        }
        let first = to(&["a.example:80:b.example:1", "::c.example:2"], "http://a.example/");
        assert_eq!(first.as_deref(), Some("b.example:1"));
        for wrong in
            ["", "a", "a:80", "a:80:b", "a:x:b:1", "a:80:b:0", "a:80:b:65536", "[::1:80:b:1", "a:80:b:1:2"]
        {
            assert_eq!(ConnectTo::new().rule(wrong), None, "{wrong}");
        }
    }

    #[tokio::test]
    async fn names_that_no_resolver_is_asked_for() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let policy = Policy::typed();
        let resolver = Fixed(&["93.184.215.14"], AtomicUsize::new(0));
        let dialer = with_policy(&policy, &resolver, Family::Ipv4);
        for host in ["localhost", "LocalHost", "a.localhost", "127.0.0.1", "0.0.0.0"] {
            dial(dialer, place(host, port)).await.unwrap();
        }
        let result = dial(dialer, place("example.onion", port)).await;
        assert!(matches!(result, Err(FailureKind::Forbidden(_))), "{result:?}");
        assert_eq!(resolver.1.load(Ordering::Relaxed), 0);
    }

    /// Waits, and fails or returns its number; `None` waits for ever.
    async fn attempt((number, after, is_right): (u8, Option<u64>, bool)) -> Result<u8, u8> {
        match after {
            Some(after) => sleep(Duration::from_millis(after)).await,
            None => std::future::pending().await,
        }
        if is_right { Ok(number) } else { Err(number) }
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_that_answers() {
        for (attempts, expected, time) in [
            (vec![], None, 0),
            (vec![(1, Some(0), true)], Some(Ok(1)), 0),
            // A failure begins the next at once, silence after 250 ms.
            (vec![(1, Some(10), false), (2, Some(10), true)], Some(Ok(2)), 20),
            (vec![(1, None, true), (2, Some(10), true)], Some(Ok(2)), 260),
            (vec![(1, None, true), (2, None, true), (3, Some(1), true)], Some(Ok(3)), 501),
            // An earlier attempt goes on.
            (vec![(1, Some(300), true), (2, None, true)], Some(Ok(1)), 300),
            (vec![(1, Some(300), true), (2, Some(20), false)], Some(Ok(1)), 300),
            (vec![(1, Some(300), false), (2, Some(20), false)], Some(Err(1)), 300),
            (vec![(1, Some(1), false), (2, Some(2), false)], Some(Err(2)), 3),
        ] {
            let begin = Instant::now();
            assert_eq!(first_success(attempts.clone(), attempt).await, expected, "{attempts:?}");
            assert_eq!(begin.elapsed().as_millis(), time, "{attempts:?}");
        }
    }

    #[test]
    fn turns() {
        let address = |text: &str| format!("{text}:1").parse().unwrap();
        let all = |texts: &[&str]| texts.iter().map(|text| address(text)).collect::<Vec<_>>();
        for (given, expected) in [
            (&["[::1]", "[::2]", "1.1.1.1", "2.2.2.2"][..], &["[::1]", "1.1.1.1", "[::2]", "2.2.2.2"][..]),
            (&["1.1.1.1", "2.2.2.2", "[::1]"], &["1.1.1.1", "[::1]", "2.2.2.2"]),
            (&["1.1.1.1", "[::1]", "[::2]", "[::3]"], &["1.1.1.1", "[::1]", "[::2]", "[::3]"]),
            (&["1.1.1.1", "2.2.2.2"], &["1.1.1.1", "2.2.2.2"]),
            (&[], &[]),
        ] {
            assert_eq!(by_turns(all(given)), all(expected));
        }
    }
}
