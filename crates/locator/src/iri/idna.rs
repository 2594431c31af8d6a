//! Converts the host of an IRI to a domain name. Takes a reference and returns a URI whose host is
//! the ASCII form of that name. Follows the option in RFC 3987, section 3.1, for schemes whose
//! hosts are domain names: "Replace the ireg-name part of the IRI by the part converted using the
//! ToASCII operation". The operation is that of UTS 46 (non-transitional), which is in use today.

use alloc::string::String;
use core::fmt::{self, Display, Formatter};
use core::ops::Range;

pub use crate::domain::IdnaRule;

use super::{escaped, read_uri};
use crate::as_text::error_as_sentence;
use crate::domain::{Refusal, ascii_form, host_form, refusal, unicode_form};
use crate::edition::Charset;
use crate::error::ParseError;
use crate::reference::{Uri, UriBuf, UriCow, UriRef, UriRefBuf, UriRefCow, delegate};
use crate::span::{Component, HostKind, Span};

/// The reason why an IRI cannot be converted to a URI whose host is a domain name (RFC 3987, 3.1).
///
/// ```
/// use locator::{IdnaRule, UriRef, edition::RFC3987};
///
/// let iri = UriRef::parse_with("http://www.é_/", &RFC3987)?;
/// let error = iri.to_uri_with_idna().unwrap_err();
/// assert_eq!(error.span(), 11..14);
/// assert_eq!(error.rule(), Some(IdnaRule::NotLetterDigitHyphen('_')));
/// assert_eq!(
///     error.to_string(),
///     "label 2 of the host contains \"_\", which is not a letter, a digit or a hyphen, at byte 11 \
///      (UTS 46, 4.1, criterion 7)"
/// );
/// # Ok::<_, locator::ParseError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum IdnaError {
    /// The host is not a domain name with an ASCII form.
    Host {
        /// Where the invalid label is; the whole host, if no label alone is invalid.
        span: Span,
        /// The number of that label, counted from 1.
        label: Option<u32>,
        /// The rule that the label breaks.
        rule: IdnaRule,
    },
    /// The rest of the IRI has no URI.
    NoUri(ParseError),
}

impl IdnaError {
    /// Returns the component that the error is in.
    #[must_use]
    pub const fn component(&self) -> Component {
        match self {
            Self::Host { .. } => Component::Host,
            Self::NoUri(error) => error.component(),
        }
    }

    /// Returns the bytes that the error is about.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        match self {
            Self::Host { span, .. } => span.range(),
            Self::NoUri(error) => error.span(),
        }
    }

    /// Returns the rule that the host breaks, if the error is about the host.
    #[must_use]
    pub const fn rule(&self) -> Option<IdnaRule> {
        match self {
            Self::Host { rule, .. } => Some(*rule),
            Self::NoUri(_) => None,
        }
    }

    /// Returns the message alone, without document and section.
    #[must_use]
    pub const fn message(&self) -> impl Display {
        IdnaMessage(*self)
    }

    /// Returns the document and section of the rule: `UTS 46, 4.1, criterion 7`.
    #[must_use]
    pub const fn citation(&self) -> impl Display {
        See(*self)
    }
}

impl Display for IdnaError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host { .. } => write!(f, "{} ({})", self.message(), self.citation()),
            Self::NoUri(error) => error.fmt(f),
        }
    }
}

/// The message of an error.
struct IdnaMessage(IdnaError);

impl Display for IdnaMessage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            IdnaError::Host { span: Span { start, .. }, label, rule } => {
                if let Some(number) = label {
                    write!(f, "label {number} of ")?;
                }
                write!(f, "the host {rule}, at byte {start}")
            }
            IdnaError::NoUri(error) => error.message().fmt(f),
        }
    }
}

/// Document and section.
struct See(IdnaError);

impl Display for See {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            IdnaError::Host { rule, .. } => f.write_str(rule.citation()),
            IdnaError::NoUri(error) => error.citation().fmt(f),
        }
    }
}

error_as_sentence!(IdnaError);

impl<'a> UriRef<'a> {
    /// Returns the URI of an IRI whose host is a domain name. The host is in ASCII form (`xn--…`);
    /// the rest is as in [`to_uri_form`](Self::to_uri_form).
    ///
    /// A name of ASCII letters and an address stay unchanged, octet by octet. Escapes in a name
    /// that is converted are decoded first. Characters that look like digits become digits, so a
    /// name may become an IPv4 address: check the kind of the result's host.
    ///
    /// ```
    /// use locator::{UriRef, edition::RFC3987};
    ///
    /// let iri = UriRef::parse_with("http://résumé.example.org/é", &RFC3987)?;
    /// assert_eq!(iri.to_uri_form()?, "http://r%C3%A9sum%C3%A9.example.org/%C3%A9");
    /// assert_eq!(
    ///     iri.to_uri_with_idna().unwrap(),
    ///     "http://xn--rsum-bpad.example.org/%C3%A9"
    /// );
    /// # Ok::<_, locator::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the host is not a domain name by UTS 46, with the label and the rule, or
    /// an error of `to_uri_form`.
    pub fn to_uri_with_idna(self) -> Result<UriRefCow<'a>, IdnaError> {
        let Some(host) = self.converted_host(false)? else {
            return self.to_uri_form().map_err(IdnaError::NoUri);
        };
        let (text, parts) = (self.as_str(), self.spans());
        let (before, after) = (&text[..parts.host_start as usize], &text[parts.host_end as usize..]);
        let uri: String = [&*escaped(before), &*host, &*escaped(after)].concat();
        read_uri(uri).map_err(IdnaError::NoUri)
    }

    /// Returns the ASCII form of the host as a domain name, if it differs from the host.
    ///
    /// The name is checked no more than a host in ASCII is: "_" and any hyphens are allowed, and a label
    /// may be empty or long. [`to_uri_with_idna`](Self::to_uri_with_idna) is stricter.
    ///
    /// ```
    /// use locator::{UriRef, edition::RFC3987};
    ///
    /// let iri = UriRef::parse_with("http://_dmarc.bücher.example/", &RFC3987)?;
    /// assert_eq!(
    ///     iri.host_to_ascii().unwrap().unwrap(),
    ///     "_dmarc.xn--bcher-kva.example"
    /// );
    /// assert!(iri.to_uri_with_idna().is_err());
    /// # Ok::<_, locator::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a host beyond ASCII that has no such form by UTS 46, with the label and the
    /// rule.
    pub fn host_to_ascii(self) -> Result<Option<String>, IdnaError> {
        self.converted_host(true)
    }

    /// Returns the ASCII form of the host: of any host, or of one that is a domain name by all rules.
    fn converted_host(self, is_host: bool) -> Result<Option<String>, IdnaError> {
        let Some(authority) = self.authority() else { return Ok(None) };
        let host = authority.host();
        let span = self.spans().get(Component::Host).unwrap_or_default();
        if host.kind() != HostKind::Name || host.as_pct_str().decode().is_ascii() {
            return Ok(None);
        }
        let octets = host.as_pct_str().decode();
        let ascii = if is_host { host_form(&octets) } else { ascii_form(&octets) };
        ascii.map(Some).ok_or_else(|| {
            let Refusal { label, range, rule } = refusal(host.as_str(), &octets, is_host);
            let at = span.start as usize;
            IdnaError::Host { span: Span::new(at + range.start, at + range.end), label, rule }
        })
    }
}

impl<'a> Uri<'a> {
    /// Returns the URI of an IRI whose host is a domain name, as [`UriRef::to_uri_with_idna`] does.
    ///
    /// # Errors
    ///
    /// Returns an error as [`UriRef::to_uri_with_idna`] does.
    pub fn to_uri_with_idna(self) -> Result<UriCow<'a>, IdnaError> {
        self.as_uri_ref().to_uri_with_idna().map(UriCow::of_absolute)
    }
}

delegate! {
    [UriRefBuf, UriRefCow<'_>] by as_uri_ref:
    /// Returns this IRI as a URI with its host as a domain name in ASCII form, by UTS 46.
    fn to_uri_with_idna() -> Result<UriRefCow<'_>, IdnaError>;
}

delegate! {
    [UriBuf, UriCow<'_>] by as_uri:
    /// Returns this IRI as a URI with its host as a domain name in ASCII form, by UTS 46.
    fn to_uri_with_idna() -> Result<UriCow<'_>, IdnaError>;
}

delegate! {
    "Domain names beyond ASCII":
    /// Returns the ASCII form of the host, taken for a domain name, if it differs from the host.
    fn host_to_ascii() -> (Result<Option<String>, IdnaError>) {
        //! ```
        //! // The name that is looked up.
        //! let iri = locator::Iri::parse("https://bücher.example/")?;
        //! assert_eq!(iri.host_to_ascii()?.as_deref(), Some("xn--bcher-kva.example"));
        //! # Ok::<_, Box<dyn std::error::Error>>(())
        //! ```
        //!
        //! # Errors
        //!
        //! Returns an error for a host beyond ASCII that has no such form by UTS 46.
    }
    /// Returns the host with the labels of its ASCII form (`xn--…`) in letters, if it has such
    /// labels.
    #[must_use]
    fn host_to_unicode() -> (Option<String>) {
        //! ```
        //! // For display.
        //! let uri = locator::uri!("https://xn--bcher-kva.example/");
        //! assert_eq!(uri.host_to_unicode().as_deref(), Some("bücher.example"));
        //! ```
    }
}

impl UriRef<'_> {
    /// Returns the host as a domain name with its `xn--` labels in letters, if that differs from
    /// the host. The result is for display; a name that is not valid is returned unchanged.
    ///
    /// ```
    /// use locator::uri_ref;
    ///
    /// assert_eq!(
    ///     uri_ref!("http://xn--rsum-bpad.example.org/").host_to_unicode().unwrap(),
    ///     "résumé.example.org"
    /// );
    /// assert_eq!(uri_ref!("http://example.org/").host_to_unicode(), None);
    /// ```
    #[must_use]
    pub fn host_to_unicode(self) -> Option<String> {
        let host = self.authority()?.host();
        let name =
            host.as_pct_str().decode_with(Charset::Utf8).ok().filter(|_| host.kind() == HostKind::Name)?;
        unicode_form(&name).filter(|unicode| unicode != host.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use crate::edition::{RFC3986, RFC3987};
    use crate::reference::UriRef;
    use crate::span::HostKind;

    fn converted(text: &str) -> String {
        let iri = UriRef::parse_with(text, &RFC3987).expect(text);
        iri.to_uri_with_idna().map_or_else(|error| error.to_string(), |uri| uri.as_str().to_string())
    }

    use super::{IdnaRule, String};

    fn rule_of(host: &str) -> Option<IdnaRule> {
        let text = ["http://", host, "/"].concat();
        let iri = UriRef::parse_with(&text, &RFC3987).expect("a host");
        iri.to_uri_with_idna().err().and_then(|error| error.rule())
    }

    #[test]
    fn names_are_converted_and_nothing_else() {
        assert_eq!(
            converted("http://u\u{E9}@\u{7D0D}\u{8C46}.example.org:80/"),
            "http://u%C3%A9@xn--99zt52a.example.org:80/"
        );
        assert_eq!(converted("http://r%C3%A9sum%c3%a9.example/%c3"), "http://xn--rsum-bpad.example/%c3");
        for same in [
            "http://Under_Score/",
            "http://a%2Fb/",
            "http://[::1]/",
            "http://10.0.0.1/",
            "/a",
            "http:///",
            "//xn--a",
        ] {
            assert_eq!(converted(same), same);
        }
        assert_eq!(converted("mailto:\u{E9}"), "mailto:%C3%A9");
    }

    #[test]
    fn what_is_not_a_domain_name_is_rejected() {
        for (text, expected) in [
            (
                "http://\u{E9}_/",
                "label 1 of the host contains \"_\", which is not a letter, a digit or a hyphen, at byte 7 \
                 (UTS 46, 4.1, criterion 7)",
            ),
            ("http://%FF/", "the host contains escapes that are not UTF-8, at byte 7 (RFC 3987, 3.2)"),
            (
                "http://a.%E2%80%AEa.b/",
                "label 2 of the host contains U+202E, which is not allowed in a domain name, at byte 9 \
                 (UTS 46, 4.1, criterion 7)",
            ),
            ("http://\u{E9}..b/", "label 2 of the host is empty, at byte 10 (UTS 46, 4.2)"),
        ] {
            assert_eq!(converted(text), expected);
        }
        for (label, rule) in [
            ("\u{E9}-", IdnaRule::Hyphen),
            ("\u{301}a", IdnaRule::Mark('\u{301}')),
            ("\u{E9}\u{200D}", IdnaRule::Joiner('\u{200D}')),
            ("a\u{5D0}", IdnaRule::Direction),
            ("a.0\u{E9}.\u{5D0}", IdnaRule::Direction),
            ("xn--\u{E9}", IdnaRule::Punycode),
            ("\u{AD}", IdnaRule::Empty),
            ("a\u{2026}b", IdnaRule::Character('\u{2026}')),
            ("\u{2488}", IdnaRule::Character('\u{2488}')),
            ("a\u{FF0F}b", IdnaRule::NotLetterDigitHyphen('\u{FF0F}')),
            ("\u{40000}", IdnaRule::Character('\u{40000}')),
        ] {
            assert_eq!(rule_of(label), Some(rule), "{label:?}");
        }
        assert_eq!(rule_of(&["\u{E9}", &"a".repeat(60)].concat()), Some(IdnaRule::LabelTooLong));
        assert_eq!(rule_of(&"\u{E9}".repeat(100_000)), Some(IdnaRule::LabelTooLong));
        assert_eq!(rule_of(&"\u{E9}.".repeat(100)), Some(IdnaRule::NameTooLong));
        assert_eq!(rule_of("\u{E9}."), None);
    }

    #[test]
    fn a_host_beyond_ascii_is_checked_as_one_in_ascii() {
        let ascii = |text: &str| {
            let iri = UriRef::parse_with(text, &RFC3987).expect(text);
            iri.host_to_ascii().map_or_else(|error| error.to_string(), |host| host.unwrap_or_default())
        };
        for (host, expected) in [
            ("_dmarc.b\u{FC}cher.example", "_dmarc.xn--bcher-kva.example"),
            ("b\u{FC}cher_a.example", "xn--bcher_a-n2a.example"),
            ("-\u{E9}-.a--b", "xn-----bja.a--b"),
            ("\u{E9}..b.", "xn--9ca..b."),
            ("\u{E9}.a!*+,;=~", "xn--9ca.a!*+,;=~"),
            (
                "_a.\u{E9}%20",
                "label 2 of the host contains U+0020, which is not a letter, a digit or a hyphen, at byte 10 \
                 (UTS 46, 4.1, criterion 7)",
            ),
            (
                "_a..\u{E9}%E2%80%AE",
                "label 3 of the host contains U+202E, which is not allowed in a domain name, at byte 11 \
                 (UTS 46, 4.1, criterion 7)",
            ),
        ] {
            assert_eq!(ascii(&["http://", host, "/"].concat()), expected);
        }
        let iri = UriRef::parse("http://_a.xn--bcher-kva/").expect("it is valid");
        assert_eq!(iri.host_to_unicode().as_deref(), Some("_a.b\u{FC}cher"));
    }

    #[test]
    fn digits_of_full_width_may_be_an_address() {
        let iri =
            UriRef::parse_with("http://\u{FF11}.2.3.4/", &RFC3987).expect("full width digits are characters");
        let uri = iri.to_uri_with_idna().expect("they are digits");
        assert_eq!(uri, "http://1.2.3.4/");
        assert_eq!(uri.as_uri_ref().spans().host_kind(), HostKind::Ipv4);
        assert_eq!(uri.as_uri_ref().edition(), &RFC3986);
    }
}
