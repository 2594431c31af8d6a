//! What the repository says about itself is true: coverage, and the oracles agree with the library.

mod agreement;
mod coverage;
mod prospero;
mod resolve;
#[cfg(feature = "cases")]
mod wais;
