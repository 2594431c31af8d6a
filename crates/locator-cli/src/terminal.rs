//! What is safe to print, and how it looks: [`visible()`] replaces control characters of an input by their codes,
//! [`secrets`] hides passwords and tokens, [`undo`] decodes escapes to printable characters.
//!
//! [`paint`] has the colours, by meaning, and the words that messages begin with ([`Word`]); [`width`] is that of a line.

#[cfg(all(unix, feature = "get"))]
pub(crate) mod mode;
pub(crate) mod paint;
pub(crate) mod secrets;
pub(crate) mod undo;
pub(crate) mod visible;
pub(crate) mod width;

pub(crate) use paint::Paint;
pub(crate) use paint::Word;
pub(crate) use visible::visible;
