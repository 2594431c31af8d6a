//! A scheme's own parts as they are edited: a reference that is being edited, the name of a part and a value enter;
//! the same reference with that part set or removed leaves. What is not touched stays octet by octet.
//!
//! A scheme says with [`Scheme::own_parts`](super::Scheme::own_parts) what is written before each of its parts; where
//! they are in a URL its view says. What was written is divided by the view again and compared with what was asked for.

mod division;
mod error;

pub use error::PartError;

use alloc::format;
use alloc::string::String;

use super::{kept, named};
use crate::build::{BuildError, Edit, Value};
use crate::edition::Edition;
use crate::escape::EscapedBuf;
use crate::octet::Set;
use crate::part::Part;
use crate::reference::UriRef;
use division::Division;

/// A part of the URLs of a scheme that can be set.
#[derive(Clone, Copy, Debug)]
pub struct OwnPart {
    /// What the scheme's document calls it, in lower case.
    pub name: &'static str,
    /// What is written before it: its delimiter.
    pub before: &'static str,
    /// What is written after it where it was absent: the delimiter of a part that must follow.
    pub after: &'static str,
    /// What is written for it where it is absent and a part after it is set. Without one nothing is written.
    pub default: Option<&'static str>,
    /// The component that it is in.
    pub component: Part,
    /// The characters that data keeps in it; others are escaped.
    pub data: Set,
    /// What it consists of.
    pub shape: Shape,
}

/// What a part consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One value.
    One,
    /// One value, in base64 (RFC 4648, 4) where the URL says that its data is.
    Content,
    /// Words with "+" between them, which is a space in data.
    Words,
    /// Values with this delimiter between them; NUL is written escaped.
    Many(char),
    /// Names and values with "=" between the two and this delimiter between pairs.
    Pairs(char),
    /// All that follows the login, in place of what is there.
    Whole,
    /// The host.
    Host,
}

impl OwnPart {
    /// A part of one value in the path, after this delimiter.
    pub const fn new(name: &'static str, before: &'static str, data: Set) -> Self {
        Self { name, before, after: "", default: None, component: Part::Path, data, shape: Shape::One }
    }

    /// The same with another shape.
    #[must_use]
    pub const fn of(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// The same in the query.
    #[must_use]
    pub const fn in_query(self) -> Self {
        Self { component: Part::Query, ..self }
    }

    /// The same with a delimiter after it.
    #[must_use]
    pub const fn followed_by(self, after: &'static str) -> Self {
        Self { after, ..self }
    }

    /// The same with a default.
    #[must_use]
    pub const fn or(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    /// What is written for a value of it.
    fn write(&self, value: Value<'_>, edition: &Edition) -> String {
        if !value.is_data() {
            return self.write_one(value, edition);
        }
        let octets = value.as_octets();
        match self.shape {
            Shape::Many(between) => self.write_list(octets, between, edition),
            Shape::Pairs(between) => {
                let pairs = octets.split(|&octet| char::from(octet) == between);
                let pair = |pair: &[u8]| match pair.iter().position(|&octet| octet == b'=') {
                    Some(at) => {
                        let value = self.write_one(Value::Data(&pair[at + 1..]), edition);
                        format!("{}={value}", self.write_one(Value::Data(&pair[..at]), edition))
                    }
                    None => self.write_one(Value::Data(pair), edition),
                };
                join(pairs.map(pair), between)
            }
            _ => self.write_one(value, edition),
        }
    }

    fn write_list(&self, octets: &[u8], between: char, edition: &Edition) -> String {
        let pieces = octets.split(|&octet| char::from(octet) == between);
        join(pieces.map(|piece| self.write_one(Value::Data(piece), edition)), between)
    }

    /// The same for one of several.
    fn write_one(&self, value: Value<'_>, edition: &Edition) -> String {
        let octets = match value {
            Value::Raw(text) => return text.into(),
            _ => value.as_octets(),
        };
        let words = self.shape == Shape::Words;
        let set = if words { self.data.without(Set::of(b"+")) } else { self.data };
        let escaped = EscapedBuf::escape(octets, kept(edition, self.component, set)).into_string();
        if words { escaped.replace("%20", "+") } else { escaped }
    }
}

fn join(pieces: impl Iterator<Item = String>, between: char) -> String {
    let mut joined = String::new();
    for (i, piece) in pieces.enumerate() {
        if i > 0 {
            match between {
                '\0' => joined.push_str("%00"),
                _ => joined.push(between),
            }
        }
        joined.push_str(&piece);
    }
    joined
}

/// Which of several is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key<'k> {
    /// Value number so many of a list, counted from 0.
    Index(usize),
    /// The first pair of that name, in octets.
    Name(&'k [u8]),
}

/// Sets a part of a URL by its scheme's own division. `key` is `None` for the part as a whole.
///
/// ```
/// use locator::scheme::{self, Key};
/// use locator::{Value, uri};
///
/// let mut edit = uri!("gopher://h/0a").edit();
/// scheme::set_part(&mut edit, "search", None, "b c".into())?;
/// assert_eq!(edit.finish()?, "gopher://h/0a%09b%20c");
/// let mut edit = uri!("mailto:a@h").edit();
/// scheme::set_part(&mut edit, "headers", Some(Key::Name(b"subject")), "A & B".into())?;
/// assert_eq!(edit.finish()?, "mailto:a@h?subject=A%20%26%20B");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The scheme has no such part, the reference as it is now is none of its URLs, or the value does not fit.
pub fn set_part(
    edit: &mut Edit<'_>,
    name: &str,
    key: Option<Key<'_>>,
    value: Value<'_>,
) -> Result<(), PartError> {
    if is_host(edit, name) {
        edit.set(Part::Host, value)?;
        return Ok(());
    }
    change(edit, name, |division, index| {
        let part = division.part(index);
        let edition = division.edition();
        let encoded = value.encoded(edition, part.component)?;
        let value = if value.is_data() { Value::Data(&encoded) } else { value };
        let content = match value {
            Value::Data(octets) if part.shape == Shape::Content && division.is_base64() => to_base64(octets),
            _ => String::new(),
        };
        let value = if content.is_empty() { value } else { Value::Data(content.as_bytes()) };
        Ok(Some(match key {
            None => part.write(value, edition),
            Some(key) => division.list(index)?.with(key, Some(&part.write_one(value, edition)))?,
        }))
    })
}

/// Removes a part with its delimiter; one that is always there becomes empty. What is not there is no error.
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
/// As [`set_part`].
pub fn remove_part(edit: &mut Edit<'_>, name: &str, key: Option<Key<'_>>) -> Result<(), PartError> {
    if let Some(key) = key {
        let mut is_last = false;
        change(edit, name, |division, index| {
            let left = division.list(index)?.with(key, None)?;
            is_last = left.is_empty();
            Ok(if is_last { None } else { Some(left) })
        })?;
        return if is_last { remove_part(edit, name, None) } else { Ok(()) };
    }
    let built = edit.finish()?;
    let division = Division::of(built.as_uri_ref())?;
    let index = division.index(name)?;
    if division.span(name).is_none() {
        return Ok(());
    }
    match division.without(index) {
        Some(text) => take_over(edit, &text),
        None => set_part(edit, name, None, Value::Raw("")),
    }
}

/// Whether the scheme's name for a part is one for the host.
fn is_host(edit: &Edit<'_>, name: &str) -> bool {
    let scheme = edit.part(Part::Scheme).and_then(|scheme| named(&scheme));
    let own = scheme.map_or(&[][..], |scheme| scheme.own_parts(edit.edition()));
    own.iter().any(|part| part.name == name && part.shape == Shape::Host)
}

/// Writes a part; `None` leaves it.
fn change(
    edit: &mut Edit<'_>,
    name: &str,
    written: impl FnOnce(&Division<'_>, usize) -> Result<Option<String>, PartError>,
) -> Result<(), PartError> {
    let built = edit.finish()?;
    let division = Division::of(built.as_uri_ref())?;
    let index = division.index(name)?;
    let Some(written) = written(&division, index)? else { return Ok(()) };
    if division.text_of(name) == Some(&written) {
        return Ok(());
    }
    let edition = edit.edition();
    if division.is_step(index, &written) {
        return Err(BuildError::DotSegment { edition }.into());
    }
    match division.with(index, &written) {
        Some(text) => take_over(edit, &text),
        None => Err(BuildError::Misread { part: division.part(index).component, edition }.into()),
    }
}

/// What the text has after its login becomes that of the edit.
fn take_over(edit: &mut Edit<'_>, text: &str) -> Result<(), PartError> {
    let read = UriRef::parse_by(text, edit.edition()).map_err(BuildError::Whole)?;
    for part in [Part::Path, Part::Query] {
        match read.part(part) {
            now if now == edit.part(part).as_deref() => {}
            Some(now) => drop(edit.set(part, Value::Raw(now))?),
            None => drop(edit.remove(part)?),
        }
    }
    Ok(())
}

/// The names of the parts that URLs of a scheme have in an edition and that can be set; none where the scheme is not
/// known here.
///
/// ```
/// use locator::edition::RFC3986;
///
/// let names: Vec<_> = locator::scheme::part_names("ftp", &RFC3986).collect();
/// assert_eq!(names, ["cwds", "name", "type"]);
/// ```
pub fn part_names(scheme: &str, edition: &'static Edition) -> impl Iterator<Item = &'static str> + use<> {
    let own = named(scheme).map_or(&[][..], |scheme| scheme.own_parts(edition));
    own.iter().map(|part| part.name)
}

/// The alphabet of RFC 4648, 4.
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn to_base64(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len().div_ceil(3) * 4);
    for three in octets.chunks(3) {
        let octet = |at: usize| u32::from(three.get(at).copied().unwrap_or_default());
        let bits = octet(0) << 16 | octet(1) << 8 | octet(2);
        for at in 0..4_usize {
            let digit = BASE64[(bits >> (18 - 6 * at) & 0x3F) as usize];
            text.push(if at <= three.len() { char::from(digit) } else { '=' });
        }
    }
    text
}
