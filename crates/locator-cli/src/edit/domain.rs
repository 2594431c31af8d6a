//! A reference in; the same with its host in the other form of a domain name out (UTS 46).

use locator::edition::RFC3987;
use locator::{Part, UriRef, UriRefBuf};

use crate::failure::Failure;

/// The form that a host is written in, which is taken for a domain name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostForm {
    /// `xn--rsum-bpad.example`
    Ascii,
    /// `résumé.example`
    Unicode,
}

impl HostForm {
    /// The reference with its host in this form; `None` if it is that already.
    pub(super) fn of(self, reference: UriRef<'_>) -> Result<Option<UriRefBuf>, Failure> {
        let host = match self {
            Self::Ascii => reference.host_to_ascii()?,
            Self::Unicode => reference.host_to_unicode(),
        };
        let (Some(host), Some(span)) = (host, reference.parts().span(Part::Host)) else { return Ok(None) };
        // Letters beyond ASCII are those of an IRI.
        let edition = if host.is_ascii() { reference.edition() } else { &RFC3987 };
        let text = reference.as_str();
        let text = [&text[..span.range().start], &host, &text[span.range().end..]].concat();
        UriRefBuf::from_string(text, edition).map(Some).map_err(|(error, _)| error.into())
    }
}
