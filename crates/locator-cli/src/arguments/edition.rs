//! Arguments whose values are names of the library: `--edition`, the name of an edition, "whatwg" for the URL Standard
//! or "all", and `--platform`; and [`Suggested`], a parser whose values completions offer. It accepts others, too.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args, Command, Error, ValueEnum};
use locator::edition::{ALL, WITH_OPTIONS};
use locator::scheme::file::Platform;
use locator::{Edition, edition};

use crate::input::url_standard;

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

/// The option `--edition` of verbs that also follow the URL Standard.
#[derive(Args, Debug)]
pub(crate) struct StandardArg {
    /// Follow this edition of the URL standard, an RFC or a draft of one, or
    /// "whatwg": the URL Standard, as browsers do
    ///
    /// 'locator editions' describes them.
    #[arg(short, long, value_name = "NAME", default_value = "rfc3986", ignore_case = true)]
    #[arg(value_parser = StandardParser)]
    pub(crate) edition: Standard,
}

/// What URLs are read by.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Standard {
    /// An edition: a grammar, which keeps the bytes of a URL.
    Edition(&'static Edition),
    /// The URL Standard: a parser, which repairs a URL and writes it in its own form.
    Url,
}

impl Standard {
    /// Returns the value of `-e`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Edition(edition) => edition.name,
            Self::Url => url_standard::NAME,
        }
    }
}

/// The editions that URLs are read by.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Selection {
    /// One edition.
    One(&'static Edition),
    /// The URL Standard.
    UrlStandard,
    /// Every edition and the URL Standard, side by side.
    All,
}

impl Selection {
    /// Returns the editions, the oldest first; the URL Standard is none of them.
    pub(crate) fn editions(&self) -> &[&'static Edition] {
        match self {
            Self::One(edition) => std::slice::from_ref(edition),
            Self::UrlStandard => &[],
            Self::All => &ALL,
        }
    }

    /// Returns what URLs are read by, unless that is everything.
    pub(crate) const fn standard(self) -> Option<Standard> {
        match self {
            Self::One(edition) => Some(Standard::Edition(edition)),
            Self::UrlStandard => Some(Standard::Url),
            Self::All => None,
        }
    }

    /// Returns whether the URL Standard is selected, and no edition.
    pub(crate) const fn is_url_standard(&self) -> bool {
        matches!(self, Self::UrlStandard)
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
        standards().chain([PossibleValue::new("all").help("all of these, side by side")])
    }
}

/// Parses the name of an edition, or of the URL Standard.
#[derive(Clone, Copy, Debug)]
struct StandardParser;

/// Parses the name of an edition.
#[derive(Clone, Copy, Debug)]
struct OneNameParser;

fn names() -> impl Iterator<Item = PossibleValue> {
    ALL.into_iter()
        .chain(WITH_OPTIONS)
        .map(|edition| PossibleValue::new(edition.name).help(described(edition)))
}

/// Returns the names of the editions, and that of the URL Standard.
fn standards() -> impl Iterator<Item = PossibleValue> {
    let described = format!("{}, {}, as browsers do", url_standard::DOCUMENT, url_standard::DATE);
    names().chain([PossibleValue::new(url_standard::NAME).aliases(url_standard::ALIASES).help(described)])
}

fn is_url_standard(value: &OsStr) -> bool {
    [url_standard::NAME].iter().chain(&url_standard::ALIASES).any(|name| value.eq_ignore_ascii_case(name))
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
        if is_url_standard(value) {
            return Ok(Selection::UrlStandard);
        }
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

/// Parses the name of an edition, for a verb that takes one; an error names these values.
fn one_name(
    values: PossibleValuesParser,
    command: &Command,
    arg: Option<&Arg>,
    value: &OsStr,
) -> Result<&'static Edition, Error> {
    let verb = command.get_name();
    if value.eq_ignore_ascii_case("all") {
        return Err(wrong(command, &format!("\"all\" is only for read and check; {verb} takes one edition")));
    }
    let name = values.parse_ref(command, arg, value).map_err(|error| with_tip(error, verb, value))?;
    Ok(edition::from_name(&name).unwrap_or(edition::DEFAULT))
}

fn wrong(command: &Command, message: &str) -> Error {
    Error::raw(ErrorKind::InvalidValue, format!("{message}\n")).with_cmd(command)
}

/// Returns why a verb does not follow the URL Standard, and the command to type instead.
fn without_url_standard(verb: &str) -> String {
    let name = url_standard::NAME;
    let (why, command) = match verb {
        "audit" => ("audit always shows what browsers read", "audit --readings URL".to_owned()),
        "find" => (
            "find looks for URLs by the grammar of an edition",
            format!("find FILE | locator normalize -e {name} -"),
        ),
        "uniq" => ("uniq compares by an edition", format!("normalize -e {name} --unique -f FILE")),
        "convert" => ("convert makes URIs of IRIs", format!("normalize -e {name} URL")),
        "path" => ("path reads file URLs by an edition", format!("normalize -e {name} URL | locator path -")),
        "get" | "plan" | "open" => {
            ("URLs are fetched by an RFC", format!("{verb} \"$(locator normalize -e {name} URL)\""))
        }
        _ => ("this verb takes an RFC or a draft of one", format!("read -e {name} URL")),
    };
    format!("\"{name}\" is not an edition of {verb}: {why}; type: locator {command}")
}

impl TypedValueParser for StandardParser {
    type Value = Standard;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Standard, Error> {
        if is_url_standard(value) {
            return Ok(Standard::Url);
        }
        let values = PossibleValuesParser::new(standards());
        one_name(values, command, arg, value).map(Standard::Edition)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(standards()))
    }
}

impl TypedValueParser for OneNameParser {
    type Value = &'static Edition;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Self::Value, Error> {
        if is_url_standard(value) {
            return Err(wrong(command, &without_url_standard(command.get_name())));
        }
        one_name(PossibleValuesParser::new(names()), command, arg, value)
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
