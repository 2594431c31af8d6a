//! The hosts of a policy. What every program makes the same of: takes the host of a URL, returns its name or address,
//! and how far it reaches. And patterns: takes one and a host, returns whether the host matches.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use core::net::{IpAddr, Ipv6Addr};

use locator::edition::RFC3986;
use locator::{AddressReader, Host, HostKind, UriRef};

use crate::address::Reach;
use crate::domain::special as names;
use crate::domain::special::SpecialUse;
use crate::plain::ordinary::is_ordinary;

/// The host of a URL, if all programs read it alike.
pub(super) struct PlainHost {
    /// The host in lower case and with brackets; an address in its normal form.
    pub(super) text: String,
    /// The address, if the host is one.
    pub(super) address: Option<IpAddr>,
}

/// Parses a host alone, written as in a URL.
pub(super) fn parse(text: &str) -> Option<PlainHost> {
    let reference = format!("//{text}");
    let host = UriRef::parse_with(&reference, &RFC3986).ok()?.host()?;
    if host.as_str() == text { plain_host(host) } else { None }
}

/// Writes an address as the host of a URL.
pub(super) fn of_address(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// Returns the host in its plain form; `None` if programs may read it differently.
pub(super) fn plain_host(host: Host<'_>) -> Option<PlainHost> {
    match host.kind() {
        HostKind::Ipv4 => {
            let address = host.ipv4()?;
            Some(PlainHost { text: format!("{address}"), address: Some(address.into()) })
        }
        HostKind::Ipv6 => {
            let text = host.as_str().strip_prefix('[')?.strip_suffix(']')?;
            // A zone is refused.
            let address = text.parse::<Ipv6Addr>().ok()?;
            Some(PlainHost { text: format!("[{address}]"), address: Some(address.into()) })
        }
        HostKind::Name => {
            let name = host.as_str();
            // Every number of an address begins with a digit.
            let is_address = name.starts_with(|c: char| c.is_ascii_digit())
                && AddressReader::ALL.iter().any(|reader| reader.read(name).is_some());
            let is_plain = name.len() <= 253
                && has_plain_labels(name.as_bytes())
                // A program that gives the name to another takes it for an option.
                && !name.starts_with('-')
                && !is_address
                && !names::ends_in_number(name);
            is_plain.then(|| PlainHost { text: name.to_ascii_lowercase(), address: None })
        }
        _ => None,
    }
}

/// Returns whether a name consists of labels of letters, digits, "-" and "_". This takes one pass,
/// because every URL has a host.
pub(super) fn has_plain_labels(name: &[u8]) -> bool {
    let mut length = 0;
    for octet in name {
        match octet {
            b'.' if length > 0 => length = 0,
            b'-' | b'_' if length < 63 => length += 1,
            octet if octet.is_ascii_alphanumeric() && length < 63 => length += 1,
            _ => return false,
        }
    }
    length > 0
}

/// Returns the reach of a name, as far as the name says it.
pub(super) fn name_reach(name: &str) -> Reach {
    // Nearly every name is in no table.
    if is_ordinary(name) {
        return Reach::Public;
    }
    if names::metadata_cloud(name).is_some() {
        return Reach::LinkLocal;
    }
    match names::special(name).map(|special| special.for_use) {
        Some(SpecialUse::ThisMachine) => Reach::ThisMachine,
        Some(SpecialUse::LocalNetwork) => Reach::Private,
        Some(SpecialUse::NotInDns | SpecialUse::Protocol) => Reach::Reserved,
        Some(SpecialUse::Example) => Reach::Public,
        None if !name.contains('.') => Reach::Private,
        None => Reach::Public,
    }
}

/// A host or a set of hosts, in ASCII and lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum HostPattern {
    /// `www.example.com`.
    Host(String),
    /// `*.example.com`: all names in a domain, and not the domain itself.
    Below(String),
    /// A registrable domain: itself, and the names in it that nobody else can register.
    #[cfg(feature = "public-suffix")]
    Domain(String),
    /// A text that is not a pattern.
    Wrong,
}

impl HostPattern {
    /// Parses `www.example.com`, `10.0.0.1`, `[::1]` or `*.example.com`.
    pub(super) fn new(text: &str) -> Self {
        match text.strip_prefix("*.") {
            Some(domain) => match host_of(domain) {
                Some(PlainHost { text, address: None }) => Self::Below(text),
                _ => Self::Wrong,
            },
            None => host_of(text).map_or(Self::Wrong, |host| Self::Host(host.text)),
        }
    }

    /// Parses a registrable domain.
    #[cfg(feature = "public-suffix")]
    pub(super) fn domain(text: &str) -> Self {
        match host_of(text) {
            Some(PlainHost { text, address: None }) if registrable(&text) == Some(&*text) => {
                Self::Domain(text)
            }
            _ => Self::Wrong,
        }
    }

    /// Returns whether the policy allows a host by this pattern.
    pub(super) fn allows(&self, host: &str) -> bool {
        match self {
            Self::Host(name) => name == host,
            Self::Below(domain) => host.len() > domain.len() && names::is_within(host, domain),
            #[cfg(feature = "public-suffix")]
            Self::Domain(domain) => registrable(host) == Some(&**domain),
            Self::Wrong => false,
        }
    }

    /// Returns whether the policy denies a host by this pattern. What a wrong pattern was to deny is
    /// not known, so it denies all.
    pub(super) fn denies(&self, host: &str) -> bool {
        match self {
            Self::Host(name) => names::is_within(host, name),
            Self::Wrong => true,
            other => other.allows(host),
        }
    }
}

/// Returns the registrable domain that a name is in. Private rules apply: names in `github.io` belong to
/// different owners.
#[cfg(feature = "public-suffix")]
pub(super) fn registrable(name: &str) -> Option<&str> {
    locator_domain::registered_domain(name, locator_domain::Rules::Private)
}

/// Parses a host, which is converted to ASCII if it is not.
fn host_of(text: &str) -> Option<PlainHost> {
    if !text.is_ascii() {
        let reference = format!("//{text}");
        let iri = UriRef::parse_with(&reference, &locator::edition::RFC3987).ok()?;
        let uri = iri.to_uri_with_idna().ok()?;
        let ascii = uri.as_str().strip_prefix("//").map(ToOwned::to_owned)?;
        return parse(&ascii);
    }
    parse(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_ordinary_name_has_a_reach() {
        let special = names::SPECIAL.iter().filter(|special| special.for_use != SpecialUse::Example);
        for name in special.map(|special| special.name) {
            assert!(!is_ordinary(name) && !is_ordinary(&["a.", name].concat()), "{name}");
        }
        for (name, _) in &names::METADATA {
            assert!(!is_ordinary(name), "{name}");
        }
    }

    #[test]
    fn a_suffix_matches_at_a_dot() {
        for (pattern, host, is_allowed, is_denied) in [
            ("example.com", "example.com", true, true),
            ("Example.COM", "example.com", true, true),
            ("example.com", "www.example.com", false, true),
            ("example.com", "wwwexample.com", false, false),
            ("example.com", "example.com.example.org", false, false),
            ("*.example.com", "www.example.com", true, true),
            ("*.example.com", "a.b.example.com", true, true),
            ("*.example.com", "example.com", false, false),
            ("*.example.com", "wwwexample.com", false, false),
            ("10.0.0.1", "10.0.0.1", true, true),
            ("10.0.0.1", "10.0.0.10", false, false),
            ("[FD00::0:1]", "[fd00::1]", true, true),
            // These are no patterns.
            ("", "example.com", false, true),
            ("*", "example.com", false, true),
            ("*.", "example.com", false, true),
            ("*.10.0.0.1", "10.0.0.1", false, true),
            ("www.*.com", "www.example.com", false, true),
            (".example.com", "www.example.com", false, true),
            ("https://example.com", "example.com", false, true),
            ("example.com:80", "example.com", false, true),
            ("anna@example.com", "example.com", false, true),
            ("example.com/", "example.com", false, true),
            ("0x7f.1", "127.0.0.1", false, true),
        ] {
            let pattern = HostPattern::new(pattern);
            assert_eq!(pattern.allows(host), is_allowed, "{pattern:?} {host}");
            assert_eq!(pattern.denies(host), is_denied, "{pattern:?} {host}");
        }
    }

    #[test]
    fn a_pattern_is_converted_to_ascii() {
        assert!(HostPattern::new("*.münchen.de").allows("www.xn--mnchen-3ya.de"));
        assert!(HostPattern::new("MÜNCHEN.de").denies("xn--mnchen-3ya.de"));
    }

    #[test]
    #[cfg(feature = "public-suffix")]
    fn a_registrable_domain_ends_where_others_register() {
        for (domain, host, expected) in [
            ("example.co.uk", "example.co.uk", true),
            ("example.co.uk", "www.example.co.uk", true),
            ("example.co.uk", "other.co.uk", false),
            ("co.uk", "example.co.uk", false),
            ("www.example.com", "www.example.com", false),
            // Names in "github.io" are of anybody.
            ("github.io", "anna.github.io", false),
            ("anna.github.io", "anna.github.io", true),
            ("amazonaws.com", "www.amazonaws.com", true),
            ("amazonaws.com", "anna.s3.amazonaws.com", false),
            ("10.0.0.1", "10.0.0.1", false),
            ("localhost", "localhost", false),
        ] {
            assert_eq!(HostPattern::domain(domain).allows(host), expected, "{domain} {host}");
        }
    }
}
