//! Hosts that readers return and that nobody can contact: no resolver takes them. A program that checks a
//! URL compares them all the same, while another reader cuts or decodes them and contacts a host.

use alloc::string::String;
use core::net::Ipv6Addr;

use super::contact::Host;
use super::text::unescaped;
use crate::domain;
use locator::AddressReader;

/// Returns whether a host that is returned is the one that is contacted, in another form: with escapes,
/// brackets, letters beyond ASCII or a port that is a word, or an address as a number.
pub(super) fn is_same(contact: &Host, returned: &str) -> bool {
    let Ok(decoded) = String::from_utf8(unescaped(returned)) else { return false };
    let inner = decoded.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
    // "host:port" is a template; with a dot after the colon it would be another name.
    let name = match decoded.split_once(':') {
        Some((name, port)) if !port.contains([':', '.', '@']) => name,
        _ => inner.unwrap_or(&decoded),
    };
    let mapped = if name.is_ascii() { None } else { domain::ascii_form(name.as_bytes()) };
    let name = mapped.as_deref().unwrap_or(name);
    match contact {
        Host::Name(contacted) => name.eq_ignore_ascii_case(contacted),
        Host::Address(address) => {
            let literal = name.split('%').next().unwrap_or_default();
            literal.parse::<Ipv6Addr>().is_ok_and(|v6| v6.to_canonical() == *address)
                || AddressReader::ALL.iter().any(|reader| reader.read(name).is_some_and(|v4| v4 == *address))
        }
    }
}
