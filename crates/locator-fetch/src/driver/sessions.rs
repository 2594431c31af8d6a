//! The connections of FTP and NNTP that a fetcher has: those that wait to be used again, how many there are to
//! each host, and who waits for one. A connection is used again only for an equal session (the same
//! server, user, password and security), and under the same policy and settings of TLS (CVE-2026-8286: a key
//! without these).
//!
//! A [`ConnectionAccess`] is the way of a plan to such a connection: it waits for its turn, begins with a connection that waits
//! or a new one, and decides what follows if it is closed or refused.

use std::collections::{HashMap, VecDeque};
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use locator::plan::{Meaning, Plan, Step};
use locator_audit::Policy;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::connections::{Connections, KeptConnection};
use crate::error::failure::{ConnectCause, Failure, FailureKind};
use crate::net::dialer::{ConnectTo, Family, Resolver};
use crate::net::tls::Tls;
use crate::run::{Outcome, Run, Session};
use crate::settings::prompter::Prompter;
use crate::settings::{Reuse, Settings};

/// The connections that wait to be used again, and how long they do.
const IDLE: usize = 64;
const IDLE_TIME: Duration = Duration::from_secs(30);

/// How many sessions of a host are remembered.
const KNOWN: usize = 16;

/// How long a host may refuse all connections before that is an error.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server, by its name and port.
type Server = (String, u16);

/// What a connection was made for.
#[derive(Clone)]
pub(super) struct SessionKey {
    server: Server,
    session: Arc<[Step]>,
    family: Family,
    connect_to: Arc<ConnectTo>,
    policy: Arc<Policy>,
    resolver: Arc<dyn Resolver>,
    tls: Arc<Tls>,
    /// What has supplied the password.
    prompter: Option<Arc<dyn Prompter>>,
}

impl SessionKey {
    /// Returns the key of a plan that begins with a connection.
    pub(super) fn new(plan: &Plan, settings: &Settings) -> Option<Self> {
        let Some(Step::Connect(to)) = plan.session.first() else { return None };
        Some(Self {
            server: (to.host.to_ascii_lowercase(), to.port),
            session: plan.session.as_slice().into(),
            family: settings.family,
            connect_to: settings.connect_to.clone(),
            policy: settings.policy.clone(),
            resolver: settings.resolver.clone(),
            tls: settings.tls.clone(),
            prompter: settings.prompter.clone(),
        })
    }
}

impl PartialEq for SessionKey {
    fn eq(&self, other: &Self) -> bool {
        let has_same_prompter = match (&self.prompter, &other.prompter) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        self.server == other.server
            && self.session == other.session
            && self.family == other.family
            && self.connect_to == other.connect_to
            && has_same_prompter
            && Arc::ptr_eq(&self.policy, &other.policy)
            && Arc::ptr_eq(&self.resolver, &other.resolver)
            && Arc::ptr_eq(&self.tls, &other.tls)
    }
}

/// A connection that waits to be used again.
pub(super) struct IdleSession {
    key: SessionKey,
    since: Instant,
    kept: Option<(Session, KeptConnection)>,
}

/// The connections of a fetcher. They are closed with it.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<State>);

#[derive(Default)]
struct State {
    hosts: HashMap<Server, Host>,
    /// The connection that has waited longest is the first.
    idle: VecDeque<IdleSession>,
    tickets: u64,
    granted: HashMap<u64, Grant>,
}

/// What is known of a host.
struct Host {
    /// How many connections it allows.
    limit: usize,
    /// How many there are, with those that wait or are being made.
    open: usize,
    /// The sessions whose login it has accepted, and those that are logging in for the first time.
    known: Vec<SessionKey>,
    logging_in: Vec<SessionKey>,
    /// Since when it has refused all connections.
    refused_since: Option<Instant>,
    waiting: VecDeque<Waiter>,
}

struct Waiter {
    ticket: u64,
    key: SessionKey,
    most: usize,
    waker: Waker,
}

/// The right to a connection: one that waits, or a new one.
enum Grant {
    Kept(Box<IdleSession>),
    New,
}

impl Default for Host {
    fn default() -> Self {
        let (known, logging_in, waiting) = (Vec::new(), Vec::new(), VecDeque::new());
        Self { limit: usize::MAX, open: 0, known, logging_in, refused_since: None, waiting }
    }
}

impl State {
    /// Grants a connection, if there may be one; adds those that must be closed for it to `closed`.
    fn grant(
        &mut self,
        key: &SessionKey,
        most: usize,
        is_best: impl Fn(&Session) -> bool,
        closed: &mut Vec<IdleSession>,
    ) -> Option<Grant> {
        let is_ours = |idle: &IdleSession| idle.key == *key;
        let is_best = |idle: &IdleSession| idle.kept.as_ref().is_some_and(|(session, _)| is_best(session));
        let best = self.idle.iter().rposition(|idle| is_ours(idle) && is_best(idle));
        if let Some(found) = best.or_else(|| self.idle.iter().rposition(is_ours)) {
            return self.idle.remove(found).map(|idle| Grant::Kept(idle.into()));
        }
        let host = self.hosts.entry(key.server.clone()).or_default();
        // The others wait until it is clear that the server accepts the login.
        if host.logging_in.contains(key) {
            return None;
        }
        if host.open >= host.limit.min(most).max(1) {
            let other = self.idle.iter().position(|idle| idle.key.server == key.server)?;
            closed.extend(self.idle.remove(other));
        } else {
            host.open += 1;
        }
        if !host.known.contains(key) {
            host.logging_in.push(key.clone());
        }
        Some(Grant::New)
    }

    /// Grants connections to those that wait, in their order.
    fn dispatch(&mut self, server: &Server, closed: &mut Vec<IdleSession>) {
        let mut next = 0;
        loop {
            let Some(host) = self.hosts.get(server) else { return };
            let Some(waiter) = host.waiting.get(next) else { return };
            let has_room = host.open < host.limit.min(waiter.most).max(1);
            if !has_room && !self.idle.iter().any(|idle| idle.key.server == *server) {
                return;
            }
            let (ticket, key, most) = (waiter.ticket, waiter.key.clone(), waiter.most);
            let Some(grant) = self.grant(&key, most, |_| false, closed) else {
                next += 1;
                continue;
            };
            self.granted.insert(ticket, grant);
            if let Some(waiter) = self.hosts.get_mut(server).and_then(|host| host.waiting.remove(next)) {
                waiter.waker.wake();
            }
        }
    }

    /// Notes that a connection is no more.
    fn release(&mut self, key: &SessionKey, closed: &mut Vec<IdleSession>) {
        let Some(host) = self.hosts.get_mut(&key.server) else { return };
        host.open = host.open.saturating_sub(1);
        host.logging_in.retain(|one| one != key);
        if host.open == 0 && host.waiting.is_empty() && host.refused_since.is_none() {
            self.hosts.remove(&key.server);
        } else {
            self.dispatch(&key.server, closed);
        }
    }

    /// Closes the connections to a server that wait; returns whether there were any.
    fn close_idle(&mut self, server: &Server, closed: &mut Vec<IdleSession>) -> bool {
        let (of_server, others): (VecDeque<_>, _) =
            self.idle.drain(..).partition(|idle| idle.key.server == *server);
        self.idle = others;
        let has_closed = !of_server.is_empty();
        for idle in of_server {
            let key = idle.key.clone();
            closed.push(idle);
            self.release(&key, closed);
        }
        has_closed
    }

    /// Closes what has waited so long, and the oldest of too many.
    fn expire(&mut self, time: Duration, closed: &mut Vec<IdleSession>) {
        let now = Instant::now();
        while let Some(idle) = self.idle.front() {
            let is_old = now.saturating_duration_since(idle.since) >= time;
            if !is_old && self.idle.len() <= IDLE {
                return;
            }
            let Some(idle) = self.idle.pop_front() else { return };
            let key = idle.key.clone();
            closed.push(idle);
            self.release(&key, closed);
        }
    }
}

impl Sessions {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state; connections are closed when nobody waits for it.
    fn change<T>(&self, change: impl FnOnce(&mut State, &mut Vec<IdleSession>) -> T) -> T {
        let mut closed = Vec::new();
        let changed = change(&mut self.lock(), &mut closed);
        drop(closed);
        changed
    }

    /// Closes the connections that have waited at least so long; returns whether others wait.
    pub(crate) fn close_idle(&self, time: Duration) -> bool {
        self.change(|state, closed| {
            state.expire(time, closed);
            !state.idle.is_empty()
        })
    }

    /// Waits for a connection of this key; a host has at most so many.
    pub(super) fn enter(self: &Arc<Self>, key: SessionKey, most: usize) -> ConnectionWait {
        ConnectionWait { sessions: self.clone(), key, most, ticket: None }
    }
}

/// Waits for a connection.
pub(super) struct ConnectionWait {
    sessions: Arc<Sessions>,
    key: SessionKey,
    most: usize,
    ticket: Option<u64>,
}

impl ConnectionWait {
    /// Returns the place of a connection, and the connection if it is one that was used before: if there are
    /// several, one for which `is_best` holds.
    pub(super) fn poll(
        &mut self,
        context: &mut Context<'_>,
        is_best: impl Fn(&Session) -> bool,
    ) -> Poll<(ConnectionSlot, Option<Box<IdleSession>>)> {
        let Self { sessions, key, most, ticket } = self;
        let grant = sessions.change(|state, closed| {
            if let Some(own) = *ticket {
                let grant = state.granted.remove(&own);
                let waiting = state.hosts.get_mut(&key.server).into_iter().flat_map(|host| &mut host.waiting);
                if let Some(waiter) = waiting.into_iter().find(|waiter| waiter.ticket == own) {
                    waiter.waker.clone_from(context.waker());
                }
                return grant;
            }
            state.expire(IDLE_TIME, closed);
            let grant = state.grant(key, *most, is_best, closed);
            if grant.is_none() {
                state.tickets += 1;
                let waker = context.waker().clone();
                let waiter = Waiter { ticket: state.tickets, key: key.clone(), most: *most, waker };
                *ticket = Some(state.tickets);
                state.hosts.entry(key.server.clone()).or_default().waiting.push_back(waiter);
            }
            grant
        });
        let Some(grant) = grant else { return Poll::Pending };
        *ticket = None;
        let place = ConnectionSlot { sessions: sessions.clone(), key: key.clone(), is_left: false };
        Poll::Ready(match grant {
            Grant::Kept(idle) => (place, Some(idle)),
            Grant::New => (place, None),
        })
    }
}

impl Drop for ConnectionWait {
    fn drop(&mut self) {
        let Some(ticket) = self.ticket else { return };
        self.sessions.change(|state, closed| {
            match state.granted.remove(&ticket) {
                Some(Grant::Kept(idle)) => {
                    state.idle.push_back(*idle);
                    state.dispatch(&self.key.server, closed);
                }
                Some(Grant::New) => state.release(&self.key, closed),
                None => {
                    if let Some(host) = state.hosts.get_mut(&self.key.server) {
                        host.waiting.retain(|waiter| waiter.ticket != ticket);
                    }
                }
            };
        });
    }
}

/// The place of a connection among those of its host. Dropping it closes the place.
pub(super) struct ConnectionSlot {
    sessions: Arc<Sessions>,
    key: SessionKey,
    is_left: bool,
}

/// How a server refuses a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConnectionRefusal {
    /// It says that it is busy.
    Busy,
    /// It refuses the login.
    Login,
    /// There is no connection, or no more.
    Connection,
}

/// What follows a refusal.
pub(super) enum AfterRefusal {
    /// Other connections are open: wait for one of them.
    Wait,
    /// There is no other one: try again later.
    Pause,
    /// It is an error.
    Fail,
}

impl ConnectionSlot {
    /// Returns whether the server has accepted this login before.
    pub(super) fn is_known(&self) -> bool {
        let state = self.sessions.lock();
        state.hosts.get(&self.key.server).is_some_and(|host| host.known.contains(&self.key))
    }

    /// Notes that the server has accepted the login.
    fn logged_in(&self) {
        self.sessions.change(|state, closed| {
            let Some(host) = state.hosts.get_mut(&self.key.server) else { return };
            host.refused_since = None;
            host.logging_in.retain(|one| *one != self.key);
            if !host.known.contains(&self.key) {
                if host.known.len() >= KNOWN {
                    host.known.remove(0);
                }
                host.known.push(self.key.clone());
                state.dispatch(&self.key.server, closed);
            }
        });
    }

    /// Notes that the server refused the connection, as servers do that have too many; `is_patient` says
    /// that also the first connection to a host is tried again.
    pub(super) fn refused(&self, refusal: ConnectionRefusal, is_patient: bool) -> AfterRefusal {
        self.sessions.change(|state, closed| {
            let Some(host) = state.hosts.get_mut(&self.key.server) else { return AfterRefusal::Fail };
            let (others, is_known) = (host.open.saturating_sub(1), host.known.contains(&self.key));
            // A server that was there, and has accepted the login, has too many connections.
            if !is_known && refusal != ConnectionRefusal::Busy {
                // Those of other users may be the ones that are too many.
                return if state.close_idle(&self.key.server, closed) {
                    AfterRefusal::Pause
                } else {
                    AfterRefusal::Fail
                };
            }
            // Once it has accepted any login, the connections may be those that it has not yet noticed to be
            // closed.
            if host.known.is_empty() && others == 0 && !is_patient {
                return AfterRefusal::Fail;
            }
            if others > 0 {
                host.limit = host.limit.min(others);
                return AfterRefusal::Wait;
            }
            host.limit = 1;
            let now = Instant::now();
            let since = *host.refused_since.get_or_insert(now);
            if now.saturating_duration_since(since) < PATIENCE {
                AfterRefusal::Pause
            } else {
                AfterRefusal::Fail
            }
        })
    }

    /// Keeps the connection for another URL.
    pub(super) fn keep(mut self, session: Session, connection: KeptConnection) {
        self.is_left = true;
        let idle =
            IdleSession { key: self.key.clone(), since: Instant::now(), kept: Some((session, connection)) };
        self.sessions.change(|state, closed| {
            state.idle.push_back(idle);
            state.dispatch(&self.key.server, closed);
            state.expire(IDLE_TIME, closed);
        });
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        if !self.is_left {
            self.sessions.change(|state, closed| state.release(&self.key, closed));
        }
    }
}

impl IdleSession {
    /// Takes the connection.
    pub(super) fn take(&mut self) -> Option<(Session, KeptConnection)> {
        self.kept.take()
    }
}

impl Drop for IdleSession {
    fn drop(&mut self) {
        if let Some((session, mut connection)) = self.kept.take()
            && let Some(message) = session.farewell()
        {
            connection.close_with(&message);
        }
    }
}

/// The first and the longest time before a server that refuses all connections is asked again.
const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(2);

/// How long a fetcher that does not expect to use connections again waits for its own others.
const OWN_PATIENCE: Duration = Duration::from_secs(60);

/// How many connections that turn out to be closed are replaced by new ones.
const REPLACED: u8 = 3;

/// The way of a plan to its connection.
pub(super) struct ConnectionAccess {
    sessions: Arc<Sessions>,
    key: SessionKey,
    plan: Plan,
    reuse: Reuse,
    most: usize,
    waiting: Option<ConnectionWait>,
    place: Option<ConnectionSlot>,
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

impl ConnectionAccess {
    /// Returns the way of a plan, if its connection can be used again.
    pub(super) fn new(sessions: &Arc<Sessions>, plan: &Plan, settings: &Settings) -> Option<Self> {
        let is_wanted = settings.reuse != Reuse::Never && crate::run::may_be_resumed(plan);
        Some(Self {
            sessions: sessions.clone(),
            key: SessionKey::new(plan, settings).filter(|_| is_wanted)?,
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
            until_deadline(last, sleep_until(until)).await.ok_or_else(|| self.too_late(settings))?;
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
    ) -> Result<Option<Box<IdleSession>>, Failure> {
        let Self { sessions, key, plan, most, waiting, refusal, reuse, .. } = self;
        let waiting = waiting.get_or_insert_with(|| sessions.enter(key.clone(), *most));
        let own =
            refusal.as_ref().filter(|_| *reuse != Reuse::Expected).map(|(_, since)| *since + OWN_PATIENCE);
        let until = own.into_iter().chain(last).min();
        let turn = poll_fn(|context| waiting.poll(context, |session| session.is_in_directory_of(plan)));
        let entered = until_deadline(until, turn).await;
        let (place, kept) = entered.ok_or_else(|| self.too_late(settings))?;
        (self.waiting, self.place) = (None, Some(place));
        Ok(kept)
    }

    /// Begins on a connection that was used before, if it leads on.
    fn resumed(
        &self,
        mut kept: IdleSession,
        connections: &mut Connections,
        settings: &Settings,
    ) -> Option<Run> {
        let Some(Step::Connect(to)) = self.plan.session.first() else { return None };
        let (session, connection) = kept.take()?;
        let run = Run::resume(session, self.plan.clone(), settings.limits)?;
        connections.adopt(to, connection).then_some(run)
    }

    /// Begins with a new connection. A server is asked for its directory if that is expected to be of use.
    fn connected(&mut self, settings: &Settings) -> Run {
        self.is_logged_in = false;
        let run = Run::new(self.plan.clone(), settings.limits);
        let is_known = self.place.as_ref().is_some_and(ConnectionSlot::is_known);
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
            FailureKind::Said(Meaning::Busy) => ConnectionRefusal::Busy,
            // ProFTPD has "530" for the wrong password and for too many connections.
            FailureKind::Said(Meaning::WrongLogin | Meaning::Refused) => ConnectionRefusal::Login,
            FailureKind::NotConnected(why) if why.cause == ConnectCause::Refused => {
                ConnectionRefusal::Connection
            }
            FailureKind::Reset | FailureKind::CutOff => ConnectionRefusal::Connection,
            _ => return false,
        };
        match place.refused(refusal, self.reuse == Reuse::Expected) {
            AfterRefusal::Wait => self.place = None,
            // No server is to see many logins with a password that it does not accept any more.
            AfterRefusal::Pause if refusal == ConnectionRefusal::Login && self.next_pause >= SHORTEST * 8 => {
                return false;
            }
            AfterRefusal::Pause => {
                self.pause = Some(Instant::now() + self.next_pause);
                self.next_pause = (self.next_pause * 2).min(LONGEST);
            }
            AfterRefusal::Fail => return false,
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
async fn until_deadline<T>(last: Option<Instant>, future: impl Future<Output = T>) -> Option<T> {
    match last {
        Some(last) => timeout_at(last, future).await.ok(),
        None => Some(future.await),
    }
}
