//! The base that references are resolved against: checked once, used many times.
//! [`BaseStack`](super::BaseStack) finds the base of a document.
//!
//! Takes a URI and returns a [`Base`], which resolves and relativizes references. RFC 3986, section
//! 5.1: the base is absolute, and its fragment is removed.

use super::directory::ResolutionBase;
use super::error::ResolveError;
use super::relativize;
use crate::as_text::{compares_by_text, text_traits_without_debug};
use crate::edition::{Edition, SameDocument};
use crate::reference::{Iri, IriBuf, Uri, UriBuf, UriCow, UriRef, UriRefBuf, delegate};
use crate::resolve::{IntoReference, ResolveOptions, Resolved};
use alloc::string::String;
use core::fmt;

/// A URI that references are resolved against.
///
/// ```
/// use locator::edition::URL_1997;
/// use locator::{Base, Resolved, uri, uri_ref};
///
/// let base = Base::new(uri!("http://a/b/c/d;p?q#f"))?;
/// assert_eq!(base.as_str(), "http://a/b/c/d;p?q");
/// assert_eq!(base.resolve(uri_ref!("../g"))?.uri().unwrap(), "http://a/b/g");
/// assert_eq!(
///     base.resolve(uri_ref!("#s"))?.uri().unwrap(),
///     "http://a/b/c/d;p?q#s"
/// );
/// assert_eq!(base.make_relative(uri!("http://a/b/g"))?, "../g");
///
/// let base = Base::new(uri!("http://a/b/c/d;p?q", URL_1997))?;
/// let Resolved::CurrentDocument { fragment } =
///     base.resolve(uri_ref!("#s", URL_1997))?
/// else {
///     panic!()
/// };
/// assert_eq!(fragment.unwrap(), "s");
/// # Ok::<_, locator::ResolveError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Base<'b> {
    ground: ResolutionBase<'b>,
}

impl<'b> Base<'b> {
    /// Creates a base from a URI, without its fragment. For a reference that may be relative, there
    /// is `Base::try_from`.
    ///
    /// # Errors
    ///
    /// Returns [`ResolveError::NotDefined`] if the edition does not define how to resolve
    /// references.
    pub fn new(base: impl Into<Uri<'b>>) -> Result<Self, ResolveError> {
        Ok(Self { ground: ResolutionBase::new(base.into().as_uri_ref())? })
    }

    /// Returns the base, without its fragment.
    ///
    /// ```
    /// use locator::{Base, uri};
    ///
    /// assert_eq!(Base::new(uri!("http://a/b?q#f"))?.as_uri().query().unwrap(), "q");
    /// # Ok::<_, locator::ResolveError>(())
    /// ```
    #[must_use]
    pub const fn as_uri(&self) -> Uri<'b> {
        Uri::of_absolute(self.ground.base)
    }

    /// Returns the text of the base, without its fragment.
    #[must_use]
    pub const fn as_str(&self) -> &'b str {
        self.ground.base.as_str()
    }

    /// Returns the edition that parsed the base and resolves references.
    #[must_use]
    pub const fn edition(&self) -> &'static Edition {
        self.ground.edition()
    }

    /// Returns whether a relative path can be resolved against this base.
    ///
    /// It cannot if the base is opaque (RFC 2396, 3; 2003, 3). The other editions resolve against
    /// every base that has a scheme.
    ///
    /// ```
    /// use locator::edition::URI_2003;
    /// use locator::{Base, uri};
    ///
    /// assert!(!Base::new(uri!("mailto:jan@h", URI_2003))?.is_hierarchical());
    /// assert!(Base::new(uri!("mailto:jan@h"))?.is_hierarchical());
    /// # Ok::<_, locator::ResolveError>(())
    /// ```
    #[must_use]
    pub const fn is_hierarchical(&self) -> bool {
        self.ground.is_hierarchical()
    }

    /// Resolves a reference, which may be a text or parsed already. A text is parsed by the edition
    /// of the base. An empty reference resolves to the base, in every edition.
    ///
    /// ```
    /// use locator::{Base, uri};
    ///
    /// let base = Base::new(uri!("http://a/b/c"))?;
    /// assert_eq!(base.join("../d?q")?, "http://a/d?q");
    /// assert_eq!(base.join("")?, "http://a/b/c");
    /// let link = base.make_relative(uri!("http://a/d"))?;
    /// assert_eq!(base.join(&link)?, "http://a/d");
    /// # Ok::<_, locator::ResolveError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`ResolveError::InvalidReference`] if the text is not a reference, or an error of
    /// [`resolve`](Self::resolve).
    pub fn join<'r>(&self, reference: impl IntoReference<'r>) -> Result<UriBuf, ResolveError> {
        self.target(reference.parse_by(self.edition()).map_err(ResolveError::InvalidReference)?)
    }

    /// Returns the target of a reference, which is the base if the reference is empty.
    fn target(&self, reference: UriRef<'_>) -> Result<UriBuf, ResolveError> {
        let options = ResolveOptions::new().same_document(SameDocument::Base);
        match self.resolve_with(reference, options)? {
            Resolved::Uri(uri) => Ok(uri),
            // Every reference has a target with these options.
            Resolved::CurrentDocument { .. } => Ok(self.as_uri().to_owned()),
        }
    }

    /// Resolves a reference by the edition's rules (1993, Partial form; 1997, RFC 2396, 2003 and
    /// RFC 3986, 5.2).
    ///
    /// ```
    /// use locator::edition::URL_1997;
    /// use locator::{Base, Resolved, uri, uri_ref};
    ///
    /// let base = Base::new(uri!("http://a/b/c/d;p?q"))?;
    /// assert_eq!(base.resolve(uri_ref!("../g"))?.uri().unwrap(), "http://a/b/g");
    ///
    /// let base = Base::new(uri!("http://a/b/c/d;p?q", URL_1997))?;
    /// assert!(matches!(
    ///     base.resolve(uri_ref!("", URL_1997))?,
    ///     Resolved::CurrentDocument { fragment: None }
    /// ));
    /// # Ok::<_, locator::ResolveError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error as [`Self::resolve_with`] does.
    pub fn resolve<'r>(&self, reference: impl Into<UriRef<'r>>) -> Result<Resolved<'r>, ResolveError> {
        self.resolve_with(reference, ResolveOptions::new())
    }

    /// Resolves a reference with the caller's options.
    ///
    /// ```
    /// use locator::edition::PathUnderflow;
    /// use locator::{Base, ResolveOptions, uri, uri_ref};
    ///
    /// let base = Base::new(uri!("http://a/b"))?;
    /// let strict = ResolveOptions::new().path_underflow(PathUnderflow::Refuse);
    /// let error = base.resolve_with(uri_ref!("x/../../../g"), strict).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "\"..\" in the path of the reference leads above the root, at byte 5 (RFC 3986, 5.4.2)"
    /// );
    /// # Ok::<_, locator::ResolveError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`ResolveError::BaseOpaque`] if the reference is a relative path and the base has no
    /// hierarchy. Returns [`ResolveError::EditionsDiffer`] if another edition parsed the reference,
    /// and [`ResolveError::PathUnderflow`] if the options ask for it.
    pub fn resolve_with<'r>(
        &self,
        reference: impl Into<UriRef<'r>>,
        options: ResolveOptions,
    ) -> Result<Resolved<'r>, ResolveError> {
        let reference = reference.into();
        let mut text = String::with_capacity(self.as_str().len() + reference.as_str().len() + LONGEST_EXTRA);
        if !self.ground.write(&reference, options, &mut text)? {
            return Ok(Resolved::CurrentDocument { fragment: reference.fragment() });
        }
        let parts = match self.ground.parts_of_target(reference, options, text.len()) {
            Some(parts) => Ok(parts),
            None => UriRef::parse_with(&text, self.edition()).map(UriRef::spans),
        };
        // INVARIANT: a target that is written is valid.
        let parts = parts.map_err(|_| ResolveError::TooLong)?;
        Ok(Resolved::Uri(UriBuf::of_parts(text, parts, self.edition())))
    }

    /// Resolves a reference and writes the target over the contents of `out`. Nothing is allocated
    /// if `out` has capacity for the base, the reference and four more octets.
    ///
    /// `out` is empty after an error, and if the reference is to the current document.
    ///
    /// ```
    /// use locator::{Base, ResolveOptions, Resolved, uri, uri_ref};
    ///
    /// let base = Base::new(uri!("http://a/b/c/d;p?q"))?;
    /// let mut target = String::new();
    /// for reference in [uri_ref!("g"), uri_ref!("?y"), uri_ref!("//g")] {
    ///     let resolved =
    ///         base.resolve_into(reference, ResolveOptions::new(), &mut target)?;
    ///     assert!(matches!(
    ///         resolved,
    ///         Resolved::Uri("http://a/b/c/g" | "http://a/b/c/d;p?y" | "http://g")
    ///     ));
    /// }
    /// # Ok::<_, locator::ResolveError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error as [`Self::resolve_with`] does.
    #[inline]
    pub fn resolve_into<'r, 'o>(
        &self,
        reference: impl Into<UriRef<'r>>,
        options: ResolveOptions,
        out: &'o mut String,
    ) -> Result<Resolved<'r, &'o str>, ResolveError> {
        let reference = reference.into();
        Ok(match self.ground.write(&reference, options, out)? {
            true => Resolved::Uri(out),
            false => Resolved::CurrentDocument { fragment: reference.fragment() },
        })
    }

    /// Returns the shortest reference that resolves to exactly this target.
    ///
    /// ```
    /// use locator::{Base, uri};
    /// use locator::edition::URL_1997;
    ///
    /// let base = Base::new(uri!("http://a/b/c/d;p?q"))?;
    /// assert_eq!(base.make_relative(uri!("http://a/b/c/this:that"))?, "./this:that");
    /// assert_eq!(base.make_relative(uri!("http://a/b/c/d;p?q#s"))?, "#s");
    /// assert_eq!(base.make_relative(uri!("http://a/g"))?, "/g");
    /// assert_eq!(base.make_relative(uri!("http://b"))?, "//b");
    ///
    /// // Where "#s" is the current document, the target must be named.
    /// let base = Base::new(uri!("http://a/b/c/d;p?q", URL_1997))?;
    /// assert_eq!(base.make_relative(uri!("http://a/b/c/d;p?q#s", URL_1997))?, "d;p?q#s");
    /// # Ok::<_, locator::ResolveError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error as [`Self::make_relative_with`] does.
    pub fn make_relative<'t>(&self, target: impl Into<Uri<'t>>) -> Result<UriRefBuf, ResolveError> {
        self.make_relative_with(target, ResolveOptions::new())
    }

    /// Returns the shortest reference that resolves, with these options, to exactly this target. Of
    /// two equally short references, it returns the one that takes more from the base.
    ///
    /// ```
    /// use locator::edition::SameDocument;
    /// use locator::{Base, ResolveOptions, uri};
    ///
    /// let base = Base::new(uri!("http://a/b/c"))?;
    /// assert_eq!(base.make_relative(uri!("http://a/b/c"))?, "");
    /// let in_document =
    ///     ResolveOptions::new().same_document(SameDocument::CurrentDocument);
    /// assert_eq!(base.make_relative_with(uri!("http://a/b/c"), in_document)?, "c");
    /// # Ok::<_, locator::ResolveError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`ResolveError::Unreachable`] if there is no such reference, as for `http://a/./g`
    /// in RFC 3986. Returns [`ResolveError::EditionsDiffer`] if another edition parsed the target.
    pub fn make_relative_with<'t>(
        &self,
        target: impl Into<Uri<'t>>,
        options: ResolveOptions,
    ) -> Result<UriRefBuf, ResolveError> {
        relativize::shortest(&self.ground, target.into(), options)
    }
}

impl UriRef<'_> {
    /// Resolves this reference against a base URI (RFC 3986, section 5.2). For many references use
    /// a [`Base`].
    ///
    /// An empty reference resolves to the base, in every edition.
    ///
    /// ```
    /// use locator::{uri, uri_ref};
    ///
    /// assert_eq!(
    ///     uri_ref!("../g").resolve_against(uri!("http://a/b/c/d"))?,
    ///     "http://a/b/g"
    /// );
    /// # Ok::<_, locator::ResolveError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the edition does not define resolution, if the base was parsed by
    /// another edition, or if it has no hierarchy for a relative path.
    pub fn resolve_against<'b>(self, base: impl Into<Uri<'b>>) -> Result<UriBuf, ResolveError> {
        Base::new(base)?.target(self)
    }
}

/// # Resolving
impl Uri<'_> {
    /// Resolves a reference against this URI. A text is parsed by this URI's edition.
    ///
    /// ```
    /// use locator::{uri, uri_ref};
    ///
    /// assert_eq!(uri!("http://a/b/c").join("../d?q")?, "http://a/d?q");
    /// assert_eq!(uri!("http://a/b/c").join(uri_ref!("../d?q"))?, "http://a/d?q");
    /// # Ok::<_, locator::ResolveError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`ResolveError::InvalidReference`] if the text is not a reference, or an error of
    /// [`resolve_against`](UriRef::resolve_against).
    pub fn join<'r>(self, reference: impl IntoReference<'r>) -> Result<UriBuf, ResolveError> {
        Base::new(self)?.join(reference)
    }

    /// Returns the shortest reference that resolves to `target` against this URI: the way back from
    /// [`join`](Self::join).
    ///
    /// ```
    /// use locator::uri;
    ///
    /// assert_eq!(uri!("http://a/b/c").make_relative(uri!("http://a/d"))?, "/d");
    /// assert_eq!(uri!("http://a/b/c/d").make_relative(uri!("http://a/b/e"))?, "../e");
    /// # Ok::<_, locator::ResolveError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if no reference resolves to the target, or if another edition parsed it.
    pub fn make_relative<'t>(self, target: impl Into<Uri<'t>>) -> Result<UriRefBuf, ResolveError> {
        Base::new(self)?.make_relative(target)
    }
}

/// Implements resolving against both types of IRIs.
macro_rules! joins_iri {
    ($($type:ty),*) => {$(
        impl $type {
            /// Resolves a reference against this IRI. A text is parsed by RFC 3987.
            ///
            /// ```
            /// let iri = locator::Iri::parse("https://example.com/a/é")?;
            /// assert_eq!(iri.join("../ü")?, "https://example.com/ü");
            /// # Ok::<_, Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// Returns an error as [`Uri::join`] does.
            pub fn join<'r>(&self, reference: impl IntoReference<'r>) -> Result<IriBuf, ResolveError> {
                // The result has the edition of the base.
                self.as_uri().join(reference).map(IriBuf)
            }
        }
    )*};
}

joins_iri!(Iri<'_>, IriBuf);

delegate! {
    "Resolving":
    /// Resolves this reference against a base URI (RFC 3986, section 5.2).
    fn resolve_against<'b>(base: impl Into<Uri<'b>>) -> (Result<UriBuf, ResolveError>) {
        //! ```
        //! use locator::{UriRef, uri};
        //!
        //! let link = UriRef::parse("../img/a.png")?;
        //! let image = link.resolve_against(uri!("https://example.com/docs/intro.html"))?;
        //! assert_eq!(image, "https://example.com/img/a.png");
        //! # Ok::<_, Box<dyn std::error::Error>>(())
        //! ```
        //!
        //! # Errors
        //!
        //! Returns an error if the edition does not define resolution, if the base was parsed by another
        //! edition, or if it has no hierarchy for a relative path.
    }
}

delegate! {
    [UriBuf, UriCow<'_>] by as_uri:
    /// Resolves a reference against this URI. A text is parsed by this URI's edition.
    fn join<'r>(reference: impl IntoReference<'r>) -> Result<UriBuf, ResolveError>;
    /// Returns the shortest reference that resolves to `target` against this URI.
    fn make_relative<'t>(target: impl Into<Uri<'t>>) -> Result<UriRefBuf, ResolveError>;
}

/// `/.` or `./`, a "/" for a base with no path, and the "/" after a last "..".
const LONGEST_EXTRA: usize = 4;

/// Creates a base from a reference that may be relative.
///
/// ```
/// use locator::{Base, ResolveError, uri_ref};
///
/// assert_eq!(Base::try_from(uri_ref!("http://a/b"))?.join("c")?, "http://a/c");
/// let error = Base::try_from(uri_ref!("/b")).unwrap_err();
/// assert!(matches!(error, ResolveError::BaseNotAbsolute { .. }));
/// # Ok::<_, ResolveError>(())
/// ```
///
/// # Errors
///
/// Returns [`ResolveError::BaseNotAbsolute`] if the reference has no scheme, or the error of
/// [`Base::new`].
impl<'b> TryFrom<UriRef<'b>> for Base<'b> {
    type Error = ResolveError;

    fn try_from(reference: UriRef<'b>) -> Result<Self, ResolveError> {
        Ok(Self { ground: ResolutionBase::new(reference)? })
    }
}

text_traits_without_debug!(Base<'_>);

impl fmt::Debug for Base<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_uri().fmt(f)
    }
}

compares_by_text!(Base<'_>);
