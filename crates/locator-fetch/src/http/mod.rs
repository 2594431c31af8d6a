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
mod answer;
#[cfg(feature = "http")]
mod auth;
#[cfg(feature = "http")]
mod coding;
#[cfg(feature = "http")]
mod connection;
#[cfg(feature = "http")]
mod fetch;
#[cfg(feature = "http")]
mod head;
#[cfg(feature = "http")]
mod limits;
#[cfg(feature = "http")]
mod outcome;
#[cfg(feature = "http")]
mod pool;
#[cfg(feature = "http")]
mod proxies;
#[cfg(feature = "http")]
mod reading;
#[cfg(feature = "http")]
mod record;
#[cfg(feature = "http")]
mod redirect;
mod response;
#[cfg(feature = "http")]
mod route;
#[cfg(feature = "http")]
mod settings;
#[cfg(feature = "http")]
mod trip;
#[cfg(feature = "http")]
mod tunnel;
#[cfg(feature = "http")]
mod wire;

#[cfg(feature = "http")]
pub(crate) use fetch::Fetch;
#[cfg(feature = "http")]
pub(crate) use pool::Pool;
#[cfg(feature = "http")]
pub use proxies::{Proxies, ProxyError};
#[cfg(feature = "http")]
pub(crate) use reading::{Read, Reading, failure};
#[cfg(feature = "http")]
pub(crate) use redirect::Journey;
pub use response::{Field, Response, Version};
#[cfg(feature = "http")]
pub use settings::{ByteRange, Http, HttpError};
#[cfg(feature = "http")]
pub(crate) use trip::{request_of, start};
