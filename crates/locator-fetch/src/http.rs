//! HTTP: requests by their meaning, over connections that the dialer opens.
//!
//! A URL of http or https, and any URL that a proxy is asked for, is fetched by the `Request` of its
//! plan. [`Http`] has the settings; what a server said is in [`Response::head`](crate::Response::head).
//!
//! ```no_run
//! use locator_fetch::blocking::Fetcher;
//! use locator_fetch::http::{ByteRange, Http, Proxies};
//!
//! let fetcher = Fetcher::for_user_input()
//!     .http(Http::new().proxies(Proxies::environment()?));
//! let response = fetcher
//!     .request("https://example.com/")
//!     .range(ByteRange::From(100))
//!     .send()?;
//! println!("{}", response.head().unwrap());
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! `attempt` sends one request (RFC 9110), of which `head` writes the head and `body` the body, on a `connection` that
//! `route` opens or that waits to be used again; it answers challenges (`auth`). `reading` says what the response
//! means, and reads its body, which `coding` decompresses. `request` has the rules of redirects, `range` those of
//! ranges, `cookies` the jar, and `wire` sees what hyper does not show of a connection.

mod attempt;
mod auth;
mod body;
mod coding;
mod connection;
mod cookies;
mod head;
mod multipart;
mod range;
pub(crate) mod reading;
pub(crate) mod request;
pub(crate) mod route;
mod settings;
mod wire;

pub(crate) use self::connection::Client;
pub use crate::net::proxy::{Proxies, ProxyError};
pub(crate) use attempt::Attempt;
pub(crate) use body::OutgoingBody;
pub use body::RequestBody;
pub use cookies::CookieJar;
pub use multipart::Multipart;
pub(crate) use multipart::form;
pub(crate) use reading::{Read, Reading, failure};
pub(crate) use request::Request;
pub use settings::{AuthSchemes, ByteRange, Http, HttpError};
