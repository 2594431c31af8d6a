//! The way of a plan to a connection that is used again: waits for its turn, begins with a connection that
//! waits or a new one, and decides what follows if it is closed or refused.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use locator::plan::{Meaning, Plan, Step};
use tokio::time::{Instant, sleep_until, timeout_at};

use super::connections::Connections;
use super::sessions::{Idle, Key, Place, Refusal, Refused, Sessions, Waiting};
use crate::error::failure::{ConnectCause, Failure, FailureKind};
use crate::run::{Outcome, Run};
use crate::settings::{Reuse, Settings};

/// The first and the longest time before a server that refuses all connections is asked again.
const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(2);

/// How long a fetcher that does not expect to use connections again waits for its own others.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many connections that turn out to be closed are replaced by new ones.
const REPLACED: u8 = 3;

/// The way of a plan to its connection.
pub(super) struct Lane {
    sessions: Arc<Sessions>,
    key: Key,
    plan: Plan,
    reuse: Reuse,
    most: usize,
    waiting: Option<Waiting>,
    place: Option<Place>,
    /// Whether the run has begun with the connection.
    is_begun: bool,
    /// Whether the login was reported.
    is_logged_in: bool,
    /// When a refused connection is tried again.
    pause: Option<Instant>,
    next_pause: Duration,
    /// The first refusal, and when it was.
    refusal: Option<(Failure, Instant)>,
    replaced: u8,
}

impl Lane {
    /// Returns the way of a plan, if its connection can be used again.
    pub(super) fn new(sessions: &Arc<Sessions>, plan: &Plan, settings: &Settings) -> Option<Self> {
        let is_wanted = settings.reuse != Reuse::Never && crate::run::may_be_resumed(plan);
        Some(Self {
            sessions: sessions.clone(),
            key: Key::new(plan, settings).filter(|_| is_wanted)?,
            plan: plan.clone(),
            reuse: settings.reuse,
            most: settings.max_per_host,
            waiting: None,
            place: None,
            is_begun: false,
            is_logged_in: false,
            pause: None,
            next_pause: SHORTEST,
            refusal: None,
            replaced: 0,
        })
    }

    pub(super) const fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Waits for the turn of the plan, at most until `last`, and returns the run on its connection. If the
    /// future is dropped, another call goes on from there.
    pub(super) async fn begin(
        &mut self,
        connections: &mut Connections,
        settings: &Settings,
        last: Option<Instant>,
    ) -> Result<Run, Failure> {
        if let Some(until) = self.pause {
            limited(last, sleep_until(until)).await.ok_or_else(|| self.too_late(settings))?;
            self.pause = None;
        }
        if self.place.is_none() {
            let kept = self.enter(settings, last).await?;
            if let Some(run) = kept.and_then(|kept| self.resumed(*kept, connections, settings)) {
                (self.is_begun, self.is_logged_in) = (true, true);
                return Ok(run);
            }
        }
        self.is_begun = true;
        Ok(self.connected(settings))
    }

    /// Waits for a place.
    async fn enter(
        &mut self,
        settings: &Settings,
        last: Option<Instant>,
    ) -> Result<Option<Box<Idle>>, Failure> {
        let Self { sessions, key, plan, most, waiting, refusal, reuse, .. } = self;
        let waiting = waiting.get_or_insert_with(|| sessions.enter(key.clone(), *most));
        let own = refusal.as_ref().filter(|_| *reuse != Reuse::Expected).map(|(_, since)| *since + PATIENCE);
        let until = own.into_iter().chain(last).min();
        let turn = poll_fn(|context| waiting.poll(context, |session| session.is_in_directory_of(plan)));
        let entered = limited(until, turn).await;
        let (place, kept) = entered.ok_or_else(|| self.too_late(settings))?;
        (self.waiting, self.place) = (None, Some(place));
        Ok(kept)
    }

    /// Begins on a connection that was used before, if it leads on.
    fn resumed(&self, mut kept: Idle, connections: &mut Connections, settings: &Settings) -> Option<Run> {
        let Some(Step::Connect(to)) = self.plan.session.first() else { return None };
        let (session, connection) = kept.take()?;
        let run = Run::resume(session, self.plan.clone(), settings.limits)?;
        connections.adopt(to, connection).then_some(run)
    }

    /// Begins with a new connection. A server is asked for its directory if that is expected to be of use.
    fn connected(&mut self, settings: &Settings) -> Run {
        self.is_logged_in = false;
        let run = Run::new(self.plan.clone(), settings.limits);
        let is_known = self.place.as_ref().is_some_and(Place::is_known);
        if is_known || self.reuse == Reuse::Expected { run.keep_session() } else { run }
    }

    /// Notes how far the run is.
    pub(super) fn note(&mut self, run: &Run) {
        if !self.is_logged_in
            && run.is_logged_in()
            && let Some(place) = &self.place
        {
            self.is_logged_in = true;
            place.logged_in();
        }
    }

    /// Takes the end of a run: keeps its connection, and returns whether the plan has ended, too.
    pub(super) fn end(&mut self, outcome: &Outcome, run: &mut Run, connections: &mut Connections) -> bool {
        if let Some(session) = run.take_session()
            && let Some(connection) = connections.release()
            && let Some(place) = self.place.take()
        {
            place.keep(session, connection);
        }
        if let Outcome::Failed(failure) = outcome
            && (self.replaces(run) || !run.is_logged_in() && self.tries_again(failure))
        {
            self.is_begun = false;
            return false;
        }
        self.place = None;
        true
    }

    /// Returns whether a connection that was used before is replaced by a new one.
    fn replaces(&mut self, run: &Run) -> bool {
        let is_replaced = run.needs_login() && self.replaced < REPLACED;
        self.replaced += u8::from(is_replaced);
        is_replaced
    }

    /// Returns whether the server has too many connections, and is asked again later.
    fn tries_again(&mut self, failure: &Failure) -> bool {
        let Some(place) = &self.place else { return false };
        let refusal = match &failure.kind {
            FailureKind::Said(Meaning::Busy) => Refusal::Busy,
            // ProFTPD has "530" for the wrong password and for too many connections.
            FailureKind::Said(Meaning::WrongLogin | Meaning::Refused) => Refusal::Login,
            FailureKind::NotConnected(why) if why.cause == ConnectCause::Refused => Refusal::Connection,
            FailureKind::Reset | FailureKind::CutOff => Refusal::Connection,
            _ => return false,
        };
        match place.refused(refusal, self.reuse == Reuse::Expected) {
            Refused::Wait => self.place = None,
            // No server is to see many logins with a password that it does not accept any more.
            Refused::Pause if refusal == Refusal::Login && self.next_pause >= SHORTEST * 8 => return false,
            Refused::Pause => {
                self.pause = Some(Instant::now() + self.next_pause);
                self.next_pause = (self.next_pause * 2).min(LONGEST);
            }
            Refused::Fail => return false,
        }
        self.refusal.get_or_insert_with(|| (failure.clone(), Instant::now()));
        true
    }

    /// Returns the failure of a plan whose turn did not come in time: what the server said, if it said
    /// anything.
    fn too_late(&self, settings: &Settings) -> Failure {
        match &self.refusal {
            Some((failure, _)) => failure.clone(),
            None => {
                let kind = FailureKind::TookTooLong(settings.limits.whole.unwrap_or_default());
                Failure::new(kind, "waiting for another transfer from this host")
            }
        }
    }
}

/// Waits at most until a time.
async fn limited<T>(last: Option<Instant>, future: impl Future<Output = T>) -> Option<T> {
    match last {
        Some(last) => timeout_at(last, future).await.ok(),
        None => Some(future.await),
    }
}
