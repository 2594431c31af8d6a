//! The ASCII form of a domain name: takes the octets of a name in UTF-8 and returns the name that
//! is looked up in the DNS (`xn--…`). Follows UTS 46 (non-transitional), the successor of the
//! ToASCII operation that RFC 3986, section 3.2.2, and RFC 3987, section 3.1, name.
//!
//! ```
//! # #[cfg(feature = "idna")] {
//! let iri = locator::Iri::parse("https://bücher.example/")?;
//! assert_eq!(iri.as_uri().to_uri_with_idna()?, "https://xn--bcher-kva.example/");
//! # }
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! [`ascii_form`] is strict: it is for names of domains. [`host_form`] allows what a host may contain, and
//! [`unicode_form`] is the way back. [`IdnaRule`] says why a name has no such form.

#[cfg(feature = "idna")]
mod refusal;

use alloc::string::String;
#[cfg(feature = "idna")]
use core::ops::Range;

#[cfg(feature = "idna")]
pub use refusal::IdnaRule;
#[cfg(feature = "idna")]
use refusal::InvalidLabel;

/// Returns the ASCII form of a domain name; `None` if it has none.
#[cfg(feature = "idna")]
pub fn ascii_form(name: &[u8]) -> Option<String> {
    use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

    // "with the flag UseSTD3ASCIIRules set to TRUE" (RFC 3987, 3.1)
    let (ascii, hyphens) = (AsciiDenyList::STD3, Hyphens::CheckFirstLast);
    let converted = Uts46::new().to_ascii(name, ascii, hyphens, DnsLength::VerifyAllowRootDot);
    converted.map(alloc::borrow::Cow::into_owned).ok()
}

/// Returns the ASCII form of a name that is checked no more than a name in ASCII is: what a host may
/// contain stays, such as "_", and hyphens and lengths are not looked at.
#[cfg(feature = "idna")]
pub(crate) fn host_form(name: &[u8]) -> Option<String> {
    use idna::uts46::Uts46;

    let refusal::NameOptions { ascii, hyphens, length } = refusal::HOST;
    Uts46::new().to_ascii(name, ascii, hyphens, length).map(alloc::borrow::Cow::into_owned).ok()
}

/// Why a host has no ASCII form.
#[cfg(feature = "idna")]
pub(crate) struct Refusal {
    /// The number of the invalid label, counted from 1; `None` if the whole host is invalid.
    pub(crate) label: Option<u32>,
    /// That label, or the whole, in the host as written.
    pub(crate) range: Range<usize>,
    pub(crate) rule: IdnaRule,
}

/// Returns why a host has no ASCII form. `is_host` is for [`host_form`].
#[cfg(feature = "idna")]
pub(crate) fn refusal(written: &str, decoded: &[u8], is_host: bool) -> Refusal {
    let whole = |rule| Refusal { label: None, range: 0..written.len(), rule };
    let Ok(name) = core::str::from_utf8(decoded) else { return whole(IdnaRule::NotText) };
    let options = if is_host { refusal::HOST } else { refusal::STRICT };
    match refusal::find(name, options) {
        InvalidLabel { label: None, rule } => whole(rule),
        InvalidLabel { label: Some((number, range)), rule } => Refusal {
            label: Some(number),
            range: as_written(written, range.start)..as_written(written, range.end),
            rule,
        },
    }
}

/// Returns the offset in a percent-encoded text of the octet at this offset of the decoded text.
#[cfg(feature = "idna")]
fn as_written(text: &str, unescaped: usize) -> usize {
    let octets = text.as_bytes();
    (0..unescaped).fold(0, |at, _| at + if octets.get(at) == Some(&b'%') { 3 } else { 1 })
}

/// Returns a host with its `xn--` labels in letters; `None` if one of them is not valid. It is checked
/// as by [`host_form`].
#[cfg(feature = "idna")]
pub(crate) fn unicode_form(name: &str) -> Option<String> {
    use idna::uts46::Uts46;

    let refusal::NameOptions { ascii, hyphens, .. } = refusal::HOST;
    let (unicode, is_valid) = Uts46::new().to_unicode(name.as_bytes(), ascii, hyphens);
    is_valid.ok().map(|()| unicode.into_owned())
}

/// Returns the ASCII form of a domain name; without the tables of the feature `idna`, only ASCII
/// names have one.
#[cfg(not(feature = "idna"))]
pub fn ascii_form(name: &[u8]) -> Option<String> {
    let name = core::str::from_utf8(name).ok()?;
    name.is_ascii().then(|| name.into())
}

/// Returns the ASCII form of a host; without the tables of the feature `idna`, only an ASCII name has one.
#[cfg(not(feature = "idna"))]
pub(crate) fn host_form(name: &[u8]) -> Option<String> {
    ascii_form(name)
}
