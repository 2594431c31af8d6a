//! What a terminal and a person may be given of a text: nothing of an input reaches a terminal but through [`visible`],
//! and no password a person but through [`secrets`]; escapes are undone as far as that shows something; and colours.

pub(crate) mod paint;
pub(crate) mod secrets;
pub(crate) mod undo;
pub(crate) mod visible;

pub(crate) use paint::Paint;
pub(crate) use visible::visible;
