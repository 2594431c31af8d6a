//! The verb `serve`: a gateway that shows in a browser what URLs of any scheme identify. `locator-gateway` is the gateway;
//! the verb reads its options, listens, and leaves the address where `open` finds it.

#![expect(clippy::disallowed_types, reason = "the listener of the gateway")]

use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use locator::plan::Options;
use locator_gateway::{Directory, Gateway, Limits, Settings};
use tokio::sync::Notify;

use crate::arguments::config::{self, Config, ServerWord, read_server};
use crate::arguments::policy::StrangerArgs;
use crate::arguments::{long_help, short_help};
use crate::exit::{CliError, Status, say, say_error};
use crate::output::Output;
use crate::run::interrupt;
use crate::terminal::{secrets, visible};
use crate::verbs::get::seconds;
use crate::verbs::open::Running;

/// Show ftp, gopher, news, wais and other URLs in a browser
///
/// Starts a gateway on this machine and prints its address. Open it in a browser, and enter a URL of any
/// scheme; the links of its page lead through the gateway. Text browsers and curl can also use it as a
/// proxy. Ctrl-C ends it.
#[derive(Args, Debug)]
#[command(after_help = short_help(EXAMPLES, 5), after_long_help = long_help(DETAILS, EXAMPLES))]
pub(crate) struct ServeArgs {
    /// Listen at this address, or at this port of 127.0.0.1; with port 0 at a free one
    #[arg(long, value_name = "[ADDRESS:]PORT", default_value = "127.0.0.1:1738")]
    listen: Listen,
    #[command(flatten)]
    contact: StrangerArgs,
    /// Also show file: URLs in the directory DIR; needs the key in the printed address
    #[arg(long, value_name = "DIR")]
    files: Option<PathBuf>,
    /// Ask for passwords by a form, and keep them in memory; needs the key in the printed address
    #[arg(long)]
    logins: bool,
    /// Allow --listen at an address that other machines reach; needs the key in the printed address
    #[arg(long)]
    public: bool,
    /// Use this server for news: URLs, which contain none; the default is that of the
    /// configuration file, else that of the environment variable NNTPSERVER
    #[arg(long, value_name = "HOST[:PORT]", value_parser = read_server)]
    news_server: Option<ServerWord>,
    /// Read the configuration from FILE (TOML); the default is locator/config.toml in the user's
    /// configuration directory
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// How long a request may take to arrive, and a client to take a part of the response.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, hide = true)]
    client_timeout: Option<Duration>,
    /// How many requests are answered at once, and how many connections may wait for one.
    #[arg(long, value_name = "N", hide = true)]
    max_clients: Option<usize>,
    /// How long a connection to a server waits to be used again.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, hide = true)]
    idle_timeout: Option<Duration>,
    #[arg(hide = true)]
    excess: Vec<OsString>,
}

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator serve
  locator serve --allow 192.168.1.0/24
  locator serve --listen 127.0.0.1:0 --logins
  locator serve --files ~/mirror
  curl http://127.0.0.1:1738/raw/gopher%3A%2F%2Fgopher.example%2F
  ftp_proxy=http://127.0.0.1:1738/ lynx ftp://ftp.example/pub/

Exit status:
  0    ended by Ctrl-C or SIGTERM
  2    it could not listen, or wrong usage";

/// Before the examples in `--help`.
const DETAILS: &str = "\
Addresses:
  /                 a form for a URL
  /?url=URL         leads to the page of a URL
  /u/URL            the page of a URL, percent-encoded as one segment
  /raw/URL          what 'locator get --raw URL' prints
  /read?url=URL     how every edition and program reads a URL; fetches nothing

Security:
  Only public addresses are contacted, and those of --allow; http and https are
  not fetched. Other web pages cannot use the gateway: a link from one asks
  before anything is fetched, and anything else is refused. What comes from
  servers runs no script. Other users of this machine can use the gateway, so
  --files and --logins need a key, which is a part of the printed address: do
  not pass that on. The connection to the gateway is not encrypted.

  The proxies and gateways of 'locator get' are not used.

  docs/serve.md describes all of this.";

/// Runs the gateway until a signal ends it.
pub(crate) fn run(args: &ServeArgs, out: &mut Output) -> Result<Status, CliError> {
    if let Some(excess) = args.excess.first() {
        let shown = secrets::redacted(&excess.to_string_lossy()).to_string();
        return Err(wrong(&format!(
            "serve takes no URL; use 'locator open {shown}', or enter it in the browser"
        )));
    }
    if !args.listen.is_loopback() && !args.public {
        let why = "other machines would reach it; use --public to allow that";
        return Err(wrong(&format!("--listen {}: {why}", args.listen)));
    }
    let mut config = config::read(args.config.as_deref())?;
    if args.news_server.is_some() {
        config.news_server = args.news_server.clone();
    }
    let mut settings = Settings::new(args.contact.policy()?);
    // It is used until the process ends.
    settings.options = options(Box::leak(Box::new(config)));
    settings.files = args.files.as_deref().map(directory).transpose()?;
    settings.keeps_logins = args.logins;
    settings.is_public = args.public;
    settings.shows_secrets = secrets::are_shown();
    settings.limits = args.limits();
    let listener = args.listen.bind().map_err(|error| {
        let advice = match error.kind() {
            io::ErrorKind::AddrInUse => {
                "; is 'locator serve' running already? Use --listen PORT for another port"
            }
            _ => "",
        };
        wrong(&format!("cannot listen at {}: {error}{advice}", args.listen))
    })?;
    let failed = |error: io::Error| wrong(&format!("cannot serve: {error}"));
    let gateway = Gateway::new(settings, &listener).map_err(failed)?;
    if args.public {
        say("the connection is not encrypted: whoever sees the network can read the key and all pages");
    }
    interrupt::notify(&END);
    let address = gateway.address();
    let _running = Running::write(&address)
        .map_err(|error| say(&format!("'locator open' will not find this server: {error}")));
    writeln!(out, "listening on {address}").and_then(|()| out.flush())?;
    gateway.serve(listener, END.notified()).map_err(failed)?;
    Ok(Status::Valid)
}

/// Notified when a signal has come.
static END: Notify = Notify::const_new();

impl ServeArgs {
    fn limits(&self) -> Limits {
        let usual = Limits::default();
        Limits {
            client_timeout: self.client_timeout.unwrap_or(usual.client_timeout),
            clients: self.max_clients.unwrap_or(usual.clients),
            idle_timeout: self.idle_timeout.unwrap_or(usual.idle_timeout),
        }
    }
}

/// Returns the options of plans: those of the configuration that are no gateways, proxies and programs.
fn options(config: &'static Config) -> Options<'static> {
    let mut options = Options::new();
    options.email = config.email.as_deref();
    options.news_server = config.news_server.as_ref().map(ServerWord::as_server);
    options.low_ports = config.low_ports;
    options
}

/// Opens the directory of `--files`.
fn directory(path: &Path) -> Result<Directory, CliError> {
    let what = || format!("--files \"{}\"", visible(&path.to_string_lossy()));
    Directory::open(path).map_err(|error| CliError::Reading { what: what(), error })
}

fn wrong(why: &str) -> CliError {
    say_error(why);
    CliError::Reported
}

/// An address to listen at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Listen(SocketAddr);

impl Listen {
    /// Returns whether only this machine reaches the address.
    fn is_loopback(self) -> bool {
        self.0.ip().to_canonical().is_loopback()
    }

    /// Opens the socket.
    fn bind(self) -> io::Result<TcpListener> {
        TcpListener::bind(self.0)
    }
}

impl FromStr for Listen {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let loopback = IpAddr::from(Ipv4Addr::LOCALHOST);
        let port = |text: &str| text.parse::<u16>().ok();
        if let Some(port) = port(word) {
            return Ok(Self(SocketAddr::new(loopback, port)));
        }
        let of_name = word.strip_prefix("localhost:").and_then(port);
        let address = of_name.map(|port| SocketAddr::new(loopback, port)).or_else(|| word.parse().ok());
        address.map(Self).ok_or("expected an IP address and a port, such as 127.0.0.1:1738, or a port")
    }
}

impl Display for Listen {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_ports() {
        for (word, expected, is_loopback) in [
            ("1738", "127.0.0.1:1738", true),
            ("localhost:0", "127.0.0.1:0", true),
            ("[::1]:80", "[::1]:80", true),
            ("[::ffff:127.0.0.1]:80", "[::ffff:127.0.0.1]:80", true),
            ("0.0.0.0:1738", "0.0.0.0:1738", false),
            ("192.168.1.2:1738", "192.168.1.2:1738", false),
        ] {
            let listen: Listen = word.parse().unwrap();
            assert_eq!((listen.to_string().as_str(), listen.is_loopback()), (expected, is_loopback));
        }
        for word in ["", "65536", "127.0.0.1", "0x7f.1:80", "example.com:80", "http://127.0.0.1:80/"] {
            assert!(word.parse::<Listen>().is_err(), "{word}");
        }
    }
}
