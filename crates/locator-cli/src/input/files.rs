//! Files that options name, "-" for standard input: read line by line, or as a whole. Neither needs
//! memory without a limit.

use std::ffi::OsStr;
#[cfg(feature = "links")]
use std::fs;
use std::fs::File;
use std::io::{self, Cursor, Read};
#[cfg(feature = "links")]
use std::path::Path;

use locator_find::{Archive, Compression, UnpackLimits};

use crate::exit::{CliError, say_error, say_error_at};
#[cfg(feature = "get")]
use crate::input::whole_of;
use crate::input::{MARK, Origin, Stream, whole};
use crate::output::Place;
use crate::terminal::{secrets, visible};

/// A file that an option names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named<'a>(pub(crate) &'a OsStr);

impl Named<'_> {
    /// Returns whether this is standard input.
    pub(crate) fn is_stdin(self) -> bool {
        self.0 == "-"
    }

    /// Returns the name for people, in quotes.
    pub(crate) fn shown(self) -> String {
        format!("\"{}\"", visible(&self.0.to_string_lossy()))
    }

    /// Opens the file.
    pub(crate) fn open(self) -> Result<Box<dyn Read>, CliError> {
        match self.is_stdin() {
            true => Ok(Box::new(io::stdin().lock())),
            false => Ok(Box::new(File::open(self.0).map_err(|error| self.unreadable(error))?)),
        }
    }

    /// Opens the file, which is decompressed if it is compressed.
    pub(crate) fn open_unpacked(self) -> Result<Unpacked, CliError> {
        Ok(Unpacked::new(self.open()?))
    }

    /// Reads the file as a whole, if it is not too long for that.
    pub(crate) fn read(self) -> Result<Vec<u8>, CliError> {
        whole(self.open()?).map_err(|error| self.unreadable(error))
    }

    /// Reads the file as a whole; its error is not that of the command.
    #[cfg(feature = "get")]
    pub(crate) fn read_with_error(self) -> io::Result<Vec<u8>> {
        match self.is_stdin() {
            true => whole(io::stdin().lock()),
            false => whole(File::open(self.0)?),
        }
    }

    /// Reads the file as a whole, if it has at most that many bytes.
    #[cfg(feature = "get")]
    pub(crate) fn read_at_most(self, most: usize) -> Result<Vec<u8>, CliError> {
        whole_of(self.open()?, most).map_err(|error| self.unreadable(error))
    }

    /// Passes each line with its number, from 1, without its end.
    pub(crate) fn each_line(
        self,
        each: impl FnMut(u64, &[u8]) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        self.each(Origin::Line, each)
    }

    /// Passes each line, or each item between NULs, with its number, from 1, without its end.
    pub(crate) fn each(
        self,
        origin: Origin,
        mut each: impl FnMut(u64, &[u8]) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let mut stream = Stream::of_file(self.open_unpacked()?, origin);
        let mut number = 0;
        loop {
            if let Some(line) = stream.next().map_err(|error| self.unreadable(error))? {
                number += 1;
                each(number, stream.octets(line))?;
            } else if stream.ended() {
                return Ok(());
            } else {
                stream.fill().map_err(|error| self.unreadable(error))?;
            }
        }
    }

    /// Returns the error of a file that cannot be read.
    pub(crate) fn unreadable(self, error: io::Error) -> CliError {
        let what = if self.is_stdin() { "standard input".to_owned() } else { self.shown() };
        CliError::Reading { what, error }
    }
}

/// The maximum length of a file that nobody named.
#[cfg(feature = "links")]
const LONGEST_FOUND: u64 = 1 << 20;

/// Reads a file that is read because it is in the working directory; nobody named it, and it may be that of somebody
/// else. Returns `None` if there is none.
///
/// It is a regular file of at most 1 MiB in UTF-8, below the working directory, also if a symbolic link leads to it:
/// a pipe would be waited for, and a file elsewhere would be quoted in messages.
#[cfg(feature = "links")]
pub(crate) fn found(path: &Path) -> Result<Option<String>, CliError> {
    let refused = |error| Named(path.as_os_str()).unreadable(error);
    let other = |why: &str| Err(refused(io::Error::other(why.to_owned())));
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(refused(error)),
        Ok(of) if of.is_symlink() && !is_below_here(path) => {
            return other("it is a symbolic link that leads out of the working directory");
        }
        Ok(_) => {}
    }
    let of = fs::metadata(path).map_err(refused)?;
    if !of.is_file() {
        return other("it is not a regular file");
    }
    let mut octets = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST_FOUND + 1).read_to_end(&mut octets));
    read.map_err(refused)?;
    if octets.len() as u64 > LONGEST_FOUND {
        return other("it is longer than 1 MiB");
    }
    match String::from_utf8(octets) {
        Ok(text) => Ok(Some(text)),
        Err(_) => other("it is not UTF-8"),
    }
}

/// Returns whether a path leads to something below the working directory.
#[cfg(feature = "links")]
fn is_below_here(path: &Path) -> bool {
    let here = std::env::current_dir().and_then(fs::canonicalize);
    fs::canonicalize(path).is_ok_and(|path| here.is_ok_and(|here| path.starts_with(here)))
}

/// A list or a table, which is decompressed if its first bytes are those of a compressed file,
/// whatever its name is.
pub(crate) struct Unpacked {
    source: Box<dyn Read>,
    is_known: bool,
}

/// How a compressed file and an archive begin; in a file of bzip2 a number follows, and magic bytes.
const BEGINNINGS: [&[u8]; 5] = [b"\x1F\x8B\x08", b"BZh", b"\xFD7zXZ\0", b"\x28\xB5\x2F\xFD", b"PK\x03\x04"];

impl Unpacked {
    /// Reads nothing yet.
    pub(crate) fn new(source: impl Read + 'static) -> Self {
        Self { source: Box::new(source), is_known: false }
    }

    /// Reads the first bytes, and no more of them than are needed: of a stream of text one read.
    fn begin(&mut self) -> io::Result<()> {
        let (mut head, mut length) = ([0; 7], 0);
        while may_be_compressed(&head[..length]) {
            match self.source.read(&mut head[length..]) {
                Ok(0) => break,
                Ok(read) => length += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.is_known = true;
        let head = head[..length].to_vec();
        if Archive::is_one(&head) {
            return Err(io::Error::other("it is an archive (zip); unpack it first"));
        }
        let compression = Compression::of_octets(&head);
        let source = Cursor::new(head).chain(std::mem::replace(&mut self.source, Box::new(io::empty())));
        self.source = match compression {
            // Lines are read one after the other, so the size as such does no harm.
            Some(compression) => compression.unpack(source, UnpackLimits::new().octets(u64::MAX)),
            None => Box::new(source),
        };
        Ok(())
    }
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.is_known {
            self.begin()?;
        }
        self.source.read(buffer)
    }
}

/// Returns whether more bytes can show that a stream which begins like this is compressed.
fn may_be_compressed(head: &[u8]) -> bool {
    let is_bzip2 = head.starts_with(b"BZh") && head.len() < 7;
    is_bzip2 || BEGINNINGS.iter().any(|first| first.len() > head.len() && first.starts_with(head))
}

/// Reads the only line of standard input, for a verb that takes one URL.
pub(crate) fn only_line() -> Result<Vec<u8>, CliError> {
    let octets = Named(OsStr::new("-")).read()?;
    let lines = octets.strip_prefix(MARK).unwrap_or(&octets).split(|&octet| octet == b'\n');
    let mut urls = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line)).filter(|line| !line.is_empty());
    match (urls.next(), urls.next()) {
        (Some(url), None) => Ok(url.to_vec()),
        (first, _) => {
            let found = if first.is_none() { "it has none" } else { "it has several" };
            say_error(&format!("one URL is read from standard input in place of \"-\", and {found}"));
            Err(CliError::Reported)
        }
    }
}

/// Reports that standard input is named more often than it can be read, which is once.
pub(crate) fn check_stdin_once<'a>(
    mut names: impl Iterator<Item = &'a OsStr>,
    what: &str,
) -> Result<(), CliError> {
    let is_stdin = |name: &&OsStr| Named(name).is_stdin();
    if names.find(is_stdin).is_some() && names.find(is_stdin).is_some() {
        say_error(&format!("standard input can be read only once, and {what}"));
        return Err(CliError::Reported);
    }
    Ok(())
}

/// An error in a file of TOML.
#[derive(Debug)]
pub(crate) struct TomlError {
    /// Its line and column: `3:1`.
    pub(crate) place: String,
    /// Its message, without secrets.
    pub(crate) message: String,
}

impl TomlError {
    /// Reports it with its place in a file of this name.
    pub(crate) fn report(&self, file: &str) -> CliError {
        say_error_at(&Place::given(&format!("{file}:{}", self.place)), &self.message);
        CliError::Reported
    }
}

/// Returns where an error in TOML is, and its message.
pub(crate) fn in_toml(text: &str, error: &toml::de::Error) -> TomlError {
    let start = error.span().map_or(0, |span| span.start);
    let before = text.get(..start).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    let message = error.message().lines().collect::<Vec<_>>().join("; ");
    TomlError { place: format!("{line}:{column}"), message: secrets::line(&message) }
}
