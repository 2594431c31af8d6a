//! Whether a text has anything that some reader treats differently: most texts do not, and the readers
//! need not run.

use crate::schemes::{self, Fetched};
use locator::AddressReader;

/// Returns whether readers may contact different hosts for the text. If not, all readers that contact
/// anything contact the same; a property test checks this.
pub(crate) fn may_differ(text: &str) -> bool {
    let octets = text.as_bytes();
    let at = octets.iter().position(|octet| !octet.is_ascii_alphanumeric() && !b"+-.".contains(octet));
    match at.map(|at| (at, octets[at])) {
        // A path, or an empty text.
        None | Some((_, b'?' | b'#')) => false,
        Some((0, b'/')) => after_slash(text),
        Some((_, b'/')) => false,
        Some((at, b':')) if octets[0].is_ascii_alphabetic() => after_scheme(&text[..at], &text[at + 1..]),
        Some((_, b':')) => true,
        // Another octet before the first delimiter matters if a scheme can follow, or before the text.
        Some((at, octet)) => at == 0 && octet <= b' ' || may_begin(text),
    }
}

/// Returns whether a text that begins with "/" may be more than a path.
fn after_slash(text: &str) -> bool {
    match text.as_bytes().get(1) {
        Some(b'/') => server_differs("", &text[2..]),
        Some(b'\\' | b'\t' | b'\n' | b'\r') => true,
        _ => false,
    }
}

/// Returns whether a text that begins with neither a scheme nor "/" may have a host.
fn may_begin(text: &str) -> bool {
    let first = text.split(['/', '?', '#']).next().unwrap_or_default();
    first.contains([':', '\\'])
        || first.len() < text.len() && text.starts_with(|c: char| c.is_whitespace() || c.is_control())
        || text.starts_with(['<', '"', '\u{FEFF}'])
}

fn after_scheme(scheme: &str, rest: &str) -> bool {
    let mut lower = [0; 5];
    let Some(lower) = lower.get_mut(..scheme.len()) else { return false };
    lower.copy_from_slice(scheme.as_bytes());
    lower.make_ascii_lowercase();
    let lower = core::str::from_utf8(lower).unwrap_or_default();
    if !Fetched::SPECIAL.contains(lower) {
        return schemes::is_taken_off(lower);
    }
    rest.strip_prefix("//").is_none_or(|rest| server_differs(lower, rest))
}

/// Returns whether an authority is other than a plain host with an optional plain port.
fn server_differs(scheme: &str, rest: &str) -> bool {
    let octets = rest.as_bytes();
    let is_plain = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'.' | b'-' | b'_');
    let end = octets.iter().position(|octet| !is_plain(octet)).unwrap_or(octets.len());
    let host = &rest[..end];
    let (after, port) = match octets.get(end) {
        Some(b':') => {
            let digits = octets[end + 1..].iter().position(|octet| !octet.is_ascii_digit());
            let after = digits.map_or(octets.len(), |digits| end + 1 + digits);
            (after, rest.get(end + 1..after).unwrap_or_default())
        }
        _ => (end, "1"),
    };
    let ends = match octets.get(after) {
        None | Some(b'/') => true,
        // wget does not end the host of an FTP URL there; by RFC 1738 a login may contain "?".
        Some(octet @ (b'?' | b'#')) => {
            let rest = rest.get(after..).unwrap_or_default().split('/').next().unwrap_or_default();
            !(Fetched::FTP.contains(scheme) || *octet == b'?' && rest.contains('@'))
        }
        _ => false,
    };
    host.is_empty() || !ends || !port.bytes().any(|octet| octet != b'0') || number_differs(host)
}

/// Returns whether a host ends like an IPv4 address, but is not one by RFC 3986.
fn number_differs(host: &str) -> bool {
    let last = host.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
    last.starts_with(|c: char| c.is_ascii_digit()) && AddressReader::Strict.read(host).is_none()
}
