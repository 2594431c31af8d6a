//! [`UrlRef`]: a borrowed text in serialised form, with the positions of its components.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
#[cfg(feature = "std")]
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::{self, Debug, Display, Formatter};
use core::hash::{Hash, Hasher};
use core::num::NonZeroU32;
use core::str::Split;

use crate::address::{Reports, parse_ipv4, parse_ipv6};
use crate::error::ParseError;
use crate::form_urlencoded::{self, Parse};
use crate::host::{Host, HostRecord};
use crate::machine::{Path, Record, special_scheme};
use crate::position::{HostKind, Position, Positions};

/// A URL in a text that is in serialised form, which most URLs are: it borrows the text and is `Copy`.
///
/// ```
/// use locator_whatwg::UrlRef;
///
/// let url = UrlRef::parse("https://example.com/a?b")?;
/// assert_eq!((url.host_str(), url.query()), (Some("example.com"), Some("b")));
///
/// // `Url` would write it in another way.
/// assert!(UrlRef::parse("https://example.com").is_err());
/// # Ok::<_, locator_whatwg::UrlRefError>(())
/// ```
#[derive(Clone, Copy)]
pub struct UrlRef<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: Positions,
}

/// Why a text cannot be borrowed as a [`UrlRef`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum UrlRefError {
    /// The text is not a URL.
    NotAUrl(ParseError),
    /// The text is a URL whose serialised form is another text: use [`Url::parse`](crate::Url::parse).
    NotSerialised,
}

impl Display for UrlRefError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAUrl(error) => Display::fmt(error, f),
            Self::NotSerialised => f.write_str("the serialised form of this URL is another text"),
        }
    }
}

impl core::error::Error for UrlRefError {}

impl<'a> UrlRef<'a> {
    const fn part(self, from: Position, to: Position) -> &'a str {
        self.slice(self.byte_of(from) as u32, self.byte_of(to) as u32)
    }

    const fn slice(self, from: u32, to: u32) -> &'a str {
        self.text.split_at(to as usize).0.split_at(from as usize).1
    }

    /// The byte of a position.
    pub(crate) const fn byte_of(self, position: Position) -> usize {
        const fn or(start: Option<NonZeroU32>, end: u32) -> u32 {
            match start {
                Some(start) => start.get(),
                None => end,
            }
        }
        let text = self.text.as_bytes();
        let end = text.len() as u32;
        let fragment_start = or(self.at.fragment_start, end);
        let query_start = or(self.at.query_start, fragment_start);
        let username_end = self.at.username_end as usize;
        let has_colon = username_end < text.len() && text[username_end] == b':';
        let has_credentials = self.at.host_start > self.at.scheme_end + 3;
        let byte = match position {
            Position::BeforeScheme => 0,
            Position::AfterScheme => self.at.scheme_end,
            Position::BeforeUsername if self.has_authority() => self.at.scheme_end + 3,
            Position::BeforeUsername => self.at.scheme_end + 1,
            Position::AfterUsername => self.at.username_end,
            Position::BeforePassword if has_credentials && has_colon => self.at.username_end + 1,
            Position::BeforePassword => self.at.username_end,
            Position::AfterPassword if has_credentials => self.at.host_start - 1,
            Position::AfterPassword | Position::BeforeHost => self.at.host_start,
            Position::AfterHost => self.at.host_end,
            Position::BeforePort => self.at.host_end + self.at.port.is_some() as u32,
            Position::AfterPort if self.at.port.is_some() => self.at.path_start,
            Position::AfterPort => self.at.host_end,
            Position::BeforePath => self.at.path_start,
            Position::AfterPath => query_start,
            Position::BeforeQuery => query_start + self.at.query_start.is_some() as u32,
            Position::AfterQuery => fragment_start,
            Position::BeforeFragment => fragment_start + self.at.fragment_start.is_some() as u32,
            Position::AfterFragment => end,
        };
        byte as usize
    }

    /// Returns the text.
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// Returns the text without its password, for logs. The user stays.
    ///
    /// ```
    /// use locator_whatwg::Url;
    ///
    /// let url = Url::parse("https://user:s3cret@example.com/")?;
    /// assert_eq!(url.redacted(), "https://user:***@example.com/");
    /// # Ok::<_, locator_whatwg::ParseError>(())
    /// ```
    #[must_use]
    pub fn redacted(self) -> String {
        match self.password() {
            Some(_) => {
                let (before, after) = (
                    self.part(Position::BeforeScheme, Position::BeforePassword),
                    self.part(Position::AfterPassword, Position::AfterFragment),
                );
                format!("{before}***{after}")
            }
            None => self.text.to_owned(),
        }
    }

    /// Returns the scheme, in lower case, without ":".
    #[must_use]
    pub const fn scheme(self) -> &'a str {
        self.slice(0, self.at.scheme_end)
    }

    /// Returns whether the scheme is http, https, ws, wss, ftp or file.
    #[must_use]
    pub fn is_special(self) -> bool {
        special_scheme(self.scheme().as_bytes()).is_some()
    }

    /// Returns whether "//" follows the scheme. The host after it may be empty.
    #[must_use]
    pub const fn has_authority(self) -> bool {
        !matches!(self.at.host_kind, HostKind::None)
    }

    /// Returns user, password, host and port, as they are in the text.
    #[must_use]
    pub fn authority(self) -> &'a str {
        if self.has_authority() { self.slice(self.at.scheme_end + 3, self.at.path_start) } else { "" }
    }

    /// Returns whether the path is opaque, as that of `mailto:a@b`: only a fragment can be joined to it.
    #[must_use]
    pub fn cannot_be_a_base(self) -> bool {
        !self.has_authority() && !self.path().starts_with('/')
    }

    /// Returns the user, percent-encoded; empty without one.
    #[must_use]
    pub fn username(self) -> &'a str {
        if self.has_authority() { self.slice(self.at.scheme_end + 3, self.at.username_end) } else { "" }
    }

    /// Returns the password, percent-encoded, if it is not empty.
    #[must_use]
    pub fn password(self) -> Option<&'a str> {
        let text = self.slice(self.at.username_end, self.at.host_start);
        text.strip_prefix(':').and_then(|text| text.strip_suffix('@'))
    }

    /// Returns whether there is a host that is not empty.
    #[must_use]
    pub const fn has_host(self) -> bool {
        !matches!(self.at.host_kind, HostKind::None | HostKind::Empty)
    }

    /// Returns the host as it is in the text: a domain in its ASCII form, an address (of IPv6 in
    /// brackets), or what is the host of a scheme that is not special.
    #[must_use]
    pub const fn host_str(self) -> Option<&'a str> {
        if self.has_host() { Some(self.slice(self.at.host_start, self.at.host_end)) } else { None }
    }

    /// Returns the host as a value.
    #[must_use]
    pub fn host(self) -> Option<Host<&'a str>> {
        let text = self.host_str()?;
        Some(match self.at.host_kind {
            HostKind::Ipv4 => {
                let address = parse_ipv4(text.as_bytes(), &mut Reports::new());
                address.map_or(Host::Domain(text), |address| Host::Ipv4(address.into()))
            }
            HostKind::Ipv6 => {
                let inside = text.trim_matches(['[', ']']);
                let address = parse_ipv6(inside.as_bytes(), &mut Reports::new());
                address.map_or(Host::Domain(text), |address| Host::Ipv6(address.into()))
            }
            _ => Host::Domain(text),
        })
    }

    /// Returns the host if it is not an address.
    #[must_use]
    pub fn domain(self) -> Option<&'a str> {
        self.host_str().filter(|_| matches!(self.at.host_kind, HostKind::Domain | HostKind::Opaque))
    }

    /// Returns the port, if it is not the scheme's default.
    #[must_use]
    pub const fn port(self) -> Option<u16> {
        self.at.port
    }

    /// Returns the port, or the scheme's default.
    #[must_use]
    pub fn port_or_known_default(self) -> Option<u16> {
        self.at.port.or_else(|| special_scheme(self.scheme().as_bytes()).flatten())
    }

    /// Returns the addresses of host and port; a domain is looked up.
    ///
    /// # Errors
    ///
    /// Returns an error without a host, without a port, or if the domain cannot be resolved.
    #[cfg(feature = "std")]
    #[expect(clippy::disallowed_methods, reason = "the API of the crate `url`; nothing is connected")]
    pub fn socket_addrs(
        self,
        default_port_number: impl Fn() -> Option<u16>,
    ) -> std::io::Result<Vec<std::net::SocketAddr>> {
        use std::net::ToSocketAddrs;

        let missing = |what| std::io::Error::new(std::io::ErrorKind::InvalidData, what);
        let host = self.host().ok_or_else(|| missing("No host name in the URL"))?;
        let port = self.port_or_known_default().or_else(default_port_number);
        let port = port.ok_or_else(|| missing("No port number in the URL"))?;
        Ok(match host {
            Host::Domain(domain) => (domain, port).to_socket_addrs()?.collect(),
            Host::Ipv4(address) => Vec::from([(address, port).into()]),
            Host::Ipv6(address) => Vec::from([(address, port).into()]),
        })
    }

    /// Returns the path, percent-encoded.
    #[must_use]
    pub const fn path(self) -> &'a str {
        self.part(Position::BeforePath, Position::AfterPath)
    }

    /// Returns the segments of the path, percent-encoded; none of an opaque path.
    #[must_use]
    pub fn path_segments(self) -> Option<Split<'a, char>> {
        self.path().strip_prefix('/').map(|path| path.split('/'))
    }

    /// Returns the query, without "?".
    #[must_use]
    pub const fn query(self) -> Option<&'a str> {
        match self.at.query_start {
            Some(_) => Some(self.part(Position::BeforeQuery, Position::AfterQuery)),
            None => None,
        }
    }

    /// Returns the pairs of the query, decoded.
    #[must_use]
    pub fn query_pairs(self) -> Parse<'a> {
        form_urlencoded::parse(self.query().unwrap_or_default().as_bytes())
    }

    /// Returns the fragment, without "#".
    #[must_use]
    pub const fn fragment(self) -> Option<&'a str> {
        match self.at.fragment_start {
            Some(_) => Some(self.part(Position::BeforeFragment, Position::AfterFragment)),
            None => None,
        }
    }

    /// The record of this URL, for the state machine.
    pub(crate) fn record(self) -> Record {
        let host = match (self.host(), self.at.host_kind) {
            (None, HostKind::Empty) => Some(HostRecord::Empty),
            (None, _) => None,
            (Some(Host::Ipv4(address)), _) => Some(HostRecord::Ipv4(address.into())),
            (Some(Host::Ipv6(address)), _) => Some(HostRecord::Ipv6(address.segments())),
            (Some(Host::Domain(text)), HostKind::Domain) => Some(HostRecord::Domain(text.to_owned())),
            (Some(Host::Domain(text)), _) => Some(HostRecord::Opaque(text.to_owned())),
        };
        Record {
            scheme: self.scheme().to_owned(),
            username: self.username().to_owned(),
            password: self.password().unwrap_or_default().to_owned(),
            host,
            port: self.at.port,
            path: match self.cannot_be_a_base() {
                true => Path::Opaque(self.path().to_owned()),
                false => Path::Segments(self.path().split('/').skip(1).map(ToOwned::to_owned).collect()),
            },
            query: self.query().map(ToOwned::to_owned),
            fragment: self.fragment().map(ToOwned::to_owned),
        }
    }
}

impl Display for UrlRef<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.text)
    }
}

/// Shows no password.
impl Debug for UrlRef<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Url")
            .field("scheme", &self.scheme())
            .field("cannot_be_a_base", &self.cannot_be_a_base())
            .field("username", &self.username())
            .field("password", &self.password().map(|_| "***"))
            .field("host", &self.host())
            .field("port", &self.port())
            .field("path", &self.path())
            .field("query", &self.query())
            .field("fragment", &self.fragment())
            .finish()
    }
}

impl Eq for UrlRef<'_> {}

impl PartialEq for UrlRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Ord for UrlRef<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(other.text)
    }
}

impl PartialOrd for UrlRef<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for UrlRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl AsRef<str> for UrlRef<'_> {
    fn as_ref(&self) -> &str {
        self.text
    }
}
