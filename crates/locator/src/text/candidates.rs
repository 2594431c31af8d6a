//! Finds candidates: takes a block of a text and returns a bitmap of the octets to examine.

use super::octets::TABLE;
use crate::simd::{BLOCK, Backend};

/// The candidates that are looked for in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidates<'t> {
    pub(super) text: &'t [u8],
    /// Whether dots and "@" are candidates, too.
    pub(super) guesses: bool,
    /// Whether the brackets that may be marks of a defanged URL are candidates, and "\\" is one.
    pub(super) marks: bool,
}

impl Candidates<'_> {
    /// Returns the candidates in the block that begins at `from`.
    #[inline(always)]
    pub(super) fn at<M: Backend>(self, backend: M, from: usize) -> u64 {
        let rest = &self.text[from..];
        let block = match rest.first_chunk::<BLOCK>() {
            Some(whole) => backend.load(whole, &TABLE),
            None => backend.load(rest, &TABLE),
        };
        let mut colons = backend.equal(&block, b':');
        if colons != 0 {
            colons = Self::colons(backend, block, self.brackets_before(backend, from)).0;
        }
        colons | self.guesses(backend, block)
    }

    /// Returns the colons of a block that may follow a scheme, and its angle brackets; takes the
    /// brackets of the block before. Without a branch: every third block of prose has a colon, and
    /// hardly any has a URL.
    #[inline(always)]
    fn colons<M: Backend>(backend: M, block: M::Block<'_>, brackets_before: u64) -> (u64, u64) {
        let colons = backend.equal(&block, b':');
        // In "std::io" neither colon follows a scheme. The octets before and after the block are
        // unknown here.
        let single = colons & !(colons << 1 | colons >> 1);
        let spaces = backend.equal(&block, b' ') | backend.equal(&block, b'\n');
        let brackets = backend.equal(&block, b'<');
        // "word: word" is prose, unless a wrapped URL is broken after the colon.
        let prose = if brackets | brackets_before == 0 { spaces >> 1 } else { 0 };
        (single & !prose, brackets)
    }

    /// Returns the angle brackets of the block before.
    #[inline(always)]
    fn brackets_before<M: Backend>(self, backend: M, from: usize) -> u64 {
        backend.equal(&backend.load(&self.text[from.saturating_sub(BLOCK)..from], &TABLE), b'<')
    }

    /// Returns the first block with candidates from `from` on, and its candidates. Examines two
    /// blocks at a time, and stops if fewer than two are left.
    #[inline(always)]
    pub(super) fn next<M: Backend>(self, backend: M, mut from: usize) -> (usize, u64) {
        let mut brackets = if from < self.text.len() { self.brackets_before(backend, from) } else { 0 };
        while let Some(two) = self.text.get(from..).and_then(|rest| rest.first_chunk::<{ 2 * BLOCK }>()) {
            let (mut first, mut empty) = (0, 0);
            for octets in two.as_chunks::<BLOCK>().0 {
                let block = backend.load(octets, &TABLE);
                let colons;
                (colons, brackets) = Self::colons(backend, block, brackets);
                let signs = colons | self.guesses(backend, block);
                first = if first == 0 { signs } else { first };
                empty += usize::from(first == 0);
            }
            if first != 0 {
                return (from + BLOCK * empty, first);
            }
            from += two.len();
        }
        (from, 0)
    }

    /// Returns the dots and "@" of a block, if they are candidates.
    #[inline(always)]
    fn guesses<M: Backend>(self, backend: M, block: M::Block<'_>) -> u64 {
        if !self.guesses && !self.marks {
            return 0;
        }
        self.dots(backend, block) | self.marks(backend, block)
    }

    #[inline(always)]
    fn marks<M: Backend>(self, backend: M, block: M::Block<'_>) -> u64 {
        if !self.marks {
            return 0;
        }
        [b'[', b'(', b'{', b'<', b'\\', b'_', b']']
            .into_iter()
            .fold(0, |found, mark| found | backend.equal(&block, mark))
    }

    #[inline(always)]
    fn dots<M: Backend>(self, backend: M, block: M::Block<'_>) -> u64 {
        if !self.guesses {
            return 0;
        }
        let dots = backend.equal(&block, b'.');
        // A dot before a space ends a sentence.
        dots & !(backend.equal(&block, b' ') >> 1) | backend.equal(&block, b'@')
    }
}
