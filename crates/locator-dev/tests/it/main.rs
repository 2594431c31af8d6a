//! What the repository says about itself is true: coverage, and the oracles agree with the library.

#![allow(clippy::disallowed_types, reason = "tests have servers of their own")]

mod agreement;
mod coverage;
mod prospero;
mod resolve;
mod stability;
mod url_standard;
#[cfg(feature = "cases")]
mod wais;
