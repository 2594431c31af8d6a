//! The ASCII form of a domain name: takes the octets of a name in UTF-8 and returns the name that is looked up in the
//! DNS (`xn--…`). Follows UTS 46 (non-transitional), the successor of the ToASCII operation that RFC 3986, section
//! 3.2.2, and RFC 3987, section 3.1, name.

use alloc::string::String;

/// Returns the ASCII form of a domain name; `None` if it has none.
#[cfg(feature = "idna")]
pub(crate) fn ascii_form(name: &[u8]) -> Option<String> {
    use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

    // "with the flag UseSTD3ASCIIRules set to TRUE" (RFC 3987, 3.1)
    let (ascii, hyphens) = (AsciiDenyList::STD3, Hyphens::CheckFirstLast);
    let converted = Uts46::new().to_ascii(name, ascii, hyphens, DnsLength::VerifyAllowRootDot);
    converted.map(alloc::borrow::Cow::into_owned).ok()
}

/// Without the tables of the feature `idna` only a name of ASCII has one.
#[cfg(not(feature = "idna"))]
pub(crate) fn ascii_form(name: &[u8]) -> Option<String> {
    let name = core::str::from_utf8(name).ok()?;
    name.is_ascii().then(|| name.into())
}
