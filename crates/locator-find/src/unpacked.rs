//! Limits of what is unpacked: a stream that unpacks something enters, the same stream leaves, with an end where it becomes too much.

use std::io::{self, Read};

/// How much may come of something that is compressed.
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
    /// Allows 4 GiB, and of what is longer than 64 MiB a thousand times the packed length.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns how many octets are allowed.
    #[cfg(feature = "archives")]
    pub(crate) const fn most(&self) -> u64 {
        self.octets
    }

    /// Allows no more octets than that.
    #[must_use]
    pub const fn octets(mut self, octets: u64) -> Self {
        self.octets = octets;
        self
    }

    /// Allows no more than so many octets for each packed one, behind those that are free.
    #[must_use]
    pub const fn ratio(mut self, ratio: u64) -> Self {
        self.ratio = ratio;
        self
    }

    /// Asks for no ratio up to that length.
    #[must_use]
    pub const fn free(mut self, free: u64) -> Self {
        self.free = free;
        self
    }
}

/// A stream that unpacks something, up to the limits.
pub(crate) struct Unpacked<R, P> {
    inner: R,
    /// How many packed octets were read.
    packed: P,
    limits: UnpackLimits,
    length: u64,
}

impl<R: Read, P: Fn() -> u64> Unpacked<R, P> {
    pub(crate) const fn new(inner: R, packed: P, limits: UnpackLimits) -> Self {
        Self { inner, packed, limits, length: 0 }
    }
}

impl<R: Read, P: Fn() -> u64> Read for Unpacked<R, P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.length += read as u64;
        let UnpackLimits { octets, ratio, free } = self.limits;
        if self.length > octets {
            return Err(io::Error::other(format!(
                "it unpacks to more than {octets} octets; the rest is not read"
            )));
        }
        if self.length > free && self.length / ratio > (self.packed)() {
            return Err(io::Error::other(format!(
                "it unpacks to more than {ratio} times its own length; the rest is not read"
            )));
        }
        Ok(read)
    }
}
