//! Zip archives. Opens an archive and returns its members as streams of bounded length. Follows
//! PKWARE's APPNOTE as far as `zip` implements it; documents of Office Open XML, OpenDocument and
//! EPUB are such archives.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use memchr::memmem;
use zip::ZipArchive;

use crate::packed::{UnpackLimits, Unpacked};

/// A zip archive, whose members are read one at a time.
///
/// ```
/// use locator_find::Archive;
///
/// assert!(Archive::is_one(b"PK\x03\x04"));
/// assert!(!Archive::is_one(b"PK is a text"));
/// ```
pub struct Archive<R> {
    zip: ZipArchive<R>,
    limits: UnpackLimits,
    /// The number of bytes that may still be read of all members together.
    left: u64,
    /// The names that several members have.
    repeated: Vec<String>,
}

/// A file in an archive.
///
/// Read it as a stream, and search it like a file:
///
/// ```
/// use locator_find::{Archive, UnpackLimits};
/// use std::io::{Cursor, Read};
///
/// # let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
/// # archive.start_file("a.txt", zip::write::SimpleFileOptions::default()).unwrap();
/// # std::io::Write::write_all(&mut archive, b"http://h.example/").unwrap();
/// # let file = archive.finish().unwrap();
/// let mut archive = Archive::open(file, UnpackLimits::new())?;
/// let mut text = String::new();
/// for index in 0..archive.len() {
///     if let Some(mut member) = archive.member(index)? {
///         assert_eq!(member.name(), "a.txt");
///         member.read_to_string(&mut text)?;
///     }
/// }
/// assert_eq!(text, "http://h.example/");
/// # Ok::<_, std::io::Error>(())
/// ```
pub struct Member<'a> {
    name: String,
    octets: Box<dyn Read + 'a>,
}

/// The maximum length of the list of members, which is held in memory.
const LONGEST_LIST: u64 = 16 << 20;

impl<R: Read + Seek> Archive<R> {
    /// Opens an archive.
    ///
    /// # Errors
    ///
    /// Returns the errors of `source`, and an error if it is not an archive, is malformed, or has a
    /// list of members that is too long.
    pub fn open(mut source: R, limits: UnpackLimits) -> io::Result<Self> {
        let list = list_of(&mut source)?;
        if list.end - list.start > LONGEST_LIST {
            return Err(io::Error::other("the list of members is longer than 16 MiB"));
        }
        let repeated = repeated(&mut source, list)?;
        source.rewind()?;
        Ok(Self { zip: ZipArchive::new(source)?, left: limits.most(), limits, repeated })
    }

    /// Returns the names that several members have, of which only the last can be read.
    pub fn repeated_names(&self) -> &[String] {
        &self.repeated
    }

    /// Returns the number of members, including directories.
    pub fn len(&self) -> usize {
        self.zip.len()
    }

    /// Returns whether the archive has no members.
    pub fn is_empty(&self) -> bool {
        self.zip.is_empty()
    }

    /// Returns the names of all members, as [`Member::name`] has them; those of directories end with "/".
    pub fn names(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.zip.file_names_raw().map(String::from_utf8_lossy)
    }

    /// Opens a member for reading; returns `None` for a directory and whatever else is not a file.
    ///
    /// # Errors
    ///
    /// Returns the errors of the source, and an error if the member is encrypted or its compression
    /// method is not supported.
    pub fn member(&mut self, index: usize) -> io::Result<Option<Member<'_>>> {
        let file = self.zip.by_index(index)?;
        if !file.is_file() {
            return Ok(None);
        }
        let name = String::from_utf8_lossy(file.name_raw()).into_owned();
        let packed = file.compressed_size().max(1);
        let limits = self.limits.octets(self.left);
        let octets = Taken { source: Unpacked::new(file, move || packed, limits), left: &mut self.left };
        Ok(Some(Member { name, octets: Box::new(octets) }))
    }
}

impl Archive<()> {
    /// Returns whether a file that begins with these bytes is an archive.
    pub fn is_one(first: &[u8]) -> bool {
        first.starts_with(b"PK\x03\x04") || first.starts_with(b"PK\x05\x06")
    }
}

impl Member<'_> {
    /// Returns the path of this member in the archive.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Read for Member<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.octets.read(buffer)
    }
}

/// A stream that subtracts the bytes read from the number that remains for the archive.
struct Taken<'a, R> {
    source: R,
    left: &'a mut u64,
}

impl<R: Read> Read for Taken<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        *self.left = self.left.saturating_sub(read as u64);
        Ok(read)
    }
}

/// Returns the position of the list of members, which the "end of central directory record" follows;
/// "size of the central directory" is in that record (4.3.16).
fn list_of(source: &mut (impl Read + Seek)) -> io::Result<Range<u64>> {
    const RECORD: u64 = 22;
    // "comment length" has two octets.
    let length = source.seek(SeekFrom::End(0))?;
    let start = source.seek(SeekFrom::Start(length.saturating_sub(RECORD + u64::from(u16::MAX))))?;
    let mut end = Vec::new();
    source.take(RECORD + u64::from(u16::MAX)).read_to_end(&mut end)?;
    let Some(at) = memmem::rfind(&end, b"PK\x05\x06") else { return Ok(0..0) };
    let size =
        end.get(at + 12..at + 16).and_then(|octets| octets.try_into().ok()).map_or(0, u32::from_le_bytes);
    let end = start + at as u64;
    Ok(end.saturating_sub(size.into())..end)
}

/// Returns the names that several entries of the list have, each once (4.3.12).
fn repeated(source: &mut (impl Read + Seek), list: Range<u64>) -> io::Result<Vec<String>> {
    const HEADER: usize = 46;
    source.seek(SeekFrom::Start(list.start))?;
    let mut octets = Vec::new();
    source.take(list.end - list.start).read_to_end(&mut octets)?;
    let (mut names, mut repeated) = (HashMap::new(), Vec::new());
    let mut rest = octets.as_slice();
    while let Some((header, after)) =
        rest.split_at_checked(HEADER).filter(|_| rest.starts_with(b"PK\x01\x02"))
    {
        let length = |at: usize| usize::from(u16::from_le_bytes([header[at], header[at + 1]]));
        let Some(name) = after.get(..length(28)) else { break };
        let count = names.entry(name).or_insert(0_usize);
        *count += 1;
        if *count == 2 {
            repeated.push(String::from_utf8_lossy(name).into_owned());
        }
        rest = after.get(length(28) + length(30) + length(32)..).unwrap_or_default();
    }
    Ok(repeated)
}
