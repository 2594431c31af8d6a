//! The argument `--edition`: parses a name, or "all", to the editions it selects.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args, Command, Error};
use locator::Edition;
use locator::edition::{self, ALL, WITH_OPTIONS};

/// The option `--edition` of verbs that use one edition.
#[derive(Args, Debug)]
pub(crate) struct EditionArg {
    /// Follow this edition of the URL standard, an RFC or a draft of one
    ///
    /// 'locator editions' describes them.
    #[arg(short, long, value_name = "NAME", default_value = "rfc3986", ignore_case = true)]
    #[arg(value_parser = OneNameParser)]
    pub(crate) edition: &'static Edition,
}

/// The editions that URLs are read by.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Selection {
    /// One edition.
    One(&'static Edition),
    /// Every edition, side by side.
    All,
}

impl Selection {
    /// Returns the editions, the oldest first.
    pub(crate) fn editions(&self) -> &[&'static Edition] {
        match self {
            Self::One(edition) => std::slice::from_ref(edition),
            Self::All => &ALL,
        }
    }

    /// Returns whether all editions are selected.
    pub(crate) const fn is_all(&self) -> bool {
        matches!(self, Self::All)
    }
}

/// Parses the name of an edition, or "all".
#[derive(Clone, Copy, Debug)]
pub(super) struct NameParser;

impl NameParser {
    fn values() -> impl Iterator<Item = PossibleValue> {
        names().chain([PossibleValue::new("all").help("every edition, side by side")])
    }
}

/// Parses the name of an edition.
#[derive(Clone, Copy, Debug)]
struct OneNameParser;

fn names() -> impl Iterator<Item = PossibleValue> {
    ALL.into_iter()
        .chain(WITH_OPTIONS)
        .map(|edition| PossibleValue::new(edition.name).help(described(edition)))
}

fn described(edition: &Edition) -> String {
    // The names of the drafts contain the date.
    if edition.document.contains(edition.date) {
        return edition.document.to_owned();
    }
    format!("{}, {}", edition.document, edition.date)
}

impl TypedValueParser for NameParser {
    type Value = Selection;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Selection, Error> {
        let name = PossibleValuesParser::new(Self::values()).parse_ref(command, arg, value)?;
        Ok(edition::from_name(&name).map_or(Selection::All, Selection::One))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Self::values()))
    }
}

/// Adds a tip to the error of `get -e URL` and `find -e PATTERN`: in curl `-e` is `--referer`, in
/// ripgrep `--regexp`.
fn with_tip(mut error: Error, verb: &str, value: &OsStr) -> Error {
    let is_url = || value.as_encoded_bytes().iter().any(|octet| b":/;".contains(octet));
    let tip = match verb {
        "get" if is_url() => "--edition is the edition; for curl's -e use --referer",
        "find" => "-e is the edition, as in every verb; for ripgrep's -e use --include",
        _ => return error,
    };
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

impl TypedValueParser for OneNameParser {
    type Value = &'static Edition;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Self::Value, Error> {
        if value.eq_ignore_ascii_case("all") {
            let verb = command.get_name();
            let message = format!("\"all\" is only for read and check; {verb} takes one edition\n");
            return Err(Error::raw(ErrorKind::InvalidValue, message).with_cmd(command));
        }
        let name = PossibleValuesParser::new(names()).parse_ref(command, arg, value);
        let name = name.map_err(|error| with_tip(error, command.get_name(), value))?;
        Ok(edition::from_name(&name).unwrap_or(edition::DEFAULT))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names()))
    }
}
