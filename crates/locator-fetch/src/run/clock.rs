//! The clock of a run: when it fails unless something happens.

use super::event::Event;
use super::state::{Run, State};
use crate::error::failure::FailureKind;
#[cfg(feature = "prospero")]
use crate::protocols::ardp;

/// How long a reply is waited for that only explains a failure.
const REASON: u64 = 2_000;

impl Run {
    pub(super) fn check_time(&mut self, now: u64) {
        #[cfg(feature = "prospero")]
        self.call(ardp::CallEvent::Time, now);
        if self.last.is_some_and(|last| now >= last) {
            return self.fail(FailureKind::TookTooLong(self.limits.whole.unwrap_or_default()));
        }
        if self.deadline.is_none_or(|deadline| now < deadline) {
            return;
        }
        let kind = FailureKind::TimedOut(self.wait());
        match self.state {
            State::DiallingData(..) => self.data_not_dialled(kind),
            State::SecuringData(_) => self.data_failed(kind),
            State::AwaitingReason(_) => self.no_reply(kind),
            _ => self.fail(kind),
        }
    }

    /// Takes how many octets of the object came with an event; fails if they come too slowly.
    pub(super) fn check_speed(&mut self, octets: u64, now: u64) {
        let is_read = match self.state {
            State::Receiving(_) | State::Transferring(_) => true,
            #[cfg(feature = "wais")]
            State::AwaitingSlice(_) => true,
            _ => false,
        };
        let speed = self.speed.update(octets, is_read && self.body.is_empty(), now);
        if let Some(speed) = speed.filter(|_| is_read) {
            self.fail(FailureKind::TooSlow(speed));
        }
    }

    /// Returns how long the state may last without an event that was waited for.
    fn wait(&self) -> u64 {
        match self.state {
            State::Dialling(_) | State::Securing(_) | State::DiallingData(..) | State::SecuringData(_) => {
                self.limits.connect
            }
            State::AwaitingReason(_) => self.limits.idle.min(REASON),
            #[cfg(feature = "prospero")]
            State::Calling(ref one) => self.limits.idle.saturating_add(one.pause()),
            _ => self.limits.idle,
        }
    }

    /// Begins the clock of a run that begins later than the driver's clock.
    pub(crate) fn wait_from(&mut self, now: u64) {
        self.handle(Event::Time, 0);
        self.deadline = None;
        self.set_deadline(now);
    }

    pub(super) fn set_deadline(&mut self, now: u64) {
        match self.state {
            State::Done(_) => (self.deadline, self.last) = (None, None),
            // A user may think, and the reader of the object may be slow.
            State::Filling(..) => self.deadline = None,
            _ if !self.body.is_empty() => self.deadline = None,
            _ if self.has_moved || self.deadline.is_none() => {
                self.deadline = Some(now.saturating_add(self.wait()));
            }
            _ => {}
        }
    }
}
