//! What the verbs read: inputs from arguments, lines or NUL-separated streams ([`Stream`]), files that options name ([`files`]), and
//! URLs parsed by an edition ([`reading`]).
//!
//! An input may have a place: the line of a list, or the location that `find` printed before it
//! ([`located`]); [`region`] has its columns in that file.

pub(crate) mod files;
pub(crate) mod located;
pub(crate) mod paths;
pub(crate) mod reading;
mod stream;

#[cfg(feature = "get")]
pub(crate) use stream::whole_of;
pub(crate) use stream::{Input, MARK, Origin, STDIN, Stream, stdin_has_content, whole};
