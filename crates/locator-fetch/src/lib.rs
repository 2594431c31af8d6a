//! Fetches what URLs identify: carries out the plans of `locator::plan`.
//!
//! A [`Fetcher`] plans a URL, opens connections and returns a [`Body`] to read from;
//! [`blocking::Fetcher`] does so without `async`. Below them a [`Run`](run::Run) carries out one plan
//! without sockets, clocks and tasks: it says what it wants and takes what happened. So the same
//! interpreter is tested in memory and driven by a network. URLs of http and https, and all that a proxy
//! is asked for, are fetched by the module [`http`].
//!
//! The features are `tls` and `http`; `wais` and `prospero` (with its transport, `ardp`), without which
//! their URLs are not supported; and `entries`, the URLs in menus and listings.

#[cfg(feature = "ardp")]
pub mod ardp;
pub mod blocking;
mod body;
mod config;
mod driver;
#[cfg(feature = "entries")]
pub mod entries;
mod error;
mod failure;
mod fetch;
mod fetch_all;
mod fetcher;
pub mod http;
mod into_url;
mod local;
mod net;
mod prompter;
#[cfg(feature = "prospero")]
pub mod prospero;
mod request;
mod response;
mod response_head;
mod resume;
pub mod run;
mod settings;
mod shown;
#[cfg(feature = "wais")]
pub mod wais;

pub use body::Body;
pub use error::{FetchError, FetchErrorKind, Hop};
pub use fetch_all::FetchAll;
pub use fetcher::Fetcher;
pub use into_url::IntoUrl;
pub use net::dialer::{Family, Resolved, Resolver};
pub use net::tls::Trust;
pub use prompter::{Handler, MailMessage, Prompter, Watcher, draft_text};
pub use request::RequestBuilder;
pub use response::Response;
pub use resume::{Proof, Resume};
