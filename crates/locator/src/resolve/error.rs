//! The error of resolving a reference and of making a target relative.

use core::fmt::{self, Display, Formatter};
use core::ops::Range;

use crate::as_text::error_as_sentence;
use crate::edition::{ALL, Edition, Sections};
use crate::error::ParseError;
use crate::span::{Component, Span};

/// The reason why a reference cannot be resolved, or a target cannot be made relative.
///
/// ```
/// use locator::{Base, ResolveError, uri};
/// use locator::edition::{RFC1738, RFC2396};
///
/// let error = Base::new(uri!("http://a/", RFC1738)).unwrap_err();
/// assert_eq!(error, ResolveError::NotDefined { edition: &RFC1738 });
/// assert_eq!(
///     error.to_string(),
///     "RFC 1738 does not define how to resolve references; these editions do: \
///      url-1993 url-1997 rfc2396 uri-2003 rfc3986 rfc3987"
/// );
///
/// let base = Base::new(uri!("mailto:jan@example.com", RFC2396))?;
/// let error = base.resolve(locator::uri_ref!("piet", RFC2396)).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the base has no \"/\" after the scheme, so it has no hierarchy for a relative path, at byte 7 \
///      (RFC 2396, 5)"
/// );
/// # Ok::<_, ResolveError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ResolveError {
    /// The edition does not define how to resolve references.
    NotDefined {
        /// The edition.
        edition: &'static Edition,
    },
    /// The base has no scheme.
    BaseNotAbsolute {
        /// The edition, which requires a scheme.
        edition: &'static Edition,
    },
    /// The base has no "/" after its scheme, and the reference is a relative path.
    BaseOpaque {
        /// The edition, which calls this base opaque.
        edition: &'static Edition,
        /// The bytes after the scheme, in the base.
        span: Span,
    },
    /// The reference or the target was parsed by another edition than the base.
    EditionsDiffer {
        /// The base's edition.
        base: &'static Edition,
        /// The edition of the reference or the target.
        other: &'static Edition,
    },
    /// ".." goes above the root of the base's path, and the options reject that.
    PathUnderflow {
        /// The edition.
        edition: &'static Edition,
        /// Whether the ".." is in the base, and not in the reference.
        in_base: bool,
        /// The component of the "..": the path, or the query if dot segments are removed there,
        /// too.
        component: Component,
        /// The octets of the ".." in that component.
        span: Span,
    },
    /// The target is longer than 4,294,967,294 bytes.
    TooLong,
    /// The text is not a reference.
    InvalidReference(ParseError),
    /// No reference resolves to the target: resolving would remove dot segments from its path, or
    /// its scheme.
    Unreachable {
        /// The edition.
        edition: &'static Edition,
        /// Whether the reason is the scheme, which equals the base's and which an option ignores.
        by_scheme: bool,
    },
}

impl ResolveError {
    const fn place(&self) -> Option<(Component, Span)> {
        match *self {
            Self::BaseNotAbsolute { .. } => Some((Component::Scheme, Span { start: 0, end: 0 })),
            Self::BaseOpaque { span, .. } => Some((Component::Path, span)),
            Self::PathUnderflow { component: part, span, .. } => Some((part, span)),
            Self::InvalidReference(error) => Some((error.component(), error.place())),
            _ => None,
        }
    }

    /// Returns the component that the error is in, if it is about one.
    #[must_use]
    pub const fn component(&self) -> Option<Component> {
        match self.place() {
            Some((part, _)) => Some(part),
            None => None,
        }
    }

    /// Returns the bytes that the error is about; empty where something is missing. They are bytes
    /// of the base if [`Self::is_in_base`] is true.
    ///
    /// ```
    /// use locator::{Base, Component, uri_ref};
    ///
    /// let error = Base::try_from(uri_ref!("//h/a")).unwrap_err();
    /// assert_eq!(
    ///     (error.component(), error.is_in_base()),
    ///     (Some(Component::Scheme), true)
    /// );
    /// assert_eq!(error.span(), Some(0..0));
    /// assert_eq!(error.citation().unwrap().to_string(), "RFC 3986, 5.2.1");
    /// ```
    #[must_use]
    pub const fn span(&self) -> Option<Range<usize>> {
        match self.place() {
            Some((_, span)) => Some(span.range()),
            None => None,
        }
    }

    /// Returns whether the component and the span are in the base.
    #[must_use]
    pub const fn is_in_base(&self) -> bool {
        match *self {
            Self::BaseNotAbsolute { .. } | Self::BaseOpaque { .. } => true,
            Self::PathUnderflow { in_base, .. } => in_base,
            _ => false,
        }
    }

    /// Returns the message alone, without document and section.
    #[must_use]
    pub fn message(&self) -> impl Display {
        ResolveMessage(*self)
    }

    /// Returns advice on how to correct the error, if there is any.
    #[must_use]
    pub const fn advice(&self) -> Option<&'static str> {
        match self {
            Self::BaseNotAbsolute { .. } => Some("give the absolute form of the base"),
            _ => None,
        }
    }

    /// Returns the document and section of the rule: `RFC 3986, 5.4.2`.
    #[must_use]
    pub fn citation(&self) -> Option<impl Display> {
        let (edition, section): (_, fn(&Sections) -> &'static str) = match *self {
            Self::BaseNotAbsolute { edition } => (edition, |sections| sections.absolute),
            Self::BaseOpaque { edition, .. } => (edition, |sections| sections.hierarchy),
            Self::PathUnderflow { edition, .. } => (edition, |sections| sections.leftover),
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
        self.citation().map_or(Ok(()), |see| write!(f, " ({see})"))
    }
}

/// The message of an error.
struct ResolveMessage(ResolveError);

impl Display for ResolveMessage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            ResolveError::NotDefined { edition } => {
                let document = edition.document;
                write!(f, "{document} does not define how to resolve references; these editions do:")?;
                let mut defining = ALL.into_iter().filter(|edition| edition.defines_resolution());
                defining.try_for_each(|edition| write!(f, " {edition}"))
            }
            ResolveError::InvalidReference(error) => write!(f, "the reference is not valid: {error}"),
            ResolveError::BaseNotAbsolute { .. } => {
                f.write_str("the base has no scheme, so no reference can be resolved against it")
            }
            ResolveError::BaseOpaque { span: Span { start, .. }, .. } => write!(
                f,
                "the base has no \"/\" after the scheme, so it has no hierarchy for a relative path, at byte \
                 {start}"
            ),
            ResolveError::EditionsDiffer { base, other } => {
                write!(f, "base and reference were parsed by different editions ({base}, {other})")
            }
            ResolveError::PathUnderflow { in_base, component: part, span: Span { start, .. }, .. } => {
                let (whose, part) = (if in_base { "base" } else { "reference" }, part.name());
                write!(f, "\"..\" in the {part} of the {whose} leads above the root, at byte {start}")
            }
            ResolveError::TooLong => f.write_str("the target is longer than 4,294,967,294 bytes"),
            ResolveError::Unreachable { by_scheme: true, .. } => f.write_str(
                "no reference resolves to the target: its scheme is the base's, which the option \
                 same_scheme ignores",
            ),
            ResolveError::Unreachable { .. } => f.write_str(
                "no reference resolves to the target: resolving would remove the dot segments of its path",
            ),
        }
    }
}

error_as_sentence!(ResolveError);
