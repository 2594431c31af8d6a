//! Mailboxes. Reads one message after the other and finds its links, with their positions in the
//! mailbox. Follows RFC 4155, the default format, and removes the ">" that other writers put before
//! "From ".
//!
//! A message begins after a line that begins with "From " and is the first line or follows an empty
//! one. One message is held at a time.

use std::io::{self, BufRead, BufReader, Read};

use memchr::memmem;

use super::message;
use crate::decode::chain::DecodeChain;
use crate::decode::decoded::Decoded;
use crate::decode::source::Octets;
use crate::link::{Location, PassedOver};
use crate::search::Query;
use crate::search::emitter::Emitter;
use crate::search::input::Input;
use crate::search::options::WHOLE;

/// Finds the links of a mailbox.
pub(super) fn find(query: &Query<'_>, input: Input<'_>) -> io::Result<()> {
    let Input { source, mut bases, sink, .. } = input;
    let mut messages = Messages::new(BufReader::new(source));
    while let Some(start) = messages.next()? {
        let octets = Octets::starting_at(start, &messages.message);
        let steps = DecodeChain::new(&octets, 0, &messages.message).then(unquote);
        let mut emitter = Emitter::new(&octets, &mut bases, sink);
        if message::find_in(query, steps.text(), &mut emitter.of(&steps)).is_break() {
            break;
        }
        if messages.is_cut {
            emitter.passed_over(messages.message.len(), PassedOver::TooLarge(WHOLE));
        }
    }
    Ok(())
}

/// Removes the first ">" of each line that consists of some of them and "From ".
fn unquote(message: &[u8]) -> Option<Decoded> {
    memmem::find(message, b">From ")?;
    let mut decoded = Decoded::with_limit(WHOLE as usize);
    let mut at = 0;
    for line in message.split_inclusive(|octet| *octet == b'\n') {
        let marks = line.iter().take_while(|octet| **octet == b'>').count();
        let quoted = usize::from(marks > 0 && line[marks..].starts_with(b"From "));
        decoded.keep(&line[quoted..], at + quoted);
        at += line.len();
    }
    Some(decoded)
}

/// A mailbox that is read message by message.
struct Messages<R> {
    source: R,
    /// The position of the next message.
    next: Location,
    message: Vec<u8>,
    /// Whether the message continues after its held part.
    is_cut: bool,
    /// The last line read: the first one of the next message, or its beginning.
    line: Vec<u8>,
}

/// The maximum length read of a line at once.
const LINE: u64 = 64 << 10;

impl<R: BufRead> Messages<R> {
    fn new(source: R) -> Self {
        let next = Location { span: 0..0, line: 1, column: 1 };
        Self { source, next, message: Vec::new(), is_cut: false, line: Vec::new() }
    }

    /// Reads a message with its "From " line, which the header reader skips; returns its position.
    fn next(&mut self) -> io::Result<Option<Location>> {
        let start = self.next.clone();
        self.message.clear();
        self.is_cut = false;
        self.take_line();
        let (mut is_after_empty, mut is_after_end) = (false, true);
        while self.read_line()? && !(is_after_empty && self.line.starts_with(b"From ")) {
            is_after_empty = is_after_end && matches!(&*self.line, b"\n" | b"\r\n");
            is_after_end = self.line.ends_with(b"\n");
            self.take_line();
        }
        Ok((self.next.span.end > start.span.end).then_some(start))
    }

    /// Appends the line to the message, as far as the limit allows.
    fn take_line(&mut self) {
        let capacity = (WHOLE as usize - self.message.len()).min(self.line.len());
        self.is_cut |= capacity < self.line.len();
        self.message.extend_from_slice(&self.line[..capacity]);
        let at = self.next.span.end + self.line.len() as u64;
        let lines = u64::from(self.line.ends_with(b"\n"));
        self.next = Location { span: at..at, line: self.next.line + lines, column: 1 };
        self.line.clear();
    }

    fn read_line(&mut self) -> io::Result<bool> {
        Ok(self.source.by_ref().take(LINE).read_until(b'\n', &mut self.line)? > 0)
    }
}
