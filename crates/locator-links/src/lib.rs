//! Checks the links of documents: whether the files, headings and pages that they lead to are there.
//!
//! A link is [`Broken`](Outcome::Broken) only if it is certainly dead. What a server, a network or a script
//! may still mean is [`Unknown`](Outcome::Unknown).

pub mod anchors;
mod documents;
pub mod eligible;
mod fragments;
mod local;
mod near;
mod outcome;
mod page;
mod settle;
mod site;
mod urls;

pub use documents::{Named, ReadPage};
pub use fragments::Names;
pub use local::{FileId, Files, Kind};
pub use outcome::{Code, Hop, Outcome, Verdict};
pub use page::{Counts, FoundLink, Page, Target, fragment_of};
pub use settle::Settler;
pub use site::{Filter, Rules, Site};
pub use urls::{UrlId, Urls, Wanted};
