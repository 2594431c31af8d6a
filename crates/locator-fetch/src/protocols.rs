//! The protocols whose replies are more than lines, as octets and rules, without connections: FTP (RFC 959, and RFC
//! 3659 for its listings), WAIS, Prospero and its transport ARDP; and what the lists of all protocols contain, as
//! entries.
//!
//! ```
//! # #[cfg(feature = "entries")] {
//! use locator::plan::ObjectKind;
//! use locator_fetch::entries::entries;
//!
//! let url = locator::uri_ref!("ftp://ftp.example/pub/");
//! let facts = b"type=file;size=3; a b.txt\r\n";
//! let entry = entries(ObjectKind::Facts, url, facts).unwrap().next().unwrap();
//! assert_eq!(entry.url.unwrap(), "ftp://ftp.example/pub/a%20b.txt");
//! assert_eq!(entry.size, Some(3));
//! # }
//! ```

#[cfg(feature = "ardp")]
pub mod ardp;
#[cfg(feature = "entries")]
pub mod entries;
pub(crate) mod ftp;
#[cfg(feature = "prospero")]
pub mod prospero;
#[cfg(feature = "wais")]
pub mod wais;
