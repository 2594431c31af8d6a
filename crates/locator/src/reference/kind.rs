//! The kinds of references: what a reference begins with.

crate::as_text::named! {
    /// The kind of a reference, by what it begins with.
    ///
    /// ```
    /// use locator::{ReferenceKind, uri_ref};
    ///
    /// assert_eq!(uri_ref!("http://h/").kind(), ReferenceKind::Uri);
    /// assert_eq!(uri_ref!("//h/a").kind(), ReferenceKind::NetworkPath);
    /// assert_eq!(uri_ref!("/a").kind(), ReferenceKind::AbsolutePath);
    /// assert_eq!(uri_ref!("a?q").kind(), ReferenceKind::RelativePath);
    /// assert_eq!(uri_ref!("?q").kind(), ReferenceKind::Query);
    /// assert_eq!(uri_ref!("").kind(), ReferenceKind::Empty);
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ReferenceKind {
        /// A reference with a scheme.
        Uri = "uri",
        /// A reference with a scheme and a rest that does not begin with "/", in an edition whose
        /// grammar has a rule for that. Examples are `mailto:a@b` in RFC 2396 and in the draft of 2003,
        /// where `DAV:` has an empty path instead.
        Opaque = "opaque",
        /// A reference that begins with "//".
        NetworkPath = "network-path",
        /// A reference that begins with "/".
        AbsolutePath = "absolute-path",
        /// A reference that begins with a segment of a path.
        RelativePath = "relative-path",
        /// A reference that begins with "?".
        Query = "query",
        /// A reference that begins with "#".
        Fragment = "fragment",
        /// The empty text.
        Empty = "empty",
    }

    /// Returns the name of the kind in JSON.
    pub const fn name;
}
