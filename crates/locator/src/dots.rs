//! Dot segments found in a path, and removed while a path is written.
//!
//! A path enters in pieces and is written to the end of a string; "." and ".." leave it as the
//! edition's rule has it. The text is gone through once: what ".." takes away is looked at a
//! second time and never again, so the work grows with the length and nothing else.

use alloc::string::String;

use crate::edition::{Leftover, Resolution, Slash};
use crate::octet::{self, BLOCK, Machine, Table, Work};

/// How far a path must be looked at for dot segments: the end of the last "." or ".." that is a whole
/// segment; 0 if there is none.
#[inline]
pub(crate) fn end_of_last(path: &str, table: &'static Table) -> usize {
    octet::dispatch(EndOfLast { path: path.as_bytes(), table })
}

/// The same as work for a machine.
pub(crate) struct EndOfLast<'a> {
    pub(crate) path: &'a [u8],
    pub(crate) table: &'static Table,
}

impl Work for EndOfLast<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) -> usize {
        /// A dot segment and its slashes are four octets at most, so that each is whole in one of two blocks
        /// that overlap by three.
        const STEP: usize = BLOCK - 3;
        let (mut start, mut last) = (0, 0);
        loop {
            let rest = &self.path[start..];
            let block = machine.load(rest, self.table);
            let (slashes, dots) = (machine.equal(block, b'/'), machine.equal(block, b'.'));
            let is_last = rest.len() < BLOCK;
            let begins = slashes << 1 | u64::from(start == 0);
            let ends = slashes | u64::from(is_last).unbounded_shl(rest.len() as u32);
            let one = begins & dots & ends >> 1;
            let two = begins & dots & dots >> 1 & ends >> 2;
            let found = one << 1 | two << 2;
            if found != 0 {
                last = start + 63 - found.leading_zeros() as usize;
            }
            if is_last {
                return last;
            }
            start += STEP;
        }
    }
}

/// A ".." that leads above the root, where that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refused;

/// A path that is being written to the end of a string.
///
/// ```text
/// http://a/../b/c/..
///            |   |
///            |   open   the segment that is being written, with the "/" before it
///            floor      nothing before it can be taken away: the root, or ".." that were kept
/// ```
pub(crate) struct Walk<'o> {
    out: &'o mut String,
    floor: usize,
    open: usize,
    slash: Slash,
    leftover: Leftover,
}

impl<'o> Walk<'o> {
    pub(crate) fn new(out: &'o mut String, rule: &Resolution, leftover: Leftover) -> Self {
        let floor = out.len();
        Self::behind(out, floor, rule, leftover)
    }

    /// Goes on behind a directory that was written from `floor` on: nothing yet, or what begins and ends
    /// with "/" and has no dot segments.
    pub(crate) fn behind(out: &'o mut String, floor: usize, rule: &Resolution, leftover: Leftover) -> Self {
        let open = floor.max(out.len().saturating_sub(1));
        Self { out, floor, open, slash: rule.slash, leftover }
    }

    /// Goes on with a piece of the path, which need not end with a segment.
    pub(crate) fn go(&mut self, piece: &str) -> Result<(), Refused> {
        let mut segments = piece.split('/');
        self.out.push_str(segments.next().unwrap_or_default());
        for segment in segments {
            self.close(false)?;
            self.out.push_str(segment);
        }
        Ok(())
    }

    /// Ends the path.
    pub(crate) fn end(mut self) -> Result<(), Refused> {
        self.close(true)
    }

    /// Judges the segment that ends here, and opens the next if it is not the last.
    fn close(&mut self, last: bool) -> Result<(), Refused> {
        let written = &self.out[self.open..];
        let (rooted, segment) = written.strip_prefix('/').map_or((false, written), |segment| (true, segment));
        // "/xxx/.." and "/." have a slash before them, so the first element of a path without a root
        // is neither of them, nor can it be taken away.
        let untouchable = !rooted && self.slash == Slash::Before;
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
        // beginning of a path without a root "remove that prefix" (A and D).
        let slash = if last { goes && rooted && self.slash == Slash::After } else { rooted || !goes };
        if slash {
            self.out.push('/');
        }
        Ok(())
    }

    /// Takes the segment before ".." away, and says if ".." goes with it.
    fn step_up(&mut self) -> Result<bool, Refused> {
        if self.open > self.floor {
            // "remove the last segment and its preceding "/" (if any) from the output buffer"
            let segment = self.out[self.floor..self.open].rfind('/').unwrap_or_default();
            self.out.truncate(self.floor + segment);
            return Ok(true);
        }
        // "Implementations may handle this error by retaining these components in the resolved path,
        // by removing them from the resolved path, or by avoiding traversal of the reference."
        match self.leftover {
            Leftover::Remove => Ok(true),
            Leftover::Refuse => Err(Refused),
            Leftover::Keep => {
                self.floor = self.out.len();
                Ok(false)
            }
        }
    }
}
