//! The error of planning: why a URL has no plan, where the error is, and which document defines the
//! rule.

use core::fmt::{self, Display, Formatter};
use core::ops::Range;

use crate::as_text::error_as_sentence;
use crate::component::SpannedStr;
use crate::form::{Citation, SyntaxError, ValueError};
use crate::span::Span;

/// The reason why a URL has no plan.
///
/// ```
/// use locator::plan::{Options, PlanError};
/// use locator::{scheme, uri_ref};
///
/// let error = |reference| scheme::plan(reference, &Options::new()).unwrap_err();
/// assert!(matches!(error(uri_ref!("/a")), PlanError::Relative));
/// assert!(matches!(error(uri_ref!("unknown:a")), PlanError::UnknownScheme { .. }));
/// let port = error(uri_ref!("gopher://h:25/"));
/// assert_eq!(port.span(), Some(11..13));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PlanError {
    /// The reference has no scheme: it must be resolved first.
    Relative,
    /// The scheme is unknown.
    UnknownScheme {
        /// The position of the scheme.
        span: Span,
    },
    /// The scheme is reserved, and no document defines how to fetch anything with it.
    Reserved {
        /// The document that reserves it.
        citation: &'static str,
    },
    /// The URL does not follow the form or the rule of its scheme.
    Malformed(SyntaxError),
    /// A value of the URL has no meaning, or the protocol does not accept it.
    Value(ValueError),
    /// The URL contains a byte that would end a line or a word in the protocol.
    Byte {
        /// The byte, decoded.
        byte: u8,
        /// The position of the byte in the URL.
        span: Span,
        /// The name of the value that contains it: `the selector`.
        place: &'static str,
        /// The name of the protocol.
        protocol: &'static str,
        /// The document that defines the rule.
        citation: &'static str,
    },
    /// The value of an option contains a byte that would end a line or a word in the protocol.
    Option {
        /// The name of the option.
        option: &'static str,
        /// The byte that is not allowed.
        byte: u8,
    },
    /// The port belongs to another protocol or is reserved, and requires the option `low_ports`.
    RestrictedPort {
        /// The port number.
        port: u16,
        /// The service that the port belongs to, if it is known.
        service: Option<&'static str>,
        /// The position of the port.
        span: Span,
    },
    /// A required option is not configured.
    NotConfigured {
        /// The missing setting: `a news server`.
        what: &'static str,
        /// The name of its option: `news_server`.
        option: &'static str,
    },
    /// The URL is a name, and no location is known for it.
    NoLocation {
        /// The reason why there is no location.
        why: &'static str,
        /// The document that defines the rule.
        citation: &'static str,
    },
    /// The gateways form a loop.
    GatewayLoop {
        /// The position of the scheme.
        span: Span,
    },
    /// The file is on another machine.
    OtherHost {
        /// The position of the host.
        span: Span,
    },
    /// A word that a program would parse as an option.
    LooksLikeOption {
        /// The position of the word.
        span: Span,
    },
    /// The URL has more values of a kind than a plan has steps for.
    TooMany {
        /// The position of the first value that is too many.
        span: Span,
        /// What the values are: `directories`.
        what: &'static str,
        /// How many are allowed.
        most: usize,
    },
}

/// Checks that there are at most so many values. Each needs steps, and nobody means a plan of a million
/// commands.
pub(crate) fn check_count<'a>(
    mut values: impl Iterator<Item = SpannedStr<'a>>,
    what: &'static str,
    most: usize,
) -> Result<(), PlanError> {
    match values.nth(most) {
        None => Ok(()),
        Some(value) => Err(PlanError::TooMany { span: value.place(), what, most }),
    }
}

impl PlanError {
    /// Returns the name of this kind of error in JSON.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Relative => "relative",
            Self::UnknownScheme { .. } => "unknown-scheme",
            Self::Reserved { .. } => "reserved",
            Self::Malformed(_) => "malformed",
            Self::Value(error) => error.name(),
            Self::Byte { .. } => "octet",
            Self::Option { .. } => "option",
            Self::RestrictedPort { .. } => "consent",
            Self::NotConfigured { .. } => "not-configured",
            Self::NoLocation { .. } => "no-location",
            Self::GatewayLoop { .. } => "gateway-loop",
            Self::OtherHost { .. } => "other-host",
            Self::LooksLikeOption { .. } => "dash",
            Self::TooMany { .. } => "too-many",
        }
    }

    /// Returns the span of the error in the URL; it is empty where something is missing.
    #[must_use]
    pub const fn span(&self) -> Option<Range<usize>> {
        match self {
            Self::UnknownScheme { span }
            | Self::Byte { span, .. }
            | Self::RestrictedPort { span, .. }
            | Self::GatewayLoop { span }
            | Self::OtherHost { span }
            | Self::LooksLikeOption { span }
            | Self::TooMany { span, .. } => Some(span.range()),
            Self::Value(error) => Some(error.span()),
            Self::Malformed(error) => error.span(),
            _ => None,
        }
    }

    /// Returns the message of this error, without document and section.
    ///
    /// ```
    /// use locator::{plan::Options, scheme, uri_ref};
    ///
    /// let error = scheme::plan(uri_ref!("ftp://h/a;type=x"), &Options::default())
    ///     .unwrap_err();
    /// assert_eq!(error.span().unwrap(), 15..16);
    /// assert!(error.message().to_string().ends_with(", at byte 15"));
    /// assert_eq!(error.citation().unwrap().to_string(), "RFC 1738, 3.2.2");
    /// ```
    #[must_use]
    pub fn message(&self) -> impl Display {
        PlanMessage(*self)
    }

    /// Returns advice on how to correct the error, if there is any.
    #[must_use]
    pub const fn advice(&self) -> Option<&'static str> {
        match self {
            Self::Relative => Some("resolve it first"),
            Self::UnknownScheme { .. } => Some("map it to a gateway, or register the scheme"),
            Self::Reserved { .. } => Some("map it to a gateway"),
            Self::Option { .. } => Some("remove it"),
            Self::RestrictedPort { .. } => Some("set the option low_ports if it is meant"),
            Self::GatewayLoop { .. } => Some("map one of them elsewhere"),
            _ => None,
        }
    }

    /// Returns the name of the option that would allow this plan, if there is one: `low_ports`.
    #[must_use]
    pub const fn option(&self) -> Option<&'static str> {
        match self {
            Self::RestrictedPort { .. } => Some("low_ports"),
            Self::NotConfigured { option, .. } => Some(option),
            _ => None,
        }
    }

    /// Returns the document and section of the rule, where there is one: `RFC 1738, 3.2.2`.
    #[must_use]
    pub const fn citation(&self) -> Option<impl Display> {
        match *self {
            Self::Reserved { citation } | Self::Byte { citation, .. } | Self::NoLocation { citation, .. } => {
                Some(Citation::Form(citation))
            }
            Self::Value(error) => match error.citation() {
                Some(citation) => Some(Citation::Form(citation)),
                None => None,
            },
            Self::RestrictedPort { .. } => Some(Citation::Form("RFC 1738, 6")),
            Self::OtherHost { .. } => Some(Citation::Form("RFC 1738, 3.10")),
            Self::Malformed(error) => error.cited(),
            _ => None,
        }
    }
}

impl From<SyntaxError> for PlanError {
    fn from(malformed: SyntaxError) -> Self {
        Self::Malformed(malformed)
    }
}

impl From<ValueError> for PlanError {
    fn from(error: ValueError) -> Self {
        Self::Value(error)
    }
}

impl Display for PlanError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Self::Malformed(error) = self {
            return error.fmt(f);
        }
        self.message().fmt(f)?;
        self.citation().map_or(Ok(()), |see| write!(f, " ({see})"))
    }
}

error_as_sentence!(PlanError);

/// The message of an error.
struct PlanMessage(PlanError);

impl Display for PlanMessage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            PlanError::Relative => {
                f.write_str("a relative reference cannot be fetched; resolve it against a base URL first")
            }
            PlanError::UnknownScheme { .. } => f.write_str("the scheme is not known"),
            PlanError::Reserved { .. } => {
                f.write_str("the scheme is reserved, and no document defines how to fetch anything with it")
            }
            PlanError::Malformed(malformed) => malformed.write_message(f),
            PlanError::Value(error) => error.write_message(f),
            PlanError::Byte { byte: octet, span, place, protocol, .. } => {
                let (name, start) = (OctetName(octet), span.start);
                write!(f, "{name} is not allowed in {place}: {protocol} would misread the text after it, ")?;
                write!(f, "at byte {start}")
            }
            PlanError::Option { option, byte: octet } => {
                write!(f, "{} is not allowed in the option {option}", OctetName(octet))
            }
            PlanError::RestrictedPort { port, service, span } => {
                write!(f, "port {port} is for {}, ", service.unwrap_or("another protocol"))?;
                write!(f, "whose server may execute the URL as commands, at byte {}", span.start)
            }
            PlanError::NotConfigured { what, option } => {
                write!(f, "{what} must be configured first: the option {option}")
            }
            PlanError::NoLocation { why, .. } => f.write_str(why),
            PlanError::GatewayLoop { .. } => f.write_str("the gateways of the URL lead to each other"),
            PlanError::OtherHost { span } => write!(
                f,
                "the file is on another machine, and a file URL names no protocol to fetch it, at byte {}",
                span.start
            ),
            PlanError::LooksLikeOption { span } => {
                write!(
                    f,
                    "a program would take the text that begins with \"-\" for an option, at byte {}",
                    span.start
                )
            }
            PlanError::TooMany { span, what, most } => {
                write!(f, "there are more than {most} {what}, at byte {}", span.start)
            }
        }
    }
}

/// An octet that is displayed by its common name.
struct OctetName(u8);

impl Display for OctetName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("NUL"),
            b'\t' => f.write_str("a tab"),
            b'\n' => f.write_str("LF"),
            b'\r' => f.write_str("CR"),
            b' ' => f.write_str("a space"),
            octet if octet.is_ascii_graphic() => write!(f, "\"{}\"", char::from(octet)),
            octet => write!(f, "byte {octet:02X}"),
        }
    }
}
