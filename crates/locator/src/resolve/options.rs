//! The choices that the documents leave to the caller. Each choice that the caller does not make
//! has the edition's own default.
//!
//! The references that a base joins: a text, or a reference that is parsed already.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;

use crate::edition::{Edition, PathUnderflow, Resolution, SameDocument};
use crate::error::ParseError;
use crate::reference::{Uri, UriBuf, UriCow, UriRef, UriRefBuf, UriRefCow};

/// The choices that the documents leave to the caller when a reference is resolved.
///
/// ```
/// use locator::edition::{SameDocument, PathUnderflow};
/// use locator::{Base, ResolveOptions, uri, uri_ref};
///
/// let base = Base::new(uri!("http://a/b/c/d;p?q"))?;
/// let kept = ResolveOptions::new().path_underflow(PathUnderflow::Keep);
/// let mut target = String::new();
/// base.resolve_into(uri_ref!("../../../g"), kept, &mut target)?;
/// assert_eq!(target, "http://a/../g");
///
/// let lenient = ResolveOptions::new().same_scheme(true);
/// base.resolve_into(uri_ref!("http:g"), lenient, &mut target)?;
/// assert_eq!(target, "http://a/b/c/g");
/// # Ok::<_, locator::ResolveError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResolveOptions {
    pub(crate) path_underflow: Option<PathUnderflow>,
    pub(crate) same_document: Option<SameDocument>,
    pub(crate) same_scheme: bool,
    pub(crate) path_relative: bool,
}

impl ResolveOptions {
    /// Creates options with the edition's own choices, and strict ones where the edition has no
    /// rule.
    #[must_use]
    pub const fn new() -> Self {
        Self { path_underflow: None, same_document: None, same_scheme: false, path_relative: false }
    }

    /// Sets the handling of ".." above the root.
    ///
    /// By default the edition decides: RFC 3986 (5.2.4) and RFC 3987 remove it, earlier editions
    /// keep it (2003, C.2).
    ///
    /// ```
    /// use locator::edition::PathUnderflow;
    /// use locator::{Base, ResolveOptions, UriRef, uri};
    ///
    /// let base = Base::new(uri!("http://a/b"))?;
    /// let link = UriRef::parse("../../c").unwrap();
    /// assert_eq!(base.resolve(link)?.uri().unwrap(), "http://a/c");
    /// let strict = ResolveOptions::new().path_underflow(PathUnderflow::Refuse);
    /// assert!(base.resolve_with(link, strict).is_err());
    /// # Ok::<_, locator::ResolveError>(())
    /// ```
    #[must_use]
    pub const fn path_underflow(self, underflow: PathUnderflow) -> Self {
        Self { path_underflow: Some(underflow), ..self }
    }

    /// Sets the meaning of an empty reference.
    ///
    /// By default the edition decides: the base in RFC 3986 (5.4.1) and RFC 3987, the current
    /// document in earlier editions (1997, 5.2 step 2).
    #[must_use]
    pub const fn same_document(self, meaning: SameDocument) -> Self {
        Self { same_document: Some(meaning), ..self }
    }

    /// Sets whether a scheme equal to the base's is removed from the reference, so that `http:g` is
    /// relative.
    ///
    /// This is an old habit ("a loophole in prior specifications", RFC 3986, 5.4.2) and is off by
    /// default.
    ///
    /// ```
    /// use locator::{Base, ResolveOptions, UriRef, uri};
    ///
    /// let base = Base::new(uri!("http://a/b/c"))?;
    /// let link = UriRef::parse("http:d").unwrap();
    /// assert_eq!(base.resolve(link)?.uri().unwrap(), "http:d");
    /// let old = ResolveOptions::new().same_scheme(true);
    /// assert_eq!(base.resolve_with(link, old)?.uri().unwrap(), "http://a/b/d");
    /// # Ok::<_, locator::ResolveError>(())
    /// ```
    #[must_use]
    pub const fn same_scheme(self, is_relative: bool) -> Self {
        Self { same_scheme: is_relative, ..self }
    }

    /// Sets whether [`Base::make_relative_with`] prefers a relative path, which does not begin with
    /// "/".
    ///
    /// It then returns one wherever it exists and the target has the base's scheme and authority.
    /// Use it for documents that are read from a file or moved as a whole.
    ///
    /// ```
    /// use locator::{Base, ResolveOptions, uri};
    ///
    /// let base = Base::new(uri!("http://h/a/b/c"))?;
    /// let target = uri!("http://h/d");
    /// assert_eq!(base.make_relative(target)?, "/d");
    /// assert_eq!(
    ///     base.make_relative_with(target, ResolveOptions::new().path_relative(true))?,
    ///     "../../d"
    /// );
    /// # Ok::<_, locator::ResolveError>(())
    /// ```
    ///
    /// [`Base::make_relative_with`]: crate::Base::make_relative_with
    #[must_use]
    pub const fn path_relative(self, yes: bool) -> Self {
        Self { path_relative: yes, ..self }
    }

    pub(super) fn leftover_by(self, rule: &Resolution) -> PathUnderflow {
        self.path_underflow.unwrap_or(rule.leftover)
    }

    pub(super) fn empty_by(self, rule: &Resolution) -> SameDocument {
        self.same_document.unwrap_or(rule.empty)
    }
}

/// A reference to join with a base: a text, or a reference that is parsed already.
///
/// A text is parsed by the edition of the base.
///
/// ```
/// use locator::{UriRefBuf, uri, uri_ref};
///
/// const PAGE: locator::Uri = uri!("http://h/docs/intro.html");
///
/// let link: UriRefBuf = PAGE.make_relative(uri!("http://h/img/a.png"))?;
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
