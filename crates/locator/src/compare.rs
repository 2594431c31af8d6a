//! Compares two URIs for equivalence, and says where they differ.
//!
//! [`compare()`] takes two absolute references and returns a [`Comparison`]: the first [`Rung`] of the
//! ladder of RFC 3986, section 6.2, on which they are equivalent, if there is one, and every
//! [`Difference`] with its place in both texts. It also follows section 6 of
//! draft-fielding-uri-rfc2396bis-01: "minimize false negatives while strictly avoiding false
//! positives". URIs that are reported as equivalent identify the same resource by the documents; URIs
//! that are not may do so nevertheless, which only their servers know.
//!
//! # When
//!
//! - To decide whether two links lead to the same page, and to show a person why not.
//! - To test a rewriting, such as a migration of links: each new URL must be equivalent to its old one.
//!
//! For a yes or no by the syntax alone, `==` on [`normalize`](crate::UriRef::normalize) is enough, and
//! for many URIs a [`NormalizedKey`](crate::NormalizedKey) is right: comparing is for pairs.
//!
//! # The ladder
//!
//! | rung | the URIs are equal | by |
//! |---|---|---|
//! | [`Rung::Simple`] | as texts | 6.2.1 |
//! | [`Rung::Syntax`] | after case, escapes and dot segments are normalised | 6.2.2 |
//! | [`Rung::Scheme`] | after the rules of their scheme are applied: ports, empty paths | 6.2.3 |
//! | [`Rung::Idn`] | after their hosts are read as domain names, if asked for | RFC 3987, 5.3.3 |
//! | [`Rung::Number`] | after their hosts are read as IPv4 addresses, if asked for | 7.4 |
//! | [`Rung::Protocol`] | by a redirect that the caller has seen | 6.2.4 |
//!
//! A higher rung costs more and says less: the lower ones are true for every program.
//!
//! ```
//! use locator::{Rung, compare, uri};
//!
//! let found = compare(uri!("HTTP://h:80/%7Ejan"), uri!("http://h/~jan"))?;
//! assert_eq!(found.rung, Some(Rung::Scheme));
//! assert!(found.is_equivalent());
//! let names: Vec<_> =
//!     found.differences.iter().map(|one| one.kind.name()).collect();
//! assert_eq!(names, ["case", "port", "escape"]);
//! # Ok::<_, locator::CompareError>(())
//! ```
//!
//! A [`Ladder`] is a comparison with options. By default fragments count; a page that is fetched is the
//! same with any of them:
//!
//! ```
//! use locator::{Ladder, Rung, uri};
//!
//! let (one, other) = (uri!("http://h/a#top"), uri!("http://h/a#end"));
//! assert!(!Ladder::new().compare(one, other)?.is_equivalent());
//! assert!(
//!     Ladder::new().without_fragments().compare(one, other)?.is_equivalent()
//! );
//!
//! let seen = [(uri!("http://h/old"), uri!("http://h/new"))];
//! let found = Ladder::new()
//!     .with_redirects(&seen)
//!     .compare(uri!("http://h/old"), uri!("http://h/new"))?;
//! assert_eq!(found.rung, Some(Rung::Protocol));
//! # Ok::<_, locator::CompareError>(())
//! ```
//!
//! The spans of a difference are octets of the two texts, so that a program can mark them:
//!
//! ```
//! use locator::{Component, DifferenceKind, compare, uri};
//!
//! let (one, other) = (uri!("http://h/a?x=1"), uri!("http://h/a?x=2"));
//! let found = compare(one, other)?;
//! assert_eq!(found.rung, None);
//! let difference = found.differences[0];
//! assert_eq!(
//!     (difference.component, difference.kind),
//!     (Component::Query, DifferenceKind::Content)
//! );
//! assert_eq!(&other.as_str()[difference.second.range()], "2");
//! # Ok::<_, locator::CompareError>(())
//! ```
//!
//! # Pitfalls
//!
//! - A relative reference cannot be compared: it identifies nothing without its base.
//!   [`CompareError::FirstIsRelative`] and its neighbour say so. Resolve both first.
//! - Both must be parsed by the same edition, because an escape that one decodes is kept by another.
//! - [`UriRef::is_equivalent`](crate::UriRef::is_equivalent) with a [`Level`] is
//!   `compare` up to that level; it reports no differences.
//! - Redirects are used as the caller gives them. A redirect that was temporary, or that a stranger
//!   sent, is no proof that two URIs are the same.
//! - Numeric hosts (`0x7f.1`) are addresses for some programs only, which is why that rung must be asked
//!   for: [`Ladder::with_addresses`].

mod difference;
mod error;
mod ladder;
use crate::normalize::Level;
use crate::reference::{UriRef, delegate};
use alloc::vec::Vec;
pub use difference::{Difference, DifferenceKind};
pub use error::CompareError;
use error::check_comparable;
pub use ladder::{Ladder, Rung};

/// The result of comparing two references (RFC 3986, 6.2).
///
/// ```
/// use locator::{compare, uri};
///
/// let same = compare(uri!("http://h/a"), uri!("http://h/a"))?;
/// assert!(same.is_equivalent() && same.differences.is_empty());
/// let other = compare(uri!("http://h/a"), uri!("http://h/b"))?;
/// assert!(!other.is_equivalent() && other.rung.is_none());
/// # Ok::<_, locator::CompareError>(())
/// ```
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
/// let found = compare(
///     uri_ref!("HTTP://example.com/%7Ea"),
///     uri_ref!("http://example.com:80/~a"),
/// )?;
/// assert_eq!(found.rung, Some(Rung::Scheme));
/// let kinds: Vec<_> =
///     found.differences.iter().map(|difference| difference.kind).collect();
/// assert_eq!(
///     kinds,
///     [DifferenceKind::Case, DifferenceKind::Port, DifferenceKind::Escape]
/// );
///
/// let found =
///     compare(uri_ref!("http://example.com/"), uri_ref!("http://example.com/?"))?;
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
    /// assert_eq!(
    ///     ladder.compare(uri_ref!("urn:a-b:c#d"), uri_ref!("URN:A-B:c"))?.rung,
    ///     Some(Rung::Scheme)
    /// );
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
    /// let (one, other) =
    ///     (uri!("HTTP://example.com/%7Ea"), uri!("http://example.com:80/~a"));
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
    "Comparing":
    /// Returns whether two references with schemes are equivalent at a level, fragments included.
    fn is_equivalent<'o>(other: impl Into<UriRef<'o>>, level: Level) -> (Result<bool, CompareError>) {
        //! ```
        //! use locator::{Level, uri};
        //!
        //! let (bookmark, link) = (uri!("HTTPS://Example.com"), uri!("https://example.com/"));
        //! assert!(bookmark != link);
        //! # #[cfg(feature = "schemes")]
        //! assert!(bookmark.is_equivalent(link, Level::Scheme)?);
        //! # Ok::<_, locator::CompareError>(())
        //! ```
        //!
        //! # Errors
        //!
        //! Returns an error if one has no scheme, or if different editions parsed them.
    }
}
