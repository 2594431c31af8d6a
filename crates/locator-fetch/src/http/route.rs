//! The way to a server: takes the session of a plan, and connects by it, directly or through a proxy.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use locator::plan::{self, HttpOrigin, Message, Plan, Protocol, Step, Transport};
use locator_audit::{Policy, Target};
use tokio::time::{Instant, timeout};

use super::auth::PROXY;
use super::auth::{AuthRequest, Challenge, random, why_unusable};
use super::connection::HttpConnection;
use super::connection::{ConnectionDriver, Multiplexed, NextConnection, Server, WokenRequest};
use super::connection::{ConnectionKey, ConnectionKeyParts, ConnectionSettings, Pool};
use super::settings::{AuthSchemes, Http};
use crate::error::failure::{Detail, Failure, FailureKind, ProtocolCause, ProxyCause};
use crate::net::dialer::{ConnectTo, ConnectedServer, Dialer, Family};
use crate::net::proxy::{self, Connected};
use crate::net::proxy::{Login, Proxy, ProxyKind};
use crate::net::tls::{DialledStream, Stream};
use crate::settings::Settings;
use crate::time::timings::TimingStep;

/// The way to a server.
#[derive(Clone)]
pub(crate) struct Route {
    /// What the plan connects to: the server, or the proxy.
    to: plan::Connection,
    /// What a proxy is asked to connect to the server, by HTTP.
    tunnel: Option<Message>,
    /// The host that the server's certificate must contain.
    secured: Option<String>,
    proxy: Option<Proxy>,
    /// The schemes of logins at the proxy.
    auth: AuthSchemes,
    /// The server, as the policy allows it.
    target: Target,
    /// Whether HTTP/2 is offered in TLS.
    offers_http2: bool,
    /// Whether another server is connected to, a proxy or one that the user chose, whose address is not that of
    /// the target.
    is_elsewhere: bool,
    /// The address of the server, or of the proxy, once it is connected.
    address: Option<SocketAddr>,
}

/// A connection for a request.
pub(super) struct OpenConnection {
    pub(super) connection: HttpConnection,
    /// Whether it was used before.
    pub(super) is_used: bool,
    pub(super) address: SocketAddr,
}

impl Route {
    /// Reads the session of a plan; `proxy` is the one that the plan was made for, or a proxy of SOCKS,
    /// which no plan mentions.
    pub(crate) fn new(
        plan: &Plan,
        (proxy, connect_to): (Option<Proxy>, &ConnectTo),
        http: &Http,
        target: impl FnOnce(&str, u16) -> Result<Target, Failure>,
    ) -> Result<Self, Failure> {
        let (mut to, mut tunnel, mut secured) = (None, None, None);
        for step in &plan.session {
            match step {
                Step::Connect(connection) => {
                    secured = (connection.transport == Transport::Tls).then(|| connection.host.clone());
                    to = Some(connection.clone());
                }
                Step::Exchange(exchange) => tunnel = Some(exchange.send.clone()),
                Step::Secure { host } => secured = Some(host.clone()),
                _ => return Err(unsupported_way()),
            }
        }
        let to = to.ok_or_else(unsupported_way)?;
        let target = target(&to.host, to.port)?;
        let (auth, offers_http2) = (http.proxy_auth, http.has_http2);
        let is_elsewhere = proxy.is_some() || connect_to.leads_from(target.host(), target.port());
        Ok(Self { to, tunnel, secured, proxy, auth, target, offers_http2, is_elsewhere, address: None })
    }

    pub(super) const fn is_secured(&self) -> bool {
        self.secured.is_some()
    }

    pub(super) const fn protocol(&self) -> &'static Protocol {
        self.to.protocol
    }

    /// Returns whether requests are sent to a proxy that reads them.
    pub(super) fn asks_proxy(&self) -> bool {
        self.tunnel.is_none() && self.proxy.as_ref().is_some_and(|proxy| proxy.kind == ProxyKind::Http)
    }

    pub(super) fn proxy_login(&self) -> Option<Login> {
        self.proxy.as_ref()?.login.clone()
    }

    /// Returns the host of the proxy; "" without one.
    pub(super) fn proxy_name(&self) -> &str {
        self.proxy.as_ref().map_or("", |proxy| &proxy.host)
    }

    /// Returns the proxy as an origin, which no URL has.
    pub(super) fn proxy_origin(&self) -> Option<HttpOrigin> {
        let proxy = self.proxy.as_ref()?;
        Some(HttpOrigin::new(PROXY, &proxy.host, proxy.port))
    }

    /// Returns the server that answered, whose answers may name others.
    pub(crate) fn server(&self) -> Option<ConnectedServer> {
        let (target, is_proxied) = (self.target.clone(), self.is_elsewhere);
        Some(ConnectedServer { target, address: self.address?, is_proxied })
    }

    pub(super) fn key(&self, settings: &Settings, user: Option<Vec<u8>>) -> ConnectionKey {
        ConnectionKey::new(ConnectionKeyParts {
            host: self.target.host().to_owned(),
            zone: settings.dialer().for_host(&self.to.host).zone.map(str::to_owned),
            port: self.target.port(),
            is_secured: self.is_secured(),
            has_http2: self.offers_http2,
            proxy: self.proxy.clone(),
            user,
            settings: ConnectionSettings(settings.common().clone()),
        })
    }

    /// Returns a connection that waits to be used again. The policy is asked about its address anew: it
    /// may be narrower than the peer that named this server.
    pub(super) async fn waiting(
        &mut self,
        pool: &Pool<HttpConnection>,
        key: &ConnectionKey,
    ) -> Option<OpenConnection> {
        while let Some(mut idle) = pool.take(key) {
            let is_allowed = self.is_elsewhere || self.target.permit(idle.address.ip()).is_ok();
            if is_allowed && idle.connection.is_ready().await {
                self.address = Some(idle.address);
                return Some(OpenConnection {
                    connection: idle.connection,
                    is_used: true,
                    address: idle.address,
                });
            }
        }
        None
    }

    /// Returns a part of a connection of HTTP/2 that other requests use, too. The first request to a server
    /// finds out whether it has HTTP/2; `None` if it has not, or if another request has just failed.
    pub(super) async fn shared(
        &mut self,
        (server, driven): (Arc<Server>, ConnectionDriver),
        settings: &Settings,
    ) -> Result<Option<OpenConnection>, Failure> {
        let (start, mut woken) = (Instant::now(), None);
        let mut state = loop {
            let mut state = server.state().await;
            let (target, is_proxied) = (&self.target, self.is_elsewhere);
            match state.room(|one| is_proxied || target.permit(one.address.ip()).is_ok()) {
                NextConnection::On(connection) => return Ok(Some(self.join(connection, &server, true))),
                NextConnection::New => break state,
                NextConnection::Nowhere => woken.take().into_iter().for_each(WokenRequest::wait_again),
            }
            drop(state);
            woken = Some(server.woken().await);
        };
        if state.is_other {
            return Ok(None);
        }
        if let Some((_, failure)) = state.failed.as_ref().filter(|(failed, _)| *failed >= start) {
            // This one waited for it as long.
            let is_late = matches!(failure.kind, FailureKind::TimedOut(_));
            return if is_late { Err(failure.clone()) } else { Ok(None) };
        }
        match self.begin_shared(driven, settings).await {
            Ok(SharedStart::Shared(connection)) => {
                let opened = self.join(&connection, &server, false);
                state.add(connection);
                Ok(Some(opened))
            }
            Ok(SharedStart::Own(connection, address)) => {
                state.is_other = true;
                Ok(Some(OpenConnection { connection, is_used: false, address }))
            }
            Err(failure) => {
                state.failed = Some((Instant::now(), failure.clone()));
                Err(failure)
            }
        }
    }

    /// Returns a part of a connection.
    fn join(&mut self, connection: &Multiplexed, server: &Server, is_used: bool) -> OpenConnection {
        let address = connection.address;
        self.address = Some(address);
        let connection = HttpConnection::shared(connection.stream(server));
        OpenConnection { connection, is_used, address }
    }

    /// Connects to a server, and begins HTTP/2 if it has that.
    async fn begin_shared(
        &mut self,
        driven: ConnectionDriver,
        settings: &Settings,
    ) -> Result<SharedStart, Failure> {
        let ConnectionDriver::ByThread(thread) = &driven else {
            return self.open_shared(&driven, settings).await;
        };
        let (mut route, own, thread) = (self.clone(), settings.clone(), thread.clone());
        // The socket belongs to the runtime that drives it.
        let connecting = thread.spawn(async move {
            let begun = route.open_shared(&driven, &own).await;
            (begun, route.address)
        });
        let stopped = || Failure::new(FailureKind::NotSupported("a thread for HTTP/2"), "starting HTTP");
        let (begun, address) = connecting.await.map_err(|_| stopped())?;
        self.address = address;
        begun
    }

    async fn open_shared(
        &mut self,
        driven: &ConnectionDriver,
        settings: &Settings,
    ) -> Result<SharedStart, Failure> {
        let DialledStream { stream, address } = self.open(settings).await?;
        if stream.agreed() == Some(b"h2") {
            let connection = HttpConnection::multiplexed(stream, address, driven).await;
            return connection.map(SharedStart::Shared).map_err(not_begun);
        }
        HttpConnection::begin(stream).await.map(|own| SharedStart::Own(own, address)).map_err(not_begun)
    }

    /// Opens a connection.
    pub(super) async fn connect(&mut self, settings: &Settings) -> Result<OpenConnection, Failure> {
        let DialledStream { stream, address } = self.open(settings).await?;
        let connection = HttpConnection::begin(stream).await.map_err(not_begun)?;
        Ok(OpenConnection { connection, is_used: false, address })
    }

    /// Connects to the server, through the proxy if there is one, and secures the connection.
    async fn open(&mut self, settings: &Settings) -> Result<DialledStream, Failure> {
        let DialledStream { mut stream, address } = self.dial(settings).await?;
        if let Some(message) = self.tunnel.clone() {
            stream = self.tunnelled(stream, &message, settings).await?;
        } else if let Some(proxy) = self.proxy.as_ref().filter(|proxy| proxy.kind != ProxyKind::Http) {
            if proxy.login.is_some() && !self.auth.allows_passwords() {
                let why = "the login was not sent, because SOCKS sends the password itself";
                let during = format!("connecting through the proxy {}", proxy.host);
                return Err(Failure::new(proxy::proxy_failure(ProxyCause::Login, why), during));
            }
            let connecting = self.ask_socks(&mut stream, proxy, settings);
            let asking = || format!("connecting through the proxy {}", proxy.host);
            within_connect_time(settings, connecting).await.map_err(|kind| Failure::new(kind, asking()))?;
        }
        if let Some(host) = &self.secured {
            stream = secure_stream(stream, host, self.offers_http2, settings).await?;
        }
        Ok(DialledStream { stream, address })
    }

    /// Asks a proxy of SOCKS for a connection to the server.
    async fn ask_socks(
        &self,
        stream: &mut Stream,
        proxy: &Proxy,
        settings: &Settings,
    ) -> Result<(), FailureKind> {
        let (host, port, login) = (&*self.to.host, self.to.port, proxy.login.as_ref());
        let ProxyKind::Socks4 { has_names } = proxy.kind else {
            return proxy::connect_by_socks(stream, (host, port), login).await;
        };
        let host = match host.parse() {
            Ok(address) => Ok(address),
            Err(_) if has_names => Err(host),
            Err(_) => Ok(self.ipv4(settings).await?),
        };
        proxy::connect_by_socks4(stream, (host, port), login.map_or(b"", |login| login.user.reveal())).await
    }

    /// Looks up the first address of IPv4 of the server.
    async fn ipv4(&self, settings: &Settings) -> Result<Ipv4Addr, FailureKind> {
        let dialer = Dialer { family: Family::Ipv4, ..settings.dialer() };
        let found =
            dialer.addresses(&self.target).await?.into_iter().find_map(|address| match address.ip() {
                IpAddr::V4(address) => Some(address),
                IpAddr::V6(_) => None,
            });
        found.ok_or_else(|| {
            proxy::proxy_failure(ProxyCause::Other, "SOCKS4 has no addresses of IPv6; use socks5h")
        })
    }

    /// Connects to the socket of this machine that the user chose, if the policy allows this machine.
    #[cfg(unix)]
    async fn dial_socket(&mut self, path: &Path, settings: &Settings) -> Result<DialledStream, Failure> {
        let shown = path.display();
        let failure = |kind| Failure::new(kind, format!("connecting to the socket {shown}"));
        let dialled = settings.dialer().dial_socket(path, &self.target).await;
        let (stream, address) = dialled.map_err(failure)?;
        self.address = Some(address);
        Ok(DialledStream { stream: Stream::Unix(stream), address })
    }

    #[cfg(not(unix))]
    async fn dial_socket(&mut self, _: &Path, _: &Settings) -> Result<DialledStream, Failure> {
        Err(Failure::new(FailureKind::NotSupported("a Unix socket on this system"), "connecting"))
    }

    /// Connects to the server or to the proxy.
    async fn dial(&mut self, settings: &Settings) -> Result<DialledStream, Failure> {
        let (policy, direct) = (Policy::typed(), ConnectTo::default());
        if let Some(path) = settings.connect_to.socket().filter(|_| self.proxy.is_none()) {
            return self.dial_socket(path, settings).await;
        }
        let (target, dialer) = match &self.proxy {
            None => (self.target.clone(), settings.dialer().for_host(&self.to.host)),
            Some(proxy) => {
                let dialer = Dialer { policy: &policy, connect_to: &direct, ..settings.dialer() };
                (target_of_proxy(&policy, proxy)?, dialer)
            }
        };
        let proxy = if self.proxy.is_some() { "the proxy " } else { "" };
        let during = format!("connecting to {proxy}{} port {}", target.host(), target.port());
        let dialled = dialer.dial(target).await;
        let (stream, ConnectedServer { target, address, .. }) =
            dialled.map_err(|kind| Failure::new(kind, during))?;
        self.address = Some(address);
        if let Some(watcher) = &settings.watcher {
            watcher.connected(target.host(), address, self.protocol());
        }
        let mut stream = Stream::Tcp(stream);
        if let Some(proxy) = self.proxy.as_ref().filter(|proxy| proxy.is_secured) {
            stream = secure_stream(stream, &proxy.host, false, &settings.anonymous()).await?;
        }
        Ok(DialledStream { stream, address })
    }

    /// Asks the proxy for a tunnel; once more on another connection if it wants a login.
    async fn tunnelled(
        &mut self,
        mut stream: Stream,
        message: &Message,
        settings: &Settings,
    ) -> Result<Stream, Failure> {
        let during = format!("connecting through the proxy {}", self.to.host);
        let failure = |kind| Failure::new(kind, during.clone());
        let wanted = match ask_for_tunnel(&mut stream, message, None, settings).await.map_err(failure)? {
            Connected::Yes => return Ok(stream),
            Connected::NeedsLogin(wanted) => wanted,
        };
        let login = self.proxy_login().ok_or_else(|| failure(proxy::login_failure(false)))?;
        let values = || wanted.iter().map(Vec::as_slice);
        let challenge = Challenge::best(values(), self.auth);
        let challenge = challenge.ok_or_else(|| failure(unusable_login(values(), self.auth)))?;
        let octets = message.to_bytes();
        let authority = octets.split(|octet| *octet == b' ').nth(1).unwrap_or_default();
        let nonce = random().map_err(failure)?;
        let answer =
            challenge.answer(&login, AuthRequest { method: "CONNECT", target: authority }, 1, &nonce);
        let DialledStream { mut stream, .. } = self.dial(settings).await?;
        match ask_for_tunnel(&mut stream, message, Some(&answer), settings).await.map_err(failure)? {
            Connected::Yes => Ok(stream),
            Connected::NeedsLogin(_) => Err(failure(proxy::login_failure(true))),
        }
    }
}

/// Returns the failure of a proxy that offers no scheme by which the login may be sent.
pub(super) fn unusable_login<'v>(
    wanted: impl Iterator<Item = &'v [u8]>,
    allowed: AuthSchemes,
) -> FailureKind {
    let why = format!("the login was not sent, because {}", why_unusable(wanted, allowed));
    proxy::proxy_failure(ProxyCause::Login, why)
}

/// Asks a proxy for a tunnel, which the watcher sees.
async fn ask_for_tunnel(
    stream: &mut Stream,
    message: &Message,
    login: Option<&[u8]>,
    settings: &Settings,
) -> Result<Connected, FailureKind> {
    let mut head = Vec::new();
    if let Some(watcher) = &settings.watcher {
        let octets = message.to_bytes();
        let shown = String::from_utf8_lossy(&octets);
        let login = login.map_or("", |_| "Proxy-Authorization: (password)\n");
        watcher.requested(&format!("{}\n{login}", shown.trim_end()));
    }
    let answer = within_connect_time(settings, proxy::connect(stream, message, login, &mut head)).await;
    if let Some(watcher) = &settings.watcher
        && let Some(head) = proxy::head_of(&head)
    {
        watcher.responded(&head);
    }
    answer
}

/// A connection that was made for several requests.
enum SharedStart {
    Shared(Multiplexed),
    /// The server has no HTTP/2.
    Own(HttpConnection, SocketAddr),
}

fn not_begun(error: hyper::Error) -> Failure {
    let why = Detail::new(ProtocolCause::Other, error.to_string()).source(error);
    Failure::new(FailureKind::Protocol(why), "starting HTTP")
}

/// Limits the time of connecting.
async fn within_connect_time<T>(
    settings: &Settings,
    connecting: impl Future<Output = Result<T, FailureKind>>,
) -> Result<T, FailureKind> {
    let limit = settings.limits.connect;
    let late = |_| Err(FailureKind::TimedOut(limit));
    timeout(Duration::from_millis(limit), connecting).await.unwrap_or_else(late)
}

async fn secure_stream(
    stream: Stream,
    host: &str,
    offers_http2: bool,
    settings: &Settings,
) -> Result<Stream, Failure> {
    let during = || format!("setting up TLS with {host}");
    let securing = async {
        let session = settings.tls.web(offers_http2)?;
        session.secure_web(stream, host).await
    };
    let stream =
        within_connect_time(settings, securing).await.map_err(|kind| Failure::new(kind, during()))?;
    settings.times.mark(TimingStep::AppConnect);
    if let Some(watcher) = &settings.watcher {
        watcher.secured(host);
        stream.details().iter().for_each(|tls| watcher.agreed(tls));
    }
    Ok(stream)
}

/// Returns the target of a proxy, which the program or the user configured: any address is allowed.
fn target_of_proxy(policy: &Policy, proxy: &Proxy) -> Result<Target, Failure> {
    let endpoint = policy.endpoint("http", &bracketed(&proxy.host), proxy.port);
    let during = || format!("connecting to the proxy {}", proxy.host);
    endpoint.map_err(|refusal| Failure::new(refusal.into(), during()))
}

/// Writes a host as in a URL.
fn bracketed(host: &str) -> String {
    if host.contains(':') { format!("[{host}]") } else { host.to_owned() }
}

fn unsupported_way() -> Failure {
    Failure::new(FailureKind::NotSupported("this way to an HTTP server"), "")
}
