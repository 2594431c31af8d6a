//! The front of the search: a document and its octets enter, its links leave.

use std::io::{self, Read, Seek};

use locator::text;

use crate::csv::Csv;
use crate::document::Document;
use crate::folded::Folded;
use crate::format::Format;
use crate::json::Json;
use crate::link::Sink;
use crate::outlet::{find_in_pieces, find_whole};
use crate::roff::Roff;
use crate::{css, html, mail, markdown, mbox, stream, tex, xml};

/// What is looked for in documents, of whatever format.
#[derive(Clone, Debug)]
pub struct Finder {
    pub(crate) text: text::Finder,
    pub(crate) json_ld: bool,
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

impl Default for Finder {
    fn default() -> Self {
        Self { text: text::Finder::default(), json_ld: false, bases: true, extent: Extent::Links }
    }
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

    /// Finds links in JSON-LD, too: in the scripts of HTML that are `application/ld+json`. Without being asked it does not.
    #[must_use]
    pub fn json_ld(mut self, json_ld: bool) -> Self {
        self.json_ld = json_ld;
        self
    }

    /// Finds URLs in all of HTML, XML and style sheets, too, not only where a link is: in text, comments, scripts, and attributes that are none, with their references
    /// decoded. A tag ends a text.
    #[must_use]
    pub fn all(mut self, all: bool) -> Self {
        self.extent = if all { Extent::All } else { Extent::Links };
        self
    }

    /// The same finder for a page that is a letter: its text is searched, too.
    pub(crate) fn of_letter(&self) -> Self {
        Self { extent: self.extent.max(Extent::Text), ..self.clone() }
    }

    /// Looks for what documents say of their base, as it does without being asked. Who does not need
    /// [`Link::base`](crate::Link::base) and what comes of it saves time without it.
    #[must_use]
    pub fn bases(mut self, bases: bool) -> Self {
        self.bases = bases;
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
        match document.format() {
            Format::Html => html::find(self, document, source, sink),
            Format::Css => css::find(self, document, source, sink),
            Format::Markdown => markdown::find(self, document, source, sink),
            Format::Mail => {
                find_whole(document, source, sink, |octets, outlet| mail::find_in(self, octets, outlet))
            }
            Format::Mbox => mbox::find(self, document, source, sink),
            Format::Tex => {
                let pieces = (tex::PIECE, tex::end_of_piece);
                find_in_pieces(document, source, sink, pieces, |octets, outlet| {
                    tex::find_in(self, octets, outlet)
                })
            }
            Format::Xml => xml::find(self, document, source, sink),
            Format::Roff => stream::find(self, document, Roff::new(), source, sink),
            Format::Csv | Format::Tsv => {
                stream::find(self, document, Csv::new(document.separator()), source, sink)
            }
            Format::Json => stream::find(self, document, Json::default(), source, sink),
            Format::ICalendar | Format::VCard => stream::find(self, document, Folded::card(), source, sink),
            Format::Ldif => stream::find(self, document, Folded::ldif(), source, sink),
            Format::Text => crate::text::find(self, document, source, sink),
        }
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
        match document.format() {
            Format::Html => html::find_seekable(self, document, source, sink),
            _ => self.find(document, source, sink),
        }
    }
}
