//! What the verbs do with `-e whatwg`: read, check, normalise, resolve and compare by the URL Standard.
//!
//! Each verb declares its options in its own file, and starts here what the URL Standard does in place of an edition.
//! What it does with its result is that of the other editions: places, totals, tables and lists are the same.

use std::borrow::Cow;
use std::io;
use std::io::Write;

use locator::{Component, DifferenceKind, Edition, Redacted, edition};
use locator_audit::Auditor;
use locator_web::report::{Key, Parsed};
use locator_whatwg::{Position, Url, UrlCow};

use crate::exit::{CliError, Status, say_error};
use crate::field::Field;
use crate::input::url_standard::{self, Beside, DOCUMENT, NAME, UrlError, UrlErrors};
use crate::input::{Input, Origin, STDIN};
use crate::output::rows::{NAMES, row};
use crate::output::{Output, Place, paragraph};
use crate::pasted;
use crate::report::failure::{self, Failure};
use crate::report::json::{self, ComparisonObject, DifferenceObject, ErrorObject, Object, StretchObject};
use crate::report::{At, Reports, Total, findings};
use crate::run::table::CellValue;
use crate::run::transform::{Made, Make};
use crate::run::{Answer, Seen, Skips};
use crate::terminal::paint::{BAD, DIFFERENT, FAINT, GOOD, STRONG, WARN};
use crate::terminal::{Word, paint, secrets, visible};

/// Returns the error of an option that only an edition has.
pub(super) fn of_edition(option: &str) -> CliError {
    say_error(&format!("{option} is for an edition, an RFC or a draft; omit it with -e {NAME}"));
    CliError::Reported
}

/// `read -e whatwg`.
pub(super) struct UrlRead {
    json: bool,
    auditor: Auditor<'static>,
    /// Whether a result was written.
    has_written: bool,
}

impl UrlRead {
    pub(super) fn new(json: bool) -> Self {
        Self { json, auditor: findings::auditor(edition::DEFAULT), has_written: false }
    }
}

impl Answer for UrlRead {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        if !self.json && std::mem::replace(&mut self.has_written, true) {
            writeln!(out)?;
        }
        let text = String::from_utf8_lossy(input.octets);
        let found = match std::str::from_utf8(input.octets) {
            Ok(text) => self.auditor.audit(text),
            Err(_) => Vec::new(),
        };
        let errors = UrlErrors::new(input.octets, None);
        let status = Status::of(errors.parsed().is_ok());
        if self.json {
            let warnings = json::url_errors(&errors, true);
            let object = Object::of_url(errors.parsed()).of(input.octets).with_warnings(warnings);
            json::line(out, &object.with_findings(&found))?;
            return Ok(status);
        }
        match errors.parsed() {
            Ok(url) => {
                write_given(out, &text, url)?;
                write_rows(out, url)?;
                writeln!(out)?;
                write_note(out, &text, &found)?;
                write_verdict(out, &errors)?;
                if let Some(error) = UrlError::host_with_port(input.octets) {
                    let text = secrets::without_secrets(&text);
                    let advice = error.advice_in(&text).unwrap_or_default();
                    write!(out, "  {} ", out.paint.word(Word::Note))?;
                    let sentence = format!("{}; {advice}", error.message_in(&text));
                    paragraph::flow(out, 3 + Word::Note.text().len(), 4, anstyle::Style::new(), &sentence)?;
                }
            }
            Err(error) => {
                let (place, text) = (input.place(error.span().start), secrets::without_secrets(&text));
                crate::report::diagnosis::write_url_error(out, &place, None, &text, error, Word::Error)?;
            }
        }
        Ok(status)
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        Status::of(url_standard::parse(input.octets, None).is_ok())
    }

    fn refuses_names_of_files(&self) -> Option<&'static str> {
        Some("read")
    }
}

/// Returns the serialisation with its secrets hidden.
fn without_secrets(url: &Url) -> Redacted<'_> {
    if secrets::are_shown() {
        return Redacted::exact(url.as_str());
    }
    let password =
        url.password().map(|_| url[..Position::BeforePassword].len()..url[..Position::AfterPassword].len());
    secrets::without_secrets(url.as_str()).hide(password)
}

/// Writes the text as it was given, unless it is the serialisation, and the serialisation in colours.
fn write_given(out: &mut Output, text: &str, url: &Url) -> io::Result<()> {
    let whole = without_secrets(url);
    if text != url.as_str() {
        let given = visible(&secrets::without_secrets(text).to_string()).to_string();
        writeln!(out, "{}\n", out.paint.with(STRONG, given))?;
        write!(out, "{}", out.paint.with(FAINT, format_args!("{:NAMES$}", "  href")))?;
    }
    let (paint, mut shown) = (out.paint, 0);
    for part in Component::ALL.into_iter().filter(|&part| part != Component::Authority) {
        if let Some(range) = url_standard::span(url, part).filter(|range| !range.is_empty()) {
            if shown < range.start {
                write!(out, "{}", paint.with(FAINT, visible(&whole.slice(shown..range.start))))?;
            }
            shown = range.end;
            write!(out, "{}", paint.with(paint::of(part), visible(&whole.slice(range))))?;
        }
    }
    if shown < url.as_str().len() {
        write!(out, "{}", paint.with(FAINT, visible(&whole.slice(shown..url.as_str().len()))))?;
    }
    writeln!(out)?;
    if text == url.as_str() { writeln!(out) } else { Ok(()) }
}

/// Writes a row for each part of the class `URL` that is there.
fn write_rows(out: &mut Output, url: &Url) -> io::Result<()> {
    let whole = without_secrets(url);
    let shown = |part| url_standard::span(url, part).map(|span| whole.slice(span)).unwrap_or_default();
    let special = if url.is_special() { "special" } else { "" };
    row(out, "  scheme", url.scheme(), Component::Scheme, special)?;
    if !url.username().is_empty() {
        let user = whole.slice(url[..Position::BeforeUsername].len()..url[..Position::AfterUsername].len());
        row(out, "  username", &user, Component::Userinfo, "not the host")?;
    }
    if url.password().is_some() {
        let password =
            whole.slice(url[..Position::BeforePassword].len()..url[..Position::AfterPassword].len());
        let is_hidden = password == Redacted::HIDDEN;
        let note = if is_hidden { "clear text; --show-secrets prints it" } else { "clear text" };
        row(out, "  password", &password, Component::Userinfo, note)?;
    }
    if url.has_authority() {
        row(out, "  host", &shown(Component::Host), Component::Host, url_standard::host_words(url))?;
    }
    if url.port().is_some() {
        row(out, "  port", &shown(Component::Port), Component::Port, "")?;
    }
    let opaque =
        if url.cannot_be_a_base() { "opaque: only a fragment can be resolved against it" } else { "" };
    row(out, "  path", &shown(Component::Path), Component::Path, opaque)?;
    for part in [Component::Query, Component::Fragment] {
        if url_standard::part(url, part).is_some() {
            row(out, &format!("  {}", part.name()), &shown(part), part, "")?;
        }
    }
    let origin = url.origin();
    let note = if origin.is_tuple() { "" } else { "opaque: equal to no other" };
    row(out, "  origin", &origin.ascii_serialization(), Component::Scheme, note)
}

fn write_note(out: &mut Output, text: &str, found: &[locator_audit::Finding]) -> io::Result<()> {
    let Some(remark) = findings::remark(text, found) else { return Ok(()) };
    write!(out, "  {} ", out.paint.word(Word::Note))?;
    paragraph::flow(out, 3 + Word::Note.text().len(), 4, anstyle::Style::new(), &remark)
}

/// Writes whether the input is a valid URL string, or what the parser repairs in it.
fn write_verdict(out: &mut Output, errors: &UrlErrors<'_>) -> io::Result<()> {
    let mut names: Vec<_> = Vec::new();
    for error in errors.iter() {
        if !names.contains(&error.rule()) {
            names.push(error.rule());
        }
    }
    write!(out, "  {} ", out.paint.word(Word::Valid))?;
    let sentence = match names.as_slice() {
        [] => format!("in the {DOCUMENT}"),
        names => format!(
            "in the {DOCUMENT}, which repairs: {} ('locator check -e {NAME} --strict' explains)",
            names.join(", ")
        ),
    };
    paragraph::flow(out, 3 + Word::Valid.text().len(), 4, anstyle::Style::new(), &sentence)
}

/// Returns the value of a part of a URL in a table.
pub(super) fn cell(part: Field, url: &Url) -> CellValue<'_> {
    let is_number = matches!(part.title().as_str(), "port" | "effective_port");
    match part.of_url(url) {
        None => CellValue::Null,
        Some(number) if is_number => {
            CellValue::Other { cell: number.clone().into_owned(), json: number.into_owned() }
        }
        Some(text) => CellValue::Text(text),
    }
}

/// What `check -e whatwg` checks.
pub(super) struct UrlCheck<'a> {
    /// The file of the URLs.
    pub(super) file: Option<&'a [u8]>,
    /// Whether URLs are in tables, each of which has a name.
    pub(super) is_table: bool,
    pub(super) json: bool,
    /// Whether every error is reported, and not only the first.
    pub(super) all: bool,
    /// Whether relative URLs are allowed.
    pub(super) relative: bool,
    /// Whether what the standard repairs is an error.
    pub(super) strict: bool,
    /// Whether a location precedes each URL.
    pub(super) places: bool,
    pub(super) reports: Reports,
    /// Where warnings go that change no status.
    pub(super) errors: Output,
}

impl UrlCheck<'_> {
    /// Splits an input into the location and the URL.
    fn located<'i>(&self, input: Input<'i>) -> (Input<'i>, Option<Cow<'i, str>>) {
        match pasted::place(input.octets).filter(|_| self.places) {
            Some(found) => (Input { octets: found.url, ..input }, Some(String::from_utf8_lossy(found.place))),
            None => (input, None),
        }
    }

    /// Returns the base of relative URLs, if they are allowed and this is one.
    fn base(&self, octets: &[u8]) -> Option<Url> {
        let is_relative = || url_standard::parse(octets, None).is_err_and(|error| error.is_relative());
        if self.relative && is_relative() { url_standard::any_base() } else { None }
    }

    fn is_blank(&self, input: Input<'_>) -> bool {
        // A blank cell is no URL, as a blank line is none.
        self.is_table && input.octets.trim_ascii().is_empty()
    }

    /// Returns what to type for a URL without a scheme.
    fn explained(&self, error: UrlError, input: Input<'_>) -> UrlError {
        if !error.is_relative() || pasted::with_scheme(input.octets).is_some() {
            return error;
        }
        let others =
            if input.origin == Origin::Argument { "a file (-f), or --relative" } else { "--relative" };
        error.with_advice(format!("did you mean {others}?"))
    }
}

impl Answer for UrlCheck<'_> {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        if self.is_blank(input) {
            return Ok(Status::Valid);
        }
        let (input, place) = self.located(input);
        let base = self.base(input.octets);
        let errors = UrlErrors::new(input.octets, base.as_ref());
        let address = UrlError::host_with_port(input.octets);
        let refused = address.or_else(|| errors.parsed().err().cloned());
        let refused = refused.map(|error| self.explained(error, input));
        let status = Status::of(refused.is_none());
        let table = input.list.filter(|name| self.is_table && *name != STDIN).map(str::as_bytes);
        let (file, all) = (table.or(self.file), self.all);
        let at = At { input, given: place.as_deref() };
        match refused {
            Some(error) if self.json => {
                self.reports.count(input);
                let object = Object::refused_url(ErrorObject::of_url(&error)).at(input, place.as_deref());
                let object = object.in_file(file);
                // A host with a port has no other error.
                let is_alone = !all || errors.parsed().is_ok();
                let object = match is_alone {
                    true => object.with_errors(std::iter::once(ErrorObject::of_url(&error))),
                    false => object.with_errors(json::url_errors(&errors, true)),
                };
                json::line(out, &object)?;
            }
            Some(error) if !all || errors.parsed().is_ok() => {
                self.reports.url_errors(out, &at, None, std::iter::once(error), Word::Error)?;
            }
            Some(_) => self.reports.url_errors(out, &at, None, errors.iter(), Word::Error)?,
            None if errors.first().is_none() => {}
            None if self.json && self.strict => {
                self.reports.count(input);
                let object = Object::warned_url(json::url_errors(&errors, all)).at(input, place.as_deref());
                json::line(out, &object.in_file(file))?;
                return Ok(Status::NotValid);
            }
            None if self.strict => {
                let few = if all { usize::MAX } else { 1 };
                self.reports.url_errors(out, &at, None, errors.iter().take(few), Word::Error)?;
                return Ok(Status::NotValid);
            }
            None if self.json => {}
            None => {
                // On a terminal, keep results and errors in the order of the input.
                out.flush()?;
                let few = if all { usize::MAX } else { 1 };
                let errors = errors.iter().take(few);
                let written = self.reports.url_errors(&mut self.errors, &at, None, errors, Word::Warning);
                // A failure to write to standard error is ignored.
                let _ = written.and_then(|()| self.errors.flush());
            }
        }
        Ok(status)
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        if self.is_blank(input) {
            return Status::Valid;
        }
        let (input, _) = self.located(input);
        let base = self.base(input.octets);
        let is_url = match self.strict {
            true => UrlErrors::new(input.octets, base.as_ref()).first().is_none(),
            false => url_standard::parse(input.octets, base.as_ref()).is_ok(),
        };
        Status::of(is_url && UrlError::host_with_port(input.octets).is_none())
    }

    fn reports(&self) -> Option<&Reports> {
        Some(&self.reports)
    }

    fn total(&self) -> Total {
        Total::of_validity(self.strict)
    }

    fn refuses_names_of_files(&self) -> Option<&'static str> {
        Some("check")
    }

    fn skips(&self) -> Skips {
        Skips::Blank
    }

    fn explains_places(&self) -> bool {
        self.places || self.strict
    }
}

/// What the URL Standard says in `-e all`, beside what the editions say.
pub(super) enum Last {
    /// It reads the text.
    Url(Box<Url>),
    /// The text is relative, so it depends on a base what it is.
    Relative(UrlError),
    /// It does not read the text.
    Refused(UrlError),
}

impl Last {
    pub(super) fn of(octets: &[u8]) -> Self {
        match url_standard::parse(octets, None) {
            Ok(url) => Self::Url(Box::new(url)),
            Err(error) if error.is_relative() => Self::Relative(error),
            Err(error) => Self::Refused(error),
        }
    }

    pub(super) fn url(&self) -> Option<&Url> {
        if let Self::Url(url) = self { Some(url) } else { None }
    }

    pub(super) const fn refused(&self) -> Option<&UrlError> {
        if let Self::Refused(error) = self { Some(error) } else { None }
    }

    /// Returns the keys in which it differs from the newest edition that accepts the text.
    pub(super) fn differing(&self, newest: Option<&Parsed<'_>>) -> Vec<Key> {
        let (Some(url), Some(reading)) = (self.url(), newest) else { return Vec::new() };
        let beside = Beside::new(url, reading);
        Key::ALL.into_iter().filter(|&key| beside.differs(key)).collect()
    }

    /// Returns the value of a key, with what is to be said about it; `None` if it is undefined.
    pub(super) fn value(&self, key: Key) -> Option<(String, &'static str)> {
        let url = self.url()?;
        let Key::Part(part) = key else { return None };
        let span = url_standard::span(url, part)?;
        let note = match part {
            Component::Host => url_standard::host_words(url),
            Component::Userinfo => "not the host",
            _ => "",
        };
        Some((without_secrets(url).slice(span).into_owned(), note))
    }

    /// Returns its object in JSON.
    pub(super) fn object(&self) -> Object<'_> {
        match self {
            Self::Url(url) => Object::of_url(Ok(url)),
            Self::Relative(error) | Self::Refused(error) => Object::of_url(Err(error)),
        }
    }

    /// Writes that it does not read the text, as for the other editions.
    pub(super) fn write_refusal(&self, out: &mut Output, text: &str) -> io::Result<()> {
        let (style, words, error) = match self {
            Self::Url(_) => return Ok(()),
            Self::Relative(error) => (WARN, "relative", error),
            Self::Refused(error) => (BAD, "not valid", error),
        };
        writeln!(out, "  {} in {NAME}", out.paint.with(style, words))?;
        let redacted = secrets::without_secrets(text);
        let reason = match self {
            Self::Relative(_) => {
                format!("a browser resolves it against the page: locator resolve -e {NAME} --base URL REF")
            }
            _ => {
                let (message, start) = (error.message_in(&redacted), error.span().start);
                format!("{message}, at byte {start} ({}, {})", error.rule(), error.citation())
            }
        };
        for line in paragraph::lines(reason.split(' '), out.columns, 4, 4) {
            writeln!(out, "    {line}")?;
        }
        Ok(())
    }
}

/// `normalize -e whatwg`: the serialisation.
pub(super) struct UrlNormalize {
    check: bool,
    seen: Option<Seen>,
}

impl UrlNormalize {
    pub(super) fn new(check: bool, unique: bool) -> Self {
        Self { check, seen: unique.then(Seen::default) }
    }
}

impl Make for UrlNormalize {
    const REFUSES_NAMES_OF_FILES: Option<&'static str> = Some("normalize");

    fn unwraps(&self) -> Option<&'static Edition> {
        None
    }

    // A filter prints fewer lines than it reads.
    fn keeps_lines(&self) -> bool {
        self.seen.is_none() && !self.check
    }

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        // Most URLs of lists are in serialised form, and are not copied.
        let url = url_standard::parse_cow(octets)?;
        if self.seen.as_ref().is_some_and(|seen| !seen.is_new(url.as_str())) {
            return Ok(Made::Nothing);
        }
        let given = std::str::from_utf8(octets).unwrap_or_default();
        Ok(match url {
            UrlCow::Borrowed(_) if self.check => Made::Nothing,
            UrlCow::Borrowed(url) => Made::Reference(Cow::Borrowed(url.as_str())),
            UrlCow::Owned(url) if self.check => Made::Wanting { given, normal: url.into() },
            UrlCow::Owned(url) => Made::Reference(Cow::Owned(url.into())),
        })
    }
}

/// `resolve -e whatwg`.
pub(super) struct UrlResolve {
    base: Url,
}

impl UrlResolve {
    /// Reads the base; one that is not valid is reported, and the run does not start.
    pub(super) fn new(base: &[u8], errors: &mut Output) -> Result<Self, CliError> {
        read_base(base, errors).map(|base| Self { base })
    }
}

fn read_base(base: &[u8], errors: &mut Output) -> Result<Url, CliError> {
    url_standard::parse(base, None).map_err(|error| {
        let is_relative = error.is_relative() && pasted::with_scheme(base).is_none();
        let why = match is_relative {
            true => error.with_advice("a base begins with a scheme, such as https:".to_owned()),
            false => error,
        };
        failure::write(errors, &Place::named("--base"), base, &why.into());
        CliError::Reported
    })
}

/// `relative -e whatwg`.
pub(super) struct UrlRelative {
    base: Url,
}

impl UrlRelative {
    /// Reads the base; one that is not valid is reported, and the run does not start.
    pub(super) fn new(base: &[u8], errors: &mut Output) -> Result<Self, CliError> {
        read_base(base, errors).map(|base| Self { base })
    }
}

impl Make for UrlRelative {
    fn unwraps(&self) -> Option<&'static Edition> {
        None
    }

    fn keeps_lines(&self) -> bool {
        true
    }

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let url = url_standard::parse(octets, None)?;
        match self.base.make_relative(&url) {
            Some(relative) => Ok(Made::Reference(Cow::Owned(relative))),
            None => Err(Failure::other("unreachable", self.unreachable(&url))),
        }
    }
}

impl UrlRelative {
    /// Returns why no relative URL leads from the base to a URL.
    fn unreachable(&self, url: &Url) -> String {
        let differs =
            |part: &Component| url_standard::part(&self.base, *part) != url_standard::part(url, *part);
        let part = [Component::Scheme, Component::Userinfo, Component::Host, Component::Port]
            .into_iter()
            .find(differs);
        match part {
            Some(part) => {
                format!("no relative URL leads there from the base: it has another {}", part.name())
            }
            None => "no relative URL leads there from the base: the path of one is opaque".to_owned(),
        }
    }
}

impl Make for UrlResolve {
    const TAKES_NAMES_OF_FILES: bool = true;

    fn unwraps(&self) -> Option<&'static Edition> {
        None
    }

    fn keeps_lines(&self) -> bool {
        true
    }

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        Ok(Made::Reference(Cow::Owned(url_standard::parse(octets, Some(&self.base))?.into())))
    }
}

/// Two URLs that `compare -e whatwg` compares (URL Standard, 4.6).
pub(super) struct UrlPair {
    first: Url,
    second: Url,
    ignores_fragment: bool,
}

/// The components whose differences are shown.
const COMPARED: [Component; 7] = [
    Component::Scheme,
    Component::Userinfo,
    Component::Host,
    Component::Port,
    Component::Path,
    Component::Query,
    Component::Fragment,
];

impl UrlPair {
    /// Reads both; an error has the number of the argument, from 1.
    pub(super) fn new(sides: &[Vec<u8>; 2], ignores_fragment: bool) -> Result<Self, (u64, Failure)> {
        let read = |argument, octets: &[u8]| {
            url_standard::parse(octets, None).map_err(|error| (argument, Failure::from(error)))
        };
        Ok(Self { first: read(1, &sides[0])?, second: read(2, &sides[1])?, ignores_fragment })
    }

    /// "A URL A equals a URL B if … serializedA is serializedB" (4.6).
    pub(super) fn is_equivalent(&self) -> bool {
        key(&self.first, self.ignores_fragment) == key(&self.second, self.ignores_fragment)
    }

    /// Returns the components that differ.
    fn differences(&self) -> impl Iterator<Item = Component> {
        let is_compared = |part: &Component| !(self.ignores_fragment && *part == Component::Fragment);
        COMPARED
            .into_iter()
            .filter(is_compared)
            .filter(|&part| url_standard::part(&self.first, part) != url_standard::part(&self.second, part))
    }

    /// Returns the components of both, for people.
    fn shown(&self, part: Component) -> [Option<String>; 2] {
        [&self.first, &self.second].map(|url| {
            let span = url_standard::span(url, part)?;
            Some(without_secrets(url).slice(span).into_owned())
        })
    }

    /// Writes the verdict, then the differences of the serialisations.
    pub(super) fn write(&self, out: &mut Output) -> io::Result<()> {
        let paint = out.paint;
        let see = paint.with(FAINT, format_args!("({DOCUMENT}, 4.6)")).to_string();
        match self.is_equivalent() {
            true => writeln!(out, "{} by serialization {see}", paint.with(GOOD, "equivalent"))?,
            false => writeln!(out, "{} by serialization {see}", paint.with(DIFFERENT, "not equivalent"))?,
        }
        let parts: Vec<_> = self.differences().collect();
        let names = parts.iter().map(|part| part.name().len()).max().unwrap_or(0);
        if !parts.is_empty() {
            writeln!(out)?;
        }
        for part in parts {
            let [first, second] = self.shown(part);
            let name = paint.with(paint::of(part), format_args!("{:names$}", part.name())).to_string();
            let text = |text: &Option<String>| match text.as_deref() {
                None => paint.with(FAINT, "(undefined)").to_string(),
                Some("") => paint.with(FAINT, "(empty)").to_string(),
                Some(text) => visible(text).to_string(),
            };
            writeln!(out, "  {name}  {}", text(&first))?;
            writeln!(out, "  {:names$}  {}", "", text(&second))?;
        }
        Ok(())
    }
}

/// Returns the text by which URLs are equal.
fn key(url: &Url, ignores_fragment: bool) -> &str {
    if ignores_fragment { &url[..Position::AfterQuery] } else { url.as_str() }
}

/// Returns the text by which a URL of a list is equal to another.
pub(super) fn key_of(octets: &[u8], ignores_fragment: bool) -> Result<String, Failure> {
    let url = url_standard::parse(octets, None)?;
    Ok(key(&url, ignores_fragment).to_owned())
}

/// Returns how two URLs compare, for `compare --json`.
pub(super) fn comparison<'a>(
    sides: &'a [Vec<u8>; 2],
    compared: &'a Result<UrlPair, (u64, Failure)>,
) -> ComparisonObject<'a> {
    let (pair, refusal) = (compared.as_ref().ok(), compared.as_ref().err());
    let is_equivalent = pair.map(UrlPair::is_equivalent);
    let stretch = |url: &'a Url, part| {
        let end = url.as_str().len();
        let span = url_standard::span(url, part).unwrap_or(end..end);
        StretchObject::of(url.as_str(), span)
    };
    let difference = |pair: &'a UrlPair, part: Component| DifferenceObject {
        component: part.name(),
        kind: match [&pair.first, &pair.second].map(|url| url_standard::part(url, part).is_some()) {
            [true, true] => DifferenceKind::Content.name(),
            _ => DifferenceKind::Presence.name(),
        },
        first: stretch(&pair.first, part),
        second: stretch(&pair.second, part),
    };
    ComparisonObject {
        first_href: pair.map(|pair| pair.first.as_str()),
        second_href: pair.map(|pair| pair.second.as_str()),
        equivalent: is_equivalent,
        rung: is_equivalent.filter(|is| *is).map(|_| "serialization"),
        see: is_equivalent.filter(|is| *is).map(|_| format!("{DOCUMENT}, 4.6")),
        differences: pair.map(|pair| pair.differences().map(|part| difference(pair, part)).collect()),
        argument: refusal.map(|(argument, _)| *argument),
        error: refusal.map(|(_, why)| ErrorObject::why(why)),
        ..ComparisonObject::of(sides, NAME)
    }
}
