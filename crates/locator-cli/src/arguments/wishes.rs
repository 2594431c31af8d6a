//! What a plan needs that no URL says. Words of the command line in, the library's options out.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use locator::plan::{Gateway, Options, Program, Representation, Server};
use locator::scheme::Registry;

use crate::config::Config;

/// What a plan needs besides the URL.
#[derive(Args, Debug)]
pub(crate) struct Wishes {
    /// Write what is sent, octet for octet, and nothing else
    #[arg(long, conflicts_with = "json")]
    pub(crate) octets: bool,
    /// The e-mail address that anonymous ftp sends as its password
    #[arg(long, value_name = "ADDRESS")]
    email: Option<String>,
    /// The server that news URLs are asked of; if not given, that of the
    /// configuration, or of NNTPSERVER
    #[arg(long, value_name = "HOST[:PORT]", value_parser = read_server)]
    news_server: Option<ServerWord>,
    /// The server that is asked for the whole URL
    #[arg(long, value_name = "HOST[:PORT]", value_parser = read_server)]
    proxy: Option<ServerWord>,
    /// What is asked for where an ftp URL has no type: image, if not given
    #[arg(long, value_name = "TYPE", value_enum)]
    ftp_type: Option<TypeWord>,
    /// The program for interactive sessions of a scheme; {host} and {port}
    /// stand for what the URL names
    #[arg(long, value_name = "SCHEME=WORDS", value_parser = read_program)]
    program: Vec<ProgramWords>,
    /// Where the Andrew File System is mounted
    #[arg(long, value_name = "PATH")]
    afs: Option<String>,
    /// A URL of gopher, wais, whois or prospero may name a low port that is
    /// another protocol's
    #[arg(long)]
    low_ports: bool,
    /// Fetch what a scheme's URLs identify by a URL of another scheme, with
    /// {host}, {port}, {path}, {query}, {rest} and {url} in it
    #[arg(long, value_name = "SCHEME=TEMPLATE", value_parser = read_gateway)]
    gateway: Vec<Gateway>,
    /// The file of the configuration, in TOML; if not given, locator/config.toml
    /// in the user's configuration directory
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

impl Wishes {
    /// Hands the options to who makes a plan; what stands on the command line before what is configured.
    pub(crate) fn with_options<T>(&self, config: &Config, give: impl FnOnce(&Options<'_>) -> T) -> T {
        let chosen = self.program.iter().map(|program| (program.scheme.as_str(), program.words()));
        let configured = config
            .programs
            .iter()
            .map(|(scheme, words)| (scheme.as_str(), words.iter().map(String::as_str).collect::<Vec<_>>()));
        let words: Vec<(&str, Vec<&str>)> = chosen.chain(configured).collect();
        let programs: Vec<_> = words.iter().map(|(scheme, words)| Program { scheme, words }).collect();
        let text = match self.ftp_type {
            Some(word) => matches!(word, TypeWord::Text),
            None => config.ftp_text.unwrap_or_default(),
        };
        let server = |chosen: &'_ Option<ServerWord>, configured: &'_ Option<ServerWord>| {
            chosen.clone().or(configured.clone())
        };
        let (news_server, proxy) =
            (server(&self.news_server, &config.news_server), server(&self.proxy, &config.proxy));
        give(&Options {
            email: self.email.as_deref().or(config.email.as_deref()),
            news_server: news_server.as_ref().map(ServerWord::as_server),
            proxy: proxy.as_ref().map(ServerWord::as_server),
            representation: if text { Representation::Text } else { Representation::Image },
            programs: &programs,
            low_ports: self.low_ports || config.low_ports,
            afs: self.afs.as_deref().or(config.afs.as_deref()),
        })
    }

    /// The schemes with the gateways, those of the command line last, which count.
    pub(crate) fn registry(&self, config: &Config) -> Registry<'static> {
        let mut registry = Registry::new();
        let gateways = config.gateways.iter().chain(&self.gateway);
        gateways.for_each(|gateway| registry.map(gateway.clone()));
        registry
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TypeWord {
    /// Octet by octet
    Image,
    /// As lines of text
    Text,
}

/// A server as it was given.
#[derive(Clone, Debug)]
pub(crate) struct ServerWord {
    host: String,
    port: Option<u16>,
}

impl ServerWord {
    fn as_server(&self) -> Server<'_> {
        Server { host: &self.host, port: self.port }
    }
}

/// Reads a server.
pub(crate) fn read_server(word: &str) -> Result<ServerWord, String> {
    let bracketed = word.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let (host, port) = match bracketed {
        Some((host, "")) => (host, None),
        Some((host, port)) => (host, Some(port.strip_prefix(':').ok_or("a port stands behind \":\"")?)),
        None => word.rsplit_once(':').map_or((word, None), |(host, port)| (host, Some(port))),
    };
    let port = port.map(str::parse).transpose().map_err(|_| "the port is no number from 1 to 65535")?;
    let is_name = |c: char| c.is_alphanumeric() || ".-_:".contains(c);
    if host.is_empty() || !host.chars().all(is_name) || port == Some(0) {
        return Err("a host is expected, and a port behind \":\" if it is not the usual one".into());
    }
    Ok(ServerWord { host: host.into(), port })
}

/// A program as it was given.
#[derive(Clone, Debug)]
struct ProgramWords {
    scheme: String,
    line: String,
}

impl ProgramWords {
    fn words(&self) -> Vec<&str> {
        self.line.split_whitespace().collect()
    }
}

fn read_program(word: &str) -> Result<ProgramWords, String> {
    let (scheme, line) =
        word.split_once('=').ok_or("a scheme, \"=\" and the words of a command are expected")?;
    if line.trim().is_empty() {
        return Err("the program is missing".into());
    }
    check_program(line.split_whitespace())?;
    Ok(ProgramWords { scheme: scheme.to_ascii_lowercase(), line: line.into() })
}

/// Checks the words of a program: only what the URL names can be put into them.
pub(crate) fn check_program<'w>(words: impl Iterator<Item = &'w str>) -> Result<(), String> {
    for word in words {
        let names = word.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name);
        let is_name = |name: &&str| {
            !name.is_empty() && name.bytes().all(|octet| octet.is_ascii_alphabetic() || octet == b'_')
        };
        if let Some(name) = names.filter(is_name).find(|name| !matches!(*name, "host" | "port")) {
            return Err(format!(
                "{{{name}}} stands for nothing: {{host}} and {{port}} are what the URL names"
            ));
        }
    }
    Ok(())
}

fn read_gateway(word: &str) -> Result<Gateway, String> {
    let (scheme, template) = word.split_once('=').ok_or("a scheme, \"=\" and a template are expected")?;
    Gateway::new(scheme, template).map_err(|error| error.to_string())
}
