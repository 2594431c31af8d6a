//! Mailboxes: messages one after the other enter, the links of each leave, with their places in the whole. Follows RFC 4155, the default
//! format, and undoes the ">" before "From " that other writers put there.
//!
//! A message begins behind a line that begins with "From " and stands first or behind an empty line. One message is held at a time.

use std::io::{self, BufRead, BufReader, Read};

use memchr::{memchr_iter, memmem};

use crate::document::Document;
use crate::finder::Finder;
use crate::link::{Place, Sink};
use crate::mail;
use crate::outlet::Outlet;
use crate::source::{Decoded, Octets};
use crate::steps::Steps;

/// Finds the links of a mailbox.
pub(crate) fn find(
    finder: &Finder,
    document: &Document,
    source: &mut dyn Read,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let mut bases = document.bases();
    let mut messages = Messages::new(BufReader::new(source));
    while let Some(start) = messages.next()? {
        let octets = Octets::behind(start, &messages.message);
        let steps = Steps::new(&octets, 0, &messages.message).then(unquote);
        let mut outlet = Outlet::new(&steps, &mut bases, sink);
        if mail::find_in(finder, steps.text(), &mut outlet).is_break() {
            break;
        }
    }
    Ok(())
}

/// Takes the first ">" of each line that is some of them and "From ".
fn unquote(message: &[u8]) -> Option<Decoded> {
    memmem::find(message, b">From ")?;
    let mut decoded = Decoded::default();
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
    /// Where the message begins.
    start: Place,
    message: Vec<u8>,
    /// The line that was read last: behind the first message that of the next one.
    line: Vec<u8>,
}

impl<R: BufRead> Messages<R> {
    fn new(source: R) -> Self {
        let start = Place { span: 0..0, line: 1, column: 1 };
        Self { source, start, message: Vec::new(), line: Vec::new() }
    }

    /// Reads a message with its "From " line, which what reads headers passes over.
    fn next(&mut self) -> io::Result<Option<Place>> {
        let at = self.start.span.end + self.message.len() as u64;
        let lines = memchr_iter(b'\n', &self.message).count() as u64;
        self.start = Place { span: at..at, line: self.start.line + lines, column: 1 };
        self.message.clear();
        self.message.append(&mut self.line);
        let mut is_behind_empty = false;
        while self.read_line()? && !(is_behind_empty && self.line.starts_with(b"From ")) {
            is_behind_empty = matches!(&*self.line, b"\n" | b"\r\n");
            self.message.append(&mut self.line);
        }
        Ok((!self.message.is_empty()).then(|| self.start.clone()))
    }

    fn read_line(&mut self) -> io::Result<bool> {
        Ok(self.source.read_until(b'\n', &mut self.line)? > 0)
    }
}
