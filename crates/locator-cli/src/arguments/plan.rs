//! The options of `plan` and `get` that a URL does not contain. They come from the command line or the
//! configuration file.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use locator::plan::{Gateway, Options, Program, Tls, TransferMode};
use locator::scheme::Registry;

use crate::arguments::config::{self, Config, ServerWord, check_program, read_server};
use crate::exit::CliError;

/// The settings of a plan.
#[derive(Args, Debug)]
pub(crate) struct PlanOptionArgs {
    /// Send ADDRESS as the password for anonymous FTP
    #[arg(long, value_name = "ADDRESS")]
    email: Option<String>,
    /// Use this server for news: URLs, which contain none; the default is that of the
    /// configuration file, else that of the environment variable NNTPSERVER
    #[arg(long, value_name = "HOST[:PORT]", value_parser = read_server)]
    news_server: Option<ServerWord>,
    /// Use this transfer type for FTP URLs without ";type="; the default is image
    #[arg(long, value_name = "TYPE", value_enum)]
    ftp_type: Option<TypeWord>,
    /// Use TLS for FTP if the server supports it (AUTH TLS)
    #[arg(long, conflicts_with = "ssl_reqd")]
    ssl: bool,
    /// Require TLS for FTP; fail before the login if the server does not support it
    #[arg(long)]
    ssl_reqd: bool,
    /// List an FTP directory with "NLST name", as RFC 1738 literally says, instead of
    /// "CWD name" and "NLST"
    #[arg(long)]
    literal_listing: bool,
    /// Request at most N results of a WAIS search; the default is 40
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    max_hits: Option<u16>,
    /// Run COMMAND for interactive sessions of SCHEME, such as telnet; {host} and {port}
    /// are those of the URL
    #[arg(long, value_name = "SCHEME=COMMAND", value_parser = read_program)]
    program: Vec<ProgramWords>,
    /// Read the files of afs: URLs below PATH, where AFS is mounted
    #[arg(long, value_name = "PATH")]
    afs: Option<String>,
    /// Allow ports of other protocols, and ports below 1024 that are not the scheme's;
    /// http and https need this only for the ports that browsers block
    #[arg(long)]
    low_ports: bool,
    /// Fetch URLs of SCHEME through a gateway with the URL TEMPLATE, in which {host},
    /// {port}, {path}, {query}, {rest} and {url} are those of the given URL
    #[arg(long, value_name = "SCHEME=TEMPLATE", value_parser = read_gateway)]
    gateway: Vec<Gateway>,
    /// Read the configuration from FILE (TOML); the default is locator/config.toml in
    /// the user's configuration directory
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl PlanOptionArgs {
    /// Reads the configuration.
    pub(crate) fn config(&self) -> Result<Config, CliError> {
        config::read(self.config.as_deref())
    }

    /// Returns the server for news URLs without one.
    #[cfg(feature = "get")]
    pub(crate) fn news_server(&self, config: &Config) -> Option<ServerWord> {
        self.news_server.clone().or_else(|| config.news_server.clone())
    }

    /// Returns the command for a scheme, if one is configured.
    #[cfg(feature = "get")]
    pub(crate) fn program(&self, scheme: &str, config: &Config) -> Option<Vec<String>> {
        let chosen = self.program.iter().find(|program| program.scheme == scheme);
        let words = |program: &ProgramWords| program.words().into_iter().map(String::from).collect();
        chosen.map(words).or_else(|| config.programs.get(scheme).cloned())
    }

    /// Passes the options to `give`; those of the command line take precedence over the
    /// configuration.
    pub(crate) fn with_options<T>(
        &self,
        config: &Config,
        proxy: Option<&ServerWord>,
        give: impl FnOnce(&Options<'_>) -> T,
    ) -> T {
        let chosen = self.program.iter().map(|program| (program.scheme.as_str(), program.words()));
        let configured = config
            .programs
            .iter()
            .map(|(scheme, words)| (scheme.as_str(), words.iter().map(String::as_str).collect::<Vec<_>>()));
        let words: Vec<(&str, Vec<&str>)> = chosen.chain(configured).collect();
        let programs: Vec<_> = words.iter().map(|(scheme, words)| Program { scheme, words }).collect();
        let representation = match self.ftp_type {
            Some(TypeWord::Image) => TransferMode::Image,
            Some(TypeWord::Text) => TransferMode::Text,
            Some(TypeWord::Auto) => TransferMode::Guessed,
            None if config.ftp_text.unwrap_or_default() => TransferMode::Text,
            None => TransferMode::Image,
        };
        let news_server = self.news_server.as_ref().or(config.news_server.as_ref());
        let mut options = Options::new();
        options.email = self.email.as_deref().or(config.email.as_deref());
        options.news_server = news_server.map(ServerWord::as_server);
        options.proxy = proxy.map(ServerWord::as_server);
        options.representation = representation;
        options.ftp_tls = match (self.ssl, self.ssl_reqd) {
            (_, true) => Tls::Required,
            (true, false) => Tls::Try,
            (false, false) => Tls::Off,
        };
        options.literal_listing = self.literal_listing;
        options.max_hits = self.max_hits;
        options.programs = &programs;
        options.low_ports = self.low_ports || config.low_ports;
        options.afs = self.afs.as_deref().or(config.afs.as_deref());
        give(&options)
    }

    /// Returns the schemes with the gateways. Those of the command line come last, so they take precedence.
    pub(crate) fn registry(&self, config: &Config) -> Registry<'static> {
        let mut registry = Registry::new();
        let gateways = config.gateways.iter().chain(&self.gateway);
        gateways.for_each(|gateway| registry.map(gateway.clone()));
        registry
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TypeWord {
    /// Binary, byte by byte
    Image,
    /// ASCII, as lines of text
    Text,
    /// ASCII if the name has a suffix of texts, such as .txt, else binary
    Auto,
}

/// The value of `--program`.
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
        word.split_once('=').ok_or("expected SCHEME=COMMAND, such as telnet=telnet {host} {port}")?;
    if line.trim().is_empty() {
        return Err("the command is missing".into());
    }
    check_program(line.split_whitespace())?;
    Ok(ProgramWords { scheme: scheme.to_ascii_lowercase(), line: line.into() })
}

fn read_gateway(word: &str) -> Result<Gateway, String> {
    let (scheme, template) = word.split_once('=').ok_or("expected SCHEME=TEMPLATE")?;
    Gateway::new(scheme, template).map_err(|error| error.to_string())
}
