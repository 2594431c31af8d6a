//! Targets that are a beginning of the base and an end of the reference, as most are: two stretches of
//! text enter, one behind the other they leave.
//!
//! What is not of this form (a base without an authority or with dot segments, a query that loses
//! dots) is `None`, and left to the rest of [`super`], which goes component by component and is the
//! law: what both know, they answer alike.

use alloc::string::String;

use super::{Ground, ResolveError, ResolveOptions};
use crate::dots::{Refused, Walk, end_of_last};
use crate::edition::{DotsIn, Empty, Leftover};
use crate::reference::UriRef;

/// A target whose dot segments are still to be removed.
///
/// ```text
/// http://a/b/c/d;p?q  and  ../g/./h?y
/// |         |                 |    |
/// `- head --'                 |    `- tail
///   (one step up is done)     dotted
/// ```
pub(super) struct Joined<'a> {
    head: &'a str,
    /// Whether a "/" stands between the two: the base has an authority and no path.
    slash: bool,
    /// The path from where there may be dot segments in it, up to its end; empty if there are none.
    dotted: &'a str,
    /// Where the target's path begins, for ".." to go no further.
    floor: usize,
    tail: &'a str,
}

impl Ground<'_> {
    /// The target of a reference, if it is of this form.
    #[inline(always)]
    pub(super) fn join<'a>(&'a self, r: UriRef<'a>, options: ResolveOptions) -> Option<Joined<'a>> {
        let (base, parts) = (self.base.as_str(), r.parts());
        // Whether the target is too long is for the others to say.
        if base.len() + r.as_str().len() >= u32::MAX as usize - 1 {
            return None;
        }
        if parts.scheme_end > 0 {
            return if options.same_scheme_is_relative { None } else { self.join_own_path("", r) };
        }
        if parts.has_authority {
            return self.join_own_path(&base[..=self.base.parts().scheme_end as usize], r);
        }
        if r.as_str().as_bytes().first() == Some(&b'/') {
            return self.join_own_path(&base[..self.base.parts().path_start as usize], r);
        }
        if parts.path_end > 0 { self.join_relative_path(r, options) } else { self.join_no_path(r, options) }
    }

    /// The reference has a path of its own, and stands behind a beginning of the base.
    #[inline(always)]
    fn join_own_path<'a>(&'a self, head: &'a str, r: UriRef<'a>) -> Option<Joined<'a>> {
        let (text, parts) = (r.as_str(), r.parts());
        let (start, end) = (parts.path_start as usize, parts.path_end as usize);
        if self.rule.dots == DotsIn::Merged || end_of_last(&text[start..end], &self.edition().table) == 0 {
            return Some(Joined { head, slash: false, dotted: "", floor: 0, tail: text });
        }
        let has_authority = parts.has_authority || parts.scheme_end == 0 && self.base.parts().has_authority;
        match (head, &text[..start]) {
            // What is left of the path might be taken for an authority.
            _ if !has_authority => None,
            (head, "") | ("", head) => {
                let (dotted, floor, tail) = (&text[start..end], head.len(), &text[end..]);
                Some(Joined { head, slash: false, dotted, floor, tail })
            }
            _ => None,
        }
    }

    /// The reference is a query, a fragment, or nothing.
    #[inline(always)]
    fn join_no_path<'a>(&'a self, r: UriRef<'a>, options: ResolveOptions) -> Option<Joined<'a>> {
        let (base, tail) = (self.base.as_str(), r.as_str());
        let joined = |head| Joined { head, slash: false, dotted: "", floor: 0, tail };
        if r.parts().query_end == 0 {
            return (options.empty_by(self.rule) == Empty::Base).then_some(joined(base));
        }
        // "if defined(R.query) then T.path = Base.path" (2003, 5.2)
        let keeps_path = self.rule.query_keeps_path && !self.opaque;
        keeps_path.then_some(joined(&base[..self.base.parts().path_end as usize]))
    }

    /// The reference goes on from the base's directory.
    #[inline(always)]
    fn join_relative_path<'a>(&'a self, r: UriRef<'a>, options: ResolveOptions) -> Option<Joined<'a>> {
        let (base, text) = (self.base.parts(), r.as_str());
        let path_end = r.parts().path_end as usize;
        let (mut end, mut done) = (self.plain_directory?, 0);
        let last = end_of_last(&text[..path_end], &self.edition().table);
        if last > 0 {
            (end, done) = self.step(end, &text[..path_end], options.leftover_by(self.rule));
        }
        let head = &self.base.as_str()[..end];
        let slash = base.path_start == base.path_end;
        let from_dots = if last > done { path_end } else { done };
        let (dotted, tail) = (&text[done..from_dots], &text[from_dots..]);
        Some(Joined { head, slash, dotted, floor: base.path_start as usize, tail })
    }

    /// Takes the steps that a path begins with: where the directory ends then, and where the path goes on.
    #[inline]
    fn step(&self, mut end: usize, path: &str, leftover: Leftover) -> (usize, usize) {
        let (base, root) = (self.base.as_str().as_bytes(), self.base.parts().path_start as usize);
        let mut done = 0;
        loop {
            let (up, step) = match &path.as_bytes()[done..] {
                [b'.', b'/', ..] => (false, 2),
                [b'.'] => (false, 1),
                [b'.', b'.', b'/', ..] => (true, 3),
                [b'.', b'.'] => (true, 2),
                _ => return (end, done),
            };
            if up && end > root + 1 {
                let above = base[root..end - 1].iter().rposition(|&octet| octet == b'/');
                end = root + above.unwrap_or_default() + 1;
            } else if up && leftover != Leftover::Remove {
                return (end, done);
            }
            done += step;
        }
    }

    /// Writes a target of this form to a string that is empty.
    #[inline(always)]
    pub(super) fn write_joined(
        &self,
        joined: &Joined<'_>,
        options: ResolveOptions,
        out: &mut String,
    ) -> Result<(), ResolveError> {
        out.reserve(joined.head.len() + 1 + joined.dotted.len() + joined.tail.len());
        out.push_str(joined.head);
        if joined.slash {
            out.push('/');
        }
        if !joined.dotted.is_empty() {
            self.write_dotted(joined, options, out).map_err(|Refused| ResolveError::Leftover)?;
        }
        out.push_str(joined.tail);
        Ok(())
    }

    #[inline(never)]
    fn write_dotted(
        &self,
        joined: &Joined<'_>,
        options: ResolveOptions,
        out: &mut String,
    ) -> Result<(), Refused> {
        let mut walk = Walk::behind(out, joined.floor, self.rule, options.leftover_by(self.rule));
        walk.go(joined.dotted)?;
        walk.end()
    }
}
