//! Lookup of editions by name: `rfc3986`, `url-1994`, `rfc3986+zones`.

use core::fmt::{self, Display, Formatter};
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use super::{ALL, Edition, WITH_OPTIONS, from_name};
use crate::as_text::error_as_sentence;

impl Edition {
    /// Returns the edition with this name, ignoring case, or `None` if no edition has it.
    ///
    /// ```
    /// use locator::Edition;
    /// use locator::edition::{RFC1738, RFC3986_WITH_ZONES};
    ///
    /// assert_eq!(Edition::from_name("RFC1738"), Some(&RFC1738));
    /// assert_eq!(Edition::from_name("rfc3986+zones"), Some(&RFC3986_WITH_ZONES));
    /// assert_eq!(Edition::from_name("rfc0001"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<&'static Self> {
        from_name(name)
    }
}

/// Parses the name of an edition, ignoring case.
///
/// ```
/// use locator::Edition;
///
/// let edition: &Edition = "rfc3987".parse()?;
/// assert_eq!(edition.document, "RFC 3987");
/// # Ok::<_, locator::edition::UnknownEditionError>(())
/// ```
impl FromStr for &'static Edition {
    type Err = UnknownEditionError;

    fn from_str(name: &str) -> Result<Self, UnknownEditionError> {
        Edition::from_name(name).ok_or(UnknownEditionError(()))
    }
}

/// Hashes the name, consistent with equality.
impl Hash for Edition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// The error of a name that no edition has.
///
/// ```
/// let error = "rfc1".parse::<&locator::Edition>().unwrap_err();
/// assert!(
///     error
///         .to_string()
///         .starts_with("no edition has this name; the names are url-1993, ")
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct UnknownEditionError(());

impl Display for UnknownEditionError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("no edition has this name; the names are ")?;
        let mut names = ALL.into_iter().chain(WITH_OPTIONS).enumerate();
        names.try_for_each(|(i, edition)| write!(f, "{}{edition}", if i == 0 { "" } else { ", " }))
    }
}

error_as_sentence!(UnknownEditionError);
