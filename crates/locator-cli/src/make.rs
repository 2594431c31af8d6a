//! Inputs in; what a verb makes of each, one line for each, out. Why it makes nothing of one goes to
//! standard error, so that what is on standard output are references and nothing else; with JSON it
//! is an answer like the others.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::arguments::Inputs;
use crate::exit::{Status, Trouble};
use crate::failure::Failure;
use crate::input::Input;
use crate::run::{self, Answer, Output};
use crate::show::json::Head;
use crate::show::{Reports, failure, json, made};

/// What is made of an input.
#[derive(Debug)]
pub(crate) enum Made<'a> {
    /// A reference.
    Reference(Cow<'a, str>),
    /// A reference that its own edition refuses.
    Refused {
        /// The reference.
        text: &'a str,
        /// Why.
        why: Failure,
    },
    /// "A reference to the current document", with its fragment.
    CurrentDocument {
        /// The fragment.
        fragment: Option<&'a str>,
    },
    /// The path of a file.
    Path {
        /// Any octets but NUL.
        octets: Vec<u8>,
        /// Whether NUL stands behind it, and not a line end.
        ended_by_nul: bool,
    },
    /// It should have been a reference that it is not.
    Wanting {
        /// What it is.
        given: &'a str,
        /// What it should have been.
        normal: String,
    },
    /// Nothing: the input is as it should be.
    Nothing,
}

/// A verb that makes something of an input.
pub(crate) trait Make {
    /// Whether its inputs are often names of files, so that nothing need be said about it.
    const TAKES_NAMES_OF_FILES: bool = false;

    /// What is read in place of octets that are not valid, if they are to be repaired.
    fn repaired(&self, _: &[u8]) -> Option<String> {
        None
    }

    /// Makes it.
    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure>;
}

struct Maker<'a, V> {
    verb: V,
    /// With what a JSON object begins, if there is to be one.
    head: Option<Head<'a>>,
    errors: Output,
    reports: Reports,
}

/// Lets a verb make something of every input.
pub(crate) fn run(
    asked: &Inputs,
    head: Head<'_>,
    verb: impl Make,
    out: &mut Output,
) -> Result<Status, Trouble> {
    let (head, errors) = (asked.json.then_some(head), out.errors());
    run::run(asked, &mut Maker { verb, head, errors, reports: Reports::new(asked) }, out)
}

impl<V: Make> Answer for Maker<'_, V> {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        let repaired = self.verb.repaired(input.octets);
        let given = input.octets;
        let input = Input { octets: repaired.as_deref().map_or(given, str::as_bytes), ..input };
        let result = self.verb.make(input.octets);
        let status = status(&result);
        match (&self.head, result) {
            (_, Ok(Made::Nothing)) => {}
            (Some(head), result) => json::made(out, head, given, repaired.as_deref(), &result)?,
            (None, Ok(made)) => {
                if let Some(repaired) = &repaired {
                    out.flush()?;
                    failure::remark_repaired(&mut self.errors, &input.place(), repaired);
                }
                made::write(out, &made)?;
                if let Made::Refused { why, .. } = &made {
                    out.flush()?;
                    self.reports.tell(&mut self.errors, input, why);
                }
            }
            (None, Err(why)) => {
                // On a terminal both are seen in the order of the input.
                out.flush()?;
                self.reports.tell(&mut self.errors, input, &why);
            }
        }
        Ok(status)
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        let repaired = self.verb.repaired(input.octets);
        status(&self.verb.make(repaired.as_deref().map_or(input.octets, str::as_bytes)))
    }

    fn reports(&self) -> Option<&Reports> {
        Some(&self.reports)
    }

    fn takes_names_of_files(&self) -> bool {
        V::TAKES_NAMES_OF_FILES
    }
}

fn status(result: &Result<Made<'_>, Failure>) -> Status {
    Status::of(!matches!(result, Err(_) | Ok(Made::Wanting { .. } | Made::Refused { .. })))
}
