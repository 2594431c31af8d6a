//! An input with its place: takes a line and returns the URL in it, and where that was found ([`Located`]). A line is a URL, a
//! URL after a location (`--places`), or an object of `find --json`.
//!
//! [`Files`] says where a URL is in its file, as SARIF counts: columns in UTF-16 code units, and bytes from the start of the
//! file. `find` counts bytes in lines.

use std::borrow::Cow;
use std::fs;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use memchr::memchr_iter;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::input::paths::native;
use crate::input::{Input, MARK, Origin};
use crate::{output, pasted};

/// A URL, and where it was found.
pub(crate) struct Located<'a> {
    pub(crate) input: Input<'a>,
    /// The URL as text, with U+FFFD in place of what is not UTF-8.
    text: Cow<'a, str>,
    /// The bytes of the URL and the stretches of UTF-8 in them, if not all is UTF-8.
    raw: Option<(&'a [u8], Vec<Chunk>)>,
    /// The file, line and column that came with it.
    pub(crate) place: Option<Place>,
    /// The text of the link that it is, if that came with it.
    pub(crate) link_text: Option<String>,
    /// What the link is by the base of its document, if that came with it.
    pub(crate) absolute: Option<String>,
}

/// A stretch of UTF-8: where it starts in the text and in the bytes, and its length.
struct Chunk {
    text: usize,
    octets: usize,
    valid: usize,
}

/// A location as `find` prints it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The name of the file; `None` for standard input.
    pub(crate) file: Option<Vec<u8>>,
    pub(crate) line: u64,
    /// The first byte in the line, from 1, if it is known.
    pub(crate) column: Option<u64>,
}

/// The keys of `find --json` that are needed. Its objects without a URL are summaries and anchors.
#[derive(Deserialize)]
struct Record {
    url: Option<String>,
    file: Option<String>,
    file_base64: Option<String>,
    line: Option<u64>,
    column: Option<u64>,
    text: Option<String>,
    absolute: Option<String>,
    stats: Option<IgnoredAny>,
    anchor: Option<IgnoredAny>,
}

impl<'a> Located<'a> {
    /// Returns the URL of an input; `None` if the input is an object of `find` without a URL.
    pub(crate) fn read(input: Input<'a>, has_places: bool) -> Option<Self> {
        if input.octets.starts_with(b"{")
            && input.origin != Origin::Argument
            && let Ok(record) = serde_json::from_slice::<Record>(input.octets)
        {
            match record.url {
                Some(_) => return Some(record.located(input)),
                None if record.stats.is_some() || record.anchor.is_some() => return None,
                None => {}
            }
        }
        let found = if has_places { pasted::place(input.octets) } else { None };
        let place = found.and_then(Place::of);
        let octets = found.filter(|_| place.is_some()).map_or(input.octets, |found| found.url);
        let (text, raw) = match str::from_utf8(octets) {
            Ok(text) => (Cow::Borrowed(text), None),
            Err(_) => (String::from_utf8_lossy(octets), Some((octets, chunks(octets)))),
        };
        Some(Self { input, text, raw, place, link_text: None, absolute: None })
    }

    /// Returns the URL as text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the bytes of the URL, which need not be UTF-8.
    pub(crate) fn octets(&self) -> &[u8] {
        self.raw.as_ref().map_or(self.text.as_bytes(), |(octets, _)| octets)
    }

    /// Converts a range of the text to one of the bytes.
    pub(crate) fn octets_of(&self, range: Range<usize>) -> Range<usize> {
        let Some((_, chunks)) = &self.raw else { return range };
        let octet = |at: usize| {
            let chunk = chunks.partition_point(|chunk| chunk.text <= at).checked_sub(1);
            let chunk = chunk.and_then(|chunk| chunks.get(chunk));
            chunk.map_or(at, |chunk| chunk.octets + (at - chunk.text).min(chunk.valid))
        };
        octet(range.start)..octet(range.end)
    }

    /// Returns the name of the file, if one came with the URL.
    pub(crate) fn file(&self) -> Option<&[u8]> {
        self.place.as_ref()?.file.as_deref()
    }

    /// Returns where the URL is: where it was found, or its line in the file that it was read from.
    pub(crate) fn place_in(&self, list: Option<&[u8]>) -> Option<Place> {
        let line = (self.input.origin == Origin::Line).then_some(self.input.number);
        let in_list = line.map(|line| Place {
            file: list.map(<[u8]>::to_vec),
            line,
            column: Some(self.input.column.map_or(1, |before| before as u64 + 1)),
        });
        self.place.clone().or(in_list)
    }

    /// Returns the location of a byte of the URL for people, as far as it is known: that of the URL,
    /// if it came with one.
    pub(crate) fn whereabouts(&self, octet: usize) -> output::Place {
        let Some(Place { file, line, column }) = &self.place else {
            return self.input.place(octet);
        };
        let file = file.as_ref().map(|file| format!("{}:", String::from_utf8_lossy(file)));
        let column = column.map(|column| format!(":{column}")).unwrap_or_default();
        output::Place::given(&format!("{}{line}{column}", file.unwrap_or_default()))
    }
}

/// Divides bytes into stretches of UTF-8; one character follows each in the text.
fn chunks(octets: &[u8]) -> Vec<Chunk> {
    let (mut chunks, mut text, mut start) = (Vec::new(), 0, 0);
    for chunk in octets.utf8_chunks() {
        let valid = chunk.valid().len();
        chunks.push(Chunk { text, octets: start, valid });
        text += valid + char::REPLACEMENT_CHARACTER.len_utf8();
        start += valid + chunk.invalid().len();
    }
    // The end.
    chunks.push(Chunk { text, octets: start, valid: 0 });
    chunks
}

impl Record {
    fn located(self, input: Input<'_>) -> Located<'_> {
        let exact = self.file_base64.and_then(|file| BASE64_STANDARD.decode(file).ok());
        let file = exact.or(self.file.map(String::into_bytes));
        let place =
            self.line.zip(self.column).map(|(line, column)| Place { file, line, column: Some(column) });
        let text = Cow::Owned(self.url.unwrap_or_default());
        Located { input, text, raw: None, place, link_text: self.text, absolute: self.absolute }
    }
}

impl Place {
    /// Returns the place of a line of `find`; `None` if its numbers are too large.
    fn of(found: pasted::Located<'_>) -> Option<Self> {
        let number = |digits: &[u8]| str::from_utf8(digits).ok()?.parse().ok();
        let column = match found.column {
            None => None,
            Some(digits) => Some(number(digits)?),
        };
        Some(Self { file: found.file.map(<[u8]>::to_vec), line: number(found.line)?, column })
    }
}

/// Where a part of a URL is in its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) line: u64,
    /// The first column and the one after the last, from 1; `None` if the file is not there, or has
    /// another text in that place.
    pub(crate) columns: Option<Range<u64>>,
    pub(crate) octets: Option<Range<u64>>,
}

/// The file that was looked at last: `find` prints the URLs of a file together.
#[derive(Debug, Default)]
pub(crate) struct Files {
    name: Vec<u8>,
    octets: Vec<u8>,
    /// Where each line starts.
    lines: Vec<usize>,
    /// A byte whose column is known, so that the columns of a long line are counted once.
    counted: Counted,
}

/// A byte, the start of its line and its column, from 0.
#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    line: usize,
    octet: usize,
    column: u64,
}

impl Files {
    /// The largest file that is read.
    const MOST: u64 = 64 << 20;

    /// Returns where a part of a URL is; `url` must be in the file as it is.
    pub(crate) fn region(&mut self, place: &Place, url: &[u8], part: Range<usize>) -> Region {
        let region = Region { line: place.line, ..Region::default() };
        let Some(name) = &place.file else { return region };
        self.open(name);
        let (columns, octets) = self.find(place, url, part).unzip();
        Region { columns, octets, ..region }
    }

    fn find(&mut self, place: &Place, url: &[u8], part: Range<usize>) -> Option<(Range<u64>, Range<u64>)> {
        let index = |number: u64| usize::try_from(number.checked_sub(1)?).ok();
        let line = *self.lines.get(index(place.line)?)?;
        let start = line.checked_add(index(place.column?)?)?;
        // A byte order mark is in no column of a list, nor in one of SARIF.
        let has_mark = line == 0 && self.octets.starts_with(MARK);
        let is_before = has_mark && start < MARK.len();
        let (line, start) =
            (if has_mark { MARK.len() } else { line }, start + usize::from(is_before) * MARK.len());
        let written = self.octets.get(start..start.checked_add(url.len())?)?;
        if written != url || url.contains(&b'\n') {
            return None;
        }
        let (first, last) = (start + part.start, start + part.end);
        if self.counted.line != line || self.counted.octet > first {
            self.counted = Counted { line, octet: line, column: 0 };
        }
        self.counted.column += self.units(self.counted.octet..first);
        self.counted.octet = first;
        let column = self.counted.column + 1;
        Some((column..column + self.units(first..last), first as u64..last as u64))
    }

    /// Returns how many code units of UTF-16 the bytes are.
    fn units(&self, range: Range<usize>) -> u64 {
        let octets = self.octets.get(range).unwrap_or_default();
        String::from_utf8_lossy(octets).encode_utf16().count() as u64
    }

    fn open(&mut self, name: &[u8]) {
        if self.name == name {
            return;
        }
        self.name = name.to_vec();
        // A device or a pipe is not read: it may have no end.
        let path = native(name).filter(|path| fs::metadata(path).is_ok_and(|file| file.is_file()));
        self.octets = path.and_then(read).unwrap_or_default();
        let ends = memchr_iter(b'\n', &self.octets).map(|end| end + 1);
        self.counted = Counted::default();
        self.lines = std::iter::once(0).chain(ends).collect();
    }
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let mut octets = Vec::new();
    File::open(path).ok()?.take(Files::MOST + 1).read_to_end(&mut octets).ok()?;
    (octets.len() as u64 <= Files::MOST).then_some(octets)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(octets: &[u8]) -> Option<Located<'_>> {
        Located::read(
            Input { octets, number: 3, origin: Origin::Line, alone: false, list: None, column: None },
            true,
        )
    }

    #[test]
    fn a_place_is_divided_and_the_rest_is_the_url() {
        for (line, file, url) in [
            ("a:b.md:12:5:http://h/", Some("a:b.md"), "http://h/"),
            ("12:5:x", None, "x"),
            ("a:12:5:310:http://h/", Some("a"), "http://h/"),
            (r#"{"file":"a:b.md","line":12,"column":5,"url":"http://h/"}"#, Some("a:b.md"), "http://h/"),
            (r#"{"line":12,"column":5,"url":"x"}"#, None, "x"),
        ] {
            let located = read(line.as_bytes()).expect("it is a URL");
            let file = file.map(|file| file.as_bytes().to_vec());
            assert_eq!(located.place, Some(Place { file, line: 12, column: Some(5) }), "{line}");
            assert_eq!(located.text(), url, "{line}");
        }
        let located = read(b"a:12:http://h/").expect("it is a URL");
        let place = Place { file: Some(b"a".to_vec()), line: 12, column: None };
        assert_eq!(located.text(), "http://h/");
        assert_eq!(located.place, Some(place));
        for line in ["{a}", "{\"a\":1}", "http://h/", "99999999999999999999:5:x"] {
            let located = read(line.as_bytes()).expect("it is a URL");
            assert_eq!((located.text(), &located.place), (line, &None));
        }
        assert!(read(br#"{"stats":{"links":1}}"#).is_none());
    }

    #[test]
    fn positions_are_those_of_the_bytes() {
        let located = read(b"a\xFF\xFE\xE9b\xFF").expect("it is a URL");
        assert_eq!(located.text(), "a\u{FFFD}\u{FFFD}\u{FFFD}b\u{FFFD}");
        for (text, octets) in
            [(0..1, 0..1), (1..4, 1..2), (4..7, 2..3), (1..10, 1..4), (10..11, 4..5), (11..14, 5..6)]
        {
            assert_eq!(located.octets_of(text.clone()), octets, "{text:?}");
        }
    }

    #[test]
    fn columns_count_code_units_of_utf_16() {
        let directory = tempfile::tempdir().expect("there is a place for temporary files");
        let path = directory.path().join("a.md");
        fs::write(&path, "x\né𝒳 http://h/é?token=x\n").expect("a file can be written");
        let file = Some(path.as_os_str().as_encoded_bytes().to_vec());
        let url = "http://h/é?token=x".as_bytes();
        let region = |line, column, url| {
            Files::default().region(&Place { file: file.clone(), line, column: Some(column) }, url, 9..11)
        };
        let found = Region { line: 2, columns: Some(14..15), octets: Some(18..20) };
        assert_eq!(region(2, 8, url), found);
        for (line, column, url) in
            [(2, 7, url), (1, 8, url), (9, 1, url), (2, u64::MAX, url), (0, 0, url), (2, 8, b"http://other/")]
        {
            assert_eq!(region(line, column, url), Region { line, ..Region::default() });
        }
    }
}
