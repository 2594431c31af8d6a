//! What the documents leave to whoever resolves: choices as a value, each with the edition's own
//! answer where the caller gives none.

use crate::edition::{PathUnderflow, Resolution, SameDocument};

/// The choices that the documents leave to whoever resolves a reference.
///
/// ```
/// use locator::edition::{SameDocument, PathUnderflow};
/// use locator::{Base, ResolveOptions, uri, uri_ref};
///
/// let base = Base::new(uri!("http://a/b/c/d;p?q"))?;
/// let kept = ResolveOptions::new().leftover(PathUnderflow::Keep);
/// let mut target = String::new();
/// base.resolve_into(uri_ref!("../../../g"), kept, &mut target)?;
/// assert_eq!(target, "http://a/../g");
///
/// let lenient = ResolveOptions::new().same_scheme_is_relative(true);
/// base.resolve_into(uri_ref!("http:g"), lenient, &mut target)?;
/// assert_eq!(target, "http://a/b/c/g");
/// # Ok::<_, locator::ResolveError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResolveOptions {
    pub(crate) leftover: Option<PathUnderflow>,
    pub(crate) empty: Option<SameDocument>,
    pub(crate) same_scheme_is_relative: bool,
    pub(crate) path_relative: bool,
}

impl ResolveOptions {
    /// What the edition says where it says something, else what is strict.
    #[must_use]
    pub const fn new() -> Self {
        Self { leftover: None, empty: None, same_scheme_is_relative: false, path_relative: false }
    }

    /// What becomes of ".." that leads above the root: the edition's own answer if nothing is said,
    /// which is to remove it in RFC 3986 (5.2.4) and RFC 3987 and to keep it in all that came before (2003, C.2).
    #[must_use]
    pub const fn leftover(self, leftover: PathUnderflow) -> Self {
        Self { leftover: Some(leftover), ..self }
    }

    /// What an empty reference means: the edition's own answer if nothing is said, which is the base in
    /// RFC 3986 (5.4.1) and RFC 3987 and the current document in all that came before (1997, 5.2 step 2).
    #[must_use]
    pub const fn empty(self, empty: SameDocument) -> Self {
        Self { empty: Some(empty), ..self }
    }

    /// Whether a scheme that is the base's own is taken away from the reference before it is resolved,
    /// so that `http:g` is relative: an old habit ("a loophole in prior specifications", RFC 3986, 5.4.2), which
    /// is off unless it is asked for.
    #[must_use]
    pub const fn same_scheme_is_relative(self, yes: bool) -> Self {
        Self { same_scheme_is_relative: yes, ..self }
    }

    /// Whether [`Base::relativize_with`] gives a relative path, which does not begin with "/", wherever the target has
    /// the base's scheme and authority and there is one: for documents that are read from a file or moved as a whole.
    ///
    /// ```
    /// use locator::{Base, ResolveOptions, uri};
    ///
    /// let base = Base::new(uri!("http://h/a/b/c"))?;
    /// let target = uri!("http://h/d");
    /// assert_eq!(base.relativize(target)?, "/d");
    /// assert_eq!(base.relativize_with(target, ResolveOptions::new().path_relative(true))?, "../../d");
    /// # Ok::<_, locator::ResolveError>(())
    /// ```
    ///
    /// [`Base::relativize_with`]: crate::Base::relativize_with
    #[must_use]
    pub const fn path_relative(self, yes: bool) -> Self {
        Self { path_relative: yes, ..self }
    }

    pub(super) fn leftover_by(self, rule: &Resolution) -> PathUnderflow {
        self.leftover.unwrap_or(rule.leftover)
    }

    pub(super) fn empty_by(self, rule: &Resolution) -> SameDocument {
        self.empty.unwrap_or(rule.empty)
    }
}
