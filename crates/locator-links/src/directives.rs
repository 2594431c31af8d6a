//! Comments in a document that say which of its links are not checked, as markdown-link-check has them:
//! `<!-- markdown-link-check-disable -->` up to `…-enable`, `…-disable-line` and `…-disable-next-line`.
//!
//! They are found in the octets as the document is read. One after "`" is an example of such a comment.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};

use memchr::{memchr_iter, memmem};

/// A reader that finds directives in what it passes on.
pub(crate) struct Watched<'w, R> {
    pub(crate) from: R,
    pub(crate) found: &'w mut Directives,
}

/// The directives of a document.
#[derive(Debug, Default)]
pub(crate) struct Directives {
    /// The directives by their positions in the document, with their lines.
    found: BTreeMap<u64, (u64, Directive)>,
    /// The last octets that were read.
    tail: Vec<u8>,
    /// The position after them.
    at: u64,
    /// How many lines end before that.
    lines: u64,
}

/// What a comment says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Directive {
    Disable,
    Enable,
    DisableLine,
    DisableNextLine,
}

/// How all directives begin.
const START: &[u8] = b"markdown-link-check-";

/// How long a comment may be, with spaces, to be found where two pieces of the document meet.
const REACH: usize = 128;

impl Directives {
    /// Reads the next octets of the document.
    fn read(&mut self, octets: &[u8]) {
        if !self.tail.is_empty() {
            let tail = std::mem::take(&mut self.tail);
            let (begin, line) = (self.at - tail.len() as u64, self.lines - line_ends(&tail));
            let around = [&tail[..], &octets[..octets.len().min(REACH)]].concat();
            self.search(&around, begin, line);
            self.tail = tail;
        }
        self.search(octets, self.at, self.lines);
        self.at += octets.len() as u64;
        self.lines += line_ends(octets);
        self.tail.extend_from_slice(&octets[octets.len().saturating_sub(REACH)..]);
        self.tail.drain(..self.tail.len().saturating_sub(REACH));
    }

    /// Finds the directives in octets that begin at this position, after so many lines.
    fn search(&mut self, octets: &[u8], begin: u64, lines: u64) {
        for at in memmem::find_iter(octets, START) {
            let (before, after) = octets.split_at(at);
            if let Some(directive) = directive(before, &after[START.len()..]) {
                let line = lines + line_ends(before) + 1;
                self.found.insert(begin + at as u64, (line, directive));
            }
        }
    }

    /// Begins to read at another position; lines are only known from the begin of the document.
    fn begin_at(&mut self, position: u64) {
        if position != self.at {
            (self.at, self.lines) = (position, if position == 0 { 0 } else { self.lines });
            self.tail.clear();
        }
    }

    /// Returns what decides by position and line whether a link is ignored; `None` if none is.
    pub(crate) fn ignored(self) -> Option<Ignored> {
        let mut ignored = Ignored::default();
        let mut open = None;
        for (at, (line, directive)) in self.found {
            match directive {
                Directive::Disable => open = open.or(Some(at)),
                Directive::Enable => ignored.ranges.extend(open.take().map(|start| (start, at))),
                Directive::DisableLine => ignored.lines.push(line),
                Directive::DisableNextLine => ignored.lines.push(line + 1),
            }
        }
        ignored.ranges.extend(open.map(|start| (start, u64::MAX)));
        (!ignored.ranges.is_empty() || !ignored.lines.is_empty()).then_some(ignored)
    }
}

/// Where links are ignored.
#[derive(Debug, Default)]
pub(crate) struct Ignored {
    /// Positions, in order.
    ranges: Vec<(u64, u64)>,
    /// Lines, in order, from 1.
    lines: Vec<u64>,
}

impl Ignored {
    /// Returns whether a link is ignored.
    pub(crate) fn has(&self, offset: u64, line: u64) -> bool {
        let after = self.ranges.partition_point(|(start, _)| *start <= offset);
        let range = after.checked_sub(1).and_then(|last| self.ranges.get(last));
        range.is_some_and(|(_, end)| offset < *end) || self.lines.binary_search(&line).is_ok()
    }
}

/// Returns the directive of a comment with this text around the start of its name.
fn directive(before: &[u8], after: &[u8]) -> Option<Directive> {
    let is_space = |octet: &u8| matches!(octet, b' ' | b'\t');
    let (last, before) = before.split_last()?;
    let open = before.iter().rposition(|octet| !is_space(octet))?;
    let before = before.get(..=open)?.strip_suffix(b"<!--").filter(|_| is_space(last))?;
    let name = after.split(is_space).next().unwrap_or_default();
    let end = after.get(name.len()..)?.trim_ascii_start();
    if before.ends_with(b"`") || !end.starts_with(b"-->") {
        return None;
    }
    match name {
        b"disable" => Some(Directive::Disable),
        b"enable" => Some(Directive::Enable),
        b"disable-line" => Some(Directive::DisableLine),
        b"disable-next-line" => Some(Directive::DisableNextLine),
        _ => None,
    }
}

fn line_ends(octets: &[u8]) -> u64 {
    memchr_iter(b'\n', octets).count() as u64
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.from.read(buffer)?;
        self.found.read(buffer.get(..length).unwrap_or_default());
        Ok(length)
    }
}

impl<R: Seek> Seek for Watched<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = self.from.seek(to)?;
        self.found.begin_at(position);
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every piece length finds the same.
    #[test]
    fn directives_at_the_ends_of_pieces() {
        let text = "a\n<!-- markdown-link-check-disable -->b\nc<!--\tmarkdown-link-check-enable\t-->\n\
            d <!-- markdown-link-check-disable-line -->\n<!-- markdown-link-check-disable-next-line -->\n\
            e\nf `<!-- markdown-link-check-disable -->` <!--markdown-link-check-disable -->\n\
            <!-- markdown-link-check-disabled --> markdown-link-check-disable -->\n";
        for length in 1..=text.len() {
            let mut directives = Directives::default();
            text.as_bytes().chunks(length).for_each(|piece| directives.read(piece));
            let ignored = directives.ignored().unwrap();
            let has = |word: &str| {
                let at = text.find(word).unwrap();
                ignored.has(at as u64, line_ends(&text.as_bytes()[..at]) + 1)
            };
            let found = ["a\n", "b\n", "c<", "d ", "e\n", "f "].map(has);
            assert_eq!(found, [false, true, true, true, true, false], "{length}");
        }
    }

    #[test]
    fn a_document_is_read_again() {
        let text = b"\n<!-- markdown-link-check-disable-line --> a\n";
        let mut directives = Directives::default();
        let mut source = Watched { from: io::Cursor::new(text), found: &mut directives };
        for _ in 0..2 {
            source.rewind().unwrap();
            io::copy(&mut source, &mut io::sink()).unwrap();
        }
        let ignored = directives.ignored().unwrap();
        assert_eq!([1, 2, 3].map(|line| ignored.has(0, line)), [false, true, false]);
    }
}
