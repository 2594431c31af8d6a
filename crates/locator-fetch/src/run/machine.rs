//! The machine: what is wanted in each state, what each event does, and when a run fails unless something
//! happens. Exchanges and objects are in `exchange`, documents of WAIS in `wais`, answers of Prospero in `prospero`,
//! ends and failures in `state`.

use std::collections::VecDeque;

#[cfg(not(all(feature = "prospero", feature = "wais")))]
use locator::plan::ReplyFraming;
use locator::plan::{Connection, Message, Object, ObjectKind, Plan, Step};

use super::event::{Channel, Event, Outcome, Want, Whole};
use super::framing::ControlConnection;
use super::limits::{Limits, Speed};
use super::resume::Proof;
use super::state::{Beginning, Purpose, Run, Sending, State};
use crate::error::failure::FailureKind;
#[cfg(feature = "prospero")]
use crate::protocols::ardp;
use crate::protocols::ftp::{Directory, PortAttempt};

impl Run {
    /// Begins to carry out a plan. The clock starts with the first event: a driver begins with
    /// [`Event::Time`].
    #[must_use]
    pub fn new(plan: Plan, limits: Limits) -> Self {
        let mut run = Self::with_limits(limits);
        (run.steps, run.work) = (plan.session.into(), Some(plan.work));
        run.go_on();
        run
    }

    /// Returns a run without steps.
    pub(super) fn with_limits(limits: Limits) -> Self {
        Self {
            steps: VecDeque::new(),
            work: None,
            beginning: Beginning::Connected,
            asks_directory: false,
            directory: Directory::default(),
            is_restarted: false,
            is_answered: false,
            state: State::NextStep,
            control: ControlConnection::default(),
            limits,
            body: Vec::new(),
            taken: 0,
            octets: 0,
            speed: Speed::new(limits.slowest),
            object: None,
            form: Vec::new(),
            whole: None,
            from: 0,
            proof: Proof::default(),
            is_directory: false,
            protects_data: false,
            host: String::new(),
            port: 0,
            #[cfg(feature = "prospero")]
            answer: Vec::new(),
            #[cfg(feature = "prospero")]
            attributes: Vec::new(),
            attempted: None,
            #[cfg(feature = "prospero")]
            list: Vec::new(),
            announcements: 0,
            deadline: None,
            last: None,
            has_moved: false,
        }
    }

    /// Returns what must happen next. What was read of the object is given before anything else
    /// happens.
    #[must_use]
    pub fn want(&self) -> Want<'_> {
        if self.taken < self.body.len() {
            return Want::Give(&self.body[self.taken..]);
        }
        match &self.state {
            State::NextStep => Want::Read { control: false, data: false },
            State::Dialling(to) => Want::Dial(to),
            State::Securing(host) => Want::Secure(Channel::Control, host),
            State::Filling(sending, filled) => sending.hole(filled.len()),
            State::Sending(_, octets, sent) => Want::Send(octets.get(*sent..).unwrap_or_default()),
            State::AwaitingReply(_) | State::Receiving(_) | State::AwaitingReason(_) => {
                Want::Read { control: true, data: false }
            }
            #[cfg(feature = "wais")]
            State::AwaitingAnswer | State::AwaitingSlice(_) => Want::Read { control: true, data: false },
            #[cfg(feature = "prospero")]
            State::Numbering(..) => Want::Random(2),
            #[cfg(feature = "prospero")]
            State::Calling(one) => one.want(),
            #[cfg(feature = "prospero")]
            State::Choosing(one) => Want::Choose(&one.ways),
            State::DiallingData(_, port) => Want::DialPeer(*port),
            State::SecuringData(_) => Want::Secure(Channel::Data, &self.host),
            State::Transferring(one) if one.is_upload() && one.end.is_none() => {
                let is_text = one.transfer.object.kind == ObjectKind::Text;
                Want::Upload { control: !one.is_sent, is_text }
            }
            State::Transferring(one) => Want::Read { control: !one.is_sent, data: one.end.is_none() },
            State::ClosingData(..) => Want::CloseData,
            State::Done(outcome) => Want::Done(outcome),
        }
    }

    /// Returns the object that is read, or was read last.
    #[must_use]
    pub const fn object(&self) -> Option<&Object> {
        self.object.as_ref()
    }

    /// Returns the number of octets of the object before those that are given.
    #[must_use]
    pub const fn from(&self) -> u64 {
        self.from
    }

    /// Returns what the server has said of the object.
    #[must_use]
    pub const fn proof(&self) -> &Proof {
        &self.proof
    }

    /// Returns the message that is sent.
    #[must_use]
    pub fn message(&self) -> Option<&Message> {
        match &self.state {
            State::Sending(sending, ..) => Some(&sending.exchange.send),
            #[cfg(feature = "prospero")]
            State::Numbering(sending, ..) => Some(&sending.exchange.send),
            _ => None,
        }
    }

    /// Takes the octets that [`Want::Give`] gives, without a copy. [`Event::Taken`] with 0 is due
    /// before anything else is wanted, because the time to wait begins with it.
    #[must_use]
    pub fn take_given(&mut self) -> Vec<u8> {
        let taken = std::mem::take(&mut self.taken);
        let mut body = std::mem::take(&mut self.body);
        body.drain(..taken);
        body
    }

    /// Returns the object that describes the form which is asked for by
    /// [`Prompt::Form`](locator::plan::Prompt::Form).
    #[must_use]
    pub fn form(&self) -> &[u8] {
        &self.form
    }

    /// Returns when the run wants to hear of the time, in milliseconds of the driver's clock: it fails
    /// then, or tries another way.
    #[must_use]
    pub fn wake_at(&self) -> Option<u64> {
        let call = match &self.state {
            #[cfg(feature = "prospero")]
            State::Calling(one) => one.wake_at(),
            _ => None,
        };
        [self.deadline, self.last, self.speed.ends_at(), call].into_iter().flatten().min()
    }

    /// Takes what happened, and the time in milliseconds of the driver's clock.
    ///
    /// An event that does not belong to what was wanted changes nothing; octets of the control
    /// connection are kept until they are wanted. Octets of a reply that is not whole do not put off
    /// the time at which the run fails.
    pub fn handle(&mut self, event: Event<'_>, now: u64) {
        self.has_moved = false;
        if let Event::Taken(count) = event {
            self.take_body(count);
        }
        if matches!(self.state, State::Done(_)) {
            return;
        }
        self.last = self.last.or(self.limits.whole.map(|limit| now.saturating_add(limit)));
        let octets = self.octets;
        self.react(event, now);
        self.go_on();
        self.check_speed(self.octets.saturating_sub(octets), now);
        self.set_deadline(now);
    }

    fn react(&mut self, event: Event<'_>, now: u64) {
        match event {
            Event::Time => self.check_time(now),
            Event::Taken(_) => {}
            Event::Broke(channel, kind) => self.broke(channel, kind),
            Event::Dialled(Channel::Control, peer) => self.dialled(peer.is_ipv4(), now),
            Event::Dialled(Channel::Data, _) => self.dialled_data(),
            Event::Secured(Channel::Control) => self.secured(),
            Event::Secured(Channel::Data) => self.secured_data(),
            #[cfg(feature = "prospero")]
            Event::Sent(_) if matches!(self.state, State::Calling(_)) => {
                self.call(ardp::CallEvent::Sent, now);
            }
            Event::Sent(count) => self.sent(count),
            Event::Uploaded(count) => self.uploaded(count),
            #[cfg(feature = "prospero")]
            Event::Datagram(datagram) => self.call(ardp::CallEvent::Datagram(datagram), now),
            #[cfg(feature = "prospero")]
            Event::Chosen(index) => self.chosen(index),
            #[cfg(not(feature = "prospero"))]
            Event::Datagram(_) | Event::Chosen(_) => {}
            #[cfg(feature = "prospero")]
            Event::Answer(octets) if matches!(self.state, State::Numbering(..)) => self.numbered(octets, now),
            Event::Answer(octets) => self.answered(octets),
            Event::Octets(Channel::Control, octets) => self.read(octets),
            Event::Octets(Channel::Data, octets) => self.read_data(|body| body.extend_from_slice(octets)),
            Event::Piece(octets) => self.read_data(|body| match body.is_empty() {
                true => *body = octets,
                false => body.extend_from_slice(&octets),
            }),
            Event::Ended(Channel::Control, ending) => self.ended(ending),
            Event::Ended(Channel::Data, ending) => self.data_ended(ending),
            Event::Closed => self.closed(),
        }
    }

    fn take_body(&mut self, count: usize) {
        self.taken = self.taken.saturating_add(count).min(self.body.len());
        if self.taken == self.body.len() {
            self.has_moved = true;
            self.body.clear();
            self.taken = 0;
        }
    }

    /// Does all that needs no event: takes steps, and uses what was read.
    pub(super) fn go_on(&mut self) {
        loop {
            let has_acted = match &self.state {
                State::NextStep => {
                    self.take_step();
                    true
                }
                State::Receiving(_) => self.read_object(),
                #[cfg(feature = "wais")]
                State::AwaitingAnswer | State::AwaitingSlice(_) => self.read_answer(),
                #[cfg(feature = "prospero")]
                State::Calling(_) => self.end_call(),
                State::AwaitingReply(_) | State::AwaitingReason(_) => self.read_reply(),
                State::Transferring(one) if !one.is_sent => self.read_reply(),
                _ => false,
            };
            if !has_acted {
                return;
            }
        }
    }

    fn take_step(&mut self) {
        self.has_moved = true;
        let Some(step) = self.steps.pop_front() else {
            if self.begin_work() {
                return;
            }
            self.is_answered = true;
            let whole = self.whole.unwrap_or(Whole::Framed);
            return self.finish(Outcome::Got { whole, octets: self.octets });
        };
        match step {
            Step::Connect(to) => self.dial(to),
            Step::Secure { host } => self.secure(host),
            Step::SecureData => self.protects_data = true,
            Step::Exchange(exchange) => self.begin(Sending { exchange, purpose: Purpose::Exchange }),
            #[cfg(feature = "prospero")]
            Step::Receive(object) if self.has_datagrams() => self.receive_answer(object),
            Step::Receive(object) => self.receive(object),
            Step::Transfer(transfer) => {
                self.object = Some(transfer.object.clone());
                self.ask_port(PortAttempt::new(transfer));
            }
            #[cfg(feature = "wais")]
            Step::Slices(slices) => self.begin_slices(slices),
            #[cfg(feature = "prospero")]
            Step::GoOn(next) => self.go_on_with(next),
            #[cfg(not(feature = "prospero"))]
            Step::GoOn(next) => self.finish(Outcome::GoOn(next)),
            _ => self.not_supported("this step of the plan"),
        }
    }

    fn dial(&mut self, to: Connection) {
        match to.protocol.replies {
            #[cfg(not(feature = "prospero"))]
            ReplyFraming::Datagrams => return self.not_supported("Prospero"),
            #[cfg(not(feature = "wais"))]
            ReplyFraming::Packets => return self.not_supported("WAIS"),
            _ => {}
        }
        self.control.open(to.protocol);
        self.host.clone_from(&to.host);
        self.port = to.port;
        self.state = State::Dialling(to);
    }

    fn secure(&mut self, host: String) {
        if !self.control.unread().is_empty() {
            return self.injected();
        }
        self.host.clone_from(&host);
        self.state = State::Securing(host);
    }

    /// Drops the steps that are left.
    pub(super) fn drop_steps(&mut self) {
        self.steps.clear();
        self.work.iter_mut().for_each(Vec::clear);
    }

    /// Takes these steps before those that are left.
    pub(super) fn put_first(&mut self, steps: Vec<Step>) {
        for step in steps.into_iter().rev() {
            self.steps.push_front(step);
        }
    }

    fn dialled(&mut self, is_ipv4: bool, now: u64) {
        #[cfg(feature = "prospero")]
        self.call(ardp::CallEvent::Moved, now);
        #[cfg(not(feature = "prospero"))]
        let _ = now;
        if let State::Dialling(_) = self.state {
            self.control.peer_is_ipv4 = is_ipv4;
            self.state = State::NextStep;
        }
    }

    fn secured(&mut self) {
        if let State::Securing(_) = self.state {
            self.state = State::NextStep;
        }
    }

    fn read(&mut self, octets: &[u8]) {
        match self.state {
            State::Dialling(_) => {}
            State::Securing(_) => self.injected(),
            _ => self.control.add(octets),
        }
    }
}

/// How long a reply is waited for that only explains a failure.
const REASON: u64 = 2_000;

impl Run {
    fn check_time(&mut self, now: u64) {
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
    fn check_speed(&mut self, octets: u64, now: u64) {
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

    fn set_deadline(&mut self, now: u64) {
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
