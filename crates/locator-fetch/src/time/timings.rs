//! How long the steps of a fetch take: connecting, securing, waiting for the first byte.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How long the steps of a fetch took. Each time counts from the start of the request that was sent last;
/// if redirects are followed, the times of all requests are added, as curl does. A step that did not happen
/// takes no time: there is no TLS for http, and a connection that is used again is not made.
///
/// ```
/// let response =
///     locator_fetch::blocking::Fetcher::for_user_input().fetch("data:,hello")?;
/// let times = response.timings();
/// assert_eq!((times.connect, times.connections), (std::time::Duration::ZERO, 0));
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
#[doc(alias("CURLINFO_STARTTRANSFER_TIME", "time_starttransfer", "elapsed", "TTFB"))]
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Until the name of the server was looked up: curl's `time_namelookup`.
    pub name_lookup: Duration,
    /// Until the server, or the proxy, was connected: curl's `time_connect`.
    pub connect: Duration,
    /// Until the connection was secured by TLS: curl's `time_appconnect`.
    pub app_connect: Duration,
    /// Until the request, or the command for the transfer, was about to be sent: curl's
    /// `time_pretransfer`.
    pub pre_transfer: Duration,
    /// Until the first bytes of the response came: curl's `time_starttransfer`.
    pub start_transfer: Duration,
    /// Until the last request began, if redirects were followed: curl's `time_redirect`.
    pub redirect: Duration,
    /// How many connections were made: curl's `num_connects`.
    pub connections: u32,
}

/// A step that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimingStep {
    NameLookup,
    Connect,
    AppConnect,
    PreTransfer,
    StartTransfer,
}

/// Notes when the steps of a fetch end.
#[derive(Debug)]
pub(crate) struct Stopwatch(Mutex<State>);

#[derive(Debug)]
struct State {
    start: Instant,
    /// When the present request began, and the times of those before it.
    request: Instant,
    before: Timings,
    now: Timings,
}

impl Default for Stopwatch {
    fn default() -> Self {
        let start = Instant::now();
        let (before, now) = (Timings::default(), Timings::default());
        Self(Mutex::new(State { start, request: start, before, now }))
    }
}

impl Stopwatch {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a step has ended.
    pub(crate) fn mark(&self, step: TimingStep) {
        let mut state = self.lock();
        let took = state.request.elapsed();
        let State { before, now, .. } = &mut *state;
        let (before, now) = match step {
            TimingStep::NameLookup => (before.name_lookup, &mut now.name_lookup),
            TimingStep::Connect => {
                now.connections += 1;
                (before.connect, &mut now.connect)
            }
            TimingStep::AppConnect => (before.app_connect, &mut now.app_connect),
            TimingStep::PreTransfer => (before.pre_transfer, &mut now.pre_transfer),
            TimingStep::StartTransfer => (before.start_transfer, &mut now.start_transfer),
        };
        *now = before + took;
    }

    /// Notes that the next request begins: that of a redirect.
    pub(crate) fn redirected(&self) {
        let mut state = self.lock();
        state.request = Instant::now();
        state.now.redirect = state.start.elapsed();
        state.before = state.now;
    }

    /// Returns the times until now.
    pub(crate) fn timings(&self) -> Timings {
        self.lock().now
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_times_of_all_requests_are_added() {
        let (watch, ms) = (Stopwatch::default(), Duration::from_millis);
        advance(ms(3)).await;
        watch.mark(TimingStep::NameLookup);
        advance(ms(4)).await;
        watch.mark(TimingStep::Connect);
        watch.mark(TimingStep::PreTransfer);
        advance(ms(10)).await;
        // A login is asked for: the request is sent again.
        watch.mark(TimingStep::PreTransfer);
        advance(ms(5)).await;
        watch.mark(TimingStep::StartTransfer);
        advance(ms(1)).await;
        watch.redirected();
        let times = watch.timings();
        assert_eq!((times.name_lookup, times.connect, times.app_connect), (ms(3), ms(7), Duration::ZERO));
        assert_eq!((times.pre_transfer, times.start_transfer, times.redirect), (ms(17), ms(22), ms(23)));
        // The connection is used again.
        watch.mark(TimingStep::PreTransfer);
        advance(ms(8)).await;
        watch.mark(TimingStep::StartTransfer);
        let times = watch.timings();
        assert_eq!((times.connect, times.pre_transfer, times.start_transfer), (ms(7), ms(17), ms(30)));
        assert_eq!((times.redirect, times.connections), (ms(23), 1));
    }
}
