//! The limits of a run: how long it waits, how much it reads, and the speed below which a server is too slow.
//! The speed is that of the octets that come while they are waited for.

macro_rules! limits {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $usual:expr, $given:ty => $limit:expr;)*) => {
        /// The limits of a run. Times are in milliseconds.
        ///
        /// ```
        /// use locator_fetch::run::Limits;
        ///
        /// let limits = Limits::new().body(1 << 20);
        /// assert_eq!(
        ///     (limits.connect, limits.idle, limits.body),
        ///     (30_000, 60_000, Some(1 << 20))
        /// );
        /// ```
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Limits {
            $($(#[$doc])* pub $name: $type,)*
        }

        impl Limits {
            /// Returns limits of 30 seconds for a connection, 60 seconds of silence and 64 KiB for a reply.
            #[must_use]
            pub const fn new() -> Self {
                Self { $($name: $usual,)* }
            }

            $(
                $(#[$doc])*
                #[must_use]
                pub const fn $name(mut self, $name: $given) -> Self {
                    self.$name = $limit;
                    self
                }
            )*
        }
    };
}

limits! {
    /// The time to make or to secure a connection.
    connect: u64 = 30_000, u64 => connect;
    /// The time in which something must happen: a message is sent, a reply is complete, octets of the
    /// object arrive.
    idle: u64 = 60_000, u64 => idle;
    /// The time for all of it; `None` for no limit.
    whole: Option<u64> = None, u64 => Some(whole);
    /// The number of octets of the object; `None` for no limit.
    body: Option<u64> = None, u64 => Some(body);
    /// How slowly the octets of the object may come; `None` for any speed.
    slowest: Option<Slowest> = None, Slowest => Some(slowest);
    /// The number of octets of one reply.
    reply: usize = 65_536, usize => reply;
    /// The number of replies that announce another one.
    announcements: usize = 100, usize => announcements;
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}

impl Limits {
    /// Returns the limits for untrusted URLs: 60 seconds in all, 64 MiB, and at least 1 KiB a second
    /// after 10 seconds.
    ///
    /// ```
    /// use locator_fetch::run::{Limits, Slowest};
    ///
    /// let limits = Limits::for_untrusted_urls();
    /// assert_eq!((limits.whole, limits.body), (Some(60_000), Some(64 << 20)));
    /// assert_eq!(limits.slowest, Some(Slowest::new(1_024, 10_000)));
    /// ```
    #[must_use]
    pub const fn for_untrusted_urls() -> Self {
        let slowest = Slowest { octets_a_second: 1 << 10, grace: 10_000 };
        Self::new().whole(60_000).body(64 << 20).slowest(slowest)
    }
}

/// How slowly the octets of an object may come.
///
/// ```
/// use locator_fetch::run::{Limits, Slowest};
///
/// let slowest = Slowest::new(1_024, 5_000);
/// assert_eq!(Limits::for_untrusted_urls().slowest(slowest).slowest, Some(slowest));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slowest {
    /// The least number of octets a second.
    pub octets_a_second: u64,
    /// The time over which they are counted, and in which nothing fails yet, in milliseconds. Time in
    /// which the reader of the object does not take what came is not counted.
    pub grace: u64,
}

impl Slowest {
    /// Creates a limit of so many octets a second, counted over `grace` milliseconds.
    #[must_use]
    pub const fn new(octets_a_second: u64, grace: u64) -> Self {
        Self { octets_a_second, grace }
    }
}

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
