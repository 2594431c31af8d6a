//! The verb `edit`: changes parts of references, or prints selected parts.
//!
//! Each input has one line, or several with `--iterate`. An input that is invalid or cannot be
//! edited has an empty line, so that input and output lines correspond; the reason goes to standard
//! error. With `--in` the inputs are documents ([`documents`]), and the URLs in them are edited.
//!
//! The options are named as in trurl, and parsed to changes ([`steps`]); [`format`] is what `--get` prints.

mod documents;
mod format;
mod steps;
mod whatwg;

use std::ffi::OsString;
use std::io::{self, Write};

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use locator::text::wrap;
use locator::{Edition, SpaceEncoding, UriRef, edition};
use locator_audit::Auditor;

use self::documents::{DocumentArgs, DocumentEdits};
use self::format::{Format, HostForm};
use self::steps::{Change, Changes, Given, GivenPair, Iterated, Names, Step, Steps, set_twice};
use self::whatwg::{UrlEditor, UrlShape};
use crate::arguments::{
    NULL_ENDS_RESULTS, QUIET_NO_ANSWER, RepairArgs, Standard, Suggested, TABLES, TableArgs,
    VerbArgsOfOneStandard, daily, long_help, short_help,
};
use crate::exit::{CliError, Status, say, say_error};
use crate::field::{self, Field, Nth};
use crate::input::Input;
use crate::input::reading::{self, Parsed};
use crate::output::{self, Output};
use crate::pasted;
use crate::report::failure::{self, Failure};
use crate::report::json::{self, Object};
use crate::report::{Reports, findings};
use crate::run::table::{self, LineFill};
use crate::run::{self, Answer};

/// Change parts of each URL, or print selected parts
///
/// Takes URLs as arguments or, one per line, from standard input. Common options: -s PART=DATA sets
/// a part, --unset PART removes it, --qtrim NAME removes query pairs, -g FORMAT prints parts, as
/// '{host}:{port}'.
#[derive(Args, Debug)]
#[command(after_help = short_help(EXAMPLES, 7), after_long_help = long_help(&details(), EXAMPLES))]
#[command(mut_arg("no_messages", |silent| silent.short(None)))]
#[command(mut_arg("file", |file| file.visible_alias("url-file").conflicts_with("url")))]
#[command(mut_arg("null", |null| null.help(NULL_ENDS_RESULTS)))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
#[command(mut_args(|option| daily(option, DAILY)))]
pub(crate) struct EditArgs {
    /// Set a part, such as host=example.org or path=/a
    ///
    /// Characters that are not allowed in the part are percent-encoded. PART:=TEXT
    /// writes TEXT unchanged, PART?=DATA sets the part only if it is undefined, and
    /// PART= removes it.
    #[arg(short, long, value_name = "PART=DATA", hide_possible_values = true)]
    #[arg(value_parser = Suggested::new(parser(parse_set), assignments))]
    set: Vec<Step>,
    /// Remove a part and its delimiter
    #[arg(long, value_name = "PART", hide_possible_values = true)]
    #[arg(value_parser = Suggested::new(parser(parse_unset), Field::names_to_set))]
    unset: Vec<Step>,
    /// Set a part to each value in turn, and print a URL for each
    ///
    /// If the option is repeated, all combinations are printed.
    #[arg(long, value_name = "PART=DATA DATA…", hide_possible_values = true)]
    #[arg(value_parser = Suggested::new(parser(parse_iterate), assignments))]
    iterate: Vec<Iterated>,
    /// Append path=SEGMENT to the path or query=NAME=VALUE to the query
    ///
    /// With ":=" the text is not percent-encoded, as in --set.
    #[arg(short, long, value_name = "PART=DATA", value_parser = parser(parse_append))]
    append: Vec<Step>,
    /// Remove query pairs by name; "utm_*" matches a prefix
    ///
    /// "a,b" matches two names, "a\,b" a name with a comma.
    #[arg(long, value_name = "NAME[,NAME…]", value_parser = parser(parse_qtrim))]
    qtrim: Vec<Step>,
    /// The older form of --qtrim in trurl
    #[arg(long, value_name = "query=NAME", hide = true, value_parser = parser(parse_trim))]
    trim: Vec<Step>,
    /// Set the first query pair of that name and remove the others
    #[arg(long, value_name = "NAME=VALUE", value_parser = parser(parse_replace))]
    replace: Vec<Step>,
    /// Like --replace, but append the pair if no pair has that name
    #[arg(long, value_name = "NAME=VALUE", value_parser = parser(parse_replace_append))]
    replace_append: Vec<Step>,
    /// Set pair N of that name; -1 is the last one
    ///
    /// Pairs are counted from 0. The others are not changed.
    #[arg(long, value_name = "N:NAME=VALUE", allow_hyphen_values = true, value_parser = parser(parse_replace_nth))]
    replace_nth: Vec<Step>,
    /// Sort the query pairs by name
    #[arg(long)]
    sort_query: bool,
    /// Treat "+" in query pairs as a space, as in HTML forms
    #[arg(long)]
    plus: bool,
    /// Add the scheme's default port where no port is given
    #[arg(long)]
    default_port: bool,
    /// Accepted for compatibility with trurl: a default port is always kept
    #[arg(long)]
    keep_port: bool,
    /// Write the host as a domain name in ASCII (xn--…)
    #[arg(long, visible_alias = "idna", conflicts_with = "as_idn")]
    punycode: bool,
    /// Write the host as a domain name in Unicode; the result is an IRI
    #[arg(long)]
    as_idn: bool,
    /// Replace links of mail providers, search engines and social networks by the
    /// URL in them
    ///
    /// Such as those of Microsoft Safe Links, Proofpoint URL Defense, Google and
    /// Facebook, also within each other. Nothing is fetched; other URLs stay.
    #[arg(long)]
    unwrap: bool,
    /// Resolve REF against each URL and edit the result
    #[arg(long, value_name = "REF")]
    redirect: Option<String>,
    /// Print FORMAT instead of the URL, such as '{host}:{port}'
    ///
    /// {part} is the decoded part, [part] the part as the URL has it.
    #[arg(short, long, value_name = "FORMAT", value_parser = parse_format)]
    get: Option<Format>,
    /// Print each URL for running text, as <URL:…>, in lines of COLUMNS
    ///
    /// The default is 72. Lines are not broken after "-", and 'locator find' finds
    /// the URL again (RFC 2396, appendix E).
    #[arg(long, value_name = "COLUMNS", num_args = 0..=1, require_equals = true, default_missing_value = "72")]
    #[arg(conflicts_with_all = ["get", "json", "column"])]
    wrap: Option<usize>,
    /// Edit this URL, before those given as arguments; can be repeated
    #[arg(long, value_name = "URL")]
    url: Vec<OsString>,
    #[command(flatten)]
    repair: RepairArgs,
    #[command(flatten)]
    table: TableArgs,
    /// Add the results as the column NAME; by default they replace the URLs
    #[arg(long, value_name = "NAME", requires = "column", help_heading = TABLES)]
    into: Option<String>,
    #[command(flatten)]
    asked: VerbArgsOfOneStandard,
    #[command(flatten)]
    documents: DocumentArgs,
}

/// The options that `-h` prints.
const DAILY: &str = "set unset iterate append qtrim replace sort-query unwrap get in dry-run where file json";

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator edit -s host=example.org -s scheme=https http://h/a
  locator edit --qtrim 'utm_*' --sort-query < urls.txt
  locator edit -g '{host}:{default:port}' < urls.txt
  locator edit --append 'path=a b' --append 'query=q=x&y' http://h/
  locator edit --in --where host=a.example -s host=b.example docs/
  locator edit --set path:0=v2 --unset path:-1 http://h/v1/a/b
  locator edit --replace-nth 1:q=new 'http://h/?q=a&q=b'
  locator edit -s type=i -g '{url} {cwds:-1}' ftp://h/a/b
  locator edit --iterate 'scheme=http ftp' --iterate 'port=22 80' http://h/
  locator edit --wrap=40 http://www.example.org/1994/well-known.html
  locator edit --json -f urls.txt | jq -r .host
  locator edit -e whatwg -s port=443 -g '{origin}' 'https:\\\\Example.com\\a'
  locator edit --csv --column url -g '{host}' --into host < table.csv
  locator edit --unwrap 'https://www.google.com/url?q=https://h.example/'

Exit status:
  0    every URL is edited
  1    at least one URL cannot be edited
  2    wrong usage, or a value that is not allowed in any URL
  130  interrupted";

/// Returns what precedes the examples in `--help`: the list of parts, then the rest.
fn details() -> String {
    format!("Parts:\n{}\n  {DETAILS}", field::help())
}

/// Before the examples in `--help`, after the list of parts: order, formats, output.
const DETAILS: &str = "\
Case, \"-\" and \"_\" make no difference in names. Other programs' names work,
  too, such as netloc, username and href; docs/parts.md has them. \"host\" never
  includes the port, and [part] is not normalised. A name with two meanings,
  such as \"domain\", is an error that names both. A part can be set only once. A
  port is a number up to 65535. -s query:NAME=VALUE sets the first pair of that
  name, as --replace-append does.

  Parts of schemes have the names that 'read --json' prints in \"scheme_parts\":
  type, selector, search, gopher_plus, view, language, values, attributes
  (gopher); cwds, name, type (ftp); addresses, headers (mailto); group,
  message_id, pattern (news); group, number (nntp); database, search, wtype,
  wpath, identifier (wais); databases, docid, esn, rs (z39.50s) and others.
  cwds:N is an element of a list, headers:NAME the value of a pair; the case of
  header names is ignored. In other schemes \"search\" is \"?\" and the query.

Order:
  Changes are made in this order, whatever the order of the options: unwrap,
  redirect, unset, set, iterate, appended segments, removed pairs, replaced
  pairs (by number first), appended pairs, sorting, default port. Everything
  else stays byte for byte; no port, dot segment or escape is removed. To set a
  host in a URL without a path that begins with \"/\", such as mailto:a@b, also
  set a path.
  To build a URL, start from an empty argument:
    locator edit -s scheme=http -s host=h -s path=a ''

The URL Standard:
  With -e whatwg the changes are made by the setters of URLs in browsers:
  escapes in a value stay, a host is written in ASCII, a default port is
  removed, and pairs are encoded as in forms (a space is \"+\"). A value that a
  setter ignores, such as scheme=foo for http, is an error. --default-port,
  --as-idn, --wrap and --in are for editions.

Formats:
  {part} is decoded where that gives a printable character; other escapes stay
  (%0A, %FF), and text that looks like one of them keeps its %25 (%250A). {url}
  is not decoded. Escapes and data are UTF-8; in url-1993 they are ISO 8859-1:
  é is %E9. [part] and {:part} are unchanged text.
  {query:NAME} is the value of the first pair of that name, {query-all:NAME}
  all values. {must:part} is an error if the part is undefined, {strict:part}
  if an escape cannot be decoded. {default:port} is the port or the scheme's
  default port.
  \\n \\t \\r are control characters; \\\\ \\{ and \\[ are literal.

Output:
  One line for each URL, in the same order; with --iterate one for each
  combination. A URL that is not valid or cannot be edited has an empty line,
  so that input and output lines correspond; the reason is printed on standard
  error. With --wrap a URL takes several lines.

  With --json one object for each line. It has the keys of 'read --json' for
  the result, \"input\", \"result\" and \"pairs\" (names and values as in
  {part}); if the edit failed, \"valid\":false and \"error\":{…}. The error has
  \"kind\", \"message\", \"component\", \"rule\" and \"see\", and \"edit\" if an
  option caused it. Its \"offset\" and \"length\" count bytes of the input; of
  the option's value if \"of\" is \"value\"; of the text in its \"result\" if
  \"of\" is \"result\". \"findings\" has what is dangerous in the result.

  With --csv, --tsv or --ndjson the input is a table, in files or standard
  input, and so is the output: the result replaces the URL in the column of
  --column. All other bytes stay, and so does a URL that cannot be edited.

Documents:
  With --in the arguments are documents, and the URLs that 'locator find' finds
  in them are edited: links of HTML, Markdown, XML and the other formats, URLs
  in text and in code. A new URL is escaped as its place needs it (&amp; in
  HTML, \\( in Markdown, \\/ in JSON where the old one has it); all other bytes
  stay, and 'locator find' then finds exactly the edited URLs. A file is
  replaced at once, with its permissions; a symbolic link stays one, and the
  file that it leads to is rewritten. Unchanged files are not touched. Files of
  a directory are those that find searches.

  Each changed file has a line, FILE: N URLs changed; with --dry-run the patch
  is printed. A URL that cannot be edited stays, its error has its line and
  column, and the exit status is 1: one that is not valid (--repair mends what
  browsers mend; -e rfc3987 takes letters such as é), or whose place cannot be
  written, as in base64, or in a format with lengths of its parts (PDF, HTTP,
  WARC). A file that cannot be read or written, or is an archive, is status 2.

  An edit of the scheme, user, host or port leaves URLs without a host alone
  (a.html, mailto:a@b). With --json one object for each URL that is changed or
  cannot be: {\"file\":…,\"line\":…,\"column\":…,\"offset\":…,\"length\":…,
  \"url\":…} and \"result\" or \"error\".

Differences from trurl:
  Every URI is edited, mailto:a@b too; no scheme is guessed. A host without
  \"//\" gets it with its scheme: -s scheme=https makes https://example.com of
  example.com. Only characters that must be are encoded: --set query='a=1&b'
  keeps \"=\" and \"&\". \"+\" is a space only with --plus. Names of query pairs
  are case-sensitive; sorting keeps the order of pairs with the same name.
  [part] differs from {part}, and a format can contain both. PART:= sets an
  empty part. There is no
  --query-separator; --repair replaces --accept-space. --no-guess-scheme,
  --verify and --urlencode ([part]) are not needed. --as-idn and {idn:…}
  produce an IRI.";

struct Editor {
    edition: &'static Edition,
    auditor: Auditor<'static>,
    steps: Steps,
    /// Whether each input has several results.
    is_iterating: bool,
    /// Whether there is one URL, as an argument, about which notes may be printed.
    is_alone: bool,
    space: SpaceEncoding,
    /// The form of hosts, if one is asked for.
    host: Option<HostForm>,
    shape: Shape,
    /// Whether what is not valid is repaired first.
    repair: bool,
    /// Whether NUL separates inputs and results.
    null: bool,
    /// The input, if another text is read in its place.
    given: Option<Vec<u8>>,
    errors: Output,
    reports: Reports,
}

/// An input as it was given, and what was read in its place.
struct GivenInput<'i> {
    octets: &'i [u8],
    repaired: Option<&'i str>,
}

/// What is printed of a reference.
enum Shape {
    /// All of it.
    Text,
    /// All of it, for running text, in lines of so many columns.
    Wrapped(usize),
    /// What a format names.
    Format(Format),
    /// An object.
    Json,
}

/// Edits every input.
pub(crate) fn run(args: EditArgs, out: &mut Output) -> Result<Status, CliError> {
    if args.get.is_some() && args.asked.inputs.json {
        say_error("--json prints every part, so it cannot be combined with --get; omit one of them");
        return Err(CliError::Reported);
    }
    let Standard::Edition(edition) = args.asked.by.edition else { return edit_urls(args, out) };
    let space = args.space();
    let steps = args.steps(edition).map_err(|why| {
        say_error(&why);
        CliError::Reported
    })?;
    if args.documents.documents {
        let (host, repair, inputs) = (args.host_form(), args.repair.repair, args.asked.inputs);
        let edits = DocumentEdits { asked: args.documents, inputs, steps, edition, space, host, repair };
        return documents::run(edits, out);
    }
    let table = args.table.output(args.asked.inputs.json, steps.count() > 1)?;
    let is_silent = args.asked.inputs.is_silent();
    if let Some(host) = pasted::bare_host(&args.asked.inputs.urls)
        .filter(|_| !is_silent && args.host_form().is_some() && args.set.is_empty())
    {
        let option = if args.as_idn { "--as-idn" } else { "--punycode" };
        say(&format!(
            "{host} has no \"//\" before it, so it is read as a path; type: locator edit {option} //{host}"
        ));
    }
    let (host, repair, mut asked) = (args.host_form(), args.repair.repair, args.asked);
    let shape = match args.get {
        Some(format) => Shape::Format(format),
        None if asked.inputs.json => Shape::Json,
        None => args.wrap.map_or(Shape::Text, Shape::Wrapped),
    };
    asked.inputs.urls.splice(0..0, args.url);
    let (errors, reports) = (out.errors(), Reports::new(&asked.inputs));
    let (auditor, given) = (findings::auditor(edition), None);
    let (is_iterating, null) = (steps.count() > 1, asked.inputs.null);
    let is_alone = !is_silent && asked.inputs.urls.len() == 1;
    let mut editor = Editor {
        is_iterating,
        is_alone,
        edition,
        auditor,
        steps,
        space,
        host,
        shape,
        repair,
        null,
        given,
        errors,
        reports,
    };
    match table {
        Some(table) => {
            let mut lines = LineFill::new(editor, args.into.as_deref());
            table::fill(table, &asked.inputs, &mut lines, out)
        }
        None => run::run(&asked.inputs, &mut editor, out),
    }
}

/// Says what the default port of a URL without a port is.
fn say_default_port(url: UriRef<'_>) {
    if let Some(port) = url.port_or_known_default() {
        say(&format!(
            "no port is written; for the default, {port}, type: locator edit -g effective_port URL"
        ));
    }
}

/// Edits every input by the URL Standard.
fn edit_urls(args: EditArgs, out: &mut Output) -> Result<Status, CliError> {
    let wrong = |why: String| {
        say_error(&why);
        CliError::Reported
    };
    if let Some(why) = args.of_edition() {
        return Err(wrong(why));
    }
    let steps = args.changes().and_then(Steps::sorted).map_err(wrong)?;
    steps.check_for_url().map_err(wrong)?;
    let table = args.table.output(args.asked.inputs.json, steps.count() > 1)?;
    let mut asked = args.asked;
    let shape = match args.get {
        Some(format) => UrlShape::Format(format),
        None if asked.inputs.json => UrlShape::Json,
        None => UrlShape::Text,
    };
    asked.inputs.urls.splice(0..0, args.url);
    let (errors, reports) = (out.errors(), Reports::new(&asked.inputs));
    let (auditor, null) = (findings::auditor(edition::DEFAULT), asked.inputs.null);
    let mut editor = UrlEditor { steps, shape, null, auditor, errors, reports };
    match table {
        Some(table) => {
            let mut lines = LineFill::new(editor, args.into.as_deref());
            table::fill(table, &asked.inputs, &mut lines, out)
        }
        None => run::run(&asked.inputs, &mut editor, out),
    }
}

/// Why a URL is not written for running text.
fn not_wrapped(reference: UriRef<'_>) -> Failure {
    let message = match reference.scheme() {
        None => {
            "a reference without a scheme is not recognised in text; resolve it, or set its scheme and host"
        }
        Some(_) => "the URL would not be found in text again: it has no host, or contains white space",
    };
    let see = Some("RFC 2396, appendix E".to_owned());
    Failure::Other { kind: "not-wrapped", message: message.to_owned(), see, place: None }
}

impl Answer for Editor {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        let repaired = self.repaired(input);
        let given = input.octets;
        self.given = repaired.is_some().then(|| given.to_vec());
        let input = Input { octets: repaired.as_deref().map_or(given, str::as_bytes), ..input };
        let slashed = self.slashed(input.octets);
        let reading = reading::read(slashed.as_deref().map_or(input.octets, str::as_bytes), self.edition);
        if let (Some(repaired), Ok(_), false) = (&repaired, &reading, matches!(self.shape, Shape::Json)) {
            out.flush()?;
            failure::remark_repaired(&mut self.errors, &input.place(0), repaired);
        }
        match reading {
            Ok(Parsed { reference, .. }) if self.steps.is_empty() => self.one(input, Ok(reference), out),
            Ok(Parsed { reference, .. }) => self.each(input, reference, out),
            Err(error) => {
                let is_given = self.repair && self.given.is_none();
                let error: Failure =
                    if is_given { Failure::not_repaired(input.octets, error) } else { error.into() };
                // As many lines as it would have had.
                (1..self.steps.count()).try_for_each(|_| self.line_of_nothing(input, &error, out))?;
                self.one(input, Err(error), out)
            }
        }
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        let repaired = self.repaired(input);
        let octets = repaired.as_deref().map_or(input.octets, str::as_bytes);
        let slashed = self.slashed(octets);
        let octets = slashed.as_deref().map_or(octets, str::as_bytes);
        let Ok(Parsed { reference, .. }) = reading::read(octets, self.edition) else {
            return Status::NotValid;
        };
        let mut status = Status::Valid;
        let judged = self.steps.each(reference, self.space, |edited| {
            status = status.and(Status::of(edited.and_then(|edited| self.judge_formed(edited)).is_ok()));
            Ok(())
        });
        status.and(Status::of(judged.is_ok()))
    }

    fn reports(&self) -> Option<&Reports> {
        Some(&self.reports)
    }

    fn refuses_names_of_files(&self) -> Option<&'static str> {
        Some("edit")
    }

    fn unwrapped(&self, argument: &[u8]) -> Option<String> {
        if self.repair { None } else { pasted::unwrapped(argument, self.edition) }
    }
}

impl Editor {
    /// The input as it was given, and what was read in its place.
    fn given<'i>(&'i self, input: Input<'i>) -> GivenInput<'i> {
        match &self.given {
            Some(given) => GivenInput { octets: given, repaired: std::str::from_utf8(input.octets).ok() },
            None => GivenInput { octets: input.octets, repaired: None },
        }
    }

    /// What is read in place of an input that is not valid, if it is to be repaired.
    fn repaired(&self, input: Input<'_>) -> Option<String> {
        self.repair.then(|| reading::repaired(input.octets, self.edition)).flatten()
    }

    /// What is read in place of an input that is not valid, because it is a host without a scheme and
    /// "//": what the steps make of it is valid.
    fn slashed(&self, octets: &[u8]) -> Option<String> {
        let slashed = self.steps.with_slashes(octets)?;
        reading::read(octets, self.edition).is_err().then_some(slashed)
    }

    fn each(&mut self, input: Input<'_>, reference: UriRef<'_>, out: &mut Output) -> io::Result<Status> {
        let mut status = Status::Valid;
        // Errors are reported with `self`, so the steps are moved out meanwhile.
        let steps = std::mem::take(&mut self.steps);
        let result = steps.each(reference, self.space, |edited| {
            status = status.and(self.one(input, edited, out)?);
            Ok(())
        });
        self.steps = steps;
        result.map(|()| status)
    }

    /// One line for one reference.
    fn one(
        &mut self,
        input: Input<'_>,
        edited: Result<UriRef<'_>, Failure>,
        out: &mut Output,
    ) -> io::Result<Status> {
        let form = |edited| self.host.map_or(Ok(None), |form| form.of(edited));
        let formed = match edited.and_then(|edited| Ok((edited, form(edited)?))) {
            Ok((edited, None)) => Ok(edited),
            Ok((_, Some(ref formed))) => return self.one_formed(input, Ok(formed.as_uri_ref()), out),
            Err(why) => Err(why),
        };
        self.one_formed(input, formed, out)
    }

    /// The same, with its host in the form that is asked for.
    fn one_formed(
        &mut self,
        input: Input<'_>,
        edited: Result<UriRef<'_>, Failure>,
        out: &mut Output,
    ) -> io::Result<Status> {
        match edited.and_then(|edited| self.judge_one(edited).map(|()| edited)) {
            Ok(edited) => {
                match &self.shape {
                    Shape::Text => output::line(out, edited.as_str())?,
                    Shape::Wrapped(columns) => {
                        output::line(out, &wrap(edited, *columns).unwrap_or_default())?;
                    }
                    Shape::Format(format) => {
                        if self.is_alone && format.is_port() && edited.port().is_none() {
                            say_default_port(edited);
                        }
                        format.write(out, edited, self.space)?;
                    }
                    Shape::Json => {
                        let GivenInput { octets, repaired } = self.given(input);
                        let findings = self.auditor.audit(edited.as_str());
                        let object = Object::edited(edited, self.space).with_findings(&findings);
                        json::line(out, &object.of(octets).repaired(repaired))?;
                        return Ok(Status::Valid);
                    }
                }
                if out.is_terminal {
                    let findings = self.auditor.audit(edited.as_str());
                    self.reports.note(&mut self.errors, out, input, edited.as_str(), &findings)?;
                }
                Ok(Status::Valid)
            }
            Err(why) => {
                self.line_of_nothing(input, &why, out)?;
                self.report(input, &why, out)?;
                Ok(Status::NotValid)
            }
        }
    }

    /// Checks that the host has the requested form, and the conditions of the format.
    fn judge_formed(&self, edited: UriRef<'_>) -> Result<(), Failure> {
        match self.host.map_or(Ok(None), |form| form.of(edited))? {
            None => self.judge_one(edited),
            Some(formed) => self.judge_one(formed.as_uri_ref()),
        }
    }

    /// Checks the conditions of the format.
    #[inline]
    fn judge_one(&self, edited: UriRef<'_>) -> Result<(), Failure> {
        match &self.shape {
            Shape::Format(format) => format.check(edited, self.space),
            Shape::Wrapped(columns) => wrap(edited, *columns).map(drop).ok_or_else(|| not_wrapped(edited)),
            _ => Ok(()),
        }
    }

    fn line_of_nothing(&self, input: Input<'_>, why: &Failure, out: &mut Output) -> io::Result<()> {
        match self.shape {
            Shape::Json => {
                let GivenInput { octets, repaired } = self.given(input);
                json::line(out, &Object::not_edited(self.edition, why).of(octets).repaired(repaired))
            }
            // Lines stay in step with those of the input; there is only one.
            _ if input.alone && !self.is_iterating => Ok(()),
            // An empty item would be an empty argument for `xargs -0`.
            _ if self.null => Ok(()),
            _ => output::end_line(out),
        }
    }

    #[cold]
    fn report(&mut self, input: Input<'_>, why: &Failure, out: &mut Output) -> io::Result<()> {
        if matches!(self.shape, Shape::Json) {
            return Ok(());
        }
        // On a terminal, keep results and errors in the order of the input.
        out.flush()?;
        self.reports.report(&mut self.errors, input, why);
        Ok(())
    }
}

impl EditArgs {
    /// How a space is written in a pair.
    const fn space(&self) -> SpaceEncoding {
        if self.plus { SpaceEncoding::Plus } else { SpaceEncoding::Percent20 }
    }

    /// The form that hosts are written in, if one is asked for.
    const fn host_form(&self) -> Option<HostForm> {
        match (self.punycode, self.as_idn) {
            (true, _) => Some(HostForm::Ascii),
            (false, true) => Some(HostForm::Unicode),
            (false, false) => None,
        }
    }

    /// Returns the changes to each reference, or why no reference can be changed this way.
    fn steps(&self, edition: &'static Edition) -> Result<Steps, String> {
        Steps::new(self.changes()?, edition)
    }

    /// Returns the changes as the command line has them.
    fn changes(&self) -> Result<Changes, String> {
        if let Some(step) = self.set_twice() {
            return Err(set_twice(step));
        }
        Ok(Changes {
            unwrap: self.unwrap,
            redirect: self.redirect.clone(),
            removed_and_set: self.removed_and_set(),
            iterated: self.iterate.clone(),
            after_that: self.after_that(),
        })
    }

    /// Returns what to do instead of an option that the URL Standard has no use for, if one is given.
    fn of_edition(&self) -> Option<String> {
        let instead = match self {
            _ if self.documents.documents => {
                "--in edits documents by an edition; type --repair in place of -e whatwg, which mends what \
                 browsers mend"
            }
            Self { wrap: Some(_), .. } => {
                "--wrap is for an edition; type: locator edit -e whatwg URL | locator edit --wrap -"
            }
            Self { as_idn: true, .. } => {
                "the URL Standard writes hosts in ASCII; to print one in Unicode, use -g '{idn:host}'"
            }
            Self { unwrap: true, .. } => "--unwrap is for an edition; omit -e whatwg",
            Self { default_port: true, .. } => {
                "the URL Standard removes a default port from a URL; to print it, use -g '{default:port}'"
            }
            _ => return None,
        };
        Some(instead.to_owned())
    }

    /// The second `--set` of one part, if there is one.
    fn set_twice(&self) -> Option<&Step> {
        let is_before =
            |(at, step): &(usize, &Step)| self.set[..*at].iter().any(|other| other.is_of_part(step));
        self.set.iter().enumerate().find(is_before).map(|(_, step)| step)
    }

    /// What is removed and what is set.
    fn removed_and_set(&self) -> Vec<Step> {
        self.unset.iter().chain(&self.set).cloned().collect()
    }

    /// What is done after that, in trurl's order.
    fn after_that(&self) -> Vec<Step> {
        let (segments, pairs): (Vec<&Step>, Vec<_>) =
            self.append.iter().partition(|step| matches!(step.change, Change::AppendSegment(_)));
        let flag =
            |is_there: bool, said: &str, change| is_there.then(|| Step { said: said.to_owned(), change });
        let (sort, port) = (
            flag(self.sort_query, "--sort-query", Change::Sort),
            flag(self.default_port, "--default-port", Change::DefaultPort),
        );
        let trimmed = self.qtrim.iter().chain(&self.trim);
        let replaced = self.replace_nth.iter().chain(&self.replace).chain(&self.replace_append);
        segments
            .into_iter()
            .chain(trimmed)
            .chain(replaced)
            .chain(pairs)
            .cloned()
            .chain(sort)
            .chain(port)
            .collect()
    }
}

/// Says in an error about `-s` without an assignment what the option is in other verbs.
pub(crate) fn explain(mut error: clap::Error) -> clap::Error {
    let argument = |error: &clap::Error, kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    let value = argument(&error, ContextKind::InvalidValue);
    let name = value.split('=').next().unwrap_or_default();
    let is_assignment = value.contains('=') && !name.contains(['/', '.']);
    if !argument(&error, ContextKind::InvalidArg).starts_with("--set ") || is_assignment {
        return error;
    }
    error.remove(ContextKind::ValidValue);
    let tip = "in edit '-s' is '--set', as in trurl; what it is elsewhere is '--no-messages'";
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

/// A parser that reads octets, for arguments need not be text.
fn parser<T: Clone + Send + Sync + 'static>(
    read: fn(&[u8]) -> Result<T, String>,
) -> impl TypedValueParser<Value = T> {
    OsStringValueParser::new().try_map(move |given: OsString| read(given.as_encoded_bytes()))
}

/// The beginnings of what sets a part, for completions.
fn assignments() -> Vec<String> {
    Field::names_to_set().into_iter().map(|name| name + "=").collect()
}

fn parse_format(given: &str) -> Result<Format, String> {
    Format::read(given)
}

/// `part`, `:=` or `=`, and a value.
struct Assignment<'a> {
    part: &'a str,
    is_raw: bool,
    only_if_undefined: bool,
    value: &'a [u8],
}

impl<'a> Assignment<'a> {
    fn read(given: &'a [u8], expected: &str) -> Result<Self, String> {
        let expected = || format!("expected {expected}");
        let at = given.iter().position(|&octet| octet == b'=').ok_or_else(expected)?;
        let part = std::str::from_utf8(&given[..at]).map_err(|_| expected())?;
        let (is_raw, part) = part.strip_suffix(':').map_or((false, part), |part| (true, part));
        let (only_if_undefined, part) = part.strip_suffix('?').map_or((false, part), |part| (true, part));
        Ok(Self { part, is_raw, only_if_undefined, value: &given[at + 1..] })
    }

    fn given(&self, value: &[u8]) -> Result<Given, String> {
        given(value, self.is_raw)
    }
}

fn given(value: &[u8], is_raw: bool) -> Result<Given, String> {
    if !is_raw {
        return Ok(Given::Data(value.to_vec()));
    }
    match String::from_utf8(value.to_vec()) {
        Ok(text) => Ok(Given::Raw(text)),
        Err(_) => Err("text after \":=\" must be UTF-8".to_owned()),
    }
}

fn step(flag: &str, given: &[u8], change: Change) -> Step {
    Step { said: format!("{flag} {}", String::from_utf8_lossy(given)), change }
}

fn parse_set(octets: &[u8]) -> Result<Step, String> {
    let read = Assignment::read(octets, "PART=DATA, or PART:=TEXT to write TEXT unchanged")?;
    let field = Field::settable(read.part)?;
    let value = read.given(read.value)?;
    // "Setting blank string ("") clears the component" (trurl); what is written as it is may be
    // empty.
    let change = match value {
        Given::Data(data) if data.is_empty() && !read.only_if_undefined => Change::Clear(field),
        value => Change::Set { field, value, only_if_undefined: read.only_if_undefined },
    };
    Ok(step("--set", octets, change))
}

fn parse_unset(octets: &[u8]) -> Result<Step, String> {
    let name = String::from_utf8_lossy(octets);
    Ok(step("--unset", octets, Change::Remove(Field::settable(&name)?)))
}

fn parse_iterate(octets: &[u8]) -> Result<Iterated, String> {
    let read = Assignment::read(octets, "PART=DATA DATA…, separated by spaces")?;
    let field = Field::settable(read.part)?;
    let values = read.value.split(|&octet| octet == b' ').filter(|value| !value.is_empty());
    let steps: Vec<_> = values
        .map(|value| {
            let colon = if read.is_raw { ":" } else { "" };
            let said = format!("--iterate {}{colon}={}", read.part, String::from_utf8_lossy(value));
            let value = read.given(value)?;
            let only_if_undefined = read.only_if_undefined;
            Ok(Step { said, change: Change::Set { field, value, only_if_undefined } })
        })
        .collect::<Result<_, String>>()?;
    if steps.is_empty() { Err("no values to iterate over".to_owned()) } else { Ok(Iterated { steps }) }
}

fn parse_append(octets: &[u8]) -> Result<Step, String> {
    let expected = "path=SEGMENT or query=NAME=VALUE";
    let read = Assignment::read(octets, expected)?;
    let change = match read.part {
        "path" | "pathname" => Change::AppendSegment(read.given(read.value)?),
        "query" | "search" => Change::AppendPair(pair(read.value, read.is_raw)?),
        part => return Err(format!("cannot append to \"{part}\"; expected {expected}")),
    };
    Ok(step("--append", octets, change))
}

fn pair(octets: &[u8], is_raw: bool) -> Result<GivenPair, String> {
    let (name, value) = match octets.iter().position(|&octet| octet == b'=') {
        Some(at) => (&octets[..at], Some(&octets[at + 1..])),
        None => (octets, None),
    };
    let value = value.map(|value| given(value, is_raw)).transpose()?;
    Ok(GivenPair { name: given(name, is_raw)?, value })
}

fn parse_replace(octets: &[u8]) -> Result<Step, String> {
    let change = Change::Replace { pair: pair(octets, false)?, append: false };
    Ok(step("--replace", octets, change))
}

fn parse_replace_append(octets: &[u8]) -> Result<Step, String> {
    let change = Change::Replace { pair: pair(octets, false)?, append: true };
    Ok(step("--replace-append", octets, change))
}

fn parse_replace_nth(octets: &[u8]) -> Result<Step, String> {
    let expected = "expected N:NAME=VALUE";
    let at = octets.iter().position(|&octet| octet == b':').ok_or(expected)?;
    let nth = Nth::read(&String::from_utf8_lossy(&octets[..at]))?;
    let pair = &octets[at + 1..];
    let (name, value) = match pair.iter().position(|&octet| octet == b'=') {
        Some(at) => (&pair[..at], Some(Given::Data(pair[at + 1..].to_vec()))),
        None => (pair, None),
    };
    Ok(step("--replace-nth", octets, Change::ReplaceNth { nth, name: name.to_vec(), value }))
}

fn parse_qtrim(octets: &[u8]) -> Result<Step, String> {
    Ok(step(
        "--qtrim",
        octets,
        Change::Trim(comma_separated(octets).iter().map(|name| name_pattern(name)).collect()),
    ))
}

/// Splits at commas; a backslash before a comma makes it literal.
fn comma_separated(octets: &[u8]) -> Vec<Vec<u8>> {
    let mut list = vec![Vec::new()];
    let mut rest = octets.iter();
    while let Some(&octet) = rest.next() {
        match (octet, rest.as_slice().first(), list.last_mut()) {
            (b',', ..) => list.push(Vec::new()),
            (b'\\', Some(b','), Some(name)) => {
                rest.next();
                name.push(b',');
            }
            (_, _, Some(name)) => name.push(octet),
            _ => {}
        }
    }
    list
}

fn parse_trim(octets: &[u8]) -> Result<Step, String> {
    let read = Assignment::read(octets, "query=NAME")?;
    match read.part {
        "query" | "search" => Ok(step("--trim", octets, Change::Trim(vec![name_pattern(read.value)]))),
        part => Err(format!("cannot trim \"{part}\"; expected query=NAME")),
    }
}

/// A name; a "*" at its end is any end, `\*` is itself.
fn name_pattern(octets: &[u8]) -> Names {
    match (octets.strip_suffix(b"\\*"), octets.strip_suffix(b"*")) {
        (Some(before), _) => Names::Only([before, b"*"].concat()),
        (None, Some(beginning)) => Names::BeginWith(beginning.to_vec()),
        (None, None) => Names::Only(octets.to_vec()),
    }
}
