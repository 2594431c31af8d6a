//! The options of connections: time limits, IP versions, certificates and keys, other addresses of hosts, proxies;
//! and those of what is on this machine.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use locator::UriRef;
use locator_fetch::blocking::Fetcher;
use locator_fetch::http::{Http, Proxies, ProxyError};
use locator_fetch::{ConnectTo, Family, Identity, IdentityError, Resolved, Resolver, SystemResolver, Trust};

use super::login;
use super::user::{Mailer, User};
use crate::arguments::config::{Config, ServerWord, read_server};
use crate::arguments::size;
use crate::exit::{CliError, say_error};
use crate::terminal::visible;

/// The options of connections.
#[derive(Args, Debug)]
pub(super) struct SettingArgs {
    /// Fail if a transfer takes longer than SECONDS
    #[arg(short, long, value_name = "SECONDS", value_parser = seconds)]
    max_time: Option<Duration>,
    /// Fail if connecting takes longer than SECONDS; the default is 30
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    connect_timeout: Option<Duration>,
    /// Fail if nothing is received for SECONDS; the default is 60
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    idle_timeout: Option<Duration>,
    /// Fail if a file is larger than SIZE bytes (suffix K, M or G)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_filesize: Option<usize>,
    /// Limit the transfer speed to SIZE bytes per second (suffix K, M or G)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    limit_rate: Option<usize>,
    /// Fail if a transfer is slower than SIZE bytes per second for --speed-time
    #[arg(short = 'Y', long, value_name = "SIZE", value_parser = size)]
    speed_limit: Option<usize>,
    /// Allow a transfer to be slower than --speed-limit for SECONDS; the default is 30
    #[arg(short = 'y', long, value_name = "SECONDS", value_parser = seconds)]
    speed_time: Option<Duration>,
    /// Use IPv4 addresses only
    #[arg(short = '4', long, overrides_with = "ipv6")]
    ipv4: bool,
    /// Use IPv6 addresses only
    #[arg(short = '6', long)]
    ipv6: bool,
    /// Do not verify the server's certificate; anybody may then read and change what is
    /// sent
    #[arg(short = 'k', long, conflicts_with = "cacert")]
    insecure: bool,
    /// Verify servers with the CA certificates in FILE (PEM) instead of the system's
    #[arg(long, value_name = "FILE")]
    cacert: Option<PathBuf>,
    #[command(flatten)]
    connect: ConnectArgs,
    /// Look up mid: and cid: messages, and news: articles before asking a server, in FILE, an mbox or
    /// a single message
    #[arg(long, value_name = "FILE")]
    messages: Vec<OsString>,
    /// Open the draft of a mailto: URL in the mail program, xdg-email or that of --program
    /// mailto=COMMAND; only you can send it
    #[arg(long, conflicts_with_all = ["destination", "json", "plan"])]
    open: bool,
}

impl SettingArgs {
    /// Returns the fetcher with these settings; a user's own URLs have no other limits.
    pub(super) fn fetcher(&self, fetcher: Fetcher) -> Result<Fetcher, CliError> {
        let mut fetcher = fetcher.timeout(Duration::MAX).max_size(u64::MAX).min_speed(0, Duration::ZERO);
        if let Some(time) = self.connect_timeout {
            fetcher = fetcher.connect_timeout(time);
        }
        if let Some(time) = self.idle_timeout {
            fetcher = fetcher.read_timeout(time);
        }
        if let Some(time) = self.max_time {
            fetcher = fetcher.timeout(time);
        }
        if let Some(size) = self.max_filesize() {
            fetcher = fetcher.max_size(size);
        }
        // As in curl, a time without a speed means one byte a second.
        if let Some(speed) = self.speed_limit.or(self.speed_time.and(Some(1))) {
            let time = self.speed_time.unwrap_or(Duration::from_secs(30));
            fetcher = fetcher.min_speed(speed as u64, time);
        }
        let family = match (self.ipv4, self.ipv6) {
            (true, _) => Family::Ipv4,
            (_, true) => Family::Ipv6,
            _ => Family::Any,
        };
        let trust = match &self.cacert {
            _ if self.insecure => Trust::Anything,
            Some(file) => Trust::File(file.clone()),
            None => Trust::System,
        };
        self.connect.fetcher(fetcher.family(family).trust(trust))
    }

    /// Returns the options of connections.
    pub(super) const fn connect(&self) -> &ConnectArgs {
        &self.connect
    }

    /// Returns whether certificates of servers are verified.
    pub(super) const fn verifies(&self) -> bool {
        !self.insecure
    }

    /// Returns the largest size of a file.
    pub(super) fn max_filesize(&self) -> Option<u64> {
        self.max_filesize.map(|size| size as u64)
    }

    /// Returns the user: a terminal, messages, and a mail program, which may be chosen.
    pub(super) fn user(&self, mail_program: Option<Vec<String>>) -> User {
        User::new(self.messages.clone(), self.open.then(|| Mailer::new(mail_program)))
    }

    /// Returns how many bytes are read per second.
    pub(super) const fn rate(&self) -> Option<usize> {
        self.limit_rate
    }
}

pub(crate) fn seconds(word: &str) -> Result<Duration, String> {
    let wrong = || "expected a number of seconds: 30 or 0.5".to_owned();
    let number: f64 = word.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number).ok().filter(|time| !time.is_zero()).ok_or_else(wrong)
}

/// The options of connections.
#[derive(Args, Debug)]
pub(super) struct ConnectArgs {
    /// Use the addresses ADDR for HOST and PORT instead of looking the name up; HOST "*" is any host
    #[arg(long, value_name = "HOST:PORT:ADDR[,ADDR]", value_parser = resolve_entry)]
    resolve: Vec<Entry>,
    /// Connect to HOST2 and PORT2 for URLs of HOST1 and PORT1; of HOST1 and PORT1 an empty one is any, of HOST2
    /// and PORT2 the same. Request and certificate stay those of the URL
    #[arg(long, value_name = "HOST1:PORT1:HOST2:PORT2", value_parser = connect_to, conflicts_with = PROXY)]
    connect_to: Vec<String>,
    /// Connect to the Unix socket PATH instead of the server, for http and https
    #[arg(long, value_name = "PATH", conflicts_with = PROXY)]
    unix_socket: Option<PathBuf>,
    /// Identify yourself with the client certificate in FILE (PEM), to the origin of the given URL only
    #[arg(short = 'E', long, value_name = "FILE[:PASSWORD]")]
    cert: Option<String>,
    /// Use the private key in FILE (PEM) for --cert, whose FILE may contain it
    #[arg(long, value_name = "FILE", requires = "cert")]
    key: Option<PathBuf>,
}

/// A value of `--resolve`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// The name in lower case; `None` for any.
    host: Option<String>,
    port: u16,
    /// Empty if an earlier entry is removed.
    addresses: Vec<IpAddr>,
}

impl ConnectArgs {
    /// Adds the settings to a fetcher.
    pub(super) fn fetcher(&self, mut fetcher: Fetcher) -> Result<Fetcher, CliError> {
        if !self.resolve.is_empty() {
            fetcher = fetcher.resolver(Arc::new(Table::new(&self.resolve)));
        }
        fetcher = fetcher.connect_to(self.servers());
        match &self.cert {
            Some(cert) => Ok(fetcher.identity(self.identity(cert)?)),
            None => Ok(fetcher),
        }
    }

    /// Returns the servers that are connected to instead of others, and so not through a proxy.
    pub(super) fn servers(&self) -> ConnectTo {
        let rules = self.connect_to.iter().try_fold(ConnectTo::new(), |rules, rule| rules.rule(rule));
        let servers = rules.unwrap_or_default();
        match &self.unix_socket {
            Some(path) => servers.unix_socket(path),
            None => servers,
        }
    }

    /// Returns whether a socket is connected to, which only HTTP can.
    pub(super) const fn has_socket(&self) -> bool {
        self.unix_socket.is_some()
    }

    fn identity(&self, cert: &str) -> Result<Identity, CliError> {
        let (file, _) = file_and_password(cert);
        let certificate = read_file_of("--cert", &file)?;
        let key_file = self.key.as_ref().unwrap_or(&file);
        let key = self.key.as_ref().map(|key| read_file_of("--key", key)).transpose()?;
        Identity::from_pem(&certificate, key.as_deref().unwrap_or(&certificate)).map_err(|error| {
            let key_name = key_file.to_string_lossy().into_owned();
            let (name, advice) = match error {
                IdentityError::NoCertificate | IdentityError::Certificate => (file.as_path(), String::new()),
                IdentityError::Encrypted => {
                    let advice = format!("; decrypt it: openssl pkey -in '{key_name}' -out key.pem");
                    (key_file.as_path(), advice)
                }
                IdentityError::NoKey if self.key.is_none() => {
                    (key_file.as_path(), "; use --key FILE".to_owned())
                }
                _ => (key_file.as_path(), String::new()),
            };
            wrong(&format!("\"{}\": {error}{advice}", visible(&name.to_string_lossy())))
        })
    }
}

fn read_file_of(option: &str, file: &Path) -> Result<Vec<u8>, CliError> {
    fs::read(file).map_err(|error| {
        wrong(&format!("{option}: \"{}\" cannot be read: {error}", visible(&file.to_string_lossy())))
    })
}

fn wrong(why: &str) -> CliError {
    say_error(why);
    CliError::Reported
}

/// Divides the value of `--cert` into the file and the password, which is not needed: `\:` is a colon of the
/// file, and `C:\` begins the name of one.
fn file_and_password(cert: &str) -> (PathBuf, Option<&str>) {
    let is_drive = |at: usize| {
        let octets = cert.as_bytes();
        at == 1 && octets[0].is_ascii_alphabetic() && matches!(octets.get(2), Some(b'\\' | b'/'))
    };
    let is_escaped = |at: usize| at > 0 && cert.as_bytes()[at - 1] == b'\\';
    let at = cert.match_indices(':').map(|(at, _)| at).find(|&at| !is_escaped(at) && !is_drive(at));
    let (file, password) = at.map_or((cert, None), |at| (&cert[..at], Some(&cert[at + 1..])));
    (file.replace("\\:", ":").into(), password)
}

/// Checks a value of `--connect-to`.
fn connect_to(word: &str) -> Result<String, String> {
    match ConnectTo::new().rule(word) {
        Some(_) => Ok(word.to_owned()),
        None => Err("expected HOST1:PORT1:HOST2:PORT2, such as www.example.com:443:127.0.0.1:8443".into()),
    }
}

/// Parses `[+]HOST:PORT:ADDR[,ADDR]`, or `-HOST:PORT`, which removes an entry.
fn resolve_entry(word: &str) -> Result<Entry, String> {
    let wrong = || "expected HOST:PORT:ADDR, such as www.example.com:443:192.0.2.1".to_owned();
    let (is_removed, rest) = match word.split_at_checked(1) {
        Some(("-", rest)) => (true, rest),
        // In curl such an entry expires.
        Some(("+", rest)) => (false, rest),
        _ => (false, word),
    };
    let mut parts = rest.splitn(3, ':');
    let (host, port, addresses) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let port = port.and_then(|port| port.parse().ok()).ok_or_else(wrong)?;
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    if host.is_empty() {
        return Err(wrong());
    }
    if host == "localhost" || host.ends_with(".localhost") {
        return Err("localhost is always this machine, and is not looked up".into());
    }
    let address = |text: &str| text.trim_matches(['[', ']']).parse::<IpAddr>();
    let addresses = match (addresses, is_removed) {
        (None, true) => Vec::new(),
        (Some(addresses), false) => {
            let addresses: Result<Vec<_>, _> = addresses.split(',').map(address).collect();
            addresses.map_err(|_| "expected IP addresses after HOST:PORT:, separated by commas".to_owned())?
        }
        _ => return Err(wrong()),
    };
    Ok(Entry { host: Some(host).filter(|host| host != "*"), port, addresses })
}

/// The addresses of `--resolve`; other names are looked up by the system.
struct Table {
    entries: HashMap<(Option<String>, u16), Vec<IpAddr>>,
    system: SystemResolver,
}

impl Table {
    fn new(given: &[Entry]) -> Self {
        let mut entries = HashMap::new();
        for Entry { host, port, addresses } in given {
            if addresses.is_empty() {
                entries.remove(&(host.clone(), *port));
            } else {
                entries.insert((host.clone(), *port), addresses.clone());
            }
        }
        Self { entries, system: SystemResolver }
    }
}

impl Resolver for Table {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolved<'a> {
        self.system.resolve(name)
    }

    fn resolve_for<'a>(&'a self, name: &'a str, port: u16) -> Resolved<'a> {
        let own = self.entries.get(&(Some(name.to_owned()), port));
        match own.or_else(|| self.entries.get(&(None, port))) {
            Some(found) => Box::pin(async { Ok(found.clone()) }),
            None => self.system.resolve(name),
        }
    }
}

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
const PROXY: &str = "through";

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

    /// Returns the proxies to use, with their login; none if a socket is connected to.
    pub(super) fn choose(&self, config: &Config, has_socket: bool) -> Result<Chosen, CliError> {
        let chosen = match has_socket {
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

    /// Returns the proxy that is given.
    pub(super) fn given(&self) -> Option<&str> {
        let given = [&self.proxy, &self.socks5, &self.socks4, &self.socks4a];
        given.into_iter().flatten().next().map(|word| &*word.text)
    }

    fn chosen(&self, config: &Config) -> Result<Chosen, CliError> {
        if self.noproxy.as_deref() == Some("*") {
            return Ok(Chosen { proxies: Proxies::none(), server: None, is_for_http_only: false });
        }
        let direct = || self.noproxy.clone().or_else(no_proxy).unwrap_or_default();
        let given = [&self.proxy, &self.socks5, &self.socks4, &self.socks4a];
        if let Some(ProxyWord { text, server }) = given.into_iter().flatten().next() {
            let proxies = Proxies::none().all(text).map_err(|error| wrong_proxy("--proxy", error))?;
            let (proxies, server) = (proxies.except(&direct()), server.clone());
            return Ok(Chosen { proxies, is_for_http_only: server.is_none(), server });
        }
        if let Some(server) = &config.proxy {
            let proxies = Proxies::none().all(&server.to_string());
            let proxies =
                proxies.map_err(|error| wrong_proxy("the proxy of the configuration file", error))?;
            let (proxies, server) = (proxies.except(&direct()), Some(server.clone()));
            return Ok(Chosen { proxies, server, is_for_http_only: false });
        }
        let proxies =
            Proxies::environment().map_err(|error| wrong_proxy("the proxy of the environment", error))?;
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
fn wrong_proxy(what: &str, error: ProxyError) -> CliError {
    say_error(&format!("{what}: {error}"));
    CliError::Reported
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries() {
        let found = |word: &str| {
            let Entry { host, port, addresses } = resolve_entry(word).ok()?;
            let addresses: Vec<_> = addresses.iter().map(ToString::to_string).collect();
            Some(format!("{} {port} {}", host.as_deref().unwrap_or("any"), addresses.join(" ")))
        };
        for (word, expected) in [
            ("WWW.example.com:443:192.0.2.1", Some("www.example.com 443 192.0.2.1")),
            ("+h:80:[2001:db8::1],192.0.2.1", Some("h 80 2001:db8::1 192.0.2.1")),
            ("h:80:2001:db8::1", Some("h 80 2001:db8::1")),
            ("*:80:192.0.2.1", Some("any 80 192.0.2.1")),
            ("-h:80", Some("h 80 ")),
            ("h:80:www.example.com", None),
            ("h:80:", None),
            ("h:80", None),
            ("h:x:192.0.2.1", None),
            (":80:192.0.2.1", None),
            ("-h:80:192.0.2.1", None),
            ("localhost:80:192.0.2.1", None),
            ("", None),
        ] {
            assert_eq!(found(word).as_deref(), expected, "{word}");
        }
    }

    #[test]
    fn a_file_and_a_password() {
        for (word, file, password) in [
            ("a.pem", "a.pem", None),
            ("a.pem:secret:x", "a.pem", Some("secret:x")),
            ("a\\:b.pem:s", "a:b.pem", Some("s")),
            ("C:\\a.pem:s", "C:\\a.pem", Some("s")),
            ("a.pem:", "a.pem", Some("")),
        ] {
            assert_eq!(file_and_password(word), (file.into(), password), "{word}");
        }
    }
}
