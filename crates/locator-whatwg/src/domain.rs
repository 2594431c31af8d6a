//! Domains: Unicode ToASCII and ToUnicode (URL Standard, "IDNA"; Unicode Technical Standard 46).

use alloc::string::String;

#[cfg(feature = "idna")]
use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

/// The domain parser ToASCII with `beStrict`.
///
/// For a domain of ASCII this is decided without the tables of Unicode, unless a label begins with
/// `xn--`: "LDH" labels of at most 63 octets, which neither begin nor end with "-", nor have it at their third
/// and fourth place; at most 253 octets in all, and no final dot.
pub(crate) fn is_strictly_valid(domain: &str) -> bool {
    let has_punycode = domain
        .split('.')
        .any(|label| label.as_bytes().get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"xn--")));
    if domain.is_ascii() && !has_punycode {
        let is_label = |label: &str| {
            let bytes = label.as_bytes();
            (1..=63).contains(&bytes.len())
                && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
                && bytes.first() != Some(&b'-')
                && bytes.last() != Some(&b'-')
                && bytes.get(2..4) != Some(b"--")
        };
        return domain.len() <= 253 && domain.split('.').all(is_label);
    }
    #[cfg(feature = "idna")]
    return Uts46::new()
        .to_ascii(domain.as_bytes(), AsciiDenyList::STD3, Hyphens::Check, DnsLength::Verify)
        .is_ok();
    #[cfg(not(feature = "idna"))]
    return domain.is_ascii();
}

/// The domain parser ToASCII without `beStrict`, for a domain that is not ASCII.
pub(crate) fn to_ascii(domain: &str) -> Option<String> {
    #[cfg(feature = "idna")]
    return Uts46::new()
        .to_ascii(domain.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore)
        .ok()
        .map(alloc::borrow::Cow::into_owned);
    #[cfg(not(feature = "idna"))]
    {
        let _ = domain;
        None
    }
}

/// Domain to Unicode: the domain itself "if an error was recorded".
pub(crate) fn to_unicode(domain: &str) -> String {
    #[cfg(feature = "idna")]
    {
        let (unicode, result) =
            Uts46::new().to_unicode(domain.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow);
        if result.is_ok() {
            return unicode.into_owned();
        }
    }
    String::from(domain)
}
