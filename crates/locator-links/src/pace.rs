//! How fast a server is asked: a few requests at a time, a pause between two, slower if it says so.
//!
//! A server that has too many requests (429), or is busy (503), is waited for: for as long as it asks, at most
//! [`Pace::max_wait`] in a row and a multiple of that in all, and asked again a few times. One that asks for longer is
//! not asked again. The others are asked meanwhile.
//!
//! Nothing here knows the clock: the time is passed as what has passed since the start of the run. Follows
//! RFC 9110, 10.2.3 (`Retry-After`) and RFC 6585, 4 (429).
//!
//! [`HostPace`] is what is known of one server; `Hosts` has all of them, each with what is to be asked of it, and says which
//! request may be sent now.
//!
//! ```
//! use std::time::Duration;
//!
//! use locator_links::Code;
//! use locator_links::pace::{HostPace, Pace, Permission};
//!
//! let mut pace = HostPace::new(Pace::default());
//! let now = Duration::from_secs(1);
//! assert_eq!(pace.permission(now), Permission::Now);
//! pace.begin(now);
//! // The server has too many requests, and asks to wait for two seconds.
//! pace.refuses(now, Code::TooManyRequests, Some(Duration::from_secs(2)));
//! assert!(matches!(pace.permission(now), Permission::At(_) | Permission::AfterAnother));
//! ```

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::time::Duration;

use locator::UriRef;

use crate::outcome::Code;
use crate::reference::origin_of;

/// How a server is asked.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// How many requests are sent at a time.
    pub at_once: usize,
    /// The time between the beginnings of two requests.
    pub interval: Duration,
    /// The longest time that is waited because a server asks for it, before it answers again.
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

/// How often in a row the server may say that there are too many requests, and that it is busy without saying for how
/// long: that is often for longer than a run.
const MOST_WAITS: u32 = 5;
const MOST_WAITS_OF_BUSY: u32 = 2;

/// How many times the longest time a server is waited for in all.
const MOST_IN_ALL: u32 = 10;

/// Returns how often a server that refuses a request so is asked again.
#[must_use]
pub fn most_waits(code: Code, asked: Option<Duration>) -> u32 {
    if code == Code::Busy && asked.is_none() { MOST_WAITS_OF_BUSY } else { MOST_WAITS }
}

/// What is known of a server.
#[derive(Debug)]
pub struct HostPace {
    pace: Pace,
    running: usize,
    at_once: usize,
    next: Duration,
    /// How often in a row the server said that there are too many requests, and until when it wants none.
    waits: u32,
    waits_until: Duration,
    /// How long it was waited in a row, and in all.
    waited: Duration,
    waited_in_all: Duration,
    has_answered: bool,
    failures: usize,
    /// The fault that every request to this host has.
    fault: Option<Code>,
    is_last_try: bool,
    /// Whether HEAD had another answer than GET.
    refuses_head: bool,
}

impl HostPace {
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
            waited: Duration::ZERO,
            waited_in_all: Duration::ZERO,
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
        self.next = self.next.max(now.saturating_add(self.pace.interval));
    }

    /// Notes an answer. `waits` is how long the server asks to wait.
    pub fn answered(&mut self, now: Duration, waits: Option<Duration>) {
        self.running = self.running.saturating_sub(1);
        (self.has_answered, self.failures, self.waits, self.waited) = (true, 0, 0, Duration::ZERO);
        match waits {
            Some(time) if time > self.pace.max_wait => self.fault = Some(Code::Waits),
            Some(time) => self.next = self.next.max(now.saturating_add(time)),
            None => {}
        }
    }

    /// Notes that the server refuses requests for now, as it has too many or is busy; `asked` is how long it asks to
    /// wait. Returns whether it is asked again.
    pub fn refuses(&mut self, now: Duration, code: Code, asked: Option<Duration>) -> bool {
        (self.running, self.has_answered, self.failures) = (self.running.saturating_sub(1), true, 0);
        self.at_once = (self.at_once / 2).max(1);
        // Requests that were on their way are refused for the same reason as the first.
        self.waits += u32::from(now >= self.waits_until);
        let left = self.pace.max_wait.saturating_sub(self.waited);
        // Without a time it is waited for longer and longer.
        let time = asked.unwrap_or_else(|| Duration::from_secs(1 << self.waits.min(10)).min(left));
        let until = self.waits_until.max(now.saturating_add(time));
        let more = until.saturating_sub(self.waits_until.max(now));
        let in_all = self.waited_in_all.saturating_add(more);
        let fault = match () {
            () if time > self.pace.max_wait => Some(Code::Waits),
            () if self.waits > most_waits(code, asked) => Some(code),
            () if more > left || asked.is_none() && left.is_zero() => Some(code),
            () if in_all > self.pace.max_wait.saturating_mul(MOST_IN_ALL) => Some(code),
            () => None,
        };
        self.fault = self.fault.or(fault);
        if self.fault.is_none() {
            self.waited = self.waited.saturating_add(more);
            (self.waited_in_all, self.waits_until, self.next) = (in_all, until, self.next.max(until));
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
        if !self.fault.is_some_and(Code::is_of_waiting) {
            self.fault = None;
        }
    }
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

/// The number of a server.
type HostId = usize;

/// The servers of a run.
pub(super) struct Hosts<J> {
    pace: Pace,
    hosts: Vec<HostPace>,
    origins: Vec<String>,
    numbers: HashMap<String, HostId>,
    /// What is to be asked of each host.
    queues: Vec<VecDeque<J>>,
    /// The hosts that may be asked now, and those that may be later.
    ready: VecDeque<HostId>,
    sleeping: BinaryHeap<Reverse<(Duration, HostId)>>,
}

/// The next request of a host.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NextJob<J> {
    /// It may be sent now.
    Send(J),
    /// It is not sent, for a fault of its host.
    Refused(J, Code),
}

impl<J> Hosts<J> {
    pub(super) fn new(pace: Pace) -> Self {
        Self {
            pace,
            hosts: Vec::new(),
            origins: Vec::new(),
            numbers: HashMap::new(),
            queues: Vec::new(),
            ready: VecDeque::new(),
            sleeping: BinaryHeap::new(),
        }
    }

    /// Returns the number of the server of a URL.
    pub(super) fn number(&mut self, url: &str) -> HostId {
        let Self { hosts, origins, numbers, queues, pace, .. } = self;
        let origin = origin_of(url).unwrap_or_default();
        *numbers.entry(origin).or_insert_with_key(|origin| {
            hosts.push(HostPace::new(*pace));
            origins.push(origin.clone());
            queues.push(VecDeque::new());
            hosts.len() - 1
        })
    }

    pub(super) fn get(&self, host: HostId) -> Option<&HostPace> {
        self.hosts.get(host)
    }

    pub(super) fn get_mut(&mut self, host: HostId) -> Option<&mut HostPace> {
        self.hosts.get_mut(host)
    }

    /// Queues a request.
    pub(super) fn push(&mut self, host: HostId, job: J) {
        if let Some(queue) = self.queues.get_mut(host) {
            queue.push_back(job);
        }
        self.ready.push_back(host);
    }

    /// Queues a request before all others of its host.
    pub(super) fn push_front(&mut self, host: HostId, job: J) {
        if let Some(queue) = self.queues.get_mut(host) {
            queue.push_front(job);
        }
        self.ready.push_back(host);
    }

    /// Notes that a request has ended, so that another one may be sent.
    pub(super) fn is_free(&mut self, host: HostId) {
        self.ready.push_back(host);
    }

    /// Returns whether nothing is queued.
    pub(super) fn is_idle(&self) -> bool {
        self.ready.is_empty() && self.sleeping.is_empty()
    }

    /// Returns when a host may be asked again, if all others have nothing to be asked now.
    pub(super) fn wakes(&self) -> Option<Duration> {
        self.sleeping.peek().map(|Reverse((time, _))| *time)
    }

    /// Takes the next request that may be sent now, or is not sent since its host has a fault.
    pub(super) fn next(&mut self, now: Duration) -> Option<NextJob<J>> {
        while let Some(&Reverse((time, host))) = self.sleeping.peek() {
            if time > now {
                break;
            }
            self.sleeping.pop();
            self.ready.push_back(host);
        }
        while let Some(&host) = self.ready.front() {
            let queue = self.queues.get_mut(host).filter(|queue| !queue.is_empty());
            let (Some(queue), Some(of)) = (queue, self.hosts.get_mut(host)) else {
                self.ready.pop_front();
                continue;
            };
            match of.permission(now) {
                Permission::Now => {
                    of.begin(now);
                    return queue.pop_front().map(NextJob::Send);
                }
                Permission::Never(code) => {
                    return queue.pop_front().map(|job| NextJob::Refused(job, code));
                }
                Permission::At(time) => self.sleeping.push(Reverse((time, host))),
                // It is ready again when that one has ended.
                Permission::AfterAnother => {}
            }
            self.ready.pop_front();
        }
        None
    }

    /// Begins the last tries of what failed.
    pub(super) fn begin_last_try(&mut self) {
        self.hosts.iter_mut().for_each(HostPace::begin_last_try);
    }

    /// Returns the hosts that are waited for: requests are on their way, or they ask to wait.
    pub(super) fn awaited(&self) -> Vec<String> {
        let hosts = self.hosts.iter().zip(&self.origins).zip(&self.queues);
        let waits = hosts.filter(|((host, _), queue)| host.is_awaited() || !queue.is_empty());
        waits.map(|((_, origin), _)| server_of(origin)).collect()
    }
}

/// Returns the host and the port of an origin: `h.example:443`.
fn server_of(origin: &str) -> String {
    let server = UriRef::parse(origin).ok().and_then(|url| Some((url.host()?, url.port_or_known_default()?)));
    server.map_or_else(|| origin.to_owned(), |(host, port)| format!("{}:{port}", host.as_str()))
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
        let mut host = HostPace::new(pace());
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
        let mut host = HostPace::new(pace());
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
        let mut host = HostPace::new(pace());
        host.begin(SECOND);
        assert!(host.refuses(SECOND, Code::TooManyRequests, Some(5 * SECOND)));
        assert_eq!(host.permission(2 * SECOND), Permission::At(6 * SECOND));
        assert_eq!(host.at_once, 2);
        host.begin(6 * SECOND);
        assert!(!host.refuses(6 * SECOND, Code::Busy, Some(86_400 * SECOND)));
        assert_eq!(host.permission(7 * SECOND), Permission::Never(Code::Waits));
    }

    #[test]
    fn too_many_requests_for_ever() {
        let mut host = HostPace::new(pace());
        let mut now = SECOND;
        while host.refuses(now, Code::TooManyRequests, Some(SECOND)) {
            now += SECOND;
        }
        assert_eq!(now, 6 * SECOND);
        assert_eq!(host.permission(now), Permission::Never(Code::TooManyRequests));
    }

    #[test]
    fn requests_on_their_way_are_refused_once() {
        let mut host = HostPace::new(pace());
        // Each second ten requests are refused, and then one is not.
        for second in 1..100 {
            (0..10).for_each(|_| assert!(host.refuses(second * SECOND, Code::Busy, Some(SECOND))));
            host.answered(second * SECOND + SECOND / 2, None);
        }
        // A server that does not say how long.
        let mut host = HostPace::new(pace());
        (0..10).for_each(|_| assert!(host.refuses(SECOND, Code::Busy, None)));
        assert_eq!(host.permission(SECOND), Permission::At(3 * SECOND));
    }

    #[test]
    fn waiting_is_bounded_in_time() {
        // Returns how long a host is waited for that refuses everything.
        let waited = |code, asked: Option<u32>| {
            let mut host = HostPace::new(pace());
            let mut now = SECOND;
            while host.refuses(now, code, asked.map(|asked| asked * SECOND)) {
                let Permission::At(next) = host.permission(now) else { return (now - SECOND, host.fault()) };
                now = next;
            }
            (now - SECOND, host.fault())
        };
        let many = Code::TooManyRequests;
        for (code, asked, seconds, fault) in [
            (many, None, 60, many),
            (many, Some(1), 5, many),
            (many, Some(40), 40, many),
            (many, Some(60), 60, many),
            (many, Some(61), 0, Code::Waits),
            (many, Some(u32::MAX), 0, Code::Waits),
            (Code::Busy, Some(20), 60, Code::Busy),
            (Code::Busy, None, 6, Code::Busy),
        ] {
            assert_eq!(waited(code, asked), (seconds * SECOND, Some(fault)), "{code} {asked:?}");
        }
        // One that answers in between is waited for ten minutes in all.
        let (mut host, mut now) = (HostPace::new(pace()), SECOND);
        while host.refuses(now, many, Some(59 * SECOND)) {
            now += 60 * SECOND;
            host.answered(now, None);
        }
        assert_eq!(now, 601 * SECOND);
        // The longest times.
        let max_wait = Duration::MAX;
        let mut host = HostPace::new(Pace { max_wait, ..pace() });
        assert!(host.refuses(SECOND, many, Some(Duration::from_secs(u64::MAX))));
        host.answered(SECOND, Some(Duration::MAX));
        assert_eq!(host.permission(SECOND), Permission::At(Duration::MAX));
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
