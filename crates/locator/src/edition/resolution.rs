//! The rules of an edition for resolving references, as data: one switch for each question that the
//! five documents answer differently, and the choices that they leave to the caller.

/// The rules of an edition for resolving a reference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resolution {
    /// Which slash is removed with a dot segment.
    pub(crate) slash: Slash,
    /// The paths from which dot segments are removed.
    pub(crate) dots: DotsIn,
    /// Whether the query is appended before dot segments are removed, so that dot segments are
    /// removed from it too.
    pub(crate) query_before_dots: bool,
    /// Whether the directory of a base with an empty path is "/" even if the base has no authority.
    pub(crate) empty_base_is_root: bool,
    /// Whether a path without a leading "/" still has none after ".." removes its first segment.
    pub(crate) stays_rootless: bool,
    /// Whether a query-only reference keeps the whole path of the base, not only its directory.
    pub(crate) query_keeps_path: bool,
    /// The default treatment of ".." above the root.
    pub(crate) leftover: PathUnderflow,
    /// The default meaning of an empty reference.
    pub(crate) empty: SameDocument,
    /// Whether an empty reference is requested where a request is always intended.
    pub(crate) empty_is_requested: bool,
    /// Whether a base from the content or a Content-Base may be relative to the enclosing base.
    pub(crate) relative_base: bool,
    /// Whether an application may define a default base.
    pub(crate) default_base: bool,
    /// The sections that errors cite.
    pub(crate) sections: Sections,
}

/// The sections on the requirements for a reference and its base.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sections {
    /// The section that requires an absolute base.
    pub(crate) absolute: &'static str,
    /// The section that requires a hierarchical base for a relative path.
    pub(crate) hierarchy: &'static str,
    /// The section on ".." above the root.
    pub(crate) leftover: &'static str,
    /// The section on removing dot segments.
    pub(crate) dots: &'static str,
}

/// The slash that is removed with a dot segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slash {
    /// The slash before it: `/xxx/..` and `/.` are removed, and no slash is left at the end.
    Before,
    /// The slash after it: `<segment>/../` and `./` are removed, and the slash before them is left.
    After,
}

/// The paths from which dot segments are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DotsIn {
    /// The path of a relative-path reference, after merging with the base's path.
    Merged,
    /// The path of every reference, unless it is taken unchanged from the base.
    Every,
}

/// The treatment of a ".." above the root of the base's path.
///
/// The draft of 2003 says: "The reference is considered to be in error". An implementation may
/// keep, remove or refuse it (2003, 5.2); RFC 3986 removes it (5.2.4 and 5.4.2).
///
/// ```
/// use locator::edition::PathUnderflow::{Keep, Remove};
/// use locator::{Base, ResolveOptions, uri, uri_ref};
///
/// let base = Base::new(uri!("http://a/b")).unwrap();
/// for (leftover, target) in [(Keep, "http://a/../g"), (Remove, "http://a/g")] {
///     let options = ResolveOptions::new().path_underflow(leftover);
///     assert_eq!(
///         base.resolve_with(uri_ref!("../g"), options).unwrap().uri().unwrap(),
///         target
///     );
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathUnderflow {
    /// Keeps the segment in the target: `http://a/../g`.
    Keep,
    /// Removes the segment: `http://a/g`.
    Remove,
    /// Returns an error.
    Refuse,
}

/// The meaning of an empty or fragment-only reference (1997, 3 and 5.2; RFC 3986, 4.4 and 5.4).
///
/// ```
/// use locator::edition::SameDocument;
/// use locator::{Base, ResolveOptions, Resolved, uri, uri_ref};
///
/// let base = Base::new(uri!("http://h/a?q#f"))?;
/// assert_eq!(base.resolve(uri_ref!(""))?.uri().unwrap(), "http://h/a?q");
/// let options =
///     ResolveOptions::new().same_document(SameDocument::CurrentDocument);
/// let resolved = base.resolve_with(uri_ref!("#x"), options)?;
/// assert!(
///     matches!(resolved, Resolved::CurrentDocument { fragment: Some(fragment) } if fragment == "x")
/// );
/// # Ok::<_, locator::ResolveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SameDocument {
    /// The current document, which may differ from the base; nothing is retrieved.
    CurrentDocument,
    /// The base, as for a form action, which always makes a new request.
    Base,
}
