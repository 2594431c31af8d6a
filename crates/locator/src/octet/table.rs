//! What an octet can be to an edition: sets in, one table out, made when the crate is compiled.

use super::Set;

/// One class of octets: a bit of a table's entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Class {
    // What the edition decides.
    SchemeStart,
    Scheme,
    Userinfo,
    /// What an authority may hold that is no server, or a registered name.
    Registry,
    Path,
    Query,
    Fragment,
    /// What the rest of an opaque URI may hold.
    Opaque,
    // What is the same in all of them: delimiters and hex digits.
    Colon,
    Slash,
    Question,
    Hash,
    At,
    Bracket,
    Percent,
    Hex,
    // What a host is made of.
    Digit,
    Dot,
    Letter,
    /// What a label of a host name may hold.
    Label,
    Plus,
}

/// How many classes there may be; they come in groups of eight, the bits of an octet.
pub(crate) const GROUPS: usize = 3;

/// One or several classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Classes(pub(crate) u32);

impl Class {
    /// This class alone.
    pub(crate) const fn alone(self) -> Classes {
        Classes(1 << self as u8)
    }

    /// This class and another.
    pub(crate) const fn or(self, other: Self) -> Classes {
        self.alone().or(other)
    }
}

impl Classes {
    /// These classes and another.
    pub(crate) const fn or(self, other: Class) -> Self {
        Self(self.0 | 1 << other as u8)
    }
}

/// The sets that an edition decides, under the names of their classes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sets {
    pub(crate) scheme_start: Set,
    pub(crate) scheme: Set,
    pub(crate) userinfo: Set,
    pub(crate) registry: Set,
    pub(crate) path: Set,
    pub(crate) query: Set,
    pub(crate) fragment: Set,
    pub(crate) opaque: Set,
    pub(crate) label: Set,
}

/// For every octet below 128 the classes that it is in; an octet above is in none.
#[derive(Debug)]
pub(crate) struct Table {
    /// `groups[g][octet]`: bit b tells of class 8g + b.
    pub(crate) groups: [[u8; 128]; GROUPS],
}

impl Table {
    /// The table of an edition's sets.
    pub(crate) const fn new(sets: &Sets) -> Self {
        let classes = [
            (Class::SchemeStart, sets.scheme_start),
            (Class::Scheme, sets.scheme),
            (Class::Userinfo, sets.userinfo),
            (Class::Registry, sets.registry),
            (Class::Path, sets.path),
            (Class::Query, sets.query),
            (Class::Fragment, sets.fragment),
            (Class::Opaque, sets.opaque),
            (Class::Colon, Set::of(b":")),
            (Class::Slash, Set::of(b"/")),
            (Class::Question, Set::of(b"?")),
            (Class::Hash, Set::of(b"#")),
            (Class::At, Set::of(b"@")),
            (Class::Bracket, Set::of(b"[]")),
            (Class::Percent, Set::ESCAPE),
            (Class::Hex, Set::HEXDIG),
            (Class::Digit, Set::DIGIT),
            (Class::Dot, Set::of(b".")),
            (Class::Letter, Set::ALPHA),
            (Class::Label, sets.label),
            (Class::Plus, Set::of(b"+")),
        ];
        let mut groups = [[0; 128]; GROUPS];
        let mut i = 0;
        while i < classes.len() {
            let (class, set) = classes[i];
            let mut octet = 0;
            while octet < 128 {
                if set.holds(octet) {
                    groups[class as usize / 8][octet as usize] |= 1 << (class as u8 % 8);
                }
                octet += 1;
            }
            i += 1;
        }
        Self { groups }
    }

    /// The set of a class.
    pub(crate) const fn set(&self, class: Class) -> Set {
        let mut set = Set::EMPTY;
        let mut octet = 0;
        while octet < 128 {
            if self.holds(class, octet) {
                set = set.or(Set::of(&[octet]));
            }
            octet += 1;
        }
        set
    }

    /// Whether the octet is in the class.
    pub(crate) const fn holds(&self, class: Class, octet: u8) -> bool {
        octet < 128 && (self.groups[class as usize / 8][octet as usize] >> (class as u8 % 8)) & 1 == 1
    }
}
