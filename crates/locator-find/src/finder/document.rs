//! The description of a document before it is read: its format, the URL it was retrieved from and
//! the edition that resolves its references (RFC 3986, 5.1).

use locator::edition;
use locator::{BaseStack, Edition, ResolveError};

use crate::formats::Format;
use crate::heading_ids::HeadingIds;
use crate::link::Sink;
use crate::search::input::Input;

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
    pub(crate) fn input<'a, S: ?Sized>(&self, source: &'a mut S, sink: &'a mut dyn Sink) -> Input<'a, S> {
        let (separator, heading_ids) = (self.separator, self.heading_ids);
        Input { source, bases: self.bases(), separator, heading_ids, sink }
    }
}
