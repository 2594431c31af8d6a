//! Parses, validates and explains URLs, by every edition of the standard.
//!
//! [Reading](UriRef::parse) ⋅ [errors that say where and why](ParseError) ⋅ [the editions](edition)
//! ⋅ [the schemes](scheme) ⋅ [plans that fetch](plan) ⋅ [percent-encoding](pct) ⋅ [literals](uri!)
//! ⋅ [resolving and relativising](Base) ⋅ [which base](BaseStack) ⋅ [normal
//! forms](UriRef::normalize) ⋅ [comparing](compare()) ⋅ [IRIs](UriRef::to_uri_form) ⋅
//! [building](Builder) ⋅ [editing](Edit) ⋅ [paths of files](scheme::file) ⋅ [finding in text](text)
//! ⋅ [many at once](bulk)
//!
//! The crate `locator-audit` finds what is dangerous in a URL, and has policies for URLs of strangers.
//!
//! A reference is parsed by one edition of the standard, RFC 3986 by default. Its text is kept
//! octet by octet: nothing is normalised, decoded or repaired implicitly.
//!
//! ```
//! use locator::UriRef;
//! use locator::edition::RFC1738;
//!
//! let reference = UriRef::parse("ftp://ftp.is.co.za/rfc/rfc1808.txt")?;
//! assert_eq!(reference.scheme().unwrap(), "ftp");
//! assert_eq!(reference.host().unwrap(), "ftp.is.co.za");
//! assert_eq!(reference.path(), "/rfc/rfc1808.txt");
//!
//! let error = UriRef::parse_with("http://example.com/~user", &RFC1738).unwrap_err();
//! assert_eq!(error.to_string(), "\"~\" is not allowed in the path, at byte 19 (xchar, RFC 1738, 5)");
//! # Ok::<_, locator::ParseError>(())
//! ```
//!
//! # Which type
//!
//! | | borrowed, `Copy` | owned |
//! |---|---|---|
//! | has a scheme | [`Uri`] | [`UriBuf`] |
//! | absolute or relative | [`UriRef`] | [`UriRefBuf`] |
//!
//! All of them have the same methods. Equality, order and hash compare the texts, so a map with
//! [`UriBuf`] keys accepts a `&str` for lookup. To treat `HTTP://h:80` and `http://h/` as the same,
//! use [`is_equivalent`](UriRef::is_equivalent) or [`normalize`](UriRef::normalize). Browsers follow
//! another standard, the URL Standard; to read links as they do, use the crate `url`.
//!
//! # Words
//!
//! A **reference** is any reference in a document: absolute (with a scheme) or relative. A **URI**
//! here is a reference with a scheme. A **component** is *undefined* if its delimiter is absent and
//! *empty* if the delimiter is present and nothing follows. The **generic level** of validity is an
//! edition's grammar for any reference; the **scheme level** is its grammar for that scheme.
//!
//! # Features
//!
//! Without features the library needs `core` and `alloc` only: it reads, builds, edits, resolves,
//! normalises by syntax and converts references. No feature changes the result of a function; each
//! adds functions.
//!
//! - `std` (on by default): selects the fastest SIMD backend at run time; paths as `std` has them.
//! - `schemes` (on by default): the [schemes](scheme), their rules, views and equivalences;
//!   [`Level::Scheme`] and [`compare()`].
//! - `plan`: [the requests](plan) that fetch a resource; URLs divided into named
//!   [fields](scheme::fields), which can be [set](scheme::set_part); the [menus](scheme::menu) of
//!   Gopher. Implies `schemes`.
//! - `text`: [URLs in running text](text). Implies `schemes`.
//! - `bulk`: [many references](bulk) read at once.
//! - `idna`: the host of an IRI as a domain name (`UriRef::to_uri_with_idna`) in a URI, and in
//!   plans.
//! - `serde`: references as strings, parsed by RFC 3986 or another edition (`locator::serde`);
//!   editions, enums, options.
//! - `rayon`: [many references](bulk) read by several threads. Implies `bulk` and `std`.
//! - `http`, `url`: references from and to `http::Uri` and `url::Url`, by `TryFrom`. Both imply
//!   `schemes`, and `http` implies `std`.
//! - `force-backend`: for tests only: the environment variable `LOCATOR_BACKEND` names the
//!   [`SimdBackend`].

#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(any(feature = "std", feature = "force-backend", test))]
extern crate std;

pub mod build;
#[cfg(feature = "bulk")]
pub mod bulk;
pub mod edition;
#[cfg(feature = "schemes")]
pub mod scheme;
#[cfg(feature = "serde")]
pub mod serde;
#[cfg(feature = "text")]
pub mod text;

mod as_text;
pub mod compare;
pub mod component;
mod compose;
#[cfg(any(feature = "http", feature = "url"))]
mod convert;
mod domain;
mod equivalence;
pub mod error;
#[cfg(feature = "schemes")]
mod form;
#[cfg(feature = "idna")]
pub mod iri;
#[cfg(not(feature = "idna"))]
mod iri;
pub mod normalize;
mod numeric;
mod parse;
pub mod pct;
#[cfg(feature = "plan")]
pub mod plan;
mod reference;
pub mod resolve;
mod simd;
mod span;

// `inline`: the page of the crate has a summary of each, though their modules have them, too.
#[doc(inline)]
pub use crate::build::{BuildError, Builder, ComponentValue, Edit, Pair, SpaceEncoding, Value};
#[cfg(feature = "schemes")]
#[doc(inline)]
pub use crate::compare::compare;
#[doc(inline)]
pub use crate::compare::{CompareError, Comparison, Difference, DifferenceKind, Ladder, Rung};
#[doc(inline)]
pub use crate::component::{Authority, Host, Path, Port, SchemeName, Segment, SpannedStr, Userinfo};
#[cfg(any(feature = "http", feature = "url"))]
pub use crate::convert::ConvertError;
#[doc(inline)]
pub use crate::edition::Edition;
#[doc(inline)]
pub use crate::edition::{Charset, CharsetError};
#[doc(inline)]
pub use crate::error::{Found, FromStringError, ParseError, ParseErrorKind, Redacted, Report};
#[cfg(feature = "idna")]
#[doc(inline)]
pub use crate::iri::{IdnaError, IdnaRule};
#[doc(inline)]
pub use crate::normalize::{Level, NormalizedKey};
pub use crate::numeric::AddressReader;
pub use crate::pct::{PctError, PctStr, PctString};
pub use crate::reference::{ReferenceKind, Uri, UriBuf, UriCow, UriRef, UriRefBuf, UriRefCow};
pub use crate::resolve::{
    Base, BaseCandidate, BaseError, BaseSource, BaseStack, ResolveError, ResolveOptions, Resolved,
};
pub use crate::simd::{AsciiSet, SimdBackend};
pub use crate::span::{Component, ComponentSpans, HostKind, Span};

/// What `locator-audit` uses of this crate, at exactly this version: not a public API.
#[doc(hidden)]
pub mod internal {
    pub use crate::domain::ascii_form;
    pub use crate::pct::hex::{escaped_character, escaped_octet};
    pub use crate::simd::{Backend, Class, Plain, Table, WithBackend, dispatch};
    #[cfg(feature = "schemes")]
    pub use crate::{
        form::is_block,
        parse::divide,
        scheme::names::contact::{connects, foreign_port, may_lead},
        scheme::views::form_error,
    };
}

/// The code in the README, as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
