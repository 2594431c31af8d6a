//! Output to terminals: [`visible`] replaces control characters of an input, [`secrets`] hides
//! passwords, [`undo`] decodes escapes to printable characters, and [`paint`] adds colour.

#[cfg(all(unix, feature = "get"))]
pub(crate) mod mode;
pub(crate) mod paint;
pub(crate) mod secrets;
pub(crate) mod undo;
pub(crate) mod visible;

pub(crate) use paint::Paint;
pub(crate) use visible::visible;
