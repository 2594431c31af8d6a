//! Edits the parts that a scheme defines: takes a reference that is being edited, the name of a
//! part and a value, and sets or removes that part. All other text stays unchanged.
//!
//! The table of the scheme ([`Divide::parts`]) has the delimiter before each part; the view of the
//! scheme determines its position. The view then divides the result again, which must contain the
//! new value.
//!
//! The error of setting a part that is defined by a scheme.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::iter::Map;
use core::ops::Range;

use super::parts::{Divide, Field, FieldValue, Part, Parts, Piece, Shape, Spelling, Writer, join};
use crate::as_text::{error_as_sentence, iterator};
use crate::build::{BuildError, Edit, Value};
use crate::component::SpannedStr;
use crate::edition::Edition;
use crate::error::ParseError;
use crate::form::SyntaxError;
use crate::pct::PctString;
use crate::plan::PlanError;
use crate::reference::{UriBuf, UriRef};
use crate::scheme::check;
use crate::scheme::planned::{OwnParts, own_parts, planner_named};
use crate::span::Component;

/// Sets a part that the scheme of a URL defines. `key` is `None` for the whole part.
///
/// ```
/// use locator::scheme::{self, Key};
/// use locator::{Value, uri};
///
/// let mut edit = uri!("gopher://h/0a").edit();
/// scheme::set_part(&mut edit, "search", None, "b c".into())?;
/// assert_eq!(edit.finish()?, "gopher://h/0a%09b%20c");
/// let mut edit = uri!("mailto:a@h").edit();
/// scheme::set_part(
///     &mut edit,
///     "headers",
///     Some(Key::Name(b"subject")),
///     "A & B".into(),
/// )?;
/// assert_eq!(edit.finish()?, "mailto:a@h?subject=A%20%26%20B");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The scheme has no such part, the reference is not one of its URLs, or the value does not fit.
pub fn set_part(
    edit: &mut Edit<'_>,
    name: &str,
    key: Option<Key<'_>>,
    value: Value<'_>,
) -> Result<(), PartError> {
    if is_host(edit, name) {
        edit.set(Component::Host, value)?;
        return Ok(());
    }
    let built = edit.finish()?;
    let division = DividedUrl::of(built.as_uri_ref(), name)?;
    let (part, edition) = (division.part, edit.edition());
    let written = match key {
        None => part.write(&value, edition)?,
        Some(key) => division.list()?.with(key, Some(&part.write_one(&value, edition)?))?,
    };
    if division.text() == Some(&written) {
        return Ok(());
    }
    if division.is_step(&written) {
        return Err(BuildError::DotSegment { edition }.into());
    }
    let piece = if key.is_some() { Piece::Text(written.clone()) } else { Piece::Whole(value.clone()) };
    let parts = division.with(piece);
    match parts.build_by(division.scheme, edition) {
        Ok(url) => take_over(edit, url.as_uri_ref()),
        // The error is about the value as it is written, which must be the one given.
        Err(_) if written.as_bytes() == value.as_bytes() => Err(division.refused(&parts, &written)),
        Err(_) => Err(division.misread()),
    }
}

/// Removes a part with its delimiter; a mandatory part becomes empty. Removing an absent part is
/// not an error.
///
/// ```
/// use locator::scheme;
///
/// let mut edit = locator::uri!("ftp://h/a;type=i").edit();
/// scheme::remove_part(&mut edit, "type", None)?;
/// assert_eq!(edit.finish()?, "ftp://h/a");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The same errors as [`set_part`].
pub fn remove_part(edit: &mut Edit<'_>, name: &str, key: Option<Key<'_>>) -> Result<(), PartError> {
    let built = edit.finish()?;
    let division = DividedUrl::of(built.as_uri_ref(), name)?;
    let left = match key {
        None => String::new(),
        Some(key) => division.list()?.with(key, None)?,
    };
    if !left.is_empty() {
        return set_part(edit, name, None, Value::Encoded(&left));
    }
    if division.text().is_none() {
        return Ok(());
    }
    match division.without()? {
        Some(url) => take_over(edit, url.as_uri_ref()),
        None => set_part(edit, name, None, Value::Encoded("")),
    }
}

/// Returns whether the scheme uses this name for the host.
fn is_host(edit: &Edit<'_>, name: &str) -> bool {
    let scheme = edit.component(Component::Scheme);
    let mut own = scheme.iter().flat_map(|scheme| own_parts(scheme, edit.edition()));
    own.any(|part| part.name == name && part.shape == Shape::Host)
}

/// Replaces the text after the login of the edit with that of a URL.
fn take_over(edit: &mut Edit<'_>, read: UriRef<'_>) -> Result<(), PartError> {
    for part in [Component::Path, Component::Query] {
        match read.component(part) {
            now if now == edit.component(part).as_deref() => {}
            Some(now) => drop(edit.set(part, Value::Encoded(now))?),
            None => drop(edit.remove(part)?),
        }
    }
    Ok(())
}

/// Returns the names of the parts that can be set in URLs of a scheme and an edition.
///
/// An unknown scheme has no parts.
///
/// ```
/// use locator::edition::RFC3986;
///
/// let names: Vec<_> = locator::scheme::part_names("ftp", &RFC3986).collect();
/// assert_eq!(names, ["cwds", "name", "type"]);
/// ```
pub fn part_names(scheme: &str, edition: &'static Edition) -> PartNames {
    PartNames(own_parts(scheme, edition).map(|part| part.name))
}

iterator! {
    /// The names of the parts of a scheme: the result of [`part_names`].
    ///
    /// ```
    /// use locator::{edition::RFC3986, scheme};
    ///
    /// assert!(scheme::part_names("mailto", &RFC3986).any(|name| name == "headers"));
    /// ```
    pub struct PartNames(Map<OwnParts, fn(&'static Part) -> &'static str>) -> &'static str;
}

/// The key of one value of a part with several.
///
/// ```
/// use locator::scheme::{Key, remove_part, set_part};
/// use locator::uri;
///
/// let mut edit = uri!("ftp://h/pub/old/a.txt").edit();
/// set_part(&mut edit, "cwds", Some(Key::Index(1)), "new".into())?;
/// assert_eq!(edit.finish()?, "ftp://h/pub/new/a.txt");
///
/// let mut edit = uri!("mailto:a@h?subject=x&cc=b@h").edit();
/// remove_part(&mut edit, "headers", Some(Key::Name(b"cc")))?;
/// assert_eq!(edit.finish()?, "mailto:a@h?subject=x");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key<'k> {
    /// The index of a value in a list, counted from 0.
    Index(usize),
    /// The first pair of this name, in octets; some parts ignore its case.
    Name(&'k [u8]),
}

/// A URL that is divided by its scheme, and one of its parts.
struct DividedUrl<'a> {
    reference: UriRef<'a>,
    scheme: &'static dyn Divide,
    part: &'static Part,
    fields: Vec<Field<'a>>,
    /// Why the reference is no URL of the scheme, if it lacks all parts.
    bare: Option<SyntaxError>,
}

/// The values of a part with several, as written.
struct ValueList<'a> {
    part: &'static Part,
    /// Values alone, or names with the values after "=".
    values: Vec<(Option<SpannedStr<'a>>, SpannedStr<'a>)>,
    between: char,
}

impl<'a> DividedUrl<'a> {
    fn of(reference: UriRef<'a>, name: &str) -> Result<Self, PartError> {
        let (given, edition) = (reference.scheme().map_or("", |name| name.as_str()), reference.edition());
        let scheme = planner_named(given).ok_or(PartError::NoPart { scheme: "", edition })?;
        let known = scheme.names().first().copied().unwrap_or_default();
        // "nntp://h" has no part yet, and is no URL of its scheme before it has a group.
        let (fields, bare) = match scheme.fields(reference) {
            Err(error) if is_bare(reference) => (Vec::new(), Some(error)),
            fields => (fields?, None),
        };
        let part = own_parts(given, edition).find(|part| part.name == name);
        let part = part.ok_or(PartError::NoPart { scheme: known, edition })?;
        Ok(Self { reference, scheme, part, fields, bare })
    }

    fn value(&self) -> Option<&FieldValue<'a>> {
        self.fields.iter().find(|field| field.name == self.part.name).map(|field| &field.value)
    }

    /// Returns the text of the part, if it is present.
    fn text(&self) -> Option<&'a str> {
        Some(&self.reference.as_str()[self.value()?.span()?])
    }

    /// Returns the values of the part.
    fn list(&self) -> Result<ValueList<'a>, PartError> {
        let part = self.part;
        let between = part.between().ok_or(PartError::NoKey { name: part.name, count: 1 })?;
        let values = match self.value() {
            Some(FieldValue::Many(values)) => values.iter().map(|&value| (None, value)).collect(),
            Some(FieldValue::Pairs(pairs)) => {
                pairs.iter().map(|&(name, value)| (Some(name), value)).collect()
            }
            _ => Vec::new(),
        };
        Ok(ValueList { part, values, between })
    }

    /// Returns the parts of the URL with a piece for this part.
    fn with<'v>(&self, piece: Piece<'v>) -> Parts<'v>
    where
        'a: 'v,
    {
        let mut parts: Parts<'v> = Parts::of(self.reference, &[self.scheme]);
        if self.part.shape == Shape::Whole {
            parts.clear();
        }
        parts.set(self.part.name, piece);
        parts
    }

    /// Returns the URL without the part and its delimiter; `None` if the part can only be empty.
    fn without(&self) -> Result<Option<UriBuf>, PartError> {
        let (name, edition) = (self.part.name, self.reference.edition());
        let mut parts = Parts::of(self.reference, &[self.scheme]);
        if let Some(outer) = self.part.inside {
            let whole =
                self.fields.iter().find(|field| field.name == outer).and_then(|field| field.value.span());
            let whole = whole.map(|span| self.reference.excerpt_of(span));
            let left = self.scheme.rewritten(whole, name, None).ok_or(self.misread())?;
            parts.set(outer, Piece::Text(left));
        } else {
            parts.remove(name);
        }
        let built = parts.build_by(self.scheme, edition).ok();
        let is_left = |url: &UriBuf| {
            DividedUrl::of(url.as_uri_ref(), name).is_ok_and(|url| url.text().unwrap_or_default().is_empty())
        };
        match built.filter(is_left) {
            None if self.part.inside.is_some() => Err(self.misread()),
            left => Ok(left),
        }
    }

    /// Returns whether a value would be a dot segment in a hierarchical path.
    fn is_step(&self, written: &str) -> bool {
        let mut steps = written.split('/');
        self.scheme.is_hierarchical()
            && self.part.component == Component::Path
            && steps.any(|step| matches!(step, "." | ".."))
    }

    /// Returns the error of a result that would be parsed differently.
    fn misread(&self) -> PartError {
        let misread =
            BuildError::Misread { component: self.part.component, edition: self.reference.edition() };
        self.bare.map_or(misread.into(), PartError::from)
    }

    /// Returns why parts are not accepted: the error of the rule of the scheme, with its position in
    /// the value, if it is about bytes of the value.
    fn refused(&self, parts: &Parts<'_>, value: &str) -> PartError {
        let by_rule = || {
            let writer = Writer::new(parts, self.scheme, self.reference.edition());
            let written = writer.write(Spelling::Kept).ok()?;
            let read = UriRef::parse_with(&written.text, self.reference.edition()).ok()?;
            in_value(check(read)?.err()?, written.start_of(self.part.name)?, value)
        };
        by_rule().map_or_else(|| self.misread(), |error| BuildError::Value(error).into())
    }
}

/// Returns whether nothing follows the login.
fn is_bare(reference: UriRef<'_>) -> bool {
    let spans = reference.spans();
    let start = if spans.has_authority { spans.path_start } else { spans.after_scheme() };
    matches!(&reference.as_str()[start as usize..spans.query_end as usize], "" | "/")
}

/// Returns an error with its position in a value that begins at `start`, if it is about its bytes.
fn in_value(error: ParseError, start: usize, value: &str) -> Option<ParseError> {
    let span = error.span().start.checked_sub(start)?..error.span().end.checked_sub(start)?;
    if span.end > value.len() {
        return None;
    }
    let (octets, span) = (value.as_bytes(), span.into());
    Some(ParseError::new(octets, error.edition(), error.kind(), error.component(), span, error.rule()))
}

impl ValueList<'_> {
    /// Returns a value, after its name if it has one.
    fn written((name, _): (Option<SpannedStr<'_>>, SpannedStr<'_>), value: &str) -> String {
        name.map_or_else(|| value.into(), |name| [name.as_str(), "=", value].concat())
    }

    /// Returns the list with a value set or, for `None`, removed.
    fn with(&self, key: Key<'_>, value: Option<&str>) -> Result<String, PartError> {
        let is_meant = |at: usize, name: Option<SpannedStr<'_>>| match key {
            Key::Index(index) => index == at,
            Key::Name(wanted) => name.is_some_and(|name| self.part.is_name(name, wanted)),
        };
        let places = self.values.iter().enumerate();
        let found = places.clone().find(|(at, (name, _))| is_meant(*at, *name)).map(|(at, _)| at);
        let mut written: Vec<String> = Vec::new();
        for (at, one) in places {
            let value = if found == Some(at) { value } else { Some(one.1.as_str()) };
            written.extend(value.map(|value| Self::written(*one, value)));
        }
        match (key, found, value) {
            (_, Some(_), _) | (_, None, None) => {}
            (Key::Name(name), None, Some(value)) if name.iter().all(u8::is_ascii) => {
                let name = PctString::encode(name, crate::edition::DEFAULT.unreserved());
                written.push([name.as_str(), "=", value].concat());
            }
            // An index after the last value appends one.
            (Key::Index(index), None, Some(value)) if index == self.values.len() => {
                written.push(value.into());
            }
            _ => return Err(PartError::NoKey { name: self.part.name, count: self.values.len() }),
        }
        Ok(join(written.into_iter(), self.between))
    }
}

/// The reason why a part that is defined by a scheme cannot be set.
///
/// ```
/// use locator::scheme::set_part;
///
/// let mut edit = locator::uri!("ftp://h/a").edit();
/// let error = set_part(&mut edit, "selector", None, "x".into()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "ftp URLs have no such part: their own parts are cwds, name, type"
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PartError {
    /// The scheme has no part of that name in the edition.
    NoPart {
        /// The name of the scheme; empty for an unknown scheme, and without one.
        scheme: &'static str,
        /// The edition of the reference.
        edition: &'static Edition,
    },
    /// The part has no such value: it is not a list, or it has fewer values.
    NoKey {
        /// The name of the part.
        name: &'static str,
        /// The number of its values.
        count: usize,
    },
    /// The current reference does not follow the form or the rule of its scheme.
    Malformed(SyntaxError),
    /// The value cannot be part of a valid URL.
    Build(BuildError),
}

impl PartError {
    /// Returns the name of this kind of error in JSON: `no-part`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NoPart { .. } => "no-part",
            Self::NoKey { .. } => "no-key",
            Self::Malformed(_) => "malformed",
            Self::Build(error) => error.name(),
        }
    }

    /// Returns the component that the error is in, if it is about one.
    #[must_use]
    pub const fn component(&self) -> Option<Component> {
        match self {
            Self::NoPart { .. } | Self::NoKey { .. } => None,
            Self::Malformed(malformed) => malformed.component(),
            Self::Build(error) => Some(error.component()),
        }
    }

    /// Returns the document and section of the rule, where there is one: `RFC 3986, 3.3`.
    #[must_use]
    pub fn citation(&self) -> Option<impl Display> {
        match self {
            Self::NoPart { .. } | Self::NoKey { .. } => None,
            Self::Malformed(malformed) => malformed.citation().map(|citation| citation.to_string()),
            Self::Build(error) => Some(error.citation().to_string()),
        }
    }

    /// Returns the span of the error in the URL or in the value.
    #[must_use]
    pub const fn span(&self) -> Option<Range<usize>> {
        match self {
            Self::NoPart { .. } | Self::NoKey { .. } => None,
            Self::Malformed(malformed) => malformed.span(),
            Self::Build(error) => error.span(),
        }
    }
}

impl Display for PartError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPart { scheme, edition } => {
                let own: Vec<_> = own_parts(scheme, edition).map(|part| part.name).collect();
                match own.as_slice() {
                    [] => f.write_str("URLs of this scheme have no parts of their own"),
                    own => {
                        write!(f, "{scheme} URLs have no such part: their own parts are {}", own.join(", "))
                    }
                }
            }
            Self::NoKey { name, count } => {
                write!(f, "\"{name}\" has no such value: it has {count}, counted from 0")
            }
            Self::Malformed(malformed) => PlanError::Malformed(*malformed).message().fmt(f),
            Self::Build(error) => error.fmt(f),
        }
    }
}

error_as_sentence!(PartError);

impl From<BuildError> for PartError {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

impl From<SyntaxError> for PartError {
    fn from(error: SyntaxError) -> Self {
        Self::Malformed(error)
    }
}
