//! The base that references are resolved against. Takes a base URI and returns it without its
//! fragment, with its directory, if its edition defines how to resolve references.

use super::error::ResolveError;
use crate::edition::{Edition, Resolution, Slash};
use crate::reference::{ReferenceKind, UriRef};
use crate::resolve::dots::end_of_last;
use crate::span::ComponentSpans;

/// A base that is valid to resolve against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResolutionBase<'b> {
    /// The base without its fragment.
    pub(crate) base: UriRef<'b>,
    pub(crate) rule: &'static Resolution,
    /// Whether the base has no hierarchical path.
    pub(super) opaque: bool,
    /// The directory that relative paths are appended to, if no check of the path is needed.
    pub(crate) directory_in_sight: Option<Directory>,
}

/// The end of a base's directory, if paths can be appended to it without a check. The directory
/// begins with "/", follows an authority, and has no dot segments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Directory {
    /// The offset after its last "/".
    pub(crate) end: usize,
    /// Its slashes among the 64 octets before the end, the highest bit being the last one.
    slashes: u64,
}

impl<'b> ResolutionBase<'b> {
    pub(crate) fn new(base: UriRef<'b>) -> Result<Self, ResolveError> {
        let edition = base.edition();
        // "Note that only the scheme component is required to be present in the base URL"
        let Some(rule) = &edition.resolution else { return Err(ResolveError::NotDefined { edition }) };
        if base.scheme().is_none() {
            return Err(ResolveError::BaseNotAbsolute { edition });
        }
        let base = without_fragment(base);
        let opaque = base.kind() == ReferenceKind::Opaque;
        let mut ground = Self { base, rule, opaque, directory_in_sight: None };
        ground.directory_in_sight = ground.see_directory();
        Ok(ground)
    }

    fn see_directory(&self) -> Option<Directory> {
        let (parts, path) = (self.base.spans(), self.base.path().as_str());
        let directory = path.rfind('/').map_or("", |slash| &path[..=slash]);
        let plain = parts.has_authority
            && self.rule.slash == Slash::After
            && !self.rule.query_before_dots
            && end_of_last(directory, &self.edition().table) == 0;
        plain.then(|| Directory::new(directory, parts.path_start as usize + directory.len()))
    }

    pub(crate) const fn edition(&self) -> &'static Edition {
        self.base.edition()
    }

    /// Returns the base's path without its last segment.
    pub(crate) fn directory(&self) -> &'b str {
        let path = self.base.path().as_str();
        // "If the base URI has a defined authority component and an empty path, then return a
        // string consisting of "/" concatenated with the reference's path". The 2003 document says
        // that RFC 2396 "failed to account for a base URI with no path": it would give http://ag.
        if path.is_empty() && (self.base.spans().has_authority || self.rule.empty_base_is_root) {
            return "/";
        }
        // "excluding any characters after the right-most "/" in the base URI path, or excluding the
        // entire base URI path if it does not contain any "/" characters"
        path.rfind('/').map_or("", |slash| &path[..=slash])
    }

    /// Whether the base has a hierarchical path.
    pub(crate) const fn is_hierarchical(&self) -> bool {
        !self.opaque
    }
}

impl Directory {
    /// Creates the directory `text`, which ends at `end` in the base.
    fn new(text: &str, end: usize) -> Self {
        let octets = text.as_bytes().iter().rev().take(64).enumerate();
        let slashes = octets.filter(|(_, octet)| **octet == b'/').fold(0, |all, (i, _)| all | 1 << (63 - i));
        Self { end, slashes }
    }

    /// Returns the parent directory, if it is within the 64 octets.
    #[inline(always)]
    pub(super) fn above(self) -> Option<Self> {
        let last = self.slashes.leading_zeros();
        let slashes = self.slashes & u64::MAX.unbounded_shr(last + 1);
        (slashes != 0).then(|| {
            let end = self.end - (slashes.leading_zeros() - last) as usize;
            Self { end, slashes }
        })
    }
}

/// Returns the text of a base, without its fragment.
pub(crate) fn text_of(base: UriRef<'_>) -> &str {
    &base.as_str()[..base.spans().query_end as usize]
}

/// Returns a base without its fragment.
fn without_fragment(base: UriRef<'_>) -> UriRef<'_> {
    let parts = base.spans();
    UriRef::of_parts(text_of(base), ComponentSpans { len: parts.query_end, ..parts }, base.edition())
}
