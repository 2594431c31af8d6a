//! What is looked for in documents, of whatever format.

use locator::text;

/// What a caller asks for.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// What is a URL in running text.
    pub(crate) text: text::Finder,
    /// Whether links in JSON-LD are found.
    pub(crate) json_ld: bool,
    /// Whether the base that a document declares is looked for.
    pub(crate) bases: bool,
    pub(crate) extent: Extent,
}

/// How much of a page or the like is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Extent {
    /// What is a link in it.
    #[default]
    Links,
    /// Its text, too.
    Text,
    /// And comments, scripts and attributes of all kinds.
    All,
}

impl Default for Options {
    fn default() -> Self {
        Self { text: text::Finder::default(), json_ld: false, bases: true, extent: Extent::Links }
    }
}
