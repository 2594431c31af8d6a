//! HTTP: requests by their meaning, over connections that the dialer opens.
//!
//! A URL of http or https, and any URL that a proxy is asked for, is fetched by the `Request` of its
//! plan. [`Http`] has the settings; what a server said is in [`Response::head`](crate::Response::head).
//!
//! ```no_run
//! use locator_fetch::blocking::Fetcher;
//! use locator_fetch::http::{ByteRange, Http, Proxies};
//!
//! let http = Http::new().range(ByteRange::From(100)).proxies(Proxies::environment()?);
//! let response = Fetcher::for_strangers().http(http).fetch("https://example.com/")?;
//! println!("{}", response.head().unwrap());
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! `attempt` sends one request, of which `head` writes the head, on a connection that `route` opens
//! or that waits in a pool, and answers challenges (`auth`). `outcome` says what the response means,
//! and `reading` reads its body. `redirect` has the rules of redirects, which `request` applies.

#[cfg(feature = "http")]
mod attempt;
#[cfg(feature = "http")]
mod auth;
#[cfg(feature = "http")]
mod body;
#[cfg(feature = "http")]
mod client;
#[cfg(feature = "http")]
mod coding;
#[cfg(feature = "http")]
mod connection;
#[cfg(feature = "http")]
mod head;
#[cfg(feature = "http")]
mod limits;
#[cfg(feature = "http")]
mod multipart;
#[cfg(feature = "http")]
pub(crate) mod outcome;
#[cfg(feature = "http")]
mod range;
#[cfg(feature = "http")]
mod reading;
#[cfg(feature = "http")]
mod record;
#[cfg(feature = "http")]
pub(crate) mod redirect;
#[cfg(feature = "http")]
mod request;
#[cfg(feature = "http")]
pub(crate) mod route;
#[cfg(feature = "http")]
mod settings;
#[cfg(feature = "http")]
mod wire;

#[cfg(feature = "http")]
pub(crate) use attempt::Attempt;
#[cfg(feature = "http")]
pub use body::RequestBody;
#[cfg(feature = "http")]
pub(crate) use client::Client;
#[cfg(feature = "http")]
pub use multipart::Multipart;
#[cfg(feature = "http")]
pub(crate) use multipart::form;
#[cfg(feature = "http")]
pub(crate) use reading::{Read, Reading, failure};
#[cfg(feature = "http")]
pub(crate) use request::Request;
#[cfg(feature = "http")]
pub use settings::{ByteRange, Http, HttpError};

#[cfg(feature = "http")]
pub use crate::net::proxy::{Proxies, ProxyError};
pub use crate::response_head::{Headers, HeadersIter, ResponseHead, Version};
