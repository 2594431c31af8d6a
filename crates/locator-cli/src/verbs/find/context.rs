//! Prints the lines around the links of a document: each line once, in the order of the document.
//!
//! The document is read a second time for them. LinkArgs come in the order in which they are found;
//! one that is before a line that is written already gets none.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use memchr::{memchr, memrchr_iter};

use super::arguments::ContextLines;

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
    use std::io::Cursor;

    use super::*;

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
