//! `read --columns`: parts of each URL as the columns of a table. They are added to the table that
//! the URLs are in; URLs of a list become a table of their own.

use std::borrow::Cow;
use std::io::{self, Write};

use locator::Edition;
use locator_functions::{Answer, Call, FUNCTIONS, Function, Row, function};

use crate::arguments::TableFormat;
use crate::exit::Status;
use crate::input::Input;
use crate::input::reading::{self, Key, Parsed};
use crate::output::Output;
use crate::pasted;
use crate::report::failure::Failure;
use crate::report::{Reports, failure};
use crate::run;
use crate::run::table::{CellValue, Fill, TextRow};

/// A column that is written, such as `host` or `site=host`.
#[derive(Clone, Debug)]
pub(super) struct Column {
    name: String,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// The URL as it was given.
    Url,
    /// A function, whose name has the prefix `uri_`.
    Function(&'static Function),
    /// A key of `read --json`.
    Key(Key),
}

impl Column {
    /// Reads `COLUMN` or `NAME=COLUMN`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (name, what) = text.split_once('=').unwrap_or((text, text));
        let what =
            What::named(what).ok_or_else(|| pasted::unknown_part(what, names(), || names().join(", ")))?;
        Ok(Self { name: name.to_owned(), what })
    }
}

/// Returns the names of all columns.
fn names() -> Vec<&'static str> {
    let functions = FUNCTIONS.iter().filter(|function| is_of_url(function));
    let mut names: Vec<&str> =
        functions.filter_map(|function| function.name().strip_prefix(PREFIX)).collect();
    names.insert(0, "url");
    for key in Key::ALL.map(Key::name) {
        if !names.contains(&key) {
            names.push(key);
        }
    }
    names
}

const PREFIX: &str = "uri_";

/// Returns whether a function needs nothing but a URL.
fn is_of_url(function: &Function) -> bool {
    let is_of_row = !matches!(function.call(), Call::Constant(_) | Call::Distinct);
    is_of_row && matches!(function.first(), "url" | "text" | "host") && function.arguments(&[]).is_ok()
}

impl What {
    fn named(name: &str) -> Option<Self> {
        let function = function(&format!("{PREFIX}{name}")).filter(|function| is_of_url(function));
        let key = || Key::ALL.into_iter().find(|key| key.name() == name).map(Self::Key);
        if name == "url" { Some(Self::Url) } else { function.map(Self::Function).or_else(key) }
    }

    fn of(self, text: &str, row: &Row<'_>, reading: Option<&Parsed<'_>>) -> CellValue {
        let text = match self {
            Self::Url => Some(Cow::Borrowed(text)),
            Self::Key(key) => reading.and_then(|reading| key.of(reading)).map(Cow::Borrowed),
            Self::Function(function) => {
                let arguments = function.arguments(&[]).unwrap_or_default();
                match function.answer(row, &arguments) {
                    Answer::Null => None,
                    Answer::Text(text) => Some(text),
                    other => {
                        let (cell, json) = (other.cell().to_string(), other.json().to_string());
                        return CellValue::Other { cell, json };
                    }
                }
            }
        };
        text.map_or(CellValue::Null, |text| CellValue::Text(text.into_owned()))
    }
}

/// The columns of a run.
pub(super) struct Columns {
    pub(super) columns: Vec<Column>,
    pub(super) names: Vec<String>,
    pub(super) edition: &'static Edition,
    pub(super) repair: bool,
    /// The format of the table that a list becomes.
    pub(super) format: TableFormat,
    pub(super) errors: Output,
    pub(super) reports: Reports,
}

impl Columns {
    /// Returns the names of columns.
    pub(super) fn names_of(columns: &[Column]) -> Vec<String> {
        columns.iter().map(|column| column.name.clone()).collect()
    }

    /// Writes the line of names of a list, if the format has one.
    pub(super) fn write_names(&self, out: &mut Output) -> io::Result<()> {
        let values: Vec<_> = self.names.iter().map(|name| CellValue::Text(name.clone())).collect();
        match self.format {
            TableFormat::Ndjson => Ok(()),
            format => TextRow { format, names: &self.names, values: &values }.write(out),
        }
    }

    fn repaired(&self, octets: &[u8]) -> Option<String> {
        self.repair.then(|| reading::repaired(octets, self.edition)).flatten()
    }
}

impl Fill for Columns {
    fn added(&self) -> &[String] {
        &self.names
    }

    fn fill(&mut self, input: Input<'_>, values: &mut Vec<CellValue>) -> io::Result<Status> {
        let repaired = self.repaired(input.octets);
        let octets = repaired.as_deref().map_or(input.octets, str::as_bytes);
        let reading = reading::read(octets, self.edition);
        let given = String::from_utf8_lossy(input.octets);
        let row = match &reading {
            Ok(reading) => Row::of(reading.reference),
            Err(_) => Row::unparsed_bytes(octets, self.edition),
        };
        let parsed = reading.as_ref().ok();
        values.extend(self.columns.iter().map(|column| column.what.of(&given, &row, parsed)));
        match &reading {
            Ok(_) => {
                if let Some(repaired) = &repaired {
                    failure::remark_repaired(&mut self.errors, &input.place(0), repaired);
                }
            }
            Err(error) => self.reports.report(&mut self.errors, input, &Failure::from(*error)),
        }
        Ok(Status::of(reading.is_ok()))
    }
}

impl run::Answer for Columns {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        let mut values = Vec::with_capacity(self.columns.len());
        if out.is_terminal {
            // Rows and errors are in the order of the input.
            out.flush()?;
        }
        let status = self.fill(input, &mut values)?;
        TextRow { format: self.format, names: &self.names, values: &values }.write(out)?;
        Ok(status)
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        let repaired = self.repaired(input.octets);
        let octets = repaired.as_deref().map_or(input.octets, str::as_bytes);
        reading::judge(octets, &[self.edition])
    }

    fn reports(&self) -> Option<&Reports> {
        Some(&self.reports)
    }

    fn refuses_names_of_files(&self) -> Option<&'static str> {
        Some("read --columns")
    }

    fn unwrapped(&self, argument: &[u8]) -> Option<String> {
        if self.repair { None } else { pasted::unwrapped(argument, self.edition) }
    }
}
