//! Lines and packets: words of a protocol and excerpts of a URL enter, what may be sent leaves, or the
//! octet that may not and its place in the URL. This is the one room where something to be sent is made;
//! a scheme cannot go round it.
//!
//! "Care should be taken when URLs contain embedded encoded delimiters for a given protocol (for example,
//! CR and LF characters for telnet protocols) that these are not unencoded before transmission. This would
//! violate the protocol but could be used to simulate an extra operation or parameter" (RFC 1738, 6).

use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};

use super::{PlanError, Prompt};
use crate::component::SpannedStr;
use crate::escape::hex_digit;
use crate::simd::AsciiSet;
use crate::span::Span;

/// What the lines of a protocol are like.
#[derive(Debug, PartialEq, Eq)]
pub struct Protocol {
    /// Its name: `FTP`.
    pub name: &'static str,
    /// What divides the words of a line, besides CR, LF and NUL, which may stand in none.
    pub delimiters: AsciiSet,
    /// What ends a line.
    pub line_end: &'static [u8],
    /// Where that stands: `RFC 959, 5.3.1`.
    pub see: &'static str,
}

impl Protocol {
    /// The octets that an excerpt of the URL stands for, where they are no part of a line but of what a
    /// protocol is told otherwise; `place` is what it is called there, "the message identifier".
    ///
    /// # Errors
    ///
    /// An octet that the protocol would take for the end of it.
    pub fn octets_of(
        &'static self,
        place: &'static str,
        excerpt: SpannedStr<'_>,
    ) -> Result<Vec<u8>, PlanError> {
        self.check(place, excerpt, self.delimiters)?;
        Ok(excerpt.decode().into_owned())
    }

    /// The same for a text whose lines end in CR LF; neither stands in it alone, nor NUL.
    ///
    /// # Errors
    ///
    /// One that does.
    pub fn text_of(
        &'static self,
        place: &'static str,
        excerpt: SpannedStr<'_>,
    ) -> Result<Vec<u8>, PlanError> {
        let octets: Vec<_> = excerpt.placed().collect();
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
        let wrong = excerpt.placed().find(|&(octet, _)| ends_or_divides(octet, delimiters));
        wrong.map_or(Ok(()), |(octet, span)| Err(self.error(place, octet, span)))
    }

    const fn error(&self, place: &'static str, octet: u8, span: Span) -> PlanError {
        PlanError::Octet { octet, span, place, protocol: self.name, see: self.see }
    }
}

/// A line while it is made.
#[derive(Clone, Debug)]
#[must_use = "a line that is not ended is not sent"]
pub struct Line {
    protocol: &'static Protocol,
    pieces: Vec<MessagePiece>,
}

impl Line {
    /// Begins with a word of the protocol, or with nothing.
    pub fn new(protocol: &'static Protocol, word: &'static str) -> Self {
        Self { protocol, pieces: [MessagePiece::Octets(word.as_bytes().into())].into() }
    }

    /// More that the protocol says itself.
    pub fn word(mut self, word: &'static str) -> Self {
        self.push(word.as_bytes());
        self
    }

    /// An excerpt of the URL, unescaped; `place` is what it is called there, "the selector".
    ///
    /// # Errors
    ///
    /// An octet that the protocol would take for the end of it.
    pub fn excerpt(self, place: &'static str, excerpt: SpannedStr<'_>) -> Result<Self, PlanError> {
        let delimiters = self.protocol.delimiters;
        self.excerpt_without(place, excerpt, delimiters)
    }

    /// The same where other octets divide than elsewhere in the protocol.
    ///
    /// # Errors
    ///
    /// An octet of these, or CR, LF or NUL.
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

    /// An excerpt of the URL as it stands there, escapes included: where the protocol has them too.
    ///
    /// # Errors
    ///
    /// An octet that the protocol would take for the end of it.
    pub fn escaped(mut self, place: &'static str, excerpt: SpannedStr<'_>) -> Result<Self, PlanError> {
        let wrong = |octet: u8| ends_or_divides(octet, self.protocol.delimiters);
        if let Some(index) = excerpt.as_str().bytes().position(wrong) {
            let one = excerpt.split_at(index, 0).and_then(|(_, rest)| rest.placed().next());
            if let Some((octet, span)) = one {
                return Err(self.protocol.error(place, octet, span));
            }
        }
        // An edition whose references hold more than ASCII has escapes for it.
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

    /// An excerpt of the URL, unescaped, as one word: in "'" if an octet of it is none of the plain ones,
    /// and each "'" of its own doubled.
    ///
    /// # Errors
    ///
    /// CR, LF or NUL, quoted or not.
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

    /// What a person configured; `option` is its name.
    ///
    /// # Errors
    ///
    /// An octet that the protocol would take for the end of it.
    pub fn option(mut self, option: &'static str, value: &str) -> Result<Self, PlanError> {
        if let Some(octet) = value.bytes().find(|&octet| ends_or_divides(octet, self.protocol.delimiters)) {
            return Err(PlanError::Option { option, octet });
        }
        self.push(value.as_bytes());
        Ok(self)
    }

    /// What is answered when the line is sent.
    pub fn answer(mut self, question: Prompt) -> Self {
        self.pieces.push(MessagePiece::Answer(question));
        self
    }

    /// Ends it.
    pub fn end(mut self) -> Message {
        self.push(self.protocol.line_end);
        Message { pieces: self.pieces, delimiters: self.protocol.delimiters, lines: 1, is_packet: false }
    }

    fn push(&mut self, octets: &[u8]) {
        push(&mut self.pieces, octets);
    }
}

/// What is sent at once: lines, a line and a block, or a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pieces: Vec<MessagePiece>,
    delimiters: AsciiSet,
    /// How many lines it was made of; 0 where octets stand in it that are none.
    lines: usize,
    is_packet: bool,
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessagePiece {
    /// These octets.
    Octets(Vec<u8>),
    /// What is answered to a question.
    Answer(Prompt),
}

impl Message {
    /// A packet of a protocol that counts its octets, where none of them can be another command: every
    /// field is preceded by its length, or the lines in it are [`Line`]s.
    pub(crate) const fn packet(pieces: Vec<MessagePiece>) -> Self {
        Self { pieces, delimiters: AsciiSet::EMPTY, lines: 0, is_packet: true }
    }

    /// Whether it is a packet, in which LF ends no line.
    pub const fn is_packet(&self) -> bool {
        self.is_packet
    }

    /// The same with one more line behind it.
    #[must_use]
    pub fn line(mut self, line: Line) -> Self {
        for piece in line.end().pieces {
            match piece {
                MessagePiece::Octets(octets) => push(&mut self.pieces, &octets),
                answer @ MessagePiece::Answer(_) => self.pieces.push(answer),
            }
        }
        // What follows a packet's header belongs to the packet.
        self.lines = if self.is_lines() { self.lines + 1 } else { 0 };
        self
    }

    /// The same with a block of data behind the line that announces it, up to a line that is "." alone.
    /// Here, and only here, CR and LF of a URL are part of what is sent.
    ///
    /// # Errors
    ///
    /// CR, LF or NUL that is not the end of a line; a line "." that is not the last; a last line that is
    /// another.
    pub(crate) fn block(mut self, place: &'static str, block: SpannedStr<'_>) -> Result<Self, PlanError> {
        let (protocol, see) = ("Gopher+", "RFC 1738, 3.4.9");
        let octets: Vec<_> = block.placed().collect();
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
                return Err(PlanError::Octet { octet, span, place, protocol, see });
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

    /// Whether it is lines and nothing else, so that CR, LF and NUL stand at their ends only.
    pub const fn is_lines(&self) -> bool {
        self.lines > 0
    }

    /// How many lines it is; 0 if it is a packet, or a line with a block behind it.
    pub const fn lines(&self) -> usize {
        self.lines
    }

    /// Its pieces.
    pub fn pieces(&self) -> &[MessagePiece] {
        &self.pieces
    }

    /// Its octets; what is to be answered is left out.
    pub fn octets(&self) -> Vec<u8> {
        let known = self.pieces.iter().filter_map(|piece| match piece {
            MessagePiece::Octets(octets) => Some(octets.iter().copied()),
            MessagePiece::Answer(_) => None,
        });
        known.flatten().collect()
    }

    /// Its octets with what is answered to its questions.
    ///
    /// # Errors
    ///
    /// An answer that would be more than it may be.
    pub fn with_input(&self, mut answer: impl FnMut(&Prompt) -> Vec<u8>) -> Result<Vec<u8>, InputError> {
        let mut octets = Vec::new();
        for piece in &self.pieces {
            match piece {
                MessagePiece::Octets(known) => octets.extend_from_slice(known),
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
        // The fields of a form are lines, and the last of the block is not among them.
        let is_form = *question == Prompt::Form;
        if is_form && answer.split(|octet| matches!(octet, b'\r' | b'\n')).any(|line| line == b".") {
            return Err(InputError { octet: b'.' });
        }
        let too_many = question.digits().and_then(|count| answer.get(count));
        let wrong = |&&octet: &&u8| match octet {
            b'\r' | b'\n' => !is_form,
            b'0'..=b'9' => false,
            _ => question.digits().is_some() || ends_or_divides(octet, self.delimiters),
        };
        match answer.iter().find(wrong).or(too_many) {
            Some(&octet) => Err(InputError { octet }),
            None => Ok(()),
        }
    }
}

/// An answer that contains a byte that would end it on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputError {
    octet: u8,
}

impl InputError {
    /// Returns the byte.
    pub const fn octet(&self) -> u8 {
        self.octet
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
        Some(MessagePiece::Octets(last)) => last.extend_from_slice(octets),
        _ if octets.is_empty() => {}
        _ => pieces.push(MessagePiece::Octets(octets.into())),
    }
}

/// Whether an octet would be more than data in a line: a line ends with CR LF, some servers take one of
/// them for it, and some end a text with NUL.
const fn ends_or_divides(octet: u8, delimiters: AsciiSet) -> bool {
    matches!(octet, b'\r' | b'\n' | 0) || delimiters.contains(octet)
}
