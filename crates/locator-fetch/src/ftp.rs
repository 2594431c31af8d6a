//! FTP as octets and rules, without connections (RFC 959, RFC 2428): where a [`reply`] ends, which NNTP
//! shares, how the [`port`] of a data connection is learned, and what leads to
//! another [`directory`]. `run` applies them.

pub(crate) mod directory;
pub(crate) mod port;
pub(crate) mod reply;
