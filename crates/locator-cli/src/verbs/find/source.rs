//! Opens a file or standard input and recognises its format, by name or first bytes. With
//! `--encoding` it is decoded while it is read, by the Encoding standard: a byte order mark takes
//! precedence.

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
}
