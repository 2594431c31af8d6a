//! Limits: how long a run waits, and how much it reads.

/// The limits of a run. Times are in milliseconds.
///
/// ```
/// use locator_fetch::run::Limits;
///
/// let limits = Limits { body: Some(1 << 20), ..Limits::default() };
/// assert_eq!((limits.connect, limits.idle), (30_000, 60_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The time to make or to secure a connection.
    pub connect: u64,
    /// The time in which something must happen: a message is sent, a reply is whole, octets of the
    /// object arrive.
    pub idle: u64,
    /// The time for all of it; `None` for no limit.
    pub whole: Option<u64>,
    /// The number of octets of the object; `None` for no limit.
    pub body: Option<u64>,
    /// How slowly the octets of the object may come; `None` for any speed.
    pub slowest: Option<Slowest>,
    /// The number of octets of one reply.
    pub reply: usize,
    /// The number of replies that announce another one.
    pub announcements: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: 30_000,
            idle: 60_000,
            whole: None,
            body: None,
            slowest: None,
            reply: 65_536,
            announcements: 100,
        }
    }
}

impl Limits {
    /// Returns the limits for URLs of strangers: 60 seconds in all, 64 MiB, and at least 1 KiB a second
    /// after 10 seconds.
    ///
    /// ```
    /// use locator_fetch::run::{Limits, Slowest};
    ///
    /// let limits = Limits::strangers();
    /// assert_eq!((limits.whole, limits.body), (Some(60_000), Some(64 << 20)));
    /// assert_eq!(limits.slowest, Some(Slowest { octets_a_second: 1_024, grace: 10_000 }));
    /// ```
    #[must_use]
    pub fn strangers() -> Self {
        Self {
            whole: Some(60_000),
            body: Some(64 << 20),
            slowest: Some(Slowest { octets_a_second: 1 << 10, grace: 10_000 }),
            ..Self::default()
        }
    }
}

/// How slowly the octets of an object may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slowest {
    /// The least number of octets a second.
    pub octets_a_second: u64,
    /// The time over which they are counted, and in which nothing fails yet, in milliseconds. Time in
    /// which the reader of the object does not take what came is not counted.
    pub grace: u64,
}
