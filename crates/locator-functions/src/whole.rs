//! Functions whose result is another reference: the key and the repair.

use std::borrow::Cow;
use std::net::Ipv6Addr;

use locator::edition::Edition;
use locator::{HostKind, Level, Pair, SpaceEncoding, UriRef, UriRefBuf, UriRefCow};

use crate::query::{name_of, with_pairs};
use crate::tracking::is_tracking;

/// Returns the key that joins tables: the normal form of the scheme, without fragment and known tracking
/// parameters ([`is_tracking`]), and with the other parameters sorted by name.
///
/// Two URLs with the same key are usually the same page, which is a guess and not a rule of RFC 3986: a
/// server may give the order of parameters a meaning. Parameters with the same name keep their order, and
/// empty ones (`&&`) and an empty query are removed. Only URLs with an authority and relative references
/// have parameters; the query of `mailto:` and `data:` URLs stays as it is. So does userinfo.
///
/// ```
/// let url =
///     locator::UriRef::parse("HTTP://Example.com:80/?b=2&utm_source=x&a=1#top")?;
/// assert_eq!(locator_functions::key(url).as_str(), "http://example.com/?a=1&b=2");
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn key(reference: UriRef<'_>) -> UriRefCow<'_> {
    let normal = reference.without_fragment().normalize(Level::Scheme);
    if !normal.has_query() || normal.has_scheme() && !normal.has_authority() {
        return normal;
    }
    match with_key_query(normal.as_uri_ref()) {
        // A query that was all that followed the authority may have stood in for a path.
        Some(changed) if !changed.has_query() => {
            UriRefCow::Owned(changed.normalize(Level::Scheme).into_owned())
        }
        Some(changed) => UriRefCow::Owned(changed),
        None => normal,
    }
}

/// Returns the reference with the query of its key; `None` if that is the query it has.
fn with_key_query(normal: UriRef<'_>) -> Option<UriRefBuf> {
    let query = normal.query()?.as_str();
    if !query.bytes().any(|octet| octet == b'%' || octet == b'+') {
        return with_plain_key_query(normal, query);
    }
    let is_kept = |pair: &Pair<'_>| !pair.as_str().is_empty() && !is_tracking(&name_of(&pair.name_bytes()));
    let pairs = || normal.pairs(SpaceEncoding::Plus);
    if pairs().all(|pair| is_kept(&pair)) && pairs().is_sorted_by_key(Pair::name_bytes) {
        return None;
    }
    let mut kept: Vec<_> = pairs().filter(is_kept).collect();
    kept.sort_by(|a, b| a.name_bytes().cmp(&b.name_bytes()));
    with_pairs(normal, kept.into_iter().map(Pair::as_str))
}

/// Returns the same for a query with nothing to decode.
fn with_plain_key_query(normal: UriRef<'_>, query: &str) -> Option<UriRefBuf> {
    let pairs = || query.split('&').map(|pair| (name_in(pair), pair));
    let is_kept = |(name, pair): &(&str, &str)| !pair.is_empty() && !is_tracking(name);
    if pairs().all(|pair| is_kept(&pair)) && pairs().is_sorted_by_key(|(name, _)| name) {
        return None;
    }
    let mut kept: Vec<_> = pairs().filter(is_kept).collect();
    kept.sort_by_key(|(name, _)| *name);
    with_pairs(normal, kept.into_iter().map(|(_, pair)| pair))
}

/// Returns the name of a parameter as it is given.
fn name_in(pair: &str) -> &str {
    &pair[..pair.bytes().position(|octet| octet == b'=').unwrap_or(pair.len())]
}

/// Returns a text as a valid reference, repaired as [`UriRef::parse_repaired`] does: without white space
/// around it, with escapes for what the edition does not allow and for "%" that begins no escape, with "/"
/// for "\", and with a host beyond ASCII as its DNS name. `None` if it stays invalid.
///
/// With a scheme, the result always has one: a text that begins with a host or with "//" gets it, and
/// other texts without a scheme are `None`. A host has a ".", is `localhost` or an IPv6 address in brackets.
/// So `example.com:8080/a` is a host with a port here, though it is a valid URI of the scheme `example.com`.
///
/// ```
/// use locator::edition::RFC3986;
/// use locator_functions::repair;
///
/// assert_eq!(
///     repair(" http://h/a b ", "", &RFC3986).as_deref(),
///     Some("http://h/a%20b")
/// );
/// assert_eq!(
///     repair("example.com/a", "https", &RFC3986).as_deref(),
///     Some("https://example.com/a")
/// );
/// assert_eq!(repair("/a", "https", &RFC3986), None);
/// assert_eq!(
///     repair(r"http:\\h\100%", "", &RFC3986).as_deref(),
///     Some("http://h/100%25")
/// );
/// ```
#[must_use]
pub fn repair<'a>(text: &'a str, scheme: &str, edition: &'static Edition) -> Option<Cow<'a, str>> {
    let clean = text.trim_matches(|c: char| c <= ' ');
    if scheme.is_empty() || has_scheme(clean) {
        return UriRef::parse_repaired_with(text, edition).ok().map(UriRefCow::into_cow);
    }
    let url = match clean.strip_prefix(['/', '\\']).and_then(|rest| rest.strip_prefix(['/', '\\'])) {
        Some(server) => format!("{scheme}://{server}"),
        None if begins_with_host(clean) => format!("{scheme}://{clean}"),
        None => return None,
    };
    let repaired = UriRef::parse_repaired_with(&url, edition).ok()?;
    let host = repaired.host()?;
    // "If asciiDomain ends in a number, then return the result of IPv4 parsing" (URL standard, 3.5):
    // 1.5 is a number, and not a host.
    let last = host.as_str().rsplit('.').next()?;
    let is_number = host.kind() == HostKind::Name && last.bytes().all(|octet| octet.is_ascii_digit());
    (!is_number && host.kind() != HostKind::Empty).then(|| Cow::Owned(repaired.into_string()))
}

/// What ends a host and its port, as browsers read them.
const DELIMITERS: [char; 4] = ['/', '\\', '?', '#'];

/// Whether a text begins with a scheme, and not with a host and its port.
fn has_scheme(text: &str) -> bool {
    let Some((name, rest)) = text.split_once(':') else { return false };
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet));
    let is_host = name.contains('.') || name.eq_ignore_ascii_case("localhost");
    is_name && !(is_host && is_port(&rest[..rest.find(DELIMITERS).unwrap_or(rest.len())]))
}

fn is_port(text: &str) -> bool {
    (1..6).contains(&text.len()) && text.bytes().all(|octet| octet.is_ascii_digit())
}

/// Whether a text without a scheme begins with a host.
fn begins_with_host(text: &str) -> bool {
    let server = &text[..text.find(DELIMITERS).unwrap_or(text.len())];
    // The ":" in an IPv6 address are before its "]".
    let colon = server.find(']').map_or(0, |bracket| bracket + 1);
    let (host, port) = match server[colon..].find(':') {
        Some(place) => (&server[..colon + place], Some(&server[colon + place + 1..])),
        None => (server, None),
    };
    let is_address = || {
        let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        address.is_some_and(|address| address.parse::<Ipv6Addr>().is_ok())
    };
    let labels = || host.strip_suffix('.').unwrap_or(host).split('.');
    let is_name = || {
        labels().all(|label| !label.is_empty())
            && host
                .bytes()
                .all(|octet| octet.is_ascii_alphanumeric() || b"-._".contains(&octet) || !octet.is_ascii())
    };
    let is_known = || labels().count() > 1 || host.eq_ignore_ascii_case("localhost");
    port.is_none_or(is_port) && (is_address() || is_name() && is_known())
}

#[cfg(test)]
mod tests {
    use locator::edition::RFC3986;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn the_query_of_a_key_stays(query in "(a|b|=|&|utm_x=1|gclid|%61|%25|\\+){0,6}") {
            let text = format!("http://h/?{query}");
            let reference = UriRef::parse_with(&text, &RFC3986).expect("it is valid");
            let pairs = || reference.pairs(SpaceEncoding::Plus);
            let names: Vec<_> = pairs().map(|pair| name_of(&pair.name_bytes()).into_owned()).collect();
            let is_kept = pairs().all(|pair| !pair.as_str().is_empty())
                && names.is_sorted()
                && !names.iter().any(|name| is_tracking(name))
                && !query.is_empty();
            prop_assert_eq!(with_key_query(reference).is_none(), is_kept);
        }
    }
}
