//! Finds the base of a document. Takes candidates from the outermost to the innermost and returns
//! the innermost valid one; it also keeps the others, with their errors. Section 5.1 of the 1997
//! and 2003 documents, of RFC 2396 and of RFC 3986.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::iter::FusedIterator;
use core::ops::Range;
use core::slice;

use super::Base;
use crate::as_text::error_as_sentence;
use crate::edition::{self, Edition, Resolution, SameDocument};
use crate::error::{ParseError, Redacted};
use crate::reference::{Uri, UriBuf, UriRef};
use crate::resolve::directory::text_of;
use crate::resolve::{ResolveError, ResolveOptions};
use crate::span::Component;

/// The candidates for the base of a document, in layers.
///
/// RFC 3986, 5.1: "the innermost defined base URI has the highest precedence" (RFC 3986, section
/// 5.1).
///
/// Layers are added from the outside in, as a reader meets them: a default, the retrieval URI, each
/// enclosing entity, the document's own content.
///
/// ```
/// use locator::{BaseSource, BaseStack, uri_ref};
///
/// let mut stack = BaseStack::new();
/// stack
///     .retrieved_by("http://example.com/mail/17")
///     .entity(Some("http://a/b/"), None)
///     .embedded("../c/");
/// assert_eq!(
///     stack.base().unwrap().resolve(uri_ref!("x"))?.uri().unwrap(),
///     "http://a/c/x"
/// );
///
/// let chosen = stack.chosen().unwrap();
/// assert_eq!(chosen.source(), BaseSource::Embedded);
/// assert_eq!(chosen.source().to_string(), "the document's own content (5.1.1)");
/// let bases: Vec<_> =
///     stack.layers().map(|layer| layer.uri().unwrap().as_str()).collect();
/// assert_eq!(bases, ["http://a/c/", "http://a/b/", "http://example.com/mail/17"]);
/// # Ok::<_, locator::ResolveError>(())
/// ```
///
/// The layers of a part are removed before those of the next part are added:
///
/// ```
/// # use locator::BaseStack;
/// # let mut stack = BaseStack::new();
/// # stack.retrieved_by("http://h/");
/// let outer = stack.len();
/// for location in ["a/", "b/"] {
///     stack.entity(None, Some(location));
///     assert_eq!(
///         stack.chosen().unwrap().uri().unwrap().as_str(),
///         format!("http://h/{location}")
///     );
///     stack.truncate(outer);
/// }
/// # Ok::<_, locator::ResolveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BaseStack {
    edition: &'static Edition,
    rule: &'static Resolution,
    /// The layers, the outermost first.
    layers: Vec<BaseCandidate>,
}

/// A candidate for the base, with its source and result.
///
/// ```
/// use locator::BaseStack;
///
/// let mut stack = BaseStack::new();
/// stack.retrieved_by("http://h/a").embedded("http://[");
/// let candidate = stack.layers().next().unwrap();
/// assert_eq!((candidate.given(), candidate.uri().is_some()), ("http://[", false));
/// assert!(candidate.error().is_some());
/// assert_eq!(stack.base().unwrap().as_str(), "http://h/a");
/// ```
#[derive(Clone)]
pub struct BaseCandidate {
    source: BaseSource,
    given: String,
    uri: Result<UriBuf, BaseError>,
}

impl fmt::Debug for BaseCandidate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut candidate = f.debug_struct("BaseCandidate");
        candidate.field("source", &self.source).field("given", &Redacted::new(&self.given));
        candidate.field("uri", &self.uri).finish()
    }
}

crate::as_text::named! {
    /// The source of a base.
    ///
    /// ```
    /// use locator::BaseSource;
    ///
    /// assert_eq!(BaseSource::Retrieval.section(), "5.1.3");
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum BaseSource {
        /// The document's own content, such as HTML's `BASE` (5.1.1).
        Embedded = "embedded",
        /// The header field `Content-Base` of an enclosing entity (5.1.2).
        ContentBase = "content-base",
        /// The header field `Content-Location` of an enclosing entity (5.1.2).
        ContentLocation = "content-location",
        /// The URI that the document was retrieved from (5.1.3).
        Retrieval = "retrieval",
        /// The application (5.1.4).
        Default = "default",
    }

    /// Returns the name of the source in JSON.
    pub const fn name(own_display);
}

/// The reason why a candidate is not a base.
///
/// ```
/// use locator::{BaseError, BaseStack};
///
/// let mut stack = BaseStack::new();
/// stack.embedded("docs/");
/// let error = stack.layers().next().unwrap().error().unwrap();
/// assert_eq!(error, BaseError::NothingAround);
/// assert!(stack.base().is_none());
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum BaseError {
    /// The text is not valid.
    NotValid(ParseError),
    /// The text is relative, and there is no outer base to resolve it against.
    NothingAround,
    /// The text is relative, and a base from that source must be absolute.
    NotAbsolute {
        /// The edition that defines this.
        edition: &'static Edition,
    },
    /// The text cannot be resolved against the outer base.
    NotResolved(ResolveError),
    /// The edition defines no default base of an application.
    NoDefault {
        /// The edition that defines this.
        edition: &'static Edition,
    },
}

/// The layers of a [`BaseStack`], the innermost first: the result of [`BaseStack::layers`].
///
/// ```
/// use locator::{BaseSource, BaseStack};
///
/// let mut stack = BaseStack::new();
/// stack.retrieved_by("http://example.com/").embedded("/a b");
/// let sources: Vec<_> = stack.layers().rev().map(|layer| layer.source()).collect();
/// assert_eq!(sources, [BaseSource::Retrieval, BaseSource::Embedded]);
/// ```
#[derive(Clone, Debug)]
pub struct BaseLayers<'s>(slice::Iter<'s, BaseCandidate>);

impl<'s> Iterator for BaseLayers<'s> {
    type Item = &'s BaseCandidate;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next_back()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for BaseLayers<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

impl ExactSizeIterator for BaseLayers<'_> {}

impl FusedIterator for BaseLayers<'_> {}

impl BaseStack {
    /// Creates a stack without layers, for references of RFC 3986.
    #[must_use]
    pub const fn new() -> Self {
        const RULE: &Resolution = match &edition::RFC3986.resolution {
            Some(rule) => rule,
            None => panic!("RFC 3986 defines resolution"),
        };
        Self { edition: edition::DEFAULT, rule: RULE, layers: Vec::new() }
    }

    /// Creates a stack without layers, for references of an edition.
    ///
    /// # Errors
    ///
    /// Returns [`ResolveError::NotDefined`] if the edition does not define how to resolve
    /// references.
    pub const fn new_with(edition: &'static Edition) -> Result<Self, ResolveError> {
        match &edition.resolution {
            Some(rule) => Ok(Self { edition, rule, layers: Vec::new() }),
            None => Err(ResolveError::NotDefined { edition }),
        }
    }

    /// Adds the application's default base, for documents that have no other base (5.1.4).
    ///
    /// `url-1997` does not define one, so there this layer is not a base.
    pub fn default_base(&mut self, given: &str) -> &mut Self {
        let uri = match self.rule.default_base {
            true => self.read(given, true),
            false => Err(BaseError::NoDefault { edition: self.edition }),
        };
        self.put(BaseSource::Default, given, uri)
    }

    /// Adds the URI that the document was retrieved from (5.1.3).
    ///
    /// Call it again after a redirect: "the last URI used [...] is the base URI".
    pub fn retrieved_by(&mut self, given: &str) -> &mut Self {
        let uri = self.read(given, true);
        self.put(BaseSource::Retrieval, given, uri)
    }

    /// Adds the headers `Content-Base` and `Content-Location` of an entity, with their folds.
    ///
    /// The entity contains the document, directly or in a part (5.1.2). An entity with neither
    /// field needs no layer.
    ///
    /// ```
    /// use locator::BaseStack;
    ///
    /// let mut bases = BaseStack::new();
    /// bases.retrieved_by("http://h.example/mail");
    /// bases.entity(Some("http://h.example/part/"), None);
    /// assert_eq!(bases.base().unwrap().as_str(), "http://h.example/part/");
    /// ```
    pub fn entity(&mut self, content_base: Option<&str>, content_location: Option<&str>) -> &mut Self {
        let base =
            content_base.map(|given| (given, self.read(&without_space(given), self.rule.relative_base)));
        let location = content_location.map(|given| {
            // "The base URL for a message serves as [...] the base for any relative URLs within the
            // message headers": a Content-Base is around the Content-Location, too.
            let of_base = base.as_ref().and_then(|(_, uri)| uri.as_ref().ok()).map(UriBuf::as_uri);
            (given, self.read_in(of_base.or(self.innermost()), &without_space(given), true))
        });
        if let Some((given, uri)) = location {
            self.put(BaseSource::ContentLocation, given, uri);
        }
        // "Content-Base takes precedence over any Content-Location."
        if let Some((given, uri)) = base {
            self.put(BaseSource::ContentBase, given, uri);
        }
        self
    }

    /// Adds the base that the document's content declares, as its format defines (5.1.1).
    pub fn embedded(&mut self, given: &str) -> &mut Self {
        let uri = self.read(given, self.rule.relative_base);
        self.put(BaseSource::Embedded, given, uri)
    }

    /// Returns the base: that of the innermost layer without an error.
    #[must_use]
    pub fn base(&self) -> Option<Base<'_>> {
        self.innermost().and_then(|uri| Base::new(uri).ok())
    }

    /// Returns the innermost layer that is a base.
    #[must_use]
    pub fn chosen(&self) -> Option<&BaseCandidate> {
        self.layers().find(|layer| layer.uri.is_ok())
    }

    /// Returns all layers, the innermost first.
    pub fn layers(&self) -> BaseLayers<'_> {
        BaseLayers(self.layers.iter())
    }

    /// Returns the edition that the bases are parsed by.
    #[must_use]
    pub const fn edition(&self) -> &'static Edition {
        self.edition
    }

    /// Returns the number of layers.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.layers.len()
    }

    /// Returns whether there are no layers.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// Removes all layers except the outermost `len`.
    ///
    /// A document within a document has layers that end with it:
    ///
    /// ```
    /// use locator::BaseStack;
    ///
    /// let mut bases = BaseStack::new();
    /// bases.retrieved_by("http://h.example/a");
    /// let outer = bases.len();
    /// bases.embedded("/inner/");
    /// assert_eq!(bases.base().unwrap().as_str(), "http://h.example/inner/");
    /// bases.truncate(outer);
    /// assert_eq!(bases.base().unwrap().as_str(), "http://h.example/a");
    /// ```
    pub fn truncate(&mut self, len: usize) {
        self.layers.truncate(len);
    }

    fn put(&mut self, source: BaseSource, given: &str, uri: Result<UriBuf, BaseError>) -> &mut Self {
        self.layers.push(BaseCandidate { source, given: given.into(), uri });
        self
    }

    fn innermost(&self) -> Option<Uri<'_>> {
        self.chosen().and_then(BaseCandidate::uri)
    }

    fn read(&self, given: &str, may_be_relative: bool) -> Result<UriBuf, BaseError> {
        self.read_in(self.innermost(), given, may_be_relative)
    }

    /// Parses a candidate within an outer base.
    fn read_in(
        &self,
        around: Option<Uri<'_>>,
        given: &str,
        may_be_relative: bool,
    ) -> Result<UriBuf, BaseError> {
        let edition = self.edition;
        let read = |text| UriRef::parse_with(text, edition).map_err(BaseError::NotValid);
        // "If the base URI is obtained from a URI reference, then that reference must be converted
        // to absolute form and stripped of any fragment component prior to its use as a base URI."
        // (RFC 3986, 5.1)
        let reference = read(text_of(read(given)?))?;
        if let Some(uri) = reference.as_uri() {
            return Ok(uri.to_owned());
        }
        if !may_be_relative {
            return Err(BaseError::NotAbsolute { edition });
        }
        let around = Base::new(around.ok_or(BaseError::NothingAround)?).map_err(BaseError::NotResolved)?;
        // An empty reference is the outer base: there is no text here whose "current document" it
        // could be.
        let options = ResolveOptions::new().same_document(SameDocument::Base);
        let resolved = around.resolve_with(reference, options).map_err(BaseError::NotResolved)?;
        resolved.into_uri().ok_or(BaseError::NothingAround)
    }
}

impl Default for BaseStack {
    /// Creates a stack without layers, by RFC 3986.
    fn default() -> Self {
        Self::new()
    }
}

/// "any whitespace inside the field value (including that used for line folding) is ignored" (1997,
/// 5.1.1)
fn without_space(value: &str) -> String {
    value.split_ascii_whitespace().collect()
}

impl BaseCandidate {
    /// Returns the source of this candidate.
    #[must_use]
    pub const fn source(&self) -> BaseSource {
        self.source
    }

    /// Returns the text as given.
    #[must_use]
    pub fn given(&self) -> &str {
        &self.given
    }

    /// Returns the resolved base, absolute and without a fragment; `None` if the candidate is not a
    /// base.
    #[must_use]
    pub fn uri(&self) -> Option<Uri<'_>> {
        self.uri.as_ref().ok().map(UriBuf::as_uri)
    }

    /// Returns why this candidate is not a base.
    #[must_use]
    pub fn error(&self) -> Option<BaseError> {
        self.uri.as_ref().err().copied()
    }
}

impl BaseSource {
    /// Returns the section that defines this source, which every document numbers alike: `5.1.1`.
    #[must_use]
    pub const fn section(self) -> &'static str {
        match self {
            Self::Embedded => "5.1.1",
            Self::ContentBase | Self::ContentLocation => "5.1.2",
            Self::Retrieval => "5.1.3",
            Self::Default => "5.1.4",
        }
    }
}

impl Display for BaseSource {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let what = match self {
            Self::Embedded => "the document's own content",
            Self::ContentBase => "the Content-Base of the entity around it",
            Self::ContentLocation => "the Content-Location of the entity around it",
            Self::Retrieval => "what it was retrieved by",
            Self::Default => "the application's default",
        };
        write!(f, "{what} ({})", self.section())
    }
}

impl BaseError {
    /// Returns the component that the error is in, if it is about one.
    #[must_use]
    pub const fn component(&self) -> Option<Component> {
        match self {
            Self::NotValid(error) => Some(error.component()),
            Self::NotResolved(error) => error.component(),
            Self::NothingAround | Self::NotAbsolute { .. } => Some(Component::Scheme),
            Self::NoDefault { .. } => None,
        }
    }

    /// Returns the document and section of the rule, where there is one: `RFC 3986, 5.1`.
    #[must_use]
    pub fn citation(&self) -> Option<impl Display> {
        match self {
            Self::NotValid(error) => Some(error.citation().to_string()),
            Self::NotResolved(error) => error.citation().map(|citation| citation.to_string()),
            Self::NotAbsolute { edition } => Some(format!("{}, 5.1", edition.document)),
            Self::NoDefault { edition } => Some(format!("{}, 5.1.4", edition.document)),
            Self::NothingAround => None,
        }
    }

    /// Returns the bytes that the error is about; empty where something is missing.
    #[must_use]
    pub const fn span(&self) -> Option<Range<usize>> {
        match self {
            Self::NotValid(error) => Some(error.span()),
            Self::NotResolved(error) => error.span(),
            Self::NothingAround | Self::NotAbsolute { .. } => Some(0..0),
            Self::NoDefault { .. } => None,
        }
    }

    /// Returns the name of this kind of error in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotValid(_) => "not-valid",
            Self::NothingAround => "nothing-around",
            Self::NotAbsolute { .. } => "not-absolute",
            Self::NotResolved(_) => "not-resolved",
            Self::NoDefault { .. } => "no-default",
        }
    }
}

impl Display for BaseError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotValid(error) => error.fmt(f),
            Self::NothingAround => {
                f.write_str("the base is relative, and there is no outer base to resolve it against (5.1)")
            }
            Self::NotAbsolute { edition } => {
                write!(
                    f,
                    "the base is relative, and a base from this source must be absolute ({}, 5.1)",
                    edition.document
                )
            }
            Self::NotResolved(error) => error.fmt(f),
            Self::NoDefault { edition } => {
                write!(f, "an application cannot set a default base ({}, 5.1.4)", edition.document)
            }
        }
    }
}

error_as_sentence!(BaseError);
