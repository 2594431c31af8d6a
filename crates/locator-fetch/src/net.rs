//! The network: the only module that opens sockets. [`dialer`] looks names up, asks the policy about each
//! address and connects, to one address after the other; [`tls`] secures connections, with the certificate of
//! [`identity`] if the client has one, and moves those that are kept to another runtime; [`certificate`] is what is
//! known of the other end; [`proxy`] says which proxy a URL is asked of, and asks it for a connection.
//!
//! A connection begins as a `Target` of `locator_audit::Policy`: a host and a port that the policy allows. A
//! [`Dialer`](dialer::Dialer) takes it, returns the stream and the [`ConnectedServer`](dialer::ConnectedServer), whose
//! address the policy allows, too. So nothing in this crate can connect to what was not judged. Addresses are tried
//! as RFC 8305 says, proxies by RFC 9110, 9.3.6 (CONNECT) and RFC 1928 (SOCKS).
//!
//! ```
//! use locator_fetch::{ConnectTo, FetchErrorKind, blocking::Fetcher};
//!
//! // The policy judges the server that is connected to, and not only the one that the URL names.
//! let servers = ConnectTo::new().rule("www.example.com:80:127.0.0.1:8080").unwrap();
//! let fetcher = Fetcher::for_untrusted_urls().connect_to(servers);
//! let error = fetcher.fetch("http://www.example.com/").unwrap_err();
//! assert_eq!(error.kind(), FetchErrorKind::Forbidden);
//! ```

#![expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "sockets are opened here alone")]

pub(crate) mod certificate;
pub(crate) mod dialer;
#[cfg(feature = "tls")]
pub(crate) mod identity;
#[cfg(feature = "http")]
pub(crate) mod proxy;
pub(crate) mod tls;
