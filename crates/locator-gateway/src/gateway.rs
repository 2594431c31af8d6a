//! What the gateway knows: its address and key, what it fetches with, and the passwords that it keeps.

#![expect(clippy::disallowed_types, reason = "the listener of the gateway")]

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::time::Duration;

use locator::plan::{Options, Plan};
use locator::scheme::Registry;
use locator::{Edition, UriRef, edition};
use locator_audit::Policy;
use locator_fetch::Fetcher;

use super::files::Directory;
use super::guard::Hosts;
use super::key::{Key, Tokens, pseudonym};
use super::logins::{Logins, SharedAnswers};
use super::once::Once;
use super::pages::Links;
use super::refusal::Refusal;

/// What clients are limited to.
///
/// ```
/// let limits = locator_gateway::Limits::default();
/// assert_eq!(limits.clients, 100);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long the head of a request may take, a body of one, and a client to accept a part of a response.
    pub client_timeout: Duration,
    /// How many requests are answered at once; three times as many connections wait for one.
    pub clients: usize,
    /// How long a connection to a server waits to be used again.
    pub idle_timeout: Duration,
}

impl Default for Limits {
    /// 30 seconds, 100 requests at once, and 10 seconds.
    fn default() -> Self {
        let [client_timeout, idle_timeout] = [30, 10].map(Duration::from_secs);
        Self { client_timeout, clients: 100, idle_timeout }
    }
}

impl Limits {
    /// The largest head of a request: a URL of 65,534 octets, which is the longest that hyper reads, and the
    /// other headers.
    pub(super) const HEAD: usize = 96 * 1024;
    /// The most headers.
    pub(super) const HEADERS: usize = 100;
    /// How long requests may take when a signal has come.
    pub(super) const GRACE: Duration = Duration::from_secs(5);
}

/// What a [`Gateway`] is started with.
///
/// ```
/// use locator_audit::Policy;
/// use locator_gateway::Settings;
///
/// let mut settings = Settings::new(Policy::public_network());
/// settings.keeps_logins = true;
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Which servers are contacted. http, https, files and the gateway itself are refused in any case.
    pub policy: Policy,
    /// How URLs are planned: the server of news URLs, the address for anonymous ftp.
    pub options: Options<'static>,
    /// The directory whose files are shown.
    pub files: Option<Directory>,
    /// Whether passwords are asked for, and kept in memory.
    pub keeps_logins: bool,
    /// Whether other machines may use it.
    pub is_public: bool,
    /// Whether pages show the passwords in URLs.
    pub shows_secrets: bool,
    /// What clients are limited to.
    pub limits: Limits,
}

impl Settings {
    /// Returns the settings of a gateway for this machine, without files and logins.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        Self {
            policy,
            options: Options::new(),
            files: None,
            keeps_logins: false,
            is_public: false,
            shows_secrets: false,
            limits: Limits::default(),
        }
    }
}

/// A gateway: what it knows, and what it fetches with.
///
/// If it shows files, keeps logins or is public, whoever uses it needs its key, which is a part of its
/// [address](Self::address).
///
/// ```no_run
/// use std::net::TcpListener;
///
/// use locator_audit::Policy;
/// use locator_gateway::{Gateway, Settings};
///
/// let listener = TcpListener::bind("127.0.0.1:0")?;
/// let gateway = Gateway::new(Settings::new(Policy::public_network()), &listener)?;
/// println!("{}", gateway.address());
/// // Without an end: until the process is killed.
/// gateway.serve(listener, std::future::pending())?;
/// # Ok::<_, std::io::Error>(())
/// ```
pub struct Gateway {
    address: SocketAddr,
    pub(super) hosts: Hosts,
    pub(super) key: Option<Key>,
    pub(super) tokens: Tokens,
    pub(super) once: Once,
    /// Its name in the header Via.
    pub(super) pseudonym: String,
    pub(super) edition: &'static Edition,
    pub(super) fetcher: Fetcher,
    pub(super) files: Option<Directory>,
    pub(super) options: Options<'static>,
    /// The passwords, if the gateway asks for some.
    pub(super) logins: Option<Logins>,
    pub(super) answers: SharedAnswers,
    pub(super) shows_secrets: bool,
    pub(super) limits: Limits,
}

/// Without the keys and passwords.
impl fmt::Debug for Gateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gateway").field("socket", &self.address).finish_non_exhaustive()
    }
}

impl Gateway {
    /// Returns the gateway that will listen at a socket.
    ///
    /// # Errors
    ///
    /// The socket has no address, or the system has no random numbers for the keys.
    pub fn new(settings: Settings, listener: &TcpListener) -> io::Result<Self> {
        let Settings { policy, options, files, keeps_logins, is_public, shows_secrets, limits } = settings;
        let address = listener.local_addr()?;
        let has_key = is_public || keeps_logins || files.is_some();
        Ok(Self {
            address,
            hosts: if is_public { Hosts::any() } else { Hosts::of_loopback(address) },
            key: if has_key { Some(Key::random()?) } else { None },
            tokens: Tokens::random()?,
            once: Once::default(),
            pseudonym: pseudonym()?,
            edition: edition::DEFAULT,
            fetcher: fetcher(policy, address),
            files,
            options,
            logins: keeps_logins.then(Logins::default),
            answers: SharedAnswers::default(),
            shows_secrets,
            limits,
        })
    }

    /// Returns the address for a browser on this machine, with the key if it has one: `http://127.0.0.1:1738/`.
    #[must_use]
    pub fn address(&self) -> String {
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        format!("http://{}{}/", SocketAddr::new(ip, self.address.port()), self.prefix())
    }

    /// Returns how pages link to each other.
    pub(super) fn links(&self) -> Links {
        Links::gateway(self.prefix()).showing_secrets(self.shows_secrets)
    }

    fn prefix(&self) -> String {
        self.key.as_ref().map(|key| format!("/{}", key.as_str())).unwrap_or_default()
    }

    /// Plans a URL, without the user's gateways and proxies.
    pub(super) fn plan(&self, url: UriRef<'_>) -> Result<Plan, Refusal> {
        Registry::BUILT_IN.plan(url, &self.options).map_err(|error| Refusal::no_plan(&error.error))
    }
}

/// Returns what fetches everything but files of this machine.
fn fetcher(policy: Policy, own: SocketAddr) -> Fetcher {
    let policy = policy.deny_schemes(["http", "https", "file"]).deny_socket(own);
    Fetcher::with_policy(policy)
        .timeout(Duration::MAX)
        .max_size(u64::MAX)
        .min_speed(0, Duration::ZERO)
        .max_redirects(10)
}
