//! The network: the only module that opens sockets. [`dialer`] looks names up, asks the policy about
//! each address and connects, [`race`] tries several addresses, [`tls`] secures connections, with the
//! certificate of [`identity`] if the client has one, [`kept`] moves connections to another runtime,
//! [`proxy`] says which proxy a URL is asked of, and [`tunnel`] asks it for a connection.

#![expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "sockets are opened here alone")]

pub(crate) mod certificate;
pub(crate) mod dialer;
#[cfg(feature = "tls")]
pub(crate) mod identity;
mod kept;
#[cfg(feature = "http")]
pub(crate) mod proxy;
mod race;
pub(crate) mod tls;
#[cfg(feature = "http")]
pub(crate) mod tunnel;
