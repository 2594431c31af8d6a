//! The protocols whose replies are more than lines, as octets and rules, without connections: FTP, WAIS,
//! Prospero and its transport ARDP; and what the lists of all protocols contain, as entries.

#[cfg(feature = "ardp")]
pub mod ardp;
#[cfg(feature = "entries")]
pub mod entries;
pub(crate) mod ftp;
#[cfg(feature = "prospero")]
pub mod prospero;
#[cfg(feature = "wais")]
pub mod wais;
