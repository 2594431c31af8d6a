//! The reading of an edition, whose parser has divided the text.

use alloc::string::String;
use core::net::IpAddr;

use super::contact::{Contact, Host, Outcome};
use super::text::unescaped;
use crate::numeric::AddressReader;
use crate::{domain, scheme};

/// Returns what a text contacts whose components are these: the host is decoded, as RFC 3986, 3.2.2,
/// asks, and is an IPv4 address only in the form of that section.
pub(super) fn read(scheme: Option<&str>, host: Option<&str>, port: Option<&str>, base: &Contact) -> Outcome {
    let scheme = match (scheme, host) {
        (Some(scheme), _) => scheme,
        (None, Some(_)) => base.scheme(),
        (None, None) => return Outcome::Contact(base.clone()),
    };
    let Some(host) = host.filter(|host| !host.is_empty()) else { return Outcome::NoHost };
    let port = match port {
        None | Some("") => scheme::default_port(scheme),
        Some(digits) => match digits.parse() {
            Ok(port) => Some(port),
            Err(_) => return Outcome::Refused,
        },
    };
    let host = if let Some(literal) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        let address = literal.split('%').next().unwrap_or_default().parse();
        address.ok().map(|address: IpAddr| Host::Address(address.to_canonical()))
    } else {
        let decoded = String::from_utf8(unescaped(host)).ok();
        let Some(ascii) = decoded.filter(|name| name.is_ascii() || cfg!(feature = "idna")) else {
            return if cfg!(feature = "idna") { Outcome::Refused } else { Outcome::Unknown };
        };
        let ascii = if ascii.is_ascii() { Some(ascii) } else { domain::ascii_form(ascii.as_bytes()) };
        ascii.and_then(|ascii| match AddressReader::Strict.read(&ascii) {
            Some(address) => Some(Host::Address(address.into())),
            None => Host::from_name(&ascii),
        })
    };
    host.map_or(Outcome::Refused, |host| Outcome::Contact(Contact::new(scheme, host, port)))
}
