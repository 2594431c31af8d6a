//! The front of the search: a document and its octets enter, its links leave.

use std::io::{self, Read};

use locator::text;

use crate::document::Document;
use crate::link::Sink;

/// What is looked for in documents, of whatever format.
#[derive(Clone, Debug, Default)]
pub struct Finder {
    pub(crate) text: text::Finder,
}

impl Finder {
    /// Looks for what [`text::Preset::Default`] says, where a document is or has running text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Looks in running text for what this finder says.
    #[must_use]
    pub fn text(mut self, text: text::Finder) -> Self {
        self.text = text;
        self
    }

    /// Finds the links of a document.
    ///
    /// # Errors
    ///
    /// The source's.
    pub fn find(&self, document: &Document, source: &mut dyn Read, sink: &mut dyn Sink) -> io::Result<()> {
        crate::text::find(self, document, source, sink)
    }
}
