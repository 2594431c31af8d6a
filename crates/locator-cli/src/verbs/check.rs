//! The verb `check`: reports the errors of invalid inputs and warns of valid ones that are probably
//! not intended.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{self, Write};

use clap::Args;
use locator::{Edition, ParseError, Uri, UriRef};

use crate::arguments::{RepairArgs, Selection, VerbArgs, long_help};
use crate::exit::{CliError, Status, say, say_valid};
use crate::hint;
use crate::input::Input;
use crate::lint::{self, Warning};
use crate::output::Output;
use crate::reading;
use crate::run::{self, Answer};
use crate::show::json::{self, Object};
use crate::show::{At, Reports, Total, failure, plural};
use crate::terminal::{Word, secrets};

/// Report the errors of each URL that is not valid
///
/// Prints nothing for a valid URL; for others it shows the error, its position and the rule. Common
/// options: -f FILE reads URLs from a file, -A requires a scheme, -a reports every error of a URL.
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
}

/// What is checked besides the grammar, and which errors are reported.
#[derive(Args, Debug)]
struct Checks {
    /// Report every error of a URL, not only the first
    #[arg(short, long)]
    all: bool,
    /// Require a scheme: a relative reference is an error
    #[arg(short = 'A', long)]
    absolute: bool,
    /// Treat warnings as errors, such as one about a port above 65535
    ///
    /// Warnings are about valid URLs that are probably not intended.
    #[arg(short, long)]
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
  locator find -n docs/ | locator check --places
  if locator check -q --absolute --lint \"$url\"; then echo fine; fi

Exit status:
  0    every URL is valid (with -e all: in every edition)
  1    at least one URL is not valid (with --lint: or has a warning)
  2    wrong usage
  130  interrupted";

/// Before the examples in `--help`: input and output.
const DETAILS: &str = "\
Input:
  A line ends with LF or CR LF. An empty line is an empty reference. With -0
  URLs are separated by NUL, and every other byte belongs to the URL.

  A relative reference is valid: '', 'foo' and 'example.com' pass. To accept
  only URLs with a scheme, use --absolute. If every input was relative, a note
  on standard error says so.

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

  With --places the location of each URL, as 'locator find -n' prints it,
  begins every report; in JSON it is \"place\".

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

/// The note about a list in which nothing has a scheme.
const ALL_RELATIVE: &str = "no input has a scheme, so each is a relative reference, as almost any \
     text is; use --absolute to require a scheme";

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
    json: bool,
    checks: &'a Checks,
    reports: Reports,
    /// Where warnings go that change no status, so that they are not taken for errors.
    errors: Output,
    /// Whether every input so far was a relative reference; `None` before the first input.
    all_relative: Option<bool>,
    /// Whether invalid URLs are repaired.
    repair: bool,
}

/// Checks every input.
pub(crate) fn run(args: &CheckArgs, out: &mut Output) -> Result<Status, CliError> {
    let CheckArgs { asked, checks, repair } = args;
    let (reports, errors) = (Reports::new(&asked.inputs), out.errors());
    let mut verb = Check {
        selection: asked.edition,
        file: asked.inputs.file.as_deref().filter(|file| *file != "-").map(OsStr::as_encoded_bytes),
        json: asked.inputs.json,
        checks,
        reports,
        errors,
        all_relative: None,
        repair: repair.repair,
    };
    let status = run::run(&asked.inputs, &mut verb, out)?;
    if verb.all_relative == Some(true) && verb.warns() && !asked.inputs.quiet {
        say(ALL_RELATIVE);
    }
    let is_heard = !asked.inputs.quiet && !asked.inputs.json && !asked.inputs.no_messages;
    if status == Status::Valid && !asked.inputs.urls.is_empty() && is_heard {
        let warned = match verb.reports.warned() {
            0 => String::new(),
            warned => format!(", {}", plural(warned, "warning")),
        };
        say_valid(&format!("{}{warned}", in_editions(asked.edition, asked.inputs.urls.len())));
    }
    Ok(status)
}

/// Returns by what URLs are valid: `in RFC 3986`, `in every edition: all 3 URLs`.
fn in_editions(selection: Selection, urls: usize) -> String {
    let edition = match selection {
        Selection::All => "every edition",
        Selection::One(edition) => edition.document,
    };
    match urls {
        1 => format!("in {edition}"),
        _ => format!("in {edition}: all {urls} URLs"),
    }
}

impl Answer for Check<'_> {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        let repaired = self.repaired(self.located(input).input.octets);
        let mut located = self.located(input);
        if let Some(repaired) = &repaired {
            out.flush()?;
            failure::remark_repaired(&mut self.errors, &located.at().place(0), repaired);
            located.input.octets = repaired.as_bytes();
        }
        let (mut status, selection) = (Status::Valid, self.selection);
        let mut last = None;
        for edition in selection.editions() {
            match self.read(located.input.octets, edition) {
                Ok(reference) => last = Some(reference),
                Err(error) => {
                    status = Status::NotValid;
                    self.report(&located, error, out)?;
                }
            }
        }
        let is_relative = last.is_some_and(|reference| reference.scheme().is_none());
        self.all_relative = Some(is_relative && self.all_relative != Some(false));
        match last {
            Some(reference) if self.warns() => Ok(status.and(self.warn(&located, reference, out)?)),
            _ => Ok(status),
        }
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        let repaired = self.repaired(self.located(input).input.octets);
        let mut located = self.located(input);
        if let Some(repaired) = &repaired {
            located.input.octets = repaired.as_bytes();
        }
        let is_fine = |edition: &&'static Edition| match self.read(located.input.octets, edition) {
            Ok(reference) => {
                !self.checks.lint || lint::warnings(reference, located.place.is_some()).is_empty()
            }
            Err(_) => false,
        };
        Status::of(self.selection.editions().iter().all(is_fine))
    }

    fn reports(&self) -> Option<&Reports> {
        Some(&self.reports)
    }

    fn total(&self) -> Total {
        let (bad, good) = match self.checks.lint {
            false => (["is not valid", "are not valid"], ["is valid", "are valid"]),
            true => (
                ["is not valid or has a warning", "are not valid or have warnings"],
                ["is valid and has no warning", "are valid and have no warnings"],
            ),
        };
        Total { bad, good, ..Total::OF_ERRORS }
    }

    fn refuses_names_of_files(&self) -> bool {
        true
    }

    fn explains_places(&self) -> bool {
        self.checks.places || self.checks.lint
    }
}

impl Check<'_> {
    fn read<'a>(&self, octets: &'a [u8], edition: &'static Edition) -> Result<UriRef<'a>, ParseError> {
        let reference = reading::read(octets, edition)?.reference;
        if self.checks.absolute {
            Uri::try_from(reference)?;
        }
        Ok(reference)
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
        match hint::place(input.octets).filter(|_| self.checks.places) {
            Some(found) => Located {
                input: Input { octets: found.url, ..input },
                place: Some(String::from_utf8_lossy(found.place)),
            },
            None => Located { input, place: None },
        }
    }

    #[cold]
    fn report(&mut self, located: &Located<'_>, first: ParseError, out: &mut Output) -> io::Result<()> {
        let (input, place) = (located.input, located.place.as_deref());
        // A scheme that is demanded is missing in what the edition takes.
        let is_valid = UriRef::parse_bytes_with(input.octets, first.edition()).is_ok();
        let mut errors: Box<dyn Iterator<Item = _>> = Box::new(std::iter::once(first));
        if self.checks.all && !(is_valid && self.checks.absolute) {
            errors = Box::new(reading::errors(input.octets, first));
        }
        if self.json {
            self.reports.count(input);
            let object = Object::new(first.edition(), &Err(first)).at(input, place);
            let object = object.in_file(self.file).with_errors(errors);
            return json::line(out, &object);
        }
        let edition = self.selection.is_all().then_some(first.edition().name);
        self.reports.errors(out, &located.at(), edition, errors)
    }

    fn warn(&mut self, located: &Located<'_>, reference: UriRef<'_>, out: &mut Output) -> io::Result<Status> {
        let (input, place) = (located.input, located.place.as_deref());
        let mut warnings = lint::warnings(reference, place.is_some());
        // The first line has a hint, which is not repeated for each line.
        warnings.retain(|one| self.checks.lint || one.kind != lint::PLACE);
        if warnings.is_empty() {
            return Ok(Status::Valid);
        }
        if self.json {
            if self.checks.lint {
                self.reports.count(input);
            }
            let object = Object::warned(reference.edition(), &warnings).at(input, place);
            json::line(out, &object.in_file(self.file))?;
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
