//! Hosts of which every program makes the same: takes the host of a URL, returns its name or address,
//! and how far it reaches.

use alloc::format;
use alloc::string::{String, ToString};
use core::net::{IpAddr, Ipv6Addr};

use crate::address::Reach;
use crate::domain::special::{self as names, Use};
use crate::plain::ordinary::is_ordinary;
use locator::edition::RFC3986;
use locator::{AddressReader, Host, HostKind, UriRef};

/// The host of a URL, in lower case and with brackets, and its address, if it is one.
pub(super) type PlainHost = (String, Option<IpAddr>);

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

/// Returns the host in lower case, and its address; `None` if programs may read it differently.
pub(super) fn plain_host(host: Host<'_>) -> Option<(String, Option<IpAddr>)> {
    match host.kind() {
        HostKind::Ipv4 => {
            let address = host.ipv4()?;
            Some((format!("{address}"), Some(address.into())))
        }
        HostKind::Ipv6 => {
            let text = host.as_str().strip_prefix('[')?.strip_suffix(']')?;
            // A zone is refused.
            let address = text.parse::<Ipv6Addr>().ok()?;
            Some((format!("[{address}]"), Some(address.into())))
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
            is_plain.then(|| (name.to_ascii_lowercase(), None))
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
    if names::metadata(name).is_some() {
        return Reach::LinkLocal;
    }
    match names::special(name).map(|special| special.for_use) {
        Some(Use::ThisMachine) => Reach::ThisMachine,
        Some(Use::LocalNetwork) => Reach::Private,
        Some(Use::NotInDns | Use::Protocol) => Reach::Reserved,
        Some(Use::Example) => Reach::Public,
        None if !name.contains('.') => Reach::Private,
        None => Reach::Public,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_ordinary_name_has_a_reach() {
        let special = names::SPECIAL.iter().filter(|special| special.for_use != Use::Example);
        for name in special.map(|special| special.name) {
            assert!(!is_ordinary(name) && !is_ordinary(&["a.", name].concat()), "{name}");
        }
        for (name, _) in &names::METADATA {
            assert!(!is_ordinary(name), "{name}");
        }
    }
}
