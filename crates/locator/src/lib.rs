//! Reads, checks and explains URLs, by every edition of the standard.
//!
//! [Reading](UriRef::parse) ⋅ [errors that say where and why](Error) ⋅ [the editions](edition) ⋅
//! [the schemes](scheme) ⋅ [plans that fetch](plan) ⋅ [percent-encoding](Escaped) ⋅ [literals](uri!) ⋅
//! [resolving and relativising](Base) ⋅ [which base](BaseStack) ⋅ [normal forms](Normal) ⋅ [comparing](compare()) ⋅
//! [IRIs](UriRef::iri_to_uri) ⋅ [building](Builder) ⋅ [editing](Edit) ⋅ [paths of files](scheme::file) ⋅
//! [finding in text](text) ⋅ [many at once](bulk)
//!
//! A reference is read by one edition of the standard, RFC 3986 unless another is named, and
//! stays as it was given, octet by octet: nothing is normalised, decoded or repaired unless
//! that is asked for.
//!
//! ```
//! use locator::UriRef;
//! use locator::edition::RFC1738;
//!
//! let reference = UriRef::parse("ftp://ftp.is.co.za/rfc/rfc1808.txt")?;
//! assert_eq!(reference.scheme().unwrap(), "ftp");
//! assert_eq!(reference.authority().unwrap().host().as_str(), "ftp.is.co.za");
//! assert_eq!(reference.path().as_str(), "/rfc/rfc1808.txt");
//!
//! let error = UriRef::parse_by("http://example.com/~user", &RFC1738).unwrap_err();
//! assert_eq!(error.to_string(), "\"~\" may not stand in the path, at octet 19 (xchar, RFC 1738, 5)");
//! # Ok::<_, locator::Error>(())
//! ```
//!
//! # Words
//!
//! A **reference** is what may stand in a document: absolute (with a scheme) or relative. A
//! **URI** here is a reference with a scheme. A **component** is *undefined* if its delimiter
//! is absent and *empty* if the delimiter is there and nothing follows. The **generic level**
//! of validity is an edition's grammar for any reference; the **scheme level** is its grammar
//! for that scheme.
//!
//! # Features
//!
//! Without features the library needs `core` and `alloc` only.
//!
//! - `std` (on by default): choose the fastest way of reading octets when the program runs; paths as `std` has them.
//! - `idna`: the host of an IRI as a domain name (`UriRef::iri_to_uri_with_idna`) in a URI, and in plans.
//! - `serde`: references as strings, read by RFC 3986.
//! - `rayon`: [many references](bulk) read by several threads.
//! - `http`, `url`: references from and to `http::Uri` and `url::Url`, by `TryFrom`.
//! - `force-machine`: the environment variable `LOCATOR_MACHINE` names the [`Machine`]; for tests.

#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(any(feature = "std", feature = "force-machine", test))]
extern crate std;

pub mod build;
pub mod bulk;
pub mod edition;
pub mod plan;
pub mod scheme;
pub mod text;

mod base;
mod compare;
mod component;
mod compose;
#[cfg(any(feature = "http", feature = "url"))]
mod convert;
mod domain;
mod dots;
mod error;
mod escape;
mod iri;
mod normalize;
mod numeric;
mod octet;
mod parse;
mod part;
mod reference;
mod relativize;
mod resolve;

pub use crate::base::{Base, BaseSource, BaseStack, Layer, NoBase};
pub use crate::build::{BuildError, Builder, Edit, Pair, Space, Value};
pub use crate::compare::{Comparison, Difference, DifferenceKind, Ladder, NotComparable, Rung, compare};
pub use crate::component::{Authority, Excerpt, Host, Path, Port, SchemeName, Segment, Userinfo};
pub use crate::compose::Components;
#[cfg(any(feature = "http", feature = "url"))]
pub use crate::convert::ConvertError;
pub use crate::edition::Edition;
pub use crate::edition::{Charset, CharsetError};
pub use crate::error::{Drawing, Error, ErrorKind, Found, Redacted};
pub use crate::escape::{EscapeError, Escaped, EscapedBuf};
#[cfg(feature = "idna")]
pub use crate::iri::{IdnaError, IdnaRule};
pub use crate::normalize::{ByNormalForm, Level, Normal};
pub use crate::numeric::AddressReader;
pub use crate::octet::{Kind as Machine, Set};
pub use crate::part::{HostKind, Part, Parts, Span};
pub use crate::reference::{Kind, Rewritten, Uri, UriBuf, UriRef, UriRefBuf};
pub use crate::resolve::{ResolveError, ResolveOptions, Resolved};

/// The code in the README, tested.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
