//! The classes of octets: takes sets and returns one table, at compile time.
//!
//! Sets of ASCII octets with const operations, so that a constant can follow the grammar rule that
//! it implements.

/// A class of octets: its number in a [`Table`]. The users of the module define which octets a
/// class has, and its name; a backend that looks up eight classes at a time is fastest with numbers
/// below 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class(u8);

impl Class {
    /// The number of classes in a table.
    pub(crate) const COUNT: usize = 22;

    /// The octet "%", in a table of texts with escapes.
    pub const PERCENT: Self = Self::of(5);

    /// The hex digits, in a table of texts with escapes.
    pub(crate) const HEX: Self = Self::of(11);

    /// Returns the class with this number, which is less than `COUNT`.
    pub const fn of(number: u8) -> Self {
        assert!((number as usize) < Self::COUNT);
        Self(number)
    }

    /// Returns the number of the class.
    #[inline(always)]
    pub(crate) const fn number(self) -> usize {
        self.0 as usize
    }

    /// Returns all classes, indexed by their number.
    pub(super) const ALL: [Self; Self::COUNT] = {
        let mut all = [Self(0); Self::COUNT];
        let mut i = 0;
        while i < Self::COUNT {
            all[i] = Self(i as u8);
            i += 1;
        }
        all
    };
}

/// The number of groups of eight classes, one for each bit of an octet.
pub(crate) const GROUPS: usize = Class::COUNT.div_ceil(8);

/// The classes of every octet below 128; an octet above is in no class.
#[derive(Clone, Debug)]
pub struct Table {
    /// `groups[g][octet]`: bit b is for class 8g + b.
    pub(crate) groups: [[u8; 128]; GROUPS],
    /// `nibbles[class][low]`: bit h is for octet 16h + low. The same data, for backends that look
    /// up 16.
    pub(crate) nibbles: [[u8; 16]; 8 * GROUPS],
    /// `first_group[octet]`: bit 8b is for class b. The first group, one class per octet, so that
    /// eight entries shifted and added are eight bitmaps of eight octets.
    pub(crate) first_group: [u64; 256],
    /// `codes[octet]`: a bit for each of four classes in the low half, and a category of octets in
    /// the high half; the users of the module define both.
    pub(crate) codes: [u8; 128],
}

impl Table {
    /// Creates the table of classes, with the codes that rows are parsed by. A class that is not
    /// listed has no octet.
    pub const fn new(classes: &[(Class, AsciiSet)], codes: [u8; 128]) -> Self {
        let mut table =
            Self { groups: [[0; 128]; GROUPS], nibbles: [[0; 16]; 8 * GROUPS], first_group: [0; 256], codes };
        let mut i = 0;
        while i < classes.len() {
            let (class, set) = classes[i];
            let mut octet = 0;
            while octet < 128 {
                if set.contains(octet) {
                    table.groups[class.number() / 8][octet as usize] |= 1 << (class.number() % 8);
                    table.nibbles[class.number()][octet as usize % 16] |= 1 << (octet / 16);
                    if class.number() < 8 {
                        table.first_group[octet as usize] |= 1 << (8 * class.number());
                    }
                }
                octet += 1;
            }
            i += 1;
        }
        table
    }

    /// Returns the set of a class.
    pub(crate) const fn set(&self, class: Class) -> AsciiSet {
        let mut set = AsciiSet::EMPTY;
        let mut octet = 0;
        while octet < 128 {
            if self.contains(class, octet) {
                set = set.union(AsciiSet::of(&[octet]));
            }
            octet += 1;
        }
        set
    }

    /// Returns whether the octet is in the class.
    pub(crate) const fn contains(&self, class: Class, octet: u8) -> bool {
        octet < 128 && (self.groups[class.number() / 8][octet as usize] >> (class.number() % 8)) & 1 == 1
    }
}

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
