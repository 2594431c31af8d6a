//! The components of a reference as views: a text and what can be asked of it. All borrow
//! from the reference's text, all are `Copy`, none judges anything again.

mod excerpt;

pub use excerpt::Excerpt;

use core::fmt::{self, Display, Formatter};
use core::net::{Ipv4Addr, Ipv6Addr};

use crate::edition::Edition;
use crate::escape::Escaped;
use crate::parse::host;
use crate::part::{HostKind, Part, Parts};

/// A scheme. Two schemes are equal without regard to case (RFC 3986, section 3.1).
///
/// ```
/// let scheme = locator::uri!("HTTP://example.com/").scheme();
/// assert_eq!(scheme, "http");
/// assert_eq!(scheme.as_str(), "HTTP");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SchemeName<'a>(pub(crate) &'a str);

impl<'a> SchemeName<'a> {
    /// The text as it stands.
    pub const fn as_str(self) -> &'a str {
        self.0
    }
}

impl PartialEq for SchemeName<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(other.0)
    }
}

impl Eq for SchemeName<'_> {}

impl PartialEq<str> for SchemeName<'_> {
    fn eq(&self, other: &str) -> bool {
        self.0.eq_ignore_ascii_case(other)
    }
}

impl PartialEq<&str> for SchemeName<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl Display for SchemeName<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

/// An authority: `[ userinfo "@" ] host [ ":" port ]`.
///
/// ```
/// let uri = locator::uri!("ftp://foo:@host.com:/");
/// let authority = uri.authority().unwrap();
/// let userinfo = authority.userinfo().unwrap();
/// assert_eq!(userinfo.user(), "foo");
/// assert_eq!(userinfo.password().unwrap(), "");
/// assert_eq!(authority.host().as_str(), "host.com");
/// assert_eq!(authority.port().unwrap().as_str(), "");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Authority<'a> {
    pub(crate) text: &'a str,
    pub(crate) parts: Parts,
}

impl<'a> Authority<'a> {
    /// The text as it stands.
    pub fn as_str(self) -> &'a str {
        self.part(Part::Authority).unwrap_or_default()
    }

    /// What stands before "@".
    pub fn userinfo(self) -> Option<Userinfo<'a>> {
        self.part(Part::Userinfo).map(Userinfo)
    }

    /// The host; of a registered name of `uri-2003` the whole authority.
    pub fn host(self) -> Host<'a> {
        Host { text: self.part(Part::Host).unwrap_or_default(), kind: self.parts.host_kind }
    }

    /// What stands after the ":" behind the host.
    pub fn port(self) -> Option<Port<'a>> {
        self.part(Part::Port).map(Port)
    }

    fn part(self, part: Part) -> Option<&'a str> {
        self.parts.span(part).map(|span| &self.text[span.range()])
    }
}

impl Display for Authority<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What stands before "@": a user, and a password after the first ":".
///
/// RFC 3986 knows only the whole ("user:password" is deprecated, section 3.2.1); the older
/// editions know both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Userinfo<'a>(&'a str);

impl<'a> Userinfo<'a> {
    /// The text as it stands.
    pub const fn as_str(self) -> &'a str {
        self.0
    }

    /// What stands before the first ":".
    pub fn user(self) -> Escaped<'a> {
        Escaped::checked(self.0.split_once(':').map_or(self.0, |(user, _)| user))
    }

    /// What stands after the first ":"; `None` without one, empty if nothing follows it.
    pub fn password(self) -> Option<Escaped<'a>> {
        self.0.split_once(':').map(|(_, password)| Escaped::checked(password))
    }
}

impl Display for Userinfo<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

/// A host: its text and its kind.
///
/// ```
/// use locator::HostKind;
///
/// let host = locator::uri!("http://[::ffff:10.0.0.1]/").authority().unwrap().host();
/// assert_eq!(host.kind(), HostKind::Ipv6);
/// assert_eq!(host.ipv6(), Some("::ffff:10.0.0.1".parse().unwrap()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Host<'a> {
    text: &'a str,
    kind: HostKind,
}

impl<'a> Host<'a> {
    /// The text as it stands, with the brackets of an IPv6 address.
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// What kind of host it is.
    pub const fn kind(self) -> HostKind {
        self.kind
    }

    /// The octets that a name stands for.
    pub const fn escaped(self) -> Escaped<'a> {
        Escaped::checked(self.text)
    }

    /// The address, if it is four numbers from 0 to 255.
    pub fn ipv4(self) -> Option<Ipv4Addr> {
        match self.kind {
            HostKind::Ipv4 => host::ipv4(self.text.as_bytes(), 0, self.text.len()).map(Ipv4Addr::from),
            _ => None,
        }
    }

    /// The address between the brackets, without its zone.
    pub fn ipv6(self) -> Option<Ipv6Addr> {
        match self.kind {
            HostKind::Ipv6 => {
                let end = self.text.find('%').unwrap_or(self.text.len() - 1);
                host::ipv6(self.text.as_bytes(), 1, end).ok().map(Ipv6Addr::from)
            }
            _ => None,
        }
    }

    /// The zone of the address between the brackets, behind its "%25" (RFC 6874); only
    /// [`RFC3986_WITH_ZONES`](crate::edition::RFC3986_WITH_ZONES) has them.
    pub fn zone(self) -> Option<Escaped<'a>> {
        match self.kind {
            HostKind::Ipv6 => {
                let (_, zone) = self.text.split_once("%25")?;
                zone.strip_suffix(']').map(Escaped::checked)
            }
            _ => None,
        }
    }
}

impl Display for Host<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.text)
    }
}

/// A port: decimal digits, or nothing.
///
/// ```
/// let port = |uri: locator::Uri<'static>| uri.authority()?.port();
/// assert_eq!(port(locator::uri!("http://h:0080/")).unwrap().number(), Some(80));
/// assert_eq!(port(locator::uri!("http://h:99999/")).unwrap().number(), None);
/// assert_eq!(port(locator::uri!("http://h:/")).unwrap().number(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port<'a>(&'a str);

impl<'a> Port<'a> {
    /// The text as it stands.
    pub const fn as_str(self) -> &'a str {
        self.0
    }

    /// The number, if there is one and a port can have it (at most 65535).
    pub fn number(self) -> Option<u16> {
        self.0.parse().ok()
    }
}

impl Display for Port<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

/// A path: segments divided by "/".
///
/// ```
/// let path = locator::uri!("http://h/a;v=1.1;x/%2F/").path();
/// let names: Vec<_> = path.segments().map(|segment| segment.as_str()).collect();
/// assert_eq!(names, ["a;v=1.1;x", "%2F", ""]);
/// let first = path.segments().next().unwrap();
/// assert_eq!(first.name(), "a");
/// assert_eq!(first.parameters().map(|p| p.as_str()).collect::<Vec<_>>(), ["v=1.1", "x"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path<'a> {
    pub(crate) text: &'a str,
    pub(crate) edition: &'static Edition,
}

impl<'a> Path<'a> {
    /// The text as it stands.
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// Whether there is nothing.
    pub const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// Whether it begins with "/".
    pub fn is_absolute(self) -> bool {
        self.text.starts_with('/')
    }

    /// The octets it stands for. Which "/" divided segments is lost in them.
    pub const fn escaped(self) -> Escaped<'a> {
        Escaped::checked(self.text)
    }

    /// The segments between the "/", the first "/" of an absolute path left out; an empty
    /// path has none, `/` has one that is empty.
    pub fn segments(self) -> impl DoubleEndedIterator<Item = Segment<'a>> + Clone {
        let (text, edition) = (self.text, self.edition);
        let text = if text.is_empty() { None } else { Some(text.strip_prefix('/').unwrap_or(text)) };
        text.into_iter().flat_map(|text| text.split('/')).map(move |text| Segment { text, edition })
    }
}

impl Display for Path<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.text)
    }
}

/// A segment of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    text: &'a str,
    edition: &'static Edition,
}

impl<'a> Segment<'a> {
    /// The text as it stands, parameters included.
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// What stands before the first ";", where the edition has parameters; else all of it.
    pub fn name(self) -> Escaped<'a> {
        Escaped::checked(self.cut().0)
    }

    /// What stands between the ";" (`url-1997`, `uri-2003` and RFC 3986, section 3.3).
    pub fn parameters(self) -> impl Iterator<Item = Escaped<'a>> + Clone {
        self.cut().1.into_iter().flat_map(|rest| rest.split(';')).map(Escaped::checked)
    }

    fn cut(self) -> (&'a str, Option<&'a str>) {
        match self.text.split_once(';') {
            Some((name, parameters)) if self.edition.parameters => (name, Some(parameters)),
            _ => (self.text, None),
        }
    }
}

impl Display for Segment<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.text)
    }
}
