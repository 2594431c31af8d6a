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
        let (mut start, mut last) = (0, 0);
        loop {
            let rest = &self.path[start..];
            let Sight { one, two } = look(machine, rest, u64::from(start == 0), self.table);
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

/// The first dot segment from a place on where a segment begins; the path is the end of `text`.
#[inline(always)]
pub(crate) fn next<M: Machine>(machine: M, text: &[u8], mut from: usize, table: &Table) -> Option<Dots> {
    let mut begins = 1;
    loop {
        let rest = text.get(from..)?;
        let Sight { one, two } = look(machine, rest, begins, table);
        if one | two != 0 {
            let at = (one | two).trailing_zeros();
            let up = two >> at & 1;
            let (start, end) = (from + at as usize, from + at as usize + 1 + up as usize);
            return Some(Dots { start, end: text.len().min(end + 1), up: up > 0 });
        }
        if rest.len() < BLOCK {
            return None;
        }
        (from, begins) = (from + STEP, 0);
    }
}

/// A dot segment and its slashes are four octets at most, so that each is whole in one of two blocks
/// that overlap by three.
const STEP: usize = BLOCK - 3;

/// Where "." and ".." begin in the first block of a path.
struct Sight {
    one: u64,
    two: u64,
}

/// Looks at the first block of what is left of a path; `begins` is 1 if a segment begins there.
#[inline(always)]
fn look<M: Machine>(machine: M, rest: &[u8], begins: u64, table: &Table) -> Sight {
    let block = machine.load(rest, table);
    let (slashes, dots) = (machine.equal(block, b'/'), machine.equal(block, b'.'));
    let begins = dots & (slashes << 1 | begins);
    let end = if rest.len() < BLOCK { 1 << rest.len() } else { 0 };
    let ends = slashes | end;
    Sight { one: begins & ends >> 1, two: begins & dots >> 1 & ends >> 2 }
}

/// A ".." that leads above the root, where that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
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
pub(crate) struct Walk<'o> {
    out: &'o mut String,
    floor: usize,
    open: usize,
    /// How many octets of the path have been gone through.
    read: usize,
    slash: Slash,
    leftover: Leftover,
}

impl<'o> Walk<'o> {
    pub(crate) fn new(out: &'o mut String, rule: &Resolution, leftover: Leftover) -> Self {
        let floor = out.len();
        Self { out, floor, open: floor, read: 0, slash: rule.slash, leftover }
    }

    /// Goes on with a piece of the path, which need not end with a segment.
    pub(crate) fn go(&mut self, piece: &str) -> Result<(), Refused> {
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
            Leftover::Refuse => Err(Refused { end: self.read }),
            Leftover::Keep => {
                self.floor = self.out.len();
                Ok(false)
            }
        }
    }
}
