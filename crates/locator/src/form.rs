//! The URL syntax of a scheme, the error of interpreting a reference as such a URL, and the error of
//! a value in it. Also the blocks of data that a URL may contain.

use core::fmt::{self, Display, Formatter};
use core::ops::Range;

use crate::as_text::error_as_sentence;
use crate::component::SpannedStr;
#[cfg(feature = "idna")]
use crate::domain::IdnaRule;
use crate::error::ParseError;
use crate::span::{Component, Span};

/// The URL syntax of a scheme.
///
/// ```
/// let form = locator::scheme::lookup("ftp").unwrap().form();
/// assert!(form.text.starts_with("ftp://") && form.has_host());
/// assert!(form.citation.contains("RFC 1738"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Syntax {
    /// The syntax: `ftp://[user[:password]@]host[:port]/…`.
    pub text: &'static str,
    /// The document and section that define it: `RFC 1738, 3.2`.
    pub citation: &'static str,
}

impl Syntax {
    /// Returns whether the syntax requires a host: `ftp://[user[:password]@]host[:port]/…`.
    pub fn has_host(&self) -> bool {
        let Some((_, rest)) = self.text.split_once("://") else { return false };
        let mut depth = 0;
        let is_optional = |c: &char| {
            match c {
                '[' => depth += 1,
                ']' => {
                    depth -= 1;
                    return true;
                }
                _ => {}
            }
            depth > 0
        };
        let optional: usize = rest.chars().take_while(is_optional).map(char::len_utf8).sum();
        rest.get(optional..).is_some_and(|rest| rest.starts_with("host"))
    }
}

/// The reason why a reference is not a valid URL of its scheme.
///
/// ```
/// use locator::scheme::{FtpUrl, SyntaxError};
/// use locator::uri;
///
/// assert_eq!(
///     FtpUrl::try_from(uri!("http://h/")).unwrap_err(),
///     SyntaxError::OtherScheme
/// );
/// assert!(matches!(
///     FtpUrl::try_from(uri!("ftp:a")).unwrap_err(),
///     SyntaxError::Form { .. }
/// ));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum SyntaxError {
    /// The URL breaks the rule that its edition has for the scheme.
    Rule(ParseError),
    /// The edition has no rule for the scheme, and the URL does not match the scheme's syntax.
    Form {
        /// The position of the mismatch.
        span: Span,
        /// The expected syntax.
        form: Syntax,
    },
    /// The URL has another scheme or no scheme.
    OtherScheme,
}

impl SyntaxError {
    /// Returns the bytes that the error is about; empty where something is missing.
    #[must_use]
    pub const fn span(&self) -> Option<Range<usize>> {
        match self {
            Self::Rule(error) => Some(error.span()),
            Self::Form { span, .. } => Some(span.range()),
            Self::OtherScheme => None,
        }
    }

    /// Returns the component that the error is in, if it is about one.
    #[must_use]
    pub const fn component(&self) -> Option<Component> {
        match self {
            Self::Rule(error) => Some(error.component()),
            Self::Form { .. } => None,
            Self::OtherScheme => Some(Component::Scheme),
        }
    }

    /// Returns the document and section of the rule or form, where there is one: `RFC 1738, 3.2`.
    #[must_use]
    pub const fn citation(&self) -> Option<impl Display> {
        self.cited()
    }

    pub(crate) const fn cited(&self) -> Option<Citation> {
        match *self {
            Self::Rule(error) => Some(Citation::Rule(error)),
            Self::Form { form, .. } => Some(Citation::Form(form.citation)),
            Self::OtherScheme => None,
        }
    }

    /// Writes the sentence alone, without document and section.
    pub(crate) fn write_message(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(error) => error.message().fmt(f),
            Self::Form { span, form } => {
                write!(f, "expected the form {}, at byte {}", form.text, span.start)
            }
            Self::OtherScheme => f.write_str("the URL has another scheme"),
        }
    }
}

impl Display for SyntaxError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Self::Rule(error) = self {
            return error.fmt(f);
        }
        self.write_message(f)?;
        self.citation().map_or(Ok(()), |citation| write!(f, " ({citation})"))
    }
}

/// The citation of a rule or a syntax.
pub(crate) enum Citation {
    Rule(ParseError),
    Form(&'static str),
}

impl Display for Citation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(error) => error.citation().fmt(f),
            Self::Form(see) => f.write_str(see),
        }
    }
}

error_as_sentence!(SyntaxError);

/// The reason why a value of a URL has no meaning, although the syntax allows it: a host that nobody
/// can connect to, a number that is too large, data that are not base64.
///
/// ```
/// use locator::scheme::{FtpUrl, ValueError};
///
/// let url = FtpUrl::of(locator::uri_ref!("ftp://h:0/a;type=x")).unwrap();
/// let error = url.transfer().unwrap_err();
/// assert_eq!(error.span(), 17..18);
/// assert_eq!(error.citation(), Some("RFC 1738, 3.2.2"));
/// assert!(matches!(url.login.port_number(), Err(ValueError::Port { .. })));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ValueError {
    /// There is no host to connect to.
    NoHost {
        /// The position where the host is missing.
        span: Span,
    },
    /// The host is not a valid name of a server.
    HostName {
        /// The position of the host.
        span: Span,
    },
    /// The host is an IP address of an unknown future format: `[v1.a]`.
    AddressFormat {
        /// The position of the host.
        span: Span,
    },
    /// The host is beyond ASCII, and not a domain name with an ASCII form.
    #[cfg(feature = "idna")]
    DomainName {
        /// The position of the invalid label; of the whole host, if no label alone is invalid.
        span: Span,
        /// The number of that label, counted from 1.
        label: Option<u32>,
        /// The rule that it breaks.
        rule: IdnaRule,
    },
    /// The port is not a number from 1 to 65535.
    Port {
        /// The position of the port.
        span: Span,
    },
    /// Another value than the scheme expects.
    Unexpected {
        /// The position of the value.
        span: Span,
        /// A description of the value that is expected.
        expects: &'static str,
        /// The document that defines the rule.
        citation: &'static str,
    },
}

impl ValueError {
    /// Returns the name of this kind of error in JSON.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NoHost { .. } => "no-host",
            Self::HostName { .. } => "host-name",
            Self::AddressFormat { .. } => "address-format",
            #[cfg(feature = "idna")]
            Self::DomainName { .. } => "value",
            Self::Port { .. } => "port",
            Self::Unexpected { .. } => "value",
        }
    }

    /// Returns the bytes that the error is about; empty where something is missing.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        match self {
            #[cfg(feature = "idna")]
            Self::DomainName { span, .. } => span.range(),
            Self::NoHost { span }
            | Self::HostName { span }
            | Self::AddressFormat { span }
            | Self::Port { span }
            | Self::Unexpected { span, .. } => span.range(),
        }
    }

    /// Returns the document and section of the rule, where there is one: `RFC 1738, 3.2.2`.
    #[must_use]
    pub const fn citation(&self) -> Option<&'static str> {
        match self {
            Self::AddressFormat { .. } => Some("RFC 3986, 3.2.2"),
            #[cfg(feature = "idna")]
            Self::DomainName { rule, .. } => Some(rule.citation()),
            Self::Unexpected { citation, .. } => Some(*citation),
            _ => None,
        }
    }

    /// Writes the sentence alone, without document and section.
    pub(crate) fn write_message(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHost { .. } => f.write_str("there is no host to connect to")?,
            Self::HostName { .. } => f.write_str("the host is not a valid name of a server")?,
            Self::AddressFormat { .. } => {
                f.write_str("address mechanism not supported: the format of the address is not known")?;
            }
            #[cfg(feature = "idna")]
            Self::DomainName { label, rule, .. } => {
                if let Some(number) = label {
                    write!(f, "label {number} of ")?;
                }
                write!(f, "the host {rule}")?;
            }
            Self::Port { .. } => f.write_str("the port is not a number from 1 to 65535")?,
            Self::Unexpected { expects, .. } => write!(f, "expected {expects}")?,
        }
        write!(f, ", at byte {}", self.span().start)
    }
}

impl Display for ValueError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.write_message(f)?;
        self.citation().map_or(Ok(()), |citation| write!(f, " ({citation})"))
    }
}

error_as_sentence!(ValueError);

/// Returns whether a block of data can be sent: see `Message::block`.
pub fn is_block(block: SpannedStr<'_>) -> bool {
    block_error(&block.octets().collect::<alloc::vec::Vec<_>>()).is_none()
}

/// Returns the first octet that a block of data must not contain at its place.
pub(crate) fn block_error(octets: &[(u8, Span)]) -> Option<(u8, Span)> {
    let at = |i: usize| octets.get(i).map(|one| one.0);
    let ends_with_dot =
        octets.len() >= 5 && (1..=5).all(|i| at(octets.len() - i) == b"\n\r.\n\r".get(i - 1).copied());
    let mut line_start = 0;
    for (i, &(octet, span)) in octets.iter().enumerate() {
        let is_end =
            octet == b'\r' && at(i + 1) == Some(b'\n') || octet == b'\n' && i > 0 && at(i - 1) == Some(b'\r');
        let is_dot = octet == b'\r' && i == line_start + 1 && at(line_start) == Some(b'.');
        let is_last = i + 2 >= octets.len();
        if matches!(octet, 0 | b'\r' | b'\n') && !is_end || is_dot && !is_last || is_last && !ends_with_dot {
            return Some((octet, span));
        }
        if octet == b'\n' {
            line_start = i + 1;
        }
    }
    None
}

#[cfg(all(test, feature = "schemes"))]
mod tests {
    use crate::scheme::lookup;

    #[test]
    fn a_form_demands_a_host_outside_of_brackets() {
        let demands = ["http", "https", "ftp", "gopher", "telnet", "nntp", "wais", "prospero", "ws"];
        for name in demands {
            assert!(lookup(name).expect("it is known").form().has_host(), "{name}");
        }
        for name in ["file", "news", "mailto", "data", "urn", "mid"] {
            assert!(!lookup(name).expect("it is known").form().has_host(), "{name}");
        }
    }
}
