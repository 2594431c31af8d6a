//! Shared parts of the builders of all schemes: takes values, as data or encoded, and writes them
//! into a URL. The URL is then parsed again, because an encoded value may contain a delimiter.
//! Follows RFC 3986, section 2.4.
//!
//! A view passes each part to its builder as encoded text ([`raw`]), and [`written`] copies encoded
//! text. So a `%7e` in a path is still `%7e` after the path was divided and built again, neither
//! "~" nor `%7E`. The text between the parts that has several spellings (`;TYPE=`) is a field of
//! the builder, and prefix, scheme and fragment are in a [`Frame`].

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::build::{BuildError, Edit, Value};
use crate::edition::Edition;
use crate::form::SyntaxError;
use crate::pct::PctString;
use crate::reference::{UriBuf, UriRef};
use crate::scheme::Scheme;
use crate::scheme::definition::check_by;
use crate::simd::AsciiSet;
use crate::span::Component;

/// A number in a URL: its value, or its digits as a URL has them (`080`, or nothing).
///
/// ```
/// use locator::scheme::{LoginParts, Number, SessionParts};
/// use locator::edition::RFC1738;
///
/// let mut login = LoginParts::new("host.dom").port(23);
/// assert_eq!(login.port, Some(Number::Value(23)));
/// login.port = Some(Number::Raw("0023"));
/// assert_eq!(SessionParts::new("telnet", login).build_with(&RFC1738)?, "telnet://host.dom:0023");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number<'v> {
    /// The number, written in decimal digits.
    Value(u64),
    /// The digits, written unchanged.
    Raw(&'v str),
}

impl<'v> Number<'v> {
    /// Returns the written form of this number.
    pub(in crate::scheme) fn text(self) -> Cow<'v, str> {
        match self {
            Self::Value(value) => Cow::Owned(value.to_string()),
            Self::Raw(digits) => Cow::Borrowed(digits),
        }
    }

    /// Returns the number as a value if it is given as digits.
    pub(in crate::scheme) const fn raw(self) -> Option<Value<'v>> {
        match self {
            Self::Value(_) => None,
            Self::Raw(digits) => Some(Value::Encoded(digits)),
        }
    }
}

impl From<u64> for Number<'_> {
    fn from(value: u64) -> Self {
        Self::Value(value)
    }
}

/// The text of a view around the part of a URL that its scheme defines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::scheme) struct Frame<'v> {
    prefix: Option<&'v str>,
    scheme: Option<&'v str>,
    fragment: Option<&'v str>,
}

impl<'v> Frame<'v> {
    /// Returns the frame of a URL.
    pub(in crate::scheme) fn of(url: UriRef<'v>) -> Self {
        let part = |part| url.component(part);
        Self {
            prefix: part(Component::Prefix),
            scheme: part(Component::Scheme),
            fragment: part(Component::Fragment),
        }
    }

    /// Returns whether the original URL has this scheme.
    pub(in crate::scheme) fn has_scheme(self, name: &str) -> bool {
        self.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(name))
    }

    /// Begins a URL of a scheme. The name keeps the case of the original URL.
    pub(in crate::scheme) fn begin(
        self,
        name: &str,
        edition: &'static Edition,
    ) -> Result<Edit<'static>, BuildError> {
        let mut edit = Edit::new_with(edition);
        if let Some(prefix) = self.prefix {
            edit.set(Component::Prefix, Value::Encoded(prefix))?;
        }
        let found = self.scheme.filter(|_| self.has_scheme(name));
        edit.set_scheme(found.unwrap_or(name))?;
        if let Some(fragment) = self.fragment {
            edit.set(Component::Fragment, Value::Encoded(fragment))?;
        }
        Ok(edit)
    }
}

/// Returns a piece of a URL as an encoded value, with its escapes as they are written.
pub(in crate::scheme) fn raw(excerpt: crate::component::SpannedStr<'_>) -> Value<'_> {
    Value::Encoded(excerpt.as_str())
}

/// Returns the written form of a value: data is escaped except these characters, encoded text is
/// unchanged.
pub(in crate::scheme) fn written(
    value: Value<'_>,
    edition: &'static Edition,
    part: Component,
    keep: AsciiSet,
) -> Result<String, BuildError> {
    match value {
        Value::Encoded(text) => Ok(text.into()),
        _ => {
            let octets = value.encoded(edition, part)?;
            Ok(PctString::encode(&octets, kept(edition, part, keep)).into_string())
        }
    }
}

/// Returns those of these octets that are allowed as data in a component.
pub(in crate::scheme) fn kept(edition: &Edition, part: Component, set: AsciiSet) -> AsciiSet {
    set.difference(set.difference(edition.set(part)))
}

/// Returns the written form of a path segment, which must not be "." or ".." if it is data.
pub(in crate::scheme) fn segment(
    value: Value<'_>,
    edition: &'static Edition,
    keep: AsciiSet,
) -> Result<String, BuildError> {
    let written = written(value, edition, Component::Path, keep)?;
    check_steps(value, &written, edition)?;
    Ok(written)
}

/// Checks that data has no segment "." or "..", which other programs would treat as a dot segment.
pub(in crate::scheme) fn check_steps(
    value: Value<'_>,
    written: &str,
    edition: &'static Edition,
) -> Result<(), BuildError> {
    let has_step = || written.split('/').any(|segment| matches!(segment, "." | ".."));
    if value.is_decoded() && has_step() { Err(BuildError::DotSegment { edition }) } else { Ok(()) }
}

/// Sets the text after the scheme or the authority and finishes a URL. It must follow the rule of
/// the scheme too, if it has the scheme's name.
pub(in crate::scheme) fn finish(
    mut edit: Edit<'_>,
    scheme: &dyn Scheme,
    rest: &str,
) -> Result<UriBuf, BuildError> {
    let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
    edit.set(Component::Path, Value::Encoded(path))?;
    if let Some(query) = query {
        edit.set(Component::Query, Value::Encoded(query))?;
    }
    let built = edit.finish_uri()?;
    let is_named = scheme.is_named(built.as_uri().scheme().as_str());
    match is_named.then(|| check_by(scheme, *built.as_uri())).flatten() {
        Some(Err(error)) => Err(BuildError::Whole(error)),
        _ => Ok(built),
    }
}

/// Checks that each encoded value is read from the built URL unchanged. Data needs no check: its
/// delimiters are escaped.
pub(in crate::scheme) fn checked(
    built: UriBuf,
    given: &[Value<'_>],
    read: impl for<'a> FnOnce(UriRef<'a>) -> Result<Vec<Value<'a>>, SyntaxError>,
) -> Result<UriBuf, BuildError> {
    if given.iter().all(|value| value.is_decoded()) {
        return Ok(built);
    }
    let url = *built.as_uri();
    let is_same = read(url).is_ok_and(|found| {
        let mut found = found.iter();
        given.iter().filter(|value| !value.is_decoded()).all(|value| found.any(|one| one == value))
    });
    let misread = BuildError::Misread { component: Component::Path, edition: url.edition() };
    if is_same { Ok(built) } else { Err(misread) }
}

/// Writes the setters of a builder: `one` sets a value, `maybe` one that may be absent, `each` adds
/// one to a list, `pair` adds a name and a value, `login` sets the server.
macro_rules! setters {
    () => {};
    ($(#[$doc:meta])* one $field:ident; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $field(mut self, value: impl Into<$crate::build::Value<'v>>) -> Self {
            self.$field = value.into();
            self
        }
        $crate::scheme::parts::setters! { $($rest)* }
    };
    ($(#[$doc:meta])* maybe $field:ident; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $field(mut self, value: impl Into<$crate::build::Value<'v>>) -> Self {
            self.$field = Some(value.into());
            self
        }
        $crate::scheme::parts::setters! { $($rest)* }
    };
    ($(#[$doc:meta])* number $field:ident: $number:ty; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $field(mut self, value: $number) -> Self {
            self.$field = Some($crate::scheme::parts::Number::Value(value.into()));
            self
        }
        $crate::scheme::parts::setters! { $($rest)* }
    };
    ($(#[$doc:meta])* each $field:ident $name:ident; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $name(mut self, value: impl Into<$crate::build::Value<'v>>) -> Self {
            self.$field.push(value.into());
            self
        }
        $crate::scheme::parts::setters! { $($rest)* }
    };
    ($(#[$doc:meta])* pair $field:ident $name:ident; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $name(
            mut self,
            name: impl Into<$crate::build::Value<'v>>,
            value: impl Into<$crate::build::Value<'v>>,
        ) -> Self {
            self.$field.push((name.into(), value.into()));
            self
        }
        $crate::scheme::parts::setters! { $($rest)* }
    };
    ($(#[$doc:meta])* login; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn login(mut self, login: impl Into<$crate::scheme::LoginParts<'v>>) -> Self {
            self.login = login.into();
            self
        }
        $crate::scheme::parts::setters! { $($rest)* }
    };
}
pub(crate) use setters;
