//! The HTML: that it is as recorded, that nothing of the input is HTML, that it says what the command
//! says, and that its colours can be read.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod facts;
mod golden;
mod safe;
mod style;
