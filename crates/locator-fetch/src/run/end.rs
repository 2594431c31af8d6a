//! How a run ends: what an end of a connection means in each state, and failures with what was being done.

use locator::plan::Meaning;

use super::event::{Channel, Ending, Outcome};
use super::state::{Run, State};
use crate::error::failure::{Failure, FailureKind, Reply};

impl Run {
    pub(super) fn ended(&mut self, ending: Ending) {
        match self.state {
            State::Dialling(_) => {}
            State::Securing(_) => self.fail(cut_off(ending)),
            State::Sending(..) => self.not_sent(cut_off(ending)),
            _ => self.control.ending = Some(ending),
        }
    }

    pub(super) fn injected(&mut self) {
        self.fail_with(FailureKind::Injected, "setting up TLS".into(), None);
    }

    pub(super) fn broke(&mut self, channel: Channel, kind: FailureKind) {
        match (channel, &self.state) {
            (Channel::Data, State::DiallingData(..)) => self.data_not_dialled(kind),
            (Channel::Data, State::SecuringData(_) | State::Transferring(_)) => self.data_failed(kind),
            (Channel::Data, State::ClosingData(..)) => self.closed(),
            (Channel::Data, State::AwaitingReply(_) | State::AwaitingReason(_)) => {}
            (Channel::Control, State::Sending(..)) => self.not_sent(kind),
            (Channel::Control, State::AwaitingReason(_)) => self.no_reply(kind),
            (Channel::Control, state) if !state.needs_control() => self.control.ending = Some(Ending::Reset),
            _ => self.fail(kind),
        }
    }

    /// Returns what is being done, for people.
    pub(super) fn during(&self) -> String {
        match &self.state {
            State::Dialling(to) => format!("connecting to {} port {}", to.host, to.port),
            State::Securing(host) => format!("setting up TLS with {host}"),
            State::Filling(one, _) | State::Sending(one, ..) => one.sending(),
            #[cfg(feature = "prospero")]
            State::Numbering(one, _) => one.sending(),
            State::AwaitingReply(one) => one.reading(),
            #[cfg(feature = "prospero")]
            State::Calling(one) => one.reading(),
            #[cfg(feature = "prospero")]
            State::Choosing(_) => "choosing an access method".into(),
            State::Receiving(_) => format!("reading {}", self.object_name()),
            #[cfg(feature = "wais")]
            State::AwaitingAnswer | State::AwaitingSlice(_) => format!("reading {}", self.object_name()),
            State::DiallingData(_, port) => format!("opening a data connection to port {port}"),
            State::SecuringData(_) => "setting up TLS on the data connection".into(),
            State::Transferring(one) if one.is_upload() && one.end.is_none() => {
                format!("sending {}", self.object_name())
            }
            State::Transferring(one) if one.end.is_none() => format!("reading {}", self.object_name()),
            State::Transferring(_) => format!("waiting for the reply after {}", self.object_name()),
            State::AwaitingReason(failure) => failure.during.to_string(),
            State::NextStep | State::ClosingData(..) | State::Done(_) => String::new(),
        }
    }

    /// Returns the object for people: `a menu`.
    pub(super) fn object_name(&self) -> &str {
        self.object.as_ref().map_or("the response", |object| object.name.trim_end_matches(','))
    }

    pub(super) fn too_much(&mut self, what: &'static str, limit: u64) {
        self.fail(FailureKind::TooMuch { what, limit });
    }

    pub(super) fn not_supported(&mut self, what: &'static str) {
        self.fail(FailureKind::NotSupported(what));
    }

    pub(super) fn fail(&mut self, kind: FailureKind) {
        self.fail_with(kind, self.during(), None);
    }

    /// The server said no.
    pub(super) fn said(&mut self, means: Meaning, reply: Reply) {
        self.fail_with(FailureKind::Said(means), self.during(), Some(reply));
    }

    pub(super) fn fail_with(&mut self, kind: FailureKind, during: String, reply: Option<Reply>) {
        let failure = Failure { reply, ..Failure::new(kind, during) };
        let is_refused = matches!(failure.kind, FailureKind::Said(_))
            && failure.reply.as_ref().and_then(|reply| reply.code).is_some_and(|code| code / 100 == 5);
        let failure = match self.attempted.take() {
            Some(first) if is_refused => first.before(&failure),
            _ => failure,
        };
        self.finish(Outcome::Failed(failure));
    }

    pub(super) fn finish(&mut self, outcome: Outcome) {
        self.steps.clear();
        self.state = State::Done(outcome);
    }
}

/// Returns the failure of a connection that was ended too early.
pub(super) const fn cut_off(ending: Ending) -> FailureKind {
    match ending {
        Ending::Reset => FailureKind::Reset,
        Ending::Fin | Ending::Notified => FailureKind::CutOff,
    }
}
