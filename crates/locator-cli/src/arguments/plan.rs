//! The options of verbs that plan: settings that a URL does not contain. They come from the command
//! line or the configuration.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use locator::plan::{Gateway, Options, Program, Tls, TransferMode};
use locator::scheme::Registry;

use crate::config::{self, Config, ServerWord, check_program, read_server};
use crate::exit::CliError;

/// The settings of a plan.
#[derive(Args, Debug)]
pub(crate) struct PlanOptionArgs {
    /// Send ADDRESS as the password of anonymous FTP
    #[arg(long, value_name = "ADDRESS")]
    email: Option<String>,
    /// Ask this server for news URLs, which name none; the default is that of the
    /// configuration, else that of the environment variable NNTPSERVER
    #[arg(long, value_name = "HOST[:PORT]", value_parser = read_server)]
    news_server: Option<ServerWord>,
    /// Transfer the file as TYPE if an FTP URL has no ";type="; the default is image
    #[arg(long, value_name = "TYPE", value_enum)]
    ftp_type: Option<TypeWord>,
    /// Secure an FTP connection before the login if the server can
    #[arg(long, conflicts_with = "ssl_reqd")]
    ssl: bool,
    /// Secure an FTP connection before the login, or send nothing
    #[arg(long)]
    ssl_reqd: bool,
    /// List an FTP directory by "NLST name", as RFC 1738 says literally, and not by
    /// "CWD name" and "NLST"
    #[arg(long)]
    literal_listing: bool,
    /// Ask a WAIS server for up to N documents in a search; the default is 40
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    max_hits: Option<u16>,
    /// Run the program WORDS for interactive sessions of SCHEME, such as telnet;
    /// {host} and {port} are replaced by those of the URL
    #[arg(long, value_name = "SCHEME=WORDS", value_parser = read_program)]
    program: Vec<ProgramWords>,
    /// Read afs URLs below PATH, where the Andrew File System is mounted
    #[arg(long, value_name = "PATH")]
    afs: Option<String>,
    /// Allow the port of another protocol, and ports below 1024 that are not the
    /// scheme's; for http and https only the ports that browsers refuse need this
    #[arg(long)]
    low_ports: bool,
    /// Fetch URLs of SCHEME through a gateway, whose URL is TEMPLATE with the parts
    /// {host}, {port}, {path}, {query}, {rest} and {url} of the URL
    #[arg(long, value_name = "SCHEME=TEMPLATE", value_parser = read_gateway)]
    gateway: Vec<Gateway>,
    /// Read the configuration from FILE, in TOML; the default is
    /// locator/config.toml in the user's configuration directory
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl PlanOptionArgs {
    /// Reads the configuration.
    pub(crate) fn config(&self) -> Result<Config, CliError> {
        config::read(self.config.as_deref())
    }

    /// Returns the server of news URLs that name none.
    #[cfg(feature = "get")]
    pub(crate) fn news_server(&self, config: &Config) -> Option<ServerWord> {
        self.news_server.clone().or_else(|| config.news_server.clone())
    }

    /// Returns the words of the program for a scheme, if one was chosen.
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
        let text = match self.ftp_type {
            Some(word) => matches!(word, TypeWord::Text),
            None => config.ftp_text.unwrap_or_default(),
        };
        let news_server = self.news_server.as_ref().or(config.news_server.as_ref());
        let mut options = Options::new();
        options.email = self.email.as_deref().or(config.email.as_deref());
        options.news_server = news_server.map(ServerWord::as_server);
        options.proxy = proxy.map(ServerWord::as_server);
        options.representation = if text { TransferMode::Text } else { TransferMode::Image };
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
    /// As bytes
    Image,
    /// As lines of text
    Text,
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
    let (scheme, line) = word.split_once('=').ok_or("expected SCHEME=WORDS, where WORDS is a command")?;
    if line.trim().is_empty() {
        return Err("the program is missing".into());
    }
    check_program(line.split_whitespace())?;
    Ok(ProgramWords { scheme: scheme.to_ascii_lowercase(), line: line.into() })
}

fn read_gateway(word: &str) -> Result<Gateway, String> {
    let (scheme, template) = word.split_once('=').ok_or("expected SCHEME=TEMPLATE")?;
    Gateway::new(scheme, template).map_err(|error| error.to_string())
}
