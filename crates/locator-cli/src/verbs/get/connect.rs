//! The options that say where connections are made, and who the client is: `--resolve`, `--cert`, `--key`.

use std::collections::HashMap;
use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use locator_fetch::blocking::Fetcher;
use locator_fetch::{ConnectTo, Identity, IdentityError, Resolved, Resolver, SystemResolver};

use super::proxy::PROXY;
use crate::exit::{CliError, say_error};
use crate::terminal::visible;

/// The options of connections.
#[derive(Args, Debug)]
pub(super) struct ConnectArgs {
    /// Use the addresses ADDR for HOST and PORT instead of looking the name up; HOST "*" is any host
    #[arg(long, value_name = "HOST:PORT:ADDR[,ADDR]", value_parser = entry)]
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
        let rules = self.connect_to.iter().try_fold(ConnectTo::new(), |rules, rule| rules.rule(rule));
        let servers = rules.unwrap_or_default();
        fetcher = fetcher.connect_to(match &self.unix_socket {
            Some(path) => servers.unix_socket(path),
            None => servers,
        });
        match &self.cert {
            Some(cert) => Ok(fetcher.identity(self.identity(cert)?)),
            None => Ok(fetcher),
        }
    }

    /// Returns whether connections are made elsewhere, and so not through a proxy of the configuration or of the
    /// environment.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.unix_socket.is_some() || !self.connect_to.is_empty()
    }

    /// Returns whether a socket is connected to, which only HTTP can.
    pub(super) const fn has_socket(&self) -> bool {
        self.unix_socket.is_some()
    }

    fn identity(&self, cert: &str) -> Result<Identity, CliError> {
        let (file, _) = divided(cert);
        let certificate = read("--cert", &file)?;
        let key_file = self.key.as_ref().unwrap_or(&file);
        let key = self.key.as_ref().map(|key| read("--key", key)).transpose()?;
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

fn read(option: &str, file: &Path) -> Result<Vec<u8>, CliError> {
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
fn divided(cert: &str) -> (PathBuf, Option<&str>) {
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
fn entry(word: &str) -> Result<Entry, String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries() {
        let found = |word: &str| {
            let Entry { host, port, addresses } = entry(word).ok()?;
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
            assert_eq!(divided(word), (file.into(), password), "{word}");
        }
    }
}
