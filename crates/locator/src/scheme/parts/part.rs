//! The table of the parts of a scheme's URLs: [`Divide`] returns it, and each [`Part`] is a value
//! from which the written form follows.
//!
//! The parts of a URL between a view and a text: takes them out of a URL, sets them by their names
//! in the table of the scheme ([`Divide::parts`]), and builds the URL again.
//!
//! The parts of a URL are the text that it has, with the text before each. So a `%7e` in a path
//! is still `%7e` after the path was divided and built again, neither "~" nor `%7E`, and `;TYPE=`
//! stays in upper case.

use super::login::LoginParts;
use crate::build::{BuildError, Value, keeping_escapes};
use crate::component::SpannedStr;
use crate::edition::Edition;
use crate::form::SyntaxError;
use crate::pct::PctString;
use crate::reference::UriRef;
use crate::scheme::Scheme;
use crate::scheme::field::{Field, Fields};
use crate::scheme::syntax::login::Login;
use crate::simd::AsciiSet;
use crate::span::Component;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// A scheme that divides its URLs into named parts.
///
/// The table of these parts says how each is written. [`set_part`](crate::scheme::set_part), `locator
/// edit` and the builders of the schemes, such as [`FtpParts`](crate::scheme::FtpParts), write by the
/// table, and read what they wrote by [`fields`](Self::fields). Every method has a default, which suits
/// a scheme without parts.
///
/// ```
/// use locator::edition::RFC3986;
/// use locator::scheme::{self, Divide};
/// use locator::uri_ref;
///
/// let ftp: &dyn Divide = scheme::planner_named("ftp").unwrap();
/// let names = ftp.parts(&RFC3986).iter().map(|part| part.name);
/// assert!(names.eq(["cwds", "name", "type"]));
///
/// let fields = ftp.fields(uri_ref!("ftp://h/pub/a.txt"))?;
/// let name = fields.iter().find(|field| field.name == "name").unwrap();
/// assert_eq!(name.value.span(), Some(12..17));
/// # Ok::<_, scheme::SyntaxError>(())
/// ```
pub trait Divide: Scheme {
    /// Returns the fields of a URL as the scheme divides it, for programs that do not know the
    /// scheme.
    ///
    /// # Errors
    ///
    /// The reference is not a URL of the scheme.
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        Ok(Fields::default().one("rest", self.specific(reference)?).end())
    }

    /// Returns the parts of an edition's URLs, in the order in which they are written. Their names
    /// are those of [`fields`](Self::fields); user, password, host and port belong to every scheme.
    fn parts(&self, edition: &Edition) -> &'static [Part] {
        let _ = edition;
        &[]
    }

    /// Returns the text of a part that contains others ([`Part::inside`]), with the written value
    /// of one of them.
    ///
    /// Without a value it is removed. `outer` is its text so far. A value that is of another form
    /// than the text takes its place. The scheme divides the result again; a value that is not
    /// found in it is refused.
    ///
    /// Returns `None` if the part contains no such part.
    fn rewritten(&self, outer: Option<SpannedStr<'_>>, inner: &str, value: Option<&str>) -> Option<String> {
        let _ = (outer, inner, value);
        None
    }
}

/// A part of the URLs of a scheme.
///
/// The table of a scheme is a constant, so each method is `const`:
///
/// ```
/// use locator::Component;
/// use locator::scheme::{AsciiSet, Part, Shape};
///
/// const DATA: AsciiSet = AsciiSet::UNRESERVED;
/// // "/a/b?day=1&month=2"
/// static PARTS: &[Part] = &[
///     Part::new("names", "/", DATA).of(Shape::Many('/')),
///     Part::new("dates", "?", DATA).of(Shape::Pairs('&')).in_query(),
/// ];
/// assert_eq!(PARTS[0].component, Component::Path);
/// assert_eq!(PARTS[1].component, Component::Query);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The name of the part in the scheme's document, in lower case.
    pub name: &'static str,
    /// The delimiter before the part.
    pub before: &'static str,
    /// The delimiter after the part, written if the part was absent and another must follow.
    pub after: &'static str,
    /// The default value that is written for an absent part if a later part is set. Without a
    /// default nothing is written.
    pub default: Option<&'static str>,
    /// The component that contains the part.
    pub component: Component,
    /// The characters that are not escaped in data.
    pub data: AsciiSet,
    /// The shape of the part.
    pub shape: Shape,
    /// Whether the names of its pairs ignore case.
    pub ignores_case: bool,
    /// Whether a builder refuses data with a segment "." or "..".
    pub refuses_steps: bool,
    /// The part that contains this one, which the scheme writes ([`Divide::rewritten`]).
    pub inside: Option<&'static str>,
}

/// The shape of a part: a value, or several.
///
/// ```
/// use locator::edition::RFC3986;
/// use locator::scheme::{self, Divide, Shape};
///
/// let ftp = scheme::planner_named("ftp").unwrap();
/// let shapes = ftp.parts(&RFC3986).iter().map(|part| part.shape);
/// // Directories, the name of the file, the type.
/// assert!(shapes.eq([Shape::Many('/'), Shape::One, Shape::One]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A single value.
    One,
    /// A single value, in base64 (RFC 4648, 4) if the URL declares base64.
    Content,
    /// Words with "+" between them, which is a space in data.
    Words,
    /// Values with this delimiter between them. NUL, a space and a line end (CR LF, given as LF) are
    /// written percent-encoded.
    Many(char),
    /// Names and values with "=" between them and this delimiter between pairs.
    Pairs(char),
    /// All text after the login, which is replaced.
    Whole,
    /// The host of the URL.
    Host,
}

impl Part {
    /// Creates a part that is in the path after the delimiter `before` and has one value, whose
    /// data may contain the characters `data`.
    #[must_use]
    pub const fn new(name: &'static str, before: &'static str, data: AsciiSet) -> Self {
        Self {
            name,
            before,
            after: "",
            default: None,
            component: Component::Path,
            data,
            shape: Shape::One,
            ignores_case: false,
            refuses_steps: false,
            inside: None,
        }
    }

    /// Sets the shape of this part.
    #[must_use]
    pub const fn of(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// Moves this part to the query.
    #[must_use]
    pub const fn in_query(self) -> Self {
        Self { component: Component::Query, ..self }
    }

    /// Sets the delimiter after this part.
    #[must_use]
    pub const fn followed_by(self, after: &'static str) -> Self {
        Self { after, ..self }
    }

    /// Sets the default value of this part.
    #[must_use]
    pub const fn or(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    /// Sets the part that contains this one, whose text the scheme writes.
    #[must_use]
    pub const fn inside(self, outer: &'static str) -> Self {
        Self { inside: Some(outer), ..self }
    }

    /// Ignores case in the names of its pairs.
    #[must_use]
    pub const fn ignoring_case(self) -> Self {
        Self { ignores_case: true, ..self }
    }

    /// Refuses data with a segment "." or "..", which other programs would take for a step.
    #[must_use]
    pub const fn without_steps(self) -> Self {
        Self { refuses_steps: true, ..self }
    }

    /// Returns whether the name of a pair in a URL is this one, byte by byte.
    #[must_use]
    pub fn is_name(&self, found: SpannedStr<'_>, name: &[u8]) -> bool {
        let found = found.decode();
        if self.ignores_case { found.eq_ignore_ascii_case(name) } else { *found == *name }
    }

    /// Returns whether this part is the whole path or the whole query, which [`Edit`](crate::Edit)
    /// sets.
    #[must_use]
    pub fn is_component(&self) -> bool {
        [Component::Path, Component::Query].into_iter().any(|component| component.name() == self.name)
    }

    /// Returns whether it is written in its place: not by the part that contains it, nor by the login.
    pub(in crate::scheme) fn is_written(&self) -> bool {
        self.inside.is_none() && self.shape != Shape::Host
    }

    /// Returns the delimiter between the values of a list.
    pub(in crate::scheme) const fn between(&self) -> Option<char> {
        match self.shape {
            Shape::Many(between) | Shape::Pairs(between) => Some(between),
            _ => None,
        }
    }

    /// Returns the written form of a whole value: data of a list is divided at its delimiters.
    pub(in crate::scheme) fn write(
        &self,
        value: &Value<'_>,
        edition: &'static Edition,
    ) -> Result<String, BuildError> {
        let Some(between) = self.between().filter(|_| value.is_decoded()) else {
            return self.write_one(value, edition);
        };
        let octets = value.to_encoded(edition, self.component)?;
        let data = |octets: &[u8]| self.escaped(octets, edition);
        let pieces = octets.split(|&octet| char::from(octet) == between);
        Ok(join(
            pieces.map(|piece| match piece.iter().position(|&octet| octet == b'=') {
                Some(at) if matches!(self.shape, Shape::Pairs(_)) => {
                    [data(&piece[..at]), "=".into(), data(&piece[at + 1..])].concat()
                }
                _ => data(piece),
            }),
            between,
        ))
    }

    /// Returns the written form of one of several values.
    pub(in crate::scheme) fn write_one(
        &self,
        value: &Value<'_>,
        edition: &'static Edition,
    ) -> Result<String, BuildError> {
        match value {
            Value::Encoded(text) => Ok((*text).into()),
            Value::Mixed(text) => {
                let octets = Value::Text(text).encoded(edition, self.component)?;
                Ok(keeping_escapes(&octets, |piece| self.escaped(piece, edition)))
            }
            _ => Ok(self.escaped(&value.to_encoded(edition, self.component)?, edition)),
        }
    }

    /// Returns data with all escaped that this part or the edition does not allow.
    pub(in crate::scheme) fn escaped(&self, octets: &[u8], edition: &Edition) -> String {
        let words = self.shape == Shape::Words;
        let set = if words { self.data.difference(AsciiSet::of(b"+")) } else { self.data };
        let allowed = set.difference(set.difference(edition.set(self.component)));
        let escaped = PctString::encode(octets, allowed).into_string();
        if words { escaped.replace("%20", "+") } else { escaped }
    }
}

/// Joins the written values of a list.
pub(in crate::scheme) fn join(pieces: impl Iterator<Item = String>, between: char) -> String {
    let between = match between {
        '\0' => "%00",
        ' ' => "%20",
        '\n' => "%0D%0A",
        _ => return pieces.collect::<Vec<_>>().join(between.encode_utf8(&mut [0; 4])),
    };
    pieces.collect::<Vec<_>>().join(between)
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Writes octets in base64 (RFC 4648, 4).
pub(in crate::scheme) fn to_base64(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len().div_ceil(3) * 4);
    for three in octets.chunks(3) {
        let octet = |at: usize| u32::from(three.get(at).copied().unwrap_or_default());
        let bits = octet(0) << 16 | octet(1) << 8 | octet(2);
        for at in 0..4_usize {
            let digit = DIGITS[(bits >> (18 - 6 * at) & 0x3F) as usize];
            text.push(if at <= three.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

/// The parts of a URL, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::scheme) struct Parts<'v> {
    pub(in crate::scheme) prefix: Option<&'v str>,
    pub(in crate::scheme) scheme: &'v str,
    pub(in crate::scheme) login: Option<LoginParts<'v>>,
    pub(in crate::scheme) given: Vec<Given<'v>>,
    /// The text after the last part.
    pub(in crate::scheme) tail: &'v str,
    pub(in crate::scheme) fragment: Option<&'v str>,
}

/// One part that a URL has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::scheme) struct Given<'v> {
    pub(in crate::scheme) name: &'static str,
    /// The text before the part in its URL, if it is not the delimiter of the table.
    pub(in crate::scheme) before: Option<&'v str>,
    /// Whether no URL had it.
    pub(in crate::scheme) is_new: bool,
    pub(in crate::scheme) pieces: Vec<Piece<'v>>,
}

/// A part or a value of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::scheme) enum Piece<'v> {
    /// A whole part; data of a list is divided at its delimiter.
    Whole(Value<'v>),
    /// A single value; data is escaped where it contains the delimiter of a list.
    One(Value<'v>),
    /// A name and its value.
    Pair(Value<'v>, Value<'v>),
    /// A part as it is written.
    Text(String),
}

impl<'v> Parts<'v> {
    /// Creates a builder of the URL of a scheme.
    pub(in crate::scheme) fn new(scheme: &'v str) -> Self {
        Self { scheme, ..Self::default() }
    }

    /// Returns these parts with a server.
    pub(in crate::scheme) fn at(self, login: impl Into<LoginParts<'v>>) -> Self {
        Self { login: Some(login.into()), ..self }
    }

    /// Returns these parts with a value for one of them.
    pub(in crate::scheme) fn with(mut self, name: &'static str, value: impl Into<Value<'v>>) -> Self {
        self.set(name, Piece::One(value.into()));
        self
    }

    /// Returns the parts of a URL, as one of the schemes divides it. A URL that none divides has no
    /// parts.
    pub(in crate::scheme) fn of(url: UriRef<'v>, schemes: &[&dyn Divide]) -> Self {
        let (text, spans) = (url.as_str(), url.spans());
        let fields = schemes.iter().find_map(|scheme| scheme.fields(url).ok().map(|fields| (scheme, fields)));
        let table = fields.iter().flat_map(|(scheme, fields)| {
            let written = scheme.parts(url.edition()).iter().filter(|part| part.is_written());
            let find = |part: &Part| fields.iter().find(|field| field.name == part.name)?.value.span();
            written.filter_map(move |part| find(part).map(|span| (part, span)))
        });
        // An address of RFC 1738 may begin with "//", which the generic grammar takes for a host.
        let is_login = |span: &Range<usize>| span.start >= spans.path_start as usize;
        let has_login = spans.has_authority && table.clone().next().is_none_or(|(_, span)| is_login(&span));
        let mut end = if has_login { spans.path_start } else { spans.after_scheme() } as usize;
        let mut given = Vec::new();
        for (part, span) in table {
            let before = text.get(end..span.start).unwrap_or_default();
            given.push(Given {
                name: part.name,
                before: (before != part.before).then_some(before),
                is_new: false,
                pieces: Vec::from([Piece::Whole(Value::Encoded(&text[span.clone()]))]),
            });
            end = span.end;
        }
        let component = |component| url.component(component);
        Self {
            prefix: component(Component::Prefix),
            scheme: component(Component::Scheme).unwrap_or_default(),
            login: Login::of(url).filter(|_| has_login).map(|login| login.parts()),
            given,
            tail: text.get(end..spans.query_end as usize).unwrap_or_default(),
            fragment: component(Component::Fragment),
        }
    }

    /// Sets the scheme; the spelling of its name in a URL stays.
    pub(in crate::scheme) const fn set_scheme(&mut self, name: &'v str) {
        if !self.scheme.eq_ignore_ascii_case(name) {
            self.scheme = name;
        }
    }

    pub(in crate::scheme) fn given(&self, name: &str) -> Option<&Given<'v>> {
        self.given.iter().find(|given| given.name == name)
    }

    fn given_mut(&mut self, name: &'static str) -> &mut Given<'v> {
        let at = self.given.iter().position(|given| given.name == name).unwrap_or_else(|| {
            self.given.push(Given { name, before: None, is_new: true, pieces: Vec::new() });
            self.given.len() - 1
        });
        &mut self.given[at]
    }

    /// Returns what a part consists of; nothing if it is absent.
    pub(in crate::scheme) fn pieces(&self, name: &str) -> &[Piece<'v>] {
        self.given(name).map_or(&[], |given| &given.pieces)
    }

    /// Sets a part.
    pub(in crate::scheme) fn set(&mut self, name: &'static str, piece: Piece<'v>) {
        self.given_mut(name).pieces = Vec::from([piece]);
    }

    /// Adds a value to a part with several.
    pub(in crate::scheme) fn push(&mut self, name: &'static str, piece: Piece<'v>) {
        self.given_mut(name).pieces.push(piece);
    }

    /// Sets the text before a part, if it is not the delimiter of the table.
    pub(in crate::scheme) fn spell(&mut self, name: &'static str, before: Option<&'v str>) {
        self.given_mut(name).before = before;
    }

    /// Removes a part.
    pub(in crate::scheme) fn remove(&mut self, name: &str) {
        self.given.retain(|given| given.name != name);
    }

    /// Removes a part and returns what it consisted of.
    pub(in crate::scheme) fn take(&mut self, name: &str) -> Vec<Piece<'v>> {
        let at = self.given.iter().position(|given| given.name == name);
        at.map(|at| self.given.remove(at).pieces).unwrap_or_default()
    }

    /// Removes all parts.
    pub(in crate::scheme) fn clear(&mut self) {
        self.given.clear();
        self.tail = "";
    }
}
