//! Doing and undoing percent-encoding, each once.
//!
//! [`Escaped`] is a text in escaped form, [`EscapedBuf`] one that was made from octets: only
//! octets can be escaped and only escaped text can be unescaped, so neither happens twice by
//! accident. Unescaping gives octets; text is had by naming a [`Charset`]. Which octets may
//! stay as they are is a [`Set`], the edition's and the component's. RFC 3986, section 2.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Display, Formatter};

use crate::edition::{self, Charset, CharsetError, Edition};
use crate::octet::{self, Class, Long, Machine, Map, Set, Short, Work};
use crate::part::Part;

/// A text in escaped form: every "%" in it is followed by two hex digits.
///
/// Equality is that of the text: `%7E` and `~` are different here.
///
/// ```
/// use locator::{Charset, Escaped};
///
/// let name = Escaped::new("caf%C3%A9")?;
/// assert_eq!(name.as_str(), "caf%C3%A9");
/// assert_eq!(*name.octets(), *b"caf\xC3\xA9");
/// assert_eq!(name.text(Charset::Utf8).unwrap(), "café");
/// assert_eq!(name.text(Charset::Latin1).unwrap(), "cafÃ©");
/// # Ok::<_, locator::EscapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Escaped<'a>(&'a str);

impl<'a> Escaped<'a> {
    /// Takes a text that is in escaped form.
    ///
    /// # Errors
    ///
    /// A "%" that is not followed by two hex digits.
    pub fn new(text: &'a str) -> Result<Self, EscapeError> {
        if octet::dispatch(AreWhole(text.as_bytes())) {
            return Ok(Self(text));
        }
        let is_whole = |escape: &str| escape.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
        let cut = text.match_indices('%').find(|(at, _)| !is_whole(&text[at + 1..]));
        Err(EscapeError { offset: cut.map_or(text.len(), |(at, _)| at) })
    }

    /// A part of a text that the parser has read.
    pub(crate) const fn checked(text: &'a str) -> Self {
        Self(text)
    }

    /// The text as it stands, escapes included.
    pub const fn as_str(self) -> &'a str {
        self.0
    }

    /// Whether there is nothing.
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The octets it stands for; borrowed if there is no escape.
    pub fn octets(self) -> Cow<'a, [u8]> {
        let text = self.0.as_bytes();
        if !self.0.contains('%') {
            return Cow::Borrowed(text);
        }
        let mut octets = alloc::vec![0; text.len()];
        let (mut from, mut count) = (0, 0);
        while let (Some(&first), Some(place)) = (text.get(from), octets.get_mut(count)) {
            from += 1;
            count += 1;
            *place = first;
            if first == b'%'
                && let Some(&[high, low]) = text.get(from..).and_then(|rest| rest.first_chunk())
            {
                *place = hex_value(high) << 4 | hex_value(low);
                from += 2;
            }
        }
        octets.truncate(count);
        Cow::Owned(octets)
    }

    /// The characters it stands for, in the charset named.
    ///
    /// # Errors
    ///
    /// Octets that are nothing in that charset.
    pub fn text(self, charset: Charset) -> Result<Cow<'a, str>, CharsetError> {
        charset.decode(self.octets())
    }
}

/// Whether each "%" is followed by two hex digits.
struct AreWhole<'a>(&'a [u8]);

impl Work for AreWhole<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) -> bool {
        // What a hex digit is the editions agree on.
        let table = &edition::DEFAULT.table;
        if self.0.len() < octet::BLOCK {
            Short::new(machine, self.0, table).escapes_are_whole()
        } else {
            Long::new(machine, self.0, table).escapes_are_whole()
        }
    }
}

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

impl PartialEq<str> for Escaped<'_> {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for Escaped<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

/// A text in escaped form that owns its characters.
///
/// ```
/// use locator::edition::RFC3986;
/// use locator::{EscapedBuf, Part, Set};
///
/// // A segment of a path may hold what a path may, but for "/".
/// let segment = RFC3986.set(Part::Path).without(Set::of(b"/"));
/// assert_eq!(EscapedBuf::escape(b"50%/50 + 1", segment).as_str(), "50%25%2F50%20+%201");
/// assert_eq!(EscapedBuf::escape(b"a+b", RFC3986.unreserved()).as_str(), "a%2Bb");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EscapedBuf(String);

impl EscapedBuf {
    /// Escapes every octet that is not in `keep`; "%" and what is not ASCII always.
    pub fn escape(octets: &[u8], keep: Set) -> Self {
        let keep = keep.without(Set::ESCAPE);
        let mut text = String::new();
        let (mut room, mut rest) = ([0; ROOM], octets.len());
        for block in octets.chunks(BLOCK) {
            // Three octets are written of each, and one or three kept, which is faster than to ask.
            let mut end = 0;
            for &octet in block {
                let kept = keep.holds(octet);
                if let Some(place) = room.get_mut(end..).and_then(|room| room.first_chunk_mut()) {
                    *place = if kept { [octet, 0, 0] } else { ESCAPES[usize::from(octet)] };
                }
                end += if kept { 1 } else { 3 };
            }
            rest -= block.len();
            text.reserve(end + rest);
            // INVARIANT: what is written is ASCII.
            text.push_str(core::str::from_utf8(&room[..end]).unwrap_or_default());
        }
        Self(text)
    }

    /// Escapes the octets of every character that is not to be kept, and those that are no UTF-8.
    pub(crate) fn escape_with(octets: &[u8], keep: impl Fn(char) -> bool) -> Self {
        let mut text = String::with_capacity(octets.len());
        let push = |text: &mut String, octet: u8| {
            text.extend([b'%', hex_digit(octet >> 4), hex_digit(octet & 15)].map(char::from));
        };
        for chunk in octets.utf8_chunks() {
            for c in chunk.valid().chars() {
                if keep(c) {
                    text.push(c);
                } else {
                    c.encode_utf8(&mut [0; 4]).bytes().for_each(|octet| push(&mut text, octet));
                }
            }
            chunk.invalid().iter().for_each(|&octet| push(&mut text, octet));
        }
        Self(text)
    }

    /// The same, borrowed.
    pub fn as_escaped(&self) -> Escaped<'_> {
        Escaped(&self.0)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, given away.
    pub fn into_string(self) -> String {
        self.0
    }
}

/// A "%" that is not followed by two hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EscapeError {
    offset: usize,
}

impl EscapeError {
    /// The octet of the text at which the "%" stands.
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

impl Display for EscapeError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "\"%\" at octet {} is not followed by two hex digits", self.offset)
    }
}

impl core::error::Error for EscapeError {}

impl Edition {
    /// Which octets may stand in the component as they are; "%" is in it if escapes may. Characters
    /// beyond ASCII are octets of no set: see [`allows`](Self::allows).
    pub const fn set(&self, part: Part) -> Set {
        self.table.set(Self::class(part))
    }

    /// Whether a character may stand in the component as it is; "%" if escapes may.
    ///
    /// ```
    /// use locator::{Part, edition::{RFC3986, RFC3987}};
    ///
    /// assert!(RFC3987.allows(Part::Path, 'é') && !RFC3986.allows(Part::Path, 'é'));
    /// assert!(RFC3987.allows(Part::Query, '\u{E000}') && !RFC3987.allows(Part::Path, '\u{E000}'));
    /// ```
    pub const fn allows(&self, part: Part, c: char) -> bool {
        self.holds(Self::class(part), c)
    }

    /// Whether data in the component is written with the character as it is.
    pub(crate) const fn writes_in(&self, part: Part, c: char) -> bool {
        self.writes(Self::class(part), c)
    }

    const fn class(part: Part) -> Class {
        match part {
            Part::Reference | Part::Query => Class::Query,
            Part::Prefix | Part::Scheme => Class::Scheme,
            Part::Authority | Part::Host => Class::Registry,
            Part::Userinfo => Class::Userinfo,
            Part::Port => Class::Digit,
            Part::Path => Class::Path,
            Part::Fragment => Class::Fragment,
        }
    }

    /// What may stand for itself as data and has no other purpose in any component.
    pub const fn unreserved(&self) -> Set {
        self.unreserved
    }
}

/// How many octets are escaped before they are put behind the others, and what room they need.
const BLOCK: usize = 64;
const ROOM: usize = 3 * BLOCK;

/// The escape of each octet.
static ESCAPES: [[u8; 3]; 256] = {
    let mut escapes = [[b'%'; 3]; 256];
    let mut octet = 0;
    while octet < 256 {
        escapes[octet] = [b'%', hex_digit(octet as u8 >> 4), hex_digit(octet as u8)];
        octet += 1;
    }
    escapes
};

/// The value of a hex digit.
pub(crate) const fn hex_value(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20).wrapping_sub(b'a' - 10),
    }
}

/// The hex digit of a value below 16, in upper case: the normal form.
pub(crate) const fn hex_digit(value: u8) -> u8 {
    b"0123456789ABCDEF"[value as usize & 15]
}
