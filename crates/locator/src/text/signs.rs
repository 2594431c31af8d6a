//! Where something may be found: a block of a text enters, a bitmap of the octets that are worth a look leaves.

use super::octets::TABLE;
use crate::octet::{BLOCK, Machine};

/// What is looked for in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signs<'t> {
    pub(super) text: &'t [u8],
    /// Whether dots and "@" are signs, too.
    pub(super) guesses: bool,
}

impl Signs<'_> {
    /// The signs in the block that begins at `from`.
    #[inline(always)]
    pub(super) fn at<M: Machine>(self, machine: M, from: usize) -> u64 {
        let rest = &self.text[from..];
        let block = match rest.first_chunk::<BLOCK>() {
            Some(whole) => machine.load(whole, &TABLE),
            None => machine.load(rest, &TABLE),
        };
        let mut signs = machine.equal(block, b':');
        if signs != 0 {
            // Of "std::io" neither colon is a scheme's. What is before the block and behind it is not known here.
            signs &= !(signs << 1 | signs >> 1);
            let spaces = machine.equal(block, b' ') | machine.equal(block, b'\n');
            let before_spaces = signs & spaces >> 1;
            // "word: word" is prose, unless a wrapper is broken behind the colon.
            if before_spaces != 0 && machine.equal(block, b'<') | self.brackets_before(machine, from) == 0 {
                signs ^= before_spaces;
            }
        }
        if self.guesses {
            signs |= machine.equal(block, b'@');
            let dots = machine.equal(block, b'.');
            // What a space follows ends a sentence.
            signs |= dots & !(machine.equal(block, b' ') >> 1);
        }
        signs
    }

    /// Where the angle brackets are in the block before.
    #[inline(always)]
    fn brackets_before<M: Machine>(self, machine: M, from: usize) -> u64 {
        machine.equal(machine.load(&self.text[from.saturating_sub(BLOCK)..from], &TABLE), b'<')
    }

    /// Behind blocks without signs, four at a time, from `from` on.
    #[inline(always)]
    pub(super) fn behind_nothing<M: Machine>(self, machine: M, mut from: usize) -> usize {
        while let Some(four) = self.text.get(from..).and_then(|rest| rest.first_chunk::<{ 4 * BLOCK }>()) {
            let blocks = four.as_chunks::<BLOCK>().0;
            let first = self.any(machine, &blocks[0]);
            let second = first | self.any(machine, &blocks[1]);
            let third = second | self.any(machine, &blocks[2]);
            if third | self.any(machine, &blocks[3]) != 0 {
                let empty = u8::from(first == 0) + u8::from(second == 0) + u8::from(third == 0);
                return from + BLOCK * usize::from(empty);
            }
            from += four.len();
        }
        from
    }

    /// Whatever may be a sign.
    #[inline(always)]
    fn any<M: Machine>(self, machine: M, block: &[u8; BLOCK]) -> u64 {
        let block = machine.load(block, &TABLE);
        let colons = machine.equal(block, b':');
        if self.guesses { colons | machine.equal(block, b'.') | machine.equal(block, b'@') } else { colons }
    }
}
