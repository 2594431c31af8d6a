//! Sets of ASCII octets with const operations, so that a constant can follow the grammar rule that
//! it implements.

/// A set of ASCII characters.
///
/// ```
/// use locator::AsciiSet;
///
/// // unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"
/// const UNRESERVED: AsciiSet =
///     AsciiSet::ALPHA.union(AsciiSet::DIGIT).union(AsciiSet::of(b"-._~"));
/// assert!(
///     UNRESERVED.contains(b'~')
///         && !UNRESERVED.contains(b'/')
///         && !UNRESERVED.contains(0xE9)
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsciiSet(u128);

impl AsciiSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// `ALPHA` of RFC 5234: A-Z and a-z.
    pub const ALPHA: Self = Self::range(b'A', b'Z').union(Self::range(b'a', b'z'));
    /// `DIGIT` of RFC 5234: 0-9.
    pub const DIGIT: Self = Self::range(b'0', b'9');
    /// `HEXDIG` of RFC 5234, in both cases.
    pub const HEXDIG: Self = Self::DIGIT.union(Self::range(b'A', b'F')).union(Self::range(b'a', b'f'));
    /// "%", which begins an escape; a set that contains it allows escapes.
    pub const ESCAPE: Self = Self::of(b"%");

    /// Returns the set of the listed octets.
    ///
    /// # Panics
    ///
    /// Panics if one of them is not ASCII; in a constant that is a compile error.
    #[must_use]
    pub const fn of(octets: &[u8]) -> Self {
        let mut bits = 0;
        let mut i = 0;
        while i < octets.len() {
            assert!(octets[i] < 128, "a set contains octets below 128 only");
            bits |= 1 << octets[i];
            i += 1;
        }
        Self(bits)
    }

    /// Returns the set of the octets from `first` to `last`, inclusive.
    ///
    /// # Panics
    ///
    /// Panics if `last` is not ASCII or is below `first`; in a constant that is a compile error.
    #[must_use]
    pub const fn range(first: u8, last: u8) -> Self {
        assert!(
            first <= last && last < 128,
            "a range of octets below 128 goes from the lower to the higher one"
        );
        Self((u128::MAX >> (127 - last)) & (u128::MAX << first))
    }

    /// Returns the octets that are in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the octets that are in this set and not in the other.
    #[must_use]
    pub const fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns whether the octet is in the set.
    #[must_use]
    pub const fn contains(self, octet: u8) -> bool {
        // A shift of one word costs a quarter of a shift of two.
        let half = if octet < 64 { self.0 } else { self.0 >> 64 } as u64;
        octet < 128 && half >> (octet & 63) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::AsciiSet;

    #[test]
    fn every_range() {
        for first in 0..128 {
            for last in first..128 {
                let set = AsciiSet::range(first, last);
                assert!((0..=255).all(|octet| set.contains(octet) == (first..=last).contains(&octet)));
            }
        }
    }

    #[test]
    #[should_panic(expected = "below 128")]
    fn no_set_of_other_octets() {
        let _ = AsciiSet::of(&[b'a', 0xE9]);
    }

    #[test]
    #[should_panic(expected = "below 128")]
    fn no_range_beyond_ascii() {
        let _ = AsciiSet::range(b'a', 0xE9);
    }

    #[test]
    #[should_panic(expected = "from the lower")]
    fn no_range_that_goes_down() {
        let _ = AsciiSet::range(b'z', b'a');
    }
}
