//! Arguments whose values are names of the library: `--edition`, a name or "all", and `--platform`; and [`Suggested`], a
//! parser whose values completions offer. It accepts others, too.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args, Command, Error, ValueEnum};
use locator::edition::{ALL, WITH_OPTIONS};
use locator::scheme::file::Platform;
use locator::{Edition, edition};

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

/// The option `--platform`.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct PlatformArgs {
    /// Use paths of PLATFORM; the default is the current platform
    #[arg(short, long, value_name = "PLATFORM", value_enum)]
    platform: Option<PlatformWord>,
}

impl PlatformArgs {
    /// Returns the platform, if one is given.
    pub(crate) fn named(self) -> Option<Platform> {
        self.platform.map(|word| match word {
            PlatformWord::Posix => Platform::Posix,
            PlatformWord::Windows => Platform::Windows,
            PlatformWord::Vms => Platform::Vms,
        })
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PlatformWord {
    /// /home/jan/a.txt
    Posix,
    /// C:\Users\jan\a.txt, \\server\share\a.txt
    Windows,
    /// DISK$USER:[MY.NOTES]A.TXT
    Vms,
}

/// A parser, with the values to offer. Help should hide them: they are many.
#[derive(Clone)]
pub(crate) struct Suggested<P> {
    parser: P,
    names: fn() -> Vec<String>,
}

impl<P: TypedValueParser> Suggested<P> {
    /// Offers the names as values of the parser.
    pub(crate) const fn new(parser: P, names: fn() -> Vec<String>) -> Self {
        Self { parser, names }
    }
}

impl<P: TypedValueParser> TypedValueParser for Suggested<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<P::Value, Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        // Names are few, and completions are printed once.
        let name = |name: String| PossibleValue::new(&*name.leak());
        Some(Box::new((self.names)().into_iter().map(name)))
    }
}
