//! Positions counted from the start or from the end.

use std::fmt::{self, Display, Formatter};

/// A place, counted from 0, or from -1 at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Nth(isize);

/// Where the turn of a part is among those that are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    /// Its place in a URL.
    pub(super) place: Option<usize>,
    /// Its turn among the segments of a path, or the values of a list.
    pub(super) nth: Option<NthRank>,
}

/// Where the turn of one of many is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NthRank {
    distance: usize,
    is_from_end: bool,
}

impl From<isize> for Nth {
    fn from(place: isize) -> Self {
        Self(place)
    }
}

impl Nth {
    /// Reads one.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let expected =
            || format!("\"{text}\" is not a position: expected a number from 0, or from -1 at the end");
        text.parse().map(Self).map_err(|_| expected())
    }

    /// The place from 0 on, if there is such a one.
    pub(crate) fn among(self, count: usize) -> Option<usize> {
        let length = self.0.unsigned_abs();
        let place = if self.0 < 0 { count.checked_sub(length)? } else { length };
        (place < count).then_some(place)
    }

    /// Where its turn is: what is nearer to where it is counted from comes first, so that those
    /// that are removed in the other order do not move what is still to be removed.
    pub(super) const fn rank(self) -> NthRank {
        NthRank { distance: self.0.unsigned_abs(), is_from_end: self.0 < 0 }
    }
}

impl Display for Nth {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_from_both_ends() {
        let among = |text, count| Nth::read(text).expect("a number").among(count);
        assert_eq!(among("0", 2), Some(0));
        assert_eq!(among("1", 2), Some(1));
        assert_eq!(among("2", 2), None);
        assert_eq!(among("-1", 2), Some(1));
        assert_eq!(among("-2", 2), Some(0));
        assert_eq!(among("-3", 2), None);
        assert_eq!(among("-1", 0), None);
        assert_eq!(among(&isize::MIN.to_string(), usize::MAX), Some(usize::MAX - isize::MIN.unsigned_abs()));
        assert!(Nth::read("").is_err());
        assert!(Nth::read("9999999999999999999999").is_err());
    }
}
