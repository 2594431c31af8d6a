//! The user's configuration, a TOML file with the settings of `plan` that a URL does not contain.
//! Options on the command line take precedence.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use locator::plan::{Gateway, Server};
use serde::Deserialize;

use crate::exit::{CliError, say_error};
use crate::input::files::{Named, in_toml};
use crate::input::whole;
use crate::terminal::{secrets, visible};

/// A server as given, `HOST[:PORT]`.
#[derive(Clone, Debug)]
pub(crate) struct ServerWord {
    host: String,
    port: Option<u16>,
}

impl ServerWord {
    /// Converts the server to the library's type.
    pub(crate) fn as_server(&self) -> Server<'_> {
        Server { host: &self.host, port: self.port }
    }
}

/// Writes the server as a URL has it.
#[cfg(feature = "get")]
impl std::fmt::Display for ServerWord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let is_address = self.host.contains(':');
        if is_address {
            write!(f, "[{}]", self.host)?;
        } else {
            f.write_str(&self.host)?;
        }
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// The keys of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    /// The e-mail address for anonymous ftp.
    pub(crate) email: Option<String>,
    /// The server for news URLs.
    #[serde(deserialize_with = "server")]
    pub(crate) news_server: Option<ServerWord>,
    /// The proxy, which is sent whole URLs.
    #[serde(deserialize_with = "server")]
    pub(crate) proxy: Option<ServerWord>,
    /// Whether an ftp URL without a type is text.
    pub(crate) ftp_text: Option<bool>,
    /// Where the Andrew File System is mounted.
    pub(crate) afs: Option<String>,
    /// Whether a URL of gopher, wais, whois or prospero may name a low port.
    pub(crate) low_ports: bool,
    /// Programs for interactive sessions: schemes and words.
    #[serde(deserialize_with = "programs")]
    pub(crate) programs: BTreeMap<String, Vec<String>>,
    /// Gateways: schemes and templates.
    #[serde(deserialize_with = "gateways")]
    pub(crate) gateways: Vec<Gateway>,
}

/// Reads the given file, or the default one if it exists. A news server that it does not contain is
/// taken from the environment.
pub(crate) fn read(named: Option<&Path>) -> Result<Config, CliError> {
    let mut config = read_file(named)?;
    if config.news_server.is_none() {
        config.news_server = news_server()?;
    }
    Ok(config)
}

/// Returns the environment variable that replaces an option, if there is one.
pub(crate) fn variable(option: &str) -> Option<&'static str> {
    (option == "news_server").then_some(NNTPSERVER)
}

/// The variable in which news readers find their server.
const NNTPSERVER: &str = "NNTPSERVER";

/// Returns the news server of the environment.
fn news_server() -> Result<Option<ServerWord>, CliError> {
    let Some(word) = std::env::var_os(NNTPSERVER).filter(|word| !word.is_empty()) else { return Ok(None) };
    let word = word.to_string_lossy();
    read_server(&word).map(Some).map_err(|why| {
        say_error(&format!("{NNTPSERVER}=\"{}\": {why}", visible(&secrets::argument(&word))));
        CliError::Reported
    })
}

fn read_file(named: Option<&Path>) -> Result<Config, CliError> {
    let Some(path) = named.map(Path::to_owned).or_else(usual) else { return Ok(Config::default()) };
    match File::open(&path)
        .and_then(whole)
        .and_then(|octets| String::from_utf8(octets).map_err(io::Error::other))
    {
        Ok(text) => {
            toml::from_str(&text).map_err(|error| in_toml(&text, &error).report(&path.to_string_lossy()))
        }
        Err(error) if error.kind() == ErrorKind::NotFound && named.is_none() => Ok(Config::default()),
        Err(error) => Err(Named(path.as_os_str()).unreadable(error)),
    }
}

/// Returns `~/.config/locator/config.toml`, or the equivalent of the platform.
fn usual() -> Option<PathBuf> {
    Some(dirs::config_dir()?.join("locator").join("config.toml"))
}

fn server<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<ServerWord>, D::Error> {
    let word = String::deserialize(from)?;
    read_server(&word).map(Some).map_err(serde::de::Error::custom)
}

fn programs<'de, D: serde::Deserializer<'de>>(from: D) -> Result<BTreeMap<String, Vec<String>>, D::Error> {
    let programs = BTreeMap::<String, Vec<String>>::deserialize(from)?;
    for (scheme, words) in &programs {
        check_program(words.iter().map(String::as_str))
            .map_err(|error| serde::de::Error::custom(format!("{scheme}: {error}")))?;
    }
    Ok(programs)
}

fn gateways<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<Gateway>, D::Error> {
    let templates = BTreeMap::<String, String>::deserialize(from)?;
    let gateway = |(scheme, template): (String, String)| {
        Gateway::new(&scheme, &template)
            .map_err(|error| serde::de::Error::custom(format!("{scheme}: {error}")))
    };
    templates.into_iter().map(gateway).collect()
}

/// Parses a server.
pub(crate) fn read_server(word: &str) -> Result<ServerWord, String> {
    let bracketed = word.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let (host, port) = match bracketed {
        Some((host, "")) => (host, None),
        Some((host, port)) => {
            (host, Some(port.strip_prefix(':').ok_or("expected \":\" and a port after \"]\"")?))
        }
        None => word.rsplit_once(':').map_or((word, None), |(host, port)| (host, Some(port))),
    };
    let port = port.map(str::parse).transpose().map_err(|_| "the port must be a number from 1 to 65535")?;
    let is_name = |c: char| c.is_alphanumeric() || ".-_:".contains(c);
    if host.is_empty() || !host.chars().all(is_name) || port == Some(0) {
        return Err("expected HOST or HOST:PORT".into());
    }
    Ok(ServerWord { host: host.into(), port })
}

/// Checks the words of a program: `{host}` and `{port}` are the only placeholders.
pub(crate) fn check_program<'w>(words: impl Iterator<Item = &'w str>) -> Result<(), String> {
    for word in words {
        let names = word.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name);
        let is_name = |name: &&str| {
            !name.is_empty() && name.bytes().all(|octet| octet.is_ascii_alphabetic() || octet == b'_')
        };
        if let Some(name) = names.filter(is_name).find(|name| !matches!(*name, "host" | "port")) {
            return Err(format!("unknown placeholder {{{name}}}; only {{host}} and {{port}} are available"));
        }
    }
    Ok(())
}
