//! Resolves references against a base, and makes URIs relative to a base.
//!
//! A relative reference such as `../a?q` means something only with a base, the URI of the document that
//! contains it. This module has three types for that:
//!
//! - [`Base`] is a base that was checked once. It resolves references, and makes URIs relative.
//! - [`BaseStack`] finds the base of a document among its candidates (RFC 3986, 5.1).
//! - [`ResolveOptions`] sets what the editions leave open.
//!
//! # When
//!
//! Use [`Uri::join`](crate::Uri::join) for one reference, [`Base`] for many, and [`BaseStack`] if the
//! document may declare a base itself, as HTML, MIME and XML do. The crate `locator-find` does the latter
//! for links in documents.
//!
//! # How
//!
//! ```
//! use locator::{Uri, uri};
//!
//! let base = uri!("http://a/b/c/d;p?q");
//! assert_eq!(base.join("../g")?, "http://a/b/g");
//! assert_eq!(base.join("?y")?, "http://a/b/c/d;p?y");
//! assert_eq!(base.join("//other/x")?, "http://other/x");
//! assert_eq!(base.join("mailto:jan@example.com")?, "mailto:jan@example.com");
//! # Ok::<_, locator::ResolveError>(())
//! ```
//!
//! The same base for a whole document, without an allocation for each of its references:
//!
//! ```
//! use locator::{Base, ResolveOptions, UriRef, uri};
//!
//! let base = Base::new(uri!("http://example.com/docs/index.html"))?;
//! let mut target = String::new();
//! for (reference, expected) in [
//!     ("a.html", "http://example.com/docs/a.html"),
//!     ("/", "http://example.com/"),
//! ] {
//!     base.resolve_into(
//!         UriRef::parse(reference)?,
//!         ResolveOptions::new(),
//!         &mut target,
//!     )?;
//!     assert_eq!(target, expected);
//! }
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! The way back is [`Base::make_relative`]: it returns the shortest reference that resolves to the target,
//! and checks this by resolving it.
//!
//! ```
//! use locator::uri;
//!
//! let base = uri!("http://example.com/docs/a/index.html");
//! assert_eq!(
//!     base.make_relative(uri!("http://example.com/docs/b.html"))?,
//!     "../b.html"
//! );
//! assert_eq!(
//!     base.make_relative(uri!("ftp://example.com/"))?,
//!     "ftp://example.com/"
//! );
//! # Ok::<_, locator::ResolveError>(())
//! ```
//!
//! # What the editions decide
//!
//! | | 1993 to 2003 | RFC 3986, RFC 3987 |
//! |---|---|---|
//! | `../../../g` against `http://a/b/c/d` | `http://a/../g` | `http://a/g` |
//! | an empty reference | [`Resolved::CurrentDocument`] | the base without its fragment |
//! | `http:g` | `http:g` | `http:g` |
//!
//! The 1994 documents define no relative references, which is [`ResolveError::NotDefined`].
//! [`ResolveOptions`] overrides each choice, and its page has an example of each. The differences follow
//! section 5.2 of the 1997 and 2003 documents, of RFC 2396 and of RFC 3986, and "Partial form" of the
//! 1993 one; the edition's data defines them.
//!
//! # Pitfalls
//!
//! - The last segment of the base is removed, unless it ends with "/": against `http://h/a`, `b` is
//!   `http://h/b`; against `http://h/a/` it is `http://h/a/b`. A base that names a directory needs its
//!   "/".
//! - `example.com/a` is a relative path. With a base of `http://h/` it becomes
//!   `http://h/example.com/a`.
//! - A reference with a scheme ignores the base, also `http:g` with a base of `http`. Older programs
//!   read that as relative: [`ResolveOptions::same_scheme`].
//! - The author of the reference chooses the host (`//evil.example/`) and the scheme (`javascript:`).
//!   Joining a base with a text of a stranger does not keep it below the base; check the result.
//! - A base must have a scheme, and a relative path needs a base with a path to be relative to:
//!   `mailto:a@b` has no such path ([`ResolveError::BaseOpaque`] or [`ResolveError::Unreachable`], by edition).
//! - The fragment of the base is never part of the result.

mod base;
mod directory;
pub(crate) mod dots;
mod error;
mod fast;
mod options;
mod relativize;
mod stack;
use crate::compose::{self, Components};
use crate::edition::DotsIn;
pub use crate::edition::{PathUnderflow, SameDocument};
pub use crate::error::ParseError;
use crate::pct::PctStr;
use crate::reference::{UriBuf, UriRef};
use crate::simd::{self, Class};
use crate::span::{Component, ComponentSpans, Span};
use alloc::string::String;
pub use base::Base;
use directory::ResolutionBase;
use dots::{DotRemover, Underflow};
pub use error::ResolveError;
use fast::FastPath;
pub use options::{IntoReference, ResolveOptions};
pub use stack::{BaseCandidate, BaseError, BaseLayers, BaseSource, BaseStack};

/// The result of resolving a reference.
///
/// ```
/// use locator::{Base, Resolved, edition::RFC2396, uri, uri_ref};
///
/// let base = Base::new(uri!("http://h/a", RFC2396))?;
/// assert_eq!(
///     base.resolve(uri_ref!("b", RFC2396))?.into_uri().unwrap(),
///     "http://h/b"
/// );
/// let same = base.resolve(uri_ref!("#top", RFC2396))?;
/// assert!(
///     matches!(same, Resolved::CurrentDocument { fragment: Some(name) } if name == "top")
/// );
/// assert!(same.uri().is_none());
/// # Ok::<_, locator::ResolveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolved<'r, T = UriBuf> {
    /// The target: a URI, or its text.
    Uri(T),
    /// "A reference to the current document", which need not be the base: an empty reference or
    /// only a fragment.
    CurrentDocument {
        /// The reference's fragment.
        fragment: Option<PctStr<'r>>,
    },
}

impl<'r, T> Resolved<'r, T> {
    /// Returns the target, or `None` for the current document.
    #[must_use]
    pub const fn uri(&self) -> Option<&T> {
        match self {
            Self::Uri(uri) => Some(uri),
            Self::CurrentDocument { .. } => None,
        }
    }

    /// Converts this into the target, or `None` for the current document.
    #[must_use]
    pub fn into_uri(self) -> Option<T> {
        match self {
            Self::Uri(uri) => Some(uri),
            Self::CurrentDocument { .. } => None,
        }
    }
}

/// The components of a target, without a path that is still to be written.
struct Target<'a> {
    components: Components<'a>,
    path: TargetPath<'a>,
}

/// The source of the target's path.
#[derive(Clone, Copy)]
enum TargetPath<'a> {
    /// This text, unchanged.
    Verbatim(&'a str),
    /// This path without its dot segments.
    Undotted(&'a str),
    /// The base's directory, then this path, without dot segments.
    Merged(&'a str),
}

impl ResolutionBase<'_> {
    /// Writes the target of a reference over the contents of `out`, and returns whether there is
    /// one; otherwise it is the current document. `out` is empty then, and after an error.
    #[inline]
    pub(crate) fn write(
        &self,
        reference: &UriRef<'_>,
        options: ResolveOptions,
        out: &mut String,
    ) -> Result<bool, ResolveError> {
        out.clear();
        let (base, other) = (self.edition(), reference.edition());
        if base != other {
            return Err(ResolveError::EditionsDiffer { base, other });
        }
        if simd::dispatch(FastPath { ground: self, reference, options, out }) {
            return Ok(true);
        }
        self.write_slowly(reference, options, out)
    }

    #[inline(never)]
    fn write_slowly(
        &self,
        reference: &UriRef<'_>,
        options: ResolveOptions,
        out: &mut String,
    ) -> Result<bool, ResolveError> {
        out.clear();
        let written = self.write_components(*reference, options, out);
        if written.is_err() {
            out.clear();
        }
        written
    }

    /// Returns the component spans of a target of that length, if they follow without parsing it:
    /// the spans after the reference's path move with the end.
    pub(crate) fn parts_of_target(
        &self,
        reference: UriRef<'_>,
        options: ResolveOptions,
        len: usize,
    ) -> Option<ComponentSpans> {
        let (base, r) = (self.base.spans(), reference.spans());
        let known = !self.rule.query_before_dots && !options.same_scheme;
        let moved = (len as u32).wrapping_sub(r.len);
        let by = |end: u32| end.wrapping_add(moved);
        let before_path = if r.scheme_end > 0 {
            r
        } else if r.has_authority {
            let after_scheme = base.scheme_end + 1;
            ComponentSpans {
                scheme_end: base.scheme_end,
                host_start: r.host_start + after_scheme,
                host_end: r.host_end + after_scheme,
                path_start: r.path_start + after_scheme,
                ..r
            }
        } else {
            base
        };
        let is_base = r.query_end == 0;
        let path_end = if is_base { base.path_end } else { by(r.path_end) };
        let (query_end, len) = (by(r.query_end), by(r.len));
        known.then_some(ComponentSpans { path_end, query_end, len, ..before_path })
    }

    /// Writes the target component by component, and returns whether there is one.
    #[inline(never)]
    fn write_components(
        &self,
        reference: UriRef<'_>,
        options: ResolveOptions,
        out: &mut String,
    ) -> Result<bool, ResolveError> {
        let r = self.without_same_scheme(Components::of(reference), options);
        let Some(Target { mut components, path }) = self.target(r, options)? else {
            return Ok(false);
        };
        compose::append(out, &components.before_path());
        let start = out.len();
        // "If the reference's query component is defined, then a "?" character is appended to the
        // buffer string, followed by the query component." (1997, 5.2, 6c)
        let query = match path {
            TargetPath::Merged(_) if self.rule.query_before_dots => components.query.take(),
            _ => None,
        };
        self.write_path(path, query, options, out)
            .map_err(|refused| self.leftover(refused, path, reference))?;
        let prefix = Components { path: &out[start..], ..components }.disambiguating_prefix();
        out.insert_str(start, prefix);
        compose::append(out, &components.after_path());
        // INVARIANT: a target that is not too long is valid in the edition that wrote it.
        if out.len() < u32::MAX as usize { Ok(true) } else { Err(ResolveError::TooLong) }
    }

    /// "if ((not strict) and (R.scheme == Base.scheme)) then undefine(R.scheme)" (RFC 3986, 5.2.2)
    fn without_same_scheme<'a>(&self, r: Components<'a>, options: ResolveOptions) -> Components<'a> {
        let (Some(scheme), Some(base)) = (r.scheme, self.base.scheme()) else { return r };
        // "if it matches that of the base URI and the scheme is known to always use the <hier_part>
        // syntax" (RFC 2396, 5.2): an opaque base shows that it does not, and so does a rest with
        // octets that no path has.
        let relative = options.same_scheme
            && base == scheme
            && !self.opaque
            && self.holds(Class::PATH, r.path)
            && self.holds(Class::QUERY, r.query.unwrap_or_default());
        if relative { Components { scheme: None, ..r } } else { r }
    }

    fn holds(&self, class: Class, text: &str) -> bool {
        text.chars().all(|c| self.edition().contains(class, c))
    }

    /// Returns the components of the target, if it is not the current document (RFC 3986, 5.2.2).
    fn target<'a>(
        &'a self,
        r: Components<'a>,
        options: ResolveOptions,
    ) -> Result<Option<Target<'a>>, ResolveError> {
        let base = Components::of(self.base);
        if r.scheme.is_some() {
            return Ok(Some(Target { components: r, path: self.own_path(r.path) }));
        }
        let components = Components { scheme: base.scheme, ..r };
        if r.authority.is_some() {
            return Ok(Some(Target { components, path: self.own_path(r.path) }));
        }
        let components = Components { authority: base.authority, ..components };
        if r.path.starts_with('/') {
            return Ok(Some(Target { components, path: self.own_path(r.path) }));
        }
        if r.path.is_empty() && r.query.is_none() {
            let components = Components { query: base.query, ..components };
            let is_base = options.empty_by(self.rule) == SameDocument::Base;
            return Ok(is_base.then_some(Target { components, path: TargetPath::Verbatim(base.path) }));
        }
        self.relative_path(r.path).map(|path| Some(Target { components, path }))
    }

    /// Returns the path of a relative-path reference, or of a query alone.
    fn relative_path<'a>(&'a self, path: &'a str) -> Result<TargetPath<'a>, ResolveError> {
        // "relative URLs cannot be used within a document that has an unsuitable base URL"
        // (1997, 5)
        if self.opaque {
            let parts = self.base.spans();
            let span = Span { start: parts.path_start, end: parts.query_end };
            return Err(ResolveError::BaseOpaque { edition: self.edition(), span });
        }
        // "if defined(R.query) then T.path = Base.path" (2003, 5.2); and two paths that are empty
        // make one that is empty, by all of them.
        let base = self.base.path().as_str();
        let keeps_path = path.is_empty() && (self.rule.query_keeps_path || base.is_empty());
        Ok(if keeps_path { TargetPath::Verbatim(base) } else { TargetPath::Merged(path) })
    }

    /// Returns the path of a reference that does not need the base's path.
    fn own_path<'a>(&self, path: &'a str) -> TargetPath<'a> {
        match self.rule.dots {
            // "T.path = remove_dot_segments(R.path)"
            DotsIn::Every => TargetPath::Undotted(path),
            // "these path components are only considered special when resolving a relative-path
            // reference to its absolute form"
            DotsIn::Merged => TargetPath::Verbatim(path),
        }
    }

    fn write_path(
        &self,
        path: TargetPath<'_>,
        query: Option<&str>,
        options: ResolveOptions,
        out: &mut String,
    ) -> Result<(), Underflow> {
        let (directory, path) = match path {
            TargetPath::Verbatim(path) => {
                out.push_str(path);
                return Ok(());
            }
            TargetPath::Undotted(path) => ("", path),
            TargetPath::Merged(path) => (self.directory(), path),
        };
        let mut walk = DotRemover::new(out, self.rule, options.leftover_by(self.rule));
        walk.go(directory)?;
        walk.go(path)?;
        if let Some(query) = query {
            walk.go("?")?;
            walk.go(query)?;
        }
        walk.end()
    }

    /// Returns the error for the octets of base or reference that go above the root.
    #[cold]
    fn leftover(&self, refused: Underflow, path: TargetPath<'_>, reference: UriRef<'_>) -> ResolveError {
        let directory = if let TargetPath::Merged(_) = path { self.directory().len() } else { 0 };
        // The reference's query follows its path in both texts.
        let (in_base, end, of) = match refused.end.checked_sub(directory) {
            Some(end @ 1..) => (false, end, reference.spans()),
            _ => (true, refused.end, self.base.spans()),
        };
        let end = of.path_start as usize + end;
        let part = if end > of.path_end as usize { Component::Query } else { Component::Path };
        let span = Span::new(end - "..".len(), end);
        ResolveError::PathUnderflow { edition: self.edition(), in_base, component: part, span }
    }

    /// Writes the directory without its dot segments, if the options allow that.
    pub(crate) fn write_directory(&self, options: ResolveOptions, out: &mut String) -> bool {
        let mut walk = DotRemover::new(out, self.rule, options.leftover_by(self.rule));
        walk.go(self.directory()).and_then(|()| walk.end()).is_ok()
    }
}
