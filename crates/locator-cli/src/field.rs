//! The named parts of a URL, and where they are in a reference.
//!
//! The names are trurl's, which are those of RFC 3986 and a few more, and the WHATWG URL
//! Standard's, whose `protocol`, `search` and `hash` have their delimiters.

mod nth;
mod own;
mod refused;
mod write;

use locator::{Component, Edition, UriRef, scheme};

use self::own::Own;
use crate::pasted;
pub(crate) use nth::{Nth, Rank};
pub(crate) use refused::Refused;
pub(crate) use write::{after, data, in_charset};

/// A part of a URL that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// The whole.
    Url,
    /// The text before the path, without the user and without a default port.
    Origin,
    /// A component.
    Part(Component),
    /// The scheme and its ":".
    Protocol,
    /// The text of the userinfo before the first ":".
    User,
    /// What follows that ":".
    Password,
    /// The text of the userinfo after the first ";".
    Options,
    /// The text after "%25" in an IPv6 address (RFC 6874).
    ZoneId,
    /// A segment of the path.
    Segment(Nth),
    /// "?" and a query that is not empty.
    Search,
    /// "#" and a fragment that is not empty.
    Hash,
    /// A part defined by a scheme.
    Own(Own),
}

/// Every name, in the order of a URL.
const NAMES: [(&str, Field); 22] = [
    ("url", Field::Url),
    ("href", Field::Url),
    ("prefix", Field::Part(Component::Prefix)),
    ("origin", Field::Origin),
    ("scheme", Field::Part(Component::Scheme)),
    ("protocol", Field::Protocol),
    ("authority", Field::Part(Component::Authority)),
    ("host", Field::Part(Component::Host)),
    ("hostname", Field::Part(Component::Host)),
    ("zoneid", Field::ZoneId),
    ("userinfo", Field::Part(Component::Userinfo)),
    ("user", Field::User),
    ("username", Field::User),
    ("password", Field::Password),
    ("options", Field::Options),
    ("port", Field::Part(Component::Port)),
    ("path", Field::Part(Component::Path)),
    ("pathname", Field::Part(Component::Path)),
    ("query", Field::Part(Component::Query)),
    ("search", Field::Search),
    ("fragment", Field::Part(Component::Fragment)),
    ("hash", Field::Hash),
];

impl Field {
    /// The part of that name.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        if let Some(("path" | "pathname", nth)) = name.split_once(':') {
            return Nth::read(nth).map(Self::Segment);
        }
        if let Some(&(_, field)) = NAMES.iter().find(|(known, _)| *known == name) {
            return Ok(field);
        }
        if let Some(own) = Own::named(name) {
            return own.map(Self::Own);
        }
        let names: Vec<_> = NAMES.iter().map(|(name, _)| *name).collect();
        let all = || format!("{}, path:N, and for schemes {}", names.join(", "), own::all());
        Err(pasted::unknown_part(name, names.iter().copied().chain(own::names()), all))
    }

    /// The same, if it can be set by itself.
    pub(crate) fn settable(name: &str) -> Result<Self, String> {
        match Self::named(name)? {
            Self::Url => Err(format!(
                "\"{name}\" is the whole URL, which cannot be set; give it as an argument or a line"
            )),
            Self::Own(own) if own.is_word() => {
                Err(format!("\"{name}\" is derived from other parts and cannot be set"))
            }
            Self::Origin => Err("\"origin\" cannot be set; set scheme, host and port instead".to_owned()),
            field => Ok(field),
        }
    }

    /// Returns the names of the parts that can be set.
    pub(crate) fn names_to_set() -> Vec<String> {
        let is_other = |own: &&str| NAMES.iter().all(|(name, _)| name != own);
        let names = NAMES.iter().map(|(name, _)| *name).chain(own::names().filter(is_other));
        names.filter(|name| Self::settable(name).is_ok()).map(str::to_owned).collect()
    }

    /// Returns its place in the order in which parts are set; a part comes after the parts it
    /// requires.
    pub(crate) fn rank(self) -> Rank {
        let (same, nth) = match self {
            Self::Segment(nth) => (Self::Part(Component::Path), Some(nth.rank())),
            Self::Protocol => (Self::Part(Component::Scheme), None),
            Self::Search => (Self::Part(Component::Query), None),
            Self::Hash => (Self::Part(Component::Fragment), None),
            field => (field, None),
        };
        // Parts of schemes come last, because the scheme may be set first.
        if let Self::Own(own) = same {
            let Rank { place, nth } = own.rank();
            return Rank { place: Some(NAMES.len() + place.unwrap_or_default()), nth };
        }
        Rank { place: NAMES.iter().position(|&(_, field)| field == same), nth }
    }

    /// Returns whether both name the same part.
    pub(crate) fn is(self, other: Self) -> bool {
        // Pairs have no order of their own.
        let is_own = matches!(self, Self::Own(_));
        if is_own { self == other } else { self.rank() == other.rank() }
    }

    /// Returns the text of the part, in two pieces; `None` if it is undefined.
    #[inline]
    pub(crate) fn of<'a>(self, reference: UriRef<'a>) -> Option<[&'a str; 2]> {
        let text = reference.as_str();
        let span = |part| reference.span(part);
        let userinfo = || reference.authority().and_then(|authority| authority.userinfo());
        let one = match self {
            Self::Part(part) => reference.component(part),
            Self::Url => Some(text),
            Self::Protocol => span(Component::Scheme).map(|scheme| &text[scheme.start..=scheme.end]),
            Self::User => userinfo().map(|userinfo| userinfo.user().as_str()),
            Self::Password => userinfo().and_then(|userinfo| userinfo.password()).map(|text| text.as_str()),
            Self::Options => reference
                .component(Component::Userinfo)
                .and_then(|userinfo| Some(&userinfo[options(userinfo)?])),
            Self::ZoneId => reference.component(Component::Host).and_then(zone),
            Self::Segment(nth) => segment(reference, nth),
            Self::Own(own) => own.of(reference),
            Self::Search => match own_search(reference.component(Component::Scheme), reference.edition()) {
                Some(own) => own.of(reference),
                None => with_delimiter(text, span(Component::Query)?),
            },
            Self::Hash => with_delimiter(text, span(Component::Fragment)?),
            Self::Origin => return origin(reference),
        };
        one.map(|one| [one, ""])
    }
}

/// Returns the part that the scheme calls search, which in gopher is not the query.
fn own_search(scheme: Option<&str>, edition: &'static Edition) -> Option<Own> {
    Own::of_scheme("search", scheme, edition)
}

/// Returns the default port of a scheme.
pub(crate) fn default_port(scheme: Option<&str>) -> Option<u16> {
    scheme::default_port(scheme?)
}

/// `http://` and `h:8080` of `http://jan@h:8080/`.
fn origin(reference: UriRef<'_>) -> Option<[&str; 2]> {
    let (text, parts) = (reference.as_str(), reference.spans());
    let (authority, host) = (parts.span(Component::Authority)?, parts.span(Component::Host)?);
    let scheme = parts.span(Component::Scheme)?;
    let port = reference.authority()?.port().and_then(|port| port.number());
    let is_default = port.is_none() || port == default_port(reference.component(Component::Scheme));
    let end = if is_default { host.end } else { authority.end };
    Some([&text[scheme.start..authority.start], &text[host.start..end]])
}

/// Returns a component with the delimiter before it; empty if the component is, as in the URL
/// Standard.
fn with_delimiter(text: &str, stretch: std::ops::Range<usize>) -> Option<&str> {
    Some(if stretch.is_empty() { "" } else { &text[stretch.start - 1..stretch.end] })
}

/// Returns the range of the options after ";" in a user and password; those of a user end before
/// the ":".
fn options(userinfo: &str) -> Option<std::ops::Range<usize>> {
    let start = userinfo.find(';')? + 1;
    let colon = userinfo.find(':').filter(|&colon| colon >= start);
    Some(start..colon.unwrap_or(userinfo.len()))
}

fn zone(host: &str) -> Option<&str> {
    host.strip_prefix('[')?.strip_suffix(']')?.split_once("%25").map(|(_, zone)| zone)
}

fn segment(reference: UriRef<'_>, nth: Nth) -> Option<&str> {
    let mut segments = reference.path().segments();
    let index = nth.among(segments.clone().count())?;
    segments.nth(index).map(|segment| segment.as_str())
}
