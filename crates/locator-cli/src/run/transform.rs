//! Runs the verbs that make one result of each input and prints it on one line.
//!
//! Errors go to standard error, so that standard output contains only results; with `--json` an
//! error is an object on standard output.

use std::borrow::Cow;
use std::io::{self, Write};

use locator::Edition;
use serde::Serialize;

use crate::arguments::{FillArgs, Inputs, UrlTable};
use crate::exit::{CliError, Status};
use crate::input::Input;
use crate::output::{Output, end_line, line};
use crate::pasted;
use crate::report::failure::Failure;
use crate::report::json::{self, ErrorObject, text_of};
use crate::report::{Reports, Total, failure};
use crate::run::table::{self, LineFill};
use crate::run::{self, Answer};
use crate::terminal::paint::FAINT;
use crate::terminal::visible;

/// The result of an input.
#[derive(Debug)]
pub(crate) enum Made<'a> {
    /// A reference.
    Reference(Cow<'a, str>),
    /// A reference that its edition rejects.
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
    /// Bytes that need not be text, such as the path of a file.
    Octets {
        /// The bytes.
        octets: Vec<u8>,
        /// Whether NUL follows it instead of a line end.
        ended_by_nul: bool,
    },
    /// A reference that is not in normal form, with `--check`.
    Wanting {
        /// The reference.
        given: &'a str,
        /// Its normal form.
        normal: String,
    },
    /// Nothing is printed.
    Nothing,
}

/// The first keys of a JSON object.
#[derive(Debug)]
pub(crate) enum Head<'a> {
    /// The input.
    Input,
    /// The base, the input as a reference and the edition.
    Resolve {
        /// The base as given.
        base: Cow<'a, str>,
        /// The name of the edition.
        edition: &'static str,
    },
}

/// A verb that makes one result of each input.
pub(crate) trait Make {
    /// Whether inputs are often file names, so that no hint is needed.
    const TAKES_NAMES_OF_FILES: bool = false;

    /// The name of the verb, if an argument that names a file is an error.
    const REFUSES_NAMES_OF_FILES: Option<&'static str> = None;

    /// Whether inputs are URLs, so that a location before one needs a hint.
    const TAKES_URLS: bool = true;

    /// What an input is.
    const NOUN: &'static str = "URL";

    /// Returns the edition by which delimiters around an argument are removed; `None` if they stay.
    fn unwraps(&self) -> Option<&'static Edition>;

    /// Returns the repaired text of an invalid input, if `--repair` is given.
    fn repaired(&self, _: &[u8]) -> Option<String> {
        None
    }

    /// Returns why an input is not valid; with `--repair`, why it is not repaired.
    fn not_repaired(&self, _: &[u8], why: Failure) -> Failure {
        why
    }

    /// Whether one of several inputs has an empty line if it has no result, so that the lines of input and output
    /// correspond.
    fn keeps_lines(&self) -> bool {
        false
    }

    /// Returns the result of an input.
    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure>;
}

struct Maker<'a, V> {
    verb: V,
    /// Whether NUL separates inputs and results.
    null: bool,
    /// The first keys of the JSON objects; `None` without `--json`.
    head: Option<Head<'a>>,
    errors: Output,
    reports: Reports,
}

/// Runs a verb on every input.
pub(crate) fn run(
    asked: &Inputs,
    head: Head<'_>,
    verb: impl Make,
    out: &mut Output,
) -> Result<Status, CliError> {
    let (head, errors) = (asked.json.then_some(head), out.errors());
    run::run(asked, &mut Maker { verb, null: asked.null, head, errors, reports: Reports::new(asked) }, out)
}

/// Runs a verb on every input, which is in a table if the options say so: the results replace the URLs there, or are a
/// column of their own. A filter has fewer results than inputs.
pub(crate) fn run_or_fill(
    table: &FillArgs,
    asked: &Inputs,
    head: Head<'_>,
    is_filter: bool,
    verb: impl Make,
    out: &mut Output,
) -> Result<Status, CliError> {
    let FillArgs { table, into } = table;
    match table.output(asked.json, is_filter)? {
        Some(table) => fill(table, asked, into.as_deref(), verb, out),
        None => run(asked, head, verb, out),
    }
}

/// Runs a verb on a column of a table; the results replace the URLs or are a column of that name.
fn fill(
    table: UrlTable<'_>,
    asked: &Inputs,
    into: Option<&str>,
    verb: impl Make,
    out: &mut Output,
) -> Result<Status, CliError> {
    let maker = Maker { verb, null: false, head: None, errors: out.errors(), reports: Reports::new(asked) };
    table::fill(table, asked, &mut LineFill::new(maker, into), out)
}

impl<V: Make> Answer for Maker<'_, V> {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        let repaired = self.verb.repaired(input.octets);
        let given = input.octets;
        let input = Input { octets: repaired.as_deref().map_or(given, str::as_bytes), ..input };
        let result = match self.verb.make(input.octets) {
            Err(why) if repaired.is_none() => Err(self.verb.not_repaired(given, why)),
            result => result,
        };
        let status = status(&result);
        match (&self.head, result) {
            (_, Ok(Made::Nothing)) => {}
            (Some(head), result) => {
                json::line(out, &MadeObject::new(head, given, &result).repaired(repaired.as_deref()))?;
            }
            (None, Ok(made)) => {
                if let Some(repaired) = &repaired {
                    out.flush()?;
                    failure::remark_repaired(&mut self.errors, &input.place(0), repaired);
                }
                write(out, &made)?;
                if let Made::Refused { why, .. } = &made {
                    out.flush()?;
                    self.reports.report(&mut self.errors, input, why);
                }
            }
            (None, Err(why)) => {
                // An empty item would be an empty argument for `xargs -0`.
                if self.verb.keeps_lines() && !input.alone && !self.null {
                    line(out, "")?;
                }
                // On a terminal, keep results and errors in the order of the input.
                out.flush()?;
                self.reports.report(&mut self.errors, input, &why);
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

    fn total(&self) -> Total {
        Total { noun: V::NOUN, ..Total::OF_ERRORS }
    }

    fn takes_names_of_files(&self) -> bool {
        V::TAKES_NAMES_OF_FILES
    }

    fn refuses_names_of_files(&self) -> Option<&'static str> {
        V::REFUSES_NAMES_OF_FILES
    }

    fn unwrapped(&self, argument: &[u8]) -> Option<String> {
        pasted::unwrapped(argument, self.verb.unwraps()?)
    }

    fn explains_places(&self) -> bool {
        !V::TAKES_URLS
    }
}

fn status(result: &Result<Made<'_>, Failure>) -> Status {
    Status::of(!matches!(result, Err(_) | Ok(Made::Wanting { .. } | Made::Refused { .. })))
}

/// Writes a result as one line.
fn write(out: &mut Output, made: &Made<'_>) -> io::Result<()> {
    let paint = out.paint;
    match made {
        Made::Reference(text) => line(out, text),
        Made::Refused { text, .. } => line(out, text),
        Made::Octets { octets, ended_by_nul } => bytes(out, octets, *ended_by_nul),
        Made::Wanting { given, .. } => line(out, given),
        Made::CurrentDocument { fragment } => {
            write!(out, "{}", paint.with(FAINT, "(current document)"))?;
            if let Some(fragment) = fragment {
                write!(out, "#{}", visible(fragment))?;
            }
            end_line(out)
        }
        Made::Nothing => Ok(()),
    }
}

/// Writes bytes exactly, or on a terminal in printable form.
fn bytes(out: &mut Output, octets: &[u8], ended_by_nul: bool) -> io::Result<()> {
    if out.is_terminal {
        write!(out, "{}", visible(&String::from_utf8_lossy(octets)))?;
    } else {
        out.write_all(octets)?;
    }
    out.write_all(if ended_by_nul { b"\0" } else { b"\n" })
}

/// The JSON object of an input and its result, with its keys in order.
#[derive(Default, Serialize)]
struct MadeObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repaired: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edition: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_document: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fragment: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorObject<'a>>,
}

impl<'a> MadeObject<'a> {
    /// The object of a result or an error.
    fn new(head: &'a Head<'_>, octets: &'a [u8], made: &'a Result<Made<'_>, Failure>) -> Self {
        let object = Self::of(head, octets);
        match made {
            Ok(Made::Reference(text)) => Self { result: Some(Cow::Borrowed(text)), ..object },
            Ok(Made::Refused { text, why }) => {
                Self { result: Some(Cow::Borrowed(text)), error: Some(ErrorObject::of_result(why)), ..object }
            }
            Ok(Made::Octets { octets, .. }) => {
                let (text, base64) = text_of(octets);
                Self { result: Some(text), result_base64: base64, ..object }
            }
            Ok(Made::Wanting { normal, .. }) => Self { result: Some(Cow::Borrowed(normal)), ..object },
            Ok(Made::CurrentDocument { fragment }) => {
                Self { current_document: Some(true), fragment: *fragment, ..object }
            }
            Ok(Made::Nothing) => object,
            Err(why) => Self { error: Some(ErrorObject::why(why)), ..object },
        }
    }

    /// Adds the repaired input.
    fn repaired(self, repaired: Option<&str>) -> Self {
        Self { repaired: repaired.map(str::to_owned), ..self }
    }

    fn of(head: &'a Head<'_>, octets: &'a [u8]) -> Self {
        let (text, base64) = text_of(octets);
        match head {
            Head::Input => Self { input: Some(text), input_base64: base64, ..Self::default() },
            Head::Resolve { base, edition } => Self {
                base: Some(base),
                reference: Some(text),
                reference_base64: base64,
                edition: Some(edition),
                ..Self::default()
            },
        }
    }
}
