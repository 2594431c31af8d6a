//! Finds dot segments in a path, and removes them while a path is written.
//!
//! A path is added in pieces and is written to the end of a string; "." and ".." are removed by the
//! rule of the edition. Each octet is read once, and once more if ".." removes it, so the time is
//! linear in the length.

use alloc::string::String;

use crate::edition::{PathUnderflow, Resolution, Slash};
use crate::simd::{self, BLOCK, Backend, Plain, Table, WithBackend};

/// Returns the end of the last "." or ".." that is a whole segment, or 0 if the path has no such
/// segment.
pub(crate) fn end_of_last(path: &str, table: &'static Table) -> usize {
    let (mut start, mut last) = (0, 0);
    loop {
        let rest = &path.as_bytes()[start..];
        let DotBits { one, two } = Called.dots(rest, u64::from(start == 0), table);
        let found = one << 1 | two << 2;
        if found != 0 {
            last = start + 63 - found.leading_zeros() as usize;
        }
        if rest.len() < BLOCK {
            return last;
        }
        start += STEP;
    }
}

/// The operations on paths that use a SIMD backend.
pub(crate) trait PathBackend: Copy {
    /// Finds the dot segments in the first block of the rest of a path; `begins` is 1 if a segment
    /// begins there.
    fn dots(self, rest: &[u8], begins: u64, table: &Table) -> DotBits;

    /// Appends a text to another.
    fn push(self, out: &mut String, text: &str);
}

/// The operations of a backend, inlined into code that is compiled for it.
#[derive(Clone, Copy)]
pub(crate) struct Inlined<M>(pub(crate) M);

impl<M: Backend> PathBackend for Inlined<M> {
    #[inline(always)]
    fn dots(self, rest: &[u8], begins: u64, table: &Table) -> DotBits {
        FirstBlock { rest, begins, table }.run(self.0)
    }

    #[inline(always)]
    fn push(self, out: &mut String, text: &str) {
        self.0.push(out, text);
    }
}

/// The operations of the selected backend, called from code that is compiled once.
#[derive(Clone, Copy)]
pub(crate) struct Called;

impl PathBackend for Called {
    #[inline(never)]
    fn dots(self, rest: &[u8], begins: u64, table: &Table) -> DotBits {
        simd::dispatch(FirstBlock { rest, begins, table })
    }

    #[inline]
    fn push(self, out: &mut String, text: &str) {
        out.push_str(text);
    }
}

/// A dot segment and its position in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dots {
    /// The offset of its first octet.
    pub(crate) start: usize,
    /// The offset after the segment and its "/", if it is not the last.
    pub(crate) end: usize,
    /// Whether the segment is "..".
    pub(crate) up: bool,
}

/// An iterator over the dot segments of a path, from an offset where a segment begins; the path
/// ends at the end of `text`.
pub(crate) struct DotSegments<'t, P> {
    backend: P,
    text: &'t [u8],
    table: &'static Table,
    /// The start of the current block.
    from: usize,
    /// The dot segments of the current block that have not been returned.
    unread: DotBits,
    /// The end of the last segment that was returned.
    after: usize,
}

impl<'t, P: PathBackend> DotSegments<'t, P> {
    #[inline(always)]
    pub(crate) fn new(backend: P, text: &'t [u8], from: usize, table: &'static Table) -> Self {
        // An empty text is not loaded, because that is slow on some processors.
        let nothing = DotBits { one: 0, two: 0 };
        let unread = if from < text.len() { backend.dots(&text[from..], 1, table) } else { nothing };
        Self { backend, text, table, from, unread, after: from }
    }

    /// Returns the next dot segment.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<Dots> {
        while self.unread.one | self.unread.two == 0 {
            if self.text.len() - self.from < BLOCK {
                return None;
            }
            self.from += STEP;
            let DotBits { one, two } = self.backend.dots(&self.text[self.from..], 0, self.table);
            // The blocks overlap, so a segment in both may already have been returned.
            let unread = u64::MAX << self.after.saturating_sub(self.from);
            self.unread = DotBits { one: one & unread, two: two & unread };
        }
        let DotBits { one, two } = self.unread;
        let rest = (one | two) & ((one | two) - 1);
        self.unread = DotBits { one: one & rest, two: two & rest };
        let at = (one | two).trailing_zeros();
        let up = two >> at & 1;
        let (start, end) = (self.from + at as usize, self.from + at as usize + 1 + up as usize);
        self.after = self.text.len().min(end + 1);
        Some(Dots { start, end: self.after, up: up > 0 })
    }
}

/// A dot segment and its slashes are at most four octets, so each is whole in one of two blocks
/// that overlap by three.
pub(crate) const STEP: usize = BLOCK - 3;

/// The positions of "." and ".." segments in a block, as bitmaps of their first dots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DotBits {
    pub(crate) one: u64,
    pub(crate) two: u64,
}

impl DotBits {
    /// Finds the dot segments among the `dots` of a block, from the dots that begin a segment and
    /// the positions after a segment.
    #[inline(always)]
    pub(crate) fn new(begins: u64, dots: u64, ends: u64) -> Self {
        Self { one: begins & ends >> 1, two: begins & dots >> 1 & ends >> 2 }
    }
}

/// The search in the first block of the rest of a path; see [`PathBackend::dots`].
struct FirstBlock<'a> {
    rest: &'a [u8],
    begins: u64,
    table: &'a Table,
}

impl WithBackend for FirstBlock<'_> {
    type Output = DotBits;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> DotBits {
        let Self { rest, begins, table } = self;
        let block = backend.load(rest, table);
        let (slashes, dots) = (backend.equal(&block, b'/'), backend.equal(&block, b'.'));
        let end = if rest.len() < BLOCK { 1 << rest.len() } else { 0 };
        DotBits::new(dots & (slashes << 1 | begins), dots, slashes | end)
    }

    #[inline(never)]
    fn run_plain(self) -> DotBits {
        self.run(Plain)
    }
}

/// Removes the last segment of a path, if the fast path can; the path begins at `floor` and ends
/// with "/".
#[inline]
pub(crate) fn step_up(out: &mut String, floor: usize, leftover: PathUnderflow) -> Option<()> {
    let path = out.as_bytes().get(floor..)?;
    let Some((_, above)) = path.split_last().filter(|(_, above)| !above.is_empty()) else {
        return (leftover == PathUnderflow::Remove).then_some(());
    };
    let slash = above.iter().rposition(|&octet| octet == b'/')?;
    out.truncate(floor + slash + 1);
    Some(())
}

/// The error of a ".." above the root, if the caller refuses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Underflow {
    /// The end of the "..", in octets of the path so far.
    pub(crate) end: usize,
}

/// A writer that appends a path to a string without its dot segments.
///
/// ```text
/// http://a/../b/c/..
///            |   |
///            |   open   the segment that is being written, with the "/" before it
///            floor      nothing before it can be taken away: the root, or ".." that were kept
/// ```
pub(crate) struct DotRemover<'o> {
    out: &'o mut String,
    floor: usize,
    open: usize,
    /// The number of octets of the path that have been read.
    read: usize,
    slash: Slash,
    leftover: PathUnderflow,
    /// Whether a path without a root stays without one after its first segment is removed.
    stays_rootless: bool,
    /// Whether the first segment of a path without a root has just been removed.
    first_gone: bool,
}

impl<'o> DotRemover<'o> {
    pub(crate) fn new(out: &'o mut String, rule: &Resolution, leftover: PathUnderflow) -> Self {
        let floor = out.len();
        let (slash, stays_rootless) = (rule.slash, rule.stays_rootless);
        Self { out, floor, open: floor, read: 0, slash, leftover, stays_rootless, first_gone: false }
    }

    /// Appends a piece of the path, which need not end with a segment.
    pub(crate) fn go(&mut self, piece: &str) -> Result<(), Underflow> {
        let mut segments = piece.split('/');
        self.write(segments.next().unwrap_or_default());
        for segment in segments {
            self.close(false)?;
            self.read += 1;
            self.write(segment);
        }
        Ok(())
    }

    fn write(&mut self, text: &str) {
        self.out.push_str(text);
        self.read += text.len();
    }

    /// Finishes the path.
    pub(crate) fn end(mut self) -> Result<(), Underflow> {
        self.close(true)
    }

    /// Handles the segment that ends here, and opens the next if it is not the last.
    fn close(&mut self, last: bool) -> Result<(), Underflow> {
        let written = &self.out[self.open..];
        let (rooted, segment) = written.strip_prefix('/').map_or((false, written), |segment| (true, segment));
        // "/xxx/.." and "/." begin with a slash, so the first segment of a path without a root
        // matches neither and cannot be removed.
        let untouchable = !rooted && self.slash == Slash::Before;
        self.first_gone = false;
        let goes = match segment {
            _ if untouchable => false,
            "." => true,
            ".." => self.step_up()?,
            _ => false,
        };
        if goes {
            self.out.truncate(self.open);
        } else if untouchable {
            self.floor = self.out.len();
        }
        self.open = self.out.len();
        // "replace that prefix with "/" in the input buffer" (RFC 3986, 5.2.4 B and C), but at the
        // beginning of a path without a root "remove that prefix" (A and D). "<segment>/../" is
        // removed with its last "/" (1997, 5.2, 6f), which is seen where nothing is left before it.
        let rooted = rooted && !self.first_gone;
        let slash = if last { goes && rooted && self.slash == Slash::After } else { rooted || !goes };
        if slash {
            self.out.push('/');
        }
        Ok(())
    }

    /// Removes the segment before "..", and returns whether ".." is removed too.
    fn step_up(&mut self) -> Result<bool, Underflow> {
        if self.open > self.floor {
            // "remove the last segment and its preceding "/" (if any) from the output buffer"
            let segment = self.out[self.floor..self.open].rfind('/');
            self.first_gone = self.stays_rootless && segment.is_none();
            self.out.truncate(self.floor + segment.unwrap_or_default());
            return Ok(true);
        }
        // "Implementations may handle this error by retaining these components in the resolved
        // path, by removing them from the resolved path, or by avoiding traversal of the
        // reference."
        match self.leftover {
            PathUnderflow::Remove => Ok(true),
            PathUnderflow::Refuse => Err(Underflow { end: self.read }),
            PathUnderflow::Keep => {
                self.floor = self.out.len();
                Ok(false)
            }
        }
    }
}

#[cfg(all(test, not(miri)))]
mod tests {
    use std::string::String;
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;
    use crate::edition::DEFAULT;

    /// Collects all dot segments on the current backend.
    struct All<'a>(&'a str, usize);

    impl WithBackend for All<'_> {
        type Output = Vec<Dots>;

        fn run<M: Backend>(self, backend: M) -> Vec<Dots> {
            let mut segments = DotSegments::new(Inlined(backend), self.0.as_bytes(), self.1, &DEFAULT.table);
            core::iter::from_fn(move || segments.next()).collect()
        }
    }

    fn naive(text: &str, from: usize) -> Vec<Dots> {
        let mut start = from;
        let mut dots = Vec::new();
        for segment in text[from..].split('/') {
            let after = start + segment.len() + 1;
            if matches!(segment, "." | "..") {
                dots.push(Dots { start, end: text.len().min(after), up: segment == ".." });
            }
            start = after;
        }
        dots
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

        #[test]
        fn each_dot_segment_once(
            segments in prop::collection::vec("\\.{0,3}|a{0,9}|b{50,70}", 0..40),
            from in 0..=2_usize,
        ) {
            let text: String = std::format!("{}{}", &"//"[..from], segments.join("/"));
            prop_assert_eq!(simd::dispatch(All(&text, from)), naive(&text, from));
            let mut called = DotSegments::new(Called, text.as_bytes(), from, &DEFAULT.table);
            let called: Vec<_> = core::iter::from_fn(|| called.next()).collect();
            prop_assert_eq!(called, naive(&text, from));
        }
    }
}
