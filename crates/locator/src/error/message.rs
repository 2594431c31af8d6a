//! The sentences of a parse error: what is wrong, and how to correct it.

use core::fmt::{self, Debug, Display, Formatter};

use super::found::Found;
use super::parse_error::{ParseError, ParseErrorKind};
use crate::edition::{ALL, RFC3987};
use crate::span::Component;

impl ParseError {
    /// Returns the message alone, without position and rule.
    #[must_use]
    pub fn message(&self) -> impl Display {
        Message(*self)
    }

    /// Returns advice on how to correct the text, if there is any.
    #[must_use]
    pub fn advice(&self) -> Option<impl Display> {
        let advice = Advice(*self);
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
struct Message(ParseError);

impl Display for Message {
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
struct Advice(ParseError);

impl Advice {
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

impl Display for Advice {
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
