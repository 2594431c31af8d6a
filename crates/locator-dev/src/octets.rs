//! A set of octets, which one position of a grammar allows.

/// A set of octets, as 256 flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct OctetSet([u64; 4]);

impl OctetSet {
    /// Returns the octets from `first` to `last`, inclusive.
    pub(crate) fn range(first: u8, last: u8) -> Self {
        (first..=last).fold(Self::default(), Self::with)
    }

    /// Returns the octets of one character of a quoted string, which is case-insensitive (RFC 5234,
    /// 2.3).
    pub(crate) fn any_case(octet: u8) -> Self {
        Self::default().with(octet.to_ascii_lowercase()).with(octet.to_ascii_uppercase())
    }

    pub(crate) fn with(mut self, octet: u8) -> Self {
        self.0[usize::from(octet >> 6)] |= 1 << (octet & 63);
        self
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    pub(crate) fn contains(self, octet: u8) -> bool {
        self.0[usize::from(octet >> 6)] >> (octet & 63) & 1 == 1
    }
}
