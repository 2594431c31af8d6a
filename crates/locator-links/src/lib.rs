//! Checks the links of documents: whether the files, headings and pages that they lead to are there.
//!
//! A link is [`Broken`](Outcome::Broken) only if it is certainly dead. What a server, a network or a script
//! may still mean is [`Unknown`](Outcome::Unknown).

#![forbid(unsafe_code)]

pub mod anchors;
mod cache;
mod checker;
mod document;
mod files;
pub mod judge;
mod local;
pub mod mend;
mod network;
mod outcome;
pub mod pace;
pub mod reference;
mod site;
mod suggestion;

pub use anchors::AnchorNames;
pub use anchors::text::PageText;
pub use cache::{Cache, CachedReply};
pub use checker::{CacheUse, Checker, Crawl, CrawlLimits, Receiver, RunEnd, Settings, UnreadPages};
pub use document::{DocumentName, FoundLink, LinkTarget, OutcomeCounts, Page, ReadPage, fragment_of};
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
