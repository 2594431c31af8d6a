//! The entry point of the search: [`Finder`] reads a [`Document`] from a stream and reports its
//! links and anchors to a [`Sink`].

use std::io::{self, Read, Seek};

use locator::text;

use crate::document::Document;
use crate::format;
use crate::link::Sink;
use crate::options::{Extent, Options};
use crate::spec::{Query, ReadSeek};

/// A configured search for links in documents of any format.
#[derive(Clone, Debug, Default)]
pub struct Finder {
    options: Options,
}

impl Finder {
    /// Returns a finder that searches running text with [`text::Preset::Default`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the finder for running text.
    #[must_use]
    pub fn text(mut self, text: text::Finder) -> Self {
        self.options.text = text;
        self
    }

    /// Sets whether JSON-LD is searched: HTML scripts of the type `application/ld+json`. The
    /// default is `false`.
    #[must_use]
    pub fn json_ld(mut self, json_ld: bool) -> Self {
        self.options.json_ld = json_ld;
        self
    }

    /// Sets whether HTML, XML and style sheets are searched for URLs everywhere, not only where
    /// they have links.
    ///
    /// This includes text, comments, scripts and all other attributes; character references are
    /// decoded. A tag ends a text. The default is `false`.
    #[must_use]
    pub fn all(mut self, all: bool) -> Self {
        self.options.extent = if all { Extent::All } else { Extent::Links };
        self
    }

    /// Sets whether the base that a document declares is determined. The default is `true`.
    ///
    /// Without it the search is faster, but [`Link::base`](crate::Link::base) and
    /// [`Link::resolved`](crate::Link::resolved) ignore declared bases.
    #[must_use]
    pub fn bases(mut self, bases: bool) -> Self {
        self.options.bases = bases;
        self
    }

    /// Finds the links of a document.
    ///
    /// A `base` element of HTML also applies to the links before it. In a stream it is recognised
    /// within the first mebibyte only; [`Finder::find_seekable`] has no such limit.
    ///
    /// # Errors
    ///
    /// Returns the errors of `source`.
    pub fn find(&self, document: &Document, source: &mut dyn Read, sink: &mut dyn Sink) -> io::Result<()> {
        (document.format().spec().find)(&self.query(), document.input(source, sink))
    }

    /// Finds the links of a document that can be read twice, such as a file.
    ///
    /// # Errors
    ///
    /// Returns the errors of `source`.
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

    /// Returns the query that is passed to each format.
    pub(crate) fn query(&self) -> Query<'_> {
        Query::new(&self.options, &format::SPECS)
    }
}
