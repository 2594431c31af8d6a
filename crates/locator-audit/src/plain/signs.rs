//! Signs: octets without which a check finds nothing. They are looked for in one pass over the text,
//! so that a plain URL, as nearly all are, is not read again by every check.

use super::tokens::may_begin;
use locator::AsciiSet;
use locator::internal::{self as simd, Backend, Class, Table, WithBackend};

/// A set of signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signs(u8);

impl Signs {
    /// The sign of every text, for checks that are always made.
    pub(crate) const ALWAYS: Self = Self(1);
    /// A control, a space, or a character beyond ASCII.
    pub(crate) const ODD: Self = Self(2);
    /// A "%".
    pub(crate) const PERCENT: Self = Self(4);
    /// Two dots after each other.
    pub(crate) const DOTS: Self = Self(8);
    /// A word of 24 octets or more that begins like a credential.
    pub(crate) const CREDENTIAL: Self = Self(16);
    /// A "=".
    pub(crate) const EQUALS: Self = Self(32);

    /// Returns the signs of both sets.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether a sign is in both sets.
    pub(crate) const fn has_any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the set of one sign if the bitmap is not empty.
    #[inline(always)]
    const fn of(self, bitmap: u64) -> u8 {
        if bitmap == 0 { 0 } else { self.0 }
    }
}

/// The octets of a block: a bitmap has a bit for each.
pub(crate) const BLOCK: usize = u64::BITS as usize;

const GRAPHIC: Class = Class::of(0);
/// The octets of words that may be credentials.
pub(crate) const WORD: Class = Class::of(1);
const EQUAL: Class = Class::of(2);
/// The octets of an ordinary host.
pub(crate) const HOST: Class = Class::of(3);
/// The octets after a host that no check looks at, whatever is around them.
pub(crate) const REST: Class = Class::of(4);
pub(crate) const DOT: Class = Class::of(6);
pub(crate) const HYPHEN: Class = Class::of(7);

/// The octets of the names of hosts in the DNS.
pub(crate) const IN_HOST: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT).union(AsciiSet::of(b"-."));
/// The octets of a path, a query and a fragment, without escapes.
pub(crate) const AFTER_HOST: AsciiSet = IN_HOST.union(AsciiSet::of(b"_~!$&'()*+,;=:@/?"));

pub(crate) static TABLE: Table = Table::new(
    &[
        (GRAPHIC, AsciiSet::range(0x21, 0x7E)),
        (WORD, IN_HOST.union(AsciiSet::of(b"_"))),
        (EQUAL, AsciiSet::of(b"=")),
        (HOST, IN_HOST),
        (REST, AFTER_HOST.difference(AsciiSet::of(b";="))),
        (Class::PERCENT, AsciiSet::of(b"%")),
        (DOT, AsciiSet::of(b".")),
        (HYPHEN, AsciiSet::of(b"-")),
    ],
    [0; 128],
);

/// Returns the signs in a text.
pub(crate) fn signs(text: &[u8]) -> Signs {
    simd::dispatch(Pass { text })
}

struct Pass<'a> {
    text: &'a [u8],
}

impl WithBackend for Pass<'_> {
    type Output = Signs;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> Signs {
        let Self { text } = self;
        let mut signs = Signs::ALWAYS.0;
        // Whether the octet before the block is of a word, or a dot.
        let (mut in_word, mut after_dot) = (0, 0);
        for (i, octets) in text.chunks(BLOCK).enumerate() {
            let block = backend.load(octets, &TABLE);
            let bitmap = |class| backend.bitmap(&block, &TABLE, class);
            let all = u64::MAX >> (BLOCK - octets.len());
            let (words, dots) = (bitmap(WORD), bitmap(DOT));
            signs |= Signs::ODD.of(!bitmap(GRAPHIC) & all)
                | Signs::PERCENT.of(bitmap(Class::PERCENT))
                | Signs::EQUALS.of(bitmap(EQUAL))
                | Signs::DOTS.of(dots & (dots << 1 | after_dot));
            let mut starts = long_words_of_many(words) & !(words << 1 | in_word);
            while starts != 0 {
                if text.get(BLOCK * i + starts.trailing_zeros() as usize..).is_some_and(may_begin) {
                    signs |= Signs::CREDENTIAL.0;
                }
                starts &= starts - 1;
            }
            (in_word, after_dot) = (words >> (BLOCK - 1), dots >> (BLOCK - 1));
        }
        Signs(signs)
    }
}

/// Returns the bits that begin 24 such bits, as few octets are no credential.
#[inline(always)]
pub(crate) const fn long_words(words: u64) -> u64 {
    let two = words & words >> 1;
    let four = two & two >> 2;
    let eight = four & four >> 4;
    let sixteen = eight & eight >> 8;
    sixteen & eight >> 16
}

/// Like [`long_words`], where the words may go on after the block.
#[inline(always)]
pub(crate) const fn long_words_of_many(words: u64) -> u64 {
    !near(!words)
}

/// Returns the bits with one of these bits less than 24 after them.
#[inline(always)]
const fn near(ends: u64) -> u64 {
    let two = ends | ends >> 1;
    let four = two | two >> 2;
    let eight = four | four >> 4;
    let sixteen = eight | eight >> 8;
    sixteen | eight >> 16
}

#[cfg(test)]
mod tests {
    use std::format;
    use std::string::String;

    use super::{Signs, signs};

    fn of(text: &str) -> u8 {
        signs(text.as_bytes()).0 & !Signs::ALWAYS.0
    }

    #[test]
    fn each_sign_is_found_at_every_place() {
        for length in 0..200 {
            let before = "/".repeat(length);
            for (text, sign) in [
                (String::new(), 0),
                (" ".into(), Signs::ODD.0),
                ("é".into(), Signs::ODD.0),
                ("\x7F".into(), Signs::ODD.0),
                ("%".into(), Signs::PERCENT.0),
                ("..".into(), Signs::DOTS.0),
                (".".into(), 0),
                ("=".into(), Signs::EQUALS.0),
                (format!("gh{}", "0".repeat(22)), Signs::CREDENTIAL.0),
                (format!("xgh{}", "0".repeat(22)), 0),
            ] {
                for after in ["", "/", "//////////////////////////////////////////////////////////////////"] {
                    assert_eq!(of(&format!("{before}{text}{after}")), sign, "{length} {text}");
                }
            }
        }
        assert_eq!(of("/gh00000/"), 0);
    }
}
