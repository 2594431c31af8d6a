//! Secrets: octets that are sent, but not shown.

use alloc::vec::Vec;
use core::fmt::{self, Debug, Display, Formatter};

use super::shown::Shown;

/// A password or another secret. `Debug` and `Display` write `(password)`; [`reveal`](Self::reveal)
/// returns the octets.
///
/// ```
/// use locator::plan::Secret;
///
/// let secret = Secret::new("s3cret");
/// assert_eq!(format!("{secret} {secret:?}"), "(password) (password)");
/// assert_eq!(secret.reveal(), b"s3cret");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// Creates a secret.
    #[must_use]
    pub fn new(octets: impl Into<Vec<u8>>) -> Self {
        Self(octets.into())
    }

    /// Returns the octets.
    #[must_use]
    pub fn reveal(&self) -> &[u8] {
        &self.0
    }
}

impl Debug for Secret {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl Display for Secret {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("(password)")
    }
}

impl Secret {
    /// Writes `(password)`, or the octets where secrets are to be shown: `{:#}`.
    pub(super) fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if f.alternate() { Shown(&self.0).fmt(f) } else { Display::fmt(self, f) }
    }
}
