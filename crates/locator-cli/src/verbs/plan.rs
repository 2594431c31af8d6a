//! The verb `plan`: prints the protocol steps to fetch each URL. Settings that a URL does not
//! contain come from the command line or the configuration.

mod object;
mod print;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use locator::Edition;
use locator::audit::Auditor;
use locator::plan::{Gateway, Options, Plan, Program, Tls, TransferMode};
use locator::scheme::Registry;

use self::print::PlanObject;
use crate::arguments::{QUIET_NO_ANSWER, VerbArgsOfOneEdition, long_help};
use crate::config::{self, Config, ServerWord, check_program, read_server};
use crate::exit::{CliError, Status};
use crate::failure::Failure;
use crate::findings;
use crate::input::Input;
use crate::output::Output;
use crate::reading;
use crate::run::{self, Answer};
use crate::show::{Reports, json};

/// Print the steps to fetch each URL, without sending anything
///
/// Shows which server to connect to, what to send and which replies to expect. Common options:
/// --json prints the steps as objects, --octets only the bytes to send, --email ADDRESS is used for
/// anonymous FTP.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
pub(crate) struct PlanArgs {
    /// Print only the bytes to send
    #[arg(long, conflicts_with = "json")]
    octets: bool,
    /// Send ADDRESS as the password of anonymous FTP
    #[arg(long, value_name = "ADDRESS")]
    email: Option<String>,
    /// Ask this server for news URLs, which name none; the default is that of the
    /// configuration, else that of the environment variable NNTPSERVER
    #[arg(long, value_name = "HOST[:PORT]", value_parser = read_server)]
    news_server: Option<ServerWord>,
    /// Plan a request to this HTTP proxy, whatever the scheme of the URL
    #[arg(long, value_name = "HOST[:PORT]", value_parser = read_server)]
    proxy: Option<ServerWord>,
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
    /// Run the program WORDS for interactive sessions of SCHEME, such as telnet;
    /// {host} and {port} are replaced by those of the URL
    #[arg(long, value_name = "SCHEME=WORDS", value_parser = read_program)]
    program: Vec<ProgramWords>,
    /// Read afs URLs below PATH, where the Andrew File System is mounted
    #[arg(long, value_name = "PATH")]
    afs: Option<String>,
    /// Allow the port of another protocol, and ports below 1024 that are not the
    /// scheme's
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
    #[command(flatten)]
    asked: VerbArgsOfOneEdition,
}

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator plan ftp://myname@host.dom/%2Fetc/motd
  locator plan --octets 'gopher://gopher.dom/7/search%09whales' | od -c
  locator plan --email joe@example.com ftp://host/pub/README
  locator plan --proxy cache.example:3128 ftp://host/a
  locator plan --news-server news.example.com news:comp.infosystems.www.misc
  locator plan --program 'telnet=telnet {host} {port}' telnet://host/
  locator plan --gateway 'wais=http://gw.test/{host}/{path}?{query}' wais://h/d

Exit status:
  0    every URL has a plan
  1    at least one URL has no plan
  2    wrong usage
  130  interrupted";

/// Before the examples in `--help`: output and configuration.
const DETAILS: &str = "\
Output:
  A line \"C:\" is sent by the client. A line \"S:\" has replies of the server and
  their meaning; the plan goes on after them. An arrow says what else follows:
    -> first:          the steps below come first
    -> first this, then once more:   the same, and the command is sent again
    -> instead:        the steps below take the place of all that would follow
    -> an object without octets, or an error
  Any other reply is an error.
  Characters that are not printable ASCII are shown by name, <TAB>, or by code,
  <E9>. With --octets only the bytes to send are written; input that must be
  prompted for is left out.

  What is dangerous in the URL is noted on standard error; with --json
  \"findings\" has it, as 'locator audit --json' reports it.

  Nothing is sent. A URL that would inject a line end or another command into
  the protocol has no plan; the reason is printed on standard error.

  With --json one object per line:
    {\"input\":…,\"edition\":…,\"plan\":{\"notes\":[…],
      \"session\":[{\"step\":\"connect\",…},…],\"work\":[…],\"most_sends\":…}}
  or {\"input\":…,\"edition\":…,\"error\":{…}}; spec/plan.md defines the plan.

Configuration:
  email = \"joe@example.com\"
  news_server = \"news.example.com:119\"
  proxy = \"cache.example:3128\"
  afs = \"/afs\"
  ftp_text = false
  low_ports = false
  [programs]
  telnet = [\"xterm\", \"-e\", \"telnet\", \"{host}\", \"{port}\"]
  [gateways]
  wais = \"http://gw.example/{host}/{path}?{query}\"";

impl PlanArgs {
    /// Passes the options to `give`; those of the command line take precedence over the
    /// configuration.
    fn with_options<T>(&self, config: &Config, give: impl FnOnce(&Options<'_>) -> T) -> T {
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
        let mut options = Options::new();
        options.email = self.email.as_deref().or(config.email.as_deref());
        options.news_server = news_server.as_ref().map(ServerWord::as_server);
        options.proxy = proxy.as_ref().map(ServerWord::as_server);
        options.representation = if text { TransferMode::Text } else { TransferMode::Image };
        options.ftp_tls = match (self.ssl, self.ssl_reqd) {
            (_, true) => Tls::Required,
            (true, false) => Tls::Try,
            (false, false) => Tls::Off,
        };
        options.literal_listing = self.literal_listing;
        options.programs = &programs;
        options.low_ports = self.low_ports || config.low_ports;
        options.afs = self.afs.as_deref().or(config.afs.as_deref());
        give(&options)
    }

    /// The schemes with the gateways, those of the command line last, which count.
    fn registry(&self, config: &Config) -> Registry<'static> {
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

struct Planner<'a> {
    edition: &'static Edition,
    auditor: Auditor<'static>,
    registry: Registry<'a>,
    options: &'a Options<'a>,
    form: OutputForm,
    errors: Output,
    reports: Reports,
}

#[derive(Clone, Copy)]
enum OutputForm {
    Dialogue,
    Octets,
    Json,
}

/// Plans for every input.
pub(crate) fn run(args: &PlanArgs, out: &mut Output) -> Result<Status, CliError> {
    let (config, asked) = (config::read(args.config.as_deref())?, &args.asked);
    args.with_options(&config, |options| {
        let registry = args.registry(&config);
        let form = match (asked.inputs.json, args.octets) {
            (true, _) => OutputForm::Json,
            (false, true) => OutputForm::Octets,
            (false, false) => OutputForm::Dialogue,
        };
        let edition = asked.by.edition;
        let (auditor, reports) = (findings::auditor(edition), Reports::new(&asked.inputs));
        let mut planner =
            Planner { edition, auditor, registry, options, form, errors: out.errors(), reports };
        run::run(&asked.inputs, &mut planner, out)
    })
}

impl Planner<'_> {
    fn plan(&self, octets: &[u8]) -> Result<Plan, Failure> {
        let reference = reading::read(octets, self.edition)?.reference;
        Ok(self.registry.plan(reference, self.options)?)
    }
}

impl Answer for Planner<'_> {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        let plan = self.plan(input.octets);
        let status = Status::of(plan.is_ok());
        let text = std::str::from_utf8(input.octets).unwrap_or_default();
        let findings = self.auditor.audit(text);
        match (self.form, &plan) {
            (OutputForm::Json, plan) => {
                let object = PlanObject::new(input.octets, self.edition, plan);
                json::line(out, &object.with_findings(&findings))?;
            }
            (OutputForm::Octets, Ok(plan)) => print::octets(out, &plan.to_bytes())?,
            (OutputForm::Dialogue, Ok(plan)) => {
                if input.number > 1 {
                    writeln!(out)?;
                }
                print::write(out, plan)?;
            }
            (_, Err(why)) => {
                // On a terminal, keep results and errors in the order of the input.
                out.flush()?;
                self.reports.report(&mut self.errors, input, why);
            }
        }
        if plan.is_ok() && !matches!(self.form, OutputForm::Json) {
            self.reports.note(&mut self.errors, out, input, text, &findings)?;
        }
        Ok(status)
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        Status::of(self.plan(input.octets).is_ok())
    }

    fn reports(&self) -> Option<&Reports> {
        Some(&self.reports)
    }
}
