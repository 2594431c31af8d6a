//! Compressed files. Decompresses gzip, bzip2, xz and zstd as a stream of bounded length. Follows
//! RFC 1952 (gzip), RFC 8878 (zstd) and the specifications of bzip2 and xz. The crates `flate2`,
//! `bzip2`, `lzma-rust2` and `ruzstd` do the decoding; all are written in Rust.
//!
//! Positions of links count in the decompressed data.

use std::cell::Cell;
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::StreamingDecoder;

use crate::packed::{UnpackLimits, Unpacked};

locator::named! {
    /// The compression of a file as a whole.
    ///
    /// ```
    /// use locator_find::{Compression, UnpackLimits};
    /// use std::io::Read;
    /// use std::path::Path;
    ///
    /// let file = b"\x1F\x8B\x08\0\0\0\0\0\0\xFF\x4B\x04\0\x43\xBE\xB7\xE8\x01\0\0\0";
    /// let compression = Compression::of_octets(file).unwrap();
    /// assert_eq!(compression, Compression::Gzip);
    /// assert_eq!(compression.inner_path(Path::new("a.html.gz")), Path::new("a.html"));
    ///
    /// let mut text = String::new();
    /// let mut stream = compression.unpack(&file[..], UnpackLimits::new());
    /// stream.read_to_string(&mut text)?;
    /// assert_eq!(text, "a");
    /// # Ok::<_, std::io::Error>(())
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Compression {
        /// gzip (RFC 1952).
        Gzip = "gzip",
        /// bzip2.
        Bzip2 = "bzip2",
        /// xz.
        Xz = "xz",
        /// Zstandard (RFC 8878).
        Zstd = "zstd",
    }

    /// Returns the name of this compression.
    pub const fn name;
}

impl Compression {
    /// All compressions.
    pub const ALL: [Self; 4] = [Self::Gzip, Self::Bzip2, Self::Xz, Self::Zstd];

    /// Returns the file name extensions of this compression, without the dot. The first one is
    /// appended to the name of the original file.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Gzip => &["gz", "tgz", "svgz"],
            Self::Bzip2 => &["bz2", "tbz2", "tbz"],
            Self::Xz => &["xz", "txz"],
            Self::Zstd => &["zst", "tzst"],
        }
    }

    /// Returns the compression of a file by its first bytes; `None` if it is not compressed.
    ///
    /// ```
    /// use locator_find::Compression;
    ///
    /// assert_eq!(
    ///     Compression::of_octets(b"\x1F\x8B\x08\x00"),
    ///     Some(Compression::Gzip)
    /// );
    /// assert_eq!(Compression::of_octets(b"BZh is a text"), None);
    /// ```
    pub fn of_octets(first: &[u8]) -> Option<Self> {
        match first {
            [0x1F, 0x8B, 8, ..] => Some(Self::Gzip),
            // "BZh", the block size, and the magic number of a block or of the end.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, ..] => Some(Self::Bzip2),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    /// Returns the file name of the decompressed content: `ls.1` for `ls.1.gz`.
    ///
    /// A name without an extension of this compression is returned unchanged.
    pub fn inner_path(self, path: &Path) -> PathBuf {
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
        match &*extension {
            "svgz" => path.with_extension("svg"),
            "tgz" | "tbz2" | "tbz" | "txz" | "tzst" => path.with_extension("tar"),
            extension if self.extensions().contains(&extension) => path.with_extension(""),
            _ => path.to_owned(),
        }
    }

    /// Returns a stream that decompresses `source` while it is read. Malformed data and data beyond
    /// the limits are errors of the stream.
    pub fn unpack<'r>(self, source: impl Read + 'r, limits: UnpackLimits) -> Box<dyn Read + 'r> {
        let packed = Rc::new(Cell::new(0));
        let source = BufReader::new(Counted { source, read: Rc::clone(&packed) });
        let inner: Box<dyn Read + 'r> = match self {
            Self::Gzip => Box::new(Members { state: Some(MemberState::In(GzDecoder::new(source))) }),
            Self::Bzip2 => Box::new(Members { state: Some(MemberState::In(BzDecoder::new(source))) }),
            Self::Xz => Box::new(XzReader::new_mem_limit(source, true, (MOST_MEMORY >> 10) as u32)),
            Self::Zstd => Box::new(Frames { state: Some(State::Between(source)) }),
        };
        Box::new(Unpacked::new(inner, move || packed.get(), limits))
    }
}

/// The memory limit of a decoder: what `xz -9` needs. Files that need more are rejected.
const MOST_MEMORY: u64 = 72 << 20;

/// A source that counts the bytes read.
struct Counted<R> {
    source: R,
    read: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // The decoders do not continue after this error.
        let read = loop {
            match self.source.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.read.set(self.read.get() + read as u64);
        Ok(read)
    }
}

/// The decoder of one member of a file that may have several, one after the other.
trait Member: Read {
    type Source: BufRead;

    /// The first octet of a member.
    const FIRST: u8;

    fn begin(source: Self::Source) -> Self;

    fn end(self) -> Self::Source;
}

impl<R: BufRead> Member for GzDecoder<R> {
    type Source = R;

    const FIRST: u8 = 0x1F;

    fn begin(source: R) -> Self {
        Self::new(source)
    }

    fn end(self) -> R {
        self.into_inner()
    }
}

impl<R: BufRead> Member for BzDecoder<R> {
    type Source = R;

    const FIRST: u8 = b'B';

    fn begin(source: R) -> Self {
        Self::new(source)
    }

    fn end(self) -> R {
        self.into_inner()
    }
}

/// The members of a gzip or bzip2 file (RFC 1952, 2.2). Zeros after the last one are padding, as on
/// tapes; other data there is an error.
struct Members<M: Member> {
    /// `None` after an error and at the end.
    state: Option<MemberState<M>>,
}

enum MemberState<M: Member> {
    In(M),
    After(M::Source),
}

impl<M: Member> Read for Members<M> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match self.state.take() {
                Some(MemberState::In(mut member)) => match member.read(buffer)? {
                    0 => self.state = Some(MemberState::After(member.end())),
                    read => {
                        self.state = Some(MemberState::In(member));
                        return Ok(read);
                    }
                },
                Some(MemberState::After(mut source)) => {
                    let is_padded = skip_zeros(&mut source)?;
                    match source.fill_buf()?.first() {
                        None => return Ok(0),
                        Some(first) if *first == M::FIRST && !is_padded => {
                            self.state = Some(MemberState::In(M::begin(source)));
                        }
                        Some(_) => {
                            let what = "its end is followed by other data, which is not searched";
                            return Err(io::Error::other(what));
                        }
                    }
                }
                None => return Ok(0),
            }
        }
    }
}

/// Skips zeros; returns whether there were any.
fn skip_zeros(source: &mut impl BufRead) -> io::Result<bool> {
    let mut is_padded = false;
    loop {
        let octets = source.fill_buf()?;
        let length = octets.iter().take_while(|octet| **octet == 0).count();
        let is_end = length < octets.len() || octets.is_empty();
        source.consume(length);
        is_padded |= length > 0;
        if is_end {
            return Ok(is_padded);
        }
    }
}

/// The frames of a zstd file, one after the other (RFC 8878, 3.1).
struct Frames<R: BufRead> {
    /// `None` after an error.
    state: Option<State<R>>,
}

type Frame<R> = io::Chain<Cursor<[u8; 4]>, R>;

enum State<R: BufRead> {
    Between(R),
    In(Box<StreamingDecoder<Frame<R>, ruzstd::decoding::FrameDecoder>>),
}

/// "Magic_Number [...] 0x184D2A5?, which means any value from 0x184D2A50 to 0x184D2A5F" (3.1.2)
const SKIPPABLE: u32 = 0x184D_2A50;

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match self.state.take() {
                Some(State::In(mut frame)) => match frame.read(buffer)? {
                    0 => self.state = Some(State::Between(frame.into_inner().into_inner().1)),
                    read => {
                        self.state = Some(State::In(frame));
                        return Ok(read);
                    }
                },
                Some(State::Between(mut source)) => {
                    if source.fill_buf()?.is_empty() {
                        return Ok(0);
                    }
                    let mut magic = [0; 4];
                    source.read_exact(&mut magic)?;
                    self.state = Some(match u32::from_le_bytes(magic) & !0xF {
                        SKIPPABLE => {
                            let mut length = [0; 4];
                            source.read_exact(&mut length)?;
                            let length = u64::from(u32::from_le_bytes(length));
                            io::copy(&mut source.by_ref().take(length), &mut io::sink())?;
                            State::Between(source)
                        }
                        _ => {
                            let frame = Cursor::new(magic).chain(source);
                            let decoder = StreamingDecoder::new_with_max_window_size(frame, MOST_MEMORY);
                            State::In(Box::new(decoder.map_err(io::Error::other)?))
                        }
                    });
                }
                None => return Ok(0),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_name_has_the_name_of_what_is_in_it() {
        for (name, inner) in [("a/ls.1.gz", "a/ls.1"), ("B.SVGZ", "B.svg"), ("c.tgz", "c.tar"), ("d", "d")] {
            assert_eq!(Compression::Gzip.inner_path(name.as_ref()), Path::new(inner));
        }
        assert_eq!(Compression::Xz.inner_path("a.gz".as_ref()), Path::new("a.gz"));
    }

    #[test]
    fn what_follows_the_last_member_is_padding_or_an_error() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(b"abc").expect("a vector takes it");
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        bzip2.write_all(b"abc").expect("a vector takes it");
        let packed = [
            (Compression::Gzip, gzip.finish().expect("a vector takes it")),
            (Compression::Bzip2, bzip2.finish().expect("a vector takes it")),
        ];
        for (compression, one) in packed {
            let unpack = |after: &[u8]| {
                let (packed, mut text) = ([&*one, after].concat(), String::new());
                let mut stream = compression.unpack(&*packed, UnpackLimits::new());
                let error = stream.read_to_string(&mut text).err();
                // The error comes again.
                assert_eq!(error.is_some(), stream.read(&mut [0]).is_err());
                (text, error.map(|error| error.to_string()))
            };
            let error = Some("its end is followed by other data, which is not searched".to_owned());
            assert_eq!(unpack(b""), ("abc".to_owned(), None));
            assert_eq!(unpack(&one), ("abcabc".to_owned(), None));
            assert_eq!(unpack(&[0; 20_000]), ("abc".to_owned(), None));
            assert_eq!(unpack(b"junk"), ("abc".to_owned(), error.clone()));
            assert_eq!(unpack(&[&[0; 9], &*one].concat()), ("abc".to_owned(), error));
            assert_eq!(unpack(&one[..3]).0, "abc");
            assert!(unpack(&one[..3]).1.is_some());
        }
    }

    #[test]
    fn what_unpacks_to_too_much_is_an_error() {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(&vec![b'a'; 1 << 20]).expect("a vector takes it");
        let packed = packed.finish().expect("a vector takes it");
        let unpack = |limits| io::copy(&mut Compression::Gzip.unpack(&*packed, limits), &mut io::sink());
        assert_eq!(unpack(UnpackLimits::new()).ok(), Some(1 << 20));
        assert!(unpack(UnpackLimits::new().octets(1 << 19)).is_err());
        assert!(unpack(UnpackLimits::new().ratio(100).free(1 << 10)).is_err());
        assert!(unpack(UnpackLimits::new().ratio(100)).is_ok());
    }
}
