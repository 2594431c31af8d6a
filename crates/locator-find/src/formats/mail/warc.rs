//! Web archives. Reads one record after the other and finds its links, with their positions in the
//! archive. Follows WARC 1.1 (ISO 28500:2017), sections 4 to 6: the base of a record is its target URI.
//!
//! A `response` is one of HTTP, whose chunks are joined. A `resource` and a `conversion` are documents of
//! their media types. The other records and all headers are running text. One record is held at a time.

use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;

use memchr::memchr;

use super::field::{Field, read_header};
use super::response;
use crate::decode::chain::DecodeChain;
use crate::decode::decoded::Decoded;
use crate::decode::source::Octets;
use crate::link::{Location, PassedOver};
use crate::search::Query;
use crate::search::emitter::Emitter;
use crate::search::input::Input;
use crate::search::options::WHOLE;

/// Returns whether a text begins with the version of a record.
pub(crate) fn is_archive(first: &[u8]) -> bool {
    first.strip_prefix(b"WARC/").is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit))
}

/// Finds the links of an archive.
pub(super) fn find(query: &Query<'_>, input: Input<'_>) -> io::Result<()> {
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
    let (fields, _) = read_header(record, line_end(record, 0), usize::MAX);
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
        Some("response") if media_type == "application/http" => find_in_response(query, body, block, emitter),
        Some("resource" | "conversion") => query.find_in(&media_type, body, &mut emitter.of(&part)),
        _ => query.find_urls(body, &mut emitter.of(&part)),
    }
}

/// Finds the links of a response as a server sent it: its body may be in chunks and compressed.
fn find_in_response(query: &Query<'_>, text: &[u8], at: usize, emitter: &mut Emitter<'_>) -> ControlFlow<()> {
    let (fields, body) = read_header(text, line_end(text, 0), usize::MAX);
    let has = |name: &str, coding: fn(&str) -> bool| {
        let mut values = fields.iter().filter(|field| field.is(text, name));
        values.any(|field: &Field| {
            let value = String::from_utf8_lossy(field.value(text)).to_ascii_lowercase();
            value.split(',').any(|word| coding(word.trim()))
        })
    };
    if has("Content-Encoding", |coding| !matches!(coding, "" | "identity")) && body < text.len() {
        let part = DecodeChain::new(emitter.source, at, &text[..body]);
        response::find_in(query, part.text(), &mut emitter.of(&part))?;
        emitter.passed_over(at + body, PassedOver::Compressed);
        return ControlFlow::Continue(());
    }
    let part = DecodeChain::new(emitter.source, at, text);
    let part = match has("Transfer-Encoding", |coding| coding == "chunked") {
        true => part.then(|text| joined(text, body)),
        false => part,
    };
    response::find_in(query, part.text(), &mut emitter.of(&part))
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

/// Returns the end of the line that an octet is in.
fn line_end(text: &[u8], at: usize) -> usize {
    memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length + 1)
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
        let next = Location { span: 0..0, line: 1, column: 1 };
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
        let (fields, _) = read_header(&self.record, line_end(&self.record, 0), usize::MAX);
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
            advance(&mut self.next, &octets[..length]);
            self.source.consume(length);
            left -= length as u64;
        }
        Ok(most - left)
    }

    fn pass(&mut self, read: std::ops::Range<usize>) {
        advance(&mut self.next, &self.record[read]);
    }
}

/// Moves a position behind octets.
fn advance(place: &mut Location, octets: &[u8]) {
    let at = place.span.end + octets.len() as u64;
    let lines = memchr::memchr_iter(b'\n', octets).count() as u64;
    let column = match memchr::memrchr(b'\n', octets) {
        Some(end) => (octets.len() - end) as u64,
        None => place.column + octets.len() as u64,
    };
    *place = Location { span: at..at, line: place.line + lines, column };
}
