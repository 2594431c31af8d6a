//! The reasons why a part cannot be changed: those of the library, and those for names that only
//! the command has.

use std::fmt::{self, Display, Formatter};

use locator::scheme::PartError;
use locator::{BuildError, Component, Edition, ParseError, Span, UriRef, edition};

use super::nth::Nth;

/// The reason why a part cannot be changed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refused {
    /// An error of the library.
    Build(BuildError),
    /// A zone for a host that is not an IPv6 address.
    NoAddress,
    /// The scheme has no such part, or the part no such value.
    Part(PartError),
    /// A port above 65535.
    PortTooLarge,
    /// The host is set to nothing in a URL whose scheme needs one.
    SchemeNeedsHost,
    /// A scheme that needs a host is set, and there is none.
    SchemeWithoutHost,
    /// A host is set in a reference that begins with what may be its host.
    HostOrPath,
    /// A zone in an edition without zones.
    NoZones(&'static Edition),
    /// A segment that the path does not have.
    NoSegment {
        /// The requested segment.
        nth: Nth,
        /// How many there are.
        count: usize,
        /// The edition whose rule it is.
        edition: &'static Edition,
    },
}

impl Refused {
    /// The word for it in JSON.
    pub(crate) const fn kind(self) -> &'static str {
        match self.by_library() {
            Some(error) => error.name(),
            None => match self {
                Self::NoAddress => "no-address",
                Self::PortTooLarge => "port-too-large",
                Self::SchemeNeedsHost | Self::SchemeWithoutHost => "host-needed",
                Self::HostOrPath => "host-or-path",
                Self::Part(error) => error.name(),
                _ => "no-zones",
            },
        }
    }

    /// What is wrong with the octets, if that is why.
    pub(crate) const fn error(self) -> Option<ParseError> {
        match self {
            Self::Build(BuildError::Value(error) | BuildError::Whole(error)) => Some(error),
            _ => None,
        }
    }

    /// The component that it is about.
    pub(crate) const fn part(self) -> Component {
        match self.by_library() {
            Some(error) => error.component(),
            None if matches!(self, Self::PortTooLarge) => Component::Port,
            None if matches!(self, Self::Part(_)) => Component::Path,
            None => Component::Host,
        }
    }

    /// The rule that it breaks.
    pub(crate) const fn rule(self) -> &'static str {
        match self.by_library() {
            Some(error) => error.rule().name,
            None if matches!(self, Self::PortTooLarge) => "port",
            None if matches!(self, Self::SchemeNeedsHost | Self::SchemeWithoutHost | Self::HostOrPath) => {
                "authority"
            }
            None if matches!(self, Self::Part(_)) => "",
            None => "IPv6addrz",
        }
    }

    /// Document and section.
    pub(crate) fn see(self) -> String {
        match (self.by_library(), self) {
            (Some(error), _) => error.citation().to_string(),
            (None, Self::Part(_)) => String::new(),
            (None, Self::PortTooLarge) => "RFC 9293, 3.1".to_owned(),
            (None, Self::SchemeNeedsHost | Self::SchemeWithoutHost | Self::HostOrPath) => {
                "RFC 3986, 3.2.2".to_owned()
            }
            (None, _) => "RFC 6874, 2".to_owned(),
        }
    }

    /// The sentence alone, without place, rule and section.
    pub(crate) fn message(self) -> String {
        match self {
            Self::Build(error) => error.message().to_string(),
            Self::Part(error) => error.to_string(),
            Self::NoAddress => "only an IPv6 address can have a zone; set the host first".to_owned(),
            Self::PortTooLarge => {
                "a port is a number up to 65535; use \":=\" to write any other number".to_owned()
            }
            Self::SchemeNeedsHost => {
                "a URL of this scheme needs a host; use --unset host to remove it anyway".to_owned()
            }
            Self::SchemeWithoutHost => {
                "a URL of this scheme needs a host; set it, too, or write the reference with \"//\" before \
                 its host"
                    .to_owned()
            }
            Self::HostOrPath => {
                "the first segment may be a host or a part of the path; write \"//\" before a host, \"/\" \
                 before a path"
                    .to_owned()
            }
            Self::NoZones(edition) => {
                let known = edition::ALL.into_iter().chain(edition::WITH_OPTIONS);
                let known: Vec<_> =
                    known.filter(|edition| edition.defines_zones()).map(|edition| edition.name).collect();
                format!("{} does not define zones; these editions do: {}", edition.document, known.join(" "))
            }
            Self::NoSegment { nth, count, .. } => format!(
                "there is no segment {nth}; the path has {count} (counted from 0, or from -1 at the end)"
            ),
        }
    }

    /// Returns the position of the error in the reference to edit; empty where something is
    /// missing.
    pub(crate) fn place(self, reference: UriRef<'_>) -> Option<Span> {
        let span = |part| reference.span(part).map(Span::from);
        let before = |part| span(part).map(|Span { start, .. }| Span { start, end: start });
        match self {
            Self::NoAddress | Self::SchemeNeedsHost => span(Component::Host),
            Self::SchemeWithoutHost => before(Component::Path),
            Self::HostOrPath => Some(Span { start: 0, end: 0 }),
            Self::NoSegment { .. } | Self::Build(BuildError::NoRoot { .. }) => span(Component::Path),
            Self::Build(BuildError::NoAuthority { .. }) if span(Component::Authority).is_none() => {
                before(Component::Path)
            }
            Self::Build(BuildError::NoUser { .. }) => before(Component::Host),
            Self::Build(BuildError::HostNeeded { .. }) => span(Component::Host),
            Self::Build(BuildError::Registered { .. }) => span(Component::Authority),
            Self::Part(_) | Self::PortTooLarge | Self::NoZones(_) | Self::Build(_) => None,
        }
    }

    /// The error of the library that it is.
    const fn by_library(self) -> Option<BuildError> {
        match self {
            Self::Build(error) => Some(error),
            // Only the command counts from the end.
            Self::NoSegment { count, edition, .. } => {
                Some(BuildError::NoSegment { index: count, count, edition })
            }
            Self::Part(_)
            | Self::NoAddress
            | Self::PortTooLarge
            | Self::SchemeNeedsHost
            | Self::SchemeWithoutHost
            | Self::HostOrPath
            | Self::NoZones(_) => None,
        }
    }
}

impl Display for Refused {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Build(error @ BuildError::HostAsData { found, .. }) => {
                let Some(advice) = error.advice() else { return error.fmt(f) };
                let option = match found {
                    ':' => " with -s port=NUMBER",
                    '@' => " with -s user=NAME",
                    '/' => " with -s path=PATH",
                    '?' => " with -s query=QUERY",
                    '#' => " with -s fragment=FRAGMENT",
                    _ => "",
                };
                write!(f, "{error}; {advice}{option}")
            }
            Self::Build(error) => match error.advice() {
                Some(advice) => write!(f, "{error}; {advice}"),
                None => error.fmt(f),
            },
            Self::Part(error) => error.fmt(f),
            _ => write!(f, "{} ({}, {})", self.message(), self.rule(), self.see()),
        }
    }
}

impl From<BuildError> for Refused {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}
