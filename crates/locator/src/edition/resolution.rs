//! How an edition resolves a reference, as data: a switch for each question that the five
//! documents answer differently, and the choices that they leave to the caller.

/// How an edition resolves a reference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resolution {
    /// Which side of a dot segment its slash is on.
    pub(crate) slash: Slash,
    /// Which paths lose their dot segments.
    pub(crate) dots: DotsIn,
    /// Whether the query is appended before the dot segments are removed, so that it loses its own.
    pub(crate) query_before_dots: bool,
    /// Whether the directory of a base whose path is empty is "/" even where it has no authority.
    pub(crate) empty_base_is_root: bool,
    /// Whether a path that does not begin with "/" does not begin with it either once ".." has removed its
    /// first segment.
    pub(crate) stays_rootless: bool,
    /// Whether a query alone is put after the whole path of the base, not only its directory.
    pub(crate) query_keeps_path: bool,
    /// What becomes of ".." that leads above the root, where the caller does not say.
    pub(crate) leftover: PathUnderflow,
    /// What an empty reference means, where the caller does not say.
    pub(crate) empty: SameDocument,
    /// Whether a base that the content or a Content-Base gives may be relative to the base around it.
    pub(crate) relative_base: bool,
    /// Whether an application may say what the base is where nothing else does.
    pub(crate) default_base: bool,
    /// Where the document says what an error quotes.
    pub(crate) sections: Sections,
}

/// The sections that say what a reference and its base must be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sections {
    /// That a base is absolute.
    pub(crate) absolute: &'static str,
    /// That a relative path needs a base that has one.
    pub(crate) hierarchy: &'static str,
    /// What ".." above the root is.
    pub(crate) leftover: &'static str,
    /// That dot segments are removed.
    pub(crate) dots: &'static str,
}

/// Which side of a dot segment its slash is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slash {
    /// `/xxx/..` and `/.` are removed: no slash is left at the end.
    Before,
    /// `<segment>/../` and `./` are removed: the slash before them is left.
    After,
}

/// Which paths lose their dot segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DotsIn {
    /// The path of a relative-path reference, after it was merged with the base's.
    Merged,
    /// The path of every reference, but for one that is taken from the base as it is.
    Every,
}

/// What becomes of a ".." that leads above the root of the base's path. "The reference is considered to be in error",
/// and whoever resolves it may keep, remove or refuse it (2003, 5.2); RFC 3986 removes it (5.2.4 and 5.4.2).
///
/// ```
/// use locator::edition::PathUnderflow::{Keep, Remove};
/// use locator::{Base, ResolveOptions, uri, uri_ref};
///
/// let base = Base::new(uri!("http://a/b")).unwrap();
/// for (leftover, target) in [(Keep, "http://a/../g"), (Remove, "http://a/g")] {
///     let options = ResolveOptions::new().leftover(leftover);
///     assert_eq!(base.resolve_with(uri_ref!("../g"), options).unwrap().uri().unwrap(), target);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathUnderflow {
    /// It stays, as part of the target: `http://a/../g`.
    Keep,
    /// It goes: `http://a/g`.
    Remove,
    /// The reference is in error.
    Refuse,
}

/// What an empty reference means, or one that is a fragment alone (1997, 3 and 5.2; RFC 3986, 4.4 and 5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SameDocument {
    /// The current document, which need not be the base: nothing is to be retrieved.
    CurrentDocument,
    /// The base, as where an action of a form is always meant as a new request.
    Base,
}
