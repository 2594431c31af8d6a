//! Compares references in sets and maps by normal form. Takes a reference and a level, and keeps
//! both texts.

use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

use super::Level;
use crate::reference::{UriRef, UriRefCow};
#[cfg(feature = "schemes")]
use crate::scheme::Registry;

/// A reference whose equality, order and hash are those of its normal form.
///
/// References themselves are compared by their text (RFC 3986, section 6.2.1). Use this type for
/// sets in which equivalent references are equal. All in one set should have the same level and
/// edition.
///
/// ```
/// use locator::{Level, NormalizedKey, uri_ref};
/// use std::collections::HashSet;
///
/// let four = [
///     uri_ref!("http://example.com"),
///     uri_ref!("http://example.com/"),
///     uri_ref!("http://example.com:/"),
///     uri_ref!("http://example.com:80/"),
/// ];
/// let set: HashSet<_> =
///     four.iter().map(|one| NormalizedKey::new(*one, Level::Scheme)).collect();
/// assert_eq!(set.len(), 1);
/// assert_eq!(set.iter().next().unwrap().reference(), "http://example.com");
/// ```
#[derive(Clone, Debug)]
pub struct NormalizedKey<'a> {
    reference: UriRef<'a>,
    normal: UriRefCow<'a>,
}

impl<'a> NormalizedKey<'a> {
    /// Creates a key that compares a reference by its normal form of that level.
    #[inline]
    #[must_use]
    pub fn new(reference: impl Into<UriRef<'a>>, level: Level) -> Self {
        let reference = reference.into();
        Self { reference, normal: reference.normalize(level) }
    }

    /// Creates a key that compares by the schemes of a registry, which may contain the caller's
    /// own.
    #[cfg(feature = "schemes")]
    #[must_use]
    pub fn with(reference: impl Into<UriRef<'a>>, level: Level, schemes: &Registry<'_>) -> Self {
        let reference = reference.into();
        Self { reference, normal: reference.normalize_with(level, schemes) }
    }

    /// Returns the reference as it was given.
    #[must_use]
    pub const fn reference(&self) -> UriRef<'a> {
        self.reference
    }

    /// Returns the normal form of the reference.
    #[must_use]
    pub const fn normal(&self) -> &UriRefCow<'a> {
        &self.normal
    }
}

impl PartialEq for NormalizedKey<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.normal == other.normal
    }
}

impl Eq for NormalizedKey<'_> {}

impl PartialOrd for NormalizedKey<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for NormalizedKey<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.normal.cmp(&other.normal)
    }
}

impl Hash for NormalizedKey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.normal.hash(state);
    }
}
