//! The classes of octets that the parsers ask for, numbered for [`crate::simd`], and the table of
//! the sets of an edition; the sets that are the same in every edition.
//!
//! Tables of the non-ASCII characters that an edition allows unescaped, by component class.

use crate::simd::{AsciiSet, Bit, ByteCategory, Class, Table};

/// The names of the classes. The first eight are used for nearly every text, and those from 16 on
/// are searched for in few editions.
impl Class {
    pub(crate) const SCHEME: Self = Self::of(0);
    /// The octets of a host without brackets: a name or four numbers.
    pub(crate) const HOST: Self = Self::of(1);
    pub(crate) const PATH: Self = Self::of(2);
    pub(crate) const QUERY: Self = Self::of(3);
    pub(crate) const FRAGMENT: Self = Self::of(4);
    pub(crate) const DOT: Self = Self::of(6);
    pub(crate) const ALPHANUMERIC: Self = Self::of(7);
    pub(crate) const DIGIT: Self = Self::of(8);
    pub(crate) const END_OF_SCHEME: Self = Self::of(9);
    pub(crate) const END_OF_AUTHORITY: Self = Self::of(10);
    pub(crate) const USERINFO: Self = Self::of(12);
    /// The octets of an authority that is not a server.
    pub(crate) const REGISTRY: Self = Self::of(13);
    pub(crate) const END_OF_PATH: Self = Self::of(14);
    pub(crate) const AT: Self = Self::of(15);
    pub(crate) const SCHEME_START: Self = Self::of(16);
    pub(crate) const CAPITAL: Self = Self::of(17);
    pub(crate) const LETTER: Self = Self::of(18);
    /// The octets of the rest of an opaque URI.
    pub(crate) const OPAQUE: Self = Self::of(19);
    /// The octets of a label of a host name.
    pub(crate) const LABEL: Self = Self::of(20);
    /// The octets of a word of a query, where a query is words joined by "+".
    pub(crate) const WORD: Self = Self::of(21);
}

/// The classes that a code of an octet has a bit for.
impl Bit {
    pub(crate) const SCHEME: Self = Self::of(0);
    pub(crate) const HOST: Self = Self::of(1);
    pub(crate) const PATH: Self = Self::of(2);
    pub(crate) const QUERY: Self = Self::of(3);
}

/// The categories of octets in a code.
impl ByteCategory {
    pub(crate) const OTHER: Self = Self::of(0);
    /// A letter from "A" to "F" or "a" to "f".
    pub(crate) const HEX_LETTER: Self = Self::of(1);
    /// Any other letter.
    pub(crate) const LETTER: Self = Self::of(2);
    pub(crate) const DIGIT: Self = Self::of(3);
    pub(crate) const PERCENT: Self = Self::of(4);
    pub(crate) const COLON: Self = Self::of(5);
    pub(crate) const SLASH: Self = Self::of(6);
    pub(crate) const QUESTION_MARK: Self = Self::of(7);
    pub(crate) const DOT: Self = Self::of(8);

    /// Returns the category of an octet.
    const fn of_octet(octet: u8) -> Self {
        match octet {
            b'A'..=b'F' | b'a'..=b'f' => Self::HEX_LETTER,
            b'G'..=b'Z' | b'g'..=b'z' => Self::LETTER,
            b'0'..=b'9' => Self::DIGIT,
            b'%' => Self::PERCENT,
            b':' => Self::COLON,
            b'/' => Self::SLASH,
            b'?' => Self::QUESTION_MARK,
            b'.' => Self::DOT,
            _ => Self::OTHER,
        }
    }
}

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

impl Sets {
    /// Returns the table of the sets, with the classes that are the same in all editions.
    pub(crate) const fn table(&self) -> Table {
        let classes = [
            (Class::SCHEME_START, self.scheme_start),
            (Class::SCHEME, self.scheme),
            (Class::USERINFO, self.userinfo),
            (Class::HOST, self.host),
            (Class::REGISTRY, self.registry),
            (Class::PATH, self.path),
            (Class::QUERY, self.query),
            (Class::FRAGMENT, self.fragment),
            (Class::OPAQUE, self.opaque),
            (Class::LABEL, self.label),
            (Class::WORD, self.query.difference(AsciiSet::of(b"+"))),
            (Class::END_OF_SCHEME, AsciiSet::of(b":/?#")),
            (Class::END_OF_AUTHORITY, AsciiSet::of(b"/?#")),
            (Class::END_OF_PATH, AsciiSet::of(b"?#")),
            (Class::AT, AsciiSet::of(b"@")),
            (Class::CAPITAL, AsciiSet::range(b'A', b'Z')),
            (Class::PERCENT, AsciiSet::ESCAPE),
            (Class::HEX, AsciiSet::HEXDIG),
            (Class::DIGIT, AsciiSet::DIGIT),
            (Class::DOT, AsciiSet::of(b".")),
            (Class::LETTER, AsciiSet::ALPHA),
            (Class::ALPHANUMERIC, AsciiSet::ALPHA.union(AsciiSet::DIGIT)),
        ];
        Table::new(&classes, self.codes())
    }

    const fn codes(&self) -> [u8; 128] {
        let mut codes = [0; 128];
        let mut octet = 0;
        while octet < 128 {
            codes[octet as usize] = (self.scheme.contains(octet) as u8) << Bit::SCHEME.number()
                | (self.host.contains(octet) as u8) << Bit::HOST.number()
                | (self.path.contains(octet) as u8) << Bit::PATH.number()
                | (self.query.contains(octet) as u8) << Bit::QUERY.number()
                | (ByteCategory::of_octet(octet).number() as u8) << 4;
            octet += 1;
        }
        codes
    }
}

/// `ALPHA / DIGIT`, which is the same in every edition.
pub(super) const ALPHANUM: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT);

/// `escape = "%" HEXDIG HEXDIG`: the set contains "%"; the parser checks the digits.
pub(super) const ESCAPE: AsciiSet = AsciiSet::ESCAPE;

/// The non-ASCII characters of an edition, as lists of ranges that include both ends.
#[derive(Debug)]
pub(crate) struct Characters {
    /// The characters allowed as data in every component that allows names.
    pub(crate) data: &'static [(char, char)],
    /// The private-use characters that are also allowed in a query.
    pub(crate) in_query: &'static [(char, char)],
    /// The characters that are allowed but never produced by decoding or encoding. Private-use
    /// characters are not produced either.
    pub(crate) stay_escaped: &'static [(char, char)],
}

/// Returns whether the character is in one of the sorted ranges.
#[inline(never)]
pub(crate) const fn is_in(ranges: &[(char, char)], c: char) -> bool {
    let (mut first, mut end) = (0, ranges.len());
    while first < end {
        let middle = first + (end - first) / 2;
        if ranges[middle].1 < c {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    first < ranges.len() && ranges[first].0 <= c
}

/// The characters that end a URL in running text and are therefore escaped in the normal form of an
/// IRI.
///
/// After "。" and "，" the next word follows without a space; the same is true of brackets and quotes
/// in every script. U+2019 is not included because it is also an apostrophe. The en dash is not
/// included because it occurs in titles of articles.
pub(crate) const URL_ENDS: &[(char, char)] = &[
    ('\u{80}', '\u{A0}'),
    ('\u{AB}', '\u{AB}'),
    ('\u{BB}', '\u{BB}'),
    ('\u{61C}', '\u{61C}'),
    ('\u{964}', '\u{965}'),
    ('\u{F3A}', '\u{F3D}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{169B}', '\u{169C}'),
    ('\u{2000}', '\u{200B}'),
    ('\u{200E}', '\u{200F}'),
    ('\u{2014}', '\u{2015}'),
    ('\u{2018}', '\u{2018}'),
    ('\u{201A}', '\u{201F}'),
    ('\u{2028}', '\u{202F}'),
    ('\u{2039}', '\u{203A}'),
    ('\u{2045}', '\u{2046}'),
    ('\u{205F}', '\u{206F}'),
    ('\u{207D}', '\u{207E}'),
    ('\u{208D}', '\u{208E}'),
    ('\u{2308}', '\u{230B}'),
    ('\u{2329}', '\u{232A}'),
    ('\u{2768}', '\u{2775}'),
    ('\u{27C5}', '\u{27C6}'),
    ('\u{27E6}', '\u{27EF}'),
    ('\u{2983}', '\u{2998}'),
    ('\u{29D8}', '\u{29DB}'),
    ('\u{29FC}', '\u{29FD}'),
    ('\u{2E22}', '\u{2E29}'),
    ('\u{2E55}', '\u{2E5C}'),
    ('\u{3000}', '\u{3002}'),
    ('\u{3008}', '\u{3011}'),
    ('\u{3014}', '\u{301F}'),
    ('\u{FD3E}', '\u{FD3F}'),
    ('\u{FE10}', '\u{FE19}'),
    ('\u{FE30}', '\u{FE6B}'),
    ('\u{FEFF}', '\u{FEFF}'),
    ('\u{FF01}', '\u{FF02}'),
    ('\u{FF07}', '\u{FF09}'),
    ('\u{FF0C}', '\u{FF0C}'),
    ('\u{FF1A}', '\u{FF1B}'),
    ('\u{FF1F}', '\u{FF1F}'),
    ('\u{FF3B}', '\u{FF3B}'),
    ('\u{FF3D}', '\u{FF3D}'),
    ('\u{FF5B}', '\u{FF65}'),
    ('\u{FFF0}', '\u{FFFF}'),
];
