//! A fetch: the way from a URL to an object.

#[cfg(feature = "http")]
pub(crate) mod http;
