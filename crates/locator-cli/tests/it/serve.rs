//! The gateway as a black box: requests as browsers, programs and attackers send them, and what the server
//! of a URL then sees.
#![cfg(feature = "serve")]
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod browsers;
mod files;
mod gateway;
mod limits;
mod logins;
mod messages;
mod news;
mod octets;
#[cfg(target_os = "linux")]
mod open;
mod pages;
mod proxy;
mod sessions;
