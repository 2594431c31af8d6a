//! Writes JSON objects, one per line, with the keys and their order of `spec/command.md`. This
//! file has the objects that several verbs share: an input ([`Object`]) with the parts of its scheme and its pairs, an
//! error ([`ErrorObject`]) and a finding of `audit` ([`FindingObject`]), each with the same keys for all verbs. Those
//! of a single verb are declared with it. A value of `None` has no key.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, Write};
use std::ops::Range;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use locator::scheme::{Field, FieldValue};
use locator::{
    Charset, Component, Edit, Edition, Found, ParseError, PctStr, SpaceEncoding, Span, SpannedStr, UriRef,
    scheme,
};
use locator_audit::Finding;
use locator_whatwg::Url;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;

use crate::input::reading::Parsed;
use crate::input::url_standard::{self, UrlError, UrlErrors, part};
use crate::input::{Input, Origin};
use crate::report::failure::{Failure, Position, Side};
use crate::report::findings::Warning;
use crate::terminal::undo::{Decoding, undone};
use crate::terminal::visible::does_harm;

/// Writes an object and ends the line.
pub(crate) fn line(out: &mut impl Write, object: &impl Serialize) -> io::Result<()> {
    object.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Terminal))?;
    out.write_all(b"\n")
}

/// Returns bytes as text; invalid UTF-8 with U+FFFD, and also in base64.
pub(crate) fn text_of(octets: &[u8]) -> (Cow<'_, str>, Option<String>) {
    match std::str::from_utf8(octets) {
        Ok(text) => (Cow::Borrowed(text), None),
        Err(_) => (String::from_utf8_lossy(octets), Some(BASE64_STANDARD.encode(octets))),
    }
}

/// Compact JSON that is safe for a terminal. JSON itself escapes only characters below U+0020. DEL, the
/// C1 controls and characters that reorder or hide text are allowed in a string, and a terminal would
/// act on them.
struct Terminal;

impl Formatter for Terminal {
    #[inline]
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        if fragment.bytes().all(|octet| octet < 0x7F) {
            return out.write_all(fragment.as_bytes());
        }
        write_escaping(out, fragment)
    }
}

#[cold]
fn write_escaping<W: ?Sized + Write>(out: &mut W, fragment: &str) -> io::Result<()> {
    let mut written = 0;
    for (index, c) in fragment.char_indices().filter(|&(_, c)| does_harm(c)) {
        out.write_all(&fragment.as_bytes()[written..index])?;
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}")?;
        }
        written = index + c.len_utf8();
    }
    out.write_all(&fragment.as_bytes()[written..])
}

/// One input by one edition or by the URL Standard, with the values of its serialisation.
#[derive(Default, Serialize)]
pub(crate) struct Object<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repaired: Option<String>,
    #[serde(flatten)]
    origin_of_input: OriginObject<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a str>,
    edition: &'a str,
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    /// The serialisation, by the URL Standard.
    #[serde(skip_serializing_if = "Option::is_none")]
    href: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prefix: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    authority: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    userinfo: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    password: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host_kind: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    zone: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fragment: Option<&'a str>,
    /// The origin, by the URL Standard.
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme_valid: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme_status: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme_near: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme_parts: Option<SchemeParts<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Pairs<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<FindingObjects<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<Errors<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warnings: Option<Errors<'a>>,
}

impl<'a> Object<'a> {
    /// The object of a reading or an error, without the input.
    pub(crate) fn new(edition: &'a Edition, reading: &Result<Parsed<'a>, ParseError>) -> Self {
        match reading {
            Ok(reading) => Self::valid(reading),
            Err(error) => {
                Self { edition: edition.name, error: Some(ErrorObject::of(error)), ..Self::default() }
            }
        }
    }

    fn valid(reading: &Parsed<'a>) -> Self {
        let reference = reading.reference;
        let authority = reference.authority();
        let userinfo = authority.and_then(|authority| authority.userinfo());
        let unknown = reference.component(Component::Scheme).filter(|name| scheme::lookup(name).is_none());
        Self {
            edition: reference.edition().name,
            valid: true,
            kind: Some(reference.kind().name()),
            prefix: reference.component(Component::Prefix),
            scheme: reference.component(Component::Scheme),
            authority: reference.component(Component::Authority),
            userinfo: reference.component(Component::Userinfo),
            user: userinfo.map(|userinfo| userinfo.user().as_str()),
            password: userinfo.and_then(|userinfo| userinfo.password()).map(|text| text.as_str()),
            host: reference.component(Component::Host),
            host_kind: authority.map(|authority| authority.host().kind().name()),
            zone: authority.and_then(|authority| authority.host().zone()).map(|zone| zone.as_str()),
            port: reference.component(Component::Port),
            path: reference.component(Component::Path),
            query: reference.component(Component::Query),
            pairs: Pairs::of(reference, SpaceEncoding::Percent20),
            fragment: reference.component(Component::Fragment),
            // A reading is valid by the grammar and by the rule for the scheme.
            scheme_valid: reading.has_scheme_rule.then_some(true),
            scheme_status: unknown.and_then(scheme::status).map(scheme::IanaStatus::name),
            scheme_near: unknown.and_then(scheme::suggest),
            scheme_parts: scheme_parts(reference),
            ..Self::default()
        }
    }

    /// The object of an edited input.
    pub(crate) fn edited(edited: UriRef<'a>, space: SpaceEncoding) -> Self {
        let has_scheme_rule = matches!(scheme::check(edited), Some(Ok(())));
        Self {
            result: Some(edited.as_str()),
            pairs: Pairs::of(edited, space),
            ..Self::valid(&Parsed { reference: edited, has_scheme_rule })
        }
    }

    /// Adds the repaired input.
    pub(crate) fn repaired(self, repaired: Option<&str>) -> Self {
        Self { repaired: repaired.map(str::to_owned), ..self }
    }

    /// The object of an input that could not be edited.
    pub(crate) fn not_edited(edition: &'a Edition, why: &'a Failure) -> Self {
        Self { edition: edition.name, error: Some(ErrorObject::why(why)), ..Self::default() }
    }

    /// The object of a URL by the URL Standard, or of why the input is none, without the input.
    pub(crate) fn of_url(parsed: Result<&'a Url, &UrlError>) -> Self {
        match parsed {
            Ok(url) => Self::valid_url(url),
            Err(error) => Self::refused_url(ErrorObject::of_url(error)),
        }
    }

    /// The object of an input without a result, by the URL Standard.
    pub(crate) fn refused_url(error: ErrorObject<'a>) -> Self {
        Self { edition: url_standard::NAME, error: Some(error), ..Self::default() }
    }

    fn valid_url(url: &'a Url) -> Self {
        let userinfo = part(url, Component::Userinfo);
        Self {
            edition: url_standard::NAME,
            valid: true,
            kind: Some(if url.cannot_be_a_base() { "opaque" } else { "url" }),
            href: Some(url.as_str()),
            scheme: Some(url.scheme()),
            authority: part(url, Component::Authority),
            userinfo,
            user: userinfo.map(|_| url.username()),
            password: url.password(),
            host: part(url, Component::Host),
            host_kind: url_standard::host_kind(url),
            port: part(url, Component::Port),
            path: Some(url.path()),
            query: url.query(),
            fragment: url.fragment(),
            origin: Some(url.origin().ascii_serialization()),
            pairs: url.query().map(|_| Pairs::OfUrl(url)),
            ..Self::default()
        }
    }

    /// The object of an input that was edited by the URL Standard.
    pub(crate) fn edited_url(url: &'a Url) -> Self {
        Self { result: Some(url.as_str()), ..Self::valid_url(url) }
    }

    /// The object of an input that the URL Standard reads, with warnings.
    pub(crate) fn warned_url(warnings: impl Iterator<Item = ErrorObject<'a>> + 'a) -> Self {
        let warnings = Some(Errors::new(warnings));
        Self { edition: url_standard::NAME, valid: true, warnings, ..Self::default() }
    }

    /// Adds the input.
    pub(crate) fn of(self, octets: &'a [u8]) -> Self {
        let (input, input_base64) = text_of(octets);
        Self { input: Some(input), input_base64, ..self }
    }

    /// The object of a valid input with warnings.
    pub(crate) fn warned(edition: &'a Edition, warnings: &'a [Warning]) -> Self {
        let warnings = Some(Errors::new(warnings.iter().map(ErrorObject::warning)));
        Self { edition: edition.name, valid: true, warnings, ..Self::default() }
    }

    /// Adds the findings of the text whose components it has.
    pub(crate) fn with_findings(self, findings: &'a [Finding]) -> Self {
        Self { findings: FindingObjects::of(findings), ..self }
    }

    /// Adds errors.
    pub(crate) fn with_errors(self, errors: impl Iterator<Item = ErrorObject<'a>> + 'a) -> Self {
        Self { errors: Some(Errors::new(errors)), ..self }
    }

    /// Adds the validation errors that a URL has all the same, if there are any.
    pub(crate) fn with_warnings(self, warnings: impl Iterator<Item = ErrorObject<'a>> + 'a) -> Self {
        let mut warnings = warnings.peekable();
        let is_there = self.valid && warnings.peek().is_some();
        Self { warnings: is_there.then(|| Errors::new(warnings)), ..self }
    }

    /// Adds the file that the input is in.
    pub(crate) fn in_file(mut self, file: Option<&'a [u8]>) -> Self {
        self.origin_of_input = self.origin_of_input.in_file(file);
        self
    }

    /// Adds the location of the input.
    pub(crate) fn at(self, input: Input<'a>, located: Option<&'a str>) -> Self {
        let mut object = Self { place: located, ..self.of(input.octets) };
        object.origin_of_input = object.origin_of_input.numbered(&input);
        object
    }
}

/// Where an input is: its file, and its number among the arguments, lines or items.
#[derive(Default, Serialize)]
pub(crate) struct OriginObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<u64>,
}

impl<'a> OriginObject<'a> {
    /// That of a line of a file, or of standard input.
    pub(crate) fn at_line(file: Option<&'a [u8]>, line: u64) -> Self {
        Self { line: Some(line), ..Self::default() }.in_file(file)
    }

    /// Adds the file.
    pub(super) fn in_file(self, file: Option<&'a [u8]>) -> Self {
        let (file, file_base64) = file.map(text_of).map_or((None, None), |(text, raw)| (Some(text), raw));
        Self { file, file_base64, ..self }
    }

    /// Adds the number of an input.
    pub(crate) fn numbered(self, input: &Input<'_>) -> Self {
        let number = |origin| (input.origin == origin).then_some(input.number);
        let (argument, line) = (number(Origin::Argument), number(Origin::Line));
        Self { argument, line, item: number(Origin::Item), ..self }
    }
}

/// Two URLs and how they compare, or why they do not.
#[derive(Default, Serialize)]
pub(crate) struct ComparisonObject<'a> {
    pub(crate) first: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first_base64: Option<String>,
    pub(crate) second: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) second_base64: Option<String>,
    pub(crate) edition: &'a str,
    /// The serialisations, by the URL Standard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first_href: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) second_href: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) equivalent: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rung: Option<&'a str>,
    /// Which documents have the rung.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) see: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) differences: Option<Vec<DifferenceObject<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) argument: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<ErrorObject<'a>>,
}

impl<'a> ComparisonObject<'a> {
    /// What was asked, without the answer.
    pub(crate) fn of([first, second]: &'a [Vec<u8>; 2], edition: &'a str) -> Self {
        let (first, first_base64) = text_of(first);
        let (second, second_base64) = text_of(second);
        Self { first, first_base64, second, second_base64, edition, ..Self::default() }
    }
}

/// A difference of two URLs, with the bytes of each.
#[derive(Serialize)]
pub(crate) struct DifferenceObject<'a> {
    pub(crate) component: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) first: StretchObject<'a>,
    pub(crate) second: StretchObject<'a>,
}

/// A stretch of a text; empty where there is nothing.
#[derive(Serialize)]
pub(crate) struct StretchObject<'a> {
    offset: usize,
    length: usize,
    text: &'a str,
}

impl<'a> StretchObject<'a> {
    /// The bytes of a text in a range.
    pub(crate) fn of(text: &'a str, range: Range<usize>) -> Self {
        Self { offset: range.start, length: range.len(), text: &text[range] }
    }
}

/// The parts of its scheme, if that is known.
fn scheme_parts(reference: UriRef<'_>) -> Option<SchemeParts<'_>> {
    let fields = scheme::fields(reference)?.ok()?;
    Some(SchemeParts(fields, reference.edition().charset()))
}

/// The pairs of a query, decoded as they are written: they take many times the memory of the query.
enum Pairs<'a> {
    OfReference(UriRef<'a>, SpaceEncoding),
    /// Those of a form.
    OfUrl(&'a Url),
}

impl<'a> Pairs<'a> {
    /// Those of a reference; `None` without a query.
    fn of(reference: UriRef<'a>, space: SpaceEncoding) -> Option<Self> {
        reference.query().map(|_| Self::OfReference(reference, space))
    }
}

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (reference, space) = match *self {
            Self::OfReference(reference, space) => (reference, space),
            Self::OfUrl(url) => {
                let object = |(name, value)| PairObject { name, value: Some(value) };
                return to.collect_seq(url.query_pairs().map(object));
            }
        };
        let mut edit = Edit::of(reference);
        edit.spaces(space);
        let by = Decoding { space, charset: reference.edition().charset() };
        let text = |text: PctStr<'_>| Cow::Owned(undone(text.as_str(), by));
        to.collect_seq(
            edit.pairs().map(|pair| PairObject { name: text(pair.name()), value: pair.value().map(text) }),
        )
    }
}

/// A pair of a query, decoded to printable characters; without "=" it has no value.
#[derive(Serialize)]
struct PairObject<'a> {
    name: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Cow<'a, str>>,
}

/// Errors, written as they are found: they may not all fit into memory.
struct Errors<'a>(Cell<Option<Box<dyn Iterator<Item = ErrorObject<'a>> + 'a>>>);

impl<'a> Errors<'a> {
    fn new(errors: impl Iterator<Item = ErrorObject<'a>> + 'a) -> Self {
        Self(Cell::new(Some(Box::new(errors))))
    }
}

impl Serialize for Errors<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // An object is written once, which consumes its errors.
        to.collect_seq(self.0.take().into_iter().flatten())
    }
}

/// Returns all validation errors of an input, or only the most important one: that because of which the input is not
/// parsed, or the first.
pub(crate) fn url_errors<'a>(found: &'a UrlErrors<'_>, all: bool) -> impl Iterator<Item = ErrorObject<'a>> {
    let first = if all { None } else { found.first() };
    let every = all.then(|| found.iter());
    every.into_iter().flatten().chain(first).map(|error| ErrorObject::of_url(&error))
}

/// The parts of a URL that its scheme defines, a key for each, and the charset of its escapes.
struct SchemeParts<'a>(Vec<Field<'a>>, Charset);

impl<'a> Serialize for SchemeParts<'a> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let of = |excerpt: &SpannedStr<'a>| PartObject::of(excerpt, self.1);
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for field in &self.0 {
            match &field.value {
                FieldValue::One(excerpt) => {
                    let part = PartObject { meaning: field.meaning, ..of(excerpt) };
                    map.serialize_entry(field.name, &part)?;
                }
                FieldValue::Many(excerpts) => {
                    map.serialize_entry(field.name, &Each(|| excerpts.iter().map(of)))?;
                }
                FieldValue::Pairs(pairs) => {
                    let pair = |(name, value): &_| SchemePairObject { name: of(name), value: of(value) };
                    map.serialize_entry(field.name, &Each(|| pairs.iter().map(pair)))?;
                }
                FieldValue::Word(word) => map.serialize_entry(field.name, word)?,
                _ => {}
            }
        }
        map.end()
    }
}

/// A list whose objects are made as they are written.
struct Each<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0())
    }
}

/// A part, and its decoded form if that differs: text, or base64 if it is not UTF-8.
#[derive(Serialize)]
struct PartObject<'a> {
    raw: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    decoded: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decoded_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    meaning: Option<&'static str>,
}

#[derive(Serialize)]
struct SchemePairObject<'a> {
    name: PartObject<'a>,
    value: PartObject<'a>,
}

impl<'a> PartObject<'a> {
    fn of(excerpt: &SpannedStr<'a>, charset: Charset) -> Self {
        let raw = excerpt.as_str();
        let octets = match excerpt.decode() {
            Cow::Borrowed(_) => return Self { raw, decoded: None, decoded_base64: None, meaning: None },
            Cow::Owned(octets) => octets,
        };
        let (decoded, decoded_base64) = match charset.decode(Cow::Borrowed(&octets)) {
            Ok(text) => (Some(text.into_owned()), None),
            Err(_) => (None, Some(BASE64_STANDARD.encode(&octets))),
        };
        Self { raw, decoded, decoded_base64, meaning: None }
    }
}

/// An error.
#[derive(Default, Serialize)]
pub(crate) struct ErrorObject<'a> {
    /// The kind of the error, if the input itself is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    /// The change that cannot be made.
    #[serde(skip_serializing_if = "Option::is_none")]
    edit: Option<&'a str>,
    /// The text that contains the position, if not the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<&'static str>,
    /// The result of the edits, if that contains the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a str>,
    /// Its position, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u32>,
    /// Its length, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    component: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    /// The character there; empty at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    /// The sentence.
    message: String,
    /// Document and section.
    #[serde(skip_serializing_if = "Option::is_none")]
    see: Option<String>,
}

impl<'a> ErrorObject<'a> {
    /// The object of a parse error.
    pub(crate) fn of(error: &ParseError) -> Self {
        let span = Span::from(error.span());
        Self {
            offset: Some(span.start),
            length: Some(span.len()),
            component: Some(error.component().name()),
            rule: Some(error.rule().name),
            found: Some(match error.found() {
                Found::Char(c) => c.to_string(),
                Found::Byte(_) => char::REPLACEMENT_CHARACTER.to_string(),
                _ => String::new(),
            }),
            message: error.message().to_string(),
            see: Some(error.citation().to_string()),
            ..Self::default()
        }
    }

    /// The object of an error by the URL Standard, or of a warning that there is one.
    pub(crate) fn of_url(error: &UrlError) -> Self {
        let span = Span::from(error.span());
        Self {
            offset: Some(span.start),
            length: Some(span.len()),
            component: error.component().map(Component::name),
            rule: Some(error.rule()),
            found: Some(error.found()),
            message: error.message().to_owned(),
            see: Some(error.citation()),
            ..Self::default()
        }
    }

    /// The object of a warning.
    pub(crate) fn warning(warning: &'a Warning) -> Self {
        Self {
            kind: Some(warning.kind),
            offset: Some(warning.span.start),
            length: Some(warning.span.len()),
            component: Some(warning.part.name()),
            message: warning.message.clone(),
            see: warning.see.clone(),
            ..Self::default()
        }
    }

    /// The object of a failure.
    pub(crate) fn why(why: &'a Failure) -> Self {
        match why {
            Failure::NotValid(error) => Self::of(error),
            Failure::NotAUrl(error) => Self::of_url(error),
            Failure::Gateway { why, .. } => Self::why(why),
            Failure::Elsewhere { text, why: inner } => {
                let is_result = why.place().is_some_and(|place| place.of == Side::Result);
                Self { result: is_result.then_some(text.as_str()), ..Self::why(inner) }
            }
            Failure::NotEdited { edit, why, place } => {
                let error = match why.error() {
                    Some(error) => Self::of(&error),
                    None => Self {
                        component: Some(why.part().name()),
                        rule: Some(why.rule()).filter(|rule| !rule.is_empty()),
                        message: why.message(),
                        see: Some(why.see()).filter(|see| !see.is_empty()),
                        ..Self::default()
                    },
                };
                Self { kind: Some(why.kind()), edit: edit.as_deref(), ..error }.at(place.as_ref())
            }
            Failure::Other { kind, message, see, place } => {
                let error =
                    Self { kind: Some(kind), message: message.clone(), see: see.clone(), ..Self::default() };
                error.at(place.as_ref())
            }
        }
    }

    /// The object of an error in a result that is printed beside it.
    pub(crate) fn of_result(why: &'a Failure) -> Self {
        Self { result: None, ..Self::why(why) }
    }

    /// Adds a position.
    fn at(self, place: Option<&Position>) -> Self {
        let Some(Position { of, part, span }) = place else { return self };
        Self {
            of: match of {
                Side::Input => None,
                Side::Base => Some("base"),
                Side::Value => Some("value"),
                Side::Result => Some("result"),
            },
            offset: Some(span.start),
            length: Some(span.len()),
            component: part.map(Component::name).or(self.component),
            ..self
        }
    }
}

/// A finding.
#[derive(Serialize)]
pub(crate) struct FindingObject<'a> {
    code: &'static str,
    severity: &'static str,
    precision: &'static str,
    offset: usize,
    length: usize,
    component: &'static str,
    message: &'a str,
    advice: &'static str,
    see: &'static str,
}

impl<'a> FindingObject<'a> {
    /// The object of a finding at these bytes of the input.
    pub(crate) fn new(finding: &'a Finding, span: Range<usize>, message: &'a str) -> Self {
        let code = finding.code();
        Self {
            code: code.name(),
            severity: finding.severity().name(),
            precision: code.precision().name(),
            offset: span.start,
            length: span.len(),
            component: finding.component().name(),
            message,
            advice: code.advice(),
            see: finding.citation(),
        }
    }
}

/// The findings of a text that is shown as it is, each made an object when it is written.
pub(crate) struct FindingObjects<'a>(&'a [Finding]);

impl<'a> FindingObjects<'a> {
    /// Those of a list; `None` without findings.
    pub(crate) fn of(findings: &'a [Finding]) -> Option<Self> {
        (!findings.is_empty()).then_some(Self(findings))
    }
}

impl Serialize for FindingObjects<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(
            self.0.iter().map(|finding| FindingObject::new(finding, finding.span(), finding.message())),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> String {
        let mut out = Vec::new();
        let mut to = serde_json::Serializer::with_formatter(&mut out, Terminal);
        text.serialize(&mut to).expect("a string can always be written");
        String::from_utf8(out).expect("what is written is text")
    }

    #[test]
    fn what_harms_a_terminal_is_escaped_and_stays_what_it_is() {
        let text = "é\u{7F}\u{9B}31m\u{202E}\u{FEFF}\u{E0001}\u{1B}\"\\\u{FFFD}.";
        let written = json(text);
        assert_eq!(written, r#""é\u007f\u009b31m\u202e\ufeff\udb40\udc01\u001b\"\\�.""#);
        assert_eq!(serde_json::from_str::<String>(&written).expect("it is JSON"), text);
    }
}
