//! The classes of octets in an edition: takes sets and returns one table, at compile time.

use super::AsciiSet;
use super::eight::{Bit, ByteCategory};

/// A class of octets: a bit of a table's entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Class {
    // The first eight are used for nearly every text, so a backend that looks up a group at a time
    // needs one for most.
    Scheme,
    /// The octets of a host without brackets: a name or four numbers.
    Host,
    Path,
    Query,
    Fragment,
    Percent,
    Dot,
    Alphanumeric,
    SchemeStart,
    Letter,
    Digit,
    Hex,
    // Other classes that the edition defines.
    Userinfo,
    /// The octets of an authority that is not a server.
    Registry,
    /// The octets of the rest of an opaque URI.
    Opaque,
    /// The octets of a label of a host name.
    Label,
    /// The octets of a word of a query, where a query is words joined by "+".
    Word,
    // The classes that are the same in all editions.
    EndOfScheme,
    EndOfAuthority,
    EndOfPath,
    At,
    Capital,
}

impl Class {
    /// The number of classes.
    pub(crate) const COUNT: usize = 22;

    /// All classes, indexed by their number.
    pub(crate) const ALL: [Self; Self::COUNT] = [
        Self::Scheme,
        Self::Host,
        Self::Path,
        Self::Query,
        Self::Fragment,
        Self::Percent,
        Self::Dot,
        Self::Alphanumeric,
        Self::SchemeStart,
        Self::Letter,
        Self::Digit,
        Self::Hex,
        Self::Userinfo,
        Self::Registry,
        Self::Opaque,
        Self::Label,
        Self::Word,
        Self::EndOfScheme,
        Self::EndOfAuthority,
        Self::EndOfPath,
        Self::At,
        Self::Capital,
    ];
}

/// The number of groups of eight classes, one for each bit of an octet.
pub(crate) const GROUPS: usize = Class::COUNT.div_ceil(8);

/// The sets that an edition defines, named like their classes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sets {
    pub(crate) scheme_start: AsciiSet,
    pub(crate) scheme: AsciiSet,
    pub(crate) userinfo: AsciiSet,
    pub(crate) host: AsciiSet,
    pub(crate) registry: AsciiSet,
    pub(crate) path: AsciiSet,
    pub(crate) query: AsciiSet,
    pub(crate) fragment: AsciiSet,
    pub(crate) opaque: AsciiSet,
    pub(crate) label: AsciiSet,
}

/// The classes of every octet below 128; an octet above is in no class.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// `groups[g][octet]`: bit b is for class 8g + b.
    pub(crate) groups: [[u8; 128]; GROUPS],
    /// `nibbles[class][low]`: bit h is for octet 16h + low. The same data, for backends that look
    /// up 16.
    pub(crate) nibbles: [[u8; 16]; 8 * GROUPS],
    /// `first_group[octet]`: bit 8b is for class b. The first group, one class per octet, so that
    /// eight entries shifted and added are eight bitmaps of eight octets.
    pub(crate) first_group: [u64; 256],
    /// `codes[octet]`: a [`Bit`] for each of its classes in the low half, and a [`ByteCategory`] in
    /// the high half.
    pub(crate) codes: [u8; 128],
}

const fn codes(sets: &Sets) -> [u8; 128] {
    let mut codes = [0; 128];
    let mut octet = 0;
    while octet < 128 {
        codes[octet as usize] = (sets.scheme.contains(octet) as u8) << Bit::Scheme as u8
            | (sets.host.contains(octet) as u8) << Bit::Host as u8
            | (sets.path.contains(octet) as u8) << Bit::Path as u8
            | (sets.query.contains(octet) as u8) << Bit::Query as u8
            | (ByteCategory::of(octet) as u8) << 4;
        octet += 1;
    }
    codes
}

impl Table {
    /// Creates the table of an edition's sets.
    pub(crate) const fn new(sets: &Sets) -> Self {
        let classes = [
            (Class::SchemeStart, sets.scheme_start),
            (Class::Scheme, sets.scheme),
            (Class::Userinfo, sets.userinfo),
            (Class::Host, sets.host),
            (Class::Registry, sets.registry),
            (Class::Path, sets.path),
            (Class::Query, sets.query),
            (Class::Fragment, sets.fragment),
            (Class::Opaque, sets.opaque),
            (Class::Label, sets.label),
            (Class::Word, sets.query.difference(AsciiSet::of(b"+"))),
            (Class::EndOfScheme, AsciiSet::of(b":/?#")),
            (Class::EndOfAuthority, AsciiSet::of(b"/?#")),
            (Class::EndOfPath, AsciiSet::of(b"?#")),
            (Class::At, AsciiSet::of(b"@")),
            (Class::Capital, AsciiSet::range(b'A', b'Z')),
            (Class::Percent, AsciiSet::ESCAPE),
            (Class::Hex, AsciiSet::HEXDIG),
            (Class::Digit, AsciiSet::DIGIT),
            (Class::Dot, AsciiSet::of(b".")),
            (Class::Letter, AsciiSet::ALPHA),
            (Class::Alphanumeric, AsciiSet::ALPHA.union(AsciiSet::DIGIT)),
        ];
        let mut table = Self {
            groups: [[0; 128]; GROUPS],
            nibbles: [[0; 16]; 8 * GROUPS],
            first_group: [0; 256],
            codes: codes(sets),
        };
        let mut i = 0;
        while i < classes.len() {
            let (class, set) = classes[i];
            let mut octet = 0;
            while octet < 128 {
                if set.contains(octet) {
                    table.groups[class as usize / 8][octet as usize] |= 1 << (class as u8 % 8);
                    table.nibbles[class as usize][octet as usize % 16] |= 1 << (octet / 16);
                    if (class as u8) < 8 {
                        table.first_group[octet as usize] |= 1 << (8 * class as u8);
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
        octet < 128 && (self.groups[class as usize / 8][octet as usize] >> (class as u8 % 8)) & 1 == 1
    }
}
