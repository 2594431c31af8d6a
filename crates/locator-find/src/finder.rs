//! The entry point of the search: [`Finder`] reads a [`Document`] from a stream and reports its
//! links and anchors to a [`Sink`].

pub(crate) mod document;

use std::borrow::Cow;
use std::io::{self, Read, Seek};
use std::ops::ControlFlow;

use locator::text;

use crate::finder::document::Document;
use crate::formats;
use crate::link::{Anchor, Link, Location, PassedOver, Sink};
use crate::search::options::{Extent, Options};
use crate::search::{Query, ReadSeek};

/// A finder of links in documents of any format.
///
/// A finder has no state: use one for all documents, also from several threads.
///
/// ```
/// use locator::text;
/// use locator_find::{Document, Finder, Format, Link};
/// use std::ops::ControlFlow;
///
/// // Also text without a scheme, as in messages.
/// let text = text::Finder::new(text::Preset::Relaxed);
/// let finder = Finder::new().text(text);
///
/// let mut found = Vec::new();
/// let message = b"From: jan@h.example\n\nsee www.example.com/a\n";
/// let document = Document::new(Format::Mail);
/// finder.find(&document, &mut &message[..], &mut |link: &Link<'_>| {
///     found.push(link.url().to_owned());
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(found.last().unwrap(), "http://www.example.com/a");
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Finder {
    options: Options,
}

impl Finder {
    /// Creates a finder that searches running text with [`text::Preset::Default`].
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
    ///
    /// ```
    /// use locator_find::{Document, Finder, Format, Link};
    /// use std::ops::ControlFlow;
    ///
    /// let page = br#"<script type="application/ld+json">
    ///     { "@id": "http://h.example/" }</script>"#;
    /// let document = Document::new(Format::Html);
    /// let finder = Finder::new().json_ld(true);
    /// let mut found = Vec::new();
    /// finder.find(&document, &mut &page[..], &mut |link: &Link<'_>| {
    ///     found.push(link.url().to_owned());
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(found, ["http://h.example/"]);
    /// # Ok::<_, std::io::Error>(())
    /// ```
    #[must_use]
    pub fn json_ld(mut self, json_ld: bool) -> Self {
        self.options.json_ld = json_ld;
        self
    }

    /// Sets whether HTML, XML and style sheets are searched everywhere, not only where they have
    /// links.
    ///
    /// This includes text, comments, scripts and all other attributes; character references are
    /// decoded. A tag ends a text. The default is `false`.
    ///
    /// ```
    /// use locator_find::{Document, Finder, Format, Link};
    /// use std::ops::ControlFlow;
    ///
    /// let page = b"<p title='http://h.example/a'>http://h.example/b</p>";
    /// let count = |finder: Finder| {
    ///     let mut count = 0;
    ///     let document = Document::new(Format::Html);
    ///     finder.find(&document, &mut &page[..], &mut |_: &Link<'_>| {
    ///         count += 1;
    ///         ControlFlow::Continue(())
    ///     })?;
    ///     Ok::<_, std::io::Error>(count)
    /// };
    /// assert_eq!(count(Finder::new())?, 0);
    /// assert_eq!(count(Finder::new().all(true))?, 2);
    /// # Ok::<_, std::io::Error>(())
    /// ```
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
        let find = document.format().spec().find;
        match self.options.text.is_refanging() {
            true => find(&self.query(), document.input(source, &mut Refanged(sink))),
            false => find(&self.query(), document.input(source, sink)),
        }
    }

    /// Finds the links of a document that can be read twice, such as a file.
    ///
    /// ```
    /// use locator_find::{Document, Finder, Format, Link};
    /// use std::io::Cursor;
    /// use std::ops::ControlFlow;
    ///
    /// // The base is after the link, and applies to it.
    /// let page = b"<a href=b></a><base href='http://h.example/a/'>";
    /// let document = Document::new(Format::Html);
    /// let mut found = Vec::new();
    /// Finder::new().find_seekable(
    ///     &document,
    ///     &mut Cursor::new(page),
    ///     &mut |link: &Link<'_>| {
    ///         let resolved = link.resolved().unwrap();
    ///         found.push(resolved.uri().unwrap().to_string());
    ///         ControlFlow::Continue(())
    ///     },
    /// )?;
    /// assert_eq!(found, ["http://h.example/a/b", "http://h.example/a/"]);
    /// # Ok::<_, std::io::Error>(())
    /// ```
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
            Some(find) if self.options.text.is_refanging() => {
                let sink = &mut Refanged(sink);
                find(&self.query(), document.input(source as &mut dyn ReadSeek, sink))
            }
            Some(find) => find(&self.query(), document.input(source as &mut dyn ReadSeek, sink)),
            None => self.find(document, source, sink),
        }
    }

    /// Returns the query that is passed to each format.
    pub(crate) fn query(&self) -> Query<'_> {
        Query::new(&self.options, &formats::SPECS)
    }
}

/// A sink that receives defanged links as the URLs that they mean, from wherever a format has links:
/// `<a href="hxxp://evil[.]example/">`. Those of running text arrive so.
struct Refanged<'a>(&'a mut dyn Sink);

impl Refanged<'_> {
    fn refanged<'l>(link: &'l Link<'l>) -> Option<Link<'l>> {
        let Cow::Owned(url) = text::refang(link.url()) else { return None };
        Some(Link { url: Cow::Owned(url), other: None, ..link.clone() })
    }
}

impl Sink for Refanged<'_> {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        self.0.link(Self::refanged(link).as_ref().unwrap_or(link))
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        self.0.anchor(anchor);
    }

    fn malformed(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        self.0.malformed(Self::refanged(link).as_ref().unwrap_or(link))
    }

    fn passed_over(&mut self, place: &Location, why: PassedOver) {
        self.0.passed_over(place, why);
    }
}
