//! What the verbs read: an [`Input`] is an argument, a line or an item between NULs of a [`Stream`], which comes from
//! standard input or a file that an option names ([`files`]). [`reading`] parses it by an edition, [`url_standard`] by the
//! URL Standard.
//!
//! An input may have a place: the line of a list, or the location that `find` printed before it ([`located`]), from
//! which its columns in that file are known. [`paths`] makes paths absolute.

pub(crate) mod files;
pub(crate) mod located;
pub(crate) mod paths;
pub(crate) mod reading;
mod stream;
pub(crate) mod url_standard;

#[cfg(feature = "get")]
pub(crate) use stream::whole_of;
pub(crate) use stream::{Input, MARK, Origin, STDIN, Stream, stdin_has_content, whole};
