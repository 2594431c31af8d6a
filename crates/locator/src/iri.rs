//! Converts IRIs to URIs and URIs to IRIs.
//!
//! Takes a reference and returns its other form, borrowed if nothing changes. Follows RFC 3987,
//! sections 3.1 and 3.2.
//!
//! Characters are not normalized: the text is already Unicode, so step 1c applies, "do not
//! normalize". A registered name is percent-encoded like other components; only
//! `UriRef::to_uri_with_idna` writes it as a domain name.
//!
//! # When
//!
//! [`UriRef::to_uri_form`] is for everything that takes URIs only: HTTP, most libraries, RFC 3986 itself.
//! [`UriRef::to_iri_form`] is for people: it decodes the escapes that are characters.
//!
//! ```
//! use locator::{UriRef, edition::RFC3987, uri};
//!
//! let iri =
//!     UriRef::parse_with("http://example.org/caf\u{e9}?q=\u{fc}", &RFC3987)?;
//! let uri = iri.to_uri_form()?;
//! assert_eq!(uri, "http://example.org/caf%C3%A9?q=%C3%BC");
//! assert_eq!(uri.to_iri_form()?, iri);
//! assert_eq!(uri!("http://h/a%2Fb").to_iri_form()?, "http://h/a%2Fb");
//! # Ok::<_, locator::ParseError>(())
//! ```
//!
//! # Pitfalls
//!
//! - A host beyond ASCII becomes escapes, which DNS does not have. For a host that is looked up, use
//!   `UriRef::to_uri_with_idna` (feature `idna`), which writes `xn--` labels, and fails for names that are
//!   not valid.
//! - Show an IRI of a stranger with care: letters of several scripts look alike.
//! - What is decoded is compared as text: `\u{e9}` and `e\u{301}` look the same and stay different.

#[cfg(feature = "idna")]
mod idna;

#[cfg(feature = "idna")]
pub use idna::{IdnaError, IdnaRule};

use alloc::string::String;

use crate::edition::{RFC3986, RFC3987};
use crate::equivalence::Basis;
use crate::error::ParseError;
use crate::normalize::Normalizer;
use crate::pct::PctString;
use crate::reference::{Uri, UriBuf, UriCow, UriRef, UriRefBuf, UriRefCow, delegate};
use crate::span::Component;

impl<'a> UriRef<'a> {
    /// Returns this reference as a URI of RFC 3986: characters beyond ASCII become percent-encoded
    /// UTF-8.
    ///
    /// An ASCII text is borrowed, byte by byte. A host name is percent-encoded like all else; with
    /// the feature `idna`, `to_uri_with_idna` writes it in its ASCII form (`xn--…`).
    ///
    /// ```
    /// use locator::{UriRef, edition::RFC3987};
    ///
    /// let iri =
    ///     UriRef::parse_with("http://www.example.org/red%09rosé#red", &RFC3987)?;
    /// assert_eq!(iri.to_uri_form()?, "http://www.example.org/red%09ros%C3%A9#red");
    ///
    /// let uri = UriRef::parse("http://www.example.org/red%09ros%c3%a9")?;
    /// assert!(uri.to_uri_form()?.is_borrowed());
    /// # Ok::<_, locator::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error by RFC 3986 of a reference that another edition allows. An IRI has
    /// none, unless its URI would have 4 GiB or more.
    pub fn to_uri_form(self) -> Result<UriRefCow<'a>, ParseError> {
        if self.as_str().is_ascii() {
            return UriRef::parse_with(self.as_str(), &RFC3986).map(UriRefCow::Borrowed);
        }
        read_uri(escaped(self.as_str()))
    }

    /// Returns this reference as an IRI of RFC 3987: percent-encoded UTF-8 becomes the characters
    /// where an IRI allows them.
    ///
    /// Some escapes stay, in upper case (section 3.2, step 4): those of reserved characters,
    /// invalid UTF-8, private characters, and characters that end a URL in running text. The last
    /// are spaces, quotes, brackets, and characters without width or with an effect on text
    /// direction. Joiners (U+200C, U+200D) are decoded. Labels of domain names (`xn--…`) stay, too.
    ///
    /// ```
    /// use locator::UriRef;
    ///
    /// let iri = |text| UriRef::parse(text)?.to_iri_form();
    /// assert_eq!(
    ///     iri("http://www.example.org/D%C3%BCrst?%26")?,
    ///     "http://www.example.org/Dürst?%26"
    /// );
    /// assert_eq!(
    ///     iri("http://www.example.org/D%FCrst")?,
    ///     "http://www.example.org/D%FCrst"
    /// );
    /// let with_override = iri("http://xn--99zt52a.example.org/%e2%80%ae")?;
    /// assert_eq!(with_override, "http://xn--99zt52a.example.org/%E2%80%AE");
    /// # Ok::<_, locator::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error only for a reference of another edition: the first error by RFC 3987.
    /// "Every URI is by definition an IRI".
    pub fn to_iri_form(self) -> Result<UriRefCow<'a>, ParseError> {
        let reference = UriRef::parse_with(self.as_str(), &RFC3987)?;
        if !self.as_str().contains(|c| c == '%' || RFC3987.keeps_escaped(c)) {
            return Ok(UriRefCow::Borrowed(reference));
        }
        let forms = Normalizer::new(reference, Basis::SYNTAX);
        let unescaped =
            |part| reference.component(part).map(|text| forms.undone(part).keeping_case().write(text));
        let [userinfo, host, query, fragment] =
            [Component::Userinfo, Component::Host, Component::Query, Component::Fragment].map(unescaped);
        let path = forms.unescaped_path();
        let iri = with_pieces(
            reference,
            [
                (Component::Userinfo, userinfo.as_deref()),
                (Component::Host, host.as_deref()),
                (Component::Path, Some(&*path)),
                (Component::Query, query.as_deref()),
                (Component::Fragment, fragment.as_deref()),
            ],
        );
        if iri == self.as_str() {
            return Ok(UriRefCow::Borrowed(reference));
        }
        UriRefBuf::from_string_with(iri, &RFC3987).map(UriRefCow::Owned).map_err(ParseError::from)
    }
}

impl<'a> Uri<'a> {
    /// Returns this IRI as a URI of RFC 3986, as [`UriRef::to_uri_form`] does.
    ///
    /// # Errors
    ///
    /// Returns an error as [`UriRef::to_uri_form`] does.
    pub fn to_uri_form(self) -> Result<UriCow<'a>, ParseError> {
        self.as_uri_ref().to_uri_form().map(UriCow::of_absolute)
    }

    /// Returns this URI as an IRI of RFC 3987, as [`UriRef::to_iri_form`] does.
    ///
    /// # Errors
    ///
    /// Returns an error as [`UriRef::to_iri_form`] does.
    pub fn to_iri_form(self) -> Result<UriCow<'a>, ParseError> {
        self.as_uri_ref().to_iri_form().map(UriCow::of_absolute)
    }
}

delegate! {
    [UriRefBuf, UriRefCow<'_>] by as_uri_ref:
    /// Returns this reference as a URI of RFC 3986: characters beyond ASCII become percent-encoded
    /// UTF-8.
    fn to_uri_form() -> Result<UriRefCow<'_>, ParseError>;
    /// Returns this reference as an IRI of RFC 3987: percent-encoded UTF-8 becomes characters.
    fn to_iri_form() -> Result<UriRefCow<'_>, ParseError>;
}

delegate! {
    [UriBuf, UriCow<'_>] by as_uri:
    /// Returns this reference as a URI of RFC 3986: characters beyond ASCII become percent-encoded
    /// UTF-8.
    fn to_uri_form() -> Result<UriCow<'_>, ParseError>;
    /// Returns this reference as an IRI of RFC 3987: percent-encoded UTF-8 becomes characters.
    fn to_iri_form() -> Result<UriCow<'_>, ParseError>;
}

/// "Convert the character to a sequence of one or more octets using UTF-8. Convert each octet to
/// %HH" (3.1, step 2); what is ASCII stays, escapes among it.
fn escaped(text: &str) -> String {
    PctString::encode_with(text.as_bytes(), |c| c.is_ascii()).into_string()
}

fn read_uri<'a>(uri: String) -> Result<UriRefCow<'a>, ParseError> {
    UriRefBuf::from_string(uri).map(UriRefCow::Owned).map_err(ParseError::from)
}

/// Returns the text with these components replaced, which are given from left to right.
fn with_pieces<const N: usize>(reference: UriRef<'_>, pieces: [(Component, Option<&str>); N]) -> String {
    let text = reference.as_str();
    let mut whole = String::with_capacity(text.len());
    let mut at = 0;
    for (part, piece) in pieces {
        if let (Some(span), Some(piece)) = (reference.spans().get(part), piece) {
            whole.push_str(&text[at..span.start as usize]);
            whole.push_str(piece);
            at = span.end as usize;
        }
    }
    whole.push_str(&text[at..]);
    whole
}
