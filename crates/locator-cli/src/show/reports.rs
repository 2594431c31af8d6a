//! Reports the errors of all inputs: the first ten in full, the others on one line each, and a
//! total.

use std::io::{self, Write};

use locator::{ParseError, Redacted, Report};
use locator_audit::Finding;

use super::excerpt::beginning;
use super::{diagnosis, failure};
use crate::arguments::Inputs;
use crate::exit::say;
use crate::failure::Failure;
use crate::findings;
use crate::hint;
use crate::input::{Input, Origin};
use crate::interrupt::grouped;
use crate::lint::Warning;
use crate::output::Output;
use crate::terminal::paint::{FAINT, STRONG};
use crate::terminal::secrets;

/// The errors reported in a run.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    /// Whether each error has one line.
    brief: bool,
    /// Whether nothing is printed.
    silent: bool,
    /// How many errors have been reported.
    reported: u64,
    /// How many warnings have been reported.
    warned: u64,
    /// How many inputs had an error, and the number of the last one.
    inputs: u64,
    last: u64,
}

impl Reports {
    /// How many errors are reported in full.
    const DRAWN: u64 = 10;

    /// No errors yet.
    pub(crate) fn new(asked: &Inputs) -> Self {
        Self { brief: asked.brief, silent: asked.no_messages, ..Self::default() }
    }

    /// Prints errors, whatever was asked for.
    #[cfg(feature = "get")]
    pub(crate) const fn speak(&mut self) {
        self.silent = false;
    }

    /// Whether nothing is printed.
    pub(crate) const fn is_silent(&self) -> bool {
        self.silent
    }

    /// Reports why an input has no result.
    #[cold]
    pub(crate) fn report(&mut self, errors: &mut Output, input: Input<'_>, why: &Failure) {
        // A failure to write to standard error is ignored.
        let _ = self.failure(errors, input, why).and_then(|()| errors.flush());
    }

    fn failure(&mut self, out: &mut Output, input: Input<'_>, why: &Failure) -> io::Result<()> {
        self.count(input);
        if self.silent {
            return Ok(());
        }
        let (place, octets) = (&input.place(), input.octets);
        let is_brief = self.next(out)?;
        match why {
            _ if !is_brief => failure::draw(out, place, octets, why),
            Failure::Gateway { url, secrets, why } => {
                let place = format!("{place}via the gateway: ");
                let redacted = secrets::redacted_with(url, secrets);
                line(out, &place, &failure::sentence(why, &redacted), &beginning(&redacted))
            }
            _ => {
                let text = String::from_utf8_lossy(octets);
                let redacted = secrets::redacted(&text);
                line(out, place, &failure::sentence(why, &redacted), &beginning(&redacted))
            }
        }
    }

    /// Reports the errors of an invalid input.
    #[cold]
    pub(crate) fn errors(
        &mut self,
        out: &mut Output,
        input: Input<'_>,
        place: &str,
        errors: impl Iterator<Item = ParseError>,
    ) -> io::Result<()> {
        self.count(input);
        if self.silent {
            return Ok(());
        }
        let text = String::from_utf8_lossy(input.octets);
        let redacted = secrets::redacted(&text);
        let excerpt = beginning(&redacted);
        let mut report = |drawing: Report<'_>| match self.next(out)? {
            true => line(out, place, &drawing.in_one_line().to_string(), &excerpt),
            false => diagnosis::write(out, place, &drawing, hint::of(input.octets, drawing.edition())),
        };
        redacted.report_each(errors).try_for_each(&mut report)
    }

    /// Reports a warning for a valid input, on one line.
    #[cold]
    pub(crate) fn warning(
        &mut self,
        out: &mut Output,
        place: &str,
        warning: &Warning,
        url: &Redacted<'_>,
    ) -> io::Result<()> {
        self.warned += 1;
        if self.silent {
            return Ok(());
        }
        let see = warning.see.as_ref().map(|see| format!(" ({see})")).unwrap_or_default();
        line(out, place, &format!("warning: {}{see}", warning.message), &beginning(url))
    }

    /// Writes what is dangerous in the URL of an input, or in what was made of it, on one line.
    pub(crate) fn note(
        &self,
        errors: &mut Output,
        out: &mut Output,
        input: Input<'_>,
        url: &str,
        findings: &[Finding],
    ) -> io::Result<()> {
        if self.silent || findings.is_empty() {
            return Ok(());
        }
        // On a terminal, keep results and notes in the order of the input.
        out.flush()?;
        let paint = errors.paint;
        let before = paint.with(FAINT, input.place()).to_string();
        // A failure to write to standard error is ignored.
        let _ = findings::note(errors, paint, &before, url, findings).and_then(|()| errors.flush());
        Ok(())
    }

    /// Counts an input that has an error, once.
    fn count(&mut self, input: Input<'_>) {
        self.inputs += u64::from(self.last != input.number);
        self.last = input.number;
    }

    /// Separates the next error from the last one; returns whether it has one line.
    fn next(&mut self, out: &mut Output) -> io::Result<bool> {
        let is_brief = self.brief || self.reported >= Self::DRAWN;
        if !self.brief && 0 < self.reported && self.reported <= Self::DRAWN {
            writeln!(out)?;
        }
        self.reported += 1;
        Ok(is_brief)
    }

    /// Prints the total, unless all errors have been reported in full.
    pub(crate) fn end(&self, count: u64, origin: Origin) {
        let is_short = !self.brief && self.reported.max(self.warned) <= Self::DRAWN;
        if self.silent || is_short || self.inputs == 0 && self.warned == 0 || count < 2 {
            return;
        }
        let warned = match self.warned {
            0 => String::new(),
            1 => ", 1 warning".to_owned(),
            warned => format!(", {} warnings", grouped(warned)),
        };
        say(&format!("errors in {} of {} {}s{warned}", grouped(self.inputs), grouped(count), origin.name()));
    }
}

fn line(out: &mut Output, place: &str, sentence: &str, text: &str) -> io::Result<()> {
    let paint = out.paint;
    writeln!(out, "{}{}: {text}", paint.with(FAINT, place), paint.with(STRONG, sentence))
}
