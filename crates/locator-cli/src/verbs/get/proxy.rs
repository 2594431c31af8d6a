//! The proxy that is asked: `--proxy`, the configuration, or the environment.

use clap::Args;
use locator::UriRef;
use locator_fetch::http::{Proxies, ProxyError};

use crate::config::{Config, ServerWord, read_server};
use crate::exit::{CliError, say};

/// The options of proxies.
#[derive(Args, Debug)]
pub(super) struct ProxyArgs {
    /// Ask the proxy URL: http://host:port, https://host:port or socks5h://host:port;
    /// the default is that of the configuration, else that of the environment
    /// (http_proxy, https_proxy, all_proxy)
    #[arg(short = 'x', long, value_name = "URL", value_parser = ProxyWord::read)]
    proxy: Option<ProxyWord>,
    /// Ask these hosts without a proxy: names, domains, addresses and networks with
    /// commas between them, or "*"; the default is that of no_proxy
    #[arg(long, value_name = "HOSTS")]
    noproxy: Option<String>,
}

/// A proxy as it is given.
#[derive(Clone, Debug)]
struct ProxyWord {
    text: String,
    /// The server of HTTP in the clear; others are in no plan.
    server: Option<ServerWord>,
}

/// What proxies are asked.
pub(super) struct Chosen {
    /// Those for HTTP.
    pub(super) proxies: Proxies,
    /// The server of HTTP that is asked for URLs of every scheme.
    pub(super) server: Option<ServerWord>,
    /// Whether a proxy is to be asked that can only be asked for HTTP.
    pub(super) is_for_http_only: bool,
}

impl ProxyArgs {
    /// Returns what proxies are asked.
    pub(super) fn choose(&self, config: &Config) -> Result<Chosen, CliError> {
        if self.noproxy.as_deref() == Some("*") {
            return Ok(Chosen { proxies: Proxies::none(), server: None, is_for_http_only: false });
        }
        let direct = || self.noproxy.clone().or_else(no_proxy).unwrap_or_default();
        if let Some(ProxyWord { text, server }) = &self.proxy {
            let proxies = Proxies::none().all(text).map_err(|error| wrong("--proxy", error))?;
            let (proxies, server) = (proxies.except(&direct()), server.clone());
            return Ok(Chosen { proxies, is_for_http_only: server.is_none(), server });
        }
        if let Some(server) = &config.proxy {
            let proxies = Proxies::none().all(&server.to_string());
            let proxies = proxies.map_err(|error| wrong("the proxy of the configuration", error))?;
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

/// The port of a proxy that names none, as in curl.
const USUAL_PORT: u16 = 1080;

/// Returns the hosts of the environment that are asked without a proxy.
fn no_proxy() -> Option<String> {
    let value = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    value("no_proxy").or_else(|| value("NO_PROXY"))
}

/// The text is not quoted: it may contain a password.
fn wrong(what: &str, error: ProxyError) -> CliError {
    say(&format!("{what}: {error}"));
    CliError::Reported
}
