//! The verb `check`: inputs in; what is wrong with those that are not valid out, and what those that are valid are
//! probably not meant to be.

use std::borrow::Cow;
use std::io::{self, Write};

use clap::Args;
use locator::{Edition, Error, Uri, UriRef};

use crate::arguments::{Asked, Selection, long_help};
use crate::exit::{Status, Trouble};
use crate::hint;
use crate::input::Input;
use crate::lint::{self, Warning};
use crate::output::Output;
use crate::reading;
use crate::run::{self, Answer};
use crate::show::Reports;
use crate::show::json::{self, Object};
use crate::terminal::{secrets, visible};

/// Say what is wrong with each URL that is not valid, and nothing else
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    asked: Asked,
    #[command(flatten)]
    checks: Checks,
}

/// What is checked besides the grammar, and which errors are reported.
#[derive(Args, Debug)]
struct Checks {
    /// Tell every error of a URL, not just the first
    #[arg(short, long)]
    all: bool,
    /// Demand a scheme: a relative reference is an error
    #[arg(short = 'A', long)]
    absolute: bool,
    /// Let warnings count as errors: what is valid and probably not meant
    #[arg(short, long)]
    lint: bool,
    /// Each line has a place before its URL, FILE:LINE:COLUMN:, as 'locator find'
    /// prints it
    #[arg(long)]
    places: bool,
}

/// After the options: what people do with it, and its exit status.
const EXAMPLES: &str = "\
Examples:
  locator check 'http://example.com/a b'
  locator check --all 'http://a b/c|d'
  locator check -f urls.txt
  locator check --json < urls.txt | jq .error.message
  locator find docs/ | locator check --places
  if locator check -q --absolute --lint \"$url\"; then echo fine; fi

Exit status: 0 all are valid (with -e all: by every edition), 1 at least one
is not (with --lint: or has a warning), 2 wrong use, 130 interrupted.";

/// Before the examples with `--help`: what can be relied on.
const DETAILS: &str = "\
Input:
  A line ends in LF or CR LF; an empty line is an empty reference. With -0
  every octet between two NULs is data.

  A relative reference is valid: '', 'foo' and 'example.com' pass. A gate for
  URLs demands a scheme by --absolute.

Output:
  A diagnosis for what is not valid, with -e all one for each edition that
  refuses it. After the first ten errors each has one line, and standard error
  has the total. Passwords are hidden, whatever the grammar takes them for;
  with --show-secrets they are shown, and in JSON always.

  What is valid and probably not meant has a warning on standard error, which
  changes no status: a scheme that is not registered and near to one that is, a
  password, a port above 65535, a URL that has not the form of its scheme, such
  as http:///x, and \"URL:\" before a URL. With --lint warnings are answers and
  make the exit status 1; -s and --json without --lint leave them out.

  With --places the place of each URL, as 'locator find' prints it, stands
  before what is said of it, and in JSON in \"place\".

  With --json one object for each diagnosis:
    {\"input\":…,\"line\":17,\"edition\":…,\"valid\":false,\"error\":{…},\"errors\":[…]}
  where \"error\" is the first one, and \"errors\" has all of them with --all. For
  an argument \"line\" is \"argument\", with -0 it is \"item\"; all count from 1.
  With --lint what is valid and has warnings has \"warnings\":
  [{\"kind\":\"near-scheme\",…},…]; the others are \"password\", \"port\", \"form\",
  \"no-host\", \"prefix\" and \"place\".";

/// An input, and the place that stands before its URL.
struct Located<'a> {
    input: Input<'a>,
    place: Option<Cow<'a, str>>,
}

struct Check<'a> {
    selection: Selection,
    json: bool,
    checks: &'a Checks,
    reports: Reports,
    /// Where warnings go that change no status, so that they are not taken for errors.
    errors: Output,
}

/// Checks every input.
pub(crate) fn run(args: &CheckArgs, out: &mut Output) -> Result<Status, Trouble> {
    let CheckArgs { asked, checks } = args;
    let (reports, errors) = (Reports::new(&asked.inputs), out.errors());
    let mut verb = Check { selection: asked.edition, json: asked.inputs.json, checks, reports, errors };
    run::run(&asked.inputs, &mut verb, out)
}

impl Answer for Check<'_> {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        let located = self.located(input);
        let (mut status, selection) = (Status::Valid, self.selection);
        let mut last = None;
        for edition in selection.editions() {
            match self.read(located.input.octets, edition) {
                Ok(reference) => last = Some(reference),
                Err(error) => {
                    status = Status::NotValid;
                    self.tell(&located, error, out)?;
                }
            }
        }
        match last {
            Some(reference) if self.warns() => Ok(status.and(self.warn(&located, reference, out)?)),
            _ => Ok(status),
        }
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        let located = self.located(input);
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

    fn explains_places(&self) -> bool {
        self.checks.places || self.checks.lint
    }
}

impl Check<'_> {
    fn read<'a>(&self, octets: &'a [u8], edition: &'static Edition) -> Result<UriRef<'a>, Error> {
        let reference = reading::read(octets, edition)?.reference;
        if self.checks.absolute {
            Uri::try_from(reference)?;
        }
        Ok(reference)
    }

    /// Whether anybody is told of warnings: a program only if it asks.
    const fn warns(&self) -> bool {
        self.checks.lint || !self.json && !self.reports.is_silent()
    }

    /// The place that stands before the URL, and the URL.
    fn located<'a>(&self, input: Input<'a>) -> Located<'a> {
        match hint::place(input.octets).filter(|_| self.checks.places) {
            Some((place, octets)) => {
                Located { input: Input { octets, ..input }, place: Some(String::from_utf8_lossy(place)) }
            }
            None => Located { input, place: None },
        }
    }

    #[cold]
    fn tell(&mut self, located: &Located<'_>, first: Error, out: &mut Output) -> io::Result<()> {
        let (input, place) = (located.input, located.place.as_deref());
        // A scheme that is demanded is missing in what the edition takes.
        let is_valid = UriRef::from_octets(input.octets, first.edition()).is_ok();
        let mut errors: Box<dyn Iterator<Item = _>> = Box::new(std::iter::once(first));
        if self.checks.all && !(is_valid && self.checks.absolute) {
            errors = Box::new(reading::errors(input.octets, first));
        }
        if self.json {
            let object = Object::new(first.edition(), &Err(first)).at(input, place).with_errors(errors);
            return json::line(out, &object);
        }
        let place = whereabouts(located, self.selection.is_all().then_some(first.edition()));
        self.reports.errors(out, input, &place, errors)
    }

    fn warn(&mut self, located: &Located<'_>, reference: UriRef<'_>, out: &mut Output) -> io::Result<Status> {
        let (input, place) = (located.input, located.place.as_deref());
        let mut warnings = lint::warnings(reference, place.is_some());
        // Nobody need be told of each line: of the first it is said for all.
        warnings.retain(|one| self.checks.lint || one.kind != lint::PLACE);
        if warnings.is_empty() {
            return Ok(Status::Valid);
        }
        if self.json {
            json::line(out, &Object::warned(reference.edition(), &warnings).at(input, place))?;
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
        let place = whereabouts(located, None);
        let text = secrets::of(reference);
        if self.checks.lint {
            return warnings.iter().try_for_each(|one| self.reports.warning(out, &place, one, &text));
        }
        // On a terminal both are seen in the order of the input.
        out.flush()?;
        let errors = &mut self.errors;
        let told = warnings.iter().try_for_each(|one| self.reports.warning(errors, &place, one, &text));
        // If standard error cannot be written there is nobody to tell.
        let _ = told.and_then(|()| errors.flush());
        Ok(())
    }
}

/// Where a person finds what is diagnosed: `line 17, rfc1738: `, `README.md:12:5: `.
fn whereabouts(located: &Located<'_>, edition: Option<&Edition>) -> String {
    let input = located.input;
    let of_input = match &located.place {
        Some(place) => Some(visible(place).to_string()),
        None => (!input.alone).then(|| format!("{} {}", input.origin.name(), input.number)),
    };
    let of_edition = edition.map(|edition| edition.name.to_owned());
    let words: Vec<_> = of_input.into_iter().chain(of_edition).collect();
    if words.is_empty() { String::new() } else { words.join(", ") + ": " }
}
