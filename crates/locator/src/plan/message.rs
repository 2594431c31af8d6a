//! Lines and packets: takes words of a protocol and parts of a URL, returns a message, or the octet
//! that is not allowed and its position in the URL. Only this module makes messages, so every
//! scheme must pass its checks.
//!
//! "Care should be taken when URLs contain embedded encoded delimiters for a given protocol (for
//! example, CR and LF characters for telnet protocols) that these are not unencoded before
//! transmission. This would violate the protocol but could be used to simulate an extra operation
//! or parameter" (RFC 1738, 6).
//!
//! Packets of protocols that count octets: every field of a URL is preceded by its length, so that
//! none of its octets can be another field.

use super::error::PlanError;
use super::reply::Protocol;
use super::text::{Fresh, Prompt};
use super::text::{Secret, Shown, ShownPacket, without_secrets};
use crate::as_text::{error_as_sentence, iterator};
use crate::component::SpannedStr;
use crate::form::block_error;
use crate::pct::hex_digit;
use crate::simd::AsciiSet;
use crate::span::Span;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Debug, Display, Formatter, Write as _};
use core::iter::FilterMap;
use core::ops::Range;
use core::slice;

impl Protocol {
    /// Decodes a part of the URL for a protocol value outside a line. `place` is its name in the
    /// protocol, "the message identifier".
    ///
    /// # Errors
    ///
    /// The part contains an octet that would end the value in the protocol.
    pub fn bytes_of(
        &'static self,
        place: &'static str,
        excerpt: SpannedStr<'_>,
    ) -> Result<Vec<u8>, PlanError> {
        self.check(place, excerpt, self.delimiters)?;
        Ok(excerpt.decode().into_owned())
    }

    /// Decodes a text whose lines end in CR LF. A single CR or LF and NUL are not allowed.
    ///
    /// # Errors
    ///
    /// The text contains one of these octets.
    pub fn text_of(
        &'static self,
        place: &'static str,
        excerpt: SpannedStr<'_>,
    ) -> Result<Vec<u8>, PlanError> {
        let octets: Vec<_> = excerpt.octets().collect();
        let at = |i: usize| octets.get(i).map(|one| one.0);
        let wrong = |&(i, &(octet, _)): &(usize, &(u8, Span))| match octet {
            b'\r' => at(i + 1) != Some(b'\n'),
            b'\n' => i == 0 || at(i - 1) != Some(b'\r'),
            _ => octet == 0,
        };
        match octets.iter().enumerate().find(wrong) {
            Some((_, &(octet, span))) => Err(self.error(place, octet, span)),
            None => Ok(octets.iter().map(|one| one.0).collect()),
        }
    }

    fn check(
        &self,
        place: &'static str,
        excerpt: SpannedStr<'_>,
        delimiters: AsciiSet,
    ) -> Result<(), PlanError> {
        let wrong = excerpt.octets().find(|&(octet, _)| ends_or_divides(octet, delimiters));
        wrong.map_or(Ok(()), |(octet, span)| Err(self.error(place, octet, span)))
    }

    const fn error(&self, place: &'static str, octet: u8, span: Span) -> PlanError {
        PlanError::Byte { byte: octet, span, place, protocol: self.name, citation: self.citation }
    }
}

/// A builder of one line of a message.
///
/// Each method checks what it appends: a part of a URL cannot contain a delimiter of the protocol, or the
/// end of the line. So no URL can add a command.
///
/// ```
/// use locator::plan::{Line, PlanError, Protocol, ReplyFraming};
/// use locator::scheme::AsciiSet;
/// use locator::{Component, uri};
///
/// static FINGER: Protocol = Protocol {
///     name: "finger",
///     delimiters: AsciiSet::EMPTY,
///     line_end: b"\r\n",
///     citation: "RFC 1288, 2.3",
///     replies: ReplyFraming::None,
///     meanings: &[],
/// };
///
/// let uri = uri!("finger:jan%20b");
/// let user = uri.spanned(Component::Path).unwrap();
/// let line = Line::new(&FINGER, "/W ").excerpt("the user", user)?.end();
/// assert_eq!(line.to_bytes(), b"/W jan b\r\n");
///
/// let uri = uri!("finger:jan%0D%0Aroot");
/// let user = uri.spanned(Component::Path).unwrap();
/// let error = Line::new(&FINGER, "").excerpt("the user", user).unwrap_err();
/// assert!(matches!(error, PlanError::Byte { byte: b'\r', .. }));
/// # Ok::<_, PlanError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a line that is not ended is not sent"]
pub struct Line {
    pub(super) protocol: &'static Protocol,
    pub(super) pieces: Vec<MessagePiece>,
}

impl Line {
    /// Creates a line that begins with a word of the protocol, or with nothing.
    pub fn new(protocol: &'static Protocol, word: &'static str) -> Self {
        Self { protocol, pieces: [MessagePiece::Bytes(word.as_bytes().into())].into() }
    }

    /// Appends a word of the protocol.
    pub fn word(mut self, word: &'static str) -> Self {
        self.push(word.as_bytes());
        self
    }

    /// Appends a decoded part of the URL; `place` is its name in the protocol, "the selector".
    ///
    /// # Errors
    ///
    /// The part contains an octet that would end the value in the protocol.
    pub fn excerpt(self, place: &'static str, excerpt: SpannedStr<'_>) -> Result<Self, PlanError> {
        let delimiters = self.protocol.delimiters;
        self.excerpt_without(place, excerpt, delimiters)
    }

    /// Appends a decoded part of the URL, with other delimiters than the protocol's.
    ///
    /// # Errors
    ///
    /// The part contains one of these octets, CR, LF or NUL.
    pub fn excerpt_without(
        mut self,
        place: &'static str,
        excerpt: SpannedStr<'_>,
        delimiters: AsciiSet,
    ) -> Result<Self, PlanError> {
        self.protocol.check(place, excerpt, delimiters)?;
        self.push(&excerpt.decode());
        Ok(self)
    }

    /// Appends a part of the URL in encoded form, for protocols that use the same encoding.
    ///
    /// # Errors
    ///
    /// The part contains an octet that would end the value in the protocol.
    pub fn escaped(mut self, place: &'static str, excerpt: SpannedStr<'_>) -> Result<Self, PlanError> {
        let wrong = |octet: u8| ends_or_divides(octet, self.protocol.delimiters);
        if let Some(index) = excerpt.as_str().bytes().position(wrong) {
            let one = excerpt.split_at(index, 0).and_then(|(_, rest)| rest.octets().next());
            if let Some((octet, span)) = one {
                return Err(self.protocol.error(place, octet, span));
            }
        }
        // An edition that allows non-ASCII references also has a percent-encoding for them.
        let mut text = Vec::with_capacity(excerpt.as_str().len());
        for octet in excerpt.as_str().bytes() {
            match octet {
                0..=0x7F => text.push(octet),
                _ => text.extend([b'%', hex_digit(octet >> 4), hex_digit(octet & 15)]),
            }
        }
        self.push(&text);
        Ok(self)
    }

    /// Appends a decoded part of the URL as one word. It is quoted with "'" if an octet is not a
    /// plain one; each "'" in it is doubled.
    ///
    /// ```
    /// use locator::plan::{Line, Protocol, ReplyFraming};
    /// use locator::scheme::AsciiSet;
    /// use locator::{Component, uri};
    ///
    /// static PROSPERO: Protocol = Protocol {
    ///     name: "Prospero",
    ///     delimiters: AsciiSet::of(b"\r\n\0"),
    ///     line_end: b"\n",
    ///     citation: "Prospero protocol, 3",
    ///     replies: ReplyFraming::None,
    ///     meanings: &[],
    /// };
    ///
    /// let plain = AsciiSet::ALPHA;
    /// let quoted = |uri: locator::Uri<'_>| {
    ///     let name = uri.spanned(Component::Path).unwrap();
    ///     let line = Line::new(&PROSPERO, "").quoted("the name", name, plain)?;
    ///     Ok::<_, locator::plan::PlanError>(line.end().to_bytes())
    /// };
    /// assert_eq!(quoted(uri!("x:name"))?, b"name\n");
    /// assert_eq!(quoted(uri!("x:jan's%20name"))?, b"'jan''s name'\n");
    /// # Ok::<_, locator::plan::PlanError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The part contains CR, LF or NUL, quoted or not.
    pub fn quoted(
        mut self,
        place: &'static str,
        excerpt: SpannedStr<'_>,
        plain: AsciiSet,
    ) -> Result<Self, PlanError> {
        self.protocol.check(place, excerpt, AsciiSet::EMPTY)?;
        let octets = excerpt.decode();
        if !octets.is_empty() && octets.iter().all(|&octet| plain.contains(octet)) {
            self.push(&octets);
            return Ok(self);
        }
        self.push(b"'");
        for (i, part) in octets.split(|&octet| octet == b'\'').enumerate() {
            self.push(if i == 0 { b"" } else { b"''" });
            self.push(part);
        }
        self.push(b"'");
        Ok(self)
    }

    /// Appends a configured value, or a word that a program makes; `option` is the name of its option,
    /// or what it is.
    ///
    /// # Errors
    ///
    /// The value contains an octet that would end it in the protocol.
    pub fn option(mut self, option: &'static str, value: &str) -> Result<Self, PlanError> {
        if let Some(octet) = value.bytes().find(|&octet| ends_or_divides(octet, self.protocol.delimiters)) {
            return Err(PlanError::Option { option, byte: octet });
        }
        self.push(value.as_bytes());
        Ok(self)
    }

    /// Appends a decoded part of the URL in which each of these octets is written twice.
    ///
    /// # Errors
    ///
    /// The part contains an octet that would end the value in the protocol.
    pub fn doubled(
        mut self,
        place: &'static str,
        excerpt: SpannedStr<'_>,
        doubled: u8,
    ) -> Result<Self, PlanError> {
        self.protocol.check(place, excerpt, self.protocol.delimiters)?;
        for &octet in excerpt.decode().iter() {
            self.push(&[octet, doubled][..1 + usize::from(octet == doubled)]);
        }
        Ok(self)
    }

    /// Appends a decoded part of the URL in which an escape precedes each of these octets, as in a
    /// quoted string: `\"`.
    ///
    /// # Errors
    ///
    /// The part contains CR, LF or NUL, escaped or not.
    pub fn with_escapes(
        mut self,
        place: &'static str,
        excerpt: SpannedStr<'_>,
        escape: u8,
        escaped: AsciiSet,
    ) -> Result<Self, PlanError> {
        self.protocol.check(place, excerpt, AsciiSet::EMPTY)?;
        for &octet in excerpt.decode().iter() {
            let pair = [escape, octet];
            self.push(&pair[usize::from(!escaped.contains(octet))..]);
        }
        Ok(self)
    }

    /// Appends a decoded part of the URL that is not shown.
    ///
    /// # Errors
    ///
    /// The part contains an octet that would end the value in the protocol.
    pub fn secret(mut self, place: &'static str, excerpt: SpannedStr<'_>) -> Result<Self, PlanError> {
        self.protocol.check(place, excerpt, self.protocol.delimiters)?;
        self.pieces.push(MessagePiece::Secret(Secret::new(excerpt.decode().into_owned())));
        Ok(self)
    }

    /// Appends a part of the URL in encoded form that is not shown.
    ///
    /// # Errors
    ///
    /// The part contains an octet that would end the value in the protocol.
    pub fn escaped_secret(mut self, place: &'static str, excerpt: SpannedStr<'_>) -> Result<Self, PlanError> {
        let written = Self::new(self.protocol, "").escaped(place, excerpt)?;
        let octets = written.pieces.into_iter().flat_map(|piece| match piece {
            MessagePiece::Bytes(octets) => octets,
            _ => Vec::new(),
        });
        self.pieces.push(MessagePiece::Secret(Secret::new(octets.collect::<Vec<_>>())));
        Ok(self)
    }

    /// Appends a part of the URL in encoded form, in which these ranges of the URL are not shown.
    ///
    /// # Errors
    ///
    /// The part contains an octet that would end the value in the protocol.
    pub(crate) fn escaped_with_secrets(
        mut self,
        place: &'static str,
        excerpt: SpannedStr<'_>,
        secrets: &[Range<usize>],
    ) -> Result<Self, PlanError> {
        let mut rest = excerpt;
        for secret in secrets {
            let length = |part: SpannedStr<'_>, to: usize| to.saturating_sub(part.span().start);
            let Some((before, after)) = rest.split_at(length(rest, secret.start), 0) else { break };
            let Some((hidden, after)) = after.split_at(length(after, secret.end), 0) else { break };
            self = self.escaped(place, before)?;
            if !hidden.is_empty() {
                self = self.escaped_secret(place, hidden)?;
            }
            rest = after;
        }
        self.escaped(place, rest)
    }

    /// Appends the input for a prompt, which is known when the line is sent.
    pub fn answer(mut self, question: Prompt) -> Self {
        self.pieces.push(MessagePiece::Answer(question));
        self
    }

    /// Appends a value that is made when the line is sent.
    pub fn fresh(mut self, fresh: Fresh) -> Self {
        self.pieces.push(MessagePiece::Fresh(fresh));
        self
    }

    /// Ends the line and returns it as a message.
    pub fn end(mut self) -> Message {
        self.push(self.protocol.line_end);
        Message { pieces: self.pieces, delimiters: self.protocol.delimiters, lines: 1, is_packet: false }
    }

    fn push(&mut self, octets: &[u8]) {
        push(&mut self.pieces, octets);
    }
}

/// A message that is sent at once: lines, a line and a block, or a packet.
///
/// A message is made by [`Line`] or [`Packet`]. [`shown`](Self::shown) and `Display` of a
/// plan hide its secrets; [`to_bytes`](Self::to_bytes) and [`with_input`](Self::with_input) do not.
///
/// ```
/// use locator::plan::{Options, Step};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("gopher://h/0a.txt"), &Options::new())?;
/// let message = plan.steps().find_map(Step::message).unwrap();
/// assert_eq!(message.shown(), "a.txt");
/// assert_eq!(message.to_bytes(), b"a.txt\r\n");
/// assert_eq!((message.lines(), message.is_packet()), (1, false));
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pieces: Vec<MessagePiece>,
    delimiters: AsciiSet,
    /// The number of lines; 0 if the message contains octets outside lines.
    lines: usize,
    is_packet: bool,
}

/// A piece of a message. `Debug` shows octets as text, and hides secrets.
///
/// ```
/// use locator::plan::{MessagePiece, Options, Prompt, Step};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("gopher://h/7find"), &Options::new())?;
/// let message = plan.steps().find_map(Step::message).unwrap();
/// assert_eq!(message.pieces(), [
///     MessagePiece::Bytes(b"find\t".to_vec()),
///     MessagePiece::Answer(Prompt::Search),
///     MessagePiece::Bytes(b"\r\n".to_vec()),
/// ]);
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub enum MessagePiece {
    /// Literal octets.
    Bytes(Vec<u8>),
    /// Octets that are not shown.
    Secret(Secret),
    /// The input for a prompt.
    Answer(Prompt),
    /// A value that is made when the message is sent.
    Fresh(Fresh),
}

impl Debug for MessagePiece {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(octets) => write!(f, "Bytes(\"{}\")", octets.escape_ascii()),
            Self::Secret(secret) => f.debug_tuple("Secret").field(secret).finish(),
            Self::Answer(prompt) => f.debug_tuple("Answer").field(prompt).finish(),
            Self::Fresh(fresh) => f.debug_tuple("Fresh").field(fresh).finish(),
        }
    }
}

/// A gap in a message, which is filled when the message is sent.
///
/// [`Message::with_input`] calls its closure with each hole, in order, for the octets that belong there.
///
/// ```
/// use locator::plan::{Hole, Options, Prompt, Step};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("gopher://h/7find"), &Options::new())?;
/// let message = plan.steps().find_map(Step::message).unwrap();
/// let bytes = message.with_input(|hole| match hole {
///     Hole::Prompt(Prompt::Search) => b"rust url".to_vec(),
///     _ => Vec::new(),
/// })?;
/// assert_eq!(bytes, b"find\trust url\r\n");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hole<'m> {
    /// The input for a prompt.
    Prompt(&'m Prompt),
    /// A value that the program makes.
    Fresh(Fresh),
}

impl Message {
    /// Returns a message without octets, which is not sent.
    #[must_use]
    pub const fn empty() -> Self {
        Self { pieces: Vec::new(), delimiters: AsciiSet::EMPTY, lines: 0, is_packet: false }
    }

    /// Returns a line of the protocol's own words, ended by CR LF.
    pub(super) fn of_line(words: &'static str) -> Self {
        let pieces = [MessagePiece::Bytes([words.as_bytes(), b"\r\n"].concat())].into();
        Self { pieces, delimiters: AsciiSet::EMPTY, lines: 1, is_packet: false }
    }

    /// Returns a message without lines, with memory for some octets. The input for prompts must not contain
    /// the delimiters.
    pub(super) fn with_capacity(octets: usize, delimiters: AsciiSet) -> Self {
        let pieces = alloc::vec![MessagePiece::Bytes(Vec::with_capacity(octets))];
        Self { delimiters, pieces, ..Self::empty() }
    }

    /// Appends octets that were checked.
    pub(super) fn octets(&mut self, octets: &[u8]) {
        push(&mut self.pieces, octets);
    }

    /// Appends pieces that were checked.
    pub(super) fn pieces_of(&mut self, pieces: &[MessagePiece]) {
        for piece in pieces {
            match piece {
                MessagePiece::Bytes(octets) => self.octets(octets),
                other => self.pieces.push(other.clone()),
            }
        }
    }

    /// Ends a line by CR LF.
    pub(super) fn end_line(&mut self) {
        self.octets(b"\r\n");
        self.lines += 1;
    }

    /// Returns the first line in printable ASCII, without its end and its secrets.
    #[must_use]
    pub fn shown(&self) -> String {
        struct Dialogue<'m>(&'m Message);

        impl Display for Dialogue<'_> {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                self.0.write(f, 0)
            }
        }

        let shown = Dialogue(self).to_string();
        let first = shown.lines().next().unwrap_or_default();
        without_secrets(first.strip_prefix("  C: ").unwrap_or(first)).to_string()
    }

    /// Returns whether this message has no octets and no holes.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Returns the prompts of this message.
    pub fn prompts(&self) -> Prompts<'_> {
        Prompts(self.pieces.iter().filter_map(|piece| match piece {
            MessagePiece::Answer(prompt) => Some(prompt),
            _ => None,
        }))
    }

    /// Returns a packet of a protocol that counts octets, where no octet can be another command:
    /// every field is preceded by its length, or its lines are [`Line`]s.
    pub(crate) const fn packet(pieces: Vec<MessagePiece>) -> Self {
        Self { pieces, delimiters: AsciiSet::EMPTY, lines: 0, is_packet: true }
    }

    /// Returns whether this message is a packet, in which LF does not end a line.
    #[must_use]
    pub const fn is_packet(&self) -> bool {
        self.is_packet
    }

    /// Appends a line to this message.
    #[must_use]
    pub fn line(mut self, line: Line) -> Self {
        self.pieces_of(&line.end().pieces);
        self.lines = if self.is_lines() { self.lines + 1 } else { 0 };
        self
    }

    /// Appends a block of data after the line that announces it, up to a line that is "." alone.
    /// Only here do CR and LF of a URL become part of a message.
    ///
    /// # Errors
    ///
    /// The block contains CR, LF or NUL outside a line end, a line "." that is not the last, or
    /// another last line.
    pub fn block(mut self, place: &'static str, block: SpannedStr<'_>) -> Result<Self, PlanError> {
        let (protocol, citation) = ("Gopher+", "RFC 1738, 3.4.9");
        let octets: Vec<_> = block.octets().collect();
        if let Some((byte, span)) = block_error(&octets) {
            return Err(PlanError::Byte { byte, span, place, protocol, citation });
        }
        let octets: Vec<_> = octets.iter().map(|one| one.0).collect();
        push(&mut self.pieces, &octets);
        self.lines = 0;
        Ok(self)
    }

    /// Returns whether this message consists of lines only, so that CR and LF occur only at line
    /// ends and NUL does not occur.
    #[must_use]
    pub const fn is_lines(&self) -> bool {
        self.lines > 0
    }

    /// Returns the number of lines; 0 for a packet, or for a line with a block after it.
    #[must_use]
    pub const fn lines(&self) -> usize {
        self.lines
    }

    /// Returns the pieces of this message.
    #[must_use]
    pub fn pieces(&self) -> &[MessagePiece] {
        &self.pieces
    }

    /// Returns the octets of this message with its secrets, without the input for its prompts.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        known_bytes(&self.pieces)
    }

    /// Returns the octets of this message, with its holes filled by the closure.
    ///
    /// # Errors
    ///
    /// An input contains an octet that would end it, or is longer than its place in a packet.
    pub fn with_input(&self, mut input: impl FnMut(Hole<'_>) -> Vec<u8>) -> Result<Vec<u8>, InputError> {
        let mut octets = Vec::new();
        for piece in &self.pieces {
            match piece {
                MessagePiece::Bytes(known) => octets.extend_from_slice(known),
                MessagePiece::Secret(secret) => octets.extend_from_slice(secret.reveal()),
                MessagePiece::Answer(prompt) => {
                    let answer = input(Hole::Prompt(prompt));
                    self.check_answer(prompt, &answer)?;
                    octets.extend_from_slice(&answer);
                }
                MessagePiece::Fresh(fresh) => {
                    let value = input(Hole::Fresh(*fresh));
                    check_fresh(*fresh, &value)?;
                    octets.extend(core::iter::repeat_n(b'0', fresh.width() - value.len()));
                    octets.extend_from_slice(&value);
                }
            }
        }
        Ok(octets)
    }

    /// Returns whether the input for a prompt of this message may contain a byte.
    ///
    /// The fields of a form are lines, none of which may be "." alone.
    ///
    /// A program that asks for the input can check it as it is typed:
    ///
    /// ```
    /// use locator::plan::{Options, Prompt, Step};
    /// use locator::{scheme, uri};
    ///
    /// let plan = scheme::plan(uri!("gopher://h/7find"), &Options::new())?;
    /// let message = plan.steps().find_map(Step::message).unwrap();
    /// assert!(message.allows(&Prompt::Search, b'a'));
    /// assert!(!message.allows(&Prompt::Search, b'\n'));
    /// # Ok::<_, locator::plan::PlanError>(())
    /// ```
    #[must_use]
    pub fn allows(&self, prompt: &Prompt, byte: u8) -> bool {
        match byte {
            b'\r' | b'\n' => *prompt == Prompt::Form,
            _ => !ends_or_divides(byte, self.delimiters),
        }
    }

    fn check_answer(&self, prompt: &Prompt, answer: &[u8]) -> Result<(), InputError> {
        // The fields of a form are lines; the last line of the block is not one of them.
        let is_form = *prompt == Prompt::Form;
        let mut next = 0;
        let dot = answer.split(|octet| matches!(octet, b'\r' | b'\n')).find_map(|line| {
            let start = next;
            next += line.len() + 1;
            (is_form && line == b".").then_some(start)
        });
        let wrong = |&octet: &u8| !self.allows(prompt, octet);
        let offset = dot.or_else(|| answer.iter().position(wrong));
        match offset.and_then(|offset| Some((offset, *answer.get(offset)?))) {
            Some((offset, octet)) => Err(InputError { octet, offset }),
            None => Ok(()),
        }
    }
}

impl Message {
    /// Writes a line of the dialogue for each line that is sent, and one for a packet.
    pub(super) fn write(&self, f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
        let begin = |f: &mut Formatter<'_>, at_start| match at_start {
            true => write!(f, "{:1$}C: ", "", 2 * depth + 2),
            false => Ok(()),
        };
        let mut at_start = true;
        for piece in &self.pieces {
            if !matches!(piece, MessagePiece::Bytes(_)) {
                begin(f, core::mem::take(&mut at_start))?;
            }
            match piece {
                MessagePiece::Secret(secret) => secret.write(f)?,
                MessagePiece::Answer(prompt) => write!(f, "({prompt})")?,
                MessagePiece::Fresh(fresh) => write!(f, "({fresh})")?,
                MessagePiece::Bytes(octets) => {
                    for line in octets.split_inclusive(|&octet| octet == b'\n' && !self.is_packet) {
                        begin(f, at_start)?;
                        let ended = line.strip_suffix(b"\r\n").or(line.strip_suffix(b"\n"));
                        let ended = ended.filter(|_| !self.is_packet);
                        match self.is_packet {
                            true => write!(f, "{}", ShownPacket(line))?,
                            false => write!(f, "{}", Shown(ended.unwrap_or(line)))?,
                        }
                        at_start = ended.is_some();
                        if at_start {
                            f.write_char('\n')?;
                        }
                    }
                }
            }
        }
        if at_start { Ok(()) } else { f.write_char('\n') }
    }
}

/// Checks a value that a program made: digits for numbers, base64 for a nonce.
fn check_fresh(fresh: Fresh, value: &[u8]) -> Result<(), InputError> {
    let wrong = |&octet: &u8| match fresh {
        Fresh::Nonce => !octet.is_ascii_alphanumeric() && !b"+/=".contains(&octet),
        Fresh::SliceStart | Fresh::SliceEnd | Fresh::SliceNumber => !octet.is_ascii_digit(),
    };
    let too_many = (value.len() > fresh.width()).then_some(fresh.width());
    match value.iter().position(wrong).or(too_many).and_then(|offset| Some((offset, *value.get(offset)?))) {
        Some((offset, octet)) => Err(InputError { octet, offset }),
        None => Ok(()),
    }
}

/// The error of an input for a prompt: it contains a byte that would end the line or the value.
///
/// ```
/// use locator::plan::{Options, Step};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("gopher://h/7find"), &Options::new())?;
/// let message = plan.steps().find_map(Step::message).unwrap();
/// let words = b"url\r\nQUIT";
/// let error = message.with_input(|_| words.to_vec()).unwrap_err();
/// assert_eq!((error.byte(), error.span()), (b'\r', 3..4));
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct InputError {
    octet: u8,
    offset: usize,
}

impl InputError {
    /// Returns the byte that is not allowed.
    #[must_use]
    pub const fn byte(&self) -> u8 {
        self.octet
    }

    /// Returns the byte range of that byte in the input.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.offset..self.offset + 1
    }
}

impl Display for InputError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "the answer contains byte {:02X}, which would end the line; remove it", self.octet)
    }
}

error_as_sentence!(InputError);

fn push(pieces: &mut Vec<MessagePiece>, octets: &[u8]) {
    match pieces.last_mut() {
        Some(MessagePiece::Bytes(last)) => last.extend_from_slice(octets),
        _ if octets.is_empty() => {}
        _ => pieces.push(MessagePiece::Bytes(octets.into())),
    }
}

/// Returns whether an octet is not plain data in a line. A line ends with CR LF, some servers
/// accept one of them alone, and some end a text with NUL.
const fn ends_or_divides(octet: u8, delimiters: AsciiSet) -> bool {
    matches!(octet, b'\r' | b'\n' | 0) || delimiters.contains(octet)
}

/// Returns the octets of pieces with their secrets, without the input for prompts.
pub(super) fn known_bytes(pieces: &[MessagePiece]) -> Vec<u8> {
    let known = pieces.iter().filter_map(|piece| match piece {
        MessagePiece::Bytes(octets) => Some(octets.as_slice()),
        MessagePiece::Secret(secret) => Some(secret.reveal()),
        MessagePiece::Answer(_) | MessagePiece::Fresh(_) => None,
    });
    known.flatten().copied().collect()
}

/// A builder of a packet.
///
/// ```
/// use locator::plan::Packet;
///
/// // A type, a name with its length in two octets, and a number in four.
/// let packet = Packet::new()
///     .octets(b"\x01")
///     .counted(2, b"motd")
///     .unwrap()
///     .number(4, 7)
///     .unwrap()
///     .end();
/// assert_eq!(packet.to_bytes(), b"\x01\x00\x04motd\x00\x00\x00\x07");
/// assert!(Packet::new().counted(1, &[0; 256]).is_none());
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a packet that is not ended is not sent"]
pub struct Packet {
    octets: Vec<u8>,
}

impl Packet {
    /// Creates an empty packet.
    pub const fn new() -> Self {
        Self { octets: Vec::new() }
    }

    /// Appends octets of the protocol.
    pub fn octets(mut self, octets: &'static [u8]) -> Self {
        self.octets.extend_from_slice(octets);
        self
    }

    /// Appends a number in `width` octets, the most significant first; `None` if it does not fit.
    #[must_use]
    pub fn number(mut self, width: usize, number: u64) -> Option<Self> {
        let octets = number.to_be_bytes();
        let start = octets.len().checked_sub(width)?;
        if octets[..start].iter().any(|&octet| octet != 0) {
            return None;
        }
        self.octets.extend_from_slice(&octets[start..]);
        Some(self)
    }

    /// Appends the number of octets in `width` octets, then the octets; `None` if there are too many.
    #[must_use]
    pub fn counted(self, width: usize, octets: &[u8]) -> Option<Self> {
        let mut counted = self.number(width, octets.len() as u64)?;
        counted.octets.extend_from_slice(octets);
        Some(counted)
    }

    /// Ends the packet and returns it as a message.
    #[must_use]
    pub fn end(self) -> Message {
        Message::packet([MessagePiece::Bytes(self.octets)].into())
    }
}

iterator! {
    /// The prompts of a message: the result of [`Message::prompts`].
    ///
    /// ```
    /// use locator::plan::Options;
    /// use locator::{scheme, uri};
    ///
    /// let plan = scheme::plan(uri!("ftp://jan@h/a"), &Options::default())?;
    /// assert!(plan.messages().any(|message| message.prompts().next().is_some()));
    /// # Ok::<_, locator::plan::PlanError>(())
    /// ```
    pub struct Prompts<'m>(
        FilterMap<slice::Iter<'m, MessagePiece>, fn(&'m MessagePiece) -> Option<&'m Prompt>>
    ) -> &'m Prompt;
}
