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
//! # Inside
//!
//! `listen` accepts connections, `answer` answers a request: `guard` decides whether it may be
//! answered, `route` what it asks for (`proxied`, if the gateway is a proxy). `fetch` fetches it,
//! `objects` makes the response, whose `content` is passed on as it comes, and `pages` makes HTML of
//! it. `refusal` says what went wrong. `logins` keeps passwords in memory, `key` makes keys and tokens,
//! `once` has addresses without the key, `peer` looks whose program a client is, `files` has the local
//! files, and `fields` reads the values of forms.
#![forbid(unsafe_code)]

mod answer;
mod asked;
mod content;
mod fetch;
mod fields;
mod files;
mod gateway;
mod guard;
mod headers;
mod key;
mod listen;
mod logins;
mod objects;
mod once;
mod pages;
mod peer;
mod proxied;
mod refusal;
mod route;
mod stream;
mod visit;

pub use files::Directory;
pub use gateway::{Gateway, Limits, Settings};

/// The code in the README, tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
