//! HTTP: requests by their meaning, over connections that the dialer opens.
//!
//! A URL of http or https, and any URL that a proxy is asked for, is fetched by the `Request` of its
//! plan. [`Http`] has the settings; what a server said about the object is in
//! [`Fetched::response`](crate::Fetched::response).
//!
//! ```no_run
//! use locator_fetch::blocking::Fetcher;
//! use locator_fetch::http::{ByteRange, Http, Proxies};
//!
//! let http = Http::new().range(ByteRange::From(100)).proxies(Proxies::environment()?);
//! let mut fetched = Fetcher::new().http(http).fetch(locator::uri_ref!("https://example.com/"))?;
//! println!("{}", fetched.response.unwrap());
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "http")]
mod client;
mod response;

#[cfg(feature = "http")]
pub use client::{ByteRange, Http, HttpError, Proxies, ProxyError};
#[cfg(feature = "http")]
pub(crate) use client::{Fetch, Journey, Pool, Read, Reading, failure, has_request, start};
pub use response::{Field, Response, Version};
