//! Names of hosts that mean more than a name: takes a name, returns what is special about it.
//!
//! [`SPECIAL`] has IANA's registry "Special-Use Domain Names" (RFC 6761) as of 27 September 2026,
//! all of it, and names that networks use without a delegation: "internal", which ICANN reserved on
//! 29 July 2024 (resolution 2024.07.29.06), and those of RFC 6762, appendix G. Names that are
//! not delegated have the answer that the own resolver chooses.

use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use SpecialUse::{Example, LocalNetwork, NotInDns, Protocol, ThisMachine};

/// What a special name is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpecialUse {
    /// It is this machine.
    ThisMachine,
    /// It is in the own network.
    LocalNetwork,
    /// It is not in the DNS.
    NotInDns,
    /// It is for protocols, not for hosts.
    Protocol,
    /// It is for documents; a host of that name is in the DNS.
    Example,
}

/// A special domain name, which all names that end in it share.
#[derive(Debug)]
pub(crate) struct SpecialName {
    pub(crate) name: &'static str,
    pub(crate) for_use: SpecialUse,
    pub(crate) citation: &'static str,
}

/// Returns the special name that a name is, or ends in after a dot. A dot at the end is ignored.
pub(crate) fn special(name: &str) -> Option<&'static SpecialName> {
    let name = name.strip_suffix('.').unwrap_or(name);
    let top = name.rsplit_once('.').map_or(name, |(_, top)| top);
    // Nearly every name has another top label.
    if !TOPS.iter().any(|special| special.eq_ignore_ascii_case(top)) && !is_example(name) {
        return None;
    }
    SPECIAL.iter().filter(|special| is_within(name, special.name)).max_by_key(|special| special.name.len())
}

fn is_example(name: &str) -> bool {
    ["example.com", "example.net", "example.org"].iter().any(|example| is_within(name, example))
}

/// Returns whether a name is a domain or in it, ignoring case.
pub(crate) fn is_within(name: &str, domain: &str) -> bool {
    let Some(start) = name.len().checked_sub(domain.len()) else { return false };
    let is_end = name.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(domain));
    is_end && (start == 0 || name.as_bytes().get(start - 1) == Some(&b'.'))
}

/// Returns whether the last label is a number for the URL Standard, 3.5: digits, or hexadecimal
/// digits after "0x".
pub(crate) fn ends_in_number(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    // The last letter decides for nearly every name.
    if !name.bytes().last().is_some_and(|last| last.is_ascii_hexdigit() || matches!(last, b'x' | b'X')) {
        return false;
    }
    let last = name.rsplit_once('.').map_or(name, |(_, last)| last);
    let hexadecimal = last.strip_prefix("0x").or(last.strip_prefix("0X"));
    let is_hexadecimal =
        hexadecimal.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    is_hexadecimal || !last.is_empty() && last.bytes().all(|digit| digit.is_ascii_digit())
}

/// Returns the cloud that offers metadata to its machines by this name.
pub(crate) fn metadata_cloud(name: &str) -> Option<&'static str> {
    let name = name.strip_suffix('.').unwrap_or(name);
    METADATA.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, cloud)| *cloud)
}

/// A name of a public wildcard DNS service, which has the address that the name contains.
#[derive(Debug)]
pub(crate) struct WildcardName {
    /// Empty if the name contains no address.
    pub(crate) addresses: Vec<IpAddr>,
    /// The domain of the service.
    pub(crate) service: &'static str,
    /// Whether the answer changes between the addresses from look-up to look-up.
    pub(crate) is_rebinding: bool,
}

/// Reads a name of a public wildcard DNS service; `None` if the name is of no such service.
pub(crate) fn wildcard_name(name: &str) -> Option<WildcardName> {
    let name = name.strip_suffix('.').unwrap_or(name);
    // The last letter decides for nearly every name.
    let last = name.as_bytes().last()?.to_ascii_lowercase();
    let service = WILDCARD
        .iter()
        .find(|service| service.0.as_bytes().last() == Some(&last) && is_within(name, service.0))?;
    let rest = name.get(..name.len() - service.0.len())?;
    let mut addresses = addresses_in(rest);
    if let (true, Some(always)) = (addresses.is_empty(), service.1) {
        addresses.push(IpAddr::V4(always));
    }
    Some(WildcardName { addresses, service: service.0, is_rebinding: REBINDING.contains(&service.0) })
}

/// Returns the addresses in a text: `app.10.0.0.1`, `app-10-0-0-1`, `0a000001`, `2a01--2`.
fn addresses_in(text: &str) -> Vec<IpAddr> {
    let mut found = Vec::new();
    let is_boundary = |at: usize| matches!(text.as_bytes().get(at), None | Some(b'.' | b'-'));
    for start in 0..text.len() {
        if start > 0 && !is_boundary(start - 1) {
            continue;
        }
        let rest = text.get(start..).unwrap_or_default();
        let starts = [decimal_start(rest, '.'), decimal_start(rest, '-'), hexadecimal_start(rest)];
        let whole = starts.into_iter().flatten().filter(|read| is_boundary(start + read.length));
        found.extend(whole.map(|read| IpAddr::V4(read.address)));
    }
    found.extend(text.split('.').filter_map(dashed_ipv6).map(IpAddr::V6));
    found
}

/// The address that a text begins with.
struct AddressStart {
    address: Ipv4Addr,
    length: usize,
}

/// Reads four numbers from 0 to 255, divided by this character.
fn decimal_start(text: &str, divider: char) -> Option<AddressStart> {
    let (mut octets, mut rest) = ([0; 4], text);
    for (i, octet) in octets.iter_mut().enumerate() {
        if i > 0 {
            rest = rest.strip_prefix(divider)?;
        }
        let digits = rest.bytes().take(4).take_while(u8::is_ascii_digit).count();
        *octet = rest.get(..digits)?.parse().ok()?;
        rest = rest.get(digits..)?;
    }
    Some(AddressStart { address: Ipv4Addr::from(octets), length: text.len() - rest.len() })
}

/// Reads eight hexadecimal digits.
fn hexadecimal_start(text: &str) -> Option<AddressStart> {
    let digits = text.get(..8).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
    let bits = u32::from_str_radix(digits, 16).ok()?;
    Some(AddressStart { address: Ipv4Addr::from_bits(bits), length: 8 })
}

/// Reads an IPv6 address whose colons are written as hyphens.
fn dashed_ipv6(label: &str) -> Option<Ipv6Addr> {
    let mut buffer = [0; 39];
    let buffer = buffer.get_mut(..label.len())?;
    let with_colons = |octet: u8| if octet == b'-' { b':' } else { octet };
    buffer.iter_mut().zip(label.bytes()).for_each(|(to, octet)| *to = with_colons(octet));
    core::str::from_utf8(buffer).ok()?.parse().ok()
}

/// The last labels of the names in [`SPECIAL`], without those of examples in the DNS.
static TOPS: [&str; 21] = [
    "alt",
    "arpa",
    "corp",
    "example",
    "home",
    "internal",
    "intranet",
    "invalid",
    "ip6-localhost",
    "ip6-loopback",
    "lan",
    "local",
    "localdomain",
    "localdomain4",
    "localdomain6",
    "localhost",
    "mail",
    "onion",
    "private",
    "svc",
    "test",
];

const fn row(name: &'static str, for_use: SpecialUse, citation: &'static str) -> SpecialName {
    SpecialName { name, for_use, citation }
}

#[rustfmt::skip]
pub(crate) static SPECIAL: [SpecialName; 59] = [
    row("6tisch.arpa", Protocol, "RFC 9031"),
    row("10.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("16.172.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("17.172.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("18.172.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("19.172.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("20.172.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("21.172.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("22.172.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("23.172.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("24.172.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("25.172.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("26.172.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("27.172.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("28.172.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("29.172.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("30.172.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("31.172.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("168.192.in-addr.arpa", Protocol, "RFC 6761, 6.1"),
    row("170.0.0.192.in-addr.arpa", Protocol, "RFC 8880"),
    row("171.0.0.192.in-addr.arpa", Protocol, "RFC 8880"),
    row("254.169.in-addr.arpa", Protocol, "RFC 6762, 12"),
    row("8.e.f.ip6.arpa", Protocol, "RFC 6762, 12"),
    row("9.e.f.ip6.arpa", Protocol, "RFC 6762, 12"),
    row("a.e.f.ip6.arpa", Protocol, "RFC 6762, 12"),
    row("b.e.f.ip6.arpa", Protocol, "RFC 6762, 12"),
    row("alt", NotInDns, "RFC 9476"),
    row("eap.arpa", Protocol, "IANA, Special-Use Domain Names"),
    row("eap-noob.arpa", Protocol, "RFC 9140"),
    row("example", NotInDns, "RFC 6761, 6.5"),
    row("example.com", Example, "RFC 6761, 6.5"),
    row("example.net", Example, "RFC 6761, 6.5"),
    row("example.org", Example, "RFC 6761, 6.5"),
    row("home.arpa", LocalNetwork, "RFC 8375"),
    row("invalid", NotInDns, "RFC 6761, 6.4"),
    row("ipv4only.arpa", Protocol, "RFC 8880"),
    row("local", LocalNetwork, "RFC 6762, 3"),
    row("localhost", ThisMachine, "RFC 6761, 6.3"),
    row("onion", NotInDns, "RFC 7686"),
    row("resolver.arpa", Protocol, "RFC 9462"),
    row("service.arpa", Protocol, "RFC 9665"),
    row("test", NotInDns, "RFC 6761, 6.2"),
    // Not in the registry.
    row("arpa", Protocol, "RFC 3172"),
    row("corp", LocalNetwork, "RFC 6762, G"),
    row("home", LocalNetwork, "RFC 6762, G"),
    row("internal", LocalNetwork, "ICANN, resolution 2024.07.29.06"),
    row("intranet", LocalNetwork, "RFC 6762, G"),
    row("lan", LocalNetwork, "RFC 6762, G"),
    row("private", LocalNetwork, "RFC 6762, G"),
    row("mail", LocalNetwork, "ICANN, resolution 2018.02.04.12"),
    row("svc", LocalNetwork, "Kubernetes, DNS for Services and Pods"),
    // Debian and others have these in /etc/hosts.
    row("ip6-localhost", ThisMachine, "hosts(5)"),
    row("ip6-loopback", ThisMachine, "hosts(5)"),
    row("localhost.localdomain", ThisMachine, "hosts(5)"),
    row("localdomain", LocalNetwork, "hosts(5)"),
    row("localhost6.localdomain6", ThisMachine, "hosts(5)"),
    row("localhost4.localdomain4", ThisMachine, "hosts(5)"),
    row("localdomain4", LocalNetwork, "hosts(5)"),
    row("localdomain6", LocalNetwork, "hosts(5)"),
];

/// Names by which clouds offer metadata and credentials to their machines.
pub(crate) static METADATA: [(&str, &str); 13] = [
    ("metadata", "Google Cloud"),
    ("metadata.google.internal", "Google Cloud"),
    ("metadata.goog", "Google Cloud"),
    ("instance-data", "AWS"),
    ("instance-data.ec2.internal", "AWS"),
    ("metadata.tencentyun.com", "Tencent Cloud"),
    ("metadata.platformequinix.com", "Equinix Metal"),
    ("metadata.packet.net", "Equinix Metal"),
    ("api.metadata.cloud.ibm.com", "IBM Cloud"),
    ("metadata.exoscale.com", "Exoscale"),
    ("metadata.azure.internal", "Azure"),
    ("rancher-metadata", "Rancher"),
    ("rancher-metadata.rancher.internal", "Rancher"),
];

const LOOPBACK: Option<Ipv4Addr> = Some(Ipv4Addr::LOCALHOST);

/// Public DNS services whose names contain their address (their own documentation, 2026), and the
/// address of names without one, if all have the same.
static WILDCARD: [(&str, Option<Ipv4Addr>); 21] = [
    ("nip.io", None),
    ("sslip.io", None),
    ("xip.io", None),
    ("traefik.me", LOOPBACK),
    ("localtest.me", LOOPBACK),
    ("lvh.me", LOOPBACK),
    ("vcap.me", LOOPBACK),
    ("fuf.me", LOOPBACK),
    ("lacolhost.com", LOOPBACK),
    ("colasloth.com", LOOPBACK),
    ("127.ca", LOOPBACK),
    ("lndo.site", LOOPBACK),
    ("ddev.site", LOOPBACK),
    ("local.gd", LOOPBACK),
    ("localho.st", LOOPBACK),
    ("smackaho.st", LOOPBACK),
    ("rbndr.us", None),
    ("1u.ms", None),
    ("rebind.network", None),
    ("rebind.it", None),
    ("rbnd.gl0.eu", None),
];

/// Those of the services whose answer changes from look-up to look-up.
static REBINDING: [&str; 5] = ["rbndr.us", "1u.ms", "rebind.network", "rebind.it", "rbnd.gl0.eu"];

#[cfg(test)]
mod tests {
    use std::borrow::ToOwned;
    use std::string::ToString;
    use std::vec::Vec;

    use super::*;
    use crate::plain::ordinary::{is_ordinary, is_ordinary_at};
    use crate::plain::webhooks;
    use crate::services;

    #[test]
    fn every_special_name_is_found() {
        for row in &SPECIAL {
            assert_eq!(special(row.name).unwrap().name, row.name);
            let inner = std::format!("A.{}.", row.name.to_ascii_uppercase());
            assert_eq!(special(&inner).unwrap().name, row.name);
        }
        for name in ["example.de", "localhost.com", "notlocal", "myexample.com", "com", "", ".", "arpa.org"] {
            assert!(special(name).is_none(), "{name}");
        }
    }

    #[test]
    fn no_name_of_the_tables_is_ordinary() {
        let special = SPECIAL.iter().filter(|row| row.for_use != Example).map(|row| row.name);
        let domains = special.chain(WILDCARD.iter().map(|row| row.0));
        let within = domains.clone().map(|name| std::format!("a.subdomain.{name}"));
        let alone = METADATA.iter().map(|row| row.0);
        let names = within.chain(domains.chain(alone).map(ToOwned::to_owned));
        for name in names.chain(webhooks::hosts()).chain(services::hosts_with_hidden_targets()) {
            for name in [name.to_uppercase(), name] {
                assert!(!is_ordinary(&name), "{name}");
                let text = std::format!("https://{name}/");
                let dots = text.bytes().rev().fold(0, |bits, octet| bits << 1 | u64::from(octet == b'.'));
                assert!(!is_ordinary_at(text.as_bytes(), 8, text.len() - 1, dots), "{name}");
            }
        }
    }

    #[test]
    fn addresses_in_names() {
        for (name, expected) in [
            ("10.0.0.1.nip.io", &["10.0.0.1"] as &[&str]),
            ("app.10.8.0.1.nip.io.", &["10.8.0.1"]),
            ("app-116-203-255-68.nip.io", &["116.203.255.68"]),
            ("minio-01.192-168-1-100.sslip.io", &["192.168.1.100"]),
            ("customer-7f000101.NIP.io", &["127.0.1.1"]),
            ("www.0a000001.nip.io", &["10.0.0.1"]),
            ("--1.sslip.io", &["::1"]),
            ("2a01-4f8-c17-b8f--2.sslip.io", &["2a01:4f8:c17:b8f::2"]),
            ("www.nip.io", &[]),
            ("1.2.3.456.nip.io", &[]),
            ("a.localtest.me", &["127.0.0.1"]),
            ("10-0-0-1.traefik.me", &["10.0.0.1"]),
        ] {
            let found = wildcard_name(name).unwrap().addresses;
            let found = found.iter().map(ToString::to_string).collect::<Vec<_>>();
            assert_eq!(found, expected, "{name}");
        }
        for name in ["10.0.0.1.nip.io.example", "xnip.io", "example.com", ""] {
            assert!(wildcard_name(name).is_none(), "{name}");
        }
    }
}
