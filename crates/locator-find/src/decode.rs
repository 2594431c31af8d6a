//! From the bytes of a document to text, and from a place in that text back to its bytes.

pub(crate) mod chain;
pub(crate) mod charset;
pub(crate) mod decoded;
pub(crate) mod encoding;
pub(crate) mod source;
pub(crate) mod transfer;
