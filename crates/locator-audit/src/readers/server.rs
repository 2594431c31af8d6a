//! The authority as each reader divides it: userinfo, host and port.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::net::{IpAddr, Ipv6Addr};

use super::contact::{
    Contact, Host, Outcome, are_escapes, are_strict_labels, read_name, unescaped, without_breaks,
};
use super::quirk::{At, Brackets, Colon, Decodes, Idna, Octets, PortSyntax, Quirks, Removes};
use crate::schemes;
use locator::scheme;

/// Characters whose NFKC form has a delimiter of the authority (Unicode 15).
const WITH_DELIMITER: &str = "⁇⁈⁉℀℁℅℆⩴︓︖﹕﹖﹟﹫＃／：？＠";

/// A host before it is known whether it can be contacted.
enum Found {
    Address(IpAddr),
    Name(String),
}

/// Reads an authority, and returns what is contacted. `has_scheme` is whether a scheme was before it.
pub(super) fn read(quirks: &Quirks, scheme: &str, authority: &str, has_scheme: bool) -> Outcome {
    let authority =
        if quirks.removes == Removes::Authority { without_breaks(authority) } else { authority.into() };
    let restricts = quirks.refused_in_authority.are_in("^");
    if restricts && !is_exact(quirks, &authority) {
        return Outcome::Refused;
    }
    if quirks.checks_brackets && !are_brackets_valid(&authority)
        || quirks.checks_nfkc && authority.contains(|c| WITH_DELIMITER.contains(c))
    {
        return Outcome::Refused;
    }
    let authority = if quirks.decodes_first {
        match String::from_utf8(unescaped(&authority)) {
            Ok(decoded) => decoded.into(),
            Err(_) => return Outcome::Refused,
        }
    } else {
        authority
    };
    match divided(quirks, &authority) {
        Ok((login, host, port)) => {
            if quirks.by_proxy {
                return by_proxy(scheme, login, &host, port, has_scheme);
            }
            contact(scheme, host, port, quirks.returns)
        }
        Err(outcome) => outcome,
    }
}

/// Returns the contact; a host that cannot be contacted is returned or refused.
fn contact(scheme: &str, found: Found, port: Option<u16>, returns: bool) -> Outcome {
    let host = match found {
        Found::Address(address) => Host::Address(address.to_canonical()),
        Found::Name(name) => match Host::from_name(&name) {
            Some(host) => host,
            None if returns && !name.is_empty() => return Outcome::Returned(name),
            None => return Outcome::Refused,
        },
    };
    let port = port.or_else(|| scheme::default_port(scheme));
    Outcome::Contact(Contact::new(scheme, host, port))
}

type Divided<'a> = (Option<&'a str>, Found, Option<u16>);

fn divided<'a>(quirks: &Quirks, authority: &'a str) -> Result<Divided<'a>, Outcome> {
    let (login, server) = login(quirks, authority)?;
    let end = server.find(|c| quirks.host_ends.contains(c)).unwrap_or(server.len());
    let server = server.get(..end).unwrap_or_default();
    let (bracketed, host, port) = split(quirks, server)?;
    let port = port.map_or(Ok(None), |port| read_port(quirks, port))?;
    if host.is_empty() {
        return Err(Outcome::NoHost);
    }
    let found = if bracketed { literal(quirks, host)? } else { name(quirks, host)? };
    Ok((login, found, port))
}

/// Divides the userinfo from the server.
fn login<'a>(quirks: &Quirks, authority: &'a str) -> Result<(Option<&'a str>, &'a str), Outcome> {
    let split = match quirks.at {
        At::First => authority.split_once('@'),
        At::Only if authority.matches('@').count() > 1 => return Err(Outcome::NoHost),
        At::Last | At::Only => authority.rsplit_once('@'),
        At::Never => None,
    };
    let split = split.filter(|(login, _)| !quirks.not_in_login.are_in(login));
    let Some((login, server)) = split else { return Ok((None, authority)) };
    let has_user = !login.is_empty() && !login.starts_with(':');
    let decodes_badly = quirks.colon == Colon::BeforeDigitsOrCut
        && (!are_escapes(login) || core::str::from_utf8(&unescaped(login)).is_err());
    if quirks.refused_in_login.are_in(login)
        || quirks.ascii_login && !login.is_ascii()
        || quirks.checks_escapes && !are_escapes(login)
        || quirks.needs_user && !has_user
        || decodes_badly
    {
        return Err(Outcome::Refused);
    }
    Ok((Some(login), server))
}

/// Returns whether `http::Uri` allows the octets of an authority: at most one pair of brackets, no "%"
/// after the userinfo but in brackets, and at most one ":" after both.
fn is_exact(quirks: &Quirks, authority: &str) -> bool {
    let server = authority.rsplit('@').next().unwrap_or_default();
    let after = server.rsplit(']').next().unwrap_or_default();
    let pairs = (authority.matches('[').count(), authority.matches(']').count());
    let in_order = authority.find('[') <= authority.find(']');
    let before = authority.split('[').next().unwrap_or_default().rsplit('@').next().unwrap_or_default();
    authority.is_ascii()
        && !quirks.refused_in_authority.are_in(authority)
        && matches!(pairs, (0, 0) | (1, 1))
        && in_order
        && !after.contains('%')
        && (pairs.0 == 0 || !before.contains('%'))
        && after.matches(':').count() < 2
        && !server.is_empty()
}

/// Returns whether an authority has no brackets, or both, with an address between the first.
fn are_brackets_valid(authority: &str) -> bool {
    let Some((_, rest)) = authority.split_once('[') else { return !authority.contains(']') };
    let Some((content, _)) = rest.split_once(']') else { return false };
    content.starts_with('v') && is_future(content) || address(content, Brackets::Anywhere).is_some()
}

/// Divides host and port. The first value is whether the host was in brackets.
fn split<'a>(quirks: &Quirks, server: &'a str) -> Result<(bool, &'a str, Option<&'a str>), Outcome> {
    if quirks.brackets == Brackets::Anywhere {
        if let Some((_, rest)) = server.split_once('[') {
            let (host, rest) = rest.split_once(']').unwrap_or((rest, ""));
            return Ok((true, host, rest.split_once(':').map(|(_, port)| port)));
        }
    } else if let Some(rest) = server.strip_prefix('[') {
        if quirks.brackets == Brackets::AnythingAfter {
            let (content, after) = rest.split_once(']').unwrap_or((rest, ""));
            return Ok((true, content, after.rsplit_once(':').map(|(_, port)| port)));
        }
        let is_any = matches!(quirks.brackets, Brackets::Anything | Brackets::AnyZone);
        let close = if is_any { rest.rfind(']') } else { rest.find(']') };
        let Some((content, after)) = close.map(|at| (&rest[..at], &rest[at + 1..])) else {
            return Err(Outcome::Refused);
        };
        let port = after.strip_prefix(':');
        let is_cut = quirks.colon == Colon::BeforeDigits && port.is_some_and(str::is_empty)
            || quirks.colon == Colon::Last && port.is_some_and(|port| port.contains(':'));
        if !after.is_empty() && port.is_none() || is_cut {
            return Err(Outcome::Refused);
        }
        return Ok((true, content, port));
    }
    if quirks.brackets == Brackets::AnythingAfter {
        let host = server.split(':').next().unwrap_or_default();
        return Ok((false, host, server.rsplit_once(':').map(|(_, port)| port)));
    }
    let by_digits =
        || server.rsplit_once(':').filter(|(_, port)| port.bytes().all(|octet| octet.is_ascii_digit()));
    let split = match quirks.colon {
        Colon::First => server.split_once(':'),
        Colon::Last => server.rsplit_once(':'),
        Colon::BeforeDigits => by_digits().filter(|(_, port)| !port.is_empty()),
        Colon::BeforeDigitsOrCut => {
            let (host, port) = by_digits().map_or((server, None), |(host, port)| (host, Some(port)));
            return Ok((false, host.split(':').next().unwrap_or_default(), port));
        }
    };
    Ok(split.map_or((false, server, None), |(host, port)| (false, host, Some(port))))
}

/// Reads a port; `None` is that of the scheme.
fn read_port(quirks: &Quirks, port: &str) -> Result<Option<u16>, Outcome> {
    if port.is_empty() {
        return if quirks.empty_port { Ok(None) } else { Err(Outcome::Refused) };
    }
    let digits = |port: &str| {
        let digits = port.trim_start_matches('0');
        let valid = port.bytes().all(|octet| octet.is_ascii_digit()) && digits.len() <= 5;
        if digits.is_empty() && valid { Some(0) } else { digits.parse::<u16>().ok().filter(|_| valid) }
    };
    let read = match quirks.port {
        PortSyntax::Digits => digits(port).map(Some),
        PortSyntax::ZeroIsNone => digits(port).map(|port| Some(port).filter(|&port| port != 0)),
        PortSyntax::Signed if port.strip_prefix('-').and_then(digits) == Some(1) => Some(None),
        PortSyntax::Signed if port.strip_prefix('-').and_then(digits) == Some(0) => Some(Some(0)),
        PortSyntax::Signed => digits(port.strip_prefix('+').unwrap_or(port)).map(Some),
        PortSyntax::OrNone if port.contains(':') => None,
        PortSyntax::OrNone => Some(port.parse().ok()),
        // A line break in the field "Host" is refused.
        PortSyntax::Int if port.contains(['\r', '\n']) => None,
        PortSyntax::Int => {
            let port = port.trim();
            let is_zero = port.strip_prefix('-').is_some_and(|port| port.starts_with('0'));
            let port = port.strip_prefix(if is_zero { '-' } else { '+' }).unwrap_or(port);
            let is_joined = !port.starts_with('_') && !port.ends_with('_') && !port.contains("__");
            digits(&port.replace('_', "")).filter(|_| is_joined && !port.is_empty()).map(Some)
        }
        PortSyntax::Strtol if port.len() > 5 => None,
        PortSyntax::Strtol => {
            let port = port.trim_start_matches([' ', '\t', '\n', '\u{b}', '\u{c}', '\r']);
            let is_zero = port.strip_prefix('-').is_some_and(|port| port.starts_with('0'));
            let port = port.strip_prefix(if is_zero { '-' } else { '+' }).unwrap_or(port);
            let end = port.find(|c: char| !c.is_ascii_digit()).unwrap_or(port.len());
            port.get(..end).filter(|port| !port.is_empty()).and_then(digits).map(Some)
        }
    };
    read.ok_or(Outcome::Refused)
}

fn is_future(content: &str) -> bool {
    let Some((version, rest)) = content.strip_prefix(['v', 'V']).and_then(|rest| rest.split_once('.')) else {
        return false;
    };
    !version.is_empty() && version.bytes().all(|octet| octet.is_ascii_hexdigit()) && !rest.is_empty()
}

/// Returns the IPv6 address between brackets, without its zone.
fn address(content: &str, brackets: Brackets) -> Option<Ipv6Addr> {
    let (address, zone) =
        content.split_once('%').map_or((content, None), |(address, zone)| (address, Some(zone)));
    let allows = |zone: &str| {
        let zone = zone.strip_prefix("25").filter(|rest| !rest.is_empty()).unwrap_or(zone);
        let is_unreserved = |octet: u8| octet.is_ascii_alphanumeric() || b"-._~".contains(&octet);
        !zone.is_empty()
            && match brackets {
                Brackets::Address | Brackets::Literal => false,
                Brackets::Zone => zone.bytes().all(is_unreserved),
                Brackets::ShortZone => zone.len() <= 15,
                Brackets::AnyZone => true,
                Brackets::Anything | Brackets::AnythingAfter | Brackets::Anywhere => !zone.contains('%'),
            }
    };
    if zone.is_none_or(allows) { address.parse().ok() } else { None }
}

/// Reads what is between brackets.
fn literal(quirks: &Quirks, content: &str) -> Result<Found, Outcome> {
    let is_any = matches!(quirks.brackets, Brackets::Anything | Brackets::AnythingAfter);
    // Perl converts the brackets too, go and Node refuse them.
    if is_any && !content.is_ascii() && (content.contains(':') || quirks.idna == Idna::Punycode) {
        return Err(Outcome::Refused);
    }
    if is_any && !content.contains(':') {
        return name(quirks, content);
    }
    let decoded = String::from_utf8(unescaped(content)).unwrap_or_default();
    let content = if is_any && quirks.decodes == Decodes::All { &decoded } else { content };
    let escaped = content.contains("%25");
    if quirks.decodes == Decodes::BeyondAscii && content.contains('%') && !escaped {
        return Err(Outcome::Refused);
    }
    if let Some(address) = address(content, quirks.brackets) {
        return Ok(Found::Address(address.into()));
    }
    match quirks.brackets {
        Brackets::Anywhere | Brackets::Literal if is_future(content) => Ok(Found::Name(content.into())),
        _ => Err(Outcome::Refused),
    }
}

/// Reads a name, or an IPv4 address in one of the forms that the reader knows.
fn name(quirks: &Quirks, host: &str) -> Result<Found, Outcome> {
    if quirks.checks_escapes_of_host && !are_escapes(host) {
        return Err(Outcome::Refused);
    }
    let Some(name) = read_name(quirks, host) else {
        // A library that does not convert a host returns it as it is.
        let is_kept = quirks.returns && quirks.idna == Idna::Never && !quirks.strict_labels;
        return Err(match is_kept && !host.is_ascii() {
            true => Outcome::Returned(host.to_lowercase()),
            false => Outcome::Refused,
        });
    };
    let address = quirks.address.read(&name);
    // java.net.URI: one label may begin with a digit; the last of several must not, but in four numbers.
    let last = name.trim_end_matches('.').rsplit_once('.').map(|(_, last)| last);
    let is_quad = address.is_some() && name.split('.').count() == 4;
    let is_strict = are_strict_labels(&name)
        && (is_quad || last.is_none_or(|last| last.starts_with(|c: char| c.is_ascii_alphabetic())));
    if quirks.strict_labels && !is_strict {
        return Err(Outcome::Refused);
    }
    if let Some(address) = address {
        return Ok(Found::Address(address.into()));
    }
    Ok(Found::Name(name))
}

/// Writes the URL as wget does for its proxy, and reads the host that the proxy finds: by appendix B of
/// RFC 3986.
fn by_proxy(scheme: &str, login: Option<&str>, host: &Found, port: Option<u16>, _: bool) -> Outcome {
    let mut written = String::new();
    // With TLS the proxy gets host and port, and no login.
    if let Some(login) = login.filter(|_| !schemes::is_tunnelled(scheme)) {
        written.push_str(&quoted(&unescaped(login)));
        written.push('@');
    }
    match host {
        Found::Address(address @ IpAddr::V6(_)) => written.push_str(&alloc::format!("[{address}]")),
        Found::Address(address @ IpAddr::V4(_)) => written.push_str(&alloc::format!("{address}")),
        Found::Name(name) if schemes::is_tunnelled(scheme) => {
            if name.contains(':') {
                return Outcome::Refused;
            }
            written.push_str(name);
        }
        Found::Name(name) if name.contains(':') => written.push_str(&alloc::format!("[{name}]")),
        Found::Name(name) => written.push_str(&quoted(name.as_bytes()).replace('@', "%40")),
    }
    let end = written.find(['/', '?', '#']).unwrap_or(written.len());
    let found = written.get(..end).unwrap_or_default();
    let cut = end < written.len();
    let server = found.rsplit_once('@').map_or(found, |(_, server)| server);
    if !cut && server.starts_with('[') {
        return match host {
            Found::Address(address) => contact(scheme, Found::Address(*address), port, false),
            Found::Name(_) => Outcome::Refused,
        };
    }
    let (server, own) = server
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|o| o.is_ascii_digit()))
        .map_or((server, None), |(server, port)| (server, Some(port)));
    let port = match own {
        Some("") => None,
        Some(own) => match own.parse() {
            Ok(own) => Some(own),
            Err(_) => return Outcome::Refused,
        },
        None if cut => None,
        None => port,
    };
    let reader = locator::AddressReader::InetAton;
    let found = reader
        .read(server)
        .map_or_else(|| Found::Name(server.into()), |address| Found::Address(address.into()));
    contact(scheme, found, port, false)
}

/// Escapes what wget escapes in a URL: unsafe characters, but not the reserved.
fn quoted(octets: &[u8]) -> Cow<'static, str> {
    const UNSAFE: Octets = Octets::CONTROLS.and(Octets::of(" \"#%<>\\^`{|}"));
    let mut written = Vec::with_capacity(octets.len());
    for &octet in octets {
        if !octet.is_ascii() || UNSAFE.contains(char::from(octet)) {
            written.extend_from_slice(alloc::format!("%{octet:02X}").as_bytes());
        } else {
            written.push(octet);
        }
    }
    String::from_utf8(written).unwrap_or_default().into()
}
