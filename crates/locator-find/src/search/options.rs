//! The options of a search in documents of any format, and its memory limits, which do not depend on
//! the length of the document.

use locator::text;

/// The options that a caller sets.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// The finder for URLs in running text.
    pub(crate) text: text::Finder,
    /// Whether links in JSON-LD are found.
    pub(crate) json_ld: bool,
    /// Whether the base that a document declares is determined.
    pub(crate) bases: bool,
    pub(crate) extent: Extent,
}

/// Which parts of a page or the like are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Extent {
    /// Only its links.
    #[default]
    Links,
    /// Its text, too.
    Text,
    /// Its text, comments, scripts and all attributes.
    All,
}

impl Default for Options {
    fn default() -> Self {
        Self { text: text::Finder::default(), json_ld: false, bases: true, extent: Extent::Links }
    }
}

/// The maximum length of a tag, a style sheet in a page or the like. Longer ones are not searched.
pub(crate) const LONGEST: usize = 16 << 20;

/// The maximum length of a document that is searched as a whole.
pub(crate) const WHOLE: u64 = 48 << 20;
