//! Protocols as values: how their lines are divided and ended, how their replies are framed, and
//! what their common replies mean.

use super::reply::{Meaning, On};
use crate::simd::AsciiSet;

/// A protocol: the syntax of its lines, and of the replies to them.
///
/// A scheme of the caller defines its own:
///
/// ```
/// use locator::plan::{Meaning, On, Protocol, ReplyFraming};
/// use locator::scheme::AsciiSet;
///
/// static DICT: Protocol = Protocol {
///     name: "DICT",
///     delimiters: AsciiSet::of(b" \t\"\\"),
///     line_end: b"\r\n",
///     citation: "RFC 2229, 2",
///     replies: ReplyFraming::Line,
///     meanings: &[
///         (On::Code(420), Meaning::Busy),
///         (On::Code(552), Meaning::Missing),
///     ],
/// };
/// assert_eq!(DICT.meaning(552), Meaning::Missing);
/// assert_eq!(DICT.meaning(501), Meaning::Refused);
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Protocol {
    /// The name of the protocol: `FTP`.
    pub name: &'static str,
    /// The delimiters of words in a line. CR, LF and NUL are never allowed in a line.
    pub delimiters: AsciiSet,
    /// The octets that end a line.
    pub line_end: &'static [u8],
    /// The document and section of the rule: `RFC 959, 5.3.1`.
    pub citation: &'static str,
    /// How a reply is divided from what follows it.
    pub replies: ReplyFraming,
    /// The meanings of replies that no exchange lists, at every step: `421` of FTP.
    pub meanings: &'static [(On, Meaning)],
}

impl Protocol {
    /// Returns the meaning of a reply that an exchange does not list.
    ///
    /// It is that of the protocol, or else of the first digit: 4 is a temporary failure, 5 a
    /// permanent one.
    #[must_use]
    pub fn meaning(&self, code: u16) -> Meaning {
        let listed = self.meanings.iter().filter(|(on, _)| on.fits(code, ""));
        match listed.max_by_key(|(on, _)| on.exactness()) {
            Some(&(_, meaning)) => meaning,
            None => Meaning::of_class(u8::try_from(code / 100).unwrap_or(u8::MAX)),
        }
    }
}

crate::as_text::named! {
    /// How the replies of a protocol are divided from what follows them.
    ///
    /// ```
    /// use locator::plan::{Options, ReplyFraming, Step};
    /// use locator::{Uri, scheme, uri};
    ///
    /// let framing = |uri: Uri<'_>| {
    ///     let plan = scheme::plan(uri, &Options::new()).ok()?;
    ///     plan.steps().find_map(|step| match step {
    ///         Step::Connect(to) => Some(to.protocol.replies),
    ///         _ => None,
    ///     })
    /// };
    /// assert_eq!(framing(uri!("ftp://h/a")), Some(ReplyFraming::Lines));
    /// assert_eq!(framing(uri!("nntp://h/g/1")), Some(ReplyFraming::Line));
    /// assert_eq!(framing(uri!("gopher://h/0a")), Some(ReplyFraming::None));
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ReplyFraming {
        /// The server sends no replies, only objects.
        None = "none",
        /// A line that begins with a code of three digits (RFC 3977, 3.1).
        Line = "line",
        /// Like `Line`, where a "-" after the code begins a reply of several lines, which a line
        /// with the same code and a space ends (RFC 959, 4.2).
        Lines = "lines",
        /// A status line with a code of three digits, and header fields up to an empty line
        /// (RFC 9112, 2.1).
        Head = "head",
        /// A packet with a header of 25 octets, which contains its length (WAIS). The code of an
        /// InitResponse is its result: 1 is accepted.
        Packets = "packets",
        /// Datagrams with numbers, which together are a text (ARDP). It has no code.
        Datagrams = "datagrams",
    }

    /// Returns the name of this framing in JSON.
    pub const fn name;
}
