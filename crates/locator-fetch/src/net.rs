//! The network: the only module that opens sockets. [`dialer`] looks names up, asks the policy about each
//! address and connects, to one address after the other; [`tls`] secures connections, with the certificate of
//! [`identity`] if the client has one, and moves those that are kept to another runtime; [`certificate`] is what is
//! known of the other end; [`proxy`] says which proxy a URL is asked of, and asks it for a connection.

#![expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "sockets are opened here alone")]

pub(crate) mod certificate;
pub(crate) mod dialer;
#[cfg(feature = "tls")]
pub(crate) mod identity;
#[cfg(feature = "http")]
pub(crate) mod proxy;
pub(crate) mod tls;
