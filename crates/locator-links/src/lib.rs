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

pub use anchors::Names;
pub use anchors::text::PageText;
pub use cache::Cache;
pub use checker::{Checker, Crawl, End, Limits, Receiver, Settings, Unread};
pub use document::{Counts, FoundLink, Named, Page, ReadPage, Target, fragment_of};
pub use files::{FileId, Files, Kind};
pub use judge::FetchedPage;
pub use local::Settler;
pub use network::github::API as GITHUB_API;
pub use network::request::{Ask, OwnLogin, Replying, Request};
pub use network::robots::Robots;
pub use network::{Network, OwnHeader};
pub use outcome::{Code, Hop, Outcome, Verdict};
pub use reference::origin_of;
pub use site::{Filter, Rules, Site, UrlId, Urls, Use, Wanted};
