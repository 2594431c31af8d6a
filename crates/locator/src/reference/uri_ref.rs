//! A borrowed reference, and how a text becomes one. The spans come from the parser; the methods
//! return views of the text.
//!
//! The kinds of references: what a reference begins with.

use core::ops::Range;

use crate::component::{Authority, Host, Path, PathSegments, Port, SchemeName, SpannedStr, Userinfo};
use crate::edition::{self, Edition};
use crate::error::{ParseError, ParseErrorKind, Redacted};
use crate::parse::{self, InvalidByte};
use crate::pct::PctStr;
use crate::simd::{self, Backend, Plain, WithBackend};
use crate::span::{Component, ComponentSpans, HostKind, Span};

/// A borrowed reference, absolute or relative: `URI-reference` of RFC 3986, section 4.1.
///
/// It is `Copy` and allocates nothing. [`UriRefBuf`](crate::UriRefBuf) owns its text;
/// [`Uri`](crate::Uri) always has a scheme.
///
/// ```
/// use locator::UriRef;
/// use locator::edition::RFC1738;
///
/// let reference = UriRef::parse("../a?q#")?;
/// assert!(reference.scheme().is_none());
/// assert_eq!(reference.path().as_str(), "../a");
/// assert_eq!(reference.query().unwrap(), "q");
/// assert_eq!(reference.fragment().unwrap(), "");
///
/// assert!(UriRef::parse_with("../a", &RFC1738).is_err());
/// # Ok::<_, locator::ParseError>(())
/// ```
///
/// # What it keeps
///
/// The text stays octet by octet as it was given: nothing is decoded, normalised or repaired, and every
/// offset of a component or an error is an offset of that text. Joining the components gives the text
/// back. So what a program logs, signs or forwards is what it was given:
///
/// ```
/// use locator::UriRef;
///
/// let text = "HTTP://Example.com:080/%7Ejan/./a?";
/// let reference = UriRef::parse(text)?;
/// assert_eq!(reference.as_str(), text);
/// assert_eq!(&text[reference.span(locator::Component::Port).unwrap()], "080");
/// assert_eq!(reference.query().unwrap(), "");
/// # Ok::<_, locator::ParseError>(())
/// ```
///
/// # Undefined and empty
///
/// A component is *undefined*, `None`, without its delimiter, and *empty* with nothing after it. The two
/// are different references, in comparing and in resolving:
///
/// ```
/// use locator::uri_ref;
///
/// assert!(uri_ref!("/a").query().is_none());
/// assert_eq!(uri_ref!("/a?").query().unwrap(), "");
/// assert!(uri_ref!("mailto:a@b").host().is_none());
/// assert_eq!(uri_ref!("file:///a").host().unwrap(), "");
/// assert!(uri_ref!("http:/a") != uri_ref!("http:///a"));
/// ```
///
/// # Decoding
///
/// Components are percent-encoded text ([`PctStr`], [`Path`], [`Host`]). Divide first and decode
/// afterwards, each part by itself, or data becomes a delimiter:
///
/// ```
/// use locator::{SpaceEncoding, uri};
///
/// let uri = uri!("http://h/a%2Fb/c?q=x%26y&r=1+2");
/// let segments: Result<Vec<_>, _> =
///     uri.path().segments().map(|segment| segment.decode_utf8()).collect();
/// assert_eq!(segments?, ["a/b", "c"]);
/// let pairs: Vec<_> = uri
///     .pairs(SpaceEncoding::Plus)
///     .map(|pair| pair.decode_utf8_lossy())
///     .collect();
/// assert_eq!(pairs[0], ("q".into(), "x&y".into()));
/// assert_eq!(pairs[1], ("r".into(), "1 2".into()));
/// # Ok::<_, locator::CharsetError>(())
/// ```
///
/// # Pitfalls
///
/// - `==` compares texts. For equivalent references use [`is_equivalent`](Self::is_equivalent), for sets
///   [`NormalizedKey`](crate::NormalizedKey).
/// - `example.com/a` is a relative path, and `localhost:80` has the scheme `localhost`.
/// - Parsing checks the generic grammar. Whether an `ftp` URL has the form of one is asked by
///   [`check_scheme`](Self::check_scheme), or by making a [view](crate::scheme).
/// - A valid reference is not a safe one: `javascript:alert(1)` is valid, and so is
///   `http://example.com@evil.example/`, whose host is the latter.
/// - `Display` prints passwords and `Debug` hides them; [`redacted`](Self::redacted) is for messages.
#[derive(Clone, Copy)]
pub struct UriRef<'a> {
    text: &'a str,
    parts: ComponentSpans,
    edition: &'static Edition,
}

/// A text to be parsed. The reference is created where the spans are found, because copying spans
/// that were just written field by field stalls.
struct Read<'a> {
    text: &'a str,
    edition: &'static Edition,
}

impl<'a> WithBackend for Read<'a> {
    type Output = Result<UriRef<'a>, ParseError>;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> Self::Output {
        let Self { text, edition } = self;
        match parse::read_value(backend, text.as_bytes(), edition) {
            Ok(parts) => Ok(UriRef { text, parts, edition }),
            Err(wrong) => UriRef::parse_rare(text, edition, wrong),
        }
    }

    /// Not inlined, because every call would reserve stack space for it.
    #[inline(never)]
    fn run_plain(self) -> Self::Output {
        self.run(Plain)
    }
}

impl<'a> UriRef<'a> {
    /// Parses a reference by RFC 3986.
    ///
    /// # Errors
    ///
    /// Returns the first error from the left.
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        Self::parse_with(text, edition::DEFAULT)
    }

    /// Parses a reference by the generic grammar of an edition.
    ///
    /// ```
    /// use locator::{UriRef, edition::RFC3987};
    ///
    /// assert!(UriRef::parse_with("/café", &RFC3987).is_ok());
    /// assert!(UriRef::parse("/café").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error from the left.
    pub fn parse_with(text: &'a str, edition: &'static Edition) -> Result<Self, ParseError> {
        simd::dispatch(Read { text, edition })
    }

    /// Parses a reference by RFC 3986 in a constant: like [`parse`](Self::parse), but `const` and
    /// slower.
    ///
    /// The result is the same. [`uri_ref!`](crate::uri_ref) does this for literals.
    ///
    /// # Errors
    ///
    /// Returns the first error from the left.
    pub const fn parse_const(text: &'a str) -> Result<Self, ParseError> {
        Self::parse_const_with(text, edition::DEFAULT)
    }

    /// Parses a reference by an edition in a constant: like [`parse_with`](Self::parse_with), but
    /// `const` and slower.
    ///
    /// # Errors
    ///
    /// Returns the first error from the left.
    pub const fn parse_const_with(text: &'a str, edition: &'static Edition) -> Result<Self, ParseError> {
        match parse::read_const(text, edition) {
            Ok(parts) => Ok(Self { text, parts, edition }),
            Err(error) => Err(error),
        }
    }

    /// Parses a reference by RFC 3986 from bytes, which must be UTF-8.
    ///
    /// ```
    /// use locator::UriRef;
    ///
    /// assert_eq!(UriRef::parse_bytes(b"/a").unwrap(), "/a");
    /// assert_eq!(UriRef::parse_bytes(b"/a\xFF").unwrap_err().span(), 2..3);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error from the left; invalid UTF-8 is one.
    pub fn parse_bytes(bytes: &'a [u8]) -> Result<Self, ParseError> {
        Self::parse_bytes_with(bytes, edition::DEFAULT)
    }

    /// Parses a reference by an edition from bytes, which must be UTF-8.
    ///
    /// # Errors
    ///
    /// Returns the first error from the left; invalid UTF-8 is one.
    pub fn parse_bytes_with(bytes: &'a [u8], edition: &'static Edition) -> Result<Self, ParseError> {
        match core::str::from_utf8(bytes) {
            Ok(text) => Self::parse_with(text, edition),
            Err(error) => {
                let start = error.valid_up_to();
                let end = error.error_len().map_or(bytes.len(), |length| start + length);
                let kind = ParseErrorKind::NotUtf8;
                let not_utf8 = ParseError::new(
                    bytes,
                    edition,
                    kind,
                    Component::Reference,
                    Span::new(start, end),
                    edition.rules.reference,
                );
                let first = parse::first_error(bytes, edition);
                Err(first.filter(|first| first.span().start < not_utf8.span().start).unwrap_or(not_utf8))
            }
        }
    }

    /// Parses a text that is not on the fast path, which may have found the error.
    #[inline(never)]
    pub(crate) fn parse_rare(
        text: &'a str,
        edition: &'static Edition,
        wrong: Option<InvalidByte>,
    ) -> Result<Self, ParseError> {
        match wrong {
            Some(wrong) => Err(wrong.error(text.as_bytes(), edition)),
            None => parse::read_more(text, edition, |parts| Self { text, parts, edition }),
        }
    }

    /// Creates a reference from a text that has been parsed, with its spans.
    pub(crate) const fn of_parts(text: &'a str, parts: ComponentSpans, edition: &'static Edition) -> Self {
        Self { text, parts, edition }
    }

    /// Creates a reference from a text that is known at compile time.
    #[doc(hidden)]
    #[must_use]
    pub const fn literal(text: &'a str, edition: &'static Edition) -> Self {
        match Self::parse_const_with(text, edition) {
            Ok(reference) => reference,
            // This code runs only at compile time: `uri_ref!` is its one caller.
            Err(error) => panic!("{}", error.rule().expects),
        }
    }

    /// Returns the text, exactly as it was given.
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// Returns the positions of all components.
    #[must_use]
    pub const fn spans(self) -> ComponentSpans {
        self.parts
    }

    /// Returns the edition that parsed this reference.
    #[must_use]
    pub const fn edition(self) -> &'static Edition {
        self.edition
    }

    /// Returns the text of a component without its delimiters, or `None` if it is absent.
    ///
    /// ```
    /// use locator::{Component, uri_ref};
    ///
    /// let reference = uri_ref!("//jan@h/a");
    /// assert_eq!(reference.component(Component::Userinfo), Some("jan"));
    /// assert_eq!(reference.component(Component::Query), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn component(self, component: Component) -> Option<&'a str> {
        self.parts.get(component).map(|span| &self.text[span.range()])
    }

    /// Returns the text of a component like [`component`](Self::component). It is not inlined: rare
    /// code uses it to be small.
    #[inline(never)]
    pub(crate) fn component_out_of_line(&self, component: Component) -> Option<&'a str> {
        self.component(component)
    }

    /// Returns the byte range of a component without its delimiters, or `None` if it is absent.
    ///
    /// ```
    /// use locator::{Component, uri_ref};
    ///
    /// let reference = uri_ref!("//h/a?q");
    /// assert_eq!(reference.span(Component::Path), Some(3..5));
    /// assert_eq!(&reference.as_str()[6..], "q");
    /// ```
    #[must_use]
    pub fn span(self, component: Component) -> Option<Range<usize>> {
        self.parts.span(component)
    }

    /// Returns the scheme, or `None` in a relative reference.
    #[doc(alias = "protocol")]
    #[must_use]
    pub fn scheme(self) -> Option<SchemeName<'a>> {
        self.component(Component::Scheme).map(SchemeName)
    }

    /// Returns the authority, or `None` if there is no "//".
    ///
    /// ```
    /// let authority =
    ///     locator::uri_ref!("//jan@example.com:8080/").authority().unwrap();
    /// assert_eq!(authority.host(), "example.com");
    /// assert_eq!(authority.port_u16(), Some(8080));
    /// ```
    #[must_use]
    pub fn authority(self) -> Option<Authority<'a>> {
        self.parts.has_authority.then_some(Authority { text: self.text, parts: self.parts })
    }

    /// Returns the user information before "@", or `None` if there is no "@".
    ///
    /// ```
    /// let userinfo = locator::uri_ref!("ftp://jan:secret@h/").userinfo().unwrap();
    /// assert_eq!(userinfo.user(), "jan");
    /// assert_eq!(userinfo.password().unwrap(), "secret");
    /// ```
    #[must_use]
    pub fn userinfo(self) -> Option<Userinfo<'a>> {
        self.authority()?.userinfo()
    }

    /// Returns the host, which may be empty, or `None` if there is no authority.
    ///
    /// ```
    /// assert_eq!(
    ///     locator::uri_ref!("http://example.com:80/").host().unwrap(),
    ///     "example.com"
    /// );
    /// assert_eq!(locator::uri_ref!("file:///etc/motd").host().unwrap(), "");
    /// assert!(locator::uri_ref!("mailto:jan@example.com").host().is_none());
    /// ```
    #[must_use]
    pub fn host(self) -> Option<Host<'a>> {
        self.authority().map(Authority::host)
    }

    /// Returns the port as it is written, or `None` if there is no ":" after the host.
    ///
    /// ```
    /// let port = locator::uri_ref!("http://h:8080/").port().unwrap();
    /// assert_eq!(port.number(), Some(8080));
    /// assert!(locator::uri_ref!("http://h/").port().is_none());
    /// ```
    #[must_use]
    pub fn port(self) -> Option<Port<'a>> {
        self.authority()?.port()
    }

    /// Returns the port as a number, or `None` without one or above 65535.
    #[must_use]
    pub fn port_u16(self) -> Option<u16> {
        self.port()?.number()
    }

    /// Returns the path, which is always there, though it may be empty.
    ///
    /// ```
    /// let path = locator::uri_ref!("http://h/a/b%20c").path();
    /// assert_eq!(path, "/a/b%20c");
    /// assert_eq!(path.segments().last().unwrap().name().decode_utf8()?, "b c");
    /// # Ok::<_, locator::CharsetError>(())
    /// ```
    #[must_use]
    pub fn path(self) -> Path<'a> {
        Path { text: self.component(Component::Path).unwrap_or_default(), edition: self.edition }
    }

    /// Returns the query without "?", or `None` if it is absent.
    #[must_use]
    pub fn query(self) -> Option<PctStr<'a>> {
        self.component(Component::Query).map(PctStr::checked)
    }

    /// Returns the fragment without "#", or `None` if it is absent.
    #[must_use]
    pub fn fragment(self) -> Option<PctStr<'a>> {
        self.component(Component::Fragment).map(PctStr::checked)
    }

    /// Returns the text of the host, with the brackets of an IPv6 address; `None` if there is no host or
    /// an empty one.
    ///
    /// ```
    /// use locator::uri_ref;
    ///
    /// assert_eq!(uri_ref!("//example.com/a").host_str(), Some("example.com"));
    /// assert_eq!(uri_ref!("http://[::1]:80/").host_str(), Some("[::1]"));
    /// assert_eq!(uri_ref!("file:///a").host_str(), None);
    /// ```
    #[must_use]
    pub const fn host_str(self) -> Option<&'a str> {
        match self.parts.get(Component::Host) {
            Some(Span { start, end }) if start < end => {
                let (before, _) = self.text.split_at(end as usize);
                Some(before.split_at(start as usize).1)
            }
            _ => None,
        }
    }

    /// Returns the text of the host if it is a name; `None` for an address, and if there is no host.
    ///
    /// ```
    /// use locator::uri_ref;
    ///
    /// assert_eq!(uri_ref!("//example.com/a").domain(), Some("example.com"));
    /// assert_eq!(uri_ref!("//127.0.0.1/a").domain(), None);
    /// assert_eq!(uri_ref!("/a").domain(), None);
    /// ```
    #[must_use]
    pub fn domain(self) -> Option<&'a str> {
        self.host_str().filter(|_| self.parts.host_kind() == HostKind::Name)
    }

    /// Returns the user before "@", percent-encoded; "" if there is no user.
    ///
    /// ```
    /// assert_eq!(locator::uri_ref!("ftp://a%40b:secret@h/").username(), "a%40b");
    /// assert_eq!(locator::uri_ref!("ftp://h/").username(), "");
    /// ```
    #[must_use]
    pub fn username(self) -> &'a str {
        self.userinfo().map_or("", |userinfo| userinfo.user().as_str())
    }

    /// Returns the password of the user information, percent-encoded; `None` if there is no ":".
    ///
    /// ```
    /// assert_eq!(locator::uri_ref!("ftp://jan:p%40ss@h/").password(), Some("p%40ss"));
    /// assert_eq!(locator::uri_ref!("ftp://jan@h/").password(), None);
    /// ```
    #[must_use]
    pub fn password(self) -> Option<&'a str> {
        self.userinfo()?.password().map(PctStr::as_str)
    }

    /// Returns the segments of the path as text, percent-encoded: those of [`Path::segments`].
    ///
    /// ```
    /// let segments: Vec<&str> = locator::uri_ref!("/a/b%20c/").path_segments().collect();
    /// assert_eq!(segments, ["a", "b%20c", ""]);
    /// ```
    pub fn path_segments(self) -> PathSegments<'a> {
        PathSegments::new(self.path())
    }

    /// Returns the path and the query with its "?".
    ///
    /// ```
    /// assert_eq!(locator::uri_ref!("http://h/a?q#f").path_and_query(), "/a?q");
    /// assert_eq!(locator::uri_ref!("http://h").path_and_query(), "");
    /// ```
    #[must_use]
    pub fn path_and_query(self) -> PctStr<'a> {
        PctStr::checked(&self.text[self.parts.path_start as usize..self.parts.query_end as usize])
    }

    /// Returns whether there is no scheme: whether this is a relative reference (RFC 3986, 4.2).
    ///
    /// ```
    /// assert!(locator::uri_ref!("../a").is_relative());
    /// assert!(locator::uri_ref!("//example.com/").is_relative());
    /// assert!(!locator::uri_ref!("http://example.com/").is_relative());
    /// ```
    #[must_use]
    pub const fn is_relative(self) -> bool {
        !self.has_scheme()
    }

    /// Returns whether there is a scheme. A fragment is allowed: `absolute-URI` of the grammar, which has
    /// none, is [`without_fragment`](Self::without_fragment).
    ///
    /// ```
    /// assert!(locator::uri_ref!("http://example.com/#top").is_absolute());
    /// assert!(!locator::uri_ref!("/a").is_absolute());
    /// ```
    #[must_use]
    pub const fn is_absolute(self) -> bool {
        self.has_scheme()
    }

    /// Returns whether there is a scheme: whether this is a URI.
    #[must_use]
    pub const fn has_scheme(self) -> bool {
        self.parts.scheme_end > self.parts.start as u32
    }

    /// Returns whether there is an authority, which may be empty.
    #[doc(alias = "has_host")]
    #[must_use]
    pub const fn has_authority(self) -> bool {
        self.parts.has_authority
    }

    /// Returns whether there is a query, which may be empty.
    #[must_use]
    pub const fn has_query(self) -> bool {
        self.parts.path_end < self.parts.query_end
    }

    /// Returns whether there is a fragment, which may be empty.
    #[must_use]
    pub const fn has_fragment(self) -> bool {
        self.parts.query_end < self.parts.len
    }

    /// Returns this reference up to "#".
    ///
    /// ```
    /// assert_eq!(locator::uri_ref!("/a?q#f").without_fragment(), "/a?q");
    /// ```
    #[doc(alias("strip_fragment", "to_absolute", "urldefrag"))]
    #[must_use]
    pub fn without_fragment(self) -> Self {
        let end = self.parts.query_end;
        Self { text: &self.text[..end as usize], parts: ComponentSpans { len: end, ..self.parts }, ..self }
    }

    /// Returns the text with its secrets hidden, as by [`Redacted`], also those of URLs in it. `Debug`
    /// shows it, too.
    ///
    /// If the authority is a registered name, whose parts the grammar does not define, everything in
    /// it that may be a password is hidden.
    ///
    /// ```
    /// let uri = locator::uri!("ftp://gisle:secret@host/");
    /// assert_eq!(uri.redacted().to_string(), "ftp://gisle:(hidden)@host/");
    /// assert_eq!(format!("{uri:?}"), "\"ftp://gisle:(hidden)@host/\"");
    ///
    /// let uri = locator::uri!("http://host/;jsessionid=1CE83F32EF497A20?code=US");
    /// assert_eq!(uri.redacted().to_string(), "http://host/;jsessionid=(hidden)?code=US");
    /// ```
    #[must_use]
    pub fn redacted(self) -> Redacted<'a> {
        if self.parts.host_kind() == HostKind::Registry {
            return Redacted::new(self.text);
        }
        let password = self.span(Component::Userinfo).and_then(|userinfo| {
            let colon = self.text.get(userinfo.clone())?.find(':')?;
            Some(userinfo.start + colon + 1..userinfo.end)
        });
        let authority = self.span(Component::Authority);
        Redacted::parsed(self.text, password, authority.map_or(0, |authority| authority.end))
    }

    /// Returns the text of a component with its position; `None` if it is absent.
    #[must_use]
    pub fn spanned(self, part: Component) -> Option<SpannedStr<'a>> {
        self.parts.get(part).map(|span| self.excerpt_of(span.range()))
    }

    /// Returns the text between two offsets, which must not split an escape.
    pub(crate) fn excerpt_of(self, range: Range<usize>) -> SpannedStr<'a> {
        SpannedStr::at(self.text.get(range.clone()).unwrap_or_default(), range.start)
    }

    /// Returns the text after the scheme's ":" and before "#", regardless of the generic syntax.
    #[cfg(feature = "schemes")]
    pub(crate) fn scheme_specific(self) -> SpannedStr<'a> {
        self.excerpt_of(self.parts.after_scheme() as usize..self.parts.query_end as usize)
    }

    /// Returns the kind of this reference.
    #[must_use]
    pub fn kind(self) -> ReferenceKind {
        let path = self.path().as_str();
        if self.has_scheme() {
            // hier-part = [ net-path / abs-path ] [ "?" query ] where nothing need follow a scheme
            // (2003, 3)
            let empty = path.is_empty() && self.edition.empty_after_scheme;
            let hierarchical = self.parts.has_authority || path.starts_with('/') || empty;
            return if self.edition.opaque && !hierarchical {
                ReferenceKind::Opaque
            } else {
                ReferenceKind::Uri
            };
        }
        match (self.parts.has_authority, path.as_bytes().first()) {
            (true, _) => ReferenceKind::NetworkPath,
            (false, Some(b'/')) => ReferenceKind::AbsolutePath,
            (false, Some(_)) => ReferenceKind::RelativePath,
            (false, None) if self.query().is_some() => ReferenceKind::Query,
            (false, None) if self.fragment().is_some() => ReferenceKind::Fragment,
            (false, None) => ReferenceKind::Empty,
        }
    }
}

impl Default for UriRef<'_> {
    /// Returns the empty reference of RFC 3986.
    fn default() -> Self {
        const { Self::literal("", &edition::RFC3986) }
    }
}

crate::as_text::named! {
    /// The kind of a reference, by what it begins with.
    ///
    /// ```
    /// use locator::{ReferenceKind, uri_ref};
    ///
    /// assert_eq!(uri_ref!("http://h/").kind(), ReferenceKind::Uri);
    /// assert_eq!(uri_ref!("//h/a").kind(), ReferenceKind::NetworkPath);
    /// assert_eq!(uri_ref!("/a").kind(), ReferenceKind::AbsolutePath);
    /// assert_eq!(uri_ref!("a?q").kind(), ReferenceKind::RelativePath);
    /// assert_eq!(uri_ref!("?q").kind(), ReferenceKind::Query);
    /// assert_eq!(uri_ref!("").kind(), ReferenceKind::Empty);
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ReferenceKind {
        /// A reference with a scheme.
        Uri = "uri",
        /// A reference with a scheme and a rest that does not begin with "/", in an edition whose
        /// grammar has a rule for that. Examples are `mailto:a@b` in RFC 2396 and in the draft of 2003,
        /// where `DAV:` has an empty path instead.
        Opaque = "opaque",
        /// A reference that begins with "//".
        NetworkPath = "network-path",
        /// A reference that begins with "/".
        AbsolutePath = "absolute-path",
        /// A reference that begins with a segment of a path.
        RelativePath = "relative-path",
        /// A reference that begins with "?".
        Query = "query",
        /// A reference that begins with "#".
        Fragment = "fragment",
        /// The empty text.
        Empty = "empty",
    }

    /// Returns the name of the kind in JSON.
    pub const fn name;
}
