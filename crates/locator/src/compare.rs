//! Compares two references for equivalence by the comparison ladder.
//!
//! Takes two absolute references and the redirects that the caller has seen. Returns the first rung
//! on which they are equivalent, if any, and the differences. Follows RFC 3986, section 6, and
//! section 6 of draft-fielding-uri-rfc2396bis-01: "minimize false negatives while strictly avoiding
//! false positives".

mod difference;
mod error;
mod hosts;
mod ladder;
mod redirects;
mod rung;

use alloc::vec::Vec;

pub use difference::{Difference, DifferenceKind};
pub use error::CompareError;
pub use ladder::Ladder;
pub use rung::Rung;

use crate::normalize::Level;
use crate::reference::{UriRef, delegate};
use error::check_comparable;

/// The result of comparing two references (RFC 3986, 6.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The first rung on which they are equivalent. `None` does not mean that they identify
    /// different resources.
    pub rung: Option<Rung>,
    /// The differences, from left to right.
    pub differences: Vec<Difference>,
}

impl Comparison {
    /// Returns whether the references are equivalent on some rung.
    #[must_use]
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
/// # Ok::<_, locator::CompareError>(())
/// ```
///
/// # Errors
///
/// Returns an error if a reference is relative (resolve it first), or if different editions parsed
/// the two.
#[cfg(feature = "schemes")]
pub fn compare<'a, 'b>(
    first: impl Into<UriRef<'a>>,
    second: impl Into<UriRef<'b>>,
) -> Result<Comparison, CompareError> {
    Ladder::new().compare(first, second)
}

impl Ladder<'_> {
    /// Compares two absolute references.
    ///
    /// ```
    /// use locator::{Ladder, Rung, uri_ref};
    ///
    /// let ladder = Ladder::new().without_fragments();
    /// assert_eq!(ladder.compare(uri_ref!("urn:a-b:c#d"), uri_ref!("URN:A-B:c"))?.rung, Some(Rung::Scheme));
    /// # Ok::<_, locator::CompareError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a reference is relative (resolve it first), or if different editions
    /// parsed the two.
    pub fn compare<'f, 's>(
        &self,
        first: impl Into<UriRef<'f>>,
        second: impl Into<UriRef<'s>>,
    ) -> Result<Comparison, CompareError> {
        self.compare_references(first.into(), second.into())
    }

    fn compare_references(&self, first: UriRef<'_>, second: UriRef<'_>) -> Result<Comparison, CompareError> {
        check_comparable(first, second)?;
        let rung = self.rung(first, second);
        let mut differences = match rung {
            Some(Rung::Simple) => Vec::new(),
            _ => difference::all(first, second, self),
        };
        // References with different normal forms may be equivalent by a rule of the scheme.
        for one in
            differences.iter_mut().filter(|one| rung == Some(Rung::Scheme) && one.kind.rung().is_none())
        {
            one.kind = DifferenceKind::Scheme;
        }
        Ok(Comparison { rung, differences })
    }
}

impl UriRef<'_> {
    /// Returns whether two references with schemes are equivalent at a level, fragments included.
    ///
    /// `false` does not mean that they identify different resources (RFC 3986, section 6.1).
    /// [`compare()`] returns the differences.
    ///
    /// ```
    /// use locator::{Level, uri};
    ///
    /// let (one, other) = (uri!("HTTP://example.com/%7Ea"), uri!("http://example.com:80/~a"));
    /// assert!(!one.is_equivalent(other, Level::Syntax)?);
    /// assert!(one.is_equivalent(other, Level::Scheme)?);
    /// # Ok::<_, locator::CompareError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if one has no scheme (resolve it first), or if different editions parsed
    /// them.
    #[inline]
    pub fn is_equivalent<'o>(self, other: impl Into<UriRef<'o>>, level: Level) -> Result<bool, CompareError> {
        let other = other.into();
        // As in normalization, the schemes are linked only if the level needs them.
        match level {
            Level::Syntax => Ladder::by_syntax().is_equivalent(self, other),
            #[cfg(feature = "schemes")]
            Level::Scheme => Ladder::new().is_equivalent(self, other),
        }
    }
}

delegate! {
    /// Returns whether two references with schemes are equivalent at a level, fragments included.
    fn is_equivalent<'o>(other: impl Into<UriRef<'o>>, level: Level) -> Result<bool, CompareError>;
}
