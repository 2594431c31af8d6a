//! Values for components. Takes a value as data or percent-encoded, and returns the text to write
//! in one position, or the error. RFC 3986, section 2.4: data is escaped once, when the URI is
//! built.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::BuildError;
use crate::component::{Authority, Host, Path, Port, SchemeName, Segment, SpannedStr, Userinfo};
use crate::edition::Edition;
use crate::error::{Found, ParseError, ParseErrorKind};
use crate::pct::{PctStr, PctString};
use crate::simd::{AsciiSet, Class};
use crate::span::{Component, Span};

/// A value for a component or for a piece of a component: data, or text that is percent-encoded.
///
/// A piece (a segment, a name or value of a pair, a user, a password), a host and a scheme are data, so
/// there a `&str` is [`Text`](Self::Text), and numbers and addresses are values, too. A whole path, query or
/// fragment may contain escapes, so there a `&str` is [`Mixed`](Self::Mixed): see [`ComponentValue`]. What is
/// taken out of a reference ([`PctStr`], [`Path`], [`Host`] …) is percent-encoded everywhere.
///
/// ```
/// use std::net::Ipv6Addr;
///
/// let mut uri = locator::UriBuf::parse("http://h/")?;
/// uri.set_host(Ipv6Addr::LOCALHOST)?.append_pair("page", 2)?;
/// assert_eq!(uri, "http://[::1]/?page=2");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// ```
/// use locator::{PctStr, UriRef, Value, edition::URL_1993, uri};
///
/// let mut edit = uri!("http://h/").edit();
/// assert_eq!(edit.set_path(Value::Text("/50%"))?.finish()?, "http://h/50%25");
/// assert_eq!(
///     edit.set_path(Value::Encoded("/50%25"))?.finish()?,
///     "http://h/50%25"
/// );
/// assert_eq!(edit.set_path(Value::Decoded(b"/\xE9"))?.finish()?, "http://h/%E9");
/// assert_eq!(
///     edit.set_query(PctStr::new("%C3%A9").unwrap())?.finish()?,
///     "http://h/%E9?%C3%A9"
/// );
///
/// // Text is written in the charset of the edition.
/// let mut old = UriRef::parse_with("http://h/", &URL_1993).unwrap().edit();
/// assert_eq!(old.set_path(Value::Text("/é"))?.finish()?, "http://h/%E9");
/// assert_eq!(
///     old.set_path(Value::Text("/€")).unwrap_err().to_string(),
///     "invalid value: U+20AC is not in ISO 8859-1, the charset of escapes in URL draft of July 1993, \
///  at byte 1 (escape, URL draft of July 1993, BNF syntax)"
/// );
/// # Ok::<_, locator::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'v> {
    /// Literal octets: those that the component does not allow are escaped, and "%" always.
    Decoded(&'v [u8]),
    /// Literal text: data in the charset of the edition ([`Edition::charset`]).
    Text(&'v str),
    /// Literal text that the value owns: a `String`, a number, an address.
    OwnedText(String),
    /// Percent-encoded text: written unchanged, or rejected.
    Encoded(&'v str),
    /// Text that may contain escapes, which stay. What the component does not allow is escaped, and so is a
    /// "%" that begins no escape: `U+R` of RFC 6570, section 3.2.1.
    Mixed(Cow<'v, str>),
}

impl<'v> Value<'v> {
    /// Returns the octets of the value as given.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Decoded(octets) => octets,
            Self::Text(text) | Self::Encoded(text) => text.as_bytes(),
            Self::OwnedText(text) => text.as_bytes(),
            Self::Mixed(text) => text.as_bytes(),
        }
    }

    /// Returns the text of the value as given, unless it is octets.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Decoded(_) => None,
            Self::Text(text) | Self::Encoded(text) => Some(text),
            Self::OwnedText(text) => Some(text),
            Self::Mixed(text) => Some(text),
        }
    }

    /// Returns whether the value is literal, which is any value that is not percent-encoded.
    #[must_use]
    pub const fn is_decoded(&self) -> bool {
        !matches!(self, Self::Encoded(_))
    }

    /// Returns the octets to encode in a component that allows escapes: text in the edition's
    /// charset, other values as given.
    ///
    /// # Errors
    ///
    /// Returns an error for a character that the charset does not contain.
    pub fn encoded(self, edition: &'static Edition, part: Component) -> Result<Cow<'v, [u8]>, BuildError> {
        match self {
            Self::Decoded(octets) => Ok(Cow::Borrowed(octets)),
            Self::Encoded(text) => Ok(Cow::Borrowed(text.as_bytes())),
            Self::Text(text) | Self::Mixed(Cow::Borrowed(text)) => in_charset(text, edition, part),
            Self::OwnedText(text) | Self::Mixed(Cow::Owned(text)) => {
                in_charset(&text, edition, part).map(|octets| Cow::Owned(octets.into_owned()))
            }
        }
    }

    /// Returns the octets to encode, like [`encoded`](Self::encoded), without giving the value up.
    pub(crate) fn to_encoded(
        &self,
        edition: &'static Edition,
        part: Component,
    ) -> Result<Cow<'_, [u8]>, BuildError> {
        match self.text().filter(|_| self.is_decoded()) {
            Some(text) => in_charset(text, edition, part),
            None => Ok(Cow::Borrowed(self.as_bytes())),
        }
    }
}

/// Returns the octets of a text in the charset of an edition.
fn in_charset<'t>(
    text: &'t str,
    edition: &'static Edition,
    part: Component,
) -> Result<Cow<'t, [u8]>, BuildError> {
    edition.charset().encode(text).map_err(|c| {
        let place = Position::of(edition, part);
        let at = text.find(c).unwrap_or_default();
        match place.check_length(text.as_bytes()) {
            Ok(()) => {
                place.fault(ParseErrorKind::NotInCharset, text.as_bytes(), Span::new(at, at + c.len_utf8()))
            }
            Err(too_long) => too_long,
        }
    })
}

impl<'v> From<&'v str> for Value<'v> {
    fn from(text: &'v str) -> Self {
        Self::Text(text)
    }
}

impl<'v> From<&'v &'v str> for Value<'v> {
    fn from(text: &'v &'v str) -> Self {
        Self::Text(text)
    }
}

impl<'v> From<&'v String> for Value<'v> {
    fn from(text: &'v String) -> Self {
        Self::Text(text)
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::OwnedText(text)
    }
}

impl<'v> From<Cow<'v, str>> for Value<'v> {
    fn from(text: Cow<'v, str>) -> Self {
        match text {
            Cow::Borrowed(text) => Self::Text(text),
            Cow::Owned(text) => Self::OwnedText(text),
        }
    }
}

impl<'v> From<&'v Cow<'_, str>> for Value<'v> {
    fn from(text: &'v Cow<'_, str>) -> Self {
        Self::Text(text)
    }
}

impl<'v> From<&'v [u8]> for Value<'v> {
    fn from(octets: &'v [u8]) -> Self {
        Self::Decoded(octets)
    }
}

impl<'v, const N: usize> From<&'v [u8; N]> for Value<'v> {
    fn from(octets: &'v [u8; N]) -> Self {
        Self::Decoded(octets)
    }
}

impl<'v> From<PctStr<'v>> for Value<'v> {
    fn from(escaped: PctStr<'v>) -> Self {
        Self::Encoded(escaped.as_str())
    }
}

impl<'v> From<&'v PctString> for Value<'v> {
    fn from(escaped: &'v PctString) -> Self {
        Self::Encoded(escaped.as_str())
    }
}

/// A number or an address is the text that `Display` writes.
macro_rules! displayed_from {
    ($($type:ty)*) => {$(
        impl From<$type> for Value<'_> {
            fn from(value: $type) -> Self {
                Self::OwnedText(value.to_string())
            }
        }
    )*};
}

displayed_from!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char IpAddr Ipv4Addr Ipv6Addr);

/// A value for a whole component, such as a path or a query; `None` removes the component.
///
/// A text may contain escapes, which stay; whatever else the component does not allow is escaped
/// ([`Value::Mixed`]). A view of a component and a [`PctStr`] are percent-encoded, so a component of one
/// reference is set on another one unchanged. [`Value`] says that a text is data, in which "%" is a percent
/// sign, or that it is encoded.
///
/// ```
/// use locator::{UriBuf, Value, uri};
///
/// let mut uri = UriBuf::parse("http://example.com/")?;
/// uri.set_path("/new path")?.set_query(Some("a=b%20c"))?.set_fragment("top")?;
/// assert_eq!(uri, "http://example.com/new%20path?a=b%20c#top");
/// assert_eq!(uri.set_query(None)?.set_fragment(None)?, "http://example.com/new%20path");
///
/// let other = uri!("http://h/50%25?a%20b#c");
/// uri.set_path(other.path())?.set_query(other.query().unwrap())?;
/// assert_eq!(uri, "http://example.com/50%25?a%20b");
///
/// // Data, in which "%41" is three characters, and encoded text, which is not changed.
/// uri.set_path(Value::Text("/%41"))?.set_query(Value::Encoded("a=%26"))?;
/// assert_eq!(uri, "http://example.com/%2541?a=%26");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// A type of a program:
///
/// ```
/// use locator::{ComponentValue, UriBuf, Value};
///
/// /// A query of this program.
/// struct Page(u32);
///
/// impl<'v> ComponentValue<'v> for &'v Page {
///     fn into_value(self) -> Option<Value<'v>> {
///         if self.0 == 0 { None } else { Some(Value::from(format!("page={}", self.0))) }
///     }
/// }
///
/// let mut uri = UriBuf::parse("http://h/?old").unwrap();
/// assert_eq!(uri.set_query(&Page(1))?, "http://h/?page=1");
/// assert_eq!(uri.set_query(&Page(0))?, "http://h/");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value for a component",
    note = "a text, a `PctStr`, a `Value`, or an `Option<&str>`: `uri.query().map(PctStr::as_str)`"
)]
pub trait ComponentValue<'v> {
    /// Returns the value; `None` removes the component.
    fn into_value(self) -> Option<Value<'v>>;
}

impl<'v> ComponentValue<'v> for Value<'v> {
    fn into_value(self) -> Option<Self> {
        Some(self)
    }
}

/// The one implementation for an `Option`, so that a bare `None` has a type.
impl<'v> ComponentValue<'v> for Option<&'v str> {
    fn into_value(self) -> Option<Value<'v>> {
        self?.into_value()
    }
}

impl<'v> ComponentValue<'v> for &'v str {
    fn into_value(self) -> Option<Value<'v>> {
        Some(Value::Mixed(Cow::Borrowed(self)))
    }
}

impl<'v> ComponentValue<'v> for &'v String {
    fn into_value(self) -> Option<Value<'v>> {
        Some(Value::Mixed(Cow::Borrowed(self)))
    }
}

impl<'v> ComponentValue<'v> for String {
    fn into_value(self) -> Option<Value<'v>> {
        Some(Value::Mixed(Cow::Owned(self)))
    }
}

impl<'v> ComponentValue<'v> for Cow<'v, str> {
    fn into_value(self) -> Option<Value<'v>> {
        Some(Value::Mixed(self))
    }
}

impl<'v> ComponentValue<'v> for PctStr<'v> {
    fn into_value(self) -> Option<Value<'v>> {
        Some(self.into())
    }
}

impl<'v> ComponentValue<'v> for &'v PctString {
    fn into_value(self) -> Option<Value<'v>> {
        Some(self.into())
    }
}

/// A value for the user, the password or the host, or `None` to remove it: everything that is
/// `Into<Value>`, or an `Option` of a text. A text is data.
///
/// ```
/// let mut uri = locator::UriBuf::parse("ftp://h/")?;
/// assert_eq!(uri.set_user("a b")?.set_password(Some("c"))?, "ftp://a%20b:c@h/");
/// assert_eq!(uri.set_password(None)?, "ftp://a%20b@h/");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub trait OptionalValue<'v> {
    /// Returns the value, or `None` to remove the component.
    fn into_optional(self) -> Option<Value<'v>>;
}

impl<'v, V: Into<Value<'v>>> OptionalValue<'v> for V {
    fn into_optional(self) -> Option<Value<'v>> {
        Some(self.into())
    }
}

/// The one implementation for an `Option`, so that a bare `None` has a type.
impl<'v> OptionalValue<'v> for Option<&'v str> {
    fn into_optional(self) -> Option<Value<'v>> {
        self.map(Value::Text)
    }
}

/// What was taken out of a reference is encoded already.
macro_rules! encoded_from {
    ($($component:ident),*) => {$(
        impl<'v> From<$component<'v>> for Value<'v> {
            fn from(component: $component<'v>) -> Self {
                Self::Encoded(component.as_str())
            }
        }

        impl<'v> ComponentValue<'v> for $component<'v> {
            fn into_value(self) -> Option<Value<'v>> {
                Some(self.into())
            }
        }
    )*};
}

encoded_from!(Authority, Host, Path, Port, SchemeName, Segment, SpannedStr, Userinfo);

/// Returns octets with all but their escapes written by a function that gets what is between the "%".
pub(crate) fn keeping_escapes(octets: &[u8], escape: impl Fn(&[u8]) -> String) -> String {
    let mut written = String::with_capacity(octets.len());
    for (index, piece) in octets.split(|&octet| octet == b'%').enumerate() {
        if index > 0 {
            let is_escape = piece.get(..2).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
            written.push_str(if is_escape { "%" } else { "%25" });
        }
        written.push_str(&escape(piece));
    }
    written
}

/// A position for a value: the octets that are allowed there in data and in percent-encoded text.
#[derive(Clone, Copy)]
pub(super) struct Position {
    edition: &'static Edition,
    part: Component,
    /// Whether it is a password that the edition divides from the user.
    is_password: bool,
    data: AsciiSet,
    raw: AsciiSet,
}

impl Position {
    /// The position of a whole component. Characters that end the component in some edition are
    /// escaped in data.
    pub(super) const fn of(edition: &'static Edition, part: Component) -> Self {
        let ends = match part {
            Component::Path => AsciiSet::of(b"?#"),
            Component::Query | Component::Fragment => AsciiSet::of(b"#"),
            _ => AsciiSet::of(b"/?#@"),
        };
        let data = edition.set(part).difference(ends);
        // The rest of an opaque URI has its own character set; `finish` checks whether the URI is
        // opaque.
        let raw = match part {
            Component::Path | Component::Query => {
                data.union(edition.table.set(Class::OPAQUE).difference(ends))
            }
            // A "?" does not end the user of RFC 1738.
            Component::Userinfo => edition.set(part).difference(AsciiSet::of(b"/#@")),
            _ => data,
        };
        Self { edition, part, is_password: false, data, raw }
    }

    /// The position of a password.
    pub(super) const fn of_password(edition: &'static Edition) -> Self {
        Self { is_password: edition.password, ..Self::of(edition, Component::Userinfo) }
    }

    /// Returns the position of a piece that these octets delimit: in data they are escaped.
    pub(super) const fn divided_by(self, delimiters: &[u8]) -> Self {
        let delimiters = AsciiSet::of(delimiters);
        Self { data: self.data.difference(delimiters), raw: self.raw.difference(delimiters), ..self }
    }

    /// Returns the position that also allows these delimiters in an encoded value.
    pub(super) const fn escaping(self, delimiters: AsciiSet) -> Self {
        Self { data: self.data.difference(delimiters), ..self }
    }

    /// Returns the text to write for the value.
    pub(super) fn admit(self, value: &Value<'_>) -> Result<String, BuildError> {
        match value {
            Value::Encoded(text) => {
                self.check(text.as_bytes(), self.raw)?;
                Ok((*text).into())
            }
            Value::Mixed(text) if self.data.contains(b'%') => self.admit_mixed(text),
            _ if self.data.contains(b'%') => {
                let octets = value.to_encoded(self.edition, self.part)?;
                self.check_length(&octets)?;
                Ok(self.escape(&octets))
            }
            // There are no escapes here: an octet is allowed as it is or rejected.
            _ => {
                let octets = value.as_bytes();
                self.check(octets, self.data)?;
                Ok(octets.iter().map(|&octet| char::from(octet)).collect())
            }
        }
    }

    /// Returns data with escapes for what the position does not allow.
    fn escape(self, octets: &[u8]) -> String {
        let stays = |c: char| match c {
            '\0'..='\x7F' => c != '%' && self.holds(self.data, c),
            _ => self.edition.writes_in(self.part, c),
        };
        PctString::encode_with(octets, stays).into_string()
    }

    /// Returns a text whose escapes stay.
    fn admit_mixed(self, text: &str) -> Result<String, BuildError> {
        let octets = in_charset(text, self.edition, self.part)?;
        self.check_length(&octets)?;
        Ok(keeping_escapes(&octets, |piece| self.escape(piece)))
    }

    /// Returns data with "+" for each space.
    pub(super) fn admit_with_plus(self, value: &Value<'_>) -> Result<String, BuildError> {
        let spaced = Self { data: self.data.union(AsciiSet::of(b" ")), ..self };
        match value {
            Value::Encoded(_) => self.admit(value),
            _ => Ok(spaced.admit(value)?.replace(' ', "+")),
        }
    }

    /// Returns the error of the value at an octet, or of something missing there.
    pub(super) fn fault(self, kind: ParseErrorKind, octets: &[u8], span: Span) -> BuildError {
        let rule = match kind {
            ParseErrorKind::Escape | ParseErrorKind::NotInCharset => self.edition.rules.escape,
            _ if self.is_password => self.edition.rules.password,
            _ => self.edition.rules.of(self.part),
        };
        let error = ParseError::new(octets, self.edition, kind, self.part, span, rule);
        BuildError::Value(if self.is_password { error.as_of_password() } else { error })
    }

    /// A span has 32 bits.
    #[inline]
    pub(super) fn check_length(self, octets: &[u8]) -> Result<(), BuildError> {
        if octets.len() < u32::MAX as usize {
            Ok(())
        } else {
            Err(self.fault(ParseErrorKind::TooLong, &[], Span::new(0, 0)))
        }
    }

    fn check(self, octets: &[u8], allowed: AsciiSet) -> Result<(), BuildError> {
        self.check_length(octets)?;
        let whole =
            |i: usize| octets.get(i + 1..i + 3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
        let mut at = 0;
        while at < octets.len() {
            let (is_in_set, len) = match Found::at(octets, at) {
                Found::Char(c) => (self.holds(allowed, c), c.len_utf8()),
                _ => (false, 1),
            };
            if !is_in_set || octets[at] == b'%' && !whole(at) {
                let kind = if is_in_set { ParseErrorKind::Escape } else { ParseErrorKind::InvalidByte };
                return Err(self.fault(kind, octets, Span::new(at, at + len)));
            }
            at += len;
        }
        Ok(())
    }

    /// Whether the set contains the character, or the component allows it beyond ASCII.
    fn holds(self, set: AsciiSet, c: char) -> bool {
        match u8::try_from(c) {
            Ok(octet) if octet.is_ascii() => set.contains(octet),
            _ => self.edition.allows(self.part, c),
        }
    }
}
