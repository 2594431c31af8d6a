//! Prints links and anchors as lines, `file:line:column:url`. The lines of one document are written
//! together, whatever other threads write.
//!
//! A link is always one line: a line end in a name or URL is printed by code. A terminal gets only
//! visible characters; a pipe gets the original bytes.
//!
//! The lines of a document are buffered in a buffer. A buffer that becomes long locks the output before
//! it is finished and keeps the lock to its end, so that memory is bounded however many links a
//! file has.
//!
//! [`ContextReader`] returns the lines around the links of a document: each line once, in the order of the document.
//! The document is read a second time for them. Links come in the order in which they are found; one that is before a
//! line that is written already gets none.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::mem;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anstream::adapter::strip_bytes;
use anstyle::Style;
use locator::UriRef;
use locator_find::{Link, Location};
use memchr::{memchr, memrchr_iter};
use unicode_width::UnicodeWidthStr;

use super::arguments::ContextLines;
use super::iocs::{self, Indicator};
use super::resolve::not_chosen;
use crate::input::Origin;
use crate::output::{Output, paragraph};
use crate::report::failure::Failure;
use crate::run::interrupt::Turn;
use crate::terminal::paint::{FAINT, FILE, FOUND, PLACE, themed};
use crate::terminal::visible::{is_plain, legible};
use crate::terminal::{Paint, Word, secrets};

/// How lines are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineFormat {
    /// The colours.
    pub(super) paint: Paint,
    /// Whether the output is a terminal, to which control characters must not be written.
    pub(super) is_terminal: bool,
    /// How many columns a line may have.
    pub(super) columns: usize,
    /// Whether a terminal can follow names and URLs.
    pub(super) has_links: bool,
    /// Whether they begin with the file's name.
    pub(super) name: bool,
    /// Whether they have the line's number.
    pub(super) line: bool,
    /// Whether they have the column.
    pub(super) column: bool,
    /// Whether they have the offset in the file.
    pub(super) offset: bool,
    /// Whether the file's name is above them.
    pub(super) heading: bool,
    /// Whether NUL follows a name, and a text without a name.
    pub(super) null: bool,
}

impl LineFormat {
    /// Returns the name of a file as printed before each of its lines; empty if it is not printed
    /// there.
    pub(super) fn head(&self, path: &Path, url: Option<&str>) -> Vec<u8> {
        let mut head = Vec::new();
        if self.name && !self.heading {
            self.write_name(&mut head, path, url);
            head.push(if self.null { 0 } else { b':' });
        }
        head
    }

    /// Writes what is above the lines of a file.
    pub(super) fn heading(&self, to: &mut Vec<u8>, path: &Path, url: Option<&str>) {
        if self.name && self.heading {
            self.file(to, path, url);
        }
    }

    /// Writes a line of the document near a link, `file-12-text`, or the sign that lines are left
    /// out.
    pub(super) fn around(&self, to: &mut Vec<u8>, head: &[u8], shown: &ContextLine<'_>) {
        let ContextLine::Line(number, text) = shown else { return to.extend_from_slice(b"--\n") };
        let separator = to.len() + head.len();
        to.extend_from_slice(head);
        if let Some(end) = to[..separator].last_mut().filter(|end| **end == b':' && !head.is_empty()) {
            *end = b'-';
        }
        if self.line {
            let _ = write!(to, "{}-", self.paint.with(PLACE, number));
        }
        match self.is_terminal {
            true => {
                let text = String::from_utf8_lossy(text);
                let pieces: Vec<_> = text.split('\t').map(|piece| legible(piece).to_string()).collect();
                to.extend_from_slice(pieces.join("\t").as_bytes());
            }
            false => to.extend_from_slice(text),
        }
        to.push(b'\n');
    }

    /// Writes the line of a link that is broken, and what is wrong with it: on a terminal below it.
    pub(super) fn broken(&self, to: &mut Vec<u8>, head: &[u8], link: &Link<'_>, why: &Failure) {
        let url = link.url();
        // Hide secrets in error messages.
        let shown = secrets::masked(url);
        let start = to.len();
        self.place(to, head, link.place());
        if self.line || self.column {
            let place = strip_bytes(&to[start..]).into_vec();
            let width = String::from_utf8_lossy(&place).width() + 1 + legible(&shown).to_string().width();
            let is_long = self.is_terminal && width > self.columns;
            to.extend_from_slice(if is_long { b"\n  " } else { b" " });
        }
        self.text(to, FOUND, shown.as_bytes(), None);
        let redacted = match why {
            Failure::NotValid(error) => &Failure::NotValid(secrets::redacted(url).error(*error)),
            why => why,
        };
        if self.is_terminal {
            self.end(to);
            return self.error(to, redacted);
        }
        let _ = write!(to, ": {}", legible(&redacted.to_string()));
        self.end(to);
    }

    /// Writes an error below the line of its link, and beside it the document and section.
    fn error(&self, to: &mut Vec<u8>, why: &Failure) {
        const INDENT: &str = "  ";
        let (sentence, see) = why.sentence_and_citation();
        let (sentence, see) = (legible(&sentence).to_string(), see.unwrap_or_default());
        let first = INDENT.len() + Word::Error.text().len() + 1;
        let lines = paragraph::lines(sentence.split(' '), self.columns, first, INDENT.len());
        let last = match lines.as_slice() {
            [only] => first + only.width(),
            [.., last] => INDENT.len() + last.width(),
            [] => first,
        };
        let gap =
            if last + 3 + see.width() > self.columns { format!("\n{INDENT}") } else { "   ".to_owned() };
        let gap = if see.is_empty() { "" } else { &gap };
        let sentence = lines.join(&format!("\n{INDENT}"));
        let (word, see) = (self.paint.word(Word::Error), self.paint.with(FAINT, see));
        // Writing to a vector cannot fail.
        let _ = writeln!(to, "{INDENT}{word} {sentence}{gap}{see}");
    }

    /// Writes the line of a link.
    pub(super) fn link(&self, to: &mut Vec<u8>, head: &[u8], place: &Location, text: &[u8]) {
        self.place(to, head, place);
        let followed = self.has_links.then(|| str::from_utf8(text).ok().filter(|url| can_be_followed(url)));
        self.text(to, FOUND, text, followed.flatten());
        self.end(to);
    }

    /// Writes the line of an indicator of compromise.
    pub(super) fn indicator(&self, to: &mut Vec<u8>, head: &[u8], place: &Location, indicator: &Indicator) {
        self.place(to, head, place);
        let mut value = Vec::new();
        self.text(&mut value, FOUND, indicator.value.as_bytes(), None);
        // Writing to a vector cannot fail.
        let _ = iocs::write_cells(to, indicator, &value);
        self.end(to);
    }

    /// Writes the line of a name that a fragment may point to.
    pub(super) fn anchor(&self, to: &mut Vec<u8>, head: &[u8], place: &Location, name: &str) {
        self.place(to, head, place);
        self.text(to, FOUND, format!("#{name}").as_bytes(), None);
        self.end(to);
    }

    /// Writes the line of a file.
    pub(super) fn file(&self, to: &mut Vec<u8>, path: &Path, url: Option<&str>) {
        self.write_name(to, path, url);
        to.push(if self.null { 0 } else { b'\n' });
    }

    /// Writes how many links a file has.
    pub(super) fn count(&self, to: &mut Vec<u8>, head: &[u8], count: u64) {
        to.extend_from_slice(head);
        let _ = writeln!(to, "{count}");
    }

    /// Writes what may be the base of a link: which one is, and why the others are not.
    pub(super) fn bases(&self, to: &mut Vec<u8>, link: &Link<'_>) {
        let mut chosen = false;
        for layer in link.bases().layers() {
            let why = not_chosen(layer, &mut chosen);
            let word = if why.is_none() { "base" } else { "not" };
            let given = layer.uri().map_or(layer.given(), |uri| uri.as_str());
            let why = why.map_or_else(String::new, |why| format!(": {why}"));
            let line = format!("  {word} {given}, {}{why}", layer.source());
            let _ = writeln!(to, "{}", self.paint.with(FAINT, legible(&line)));
        }
    }

    fn place(&self, to: &mut Vec<u8>, head: &[u8], place: &Location) {
        to.extend_from_slice(head);
        // Writing to a vector cannot fail.
        if self.line {
            let _ = write!(to, "{}:", self.paint.with(PLACE, place.line));
        }
        if self.column {
            let _ = write!(to, "{}:", self.paint.with(PLACE, place.column));
        }
        if self.offset {
            let _ = write!(to, "{}:", self.paint.with(PLACE, place.span.start));
        }
    }

    fn end(&self, to: &mut Vec<u8>) {
        to.push(if self.null && (!self.name || self.heading) { 0 } else { b'\n' });
    }

    fn write_name(&self, to: &mut Vec<u8>, path: &Path, url: Option<&str>) {
        self.text(to, FILE, path.as_os_str().as_encoded_bytes(), url.filter(|_| self.has_links));
    }

    fn text(&self, to: &mut Vec<u8>, style: Style, text: &[u8], followed: Option<&str>) {
        if let Some(url) = followed {
            let _ = write!(to, "\x1B]8;;{url}\x1B\\");
        }
        let text = self.shown(text);
        match self.paint.is_on() {
            true => {
                let _ = write!(to, "{}", themed(style).render());
                to.extend_from_slice(&text);
                let _ = write!(to, "{}", style.render_reset());
            }
            false => to.extend_from_slice(&text),
        }
        if followed.is_some() {
            to.extend_from_slice(b"\x1B]8;;\x1B\\");
        }
    }

    fn shown<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        if is_plain(text) {
            return Cow::Borrowed(text);
        }
        if self.is_terminal {
            return legible(&String::from_utf8_lossy(text)).to_string().into_bytes().into();
        }
        if self.null || memchr::memchr2(b'\n', b'\r', text).is_none() {
            return Cow::Borrowed(text);
        }
        let codes = |octet: &u8| match octet {
            b'\n' => b"<U+000A>".to_vec(),
            b'\r' => b"<U+000D>".to_vec(),
            octet => vec![*octet],
        };
        text.iter().flat_map(codes).collect()
    }
}

/// Returns whether a URL can be a terminal link: absolute and printable ASCII.
fn can_be_followed(url: &str) -> bool {
    is_plain(url.as_bytes()) && UriRef::parse(url).is_ok_and(|reference| reference.has_scheme())
}

/// Standard output, which one document at a time writes to.
pub(super) struct SharedOutput<'o> {
    out: Mutex<&'o mut Output>,
    /// What is written between two documents.
    separator: &'static str,
    /// Whether a document has been written.
    has_begun: AtomicBool,
    /// Why nothing can be written any more.
    failed: Mutex<Option<io::Error>>,
}

/// The buffered lines of one document.
pub(super) struct LineBuffer<'f, 'o> {
    shared: &'f SharedOutput<'o>,
    held: Option<MutexGuard<'f, &'o mut Output>>,
    lines: Vec<u8>,
    /// The number of links on it that are not written yet.
    links: u64,
}

impl<'o> SharedOutput<'o> {
    /// Shares an output between documents.
    pub(super) const fn new(out: &'o mut Output, separator: &'static str) -> Self {
        Self { out: Mutex::new(out), separator, has_begun: AtomicBool::new(false), failed: Mutex::new(None) }
    }

    /// Begins a page, in a buffer that is reused.
    pub(super) fn buffer(&self, spare: Vec<u8>) -> LineBuffer<'_, 'o> {
        LineBuffer { shared: self, held: None, lines: spare, links: 0 }
    }

    /// Returns standard output.
    pub(super) fn end(self) -> io::Result<&'o mut Output> {
        match self.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(self.out.into_inner().unwrap_or_else(PoisonError::into_inner)),
        }
    }
}

impl LineBuffer<'_, '_> {
    /// The length at which a page is written.
    const PIECE: usize = 256 * 1024;

    /// Returns the lines that are not written yet.
    pub(super) const fn lines(&mut self) -> &mut Vec<u8> {
        &mut self.lines
    }

    /// Ends the lines of a link.
    pub(super) fn end_link(&mut self) -> ControlFlow<()> {
        self.links += 1;
        if self.lines.len() < Self::PIECE { ControlFlow::Continue(()) } else { self.write() }
    }

    /// Writes the buffered lines and keeps the lock until the page is finished; breaks if the
    /// output is closed.
    pub(super) fn write(&mut self) -> ControlFlow<()> {
        if self.lines.is_empty() {
            return ControlFlow::Continue(());
        }
        let shared = self.shared;
        let is_first = self.held.is_none();
        let out = self.held.get_or_insert_with(|| shared.out.lock().unwrap_or_else(PoisonError::into_inner));
        // Ctrl-C is handled between two writes.
        let mut turn = Turn::take();
        let is_next = is_first && shared.has_begun.swap(true, Ordering::Relaxed);
        let between = if is_next { shared.separator } else { "" };
        let written = out
            .write_all(between.as_bytes())
            .and_then(|()| out.write_all(&self.lines))
            .and_then(|()| out.flush());
        self.lines.clear();
        turn.add(Origin::Link, mem::take(&mut self.links));
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                shared.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                ControlFlow::Break(())
            }
        }
    }

    /// Writes the rest and returns the buffer.
    pub(super) fn finish(mut self) -> (ControlFlow<()>, Vec<u8>) {
        let flow = self.write();
        Turn::take().add(Origin::File, 1);
        (flow, self.lines)
    }
}

/// What can be read again, from any place.
pub(super) trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// The lines around the links of one document.
pub(super) struct ContextReader<'a> {
    from: BufReader<Box<dyn ReadSeek + 'a>>,
    lines: ContextLines,
    /// The first line that is not passed yet.
    next: LineStart,
    /// The first link in the last line with a link.
    focus: Focus,
    /// The last line that is to be written.
    due: u64,
    has_begun: bool,
    text: Vec<u8>,
}

/// Where a line begins.
#[derive(Clone, Copy)]
struct LineStart {
    line: u64,
    offset: u64,
}

/// What a long line is shown around.
#[derive(Clone, Copy)]
struct Focus {
    line: u64,
    column: u64,
}

/// Where a link begins, and how many line ends it has.
#[derive(Clone, Copy)]
pub(super) struct LinkPlace {
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) offset: u64,
    pub(super) line_ends: u64,
}

/// Lines before another one.
struct LinesBefore {
    /// Where the first of them begins.
    offset: u64,
    count: u64,
}

/// What is written between links.
pub(super) enum ContextLine<'l> {
    /// A line: its number, and its text without the line's end.
    Line(u64, &'l [u8]),
    /// Lines are left out here.
    Gap,
}

/// How much of a line is shown; also of what is before a link lines are looked for in so many times
/// 64 octets.
const LONGEST: usize = 1024;

/// In which columns a link is near enough to the start of a line, so that this is shown.
const NEAR: u64 = 3 * LONGEST as u64 / 4;

/// How far back lines are looked for.
const BACK: u64 = 64 * LONGEST as u64;

impl<'a> ContextReader<'a> {
    /// Nothing is written yet of what can be read there.
    pub(super) fn new(from: Box<dyn ReadSeek + 'a>, lines: ContextLines) -> Self {
        let text = Vec::with_capacity(LONGEST);
        Self {
            from: BufReader::new(from),
            lines,
            next: LineStart { line: 1, offset: 0 },
            focus: Focus { line: 0, column: 0 },
            due: 0,
            has_begun: false,
            text,
        }
    }

    /// Writes all that is before a link.
    pub(super) fn reach(
        &mut self,
        link: LinkPlace,
        write: &mut dyn FnMut(ContextLine<'_>),
    ) -> io::Result<()> {
        let LinkPlace { line, column, offset, line_ends } = link;
        self.write_due(line, write)?;
        let start = offset.saturating_sub(column.saturating_sub(1));
        if line > self.focus.line {
            self.focus = Focus { line, column };
        }
        if line >= self.next.line {
            let LinesBefore { offset, count } = match line - self.next.line {
                0 => LinesBefore { offset: start, count: 0 },
                all => self.lines_before(start, self.lines.before.min(all))?,
            };
            if self.has_begun && line - count > self.next.line {
                write(ContextLine::Gap);
            }
            self.next = LineStart { line: line - count, offset };
            for _ in 0..count {
                self.write_line(write)?;
            }
            self.next = LineStart { line, offset: start };
        }
        self.has_begun = true;
        self.due = self.due.max(line.saturating_add(line_ends).saturating_add(self.lines.after));
        Ok(())
    }

    /// Writes all that is after the last link.
    pub(super) fn end(&mut self, write: &mut dyn FnMut(ContextLine<'_>)) -> io::Result<()> {
        self.write_due(u64::MAX, write)
    }

    /// Writes what is to be written, as far as it is before that line.
    fn write_due(&mut self, line: u64, write: &mut dyn FnMut(ContextLine<'_>)) -> io::Result<()> {
        while self.next.line <= self.due && self.next.line < line && self.write_line(write)? {}
        Ok(())
    }

    /// Up to so many lines before the start of another one.
    fn lines_before(&mut self, start: u64, most: u64) -> io::Result<LinesBefore> {
        let low = self.next.offset.max(start.saturating_sub(BACK));
        let mut octets = Vec::new();
        self.from.seek(SeekFrom::Start(low))?;
        self.from.by_ref().take(start.saturating_sub(low)).read_to_end(&mut octets)?;
        let mut found = LinesBefore { offset: start, count: 0 };
        // The last line end is that before the line itself.
        for end in memrchr_iter(b'\n', &octets).skip(1) {
            if found.count == most {
                return Ok(found);
            }
            found = LinesBefore { offset: low + end as u64 + 1, count: found.count + 1 };
        }
        // The first line begins where the octets do.
        let has_first = found.count < most && low == self.next.offset && !octets.is_empty();
        Ok(if has_first { LinesBefore { offset: low, count: found.count + 1 } } else { found })
    }

    /// Writes the next line, if there is one.
    fn write_line(&mut self, write: &mut dyn FnMut(ContextLine<'_>)) -> io::Result<bool> {
        let LineStart { line: number, offset: start } = self.next;
        if self.from.stream_position()? != start {
            self.from.seek(SeekFrom::Start(start))?;
        }
        self.text.clear();
        let mut length = 0;
        // Of a long line what is near the link is shown.
        let mut skip = match self.focus {
            Focus { line, column } if line == number && column > NEAR => {
                (column - LONGEST as u64 / 2) as usize
            }
            _ => 0,
        };
        let (begins_inside, mut is_cut) = (skip > 0, false);
        loop {
            let octets = self.from.fill_buf()?;
            if octets.is_empty() {
                break;
            }
            let end = memchr(b'\n', octets);
            let used = end.map_or(octets.len(), |end| end + 1);
            let left = LONGEST.saturating_sub(self.text.len());
            let line = &octets[..end.unwrap_or(used)];
            let skipped = skip.min(line.len());
            skip -= skipped;
            let line = &line[skipped..];
            self.text.extend_from_slice(&line[..line.len().min(left)]);
            is_cut |= line.len() > left;
            self.from.consume(used);
            length += used as u64;
            if end.is_some() {
                break;
            }
        }
        if length == 0 {
            return Ok(false);
        }
        self.next = LineStart { line: number + 1, offset: start + length };
        if is_cut {
            cut(&mut self.text);
        }
        if begins_inside {
            let inside = self.text.iter().take(3).take_while(|octet| **octet & 0xC0 == 0x80).count();
            self.text.splice(..inside, "[…] ".bytes());
        }
        let text = self.text.strip_suffix(b"\r").unwrap_or(&self.text);
        write(ContextLine::Line(number, text));
        Ok(true)
    }
}

/// Ends a text that is not whole, between two characters, with a sign that it is not.
fn cut(text: &mut Vec<u8>) {
    let is_inside = |octet: &u8| octet & 0xC0 == 0x80;
    let inside = text.iter().rev().take(3).take_while(|octet| is_inside(octet)).count();
    let start = text.len() - inside;
    if start > 0 && text[start - 1] >= 0xC0 {
        text.truncate(start - 1);
    }
    text.extend_from_slice(" […]".as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn link_at(line: u64, column: u64, offset: u64) -> LinkPlace {
        LinkPlace { line, column, offset, line_ends: 0 }
    }

    /// The lines around links in some lines, of ten lines.
    fn shown(before: u64, after: u64, lines: &[u64]) -> Vec<String> {
        let text: String = (1..=10).map(|line| format!("l{line}\n")).collect();
        let mut around =
            ContextReader::new(Box::new(Cursor::new(text.clone())), ContextLines { before, after });
        let mut all = Vec::new();
        let mut write = |what: ContextLine<'_>| {
            all.push(match what {
                ContextLine::Line(number, text) => format!("{number} {}", String::from_utf8_lossy(text)),
                ContextLine::Gap => "--".to_owned(),
            });
        };
        for line in lines {
            let start: usize = text.split_inclusive('\n').take(*line as usize - 1).map(str::len).sum();
            around.reach(link_at(*line, 1, start as u64), &mut write).expect("a cursor can be read");
            write(ContextLine::Line(*line, b"found"));
        }
        around.end(&mut write).expect("a cursor can be read");
        all
    }

    #[test]
    fn each_line_is_written_once_and_in_order() {
        assert_eq!(shown(0, 0, &[2, 2, 3]), ["2 found", "2 found", "2 l2", "3 found", "3 l3"]);
        assert_eq!(shown(1, 0, &[1, 3]), ["1 found", "1 l1", "2 l2", "3 found", "3 l3"]);
        assert_eq!(shown(1, 0, &[5]), ["4 l4", "5 found", "5 l5"]);
        assert_eq!(shown(9, 0, &[3]), ["1 l1", "2 l2", "3 found", "3 l3"]);
        assert_eq!(shown(0, 2, &[9]), ["9 found", "9 l9", "10 l10"]);
        assert_eq!(shown(0, 0, &[2, 9]), ["2 found", "2 l2", "--", "9 found", "9 l9"]);
        assert_eq!(
            shown(1, 1, &[2, 5]),
            ["1 l1", "2 found", "2 l2", "3 l3", "4 l4", "5 found", "5 l5", "6 l6"]
        );
        assert_eq!(shown(0, 9, &[9, 2]), ["9 found", "2 found", "9 l9", "10 l10"]);
    }

    #[test]
    fn of_a_long_line_what_is_near_the_link_is_shown() {
        let text = format!("{}é {} http://h/ {}\n", "x".repeat(100_000), "a".repeat(510), "b".repeat(5000));
        let offset = text.find("http").expect("it is there") as u64;
        let mut around =
            ContextReader::new(Box::new(Cursor::new(text)), ContextLines { before: 0, after: 0 });
        let mut write = |what: ContextLine<'_>| {
            let ContextLine::Line(1, text) = what else { panic!("there is one line") };
            let text = str::from_utf8(text).expect("it is cut between characters");
            assert!(
                text.starts_with("[…] ") && text.contains("a http://h/ b") && text.ends_with("b […]"),
                "{text}"
            );
        };
        around.reach(link_at(1, offset + 1, offset), &mut write).expect("a cursor can be read");
        around.end(&mut write).expect("a cursor can be read");
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        let mut text = "a".repeat(LONGEST - 1).into_bytes();
        text.extend_from_slice("é".repeat(100_000).as_bytes());
        let mut around =
            ContextReader::new(Box::new(Cursor::new(text)), ContextLines { before: 0, after: 0 });
        let mut write = |what: ContextLine<'_>| {
            let ContextLine::Line(1, text) = what else { panic!("there is one line") };
            assert_eq!(str::from_utf8(text), Ok(&*format!("{} […]", "a".repeat(LONGEST - 1))));
        };
        around.reach(link_at(1, 1, 0), &mut write).expect("a cursor can be read");
        around.end(&mut write).expect("a cursor can be read");
    }
}
