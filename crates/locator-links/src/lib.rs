//! Checks the links of documents: whether the files, headings and pages that they lead to are there.
//!
//! A link is [`Broken`](Outcome::Broken) only if it is certainly dead. What a server, a network or a script
//! may still mean is [`Unknown`](Outcome::Unknown).
//!
//! A [`Site`] reads documents: each becomes a [`Page`] with its links, and [`Anchors`](anchors::Anchors). A
//! [`FileChecker`] judges the links to files, a [`Checker`] asks servers for the others by a [`Network`], and passes a
//! [`Verdict`] for each link to a [`Receiver`]. [`mend`] says what replaces links that have moved.
//!
//! ```
//! use locator_find::{Document, Finder, Format};
//! use locator_links::{Code, DocumentName, LinkRules, LinkTarget, Outcome, Site};
//!
//! let site = Site::new(LinkRules { keeps_all: true, is_offline: true, ..LinkRules::default() }, None);
//! let document = Document::new(Format::Html).retrieved_by("https://h.de/a/");
//! let name = DocumentName { name: "a.html".to_owned(), path: None, is_own: false };
//! let mut text = &b"<a href=https://www.example.com/>x</a> <a href=b>y</a>"[..];
//! let page = site.read_stream(&Finder::new(), &document, name, &mut text)?.page;
//!
//! let codes = page.links.iter().map(|link| match &link.target {
//!     LinkTarget::Known(verdict) => Some(verdict.code),
//!     _ => None,
//! });
//! // "example.com" is for documentation, and no server is asked.
//! assert_eq!(codes.collect::<Vec<_>>(), [Some(Code::ReservedName), Some(Code::Offline)]);
//! assert_eq!(Code::Offline.outcome(), Outcome::Skipped);
//! # Ok::<_, std::io::Error>(())
//! ```

#![forbid(unsafe_code)]

pub mod anchors;
mod browser;
mod cache;
mod checker;
mod document;
mod doubt;
mod files;
mod includes;
pub mod judge;
mod local;
pub mod mend;
mod network;
mod outcome;
pub mod pace;
mod redacted;
pub mod reference;
mod site;
mod sites;
mod suggestion;

pub use anchors::AnchorNames;
pub use anchors::text::PageText;
pub use cache::{Cache, CachedReply};
pub use checker::{CacheUse, Checker, Crawl, CrawlLimits, Receiver, RunEnd, Settings, UnreadPages};
pub use document::{
    DocumentName, LinkTarget, OutcomeCounts, Page, PageLink, ReadPage, SiteTarget, fragment_of,
};
pub use files::{FileId, FileKind, Files};
pub use judge::FetchedPage;
pub use local::FileChecker;
pub use network::github::API as GITHUB_API;
pub use network::request::{OwnLogin, ReplyFuture, Request, Transport};
pub use network::robots::Robots;
pub use network::{Network, OwnHeader};
pub use outcome::{Code, Hop, Outcome, Verdict};
pub use reference::origin_of;
pub use site::{LinkRules, Site, UrlFilter, UrlId, UrlUse, Urls, WantedUrl};
pub use sites::{BuiltSite, FoundSite, GivenSite, UnreadForm, site_generators};
