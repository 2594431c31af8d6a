//! The entry point: [`Finder`] reads a [`Document`] from a stream and reports its links and anchors to a
//! [`Sink`].
//!
//! A [`Document`] says what is known before the search: the format, the URL it was retrieved from and
//! the edition that resolves its references (RFC 3986, 5.1).
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use locator_find::{Document, Finder, Format, Link};
//!
//! let mut found = Vec::new();
//! let mut sink = |link: &Link<'_>| {
//!     found.push(link.url().to_owned());
//!     ControlFlow::Continue(())
//! };
//! let document = Document::new(Format::Markdown);
//! Finder::new().find(&document, &mut &b"[a](b.md) <https://h.de/>"[..], &mut sink)?;
//! assert_eq!(found, ["b.md", "https://h.de/"]);
//! # Ok::<_, std::io::Error>(())
//! ```

use std::borrow::Cow;
use std::io::{self, Read, Seek};
use std::ops::ControlFlow;

use locator::{BaseStack, Edition, ResolveError, edition, text};

use crate::decode::Location;
use crate::formats::{self, Format};
use crate::heading_ids::HeadingIds;
use crate::link::{Anchor, Label, Link, PassedOver, Sink};
use crate::search::input::Input;
use crate::search::{Extent, Options, Query, ReadSeek};

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
/// let text = text::Finder::new().preset(text::Preset::Relaxed);
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

    /// Sets whether links of HTML and Markdown have their text ([`Link::text`](crate::Link::text)). The default is
    /// `false`.
    ///
    /// A page that arrives slowly is then read up to the end of a link before the link is found.
    ///
    /// ```
    /// use locator_find::{Document, Finder, Format, Link};
    /// use std::ops::ControlFlow;
    ///
    /// let page = b"<a href='https://evil.example/'>https://www.<b>bank</b>.example/</a>";
    /// let mut texts = Vec::new();
    /// let document = Document::new(Format::Html);
    /// Finder::new().link_texts(true).find(&document, &mut &page[..], &mut |link: &Link<'_>| {
    ///     texts.extend(link.text().map(str::to_owned));
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(texts, ["https://www.bank.example/"]);
    /// # Ok::<_, std::io::Error>(())
    /// ```
    #[must_use]
    pub fn link_texts(mut self, link_texts: bool) -> Self {
        self.options.link_texts = link_texts;
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

    fn cross_reference(&mut self, reference: &Link<'_>) -> ControlFlow<()> {
        self.0.cross_reference(reference)
    }

    fn label(&mut self, label: &Label<'_>) {
        self.0.label(label);
    }

    fn malformed(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        self.0.malformed(Self::refanged(link).as_ref().unwrap_or(link))
    }

    fn passed_over(&mut self, place: &Location, why: PassedOver) {
        self.0.passed_over(place, why);
    }
}

/// The format of a document and the context that determines its base.
///
/// The URL that the document was retrieved from is the base of its links, unless the document declares
/// another one.
///
/// ```
/// use locator_find::{Document, Format};
/// use std::path::Path;
///
/// let path = Path::new("site/index.html");
/// let format = Format::of_path(path).unwrap_or(Format::Text);
/// let document =
///     Document::new(format).retrieved_by("https://h.example/index.html");
/// assert_eq!(document.format(), Format::Html);
/// assert_eq!(document.retrieved(), Some("https://h.example/index.html"));
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    format: Format,
    retrieved: Option<String>,
    content_base: Option<String>,
    content_location: Option<String>,
    within: Option<BaseStack>,
    edition: &'static Edition,
    separator: Option<u8>,
    heading_ids: HeadingIds,
}

impl Document {
    /// Creates a document with this format and the default settings.
    pub const fn new(format: Format) -> Self {
        Self {
            format,
            retrieved: None,
            content_base: None,
            content_location: None,
            within: None,
            edition: edition::DEFAULT,
            separator: None,
            heading_ids: HeadingIds::GitHub,
        }
    }

    /// Sets the edition that resolves the references of the document. The default is RFC 3986.
    ///
    /// # Errors
    ///
    /// Returns [`ResolveError::NotDefined`] if the edition does not define how a reference is
    /// resolved.
    pub fn resolved_by(mut self, edition: &'static Edition) -> Result<Self, ResolveError> {
        BaseStack::new_with(edition)?;
        self.edition = edition;
        Ok(self)
    }

    /// Sets the URL the document was retrieved from (RFC 3986, section 5.1.3).
    ///
    /// Without it, a relative link of a document that declares no base cannot be resolved.
    #[must_use]
    pub fn retrieved_by(mut self, url: &str) -> Self {
        self.retrieved = Some(url.into());
        self
    }

    /// Sets the headers Content-Base and Content-Location with which the document was sent (RFC 3986,
    /// section 5.1.2). They are within the URL that it was retrieved from, and around the base that it
    /// declares.
    ///
    /// ```
    /// use locator_find::{Document, Finder, Format, Link};
    /// use std::ops::ControlFlow;
    ///
    /// let document = Document::new(Format::Html)
    ///     .retrieved_by("http://h.example/a")
    ///     .headers(None, Some("/en/a.html"));
    /// Finder::new().find(&document, &mut &b"<a href=b>"[..], &mut |link: &Link<'_>| {
    ///     assert_eq!(link.resolved().unwrap().uri().unwrap(), "http://h.example/en/b");
    ///     ControlFlow::Continue(())
    /// })?;
    /// # Ok::<_, std::io::Error>(())
    /// ```
    #[must_use]
    pub fn headers(mut self, content_base: Option<&str>, content_location: Option<&str>) -> Self {
        self.content_base = content_base.map(Into::into);
        self.content_location = content_location.map(Into::into);
        self
    }

    /// Sets the candidates for the base that are around the document (RFC 3986, section 5.1): the URL that it
    /// was retrieved from and the headers that it was sent with, as whatever fetched it knows them. They
    /// replace [`retrieved_by`](Self::retrieved_by), [`headers`](Self::headers) and the edition of
    /// [`resolved_by`](Self::resolved_by). The base that the document declares is within them.
    ///
    /// ```
    /// use locator::BaseStack;
    /// use locator_find::{Document, Finder, Format, Link};
    /// use std::ops::ControlFlow;
    ///
    /// let mut bases = BaseStack::new();
    /// bases.retrieved_by("http://h.example/a").entity(None, Some("/en/a.html"));
    /// let document = Document::new(Format::Html).within(bases);
    /// Finder::new().find(&document, &mut &b"<a href=b>"[..], &mut |link: &Link<'_>| {
    ///     assert_eq!(link.resolved().unwrap().uri().unwrap(), "http://h.example/en/b");
    ///     ControlFlow::Continue(())
    /// })?;
    /// # Ok::<_, std::io::Error>(())
    /// ```
    #[must_use]
    pub fn within(mut self, bases: BaseStack) -> Self {
        self.within = Some(bases);
        self
    }

    /// Sets the byte that separates the cells of a table ([`Format::Csv`], [`Format::Tsv`]).
    ///
    /// ```
    /// use locator_find::{Document, Finder, Format, Link};
    /// use std::ops::ControlFlow;
    ///
    /// let table = b"name|url\nhome|http://h.example/\n";
    /// let document = Document::new(Format::Csv).separated_by(b'|');
    /// let mut found = Vec::new();
    /// Finder::new().find(&document, &mut &table[..], &mut |link: &Link<'_>| {
    ///     found.push(link.url().to_owned());
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(found, ["http://h.example/"]);
    /// # Ok::<_, std::io::Error>(())
    /// ```
    #[must_use]
    pub const fn separated_by(mut self, separator: u8) -> Self {
        self.separator = Some(separator);
        self
    }

    /// Sets the rule by which the headings of Markdown have ids. The default is GitHub's.
    ///
    /// ```
    /// use locator_find::{Anchor, Document, Finder, Format, HeadingIds, Link, Sink};
    /// use std::ops::ControlFlow;
    ///
    /// struct Names(Vec<String>);
    ///
    /// impl Sink for Names {
    ///     fn link(&mut self, _: &Link<'_>) -> ControlFlow<()> {
    ///         ControlFlow::Continue(())
    ///     }
    ///     fn anchor(&mut self, anchor: &Anchor<'_>) {
    ///         self.0.push(anchor.name.to_string());
    ///     }
    /// }
    ///
    /// let document = Document::new(Format::Markdown).heading_ids(HeadingIds::MkDocs);
    /// let mut names = Names(Vec::new());
    /// Finder::new().find(&document, &mut "# Caf\u{E9} -- bar".as_bytes(), &mut names)?;
    /// assert_eq!(names.0, ["cafe-bar"]);
    /// # Ok::<_, std::io::Error>(())
    /// ```
    #[must_use]
    pub const fn heading_ids(mut self, rule: HeadingIds) -> Self {
        self.heading_ids = rule;
        self
    }

    /// Returns the format of the document.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Returns the URL the document was retrieved from.
    pub fn retrieved(&self) -> Option<&str> {
        self.retrieved.as_deref()
    }

    /// Returns the base candidates that are known before the document is read.
    pub(crate) fn bases(&self) -> BaseStack {
        if let Some(bases) = &self.within {
            return bases.clone();
        }
        // INVARIANT: `resolved_by` accepts only editions that define how a reference is resolved.
        let mut bases = BaseStack::new_with(self.edition).unwrap_or_else(|error| unreachable!("{error}"));
        if let Some(url) = &self.retrieved {
            bases.retrieved_by(url);
        }
        bases.entity(self.content_base.as_deref(), self.content_location.as_deref());
        bases
    }

    /// Returns the input of a format: this document with its source and its sink.
    fn input<'a, S: ?Sized>(&self, source: &'a mut S, sink: &'a mut dyn Sink) -> Input<'a, S> {
        let (separator, heading_ids) = (self.separator, self.heading_ids);
        Input { source, bases: self.bases(), separator, heading_ids, sink }
    }
}
