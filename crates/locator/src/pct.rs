//! Percent-encoding: encoded text, decoding, and sets of bytes (RFC 3986, section 2).
//!
//! [`PctStr`] is percent-encoded text, and [`PctString`] is the result of encoding bytes. Only
//! bytes can be encoded and only percent-encoded text can be decoded, which prevents encoding or
//! decoding twice. Decoding returns bytes; decoding to text needs a [`Charset`]. An
//! [`AsciiSet`] contains the bytes that are not encoded.

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
