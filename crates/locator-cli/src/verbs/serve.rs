//! The verb `serve`: a gateway that shows in a browser what URLs of any scheme identify.
//!
//! [`listen`] accepts connections, [`answer`] answers a request: [`guard`] decides whether it may be
//! answered, [`route`] what it asks for ([`proxied`], if the gateway is a proxy). [`fetch`] fetches it,
//! [`objects`] makes the response, whose [`content`] is passed on as it comes, and [`pages`] makes HTML of
//! it. [`refusal`] says what went wrong. [`logins`] keeps passwords in memory, [`key`] makes keys and tokens,
//! [`once`] has addresses without the key, [`peer`] looks whose program a client is, [`files`] has the local
//! files, and [`fields`] reads the values of forms.

mod address;
mod answer;
mod asked;
mod content;
mod fetch;
mod fields;
mod files;
mod guard;
mod headers;
mod key;
mod listen;
mod logins;
mod objects;
mod once;
mod pages;
mod peer;
mod proxied;
mod refusal;
mod route;
pub(super) mod running;
mod server;
mod stream;
mod visit;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use self::address::Listen;
use self::files::Files;
use self::listen::Limits;
use self::server::{Server, Settings};
use crate::arguments::config::{self, ServerWord, read_server};
use crate::arguments::policy::StrangerArgs;
use crate::arguments::{long_help, short_help};
use crate::exit::{CliError, Status, say, say_error};
use crate::output::Output;
use crate::verbs::get::seconds;

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
        let shown = crate::terminal::secrets::redacted(&excess.to_string_lossy()).to_string();
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
    let settings = Settings {
        policy: args.contact.policy()?,
        files: args.files.as_deref().map(Files::open).transpose()?,
        keeps_logins: args.logins,
        is_public: args.public,
    };
    let listener = args.listen.bind().map_err(|error| {
        let advice = match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                "; is 'locator serve' running already? Use --listen PORT for another port"
            }
            _ => "",
        };
        wrong(&format!("cannot listen at {}: {error}{advice}", args.listen))
    })?;
    let server = Server::new(settings, config, &listener);
    let server = server.map_err(|error| wrong(&format!("cannot serve: {error}")))?;
    if args.public {
        say("the connection is not encrypted: whoever sees the network can read the key and all pages");
    }
    let limits = Limits::new(args.client_timeout, args.max_clients, args.idle_timeout);
    listen::run(listener, server, limits, out)
}

fn wrong(why: &str) -> CliError {
    say_error(why);
    CliError::Reported
}
