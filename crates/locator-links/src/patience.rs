//! How fast a server is asked: a few requests at a time, a pause between two, slower if it says so.
//!
//! Nothing here knows the clock: the time is passed as what has passed since the start of the run. Follows
//! RFC 9110, 10.2.3 (`Retry-After`) and RFC 6585, 4 (429).

use std::time::Duration;

use crate::outcome::Code;

/// How a server is asked.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// How many requests are sent at a time.
    pub at_once: usize,
    /// The time between the beginnings of two requests.
    pub interval: Duration,
    /// The longest time that is waited because a server asks for it.
    pub max_wait: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self { at_once: 10, interval: Duration::from_millis(50), max_wait: Duration::from_secs(60) }
    }
}

/// Whether a request may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Now.
    Now,
    /// At this time.
    At(Duration),
    /// When another request to this server has ended.
    AfterAnother,
    /// Never: the server has this fault, or asks to wait for too long.
    Never(Code),
}

/// How many requests a host gets before it has answered once.
const TRIES: usize = 2;

/// How often the server may say that there are too many requests.
const MOST_WAITS: u32 = 5;

/// What is known of a server.
#[derive(Debug)]
pub struct Host {
    pace: Pace,
    running: usize,
    at_once: usize,
    next: Duration,
    /// How often in a row the server said that there are too many requests, and until when it wants none.
    waits: u32,
    waits_until: Duration,
    has_answered: bool,
    failures: usize,
    /// The fault that every request to this host has.
    fault: Option<Code>,
    is_last_try: bool,
    /// Whether HEAD had another answer than GET.
    refuses_head: bool,
}

impl Host {
    /// Creates the state of a host that was not asked yet.
    #[must_use]
    pub const fn new(pace: Pace) -> Self {
        Self {
            pace,
            running: 0,
            at_once: pace.at_once,
            next: Duration::ZERO,
            waits: 0,
            waits_until: Duration::ZERO,
            has_answered: false,
            failures: 0,
            fault: None,
            is_last_try: false,
            refuses_head: false,
        }
    }

    /// Returns whether GET is asked at once.
    #[must_use]
    pub const fn refuses_head(&self) -> bool {
        self.refuses_head
    }

    /// Returns the fault that every request to this host has.
    #[must_use]
    pub const fn fault(&self) -> Option<Code> {
        self.fault
    }

    /// Returns whether the host may be asked again.
    #[must_use]
    pub const fn has_no_fault(&self) -> bool {
        self.fault.is_none()
    }

    /// Returns whether these are the last tries.
    #[must_use]
    pub const fn is_last_try(&self) -> bool {
        self.is_last_try
    }

    /// Returns whether requests are on their way.
    #[must_use]
    pub const fn is_awaited(&self) -> bool {
        self.running > 0
    }

    /// Notes that GET succeeded where HEAD did not: the host does not know it.
    pub const fn note_refused_head(&mut self) {
        self.refuses_head = true;
    }

    /// Returns whether a request may be sent.
    #[must_use]
    pub fn permission(&self, now: Duration) -> Permission {
        let limit = match () {
            () if self.has_answered => self.at_once,
            () if self.is_last_try => 1,
            () => self.at_once.min(TRIES),
        };
        match self.fault {
            Some(code) => Permission::Never(code),
            None if self.running >= limit.max(1) => Permission::AfterAnother,
            None if self.next > now => Permission::At(self.next),
            None => Permission::Now,
        }
    }

    /// Notes that a request is sent.
    pub fn begin(&mut self, now: Duration) {
        self.running += 1;
        self.next = self.next.max(now + self.pace.interval);
    }

    /// Notes an answer. `waits` is how long the server asks to wait.
    pub fn answered(&mut self, now: Duration, waits: Option<Duration>) {
        self.running = self.running.saturating_sub(1);
        (self.has_answered, self.failures, self.waits) = (true, 0, 0);
        match waits {
            Some(time) if time > self.pace.max_wait => self.fault = Some(Code::Waits),
            Some(time) => self.next = self.next.max(now + time),
            None => {}
        }
    }

    /// Notes that the server has too many requests; returns whether it is asked again.
    pub fn has_too_many(&mut self, now: Duration, waits: Option<Duration>) -> bool {
        self.at_once = (self.at_once / 2).max(1);
        // Requests that were on their way are refused for the same reason as the first.
        let count = self.waits + u32::from(now >= self.waits_until);
        // Without a time it is waited for longer and longer.
        let waits = waits.unwrap_or(Duration::from_secs(1 << count.min(10)).min(self.pace.max_wait));
        self.answered(now, Some(waits));
        self.waits = count;
        self.waits_until = self.waits_until.max(now + waits.min(self.pace.max_wait));
        if self.waits > MOST_WAITS {
            self.fault = self.fault.or(Some(Code::TooManyRequests));
        }
        self.fault.is_none()
    }

    /// Notes a failure of the host. One that has never answered is not asked again before the end, and then
    /// once.
    pub fn failed(&mut self, code: Code) {
        self.running = self.running.saturating_sub(1);
        self.failures += 1;
        if !self.has_answered && (self.is_last_try || self.failures >= TRIES) {
            self.fault = Some(code);
        }
    }

    /// Notes that a request ended without saying anything of the host.
    pub fn ended(&mut self) {
        self.running = self.running.saturating_sub(1);
    }

    /// Begins the last tries.
    pub fn begin_last_try(&mut self) {
        self.is_last_try = true;
        if self.fault != Some(Code::Waits) && self.fault != Some(Code::TooManyRequests) {
            self.fault = None;
        }
    }
}

/// Returns the time of `Retry-After`: seconds, or the time until a date.
#[must_use]
pub fn retry_after(value: &str, until: impl Fn(&str) -> Option<Duration>) -> Option<Duration> {
    let value = value.trim();
    value.parse().ok().map(Duration::from_secs).or_else(|| until(value))
}

/// Returns how long to wait by fields such as `RateLimit: limit=10, remaining=0, reset=5`, `"default";r=0;t=5`
/// and `RateLimit-Remaining` with `RateLimit-Reset`.
#[must_use]
pub fn rate_limit<'v>(field: impl Fn(&str) -> Option<&'v str>) -> Option<Duration> {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let in_list = |list: &str, names: [&str; 2]| {
        let mut items = list.split([',', ';']).filter_map(|item| item.trim().split_once('='));
        items.find(|(name, _)| names.contains(&name.trim())).and_then(|(_, value)| number(value))
    };
    let (remaining, reset) = match field("ratelimit") {
        Some(list) => (in_list(list, ["remaining", "r"]), in_list(list, ["reset", "t"])),
        None => {
            let of = |name: &str| {
                field(&format!("ratelimit-{name}"))
                    .or_else(|| field(&format!("x-ratelimit-{name}")))
                    .and_then(number)
            };
            (of("remaining"), of("reset"))
        }
    };
    // A larger number is a time of the day, by the clock of the server.
    (remaining == Some(0)).then_some(reset?).filter(|seconds| *seconds < 1_000_000).map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn pace() -> Pace {
        Pace { at_once: 4, interval: Duration::from_millis(50), max_wait: 60 * SECOND }
    }

    #[test]
    fn a_server_is_asked_slowly() {
        let mut host = Host::new(pace());
        assert_eq!(host.permission(SECOND), Permission::Now);
        host.begin(SECOND);
        let next = SECOND + Duration::from_millis(50);
        assert_eq!(host.permission(SECOND), Permission::At(next));
        host.begin(next);
        // It has not answered yet.
        assert_eq!(host.permission(2 * SECOND), Permission::AfterAnother);
        host.answered(2 * SECOND, None);
        assert_eq!(host.permission(2 * SECOND), Permission::Now);
    }

    #[test]
    fn a_dead_host_is_asked_three_times() {
        let mut host = Host::new(pace());
        for _ in 0..2 {
            host.begin(SECOND);
            host.failed(Code::ConnectionRefused);
        }
        assert_eq!(host.permission(9 * SECOND), Permission::Never(Code::ConnectionRefused));
        host.begin_last_try();
        assert_eq!(host.permission(9 * SECOND), Permission::Now);
        host.begin(9 * SECOND);
        assert_eq!(host.permission(10 * SECOND), Permission::AfterAnother);
        host.failed(Code::ConnectionRefused);
        assert_eq!(host.permission(10 * SECOND), Permission::Never(Code::ConnectionRefused));
    }

    #[test]
    fn a_server_says_how_long_to_wait() {
        let mut host = Host::new(pace());
        host.begin(SECOND);
        assert!(host.has_too_many(SECOND, Some(5 * SECOND)));
        assert_eq!(host.permission(2 * SECOND), Permission::At(6 * SECOND));
        assert_eq!(host.at_once, 2);
        host.begin(6 * SECOND);
        assert!(!host.has_too_many(6 * SECOND, Some(86_400 * SECOND)));
        assert_eq!(host.permission(7 * SECOND), Permission::Never(Code::Waits));
    }

    #[test]
    fn too_many_requests_for_ever() {
        let mut host = Host::new(pace());
        let mut now = SECOND;
        while host.has_too_many(now, Some(SECOND)) {
            now += SECOND;
        }
        assert_eq!(now, 6 * SECOND);
        assert_eq!(host.permission(now), Permission::Never(Code::TooManyRequests));
    }

    #[test]
    fn requests_on_their_way_are_refused_once() {
        let mut host = Host::new(pace());
        // Each second ten requests are refused, and then one is not.
        for second in 1..100 {
            (0..10).for_each(|_| assert!(host.has_too_many(second * SECOND, Some(SECOND))));
            host.answered(second * SECOND + SECOND / 2, None);
        }
        // A server that does not say how long.
        let mut host = Host::new(pace());
        (0..10).for_each(|_| assert!(host.has_too_many(SECOND, None)));
        assert_eq!(host.permission(SECOND), Permission::At(3 * SECOND));
    }

    #[test]
    fn fields_of_limits() {
        let of = |fields: &'static [(&str, &str)]| {
            rate_limit(move |name: &str| fields.iter().find(|(own, _)| *own == name).map(|(_, value)| *value))
        };
        assert_eq!(of(&[("ratelimit", "limit=10, remaining=0, reset=5")]), Some(5 * SECOND));
        assert_eq!(of(&[("ratelimit", "\"default\";r=0;t=7")]), Some(7 * SECOND));
        assert_eq!(of(&[("ratelimit", "limit=10, remaining=3, reset=5")]), None);
        assert_eq!(of(&[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "9")]), Some(9 * SECOND));
        assert_eq!(of(&[("ratelimit-remaining", "0"), ("ratelimit-reset", "1732700000")]), None);
    }
}
