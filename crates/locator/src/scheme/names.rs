//! Names of schemes without a file of their own, as data: what is registered with IANA ([`registered`]) and
//! reserved ([`reserved`]), the default ports, and the ports that are foreign to a scheme ([`ports`]).
//!
//! ```
//! use locator::scheme;
//!
//! assert_eq!(scheme::default_port("ldap"), Some(389));
//! assert_eq!(scheme::suggest("htpt"), Some("http"));
//! ```

pub mod ports;
pub(super) mod registered;
pub(super) mod reserved;
