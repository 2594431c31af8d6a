//! The sets of octets that are the same in every edition.

use crate::simd::AsciiSet;

/// `ALPHA / DIGIT`, which is the same in every edition.
pub(super) const ALPHANUM: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT);

/// `escape = "%" HEXDIG HEXDIG`: the set contains "%"; the parser checks the digits.
pub(super) const ESCAPE: AsciiSet = AsciiSet::ESCAPE;
