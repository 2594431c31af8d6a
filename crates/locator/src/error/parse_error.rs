//! The error of parsing as a value: its kind, its position, what was found and the rule.

use core::fmt::Display;
use core::ops::Range;

use super::found::Found;
use crate::edition::{Edition, Rule};
use crate::span::{Component, Span};

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
        let (span, found) = (Span::new(start, end), Found::at(octets, start));
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
