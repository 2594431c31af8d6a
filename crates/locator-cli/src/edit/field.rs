//! A name that people have for a part of a URL in, where it stands in a reference out, and what it is
//! to set and to remove it.
//!
//! The names are trurl's, which are those of RFC 3986 and a few more, and the WHATWG URL Standard's, whose
//! `protocol`, `search` and `hash` have their delimiters.

use std::fmt::{self, Display, Formatter};

use locator::{BuildError, Edit, Edition, Error, EscapedBuf, Part, Set, UriRef, Value, edition, scheme};

use super::nth::Nth;

/// A part of a URL that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// The whole.
    Url,
    /// All that stands before the path, without the user and without a default port.
    Origin,
    /// A component.
    Component(Part),
    /// The scheme and its ":".
    Protocol,
    /// What stands in the userinfo before the first ":".
    User,
    /// What follows that ":".
    Password,
    /// What stands in the userinfo after the first ";".
    Options,
    /// What stands in an IPv6 address after "%25" (RFC 6874).
    ZoneId,
    /// A segment of the path.
    Segment(Nth),
    /// "?" and a query that is not empty.
    Search,
    /// "#" and a fragment that is not empty.
    Hash,
}

/// Where the turn of a part is: its place in a URL, and among the segments of a path.
pub(crate) type Rank = (Option<usize>, Option<(usize, bool)>);

/// Every name, in the order of a URL.
const NAMES: [(&str, Field); 22] = [
    ("url", Field::Url),
    ("href", Field::Url),
    ("prefix", Field::Component(Part::Prefix)),
    ("origin", Field::Origin),
    ("scheme", Field::Component(Part::Scheme)),
    ("protocol", Field::Protocol),
    ("authority", Field::Component(Part::Authority)),
    ("host", Field::Component(Part::Host)),
    ("hostname", Field::Component(Part::Host)),
    ("zoneid", Field::ZoneId),
    ("userinfo", Field::Component(Part::Userinfo)),
    ("user", Field::User),
    ("username", Field::User),
    ("password", Field::Password),
    ("options", Field::Options),
    ("port", Field::Component(Part::Port)),
    ("path", Field::Component(Part::Path)),
    ("pathname", Field::Component(Part::Path)),
    ("query", Field::Component(Part::Query)),
    ("search", Field::Search),
    ("fragment", Field::Component(Part::Fragment)),
    ("hash", Field::Hash),
];

/// Why a part is not changed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refused {
    /// The library says why.
    Build(BuildError),
    /// A zone for what is no IPv6 address.
    NoAddress,
    /// A zone where no address has one.
    NoZones(&'static Edition),
    /// A segment that the path does not have.
    NoSegment {
        /// The one that was asked for.
        nth: Nth,
        /// How many there are.
        count: usize,
    },
}

impl Refused {
    /// The word for it in JSON.
    pub(crate) const fn kind(self) -> &'static str {
        match self {
            Self::Build(BuildError::Value(_)) => "value",
            Self::Build(BuildError::Whole(_)) => "whole",
            Self::Build(BuildError::NoAuthority { .. }) => "no-authority",
            Self::Build(BuildError::NoUser { .. }) => "no-user",
            Self::Build(BuildError::HostNeeded { .. }) => "host-needed",
            Self::Build(BuildError::Registered { .. }) => "registered",
            Self::Build(BuildError::Misread { .. }) => "misread",
            Self::Build(_) => "other",
            Self::NoAddress => "no-address",
            Self::NoZones(_) => "no-zones",
            Self::NoSegment { .. } => "no-segment",
        }
    }

    /// What is wrong with the octets, if that is why.
    pub(crate) const fn error(self) -> Option<Error> {
        match self {
            Self::Build(BuildError::Value(error) | BuildError::Whole(error)) => Some(error),
            _ => None,
        }
    }
}

impl Display for Refused {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Build(error) => error.fmt(f),
            Self::NoAddress => f.write_str("the host is no IPv6 address, which alone has a zone"),
            Self::NoZones(edition) => {
                write!(f, "{} knows no zones; these editions do:", edition.document)?;
                let known = edition::ALL.into_iter().chain(edition::WITH_OPTIONS);
                let mut known = known.filter(|edition| edition.defines_zones());
                known.try_for_each(|edition| write!(f, " {edition}"))
            }
            Self::NoSegment { nth, count } => write!(
                f,
                "there is no segment {nth}: the path has {count}, counted from 0, or from -1 at the end"
            ),
        }
    }
}

impl From<BuildError> for Refused {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

impl Field {
    /// The part of that name.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        if let Some(("path" | "pathname", nth)) = name.split_once(':') {
            return Nth::read(nth).map(Self::Segment);
        }
        let found = NAMES.iter().find(|(known, _)| *known == name).map(|&(_, field)| field);
        found.ok_or_else(|| {
            let names: Vec<_> = NAMES.iter().map(|(name, _)| *name).collect();
            format!("there is no part \"{name}\"; there are {}", names.join(", "))
        })
    }

    /// The same, if it can be set by itself.
    pub(crate) fn settable(name: &str) -> Result<Self, String> {
        match Self::named(name)? {
            Self::Url => Err(format!("\"{name}\" is the whole, which is an argument or a line of the input")),
            Self::Origin => Err("\"origin\" is several parts: set scheme, host and port".to_owned()),
            field => Ok(field),
        }
    }

    /// Where it stands among the parts that are set: none before what it needs.
    pub(crate) fn rank(self) -> Rank {
        let (same, nth) = match self {
            Self::Segment(nth) => (Self::Component(Part::Path), Some(nth.rank())),
            Self::Protocol => (Self::Component(Part::Scheme), None),
            Self::Search => (Self::Component(Part::Query), None),
            Self::Hash => (Self::Component(Part::Fragment), None),
            field => (field, None),
        };
        (NAMES.iter().position(|&(_, field)| field == same), nth)
    }

    /// What stands there, in pieces; `None` where nothing is defined.
    #[inline]
    pub(crate) fn of<'a>(self, reference: UriRef<'a>) -> Option<[&'a str; 2]> {
        let text = reference.as_str();
        let span = |part| reference.parts().span(part).map(|span| span.range());
        let userinfo = || reference.authority().and_then(|authority| authority.userinfo());
        let one = match self {
            Self::Component(part) => reference.part(part),
            Self::Url => Some(text),
            Self::Protocol => span(Part::Scheme).map(|scheme| &text[scheme.start..=scheme.end]),
            Self::User => userinfo().map(|userinfo| userinfo.user().as_str()),
            Self::Password => userinfo().and_then(|userinfo| userinfo.password()).map(|text| text.as_str()),
            Self::Options => {
                reference.part(Part::Userinfo).and_then(|userinfo| Some(&userinfo[options(userinfo)?]))
            }
            Self::ZoneId => reference.part(Part::Host).and_then(zone),
            Self::Segment(nth) => segment(reference, nth),
            Self::Search => with_delimiter(text, span(Part::Query)?),
            Self::Hash => with_delimiter(text, span(Part::Fragment)?),
            Self::Origin => return origin(reference),
        };
        one.map(|one| [one, ""])
    }

    /// Whether it is there already.
    pub(crate) fn is_set(self, edit: &Edit<'_>) -> bool {
        let holds = |part, what: fn(&str) -> bool| edit.part(part).is_some_and(|text| what(&text));
        match self {
            Self::Url | Self::Origin => true,
            Self::Component(Part::Path) => holds(Part::Path, |path| !path.is_empty()),
            Self::Component(part) => edit.part(part).is_some(),
            Self::Protocol => edit.part(Part::Scheme).is_some(),
            Self::User => edit.part(Part::Userinfo).is_some(),
            Self::Password => holds(Part::Userinfo, |userinfo| userinfo.contains(':')),
            Self::Options => holds(Part::Userinfo, |userinfo| userinfo.contains(';')),
            Self::ZoneId => holds(Part::Host, |host| zone(host).is_some()),
            Self::Segment(nth) => nth.among(edit.segments().count()).is_some(),
            Self::Search => edit.part(Part::Query).is_some(),
            Self::Hash => edit.part(Part::Fragment).is_some(),
        }
    }

    /// Sets it.
    pub(crate) fn set(self, edit: &mut Edit<'_>, value: Value<'_>) -> Result<(), Refused> {
        match self {
            Self::Url | Self::Origin => return Err(BuildError::NoComponent.into()),
            Self::Component(part) => edit.set(part, value)?,
            Self::Protocol => edit.set(Part::Scheme, without_last(value, b':'))?,
            Self::User => edit.set_user(value)?,
            Self::Password => edit.set_password(value)?,
            Self::Options => set_options(edit, value)?,
            Self::ZoneId => return set_zone(edit, value),
            Self::Segment(nth) => return set_segment(edit, nth, value),
            Self::Search => edit.set(Part::Query, without_first(value, b'?'))?,
            Self::Hash => edit.set(Part::Fragment, without_first(value, b'#'))?,
        };
        Ok(())
    }

    /// Removes it with its delimiter; what is not there is no error.
    pub(crate) fn remove(self, edit: &mut Edit<'_>) -> Result<(), Refused> {
        let userinfo = edit.part(Part::Userinfo).unwrap_or_default().into_owned();
        match self {
            Self::Url | Self::Origin => return Err(BuildError::NoComponent.into()),
            Self::Component(part) => edit.remove(part)?,
            Self::Protocol => edit.remove(Part::Scheme)?,
            // The password stays.
            Self::User => match userinfo.find(':') {
                Some(colon) => edit.set(Part::Userinfo, Value::Raw(&userinfo[colon..]))?,
                None => edit.remove(Part::Userinfo)?,
            },
            Self::Password => edit.remove_password()?,
            Self::Options => match options(&userinfo) {
                Some(found) if found == (1..userinfo.len()) => edit.remove(Part::Userinfo)?,
                Some(found) => {
                    let left = [&userinfo[..found.start - 1], &userinfo[found.end..]].concat();
                    edit.set(Part::Userinfo, Value::Raw(&left))?
                }
                None => edit,
            },
            Self::ZoneId => match edit.part(Part::Host).as_deref().and_then(address) {
                Some(address) => {
                    let host = format!("[{address}]");
                    edit.set(Part::Host, Value::Raw(&host))?
                }
                None => edit,
            },
            Self::Segment(nth) => match nth.among(edit.segments().count()) {
                Some(index) => edit.remove_segment(index)?,
                None => edit,
            },
            Self::Search => edit.remove(Part::Query)?,
            Self::Hash => edit.remove(Part::Fragment)?,
        };
        Ok(())
    }
}

/// The port that is meant where a reference that has an authority names none.
pub(crate) fn default_port(scheme: Option<&str>) -> Option<u16> {
    scheme::named(scheme?)?.default_port()
}

/// `http://` and `h:8080` of `http://jan@h:8080/`.
fn origin(reference: UriRef<'_>) -> Option<[&str; 2]> {
    let (text, parts) = (reference.as_str(), reference.parts());
    let (authority, host) = (parts.span(Part::Authority)?.range(), parts.span(Part::Host)?.range());
    let scheme = parts.span(Part::Scheme)?.range();
    let port = reference.authority()?.port().and_then(|port| port.number());
    let is_default = port.is_none() || port == default_port(reference.part(Part::Scheme));
    let end = if is_default { host.end } else { authority.end };
    Some([&text[scheme.start..authority.start], &text[host.start..end]])
}

/// A stretch with the delimiter before it; nothing if it is empty, as the URL Standard has it.
fn with_delimiter(text: &str, stretch: std::ops::Range<usize>) -> Option<&str> {
    Some(if stretch.is_empty() { "" } else { &text[stretch.start - 1..stretch.end] })
}

/// Where options stand behind ";" in a user and password; those of a user end before the password's ":".
fn options(userinfo: &str) -> Option<std::ops::Range<usize>> {
    let start = userinfo.find(';')? + 1;
    let colon = userinfo.find(':').filter(|&colon| colon >= start);
    Some(start..colon.unwrap_or(userinfo.len()))
}

/// What stands between brackets before a zone.
fn address(host: &str) -> Option<&str> {
    let inside = host.strip_prefix('[')?.strip_suffix(']')?;
    Some(inside.split_once('%').map_or(inside, |(address, _)| address))
}

fn zone(host: &str) -> Option<&str> {
    host.strip_prefix('[')?.strip_suffix(']')?.split_once("%25").map(|(_, zone)| zone)
}

fn segment(reference: UriRef<'_>, nth: Nth) -> Option<&str> {
    let mut segments = reference.path().segments();
    let index = nth.among(segments.clone().count())?;
    segments.nth(index).map(|segment| segment.as_str())
}

fn set_segment(edit: &mut Edit<'_>, nth: Nth, value: Value<'_>) -> Result<(), Refused> {
    let count = edit.segments().count();
    // Where there is none the value is judged all the same.
    match edit.replace_segment(nth.among(count).unwrap_or(count), value) {
        Ok(_) => Ok(()),
        Err(BuildError::NoSegment { .. }) => Err(Refused::NoSegment { nth, count }),
        Err(error) => Err(error.into()),
    }
}

/// "IPv6addrz = IPv6address "%25" ZoneID" (RFC 6874, 2).
fn set_zone(edit: &mut Edit<'_>, value: Value<'_>) -> Result<(), Refused> {
    if !edit.edition().defines_zones() {
        return Err(Refused::NoZones(edit.edition()));
    }
    let edition = edit.edition();
    let host = edit.part(Part::Host).ok_or(BuildError::NoAuthority { part: Part::Host, edition })?;
    let address = address(&host).ok_or(Refused::NoAddress)?;
    let zone = escaped(value, edition::RFC3986.unreserved());
    let host = format!("[{address}%25{zone}]");
    edit.set(Part::Host, Value::Raw(&host))?;
    Ok(())
}

fn set_options<'e, 'a>(edit: &'e mut Edit<'a>, value: Value<'_>) -> Result<&'e mut Edit<'a>, BuildError> {
    let userinfo = edit.part(Part::Userinfo).unwrap_or_default();
    let given = escaped(value, edit.edition().set(Part::Userinfo).without(Set::of(b":;@?/#")));
    let (before, after) = match options(&userinfo) {
        Some(found) => (&userinfo[..found.start - 1], &userinfo[found.end..]),
        None => (&*userinfo, ""),
    };
    let userinfo = format!("{before};{given}{after}");
    edit.set(Part::Userinfo, Value::Raw(&userinfo))
}

fn escaped(value: Value<'_>, keep: Set) -> String {
    match value {
        Value::Data(octets) => EscapedBuf::escape(octets, keep).into_string(),
        Value::Raw(text) => text.to_owned(),
    }
}

fn without_first(value: Value<'_>, delimiter: u8) -> Value<'_> {
    match value {
        Value::Data(octets) => Value::Data(octets.strip_prefix(&[delimiter]).unwrap_or(octets)),
        Value::Raw(text) => Value::Raw(text.strip_prefix(char::from(delimiter)).unwrap_or(text)),
    }
}

fn without_last(value: Value<'_>, delimiter: u8) -> Value<'_> {
    match value {
        Value::Data(octets) => Value::Data(octets.strip_suffix(&[delimiter]).unwrap_or(octets)),
        Value::Raw(text) => Value::Raw(text.strip_suffix(char::from(delimiter)).unwrap_or(text)),
    }
}
