//! FTP as octets and rules, without connections (RFC 959, RFC 2428, RFC 3659): where a [`reply`] ends,
//! which NNTP shares, how the [`port`] of a data connection is learned, what leads to another
//! [`directory`], and what the [`facts`] and the lines of a `long` listing say of a file.
//! `run` applies them.

pub(crate) mod directory;
pub(crate) mod facts;
#[cfg(feature = "entries")]
pub(crate) mod long;
pub(crate) mod port;
pub(crate) mod reply;
