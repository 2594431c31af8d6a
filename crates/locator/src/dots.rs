//! Dot segments found in a path, and removed while a path is written.
//!
//! A path enters in pieces and is written to the end of a string; "." and ".." leave it as the
//! edition's rule has it. The text is gone through once: what ".." takes away is looked at a
//! second time and never again, so the work grows with the length and nothing else.

use alloc::string::String;

use crate::edition::{PathUnderflow, Resolution, Slash};
use crate::simd::{self, BLOCK, Backend, Table, WithBackend};

/// How far a path must be looked at for dot segments: the end of the last "." or ".." that is a whole
/// segment; 0 if there is none.
#[inline]
pub(crate) fn end_of_last(path: &str, table: &'static Table) -> usize {
    simd::dispatch(EndOfLast { path: path.as_bytes(), table })
}

/// The same as work for a backend.
pub(crate) struct EndOfLast<'a> {
    pub(crate) path: &'a [u8],
    pub(crate) table: &'static Table,
}

impl WithBackend for EndOfLast<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> usize {
        let (mut start, mut last) = (0, 0);
        loop {
            let rest = &self.path[start..];
            let Sight { one, two } = look(backend, rest, u64::from(start == 0), self.table);
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
}

/// A dot segment, and where it stands in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dots {
    /// Its first octet.
    pub(crate) start: usize,
    /// Behind it and its "/", if it is not the last.
    pub(crate) end: usize,
    /// Whether it is "..".
    pub(crate) up: bool,
}

/// The dot segments of a path, from a place on where a segment begins; the path is the end of `text`.
pub(crate) struct DotSegments<'t, M> {
    backend: M,
    text: &'t [u8],
    table: &'static Table,
    /// Where the block in sight begins.
    from: usize,
    /// What is in it and has not been told.
    sight: Sight,
    /// The end of the last one that was told.
    behind: usize,
}

impl<'t, M: Backend> DotSegments<'t, M> {
    #[inline(always)]
    pub(crate) fn new(backend: M, text: &'t [u8], from: usize, table: &'static Table) -> Self {
        // There is nothing to be loaded where nothing is, which takes some processors long.
        let nothing = Sight { one: 0, two: 0 };
        let sight = if from < text.len() { look(backend, &text[from..], 1, table) } else { nothing };
        Self { backend, text, table, from, sight, behind: from }
    }

    /// The next one.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<Dots> {
        while self.sight.one | self.sight.two == 0 {
            if self.text.len() - self.from < BLOCK {
                return None;
            }
            self.from += STEP;
            let Sight { one, two } = look(self.backend, &self.text[self.from..], 0, self.table);
            // Of what stands in both blocks, some may have been told.
            let untold = u64::MAX << self.behind.saturating_sub(self.from);
            self.sight = Sight { one: one & untold, two: two & untold };
        }
        let Sight { one, two } = self.sight;
        let rest = (one | two) & ((one | two) - 1);
        self.sight = Sight { one: one & rest, two: two & rest };
        let at = (one | two).trailing_zeros();
        let up = two >> at & 1;
        let (start, end) = (self.from + at as usize, self.from + at as usize + 1 + up as usize);
        self.behind = self.text.len().min(end + 1);
        Some(Dots { start, end: self.behind, up: up > 0 })
    }
}

/// A dot segment and its slashes are four octets at most, so that each is whole in one of two blocks
/// that overlap by three.
const STEP: usize = BLOCK - 3;

/// Where "." and ".." begin in the first block of a path.
#[derive(Clone, Copy, Debug)]
struct Sight {
    one: u64,
    two: u64,
}

/// Looks at the first block of what is left of a path; `begins` is 1 if a segment begins there.
#[inline(always)]
fn look<M: Backend>(backend: M, rest: &[u8], begins: u64, table: &Table) -> Sight {
    let block = backend.load(rest, table);
    let (slashes, dots) = (backend.equal(&block, b'/'), backend.equal(&block, b'.'));
    let begins = dots & (slashes << 1 | begins);
    let end = if rest.len() < BLOCK { 1 << rest.len() } else { 0 };
    let ends = slashes | end;
    Sight { one: begins & ends >> 1, two: begins & dots >> 1 & ends >> 2 }
}

/// A ".." that leads above the root, where that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Underflow {
    /// Its end, in octets of what had been gone through.
    pub(crate) end: usize,
}

/// A path that is being written to the end of a string.
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
    /// How many octets of the path have been gone through.
    read: usize,
    slash: Slash,
    leftover: PathUnderflow,
    /// Whether a path without a root is left without one when its first segment goes.
    stays_rootless: bool,
    /// Whether the first segment of a path without a root has just gone.
    first_gone: bool,
}

impl<'o> DotRemover<'o> {
    pub(crate) fn new(out: &'o mut String, rule: &Resolution, leftover: PathUnderflow) -> Self {
        let floor = out.len();
        let (slash, stays_rootless) = (rule.slash, rule.stays_rootless);
        Self { out, floor, open: floor, read: 0, slash, leftover, stays_rootless, first_gone: false }
    }

    /// Goes on with a piece of the path, which need not end with a segment.
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

    /// Ends the path.
    pub(crate) fn end(mut self) -> Result<(), Underflow> {
        self.close(true)
    }

    /// Judges the segment that ends here, and opens the next if it is not the last.
    fn close(&mut self, last: bool) -> Result<(), Underflow> {
        let written = &self.out[self.open..];
        let (rooted, segment) = written.strip_prefix('/').map_or((false, written), |segment| (true, segment));
        // "/xxx/.." and "/." have a slash before them, so the first element of a path without a root
        // is neither of them, nor can it be taken away.
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
        // beginning of a path without a root "remove that prefix" (A and D). "<segment>/../" is removed
        // with its last "/" (1997, 5.2, 6f), which is seen where nothing is left before it.
        let rooted = rooted && !self.first_gone;
        let slash = if last { goes && rooted && self.slash == Slash::After } else { rooted || !goes };
        if slash {
            self.out.push('/');
        }
        Ok(())
    }

    /// Takes the segment before ".." away, and says if ".." goes with it.
    fn step_up(&mut self) -> Result<bool, Underflow> {
        if self.open > self.floor {
            // "remove the last segment and its preceding "/" (if any) from the output buffer"
            let segment = self.out[self.floor..self.open].rfind('/');
            self.first_gone = self.stays_rootless && segment.is_none();
            self.out.truncate(self.floor + segment.unwrap_or_default());
            return Ok(true);
        }
        // "Implementations may handle this error by retaining these components in the resolved path,
        // by removing them from the resolved path, or by avoiding traversal of the reference."
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

    /// All of them, on the backend in use.
    struct All<'a>(&'a str, usize);

    impl WithBackend for All<'_> {
        type Output = Vec<Dots>;

        fn run<M: Backend>(self, backend: M) -> Vec<Dots> {
            let mut segments = DotSegments::new(backend, self.0.as_bytes(), self.1, &DEFAULT.table);
            core::iter::from_fn(move || segments.next()).collect()
        }
    }

    fn naive(text: &str, from: usize) -> Vec<Dots> {
        let mut start = from;
        let mut dots = Vec::new();
        for segment in text[from..].split('/') {
            let behind = start + segment.len() + 1;
            if matches!(segment, "." | "..") {
                dots.push(Dots { start, end: text.len().min(behind), up: segment == ".." });
            }
            start = behind;
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
        }
    }
}
