//! Splits a stream into inputs, at line ends or at NULs.
//!
//! There is one buffer, which grows only for a line that does not fit; a line is never copied out
//! of it. A line ends with LF or CR LF; between NULs every byte is data.

use std::io::{self, Read};
use std::ops::Range;

use locator_web::report::quantity::exact_size;

use crate::output::Place;

/// The kind of source that an input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// An argument of the command.
    Argument,
    /// A line of standard input.
    Line,
    /// The text between two NULs of standard input.
    Item,
    /// A file that is searched.
    File,
    /// A link that is found.
    Link,
}

impl Origin {
    /// Returns the singular noun for it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Argument => "argument",
            Self::Line => "line",
            Self::Item => "item",
            Self::File => "file",
            Self::Link => "link",
        }
    }
}

/// One input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a> {
    /// Its bytes, which need not be UTF-8.
    pub(crate) octets: &'a [u8],
    /// Its number, from 1.
    pub(crate) number: u64,
    /// What the number counts.
    pub(crate) origin: Origin,
    /// Whether it is the only one.
    pub(crate) alone: bool,
    /// The file or stream that it is a line of, by a printable name.
    pub(crate) list: Option<&'static str>,
    /// How many bytes are before it in its line, if it is a cell of a table.
    pub(crate) column: Option<usize>,
}

impl Input<'_> {
    /// Returns the place of a byte of this input; that of the only input has no name.
    pub(crate) fn place(&self, octet: usize) -> Place {
        match self.list.filter(|_| self.has_column()) {
            Some(list) => Place::in_file(list, self.number, self.column.unwrap_or(0) + octet),
            None if self.alone => Place::named(""),
            None => Place::named(&format!("{} {}", self.origin.name(), self.number)),
        }
    }

    /// Returns whether its location has a column.
    pub(crate) fn has_column(&self) -> bool {
        self.list.is_some() && self.origin == Origin::Line
    }

    /// Returns whether it is in a file that an editor can open.
    pub(crate) fn is_in_file(&self) -> bool {
        self.has_column() && self.list != Some(STDIN)
    }
}

/// The name of standard input in locations.
pub(crate) const STDIN: &str = "<stdin>";

/// The inputs of a stream.
#[derive(Debug)]
pub(crate) struct Stream<R> {
    from: R,
    buffer: Vec<u8>,
    /// The part that is read and not yet returned.
    unread: Range<usize>,
    /// The end of the part that is known to contain no delimiter.
    searched: usize,
    origin: Origin,
    /// How long an input may be.
    limit: usize,
    /// The option that sets the limit, for the message.
    option: Option<&'static str>,
    /// How many have been found.
    count: u64,
    ended: bool,
    /// Whether the stream may still begin with a byte order mark.
    at_start: bool,
}

/// The byte order mark in UTF-8, with which editors and spreadsheets begin a file.
pub(crate) const MARK: &[u8] = "\u{FEFF}".as_bytes();

impl<R: Read> Stream<R> {
    /// The size of the buffer while no line is longer.
    const BUFFER: usize = 256 * 1024;

    /// Splits a stream into lines, or at NULs.
    pub(crate) fn new(from: R, origin: Origin, limit: usize) -> Self {
        let (buffer, option) = (vec![0; Self::BUFFER], Some("--max-line"));
        // Between NULs every byte is data.
        let at_start = origin == Origin::Line;
        let (unread, searched, count, ended) = (0..0, 0, 0, false);
        Self { from, buffer, unread, searched, origin, limit, option, count, ended, at_start }
    }

    /// Splits a stream into lines or items of at most [`LONGEST`] bytes, which no option changes.
    pub(crate) fn of_file(from: R, origin: Origin) -> Self {
        Self { option: None, ..Self::new(from, origin, LONGEST) }
    }

    /// Returns the next input if it is in the buffer; otherwise call [`Self::fill`].
    pub(crate) fn next(&mut self) -> io::Result<Option<Range<usize>>> {
        let found = self.find();
        match &found {
            Some(found) if found.len() > self.limit => return Err(self.too_long()),
            // The last byte may be the CR of a line end.
            None if self.unread.len() > self.limit.saturating_add(1) => return Err(self.too_long()),
            Some(_) => self.count += 1,
            None => {}
        }
        Ok(found)
    }

    #[cold]
    fn too_long(&self) -> io::Error {
        let (name, number) = (self.origin.name(), self.count + 1);
        let limit = exact_size(self.limit);
        let advice = self.option.map(|option| format!("; use {option} to allow more")).unwrap_or_default();
        let message = format!("{name} {number} is longer than {limit}{advice}");
        io::Error::new(io::ErrorKind::FileTooLarge, message)
    }

    fn find(&mut self) -> Option<Range<usize>> {
        if self.at_start && !self.skip_mark() {
            return None;
        }
        let end = if self.origin == Origin::Line { b'\n' } else { 0 };
        match memchr::memchr(end, &self.buffer[self.searched..self.unread.end]) {
            Some(index) => {
                let found = self.unread.start..self.searched + index;
                self.unread.start = found.end + 1;
                self.searched = self.unread.start;
                Some(self.without_return(found))
            }
            None if self.ended && !self.unread.is_empty() => {
                // The last line may have no line end.
                let rest = self.unread.clone();
                self.unread.start = rest.end;
                self.searched = rest.end;
                Some(rest)
            }
            None => {
                self.searched = self.unread.end;
                None
            }
        }
    }

    /// Removes the byte order mark at the start. Returns whether enough has been read to know it.
    fn skip_mark(&mut self) -> bool {
        let start = &self.buffer[self.unread.clone()];
        let is_known = start.len() >= MARK.len() || self.ended || !MARK.starts_with(start);
        if is_known {
            self.at_start = false;
            if start.starts_with(MARK) {
                self.unread.start += MARK.len();
                self.searched = self.unread.start;
            }
        }
        is_known
    }

    /// The octets of an input.
    pub(crate) fn octets(&self, input: Range<usize>) -> &[u8] {
        &self.buffer[input]
    }

    /// Returns the buffer that the ranges of inputs are in.
    pub(crate) fn buffer(&self) -> &[u8] {
        &self.buffer
    }

    /// Returns whether the stream has ended.
    pub(crate) const fn ended(&self) -> bool {
        self.ended
    }

    /// Reads more, which may block.
    pub(crate) fn fill(&mut self) -> io::Result<()> {
        self.free_space();
        let count = loop {
            match self.from.read(&mut self.buffer[self.unread.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        self.unread.end += count;
        self.ended = count == 0;
        Ok(())
    }

    fn free_space(&mut self) {
        let start = self.unread.start;
        self.buffer.copy_within(self.unread.clone(), 0);
        self.unread = 0..self.unread.end - start;
        self.searched -= start;
        if self.unread.end == self.buffer.len() {
            // Space for the CR and for one byte that shows that the line is too long.
            let most = self.limit.saturating_add(2).max(Self::BUFFER);
            self.buffer.resize((2 * self.buffer.len()).min(most).max(self.buffer.len() + 1), 0);
        } else if start > Self::BUFFER && self.unread.end < Self::BUFFER {
            // The long line is processed.
            self.buffer.truncate(Self::BUFFER);
            self.buffer.shrink_to_fit();
        }
    }

    fn without_return(&self, line: Range<usize>) -> Range<usize> {
        match self.buffer[line.clone()].last() {
            Some(b'\r') if self.origin == Origin::Line => line.start..line.end - 1,
            _ => line,
        }
    }
}

/// Returns whether standard input is a file, a pipe or a socket, and not a terminal or a device such as
/// /dev/null, as ripgrep decides.
#[cfg(unix)]
pub(crate) fn stdin_has_content() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;

    let stdin = io::stdin().as_fd().try_clone_to_owned().map(std::fs::File::from);
    let kind = stdin.and_then(|stdin| stdin.metadata()).map(|stdin| stdin.file_type());
    kind.is_ok_and(|kind| kind.is_file() || kind.is_fifo() || kind.is_socket())
}

/// Returns whether standard input is not a terminal.
#[cfg(not(unix))]
pub(crate) fn stdin_has_content() -> bool {
    use std::io::IsTerminal;

    !io::stdin().is_terminal()
}

/// Reads a whole stream of at most [`LONGEST`] bytes.
pub(crate) fn whole(from: impl Read) -> io::Result<Vec<u8>> {
    whole_of(from, LONGEST)
}

/// Reads a whole stream of at most that many bytes.
pub(crate) fn whole_of(from: impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    from.take(most as u64 + 1).read_to_end(&mut octets)?;
    match octets.len() > most {
        true => {
            let message = format!("it is longer than {}", exact_size(most));
            Err(io::Error::new(io::ErrorKind::FileTooLarge, message))
        }
        false => Ok(octets),
    }
}

/// The most bytes that are read as a whole.
const LONGEST: usize = 16 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a few bytes at a time, as a slow pipe does.
    struct Slowly<'a>(&'a [u8], usize);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let limit = self.1.min(buffer.len());
            self.0.read(&mut buffer[..limit])
        }
    }

    fn inputs(octets: &[u8], origin: Origin) -> Vec<Vec<u8>> {
        let at_once = inputs_by(octets, origin, usize::MAX);
        assert_eq!(at_once, inputs_by(octets, origin, 1));
        assert_eq!(at_once, inputs_by(octets, origin, 3));
        at_once
    }

    fn inputs_by(octets: &[u8], origin: Origin, step: usize) -> Vec<Vec<u8>> {
        let mut stream = Stream::new(Slowly(octets, step), origin, usize::MAX);
        let mut found = Vec::new();
        loop {
            match stream.next().expect("it is not too long") {
                Some(input) => found.push(stream.octets(input).to_vec()),
                None if stream.ended() => return found,
                None => stream.fill().expect("a slice can always be read"),
            }
        }
    }

    #[test]
    fn an_input_ends_before_its_delimiter() {
        assert_eq!(inputs(b"", Origin::Line), [b""; 0]);
        assert_eq!(inputs(b"\n", Origin::Line), [b""]);
        assert_eq!(inputs(b"a\n\nb", Origin::Line), [&b"a"[..], b"", b"b"]);
        assert_eq!(inputs(b"a\r\n\r\nb\r", Origin::Line), [&b"a"[..], b"", b"b\r"]);
        assert_eq!(inputs(b"a\r\n\0\xFF\0", Origin::Item), [&b"a\r\n"[..], b"\xFF"]);
    }

    #[test]
    fn an_input_that_is_too_long_is_refused_as_it_comes() {
        for (octets, limit, answer) in [
            (&b"abc\nabc\r\n"[..], 3, Ok(2)),
            (b"abc\nabcd\n", 3, Err("line 2 is longer than 3 bytes; use --max-line to allow more")),
            (b"abc\nabcd", 3, Err("line 2 is longer than 3 bytes; use --max-line to allow more")),
            (&[b'a'; 2_000_000], 1 << 20, Err("line 1 is longer than 1 MiB; use --max-line to allow more")),
        ] {
            let mut stream = Stream::new(octets, Origin::Line, limit);
            let answer_by = |stream: &mut Stream<_>| loop {
                match stream.next() {
                    Ok(None) if stream.ended() => return Ok(stream.count),
                    Ok(None) => stream.fill().expect("a slice can always be read"),
                    Ok(Some(_)) => {}
                    Err(error) => return Err(error.to_string()),
                }
            };
            assert_eq!(answer_by(&mut stream), answer.map_err(str::to_owned));
            assert!(stream.buffer.len() <= 2 * limit.max(Stream::<&[u8]>::BUFFER));
        }
    }

    #[test]
    fn memory_is_given_back_after_a_long_line() {
        let octets = [vec![b'a'; 3_000_000], b"\n".repeat(1_000_000)].concat();
        let mut stream = Stream::new(&octets[..], Origin::Line, octets.len());
        let next = |stream: &mut Stream<_>| stream.next().expect("it is not too long").is_some();
        let mut count = 0;
        while !stream.ended() {
            count += u32::from(next(&mut stream));
            if !next(&mut stream) {
                stream.fill().expect("a slice can always be read");
            } else {
                count += 1;
            }
        }
        assert_eq!(count, 1_000_000);
        assert_eq!(stream.buffer.len(), Stream::<&[u8]>::BUFFER);
    }
}
