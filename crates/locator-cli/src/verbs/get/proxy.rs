//! The proxy: that of `--proxy`, of the configuration file, or of the environment.

use clap::Args;
use locator::UriRef;
use locator_fetch::http::{Http, Proxies, ProxyError};

use super::login;
use crate::arguments::config::{Config, ServerWord, read_server};
use crate::exit::{CliError, say_error};

/// The options of proxies.
#[derive(Args, Debug)]
pub(super) struct ProxyArgs {
    /// Use this proxy: http://host:port, https://host:port or socks5h://host:port (also
    /// socks5, socks4 and socks4a); the
    /// default is that of the configuration file, else that of the environment variables
    /// http_proxy, https_proxy and all_proxy
    #[arg(short = 'x', long, value_name = "URL", value_parser = ProxyWord::read, group = PROXY)]
    proxy: Option<ProxyWord>,
    /// Use this SOCKS5 proxy, as --proxy socks5h://HOST[:PORT] does: the proxy looks names up
    #[arg(long, value_name = "HOST[:PORT]", value_parser = |host: &str| ProxyWord::socks("socks5", host), group = PROXY)]
    #[arg(visible_alias = "socks5-hostname")]
    socks5: Option<ProxyWord>,
    /// Use this SOCKS4 proxy, as --proxy socks4://HOST[:PORT] does; names are looked up here
    #[arg(long, value_name = "HOST[:PORT]", value_parser = |host: &str| ProxyWord::socks("socks4", host), group = PROXY)]
    socks4: Option<ProxyWord>,
    /// Use this SOCKS4a proxy, as --proxy socks4a://HOST[:PORT] does: the proxy looks names up
    #[arg(long, value_name = "HOST[:PORT]", value_parser = |host: &str| ProxyWord::socks("socks4a", host), group = PROXY)]
    socks4a: Option<ProxyWord>,
    /// Do not use a proxy for these hosts: names, domains, addresses and networks,
    /// separated by commas, or "*" for all; the default is that of no_proxy
    #[arg(long, value_name = "HOSTS")]
    noproxy: Option<String>,
    /// Log in at the proxy as USER, whatever its URL says
    #[arg(short = 'U', long, value_name = "USER:PASSWORD", value_parser = proxy_login)]
    proxy_user: Option<(String, String)>,
    /// Send the login of the proxy by Basic only
    #[arg(long)]
    proxy_basic: bool,
    /// Send the login of the proxy by Digest only; it never gets the password itself
    #[arg(long)]
    proxy_digest: bool,
    /// Log in at the proxy as it demands, by Digest or Basic; this is the default
    #[arg(long)]
    proxy_anyauth: bool,
}

/// The options that name a proxy.
pub(super) const PROXY: &str = "through";

fn proxy_login(word: &str) -> Result<(String, String), &'static str> {
    let login = word.split_once(':').map(|(user, password)| (user.into(), password.into()));
    login.ok_or("expected USER:PASSWORD; the User-Agent header is -A")
}

/// A proxy as it is given.
#[derive(Clone, Debug)]
struct ProxyWord {
    text: String,
    /// The proxy of a plan: only one that is reached by unencrypted HTTP can be in one.
    server: Option<ServerWord>,
}

/// The proxies that are used.
pub(super) struct Chosen {
    /// The proxies for HTTP.
    pub(super) proxies: Proxies,
    /// The HTTP proxy that fetches URLs of every scheme.
    pub(super) server: Option<ServerWord>,
    /// Whether the proxy can fetch http and https URLs only.
    pub(super) is_for_http_only: bool,
}

impl ProxyArgs {
    /// Adds the schemes of logins at proxies.
    pub(super) fn add_to(&self, http: Http) -> Http {
        http.proxy_auth_schemes(login::schemes([self.proxy_basic, self.proxy_digest, self.proxy_anyauth]))
    }

    /// Returns the proxies to use, with their login; none if connections are made elsewhere.
    pub(super) fn choose(&self, config: &Config, is_elsewhere: bool) -> Result<Chosen, CliError> {
        let chosen = match is_elsewhere {
            true => Chosen { proxies: Proxies::none(), server: None, is_for_http_only: false },
            false => self.chosen(config)?,
        };
        let Some((user, password)) = &self.proxy_user else { return Ok(chosen) };
        if chosen.proxies.is_none() {
            say_error("--proxy-user: there is no proxy; use --proxy URL");
            return Err(CliError::Reported);
        }
        let proxies = chosen.proxies.login(user.as_str(), password.as_str());
        Ok(Chosen { proxies, ..chosen })
    }

    fn chosen(&self, config: &Config) -> Result<Chosen, CliError> {
        if self.noproxy.as_deref() == Some("*") {
            return Ok(Chosen { proxies: Proxies::none(), server: None, is_for_http_only: false });
        }
        let direct = || self.noproxy.clone().or_else(no_proxy).unwrap_or_default();
        let given = [&self.proxy, &self.socks5, &self.socks4, &self.socks4a];
        if let Some(ProxyWord { text, server }) = given.into_iter().flatten().next() {
            let proxies = Proxies::none().all(text).map_err(|error| wrong("--proxy", error))?;
            let (proxies, server) = (proxies.except(&direct()), server.clone());
            return Ok(Chosen { proxies, is_for_http_only: server.is_none(), server });
        }
        if let Some(server) = &config.proxy {
            let proxies = Proxies::none().all(&server.to_string());
            let proxies = proxies.map_err(|error| wrong("the proxy of the configuration file", error))?;
            let (proxies, server) = (proxies.except(&direct()), Some(server.clone()));
            return Ok(Chosen { proxies, server, is_for_http_only: false });
        }
        let proxies = Proxies::environment().map_err(|error| wrong("the proxy of the environment", error))?;
        let proxies = match &self.noproxy {
            Some(hosts) => proxies.except(hosts),
            None => proxies,
        };
        Ok(Chosen { proxies, server: None, is_for_http_only: false })
    }
}

impl ProxyWord {
    /// Reads the host and the port of a proxy of SOCKS, which may have its scheme before it.
    fn socks(scheme: &str, word: &str) -> Result<Self, String> {
        let is_socks = word.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("socks"));
        match word.contains("://") {
            true if is_socks => Self::read(word),
            true => Err("expected HOST[:PORT]; other proxies are for --proxy".into()),
            false => Self::read(&format!("{scheme}://{word}")),
        }
    }

    fn read(word: &str) -> Result<Self, String> {
        let error = |error: ProxyError| error.to_string();
        Proxies::none().all(word).map_err(error)?;
        let text = if word.contains("://") { word.to_owned() } else { format!("http://{word}") };
        let url = UriRef::parse(&text).map_err(|_| error(ProxyError::NotUrl))?;
        let authority = url.authority().ok_or_else(|| error(ProxyError::NotUrl))?;
        let is_http = url.scheme().is_some_and(|scheme| scheme.as_str().eq_ignore_ascii_case("http"));
        let port = authority.port().and_then(|port| port.number()).unwrap_or(USUAL_PORT);
        let server = is_http.then(|| read_server(&format!("{}:{port}", authority.host()))).transpose()?;
        Ok(Self { text, server })
    }
}

/// The port of a proxy URL without a port, as in curl.
const USUAL_PORT: u16 = 1080;

/// Returns the value of the environment variable no_proxy.
pub(in crate::verbs) fn no_proxy() -> Option<String> {
    let value = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    value("no_proxy").or_else(|| value("NO_PROXY"))
}

/// The text is not quoted: it may contain a password.
fn wrong(what: &str, error: ProxyError) -> CliError {
    say_error(&format!("{what}: {error}"));
    CliError::Reported
}
