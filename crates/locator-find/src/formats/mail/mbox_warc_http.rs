//! Messages that are stored: in mailboxes, in web archives, and alone as responses of HTTP. One message
//! or record is held at a time, and positions are those in the whole file.
//!
//! A mailbox follows RFC 4155, the default format; the ">" that other writers put before "From " is
//! removed. A message begins after a line that begins with "From " and is the first line or follows an
//! empty one.
//!
//! A web archive follows WARC 1.1 (ISO 28500:2017), sections 4 to 6: the base of a record is its target
//! URI. A `response` is one of HTTP, whose chunks are joined. A `resource` and a `conversion` are
//! documents of their media types. The other records and all headers are running text.
//!
//! A response of HTTP/1, as `curl -i` prints it, has its base in its header. Follows RFC 9112, 4 and 2.1,
//! and section 5.1.2 of RFC 3986. The responses to the requests before the last one, such as redirects,
//! are headers before it.

use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;

use memchr::{memchr, memmem};

use crate::decode::{DecodeChain, Decoded, Location, Octets};
use crate::formats::mail::entity::{Field, HeaderFields, line_end, read_header};
use crate::formats::mail::message;
use crate::link::PassedOver;
use crate::search::Query;
use crate::search::emitter::Emitter;
use crate::search::input::{Input, WHOLE};

/// Finds the links of a mailbox.
pub(super) fn find_in_mailbox(query: &Query<'_>, input: Input<'_>) -> io::Result<()> {
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
        let next = Location::START;
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
        self.next = self.next.after(&self.line);
        self.line.clear();
    }

    fn read_line(&mut self) -> io::Result<bool> {
        Ok(self.source.by_ref().take(LINE).read_until(b'\n', &mut self.line)? > 0)
    }
}

/// Returns whether a text begins with the version of a record.
pub(crate) fn is_archive(first: &[u8]) -> bool {
    first.strip_prefix(b"WARC/").is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit))
}

/// Finds the links of an archive.
pub(super) fn find_in_archive(query: &Query<'_>, input: Input<'_>) -> io::Result<()> {
    let Input { source, mut bases, sink, .. } = input;
    let around = bases.len();
    let mut records = Records::new(BufReader::new(source));
    while let Some(start) = records.next()? {
        let octets = Octets::starting_at(start, &records.record);
        let mut emitter = Emitter::new(&octets, &mut bases, sink);
        let found = find_in_record(query, &records.record, records.block, &mut emitter);
        if found.is_continue() && records.is_cut {
            emitter.passed_over(records.record.len(), PassedOver::TooLarge(WHOLE));
        }
        bases.truncate(around);
        if found.is_break() {
            break;
        }
    }
    Ok(())
}

fn find_in_record(
    query: &Query<'_>,
    record: &[u8],
    block: usize,
    emitter: &mut Emitter<'_>,
) -> ControlFlow<()> {
    let fields = read_header(record, line_end(record, 0), usize::MAX).fields;
    let value = |name: &str| {
        let field = fields.iter().find(|field| field.is(record, name))?;
        str::from_utf8(field.value(record)).ok()
    };
    query.find_urls(&record[..block], emitter)?;
    if let Some(target) = value("WARC-Target-URI") {
        // WARC 1.0 has "<" and ">" around it.
        emitter.bases.retrieved_by(target.trim_matches(['<', '>']));
    }
    let media_type = value("Content-Type").unwrap_or_default();
    let media_type = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let body = &record[block..];
    let part = DecodeChain::new(emitter.source, block, body);
    match value("WARC-Type") {
        Some("response") if media_type == "application/http" => {
            find_in_recorded_response(query, body, block, emitter)
        }
        Some("resource" | "conversion") => query.find_in(&media_type, body, &mut emitter.of(&part)),
        _ => query.find_urls(body, &mut emitter.of(&part)),
    }
}

/// Finds the links of a response as a server sent it: its body may be in chunks and compressed.
fn find_in_recorded_response(
    query: &Query<'_>,
    text: &[u8],
    at: usize,
    emitter: &mut Emitter<'_>,
) -> ControlFlow<()> {
    let HeaderFields { fields, body } = read_header(text, line_end(text, 0), usize::MAX);
    let has = |name: &str, coding: fn(&str) -> bool| {
        let mut values = fields.iter().filter(|field| field.is(text, name));
        values.any(|field: &Field| {
            let value = String::from_utf8_lossy(field.value(text)).to_ascii_lowercase();
            value.split(',').any(|word| coding(word.trim()))
        })
    };
    if has("Content-Encoding", |coding| !matches!(coding, "" | "identity")) && body < text.len() {
        let part = DecodeChain::new(emitter.source, at, &text[..body]);
        find_in_http(query, part.text(), &mut emitter.of(&part))?;
        emitter.passed_over(at + body, PassedOver::Compressed);
        return ControlFlow::Continue(());
    }
    let part = DecodeChain::new(emitter.source, at, text);
    let part = match has("Transfer-Encoding", |coding| coding == "chunked") {
        true => part.then(|text| joined(text, body)),
        false => part,
    };
    find_in_http(query, part.text(), &mut emitter.of(&part))
}

/// Joins the chunks of a body; `None` if it has none, since some programs store it without them.
///
/// chunk = chunk-size [ chunk-ext ] CRLF chunk-data CRLF (RFC 9112, 7.1)
fn joined(text: &[u8], body: usize) -> Option<Decoded> {
    let mut decoded = Decoded::with_limit(WHOLE as usize);
    decoded.keep(&text[..body], 0);
    let mut at = body;
    loop {
        let end = line_end(text, at);
        let line = str::from_utf8(&text[at..end]).ok()?;
        let size = line.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(size, 16).ok().filter(|_| !size.starts_with('+'))?;
        if size == 0 {
            return Some(decoded);
        }
        let data = &text[end..end.saturating_add(size).min(text.len())];
        decoded.keep(data, end);
        at = line_end(text, end + data.len());
        // The archive may have kept only the beginning.
        if at >= text.len() {
            return Some(decoded);
        }
    }
}

/// An archive that is read record by record.
struct Records<R> {
    source: R,
    /// The position of the next record.
    next: Location,
    /// The record: its header, and the held part of its block.
    record: Vec<u8>,
    /// Where the block begins.
    block: usize,
    /// Whether the block continues after its held part.
    is_cut: bool,
}

/// The maximum length of a header.
const HEADER: u64 = 1 << 20;

impl<R: BufRead> Records<R> {
    fn new(source: R) -> Self {
        let next = Location::START;
        Self { source, next, record: Vec::new(), block: 0, is_cut: false }
    }

    /// Reads a record with the line ends after the one before; returns its position.
    fn next(&mut self) -> io::Result<Option<Location>> {
        let start = loop {
            let start = self.next.clone();
            self.record.clear();
            if self.read_line()? == 0 {
                return Ok(None);
            }
            if !self.record.trim_ascii().is_empty() {
                break start;
            }
        };
        while !matches!(self.record.as_slice(), [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'])
            && self.record.len() < HEADER as usize
        {
            if self.read_line()? == 0 {
                break;
            }
        }
        self.block = self.record.len();
        let fields = read_header(&self.record, line_end(&self.record, 0), usize::MAX).fields;
        let length = fields.iter().find(|field| field.is(&self.record, "Content-Length"));
        let length = length.and_then(|field| str::from_utf8(field.value(&self.record)).ok()?.parse().ok());
        // Without a length the record is the rest.
        let length = length.unwrap_or(u64::MAX);
        let held = length.min(WHOLE);
        let read = self.source.by_ref().take(held).read_to_end(&mut self.record)? as u64;
        self.pass(self.block..self.record.len());
        self.is_cut = read == held && length > held && self.skip(length - held)? > 0;
        Ok(Some(start))
    }

    /// Reads a line, or its beginning.
    fn read_line(&mut self) -> io::Result<usize> {
        let start = self.record.len();
        let read = self.source.by_ref().take(HEADER).read_until(b'\n', &mut self.record)?;
        self.pass(start..self.record.len());
        Ok(read)
    }

    /// Reads octets that are not held; returns how many there are.
    fn skip(&mut self, most: u64) -> io::Result<u64> {
        let mut left = most;
        while left > 0 {
            let octets = self.source.fill_buf()?;
            let length = octets.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            if length == 0 {
                break;
            }
            self.next = self.next.after(&octets[..length]);
            self.source.consume(length);
            left -= length as u64;
        }
        Ok(most - left)
    }

    fn pass(&mut self, read: std::ops::Range<usize>) {
        self.next = self.next.after(&self.record[read]);
    }
}

/// The maximum number of responses before the last one.
const MOST: usize = 100;

/// Recognises a status line and a header field after it.
///
/// status-line = HTTP-version SP status-code SP [ reason-phrase ] (RFC 9112, 4); programs print
/// "HTTP/2 200" for HTTP/2, which has no such line.
pub(super) fn is_response(first: &[u8]) -> bool {
    let Some(end) = status_line(first) else { return false };
    let line = first[end..].split(|octet| *octet == b'\n').next().unwrap_or_default();
    let name = memchr(b':', line).map_or(&[][..], |colon| &line[..colon]);
    !name.is_empty() && name.iter().all(u8::is_ascii_graphic)
}

/// Returns the end of the status line that the text begins with.
fn status_line(text: &[u8]) -> Option<usize> {
    let line = &text[..memchr(b'\n', text)?];
    let (version, rest) = line.strip_prefix(b"HTTP/")?.split_at_checked(1)?;
    let rest = rest.strip_prefix(b".").and_then(|rest| rest.get(1..)).unwrap_or(rest);
    let code = rest.strip_prefix(b" ")?.trim_ascii_end();
    let is_code = code.len() >= 3 && code[..3].iter().all(u8::is_ascii_digit);
    let ends = code.get(3).is_none_or(|octet| *octet == b' ');
    (version[0].is_ascii_digit() && is_code && ends).then_some(line.len() + 1)
}

/// Finds the links of a response, and of the headers before it.
pub(super) fn find_in_http(query: &Query<'_>, text: &[u8], emitter: &mut Emitter<'_>) -> ControlFlow<()> {
    let mut at = 0;
    for _ in 0..MOST {
        let start = at + status_line(&text[at..]).unwrap_or_default();
        let body = read_header(text, start, usize::MAX).body;
        let is_followed = body > start && status_line(&text[body..]).is_some();
        let end = if is_followed { body } else { text.len() };
        let part = DecodeChain::new(emitter.source, start, &text[start..end]);
        message::find_in_response(query, part.text(), &mut emitter.of(&part))?;
        if !is_followed {
            break;
        }
        at = body;
    }
    ControlFlow::Continue(())
}
