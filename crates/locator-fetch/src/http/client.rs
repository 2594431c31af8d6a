//! The client: sends requests and reads responses.
//!
//! [`trip`] takes the plan of a URL, chooses the proxy, and follows redirects ([`redirect`]). [`fetch`]
//! sends one request, of which [`head`] writes the head, on a connection that [`route`] opens or that
//! waits in the [`pool`], and answers challenges ([`auth`]). [`outcome`] says what the response means,
//! and [`reading`] reads its body.

mod answer;
mod auth;
mod coding;
mod connection;
mod fetch;
mod head;
mod limits;
mod outcome;
mod pool;
mod proxies;
mod reading;
mod record;
pub(super) mod redirect;
mod route;
mod settings;
mod trip;
mod tunnel;
mod wire;

pub(crate) use fetch::Fetch;
pub(crate) use pool::Pool;
pub use proxies::{Proxies, ProxyError};
pub(crate) use reading::{Read, Reading, failure};
pub(crate) use redirect::Journey;
pub use settings::{ByteRange, Http, HttpError};
pub(crate) use trip::{has_request, start};

use super::response;
