//! Names of schemes without a file of their own, as data: what is registered and reserved, the
//! default ports, and the ports that are foreign to a scheme.

pub mod ports;
pub(super) mod registered;
pub(super) mod reserved;
