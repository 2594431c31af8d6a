//! The error of parsing as a value: its kind, its position, what was found and the rule.
//!
//! The character or byte at the position of an error.
//!
//! The sentences of a parse error: what is wrong, and how to correct it.

use crate::edition::{ALL, Edition, RFC3987, Rule};
use crate::span::{Component, Span};
use core::fmt::{self, Debug, Display, Formatter};
use core::ops::Range;

/// The reason why a text is not a valid reference in an edition: the error, its position and the
/// rule that it breaks.
///
/// ```
/// use locator::{Component, ParseErrorKind, UriRef};
///
/// let error = UriRef::parse("http://a/b|c").unwrap_err();
/// assert_eq!(error.kind(), ParseErrorKind::InvalidByte);
/// assert_eq!(error.component(), Component::Path);
/// assert_eq!((error.span(), error.offset()), (10..11, 10));
/// assert_eq!(error.rule().name, "pchar");
/// assert_eq!(error.citation().to_string(), "RFC 3986, 3.3");
/// assert_eq!(
///     error.to_string(),
///     "\"|\" is not allowed in the path, at byte 10 (pchar, RFC 3986, 3.3)"
/// );
/// ```
///
/// `Debug` is the same sentence, without the character if it is in a userinfo, so that a `main` that
/// returns the error prints it:
///
/// ```
/// # use locator::UriRef;
/// let error = UriRef::parse("http://u:p|w@h/").unwrap_err();
/// let shown = "a hidden character is not allowed in the userinfo, at byte 10 (userinfo, RFC 3986, 3.2.1)";
/// assert_eq!(format!("{error:?}"), shown);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParseError {
    pub(super) kind: ParseErrorKind,
    pub(super) part: Component,
    /// Whether the error is in a password that the edition divides from the user.
    pub(super) is_of_password: bool,
    pub(super) span: Span,
    pub(super) found: Found,
    pub(super) rule: &'static Rule,
    pub(super) edition: &'static Edition,
}

/// The kind of a [`ParseError`].
///
/// ```
/// use locator::ParseErrorKind::{
///     ColonInFirstSegment, Escape, Ipv6, SchemeMissing,
/// };
/// use locator::{ParseErrorKind, Uri, UriRef, edition::RFC1738};
///
/// let kind = |text| UriRef::parse(text).unwrap_err().kind();
/// assert_eq!(kind("/50%"), Escape);
/// assert_eq!(kind("1a:b"), ParseErrorKind::SchemeStart);
/// assert_eq!(kind("http://[::z]/"), Ipv6);
/// assert_eq!(
///     UriRef::parse_with("/a", &RFC1738).unwrap_err().kind(),
///     SchemeMissing
/// );
/// # let _ = (ColonInFirstSegment, Uri::parse("a"));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParseErrorKind {
    /// A byte that the rule does not allow there.
    InvalidByte,
    /// A "%" that is not followed by two hex digits.
    Escape,
    /// A scheme that begins with a byte that is allowed in a scheme, but not first.
    SchemeStart,
    /// A missing scheme in an edition that requires one.
    SchemeMissing,
    /// A ":" in the first segment of a path without a scheme.
    ColonInFirstSegment,
    /// An empty text after the scheme.
    NothingAfterScheme,
    /// An empty user before "@", where the edition requires one.
    UserEmpty,
    /// An empty password after ":", where the edition requires one.
    PasswordEmpty,
    /// An unescaped "@" in a user or a password, which ends the user information too early, or an
    /// unescaped ":" in a password of an edition that allows none.
    LoginDelimiter,
    /// An empty host, where the edition requires one.
    HostEmpty,
    /// A host name with an empty label, a label that is too long, or a label that begins or ends
    /// with the wrong character.
    HostName,
    /// Text in brackets that is not an IPv6 address.
    Ipv6,
    /// A zone after an IPv6 address that is not "%25" and a name.
    Zone,
    /// Text in brackets that begins with "v" but is not an address of a later version.
    IpvFuture,
    /// A "[" without its "]".
    BracketOpen,
    /// An empty port after ":", where the edition requires one.
    PortEmpty,
    /// An empty word in a search.
    WordEmpty,
    /// A missing element that the scheme's rule requires.
    Missing,
    /// A user or a password where the edition or the scheme's rule allows none.
    NotAllowed,
    /// A text longer than 4,294,967,294 bytes.
    TooLong,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// A character of data that is not in the charset of the edition's escapes.
    NotInCharset,
}

impl ParseError {
    /// Creates an error about a span of `octets`.
    #[inline]
    pub(crate) const fn new(
        octets: &[u8],
        edition: &'static Edition,
        kind: ParseErrorKind,
        part: Component,
        span: Span,
        rule: &'static Rule,
    ) -> Self {
        let found = Found::at(octets, span.start as usize);
        Self { kind, part, is_of_password: false, span, found, rule, edition }
    }

    /// Returns this error as one in the password, for an edition that divides it from the user.
    pub(crate) const fn as_of_password(self) -> Self {
        Self { is_of_password: true, ..self }
    }

    /// Returns the kind of the error.
    #[must_use]
    pub const fn kind(&self) -> ParseErrorKind {
        self.kind
    }

    /// Returns the component that the error is in.
    #[must_use]
    pub const fn component(&self) -> Component {
        self.part
    }

    /// Returns the byte at which the error begins, counted from 0: where its [`span`](Self::span)
    /// starts.
    #[doc(alias("position", "index"))]
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.span.start as usize
    }

    /// Returns the bytes that the error is about; empty where something is missing.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.span.range()
    }

    /// Returns the same bytes as other errors have them.
    pub(crate) const fn place(&self) -> Span {
        self.span
    }

    /// Returns the error with the kind and the rule of another one at its place. The component stays
    /// that of the generic grammar, unless the other error is that there is one.
    #[cfg(feature = "schemes")]
    pub(crate) const fn by(self, other: Self) -> Self {
        let is_there = matches!(other.kind, ParseErrorKind::NotAllowed);
        let part = if is_there { other.part } else { self.part };
        Self { kind: other.kind, part, rule: other.rule, ..self }
    }

    /// Returns the error with its span moved: that of a piece, in the text that contains the piece.
    pub(crate) const fn moved_by(self, bytes: isize) -> Self {
        let Span { start, end } = self.span;
        let (start, end) = (start as usize, end as usize);
        let span = Span::new(start.saturating_add_signed(bytes), end.saturating_add_signed(bytes));
        Self { span, ..self }
    }

    /// Returns the error with another span: that of the same bytes in another text.
    #[must_use]
    pub const fn moved_to(self, bytes: Range<usize>) -> Self {
        Self { span: Span::new(bytes.start, bytes.end), ..self }
    }

    /// Returns the character or byte at the first of these bytes.
    #[must_use]
    pub const fn found(&self) -> Found {
        self.found
    }

    /// Returns the rule that the text breaks, with its section.
    #[must_use]
    pub const fn rule(&self) -> &'static Rule {
        self.rule
    }

    /// Returns the edition that defines the rule.
    #[must_use]
    pub const fn edition(&self) -> &'static Edition {
        self.edition
    }

    /// Returns the document and section of the rule: `RFC 3986, 3.3`.
    #[must_use]
    pub fn citation(&self) -> impl Display {
        self.edition.cite(self.rule)
    }

    /// Returns the error without the character that it found. An unescaped delimiter is kept: without
    /// it nobody could correct the password.
    pub(super) const fn without_character(self) -> Self {
        match (self.kind, self.found) {
            (ParseErrorKind::LoginDelimiter, _) => self,
            (_, Found::Char(_) | Found::Byte(_)) => Self { found: Found::Hidden, ..self },
            _ => self,
        }
    }

    /// Returns whether the error is in a password that the edition divides from the user.
    #[cfg(feature = "schemes")]
    pub(crate) const fn is_of_password(&self) -> bool {
        self.is_of_password
    }

    /// Returns the word of the edition for the component, or "password".
    pub(super) fn word(&self) -> &'static str {
        if self.is_of_password {
            return "password";
        }
        self.edition.words.of(self.part)
    }
}

/// The character or byte found at the position of the error.
///
/// ```
/// use locator::{Found, UriRef};
///
/// assert_eq!(UriRef::parse("/a|b").unwrap_err().found(), Found::Char('|'));
/// assert_eq!(
///     UriRef::parse("/a%4").unwrap_err().to_string().find("the end"),
///     None
/// );
/// assert_eq!(Found::Char(' ').to_string(), "a space");
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Found {
    /// The end of the text.
    End,
    /// A character.
    Char(char),
    /// A byte that is not part of a UTF-8 character.
    Byte(u8),
    /// A character that is hidden because it is part of a password or a token: see
    /// [`Redacted`](crate::Redacted).
    Hidden,
}

impl Found {
    /// Returns the character or byte at an index. It is decoded without `core::str`, which is not
    /// const.
    #[inline(never)]
    pub(crate) const fn at(octets: &[u8], index: usize) -> Found {
        if index >= octets.len() {
            return Found::End;
        }
        let first = octets[index];
        if first.is_ascii() { Found::Char(first as char) } else { Found::beyond_ascii(octets, index) }
    }

    const fn beyond_ascii(octets: &[u8], index: usize) -> Found {
        let first = octets[index];
        let (length, mut code) = match first {
            0xC2..=0xDF => (2, first as u32 & 0x1F),
            0xE0..=0xEF => (3, first as u32 & 0x0F),
            0xF0..=0xF4 => (4, first as u32 & 0x07),
            _ => return Found::Byte(first),
        };
        let mut i = 1;
        while i < length {
            if index + i >= octets.len() || octets[index + i] & 0xC0 != 0x80 {
                return Found::Byte(first);
            }
            code = code << 6 | (octets[index + i] & 0x3F) as u32;
            i += 1;
        }
        match char::from_u32(code) {
            Some(c) => Found::Char(c),
            None => Found::Byte(first),
        }
    }
}

impl Display for Found {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::End => f.write_str("the end of the text"),
            Self::Char(' ') => f.write_str("a space"),
            Self::Char('"') => f.write_str("'\"'"),
            Self::Char(c) if is_plain(c) => write!(f, "\"{c}\""),
            Self::Char(c) => write!(f, "U+{:04X}", u32::from(c)),
            Self::Byte(octet) => write!(f, "byte {octet:02X}"),
            Self::Hidden => f.write_str("a hidden character"),
        }
    }
}

/// Returns whether a character is safe to print on any terminal. Only ASCII is: other characters
/// may have no width or two columns, or may reverse the line.
pub(super) fn is_plain(c: char) -> bool {
    c.is_ascii_graphic()
}

impl ParseError {
    /// Returns the message alone, without position and rule.
    #[must_use]
    pub fn message(&self) -> impl Display {
        ParseMessage(*self)
    }

    /// Returns advice on how to correct the text, if there is any.
    #[must_use]
    pub fn advice(&self) -> Option<impl Display> {
        let advice = ParseAdvice(*self);
        advice.exists().then_some(advice)
    }
}

impl Display for ParseError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at byte {} ({}, {})", self.message(), self.offset(), self.rule.name, self.citation())
    }
}

/// Writes the sentence without the character that was found in a userinfo, which may be one of a
/// password.
impl Debug for ParseError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let error = if self.part == Component::Userinfo { self.without_character() } else { *self };
        Display::fmt(&error, f)
    }
}

impl core::error::Error for ParseError {}

/// The message of an error.
struct ParseMessage(ParseError);

impl Display for ParseMessage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(error) = self;
        let (found, word, expects) = (error.found, error.word(), error.rule.expects);
        match error.kind {
            ParseErrorKind::InvalidByte => write!(f, "{found} is not allowed in the {word}"),
            ParseErrorKind::Escape => write!(f, "\"%\" in the {word} is not followed by two hex digits"),
            ParseErrorKind::SchemeStart => write!(f, "a scheme cannot begin with {found}"),
            ParseErrorKind::SchemeMissing => {
                write!(f, "there is no scheme, and {} defines no relative references", error.edition.document)
            }
            ParseErrorKind::ColonInFirstSegment => {
                f.write_str("\":\" is not allowed in the first segment of a path without a scheme")
            }
            ParseErrorKind::NothingAfterScheme => f.write_str("nothing follows the scheme"),
            ParseErrorKind::UserEmpty => f.write_str("the user before \"@\" is empty"),
            ParseErrorKind::PasswordEmpty => f.write_str("the password after \":\" is empty"),
            ParseErrorKind::LoginDelimiter => {
                let word = if error.is_of_password { word } else { "user or the password" };
                write!(f, "the {word} contains an unescaped {found}")
            }
            ParseErrorKind::HostEmpty => write!(f, "expected a host, found {found}"),
            ParseErrorKind::HostName => write!(f, "the host is not {expects}: unexpected {found}"),
            ParseErrorKind::Ipv6 => write!(f, "invalid IPv6 address: unexpected {found}"),
            ParseErrorKind::Zone => write!(f, "invalid zone after the IPv6 address: unexpected {found}"),
            ParseErrorKind::IpvFuture => {
                write!(f, "invalid address in brackets after \"v\": unexpected {found}")
            }
            ParseErrorKind::BracketOpen => f.write_str("\"[\" has no matching \"]\""),
            ParseErrorKind::PortEmpty => f.write_str("the port after \":\" is empty"),
            ParseErrorKind::WordEmpty => write!(f, "the {word} contains an empty word"),
            ParseErrorKind::Missing => write!(f, "expected {expects}, found {found}"),
            // The user and the password are one component: text that begins with ":" is the
            // password.
            ParseErrorKind::NotAllowed if found == Found::Char(':') => {
                f.write_str("no password is allowed before \"@\" here")
            }
            ParseErrorKind::NotAllowed => write!(f, "no {word} is allowed before \"@\" here"),
            ParseErrorKind::TooLong => f.write_str("the text is longer than 4,294,967,294 bytes"),
            ParseErrorKind::NotUtf8 => write!(f, "invalid UTF-8: {found}"),
            ParseErrorKind::NotInCharset => write!(
                f,
                "{found} is not in {}, the charset of escapes in {}",
                error.edition.charset().name(),
                error.edition.document
            ),
        }
    }
}

/// The advice on an error.
struct ParseAdvice(ParseError);

impl ParseAdvice {
    fn exists(&self) -> bool {
        match self.0.kind {
            ParseErrorKind::InvalidByte if self.0.found == Found::Hidden => false,
            ParseErrorKind::LoginDelimiter => self.can_be_escaped(),
            ParseErrorKind::InvalidByte => {
                self.can_be_escaped() || self.is_of_iri_host() || self.is_before_colon()
            }
            ParseErrorKind::HostName => self.is_of_iri_host(),
            ParseErrorKind::Escape | ParseErrorKind::SchemeMissing | ParseErrorKind::ColonInFirstSegment => {
                true
            }
            ParseErrorKind::SchemeStart => self.0.edition.relative,
            // Only a "%" after the address is likely to be intended as something else.
            ParseErrorKind::Zone => self.0.found == Found::Char('%'),
            _ => false,
        }
    }

    /// Returns whether the character can be escaped, because the charset of the edition contains
    /// it.
    fn can_be_escaped(&self) -> bool {
        let ParseError { found, rule, .. } = self.0;
        rule.expects.contains("escapes") && !matches!(found, Found::Char(c) if !self.has(c))
    }

    /// Returns whether the charset of the edition contains the character.
    fn has(&self, c: char) -> bool {
        self.0.edition.charset().encode(c.encode_utf8(&mut [0; 4])).is_ok()
    }

    /// Writes the escapes of the character's octets in the charset of the edition.
    fn escape(&self, f: &mut Formatter<'_>, c: char) -> fmt::Result {
        let mut utf8 = [0; 4];
        let octets = self.0.edition.charset().encode(c.encode_utf8(&mut utf8)).unwrap_or_default();
        octets.iter().try_for_each(|octet| write!(f, "%{octet:02X}"))
    }

    /// Returns whether the error is about a character of a host that RFC 3987 allows there. An
    /// edition that allows registry names reports the authority as a whole.
    fn is_of_iri_host(&self) -> bool {
        let ParseError { part, found, edition, .. } = self.0;
        let is_character = |c: char| !c.is_ascii() && RFC3987.allows(Component::Host, c);
        matches!(part, Component::Host | Component::Authority)
            && !edition.is_international()
            && matches!(found, Found::Char(c) if is_character(c))
    }

    /// Returns whether a character of a host could be escaped: programs that decode the escape find a
    /// name that no host has, or refuse it.
    fn is_of_host_name(&self) -> bool {
        self.0.part == Component::Host && self.can_be_escaped()
    }

    /// Writes what to do with a character of a host that can be escaped.
    fn write_host_name(f: &mut Formatter<'_>, found: Found) -> fmt::Result {
        match found {
            Found::Char('\\') => f.write_str("write \"/\"; no host name contains \"\\\""),
            found => write!(f, "remove it; no host name contains {found}"),
        }
    }

    /// Returns whether the error is in the text before the first ":", which may be meant as the first
    /// segment of a relative path.
    fn is_before_colon(&self) -> bool {
        self.0.part == Component::Scheme && self.0.edition.relative
    }

    /// Writes how a relative path can contain the ":".
    fn write_colon(f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("to write a relative path with \":\" in its first segment, put \"./\" before it")
    }
}

impl Display for ParseAdvice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.0.kind, self.0.found) {
            (ParseErrorKind::Escape, _) if self.0.part == Component::Host => {
                f.write_str("remove it; no host name contains \"%\"")
            }
            (ParseErrorKind::Escape, _) => f.write_str("to include \"%\" literally, write %25"),
            (ParseErrorKind::Zone, _) => f.write_str("write the \"%\" before a zone as %25"),
            (ParseErrorKind::InvalidByte, _) if self.is_before_colon() && !self.can_be_escaped() => {
                Self::write_colon(f)
            }
            (ParseErrorKind::ColonInFirstSegment | ParseErrorKind::SchemeStart, _) => Self::write_colon(f),
            (ParseErrorKind::SchemeMissing, _) => {
                f.write_str("editions that define relative references:")?;
                for edition in ALL.into_iter().filter(|edition| edition.relative) {
                    write!(f, " {edition}")?;
                }
                Ok(())
            }
            (_, Found::Char(c)) if self.is_of_iri_host() => {
                f.write_str("write a domain name in its ASCII form (xn--...)")?;
                let is_any = core::ptr::eq(self.0.rule, self.0.edition.rules.authority);
                if self.0.part == Component::Authority && is_any && self.has(c) {
                    f.write_str(", a user as ")?;
                    self.escape(f, c)?;
                }
                f.write_str("; to read it as an IRI, use the edition rfc3987")
            }
            (_, found @ Found::Char(_)) if self.is_of_host_name() => Self::write_host_name(f, found),
            (_, Found::Char(c)) => {
                f.write_str("to include it literally, write ")?;
                self.escape(f, c)
            }
            _ => Ok(()),
        }
    }
}
