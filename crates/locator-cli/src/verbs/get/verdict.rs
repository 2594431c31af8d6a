//! What comes after an input: its error, what `-w` writes, and the exit status of all inputs.

use std::io::{self, Write as _};

use locator::Edition;

use super::json;
use super::trouble::Trouble;
use super::written::{Format, Seen};
use crate::arguments::Inputs;
use crate::exit::{CliError, Status};
use crate::input::Input;
use crate::output::{self, Output};
use crate::show::{Reports, json as objects};

/// What became of the inputs.
pub(super) struct Verdict<'a> {
    inputs: &'a Inputs,
    edition: &'static Edition,
    format: Option<&'a Format>,
    status: Status,
    /// Whether an object could not be fetched for another reason than that a server said no.
    could_not: bool,
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
        let reports = Reports::new(inputs);
        Self { inputs, edition, format, status: Status::Valid, could_not: false, errors, reports }
    }

    /// Reports the error of an input, and writes what is wanted after it.
    pub(super) fn report(
        &mut self,
        input: Input<'_>,
        result: Result<(), Trouble>,
        mut seen: Seen,
        out: &mut Output,
    ) -> io::Result<Status> {
        let status = self.judge(&result);
        match result {
            Ok(()) => {}
            Err(Trouble::Writing(error)) => return Err(error),
            Err(Trouble::Incomplete(why)) => {
                seen.exit = 1;
                // In JSON the entries say it.
                if !self.inputs.json {
                    out.flush()?;
                    self.reports.report(&mut self.errors, input, &why);
                }
            }
            Err(Trouble::Beside(why)) => {
                seen.exit = 1;
                out.flush()?;
                self.reports.report(&mut self.errors, input, &why);
            }
            Err(Trouble::Failed(failed)) => {
                seen.exit = if failed.is_said { 1 } else { 2 };
                if self.inputs.json {
                    objects::line(out, &json::failed(input.octets, self.edition, &failed))?;
                } else {
                    // On a terminal, keep results and errors in the order of the input.
                    out.flush()?;
                    self.reports.report(&mut self.errors, input, &failed.why);
                }
            }
        }
        if let Some(format) = self.format {
            output::text(out, &format.text(input.octets, &seen))?;
            out.flush()?;
        }
        Ok(status)
    }

    /// Counts the result of an input; returns its status.
    pub(super) fn judge(&mut self, result: &Result<(), Trouble>) -> Status {
        if let Err(Trouble::Failed(failed)) = result {
            self.could_not |= !failed.is_said;
        }
        let status = Status::of(result.is_ok());
        self.status = self.status.and(status);
        status
    }

    /// Returns an output that is not written to.
    pub(super) fn errors(&self) -> Output {
        self.errors.errors()
    }

    /// Returns the status of all inputs until now.
    pub(super) const fn status(&self) -> Status {
        self.status
    }

    /// Returns the result of the run. What could not be done is worse than a server that said no.
    pub(super) const fn end(&self) -> Result<Status, CliError> {
        if self.could_not { Err(CliError::Reported) } else { Ok(self.status) }
    }
}
