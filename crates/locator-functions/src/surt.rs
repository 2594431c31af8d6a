//! The sort-friendly key of web archives (SURT): takes a text, returns the key by which the Wayback Machine,
//! pywb and the index of Common Crawl find captures, such as `com,example)/a?b=1`.
//!
//! No standard has it; its definition is what archives have written since 2003. So this reads the text
//! as they do, not by an edition: a missing scheme is http, escapes are decoded again and again, hosts lose
//! `www.`, paths and queries become lower case, parameters are sorted, and session ids are removed.

use std::borrow::Cow;
use std::net::Ipv4Addr;

use locator::UriRef;
use locator::edition::RFC3987;
use locator::pct::{AsciiSet, PctString};

/// Returns the key of a text; none if its port is not a number up to 65535, and if it is only white space.
///
/// ```
/// use locator_functions::surt;
///
/// assert_eq!(surt("http://www.Example.com:80/a/../B/?b=2&a=1#f").unwrap(), "com,example)/b?a=1&b=2");
/// assert_eq!(surt("example.com").unwrap(), "com,example)/");
/// assert_eq!(surt("mailto:a@example.com").unwrap(), "mailto:a@example.com");
/// ```
#[must_use]
pub fn surt(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("-".to_owned());
    }
    // Records of the archive files themselves.
    if text.starts_with("filedesc") {
        return Some(text.to_owned());
    }
    let trimmed = text.trim_matches(|c: char| matches!(c, ' ' | '\t'..='\r'));
    let text: String = trimmed.chars().filter(|c| !matches!(c, '\n' | '\r' | '\t')).collect();
    if text.is_empty() { None } else { Some(Parts::of(&with_one_scheme(&text))?.key()) }
}

/// The text with a scheme: http if there is none, and the last of several of http and https.
fn with_one_scheme(text: &str) -> Cow<'_, str> {
    if scheme_end(text).is_none() && !text.is_empty() {
        return Cow::Owned(format!("http://{text}"));
    }
    let mut rest = text;
    while let Some(after) = rest.strip_prefix("http://").or_else(|| rest.strip_prefix("https://")) {
        if !after.starts_with("http://") && !after.starts_with("https://") {
            break;
        }
        rest = after;
    }
    Cow::Borrowed(rest)
}

/// The end of a scheme before ":".
fn scheme_end(text: &str) -> Option<usize> {
    let colon = text.find(':')?;
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let scheme = &text[..colon];
    (scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_scheme)).then_some(colon)
}

/// A URL as archives divide it.
struct Parts<'a> {
    scheme: &'a str,
    host: Option<String>,
    port: Option<u16>,
    path: &'a str,
    query: &'a str,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let before_fragment = text.split('#').next().unwrap_or_default();
        let (before_query, query) = before_fragment.split_once('?').unwrap_or((before_fragment, ""));
        let (scheme, rest) = match scheme_end(before_query) {
            Some(colon) => (&before_query[..colon], &before_query[colon + 1..]),
            None => ("", before_query),
        };
        let (authority, mut path) = match rest.strip_prefix("//") {
            Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
            None => ("", rest),
        };
        let authority = authority.trim_end_matches(':');
        let host_and_port = authority.rsplit('@').next().unwrap_or_default();
        let (host, port) = match host_and_port.split_once('[') {
            Some((_, bracketed)) => {
                let (host, after) = bracketed.split_once(']').unwrap_or((bracketed, ""));
                (host, after.split_once(':').map_or("", |(_, port)| port))
            }
            None => host_and_port.split_once(':').unwrap_or((host_and_port, "")),
        };
        let port = if port.is_empty() { 0 } else { port.parse().ok()? };
        let mut host = Some(host).filter(|host| !host.is_empty());
        // "http:////////////////www.vikings.com"
        if scheme.starts_with("http") && host.is_none() && !path.is_empty() {
            let rest = path.trim_start_matches('/');
            let (first, after) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            host = Some(first).filter(|first| !first.is_empty());
            path = if after.is_empty() { "/" } else { after };
        }
        let host = host.map(|host| massaged_host(scheme, host)).filter(|host| !host.is_empty());
        Some(Self { scheme, host, port: Some(port).filter(|&port| port != 0), path, query })
    }

    fn key(&self) -> String {
        let mut key = String::new();
        match &self.host {
            None => key.extend([self.scheme, ":"]),
            Some(host) => {
                let labels: Vec<&str> = host.split('.').rev().collect();
                key.push_str(&labels.join(","));
                let default = match () {
                    () if self.scheme.eq_ignore_ascii_case("http") => Some(80),
                    () if self.scheme.eq_ignore_ascii_case("https") => Some(443),
                    () => None,
                };
                if let Some(port) = self.port.filter(|port| Some(*port) != default) {
                    key.push_str(&format!(":{port}"));
                }
                key.push(')');
            }
        }
        let query = massaged_query(self.query);
        let path = massaged_path(self.path, self.host.is_some());
        key.push_str(if path.is_empty() && query.is_some() { "/" } else { &path });
        if let Some(query) = query {
            key.push('?');
            key.push_str(&query);
        }
        key
    }
}

/// The host in lower case and ASCII, without `www.`, `www2.` and the like; numbers as addresses.
fn massaged_host(scheme: &str, host: &str) -> String {
    let octets = decoded_repeatedly(host);
    let host = ascii_host(octets);
    let host = replaced_once(&host, b"..", b".");
    let start = host.iter().take_while(|&&octet| octet == b'.').count();
    let dots = host[start..].iter().rev().take_while(|&&octet| octet == b'.').count();
    let host = &host[start..host.len() - dots];
    let host = match number_as_address(host) {
        Some(address) => address.to_string(),
        None => escaped(host).to_ascii_lowercase(),
    };
    let digits = host.strip_prefix("www").map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    match digits.and_then(|rest| rest.strip_prefix('.')) {
        Some(rest) if scheme != "dns" => rest.to_owned(),
        _ => host,
    }
}

/// A host beyond ASCII in its form by IDNA, if it has one.
fn ascii_host(octets: Vec<u8>) -> Vec<u8> {
    if octets.is_ascii() {
        return octets;
    }
    let text = String::from_utf8_lossy(&octets).replace('\u{FFFD}', "");
    let url = format!("http://{text}/");
    let ascii = UriRef::parse_with(&url, &RFC3987).ok().and_then(|iri| iri.host_to_ascii().ok().flatten());
    ascii.map_or(octets, String::into_bytes)
}

/// Each occurrence from the left, as in one pass.
fn replaced_once(octets: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len());
    let mut rest = octets;
    while let Some(&first) = rest.first() {
        if rest.starts_with(from) {
            out.extend_from_slice(to);
            rest = &rest[from.len()..];
        } else {
            out.push(first);
            rest = &rest[1..];
        }
    }
    out
}

/// A host of numbers as the address that C's `inet_aton` reads; a single number by its lowest 32 bits.
fn number_as_address(host: &[u8]) -> Option<Ipv4Addr> {
    if host.is_empty() || !host.iter().all(|octet| octet.is_ascii_digit() || *octet == b'.') {
        return None;
    }
    let text = std::str::from_utf8(host).ok()?;
    if !text.contains('.') {
        let value = text
            .bytes()
            .fold(0_u32, |value, digit| value.wrapping_mul(10).wrapping_add(u32::from(digit - b'0')));
        return Some(value.into());
    }
    let parts: Vec<&str> = text.split('.').collect();
    if parts.len() > 4 {
        return None;
    }
    // A text that begins with 0 is read as octal as a whole.
    let is_octal = text.starts_with('0');
    let number = |part: &str| match part {
        "" => None,
        _ if is_octal && part.contains(['8', '9']) => None,
        _ if part.len() > 1 && part.starts_with('0') => u32::from_str_radix(part, 8).ok(),
        _ => part.parse().ok(),
    };
    let (last, first) = parts.split_last()?;
    let last = number(last)?;
    let bits = 8 * (4 - first.len() as u32);
    if bits < 32 && last >> bits != 0 {
        return None;
    }
    let mut value = last;
    for (index, part) in first.iter().enumerate() {
        value |= number(part).filter(|&number| number < 256)? << (24 - 8 * index);
    }
    Some(value.into())
}

/// The path without dot segments, doubled slashes, session ids and a final slash, in lower case.
fn massaged_path(path: &str, has_host: bool) -> String {
    let octets = decoded_repeatedly(path);
    let octets = if has_host { without_dots(&octets) } else { octets };
    let path = escaped(&octets).to_ascii_lowercase();
    let mut path = without_aspx_session(&path);
    if path.len() > 1 && path.ends_with('/') {
        path.pop();
    }
    path
}

fn without_dots(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in path.split(|&octet| octet == b'/').skip(1) {
        match segment {
            b"." => {}
            b".." if kept.pop().is_none() => kept.push(segment),
            b".." => {}
            _ => kept.push(segment),
        }
    }
    let mut out = Vec::from(*b"/");
    if let Some((last, first)) = kept.split_last() {
        for segment in first.iter().filter(|segment| !segment.is_empty()) {
            out.extend_from_slice(segment);
            out.push(b'/');
        }
        out.extend_from_slice(last);
    }
    out
}

/// Removes `/(S(24 characters))/` or `/(24 characters)/` before a name with `.aspx`.
fn without_aspx_session(path: &str) -> String {
    let mut path = path.to_owned();
    for is_session in [is_named_session as fn(&str) -> bool, is_plain_session] {
        let pages: Vec<usize> = path.match_indices(".aspx").map(|(at, _)| at).collect();
        let marks: Vec<usize> = path.match_indices('?').map(|(at, _)| at).collect();
        let next = |list: &[usize], from| list.get(list.partition_point(|&at| at < from)).copied();
        let found = path.rmatch_indices("/(").find_map(|(at, _)| {
            let end = at + 1 + path[at + 1..].find('/')?;
            let page = next(&pages, end + 2)?;
            let is_page = next(&marks, end + 1).is_none_or(|mark| mark > page);
            (is_page && is_session(&path[at + 1..end])).then_some(at + 1..end + 1)
        });
        if let Some(session) = found {
            path.replace_range(session, "");
        }
    }
    path
}

/// `(S(…)F(…))`: letters with 24 characters each.
fn is_named_session(segment: &str) -> bool {
    let Some(mut rest) = segment.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return false;
    };
    if rest.is_empty() {
        return false;
    }
    while !rest.is_empty() {
        let id = rest.get(1..).filter(|_| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
        match id.and_then(|id| id.get(..26)).filter(|id| is_plain_session(id)) {
            Some(_) => rest = &rest[27..],
            None => return false,
        }
    }
    true
}

/// `(…)` with 24 letters and digits.
fn is_plain_session(segment: &str) -> bool {
    let id = segment.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    id.is_some_and(|id| id.len() == 24 && id.bytes().all(|octet| octet.is_ascii_alphanumeric()))
}

/// The query in lower case, without session ids, its parameters sorted; none if nothing is left.
fn massaged_query(query: &str) -> Option<String> {
    let query = escaped(&decoded_repeatedly(query));
    let query = without_sessions(query).to_ascii_lowercase();
    if query.is_empty() {
        return None;
    }
    if query.len() == 1 {
        return Some(query);
    }
    let mut pairs: Vec<_> = query
        .split('&')
        .map(|pair| {
            let (name, value) =
                pair.split_once('=').map_or((pair, None), |(name, value)| (name, Some(value)));
            (name, value)
        })
        .collect();
    pairs.sort();
    let pairs: Vec<String> = pairs
        .into_iter()
        .map(|(name, value)| match value {
            Some(value) => format!("{name}={value}"),
            None => name.to_owned(),
        })
        .collect();
    Some(pairs.join("&")).filter(|query| !query.is_empty())
}

/// Removes, of each kind, the last session id that ends a parameter, with the "&" after it.
fn without_sessions(query: String) -> String {
    let id_after = |name: &'static str| {
        move |pair: &str, _: Option<&str>| {
            let start = pair.len().checked_sub(name.len() + 32)?;
            let id = strip_prefix_ignoring_case(pair.get(start..)?, name)?;
            id.bytes().all(|octet| octet.is_ascii_alphanumeric()).then_some(Session { start, after: 0 })
        }
    };
    let query = without_session(query, id_after("jsessionid="));
    let query = without_session(query, id_after("phpsessid="));
    let query = without_session(query, id_after("sid="));
    let query = without_session(query, |pair, _| {
        let start = pair.len().checked_sub(12 + 8 + 1 + 24)?;
        let after = strip_prefix_ignoring_case(pair.get(start..)?, "aspsessionid")?;
        let (name, id) = after.split_once('=')?;
        let are_letters = [name, id].iter().all(|text| text.bytes().all(|octet| octet.is_ascii_alphabetic()));
        (name.len() == 8 && are_letters).then_some(Session { start, after: 0 })
    });
    without_session(query, |pair, next| {
        let token = strip_prefix_ignoring_case(next?, "cftoken=").filter(|token| !token.is_empty())?;
        let end = pair.len().checked_sub(1)?;
        let start = pair.get(..end)?.to_ascii_lowercase().rfind("cfid=")?;
        Some(Session { start, after: 1 + "cftoken=".len() + token.len() })
    })
}

fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let start = text.get(..prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

/// A session id in a query.
struct Session {
    /// Where it begins in its parameter.
    start: usize,
    /// How many bytes after this parameter belong to it.
    after: usize,
}

/// Removes the last session. The function takes a parameter and the next one.
fn without_session(query: String, find: impl Fn(&str, Option<&str>) -> Option<Session>) -> String {
    let (mut end, mut next) = (query.len(), None);
    for pair in query.rsplit('&') {
        let start = end - pair.len();
        if let Some(session) = find(pair, next) {
            let after = &query[end + session.after..];
            return query[..start + session.start].to_owned() + after.strip_prefix('&').unwrap_or(after);
        }
        next = Some(pair);
        end = start.saturating_sub(1);
    }
    query
}

/// Decodes escapes until there is none: an escape that another one completes is decoded, too. Escapes do not
/// overlap, so their order makes no difference.
fn decoded_repeatedly(text: &str) -> Vec<u8> {
    let digit = |octet: u8| char::from(octet).to_digit(16).map(|digit| digit as u8);
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    for octet in text.bytes() {
        let mut octet = octet;
        while let [.., b'%', high] = out[..]
            && let (Some(high), Some(low)) = (digit(high), digit(octet))
        {
            out.truncate(out.len() - 2);
            octet = high << 4 | low;
        }
        out.push(octet);
    }
    out
}

/// Escapes what is not graphic ASCII, "#" and "%".
fn escaped(octets: &[u8]) -> String {
    let keep = AsciiSet::range(0x21, 0x7E).difference(AsciiSet::of(b"#%"));
    PctString::encode(octets, keep).as_str().to_owned()
}
