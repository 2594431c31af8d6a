//! The name of a host as a reader looks it up: decoded, in ASCII, in lower case.

use alloc::string::String;
use alloc::vec::Vec;

use super::quirk::{Decodes, Idna, Octets, Quirks};
use super::text::{decoded, unescaped};
use crate::domain::fold::folded;
use crate::domain::{ascii_form, mapped_form, mapped_letters, punycode};

/// Returns the name in ASCII and lower case. It may still have characters that no name has.
pub(super) fn read(quirks: &Quirks, host: &str) -> Option<String> {
    let host = if quirks.idna == Idna::Punycode && !host.is_ascii() {
        in_punycode(host)?
    } else {
        String::from(host)
    };
    // requests converts before it decodes.
    let is_mixed = |label: &str| !label.is_ascii() && label.contains('%');
    if quirks.idna == Idna::Unmapped && host.split('.').any(is_mixed) {
        return None;
    }
    if quirks.refused_first.are_in(host.get(..1).unwrap_or_default()) {
        return None;
    }
    let octets = match quirks.decodes {
        Decodes::Never => host.into_bytes(),
        Decodes::Unreserved => {
            let unreserved = |octet: u8| octet.is_ascii_alphanumeric() || b"-._~".contains(&octet);
            decoded(&host, unreserved)
        }
        Decodes::All => unescaped(&host),
        Decodes::BeyondAscii => {
            let octets = decoded(&host, |octet| !octet.is_ascii());
            if octets.contains(&b'%') {
                return None;
            }
            octets
        }
    };
    let mut name = String::from_utf8(octets).ok()?;
    if quirks.latin_host && name.contains(|c| c > '\u{FF}') {
        return None;
    }
    if quirks.masks_controls {
        name = name.replace(|c| Octets::CONTROLS.contains(c), "_");
    }
    let is_checked = quirks.idna == Idna::Checked && name.split('.').any(has_prefix);
    // curl and wget look at the host before they map it.
    let is_early = quirks.idna == Idna::MappedOrOld;
    let is_refused = is_early && quirks.refused_in_host.are_in(&name);
    let mut ascii = if name.is_ascii() && !is_checked { name } else { in_ascii(quirks.idna, &name)? };
    if is_refused || !is_early && quirks.refused_in_host.are_in(&ascii) {
        return None;
    }
    ascii.make_ascii_lowercase();
    Some(ascii)
}

/// Returns whether a label begins as the ASCII form of a label beyond ASCII does.
fn has_prefix(label: &str) -> bool {
    label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--"))
}

/// Returns whether the last label is a number, as the URL standard asks (3.5, "ends in a number").
pub(super) fn ends_in_number(name: &str) -> bool {
    let last = name.strip_suffix('.').unwrap_or(name).rsplit('.').next().unwrap_or_default();
    let hexadecimal = last.strip_prefix("0x");
    !last.is_empty() && last.bytes().all(|octet| octet.is_ascii_digit())
        || hexadecimal.is_some_and(|digits| digits.bytes().all(|octet| octet.is_ascii_hexdigit()))
}

/// Returns whether each label is letters and digits, with hyphens inside; a dot at the end is allowed.
pub(super) fn are_strict_labels(name: &str) -> bool {
    name.strip_suffix('.').unwrap_or(name).split('.').all(|label| {
        let octets = label.as_bytes();
        let is_end = |octet: Option<&u8>| octet.is_some_and(u8::is_ascii_alphanumeric);
        is_end(octets.first())
            && is_end(octets.last())
            && octets.iter().all(|octet| octet.is_ascii_alphanumeric() || *octet == b'-')
    })
}

fn in_punycode(name: &str) -> Option<String> {
    let mut written = String::new();
    for (at, label) in name.split('.').enumerate() {
        if at > 0 {
            written.push('.');
        }
        let label = label.to_lowercase();
        if label.is_ascii() {
            written.push_str(&label);
        } else if has_prefix(&label) {
            return None;
        } else {
            // Perl does not map the letters first. A label that is not mapped to itself is no name.
            let is_itself = mapped_letters(&label).is_some_and(|mapped| mapped == label);
            let encoded = punycode(&label).filter(|_| is_itself);
            written.push_str("xn--");
            written.push_str(&encoded?);
        }
    }
    Some(written)
}

fn in_ascii(idna: Idna, name: &str) -> Option<String> {
    let old_letters =
        || name.replace(['ß', 'ẞ'], "ss").replace('ς', "σ").replace(['\u{200C}', '\u{200D}'], "");
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '-' | '\u{300}'..='\u{36F}');
    // IDNA 2008 allows letters and digits in labels beyond ASCII.
    let are_letters =
        |name: &str| name.split('.').all(|label| label.is_ascii() || label.chars().all(is_letter));
    match idna {
        Idna::Never | Idna::Punycode => None,
        Idna::Checked => mapped_form(name, false),
        Idna::Mapped => mapped_form(name, true).and_then(|_| ascii_form(name.as_bytes())),
        // libidn2 allows symbols, too, such as U+2044, which looks like "/".
        Idna::MappedOrOld => mapped_form(name, true).or_else(|| mapped_form(&old_letters(), true)),
        // Nameprep maps what UTS 46 refuses: U+2491 is "10.".
        Idna::Old => mapped_form(&old_letters(), false).or_else(|| folded(name)),
        Idna::Unmapped => {
            let lower = name.to_lowercase();
            let labels = lower.split('.').map(|label| match mapped_letters(label) {
                _ if label.is_ascii() => Some(label.into()),
                Some(letters) if letters == label && are_letters(label) => mapped_form(label, true),
                _ => None,
            });
            labels.collect::<Option<Vec<String>>>().map(|labels| labels.join("."))
        }
    }
}
