//! What the gateway knows: its address and key, what it fetches with, and the passwords that it keeps.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use locator::plan::{Options, Plan};
use locator::scheme::Registry;
use locator::{Edition, UriRef, edition};
use locator_audit::Policy;
use locator_fetch::Fetcher;

use super::ServeArgs;
use super::files::Files;
use super::guard::Hosts;
use super::key::{Key, Tokens, pseudonym};
use super::logins::Logins;
use super::pages::Links;
use super::refusal::Refusal;
use crate::config::{Config, ServerWord};
use crate::exit::{CliError, say_error};

/// A gateway.
pub(super) struct Server {
    address: SocketAddr,
    pub(super) hosts: Hosts,
    pub(super) key: Option<Key>,
    pub(super) tokens: Tokens,
    /// Its name in the header Via.
    pub(super) pseudonym: String,
    pub(super) edition: &'static Edition,
    pub(super) fetcher: Fetcher,
    pub(super) files: Option<Files>,
    pub(super) options: Options<'static>,
    pub(super) news_server: Option<&'static ServerWord>,
    /// The passwords, if the gateway asks for some.
    pub(super) logins: Option<Arc<Logins>>,
}

impl Server {
    /// Returns the gateway that the options describe.
    pub(super) fn new(args: &ServeArgs, config: Config, listener: &TcpListener) -> Result<Self, CliError> {
        let failed = |error: io::Error| {
            say_error(&format!("cannot serve: {error}"));
            CliError::Reported
        };
        let address = listener.local_addr().map_err(failed)?;
        let has_key = args.public || args.logins || args.files.is_some();
        let files = args.files.as_deref().map(Files::open).transpose()?;
        // It is used until the process ends.
        let config: &'static Config = Box::leak(Box::new(config));
        Ok(Self {
            address,
            hosts: if args.listen.is_loopback() { Hosts::of_loopback(address) } else { Hosts::any() },
            key: if has_key { Some(Key::random().map_err(failed)?) } else { None },
            tokens: Tokens::random().map_err(failed)?,
            pseudonym: pseudonym().map_err(failed)?,
            edition: edition::DEFAULT,
            fetcher: fetcher(args.contact.policy()?, address),
            files,
            options: options(config),
            news_server: config.news_server.as_ref(),
            logins: args.logins.then(Arc::default),
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
