//! What is wrong with a text, and where: a value that a program can use and a person can
//! act on.
//!
//! An [`Error`] is `Copy` and holds no text; its [`Drawing`] puts it under the text it is
//! about. The rule and the section come from the edition's own data.

mod drawing;
mod redacted;

pub use drawing::Drawing;
pub use redacted::Redacted;

use alloc::borrow::Cow;
use core::fmt::{self, Display, Formatter};

use crate::edition::{ALL, Edition, RFC3987, Rule};
use crate::part::{Part, Span};

/// Why a text is no reference of an edition: what, where, and by which rule.
///
/// ```
/// use locator::{ErrorKind, Part, UriRef};
///
/// let error = UriRef::parse("http://a/b|c").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Octet);
/// assert_eq!(error.part(), Part::Path);
/// assert_eq!(error.span().range(), 10..11);
/// assert_eq!(error.rule().name, "pchar");
/// assert_eq!(error.to_string(), "\"|\" may not stand in the path, at octet 10 (pchar, RFC 3986, 3.3)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    part: Part,
    span: Span,
    found: Found,
    rule: &'static Rule,
    edition: &'static Edition,
}

/// The kinds of things that can be wrong.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// An octet that the rule does not allow there.
    Octet,
    /// A "%" that is not followed by two hex digits.
    Escape,
    /// A scheme that begins with an octet that may stand in one, but not first.
    SchemeStart,
    /// There is no scheme, and the edition defines no reference without one.
    SchemeMissing,
    /// A ":" in the first segment of a path that no scheme stands before.
    ColonInFirstSegment,
    /// There is nothing after the scheme.
    NothingAfterScheme,
    /// A "@" with no user before it, where there must be one.
    UserEmpty,
    /// A ":" with no password after it, where there must be one.
    PasswordEmpty,
    /// No host where there must be one.
    HostEmpty,
    /// A host name of the wrong form: an empty label, one that begins or ends wrongly, one too long.
    HostName,
    /// Something in brackets that is no IPv6 address.
    Ipv6,
    /// A zone behind an IPv6 address that is not "%25" and a name.
    Zone,
    /// Something in brackets that begins with "v" but is no address of a later version.
    IpvFuture,
    /// A "[" without its "]".
    BracketOpen,
    /// A ":" with no port after it, where there must be one.
    PortEmpty,
    /// An empty word in a search.
    WordEmpty,
    /// Something that the scheme's rule asks for is not there.
    Missing,
    /// A user or a password that the edition or the scheme's rule has no place for.
    NotAllowed,
    /// The text is longer than 4,294,967,294 octets.
    TooLong,
    /// The octets are not UTF-8, so they are no text at all.
    NotUtf8,
    /// A character of data that the charset of the edition's escapes does not have.
    NotInCharset,
}

/// What stood where something else was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The text ended.
    End,
    /// A character.
    Char(char),
    /// An octet that is part of no UTF-8 character.
    Octet(u8),
    /// A character that is not shown, because it is part of a password: see [`Redacted`].
    Hidden,
}

impl Found {
    /// What stands at an index, decoded without `core::str`, which is not const.
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

impl Error {
    /// An error about octets `start` to `end` of `octets`.
    #[inline]
    pub(crate) const fn new(
        octets: &[u8],
        edition: &'static Edition,
        kind: ErrorKind,
        part: Part,
        (start, end): (usize, usize),
        rule: &'static Rule,
    ) -> Self {
        Self { kind, part, span: Span::new(start, end), found: Found::at(octets, start), rule, edition }
    }

    /// What is wrong.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The component it is in.
    pub const fn part(&self) -> Part {
        self.part
    }

    /// The octets it is about; empty where something is missing.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// What stands at the first of these octets.
    pub const fn found(&self) -> Found {
        self.found
    }

    /// The rule that it breaks, with its section.
    pub const fn rule(&self) -> &'static Rule {
        self.rule
    }

    /// The edition that has the rule.
    pub const fn edition(&self) -> &'static Edition {
        self.edition
    }

    /// The sentence alone, without place and rule.
    pub fn message(&self) -> impl Display {
        Message(*self)
    }

    /// Document and section: `RFC 3986, 3.3`.
    pub fn see(&self) -> impl Display {
        self.edition.cite(self.rule)
    }

    /// What to do about it, where something general can be said.
    pub fn advice(&self) -> Option<impl Display> {
        let advice = Advice(*self);
        advice.exists().then_some(advice)
    }

    /// The error under its text, with a caret; passwords are hidden.
    ///
    /// Who draws many errors of one text draws them by [`Redacted::draw`], which looks for passwords once.
    pub fn draw<'a>(&self, text: &'a str) -> Drawing<'a> {
        Drawing::new(*self, Cow::Owned(Redacted::new(text)))
    }

    fn word(&self) -> &'static str {
        self.edition.words.of(self.part)
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at octet {} ({}, {})", self.message(), self.span.start, self.rule.name, self.see())
    }
}

impl core::error::Error for Error {}

impl Display for Found {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::End => f.write_str("the end"),
            Self::Char(' ') => f.write_str("a space"),
            Self::Char('"') => f.write_str("'\"'"),
            Self::Char(c) if is_plain(c) => write!(f, "\"{c}\""),
            Self::Char(c) => write!(f, "U+{:04X}", u32::from(c)),
            Self::Octet(octet) => write!(f, "the octet {octet:02X}"),
            Self::Hidden => f.write_str("a character of the password"),
        }
    }
}

/// The sentence of an error.
struct Message(Error);

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(error) = self;
        let (found, word, expects) = (error.found, error.word(), error.rule.expects);
        match error.kind {
            ErrorKind::Octet => write!(f, "{found} may not stand in the {word}"),
            ErrorKind::Escape => write!(f, "\"%\" in the {word} is not followed by two hex digits"),
            ErrorKind::SchemeStart => write!(f, "{found} may not begin a scheme"),
            ErrorKind::SchemeMissing => {
                write!(f, "there is no scheme, and {} defines no relative references", error.edition.document)
            }
            ErrorKind::ColonInFirstSegment => {
                f.write_str("\":\" in the first segment of a path, and no scheme before it")
            }
            ErrorKind::NothingAfterScheme => f.write_str("nothing follows the scheme"),
            ErrorKind::UserEmpty => f.write_str("no user stands before \"@\""),
            ErrorKind::PasswordEmpty => f.write_str("no password stands after \":\""),
            ErrorKind::HostEmpty => write!(f, "there is no host where {found} stands"),
            ErrorKind::HostName => write!(f, "the host is {expects}, and {found} breaks its form"),
            ErrorKind::Ipv6 => write!(f, "{found} breaks the IPv6 address in brackets"),
            ErrorKind::Zone => write!(f, "{found} breaks the zone behind the IPv6 address"),
            ErrorKind::IpvFuture => {
                write!(f, "{found} breaks the address in brackets that begins with \"v\"")
            }
            ErrorKind::BracketOpen => f.write_str("\"[\" without its \"]\""),
            ErrorKind::PortEmpty => f.write_str("no port stands after \":\""),
            ErrorKind::WordEmpty => write!(f, "an empty word in the {word}"),
            ErrorKind::Missing if found == Found::End => write!(f, "expected {expects}, but the text ends"),
            ErrorKind::Missing => write!(f, "expected {expects}, but {found} stands there"),
            // The two are the same component: what begins with the ":" is the password.
            ErrorKind::NotAllowed if found == Found::Char(':') => {
                f.write_str("no password may stand before \"@\" here")
            }
            ErrorKind::NotAllowed => write!(f, "no {word} may stand before \"@\" here"),
            ErrorKind::TooLong => f.write_str("the text is longer than 4,294,967,294 octets"),
            ErrorKind::NotUtf8 => write!(f, "{found} is no UTF-8, so this is no text"),
            ErrorKind::NotInCharset => write!(
                f,
                "{found} has no code in {}, the charset of escapes in {}",
                error.edition.charset().name(),
                error.edition.document
            ),
        }
    }
}

/// What to do about an error.
struct Advice(Error);

impl Advice {
    fn exists(&self) -> bool {
        match self.0.kind {
            ErrorKind::Octet if self.0.found == Found::Hidden => false,
            ErrorKind::Octet => self.can_be_escaped() || self.is_of_iri_host(),
            ErrorKind::HostName => self.is_of_iri_host(),
            ErrorKind::Escape | ErrorKind::SchemeMissing | ErrorKind::ColonInFirstSegment => true,
            ErrorKind::SchemeStart => self.0.edition.relative,
            // Of what the address may be followed by, only the "%" is likely to be meant otherwise.
            ErrorKind::Zone => self.0.found == Found::Char('%'),
            _ => false,
        }
    }

    /// Whether the character may be written as an escape: the charset of the edition has it.
    fn can_be_escaped(&self) -> bool {
        let Error { found, rule, .. } = self.0;
        rule.expects.contains("escapes") && !matches!(found, Found::Char(c) if !self.has(c))
    }

    /// Whether the charset of the edition has the character.
    fn has(&self, c: char) -> bool {
        self.0.edition.charset().encode(c.encode_utf8(&mut [0; 4])).is_ok()
    }

    /// Writes the escapes of the character's octets in the charset of the edition.
    fn escape(&self, f: &mut Formatter<'_>, c: char) -> fmt::Result {
        let mut utf8 = [0; 4];
        let octets = self.0.edition.charset().encode(c.encode_utf8(&mut utf8)).unwrap_or_default();
        octets.iter().try_for_each(|octet| write!(f, "%{octet:02X}"))
    }

    /// Whether it is about a character of a host that the edition of IRIs allows there. An edition
    /// that allows names of other registries reports the authority as a whole.
    fn is_of_iri_host(&self) -> bool {
        let Error { part, found, edition, .. } = self.0;
        let is_character = |c: char| !c.is_ascii() && RFC3987.allows(Part::Host, c);
        matches!(part, Part::Host | Part::Authority)
            && !edition.is_international()
            && matches!(found, Found::Char(c) if is_character(c))
    }
}

impl Display for Advice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.0.kind, self.0.found) {
            (ErrorKind::Escape, _) => f.write_str("a \"%\" that is data is written %25"),
            (ErrorKind::Zone, _) => f.write_str("the \"%\" before a zone is written %25"),
            (ErrorKind::ColonInFirstSegment | ErrorKind::SchemeStart, _) => f.write_str(
                "a relative path with \":\" in its first segment is written with \"./\" before it",
            ),
            (ErrorKind::SchemeMissing, _) => {
                f.write_str("editions that define relative references:")?;
                for edition in ALL.into_iter().filter(|edition| edition.relative) {
                    write!(f, " {edition}")?;
                }
                Ok(())
            }
            (_, Found::Char(c)) if self.is_of_iri_host() => {
                f.write_str("a domain name is written in its ASCII form (locator convert --idna)")?;
                if self.0.part == Part::Authority && self.has(c) {
                    f.write_str(", a user ")?;
                    self.escape(f, c)?;
                }
                f.write_str("; as it stands it is an IRI's (-e rfc3987)")
            }
            (_, Found::Char(c)) => {
                f.write_str("as data it is written ")?;
                self.escape(f, c)
            }
            _ => Ok(()),
        }
    }
}

/// Whether a character shows itself on any terminal and moves nothing else. Only ASCII is
/// sure of that: there are characters of no width, of two columns, and ones that turn the line.
fn is_plain(c: char) -> bool {
    c.is_ascii_graphic()
}
