//! Percent-encoding: encoded text, decoding, and sets of bytes (RFC 3986, section 2).
//!
//! [`PctStr`] is percent-encoded text, and [`PctString`] is the result of encoding bytes. Only
//! bytes can be encoded and only percent-encoded text can be decoded, which prevents encoding or
//! decoding twice. Decoding returns bytes; decoding to text needs a [`Charset`]. An
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
//! use locator::pct::{AsciiSet, PctStr, PctString};
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

pub(crate) mod hex;
mod pct_str;
mod pct_string;
mod sets;

#[cfg(feature = "plan")]
pub(crate) use hex::hex_digit;
pub(crate) use hex::{escaped_character, escaped_octet, push_escapes};
pub use pct_str::{PctError, PctStr};
pub use pct_string::PctString;

pub use crate::edition::{Charset, CharsetError};
pub use crate::simd::AsciiSet;
