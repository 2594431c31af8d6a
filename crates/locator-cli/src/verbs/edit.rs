//! The verb `edit`: changes parts of references, or prints selected parts.
//!
//! Each input has one line, or several with `--iterate`. An input that is invalid or cannot be
//! edited has an empty line, so that input and output lines correspond; the reason goes to standard
//! error. With `--in` the inputs are documents ([`documents`]), and the URLs in them are edited.

mod args;
mod documents;
mod format;
mod steps;

use std::io::{self, Write};

use locator::text::wrap;
use locator::{Edition, SpaceEncoding, UriRef};
use locator_audit::Auditor;

pub(crate) use self::args::{EditArgs, explain};
use self::documents::DocumentEdits;
use self::format::{Format, HostForm};
use self::steps::Steps;
use crate::exit::{CliError, Status, say_error};
use crate::input::Input;
use crate::input::reading::{self, Parsed};
use crate::output::{self, Output};
use crate::pasted;
use crate::report::failure::Failure;
use crate::report::findings;
use crate::report::json::{self, Object};
use crate::report::{Reports, failure};
use crate::run::table::{self, LineFill};
use crate::run::{self, Answer};

struct Editor {
    edition: &'static Edition,
    auditor: Auditor<'static>,
    steps: Steps,
    /// Whether each input has several results.
    is_iterating: bool,
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
struct Given<'i> {
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
    let (edition, space) = (args.asked.by.edition, args.space());
    if args.get.is_some() && args.asked.inputs.json {
        say_error("--json prints every part, so it cannot be combined with --get; omit one of them");
        return Err(CliError::Reported);
    }
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
    let mut editor = Editor {
        is_iterating,
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
    fn given<'i>(&'i self, input: Input<'i>) -> Given<'i> {
        match &self.given {
            Some(given) => Given { octets: given, repaired: std::str::from_utf8(input.octets).ok() },
            None => Given { octets: input.octets, repaired: None },
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
                    Shape::Format(format) => format.write(out, edited, self.space)?,
                    Shape::Json => {
                        let Given { octets, repaired } = self.given(input);
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
                let Given { octets, repaired } = self.given(input);
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
