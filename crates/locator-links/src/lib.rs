//! Checks the links of documents: whether the files, headings and pages that they lead to are there.
//!
//! A link is [`Broken`](Outcome::Broken) only if it is certainly dead. What a server, a network or a script
//! may still mean is [`Unknown`](Outcome::Unknown).

#![forbid(unsafe_code)]

pub mod anchors;
mod answer;
mod archives;
mod asking;
mod cache;
mod checker;
mod directives;
mod documents;
mod doubt;
pub mod eligible;
mod forge;
mod fragments;
mod generator;
mod github;
pub mod judge;
mod local;
mod logins;
mod mailto;
mod memory;
pub mod mend;
mod named;
mod near;
mod neighbours;
mod network;
mod outcome;
mod page;
pub mod patience;
mod repair;
pub mod reply;
mod robots;
mod settle;
mod site;
mod sources;
mod spelling;
mod text_fragment;
mod urls;
mod working_tree;

pub use asking::{Ask, Replying, Request, origin_of};
pub use cache::Cache;
pub use checker::{Checker, Crawl, End, Limits, Receiver, Settings, Unread};
pub use documents::{Named, ReadPage};
pub use fragments::Names;
pub use github::API as GITHUB_API;
pub use local::{FileId, Files, Kind};
pub use logins::OwnLogin;
pub use network::{Network, OwnHeader};
pub use outcome::{Code, Hop, Outcome, Verdict};
pub use page::{Counts, FoundLink, Page, Target, fragment_of};
pub use reply::FetchedPage;
pub use robots::Robots;
pub use settle::Settler;
pub use site::{Filter, Rules, Site};
pub use text_fragment::PageText;
pub use urls::{UrlId, Urls, Use, Wanted};
