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
mod reference;
mod site;

pub use anchors::names::Names;
pub use anchors::text::PageText;
pub use cache::Cache;
pub use checker::{Checker, Crawl, End, Limits, Receiver, Settings, Unread};
pub use document::page::{Counts, FoundLink, Page, Target, fragment_of};
pub use document::{Named, ReadPage};
pub use files::{FileId, Files, Kind};
pub use judge::reply::{self, FetchedPage};
pub use local::Settler;
pub use network::asking::{Ask, Replying, Request, origin_of};
pub use network::github::API as GITHUB_API;
pub use network::logins::OwnLogin;
pub use network::robots::Robots;
pub use network::{Network, OwnHeader};
pub use outcome::{Code, Hop, Outcome, Verdict};
pub use reference::eligible;
pub use site::urls::{UrlId, Urls, Use, Wanted};
pub use site::{Filter, Rules, Site};
