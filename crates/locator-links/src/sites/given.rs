//! What the user says of sites ([`GivenSite`], [`BuiltSite`]), and what was found ([`FoundSite`]): which generator makes
//! pages of which directory.

use std::path::PathBuf;

/// A site that the user names: the generator and the directory of its configuration, as in `--site hugo=docs`.
///
/// ```
/// use locator_links::{GivenSite, LinkRules};
///
/// let docs = GivenSite { generator: "hugo".to_owned(), directory: "/work/docs".into() };
/// let rules = LinkRules { sites: vec![docs], ..LinkRules::default() };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenSite {
    /// The name of the generator, in lower case: `hugo`.
    pub generator: String,
    /// The directory with the configuration of the site, as an absolute path.
    pub directory: PathBuf,
}

/// A site that was built: its pages, and the ids in them, are known exactly.
///
/// ```
/// use locator_links::{BuiltSite, LinkRules};
///
/// let docs = BuiltSite { directory: "/work/docs".into(), output: "/work/docs/public".into() };
/// let rules = LinkRules { built: vec![docs], ..LinkRules::default() };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltSite {
    /// The directory with the sources of the site, as an absolute path.
    pub directory: PathBuf,
    /// The directory that the generator wrote, as an absolute path.
    pub output: PathBuf,
}

/// A site that was found, for the summary of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSite {
    /// The name of the generator for people: `Hugo`.
    pub generator: String,
    /// The directory with the configuration of the site.
    pub directory: PathBuf,
    /// How many pages the site has.
    pub pages: usize,
    /// Why something that is not read may add pages to all of it, if that is so.
    pub open: Option<String>,
}

/// Links of a site that are all written in one form, of which most lead to nothing, so that the form is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadForm {
    /// One of them, as it is written.
    pub example: String,
    /// How many there are.
    pub links: u64,
}
