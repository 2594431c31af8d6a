//! Compressed files and zip archives as streams of bounded length. A small file may decompress to
//! terabytes: [`UnpackLimits`] end the stream of every decompressor with an error.
//!
//! ```
//! # #[cfg(feature = "compressed")]
//! println!("{:?}", locator_find::UnpackLimits::new());
//! ```

#[cfg(feature = "archives")]
pub(crate) mod archive;
#[cfg(feature = "compressed")]
pub(crate) mod compressed;

use std::io::{self, ErrorKind, Read};

/// The limits for the decompressed size of a file.
///
/// A small file can decompress to terabytes. A stream beyond the limits ends with an error; what was read
/// before it is valid.
///
/// ```
/// use locator_find::{Compression, UnpackLimits};
/// use std::io::Read;
///
/// let file = b"\x1F\x8B\x08\0\0\0\0\0\0\xFF\x4B\x04\0\x43\xBE\xB7\xE8\x01\0\0\0";
/// let limits = UnpackLimits::new().octets(0);
/// let mut stream = Compression::Gzip.unpack(&file[..], limits);
/// assert!(stream.read_to_end(&mut Vec::new()).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnpackLimits {
    octets: u64,
    ratio: u64,
    free: u64,
}

impl Default for UnpackLimits {
    fn default() -> Self {
        Self { octets: 4 << 30, ratio: 1000, free: 64 << 20 }
    }
}

impl UnpackLimits {
    /// Creates the default limits: 4 GiB and, above 64 MiB, a thousand times the compressed size.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the maximum decompressed size, in bytes.
    #[cfg(feature = "archives")]
    const fn most(&self) -> u64 {
        self.octets
    }

    /// Sets the maximum decompressed size, in bytes.
    #[must_use]
    pub const fn octets(mut self, octets: u64) -> Self {
        self.octets = octets;
        self
    }

    /// Sets the maximum ratio of decompressed to compressed size. It applies above the size that
    /// [`free`](Self::free) sets.
    #[must_use]
    pub const fn ratio(mut self, ratio: u64) -> Self {
        self.ratio = ratio;
        self
    }

    /// Sets the decompressed size, in bytes, up to which the ratio is not limited.
    #[must_use]
    pub const fn free(mut self, free: u64) -> Self {
        self.free = free;
        self
    }
}

/// A decompressing stream that enforces the limits. After an error every read returns it again, so
/// that the data before it can be read first.
struct Unpacked<R, P> {
    inner: R,
    /// Returns the number of compressed bytes read so far.
    packed: P,
    limits: UnpackLimits,
    length: u64,
    error: Option<(ErrorKind, String)>,
}

impl<R: Read, P: Fn() -> u64> Unpacked<R, P> {
    const fn new(inner: R, packed: P, limits: UnpackLimits) -> Self {
        Self { inner, packed, limits, length: 0, error: None }
    }
}

impl<R: Read, P: Fn() -> u64> Read for Unpacked<R, P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some((kind, message)) = &self.error {
            return Err(io::Error::new(*kind, message.clone()));
        }
        let read = self.unpack(buffer);
        if let Err(error) = &read
            && error.kind() != ErrorKind::Interrupted
        {
            self.error = Some((error.kind(), error.to_string()));
        }
        read
    }
}

impl<R: Read, P: Fn() -> u64> Unpacked<R, P> {
    fn unpack(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.length += read as u64;
        let UnpackLimits { octets, ratio, free } = self.limits;
        if self.length > octets {
            return Err(io::Error::other(format!(
                "the file decompresses to more than {octets} bytes; the rest is not read"
            )));
        }
        if self.length > free && self.length / ratio > (self.packed)() {
            return Err(io::Error::other(format!(
                "the file decompresses to more than {ratio} times its length; the rest is not read"
            )));
        }
        Ok(read)
    }
}
