//! The references that a base joins: a text, or a reference that is parsed already.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;

use crate::edition::Edition;
use crate::error::ParseError;
use crate::reference::{Uri, UriBuf, UriCow, UriRef, UriRefBuf, UriRefCow};

/// A reference to join with a base: a text, or a reference that is parsed already.
///
/// A text is parsed by the edition of the base.
///
/// ```
/// use locator::{UriRefBuf, uri, uri_ref};
///
/// const PAGE: locator::Uri = uri!("http://h/docs/intro.html");
///
/// let link: UriRefBuf = PAGE.relativize(uri!("http://h/img/a.png"))?;
/// assert_eq!(PAGE.join(&link)?, "http://h/img/a.png");
/// assert_eq!(PAGE.join(uri_ref!("?q"))?, "http://h/docs/intro.html?q");
/// assert_eq!(PAGE.join(&String::from("b"))?, "http://h/docs/b");
/// # Ok::<_, locator::ResolveError>(())
/// ```
pub trait IntoReference<'r>: sealed::Sealed<'r> {}

mod sealed {
    use super::{Edition, ParseError, UriRef};

    pub trait Sealed<'r> {
        /// Returns the reference. A text is parsed by the edition.
        fn parse_by(self, edition: &'static Edition) -> Result<UriRef<'r>, ParseError>;
    }
}

/// Implements the trait for types whose values this function makes a reference of.
macro_rules! into_reference {
    ($($parse:expr => $($type:ty),* $(,)?;)*) => {$($(
        impl<'r> IntoReference<'r> for $type {}

        impl<'r> sealed::Sealed<'r> for $type {
            #[inline]
            fn parse_by(self, edition: &'static Edition) -> Result<UriRef<'r>, ParseError> {
                $parse(self, edition)
            }
        }
    )*)*};
}

into_reference! {
    UriRef::parse_with => &'r str, &'r &str, &'r String, &'r Box<str>, &'r Cow<'_, str>;
    parsed =>
        UriRef<'r>,
        &UriRef<'r>,
        Uri<'r>,
        &Uri<'r>,
        &'r UriRefBuf,
        &'r UriBuf,
        &'r UriRefCow<'_>,
        &'r UriCow<'_>;
}

/// Returns a reference that is parsed already.
#[inline]
fn parsed<'r>(reference: impl Into<UriRef<'r>>, _: &'static Edition) -> Result<UriRef<'r>, ParseError> {
    Ok(reference.into())
}
