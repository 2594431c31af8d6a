//! Forms of domain names that readers make: by the options that their programs have for UTS 46, and
//! by Punycode alone.
//!
//! `labels` divides a host into labels in letters (RFC 3492), `look` says what they look like (UTS 39), and `special`
//! has the names that mean more than a name (RFC 6761).
//!
//! ```text
//! assert_eq!(look("examp1e"), look("example"));
//! assert_eq!(special("printer.local").unwrap().for_use, SpecialUse::LocalNetwork);
//! assert_eq!(wildcard_name("10.0.0.1.nip.io").unwrap().service, "nip.io");
//! ```

pub(crate) mod brands;
pub(crate) mod idna;
pub(crate) mod labels;
pub(crate) mod look;
pub(crate) mod registered;
pub(crate) mod scripts;
pub(crate) mod special;

use alloc::borrow::Cow;
use alloc::string::String;

use ::idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

pub(crate) use locator::internal::ascii_form;

/// Returns the ASCII form of a domain name as the URL standard makes it (3.3, "domain to ASCII"), without
/// checks of delimiters; `None` if it has none. Hyphens may be anywhere, unless they are checked.
pub(crate) fn mapped_form(name: &str, checks_hyphens: bool) -> Option<String> {
    let hyphens = if checks_hyphens { Hyphens::Check } else { Hyphens::Allow };
    let converted = Uts46::new().to_ascii(name.as_bytes(), AsciiDenyList::EMPTY, hyphens, DnsLength::Ignore);
    converted.map(Cow::into_owned).ok()
}

/// Returns the letters of a domain name as UTS 46 maps them; `None` if it is not valid.
pub(crate) fn mapped_letters(name: &str) -> Option<String> {
    let (letters, is_valid) = Uts46::new().to_unicode(name.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow);
    is_valid.ok().map(|()| letters.into_owned())
}

/// Returns a label in punycode, without any mapping or check; `None` if it is too long.
pub(crate) fn punycode(label: &str) -> Option<String> {
    ::idna::punycode::encode_str(label)
}

/// Returns the text that a label in punycode encodes, without any mapping or check; `None` if it
/// encodes none.
pub(crate) fn from_punycode(label: &str) -> Option<String> {
    ::idna::punycode::decode_to_string(label)
}
