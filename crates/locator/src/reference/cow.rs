//! References that are borrowed if nothing changed, and owned otherwise.

use alloc::borrow::Cow;
use alloc::string::String;

use super::{Uri, UriBuf, UriRef, UriRefBuf};
use crate::error::{FromStringError, ParseError};

/// A reference that is borrowed or owned: the result of normalising or converting one.
///
/// It has all methods of [`UriRef`]. [`UriCow`] always has a scheme.
///
/// ```
/// use locator::{Level, UriRefCow, uri_ref};
///
/// let reference = uri_ref!("http://h/%7Ea");
/// let normal = reference.normalize(Level::Syntax);
/// assert_eq!(normal, "http://h/~a");
/// assert_eq!(normal.path(), "/~a");
/// assert!(!normal.is_borrowed());
/// assert!(matches!(
///     uri_ref!("http://h/~a").normalize(Level::Syntax),
///     UriRefCow::Borrowed(_)
/// ));
/// ```
#[derive(Clone)]
pub enum UriRefCow<'a> {
    /// A borrowed reference: nothing changed and nothing was copied.
    Borrowed(UriRef<'a>),
    /// The changed reference.
    Owned(UriRefBuf),
}

/// A URI that is borrowed or owned: the result of normalising or converting one, which keeps its
/// scheme.
///
/// It has all methods of [`Uri`].
///
/// ```
/// use locator::{Level, UriBuf, uri};
///
/// let uri = uri!("HTTP://h/");
/// let normal = uri.normalize(Level::Syntax);
/// assert_eq!(normal.scheme().as_str(), "http");
/// let owned: UriBuf = normal.into_owned();
/// assert_eq!(owned, "http://h/");
/// ```
#[derive(Clone)]
pub enum UriCow<'a> {
    /// A borrowed URI: nothing changed and nothing was copied.
    Borrowed(Uri<'a>),
    /// The changed URI.
    Owned(UriBuf),
}

impl UriRefCow<'_> {
    /// Returns the reference, borrowed.
    #[must_use]
    pub fn as_uri_ref(&self) -> UriRef<'_> {
        match self {
            Self::Borrowed(reference) => *reference,
            Self::Owned(reference) => reference.as_uri_ref(),
        }
    }
}

impl<'a> UriCow<'a> {
    /// Creates one from a reference that is known to have a scheme.
    pub(crate) fn of_absolute(reference: UriRefCow<'a>) -> Self {
        match reference {
            UriRefCow::Borrowed(reference) => Self::Borrowed(Uri::of_absolute(reference)),
            UriRefCow::Owned(reference) => Self::Owned(UriBuf::of_absolute(reference)),
        }
    }

    /// Returns the URI, borrowed.
    #[must_use]
    pub fn as_uri(&self) -> Uri<'_> {
        match self {
            Self::Borrowed(uri) => *uri,
            Self::Owned(uri) => uri.as_uri(),
        }
    }

    /// Returns the URI as a borrowed reference.
    #[must_use]
    pub fn as_uri_ref(&self) -> UriRef<'_> {
        self.as_uri().as_uri_ref()
    }
}

/// Implements what both types have, apart from the names of the borrowed and the owned type.
macro_rules! cow {
    ($($cow:ident of $borrowed:ident, $owned:ident by $as_borrowed:ident);*) => {$(
        impl<'a> $cow<'a> {
            /// Returns the text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                self.as_uri_ref().as_str()
            }

            /// Returns whether this is borrowed, that is, unchanged and not copied.
            #[must_use]
            pub const fn is_borrowed(&self) -> bool {
                matches!(self, Self::Borrowed(_))
            }

            /// Returns the text, borrowed from the original if nothing changed.
            #[must_use]
            pub fn into_cow(self) -> Cow<'a, str> {
                match self {
                    Self::Borrowed(borrowed) => Cow::Borrowed(borrowed.as_str()),
                    Self::Owned(owned) => Cow::Owned(owned.into_string()),
                }
            }

            /// Returns the text as a `String`.
            #[must_use]
            pub fn into_string(self) -> String {
                self.into_cow().into_owned()
            }

            /// Converts this into a reference that owns its text.
            #[must_use]
            pub fn into_owned(self) -> $owned {
                match self {
                    Self::Borrowed(borrowed) => borrowed.to_owned(),
                    Self::Owned(owned) => owned,
                }
            }
        }

        impl<'a> From<$borrowed<'a>> for $cow<'a> {
            fn from(borrowed: $borrowed<'a>) -> Self {
                Self::Borrowed(borrowed)
            }
        }

        impl From<$owned> for $cow<'_> {
            fn from(owned: $owned) -> Self {
                Self::Owned(owned)
            }
        }

        impl From<$cow<'_>> for $owned {
            fn from(cow: $cow<'_>) -> Self {
                cow.into_owned()
            }
        }

        impl<'a> From<&'a $cow<'_>> for $borrowed<'a> {
            fn from(cow: &'a $cow<'_>) -> Self {
                cow.$as_borrowed()
            }
        }
    )*};
}

cow!(UriRefCow of UriRef, UriRefBuf by as_uri_ref; UriCow of Uri, UriBuf by as_uri);

impl Default for UriRefCow<'_> {
    fn default() -> Self {
        Self::Borrowed(UriRef::default())
    }
}

impl<'a> From<Uri<'a>> for UriRefCow<'a> {
    fn from(uri: Uri<'a>) -> Self {
        Self::Borrowed(uri.as_uri_ref())
    }
}

impl From<UriBuf> for UriRefCow<'_> {
    fn from(uri: UriBuf) -> Self {
        Self::Owned(uri.into())
    }
}

impl<'a> From<UriCow<'a>> for UriRefCow<'a> {
    fn from(uri: UriCow<'a>) -> Self {
        match uri {
            UriCow::Borrowed(uri) => uri.into(),
            UriCow::Owned(uri) => uri.into(),
        }
    }
}

impl<'a> From<&'a UriCow<'_>> for UriRef<'a> {
    fn from(uri: &'a UriCow<'_>) -> Self {
        uri.as_uri_ref()
    }
}

impl<'a> TryFrom<&'a UriRefCow<'_>> for Uri<'a> {
    type Error = ParseError;

    fn try_from(reference: &'a UriRefCow<'_>) -> Result<Self, ParseError> {
        reference.as_uri_ref().try_into()
    }
}

/// Moves or borrows the text without parsing it again; the error gives it back.
impl<'a> TryFrom<UriRefCow<'a>> for UriCow<'a> {
    type Error = FromStringError;

    fn try_from(reference: UriRefCow<'a>) -> Result<Self, FromStringError> {
        match reference.as_uri_ref().try_into() {
            Ok::<Uri<'_>, _>(_) => Ok(Self::of_absolute(reference)),
            Err(error) => Err(FromStringError::new(error, reference.into_string())),
        }
    }
}

/// Moves an owned text without parsing it again; the error gives it back.
impl TryFrom<UriRefCow<'_>> for UriBuf {
    type Error = FromStringError;

    fn try_from(reference: UriRefCow<'_>) -> Result<Self, FromStringError> {
        UriCow::try_from(reference).map(UriCow::into_owned)
    }
}
