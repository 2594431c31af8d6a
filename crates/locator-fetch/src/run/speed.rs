//! The speed of an object: counts the octets that come while they are waited for, and says when they are
//! too few.

use super::limits::Slowest;

/// A measure of the speed, in periods of the time that [`Slowest::grace`] is.
#[derive(Debug)]
pub(crate) struct Speed {
    slowest: Option<Slowest>,
    /// How long octets were waited for in this period, up to the last change.
    waited: u64,
    /// Since when they are waited for; `None` if the reader has octets.
    since: Option<u64>,
    /// The octets of this period.
    octets: u64,
}

impl Speed {
    pub(crate) const fn new(slowest: Option<Slowest>) -> Self {
        Self { slowest, waited: 0, since: None, octets: 0 }
    }

    /// Takes how many octets came, and whether more are waited for from now on. Returns the speed that
    /// was not reached.
    pub(crate) fn update(&mut self, octets: u64, is_waiting: bool, now: u64) -> Option<u64> {
        let slowest = self.slowest?;
        self.octets = self.octets.saturating_add(octets);
        self.waited += self.since.map_or(0, |since| now.saturating_sub(since));
        self.since = is_waiting.then_some(now);
        if self.waited < slowest.grace {
            return None;
        }
        let is_slow =
            u128::from(self.octets) * 1_000 < u128::from(slowest.octets_a_second) * u128::from(self.waited);
        (self.waited, self.octets) = (0, 0);
        is_slow.then_some(slowest.octets_a_second)
    }

    /// Returns when the period ends if octets are waited for until then.
    pub(crate) fn ends_at(&self) -> Option<u64> {
        let rest = self.slowest?.grace.saturating_sub(self.waited);
        Some(self.since?.saturating_add(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_few_octets() {
        let slowest = Some(Slowest { octets_a_second: 100, grace: 10_000 });
        let mut speed = Speed::new(slowest);
        assert_eq!((speed.update(0, true, 0), speed.ends_at()), (None, Some(10_000)));
        assert_eq!((speed.update(1_000, true, 9_999), speed.ends_at()), (None, Some(10_000)));
        // The next period begins.
        assert_eq!((speed.update(0, true, 10_000), speed.ends_at()), (None, Some(20_000)));
        assert_eq!(speed.update(999, true, 19_000), None);
        assert_eq!(speed.update(0, true, 20_000), Some(100));
        // A slow reader is not a slow server.
        let mut speed = Speed::new(slowest);
        speed.update(0, true, 0);
        assert_eq!((speed.update(1, false, 5_000), speed.ends_at()), (None, None));
        assert_eq!((speed.update(0, true, 1_000_000), speed.ends_at()), (None, Some(1_005_000)));
        assert_eq!(speed.update(0, true, 1_005_000), Some(100));
        // No limit.
        let mut speed = Speed::new(None);
        speed.update(0, true, 0);
        assert_eq!((speed.update(0, true, u64::MAX), speed.ends_at()), (None, None));
    }
}
