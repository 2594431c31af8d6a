//! What is contacted: a scheme, a host as it is dialled, and a port.
//!
//! The name of a host as a reader looks it up: decoded, in ASCII, in lower case.
//!
//! What several steps of a reader do with a text.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::net::{IpAddr, Ipv6Addr};

use locator::internal::escaped_octet;

use super::quirk::{Decodes, Idna, Octets, Quirks};
use crate::domain::look::folded;
use crate::domain::{ascii_form, mapped_form, mapped_letters, punycode};

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

/// Returns the name in ASCII and lower case. It may still have characters that no name has.
pub(super) fn read_name(quirks: &Quirks, host: &str) -> Option<String> {
    let host = if quirks.idna == Idna::Punycode && !host.is_ascii() {
        in_punycode(host)?
    } else {
        String::from(host)
    };
    // requests converts before it decodes.
    let is_mixed = |label: &str| !label.is_ascii() && label.contains('%');
    if quirks.idna == Idna::Unmapped && host.split('.').any(is_mixed) {
        return None;
    }
    if quirks.refused_first.are_in(host.get(..1).unwrap_or_default()) {
        return None;
    }
    let octets = match quirks.decodes {
        Decodes::Never => host.into_bytes(),
        Decodes::Unreserved => {
            let unreserved = |octet: u8| octet.is_ascii_alphanumeric() || b"-._~".contains(&octet);
            decoded(&host, unreserved)
        }
        Decodes::All => unescaped(&host),
        Decodes::BeyondAscii => {
            let octets = decoded(&host, |octet| !octet.is_ascii());
            if octets.contains(&b'%') {
                return None;
            }
            octets
        }
    };
    let mut name = String::from_utf8(octets).ok()?;
    if quirks.latin_host && name.contains(|c| c > '\u{FF}') {
        return None;
    }
    if quirks.masks_controls {
        name = name.replace(|c| Octets::CONTROLS.contains(c), "_");
    }
    let is_checked = quirks.idna == Idna::Checked && name.split('.').any(has_prefix);
    // curl and wget look at the host before they map it.
    let is_early = quirks.idna == Idna::MappedOrOld;
    let is_refused = is_early && quirks.refused_in_host.are_in(&name);
    let mut ascii = if name.is_ascii() && !is_checked { name } else { in_ascii(quirks.idna, &name)? };
    if is_refused || !is_early && quirks.refused_in_host.are_in(&ascii) {
        return None;
    }
    ascii.make_ascii_lowercase();
    Some(ascii)
}

/// Returns whether a label begins as the ASCII form of a label beyond ASCII does.
fn has_prefix(label: &str) -> bool {
    label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--"))
}

/// Returns whether the last label is a number, as the URL standard asks (3.5, "ends in a number").
pub(super) fn ends_in_number(name: &str) -> bool {
    let last = name.strip_suffix('.').unwrap_or(name).rsplit('.').next().unwrap_or_default();
    let hexadecimal = last.strip_prefix("0x");
    !last.is_empty() && last.bytes().all(|octet| octet.is_ascii_digit())
        || hexadecimal.is_some_and(|digits| digits.bytes().all(|octet| octet.is_ascii_hexdigit()))
}

/// Returns whether each label is letters and digits, with hyphens inside; a dot at the end is allowed.
pub(super) fn are_strict_labels(name: &str) -> bool {
    name.strip_suffix('.').unwrap_or(name).split('.').all(|label| {
        let octets = label.as_bytes();
        let is_end = |octet: Option<&u8>| octet.is_some_and(u8::is_ascii_alphanumeric);
        is_end(octets.first())
            && is_end(octets.last())
            && octets.iter().all(|octet| octet.is_ascii_alphanumeric() || *octet == b'-')
    })
}

fn in_punycode(name: &str) -> Option<String> {
    let mut written = String::new();
    for (at, label) in name.split('.').enumerate() {
        if at > 0 {
            written.push('.');
        }
        let label = label.to_lowercase();
        if label.is_ascii() {
            written.push_str(&label);
        } else if has_prefix(&label) {
            return None;
        } else {
            // Perl does not map the letters first. A label that is not mapped to itself is no name.
            let is_itself = mapped_letters(&label).is_some_and(|mapped| mapped == label);
            let encoded = punycode(&label).filter(|_| is_itself);
            written.push_str("xn--");
            written.push_str(&encoded?);
        }
    }
    Some(written)
}

fn in_ascii(idna: Idna, name: &str) -> Option<String> {
    let old_letters =
        || name.replace(['ß', 'ẞ'], "ss").replace('ς', "σ").replace(['\u{200C}', '\u{200D}'], "");
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '-' | '\u{300}'..='\u{36F}');
    // IDNA 2008 allows letters and digits in labels beyond ASCII.
    let are_letters =
        |name: &str| name.split('.').all(|label| label.is_ascii() || label.chars().all(is_letter));
    match idna {
        Idna::Never | Idna::Punycode => None,
        Idna::Checked => mapped_form(name, false),
        Idna::Mapped => mapped_form(name, true).and_then(|_| ascii_form(name.as_bytes())),
        // libidn2 allows symbols, too, such as U+2044, which looks like "/".
        Idna::MappedOrOld => mapped_form(name, true).or_else(|| mapped_form(&old_letters(), true)),
        // Nameprep maps what UTS 46 refuses: U+2491 is "10.".
        Idna::Old => mapped_form(&old_letters(), false).or_else(|| folded(name)),
        Idna::Unmapped => {
            let lower = name.to_lowercase();
            let labels = lower.split('.').map(|label| match mapped_letters(label) {
                _ if label.is_ascii() => Some(label.into()),
                Some(letters) if letters == label && are_letters(label) => mapped_form(label, true),
                _ => None,
            });
            labels.collect::<Option<Vec<String>>>().map(|labels| labels.join("."))
        }
    }
}

/// Returns the text without TAB, LF and CR.
pub(super) fn without_breaks(text: &str) -> Cow<'_, str> {
    if text.contains(['\t', '\n', '\r']) { text.replace(['\t', '\n', '\r'], "").into() } else { text.into() }
}

/// Returns whether each "%" begins an escape.
pub(super) fn are_escapes(text: &str) -> bool {
    text.split('%').skip(1).all(|rest| {
        let mut digits = rest.bytes().take(2);
        digits.len() == 2 && digits.all(|octet| octet.is_ascii_hexdigit())
    })
}

/// Returns the octets of a text with its escapes decoded; a "%" without two digits stays.
pub(super) fn unescaped(text: &str) -> Vec<u8> {
    decoded(text, |_| true)
}

/// Returns the octets of a text with the wanted escapes decoded.
pub(super) fn decoded(text: &str, wanted: impl Fn(u8) -> bool) -> Vec<u8> {
    let (octets, mut written, mut at) = (text.as_bytes(), Vec::with_capacity(text.len()), 0);
    while let Some(&octet) = octets.get(at) {
        match escaped_octet(&octets[at..]) {
            Some(octet) if wanted(octet) => {
                written.push(octet);
                at += 3;
            }
            _ => {
                written.push(octet);
                at += 1;
            }
        }
    }
    written
}
