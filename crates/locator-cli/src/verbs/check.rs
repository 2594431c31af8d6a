//! The verb `check`: reports the errors of invalid inputs and warns of valid ones that are probably
//! not intended.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{self, Write};

use clap::Args;
use locator::{Component, Edition, ParseError, UriRef};

use crate::arguments::{RepairArgs, Selection, TableArgs, UrlTable, VerbArgs, long_help};
use crate::exit::{CliError, Status, say_valid};
use crate::input::reading::{self, Key, Parsed};
use crate::input::url_standard::{self, Beside, UrlError};
use crate::input::{Input, Origin, STDIN};
use crate::output::Output;
use crate::pasted;
use crate::report::failure::Failure;
use crate::report::findings::{self, Warning};
use crate::report::json::{self, ErrorObject, Object};
use crate::report::{At, Reports, Total, failure, plural};
use crate::run::table;
use crate::run::{self, Answer, Skips};
use crate::terminal::{Word, secrets};
use crate::verbs::whatwg::{Last, UrlCheck};

/// Report the errors of each URL that is not valid
///
/// Prints nothing for a valid URL; for others it shows the error, its position and the rule. Common
/// options: -f FILE reads URLs from a file, -r allows relative references, -a reports every error of a
/// URL.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("json", |json| json.help(JSON)))]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    asked: VerbArgs,
    #[command(flatten)]
    checks: Checks,
    #[command(flatten)]
    repair: RepairArgs,
    #[command(flatten)]
    table: TableArgs,
}

/// What is checked besides the grammar, and which errors are reported.
#[derive(Args, Debug)]
struct Checks {
    /// Report every error of a URL, not only the first
    #[arg(short, long)]
    all: bool,
    /// Allow relative references, such as ../a; by default a URL needs a scheme
    #[arg(short, long, conflicts_with = "absolute")]
    relative: bool,
    /// Require a scheme, which is the default
    #[arg(short = 'A', long, hide = true)]
    absolute: bool,
    /// Treat warnings as errors, such as one about a port above 65535
    ///
    /// Warnings are about valid URLs that are probably not intended; with -e whatwg
    /// they are the validation errors that browsers repair.
    #[arg(short, long, visible_alias = "strict")]
    lint: bool,
    /// Expect FILE:LINE:COLUMN: before each URL, as 'locator find -n' prints it
    #[arg(long)]
    places: bool,
}

/// The help of `--json`.
const JSON: &str = "Print one JSON object per line for each URL that is not valid";

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator check 'http://example.com/a b'
  locator check --all 'http://a b/c|d'
  locator check -f urls.txt
  locator check --json < urls.txt | jq .error.message
  locator check -e whatwg --strict 'https:\\\\example.com/a|b'
  locator find -n docs/ | locator check --places
  if locator check -q --lint -- \"$url\"; then echo fine; fi

Exit status:
  0    every URL is valid (with -e all: in every edition)
  1    at least one URL is not valid (with --lint: or has a warning)
  2    wrong usage
  130  interrupted";

/// Before the examples in `--help`: input and output.
const DETAILS: &str = "\
Input:
  A line ends with LF or CR LF. Blank lines are skipped. With -0 URLs are
  separated by NUL, and every other byte belongs to the URL.

  A URL without a scheme is an error, so 'foo' and 'example.com' do not pass;
  --relative allows relative references. What looks like a host with a port,
  example.com:8080, is an error with it, too. After \"--\" an argument \"-\" is a
  URL and not standard input.

Output:
  Each invalid URL gets a report; with -e all, one for each edition that
  rejects it. The first ten reports show the URL and mark the error; the others
  have one line each. The number of invalid URLs is printed on standard error.
  Passwords are hidden unless --show-secrets is given; in JSON they never are.
  With --all, the errors of the generic grammar and of the edition's rule for
  the scheme come from left to right. The rule is not checked any further after
  a part that is missing.

  A URL that is valid but probably not intended gets a warning on standard
  error, which does not change the exit status: an unregistered scheme with a
  name similar to a registered one, a password, a port above 65535, a URL that
  does not have the form of its scheme (http:///x), or \"URL:\" before the URL.
  With --lint a warning is an error: it is printed on standard output and the
  exit status is 1. With -s, and with --json but not --lint, there are no
  warnings.

  With -e whatwg a URL is valid if browsers read it. What they repair, a
  validation error of the URL Standard, is a warning, and with --strict an
  error; -a reports all of them. -e all has it as the last edition, and a
  warning if browsers read another host than RFC 3987.

  With --places the location of each URL, as 'locator find -n' prints it,
  begins every report; in JSON it is \"place\".

  With --csv, --tsv or --ndjson the URLs are in the column of --column of a
  table, in files or standard input; a report has the place of the cell.

  With --repair, delimiters around the URL (white space, \"<\", \">\", quotes) and
  line breaks in it are removed, and characters not allowed in a URL are
  percent-encoded, as browsers do. The repaired URL is printed on standard
  error; it is valid.

  With --json one object for each invalid URL and edition:
    {\"input\":…,\"file\":…,\"line\":17,\"edition\":…,\"valid\":false,
     \"error\":{…},\"errors\":[…]}
  \"error\" is the first error; with --all, \"errors\" has every error. \"file\" is
  that of -f. \"line\" is \"argument\" for an argument and \"item\" with -0; all
  count from 1. A valid URL has no object; with --lint, one with warnings has
  \"warnings\":[{\"kind\":\"near-scheme\",…},…]; the other kinds are \"password\",
  \"port\", \"form\", \"no-host\", \"prefix\" and \"place\".";

/// An input, and the location before its URL.
struct Located<'a> {
    input: Input<'a>,
    place: Option<Cow<'a, str>>,
}

impl Located<'_> {
    fn at(&self) -> At<'_> {
        At { input: self.input, given: self.place.as_deref() }
    }
}

struct Check<'a> {
    selection: Selection,
    /// The file of the URLs.
    file: Option<&'a [u8]>,
    /// Whether URLs are in tables, each of which has a name.
    is_table: bool,
    json: bool,
    checks: &'a Checks,
    reports: Reports,
    /// Where warnings go that change no status, so that they are not taken for errors.
    errors: Output,
    /// Whether invalid URLs are repaired.
    repair: bool,
}

/// Checks every input.
pub(crate) fn run(args: &CheckArgs, out: &mut Output) -> Result<Status, CliError> {
    let CheckArgs { asked, checks, repair, table } = args;
    let table = table.input()?;
    if !asked.inputs.json {
        out.begin_text();
    }
    let (reports, errors) = (Reports::new(&asked.inputs), out.errors());
    let file = asked.inputs.file.as_deref().filter(|file| *file != "-").map(OsStr::as_encoded_bytes);
    let is_table = table.is_some();
    if asked.edition.is_url_standard() {
        let Checks { all, relative, lint: strict, places, .. } = *checks;
        let json = asked.inputs.json;
        let mut verb = UrlCheck { file, is_table, json, all, relative, strict, places, reports, errors };
        let status = run_verb(table, asked, &mut verb, out)?;
        say_all_valid(asked, is_table, status, verb.reports.warned());
        return Ok(status);
    }
    let mut verb = Check {
        selection: asked.edition,
        file,
        json: asked.inputs.json,
        is_table,
        checks,
        reports,
        errors,
        repair: repair.repair,
    };
    let status = run_verb(table, asked, &mut verb, out)?;
    say_all_valid(asked, is_table, status, verb.reports.warned());
    Ok(status)
}

fn run_verb(
    table: Option<UrlTable<'_>>,
    asked: &VerbArgs,
    verb: &mut impl Answer,
    out: &mut Output,
) -> Result<Status, CliError> {
    match table {
        Some(table) => table::each(table, &asked.inputs, verb, out),
        None => run::run(&asked.inputs, verb, out),
    }
}

/// Says at a terminal that all arguments are valid, and how many warnings there were.
fn say_all_valid(asked: &VerbArgs, is_table: bool, status: Status, warned: u64) {
    let is_heard = !is_table && !asked.inputs.quiet && !asked.inputs.json && !asked.inputs.no_messages;
    if let Some(count) = asked.inputs.count().filter(|_| status == Status::Valid && is_heard) {
        let warned = match warned {
            0 => String::new(),
            warned => format!(", {}", plural(warned, "warning")),
        };
        say_valid(&format!("{}{warned}", in_editions(asked.edition, count)));
    }
}

/// Returns by what URLs are valid: `in RFC 3986`, `in every edition: all 3 URLs`.
fn in_editions(selection: Selection, urls: usize) -> String {
    let edition = match selection {
        Selection::All => "every edition",
        Selection::UrlStandard => "the URL Standard",
        Selection::One(edition) => edition.document,
    };
    match urls {
        1 => format!("in {edition}"),
        _ => format!("in {edition}: all {urls} URLs"),
    }
}

impl Answer for Check<'_> {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        // A blank cell is no URL, as a blank line is none.
        if self.is_table && input.octets.trim_ascii().is_empty() {
            return Ok(Status::Valid);
        }
        let mut located = self.located(input);
        let repaired = self.repaired(located.input.octets);
        if let Some(repaired) = &repaired {
            out.flush()?;
            failure::remark_repaired(&mut self.errors, &located.at().place(0), repaired);
            located.input.octets = repaired.as_bytes();
        }
        let checked = match self.valid(located.input.octets) {
            Some(reference) => Checked { status: Status::Valid, newest: Some(reference) },
            None => self.by_editions(&located, out)?,
        };
        match checked.newest {
            Some(reference) if self.warns() => Ok(checked.status.and(self.warn(&located, reference, out)?)),
            _ => Ok(checked.status),
        }
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        let mut located = self.located(input);
        let repaired = self.repaired(located.input.octets);
        if let Some(repaired) = &repaired {
            located.input.octets = repaired.as_bytes();
        }
        if let Some(reference) = self.valid(located.input.octets) {
            let has_warnings = || !findings::warnings(reference, located.place.is_some()).is_empty();
            return Status::of(!self.checks.lint || !has_warnings());
        }
        let is_fine = |edition: &&'static Edition| match reading::read(located.input.octets, edition) {
            Ok(Parsed { reference, .. }) => {
                !self.checks.lint || findings::warnings(reference, located.place.is_some()).is_empty()
            }
            Err(_) => false,
        };
        let is_valid = self.selection.editions().iter().all(is_fine);
        let is_refused = self.selection.is_all() && Last::of(located.input.octets).refused().is_some();
        Status::of(is_valid && !is_refused && self.lacking_scheme(located.input).is_none())
    }

    fn reports(&self) -> Option<&Reports> {
        Some(&self.reports)
    }

    fn total(&self) -> Total {
        Total::of_validity(self.checks.lint)
    }

    fn refuses_names_of_files(&self) -> Option<&'static str> {
        Some("check")
    }

    fn skips(&self) -> Skips {
        Skips::Blank
    }

    fn explains_places(&self) -> bool {
        self.checks.places || self.checks.lint
    }
}

/// What the editions say of an input.
struct Checked<'a> {
    status: Status,
    /// The reference of the newest edition that accepts it.
    newest: Option<UriRef<'a>>,
}

impl<'f> Check<'f> {
    /// Returns the reference of an input that is valid by the only edition, as nearly all are; it is read once.
    fn valid<'a>(&self, octets: &'a [u8]) -> Option<UriRef<'a>> {
        let Selection::One(edition) = self.selection else { return None };
        let reading = reading::read(octets, edition);
        let is_lacking = self.is_lacking_scheme(octets, &reading);
        reading.ok().filter(|_| !is_lacking).map(|read| read.reference)
    }

    /// Reads an input by every edition, and reports the errors.
    fn by_editions<'a>(&mut self, located: &Located<'a>, out: &mut Output) -> io::Result<Checked<'a>> {
        let (mut status, selection) = (Status::Valid, self.selection);
        let lacking = self.lacking_scheme(located.input);
        if let Some((edition, why)) = &lacking {
            status = Status::NotValid;
            self.report_failure(located, edition, why, out)?;
        }
        let mut newest = None;
        for edition in selection.editions() {
            match reading::read(located.input.octets, edition).map(|read| read.reference) {
                Ok(reference) => newest = Some(reference).filter(|_| lacking.is_none()),
                // That is reported, once for all editions.
                Err(error) if lacking.is_some() && error.component() == Component::Scheme => {}
                Err(error) => {
                    status = Status::NotValid;
                    self.report(located, error, out)?;
                }
            }
        }
        if selection.is_all() {
            status = status.and(self.by_url_standard(located, newest, out)?);
        }
        Ok(Checked { status, newest })
    }

    /// Returns whether an input is a reference, if none is allowed, or a host with a port.
    fn is_lacking_scheme(&self, octets: &[u8], reading: &Result<Parsed<'_>, ParseError>) -> bool {
        match reading {
            Ok(Parsed { reference, .. }) => match reference.has_scheme() {
                true => pasted::is_host_with_port(reference.as_str()),
                false => !self.checks.relative,
            },
            Err(error) => error.component() == Component::Scheme && pasted::with_scheme(octets).is_some(),
        }
    }

    /// Returns the error of an input without a scheme, and an edition that finds it: of a reference, if
    /// none is allowed, and of a host with a port, whose name is read as a scheme.
    fn lacking_scheme(&self, input: Input<'_>) -> Option<(&'static Edition, Failure)> {
        let octets = input.octets;
        let is_lacking =
            |edition: &&&'static Edition| self.is_lacking_scheme(octets, &reading::read(octets, edition));
        let edition = self.selection.editions().iter().find(is_lacking)?;
        let has_port = pasted::has_port(octets);
        let others: &[&str] = match input.origin {
            _ if has_port => &[],
            Origin::Argument if self.checks.relative => &["a file (-f)"],
            Origin::Argument => &["a file (-f)", "--relative"],
            _ => &["--relative"],
        };
        Some((edition, Failure::scheme_needed(octets, others)))
    }

    /// Returns the file that an input is in: that of `-f`, or a table.
    fn file_of(&self, input: Input<'_>) -> Option<&'f [u8]> {
        let table = input.list.filter(|name| self.is_table && *name != STDIN).map(str::as_bytes);
        table.or(self.file)
    }

    /// Returns the repaired text of an invalid input, if `--repair` is given.
    fn repaired(&self, octets: &[u8]) -> Option<String> {
        let newest = self.selection.editions().last().copied()?;
        self.repair.then(|| reading::repaired(octets, newest)).flatten()
    }

    /// Returns whether warnings are printed; with `--json` only on request.
    const fn warns(&self) -> bool {
        self.checks.lint || !self.json && !self.reports.is_silent()
    }

    /// Splits an input into the location and the URL.
    fn located<'a>(&self, input: Input<'a>) -> Located<'a> {
        match self.checks.places.then(|| pasted::place(input.octets)).flatten() {
            Some(found) => Located {
                input: Input { octets: found.url, ..input },
                place: Some(String::from_utf8_lossy(found.place)),
            },
            None => Located { input, place: None },
        }
    }

    /// Reports an input that the URL Standard does not read, or in which it reads another host than the newest
    /// edition that accepts it.
    fn by_url_standard(
        &mut self,
        located: &Located<'_>,
        newest: Option<UriRef<'_>>,
        out: &mut Output,
    ) -> io::Result<Status> {
        let (input, at) = (located.input, located.at());
        let last = Last::of(input.octets);
        if let Some(error) = last.refused() {
            if self.json {
                self.reports.count(input);
                let object = last.object().at(input, located.place.as_deref());
                let object = object.with_errors(std::iter::once(ErrorObject::of_url(error)));
                json::line(out, &object.in_file(self.file_of(input)))?;
            } else {
                let errors = std::iter::once(error.clone());
                self.reports.url_errors(out, &at, Some(url_standard::NAME), errors, Word::Error)?;
            }
            return Ok(Status::NotValid);
        }
        let (Some(url), Some(reference)) = (last.url(), newest) else { return Ok(Status::Valid) };
        let reading = Parsed { reference, has_scheme_rule: false };
        if !self.warns() || !Beside::new(url, &reading).differs(Key::Part(Component::Host)) {
            return Ok(Status::Valid);
        }
        let (warning, name) = (UrlError::other_host(reference, url), Some(url_standard::NAME));
        if self.json {
            self.reports.count(input);
            let warning = std::iter::once(ErrorObject::of_url(&warning));
            let object = Object::warned_url(warning).at(input, located.place.as_deref());
            json::line(out, &object.in_file(self.file_of(input)))?;
            return Ok(Status::NotValid);
        }
        let warning = std::iter::once(warning);
        if self.checks.lint {
            self.reports.url_errors(out, &at, name, warning, Word::Error)?;
            return Ok(Status::NotValid);
        }
        // On a terminal, keep results and errors in the order of the input.
        out.flush()?;
        let written = self.reports.url_errors(&mut self.errors, &at, name, warning, Word::Warning);
        // A failure to write to standard error is ignored.
        let _ = written.and_then(|()| self.errors.flush());
        Ok(Status::Valid)
    }

    #[cold]
    fn report(&mut self, located: &Located<'_>, first: ParseError, out: &mut Output) -> io::Result<()> {
        let (input, place) = (located.input, located.place.as_deref());
        let mut errors: Box<dyn Iterator<Item = _>> = Box::new(std::iter::once(first));
        if self.checks.all {
            errors = Box::new(reading::errors(input.octets, first));
        }
        if self.json {
            self.reports.count(input);
            let object = Object::new(first.edition(), &Err(first)).at(input, place);
            let object =
                object.in_file(self.file_of(input)).with_errors(errors.map(|error| ErrorObject::of(&error)));
            return json::line(out, &object);
        }
        let edition = self.selection.is_all().then_some(first.edition().name);
        self.reports.errors(out, &located.at(), edition, errors)
    }

    #[cold]
    fn report_failure(
        &mut self,
        located: &Located<'_>,
        edition: &'static Edition,
        why: &Failure,
        out: &mut Output,
    ) -> io::Result<()> {
        if !self.json {
            return self.reports.failure(out, &located.at(), why);
        }
        self.reports.count(located.input);
        let object = Object::not_edited(edition, why).at(located.input, located.place.as_deref());
        let errors = std::iter::once(ErrorObject::why(why));
        json::line(out, &object.in_file(self.file_of(located.input)).with_errors(errors))
    }

    fn warn(&mut self, located: &Located<'_>, reference: UriRef<'_>, out: &mut Output) -> io::Result<Status> {
        let (input, place) = (located.input, located.place.as_deref());
        let mut warnings = findings::warnings(reference, place.is_some());
        // The first line has a hint, which is not repeated for each line.
        warnings.retain(|one| self.checks.lint || one.kind != findings::PLACE);
        if warnings.is_empty() {
            return Ok(Status::Valid);
        }
        if self.json {
            if self.checks.lint {
                self.reports.count(input);
            }
            let object = Object::warned(reference.edition(), &warnings).at(input, place);
            json::line(out, &object.in_file(self.file_of(input)))?;
        } else {
            self.write_warnings(located, reference, &warnings, out)?;
        }
        Ok(Status::of(!self.checks.lint))
    }

    #[cold]
    fn write_warnings(
        &mut self,
        located: &Located<'_>,
        reference: UriRef<'_>,
        warnings: &[Warning],
        out: &mut Output,
    ) -> io::Result<()> {
        let at = located.at();
        let text = secrets::of_valid(reference);
        if self.checks.lint {
            let mut write = |one| self.reports.warning(out, &at, one, &text, Word::Error);
            return warnings.iter().try_for_each(&mut write);
        }
        // On a terminal, keep results and errors in the order of the input.
        out.flush()?;
        let errors = &mut self.errors;
        let mut write = |one| self.reports.warning(errors, &at, one, &text, Word::Warning);
        let written = warnings.iter().try_for_each(&mut write);
        // A failure to write to standard error is ignored.
        let _ = written.and_then(|()| errors.flush());
        Ok(())
    }
}
