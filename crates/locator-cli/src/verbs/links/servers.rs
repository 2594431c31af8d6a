//! The options of `links` that say how servers are asked.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use locator_links::{GITHUB_API, OwnHeader, OwnLogin, origin_of};

use super::known;
use crate::arguments::netrc::{self, Login};
use crate::exit::CliError;

/// How servers are asked.
#[derive(Args, Debug)]
#[command(next_help_heading = "Servers")]
pub(super) struct Servers {
    /// Wait at most SECONDS for an answer [default: 20]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<Duration>,
    /// Wait at most SECONDS if a server asks to wait; links to it are unknown if it asks
    /// for more
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = time)]
    pub(super) max_wait: Duration,
    /// Send at most NUMBER requests to one server at the same time [default: 10]
    #[arg(long, value_name = "NUMBER")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) per_host: Option<u16>,
    /// Wait SECONDS between two requests to one server [default: 0.05]
    #[arg(long, value_name = "SECONDS", value_parser = time)]
    pub(super) interval: Option<Duration>,
    /// Send at most NUMBER requests at the same time to all servers together [default: 100]
    #[arg(long, value_name = "NUMBER")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) at_once: Option<u16>,
    /// Keep answers of servers in FILE, and do not ask again for what it has
    /// [default: ~/.cache/locator/links]
    ///
    /// Kept are pages that are there, redirects, 404 and 410, each at once, so a run that was
    /// killed is continued. Several runs can use FILE at the same time. With --offline, what
    /// FILE has is checked. --fix asks for redirects again.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub(super) cache: Option<Option<PathBuf>>,
    /// Ask again for what --cache has had for longer than TIME, as in 3d or 12h
    #[arg(long, value_name = "TIME", requires = "cache", value_parser = known::grace)]
    #[arg(default_value = "1d")]
    pub(super) cache_age: Duration,
    /// Send the header NAME: VALUE to the server of URL, and to no other:
    /// 'https://example.com/ Authorization: Bearer x'
    #[arg(long, value_name = "URL NAME: VALUE", value_parser = header)]
    pub(super) header: Vec<OwnHeader>,
    /// Send the user and password of the host from .netrc in the home directory, or from the
    /// file that the environment variable NETRC names, if the host asks for them
    ///
    /// They are sent by https, and by http to this machine. The entry "default" is not used: it
    /// is for any host, and documents name any host.
    #[arg(short = 'n', long)]
    netrc: bool,
    /// Ask the API of GitHub with TOKEN where github.com says 404, 429 or 500 and more
    ///
    /// TOKEN is sent to api.github.com only. The default is that of the environment variable
    /// GITHUB_TOKEN, which other users of this machine cannot see.
    #[arg(long, value_name = "TOKEN")]
    github_token: Option<String>,
    /// Ask this server instead of the API of GitHub
    #[arg(long, value_name = "URL", hide = true, default_value = GITHUB_API)]
    pub(super) github_api: String,
    /// Use this proxy: http://host:port, https://host:port or socks5h://host:port
    ///
    /// The proxy looks names up, so it alone decides whether an address is private. Proxies of
    /// the environment are not used.
    #[arg(short = 'x', long, value_name = "URL")]
    pub(super) proxy: Option<String>,
    /// Do not use --proxy for these hosts: names, domains, addresses and networks, separated
    /// by commas, or "*" for all; the default is that of no_proxy
    #[arg(long, value_name = "HOSTS", requires = "proxy")]
    pub(super) noproxy: Option<String>,
}

impl Servers {
    /// Returns the logins of hosts.
    pub(super) fn logins(&self) -> Result<Vec<OwnLogin>, CliError> {
        let all = if self.netrc { netrc::read()? } else { Vec::new() };
        let own = |(host, Login { user, password }): netrc::Entry| {
            let host = host.filter(|_| !user.is_empty())?;
            Some(OwnLogin { host, user, password })
        };
        Ok(all.into_iter().filter_map(own).collect())
    }

    /// Returns the token for the API of GitHub.
    pub(super) fn github_token(&self) -> Option<String> {
        let token = self.github_token.clone().or_else(|| std::env::var("GITHUB_TOKEN").ok());
        token.map(|token| token.trim().to_owned()).filter(|token| !token.is_empty())
    }
}

fn seconds(word: &str) -> Result<Duration, String> {
    time(word).and_then(|time| match time.is_zero() {
        true => Err("expected a number of seconds above 0: 30 or 0.5".to_owned()),
        false => Ok(time),
    })
}

fn time(word: &str) -> Result<Duration, String> {
    let wrong = || "expected a number of seconds: 30 or 0.5".to_owned();
    Duration::try_from_secs_f64(word.parse().map_err(|_| wrong())?).map_err(|_| wrong())
}

fn header(word: &str) -> Result<OwnHeader, String> {
    let wrong = || "expected a URL and a header: 'https://example.com/ Accept: text/html'".to_owned();
    let (url, field) = word.trim().split_once(' ').ok_or_else(wrong)?;
    let (name, value) = field.split_once(':').ok_or_else(wrong)?;
    let origin = origin_of(url).ok_or_else(wrong)?;
    Ok(OwnHeader { origin, name: name.trim().to_owned(), value: value.trim().to_owned() })
}
