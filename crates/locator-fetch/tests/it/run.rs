//! The interpreter in memory: the dialogues of `testdata/fetch/dialogues`, whole, in pieces and cut off, and
//! servers that reply at random.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod cut;
mod dialogues;
mod floods;
mod laws;
pub(crate) mod memory;
mod pieces;
mod random;
pub(crate) mod script;
mod sessions;
