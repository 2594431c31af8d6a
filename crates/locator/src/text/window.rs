//! The visible part of a text. Takes its octets and whether the text ends with them; returns an
//! octet or character, or reports that more text is needed.
//!
//! Classifies characters beyond ASCII: takes one and returns its role for a URL in running text.
//! The ranges are those of Unicode's `Ps`, `Pe`, `Pi`, `Pf`, `Zs` and `Terminal_Punctuation`. They
//! are divided by whether a text continues after them without a space.
//!
//! Classes of octets in a text, as one table for the SIMD module, and the bitmaps of a block.
//!
//! Skips white space in a wrapper. Takes a text and an offset in it, and returns the end of the
//! spaces before or after that offset. RFC 3986, appendix C: "extra whitespace (spaces,
//! line-breaks, tabs, etc.) may have to be added to break a long URI across lines. The whitespace
//! should be ignored when the URI is extracted."
//!
//! Finds candidates: takes a block of a text and returns a bitmap of the octets to examine.

use crate::edition::rfc3986::UNRESERVED;
use crate::edition::{URL_ENDS, is_in};
use crate::simd::{AsciiSet, BLOCK, Backend, Class, Table, WithBackend, dispatch};

/// The visible octets of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window<'t> {
    pub(super) text: &'t [u8],
    /// How many places are known: all of the text's, and one more if the text ends with it. No
    /// `bool` says so, for a copy of its padding waits for what was written last.
    known: usize,
}

/// The text after the window is needed to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Incomplete;

/// The number of octets before a word that are searched for a control sequence.
const LONGEST_CONTROL: usize = 64;

/// ESC, and as source code has it.
const ESCAPES: [&[u8]; 5] = [b"\x1B", b"\\033", b"\\e", b"\\x1b", b"\\u001b"];

/// The octet before the start and after the end of a text: NUL, which is not in any URL.
pub(super) const NOTHING: u8 = 0;

impl<'t> Window<'t> {
    #[inline(always)]
    pub(super) fn new(text: &'t [u8], is_last: bool) -> Self {
        Self { text, known: text.len() + usize::from(is_last) }
    }

    /// Whether the text ends with these octets.
    #[inline(always)]
    pub(super) fn is_last(self) -> bool {
        self.known > self.text.len()
    }

    /// Returns the octet at an offset.
    #[inline(always)]
    pub(super) fn octet(self, at: usize) -> Result<u8, Incomplete> {
        match self.text.get(at) {
            Some(&octet) => Ok(octet),
            None if self.is_last() => Ok(NOTHING),
            None => Err(Incomplete),
        }
    }

    /// Returns the octet before an offset.
    #[inline(always)]
    pub(super) fn before(self, at: usize) -> u8 {
        at.checked_sub(1).map_or(NOTHING, |before| self.text[before])
    }

    /// Returns the start of a word that seems to begin at `start`, after a terminal's control
    /// sequence: "m" in "ESC [ 3 2 m" is not part of the word, also where source code spells out
    /// ESC.
    pub(super) fn after_control(self, start: usize, end: usize) -> usize {
        // "CSI P ... P I ... I F", parameters are 03/00 to 03/15 (ECMA-48, 5.4)
        let is_parameter = |octet: &&u8| (0x30..=0x3F).contains(*octet);
        let last = start + self.text[start..end].iter().take_while(is_parameter).count();
        if !self.text[last..end].first().is_some_and(u8::is_ascii_alphabetic) {
            return start;
        }
        let before = &self.text[start.saturating_sub(LONGEST_CONTROL)..start];
        let parameters = before.iter().rev().take_while(is_parameter).count();
        let escape = before[..before.len() - parameters].strip_suffix(b"[").unwrap_or_default();
        let ends_in = |written: &&[u8]| {
            let tail = &escape[escape.len().saturating_sub(written.len())..];
            tail.eq_ignore_ascii_case(written)
        };
        if ESCAPES.iter().any(ends_in) { last + 1 } else { start }
    }

    /// Returns at most so many octets from there on; fewer only at the end of the text.
    pub(super) fn excerpt(self, at: usize, length: usize) -> Result<&'t [u8], Incomplete> {
        let rest = self.text.get(at..).unwrap_or_default();
        match rest.get(..length) {
            Some(excerpt) => Ok(excerpt),
            None if self.is_last() => Ok(rest),
            None => Err(Incomplete),
        }
    }

    /// Returns the character there and its length; `None` for invalid UTF-8.
    pub(super) fn character(self, at: usize) -> Result<Option<(char, usize)>, Incomplete> {
        let rest = self.text.get(at..).unwrap_or_default();
        let octets = &rest[..rest.len().min(4)];
        let valid = match core::str::from_utf8(octets) {
            Ok(valid) => valid,
            Err(error) if error.valid_up_to() == 0 && error.error_len().is_none() && !self.is_last() => {
                return Err(Incomplete);
            }
            Err(error) => core::str::from_utf8(&octets[..error.valid_up_to()]).unwrap_or_default(),
        };
        Ok(valid.chars().next().map(|character| (character, character.len_utf8())))
    }
}

/// The role of a character for a URL that may contain it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Character {
    /// The character is allowed in an IRI.
    Body,
    /// The character is allowed in an IRI; at its end it belongs to the sentence.
    Punctuation,
    /// The URL ends before this character: white space, quotes, brackets, punctuation of scripts
    /// without spaces.
    End,
}

impl Character {
    pub(super) fn of(character: char) -> Self {
        match () {
            () if is_in(URL_ENDS, character) => Self::End,
            () if is_in(PUNCTUATION, character) => Self::Punctuation,
            () => Self::Body,
        }
    }
}

/// Whether a character is of a script that is written without spaces, or with words that follow a
/// name at once: ideographs, kana and hangul, Thai, Lao, Burmese and Khmer.
pub(super) const fn is_unspaced(character: char) -> bool {
    matches!(character as u32, 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF)
        || matches!(character as u32, 0x2E80..=0xD7FF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F | 0x2_0000..=0x3_FFFF)
}

const PUNCTUATION: &[(char, char)] = &[
    ('\u{A1}', '\u{A1}'),
    ('\u{B7}', '\u{B7}'),
    ('\u{BF}', '\u{BF}'),
    ('\u{37E}', '\u{37E}'),
    ('\u{387}', '\u{387}'),
    ('\u{589}', '\u{589}'),
    ('\u{5C3}', '\u{5C3}'),
    ('\u{60C}', '\u{60C}'),
    ('\u{61B}', '\u{61B}'),
    ('\u{61D}', '\u{61F}'),
    ('\u{6D4}', '\u{6D4}'),
    ('\u{700}', '\u{70A}'),
    ('\u{70C}', '\u{70C}'),
    ('\u{7F8}', '\u{7F9}'),
    ('\u{830}', '\u{83E}'),
    ('\u{85E}', '\u{85E}'),
    ('\u{E5A}', '\u{E5B}'),
    ('\u{F08}', '\u{F08}'),
    ('\u{F0D}', '\u{F12}'),
    ('\u{104A}', '\u{104B}'),
    ('\u{1361}', '\u{1368}'),
    ('\u{166E}', '\u{166E}'),
    ('\u{16EB}', '\u{16ED}'),
    ('\u{1735}', '\u{1736}'),
    ('\u{17D4}', '\u{17D6}'),
    ('\u{17DA}', '\u{17DA}'),
    ('\u{1802}', '\u{1805}'),
    ('\u{1808}', '\u{1809}'),
    ('\u{1944}', '\u{1945}'),
    ('\u{1AA8}', '\u{1AAB}'),
    ('\u{1B5A}', '\u{1B5F}'),
    ('\u{1C3B}', '\u{1C3F}'),
    ('\u{1C7E}', '\u{1C7F}'),
    ('\u{2013}', '\u{2013}'),
    ('\u{2019}', '\u{2019}'),
    ('\u{2022}', '\u{2022}'),
    ('\u{2024}', '\u{2026}'),
    ('\u{203C}', '\u{203D}'),
    ('\u{2047}', '\u{2049}'),
    ('\u{2E2E}', '\u{2E2E}'),
    ('\u{2E3C}', '\u{2E3C}'),
    ('\u{2E41}', '\u{2E41}'),
    ('\u{2E4C}', '\u{2E4C}'),
    ('\u{2E4E}', '\u{2E4F}'),
    ('\u{2E53}', '\u{2E54}'),
    ('\u{30FB}', '\u{30FB}'),
    ('\u{A4FE}', '\u{A4FF}'),
    ('\u{A60D}', '\u{A60F}'),
    ('\u{A6F3}', '\u{A6F7}'),
    ('\u{A876}', '\u{A877}'),
    ('\u{A8CE}', '\u{A8CF}'),
    ('\u{A92F}', '\u{A92F}'),
    ('\u{A9C7}', '\u{A9C9}'),
    ('\u{AA5D}', '\u{AA5F}'),
    ('\u{AADF}', '\u{AADF}'),
    ('\u{AAF0}', '\u{AAF1}'),
    ('\u{ABEB}', '\u{ABEB}'),
    ('\u{FF0E}', '\u{FF0E}'),
];

/// The octets of a host that is a name or an IPv4 address.
pub(super) const NAME: AsciiSet = UNRESERVED;
const IN_NAME: Class = Class::of(0);

/// Octets of a URL that need no check: no bracket, no quote, no escape, and no colon, which may
/// belong to another URL.
const PLAIN: AsciiSet = NAME.union(AsciiSet::of(b"/?#@!$&+,;="));
const IN_PLAIN: Class = Class::of(1);

static TABLE: Table = Table::new(&[(IN_NAME, NAME), (IN_PLAIN, PLAIN)], [0; 128]);

/// The bitmaps of a block of a text, of at most [`BLOCK`] octets. Nothing else of a URL depends on
/// the SIMD backend, so all other code is compiled once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Classified {
    /// The octets of a host that is a name or an IPv4 address.
    pub(super) name: u64,
    /// The octets of a URL that need no check.
    pub(super) plain: u64,
}

impl Classified {
    /// Classifies the first octets of a text, where a backend is known.
    #[inline(always)]
    pub(super) fn new<M: Backend>(backend: M, octets: &[u8]) -> Self {
        let block = match octets.first_chunk::<BLOCK>() {
            Some(whole) => backend.load(whole, &TABLE),
            None => backend.load(octets, &TABLE),
        };
        let bitmap = |class| backend.bitmap(&block, &TABLE, class);
        Self { name: bitmap(IN_NAME), plain: bitmap(IN_PLAIN) }
    }

    /// Returns the first block from `from` on that has an octet that needs a check or, if `of_name`
    /// is set, that is not of a name: its start and its bitmaps. At the end the block is not whole.
    pub(super) fn first_other(octets: &[u8], from: usize, of_name: bool) -> (usize, Self) {
        dispatch(FirstOther { octets, from, of_name })
    }
}

/// The search for a block that ends a run of octets.
struct FirstOther<'t> {
    octets: &'t [u8],
    from: usize,
    of_name: bool,
}

impl WithBackend for FirstOther<'_> {
    type Output = (usize, Classified);

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> (usize, Classified) {
        let class = if self.of_name { IN_NAME } else { IN_PLAIN };
        let mut start = self.from;
        while let Some(whole) = self.octets.get(start..).and_then(|rest| rest.first_chunk::<BLOCK>()) {
            let block = backend.load(whole, &TABLE);
            if backend.bitmap(&block, &TABLE, class) != u64::MAX {
                break;
            }
            start += BLOCK;
        }
        (start, Classified::new(backend, self.octets.get(start..).unwrap_or_default()))
    }
}

/// Whether a character is ignored within a wrapper: every Unicode space, including those without
/// width.
pub(super) fn is_space(character: char) -> bool {
    match character {
        '\u{200B}' | '\u{FEFF}' => true,
        // They end a page and a paragraph.
        '\u{C}' | '\u{2029}' => false,
        _ => character.is_whitespace(),
    }
}

/// Whether a text contains a space.
pub(super) fn has_space(text: &str) -> bool {
    let octets = text.as_bytes();
    match octets.is_ascii() {
        true => octets.iter().any(|octet| is_space(char::from(*octet))),
        false => text.contains(is_space),
    }
}

/// Returns the text without its spaces.
pub(super) fn without_spaces(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|character| !is_space(*character))
}

/// Whether an octet may be the last one of a space.
pub(super) const fn may_end_space(octet: u8) -> bool {
    octet.is_ascii_whitespace() || octet == 0x0B || octet & 0xC0 == 0x80
}

/// Returns the start of the spaces that end at `end`, in the text from `least` on.
pub(super) fn spaces_start(text: &[u8], least: usize, mut end: usize) -> usize {
    loop {
        let tail = &text[least.max(end.saturating_sub(4))..end];
        let start = tail.iter().rposition(|octet| octet & 0xC0 != 0x80).unwrap_or(0);
        let last = core::str::from_utf8(&tail[start..]).ok().and_then(|last| last.chars().next_back());
        match last.filter(|last| is_space(*last)) {
            Some(space) => end -= space.len_utf8(),
            None => return end,
        }
    }
}

/// Returns the length of the space at an offset; 0 if there is no space.
pub(super) fn spaces_length(window: Window<'_>, at: usize) -> Result<usize, Incomplete> {
    let octet = window.octet(at)?;
    Ok(match octet {
        0x80.. => window.character(at)?.filter(|(found, _)| is_space(*found)).map_or(0, |(_, length)| length),
        _ => usize::from(is_space(char::from(octet))),
    })
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_are_in_order() {
        for ranges in [URL_ENDS, PUNCTUATION] {
            assert!(ranges.iter().all(|(first, last)| first <= last));
            assert!(ranges.windows(2).all(|pair| pair[0].1 < pair[1].0));
        }
    }

    #[test]
    fn a_character_is_what_its_script_uses_it_for() {
        for (characters, expected) in [
            ("é例ß\u{200D}\u{AD}\u{E000}😀‐", Character::Body),
            ("…’–؟։።។", Character::Punctuation),
            ("\u{A0}\u{3000}\u{200B}。、，）」』】〉“”„«»—।\u{FEFF}", Character::End),
        ] {
            for character in characters.chars() {
                assert_eq!(Character::of(character), expected, "{character:?}");
            }
        }
    }
}
