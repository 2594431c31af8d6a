//! The host, in the forms that tables are grouped by; the effective port; the origin.

use std::borrow::Cow;

use locator::{HostKind, Level, UriRef};

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
    Some(rest.filter(|rest| rest.trim_end_matches('.').contains('.')).unwrap_or(host))
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
    let is_plain =
        |octet: u8| octet.is_ascii_lowercase() || octet.is_ascii_digit() || matches!(octet, b'.' | b'-');
    if host.kind() == HostKind::Name && host.as_str().bytes().all(is_plain) {
        return Some(Cow::Borrowed(host.as_str()));
    }
    // Only the scheme and the authority have to be normalised.
    let end = reference.span(locator::Component::Authority)?.end;
    let head = UriRef::parse_with(&reference.as_str()[..end], reference.edition()).ok()?;
    let normal = head.normalize(Level::Scheme);
    Some(Cow::Owned(normal.host()?.as_str().to_owned()))
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
    reference.port_or_default()
}

/// Returns the origin of a URL with a host: scheme, host and port in normal form, the port only if it is
/// not the default (RFC 6454, 4 and 6.2).
///
/// ```
/// let url = locator::UriRef::parse("HTTPS://u:p@Example.com:443/a")?;
/// assert_eq!(locator_functions::origin(url).as_deref(), Some("https://example.com"));
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn origin(reference: UriRef<'_>) -> Option<String> {
    let scheme = reference.scheme()?.lowercase().to_string();
    let host = host_normal(reference).filter(|host| !host.is_empty())?;
    // "If there is no port component of the URI: Let uri-port be the default port for the protocol"
    let port = match reference.port().filter(|port| !port.as_str().is_empty()) {
        Some(_) => Some(reference.port_u16()?),
        None => None,
    };
    let default = UriRef::parse(&format!("{scheme}://h")).ok().and_then(UriRef::port_or_default);
    Some(match port.filter(|port| Some(*port) != default) {
        Some(port) => format!("{scheme}://{host}:{port}"),
        None => format!("{scheme}://{host}"),
    })
}
