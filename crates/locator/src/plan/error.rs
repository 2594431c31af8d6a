//! Why a URL has no plan: a value that says what, where in the URL, by which document, and what to do.

use core::fmt::{self, Display, Formatter};

use crate::error::Error;
use crate::form::{Form, Malformed};
use crate::part::Span;

/// Why there is no plan.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// There is no scheme: the reference must be resolved first.
    Relative,
    /// Nothing is known of the scheme.
    UnknownScheme {
        /// Where it stands.
        span: Span,
    },
    /// The scheme is reserved, and no document says how to fetch anything by it.
    Reserved {
        /// Where that is said.
        see: &'static str,
    },
    /// It is no URL of its scheme.
    Malformed(Malformed),
    /// An octet that the protocol would take for the end of a line or of a word.
    Octet {
        /// The octet, unescaped.
        octet: u8,
        /// Where it stands in the URL.
        span: Span,
        /// What it stands in: `the selector`.
        place: &'static str,
        /// The protocol.
        protocol: &'static str,
        /// Which document says so.
        see: &'static str,
    },
    /// The same in something that was configured.
    Option {
        /// What was configured.
        option: &'static str,
        /// The octet.
        octet: u8,
    },
    /// There is no host, and no server to be asked.
    NoHost {
        /// Where it would stand.
        span: Span,
    },
    /// What stands for a host is no name that a server can have.
    HostName {
        /// Where it stands.
        span: Span,
    },
    /// The host is a literal address in a format of the future: `[v1.a]`.
    AddressFormat {
        /// Where it stands.
        span: Span,
    },
    /// What stands for a port is no number from 1 to 65535.
    Port {
        /// Where it stands.
        span: Span,
    },
    /// A port that is another protocol's, where the scheme asks for consent.
    Consent {
        /// The port.
        port: u16,
        /// Where it stands.
        span: Span,
    },
    /// Something that must be configured first.
    NotConfigured {
        /// What: `a news server`.
        what: &'static str,
        /// The option of that: `news_server`.
        option: &'static str,
    },
    /// It is a name of something, and there is nothing that finds it.
    NoLocation {
        /// Why not.
        why: &'static str,
        /// Which document says so.
        see: &'static str,
    },
    /// Gateways that lead to each other.
    GatewayLoop {
        /// Where the scheme stands.
        span: Span,
    },
    /// It is a file of another machine.
    OtherHost {
        /// Where the host stands.
        span: Span,
    },
    /// A word that would be taken for an option of a program.
    Dash {
        /// Where it stands.
        span: Span,
    },
    /// Something in it that has no place in what it stands for.
    Value {
        /// Where it stands.
        span: Span,
        /// What is expected there.
        expects: &'static str,
        /// Which document says so.
        see: &'static str,
    },
}

impl PlanError {
    /// The word for it in JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Relative => "relative",
            Self::UnknownScheme { .. } => "unknown-scheme",
            Self::Reserved { .. } => "reserved",
            Self::Malformed(_) => "malformed",
            Self::Octet { .. } => "octet",
            Self::Option { .. } => "option",
            Self::NoHost { .. } => "no-host",
            Self::HostName { .. } => "host-name",
            Self::AddressFormat { .. } => "address-format",
            Self::Port { .. } => "port",
            Self::Consent { .. } => "consent",
            Self::NotConfigured { .. } => "not-configured",
            Self::NoLocation { .. } => "no-location",
            Self::GatewayLoop { .. } => "gateway-loop",
            Self::OtherHost { .. } => "other-host",
            Self::Dash { .. } => "dash",
            Self::Value { .. } => "value",
        }
    }

    /// Where in the URL, if it is about a place in it; empty where something is missing.
    pub const fn span(&self) -> Option<Span> {
        match self {
            Self::UnknownScheme { span }
            | Self::Octet { span, .. }
            | Self::NoHost { span }
            | Self::HostName { span }
            | Self::AddressFormat { span }
            | Self::Port { span }
            | Self::Consent { span, .. }
            | Self::GatewayLoop { span }
            | Self::OtherHost { span }
            | Self::Dash { span }
            | Self::Value { span, .. }
            | Self::Malformed(Malformed::Form { span, .. }) => Some(*span),
            Self::Malformed(Malformed::Rule(error)) => Some(error.span()),
            _ => None,
        }
    }

    /// The sentence alone, without document and section.
    ///
    /// ```
    /// use locator::{plan::Options, scheme, uri_ref};
    ///
    /// let error = scheme::plan(uri_ref!("ftp://h/a;type=x"), &Options::default()).unwrap_err();
    /// assert_eq!(error.span().unwrap().range(), 15..16);
    /// assert!(error.message().to_string().ends_with("is expected at octet 15"));
    /// assert_eq!(error.see().unwrap().to_string(), "RFC 1738, 3.2.2");
    /// ```
    pub fn message(&self) -> impl Display {
        Message(*self)
    }

    /// Document and section, where one says so: `RFC 1738, 3.2.2`.
    pub const fn see(&self) -> Option<impl Display> {
        match *self {
            Self::Reserved { see }
            | Self::Octet { see, .. }
            | Self::NoLocation { see, .. }
            | Self::Value { see, .. }
            | Self::Malformed(Malformed::Form { form: Form { see, .. }, .. }) => Some(See::Of(see)),
            Self::Consent { .. } => Some(See::Of("RFC 1738, 6")),
            Self::OtherHost { .. } => Some(See::Of("RFC 1738, 3.10")),
            Self::AddressFormat { .. } => Some(See::Of("RFC 3986, 3.2.2")),
            Self::Malformed(Malformed::Rule(error)) => Some(See::OfRule(error)),
            _ => None,
        }
    }
}

impl From<Malformed> for PlanError {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed)
    }
}

impl Display for PlanError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Self::Malformed(Malformed::Rule(error)) = self {
            return error.fmt(f);
        }
        self.message().fmt(f)?;
        self.see().map_or(Ok(()), |see| write!(f, " ({see})"))
    }
}

impl core::error::Error for PlanError {}

/// The sentence of an error.
struct Message(PlanError);

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            PlanError::Relative => f.write_str("the reference is relative: resolve it first"),
            PlanError::UnknownScheme { .. } => {
                f.write_str("nothing is known of its scheme: map it to a gateway, or register the scheme")
            }
            PlanError::Reserved { .. } => f.write_str(
                "its scheme is reserved, and no document says how to fetch anything by it: map it to a gateway",
            ),
            PlanError::Malformed(malformed) => malformed.write_message(f),
            PlanError::Octet { octet, span, place, protocol, .. } => {
                let (name, start) = (Name(octet), span.start);
                write!(f, "{name} may not stand in {place}: {protocol} would read on as something else, ")?;
                write!(f, "at octet {start}")
            }
            PlanError::Option { option, octet } => {
                write!(f, "{} may not stand in the option {option}: give it without", Name(octet))
            }
            PlanError::NoHost { span } => write!(f, "there is no host to connect to, at octet {}", span.start),
            PlanError::HostName { span } => {
                write!(f, "the host is no name that a server can have, at octet {}", span.start)
            }
            PlanError::AddressFormat { span } => write!(
                f,
                "address mechanism not supported: nothing is known of the format of the address, at octet {}",
                span.start
            ),
            PlanError::Port { span } => {
                write!(f, "the port is no number from 1 to 65535, at octet {}", span.start)
            }
            PlanError::Consent { port, span } => write!(
                f,
                "port {port}, at octet {}, is another protocol's, which may take the URL for its own commands: \
                 consent to low ports if it is meant",
                span.start
            ),
            PlanError::NotConfigured { what, option } => {
                write!(f, "{what} must be configured first: the option {option}")
            }
            PlanError::NoLocation { why, .. } => f.write_str(why),
            PlanError::GatewayLoop { .. } => {
                f.write_str("its gateways lead to each other: map one of them elsewhere")
            }
            PlanError::OtherHost { span } => write!(
                f,
                "it is a file of another machine, whose host stands at octet {}, and no protocol is said by which \
                 to get it",
                span.start
            ),
            PlanError::Dash { span } => {
                write!(f, "\"-\" at octet {} would make an option of it for the program", span.start)
            }
            PlanError::Value { span, expects, .. } => write!(f, "{expects} is expected at octet {}", span.start),
        }
    }
}

/// Document and section.
enum See {
    /// As they stand.
    Of(&'static str),
    /// Those of the rule that an error is about.
    OfRule(Error),
}

impl Display for See {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Of(see) => f.write_str(see),
            Self::OfRule(error) => error.see().fmt(f),
        }
    }
}

/// An octet by a name that people know.
struct Name(u8);

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("NUL"),
            b'\t' => f.write_str("a tab"),
            b'\n' => f.write_str("LF"),
            b'\r' => f.write_str("CR"),
            b' ' => f.write_str("a space"),
            octet if octet.is_ascii_graphic() => write!(f, "\"{}\"", char::from(octet)),
            octet => write!(f, "the octet {octet:02X}"),
        }
    }
}
