//! The results of a search: a [`Link`] and what its document says of it, an [`Anchor`] that fragments
//! may refer to, and [`PassedOver`], the report of a stretch that is not searched. A [`Sink`] receives
//! them.
//!
//! [`Context`] is the syntax that contains a link; [`Link::rel`], [`Link::method`] and
//! [`Link::is_refresh`] say what it is for (HTML standard, 4.6 and 4.10), [`Cut`] why it may be only a
//! part of a URL. A link is resolved by the base candidates of its document (RFC 3986, 5.1).
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use locator::Resolved;
//! use locator_find::{Document, Finder, Format, Link};
//!
//! // The absolute URLs of a page, without those that only speed up its loading.
//! let document = Document::new(Format::Html).retrieved_by("http://h.example/a/");
//! let mut urls = Vec::new();
//! let mut sink = |link: &Link<'_>| {
//!     if link.rel() != Some("preconnect")
//!         && let Ok(Resolved::Uri(url)) = link.resolve(link.url())
//!     {
//!         urls.push(url.to_string());
//!     }
//!     ControlFlow::Continue(())
//! };
//! let page = b"<link rel=preconnect href=//c.example><a href=b>";
//! Finder::new().find(&document, &mut &page[..], &mut sink)?;
//! assert_eq!(urls, ["http://h.example/a/b"]);
//! # Ok::<_, std::io::Error>(())
//! ```

pub(crate) mod cut;
pub(crate) mod reference;

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::ops::ControlFlow;

use locator::edition::SameDocument;
use locator::text::MatchKind;
use locator::{BaseCandidate, BaseStack, ParseError, ResolveError, ResolveOptions, Resolved, UriRef};

use crate::decode::Location;
use crate::decode::charset::Charset;

use cut::Cut;
use reference::escaped;

/// A URL or a reference in a document.
///
/// A [`Sink`] receives it. It borrows from the document, so copy what outlives the call. The link is as
/// it is in the document, decoded, but neither checked nor resolved: [`resolved`](Self::resolved) does
/// both.
///
/// ```
/// use locator_find::{Document, Finder, Format, Link};
/// use std::ops::ControlFlow;
///
/// let page = br#"<a href="b?x=1&amp;y=2">"#;
/// let document =
///     Document::new(Format::Html).retrieved_by("http://h.example/a");
/// Finder::new().find(&document, &mut &page[..], &mut |link: &Link<'_>| {
///     assert_eq!(link.written(), b"b?x=1&amp;y=2");
///     assert_eq!(link.url(), "b?x=1&y=2");
///     let resolved = link.resolved().unwrap();
///     assert_eq!(resolved.uri().unwrap(), "http://h.example/b?x=1&y=2");
///     ControlFlow::Continue(())
/// })?;
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Link<'a> {
    pub(crate) written: Cow<'a, [u8]>,
    pub(crate) url: Cow<'a, str>,
    pub(crate) other: Option<Cow<'a, str>>,
    pub(crate) cut: Option<Cut>,
    pub(crate) place: Location,
    pub(crate) part: Option<Location>,
    pub(crate) context: Context<'a>,
    pub(crate) purpose: Purpose<'a>,
    pub(crate) base: &'a BaseStack,
    pub(crate) charset: Charset,
}

/// The syntactic context of a link in its document.
///
/// ```
/// use locator_find::{Context, Document, Finder, Format, Link};
/// use std::ops::ControlFlow;
///
/// // Only the pictures of a page.
/// let page = b"<a href=a><img src=b.png>";
/// let mut pictures = Vec::new();
/// let document = Document::new(Format::Html);
/// Finder::new().find(&document, &mut &page[..], &mut |link: &Link<'_>| {
///     if let Context::Attribute { element: "img", .. } = link.context() {
///         pictures.push(link.url().to_owned());
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(pictures, ["b.png"]);
/// # Ok::<_, std::io::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context<'a> {
    /// Running text, and how the URL was recognised there.
    Text(MatchKind),
    /// The value of an attribute, or a part of it (HTML and XML).
    Attribute {
        /// The name of the element.
        element: &'a str,
        /// The name of the attribute.
        attribute: &'a str,
    },
    /// The content of an element with this name (XML).
    Element(&'a str),
    /// `url(…)` or `@import` in a style sheet.
    Style,
    /// A value of JSON-LD, and the name of its member.
    Json(&'a str),
    /// A link, an image or a definition of Markdown.
    Markdown,
    /// A header field of a message, and its name.
    Field(&'a str),
    /// An argument of a macro, and the name of the macro (roff and AsciiDoc).
    Macro(&'a str),
    /// A hyperlink of reStructuredText or Org: its target, in brackets or in a definition.
    Hyperlink,
    /// An argument or an option of a directive, and the name of the directive (reStructuredText, MyST, keywords of
    /// Org).
    Directive(&'a str),
    /// The text of a role, and the name of the role: `doc`, `py:func` (Sphinx, MyST).
    Role(&'a str),
    /// A line that is a link, or an attribute in one (gemtext and playlists).
    Line,
    /// A picture or a document that a program in a document imports (MDX and Astro).
    Import,
}

impl Context<'_> {
    /// Returns the name of this kind of context in JSON: `attribute`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Attribute { .. } => "attribute",
            Self::Element(_) => "element",
            Self::Style => "style",
            Self::Json(_) => "json",
            Self::Markdown => "markdown",
            Self::Field(_) => "field",
            Self::Macro(_) => "macro",
            Self::Hyperlink => "hyperlink",
            Self::Directive(_) => "directive",
            Self::Role(_) => "role",
            Self::Line => "line",
            Self::Import => "import",
        }
    }
}

/// A name in a document that a fragment may refer to.
///
/// An anchor is the value of `id` in HTML, or a heading of Markdown by the rule of the document
/// ([`HeadingIds`](crate::HeadingIds)). A link `#name` is broken if its document has no such anchor.
///
/// ```
/// use locator_find::{Anchor, Document, Finder, Format, Link, Sink};
/// use std::ops::ControlFlow;
///
/// #[derive(Default)]
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
/// let mut names = Names::default();
/// let document = Document::new(Format::Html);
/// let page = b"<h1 id=top>Title</h1>";
/// Finder::new().find(&document, &mut &page[..], &mut names)?;
/// assert_eq!(names.0, ["top"]);
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor<'a> {
    /// The decoded name.
    pub name: Cow<'a, str>,
    /// The position of the name in the document.
    pub place: Location,
}

/// A name in a document that cross-references refer to, which [`Sink::cross_reference`] receives.
///
/// Programs that make pages of several documents look names up in all of them: `:ref:` of Sphinx finds a target
/// `.. _name:` anywhere.
///
/// ```
/// use locator_find::{Document, Finder, Format, Label, LabelKind, Link, Sink};
/// use std::ops::ControlFlow;
///
/// #[derive(Default)]
/// struct Labels(Vec<(LabelKind, String)>);
///
/// impl Sink for Labels {
///     fn link(&mut self, _: &Link<'_>) -> ControlFlow<()> {
///         ControlFlow::Continue(())
///     }
///     fn label(&mut self, label: &Label<'_>) {
///         self.0.push((label.kind, label.name.to_string()));
///     }
/// }
///
/// let mut labels = Labels::default();
/// let guide = b".. _set-up:\n\nSet up\n======\n";
/// Finder::new().find(&Document::new(Format::Rst), &mut &guide[..], &mut labels)?;
/// assert_eq!(
///     labels.0,
///     [(LabelKind::Target, "set-up".to_owned()), (LabelKind::Title, "Set up".to_owned())]
/// );
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label<'a> {
    /// The name as it is written, without escapes.
    pub name: Cow<'a, str>,
    /// What it is the name of.
    pub kind: LabelKind,
    /// The position of the name in the document.
    pub place: Location,
}

/// What a [`Label`] is the name of.
///
/// ```
/// use locator_find::LabelKind;
///
/// assert_eq!(LabelKind::Term.name(), "term");
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LabelKind {
    /// A place in the document: `.. _name:`, `(name)=`, `:name:` of a directive, `<<name>>` of Org.
    Target,
    /// A URL: `.. _name: https://h.example/`.
    Url,
    /// A heading, by its text.
    Title,
    /// A term of a glossary.
    Term,
    /// An option of a program.
    Option,
    /// A variable of the environment.
    Variable,
    /// A function, a class or another object of a program.
    Object,
}

impl LabelKind {
    /// Returns the name of this kind in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Target => "target",
            Self::Url => "url",
            Self::Title => "title",
            Self::Term => "term",
            Self::Option => "option",
            Self::Variable => "variable",
            Self::Object => "object",
        }
    }
}

/// A receiver of links and anchors.
///
/// Every closure that takes a [`Link`] implements it.
///
/// A closure is enough for links. A type of your own also receives anchors, and learns what was not
/// searched: ignore [`passed_over`](Self::passed_over), and an incomplete search looks like a complete
/// one.
///
/// ```
/// use locator_find::{Document, Finder, Format, Link, Location, PassedOver, Sink};
/// use std::ops::ControlFlow;
///
/// /// Stops at the first link.
/// #[derive(Default)]
/// struct First {
///     url: Option<String>,
///     is_complete: bool,
/// }
///
/// impl Sink for First {
///     fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
///         self.url = Some(link.url().to_owned());
///         ControlFlow::Break(())
///     }
///     fn passed_over(&mut self, _: &Location, _: PassedOver) {
///         self.is_complete = false;
///     }
/// }
///
/// let mut first = First { is_complete: true, ..First::default() };
/// let text = b"http://h.example/a http://h.example/b";
/// let document = Document::new(Format::Text);
/// Finder::new().find(&document, &mut &text[..], &mut first)?;
/// assert_eq!(first.url.as_deref(), Some("http://h.example/a"));
/// assert!(first.is_complete);
/// # Ok::<_, std::io::Error>(())
/// ```
pub trait Sink {
    /// Receives a link; `Break` ends the search.
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()>;

    /// Receives a name that a fragment may refer to.
    fn anchor(&mut self, anchor: &Anchor<'_>) {
        let _ = anchor;
    }

    /// Receives a cross-reference, which is no URL: a name, or a document without its ending, that the program that
    /// makes the pages looks up.
    ///
    /// [`Link::url`] is the name, and [`Link::context`] says how it is written: `:ref:` and `:doc:` of Sphinx are
    /// [`Context::Role`], `xref:` of AsciiDoc is [`Context::Macro`], an entry of a `toctree` is
    /// [`Context::Directive`], `` `name`_ `` is [`Context::Hyperlink`].
    fn cross_reference(&mut self, reference: &Link<'_>) -> ControlFlow<()> {
        let _ = reference;
        ControlFlow::Continue(())
    }

    /// Receives a name that cross-references refer to.
    fn label(&mut self, label: &Label<'_>) {
        let _ = label;
    }

    /// Receives the destination of what was probably meant as a link, but is none.
    ///
    /// In Markdown it contains a space: `[text](my file.md)`. The URLs in its text are links
    /// nevertheless.
    fn malformed(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        let _ = link;
        ControlFlow::Continue(())
    }

    /// Receives the position of a stretch that is not or not fully searched, and the reason.
    ///
    /// Memory is bounded for every document; the links in such a stretch are incomplete.
    fn passed_over(&mut self, place: &Location, why: PassedOver) {
        let _ = (place, why);
    }
}

/// The reason why links of a document are not found: a memory limit is reached.
///
/// The limits protect a program from documents that were made to exhaust its memory. Ordinary documents
/// never reach them. [`Sink::passed_over`] receives the reason, whose `Display` is a sentence:
///
/// ```
/// use locator_find::PassedOver;
///
/// let sentence = PassedOver::TooLong.to_string();
/// assert!(sentence.starts_with("this is longer than 16 MiB"));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PassedOver {
    /// A URL in running text, a tag or a style sheet in a page is longer than 16 MiB.
    TooLong,
    /// A URL in running text that has more than half a million escapes or folded lines.
    TooManyEscapes,
    /// The rest of a text that must be decoded: it is longer than 16 MiB or has more than half a
    /// million escapes.
    Rest,
    /// The rest of a document or message that must be held in memory and is longer than this number
    /// of bytes.
    TooLarge(u64),
    /// A stretch that should be parsed as a whole was divided; a link across the division is found
    /// as two.
    Divided,
    /// A body of a web archive that is compressed, or streams of a PDF.
    Compressed,
    /// The rest of a message that has too many parts.
    TooManyParts,
    /// The rest of a header that has too many fields.
    TooManyFields,
    /// An element that is nested too deeply; its content is searched as text.
    TooDeep,
    /// A base that is too long to be stored; its links are resolved against the enclosing base.
    LongBase,
}

impl Display for PassedOver {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let what = match self {
            Self::TooLong => "this is longer than 16 MiB: its links are not found",
            Self::TooManyEscapes => {
                "this has more than half a million escapes or folded lines: its links are not found"
            }
            Self::Rest => {
                "the rest of this text is not searched: it is longer than 16 MiB, or has too many escapes"
            }
            Self::TooLarge(most) => {
                return write!(
                    f,
                    "the rest is not searched: only {} MiB of this format are read",
                    most >> 20
                );
            }
            Self::Divided => {
                "this is too long to be read as a whole: links across this position may be missing or wrong"
            }
            Self::Compressed => "this is compressed: its links are not found",
            Self::TooManyParts => "the rest of this message is not searched: it has more than 10000 parts",
            Self::TooManyFields => "the rest of this header is not searched: it has more than 100000 fields",
            Self::TooDeep => {
                "this element is in more than 1000 others: its content is searched as plain text"
            }
            Self::LongBase => "this base is longer than 8 KiB: links are resolved against the enclosing base",
        };
        f.write_str(what)
    }
}

impl<F: FnMut(&Link<'_>) -> ControlFlow<()>> Sink for F {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        self(link)
    }
}

impl<'a> Link<'a> {
    /// Returns the bytes of the link as they are written in the document.
    pub fn written(&self) -> &[u8] {
        &self.written
    }

    /// Returns the decoded reference: without white space, character references and transfer
    /// encodings. It may be invalid.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the alternative reading, if a hyphen at the end of a line may or may not be part of
    /// the URL.
    ///
    /// ```
    /// use locator_find::{Document, Finder, Format, Link};
    /// use std::ops::ControlFlow;
    ///
    /// let text = b"<URL:http://h.example/long-\n  name>";
    /// let document = Document::new(Format::Text);
    /// Finder::new().find(&document, &mut &text[..], &mut |link: &Link<'_>| {
    ///     assert_eq!(link.url(), "http://h.example/long-name");
    ///     assert_eq!(link.other(), Some("http://h.example/longname"));
    ///     ControlFlow::Continue(())
    /// })?;
    /// # Ok::<_, std::io::Error>(())
    /// ```
    pub fn other(&self) -> Option<&str> {
        self.other.as_deref()
    }

    /// Returns why the link is only a part of the URL that its author meant, if it is.
    ///
    /// Such a link must not be taken for the URL: the rest of it is in the document, but cannot be
    /// joined with certainty.
    ///
    /// ```
    /// use locator_find::{Cut, Document, Finder, Format, Link};
    /// use std::ops::ControlFlow;
    ///
    /// let text = b"See http://h.example/very-long...";
    /// let document = Document::new(Format::Text);
    /// Finder::new().find(&document, &mut &text[..], &mut |link: &Link<'_>| {
    ///     assert_eq!(link.url(), "http://h.example/very-long");
    ///     assert_eq!(link.cut(), Some(Cut::Ellipsis));
    ///     ControlFlow::Continue(())
    /// })?;
    /// # Ok::<_, std::io::Error>(())
    /// ```
    pub const fn cut(&self) -> Option<Cut> {
        self.cut
    }

    /// Returns the position of the link.
    pub const fn place(&self) -> &Location {
        &self.place
    }

    /// Returns the position of the message part that the link refers to, header and body, if the
    /// message contains that part.
    ///
    /// Such a link is a `cid` or `mid` URL (RFC 2392) or, in a `multipart/related`, a reference
    /// that resolves to the location of another part (RFC 2557, 8.2).
    pub const fn part(&self) -> Option<&Location> {
        self.part.as_ref()
    }

    /// Returns the syntactic context of the link.
    pub const fn context(&self) -> Context<'a> {
        self.context
    }

    /// Returns the relation of the link to its document, `rel`, if its element has one: words that
    /// are separated by white space.
    ///
    /// The elements are `a`, `area` and `link` of HTML, SVG and Atom. Of a `rel` of more than 1024
    /// bytes the first words are returned.
    ///
    /// ```
    /// use locator_find::{Document, Finder, Format, Link};
    /// use std::ops::ControlFlow;
    ///
    /// // A browser opens a connection to the first, and requests nothing.
    /// let page = b"<link href='https://h.example/' rel=preconnect><link rel=icon href=a.png>";
    /// let mut requested = Vec::new();
    /// let document = Document::new(Format::Html);
    /// Finder::new().find(&document, &mut &page[..], &mut |link: &Link<'_>| {
    ///     let has = |rel: &str| {
    ///         let mut rels = link.rel().unwrap_or_default().split_ascii_whitespace();
    ///         rels.any(|one| one.eq_ignore_ascii_case(rel))
    ///     };
    ///     if !has("preconnect") && !has("dns-prefetch") {
    ///         requested.push(link.url().to_owned());
    ///     }
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(requested, ["a.png"]);
    /// # Ok::<_, std::io::Error>(())
    /// ```
    pub const fn rel(&self) -> Option<&'a str> {
        self.purpose.rel
    }

    /// Returns the text of the link that a reader sees, if [`Finder::link_texts`](crate::Finder::link_texts) asks for it:
    /// what is in an `a` of HTML, without tags and without elements that a `style` or `hidden` attribute hides, or between
    /// the brackets of Markdown.
    ///
    /// Of a long text the beginning is returned: that of 16 KiB of HTML, or 4 KiB of Markdown. Text that is drawn from
    /// right to left letter by letter is between U+202E and U+202C.
    pub const fn text(&self) -> Option<&'a str> {
        self.purpose.text
    }

    /// Returns the method of the request, if the link is the URL of a form or of a `ping`; other
    /// links are requested with GET.
    ///
    /// The method of a `formaction` is that of `formmethod` or else of the form around it.
    pub const fn method(&self) -> Option<Method> {
        self.purpose.method
    }

    /// Returns whether the link is a URL in code, such as an example that leads nowhere.
    ///
    /// Code are the code spans and code blocks of Markdown, and in HTML the text of `code`, `pre`,
    /// `samp`, `kbd`, `tt`, `listing`, `xmp` and `script`. Only a URL in running text is code: an
    /// `<a href>` in `<pre>` is a link.
    ///
    /// ```
    /// use locator_find::{Document, Finder, Format, Link};
    /// use std::ops::ControlFlow;
    ///
    /// let text = b"See http://h.example/ and `curl http://localhost/`.";
    /// let mut code = Vec::new();
    /// let document = Document::new(Format::Markdown);
    /// Finder::new().find(&document, &mut &text[..], &mut |link: &Link<'_>| {
    ///     code.push(link.is_code());
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(code, [false, true]);
    /// # Ok::<_, std::io::Error>(())
    /// ```
    pub const fn is_code(&self) -> bool {
        self.purpose.is_code
    }

    /// Returns whether the link is a definition of Markdown that no text of its document uses:
    /// `[name]: url` without `[name]`, which makes no link.
    ///
    /// ```
    /// use locator_find::{Document, Finder, Format, Link};
    /// use std::ops::ControlFlow;
    ///
    /// let text = b"[A][b]\n\n[b]: /b\n[c]: /c\n";
    /// let document = Document::new(Format::Markdown);
    /// let mut unused = Vec::new();
    /// Finder::new().find(&document, &mut &text[..], &mut |link: &Link<'_>| {
    ///     unused.push((link.url().to_owned(), link.is_unused()));
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(unused, [("/b".to_owned(), false), ("/c".to_owned(), true)]);
    /// # Ok::<_, std::io::Error>(())
    /// ```
    pub const fn is_unused(&self) -> bool {
        self.purpose.is_unused
    }

    /// Returns whether the document redirects to the link: it is the URL of `<meta
    /// http-equiv=refresh>` or of the header `Refresh`.
    pub const fn is_refresh(&self) -> bool {
        self.purpose.refresh.is_some()
    }

    /// Returns after how many seconds the document redirects to the link, if it does.
    ///
    /// ```
    /// use locator_find::{Document, Finder, Format, Link};
    /// use std::ops::ControlFlow;
    ///
    /// let page = "<meta http-equiv=refresh content='5; url=b.html'><a href=c.html>";
    /// let mut delays = Vec::new();
    /// Finder::new().find(&Document::new(Format::Html), &mut page.as_bytes(), &mut |link: &Link<'_>| {
    ///     delays.push(link.refresh_delay());
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(delays, [Some(5), None]);
    /// # Ok::<_, std::io::Error>(())
    /// ```
    #[must_use]
    pub const fn refresh_delay(&self) -> Option<u32> {
        self.purpose.refresh
    }

    /// Returns every candidate for the base of the link: the chosen one, and why the others are not
    /// chosen.
    ///
    /// ```
    /// use locator_find::{Document, Finder, Format, Link};
    /// use std::ops::ControlFlow;
    ///
    /// let page = b"<base href='/b/'><a href=c>";
    /// let document =
    ///     Document::new(Format::Html).retrieved_by("http://h.example/a");
    /// let mut bases = Vec::new();
    /// Finder::new().find(&document, &mut &page[..], &mut |link: &Link<'_>| {
    ///     bases = link
    ///         .bases()
    ///         .layers()
    ///         .map(|layer| (layer.source().name(), layer.given().to_owned()))
    ///         .collect();
    ///     ControlFlow::Continue(())
    /// })?;
    /// // The innermost one decides.
    /// assert_eq!(bases[0].1, "/b/");
    /// assert_eq!(bases[1].1, "http://h.example/a");
    /// # Ok::<_, std::io::Error>(())
    /// ```
    pub const fn bases(&self) -> &'a BaseStack {
        self.base
    }

    /// Returns the base of the link and its origin.
    pub fn base(&self) -> Option<&'a BaseCandidate> {
        self.base.chosen()
    }

    /// Resolves the link against its base. Without a base the link must be absolute.
    ///
    /// An empty link is the base in every edition; a link `#name` is the current document in some.
    ///
    /// # Errors
    ///
    /// Returns an error if the link is invalid, has no base, or cannot be resolved against its
    /// base.
    pub fn resolved(&self) -> Result<Resolved<'_>, ResolveLinkError> {
        self.resolve(&self.url)
    }

    /// Percent-encodes the characters that the edition rejects; returns `None` if the link is valid
    /// as written or stays invalid.
    ///
    /// The result is the reference that browsers fetch for `href="x y"` and that XML defines (XLink
    /// 1.1, 5.4.1).
    ///
    /// Characters are encoded as UTF-8, in the query of an HTML link in the encoding of the
    /// document. A host is converted to its DNS name. "%" without two hex digits is escaped, too. "\"
    /// before the query is "/", as in browsers; in Markdown it is escaped (CommonMark writes `%5C` into the
    /// HTML).
    ///
    /// ```
    /// use locator_find::{Document, Finder, Format, Link};
    /// use std::ops::ControlFlow;
    ///
    /// let document = Document::new(Format::Html).retrieved_by("http://a.example/b/");
    /// Finder::new().find(
    ///     &document,
    ///     &mut &b"<a href='x y'>"[..],
    ///     &mut |link: &Link<'_>| {
    ///         assert!(link.url() == "x y" && link.resolved().is_err());
    ///         let escaped = link.escaped().unwrap();
    ///         assert_eq!(
    ///             link.resolve(&escaped).unwrap().uri().unwrap(),
    ///             "http://a.example/b/x%20y"
    ///         );
    ///         ControlFlow::Continue(())
    ///     },
    /// )?;
    /// # Ok::<_, std::io::Error>(())
    /// ```
    pub fn escaped(&self) -> Option<String> {
        let url = match self.context {
            Context::Markdown => Cow::Owned(self.url.replace('\\', "%5C")),
            _ => Cow::Borrowed(&*self.url),
        };
        escaped(&url, self.base.edition(), self.charset.of(&self.written))
            .or_else(|| UriRef::parse_with(&url, self.base.edition()).is_ok().then(|| url.into_owned()))
            .filter(|escaped| *escaped != self.url)
    }

    /// Resolves a reference at the position of this link, such as [`Link::escaped`] or
    /// [`Link::other`].
    ///
    /// # Errors
    ///
    /// See [`Link::resolved`].
    pub fn resolve<'r>(&self, reference: &'r str) -> Result<Resolved<'r>, ResolveLinkError> {
        let reference =
            UriRef::parse_with(reference, self.base.edition()).map_err(ResolveLinkError::NotValid)?;
        match (self.base.base(), reference.as_uri()) {
            (Some(base), _) => {
                base.resolve_with(reference, options(reference)).map_err(ResolveLinkError::NotResolved)
            }
            (None, Some(uri)) => Ok(Resolved::Uri(uri.to_owned())),
            (None, None) => Err(ResolveLinkError::NoBase),
        }
    }
}

/// Returns the options for a link. To follow an empty link is to request something:
///
/// "an empty URI reference represents the base URI of the current document and should be replaced by
/// that URI when transformed into a request" (2003, 4.2)
const fn options(link: UriRef<'_>) -> ResolveOptions {
    match link.as_str().is_empty() {
        true => ResolveOptions::new().same_document(SameDocument::Base),
        false => ResolveOptions::new(),
    }
}

/// The reason why a link has no absolute form.
///
/// ```
/// use locator_find::{Document, Finder, Format, Link, ResolveLinkError};
/// use std::ops::ControlFlow;
///
/// // Without a base, only absolute links can be resolved.
/// let document = Document::new(Format::Html);
/// let page = b"<a href=b><a href='http://h.example/['>";
/// let mut errors = Vec::new();
/// Finder::new().find(&document, &mut &page[..], &mut |link: &Link<'_>| {
///     errors.extend(link.resolved().err());
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(errors[0], ResolveLinkError::NoBase);
/// assert!(matches!(errors[1], ResolveLinkError::NotValid(_)));
/// # Ok::<_, std::io::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ResolveLinkError {
    /// The link is invalid.
    NotValid(ParseError),
    /// The link is relative and has no base.
    NoBase,
    /// The link cannot be resolved against its base.
    NotResolved(ResolveError),
}

impl Display for ResolveLinkError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotValid(error) => error.fmt(f),
            Self::NoBase => f.write_str("the link is relative and has no base (5.1)"),
            Self::NotResolved(error) => error.fmt(f),
        }
    }
}

/// Shows the sentence of `Display`, for a `main` that returns the error.
impl fmt::Debug for ResolveLinkError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl std::error::Error for ResolveLinkError {}

/// The method by which following a link sends its request.
///
/// ```
/// use locator_find::{Document, Finder, Format, Link, Method};
/// use std::ops::ControlFlow;
///
/// let page = b"<form method=post action=/send></form><form action=/search></form>";
/// let document = Document::new(Format::Html);
/// let mut methods = Vec::new();
/// Finder::new().find(&document, &mut &page[..], &mut |link: &Link<'_>| {
///     methods.push(link.method());
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(methods, [Some(Method::Post), Some(Method::Get)]);
/// # Ok::<_, std::io::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// The form adds its data to the query.
    Get,
    /// The form sends its data as a body; `ping` is sent by this method, too.
    Post,
    /// The form closes its dialog, and sends nothing.
    Dialog,
    /// The `formaction` of a button that has no `formmethod` and is outside of its form, or in XML.
    Unknown,
}

impl Method {
    /// Returns the name of the method in JSON: `post`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
            Self::Dialog => "dialog",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the method that an attribute names; "the invalid value default" is GET.
    pub(crate) fn from_value(value: &[u8]) -> Self {
        let is = |name: &[u8]| value.eq_ignore_ascii_case(name);
        match () {
            () if is(b"post") => Self::Post,
            () if is(b"dialog") => Self::Dialog,
            () => Self::Get,
        }
    }
}

/// What is known of a link besides its context.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Purpose<'a> {
    pub(crate) rel: Option<&'a str>,
    /// What a reader sees.
    pub(crate) text: Option<&'a str>,
    pub(crate) method: Option<Method>,
    pub(crate) is_code: bool,
    /// Whether it is a definition that no text uses.
    pub(crate) is_unused: bool,
    /// After how many seconds the document redirects to it.
    pub(crate) refresh: Option<u32>,
}

impl<'a> Purpose<'a> {
    /// The purpose of a URL that is code.
    pub(crate) const CODE: Self = Self { is_code: true, ..Self::NONE };

    /// The purpose of a definition that no text uses.
    pub(crate) const UNUSED: Self = Self { is_unused: true, ..Self::NONE };

    /// The purpose of an ordinary link.
    const NONE: Self =
        Self { rel: None, text: None, method: None, is_code: false, is_unused: false, refresh: None };

    /// Returns the purpose of the URL of a refresh after so many seconds.
    pub(crate) const fn of_refresh(seconds: u32) -> Self {
        Self { refresh: Some(seconds), ..Self::NONE }
    }

    /// Returns this purpose of a link with a text.
    pub(crate) fn with_text(self, text: Option<&'a str>) -> Self {
        let text = text.map(str::trim_ascii).filter(|text| !text.is_empty());
        Self { text, ..self }
    }

    /// Returns the purpose of a form's URL.
    pub(crate) const fn of_method(method: Method) -> Self {
        Self { method: Some(method), ..Self::NONE }
    }

    /// Returns the purpose of a link with this value of `rel`.
    ///
    /// Every link of a tag has the value, so its length is limited.
    pub(crate) fn of_rel(rel: &'a str) -> Self {
        let rel = Some(whole_words(rel.trim_ascii(), LONGEST_REL)).filter(|rel| !rel.is_empty());
        Self { rel, ..Self::default() }
    }
}

/// The maximum length of a `rel` in bytes; later words are left out.
const LONGEST_REL: usize = 1024;

/// Returns the words at the start of a text that have together at most this length.
fn whole_words(text: &str, longest: usize) -> &str {
    if text.len() <= longest {
        return text;
    }
    let ends = text.char_indices().take_while(|(at, _)| *at <= longest);
    let end = ends.filter(|(_, character)| character.is_ascii_whitespace()).last();
    text[..end.map_or(0, |(at, _)| at)].trim_ascii_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_ends_with_a_word() {
        for (text, longest, expected) in [
            ("ab cd", 5, "ab cd"),
            ("ab cd", 4, "ab"),
            ("ab  cd", 3, "ab"),
            ("ab cd ef", 6, "ab cd"),
            ("abc", 2, ""),
            ("é é", 2, "é"),
            ("", 0, ""),
        ] {
            assert_eq!(whole_words(text, longest), expected, "{text} {longest}");
        }
    }
}
