//! Output to terminals: [`visible`] replaces control characters of an input, [`secrets`] hides
//! passwords, [`undo`] decodes escapes to printable characters, [`paint`] adds colour, of a
//! [`theme`], [`word`] has the first words of messages, and [`width`] is that of a line.

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
