//! The error of parsing: what is wrong with a text, where, and which rule it breaks.
//!
//! A [`ParseError`] is `Copy` and contains no text. Its [`Report`] shows it below the text with
//! advice. The rule and the section come from the data of the edition.
//!
//! # The errors of this crate
//!
//! Every error implements [`core::error::Error`]. `span()` returns the bytes that it is about,
//! `citation()` the document and section of the rule that is broken. An error that is an enum is
//! its own kind: match on its variants. The structs have one kind each, except for those with
//! `kind()`.
//!
//! | error | `span()` is in | `citation()` |
//! |---|---|---|
//! | [`ParseError`], [`FromStringError`] (both have `kind()`) | the text | always |
//! | [`PctError`](crate::PctError) | the encoded text | always |
//! | [`CharsetError`](crate::CharsetError) | the decoded data | always |
//! | [`BuildError`](crate::BuildError) | the value, or the whole result | always |
//! | [`ResolveError`](crate::ResolveError) | the base or the reference: `is_in_base()` | if there is a rule |
//! | [`BaseError`](crate::BaseError) | the text of the candidate | if there is a rule |
//! | [`CompareError`](crate::CompareError) | no bytes: a reference as a whole | if there is a rule |
//! | [`IdnaError`](crate::IdnaError) | the reference | always |
//! | [`ConvertError`](crate::ConvertError) | the text, if that is not valid | if there is a rule |
//! | [`SyntaxError`](crate::plan::SyntaxError), [`PlanError`](crate::plan::PlanError) | the URL | if there is a rule |
//! | [`GatewayPlanError`](crate::plan::GatewayPlanError) | the URL, or the one that the gateway made | if there is a rule |
//! | [`TemplateError`](crate::plan::TemplateError) | the template | never: templates are of this crate |
//! | [`InputError`](crate::plan::InputError) | the input | never: the protocol is that of the message |
//! | [`PartError`](crate::scheme::PartError) | the URL or the value | if there is a rule |
//! | [`PathError`](crate::scheme::file::PathError) | `offset()` only: it does not know where a name ends | if there is a rule |
//! | [`ItemError`](crate::scheme::menu::ItemError) | `line()` only: a line as a whole | always |
//! | [`ItemUrlError`](crate::scheme::menu::ItemUrlError) | the value that is not valid | if there is a rule |
//! | [`UnknownEditionError`](crate::edition::UnknownEditionError), [`DuplicateSchemeError`](crate::scheme::DuplicateSchemeError), [`BufferTooLongError`](crate::bulk::BufferTooLongError) | none: a name or a buffer as a whole | never: no document has a rule |

mod drawing;
mod from_string;
mod redacted;

pub use drawing::Report;
pub use from_string::FromStringError;
pub use redacted::Redacted;

use alloc::borrow::Cow;
use core::fmt::{self, Display, Formatter};
use core::ops::Range;

#[doc(no_inline)]
pub use crate::edition::Rule;
use crate::edition::{ALL, Edition, RFC3987};
use crate::span::{Component, Span};

/// The reason why a text is not a valid reference in an edition: the error, its position and the
/// rule that it breaks.
///
/// ```
/// use locator::{ParseErrorKind, Component, UriRef};
///
/// let error = UriRef::parse("http://a/b|c").unwrap_err();
/// assert_eq!(error.kind(), ParseErrorKind::Octet);
/// assert_eq!(error.component(), Component::Path);
/// assert_eq!((error.span(), error.offset()), (10..11, 10));
/// assert_eq!(error.rule().name, "pchar");
/// assert_eq!(error.citation().to_string(), "RFC 3986, 3.3");
/// assert_eq!(error.to_string(), "\"|\" is not allowed in the path, at byte 10 (pchar, RFC 3986, 3.3)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParseError {
    kind: ParseErrorKind,
    part: Component,
    span: Span,
    found: Found,
    rule: &'static Rule,
    edition: &'static Edition,
}

/// The kinds of parse errors.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParseErrorKind {
    /// A byte that the rule does not allow there.
    Octet,
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

/// The character or byte found at the position of the error.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Found {
    /// The end of the text.
    End,
    /// A character.
    Char(char),
    /// A byte that is not part of a UTF-8 character.
    Octet(u8),
    /// A character that is hidden because it is part of a password: see [`Redacted`].
    Hidden,
}

impl Found {
    /// Returns the character or byte at an index. It is decoded without `core::str`, which is not
    /// const.
    #[inline]
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
            _ => return Found::Octet(first),
        };
        let mut i = 1;
        while i < length {
            if index + i >= octets.len() || octets[index + i] & 0xC0 != 0x80 {
                return Found::Octet(first);
            }
            code = code << 6 | (octets[index + i] & 0x3F) as u32;
            i += 1;
        }
        match char::from_u32(code) {
            Some(c) => Found::Char(c),
            None => Found::Octet(first),
        }
    }
}

impl ParseError {
    /// Creates an error about bytes `start` to `end` of `octets`.
    #[inline]
    pub(crate) const fn new(
        octets: &[u8],
        edition: &'static Edition,
        kind: ParseErrorKind,
        part: Component,
        (start, end): (usize, usize),
        rule: &'static Rule,
    ) -> Self {
        Self { kind, part, span: Span::new(start, end), found: Found::at(octets, start), rule, edition }
    }

    /// Returns the kind of the error.
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

    /// Returns the character or byte at the first of these bytes.
    pub const fn found(&self) -> Found {
        self.found
    }

    /// Returns the rule that the text breaks, with its section.
    pub const fn rule(&self) -> &'static Rule {
        self.rule
    }

    /// Returns the edition that defines the rule.
    pub const fn edition(&self) -> &'static Edition {
        self.edition
    }

    /// Returns the message alone, without position and rule.
    pub fn message(&self) -> impl Display {
        Message(*self)
    }

    /// Returns the document and section of the rule: `RFC 3986, 3.3`.
    #[must_use]
    pub fn citation(&self) -> impl Display {
        self.edition.cite(self.rule)
    }

    /// Returns advice on how to correct the text, if there is any.
    #[must_use]
    pub fn advice(&self) -> Option<impl Display> {
        let advice = Advice(*self);
        advice.exists().then_some(advice)
    }

    /// Returns a report for people: the error and its text with a caret below it. Passwords are
    /// hidden.
    ///
    /// To report several errors of one text use [`Redacted::report_each`], which looks for
    /// passwords once.
    pub fn report<'a>(&self, text: &'a str) -> Report<'a> {
        Report::new(*self, Cow::Owned(Redacted::new(text)))
    }

    fn word(&self) -> &'static str {
        self.edition.words.of(self.part)
    }
}

impl Display for ParseError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at byte {} ({}, {})", self.message(), self.offset(), self.rule.name, self.citation())
    }
}

impl core::error::Error for ParseError {}

impl Display for Found {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::End => f.write_str("the end of the text"),
            Self::Char(' ') => f.write_str("a space"),
            Self::Char('"') => f.write_str("'\"'"),
            Self::Char(c) if is_plain(c) => write!(f, "\"{c}\""),
            Self::Char(c) => write!(f, "U+{:04X}", u32::from(c)),
            Self::Octet(octet) => write!(f, "byte {octet:02X}"),
            Self::Hidden => f.write_str("a character of the password"),
        }
    }
}

/// The message of an error.
struct Message(ParseError);

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(error) = self;
        let (found, word, expects) = (error.found, error.word(), error.rule.expects);
        match error.kind {
            ParseErrorKind::Octet => write!(f, "{found} is not allowed in the {word}"),
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
struct Advice(ParseError);

impl Advice {
    fn exists(&self) -> bool {
        match self.0.kind {
            ParseErrorKind::Octet if self.0.found == Found::Hidden => false,
            ParseErrorKind::Octet => self.can_be_escaped() || self.is_of_iri_host(),
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
}

impl Display for Advice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.0.kind, self.0.found) {
            (ParseErrorKind::Escape, _) => f.write_str("to include \"%\" literally, write %25"),
            (ParseErrorKind::Zone, _) => f.write_str("write the \"%\" before a zone as %25"),
            (ParseErrorKind::ColonInFirstSegment | ParseErrorKind::SchemeStart, _) => {
                f.write_str("to write a relative path with \":\" in its first segment, put \"./\" before it")
            }
            (ParseErrorKind::SchemeMissing, _) => {
                f.write_str("editions that define relative references:")?;
                for edition in ALL.into_iter().filter(|edition| edition.relative) {
                    write!(f, " {edition}")?;
                }
                Ok(())
            }
            (_, Found::Char(c)) if self.is_of_iri_host() => {
                f.write_str("write a domain name in its ASCII form (locator convert --idna)")?;
                if self.0.part == Component::Authority && self.has(c) {
                    f.write_str(", a user as ")?;
                    self.escape(f, c)?;
                }
                f.write_str("; to read it as an IRI, use -e rfc3987")
            }
            (_, Found::Char(c)) => {
                f.write_str("to include it literally, write ")?;
                self.escape(f, c)
            }
            _ => Ok(()),
        }
    }
}

/// Returns whether a character is safe to print on any terminal. Only ASCII is: other characters
/// may have no width or two columns, or may reverse the line.
fn is_plain(c: char) -> bool {
    c.is_ascii_graphic()
}
