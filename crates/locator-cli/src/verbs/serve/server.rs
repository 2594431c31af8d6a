//! What the gateway knows: its address and key, what it fetches with, and the passwords that it keeps.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::time::Duration;

use locator::plan::{Options, Plan};
use locator::scheme::Registry;
use locator::{Edition, UriRef, edition};
use locator_audit::Policy;
use locator_fetch::Fetcher;

use super::files::Files;
use super::guard::Hosts;
use super::key::{Key, Tokens, pseudonym};
use super::logins::{Logins, SharedAnswers};
use super::once::Once;
use super::pages::Links;
use super::refusal::Refusal;
use crate::arguments::config::{Config, ServerWord};

/// What a gateway is started with.
pub(super) struct Settings {
    pub(super) policy: Policy,
    /// The directory whose files are shown.
    pub(super) files: Option<Files>,
    /// Whether passwords are asked for and kept.
    pub(super) keeps_logins: bool,
    /// Whether other machines may use it.
    pub(super) is_public: bool,
}

/// A gateway.
pub(super) struct Server {
    address: SocketAddr,
    pub(super) hosts: Hosts,
    pub(super) key: Option<Key>,
    pub(super) tokens: Tokens,
    pub(super) once: Once,
    /// Its name in the header Via.
    pub(super) pseudonym: String,
    pub(super) edition: &'static Edition,
    pub(super) fetcher: Fetcher,
    pub(super) files: Option<Files>,
    pub(super) options: Options<'static>,
    pub(super) news_server: Option<&'static ServerWord>,
    /// The passwords, if the gateway asks for some.
    pub(super) logins: Option<Logins>,
    pub(super) answers: SharedAnswers,
}

impl Server {
    /// Returns the gateway that listens at a socket.
    pub(super) fn new(settings: Settings, config: Config, listener: &TcpListener) -> io::Result<Self> {
        let Settings { policy, files, keeps_logins, is_public } = settings;
        let address = listener.local_addr()?;
        let has_key = is_public || keeps_logins || files.is_some();
        // It is used until the process ends.
        let config: &'static Config = Box::leak(Box::new(config));
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
            options: options(config),
            news_server: config.news_server.as_ref(),
            logins: keeps_logins.then(Logins::default),
            answers: SharedAnswers::default(),
        })
    }

    /// Returns the address for a browser on this machine.
    pub(super) fn address(&self) -> String {
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        format!("http://{}{}/", SocketAddr::new(ip, self.address.port()), self.prefix())
    }

    /// Returns how pages link to each other.
    pub(super) fn links(&self) -> Links {
        Links::Gateway { prefix: self.prefix() }
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

/// Returns the options of plans: those of the configuration that are no gateways, proxies and programs.
fn options(config: &'static Config) -> Options<'static> {
    let mut options = Options::new();
    options.email = config.email.as_deref();
    options.news_server = config.news_server.as_ref().map(ServerWord::as_server);
    options.low_ports = config.low_ports;
    options
}
