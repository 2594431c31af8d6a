//! Finds the links of documents: the position of each link, its URL and its base.
//!
//! A [`Finder`] reads a document as a stream of bytes in a given [`Format`]. It passes every
//! [`Link`] to a [`Sink`] as soon as it is known, in document order.
//!
//! ```
//! use locator_find::{Document, Finder, Format, Link};
//! use std::ops::ControlFlow;
//!
//! let finder = Finder::new();
//! let mut found = Vec::new();
//! let text = b"Yes, Jim, I found it under <URL:ftp://ds.internic.net/rfc>.";
//! finder.find(&Document::new(Format::Text), &mut &text[..], &mut |link: &Link<'_>| {
//!     found.push(link.url().to_owned());
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(found, ["ftp://ds.internic.net/rfc"]);
//! # Ok::<_, std::io::Error>(())
//! ```

#[cfg(feature = "archives")]
mod archive;
mod charset;
#[cfg(feature = "compressed")]
mod compressed;
mod css;
mod csv;
mod decode_chain;
mod decoded;
mod decoder;
mod document;
mod emitter;
mod encoding;
mod escaped;
mod finder;
mod folded;
mod format;
mod head;
mod html;
mod input;
mod json;
mod limits;
mod link;
mod mail;
mod markdown;
mod options;
mod roff;
mod source;
mod spec;
mod stream;
mod tex;
mod text;
mod toml;
mod transfer;
#[cfg(any(feature = "archives", feature = "compressed"))]
mod unpacked;
mod utf16;
mod value;
mod whitespace;
mod window;
mod xml;
mod yaml;

#[cfg(feature = "archives")]
pub use crate::archive::{Archive, Member};
#[cfg(feature = "compressed")]
pub use crate::compressed::Compression;
pub use crate::document::Document;
pub use crate::escaped::{repaired, repaired_with};
pub use crate::finder::Finder;
pub use crate::format::Format;
pub use crate::link::{Anchor, Context, Link, Location, PassedOver, ResolveLinkError, Sink};
pub use crate::mail::{MessagePart, message_part};
#[cfg(any(feature = "archives", feature = "compressed"))]
pub use crate::unpacked::UnpackLimits;
