//! Opens a file or standard input and recognises its format, by name or first bytes. With
//! `--encoding` it is decoded while it is read, by the Encoding standard: a byte order mark takes
//! precedence.
//!
//! [`CodePage`] is EBCDIC: the code pages of mainframes, which the Encoding standard does not have. It takes octets of
//! one and returns UTF-8. Each has the characters of ISO 8859-1 in another order. Lines of mainframes end with NEL, those
//! of other systems with LF: both become LF.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::mem;
use std::path::Path;
use std::sync::Arc;

use encoding_rs::{CoderResult, Decoder, Encoding};
use ignore::DirEntry;
use locator_find::{Archive, Compression, Format, UnpackLimits};

use super::arguments::{FileArgs, FileEncoding};
use super::files::Types;
use super::print::ReadSeek;
use crate::exit::say;
use crate::terminal::visible;

/// An opened file or stream.
pub(in crate::verbs) struct Source<'h> {
    /// Its format.
    pub(in crate::verbs) format: Format,
    /// Its octets.
    pub(in crate::verbs) octets: Octets<'h>,
}

/// The octets of what is looked into.
pub(in crate::verbs) enum Octets<'h> {
    /// A file, which can be read twice.
    File(File),
    /// A stream, which can be read only once.
    Stream(Box<dyn Read + 'h>),
}

/// How much of what comes once is held, where lines around links are shown.
const HELD: u64 = 64 << 20;

impl<'h> Source<'h> {
    /// The same, and what its lines can be read from again: a file is opened a second time, of a
    /// stream some is held.
    pub(in crate::verbs::find) fn with_second_reader(
        self,
        path: &Path,
    ) -> io::Result<(Box<dyn ReadSeek + 'h>, Self)> {
        match self.octets {
            Octets::File(_) => Ok((Box::new(File::open(path)?), self)),
            Octets::Stream(mut from) => {
                let mut held = Vec::new();
                from.by_ref().take(HELD).read_to_end(&mut held)?;
                let held: Arc<[u8]> = held.into();
                let octets = Octets::Stream(Box::new(io::Cursor::new(Arc::clone(&held)).chain(from)));
                Ok((Box::new(io::Cursor::new(held)), Self { octets, ..self }))
            }
        }
    }
}

/// A file that was opened.
pub(in crate::verbs) enum Opened<'h> {
    /// A file to search.
    Source(Source<'h>),
    /// An archive, whose files are searched.
    Archive(Archive<File>),
}

/// How much of a file is looked at before anything is said of it: about as much as git does.
const HEAD: usize = 8 * 1024;

/// Which files are searched, and how.
#[derive(Clone, Copy)]
pub(in crate::verbs) struct FileSelection<'c> {
    pub(in crate::verbs) places: &'c FileArgs,
    pub(in crate::verbs) types: &'c Types,
    /// Whether hints are suppressed.
    pub(in crate::verbs) is_silent: bool,
}

/// Opens what is to be looked into; none if it is not. What was named is looked into whatever it
/// is.
pub(in crate::verbs) fn open<'h>(
    entry: &DirEntry,
    choice: FileSelection<'_>,
    head: &'h mut Vec<u8>,
) -> io::Result<Option<Opened<'h>>> {
    let places = choice.places;
    if entry.is_stdin() {
        return open_stdin(choice, head).map(|source| Some(Opened::Source(source)));
    }
    let (path, was_named) = (entry.path(), entry.depth() == 0);
    let is_unwanted = || choice.types.wants(path, choice.types.format_of_path(path)) == Some(false);
    if !was_named && !places.search_zip && is_unwanted() {
        return Ok(None);
    }
    let mut file = File::open(path)?;
    read_head(&mut file, head)?;
    // A pipe, or a device, cannot be read twice.
    let is_file = file.rewind().is_ok();
    if places.search_zip
        && let Some(compression) = Compression::of_octets(head)
    {
        let packed: Box<dyn Read> =
            if is_file { Box::new(file) } else { Box::new(io::Cursor::new(mem::take(head)).chain(file)) };
        let octets = compression.unpack(packed, UnpackLimits::new());
        let source = choice.stream(&compression.inner_path(path), was_named, octets, head)?;
        return Ok(source.map(Opened::Source));
    }
    if places.search_zip && is_file && Archive::is_one(head) {
        return Archive::open(file, UnpackLimits::new()).map(|archive| Some(Opened::Archive(archive)));
    }
    if places.rules.encoding() != FileEncoding::Declared {
        let octets: Box<dyn Read> =
            if is_file { Box::new(file) } else { Box::new(io::Cursor::new(mem::take(head)).chain(file)) };
        return Ok(choice.stream(path, was_named, octets, head)?.map(Opened::Source));
    }
    let Some(format) = choice.format(path, was_named, head) else { return Ok(None) };
    if let Some(hint) = hint(head).filter(|_| was_named && !choice.is_silent) {
        say(&format!("\"{}\" {hint}", visible(&path.to_string_lossy())));
    }
    let octets = match is_file {
        true => Octets::File(file),
        false => Octets::Stream(Box::new(head.chain(file))),
    };
    Ok(Some(Opened::Source(Source { format, octets })))
}

impl FileSelection<'_> {
    /// What a stream is looked into as, by the name that it has; none if it is not.
    pub(in crate::verbs) fn stream<'h>(
        self,
        path: &Path,
        was_named: bool,
        mut octets: impl Read + 'h,
        head: &'h mut Vec<u8>,
    ) -> io::Result<Option<Source<'h>>> {
        read_head(&mut octets, head)?;
        stream(octets, head, self.places.rules.encoding(), |head| self.format(path, was_named, head))
    }

    /// Returns the format of a file that begins so; `None` if it is not read.
    pub(in crate::verbs) fn format(self, path: &Path, was_named: bool, head: &[u8]) -> Option<Format> {
        let Self { places, types, .. } = self;
        let format = places.format.or_else(|| types.format_of(path, head));
        let is_wanted = |format| places.format.is_some() || types.wants(path, Some(format)) == Some(true);
        match format {
            Some(format) if was_named || is_wanted(format) => Some(format),
            // The first octets of a PDF may have a NUL.
            None if was_named && head.starts_with(b"%PDF-") => Some(Format::Pdf),
            None if was_named || places.text => Some(Format::Text),
            _ => None,
        }
    }
}

/// Returns a hint for a file that is not read by its format.
fn hint(head: &[u8]) -> Option<String> {
    let packed = |what: &str| format!("is compressed ({what}); use -z to search its contents");
    match Compression::of_octets(head) {
        Some(compression) => Some(packed(compression.name())),
        None if Archive::is_one(head) => Some(packed("zip")),
        None => None,
    }
}

/// Returns what a file is, if its first octets show that it is packed.
pub(in crate::verbs) fn packed(first: &[u8]) -> Option<String> {
    match Compression::of_octets(first) {
        Some(compression) => Some(format!("a compressed file ({})", compression.name())),
        None => Archive::is_one(first).then(|| "an archive (zip)".to_owned()),
    }
}

/// Returns whether a file is an archive.
pub(in crate::verbs) fn is_archive(path: &Path) -> bool {
    let mut head = Vec::new();
    // Do not read from a pipe.
    path.is_file()
        && File::open(path).and_then(|file| file.take(4).read_to_end(&mut head)).is_ok()
        && Archive::is_one(&head)
}

/// Reads the first octets. If an error comes after some of them, the next reader gets it again.
fn read_head(source: &mut impl Read, head: &mut Vec<u8>) -> io::Result<()> {
    head.clear();
    match source.take(HEAD as u64).read_to_end(head) {
        Err(error) if head.is_empty() => Err(error),
        _ => Ok(()),
    }
}

fn open_stdin<'h>(choice: FileSelection<'_>, head: &'h mut Vec<u8>) -> io::Result<Source<'h>> {
    let FileSelection { places, types, .. } = choice;
    let mut stdin = io::stdin().lock();
    head.resize(HEAD, 0);
    // A single read, so that a line typed on a terminal is processed at once.
    let length = stdin.read(head)?;
    head.truncate(length);
    let known = places.format.or(types.format());
    let format = |head: &[u8]| known.or_else(|| Format::of_octets(head)).unwrap_or(Format::Text);
    let mut octets: Box<dyn Read + 'h> = Box::new(stdin);
    if places.search_zip
        && let Some(compression) = Compression::of_octets(head)
    {
        let packed = io::Cursor::new(mem::take(head)).chain(octets);
        octets = Box::new(compression.unpack(packed, UnpackLimits::new()));
        read_head(&mut octets, head)?;
    }
    let encoding = places.rules.encoding();
    let source = stream(octets, head, encoding, |head| Some(format(head)))?;
    Ok(source
        .unwrap_or_else(|| Source { format: Format::Text, octets: Octets::Stream(Box::new(io::empty())) }))
}

/// What a stream that begins with some octets is looked into as: decoded, if its encoding was said;
/// but mail has many, and says them itself.
fn stream<'h>(
    octets: impl Read + 'h,
    head: &'h mut Vec<u8>,
    charset: FileEncoding,
    format: impl Fn(&[u8]) -> Option<Format>,
) -> io::Result<Option<Source<'h>>> {
    let is_mail = matches!(format(head), Some(Format::Mail | Format::Mbox));
    let charset = if is_mail { FileEncoding::Declared } else { charset };
    let mut octets: Box<dyn Read + 'h> = Box::new(octets);
    if let FileEncoding::Given(_) | FileEncoding::Ebcdic(_) = charset {
        let encoded = io::Cursor::new(mem::take(head)).chain(octets);
        octets = match charset {
            FileEncoding::Given(encoding) => Box::new(Transcode::new(encoded, encoding)),
            FileEncoding::Ebcdic(page) => Box::new(page.reader(encoded)),
            FileEncoding::Declared | FileEncoding::Raw => Box::new(encoded),
        };
        read_head(&mut octets, head)?;
    }
    let Some(format) = format(head) else { return Ok(None) };
    // A declaration in the document no longer applies, nor does a byte order mark of another
    // encoding: that of UTF-8 before it overrides both.
    let declares = matches!(format, Format::Html | Format::Css | Format::Xml);
    let is_marked = (declares || Encoding::for_bom(head).is_some()) && !head.starts_with(MARK);
    let mark = if charset != FileEncoding::Declared && is_marked { MARK } else { b"" };
    Ok(Some(Source { format, octets: Octets::Stream(Box::new(mark.chain(head.chain(octets)))) }))
}

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// A text that is decoded as it is read.
struct Transcode<R> {
    from: BufReader<R>,
    decoder: Decoder,
    /// What is decoded, and from where on it is not given out yet.
    text: Vec<u8>,
    at: usize,
    is_last: bool,
}

/// How much is decoded at once.
const BUFFER: usize = 16 * 1024;

impl<R: Read> Transcode<R> {
    /// A text in that encoding.
    fn new(from: R, encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder();
        Self { from: BufReader::new(from), decoder, text: Vec::new(), at: 0, is_last: false }
    }

    fn decode_more(&mut self) -> io::Result<()> {
        let octets = self.from.fill_buf()?;
        let is_end = octets.is_empty();
        self.text.resize(BUFFER, 0);
        let (result, read, written, _) = self.decoder.decode_to_utf8(octets, &mut self.text, is_end);
        self.is_last = is_end && result == CoderResult::InputEmpty;
        self.text.truncate(written);
        self.at = 0;
        self.from.consume(read);
        Ok(())
    }
}

impl<R: Read> Read for Transcode<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() && !self.is_last {
            self.decode_more()?;
        }
        let length = (&self.text[self.at..]).read(buffer)?;
        self.at += length;
        Ok(length)
    }
}

/// An EBCDIC code page: where it differs from code page 37.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::verbs) struct CodePage {
    number: &'static str,
    differs: &'static [(u8, char)],
}

/// The code pages of the United States, of several countries, and of z/OS; then the first two with the euro sign.
static PAGES: [CodePage; 5] = [
    CodePage { number: "037", differs: &[] },
    CodePage { number: "500", differs: &INTERNATIONAL },
    CodePage {
        number: "1047",
        differs: &[(0x5F, '^'), (0xAD, '['), (0xB0, '¬'), (0xBA, 'Ý'), (0xBB, '¨'), (0xBD, ']')],
    },
    CodePage { number: "1140", differs: &[EURO] },
    CodePage { number: "1148", differs: &INTERNATIONAL_EURO },
];

const EURO: (u8, char) = (0x9F, '€');

const INTERNATIONAL: [(u8, char); 7] =
    [(0x4A, '['), (0x4F, '!'), (0x5A, ']'), (0x5F, '^'), (0xB0, '¢'), (0xBA, '¬'), (0xBB, '|')];

const INTERNATIONAL_EURO: [(u8, char); 8] = {
    let mut all = [EURO; 8];
    let mut at = 0;
    while at < INTERNATIONAL.len() {
        all[at] = INTERNATIONAL[at];
        at += 1;
    }
    all
};

/// The character of each octet in code page 37, as a number.
#[rustfmt::skip]
const CODE_PAGE_37: [u8; 256] = [
    0x00, 0x01, 0x02, 0x03, 0x9C, 0x09, 0x86, 0x7F, 0x97, 0x8D, 0x8E, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F,
    0x10, 0x11, 0x12, 0x13, 0x9D, 0x85, 0x08, 0x87, 0x18, 0x19, 0x92, 0x8F, 0x1C, 0x1D, 0x1E, 0x1F,
    0x80, 0x81, 0x82, 0x83, 0x84, 0x0A, 0x17, 0x1B, 0x88, 0x89, 0x8A, 0x8B, 0x8C, 0x05, 0x06, 0x07,
    0x90, 0x91, 0x16, 0x93, 0x94, 0x95, 0x96, 0x04, 0x98, 0x99, 0x9A, 0x9B, 0x14, 0x15, 0x9E, 0x1A,
    0x20, 0xA0, 0xE2, 0xE4, 0xE0, 0xE1, 0xE3, 0xE5, 0xE7, 0xF1, 0xA2, 0x2E, 0x3C, 0x28, 0x2B, 0x7C,
    0x26, 0xE9, 0xEA, 0xEB, 0xE8, 0xED, 0xEE, 0xEF, 0xEC, 0xDF, 0x21, 0x24, 0x2A, 0x29, 0x3B, 0xAC,
    0x2D, 0x2F, 0xC2, 0xC4, 0xC0, 0xC1, 0xC3, 0xC5, 0xC7, 0xD1, 0xA6, 0x2C, 0x25, 0x5F, 0x3E, 0x3F,
    0xF8, 0xC9, 0xCA, 0xCB, 0xC8, 0xCD, 0xCE, 0xCF, 0xCC, 0x60, 0x3A, 0x23, 0x40, 0x27, 0x3D, 0x22,
    0xD8, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0xAB, 0xBB, 0xF0, 0xFD, 0xFE, 0xB1,
    0xB0, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F, 0x70, 0x71, 0x72, 0xAA, 0xBA, 0xE6, 0xB8, 0xC6, 0xA4,
    0xB5, 0x7E, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0xA1, 0xBF, 0xD0, 0xDD, 0xDE, 0xAE,
    0x5E, 0xA3, 0xA5, 0xB7, 0xA9, 0xA7, 0xB6, 0xBC, 0xBD, 0xBE, 0x5B, 0x5D, 0xAF, 0xA8, 0xB4, 0xD7,
    0x7B, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0xAD, 0xF4, 0xF6, 0xF2, 0xF3, 0xF5,
    0x7D, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F, 0x50, 0x51, 0x52, 0xB9, 0xFB, 0xFC, 0xF9, 0xFA, 0xFF,
    0x5C, 0xF7, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5A, 0xB2, 0xD4, 0xD6, 0xD2, 0xD3, 0xD5,
    0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0xB3, 0xDB, 0xDC, 0xD9, 0xDA, 0x9F,
];

impl CodePage {
    /// Returns the code page of this name: "cp037", "IBM-1047", "ebcdic-cp-us".
    pub(in crate::verbs) fn of_name(name: &str) -> Option<&'static Self> {
        let name = name.to_ascii_lowercase();
        let number = match &*name {
            "ebcdic" | "ebcdic-cp-us" | "ebcdic-cp-ca" | "ebcdic-cp-nl" => "037",
            "ebcdic-cp-be" | "ebcdic-cp-ch" | "ebcdic-international" => "500",
            _ => ["ccsid", "ibm", "cp"].iter().find_map(|prefix| name.strip_prefix(prefix))?,
        };
        let number = number.trim_start_matches(['-', '_', '0']);
        PAGES.iter().find(|page| page.number.trim_start_matches('0') == number)
    }

    /// Returns what a text of this code page contains, in UTF-8.
    pub(in crate::verbs) fn reader(&self, text: impl Read) -> impl Read {
        let mut characters = CODE_PAGE_37.map(char::from);
        for &(octet, character) in self.differs {
            characters[usize::from(octet)] = character;
        }
        for character in &mut characters {
            if *character == NEXT_LINE {
                *character = '\n';
            }
        }
        Decoded { text, characters, decoded: Vec::new(), at: 0 }
    }
}

const NEXT_LINE: char = '\u{85}';

/// A text that is decoded as it is read.
struct Decoded<R> {
    text: R,
    characters: [char; 256],
    /// What is decoded, and how much of it was read.
    decoded: Vec<u8>,
    at: usize,
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.decoded.len() {
            let mut octets = [0; 8192];
            let count = self.text.read(&mut octets)?;
            self.decoded.clear();
            self.at = 0;
            for &octet in &octets[..count] {
                let mut utf8 = [0; 4];
                self.decoded
                    .extend_from_slice(self.characters[usize::from(octet)].encode_utf8(&mut utf8).as_bytes());
            }
        }
        let count = (&self.decoded[self.at..]).read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{UTF_16LE, WINDOWS_1252};

    use super::*;

    fn decoded(octets: &[u8], encoding: &'static Encoding) -> String {
        let mut text = String::new();
        Transcode::new(octets, encoding).read_to_string(&mut text).expect("a slice can be read");
        text
    }

    #[test]
    fn a_text_is_decoded_to_its_end() {
        assert_eq!(decoded(b"caf\xE9", WINDOWS_1252), "café");
        assert_eq!(decoded(&b"\xE9".repeat(3 * BUFFER), WINDOWS_1252), "é".repeat(3 * BUFFER));
        assert_eq!(decoded(b"h\0\xE9\0\0", UTF_16LE), "hé\u{FFFD}");
        // Its mark says another one.
        assert_eq!(decoded("\u{FEFF}é".as_bytes(), WINDOWS_1252), "é");
    }

    fn decoded_by_page(name: &str, octets: &[u8]) -> String {
        let mut text = String::new();
        let page = CodePage::of_name(name).expect("it is known");
        page.reader(octets).read_to_string(&mut text).expect("a slice can be read");
        text
    }

    #[test]
    fn each_code_page_has_its_characters() {
        // "http://h/[^!]~|€" and a line end, by the tables of IBM.
        assert_eq!(
            decoded_by_page("cp037", b"\x88\xA3\xA3\x97\x7A\x61\x61\x88\x61\xBA\xB0\x5A\xBB\xA1\x4F\x15"),
            "http://h/[^!]~|\n"
        );
        assert_eq!(decoded_by_page("IBM500", b"\x88\x61\x4A\x5F\x4F\x5A\xBB\x25"), "h/[^!]|\n");
        assert_eq!(decoded_by_page("IBM-1047", b"\x88\x61\xAD\x5F\x5A\xBD\x4F\x25"), "h/[^!]|\n");
        assert_eq!(decoded_by_page("CP1140", b"\x9F\xBA"), "€[");
        assert_eq!(decoded_by_page("ccsid1148", b"\x9F\x4A"), "€[");
    }

    #[test]
    fn each_octet_is_another_character() {
        for page in &PAGES {
            let mut text = String::new();
            page.reader(&(0..=255).collect::<Vec<u8>>()[..])
                .read_to_string(&mut text)
                .expect("a slice can be read");
            let mut characters: Vec<char> = text.chars().collect();
            characters.sort_unstable();
            characters.dedup();
            // Two octets are line ends.
            assert_eq!(characters.len(), 255, "{page:?}");
        }
    }

    #[test]
    fn other_names_are_unknown() {
        for name in ["cp1252", "ibm850", "cp", "37", "ebcdic-it", ""] {
            assert_eq!(CodePage::of_name(name), None, "{name}");
        }
    }
}
