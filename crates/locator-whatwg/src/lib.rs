//! URLs as browsers read them: the URL Standard of 2 July 2026.
//!
//! The root of this crate has the names of the crate [`url`](https://docs.rs/url), so a program that uses
//! that crate changes one line: `url = { package = "locator-whatwg", version = "0.1" }`. What a text means is
//! what the standard says.
//!
//! ```
//! use locator_whatwg::{Host, Url, validate};
//!
//! let url = Url::parse(r"https:\\0x7f.1\a?b c")?;
//! assert_eq!(url.as_str(), "https://127.0.0.1/a?b%20c");
//! assert_eq!(url.host(), Some(Host::Ipv4([127, 0, 0, 1].into())));
//!
//! // What is not valid in it, by the names of the standard, and where.
//! let text = "https://example.com/a|b";
//! assert_eq!(
//!     validate(text, None)[0].to_string(),
//!     "this is not allowed here unless it is percent-encoded, at byte 21 (invalid-URL-unit, URL Standard)"
//! );
//! # Ok::<_, locator_whatwg::ParseError>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | parse; parse a link of a page | [`Url::parse`]; [`Url::join`] |
//! | check a text, and make no URL | [`Url::can_parse`] |
//! | parse without a copy | [`UrlRef::parse`], [`Url::parse_cow`], [`url!`] |
//! | know what is not valid, and where | [`validate`] |
//! | change a URL | [`Url::set_host`] …, as in the crate `url`; [`Url::try_set_host`] … say why they fail |
//! | read and change a query | [`Url::query_pairs`], [`Url::query_pairs_mut`], [`Url::edit_query`], [`SearchParams`] |
//! | make a URL of its components | [`Url::builder`] |
//! | have the attributes of JavaScript | [`quirks`] |
//!
//! # Features
//!
//! - `idna` (default): hosts beyond ASCII, by the crate `idna`. Without it such a host is an error.
//! - `std` (default): paths of files ([`Url::from_file_path`]), addresses of hosts ([`Url::socket_addrs`]), and
//!   SIMD that is chosen when the program runs.
//! - `serde`: a URL as a string.
//! - `url`: conversions from and to `url::Url`.
//!
//! # Pitfalls
//!
//! - A crate whose functions take or return `url::Url` sees another type than this one.
//! - A URL is rewritten when it is parsed. To keep the bytes of a URL, and to read it by an RFC, use the
//!   crate [`locator`](https://docs.rs/locator-uri).
//! - Two URLs are equal if their serialised forms are: `/%7Ea` is not `/~a`.
//! - A domain beyond ASCII is valid by the version of Unicode that the crate `idna` has, 18 for its data of version 2.4.
//!   The browsers' tests are of Unicode 17; two of their hosts, with U+3E8AC, are valid in one of both.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod address;
mod build;
mod constant;
mod direct;
mod error;
#[cfg(feature = "std")]
mod file_path;
pub mod form_urlencoded;
mod host;
mod input;
mod machine;
mod origin;
mod parsing;
mod path_segments;
mod percent;
mod position;
mod query_edit;
pub mod quirks;
mod search_params;
#[cfg(feature = "serde")]
mod serde;
mod serialised;
mod url;
mod url_cow;
mod url_ref;

pub use build::{SetError, UrlBuilder};
#[doc(hidden)]
pub use constant::ConstantMessage;
pub use error::{ParseError, ValidationError, ValidationErrorKind};
pub use form_urlencoded::EncodingOverride;
pub use host::Host;
pub use origin::{OpaqueOrigin, Origin};
pub use parsing::{ParseOptions, SyntaxViolation, validate};
pub use path_segments::PathSegmentsMut;
pub use position::Position;
pub use query_edit::QueryEdit;
pub use search_params::{SearchParams, SearchParamsIter};
pub use url::{Url, UrlQuery};
pub use url_cow::UrlCow;
pub use url_ref::{UrlRef, UrlRefError};

/// The examples of the page about both standards.
#[cfg(all(doctest, feature = "idna", feature = "std"))]
#[doc = include_str!("../../../docs/url-standard.md")]
struct Page;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
