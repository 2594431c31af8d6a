//! Where a URL is in its file, as SARIF counts: columns in UTF-16 code units, and bytes from the start
//! of the file. `find` counts bytes in lines.

use std::fs::{self, File};
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use memchr::memchr_iter;

use crate::input::MARK;
use crate::input::located::Place;
use crate::input::paths::native;

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
