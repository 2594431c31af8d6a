//! What is printed after a transfer: its error and the text of `-w`; at the end a summary, and the exit
//! status.

use std::io::{self, Write as _};

use locator::Edition;
use locator_web::report::quantity::grouped;

use super::error::TransferError;
use super::json;
use super::write_out::{Format, Stream, TransferRecord};
use crate::arguments::Inputs;
use crate::exit::{CliError, Status, say};
use crate::input::Input;
use crate::output::{self, Output, progress};
use crate::report::failure::Failure;
use crate::report::{Reports, json as objects};
use crate::terminal::paint::BAD;

/// The results of the inputs.
pub(super) struct Verdict<'a> {
    inputs: &'a Inputs,
    edition: &'static Edition,
    format: Option<&'a Format>,
    status: Status,
    /// Whether a URL could not be fetched for another reason than that a server refused the request.
    could_not: bool,
    /// How many inputs there were, how many of them failed, and how many files are saved.
    count: u64,
    failed: u64,
    saved: u64,
    errors: Output,
    pub(super) reports: Reports,
}

impl<'a> Verdict<'a> {
    pub(super) fn new(
        inputs: &'a Inputs,
        edition: &'static Edition,
        format: Option<&'a Format>,
        errors: Output,
    ) -> Self {
        let (status, reports) = (Status::Valid, Reports::new(inputs));
        let (could_not, count, failed, saved) = (false, 0, 0, 0);
        Self { inputs, edition, format, status, could_not, count, failed, saved, errors, reports }
    }

    /// Reports the error of an input, and writes the text of `-w`.
    pub(super) fn report(
        &mut self,
        input: Input<'_>,
        result: Result<(), TransferError>,
        mut seen: TransferRecord,
        out: &mut Output,
    ) -> io::Result<Status> {
        let status = self.judge(&result);
        if let Err(TransferError::Failed(failed)) = &result {
            seen.error = Some(failed.why.sentence_and_citation().0);
        }
        self.saved += u64::from(seen.is_saved || seen.is_complete);
        match result {
            Ok(()) => {}
            Err(TransferError::Writing(error)) => return Err(error),
            Err(TransferError::Incomplete(why)) => {
                seen.exit = 1;
                // In JSON the entries say it.
                if !self.inputs.json {
                    out.flush()?;
                    self.say(input, &why, &mut seen);
                }
            }
            Err(TransferError::Beside(why)) => {
                seen.exit = 1;
                out.flush()?;
                self.say(input, &why, &mut seen);
            }
            Err(TransferError::Failed(failed)) => {
                seen.exit = if failed.is_said { 1 } else { 2 };
                if self.inputs.json {
                    objects::line(out, &json::failed_object(input.octets, self.edition, &failed))?;
                } else {
                    // On a terminal, keep results and errors in the order of the input.
                    out.flush()?;
                    self.say(input, &failed.why, &mut seen);
                }
            }
        }
        if let Some(format) = self.format {
            for (stream, text) in format.texts(input.octets, seen.argument.unwrap_or(input.number), &seen) {
                let to = if stream == Stream::Stderr { &mut self.errors } else { &mut *out };
                output::text(to, &text)?;
                to.flush()?;
            }
        }
        Ok(status)
    }

    /// Reports the error of a parallel transfer when it happens, at a terminal. Elsewhere errors have the
    /// order of the inputs.
    pub(super) fn report_at_once(
        &mut self,
        input: Input<'_>,
        result: &Result<(), TransferError>,
        seen: &mut TransferRecord,
    ) {
        if let Err(TransferError::Failed(failed)) = result
            && self.reports_at_once(result)
        {
            self.say(input, &failed.why, seen);
        }
    }

    /// Returns whether an error is reported when it happens.
    pub(super) fn reports_at_once(&self, result: &Result<(), TransferError>) -> bool {
        let is_shown = self.errors.is_terminal && !self.inputs.json && !self.reports.is_silent();
        matches!(result, Err(TransferError::Failed(_))) && is_shown
    }

    /// Reports an error and the note about it, unless they are reported already.
    fn say(&mut self, input: Input<'_>, why: &Failure, seen: &mut TransferRecord) {
        if std::mem::replace(&mut seen.is_reported, true) {
            return;
        }
        progress::aside(|| self.reports.report(&mut self.errors, input, why));
        if let Some(note) = seen.note.take() {
            say(&note);
        }
    }

    /// Counts the result of an input; returns its status.
    pub(super) fn judge(&mut self, result: &Result<(), TransferError>) -> Status {
        if let Err(TransferError::Failed(failed)) = result {
            self.could_not |= !failed.is_said;
        }
        let status = Status::of(result.is_ok());
        self.count += 1;
        self.failed += u64::from(result.is_err());
        self.status = self.status.and(status);
        status
    }

    /// Counts the failures of a walk; returns its status.
    pub(super) fn judge_walk(&mut self, failed: u64, could_not: bool) -> Status {
        self.could_not |= could_not;
        self.status = self.status.and(Status::of(failed == 0));
        self.status
    }

    /// Returns the errors whose number is said at the end; at a terminal a summary says it.
    pub(super) fn counted(&self) -> Option<&Reports> {
        (!self.errors.is_terminal).then_some(&self.reports)
    }

    /// Returns an output that is not written to.
    pub(super) fn errors(&self) -> Output {
        self.errors.errors()
    }

    /// Returns whether there was no input.
    pub(super) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the status of all inputs until now.
    pub(super) const fn status(&self) -> Status {
        self.status
    }

    /// Says at a terminal how many URLs were saved or fetched, if there were several: `2 of 3 saved, 1
    /// failed`. Files are named one by one, unless they were fetched in parallel.
    pub(super) fn summarize(&mut self, saves: bool) {
        let is_silent = self.inputs.quiet || self.inputs.json || self.reports.is_silent();
        if is_silent || !self.errors.is_terminal || self.count < 2 || !saves && self.failed == 0 {
            return;
        }
        let (done, how) = if saves { (self.saved, "saved") } else { (self.count - self.failed, "fetched") };
        let (done, count, failed) = (grouped(done), grouped(self.count), grouped(self.failed));
        let paint = self.errors.paint;
        let failed = match self.failed {
            0 => String::new(),
            _ => format!(", {}", paint.with(BAD, format_args!("{failed} failed"))),
        };
        let errors = &mut self.errors;
        let _ = writeln!(errors, "{done} of {count} {how}{failed}").and_then(|()| errors.flush());
    }

    /// Returns the result of the run. An error of the transfer is worse than a refusal of a server.
    pub(super) const fn end(&self) -> Result<Status, CliError> {
        if self.could_not { Err(CliError::Reported) } else { Ok(self.status) }
    }
}
