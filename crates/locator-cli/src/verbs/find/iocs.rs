//! Indicators of compromise, for `find --iocs`: takes a link of a report, a mail or a log, defanged or not, and
//! returns the URL, its host as a name or an address, and e-mail addresses ([`Indicator`]).
//!
//! A host is an indicator if it is below a public suffix, or in a top-level domain that reports name and the
//! DNS does not have. So `readme.md` and `script.py` are none, although `.md` and `.py` are countries: the
//! finder takes a name that could be a file for a host only if a path follows it, or if it is defanged. An
//! address is one whatever it reaches; what is not public is marked by its block (RFC 6890).
//!
//! Hosts are read as browsers do (URL Standard, 3.5): in lower case, with punycode, and numbers as addresses.

use std::borrow::Cow;
use std::io::{self, Write};
use std::net::IpAddr;

use locator::text::{MatchKind, literal_prefix, refang};
use locator_audit::{Block, Reach};
use locator_domain::{Rules, registered_domain};
use locator_find::{Context, Link};
use locator_whatwg::Host;
use serde::Serialize;

use super::json::PlaceObject;
use crate::report::json::text_of;
use crate::run::table::write_csv;

/// The kind of an indicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndicatorKind {
    Url,
    Domain,
    Ipv4,
    Ipv6,
    /// A block of addresses: `203.0.113.0/24` (RFC 4632, 3.1).
    Cidr,
    Email,
}

impl IndicatorKind {
    /// Its name in the output.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::Domain => "domain",
            Self::Ipv4 => "ipv4",
            Self::Ipv6 => "ipv6",
            Self::Cidr => "cidr",
            Self::Email => "email",
        }
    }
}

/// An indicator of compromise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Indicator {
    pub(super) kind: IndicatorKind,
    /// What it is, not defanged.
    pub(super) value: String,
    /// What its address is for, if it is not a public one: "private use".
    pub(super) special: Option<&'static str>,
}

impl Indicator {
    fn new(kind: IndicatorKind, value: impl Into<String>) -> Self {
        Self { kind, value: value.into(), special: None }
    }

    fn of_address(address: IpAddr) -> Self {
        let kind = if address.is_ipv4() { IndicatorKind::Ipv4 } else { IndicatorKind::Ipv6 };
        let block = Block::of(address).map_or("not public", Block::name);
        Self {
            special: (Reach::of(address) != Reach::Public).then_some(block),
            ..Self::new(kind, address.to_string())
        }
    }

    /// The indicator of a host, if it is one.
    fn of_host(host: &str) -> Option<Self> {
        match Host::parse(host).ok()? {
            Host::Ipv4(address) => Some(Self::of_address(address.into())),
            Host::Ipv6(address) => Some(Self::of_address(address.into())),
            Host::Domain(name) => {
                let name = name.strip_suffix('.').unwrap_or(&name);
                is_host_name(name).then(|| Self::new(IndicatorKind::Domain, name))
            }
        }
    }
}

/// Whether a name is one under which something is or can be registered: it ends in a public suffix
/// that is known, and has a label before it. `example.co.uk` is, `co.uk` and `main.c` are not.
pub(in crate::verbs) fn is_domain(name: &str) -> bool {
    // Only ASCII letters may have any case there.
    let name = name.to_lowercase();
    registered_domain(&name, Rules::Private).is_some()
}

/// The last labels of hosts that reports name, and that nobody can register in the DNS: of documents (RFC 2606) and
/// of other networks (RFC 7686).
const NOT_IN_DNS: [&str; 6] = ["example", "test", "invalid", "onion", "i2p", "bit"];

/// Whether a name in a report is a host: below a public suffix, or in a top-level domain that is not in the DNS.
pub(in crate::verbs) fn is_host_name(name: &str) -> bool {
    let last = name.rsplit_once('.').map_or("", |(_, last)| last);
    is_domain(name) || NOT_IN_DNS.iter().any(|known| known.eq_ignore_ascii_case(last))
}

/// Products whose names are below a public suffix. Defanged, they are hosts.
const PRODUCTS: [&str; 6] = ["ASP.NET", "ADO.NET", "VB.NET", "ML.NET", "Paint.NET", "Socket.IO"];

/// Whether a link as it is written is the name of a product.
fn is_product(written: &[u8]) -> bool {
    PRODUCTS.iter().any(|product| product.as_bytes().eq_ignore_ascii_case(written))
}

/// Returns the indicators of a link: the URL first. A reference without a host has none.
pub(super) fn indicators(link: &Link<'_>) -> Vec<Indicator> {
    let is_part = link.cut().is_some() || link.context() == Context::Text(MatchKind::Template);
    let url = if is_part { literal_prefix(link.url()) } else { link.url() };
    if let Some(addresses) = after_prefix(url, "mailto:") {
        return of_mail(addresses);
    }
    let Some(parts) = UrlParts::of(url) else { return Vec::new() };
    // The host of a part of a URL is known if something follows it.
    if is_part && parts.rest.is_empty() {
        return Vec::new();
    }
    let host = Indicator::of_host(parts.host);
    let is_bare = is_written_without_scheme(link);
    if is_bare && is_product(link.written()) {
        return Vec::new();
    }
    if let Some(block) = host.as_ref().filter(|_| is_bare).and_then(|host| parts.block(host)) {
        return Vec::from([block]);
    }
    let is_host = host.is_some() && parts.is_only_host() && is_bare;
    let url = (!is_part && !is_host).then(|| Indicator::new(IndicatorKind::Url, url));
    url.into_iter().chain(host).collect()
}

/// The parts of a URL that indicators are made of.
struct UrlParts<'u> {
    authority: &'u str,
    host: &'u str,
    /// What follows the authority.
    rest: &'u str,
}

impl<'u> UrlParts<'u> {
    fn of(url: &'u str) -> Option<Self> {
        let (scheme, after) = url.split_once("://")?;
        let is_name = |octet: u8| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet);
        if scheme.is_empty() || !scheme.bytes().all(is_name) {
            return None;
        }
        let (authority, rest) = after.split_at(after.find(['/', '?', '#', '\\']).unwrap_or(after.len()));
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let host = match host.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|octet| octet.is_ascii_digit()) => host,
            _ => host,
        };
        (!host.is_empty()).then_some(Self { authority, host, rest })
    }

    /// The block of addresses that this is, if a length of at most 32 follows an IPv4 address.
    fn block(&self, host: &Indicator) -> Option<Indicator> {
        let length = self.rest.strip_prefix('/')?;
        let is_length = length.len() <= 2 && length.parse::<u8>().is_ok_and(|length| length <= 32);
        (host.kind == IndicatorKind::Ipv4 && self.authority == self.host && is_length).then(|| Indicator {
            kind: IndicatorKind::Cidr,
            value: format!("{}/{length}", host.value),
            special: host.special,
        })
    }

    /// Whether there is neither user information nor a port nor anything after the host.
    fn is_only_host(&self) -> bool {
        self.authority == self.host && self.rest.is_empty()
    }
}

/// Whether the document has no scheme before the host, which the finder has added.
fn is_written_without_scheme(link: &Link<'_>) -> bool {
    let Context::Text(kind) = link.context() else {
        return link.context() == Context::Markdown && !has_scheme(link);
    };
    kind.is_guess() || kind == MatchKind::Refanged && !has_scheme(link)
}

fn has_scheme(link: &Link<'_>) -> bool {
    refang(&String::from_utf8_lossy(link.written())).contains("://")
}

fn after_prefix<'u>(url: &'u str, prefix: &str) -> Option<&'u str> {
    let (start, rest) = url.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// Returns the addresses of a "mailto" URL and their hosts (RFC 6068, 2).
fn of_mail(addresses: &str) -> Vec<Indicator> {
    let addresses = addresses.split(['?', '#']).next().unwrap_or_default();
    let mut found = Vec::new();
    for address in addresses.split(',') {
        let Some((user, host)) = address.rsplit_once('@').filter(|(user, _)| !user.is_empty()) else {
            continue;
        };
        let Some(host) = Indicator::of_host(host) else { continue };
        found.push(Indicator::new(IndicatorKind::Email, format!("{user}@{}", host.value)));
        found.push(host);
    }
    found
}

/// The first line of the table of `--csv`.
pub(super) const CSV_HEADER: &[u8] = b"type,value,special,written,file,line,column\n";

/// Writes an indicator as a row of CSV (RFC 4180).
pub(super) fn write_row(to: &mut Vec<u8>, indicator: &Indicator, link: &Link<'_>, file: Option<&[u8]>) {
    let place = link.place();
    let (line, column) = (place.line.to_string(), place.column.to_string());
    let cells: [&[u8]; 7] = [
        indicator.kind.name().as_bytes(),
        indicator.value.as_bytes(),
        indicator.special.unwrap_or_default().as_bytes(),
        link.written(),
        file.unwrap_or_default(),
        line.as_bytes(),
        column.as_bytes(),
    ];
    for (number, cell) in cells.into_iter().enumerate() {
        if number > 0 {
            to.push(b',');
        }
        write_csv(cell, b',', false, to);
    }
    to.push(b'\n');
}

/// An indicator in JSON.
#[derive(Serialize)]
pub(super) struct IndicatorObject<'a> {
    #[serde(flatten)]
    place: PlaceObject<'a>,
    #[serde(rename = "type")]
    kind: &'static str,
    value: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    special: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    written_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guess: Option<bool>,
}

impl<'a> IndicatorObject<'a> {
    /// An indicator of a link.
    pub(super) fn new(indicator: &'a Indicator, link: &'a Link<'a>, file: Option<&'a [u8]>) -> Self {
        let differs = link.written() != indicator.value.as_bytes();
        let (written, written_base64) = match differs.then(|| text_of(link.written())) {
            Some((written, base64)) => (Some(written), base64),
            None => (None, None),
        };
        let is_guess = matches!(link.context(), Context::Text(kind) if kind.is_guess());
        Self {
            place: PlaceObject::new(file, link.place()),
            kind: indicator.kind.name(),
            value: &indicator.value,
            special: indicator.special,
            written,
            written_base64,
            guess: is_guess.then_some(true),
        }
    }
}

/// Writes the cells of an indicator after its place: its type, its value and what is special.
pub(super) fn write_cells(to: &mut Vec<u8>, indicator: &Indicator, shown: &[u8]) -> io::Result<()> {
    write!(to, "{}\t", indicator.kind.name())?;
    to.extend_from_slice(shown);
    match indicator.special {
        Some(special) => write!(to, "\t{special}"),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use locator::text::{Finder, Preset};
    use locator_find::{Document, Format};

    use super::*;

    fn found(text: &str) -> Vec<String> {
        let finder = Finder::new().preset(Preset::Relaxed).domains(is_host_name).addresses(true).refang(true);
        let mut all = Vec::new();
        let document = Document::new(Format::Text);
        let find = locator_find::Finder::new().text(finder.patterns(true));
        let read = find.find(&document, &mut text.as_bytes(), &mut |link: &Link<'_>| {
            let texts = indicators(link).into_iter().map(|one| format!("{} {}", one.kind.name(), one.value));
            all.extend(texts);
            ControlFlow::Continue(())
        });
        assert!(read.is_ok());
        all
    }

    #[test]
    fn a_link_has_its_url_and_its_host() {
        for (text, expected) in [
            (
                "hxxps://Evil[.]example.com/a",
                &["url https://Evil.example.com/a", "domain evil.example.com"][..],
            ),
            ("evil[.]rs and main.rs, readme.md", &["domain evil.rs"]),
            (
                "http://h/ http://[2001:db8::1]:80/",
                &["url http://h/", "url http://[2001:db8::1]:80/", "ipv6 2001:db8::1"],
            ),
            (
                "192[.]0[.]2[.]1 10.0.0.1:80/a",
                &["ipv4 192.0.2.1", "url http://10.0.0.1:80/a", "ipv4 10.0.0.1"],
            ),
            ("joe[at]evil[.]com", &["email joe@evil.com", "domain evil.com"]),
            (
                "203.0.113.0/24, http://203.0.113.0/24",
                &["cidr 203.0.113.0/24", "url http://203.0.113.0/24", "ipv4 203.0.113.0"],
            ),
            ("203.0.113.0/99", &["url http://203.0.113.0/99", "ipv4 203.0.113.0"]),
            ("ASP.NET, Node.js, README.md", &[]),
            ("asp[.]net", &["domain asp.net"]),
            ("sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709", &[]),
            ("http://0x7f000001/", &["url http://0x7f000001/", "ipv4 127.0.0.1"]),
            ("http://evil.com/{id}", &["domain evil.com"]),
            ("n/a, e.g. this", &[]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn a_domain_has_a_label_before_a_suffix_that_is_known() {
        for name in ["example.co.uk", "EXAMPLE.Org.", "a.b.example.com", "bücher.de", "例え.みんな"] {
            assert!(is_domain(name), "{name}");
        }
        for name in ["co.uk", "org", "main.c", "a.localhost", "1.2", ""] {
            assert!(!is_domain(name), "{name}");
        }
    }
}
