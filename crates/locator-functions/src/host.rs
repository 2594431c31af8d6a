//! The host, in the forms that tables are grouped by, and the hosts that programs contact; the effective
//! port; the origin.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::LazyLock;

use locator::edition::RFC3987;
use locator::{AddressReader, Component, HostKind, Level, Origin, UriRef};
use locator_audit::{Host, Reach, readings};
use locator_domain::{DomainExt, Rules};
use locator_whatwg::{Host as BrowserHost, Url, UrlRef};

const LOCAL: &str = "localhost";

const CAPITAL: u8 = 1;
const OTHER: u8 = 2;

/// What each octet of a name means for its normal form: nothing, lower case, or more than that.
static FLAGS: [u8; 256] = {
    let (mut flags, mut octet) = ([OTHER; 256], 0);
    while octet < flags.len() {
        match octet as u8 {
            b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_' => flags[octet] = 0,
            b'A'..=b'Z' => flags[octet] = CAPITAL,
            _ => {}
        }
        octet += 1;
    }
    flags
};

/// Returns the host without a first label "www", as it is given.
///
/// What would leave a single label stays: `www.com` is a domain of its own.
///
/// ```
/// let url = locator::UriRef::parse("http://www.example.com/")?;
/// assert_eq!(locator_functions::host_without_www(url), Some("example.com"));
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn host_without_www(reference: UriRef<'_>) -> Option<&str> {
    let host = reference.host()?.as_str();
    let rest =
        host.split_at_checked(4).filter(|(www, _)| www.eq_ignore_ascii_case("www.")).map(|(_, rest)| rest);
    let has_dot = |name: &&str| name.trim_end_matches('.').bytes().any(|octet| octet == b'.');
    Some(rest.filter(has_dot).unwrap_or(host))
}

/// Returns the host in the normal form of its scheme: in lower case, with only the escapes that are
/// needed (RFC 3986, 6.2.2 and 6.2.3).
///
/// ```
/// let url = locator::UriRef::parse("http://EX%41MPLE.com/")?;
/// assert_eq!(locator_functions::host_normal(url).as_deref(), Some("example.com"));
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn host_normal(reference: UriRef<'_>) -> Option<Cow<'_, str>> {
    let host = reference.host()?;
    let (text, kind) = (host.as_str(), host.kind());
    let flags = text.bytes().fold(0, |flags, octet| flags | FLAGS[usize::from(octet)]);
    // What some scheme calls the local host may have no name in its normal form.
    let is_local = text.len() == LOCAL.len() && text.eq_ignore_ascii_case(LOCAL);
    if matches!(kind, HostKind::Name | HostKind::Ipv4) && !is_local && flags & OTHER == 0 {
        return Some(if flags & CAPITAL == 0 {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(text.to_ascii_lowercase())
        });
    }
    // Only the scheme and the authority have to be normalised.
    let end = reference.span(Component::Authority)?.end;
    let head = UriRef::parse_with(&reference.as_str()[..end], reference.edition()).ok()?;
    let normal = head.normalize(Level::Scheme);
    Some(Cow::Owned(normal.host().map_or("", |host| host.as_str()).to_owned()))
}

/// Returns the host in its normal form and with its labels beyond ASCII as A-labels (`xn--`), which DNS
/// has; `None` if it has no such form.
///
/// ```
/// let url = locator::UriRef::parse("http://b%C3%BCcher.Example/")?;
/// assert_eq!(
///     locator_functions::host_ascii(url).as_deref(),
///     Some("xn--bcher-kva.example")
/// );
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn host_ascii(reference: UriRef<'_>) -> Option<Cow<'_, str>> {
    let normal = host_normal(reference)?;
    if matches!(normal, Cow::Borrowed(_)) || is_plain_text(&normal) {
        return Some(normal);
    }
    reference.host_to_ascii().ok().flatten().map(Cow::Owned)
}

/// Returns the host in its normal form for people, with A-labels (`xn--`) as the characters that they
/// stand for; `None` if its escapes are not text.
///
/// ```
/// let url = locator::UriRef::parse("http://xn--bcher-kva.example/")?;
/// assert_eq!(
///     locator_functions::host_unicode(url).as_deref(),
///     Some("bücher.example")
/// );
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn host_unicode(reference: UriRef<'_>) -> Option<Cow<'_, str>> {
    let normal = host_normal(reference);
    // What is borrowed is in lower case and has no escapes.
    if let Some(Cow::Borrowed(host)) = normal
        && !host.as_bytes().windows(4).any(|start| start == b"xn--")
    {
        return normal;
    }
    match reference.host_to_unicode() {
        Some(host) => Some(Cow::Owned(host)),
        None => normal.filter(|normal| is_plain_text(normal)),
    }
}

/// Whether a host is ASCII without escapes.
fn is_plain_text(host: &str) -> bool {
    host.is_ascii() && !host.contains('%')
}

/// Returns the registered domain of a host that is not in a URL, as tables have it: in A-labels and lower
/// case. `None` if the text is no host, or has a port.
///
/// ```
/// use locator_domain::Rules;
/// use locator_functions::registered_domain_of_host;
///
/// let domain = |host| registered_domain_of_host(host, Rules::Icann);
/// assert_eq!(domain("WWW.Bücher.de.").as_deref(), Some("xn--bcher-kva.de"));
/// assert_eq!(domain("127.0.0.1"), None);
/// assert_eq!(domain("http://www.example.com/"), None);
/// ```
#[must_use]
pub fn registered_domain_of_host(host: &str, rules: Rules) -> Option<String> {
    let text = format!("//{host}");
    let reference = UriRef::parse_with(&text, &RFC3987).ok()?;
    let is_host = reference.span(Component::Host) == Some(2..text.len());
    reference.registered_domain(rules).filter(|_| is_host).map(Cow::into_owned)
}

/// Returns the address that browsers contact for a host, in any way to write one: `0x7f.1`,
/// `2130706433`, `0177.0.0.1`, digits of full width, IPv6. An IPv4 address in IPv6 (`::ffff:127.0.0.1`)
/// is the IPv4 address. `None` for names.
///
/// ```
/// let url = locator::UriRef::parse("http://0x7f.1/")?;
/// assert_eq!(locator_functions::host_ip(url), Some([127, 0, 0, 1].into()));
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn host_ip(reference: UriRef<'_>) -> Option<IpAddr> {
    let host = reference.host()?;
    let text = host.as_str();
    match host.kind() {
        HostKind::Name | HostKind::Ipv4 if text.is_ascii() && !text.contains('%') => {
            AddressReader::Url.read(text).map(IpAddr::V4)
        }
        HostKind::Name => {
            let decoded = host.as_pct_str().decode_utf8().ok()?;
            let name = match decoded.is_ascii() {
                true => decoded,
                false => Cow::Owned(reference.host_to_ascii().ok()??),
            };
            AddressReader::Url.read(&name).map(IpAddr::V4)
        }
        HostKind::Ipv6 => {
            let address = text.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok()?;
            Some(IpAddr::V6(address).to_canonical())
        }
        _ => None,
    }
}

/// Returns the address that browsers contact for a text, whether it is a valid reference or not, and
/// also where only they find a host (`http:/127.0.0.1/`); [`host_ip`] is of the host of a valid one.
///
/// ```
/// let ip = |text| locator_functions::ip_of_text(text, None);
/// assert_eq!(ip("http://１２７.0.0.1/"), Some([127, 0, 0, 1].into()));
/// assert_eq!(ip("http:\\\\127.1\\a"), Some([127, 0, 0, 1].into()));
/// ```
#[must_use]
pub fn ip_of_text(text: &str, reference: Option<UriRef<'_>>) -> Option<IpAddr> {
    if let Some(reference) = reference.filter(|reference| has_host(*reference)) {
        return host_ip(reference);
    }
    match host_of_text(text)? {
        BrowserHost::Ipv4(address) => Some(address.into()),
        BrowserHost::Ipv6(address) => Some(IpAddr::V6(address).to_canonical()),
        BrowserHost::Domain(_) => None,
    }
}

/// Returns whether browsers contact an address for a text that is not public: one of this machine, of a
/// private network or of a reserved block, also within an IPv6 address. A name is not one, whatever it
/// leads to. `None` if no host is contacted.
///
/// ```
/// let is_private = |text| {
///     locator_functions::is_private_ip(text, locator::UriRef::parse(text).ok())
/// };
/// assert_eq!(is_private("http://0x7f.1/"), Some(true));
/// assert_eq!(is_private("http://8.8.8.8/"), Some(false));
/// assert_eq!(is_private("http://localhost/"), Some(false));
/// assert_eq!(is_private("mailto:a@127.0.0.1"), None);
/// ```
#[must_use]
pub fn is_private_ip(text: &str, reference: Option<UriRef<'_>>) -> Option<bool> {
    let is_contacted = reference.is_some_and(has_host) || host_of_text(text).is_some();
    let address = ip_of_text(text, reference);
    is_contacted.then(|| address.is_some_and(|address| Reach::of(address) != Reach::Public))
}

fn has_host(reference: UriRef<'_>) -> bool {
    reference.host().is_some_and(|host| host.kind() != HostKind::Empty)
}

/// Returns the host that browsers contact for a text in which no host is found by RFC 3986: one that is not
/// valid, or such as `http:/h/`.
fn host_of_text(text: &str) -> Option<BrowserHost<String>> {
    // A text without a scheme is a link in a page, which leads to another host only with "//" before it.
    const PAGE: &str = "base.invalid";
    static BASE: LazyLock<Option<Url>> = LazyLock::new(|| Url::parse(&format!("https://{PAGE}/")).ok());
    let url = Url::options().base_url(BASE.as_ref()).parse(text).ok()?;
    // Of other schemes, and of files on other machines, browsers contact no host.
    let is_contacted = url.is_special() && url.scheme() != "file";
    let host = url.host().filter(|_| is_contacted)?;
    (host != BrowserHost::Domain(PAGE)).then(|| host.to_owned())
}

/// Returns the hosts that programs of today contact for a text: by RFC 3986, by the URL Standard, and as
/// curl, Python, Java and others read it ([`readings`]). The host by RFC 3986 is first. Two hosts are a
/// parser differential: what one program allows, another one sends somewhere else.
///
/// Names are in ASCII and lower case, addresses as numbers. There are none for a relative reference, and
/// for what is not fetched from a host, such as `mailto:`.
///
/// ```
/// let hosts = locator_functions::contacts("http://good.example\\@evil.example/");
/// let hosts: Vec<_> = hosts.iter().map(ToString::to_string).collect();
/// assert_eq!(hosts, ["evil.example", "good.example"]);
/// ```
#[must_use]
pub fn contacts(text: &str) -> Vec<Host> {
    match undisputed_host(text) {
        Some(host) => vec![Host::Name(host.to_owned())],
        None => contacts_of_readers(text),
    }
}

/// Returns the host of a text in which no reader finds another one, without asking them: most are such.
/// It is a URL of the web that browsers do not rewrite and RFC 3986 allows, without a user, and its host is
/// a name in letters, digits, "-" and ".".
fn undisputed_host(text: &str) -> Option<&str> {
    let url = UrlRef::parse(text).ok()?;
    let host = url.host_str()?;
    let is_of_name = |octet| matches!(octet, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
    let is_name = host.len() <= 253
        && host.bytes().all(is_of_name)
        && !host.contains("xn--")
        && host.split('.').all(|label| (1..64).contains(&label.len()))
        && host.rsplit('.').next()?.starts_with(|c: char| c.is_ascii_lowercase());
    let has_user = !url.username().is_empty() || url.password().is_some();
    let is_web = matches!(url.scheme(), "http" | "https");
    (is_name && is_web && !has_user && UriRef::parse(text).is_ok()).then_some(host)
}

fn contacts_of_readers(text: &str) -> Vec<Host> {
    let readings = readings(text);
    let mut hosts = Vec::new();
    for contacted in readings.contacts().iter().filter(|contacted| contacted.is_current()) {
        if !hosts.contains(contacted.contact.host()) {
            hosts.push(contacted.contact.host().clone());
        }
    }
    hosts
}

/// Returns the port that a program connects to: that of the URL, or the default of its scheme.
///
/// ```
/// let url = locator::UriRef::parse("https://example.com/")?;
/// assert_eq!(locator_functions::effective_port(url), Some(443));
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn effective_port(reference: UriRef<'_>) -> Option<u16> {
    reference.port_or_known_default()
}

/// Returns the origin of a URL with a host: scheme, host and port in normal form, the port only if it is
/// not the default (RFC 6454, 4 and 6.2).
///
/// ```
/// let url = locator::UriRef::parse("HTTPS://u:p@Example.com:443/a")?;
/// assert_eq!(
///     locator_functions::origin(url).as_deref(),
///     Some("https://example.com")
/// );
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn origin(reference: UriRef<'_>) -> Option<Cow<'_, str>> {
    reference.origin().map(Origin::into_cow)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn no_reader_disputes_an_undisputed_host(
            host in "([a-z0-9-]{1,3}|0x7f|localhost|com)(\\.([a-z0-9-]{1,3}|0x7f|com)){0,3}",
            rest in "(:[0-9]{1,5})?/([a-z.:@=?#&%/-]|%2[fF]|//|http://a\\.b|;|,){0,6}",
            is_secure in any::<bool>(),
        ) {
            let text = format!("http{}://{host}{rest}", if is_secure { "s" } else { "" });
            prop_assert_eq!(contacts(&text), contacts_of_readers(&text), "{}", text);
        }
    }
}
