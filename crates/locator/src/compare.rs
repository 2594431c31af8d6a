//! Whether two references identify the same: the comparison ladder.
//!
//! Two absolute references enter, with what the caller knows of redirects; the rung on which they
//! meet leaves, or that there is none, with what differed on the way. Follows RFC 3986, section 6,
//! and section 6 of draft-fielding-uri-rfc2396bis-01: "minimize false negatives while strictly
//! avoiding false positives".

mod difference;
mod redirects;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};

pub use difference::{Difference, DifferenceKind};

use crate::compose::Components;
use crate::edition::Edition;
use crate::normalize::{Forms, Level};
use crate::part::Part;
use crate::reference::{Uri, UriRef};
use crate::scheme::Registry;

/// A rung of the ladder: each costs more than the one before it and misses fewer equivalents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rung {
    /// The same text, character for character (RFC 3986, section 6.2.1).
    Simple,
    /// The same normal form by the edition (section 6.2.2).
    Syntax,
    /// The same normal form by the scheme, or what the scheme calls equivalent besides (section 6.2.3).
    Scheme,
    /// One was seen to redirect to the other (section 6.2.4).
    Protocol,
}

impl Rung {
    /// The word for it in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Syntax => "syntax",
            Self::Scheme => "scheme",
            Self::Protocol => "protocol",
        }
    }

    /// Document and section that have the rung. What is equivalent by a scheme is told by the scheme's own
    /// document besides: [`Scheme::equivalence`](crate::scheme::Scheme::equivalence).
    ///
    /// ```
    /// assert_eq!(locator::Rung::Syntax.see(), "RFC 3986, 6.2.2");
    /// ```
    pub const fn see(self) -> &'static str {
        match self {
            Self::Simple => "RFC 3986, 6.2.1",
            Self::Syntax => "RFC 3986, 6.2.2",
            Self::Scheme => "RFC 3986, 6.2.3",
            Self::Protocol => "RFC 3986, 6.2.4",
        }
    }
}

/// How two references compare (RFC 3986, 6.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The first rung on which they are equivalent; `None` if there is none, which does not say
    /// that they identify different things.
    pub rung: Option<Rung>,
    /// What differs, from left to right.
    pub differences: Vec<Difference>,
}

impl Comparison {
    /// Whether they are equivalent on some rung.
    pub const fn is_equivalent(&self) -> bool {
        self.rung.is_some()
    }
}

/// Compares two absolute references, fragments included.
///
/// ```
/// use locator::{DifferenceKind, Rung, compare, uri_ref};
///
/// let found = compare(uri_ref!("HTTP://example.com/%7Ea"), uri_ref!("http://example.com:80/~a"))?;
/// assert_eq!(found.rung, Some(Rung::Scheme));
/// let kinds: Vec<_> = found.differences.iter().map(|difference| difference.kind).collect();
/// assert_eq!(kinds, [DifferenceKind::Case, DifferenceKind::Port, DifferenceKind::Escape]);
///
/// let found = compare(uri_ref!("http://example.com/"), uri_ref!("http://example.com/?"))?;
/// assert_eq!(found.rung, None);
/// # Ok::<_, locator::NotComparable>(())
/// ```
///
/// # Errors
///
/// A relative reference: it must be resolved first. Two that were read by different editions.
pub fn compare(first: UriRef<'_>, second: UriRef<'_>) -> Result<Comparison, NotComparable> {
    Ladder::new().compare(first, second)
}

/// The ladder, and what the caller says about it.
///
/// ```
/// use locator::{Ladder, Rung, uri, uri_ref};
///
/// let (data, slash) = (uri!("http://example.com/data"), uri!("http://example.com/data/"));
/// let seen = [(data, slash)];
/// let ladder = Ladder::new().without_fragments().with_redirects(&seen);
/// assert_eq!(ladder.compare(*data, *slash)?.rung, Some(Rung::Protocol));
/// assert_eq!(ladder.compare(*data, uri_ref!("http://example.com/data#a"))?.rung, Some(Rung::Simple));
/// # Ok::<_, locator::NotComparable>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ladder<'a> {
    without_fragments: bool,
    redirects: &'a [(Uri<'a>, Uri<'a>)],
    schemes: &'a Registry<'a>,
}

impl<'a> Ladder<'a> {
    /// Fragments take part, no redirect was seen, and the schemes are those that are known here.
    pub const fn new() -> Self {
        Self { without_fragments: false, redirects: &[], schemes: Registry::BUILT_IN }
    }

    /// "When URIs are compared to select (or avoid) a network action, such as retrieval of a
    /// representation, fragment components (if any) should be excluded from the comparison."
    #[must_use]
    pub const fn without_fragments(self) -> Self {
        Self { without_fragments: true, ..self }
    }

    /// The redirects that were seen, each from the first to the second; several may make a chain.
    /// Two that redirect to the same are not taken for each other. What was read by another edition
    /// than the two that are compared, or leads to a fragment, is no evidence.
    #[must_use]
    pub const fn with_redirects(self, seen: &'a [(Uri<'a>, Uri<'a>)]) -> Self {
        Self { redirects: seen, ..self }
    }

    /// The schemes whose equivalences are known: a caller's own besides ours.
    #[must_use]
    pub const fn with_schemes(self, schemes: &'a Registry<'a>) -> Self {
        Self { schemes, ..self }
    }

    /// Compares two absolute references.
    ///
    /// ```
    /// use locator::{Ladder, Rung, uri_ref};
    ///
    /// let ladder = Ladder::new().without_fragments();
    /// assert_eq!(ladder.compare(uri_ref!("urn:a-b:c#d"), uri_ref!("URN:A-B:c"))?.rung, Some(Rung::Scheme));
    /// # Ok::<_, locator::NotComparable>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A relative reference: it must be resolved first. Two that were read by different editions.
    pub fn compare(&self, first: UriRef<'_>, second: UriRef<'_>) -> Result<Comparison, NotComparable> {
        if first.scheme().is_none() {
            return Err(NotComparable::FirstIsRelative);
        }
        if second.scheme().is_none() {
            return Err(NotComparable::SecondIsRelative);
        }
        let (one, other) = (first.edition(), second.edition());
        if one != other {
            return Err(NotComparable::EditionsDiffer { first: one, second: other });
        }
        let rung = self.rung(first, second);
        let mut differences = match rung {
            Some(Rung::Simple) => Vec::new(),
            _ => difference::all(first, second, self),
        };
        // What no normal form makes one, the scheme itself calls equivalent.
        for one in
            differences.iter_mut().filter(|one| rung == Some(Rung::Scheme) && one.kind.rung().is_none())
        {
            one.kind = DifferenceKind::Scheme;
        }
        Ok(Comparison { rung, differences })
    }

    fn rung(&self, first: UriRef<'_>, second: UriRef<'_>) -> Option<Rung> {
        if self.cut(first) == self.cut(second) {
            return Some(Rung::Simple);
        }
        let normal = |level| [first, second].map(|one| one.normalize_with(level, self.schemes));
        let [one, other] = normal(Level::Syntax);
        if self.cut(one.as_uri_ref()) == self.cut(other.as_uri_ref()) {
            return Some(Rung::Syntax);
        }
        let [one, other] = normal(Level::Scheme);
        if self.meet_by_scheme(one.as_uri_ref(), other.as_uri_ref()) {
            return Some(Rung::Scheme);
        }
        let meet = redirects::lead(self.redirects, first, second, self.schemes)
            && (self.without_fragments || fragment(first) == fragment(second));
        meet.then_some(Rung::Protocol)
    }

    /// Whether two references in normal form are equivalent by their scheme.
    fn meet_by_scheme(&self, one: UriRef<'_>, other: UriRef<'_>) -> bool {
        let same_fragment = self.without_fragments || one.part(Part::Fragment) == other.part(Part::Fragment);
        let same = || Forms::new(one, Level::Scheme, self.schemes).is_equivalent(other);
        self.compared(one) == self.compared(other) || same_fragment && same()
    }

    /// The components that take part by the scheme: those of a reference in normal form.
    fn compared<'t>(&self, normal: UriRef<'t>) -> Components<'t> {
        let forms = Forms::new(normal, Level::Scheme, self.schemes);
        let all = Components::of(normal);
        let query = all.query.filter(|_| forms.is_compared(Part::Query));
        let has_fragment = !self.without_fragments && forms.is_compared(Part::Fragment);
        Components { query, fragment: all.fragment.filter(|_| has_fragment), ..all }
    }

    /// The text that takes part.
    fn cut<'t>(&self, reference: UriRef<'t>) -> &'t str {
        if self.without_fragments { without_fragment(reference) } else { reference.as_str() }
    }
}

impl Default for Ladder<'_> {
    fn default() -> Self {
        Self::new()
    }
}

fn without_fragment(reference: UriRef<'_>) -> &str {
    reference.as_str().get(..reference.parts().query_end as usize).unwrap_or_default()
}

/// The fragment in normal form.
fn fragment(reference: UriRef<'_>) -> Option<String> {
    let normal = reference.normalize(Level::Syntax);
    normal.as_uri_ref().part(Part::Fragment).map(String::from)
}

/// Why two references are not compared.
///
/// ```
/// let error = locator::compare(locator::uri_ref!("http://h/a"), locator::uri_ref!("a")).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the second reference is relative: it must be resolved before it is compared (RFC 3986, 6.1)"
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotComparable {
    /// The first one has no scheme.
    FirstIsRelative,
    /// The second one has no scheme.
    SecondIsRelative,
    /// What is equivalent by one edition may differ by another.
    EditionsDiffer {
        /// The edition of the first.
        first: &'static Edition,
        /// The edition of the second.
        second: &'static Edition,
    },
}

impl NotComparable {
    /// The sentence alone, without document and section.
    pub fn message(&self) -> impl Display {
        Message(*self)
    }

    /// Document and section, where one says so: `RFC 3986, 6.1`.
    pub const fn see(&self) -> Option<&'static str> {
        match self {
            // "applications should not directly compare relative references; the references should be
            // converted to their respective target URIs before comparison"
            Self::FirstIsRelative | Self::SecondIsRelative => Some("RFC 3986, 6.1"),
            Self::EditionsDiffer { .. } => None,
        }
    }
}

impl Display for NotComparable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)?;
        self.see().map_or(Ok(()), |see| write!(f, " ({see})"))
    }
}

/// The sentence of an error.
struct Message(NotComparable);

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let relative = |f: &mut Formatter<'_>, which| {
            write!(f, "the {which} reference is relative: it must be resolved before it is compared")
        };
        match self.0 {
            NotComparable::FirstIsRelative => relative(f, "first"),
            NotComparable::SecondIsRelative => relative(f, "second"),
            NotComparable::EditionsDiffer { first, second } => write!(
                f,
                "the first reference was read by {first} and the second by {second}: read both by one edition"
            ),
        }
    }
}

impl core::error::Error for NotComparable {}
