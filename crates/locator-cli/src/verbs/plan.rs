//! The verb `plan`: prints the steps of fetching each URL. It is for a build that cannot fetch,
//! too, and has options for programs that carry out plans themselves. Both print by [`Plans`]: a plan
//! is a dialogue in colour, which the library writes in printable ASCII, or a line of JSON ([`plan_object`]).

use std::borrow::Cow;
use std::io::{self, Write};
use std::str::FromStr;

use clap::{Args, ValueEnum};
use locator::Edition;
use locator::plan::{Listing, Options, Plan, Resumption};
use locator::scheme::Registry;
use locator_audit::{Auditor, Finding};
use locator_web::report::plan_object;
use serde::Serialize;
use serde_json::Value;

use crate::arguments::config::{ServerWord, read_server};
use crate::arguments::{
    Inputs, PlanOptionArgs, QUIET_NO_ANSWER, VerbArgsOfOneEdition, daily, long_help, short_help,
};
use crate::exit::{CliError, Status};
use crate::input::{Input, reading};
use crate::output::Output;
use crate::pasted;
use crate::report::failure::Failure;
use crate::report::json::{self, ErrorObject, FindingObjects, text_of};
use crate::report::{Reports, findings};
use crate::run::{self, Answer};
use crate::terminal::paint::{FAINT, STRONG};
use crate::terminal::secrets;

/// Print the steps to fetch each URL, without sending anything
///
/// A plan shows which server to connect to, what to send and which replies to expect; no network is
/// used. 'locator get --plan' prints requests of HTTP with all headers that get sends. Common options:
/// --json prints the steps as objects, --octets only the bytes to send.
#[derive(Args, Debug)]
#[command(after_help = short_help(EXAMPLES, 7), after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
#[command(mut_args(|option| daily(option, DAILY)))]
pub(crate) struct PlanArgs {
    /// Print only the bytes that would be sent
    #[arg(long, conflicts_with = "json")]
    octets: bool,
    /// Plan to resume an FTP download after START bytes, if the server reports that the file still has
    /// LENGTH bytes and was changed at MODIFIED; without a value, only ask for length and time
    #[arg(long, value_name = "START,LENGTH,MODIFIED", num_args = 0..=1, require_equals = true)]
    resume: Option<Option<ResumeWords>>,
    /// Plan to ask only for size, time and kind of an FTP file
    #[arg(long)]
    head: bool,
    /// Plan to fetch only these bytes of an FTP file: 0-99 or 500-
    #[arg(long, value_name = "RANGE", conflicts_with = "resume", value_parser = range)]
    range: Option<ByteRange>,
    /// Plan to list an FTP directory or a newsgroup in this form; the default is names
    #[arg(long, value_name = "FORM", value_enum)]
    listing: Option<ListingWord>,
    /// Plan a request to this HTTP proxy, for URLs of every scheme
    #[arg(long, value_name = "HOST[:PORT]", value_parser = read_server)]
    proxy: Option<ServerWord>,
    #[command(flatten)]
    settings: PlanOptionArgs,
    #[command(flatten)]
    asked: VerbArgsOfOneEdition,
}

/// The options that `-h` prints.
const DAILY: &str = "octets proxy news-server ftp-type program gateway config edition file json quiet";

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator plan ftp://myname@host.dom/%2Fetc/motd
  locator plan --octets 'gopher://gopher.dom/7/search%09whales' | od -c
  locator plan --email joe@example.com ftp://host/pub/README
  locator plan --proxy cache.example:3128 ftp://host/a
  locator plan --news-server news.example.com news:comp.lang.rust
  locator plan --program 'telnet=telnet {host} {port}' telnet://host/
  locator plan --gateway 'wais=http://gw.test/{host}/{path}' wais://h/d

Exit status:
  0    every URL has a plan
  1    at least one URL has no plan
  2    wrong usage
  130  interrupted";

/// Before the examples in `--help`: output and configuration.
const DETAILS: &str = "\
Output:
  A line \"C:\" is sent by the client. A line \"S:\" lists replies of the server
  and what they mean; after them the plan continues with the next line, except
  after an arrow:
    -> first:          do the steps below first
    -> first this, then once more:   then send the command again
    -> instead:        do the steps below instead of all others
    -> an object without octets, or an error
  Any other reply is an error.
  Control characters are shown as codes, <U+0009>; other bytes that are not
  ASCII, and those of packets, as numbers, <E9>. --octets prints only the bytes
  to send, without the answers to prompts.

  Dangers of the URL are noted on standard error; with --json they are in
  \"findings\", as 'locator audit --json' reports them.

  A URL that would inject a line end or another command into the protocol has
  no plan; the reason is printed on standard error.

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

/// Where a download ended early.
#[derive(Clone, Debug)]
struct ResumeWords {
    start: u64,
    length: u64,
    modified: String,
}

impl FromStr for ResumeWords {
    type Err = &'static str;

    fn from_str(words: &str) -> Result<Self, Self::Err> {
        let wrong = "expected START,LENGTH,MODIFIED: 1000,20480,20260301120000";
        let [start, length, modified] = words.split(',').collect::<Vec<_>>()[..] else { return Err(wrong) };
        let number = |digits: &str| digits.parse().map_err(|_| wrong);
        Ok(Self { start: number(start)?, length: number(length)?, modified: modified.into() })
    }
}

/// The forms of the listing of an FTP directory, and of a newsgroup.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ListingWord {
    /// Names (NLST), and numbers of articles (LISTGROUP)
    Names,
    /// Facts and names (MLSD), or names if the server does not support it; subjects, authors and dates of
    /// articles (OVER), or numbers
    Facts,
    /// What the server prints for people (LIST)
    Long,
}

/// Bytes of a file.
#[derive(Clone, Copy, Debug)]
struct ByteRange {
    first: u64,
    /// How many there are; all others, if it is undefined.
    count: Option<u64>,
}

/// Parses the first byte and the last one of a range.
fn range(word: &str) -> Result<ByteRange, &'static str> {
    let wrong = "expected a range of bytes: 0-99 or 500-";
    let (first, last) = word.split_once('-').ok_or(wrong)?;
    let number = |digits: &str| digits.parse::<u64>().map_err(|_| wrong);
    let first = number(first)?;
    if last.is_empty() {
        return Ok(ByteRange { first, count: None });
    }
    let count = number(last)?.checked_sub(first).and_then(|count| count.checked_add(1));
    Ok(ByteRange { first, count: Some(count.ok_or(wrong)?) })
}

impl PlanArgs {
    fn resumption(&self) -> Resumption<'_> {
        match &self.resume {
            None => Resumption::Off,
            Some(None) => Resumption::Prepared,
            Some(Some(ResumeWords { start, length, modified })) => {
                Resumption::From { start: *start, length: *length, modified }
            }
        }
    }
}

/// Prints the plans of URLs, which a function makes.
pub(super) struct Plans<P> {
    edition: &'static Edition,
    auditor: Auditor<'static>,
    make: P,
    form: OutputForm,
    errors: Output,
    reports: Reports,
    /// Whether a plan was written.
    has_written: bool,
}

/// How plans are printed.
#[derive(Clone, Copy)]
pub(super) enum OutputForm {
    Dialogue,
    Octets,
    Json,
}

/// Plans for every input.
pub(crate) fn run(args: &PlanArgs, out: &mut Output) -> Result<Status, CliError> {
    let (config, asked) = (args.settings.config()?, &args.asked);
    if !asked.inputs.json && !args.octets {
        out.begin_text();
    }
    let proxy = args.proxy.as_ref().or(config.proxy.as_ref());
    args.settings.with_options(&config, proxy, |options| {
        let mut options = options.resumption(args.resumption()).head(args.head);
        options.range = args.range.map(|ByteRange { first, count }| (first, count));
        options.listing = match args.listing {
            None | Some(ListingWord::Names) => Listing::Names,
            Some(ListingWord::Facts) => Listing::Facts,
            Some(ListingWord::Long) => Listing::Long,
        };
        options.overview = options.listing == Listing::Facts;
        let options = &options;
        let registry = args.settings.registry(&config);
        let form = match (asked.inputs.json, args.octets) {
            (true, _) => OutputForm::Json,
            (false, true) => OutputForm::Octets,
            (false, false) => OutputForm::Dialogue,
        };
        let edition = asked.by.edition;
        let make = |octets: &[u8]| plan(octets, edition, &registry, options);
        let mut plans = Plans::new(&asked.inputs, edition, form, make, out);
        run::run(&asked.inputs, &mut plans, out)
    })
}

fn plan(
    octets: &[u8],
    edition: &'static Edition,
    registry: &Registry<'_>,
    options: &Options<'_>,
) -> Result<Plan, Failure> {
    let read = reading::read(octets, edition);
    let reference = read.map_err(|error| Failure::not_read(error, octets))?.reference;
    registry.plan(reference, options).map_err(|error| Failure::no_plan(error, octets))
}

impl<P: Fn(&[u8]) -> Result<Plan, Failure>> Plans<P> {
    pub(super) fn new(
        inputs: &Inputs,
        edition: &'static Edition,
        form: OutputForm,
        make: P,
        out: &Output,
    ) -> Self {
        let (auditor, reports) = (findings::auditor(edition), Reports::new(inputs));
        Self { edition, auditor, make, form, errors: out.errors(), reports, has_written: false }
    }
}

impl<P: Fn(&[u8]) -> Result<Plan, Failure>> Answer for Plans<P> {
    fn refuses_names_of_files(&self) -> Option<&'static str> {
        Some("plan")
    }

    fn unwrapped(&self, argument: &[u8]) -> Option<String> {
        pasted::unwrapped(argument, self.edition)
    }

    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        let plan = (self.make)(input.octets);
        let status = Status::of(plan.is_ok());
        let text = std::str::from_utf8(input.octets).unwrap_or_default();
        let findings = self.auditor.audit(text);
        match (self.form, &plan) {
            (OutputForm::Json, plan) => {
                let object = PlanObject::new(input.octets, self.edition, plan);
                json::line(out, &object.with_findings(&findings))?;
            }
            (OutputForm::Octets, Ok(plan)) => write_octets(out, &plan.to_bytes())?,
            (OutputForm::Dialogue, Ok(plan)) => {
                if std::mem::replace(&mut self.has_written, true) {
                    writeln!(out)?;
                }
                write_dialogue(out, plan)?;
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
        Status::of((self.make)(input.octets).is_ok())
    }

    fn reports(&self) -> Option<&Reports> {
        Some(&self.reports)
    }
}

/// Writes the bytes to send. On a terminal, bytes that are not printable ASCII are written by code,
/// and each line of the protocol on its own line.
fn write_octets(out: &mut Output, octets: &[u8]) -> io::Result<()> {
    if !out.is_terminal {
        return out.write_all(octets);
    }
    for &octet in octets {
        match octet {
            b' '..=b'~' => out.write_all(&[octet])?,
            b'\n' => writeln!(out, "<0A>")?,
            octet => write!(out, "<{octet:02X}>")?,
        }
    }
    match octets.last() {
        None | Some(b'\n') => Ok(()),
        Some(_) => writeln!(out),
    }
}

/// Writes a plan.
fn write_dialogue(out: &mut Output, plan: &Plan) -> io::Result<()> {
    let paint = out.paint;
    let dialogue = if secrets::are_shown() { format!("{plan:#}") } else { plan.to_string() };
    for line in dialogue.lines() {
        if let Some(said) = line.trim_start().strip_prefix("C: ") {
            let indentation = line.len() - line.trim_start().len();
            writeln!(out, "{:indentation$}{}{}", "", paint.with(FAINT, "C: "), paint.with(STRONG, said))?;
        } else if line.starts_with(' ') {
            writeln!(out, "{}", paint.with(FAINT, line))?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// One input, and its plan: the keys in their order.
#[derive(Serialize)]
struct PlanObject<'a> {
    input: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    edition: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<NoPlanObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<FindingObjects<'a>>,
}

/// Why there is no plan.
#[derive(Serialize)]
struct NoPlanObject<'a> {
    /// The URL whose octets it is about, if a gateway gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(flatten)]
    why: ErrorObject<'a>,
}

impl<'a> NoPlanObject<'a> {
    fn of(why: &'a Failure) -> Self {
        let url = if let Failure::Gateway { url, .. } = why { Some(url.as_str()) } else { None };
        Self { url, why: ErrorObject::why(why) }
    }
}

impl<'a> PlanObject<'a> {
    /// The object of an input and its plan, or of an error.
    fn new(octets: &'a [u8], edition: &'a Edition, plan: &'a Result<Plan, Failure>) -> Self {
        let (input, input_base64) = text_of(octets);
        let object = plan.as_ref().ok().map(|plan| plan_object(plan, secrets::are_shown()));
        let error = plan.as_ref().err().map(NoPlanObject::of);
        Self { input, input_base64, edition: edition.name, plan: object, error, findings: None }
    }

    /// Adds the findings of the URL.
    fn with_findings(self, findings: &'a [Finding]) -> Self {
        Self { findings: FindingObjects::of(findings), ..self }
    }
}
