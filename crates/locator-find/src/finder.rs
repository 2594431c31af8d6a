//! The front of the search: a document and its octets enter, its links leave.

use std::io::{self, Read, Seek};

use locator::text;

use crate::document::Document;
use crate::format;
use crate::link::Sink;
use crate::options::{Extent, Options};
use crate::spec::{Query, ReadSeek};

/// What is looked for in documents, of whatever format.
#[derive(Clone, Debug, Default)]
pub struct Finder {
    options: Options,
}

impl Finder {
    /// Looks for what [`text::Preset::Default`] says, where a document is or has running text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Looks in running text for what this finder says.
    #[must_use]
    pub fn text(mut self, text: text::Finder) -> Self {
        self.options.text = text;
        self
    }

    /// Finds links in JSON-LD, too: in the scripts of HTML that are `application/ld+json`. Without being asked it does not.
    #[must_use]
    pub fn json_ld(mut self, json_ld: bool) -> Self {
        self.options.json_ld = json_ld;
        self
    }

    /// Finds URLs in all of HTML, XML and style sheets, too, not only where a link is: in text, comments, scripts, and attributes that are none, with their references
    /// decoded. A tag ends a text.
    #[must_use]
    pub fn all(mut self, all: bool) -> Self {
        self.options.extent = if all { Extent::All } else { Extent::Links };
        self
    }

    /// Looks for what documents say of their base, as it does without being asked. Who does not need
    /// [`Link::base`](crate::Link::base) and what comes of it saves time without it.
    #[must_use]
    pub fn bases(mut self, bases: bool) -> Self {
        self.options.bases = bases;
        self
    }

    /// Finds the links of a document.
    ///
    /// A `base` of HTML holds for the links before it, too. In a source that can be read but once it must stand in the first
    /// mebibyte, else it comes too late: [`Finder::find_seekable`].
    ///
    /// # Errors
    ///
    /// The source's.
    pub fn find(&self, document: &Document, source: &mut dyn Read, sink: &mut dyn Sink) -> io::Result<()> {
        (document.format().spec().find)(&self.query(), document.input(source, sink))
    }

    /// Finds the links of a document that can be read twice, such as a file.
    ///
    /// # Errors
    ///
    /// The source's.
    pub fn find_seekable(
        &self,
        document: &Document,
        source: &mut (impl Read + Seek),
        sink: &mut dyn Sink,
    ) -> io::Result<()> {
        match document.format().spec().find_seekable {
            Some(find) => find(&self.query(), document.input(source as &mut dyn ReadSeek, sink)),
            None => self.find(document, source, sink),
        }
    }

    /// What each format is given of it.
    pub(crate) fn query(&self) -> Query<'_> {
        Query::new(&self.options, &format::SPECS)
    }
}
