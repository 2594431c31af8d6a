//! Parses, joins, edits, compares and finds URLs, and explains what is wrong with them.
//!
//! A URL is parsed by RFC 3986, or by any [edition] of the standard since 1993. Its text stays
//! as it was given, byte for byte: nothing is normalised, decoded or repaired unless you ask for it.
//!
//! [Parse](#parse) ⋅ [join](#join) ⋅ [edit and build](#edit-and-build) ⋅
//! [normalise, compare, find](#normalise-compare-find) ⋅ [errors](#errors) ⋅ [which type](#which-type) ⋅
//! [which function](#which-function) ⋅ [features](#features) ⋅ [coming from `url`](#coming-from-url) ⋅
//! [dangers, links, fetching](#more-crates)
//!
//! # Parse
//!
//! A [`Uri`] borrows the text and has a scheme; a [`UriRef`] may be relative. Their methods return
//! views of the components, which compare with `&str` and are decoded when you ask for it.
//!
//! ```
//! use locator::Uri;
//!
//! let text = "https://jan@example.com:8080/a/b%20c?q=1+2&r#top";
//! let uri = Uri::parse(text)?;
//! assert_eq!(uri.scheme(), "https");
//! assert_eq!(uri.username(), "jan");
//! assert_eq!(uri.host_str(), Some("example.com"));
//! assert_eq!(uri.port_or_known_default(), Some(8080));
//! assert_eq!(uri.path_and_query(), "/a/b%20c?q=1+2&r");
//! assert_eq!(uri.fragment().unwrap(), "top");
//! assert_eq!(uri.origin().unwrap(), "https://example.com:8080");
//!
//! let segments = uri.path().segments().map(|name| name.decode_utf8_lossy());
//! assert!(segments.eq(["a", "b c"]));
//!
//! let q = uri.query_pairs().find(|(name, _)| name == "q");
//! assert_eq!(q.unwrap().1, "1 2");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! [`uri!`] checks a literal when the program is compiled. [`UriBuf`] owns its text: it is what
//! [`parse`](UriBuf::parse), `text.parse::<UriBuf>()` and every method that makes a new URL return.
//!
//! # Join
//!
//! ```
//! use locator::{Base, Uri, UriBuf, uri};
//!
//! const PAGE: Uri = uri!("https://example.com/docs/intro.html");
//!
//! let image: UriBuf = PAGE.join("../img/a.png")?;
//! assert_eq!(image, "https://example.com/img/a.png");
//!
//! // The way back: the shortest link from the page to the image.
//! assert_eq!(PAGE.make_relative(image.as_uri())?, "/img/a.png");
//!
//! // For many links, a base is checked once.
//! let base = Base::new(PAGE)?;
//! assert_eq!(base.join("?q#top")?, "https://example.com/docs/intro.html?q#top");
//! assert_eq!(base.join("//example.org")?, "https://example.org");
//! # Ok::<_, locator::ResolveError>(())
//! ```
//!
//! # Edit and build
//!
//! A change leaves all other bytes as they are. Names, segments and pairs are data and are escaped. A path,
//! query or fragment may contain escapes, which stay; [`Value::Text`] is data, in which "%" is a percent sign,
//! and [`Value::Encoded`] is percent-encoded already.
//!
//! ```
//! use locator::{Uri, UriBuf, Value, uri};
//!
//! // A copy with another component.
//! const API: Uri = uri!("https://api.example/v1");
//! assert_eq!(API.with_host("test.example")?, "https://test.example/v1");
//! assert_eq!(
//!     API.with_segment("users")?.with_segment(7)?.with_pair("q", "x&y")?,
//!     "https://api.example/v1/users/7?q=x%26y"
//! );
//!
//! // In place, several changes or none.
//! let mut uri = UriBuf::parse("http://Example.com/a?utm_source=x&q=1#top")?;
//! uri.set_scheme("https")?.set_port(8443)?.set_fragment(None)?;
//! uri.change(|edit| {
//!     edit.remove_pairs("utm_*");
//!     edit.append_segment("50% off")?.append_pair("lang", "de")?;
//!     Ok(())
//! })?;
//! assert_eq!(uri, "https://Example.com:8443/a/50%25%20off?q=1&lang=de");
//!
//! uri.set_path("/new path")?.set_query(Value::Encoded("q=%31"))?;
//! assert_eq!(uri, "https://Example.com:8443/new%20path?q=%31");
//!
//! let search = Uri::builder()
//!     .scheme("https")
//!     .host("example.com")
//!     .port(8443) // After the host, as a user and a password.
//!     .path("/search")
//!     .pair("q", "x&y")
//!     .build()?;
//! assert_eq!(search, "https://example.com:8443/search?q=x%26y");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # Normalise, compare, find
//!
//! ```
//! use locator::text::{Finder, MatchKind};
//! use locator::{Level, Uri, compare, uri};
//!
//! let uri = Uri::parse("HTTP://Example.com:80/%7Ejan/../a")?;
//! assert_eq!(uri.normalize(Level::Syntax), "http://example.com:80/a");
//! assert_eq!(uri.normalize(Level::Scheme), "http://example.com/a");
//! assert!(uri.is_equivalent(uri!("http://example.com/a"), Level::Scheme)?);
//! assert!(compare(uri, uri!("http://example.com/b"))?.rung.is_none());
//!
//! // Feature `text`.
//! let text = "See http://example.com/a (or http://example.org/b).";
//! let finder = Finder::new();
//! let found: Vec<_> = finder.find_iter(text.as_bytes()).collect();
//! assert_eq!(
//!     (found[0].kind(), found[0].as_str()),
//!     (MatchKind::Bare, "http://example.com/a")
//! );
//! assert_eq!(found[1].span(), 29..49);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//!
//! An error is a value with the byte, the component, the rule and the section of the document. Its
//! `Display` is one sentence, for logs and for `?` in `main`. Its [`report`](ParseError::report) is for the
//! author of the URL; it hides passwords.
//!
//! ```
//! use locator::{Component, ParseErrorKind, Uri};
//!
//! let text = "http://example.com/a b";
//! let error = Uri::parse(text).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "a space is not allowed in the path, at byte 20 (pchar, RFC 3986, 3.3)",
//! );
//! assert_eq!(error.report(text).to_string(), "\
//! a space is not allowed in the path
//!   http://example.com/a b
//!                       ^ byte 20
//!   expected letters, digits, escapes or any of -._~!$&'()*+,;=:@ and \"/\"
//!   by pchar, RFC 3986, 3.3
//!   to include it literally, write %20");
//!
//! // A program asks for the values.
//! assert_eq!(error.kind(), ParseErrorKind::InvalidByte);
//! assert_eq!((error.component(), error.span()), (Component::Path, 20..21));
//! ```
//!
//! Parsing checks the generic grammar, which allows `http:a`. [`check_scheme`](UriRef::check_scheme) also
//! checks the rule that the edition has for the scheme, and [`scheme::errors`] returns every error of a
//! text. [`error`] has a table of all error types.
//!
//! # Which type
//!
//! | | borrowed, `Copy` | owned | borrowed unless changed |
//! |---|---|---|---|
//! | has a scheme | [`Uri`] | [`UriBuf`] | [`UriCow`] |
//! | absolute or relative | [`UriRef`] | [`UriRefBuf`] | [`UriRefCow`] |
//! | has a scheme, and characters beyond ASCII (RFC 3987) | [`Iri`] | [`IriBuf`] | |
//!
//! All of them have the same methods, and a function that takes `impl Into<UriRef<'_>>` accepts all of
//! them. Equality, order and hash are those of the text, so a map with [`UriBuf`] keys is searched by a
//! `&str`. `HTTP://h:80` and `http://h/` are different texts: compare them by
//! [`is_equivalent`](UriRef::is_equivalent), or use [`NormalizedKey`] as the key.
//!
//! # Which function
//!
//! | to … | use |
//! |---|---|
//! | parse a URL, or a reference that may be relative | [`Uri::parse`], [`UriRef::parse`] |
//! | parse an owned string without a copy | [`UriBuf::from_string`] |
//! | parse bytes that may not be UTF-8 | [`UriRef::parse_bytes`] |
//! | parse a constant | [`uri!`], [`uri_ref!`], [`UriRef::parse_const`] |
//! | parse a text as people write it, repaired as browsers do | `UriRef::parse_repaired` (feature `idna`) |
//! | parse by another document, or an IRI | [`UriRef::parse_with`], [`edition`] |
//! | get an edition by its name | `"rfc1738".parse::<&Edition>()?`, or [`Edition::from_name`], an `Option` |
//! | show a person what is wrong | [`ParseError::report`]; all errors: [`scheme::errors`] |
//! | get a component | [`Uri::scheme`], [`Uri::userinfo`], [`Uri::host`], [`Uri::port_u16`], [`Uri::path`], [`Uri::query`], [`Uri::fragment`] |
//! | get a component as text | [`Uri::host_str`], [`Uri::username`], [`Uri::password`], [`Uri::path_segments`], [`Uri::path_and_query`] |
//! | get a component by name, and where it is | [`UriRef::component`], [`UriRef::span`] |
//! | know where to connect | [`UriRef::port_or_known_default`], [`Authority::socket_addrs`], [`Host::ip`] |
//! | decode a component | [`PctStr::decode_utf8`], [`Uri::query_pairs`], [`Path::segments`] |
//! | read or write the fields of a form | [`form_urlencoded`] |
//! | encode data, or decode it | [`pct::encode`], [`pct::decode`]; [`PctString::encode`] with an [`AsciiSet`] |
//! | resolve one reference, or many | [`Uri::join`], [`Base::join`]: of a text, a `UriRef` or a `&UriRefBuf` |
//! | resolve with options | [`Base::resolve_with`], [`ResolveOptions`] |
//! | resolve into one buffer | [`base.resolve_into(link, ResolveOptions::new(), &mut buffer)?.uri()`](Base::resolve_into), which overwrites the buffer |
//! | find the base of a document | [`BaseStack`] |
//! | make a link relative | [`Uri::make_relative`] |
//! | normalise | [`UriRef::normalize`], [`Level`] |
//! | compare, and know why two URLs are equivalent | [`UriRef::is_equivalent`], [`compare()`] |
//! | deduplicate | [`NormalizedKey`], [`NormalizedKey::into_owned`] |
//! | ask whether it is a URL of the web, or compare servers | [`UriRef::is_web`], [`UriRef::origin`] |
//! | build from data | [`Uri::builder`], a [`Builder`] |
//! | get a copy with another component | [`Uri::with_host`] and its neighbours |
//! | change a component | [`UriBuf::set_host`] and its neighbours |
//! | change segments and pairs | [`UriBuf::append_pair`], [`UriBuf::query_pairs_mut`], [`UriBuf::path_segments_mut`] |
//! | make several changes, all or none | [`UriBuf::change`], [`Edit`] |
//! | match on the scheme | `match &*uri.scheme().lowercase() { "http" => … }` |
//! | divide a URL as its scheme does | [`FtpUrl::try_from(uri)?`](scheme::FtpUrl), whose parts are fields: [below](#urls-of-a-scheme) |
//! | build the URL of a scheme | [`FtpParts::new(login)`](scheme::FtpParts): [below](#urls-of-a-scheme) |
//! | convert a path of a file | [`UriBuf::from_file_path`], [`UriRef::to_file_path`] |
//! | parse an IRI | [`Iri::parse`], [`IriBuf`] |
//! | convert an IRI | [`Iri::to_uri`], [`UriRef::to_uri_form`], [`UriRef::to_iri_form`], `UriRef::to_uri_with_idna` (feature `idna`) |
//! | expand a URI template (feature `template`) | [`UriTemplate::expand`](template::UriTemplate::expand) |
//! | hide passwords | [`UriRef::redacted`], [`Redacted`] |
//! | find URLs in text | [`text::Finder`] (feature `text`) |
//! | read millions of URLs (feature `bulk`) | [`batch.read(buffer, Separator::Newline)?`](bulk::Batch::read), then [`batch.row(buffer, i)`](bulk::Batch::row); `batch.errors()[i]` |
//! | print what would be sent to fetch a URL (feature `plan`) | [`scheme::plan(uri, &plan::Options::new())?`](scheme::plan()) |
//!
//! # URLs of a scheme
//!
//! Each scheme has a view, whose parts are fields, and a builder.
//!
//! ```
//! # #[cfg(feature = "schemes")] {
//! use locator::Uri;
//! use locator::scheme::{FtpParts, GopherUrl, LoginParts};
//!
//! let login = LoginParts::new("ftp.example.com").user("jan");
//! let ftp = FtpParts::new(login).cwd("pub").name("a b.zip").code("i").build()?;
//! assert_eq!(ftp, "ftp://jan@ftp.example.com/pub/a%20b.zip;type=i");
//!
//! let url = Uri::parse("gopher://example.com/0/about.txt")?;
//! let gopher = GopherUrl::try_from(url)?;
//! assert_eq!(gopher.login.host.as_str(), "example.com");
//! assert_eq!(gopher.selector.as_str(), "/about.txt");
//! assert_eq!(gopher.item_type(), '0');
//! # }
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! The package is `locator-uri`, and programs say `use locator::Uri`. `cargo add locator-uri` adds `std`, `schemes` and
//! `template`. No feature changes the result of a function; each adds functions. Without features the library needs
//! `core` and `alloc` only.
//!
//! | feature | adds | to add it |
//! |---|---|---|
//! | `std` (default) | the choice of the fastest SIMD backend at run time; `Path` and `PathBuf` for file URIs | `cargo add locator-uri` |
//! | `schemes` (default) | [the schemes](scheme): their rules, views and builders; [`Level::Scheme`], [`compare()`] | `cargo add locator-uri` |
//! | `template` (default) | [URI templates](template) of RFC 6570 | `cargo add locator-uri` |
//! | none | parsing, building, editing, resolving, [`Level::Syntax`], IRIs | `cargo add locator-uri --no-default-features` |
//! | `text` | [URLs in running text](text) | `cargo add locator-uri -F text` |
//! | `bulk` | [many URLs at once](bulk), into columns | `cargo add locator-uri -F bulk` |
//! | `rayon` | the same with several threads; implies `bulk` | `cargo add locator-uri -F rayon` |
//! | `idna` | host names beyond ASCII: `UriRef::to_uri_with_idna`, `host_to_ascii`; `UriRef::parse_repaired` | `cargo add locator-uri -F idna` |
//! | `serde` | references as strings, [by any edition](mod@serde); editions, enums, options | `cargo add locator-uri -F serde` |
//! | `http` | `TryFrom` between references and `http::Uri` | `cargo add locator-uri -F http` |
//! | `url` | `TryFrom` between references and `url::Url` | `cargo add locator-uri -F url` |
//! | `plan` | [the requests](plan) that fetch a URL; URLs as [named fields](scheme::fields), which can be [set](scheme::set_part); [menus](scheme::menu) of Gopher | `cargo add locator-uri -F plan` |
//! | `force-backend` | for tests only: `LOCATOR_BACKEND` in the environment names the [`SimdBackend`] | `cargo add locator-uri -F force-backend` |
//!
//! # Coming from `url`
//!
//! `url::Url` follows the URL Standard of browsers: it repairs and normalises what it parses. Use it to
//! read links as a browser does. This crate follows the RFCs, keeps the text, and rejects what they reject.
//!
//! | `url` | here |
//! |---|---|
//! | `Url::parse(text)?` | [`UriBuf::parse`]`(text)?`, or [`Uri::parse`]`(text)?`, which borrows |
//! | the normalising that `parse` does | `uri.normalize(Level::Scheme)` |
//! | `match url.scheme()` | `match &*uri.scheme().lowercase()` |
//! | `url.host_str()`, `url.domain()`, `url.port_or_known_default()` | the same names |
//! | `url.username()`, `url.password()` | the same names |
//! | `url.path_segments()` | `uri.path_segments()`, no `Option` |
//! | `url.origin()` | `uri.origin()` |
//! | `url.query_pairs()` | `uri.query_pairs()`; strictly decoded: `uri.pairs(SpaceEncoding::Plus)` |
//! | `url.join(link)?`, `url.make_relative(&other)` | `uri.join(link)?`, `uri.make_relative(&other)?` |
//! | `url.set_host(Some(host))?` | `uri.set_host(host)?` |
//! | `url.set_query(Some(text))` | `uri.set_query(text)?`; data: `Value::Text(text)` |
//! | `url.query_pairs_mut()`, `url.path_segments_mut()` | the same names; with errors: `uri.change(\|edit\| …)` |
//!
//! # Words
//!
//! - A **reference** is what a document contains: absolute (with a scheme) or relative. A **URI** here is a
//!   reference with a scheme.
//! - An **edition** is one document of the standard, such as RFC 3986 or RFC 1738.
//! - A **component** is *undefined* if its delimiter is absent and *empty* if the delimiter is present and
//!   nothing follows: `http://h?` has an empty query, `http://h` has none.
//! - The **generic level** of validity is an edition's grammar for any reference; the **scheme level** is
//!   its grammar for that scheme.
//!
//! # More crates
//!
//! - [`locator-audit`](https://docs.rs/locator-audit) reports what is dangerous in a URL, shows which host
//!   each program contacts for it, and decides which untrusted URLs a program may fetch:
//!   `cargo add locator-audit`.
//! - [`locator-whatwg`](https://docs.rs/locator-whatwg) reads URLs as browsers do, by the URL Standard, with the
//!   names of the crate `url`: `cargo add locator-whatwg`.
//! - [`locator-domain`](https://docs.rs/locator-domain) returns registered domains, such as `example.co.uk`
//!   of `www.example.co.uk`, by the Public Suffix List: `cargo add locator-domain`.
//! - [`locator-find`](https://docs.rs/locator-find) finds the links of HTML, Markdown, mail and fourteen
//!   other formats, with their positions: `cargo add locator-find`.
//! - [`locator-fetch`](https://docs.rs/locator-fetch) fetches by HTTP and by every scheme of RFC 1738, within
//!   the limits of a policy: `cargo add locator-fetch`.
//! - [`locator-functions`](https://docs.rs/locator-functions) and
//!   [`locator-arrow`](https://docs.rs/locator-arrow) have the functions of URLs for rows and columns of
//!   tables: `cargo add locator-arrow`.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(any(feature = "std", feature = "force-backend", test))]
extern crate std;

pub mod build;
#[cfg(feature = "bulk")]
pub mod bulk;
pub mod edition;
pub mod form_urlencoded;
#[cfg(feature = "schemes")]
pub mod scheme;
#[cfg(feature = "serde")]
pub mod serde;
#[cfg(feature = "template")]
pub mod template;
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
#[cfg(feature = "schemes")]
mod origin;
mod parse;
pub mod pct;
#[cfg(feature = "plan")]
pub mod plan;
mod reference;
#[cfg(feature = "idna")]
pub mod repair;
pub mod resolve;
mod secrets;
mod simd;
mod similar;
mod span;

// `inline`: the page of the crate has a summary of each, though their modules have them, too.
#[doc(inline)]
pub use crate::build::{
    BuildError, Builder, ComponentValue, Edit, OptionalValue, Pair, SpaceEncoding, Value,
};
#[cfg(feature = "schemes")]
#[doc(inline)]
pub use crate::compare::compare;
#[doc(inline)]
pub use crate::compare::{CompareError, Comparison, Difference, DifferenceKind, Ladder, Rung};
#[doc(inline)]
pub use crate::component::{Authority, Host, Path, Port, SchemeName, Segment, SpannedStr, Userinfo};
#[cfg(any(feature = "http", feature = "url"))]
#[doc(inline)]
pub use crate::convert::ConvertError;
#[doc(inline)]
pub use crate::edition::{Charset, CharsetError, Edition};
#[doc(inline)]
pub use crate::error::{Found, FromStringError, ParseError, ParseErrorKind, Redacted, Report};
#[cfg(feature = "idna")]
#[doc(inline)]
pub use crate::iri::{IdnaError, IdnaRule};
#[doc(inline)]
pub use crate::normalize::{Level, NormalizedKey};
#[doc(inline)]
pub use crate::numeric::AddressReader;
#[cfg(feature = "schemes")]
#[doc(inline)]
pub use crate::origin::Origin;
#[doc(inline)]
pub use crate::pct::{PctError, PctStr, PctString};
#[doc(inline)]
pub use crate::reference::{Iri, IriBuf, ReferenceKind, Uri, UriBuf, UriCow, UriRef, UriRefBuf, UriRefCow};
#[doc(inline)]
pub use crate::resolve::{
    Base, BaseCandidate, BaseError, BaseSource, BaseStack, IntoReference, ResolveError, ResolveOptions,
    Resolved,
};
#[doc(inline)]
pub use crate::simd::{AsciiSet, SimdBackend};
#[doc(inline)]
pub use crate::span::{Component, ComponentSpans, HostKind, Span};
#[cfg(feature = "template")]
#[doc(inline)]
pub use crate::template::UriTemplate;

#[doc(hidden)]
pub use crate::similar::edit_distance;

/// What `locator-audit` uses of this crate, at exactly this version: not a public API.
#[doc(hidden)]
pub mod internal {
    pub use crate::domain::ascii_form;
    pub use crate::pct::{escaped_character, escaped_octet};
    #[cfg(feature = "schemes")]
    pub use crate::scheme::wais::media_type_of as wais_media_type;
    pub use crate::secrets::scan as secrets;
    #[cfg(feature = "serde")]
    pub use crate::serde::ByName;
    pub use crate::simd::{Backend, Class, Plain, Table, WithBackend, dispatch};
    #[cfg(feature = "schemes")]
    pub use crate::{form::is_block, parse::divide, scheme::names::ports, scheme::views::form_error};
}

/// The code in the README, as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
