//! Recognizes URLs without "//": takes a name and the text after its ":" in running text, returns
//! whether they are a URL of that scheme, and not a word before a colon. The schemes of
//! `spec/schemes.md` have their own methods; this module covers other registered schemes that
//! people write in texts.

use crate::scheme::{is_addr_spec, lookup};

/// Returns whether the text after a registered name is recognizable as one of its URLs; it has at
/// most 256 octets.
///
/// ```
/// use locator::text::is_recognizable;
///
/// assert!(
///     is_recognizable("tel", b"+1-201-555-0123")
///         && is_recognizable("news", b"comp.infosystems")
/// );
/// assert!(
///     !is_recognizable("tel", b"555")
///         && !is_recognizable("news", b"today")
///         && !is_recognizable("key", b"value")
/// );
/// ```
#[must_use]
pub fn is_recognizable(name: &str, rest: &[u8]) -> bool {
    match lookup(name) {
        Some(scheme) => scheme.is_evident(rest),
        None => REGISTERED
            .iter()
            .chain(UNREGISTERED)
            .any(|(known, shows)| known.eq_ignore_ascii_case(name) && shows(rest)),
    }
}

/// Returns whether any URL of this name is recognizable. Most words before a colon are rejected
/// without a search in the list.
pub(crate) fn may_be_evident(name: &[u8]) -> bool {
    const LENGTHS: [u16; 32] = lengths();
    let Some(first) = name.first().filter(|_| name.len() < 16) else { return false };
    (LENGTHS[usize::from(first & 0x1F)] >> name.len()) & 1 == 1
}

/// Returns, for the last five bits of each first letter, the lengths of the names that begin with
/// it.
const fn lengths() -> [u16; 32] {
    let mut lengths = [0; 32];
    let mut i = 0;
    let known = OWN.len() + REGISTERED.len();
    while i < known + UNREGISTERED.len() {
        let name = if i < OWN.len() {
            OWN[i]
        } else if i < known {
            REGISTERED[i - OWN.len()].0
        } else {
            UNREGISTERED[i - known].0
        };
        lengths[(name.as_bytes()[0] & 0x1F) as usize] |= 1 << name.len();
        i += 1;
    }
    lengths
}

/// The schemes with a method of their own.
const OWN: [&str; 8] = ["mailto", "mid", "cid", "news", "snews", "file", "urn", "data"];

/// A function that recognizes a URL of one scheme by the text after the colon.
type Shows = fn(&[u8]) -> bool;

/// The names, and the functions that recognize their URLs.
const REGISTERED: &[(&str, Shows)] = &[
    ("acct", is_addr_spec),
    ("bitcoin", is_key),
    ("doi", |rest| is_begun(rest, b"10.", b'/')),
    ("geo", |rest| is_begun(rest, b"", b',')),
    ("im", is_addr_spec),
    ("magnet", |rest| rest.starts_with(b"?xt")),
    ("pres", is_addr_spec),
    ("sip", is_addr_spec),
    ("sips", is_addr_spec),
    ("sms", is_global_number),
    ("tag", is_tag),
    ("tel", is_global_number),
    ("xmpp", is_addr_spec),
];

/// Names that are not registered, and are in every configuration of a Java program.
const UNREGISTERED: &[(&str, Shows)] = &[("jdbc", is_of_driver)];

/// Matches the name of a driver and what it connects to: `oracle:thin:@h:1521:s`, `sqlite:/a.db`.
fn is_of_driver(rest: &[u8]) -> bool {
    let name = rest.iter().take_while(|octet| octet.is_ascii_alphanumeric() || **octet == b'-').count();
    let after = rest.get(name + 1..).unwrap_or_default();
    name > 1 && rest.get(name) == Some(&b':') && after.iter().any(|octet| matches!(octet, b'/' | b'@' | b':'))
}

/// RFC 3966, 3: `global-number-digits = "+" *phonedigit DIGIT *phonedigit`. "Tel: 555 0123" is not
/// a URL.
fn is_global_number(rest: &[u8]) -> bool {
    matches!(rest, [b'+', first, second, third, ..] if [first, second, third].iter().all(|octet| octet.is_ascii_digit() || b"-.()".contains(octet)))
}

/// Matches digits, signs and dots after a prefix, up to an octet that something follows: RFC 5870,
/// 3.3, and a DOI.
fn is_begun(rest: &[u8], beginning: &[u8], end: u8) -> bool {
    let Some(rest) = rest.strip_prefix(beginning) else { return false };
    let number = |octet: &&u8| octet.is_ascii_digit() || b"-.".contains(octet);
    let length = rest.iter().take_while(number).count();
    let digits = rest[..length].iter().any(u8::is_ascii_digit);
    digits
        && rest.get(length) == Some(&end)
        && rest.get(length + 1).is_some_and(|octet| octet.is_ascii_alphanumeric() || *octet == b'-')
}

/// RFC 4151, 2.1: `tagURI = "tag:" taggingEntity ":" specific`; `taggingEntity = authorityName ","
/// date`.
fn is_tag(rest: &[u8]) -> bool {
    let comma = rest.iter().position(|octet| *octet == b',');
    let year = comma.and_then(|comma| rest.get(comma + 1..comma + 5));
    comma > Some(0) && year.is_some_and(|year| year.iter().all(u8::is_ascii_digit))
}

/// Matches an address that is a key of at least 26 letters and digits.
fn is_key(rest: &[u8]) -> bool {
    rest.iter().take_while(|octet| octet.is_ascii_alphanumeric()).count() >= 26
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::{ALL, status};

    /// One recognizable example of each kind.
    const SHOWN: [&[u8]; 7] = [b"a@b", b"*", b"a/b,", b"/a", b"ab:c", b"comp.a", b",a"];

    #[test]
    fn schemes_with_a_method_are_listed() {
        for scheme in ALL {
            let shows = SHOWN.iter().any(|rest| scheme.is_evident(rest));
            assert!(scheme.names().iter().all(|name| OWN.contains(name) == shows), "{scheme:?}");
        }
    }

    #[test]
    fn listed_names_are_registered() {
        for (name, _) in REGISTERED {
            assert!(
                lookup(name).is_none() && status(name).is_some() && may_be_evident(name.as_bytes()),
                "{name}"
            );
        }
    }
}
