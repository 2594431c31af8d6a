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
    /// The number of octets of one reply.
    pub reply: usize,
    /// The number of replies that announce another one.
    pub announcements: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connect: 30_000, idle: 60_000, whole: None, body: None, reply: 65_536, announcements: 100 }
    }
}
