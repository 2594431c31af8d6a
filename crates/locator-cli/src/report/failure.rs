//! The reason why an input has no result: one type for all errors of the library, with its message, and
//! how it is written on standard error, for people.

use std::fmt::{self, Display, Formatter};
use std::io::{self, Write};
use std::ops::Range;

use anstyle::Style;
use locator::edition::RFC3987;
use locator::plan::{PlanError, SyntaxError};
use locator::scheme::file::PathError;
use locator::scheme::{self, GatewayPlanError, Unfinished};
use locator::{
    BuildError, CompareError, Component, Found, IdnaError, ParseError, Redacted, ResolveError, Span, UriRef,
};
use locator_find::ResolveLinkError;

use crate::arguments::config;
use crate::field::Refused;
use crate::input::url_standard::UrlError;
use crate::output::{Output, Place};
use crate::pasted;
use crate::report::diagnosis;
use crate::report::excerpt::{self, Excerpt, beginning};
use crate::terminal::paint::BAD;
use crate::terminal::{Word, secrets, visible};

/// The reason why an input has no result.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// It is not valid.
    NotValid(ParseError),
    /// It is not a URL by the URL Standard.
    NotAUrl(UrlError),
    /// It is valid but the edit is not possible.
    NotEdited {
        /// The option that caused the error, if it is a single one.
        edit: Option<String>,
        /// Why.
        why: Refused,
        /// Where, if it is about a place.
        place: Option<Position>,
    },
    /// The error is in another text than the input; that text is shown instead.
    Elsewhere {
        /// That text: the result of the edits, or the base.
        text: String,
        /// Why.
        why: Box<Failure>,
    },
    /// It is valid, but the URL that a gateway made from it has no result.
    Gateway {
        /// That URL.
        url: String,
        /// The ranges of that URL that are secrets of the input.
        secrets: Vec<Range<usize>>,
        /// Why.
        why: Box<Failure>,
    },
    /// It is valid but has no result for another reason.
    Other {
        /// The word for it in JSON.
        kind: &'static str,
        /// The sentence.
        message: String,
        /// Document and section.
        see: Option<String>,
        /// Where, if it is about a place.
        place: Option<Position>,
    },
}

/// The position of an error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    /// The text that contains the position.
    pub(crate) of: Side,
    /// The component.
    pub(crate) part: Option<Component>,
    /// The octets.
    pub(crate) span: Span,
}

/// The text that contains the position of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The input.
    Input,
    /// The base.
    Base,
    /// The value given for a part.
    Value,
    /// The result made from the input.
    Result,
}

impl Failure {
    /// Why an edit is not made; the place is one of its value, if it is about octets of that.
    #[cold]
    pub(crate) fn not_edited(edit: &str, why: Refused) -> Self {
        let place =
            why.error().map(|error| Position { of: Side::Value, part: None, span: error.span().into() });
        Self::NotEdited { edit: Some(edit.to_owned()), why, place }
    }

    /// Why all of the edits together make no reference; the place is one of what they would make.
    #[cold]
    pub(crate) fn not_finished(result: String, why: BuildError) -> Self {
        let place = why.span().map(|span| Position { of: Side::Result, part: None, span: span.into() });
        Self::NotEdited { edit: None, why: why.into(), place }.shown_in(&result, Side::Result)
    }

    /// What was made of the input is not valid by its edition; the place is one of it.
    #[cold]
    pub(crate) fn result_not_valid(result: &str, error: &ParseError) -> Self {
        let place =
            Some(Position { of: Side::Result, part: Some(error.component()), span: error.span().into() });
        let message = format!("the result is not valid in {}: {}", error.edition(), error.message());
        let see = Some(error.citation().to_string());
        Self::Other { kind: "result-not-valid", message, see, place }.shown_in(result, Side::Result)
    }

    /// The same, with the text that is to be shown where its place is one of that.
    pub(crate) fn shown_in(self, text: &str, of: Side) -> Self {
        match self.place() {
            Some(place) if place.of == of => Self::Elsewhere { text: text.to_owned(), why: Box::new(self) },
            _ => self,
        }
    }

    /// The same, with its place in what was to be edited, if it is about one.
    #[cold]
    pub(crate) fn in_input(self, input: UriRef<'_>) -> Self {
        match self {
            Self::NotEdited { edit, why, place: None } => {
                let place = why.place(input).map(|span| Position { of: Side::Input, part: None, span });
                Self::NotEdited { edit, why, place }
            }
            other => other,
        }
    }

    /// Something that is in the way, without a place and a document.
    pub(crate) const fn other(kind: &'static str, message: String) -> Self {
        Self::Other { kind, message, see: None, place: None }
    }

    /// The same, where the base is what is shown, and the reference was given besides.
    pub(crate) fn of_base(self) -> Self {
        match self {
            Self::Other { kind, message, see, place } => {
                let of = |of| if of == Side::Base { Side::Input } else { Side::Value };
                let place = place.map(|place| Position { of: of(place.of), ..place });
                Self::Other { kind, message, see, place }
            }
            other => other,
        }
    }

    /// The same, with what it is about before its sentence.
    pub(crate) fn said(self, what: &str) -> Self {
        match self {
            Self::Other { kind, message, see, place } => {
                Self::Other { kind, message: format!("{what}: {message}"), see, place }
            }
            other => other,
        }
    }

    /// The same, about a component of the input: its place is all of that, if it has no other.
    pub(crate) fn about(self, part: Component, input: UriRef<'_>) -> Self {
        match self {
            Self::Other { kind, message, see, place } => {
                let span = place.map(|place| place.span).or(input.span(part).map(Span::from));
                let place = span.map(|span| Position { of: Side::Input, part: Some(part), span });
                Self::Other { kind, message, see, place }
            }
            other => other,
        }
    }

    /// Returns its sentence without the document, and the document and section.
    pub(crate) fn sentence_and_citation(&self) -> (String, Option<String>) {
        match self {
            Self::NotValid(error) => {
                let sentence = format!("{}, at byte {}", error.message(), error.offset());
                (sentence, Some(error.citation().to_string()))
            }
            Self::NotAUrl(error) => {
                let sentence = format!("{}, at byte {}", error.message(), error.span().start);
                (sentence, Some(error.citation()))
            }
            Self::Other { message, see, .. } => (message.clone(), see.clone()),
            other => (other.to_string(), None),
        }
    }

    /// Returns why an input is not repaired: the error is the first one that no repair mends, not one of the
    /// characters that would be escaped.
    #[cold]
    pub(crate) fn not_repaired(octets: &[u8], error: ParseError) -> Self {
        let edition = error.edition();
        let Ok(given) = std::str::from_utf8(octets) else { return error.into() };
        let unwrapped = pasted::unwrapped(octets, edition);
        // What has line breaks within is not a part of the input.
        let part = unwrapped.as_deref().and_then(|url| Some((given.find(url)?, url)));
        let (start, text) = part.unwrap_or((0, given));
        let Err(found) = UriRef::parse_repaired_with(text, edition) else { return error.into() };
        let found = found.moved_to(start + found.span().start..start + found.span().end);
        // The error as given has the rule of the scheme.
        if found.span() == error.span() && without_name(given, &found).is_none() {
            return error.into();
        }
        without_name(given, &found).unwrap_or_else(|| found.into())
    }

    /// Why a host beyond ASCII is not repaired.
    fn without_name(error: IdnaError) -> Self {
        match error {
            IdnaError::Host { .. } => Self::of_name(error, "the host has no name in the DNS"),
            error => error.into(),
        }
    }

    fn of_name(error: IdnaError, advice: &str) -> Self {
        let place = Position { of: Side::Input, part: Some(Component::Host), span: error.span().into() };
        let message = with_advice(error.message(), Some(advice));
        Self::Other { kind: "host", message, see: Some(error.citation().to_string()), place: Some(place) }
    }

    /// Its place, if it is about one.
    pub(crate) fn place(&self) -> Option<Position> {
        match self {
            Self::Elsewhere { why, .. } => why.place(),
            Self::NotEdited { place, .. } | Self::Other { place, .. } => *place,
            Self::NotValid(_) | Self::NotAUrl(_) | Self::Gateway { .. } => None,
        }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotValid(error) => error.fmt(f),
            Self::NotAUrl(error) => f.write_str(&error.in_one_line()),
            Self::NotEdited { edit: Some(edit), why, .. } => write!(f, "{}: {why}", visible(edit)),
            Self::NotEdited { edit: None, why, .. } => why.fmt(f),
            Self::Gateway { why, .. } | Self::Elsewhere { why, .. } => why.fmt(f),
            Self::Other { message, see: None, .. } => f.write_str(message),
            Self::Other { message, see: Some(see), .. } => write!(f, "{message} ({see})"),
        }
    }
}

impl From<ParseError> for Failure {
    fn from(error: ParseError) -> Self {
        Self::NotValid(error)
    }
}

impl From<UrlError> for Failure {
    fn from(error: UrlError) -> Self {
        Self::NotAUrl(error)
    }
}

impl From<Unfinished> for Failure {
    fn from(Unfinished { text, error }: Unfinished) -> Self {
        Self::not_finished(text, error)
    }
}

impl From<ResolveError> for Failure {
    fn from(error: ResolveError) -> Self {
        let kind = match error {
            ResolveError::NotDefined { .. } => "not-defined",
            ResolveError::BaseNotAbsolute { .. } => "base-not-absolute",
            ResolveError::BaseOpaque { .. } => "base-opaque",
            ResolveError::EditionsDiffer { .. } => "editions-differ",
            ResolveError::PathUnderflow { .. } => "leftover",
            ResolveError::TooLong => "too-long",
            ResolveError::Unreachable { .. } => "unreachable",
            _ => "other",
        };
        let of = if error.is_in_base() { Side::Base } else { Side::Input };
        let place = error.span().map(|span| Position { of, part: error.component(), span: span.into() });
        let see = error.citation().map(|see| see.to_string());
        Self::Other { kind, message: with_advice(error.message(), error.advice()), see, place }
    }
}

impl From<ResolveLinkError> for Failure {
    fn from(error: ResolveLinkError) -> Self {
        match error {
            ResolveLinkError::NotValid(error) => Self::NotValid(error),
            ResolveLinkError::NotResolved(error) => error.into(),
            _ => Self::other("no-base", format!("{error}; use --base")),
        }
    }
}

impl From<IdnaError> for Failure {
    fn from(error: IdnaError) -> Self {
        match error {
            IdnaError::NoUri(error) => Self::NotValid(error),
            error => Self::of_name(error, "omit --idna if it is not a domain name"),
        }
    }
}

/// Returns why a host beyond ASCII has no name in the DNS.
fn without_name(given: &str, error: &ParseError) -> Option<Failure> {
    let is_of_host = matches!(error.component(), Component::Host | Component::Authority);
    if !is_of_host || !matches!(error.found(), Found::Char(c) if !c.is_ascii()) {
        return None;
    }
    let before = given.get(..error.offset())?;
    let start = before.rfind(['/', '\\', '@']).map_or(0, |delimiter| delimiter + 1);
    let end = given[start..].find(['/', '\\', '?', '#', ':']).map_or(given.len(), |length| start + length);
    // Another scheme of the same length keeps the place.
    let scheme = start.checked_sub("://".len()).filter(|length| *length > 0);
    let scheme = scheme.map_or_else(String::new, |length| "x".repeat(length) + ":");
    let url = format!("{scheme}//{}", &given[start..end]);
    let is_in_place = url.len() == end;
    let refused = UriRef::parse_with(&url, &RFC3987).ok()?.to_uri_with_idna().err()?;
    is_in_place.then(|| Failure::without_name(refused))
}

impl From<PathError> for Failure {
    fn from(error: PathError) -> Self {
        let place = error.offset().and_then(|at| {
            let start = u32::try_from(at).ok()?;
            let span = Span { start, end: start.checked_add(1)? };
            Some(Position { of: Side::Input, part: None, span })
        });
        let see = error.citation().map(str::to_owned);
        Self::Other { kind: error.name(), message: with_advice(error.message(), error.advice()), see, place }
    }
}

impl From<CompareError> for Failure {
    fn from(error: CompareError) -> Self {
        let kind = match error {
            CompareError::FirstIsRelative { .. } | CompareError::SecondIsRelative { .. } => "relative",
            CompareError::EditionsDiffer { .. } => "editions-differ",
            _ => "other",
        };
        let is_relative = kind == "relative";
        // The position of the missing scheme.
        let scheme =
            Position { of: Side::Input, part: Some(Component::Scheme), span: Span { start: 0, end: 0 } };
        let see = error.citation().map(str::to_owned);
        let message = with_advice(error.message(), error.advice());
        Self::Other { kind, message, see, place: is_relative.then_some(scheme) }
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        let advice = match error {
            PlanError::RestrictedPort { .. } => {
                error.option().map(|option| format!("use {} if it is meant", flag(option)))
            }
            _ => error.advice().map(str::to_owned),
        };
        Self::without_plan(error, advice.as_deref())
    }
}

impl Failure {
    /// Returns why a URL that a user gave is not valid: an address without a scheme, in which the
    /// port is read as what follows one, has a suggestion.
    pub(crate) fn not_read(error: ParseError, given: &[u8]) -> Self {
        let is_about_scheme = error.component() == Component::Scheme;
        match pasted::with_scheme(given).filter(|_| is_about_scheme) {
            Some(url) => Self::without_scheme(PlanError::Relative.name(), &url),
            None => error.into(),
        }
    }

    /// Returns why a URL that a user gave has no plan: one that is a host without a scheme has a
    /// suggestion.
    pub(crate) fn no_plan(refused: GatewayPlanError, given: &[u8]) -> Self {
        let GatewayPlanError { error, gateway_url: None, .. } = refused else { return refused.into() };
        let has_no_scheme = matches!(error, PlanError::Relative | PlanError::UnknownScheme { .. });
        match pasted::with_scheme(given).filter(|_| has_no_scheme) {
            Some(url) => Self::without_scheme(error.name(), &url),
            None if matches!(error, PlanError::Relative) => Self::no_scheme(given),
            // A hint explains it.
            None if pasted::has_prefix(given) => Self::without_plan(error, None),
            None => match gateway_advice(&error, given) {
                Some(advice) => Self::without_plan(error, Some(&advice)),
                None => error.into(),
            },
        }
    }

    fn without_plan(error: PlanError, advice: Option<&str>) -> Self {
        let message = match error {
            PlanError::Malformed(SyntaxError::Rule(error)) => return Self::NotValid(error),
            PlanError::NotConfigured { what, option } => not_configured(what, option),
            _ => with_advice(error.message(), advice),
        };
        let place = error.span().map(|span| Position { of: Side::Input, part: None, span: span.into() });
        let see = error.citation().map(|see| see.to_string());
        Self::Other { kind: error.name(), message, see, place }
    }

    /// Returns why a URL that a user gave to be fetched is none: it has no scheme.
    pub(crate) fn no_scheme(given: &[u8]) -> Self {
        let kind = PlanError::Relative.name();
        match pasted::with_scheme(given) {
            Some(url) => Self::without_scheme(kind, &url),
            None => Self::other(kind, "no scheme; a URL to fetch begins with one, such as https:".to_owned()),
        }
    }

    /// Returns why a text that was expected to be a URL is none: it has no scheme. `others` are what else
    /// may have been meant, besides a URL.
    #[cold]
    pub(crate) fn scheme_needed(given: &[u8], others: &[&str]) -> Self {
        let meant = pasted::with_scheme(given);
        let meant: Vec<_> = meant.as_deref().into_iter().chain(others.iter().copied()).collect();
        let message = match meant.split_last() {
            None => "no scheme".to_owned(),
            // A "?" after a URL would be a part of it.
            Some((only, [])) => {
                format!("no scheme: did you mean {only}{}?", if only.contains(':') { " " } else { "" })
            }
            Some((last, rest)) => format!("no scheme: did you mean {}, or {last}?", rest.join(", ")),
        };
        let (of, part, span) = (Side::Input, Some(Component::Scheme), Span { start: 0, end: 0 });
        let place = Some(Position { of, part, span });
        let see = Some("RFC 3986, 3".to_owned());
        Self::Other { kind: PlanError::Relative.name(), message, see, place }
    }

    fn without_scheme(kind: &'static str, url: &str) -> Self {
        Self::other(kind, format!("no scheme; did you mean {url} ?"))
    }
}

impl From<GatewayPlanError> for Failure {
    fn from(GatewayPlanError { error, gateway_url, secrets }: GatewayPlanError) -> Self {
        match gateway_url {
            None => error.into(),
            Some(url) => Self::Gateway { url, secrets, why: Box::new(error.into()) },
        }
    }
}

/// Returns the message of an error of the library, with its advice if it has one.
pub(crate) fn with_advice(message: impl Display, advice: Option<&str>) -> String {
    match advice {
        Some(advice) => format!("{message}; {advice}"),
        None => message.to_string(),
    }
}

/// Returns what to do about a URL whose scheme has no plan: it is a misspelled scheme, a file name of
/// `locator find`, or a scheme that needs a gateway.
fn gateway_advice(error: &PlanError, given: &[u8]) -> Option<String> {
    let is_unknown = matches!(error, PlanError::UnknownScheme { .. });
    if !is_unknown && !matches!(error, PlanError::Reserved { .. }) || !pasted::has_scheme(given) {
        return None;
    }
    let name = given.split(|&octet| octet == b':').next().and_then(|name| str::from_utf8(name).ok())?;
    Some(match scheme::suggest(name) {
        _ if is_unknown && pasted::after_name(given).is_some() => {
            format!("if \"{name}\" is the name of a file, use 'locator find -I' to omit it")
        }
        Some(near) if is_unknown => format!("did you mean \"{near}:\"?"),
        _ => format!("use --gateway {name}=TEMPLATE to fetch it through a gateway"),
    })
}

/// Returns the flag of the command that sets an option of plans: `--low-ports`.
fn flag(option: &str) -> String {
    format!("--{}", option.replace('_', "-"))
}

/// Returns the message for a missing setting, with the option that sets it.
fn not_configured(what: &str, option: &str) -> String {
    let flag = flag(option);
    let or_variable = match config::variable(option) {
        Some(name) => format!(", set {name}"),
        None => String::new(),
    };
    format!("{what} must be configured: use {flag}{or_variable}, or add {option} to the configuration file")
}

/// Writes the reason after the location `place`; a failure to write is ignored.
pub(crate) fn write(errors: &mut Output, place: &Place, octets: &[u8], why: &Failure) {
    let _ = draw(errors, place, octets, why).and_then(|()| errors.flush());
}

/// Writes the repaired form of an invalid input.
pub(crate) fn remark_repaired(errors: &mut Output, place: &Place, repaired: &str) {
    let repaired = visible(&secrets::redacted(repaired).to_string()).to_string();
    let written = place.begin(errors, Word::Note).and_then(|_| writeln!(errors, "repaired: {repaired}"));
    let _ = written.and_then(|()| errors.flush());
}

/// Writes the reason, with the text below it.
pub(crate) fn draw(errors: &mut Output, place: &Place, octets: &[u8], why: &Failure) -> io::Result<()> {
    draw_redacted(errors, place, &secrets::redacted(&String::from_utf8_lossy(octets)), why)
}

/// Writes the reason, with the text below it, whose secrets are known.
fn draw_redacted(errors: &mut Output, place: &Place, text: &Redacted<'_>, why: &Failure) -> io::Result<()> {
    match why {
        Failure::NotValid(error) => diagnosis::write(errors, place, None, text, error),
        Failure::NotAUrl(error) => diagnosis::write_url_error(errors, place, None, text, error, Word::Error),
        Failure::Gateway { url, secrets, why } => {
            draw_redacted(errors, &place.with(VIA_GATEWAY), &secrets::redacted_with(url, secrets), why)
        }
        Failure::Elsewhere { text, .. } => {
            let span = why.place().map(|place| place.span);
            write_marked(errors, place, &secrets::redacted(text), why, span)
        }
        Failure::Other { .. } | Failure::NotEdited { .. } => {
            let span = why.place().filter(|place| place.of == Side::Input).map(|place| place.span);
            write_marked(errors, place, text, why, span)
        }
    }
}

/// What is before an error in a URL that a gateway made from the input.
pub(super) const VIA_GATEWAY: &str = "via the gateway";

/// Returns which byte of the input the reason is about.
pub(crate) fn octet(why: &Failure) -> usize {
    let of_input = |place: &Position| place.of == Side::Input;
    match why {
        Failure::NotValid(error) => error.offset(),
        Failure::NotAUrl(error) => error.span().start,
        Failure::Gateway { .. } | Failure::Elsewhere { .. } => 0,
        _ => why.place().filter(of_input).map_or(0, |place| place.span.start as usize),
    }
}

/// Returns the reason in one sentence without secrets; `text` is the text with the error.
pub(crate) fn sentence(why: &Failure, text: &Redacted<'_>) -> String {
    match why {
        Failure::NotValid(error) => text.report(*error).in_one_line().to_string(),
        Failure::NotAUrl(error) => diagnosis::url_error_in_one_line(None, true, text, error),
        Failure::NotEdited { edit: Some(edit), why, .. } => {
            let edit = secrets::edit(edit);
            let why = match why {
                Refused::Build(BuildError::Value(error)) => {
                    Refused::Build(BuildError::Value(edit.error(*error)))
                }
                why => *why,
            };
            format!("{}: {why}", edit.text)
        }
        Failure::NotEdited { edit: None, why: Refused::Build(BuildError::Whole(error)), .. } => {
            Refused::Build(BuildError::Whole(text.error(*error))).to_string()
        }
        Failure::Gateway { url, secrets, why } => sentence(why, &secrets::redacted_with(url, secrets)),
        Failure::Elsewhere { text, why } => sentence(why, &secrets::redacted(text)),
        Failure::NotEdited { .. } | Failure::Other { .. } => secrets::sentence(&why.to_string()),
    }
}

/// Writes the sentence, then the text, then carets under the span.
fn write_marked(
    errors: &mut Output,
    place: &Place,
    text: &Redacted<'_>,
    why: &Failure,
    span: Option<Span>,
) -> io::Result<()> {
    diagnosis::headline(errors, place, Word::Error, &sentence(why, text))?;
    match span {
        Some(span) => {
            let range = span.range();
            let byte = if place.has_no_byte() { format!("byte {}", range.start) } else { String::new() };
            let (style, note_style) = (BAD, Style::new());
            let excerpt = Excerpt { text, range, style, others: &[], note: &byte, note_style };
            excerpt::write(errors, &excerpt)?;
        }
        None => writeln!(errors, "  {}", beginning(text))?,
    }
    hint(why, text.as_str()).map_or(Ok(()), |hint| diagnosis::help(errors, hint))
}

/// Returns the hint for a valid input without a result, if "URL:" was read as its scheme.
fn hint(why: &Failure, text: &str) -> Option<&'static str> {
    let is_of_scheme = matches!(why, Failure::Other { kind: "unknown-scheme" | "not-file", .. });
    // An edition that has the prefix does not count it to the scheme.
    let is_first = why.place().is_none_or(|place| place.span.start == 0);
    (is_of_scheme && is_first && pasted::has_prefix(text.as_bytes())).then_some(pasted::PREFIX)
}
