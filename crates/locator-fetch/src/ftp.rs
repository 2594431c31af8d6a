//! FTP as octets and rules, without connections (RFC 959, RFC 2428): where a [`reply`] ends, which NNTP
//! shares, and how the [`port`] of a data connection is learned. `run/transfer` applies them.

pub(crate) mod port;
pub(crate) mod reply;
