//! The classes of octets: takes sets and returns one table, at compile time.

use super::AsciiSet;

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
