//! Prospero: its answers, and what is fetched by it from the server of `locator-dev`.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod answers;
mod faults;
mod fetch;
mod octets;
mod run;
