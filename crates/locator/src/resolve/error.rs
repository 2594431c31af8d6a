//! Why a reference is not resolved, or a target has no reference: a value that says so in a sentence.

use core::fmt::{self, Display, Formatter};

use crate::edition::{ALL, Edition, Sections};
use crate::error::Error;
use crate::part::{Part, Span};

/// Why a reference is not resolved, or a target not made relative.
///
/// ```
/// use locator::{Base, ResolveError, uri};
/// use locator::edition::{RFC1738, RFC2396};
///
/// let error = Base::new(uri!("http://a/", RFC1738)).unwrap_err();
/// assert_eq!(error, ResolveError::NotDefined { edition: &RFC1738 });
/// assert_eq!(
///     error.to_string(),
///     "RFC 1738 does not say how a reference is resolved; these editions do: \
///      url-1993 url-1997 rfc2396 uri-2003 rfc3986 rfc3987"
/// );
///
/// let base = Base::new(uri!("mailto:jan@example.com", RFC2396))?;
/// let error = base.resolve(locator::uri_ref!("piet", RFC2396)).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the base's rest, at octet 7, does not begin with \"/\": it has no hierarchy for a relative \
///      path (RFC 2396, 5)"
/// );
/// # Ok::<_, ResolveError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResolveError {
    /// The edition does not say how a reference is resolved.
    NotDefined {
        /// The edition.
        edition: &'static Edition,
    },
    /// The base has no scheme.
    BaseNotAbsolute {
        /// The edition, which asks for one.
        edition: &'static Edition,
    },
    /// The base's rest does not begin with "/", and the reference is a relative path.
    BaseOpaque {
        /// The edition, which calls such a base opaque.
        edition: &'static Edition,
        /// The rest, in the base.
        span: Span,
    },
    /// The reference or the target was read by another edition than the base.
    EditionsDiffer {
        /// The base's edition.
        base: &'static Edition,
        /// The other one.
        other: &'static Edition,
    },
    /// ".." leads above the root of the base's path, and that is refused.
    Leftover {
        /// The edition.
        edition: &'static Edition,
        /// Whether the ".." is one of the base, and not of the reference.
        in_base: bool,
        /// The component that it is in: the path, or the query where that loses its dot segments, too.
        part: Part,
        /// Its octets there.
        span: Span,
    },
    /// The target is longer than 4,294,967,294 octets.
    TooLong,
    /// The text is not a reference.
    InvalidReference(Error),
    /// No reference resolves to the target: resolving would remove dot segments from its path, or its scheme.
    Unreachable {
        /// The edition.
        edition: &'static Edition,
        /// Whether it is the scheme, which is the base's own and counts for nothing because the caller wants it so.
        by_scheme: bool,
    },
}

impl ResolveError {
    /// The octets it is about, with the component that they are in: of the base, if [`Self::is_in_base`].
    ///
    /// ```
    /// use locator::{Base, Part, uri_ref};
    ///
    /// let error = Base::new(uri_ref!("//h/a")).unwrap_err();
    /// let (part, span) = error.place().unwrap();
    /// assert_eq!((part, span.range(), error.is_in_base()), (Part::Scheme, 0..0, true));
    /// assert_eq!(error.see().unwrap().to_string(), "RFC 3986, 5.2.1");
    /// ```
    #[must_use]
    pub const fn place(&self) -> Option<(Part, Span)> {
        match *self {
            Self::BaseNotAbsolute { .. } => Some((Part::Scheme, Span { start: 0, end: 0 })),
            Self::BaseOpaque { span, .. } => Some((Part::Path, span)),
            Self::Leftover { part, span, .. } => Some((part, span)),
            Self::InvalidReference(error) => Some((error.part(), error.span())),
            _ => None,
        }
    }

    /// Whether the place is one of the base.
    #[must_use]
    pub const fn is_in_base(&self) -> bool {
        match *self {
            Self::BaseNotAbsolute { .. } | Self::BaseOpaque { .. } => true,
            Self::Leftover { in_base, .. } => in_base,
            _ => false,
        }
    }

    /// The sentence alone, without document and section.
    pub fn message(&self) -> impl Display {
        Message(*self)
    }

    /// Document and section: `RFC 3986, 5.4.2`.
    #[must_use]
    pub fn see(&self) -> Option<impl Display> {
        let (edition, section): (_, fn(&Sections) -> &'static str) = match *self {
            Self::BaseNotAbsolute { edition } => (edition, |sections| sections.absolute),
            Self::BaseOpaque { edition, .. } => (edition, |sections| sections.hierarchy),
            Self::Leftover { edition, .. } => (edition, |sections| sections.leftover),
            Self::Unreachable { edition, by_scheme: false } => (edition, |sections| sections.dots),
            Self::Unreachable { .. }
            | Self::NotDefined { .. }
            | Self::EditionsDiffer { .. }
            | Self::InvalidReference(_)
            | Self::TooLong => {
                return None;
            }
        };
        let rule = edition.resolution.as_ref()?;
        Some(edition.cite_section(section(&rule.sections)))
    }
}

impl Display for ResolveError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)?;
        self.see().map_or(Ok(()), |see| write!(f, " ({see})"))
    }
}

/// The sentence of an error.
struct Message(ResolveError);

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            ResolveError::NotDefined { edition } => {
                let document = edition.document;
                write!(f, "{document} does not say how a reference is resolved; these editions do:")?;
                let mut defining = ALL.into_iter().filter(|edition| edition.defines_resolution());
                defining.try_for_each(|edition| write!(f, " {edition}"))
            }
            ResolveError::InvalidReference(error) => write!(f, "the reference is not valid: {error}"),
            ResolveError::BaseNotAbsolute { .. } => {
                f.write_str("the base has no scheme, so nothing is relative to it: give its absolute form")
            }
            ResolveError::BaseOpaque { span: Span { start, .. }, .. } => write!(
                f,
                "the base's rest, at octet {start}, does not begin with \"/\": it has no hierarchy for a \
                 relative path"
            ),
            ResolveError::EditionsDiffer { base, other } => {
                write!(f, "the base was read by {base}, and what is put to it by {other}")
            }
            ResolveError::Leftover { in_base, part, span: Span { start, .. }, .. } => {
                let (whose, part) = (if in_base { "base" } else { "reference" }, part.name());
                write!(f, "\"..\" in the {whose}'s {part}, at octet {start}, leads above the root")
            }
            ResolveError::TooLong => f.write_str("the target is longer than 4,294,967,294 octets"),
            ResolveError::Unreachable { by_scheme: true, .. } => f.write_str(
                "no reference resolves to the target: its scheme is the base's own, which is asked to count for \
                 nothing",
            ),
            ResolveError::Unreachable { .. } => {
                f.write_str("no reference resolves to the target: the dot segments of its path are removed")
            }
        }
    }
}

impl core::error::Error for ResolveError {}
