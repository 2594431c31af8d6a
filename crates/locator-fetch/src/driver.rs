//! The driver: the loop around a [`Run`] that has connections and a clock. It has no task of its own: it goes on only
//! while it is polled, and dropping it closes its connections. `connections` opens and secures them, `sessions` keeps
//! those of FTP and NNTP for the next URL, and `upload` reads the file that is sent. The example of
//! [`run`](crate::run) is a driver without a network.

mod connections;
mod sessions;
#[cfg(feature = "http")]
mod upload;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use locator::plan::{Object, Plan};
use tokio::time::{Instant, timeout_at};

use self::connections::Connections;
use self::sessions::ConnectionAccess;
pub(crate) use self::sessions::Sessions;
#[cfg(feature = "http")]
use self::upload::Upload;
use crate::error::failure::Failure;
#[cfg(feature = "http")]
use crate::http::RequestBody;
use crate::net::dialer::ConnectedServer;
use crate::run::resume::Proof;
use crate::run::{Event, Outcome, Run, Want};
use crate::settings::Settings;

/// A run with its connections.
pub(crate) struct Driver {
    run: Run,
    connections: Connections,
    /// The way to a connection that is used again, if it can be.
    lane: Option<ConnectionAccess>,
    /// When the clock of the run began.
    start: Instant,
    /// Whether octets were given and not yet taken.
    is_given: bool,
    /// Whether octets were given before.
    has_given: bool,
}

/// What a driver came to.
pub(crate) enum Progress {
    /// These octets of the object.
    Given(Bytes),
    /// The end.
    Done(Outcome),
}

impl Driver {
    /// Begins a run for a URL of this scheme, which a server may have named; it must be polled in a
    /// runtime.
    pub(crate) fn new(
        plan: Plan,
        scheme: &str,
        named_by: Option<Arc<ConnectedServer>>,
        settings: Settings,
        sessions: &Arc<Sessions>,
    ) -> Self {
        let lane = ConnectionAccess::new(sessions, &plan, &settings);
        let mut run = Run::new(plan, settings.limits);
        run.handle(Event::Time, 0);
        Self {
            run,
            connections: Connections::new(scheme, named_by, settings),
            lane,
            start: Instant::now(),
            is_given: false,
            has_given: false,
        }
    }

    /// Sets whether a server of this machine may name files of it.
    pub(crate) fn reads_files(mut self, reads_files: bool) -> Self {
        self.connections.reads_files = reads_files;
        self
    }

    /// Sets what is sent to the server if the plan is one of an upload.
    #[cfg(feature = "http")]
    pub(crate) fn uploads(mut self, body: Option<RequestBody>) -> Self {
        self.connections.upload = body.map(Upload::new);
        self
    }

    /// Returns whether a URL is that of a file of this machine, which was chosen.
    pub(crate) fn has_chosen_file(&self, url: &str) -> bool {
        self.connections.chosen_file.as_deref() == Some(url)
    }

    /// Returns the object that is read, or was read last.
    pub(crate) const fn object(&self) -> Option<&Object> {
        self.run.object()
    }

    /// Returns the number of octets of the object before those that are given.
    pub(crate) const fn from(&self) -> u64 {
        self.run.from()
    }

    /// Returns what the server has said of the object.
    pub(crate) const fn proof(&self) -> &Proof {
        self.run.proof()
    }

    /// Returns the peer of the control connection.
    pub(crate) const fn peer(&self) -> Option<&Arc<ConnectedServer>> {
        self.connections.peer.as_ref()
    }

    /// Goes on until there are octets of the object, or to the end. If the future is dropped, another
    /// call goes on from there.
    pub(crate) async fn next(&mut self) -> Progress {
        if std::mem::take(&mut self.is_given) {
            self.run.handle(Event::Taken(0), now(self.start));
        }
        loop {
            if let Err(failure) = self.begin().await {
                return Progress::Done(Outcome::Failed(failure));
            }
            let deadline = self.run.wake_at().map(|time| self.start + Duration::from_millis(time));
            self.connections.report(self.run.message());
            let event = match self.run.want() {
                Want::Give(_) => {
                    self.is_given = true;
                    if !std::mem::replace(&mut self.has_given, true) {
                        self.connections.starts_transfer();
                    }
                    return Progress::Given(self.run.take_given().into());
                }
                Want::Done(outcome) => {
                    let outcome = outcome.clone();
                    match self.end(outcome) {
                        Some(outcome) => return Progress::Done(outcome),
                        None => continue,
                    }
                }
                Want::Ask(prompt) => {
                    let (prompt, form) = (prompt.clone(), self.run.form().to_vec());
                    self.connections.ask(prompt, form).await
                }
                want => match deadline {
                    Some(at) => timeout_at(at, self.connections.act(want)).await.unwrap_or(Event::Time),
                    None => self.connections.act(want).await,
                },
            };
            self.run.handle(event, now(self.start));
            if let Some(lane) = &mut self.lane {
                lane.note(&self.run);
            }
        }
    }

    /// Waits for a connection that the run begins with, unless it has begun.
    async fn begin(&mut self) -> Result<(), Failure> {
        let Some(lane) = self.lane.as_mut().filter(|lane| !lane.is_begun()) else { return Ok(()) };
        let settings = self.connections.settings().clone();
        let last = settings.limits.whole.map(|limit| self.start + Duration::from_millis(limit));
        self.run = lane.begin(&mut self.connections, &settings, last).await?;
        self.run.wait_from(now(self.start));
        Ok(())
    }

    /// Ends a run; returns the outcome, unless the plan is carried out again.
    fn end(&mut self, outcome: Outcome) -> Option<Outcome> {
        let is_final = match &mut self.lane {
            Some(lane) => lane.end(&outcome, &mut self.run, &mut self.connections),
            None => true,
        };
        self.connections.close();
        is_final.then_some(outcome)
    }
}

fn now(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)
}
