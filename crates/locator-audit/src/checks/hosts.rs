//! Hosts: addresses, how they are written and what they reach, and names that are more than names.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::fmt::Write;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::check::{Check, Excerpt, Subject};
use crate::address::{Block, Embedded, Reach};
use crate::domain::look::folded;
use crate::domain::special as names;
use crate::domain::special::{SpecialName, SpecialUse, WildcardName};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use crate::plain::ordinary::is_ordinary;
use locator::{AddressReader, Component, PctStr};

pub(super) static CHECK: Check = Check {
    codes: &[
        &DISGUISED_ADDRESS,
        &ODD_IPV4,
        &EMBEDDED_IPV4,
        &INTERNAL_ADDRESS,
        &METADATA_ADDRESS,
        &RESERVED_ADDRESS,
        &IPV6_ZONE,
        &DISGUISED_NAME,
        &INTERNAL_NAME,
        &METADATA_NAME,
        &SPECIAL_NAME,
        &SINGLE_LABEL,
        &WILDCARD_DNS,
        &NUMERIC_NAME,
        &TRAILING_DOT,
        &EMPTY_LABEL,
        &LONG_NAME,
    ],
    run,
};

pub(super) static DISGUISED_ADDRESS: Code = Code {
    name: "disguised-address",
    severity: Severity::High,
    precision: Precision::High,
    title: "the host is an internal address in disguise",
    advice: "refuse the URL; check the address that the program connects to, not the text of the host",
    citation: "RFC 3986, 7.4",
    explanation: "A list of forbidden addresses that compares texts does not recognize 127.0.0.1 in 0177.0.0.1, \
        2130706433, %31%32%37.0.0.1, ①②⑦.⓪.⓪.① or [::ffff:7f00:1]. The programs that connect do: the C library and \
        browsers read octal, hexadecimal and missing numbers, others decode escapes or map characters, and an IPv6 \
        address may contain an IPv4 address that is contacted instead. Programs differ, so each address is named \
        with those that read it.",
    example: "http://0177.0.0.1/",
};

pub(super) static ODD_IPV4: Code = Code {
    name: "odd-ipv4",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "the host is an IPv4 address in a form that programs read differently",
    advice: "write the address as four decimal numbers without leading zeros",
    citation: "RFC 3986, 7.4",
    explanation: "Only four decimal numbers without leading zeros are an IPv4 address for every program. 011.8.8.8 \
        is 9.8.8.8 for the C library and browsers, 11.8.8.8 for Java, and a name or an error for others. Such forms \
        are used to pass lists of allowed or forbidden hosts.",
    example: "http://134744072/",
};

static EMBEDDED_IPV4: Code = Code {
    name: "embedded-ipv4",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "the host is an IPv6 address that contains an IPv4 address",
    advice: "write the IPv4 address if that is meant; check both addresses",
    citation: "RFC 4291, 2.5.5; RFC 6052, 5.1; RFC 3056, 9",
    explanation: "The operating system, a NAT64 or a 6to4 router contacts the IPv4 address. A check \
        against a list of IPv4 addresses misses it.",
    example: "http://[64:ff9b::808:808]/",
};

static INTERNAL_ADDRESS: Code = Code {
    name: "internal-address",
    severity: Severity::Low,
    precision: Precision::VeryHigh,
    title: "the host is an address of this machine or of a network that is not public",
    advice: "do not fetch the URL if it comes from somebody you do not trust",
    citation: "RFC 6890, 2.2",
    explanation: "A program that fetches the URL contacts its own machine or network, which the author of the URL may be \
        unable to reach, and which may trust the program.",
    example: "http://192.168.0.1/",
};

static METADATA_ADDRESS: Code = Code {
    name: "metadata-address",
    severity: Severity::Low,
    precision: Precision::VeryHigh,
    title: "the host is the address of a cloud's metadata server",
    advice: "do not fetch the URL if it comes from somebody you do not trust",
    citation: "RFC 3927, 2.8",
    explanation: "In a cloud, the response contains credentials of the machine that sends the request. One of these addresses, \
        168.63.129.16, is public, and two are in no link-local block.",
    example: "http://169.254.169.254/latest/meta-data/",
};

static RESERVED_ADDRESS: Code = Code {
    name: "reserved-address",
    severity: Severity::Low,
    precision: Precision::VeryHigh,
    title: "the host is an address that is reserved",
    advice: "use an address of a host",
    citation: "RFC 6890, 2.2",
    explanation: "IANA's special-purpose registries list the block as not globally reachable, or it is not \
        allocated. Networks use such addresses for their own purposes. Addresses for documents are only worth a note.",
    example: "http://198.18.0.1/",
};

static IPV6_ZONE: Code = Code {
    name: "ipv6-zone",
    severity: Severity::Low,
    precision: Precision::VeryHigh,
    title: "the address has a zone, which names an interface of the machine that reads it",
    advice: "remove the zone",
    citation: "RFC 4007, 11; RFC 9844",
    explanation: "A zone has no meaning on another machine, and programs disagree whether it is allowed in a URL \
        and how it is escaped.",
    example: "http://[fe80::1%25eth0]/",
};

pub(super) static DISGUISED_NAME: Code = Code {
    name: "disguised-internal-name",
    severity: Severity::High,
    precision: Precision::High,
    title: "the host is a local name in disguise",
    advice: "refuse the URL; check the name that the program looks up, not the text of the host",
    citation: "RFC 3986, 7.6",
    explanation: "Programs decode escapes in a host, and map characters such as ⓛ to ASCII, before they look the \
        name up. A list that compares texts does not recognize it.",
    example: "http://loc%61lhost/",
};

static INTERNAL_NAME: Code = Code {
    name: "internal-name",
    severity: Severity::Low,
    precision: Precision::High,
    title: "the host is a name of this machine or of its network",
    advice: "do not fetch the URL if it comes from somebody you do not trust",
    citation: "RFC 6761, 6.3; RFC 6762, 3; RFC 8375",
    explanation: "The name is resolved on this machine or in its network, so a program that fetches the URL contacts \
        another machine than the author of the URL would.",
    example: "http://localhost:8080/",
};

static METADATA_NAME: Code = Code {
    name: "metadata-name",
    severity: Severity::Low,
    precision: Precision::VeryHigh,
    title: "the host is the name of a cloud's metadata server",
    advice: "do not fetch the URL if it comes from somebody you do not trust",
    citation: "RFC 3986, 7.6",
    explanation: "In a cloud, the response contains credentials of the machine that sends the request.",
    example: "http://metadata.google.internal/computeMetadata/v1/",
};

static SPECIAL_NAME: Code = Code {
    name: "special-use-name",
    severity: Severity::Low,
    precision: Precision::VeryHigh,
    title: "the host is a special-use name, which is not looked up like other names",
    advice: "use a name that is registered in the DNS",
    citation: "RFC 6761",
    explanation: "The name is reserved for tests, for protocols or for another system than the DNS. If a \
        program looks it up anyway, the result depends on the resolver.",
    example: "http://service.test/",
};

static SINGLE_LABEL: Code = Code {
    name: "single-label-name",
    severity: Severity::Low,
    precision: Precision::Medium,
    title: "the host is a name without a dot, which each network completes differently",
    advice: "write the full name",
    citation: "RFC 3986, 3.2.2; RFC 1535",
    explanation: "A resolver appends the domains of its search list. So the name is another host in each network.",
    example: "http://printer/",
};

static WILDCARD_DNS: Code = Code {
    name: "wildcard-dns-name",
    severity: Severity::Medium,
    precision: Precision::VeryHigh,
    title: "a public DNS service resolves the host to an address that the name contains",
    advice: "check the address that the name resolves to, not the name",
    citation: "RFC 1918, 5",
    explanation: "10.0.0.1.nip.io is a public name of a private address. A list of forbidden names does not know it. \
        Only a check of the address that the name resolves to helps. Names of some services, such as rbndr.us, are answered \
        now with one address and now with another, so that a check sees a public one and the request goes to a private one \
        (DNS rebinding): connect to the address that was checked.",
    example: "http://10.0.0.1.nip.io/",
};

static NUMERIC_NAME: Code = Code {
    name: "name-ends-in-number",
    severity: Severity::Low,
    precision: Precision::High,
    title: "the last label of the host is a number, but the host is not an IPv4 address",
    advice: "correct the address",
    citation: "URL Standard, 3.5; RFC 1123, 2.1",
    explanation: "Browsers refuse such a host; other programs look it up as a name.",
    example: "http://127.0.0.1.1/",
};

static TRAILING_DOT: Code = Code {
    name: "trailing-dot",
    severity: Severity::Info,
    precision: Precision::VeryHigh,
    title: "the host ends with a dot",
    advice: "remove the dot, unless the search list of the resolver must not apply",
    citation: "RFC 3986, 3.2.2",
    explanation: "It is the same name in the DNS, but another text: for lists of hosts, cookies and certificates.",
    example: "http://www.example.com./",
};

static EMPTY_LABEL: Code = Code {
    name: "empty-label",
    severity: Severity::Info,
    precision: Precision::VeryHigh,
    title: "the host has an empty label, which no domain name has",
    advice: "remove the dot",
    citation: "RFC 1034, 3.1",
    explanation: "A name between two dots is empty only for the root. Some programs remove the dot, others refuse the name.",
    example: "http://www..example.com/",
};

static LONG_NAME: Code = Code {
    name: "name-too-long",
    severity: Severity::Info,
    precision: Precision::VeryHigh,
    title: "the host has a label of more than 63 octets, or has more than 253 octets",
    advice: "check the name",
    citation: "RFC 1034, 3.1",
    explanation: "The DNS has no such names, so the host cannot be looked up.",
    example: "http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example.com/",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    let Some(host) = subject.get(Component::Host) else { return };
    if is_ordinary(host) && subject.least > Severity::Info {
        return;
    }
    dialled_host_findings(subject, findings);
}

#[inline(never)]
fn dialled_host_findings(subject: &Subject<'_>, findings: &mut Findings) {
    let Some(Excerpt { text: host, start }) = subject.dialled_host() else { return };
    let new = |code: &'static Code| Finding::new(code, Component::Host, start..start + host.len());
    host_findings(host, &new, &mut |finding| findings.push(finding));
}

/// Reports what is special about a host.
fn host_findings(host: &str, new: &impl Fn(&'static Code) -> Finding, found: &mut impl FnMut(Finding)) {
    if let Some(literal) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return literal_findings(literal, new, found);
    }
    let text = as_read(host);
    let is_disguised = matches!(text, Cow::Owned(_));
    match Ipv4Text::read(&text) {
        Some(address) => ipv4_findings(&address, &text, is_disguised, new, found),
        None => name_findings(&text, is_disguised, new, found),
    }
}

/// Returns the host as programs read it that decode escapes and map characters to ASCII. It is
/// owned only if it differs.
fn as_read(host: &str) -> Cow<'_, str> {
    let decoded = match PctStr::new(host) {
        Ok(encoded) if host.contains('%') => encoded.decode_utf8().unwrap_or(Cow::Borrowed(host)),
        _ => Cow::Borrowed(host),
    };
    folded(&decoded).map_or(decoded, Cow::Owned)
}

/// The address that each kind of program reads.
struct Ipv4Text([Option<Ipv4Addr>; 4]);

impl Ipv4Text {
    /// Returns `None` if no program reads the host as an address.
    fn read(host: &str) -> Option<Self> {
        // Every number of every form begins with a digit.
        host.as_bytes().first().filter(|octet| octet.is_ascii_digit())?;
        let read = AddressReader::ALL.map(|reader| reader.read(host));
        read.iter().any(Option::is_some).then_some(Self(read))
    }

    /// Returns the address, if every program reads this.
    fn agreed(&self) -> Option<Ipv4Addr> {
        let first = self.0.first().copied().flatten();
        first.filter(|_| self.0.iter().all(|read| *read == first))
    }

    fn narrowest_reach(&self) -> Reach {
        self.0.iter().flatten().map(|address| Reach::of(*address)).max().unwrap_or(Reach::Public)
    }

    /// Returns each address with the programs that read it: `127.0.0.1 (loopback) for Java`.
    fn by_program(&self) -> String {
        let mut text = String::new();
        for (i, read) in self.0.iter().enumerate() {
            let Some(address) = read.filter(|_| !self.0.iter().take(i).any(|earlier| earlier == read)) else {
                continue;
            };
            let separator = if text.is_empty() { "" } else { ", and " };
            let _ = write!(text, "{separator}{} for ", AddressWithUse(address.into()));
            let readers = AddressReader::ALL.iter().zip(&self.0).filter(|(_, other)| *other == read);
            let count = readers.clone().count();
            for (j, (reader, _)) in readers.enumerate() {
                let comma = if j == 0 {
                    ""
                } else if j + 1 < count {
                    ", "
                } else {
                    " and "
                };
                let _ = write!(text, "{comma}{}", programs_of(*reader));
            }
        }
        if self.0.iter().any(Option::is_none) {
            text.push_str("; others take it for a name or refuse it");
        }
        text
    }
}

const fn programs_of(reader: AddressReader) -> &'static str {
    match reader {
        AddressReader::Strict => "strict programs",
        AddressReader::InetAton => "the C library",
        AddressReader::Url => "browsers",
        AddressReader::Decimal => "Java",
        _ => reader.name(),
    }
}

/// An address with what its block is for: `10.0.0.1 (private use)`.
struct AddressWithUse(IpAddr);

impl core::fmt::Display for AddressWithUse {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match Block::of(self.0).filter(|block| block.reach() != Reach::Public) {
            Some(block) => write!(f, "{} ({})", self.0, block.name()),
            None => write!(f, "{}", self.0),
        }
    }
}

fn ipv4_findings(
    address: &Ipv4Text,
    host: &str,
    is_disguised: bool,
    new: &impl Fn(&'static Code) -> Finding,
    found: &mut impl FnMut(Finding),
) {
    match address.agreed() {
        Some(plain) if !is_disguised => return plain_findings(plain.into(), new, found),
        _ => {}
    }
    let code = if address.narrowest_reach() > Reach::Public { &DISGUISED_ADDRESS } else { &ODD_IPV4 };
    let message = match (address.agreed(), is_disguised) {
        (Some(plain), _) => format!("programs that decode the host contact {}", AddressWithUse(plain.into())),
        (None, false) if host.len() <= 40 => format!("{host} is {}", address.by_program()),
        (None, true) if host.len() <= 40 => {
            format!("programs that decode the host read {host}, which is {}", address.by_program())
        }
        (None, _) => format!("the host is {}", address.by_program()),
    };
    found(new(code).saying(message));
}

/// Reports an address that is written as what it is.
fn plain_findings(address: IpAddr, new: &impl Fn(&'static Code) -> Finding, found: &mut impl FnMut(Finding)) {
    let Some(block) = Block::of(address) else { return };
    let (code, severity) = match block.reach() {
        Reach::Public => return,
        _ if block.is_metadata() => (&METADATA_ADDRESS, METADATA_ADDRESS.severity),
        Reach::Reserved if block.name().starts_with("documentation") => (&RESERVED_ADDRESS, Severity::Info),
        Reach::Reserved => (&RESERVED_ADDRESS, RESERVED_ADDRESS.severity),
        _ => (&INTERNAL_ADDRESS, INTERNAL_ADDRESS.severity),
    };
    let message = match block.is_metadata() {
        true => format!("{address} is for {}", block.name()),
        false => format!("{address} is in {block}, {} ({})", block.name(), block.citation()),
    };
    found(new(code).severe(severity).saying(message));
}

/// Reports the address between "[" and "]".
fn literal_findings(literal: &str, new: &impl Fn(&'static Code) -> Finding, found: &mut impl FnMut(Finding)) {
    let (address, zone) = match literal.split_once('%') {
        Some((address, zone)) => (address, Some(zone)),
        None => (literal, None),
    };
    let Ok(address) = address.parse::<Ipv6Addr>() else { return };
    if let Some(zone) = zone {
        // A zone that looks like a host is made to be found by a search for it.
        let severity = if zone.contains('.') { Severity::Medium } else { IPV6_ZONE.severity };
        found(new(&IPV6_ZONE).severe(severity));
    }
    let mut embedded = Embedded::all(address, &[]).peekable();
    if embedded.peek().is_none() {
        return plain_findings(address.into(), new, found);
    }
    let mut message = format!("{address} contains ");
    let mut narrowest = Reach::Public;
    for (i, Embedded { form, address }) in embedded.enumerate() {
        narrowest = narrowest.max(Reach::of(address));
        let separator = if i > 0 { ", " } else { "" };
        let _ = write!(message, "{separator}{address} ({}", form.name());
        let special = Block::of(address).filter(|block| block.reach() != Reach::Public);
        let _ = special.map_or(Ok(()), |block| write!(message, ", {}", block.name()));
        message.push(')');
    }
    let code = if narrowest > Reach::Public { &DISGUISED_ADDRESS } else { &EMBEDDED_IPV4 };
    found(new(code).saying(message));
}

fn name_findings(
    name: &str,
    is_disguised: bool,
    new: &impl Fn(&'static Code) -> Finding,
    found: &mut impl FnMut(Finding),
) {
    let Some(form) = NameForm::of(name) else { return };
    form_findings(&form, name, new, found);
    if let Some(cloud) = names::metadata_cloud(name) {
        let code = if is_disguised { &DISGUISED_NAME } else { &METADATA_NAME };
        return found(
            new(code).saying(format!("{cloud} offers metadata and credentials to its machines by this name")),
        );
    }
    if let Some(special) = names::special(name) {
        return special_findings(special, is_disguised, new, found);
    }
    if let Some(WrappedAddress { address, kept }) = wrapped_address(name) {
        let message = format!("a program that keeps {kept} contacts {}", AddressWithUse(address.into()));
        found(new(&ODD_IPV4).saying(message));
    } else if form.dots == 0 {
        found(new(&SINGLE_LABEL));
    } else if form.ends_in_digit && names::ends_in_number(name) {
        found(new(&NUMERIC_NAME));
    } else if let Some(wildcard) = names::wildcard_name(name) {
        found_wildcard(&wildcard, new, found);
    }
}

/// Reports a name that a public service answers with an address in it, or now with one and now with another.
fn found_wildcard(
    wildcard: &WildcardName,
    new: &impl Fn(&'static Code) -> Finding,
    found: &mut impl FnMut(Finding),
) {
    let WildcardName { addresses, service, is_rebinding } = wildcard;
    let Some(address) = addresses.iter().max_by_key(|address| Reach::of(**address)) else { return };
    let severity = if Reach::of(*address) > Reach::Public { Severity::Medium } else { Severity::Low };
    let shown = AddressWithUse(*address);
    let other = addresses.iter().find(|other| *is_rebinding && *other != address);
    let message = match other {
        Some(other) => {
            format!("{service} answers this name now with {shown}, now with {}", AddressWithUse(*other))
        }
        None => format!("{service} answers this name with {shown}"),
    };
    found(new(&WILDCARD_DNS).severe(severity).saying(message));
}

/// An address that is written with numbers that are too large.
struct WrappedAddress {
    address: Ipv4Addr,
    /// The bits that are kept.
    kept: &'static str,
}

/// Reads numbers that are too large for an IPv4 address as a program that ignores the excess bits does:
/// `472.314.470.462` is 216.58.214.206.
fn wrapped_address(name: &str) -> Option<WrappedAddress> {
    let number = |part: &str| {
        let (digits, radix) = match part.strip_prefix("0x").or(part.strip_prefix("0X")) {
            Some(digits) => (digits, 16),
            None if part.len() > 1 && part.starts_with('0') => (part, 8),
            None => (part, 10),
        };
        let is_number = !digits.is_empty() && digits.bytes().all(|octet| octet.is_ascii_hexdigit());
        if is_number { u64::from_str_radix(digits, radix).ok() } else { None }
    };
    // The labels are counted first: a host is long.
    let mut labels = name.splitn(5, '.');
    let numbers: [Option<u64>; 5] =
        core::array::from_fn(|_| labels.next().map(number).map(|read| read.unwrap_or(u64::MAX)));
    match numbers {
        [Some(all), None, ..] if all > u64::from(u32::MAX) && all < u64::MAX => {
            Some(WrappedAddress { address: Ipv4Addr::from(all as u32), kept: "32 bits of the number" })
        }
        [Some(a), Some(b), Some(c), Some(d), None] if [a, b, c, d].iter().all(|part| *part < 1 << 32) => {
            let address = Ipv4Addr::from([a, b, c, d].map(|part| part as u8));
            Some(WrappedAddress { address, kept: "8 bits of each number" })
        }
        _ => None,
    }
}

fn special_findings(
    special: &SpecialName,
    is_disguised: bool,
    new: &impl Fn(&'static Code) -> Finding,
    found: &mut impl FnMut(Finding),
) {
    let SpecialName { name, citation, .. } = special;
    let (code, message) = match special.for_use {
        SpecialUse::Example => return,
        // A name for documents.
        SpecialUse::NotInDns if *name == "example" => return,
        SpecialUse::ThisMachine => (&INTERNAL_NAME, format!("\"{name}\" is this machine ({citation})")),
        SpecialUse::LocalNetwork => {
            (&INTERNAL_NAME, format!("names in \"{name}\" are those of the own network ({citation})"))
        }
        SpecialUse::NotInDns => {
            (&SPECIAL_NAME, format!("names in \"{name}\" are not in the DNS ({citation})"))
        }
        SpecialUse::Protocol => {
            (&SPECIAL_NAME, format!("names in \"{name}\" are for protocols ({citation})"))
        }
    };
    let code = if is_disguised && code == &INTERNAL_NAME { &DISGUISED_NAME } else { code };
    found(new(code).saying(message));
}

/// The form of a name.
struct NameForm {
    /// The dots, without one at the end.
    dots: usize,
    has_empty_label: bool,
    longest_label: usize,
    ends_with_dot: bool,
    ends_in_digit: bool,
}

impl NameForm {
    /// Returns `None` for a host that is not a domain name, such as a placeholder.
    fn of(name: &str) -> Option<Self> {
        let (mut dots, mut label, mut longest, mut has_empty) = (0, 0, 0, false);
        for octet in name.bytes() {
            match octet {
                b'.' => {
                    has_empty |= label == 0;
                    (dots, longest, label) = (dots + 1, longest.max(label), 0);
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | 0x80.. => label += 1,
                _ => return None,
            }
        }
        let ends_with_dot = name.ends_with('.');
        let ends_in_digit =
            name.trim_end_matches('.').ends_with(|c: char| c.is_ascii_hexdigit() || matches!(c, 'x' | 'X'));
        Some(Self {
            dots: dots - usize::from(ends_with_dot),
            has_empty_label: has_empty || name.is_empty(),
            longest_label: longest.max(label),
            ends_with_dot,
            ends_in_digit,
        })
    }
}

fn form_findings(
    form: &NameForm,
    name: &str,
    new: &impl Fn(&'static Code) -> Finding,
    found: &mut impl FnMut(Finding),
) {
    if form.has_empty_label {
        found(new(&EMPTY_LABEL));
    } else if form.ends_with_dot {
        found(new(&TRAILING_DOT));
    }
    if form.longest_label > 63 || name.len() > 253 + usize::from(form.ends_with_dot) {
        found(new(&LONG_NAME));
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    fn examined(host: &str) -> Vec<Finding> {
        let mut all = Vec::new();
        host_findings(host, &|code| Finding::new(code, Component::Host, 0..host.len()), &mut |finding| {
            all.push(finding);
        });
        all.retain(|finding| finding.severity() > Severity::Info);
        all
    }

    proptest! {
        #[test]
        fn nothing_is_found_in_an_ordinary_host(
            host in "(api\\.|metadata\\.|loc|10\\.|a|7f000001\\.|[a-z0-9.%_~é-]){0,8}\
                     (\\.(com|io|me|goog|net|test|local|corp|com|nip\\.io|host\\.com|lacolhost\\.com|0x7|12))?"
        ) {
            if is_ordinary(&host) {
                prop_assert_eq!(examined(&host), [], "{}", host);
            }
        }
    }
}
