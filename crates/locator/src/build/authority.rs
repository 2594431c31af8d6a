//! The pieces of an authority: user, password, host and port. Takes values and returns the text of
//! each piece, or the error. RFC 3986, section 3.2.

use super::value::Position;
use super::{BuildError, Value};
use crate::edition::Edition;
use crate::error::{ParseError, ParseErrorKind, Redacted};
use crate::parse;
use crate::pct::PctString;
use crate::reference::UriRef;
use crate::span::{Component, ComponentSpans, HostKind, Span};
use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::String;
use core::fmt::{self, Debug, Formatter};
use core::net::Ipv6Addr;
use core::str;

/// The pieces of an authority; for a registered name the host is the whole.
#[derive(Clone)]
pub(super) struct Login<'a> {
    pub(super) userinfo: Option<Cow<'a, str>>,
    pub(super) host: Cow<'a, str>,
    pub(super) port: Option<Cow<'a, str>>,
    pub(super) registered: bool,
}

impl Debug for Login<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let user = self.userinfo.as_deref().map(|userinfo| match userinfo.split_once(':') {
            Some((user, password)) if !password.is_empty() => format!("{user}:{}", Redacted::HIDDEN),
            _ => userinfo.to_owned(),
        });
        let mut login = f.debug_struct("Login");
        login.field("userinfo", &user).field("host", &self.host).field("port", &self.port);
        login.field("registered", &self.registered).finish()
    }
}

impl<'a> Login<'a> {
    /// Returns the pieces of a reference's authority.
    pub(super) fn of(reference: UriRef<'a>) -> Option<Self> {
        reference.authority()?;
        let part = |part| reference.component(part).map(Cow::Borrowed);
        let registered = reference.spans().host_kind() == HostKind::Registry;
        let (userinfo, port) = (part(Component::Userinfo), part(Component::Port));
        Some(Self { userinfo, host: part(Component::Host).unwrap_or_default(), port, registered })
    }

    /// Creates an authority that is only a host.
    pub(super) fn of_host(host: String) -> Self {
        Self { userinfo: None, host: host.into(), port: None, registered: false }
    }

    /// Returns the authority with texts of its own.
    pub(super) fn into_owned(self) -> Login<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let (userinfo, port) = (self.userinfo.map(owned), self.port.map(owned));
        Login { userinfo, host: owned(self.host), port, registered: self.registered }
    }

    /// Whether the authority is a host without user and port.
    pub(super) fn is_host_alone(&self) -> bool {
        self.userinfo.is_none() && self.port.is_none()
    }

    /// The authority.
    pub(super) fn text(&self) -> Cow<'_, str> {
        if self.is_host_alone() {
            return Cow::Borrowed(&self.host);
        }
        let (userinfo, at) = self.userinfo.as_deref().map_or(("", ""), |userinfo| (userinfo, "@"));
        let (colon, port) = self.port.as_deref().map_or(("", ""), |port| (":", port));
        Cow::Owned([userinfo, at, &self.host, colon, port].concat())
    }

    /// Returns the first piece that was parsed as something else.
    pub(super) fn misread(&self, reference: UriRef<'_>) -> Option<Component> {
        let registered = reference.spans().host_kind() == HostKind::Registry;
        let pieces = [
            (Component::Userinfo, self.userinfo.as_deref()),
            (Component::Host, Some(&*self.host)),
            (Component::Port, self.port.as_deref()),
        ];
        let other = pieces.into_iter().find(|&(part, text)| reference.component(part) != text);
        let kind = (registered != self.registered).then_some(Component::Authority);
        other.map(|(part, _)| part).or(kind)
    }
}

/// Returns the authority, if its components can be edited.
pub(super) fn server<'l, 'a>(
    edition: &'static Edition,
    login: &'l Option<Login<'a>>,
    part: Component,
) -> Result<&'l Login<'a>, BuildError> {
    match login {
        None => Err(BuildError::NoAuthority { component: part, edition }),
        Some(login) if login.registered => Err(BuildError::Registered { edition }),
        Some(login) => Ok(login),
    }
}

pub(super) fn read_user(edition: &'static Edition, value: &Value<'_>) -> Result<String, BuildError> {
    let place = Position::of(edition, Component::Userinfo).divided_by(b":");
    let user = place.admit(value)?;
    if user.is_empty() && !edition.server.user_may_be_empty {
        return Err(place.fault(ParseErrorKind::UserEmpty, &[], Span::new(0, 0)));
    }
    Ok(user)
}

pub(super) fn read_password(edition: &'static Edition, value: &Value<'_>) -> Result<String, BuildError> {
    let place = Position::of_password(edition);
    let password = place.admit(value)?;
    if password.is_empty() && !edition.server.user_may_be_empty {
        return Err(place.fault(ParseErrorKind::PasswordEmpty, &[], Span::new(0, 0)));
    }
    Ok(password)
}

/// The text before an authority that is parsed alone. With a scheme, every edition allows all that
/// it allows in an authority; `finish` checks whether there is a scheme.
const BEFORE: &str = "a://";

pub(super) fn read_authority(edition: &'static Edition, text: &str) -> Result<Login<'static>, BuildError> {
    let place = Position::of(edition, Component::Authority);
    place.check_length(text.as_bytes())?;
    let hash = text.find('#').unwrap_or(text.len());
    let end = parse::authority_end(text.as_bytes(), 0, hash, edition);
    if end < text.len() {
        return Err(place.fault(ParseErrorKind::InvalidByte, text.as_bytes(), Span::new(end, end + 1)));
    }
    let whole = [BEFORE, text].concat();
    let reference = UriRef::parse_with(&whole, edition).map_err(|error| {
        let [start, end] = [error.span().start, error.span().end].map(|at| at - BEFORE.len());
        let (octets, rule) = (text.as_bytes(), error.rule());
        BuildError::Value(ParseError::new(
            octets,
            edition,
            error.kind(),
            error.component(),
            Span::new(start, end),
            rule,
        ))
    })?;
    let login = Login::of(reference);
    let login = login.ok_or(BuildError::NoAuthority { component: Component::Authority, edition })?;
    Ok(login.into_owned())
}

/// Returns a host in the edition's form. An IPv6 address is used as it is, with brackets added if
/// it has none.
pub(super) fn read_host(edition: &'static Edition, value: &Value<'_>) -> Result<String, BuildError> {
    let place = Position::of(edition, Component::Host);
    place.check_length(value.as_bytes())?;
    let text = str::from_utf8(value.as_bytes()).ok();
    let literal = text.and_then(|text| literal(edition, text));
    // As data, each would be escaped: a host that no name server knows.
    let found = text.filter(|_| literal.is_none() && !matches!(value, Value::Encoded(_)));
    if let Some(found) = found.and_then(|text| text.chars().find(|c| ":@/?#[] \t\r\n".contains(*c))) {
        return Err(BuildError::HostAsData { found, edition });
    }
    let host = match (value, text, literal) {
        (Value::Encoded(text), ..) => (*text).into(),
        (_, _, Some(literal)) => literal,
        // Only a registered name of RFC 3986 has escapes; a name that has a form has none. "URI
        // producing applications must not use percent-encoding in host unless it is used to
        // represent a UTF-8 character sequence" (3.2.2).
        (_, Some(_), None) if edition.server.name.is_none() => place.admit(value)?,
        (_, Some(text), None) => text.into(),
        (_, None, None) => {
            let octets = value.as_bytes();
            let at = str::from_utf8(octets).map_or_else(|error| error.valid_up_to(), |_| 0);
            return Err(place.fault(ParseErrorKind::InvalidByte, octets, Span::new(at, at + 1)));
        }
    };
    check_host(edition, &host)?;
    Ok(host)
}

/// An address in brackets, where the edition has them.
fn literal(edition: &Edition, text: &str) -> Option<String> {
    let literals = edition.server.literals.as_ref()?;
    if text.starts_with('[') {
        return Some(text.into());
    }
    let zoned = text.split_once('%').filter(|_| literals.zones.is_some());
    let (address, zone) = zoned.unwrap_or((text, ""));
    address.parse::<Ipv6Addr>().ok()?;
    // "A "%" is always treated as an escape character in a URI, so [it] MUST be percent-encoded"
    // (RFC 6874, 2).
    let zone = zoned.map(|_| PctString::encode(zone.as_bytes(), edition.unreserved()));
    Some(match zone {
        Some(zone) => format!("[{address}%25{}]", zone.as_str()),
        None => format!("[{address}]"),
    })
}

/// Returns the form of the host. An empty host is checked at the end, together with the other
/// pieces.
fn check_host(edition: &'static Edition, host: &str) -> Result<(), BuildError> {
    if host.is_empty() {
        return Ok(());
    }
    check_any_host(edition, host).map_err(BuildError::Value)
}

pub(super) fn check_any_host(edition: &'static Edition, host: &str) -> Result<(), ParseError> {
    let len = host.len() as u32;
    let parts = ComponentSpans {
        scheme_end: 0,
        host_start: 0,
        host_end: len,
        path_start: len,
        path_end: len,
        query_end: len,
        len,
        start: 0,
        has_authority: true,
        host_kind: HostKind::Empty,
    };
    parse::read_host(host, edition, parts, (0, host.len())).map(|_| ())
}
