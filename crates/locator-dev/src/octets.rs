//! A set of octets: what one position of a grammar may hold.

/// 256 flags, one an octet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct OctetSet([u64; 4]);

impl OctetSet {
    /// The octets from `first` to `last`, both included.
    pub(crate) fn range(first: u8, last: u8) -> Self {
        (first..=last).fold(Self::default(), Self::with)
    }

    /// One character of a quoted string, which RFC 5234 section 2.3 reads without regard to case.
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
