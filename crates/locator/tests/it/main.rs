//! The library by its public API: cases of `testdata`, laws that hold for every input, and records.

mod api;
mod base;
mod build;
#[cfg(feature = "bulk")]
mod bulk;
mod compare;
mod convert;
mod corpus;
mod edit;
mod errors;
mod file;
#[cfg(feature = "template")]
mod first_guesses;
mod hidden;
mod hosts;
mod iri;
mod laws;
mod normalize;
#[cfg(feature = "plan")]
mod redaction;
mod resolve;
#[cfg(feature = "plan")]
mod scheme;
mod serde;
#[cfg(feature = "template")]
mod template;
#[cfg(feature = "text")]
mod text;
