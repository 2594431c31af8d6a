//! Fetches what URLs identify: by HTTP, and by every scheme of RFC 1738.
//!
//! ```
//! use locator_fetch::Fetcher;
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
//! # runtime.block_on(async {
//! let response = Fetcher::for_user_input().fetch("data:,hello").await?;
//! assert_eq!(response.text().await?, "hello");
//! # Ok::<_, locator_fetch::FetchError>(())
//! # }).unwrap();
//! ```
//!
//! # When to use it
//!
//! - A program fetches **untrusted URLs**, which others chose, and must not be turned against its own network (SSRF):
//!   [`Fetcher::for_untrusted_urls`] connects to public addresses only, wherever the URL, its name or a redirect
//!   leads, and has limits for time, size and speed.
//! - A program fetches what its **user** gave, by more than HTTP: [`Fetcher::for_user_input`] knows http,
//!   https, ftp, ftps, gopher, news, nntp, wais, prospero, whois, file and data.
//! - A program has rules of its own: [`Fetcher::with_policy`] takes a [`Policy`](locator_audit::Policy).
//!
//! # How
//!
//! A [`Fetcher`] has settings, and is cloned freely. [`fetch`](Fetcher::fetch) takes a text or a reference
//! of `locator`; [`request`](Fetcher::request) adds a method, headers, a body or a timeout of its own;
//! [`fetch_all`](Fetcher::fetch_all) fetches several URLs at once. A [`Response`] says what is known of the
//! URL, and its [`Body`] is read as a text, as JSON, into a file, or piece by piece. [`blocking`] has the
//! same without `async`.
//!
//! ```
//! use std::time::Duration;
//!
//! use locator_fetch::FetchErrorKind;
//! use locator_fetch::blocking::Fetcher;
//!
//! let fetcher =
//!     Fetcher::for_untrusted_urls().timeout(Duration::from_secs(10)).max_size(1 << 20);
//! let error =
//!     fetcher.fetch("http://169.254.169.254/latest/meta-data/").unwrap_err();
//! assert_eq!(error.kind(), FetchErrorKind::Forbidden);
//! ```
//!
//! # What to know
//!
//! - **An error status is an error.** A response is a success; 404 is a [`FetchError`], whose
//!   [`head`](FetchError::head) has the headers. [`Http::error_bodies`](http::Http::error_bodies) gives its
//!   page instead.
//! - **Redirects are judged.** They are followed, 10 at most, but not from a public address to a private
//!   one, not from https to http, and not to a file. To another origin go neither login nor body nor own
//!   headers ([`Http`](http::Http)).
//! - **A body that was cut short is an error**, as a reader `UnexpectedEof`. Some protocols end a body with
//!   the connection: [`Response::whole`] says how the end is known.
//! - **Only untrusted URLs have a limit of the size.** [`for_user_input`](Fetcher::for_user_input) reads without end
//!   what a server sends; set [`max_size`](Fetcher::max_size) before you read it into memory.
//! - **Errors hide secrets.** `Display` and `Debug` of errors and responses show no password and no token.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `http` (default) | HTTP/1.1 and HTTP/2 |
//! | `tls` (default) | TLS for all protocols; with `http` also https |
//! | `json` | `RequestBuilder::json` and `Response::json`, by serde |
//! | `charset` | texts in other encodings than UTF-8 |
//! | `wais`, `prospero` (with its transport, `ardp`) | URLs of WAIS and Prospero |
//! | `entries` | the URLs in menus, listings and results of searches |
//! | `save` | files under safe names, which replace no other and resume |
//! | `mirror` | directories, menus and pages of links with everything below them |
//!
//! # Inside
//!
//! A fetcher carries out the plans of `locator::plan`. A [`Run`](run::Run) carries out one plan without
//! sockets, clocks and tasks: it says what it wants and takes what happened. So the same interpreter is
//! tested in memory and driven by a network. URLs of http and https, and all that a proxy is asked for, are
//! fetched by the module [`http`].

#![forbid(unsafe_code)]

pub mod blocking;
mod driver;
mod error;
mod fetcher;
mod headers;
#[cfg(feature = "http")]
pub mod http;
mod local;
#[cfg(feature = "mirror")]
pub mod mirror;
mod net;
mod protocols;
mod redact;
mod response;
pub mod run;
#[cfg(feature = "save")]
pub mod save;
mod settings;
mod time;

pub use crate::fetcher::FetchAll;
pub use crate::fetcher::fetch::RedirectChain;
pub use crate::fetcher::request::{IntoUrl, NameValue};
pub use crate::fetcher::request::{OneHop, Redirect};
pub use crate::fetcher::retry::{NoRetry, Retries, RetryPolicy};
pub use error::{FetchError, FetchErrorKind, Hop};
pub use fetcher::request::RequestBuilder;
pub use fetcher::{Fetcher, get};
pub use headers::{Headers, HeadersIter, ResponseHead, Version};
pub use net::certificate::{CertificateDetails, TlsDetails};
pub use net::dialer::{ConnectTo, Family, Resolved, Resolver, SystemResolver};
#[cfg(feature = "tls")]
pub use net::identity::{Identity, IdentityError};
pub use net::tls::Trust;
#[cfg(feature = "ardp")]
pub use protocols::ardp;
#[cfg(feature = "entries")]
pub use protocols::entries;
#[cfg(feature = "prospero")]
pub use protocols::prospero;
#[cfg(feature = "wais")]
pub use protocols::wais;
pub use response::Response;
pub use response::body::Body;
pub use run::resume::{Proof, Resume};
pub use settings::Reuse;
pub use settings::prompter::{Handler, MailMessage, Prompter, Watcher, draft_text};
pub use time::date::{fmt_http_date, parse_http_date, parse_retry_after, timestamp};
pub use time::timings::Timings;

/// The code in the guide to the library, tested.
#[cfg(all(doctest, feature = "http", feature = "json", feature = "mirror"))]
#[doc = include_str!("../../../docs/library.md")]
struct Guide;

/// The code for users of the crates `url` and `reqwest`, tested.
#[cfg(all(doctest, feature = "http"))]
#[doc = include_str!("../../../docs/coming-from.md")]
struct ComingFrom;
