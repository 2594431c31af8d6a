//! Lines and packets: takes words of a protocol and parts of a URL, returns a message, or the octet
//! that is not allowed and its position in the URL. Only this module makes messages, so every
//! scheme must pass its checks.
//!
//! "Care should be taken when URLs contain embedded encoded delimiters for a given protocol (for
//! example, CR and LF characters for telnet protocols) that these are not unencoded before
//! transmission. This would violate the protocol but could be used to simulate an extra operation
//! or parameter" (RFC 1738, 6).

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Debug, Display, Formatter};
use core::ops::Range;

use super::error::PlanError;
use super::prompt::Prompt;
use crate::component::SpannedStr;
use crate::error::Redacted;
use crate::escape::hex_digit;
use crate::simd::AsciiSet;
use crate::span::Span;

/// The line syntax of a protocol.
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
}

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
#[derive(Clone, Debug)]
#[must_use = "a line that is not ended is not sent"]
pub struct Line {
    protocol: &'static Protocol,
    pieces: Vec<MessagePiece>,
}

impl Line {
    /// Begins a line with a word of the protocol, or with nothing.
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
    /// # Errors
    ///
    /// The part contains CR, LF or NUL, quoted or not.
    pub(crate) fn quoted(
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

    /// Appends a configured value; `option` is the name of its option.
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

    /// Appends the input for a prompt, which is known when the line is sent.
    pub fn answer(mut self, question: Prompt) -> Self {
        self.pieces.push(MessagePiece::Answer(question));
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pieces: Vec<MessagePiece>,
    delimiters: AsciiSet,
    /// The number of lines; 0 if the message contains octets outside lines.
    lines: usize,
    is_packet: bool,
}

/// A piece of a message: known bytes, or the answer to a prompt. `Debug` hides passwords.
#[derive(Clone, PartialEq, Eq)]
pub enum MessagePiece {
    /// Literal octets.
    Bytes(Vec<u8>),
    /// The input for a prompt.
    Answer(Prompt),
}

/// The commands whose argument is a password: FTP's (RFC 959, 4.1.1).
const PASSWORD_COMMANDS: [&str; 1] = ["PASS "];

impl Debug for MessagePiece {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let octets = match self {
            Self::Answer(prompt) => return f.debug_tuple("Answer").field(prompt).finish(),
            Self::Bytes(octets) => octets,
        };
        let text = String::from_utf8_lossy(octets);
        // A request to a proxy contains a URL.
        let shown = Redacted::new(&text);
        let starts = [0].into_iter().chain(text.match_indices('\n').map(|(end, _)| end + 1));
        let passwords = starts.filter_map(|start| {
            let line = text[start..].lines().next()?;
            let command = PASSWORD_COMMANDS.iter().find(|command| line.starts_with(**command))?;
            Some(start + command.len()..start + line.len())
        });
        f.debug_tuple("Bytes").field(&shown.clone().hide(passwords)).finish()
    }
}

impl Message {
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
        for piece in line.end().pieces {
            match piece {
                MessagePiece::Bytes(octets) => push(&mut self.pieces, &octets),
                answer @ MessagePiece::Answer(_) => self.pieces.push(answer),
            }
        }
        // Everything after a packet's header belongs to the packet.
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
    pub(crate) fn block(mut self, place: &'static str, block: SpannedStr<'_>) -> Result<Self, PlanError> {
        let (protocol, citation) = ("Gopher+", "RFC 1738, 3.4.9");
        let octets: Vec<_> = block.octets().collect();
        let at = |i: usize| octets.get(i).map(|one| one.0);
        let ends_with_dot =
            octets.len() >= 5 && (1..=5).all(|i| at(octets.len() - i) == b"\n\r.\n\r".get(i - 1).copied());
        let mut line_start = 0;
        for (i, &(octet, span)) in octets.iter().enumerate() {
            let is_end = octet == b'\r' && at(i + 1) == Some(b'\n')
                || octet == b'\n' && i > 0 && at(i - 1) == Some(b'\r');
            let is_dot = octet == b'\r' && i == line_start + 1 && at(line_start) == Some(b'.');
            let is_last = i + 2 >= octets.len();
            if matches!(octet, 0 | b'\r' | b'\n') && !is_end
                || is_dot && !is_last
                || is_last && !ends_with_dot
            {
                return Err(PlanError::Byte { byte: octet, span, place, protocol, citation });
            }
            if octet == b'\n' {
                line_start = i + 1;
            }
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

    /// Returns the octets of this message, without the input for its prompts.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let known = self.pieces.iter().filter_map(|piece| match piece {
            MessagePiece::Bytes(octets) => Some(octets.iter().copied()),
            MessagePiece::Answer(_) => None,
        });
        known.flatten().collect()
    }

    /// Returns the octets of this message with the input for its prompts.
    ///
    /// # Errors
    ///
    /// An input contains an octet that would end it.
    pub fn with_input(&self, mut answer: impl FnMut(&Prompt) -> Vec<u8>) -> Result<Vec<u8>, InputError> {
        let mut octets = Vec::new();
        for piece in &self.pieces {
            match piece {
                MessagePiece::Bytes(known) => octets.extend_from_slice(known),
                MessagePiece::Answer(question) => {
                    let answer = answer(question);
                    self.check_answer(question, &answer)?;
                    let missing = question.digits().map_or(0, |count| count.saturating_sub(answer.len()));
                    octets.extend(core::iter::repeat_n(b'0', missing));
                    octets.extend_from_slice(&answer);
                }
            }
        }
        Ok(octets)
    }

    fn check_answer(&self, question: &Prompt, answer: &[u8]) -> Result<(), InputError> {
        // The fields of a form are lines; the last line of the block is not one of them.
        let is_form = *question == Prompt::Form;
        let mut next = 0;
        let dot = answer.split(|octet| matches!(octet, b'\r' | b'\n')).find_map(|line| {
            let start = next;
            next += line.len() + 1;
            (is_form && line == b".").then_some(start)
        });
        let too_many = question.digits().filter(|&count| answer.len() > count);
        let wrong = |&octet: &u8| match octet {
            b'\r' | b'\n' => !is_form,
            b'0'..=b'9' => false,
            _ => question.digits().is_some() || ends_or_divides(octet, self.delimiters),
        };
        let offset = dot.or_else(|| answer.iter().position(wrong)).or(too_many);
        match offset.and_then(|offset| Some((offset, *answer.get(offset)?))) {
            Some((offset, octet)) => Err(InputError { octet, offset }),
            None => Ok(()),
        }
    }
}

/// The error of an input that contains a byte that would end it on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl core::error::Error for InputError {}

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
