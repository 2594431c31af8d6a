//! A gateway that shows in a browser what URLs of any scheme identify: ftp, gopher, news, wais and the others of
//! RFC 1738.
//!
//! A [`Gateway`] takes [`Settings`] and a socket, and answers HTTP/1.1 at it: with pages for browsers, whose links lead
//! through the gateway, and as a proxy for programs. Only what the policy allows is contacted. Other web pages cannot use
//! it, what comes from servers runs no script, and every text of others is escaped.
//!
//! ```no_run
//! use std::net::TcpListener;
//!
//! use locator_audit::Policy;
//! use locator_gateway::{Gateway, Settings};
//!
//! let listener = TcpListener::bind("127.0.0.1:1738")?;
//! let gateway = Gateway::new(Settings::new(Policy::public_network()), &listener)?;
//! println!("listening on {}", gateway.address());
//! gateway.serve(listener, std::future::pending())?;
//! # Ok::<_, std::io::Error>(())
//! ```
//!
//! In a runtime of tokio use [`Gateway::serve_async`].
//!
//! # Inside
//!
//! `listen` accepts connections (`connection`), `exchange` answers a request: `guard` decides whether it may be
//! answered, `route` what it asks for. `objects` fetches it and makes the `response`, whose body is passed on as
//! it comes, and `pages` makes HTML of it. `refusal` says what went wrong. `logins` keeps passwords in memory,
//! `keys` makes keys, tokens and addresses that are used once.
#![forbid(unsafe_code)]

mod connection;
mod exchange;
mod gateway;
mod guard;
mod keys;
mod listen;
mod logins;
mod objects;
mod pages;
mod refusal;
mod response;
mod route;

pub use gateway::{Directory, Gateway, Limits, Settings};

/// The code in the README, tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
