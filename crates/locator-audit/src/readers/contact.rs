//! What is contacted: a scheme, a host as it is dialled, and a port.

use alloc::string::String;
use core::fmt::{self, Display, Formatter};
use core::net::{IpAddr, Ipv6Addr};

use super::name::ends_in_number;

/// A host as a program connects to it.
///
/// ```
/// use locator_audit::{Host, readings};
///
/// assert_eq!(
///     readings("http://H.Example/").hosts(),
///     [&Host::Name("h.example".into())]
/// );
/// assert!(
///     readings("http://0x7f.1/")
///         .hosts()
///         .contains(&&Host::Address([127, 0, 0, 1].into()))
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Host {
    /// A name in ASCII and lower case.
    Name(String),
    /// An address. An IPv4 address in IPv6 (`::ffff:127.0.0.1`) is the IPv4 address, because that is
    /// contacted.
    Address(IpAddr),
}

impl Host {
    /// Creates a host from what a program looks up; `None` if it cannot be looked up: it has other characters than the names of
    /// RFC 3986, or an empty label, or it is too long, or its last label is a number, which no top-level
    /// domain is.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        // A resolver reads an address, with a zone too.
        let address = name.split('%').next().unwrap_or_default();
        if let Ok(address) = address.parse::<Ipv6Addr>() {
            return Some(Self::Address(IpAddr::V6(address).to_canonical()));
        }
        let is_of_name = |octet: u8| octet.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&octet);
        let labels = name.strip_suffix('.').unwrap_or(name);
        let valid = name.len() <= 253
            && name.bytes().all(is_of_name)
            && labels.split('.').all(|label| (1..64).contains(&label.len()))
            && !ends_in_number(name);
        valid.then(|| Self::Name(name.to_ascii_lowercase()))
    }
}

impl Display for Host {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Address(address) => Display::fmt(address, f),
        }
    }
}

/// The host and the port that a program contacts for a URL.
///
/// ```
/// use locator::uri;
/// use locator_audit::Contact;
///
/// let contact =
///     Contact::from_uri(uri!("HTTP://www.Example.com/a")).expect("it has a host");
/// assert_eq!((contact.scheme(), contact.port()), ("http", Some(80)));
/// assert_eq!(contact.to_string(), "http://www.example.com:80");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Contact {
    scheme: String,
    host: Host,
    port: Option<u16>,
}

impl Contact {
    pub(super) fn new(scheme: &str, host: Host, port: Option<u16>) -> Self {
        Self { scheme: scheme.to_ascii_lowercase(), host, port }
    }

    /// Returns the scheme in lower case.
    #[must_use]
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// Returns the host to connect to.
    #[must_use]
    pub const fn host(&self) -> &Host {
        &self.host
    }

    /// Returns the port, or else the default port of the scheme; `None` if the scheme has no port.
    #[must_use]
    pub const fn port(&self) -> Option<u16> {
        self.port
    }
}

/// Writes `https://host:443`, without the port if it is unknown; an IPv6 address is in brackets.
impl Display for Contact {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.host {
            Host::Address(address @ IpAddr::V6(_)) => write!(f, "{}://[{address}]", self.scheme)?,
            host => write!(f, "{}://{host}", self.scheme)?,
        }
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// The result of a reader for a text: a contact, a host or an error.
///
/// ```
/// use locator_audit::Outcome;
///
/// let readings = locator_audit::readings("http:///a");
/// let current = readings.outcomes().filter(|(reader, _)| reader.is_current());
/// let contacting =
///     current.filter(|(_, outcome)| matches!(outcome, Outcome::Contact(_)));
/// assert!(contacting.count() > 0);
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The reader contacts this server.
    Contact(Contact),
    /// The reader opens a file of the machine that it runs on.
    File,
    /// The reader finds no host.
    NoHost,
    /// The reader returns this host, which nobody can contact: it has characters that are in no
    /// name, an empty label or a number at its end. In lower case. Only readers that return a host
    /// have it; a program that contacts hosts itself refuses it.
    Returned(String),
    /// The reader reports an error, does not fetch URLs of the scheme, or cannot contact the host.
    Refused,
}

impl Outcome {
    /// Returns the contact, if the reader makes one.
    #[must_use]
    pub const fn contact(&self) -> Option<&Contact> {
        match self {
            Self::Contact(contact) => Some(contact),
            _ => None,
        }
    }

    /// Returns the host that is returned and not contacted, if there is one.
    #[must_use]
    pub fn returned(&self) -> Option<&str> {
        match self {
            Self::Returned(host) => Some(host),
            _ => None,
        }
    }
}
