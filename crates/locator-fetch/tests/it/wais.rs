//! WAIS: the packets that real programs sent each other (`testdata/captures/wais`), servers that are
//! wrong, and the server of `locator-dev`, in memory.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod captures;
mod faults;
mod laws;
mod packets;
mod pieces;
mod server;
mod talk;
