//! What leaves: links and the names that links may point to.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::ops::{ControlFlow, Range};

use locator::text::MatchKind;
use locator::{BaseCandidate, BaseStack, ParseError, ResolveError, Resolved, UriRef};

use crate::charset::Charset;
use crate::escaped::escaped;

/// A URL or a reference in a document.
#[derive(Clone, Debug)]
pub struct Link<'a> {
    pub(crate) written: Cow<'a, [u8]>,
    pub(crate) url: Cow<'a, str>,
    pub(crate) other: Option<Cow<'a, str>>,
    pub(crate) place: Location,
    pub(crate) part: Option<Location>,
    pub(crate) context: Context<'a>,
    pub(crate) base: &'a BaseStack,
    pub(crate) charset: Charset,
}

/// Where something stands in the octets that were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The octets that it is made of, counted from the document's start.
    pub span: Range<u64>,
    /// Its line, from 1.
    pub line: u64,
    /// Its first octet in that line, from 1.
    pub column: u64,
}

/// What a link is in its document.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context<'a> {
    /// Running text, and how it was found there.
    Text(MatchKind),
    /// The value of an attribute, or in it: HTML and XML.
    Attribute {
        /// The element's name.
        element: &'a str,
        /// The attribute's.
        attribute: &'a str,
    },
    /// The content of an element: XML.
    Element(&'a str),
    /// `url(…)` or `@import` in a style sheet.
    Style,
    /// A value of JSON-LD, and the name of its member.
    Json(&'a str),
    /// What Markdown makes a link, an image or a definition.
    Markdown,
    /// A field of a message's header.
    Field(&'a str),
    /// An argument of a macro, and its name: roff.
    Macro(&'a str),
}

/// A name in a document that a fragment may point to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor<'a> {
    /// The name, decoded.
    pub name: Cow<'a, str>,
    /// Where its value stands.
    pub place: Location,
}

/// Takes what is found. A closure that takes a [`Link`] is one.
pub trait Sink {
    /// Takes a link; the search ends with `Break`.
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()>;

    /// Takes a name that a fragment may point to.
    fn anchor(&mut self, anchor: &Anchor<'_>) {
        let _ = anchor;
    }

    /// Takes the place where something begins that is not searched, or not as it should be, and why: memory must not depend on the document. The links
    /// there are not complete.
    fn passed_over(&mut self, place: &Location, why: PassedOver) {
        let _ = (place, why);
    }
}

/// Why links of a document are not found: a limit of what can be held is reached.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PassedOver {
    /// A URL in running text, a tag, a style sheet in a page or the like is longer than 16 MiB.
    TooLong,
    /// The rest of a text that must be decoded: it is longer than 16 MiB, or has more than half a million escapes.
    Rest,
    /// The rest of a document, or of a message, that is read as a whole and has more than so many octets.
    TooLarge(u64),
    /// A part of a document that is read as a whole had to be divided: what goes on from one piece to the next is read as two.
    Divided,
    /// The rest of a message: it has more parts than are told apart.
    TooManyParts,
    /// The rest of a header: it has more fields than are told apart.
    TooManyFields,
    /// An element in more others than are told apart: what is in it is read as text.
    TooDeep,
    /// A base that is too long to be put before each of the links; they are resolved by the one around it.
    LongBase,
}

impl Display for PassedOver {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let what = match self {
            Self::TooLong => "what begins here is longer than 16 MiB: the links that it has are not found",
            Self::Rest => {
                "the rest of this text is not searched: it is longer than 16 MiB, or has too many escapes"
            }
            Self::TooLarge(most) => {
                return write!(
                    f,
                    "the rest is not searched: in this format {} MiB are read and no more",
                    most >> 20
                );
            }
            Self::Divided => {
                "this is too long to be read as a whole: links that go on beyond here may be missing or wrong"
            }
            Self::TooManyParts => "the rest of this message is not searched: it has more than 10000 parts",
            Self::TooManyFields => "the rest of this header is not searched: it has more than 100000 fields",
            Self::TooDeep => "this element is in more than 1000 others: what is in it is read as plain text",
            Self::LongBase => "this base is longer than 8 KiB: links are resolved by the one around it",
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
    /// The octets as they stand in the document.
    pub fn written(&self) -> &[u8] {
        &self.written
    }

    /// The reference that they mean: white space removed, entities and transfer encodings undone. It need not be valid.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The other reading, where a hyphen ends a line and may or may not belong.
    pub fn other(&self) -> Option<&str> {
        self.other.as_deref()
    }

    /// Where it stands.
    pub const fn place(&self) -> &Location {
        &self.place
    }

    /// Where the part of the message stands, header and body, that it means; none if the message that it stands in has no such part. What means
    /// one is a `cid` or `mid` URL (RFC 2392), and in a `multipart/related` what is resolved to the location of another part (RFC 2557, 8.2).
    pub const fn part(&self) -> Option<&Location> {
        self.part.as_ref()
    }

    /// What it is in its document.
    pub const fn context(&self) -> Context<'a> {
        self.context
    }

    /// All that may be the base here, the one that is chosen among them, and why the others are not.
    pub const fn bases(&self) -> &'a BaseStack {
        self.base
    }

    /// The base that it is relative to, and what says so.
    pub fn base(&self) -> Option<&'a BaseCandidate> {
        self.base.chosen()
    }

    /// It, resolved by its base, as far as it is valid as it stands; where there is no base, it must be absolute.
    ///
    /// # Errors
    ///
    /// It is not valid, it has no base, or it cannot be resolved by the one that it has.
    pub fn resolved(&self) -> Result<Resolved<'_>, ResolveLinkError> {
        self.resolve(&self.url)
    }

    /// It with escapes for the characters that the edition refuses, if it is not valid as it stands and is so then: the reference that
    /// browsers fetch for `href="x y"`, and that XML means by it (XLink 1.1, 5.4.1).
    ///
    /// Characters are escaped as UTF-8, in the query of a link of HTML in the encoding of the document; a host becomes the name that it
    /// has in the DNS. "%" is never escaped, nor "\" in a path, of which browsers make "/": such links are left as they are.
    ///
    /// ```
    /// use locator_find::{Document, Finder, Format, Link};
    /// use std::ops::ControlFlow;
    ///
    /// let document = Document::new(Format::Html).retrieved_by("http://a.example/b/");
    /// Finder::new().find_iter(&document, &mut &b"<a href='x y'>"[..], &mut |link: &Link<'_>| {
    ///     assert!(link.url() == "x y" && link.resolved().is_err());
    ///     let escaped = link.as_pct_str().unwrap();
    ///     assert_eq!(link.resolve(&escaped).unwrap().uri().unwrap(), "http://a.example/b/x%20y");
    ///     ControlFlow::Continue(())
    /// })?;
    /// # Ok::<_, std::io::Error>(())
    /// ```
    pub fn escaped(&self) -> Option<String> {
        escaped(&self.url, self.base.edition(), self.charset.of(&self.written))
    }

    /// A reference that stands where this one does, resolved as this one is: [`Link::escaped`] or [`Link::other`].
    ///
    /// # Errors
    ///
    /// See [`Link::resolved`].
    pub fn resolve<'r>(&self, reference: &'r str) -> Result<Resolved<'r>, ResolveLinkError> {
        let reference =
            UriRef::parse_with(reference, self.base.edition()).map_err(ResolveLinkError::NotValid)?;
        match (self.base.base(), reference.to_uri()) {
            (Some(base), _) => base.resolve(reference).map_err(ResolveLinkError::NotResolved),
            (None, Some(uri)) => Ok(Resolved::Uri(uri.to_owned())),
            (None, None) => Err(ResolveLinkError::NoBase),
        }
    }
}

/// Why a link has no absolute form.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResolveLinkError {
    /// It is not valid.
    NotValid(ParseError),
    /// It is relative, and nothing says to what.
    NoBase,
    /// Its base is not fit for it.
    NotResolved(ResolveError),
}

impl Display for ResolveLinkError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotValid(error) => error.fmt(f),
            Self::NoBase => f.write_str("it is relative, and nothing says what it is relative to (5.1)"),
            Self::NotResolved(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ResolveLinkError {}
