//! Percent-encoding: encoded text, decoding, and sets of bytes (RFC 3986, section 2).
//!
//! [`encode`] and [`decode`] convert one text. [`PctStr`] is percent-encoded text, and [`PctString`] is
//! the result of encoding bytes. Only bytes can be encoded and only percent-encoded text can be decoded,
//! which prevents encoding or decoding twice. Decoding returns bytes; decoding to text needs a [`Charset`]. An
//! [`AsciiSet`] contains the bytes that are not encoded.
//!
//! # When
//!
//! References return their components as [`PctStr`] already. Use this module to decode what comes from
//! elsewhere (a form, a header), and to encode data that is written into something that is no reference.
//! To put data into a reference, use [`Builder`](crate::Builder) and [`Edit`](crate::Edit), which know the
//! set of each component.
//!
//! # How
//!
//! ```
//! use locator::pct::{self, AsciiSet, PctStr, PctString};
//!
//! assert_eq!(pct::encode("50% of café"), "50%25%20of%20caf%C3%A9");
//! assert_eq!(pct::decode("caf%C3%A9").unwrap(), "café");
//!
//! let word = PctString::encode("50% of café", AsciiSet::UNRESERVED);
//! assert_eq!(word.as_str(), "50%25%20of%20caf%C3%A9");
//! assert_eq!(word.decode_utf8()?, "50% of café");
//!
//! // A further character that may stay as it is.
//! let path = PctString::encode("a b/c", AsciiSet::UNRESERVED.add(b'/'));
//! assert_eq!(path.as_str(), "a%20b/c");
//!
//! assert!(PctStr::new("100%").is_err());
//! # Ok::<_, locator::CharsetError>(())
//! ```
//!
//! Divide first and decode the pieces: an escaped delimiter is data.
//!
//! ```
//! use locator::pct::PctStr;
//!
//! let list = PctStr::new("a%2Cb,c")?;
//! let items: Vec<_> =
//!     list.split(',').map(|item| item.decode_utf8_lossy()).collect();
//! assert_eq!(items, ["a,b", "c"]);
//! # Ok::<_, locator::PctError>(())
//! ```
//!
//! # Pitfalls
//!
//! - "+" is a plus sign. Only forms write a space so: [`SpaceEncoding::Plus`](crate::SpaceEncoding).
//! - Decoded data is not always text. `decode` returns octets; `decode_utf8` fails on invalid UTF-8, and
//!   `decode_utf8_lossy` replaces it, so that two different paths may look alike.
//! - A set lists what is *kept*. "%" is always encoded, also if the set contains it.
//! - `==` compares the encoded text: `%41` and `A` differ, and so do `%c3` and `%C3`.
//!
//! Hex digits (RFC 3986, section 2.1).
//!
//! The bytes and characters that are not encoded: those that an edition allows in a component.

mod pct_str;

use alloc::string::String;

pub use crate::edition::{Charset, CharsetError};
use crate::edition::{Edition, rfc3986};
pub use crate::simd::AsciiSet;
use crate::simd::Class;
use crate::span::Component;
pub(crate) use pct_str::escape_of;
pub use pct_str::{
    DecodeError, PctError, PctSplit, PctStr, PctString, decode, decode_lossy, encode, encode_with,
};

/// Appends the escape of each octet.
#[inline(never)]
pub(crate) fn push_escapes(out: &mut String, octets: &[u8]) {
    for &octet in octets {
        for digit in [b'%', hex_digit(octet >> 4), hex_digit(octet)] {
            out.push(char::from(digit));
        }
    }
}

/// Returns the value of a hex digit.
pub(crate) const fn hex_value(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20).wrapping_sub(b'a' - 10),
    }
}

/// Returns the octet of the escape at the start of a text.
#[inline]
pub fn escaped_octet(text: &[u8]) -> Option<u8> {
    match *text {
        [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
            Some(hex_value(high) << 4 | hex_value(low))
        }
        _ => None,
    }
}

/// Returns the character whose UTF-8 octets are the escapes at the start of a text.
pub fn escaped_character(text: &[u8]) -> Option<char> {
    let mut octets = [0; 4];
    let mut count = 0;
    let escapes = (0..4).map_while(|i| escaped_octet(text.get(3 * i..)?));
    for (octet, escaped) in octets.iter_mut().zip(escapes) {
        *octet = escaped;
        count += 1;
    }
    // What follows the character need not be one: "strictly legal UTF-8 octet sequence" (RFC 3987,
    // 3.2).
    octets[..count].utf8_chunks().next()?.valid().chars().next()
}

/// Returns the hex digit of a value below 16, in upper case, which is the normal form.
pub(crate) const fn hex_digit(value: u8) -> u8 {
    b"0123456789ABCDEF"[value as usize & 15]
}

impl AsciiSet {
    /// `unreserved` of RFC 3986: ALPHA, DIGIT, "-", ".", "_" and "~", which are data everywhere. For
    /// another edition see [`Edition::unreserved`].
    #[doc(alias = "NON_ALPHANUMERIC")]
    pub const UNRESERVED: Self = rfc3986::UNRESERVED;

    /// Returns the set with one more byte.
    ///
    /// # Panics
    ///
    /// Panics if the byte is not ASCII; in a constant that is an error of the compiler.
    #[must_use]
    pub const fn add(self, byte: u8) -> Self {
        self.union(Self::of(&[byte]))
    }

    /// Returns the set without a byte.
    ///
    /// # Panics
    ///
    /// Panics if the byte is not ASCII; in a constant that is an error of the compiler.
    #[must_use]
    pub const fn remove(self, byte: u8) -> Self {
        self.difference(Self::of(&[byte]))
    }
}

impl From<&Self> for AsciiSet {
    fn from(set: &Self) -> Self {
        *set
    }
}

impl Edition {
    /// Returns the ASCII characters that are allowed unescaped in a component.
    ///
    /// The set contains "%" if escapes are allowed. For characters beyond ASCII see
    /// [`allows`](Self::allows).
    #[must_use]
    pub const fn set(&self, part: Component) -> AsciiSet {
        self.table.set(Self::class(part))
    }

    /// Returns whether a character is allowed unescaped in the component; "%" is allowed if escapes
    /// are.
    ///
    /// ```
    /// use locator::{
    ///     Component,
    ///     edition::{RFC3986, RFC3987},
    /// };
    ///
    /// assert!(
    ///     RFC3987.allows(Component::Path, 'é')
    ///         && !RFC3986.allows(Component::Path, 'é')
    /// );
    /// assert!(
    ///     RFC3987.allows(Component::Query, '\u{E000}')
    ///         && !RFC3987.allows(Component::Path, '\u{E000}')
    /// );
    /// ```
    #[must_use]
    pub const fn allows(&self, part: Component, c: char) -> bool {
        self.contains(Self::class(part), c)
    }

    /// Returns whether the character is written unescaped in data of the component.
    pub(crate) const fn writes_in(&self, part: Component, c: char) -> bool {
        self.writes(Self::class(part), c)
    }

    const fn class(part: Component) -> Class {
        match part {
            Component::Reference | Component::Query => Class::QUERY,
            Component::Prefix | Component::Scheme => Class::SCHEME,
            Component::Authority | Component::Host => Class::REGISTRY,
            Component::Userinfo => Class::USERINFO,
            Component::Port => Class::DIGIT,
            Component::Path => Class::PATH,
            Component::Fragment => Class::FRAGMENT,
        }
    }

    /// Returns the characters that are data in every component and never delimiters.
    #[must_use]
    pub const fn unreserved(&self) -> AsciiSet {
        self.unreserved
    }
}
