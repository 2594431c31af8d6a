//! Finds the links of documents: the position of each link, its URL and its base.
//!
//! A [`Finder`] reads a document as a stream of bytes in a given [`Format`]: HTML, CSS, Markdown, MDX,
//! components of Vue, Svelte and Astro, mail, XML, TeX, manual pages, JSON, notebooks, YAML, TOML, tables,
//! calendars, contacts, directory entries or running text. It passes every [`Link`] to a [`Sink`] as soon as
//! it is known, in document order.
//!
//! ```
//! use locator_find::{Document, Finder, Format, Link};
//! use std::ops::ControlFlow;
//!
//! let page = b"<a href='../b'>text</a> <img src=c.png>";
//! let document =
//!     Document::new(Format::Html).retrieved_by("http://h.example/x/a.html");
//! let mut found = Vec::new();
//! Finder::new().find(&document, &mut &page[..], &mut |link: &Link<'_>| {
//!     let resolved = link.resolved().unwrap();
//!     found.push((link.place().column, resolved.uri().unwrap().to_string()));
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(found[0], (10, "http://h.example/b".to_owned()));
//! assert_eq!(found[1], (34, "http://h.example/x/c.png".to_owned()));
//! # Ok::<_, std::io::Error>(())
//! ```
//!
//! # When to use it
//!
//! - To check the links of a site, of documentation, of a mailbox: [`Link::resolved`] is the URL to fetch,
//!   and [`Anchor`]s are the targets of its fragments.
//! - To replace links in place: [`Finder::rewrite`] escapes the new ones for their places and keeps every other
//!   byte.
//! - To index the URLs of any files: [`Format::of`] knows the format by name or content, [`Archive`] and
//!   [`Compression`] open packed files.
//!
//! For URLs in a text that is in memory, [`locator::text`] is enough. To fetch what was found, use
//! [`locator-fetch`](https://docs.rs/locator-fetch).
//!
//! # Which function
//!
//! | to … | use |
//! |---|---|
//! | find the links of a stream | [`Finder::find`] |
//! | find the links of a file | [`Finder::find_seekable`], which also knows a base that is declared late |
//! | know the format of a file | [`Format::of`], [`Format::of_path`], [`Format::from_name`] |
//! | say where a document is from, and by which edition its links are resolved | [`Document`] |
//! | resolve a link, and know its base | [`Link::resolved`], [`Link::base`], [`Link::bases`] |
//! | know the element, header or macro that has a link | [`Link::context`] |
//! | know what a link is for: a relation, a form, a refresh, an example in code | [`Link::rel`], [`Link::method`], [`Link::is_refresh`], [`Link::is_code`] |
//! | replace links of a document | [`Finder::rewrite`] |
//! | repair an invalid link as browsers do | [`Link::escaped`]; other texts: [`UriRef::parse_repaired`](locator::UriRef::parse_repaired) |
//! | find links in comments, scripts and text, too | [`Finder::all`] |
//! | find `www.example.com` and e-mail addresses in text | [`Finder::text`] |
//! | know that a link is only a part of a URL | [`Link::cut`] |
//! | know what was not searched | [`Sink::passed_over`] |
//! | read gzip, bzip2, xz, zstd and zip files | `Compression`, `Archive` |
//! | get the part of a message that a `cid` URL names | [`message_part`] |
//!
//! # A file of any format
//!
//! ```
//! use locator_find::{Document, Finder, Format, Link};
//! use std::io::{Read, Seek};
//! use std::ops::ControlFlow;
//! use std::path::Path;
//!
//! fn links(path: &Path) -> std::io::Result<Vec<String>> {
//!     let mut file = std::fs::File::open(path)?;
//!     let mut first = Vec::new();
//!     file.by_ref().take(4096).read_to_end(&mut first)?;
//!     file.rewind()?;
//!
//!     let mut found = Vec::new();
//!     // A binary file has no format.
//!     if let Some(format) = Format::of(path, &first) {
//!         let document = Document::new(format);
//!         let mut sink = |link: &Link<'_>| {
//!             found.push(link.url().to_owned());
//!             ControlFlow::Continue(())
//!         };
//!         Finder::new().find_seekable(&document, &mut file, &mut sink)?;
//!     }
//!     Ok(found)
//! }
//! # let path = std::env::temp_dir().join(format!("find-{}.md", std::process::id()));
//! # std::fs::write(&path, "[a](http://h.example/)")?;
//! # assert_eq!(links(&path)?, ["http://h.example/"]);
//! # std::fs::remove_file(path)?;
//! # Ok::<_, std::io::Error>(())
//! ```
//!
//! # Pitfalls
//!
//! - A link is what the document says: it may be invalid, relative or empty. [`Link::resolved`] parses it.
//! - A document chooses its base, and so where its relative links lead. Before you fetch a link of a
//!   stranger's document, ask `locator_audit::Policy`.
//! - In a stream, a `base` of HTML is recognised within the first mebibyte. [`Finder::find_seekable`] reads
//!   twice and has no such limit.
//! - Memory is bounded: [`Sink::passed_over`] reports a stretch that is too long to be searched.
//! - Positions count in the bytes that were read; in a compressed file those are the decompressed ones.
//!
//! # Features
//!
//! | feature | adds | to add it |
//! |---|---|---|
//! | none | all formats | `cargo add locator-find` |
//! | `compressed` | `Compression`: gzip, bzip2, xz and zstd | `cargo add locator-find -F compressed` |
//! | `archives` | `Archive`: zip, and formats based on it, such as docx, odt and epub | `cargo add locator-find -F archives` |

#![forbid(unsafe_code)]

mod decode;
mod finder;
mod formats;
mod heading_ids;
mod link;
#[cfg(any(feature = "archives", feature = "compressed"))]
mod packed;
mod rewrite;
mod search;

pub use crate::decode::Location;
pub use crate::finder::Document;
pub use crate::finder::Finder;
pub use crate::formats::Format;
pub use crate::formats::mail::{MessagePart, message_part};
pub use crate::heading_ids::HeadingIds;
pub use crate::link::cut::Cut;
pub use crate::link::{Anchor, Context, Label, LabelKind, Link, Method, PassedOver, ResolveLinkError, Sink};
#[cfg(any(feature = "archives", feature = "compressed"))]
pub use crate::packed::UnpackLimits;
#[cfg(feature = "archives")]
pub use crate::packed::archive::{Archive, Member};
#[cfg(feature = "compressed")]
pub use crate::packed::compressed::Compression;
pub use crate::rewrite::{NotRewritten, RewrittenDocument, RewrittenLink};
