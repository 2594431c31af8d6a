//! The fetcher: protocols without a network, servers in this process, and real servers.

#![allow(clippy::disallowed_types, reason = "tests have servers of their own")]

#[cfg(feature = "ardp")]
mod ardp;
#[cfg(feature = "entries")]
mod canary;
#[cfg(feature = "tls")]
mod certificates;
#[cfg(feature = "tls")]
mod engine;
#[cfg(feature = "entries")]
mod entries;
#[cfg(all(feature = "http", feature = "tls"))]
mod http;
#[cfg(feature = "entries")]
mod local;
#[cfg(feature = "mirror")]
mod mirror;
#[cfg(feature = "entries")]
mod prospero;
#[cfg(all(feature = "entries", feature = "tls"))]
mod reach;
#[cfg(all(target_os = "linux", feature = "entries", feature = "tls"))]
mod real;
#[cfg(all(feature = "prospero", feature = "wais"))]
mod run;
#[cfg(all(feature = "entries", feature = "tls"))]
mod servers;
#[cfg(all(feature = "prospero", feature = "wais"))]
mod strangers;
#[cfg(feature = "entries")]
mod wais;
