//! The fast path of resolving. Most targets are a prefix of the base and a suffix of the reference.
//! Takes both texts and appends one to the other, without dot segments.
//!
//! Returns nothing for other cases: a base without an authority or with dot segments, a query that
//! loses dots, or ".." that stays. For those [`super`] goes component by component and is the
//! reference implementation; both give the same results.

use alloc::string::String;

use super::ResolveOptions;
use super::directory::{Directory, ResolutionBase};
use crate::edition::{DotsIn, PathUnderflow, SameDocument};
use crate::reference::UriRef;
use crate::resolve::dots::{Called, DotSegments, Inlined, PathBackend, step_up};
use crate::simd::{Backend, WithBackend};

/// A target to write to an empty string.
///
/// ```text
/// http://a/b/c/d;p?q  and  ../g/./h?y
/// |         |                 |
/// `- head --'                 `- the reference, from where its first steps are done
/// ```
pub(super) struct FastPath<'a> {
    pub(super) ground: &'a ResolutionBase<'a>,
    pub(super) reference: &'a UriRef<'a>,
    pub(super) options: ResolveOptions,
    pub(super) out: &'a mut String,
}

/// The text before the reference's text.
struct Head {
    len: usize,
    /// Whether a "/" is inserted between the two: the base has an authority and no path.
    slash: bool,
    /// The directory, if the reference continues from it.
    directory: Option<Directory>,
    /// Whether dot segments are removed from the path.
    undotted: bool,
    /// The start of the target's path, which ".." does not pass, if the rest is certainly a path.
    floor: Option<usize>,
}

impl Head {
    /// Creates a head of text only, whose path does not change.
    const fn verbatim(len: usize) -> Self {
        Self { len, slash: false, directory: None, undotted: false, floor: None }
    }
}

impl WithBackend for FastPath<'_> {
    /// Whether the target is written. If not, `out` may contain other text.
    type Output = bool;

    const WIDEST_ONLY: bool = true;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> bool {
        self.write(Inlined(backend)).is_some()
    }

    #[inline(never)]
    fn run_plain(self) -> bool {
        self.write(Called).is_some()
    }
}

impl FastPath<'_> {
    #[inline(always)]
    fn write<P: PathBackend>(self, backend: P) -> Option<()> {
        let head = self.head()?;
        let Self { ground, reference, options, out } = self;
        let (base, text, table) = (ground.base.as_str(), reference.as_str(), &ground.edition().table);
        let leftover = options.leftover_by(ground.rule);
        let path = &text.as_bytes()[..reference.spans().path_end as usize];
        let path_start = if head.undotted { reference.spans().path_start as usize } else { path.len() };
        let mut segments = DotSegments::new(backend, path, path_start, table);
        let (mut len, mut from, mut dots) = (head.len, 0, segments.next());
        // The leading ".." of a relative path are resolved within the base, without writing.
        if let Some(mut directory) = head.directory {
            // Above the root is the root, if it is within the 64 octets and the options allow it.
            let root_stays = directory.end - head.floor? <= 64 && leftover == PathUnderflow::Remove;
            while let Some(step) = dots.filter(|dots| dots.start == from) {
                if step.up {
                    directory = directory.above().or(root_stays.then_some(directory))?;
                }
                (from, dots) = (step.end, segments.next());
            }
            len = directory.end;
        }
        out.reserve(len + 1 + text.len() - from);
        backend.push(out, &base[..len]);
        if head.slash {
            out.push('/');
        }
        while let Some(step) = dots {
            let floor = head.floor?;
            backend.push(out, &text[from..step.start]);
            if step.up {
                step_up(out, floor, leftover)?;
            }
            (from, dots) = (step.end, segments.next());
        }
        backend.push(out, &text[from..]);
        Some(())
    }

    /// Returns the part of the target that comes from the base, if the fast path can.
    #[inline(always)]
    fn head(&self) -> Option<Head> {
        let (base, r, rule) = (self.ground.base.spans(), self.reference.spans(), self.ground.rule);
        // The reference implementation checks whether the target is too long.
        if u64::from(base.len) + u64::from(r.len) >= u64::from(u32::MAX) - 1 {
            return None;
        }
        if r.scheme_end > 0 {
            let strict = !self.options.same_scheme;
            return if strict { self.own_path(0, r.path_start, r.has_authority) } else { None };
        }
        if r.has_authority {
            let len = base.scheme_end + 1;
            return self.own_path(len, len + r.path_start, true);
        }
        if self.reference.as_str().as_bytes().first() == Some(&b'/') {
            return self.own_path(base.path_start, base.path_start, base.has_authority);
        }
        if r.path_end > 0 {
            let directory = self.ground.directory_in_sight?;
            return Some(Head {
                len: directory.end,
                slash: base.path_start == base.path_end,
                directory: Some(directory),
                undotted: true,
                floor: Some(base.path_start as usize),
            });
        }
        if r.query_end == 0 {
            let is_base = self.options.empty_by(rule) == SameDocument::Base;
            return is_base.then_some(Head::verbatim(base.len as usize));
        }
        // "if defined(R.query) then T.path = Base.path" (2003, 5.2)
        let keeps_path = rule.query_keeps_path && !self.ground.opaque;
        keeps_path.then_some(Head::verbatim(base.path_end as usize))
    }

    /// The reference has a path of its own, which follows a prefix of the base.
    #[inline(always)]
    fn own_path(&self, len: u32, floor: u32, has_authority: bool) -> Option<Head> {
        // Without an authority, the rest of the path might be parsed as one.
        let floor = has_authority.then_some(floor as usize);
        let undotted = self.ground.rule.dots == DotsIn::Every;
        Some(Head { undotted, floor, ..Head::verbatim(len as usize) })
    }
}
