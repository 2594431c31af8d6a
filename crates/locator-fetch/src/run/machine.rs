//! The machine: the steps that are left, the state of the present one, and what each event does.

use std::collections::VecDeque;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use locator::plan::{
    Case, Connection, Exchange, Fresh, Hole, Local, Meaning, Message, MessagePiece, Object, ObjectKind, Plan,
    Request, Step, Then, Transfer,
};

use super::control::Control;
use super::framing::{Decoded, Decoder};
use super::{Channel, Ending, Event, Failure, FailureKind, Limits, Outcome, Reply, Want, Whole};

/// A plan that is being carried out.
#[derive(Debug)]
pub struct Run {
    steps: VecDeque<Step>,
    state: State,
    control: Control,
    limits: Limits,
    /// Octets of the object that were not taken yet.
    body: Vec<u8>,
    /// How many octets of the object were read.
    octets: u64,
    /// The object that is read, or was read last.
    object: Option<Object>,
    /// The object that describes a form, for the prompt.
    form: Vec<u8>,
    /// How the end of the object is known, once it was read.
    whole: Option<Whole>,
    /// Whether data connections are secured.
    protects_data: bool,
    host: String,
    announcements: usize,
    deadline: Option<u64>,
    last: Option<u64>,
}

#[derive(Debug)]
enum State {
    /// The next step is to be taken.
    Step,
    Dialling(Connection),
    Securing(String),
    /// The message has holes, of which these are filled.
    Filling(Box<Sending>, Vec<Vec<u8>>),
    /// These octets are sent from the offset on.
    Sending(Box<Sending>, Vec<u8>, usize),
    Replying(Box<Sending>),
    Receiving(Decoder, ObjectKind, String),
    DiallingData(Box<Transfer>, usize, u16),
    SecuringData(Box<Transfer>),
    Transferring(Box<Transferring>),
    /// The data connection is closed; then these steps are taken.
    ClosingData(Vec<Step>, Ways),
    Http(Request),
    Local(Local),
    Done(Outcome),
}

/// What follows after the data connection was closed.
#[derive(Clone, Copy, Debug)]
enum Ways {
    /// The steps, then those that are left.
    First,
    /// The steps in place of those that are left.
    Instead,
}

/// A message, and what it is sent for.
#[derive(Clone, Debug)]
struct Sending {
    exchange: Exchange,
    purpose: Purpose,
}

#[derive(Clone, Debug)]
enum Purpose {
    /// An exchange of the plan.
    Exchange,
    /// To learn the port of the data connection.
    Port(Box<Transfer>, usize),
    /// To begin a transfer.
    Command(Box<Transfer>),
}

/// A transfer whose object follows.
#[derive(Debug)]
struct Transferring {
    transfer: Transfer,
    /// Whether the reply after the object was read.
    is_sent: bool,
    /// Whether the data connection has ended.
    has_ended: bool,
}

impl Run {
    /// Begins to carry out a plan.
    #[must_use]
    pub fn new(plan: Plan, limits: Limits) -> Self {
        Self {
            steps: plan.session.into_iter().chain(plan.work).collect(),
            state: State::Step,
            control: Control::default(),
            limits,
            body: Vec::new(),
            octets: 0,
            object: None,
            form: Vec::new(),
            whole: None,
            protects_data: false,
            host: String::new(),
            announcements: 0,
            deadline: None,
            last: None,
        }
    }

    /// Returns what must happen next; asking twice changes nothing.
    pub fn want(&mut self) -> Want<'_> {
        while matches!(self.state, State::Step) && self.body.is_empty() {
            self.take_step();
        }
        if !self.body.is_empty() {
            return Want::Give(&self.body);
        }
        match &self.state {
            State::Step => Want::Read { control: false, data: false },
            State::Dialling(to) => Want::Dial(to),
            State::Securing(host) => Want::Secure(Channel::Control, host),
            State::Filling(sending, filled) => hole(&sending.exchange.send, filled.len()),
            State::Sending(_, octets, sent) => Want::Send(octets.get(*sent..).unwrap_or_default()),
            State::Replying(_) | State::Receiving(..) => Want::Read { control: true, data: false },
            State::DiallingData(_, _, port) => Want::DialPeer(*port),
            State::SecuringData(_) => Want::Secure(Channel::Data, &self.host),
            State::Transferring(one) => Want::Read { control: !one.is_sent, data: !one.has_ended },
            State::ClosingData(..) => Want::CloseData,
            State::Http(request) => Want::Http(request),
            State::Local(local) => Want::Local(local),
            State::Done(outcome) => Want::Done(outcome),
        }
    }

    /// Returns the object that is read, or was read last.
    #[must_use]
    pub const fn object(&self) -> Option<&Object> {
        self.object.as_ref()
    }

    /// Returns the message that is sent.
    #[must_use]
    pub fn message(&self) -> Option<&Message> {
        match &self.state {
            State::Sending(sending, ..) => Some(&sending.exchange.send),
            _ => None,
        }
    }

    /// Takes the octets that [`Want::Give`] gives, without a copy. [`Event::Taken`] with 0 is due
    /// before anything else is wanted, because the time to wait begins with it.
    #[must_use]
    pub fn take_given(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.body)
    }

    /// Returns the object that describes the form which is asked for by
    /// [`Prompt::Form`](locator::plan::Prompt::Form).
    #[must_use]
    pub fn form(&self) -> &[u8] {
        &self.form
    }

    /// Returns when the run fails unless something happens, in milliseconds of the driver's clock.
    #[must_use]
    pub fn wake_at(&self) -> Option<u64> {
        if matches!(self.state, State::Done(_)) {
            return None;
        }
        [self.deadline, self.last].into_iter().flatten().min()
    }

    /// Takes what happened, and the time in milliseconds of the driver's clock.
    ///
    /// Any cut of the octets that were read gives the same run. An event that does not belong to what
    /// was wanted changes nothing.
    pub fn handle(&mut self, event: Event<'_>, now: u64) {
        if matches!(self.state, State::Done(_)) {
            if let Event::Taken(count) = event {
                self.body.drain(..count.min(self.body.len()));
            }
            return;
        }
        self.last = self.last.or(self.limits.whole.map(|limit| now.saturating_add(limit)));
        match event {
            Event::Time => self.check_time(now),
            Event::Taken(count) => drop(self.body.drain(..count.min(self.body.len()))),
            Event::Broke(channel, kind) => self.broke(channel, kind),
            Event::Dialled(channel, peer) => self.dialled(channel, peer.is_ipv4()),
            Event::Secured(channel) => self.secured(channel),
            Event::Sent(count) => self.sent(count),
            Event::Answer(octets) => self.answered(octets),
            Event::Octets(Channel::Control, octets) => {
                self.control.add(octets);
                self.read_control();
            }
            Event::Octets(Channel::Data, octets) => self.read_data(octets),
            Event::Ended(channel, ending) => self.ended(channel, ending),
            Event::Closed => self.closed(),
        }
        while matches!(self.state, State::Step) {
            self.take_step();
        }
        self.set_deadline(now);
    }

    fn take_step(&mut self) {
        let Some(step) = self.steps.pop_front() else {
            let whole = self.whole.unwrap_or(Whole::Framed);
            return self.finish(Outcome::Got { whole, octets: self.octets });
        };
        self.state = match step {
            Step::Connect(to) => {
                self.control.open(to.protocol);
                self.host.clone_from(&to.host);
                State::Dialling(to)
            }
            Step::Secure { .. } if self.control.has_unread() => {
                return self.fail(FailureKind::Injected, "securing the connection");
            }
            Step::Secure { host } => {
                self.host.clone_from(&host);
                State::Securing(host)
            }
            Step::SecureData => {
                self.protects_data = true;
                State::Step
            }
            Step::Exchange(exchange) => return self.begin(Sending { exchange, purpose: Purpose::Exchange }),
            Step::Receive(object) => match Decoder::new(&object) {
                Some(decoder) => {
                    self.object = Some(object.clone());
                    self.state = State::Receiving(decoder, object.kind, format!("reading {}", object.name));
                    return self.read_control();
                }
                None => return self.fail(FailureKind::NotSupported("this object"), "reading it"),
            },
            Step::Transfer(transfer) => {
                self.object = Some(transfer.object.clone());
                return self.ask_port(Box::new(transfer), 0);
            }
            Step::Request(request) => State::Http(request),
            Step::GoOn(next) => State::Done(Outcome::GoOn(next)),
            Step::Local(local) => State::Local(local),
            _ => return self.fail(FailureKind::NotSupported("this step of the plan"), ""),
        };
    }

    /// Begins to fill and to send a message.
    fn begin(&mut self, sending: Sending) {
        self.announcements = 0;
        if sending.exchange.send.is_empty() {
            self.state = State::Replying(Box::new(sending));
            return self.read_control();
        }
        self.fill(Box::new(sending), Vec::new());
    }

    fn fill(&mut self, sending: Box<Sending>, filled: Vec<Vec<u8>>) {
        if holes(&sending.exchange.send).nth(filled.len()).is_some() {
            self.state = State::Filling(sending, filled);
            return;
        }
        let mut filled = filled.into_iter();
        match sending.exchange.send.with_input(|_| filled.next().unwrap_or_default()) {
            Ok(octets) => self.state = State::Sending(sending, octets, 0),
            Err(_) => self.fail(FailureKind::Answer, "filling a message"),
        }
    }

    fn answered(&mut self, octets: &[u8]) {
        match std::mem::replace(&mut self.state, State::Step) {
            State::Filling(sending, mut filled) => {
                let is_nonce = matches!(
                    holes(&sending.exchange.send).nth(filled.len()),
                    Some(Hole::Fresh(Fresh::Nonce))
                );
                filled.push(if is_nonce { BASE64_STANDARD.encode(octets).into() } else { octets.into() });
                self.fill(sending, filled);
            }
            other => self.state = other,
        }
    }

    fn sent(&mut self, count: usize) {
        match std::mem::replace(&mut self.state, State::Step) {
            State::Sending(sending, octets, sent) => {
                let sent = sent + count.min(octets.len() - sent);
                if sent < octets.len() {
                    self.state = State::Sending(sending, octets, sent);
                } else if !sending.exchange.cases.is_empty() || !matches!(sending.purpose, Purpose::Exchange)
                {
                    self.state = State::Replying(sending);
                    self.read_control();
                }
            }
            other => self.state = other,
        }
    }

    fn dialled(&mut self, channel: Channel, is_ipv4: bool) {
        match (channel, std::mem::replace(&mut self.state, State::Step)) {
            (Channel::Control, State::Dialling(_)) => self.control.peer_is_ipv4 = is_ipv4,
            (Channel::Data, State::DiallingData(transfer, ..)) => {
                let exchange = transfer.command.clone();
                self.begin(Sending { exchange, purpose: Purpose::Command(transfer) });
            }
            (_, other) => self.state = other,
        }
    }

    fn secured(&mut self, channel: Channel) {
        match (channel, std::mem::replace(&mut self.state, State::Step)) {
            (Channel::Control, State::Securing(_)) => {}
            (Channel::Data, State::SecuringData(transfer)) => self.transfer(*transfer),
            (_, other) => self.state = other,
        }
    }

    fn closed(&mut self) {
        match std::mem::replace(&mut self.state, State::Step) {
            State::ClosingData(steps, ways) => {
                if matches!(ways, Ways::Instead) {
                    self.steps.clear();
                }
                self.put_first(steps);
            }
            other => self.state = other,
        }
    }

    fn put_first(&mut self, steps: Vec<Step>) {
        for step in steps.into_iter().rev() {
            self.steps.push_front(step);
        }
    }

    /// Asks for the port of a data connection in the next way.
    fn ask_port(&mut self, transfer: Box<Transfer>, way: usize) {
        let usable = |port: &locator::plan::DataPort| self.control.peer_is_ipv4 || port.has_ipv6();
        let Some(port) = transfer.ports.get(way) else {
            return self
                .fail(FailureKind::NotConnected("every way was tried".into()), "opening a data connection");
        };
        if !usable(port) {
            return self.ask_port(transfer, way + 1);
        }
        let exchange = Exchange::new(port.message());
        self.begin(Sending { exchange, purpose: Purpose::Port(transfer, way) });
    }

    /// Reads what came on the control connection, as the state wants it.
    fn read_control(&mut self) {
        match &mut self.state {
            State::Replying(_) | State::Transferring(_) => self.read_reply(),
            State::Receiving(decoder, ..) => {
                let octets = self.control.take_all();
                let start = self.body.len();
                let (decoded, used) = decoder.decode(&octets, &mut self.body);
                self.control.add(octets.get(used..).unwrap_or_default());
                self.decoded(decoded, start);
            }
            _ if self.control.unread() > self.limits.reply => {
                self.too_much("octets of a reply", self.limits.reply as u64);
            }
            _ => {}
        }
    }

    fn read_reply(&mut self) {
        match self.control.take_reply() {
            Ok(Some(reply)) => self.replied(reply),
            Ok(None) if self.control.unread() > self.limits.reply => {
                self.too_much("octets of a reply", self.limits.reply as u64);
            }
            Ok(None) if self.control.has_ended => self.control_ended(),
            Ok(None) => {}
            Err(()) => {
                let name = self.control.protocol().map_or("reply", |protocol| protocol.name);
                self.fail(
                    FailureKind::Garbled("reply of its protocol"),
                    &format!("reading a reply of {name}"),
                );
            }
        }
    }

    fn replied(&mut self, reply: Reply) {
        let meaning = self.meaning(&reply);
        match std::mem::replace(&mut self.state, State::Step) {
            State::Replying(sending) => {
                let text = String::from_utf8_lossy(&reply.text).into_owned();
                let is_port = match &sending.purpose {
                    Purpose::Port(transfer, way) => {
                        transfer.ports.get(*way).is_some_and(|port| port.code() == reply.code)
                    }
                    _ => false,
                };
                match sending.exchange.case(reply.code, &text) {
                    Some(case) => {
                        let case = case.clone();
                        self.follow(*sending, case, reply);
                    }
                    None if is_port => self.dial_data(*sending, &reply),
                    None if meaning == Meaning::Wait => {
                        self.state = State::Replying(sending);
                        self.announced();
                    }
                    None => self.refused(*sending, meaning, reply),
                }
            }
            State::Transferring(mut one) => {
                let text = String::from_utf8_lossy(&reply.text).into_owned();
                let case = case_of(&one.transfer.done, reply.code, &text);
                match case.map(|case| (&case.then, case.means)) {
                    Some((Then::Next, _)) => {
                        one.is_sent = true;
                        self.state = State::Transferring(one);
                        self.finish_transfer();
                    }
                    None if meaning == Meaning::Wait => {
                        self.state = State::Transferring(one);
                        self.announced();
                    }
                    other => {
                        let means = other.map_or(meaning, |(_, means)| means);
                        self.fail_with(FailureKind::Said(means), "reading the object", Some(reply));
                    }
                }
            }
            other => self.state = other,
        }
    }

    /// A reply announced another one, or belongs to an earlier step.
    fn announced(&mut self) {
        self.announcements += 1;
        if self.announcements > self.limits.announcements {
            return self.too_much("replies that announce another one", self.limits.announcements as u64);
        }
        self.read_control();
    }

    fn meaning(&self, reply: &Reply) -> Meaning {
        self.control.protocol().map_or(Meaning::Unexpected, |protocol| protocol.meaning(reply.code))
    }

    /// A reply that no case lists.
    fn refused(&mut self, sending: Sending, meaning: Meaning, reply: Reply) {
        match sending.purpose {
            Purpose::Port(transfer, way) if meaning != Meaning::Busy && reply.code >= 400 => {
                self.ask_port(transfer, way + 1);
            }
            _ => {
                let during = doing(&sending.exchange.send);
                self.fail_with(FailureKind::Said(meaning), &during, Some(reply));
            }
        }
    }

    fn dial_data(&mut self, sending: Sending, reply: &Reply) {
        let Purpose::Port(transfer, way) = sending.purpose else { return };
        match transfer.ports.get(way).and_then(|port| port.port(&reply.text)) {
            Some(port) => self.state = State::DiallingData(transfer, way, port),
            None => self.ask_port(transfer, way + 1),
        }
    }

    /// Follows the case of a reply.
    fn follow(&mut self, sending: Sending, case: Case, reply: Reply) {
        let Case { on, means, then } = case;
        let Sending { exchange, purpose } = sending;
        let without = |exchange: Exchange| {
            let mut exchange = exchange;
            exchange.cases.retain(|case| case.on != on);
            exchange
        };
        match (then, purpose) {
            (Then::Fail, _) => self.fail_with(FailureKind::Said(means), &doing(&exchange.send), Some(reply)),
            (Then::Nothing, _) => self.finish(Outcome::Got { whole: Whole::Confirmed, octets: 0 }),
            (Then::Next, Purpose::Command(transfer)) if self.protects_data => {
                self.state = State::SecuringData(transfer);
            }
            (Then::Next, Purpose::Command(transfer)) => self.transfer(*transfer),
            (Then::Next, _) => self.state = State::Step,
            (Then::Instead(steps), Purpose::Command(_)) => {
                self.state = State::ClosingData(steps, Ways::Instead);
            }
            (Then::Instead(steps), _) => {
                self.steps.clear();
                self.put_first(steps);
            }
            (Then::First(mut steps) | Then::Retry(mut steps), Purpose::Command(transfer)) => {
                // A transfer has no data connection any more after other steps.
                let transfer = Transfer::new(without(exchange), transfer.object.clone());
                steps.push(transfer.into());
                self.state = State::ClosingData(steps, Ways::First);
            }
            (Then::First(steps), _) => self.put_first(steps),
            (Then::Retry(mut steps), _) => {
                steps.push(without(exchange).into());
                self.put_first(steps);
            }
            _ => self.fail(FailureKind::NotSupported("this case of the plan"), ""),
        }
    }

    fn transfer(&mut self, transfer: Transfer) {
        self.announcements = 0;
        self.state =
            State::Transferring(Box::new(Transferring { transfer, is_sent: false, has_ended: false }));
        self.read_control();
    }

    fn read_data(&mut self, octets: &[u8]) {
        if matches!(self.state, State::Transferring(_)) {
            let start = self.body.len();
            self.body.extend_from_slice(octets);
            self.count(start);
        }
    }

    /// Counts the octets of the object from an offset of the body on.
    fn count(&mut self, start: usize) {
        self.octets += (self.body.len() - start) as u64;
        if let Some(limit) = self.limits.body.filter(|&limit| self.octets > limit) {
            let over = usize::try_from(self.octets - limit).unwrap_or(usize::MAX);
            self.body.truncate(self.body.len().saturating_sub(over));
            self.octets = limit;
            self.too_much("octets of the object", limit);
        }
    }

    fn decoded(&mut self, decoded: Decoded, start: usize) {
        let is_form = matches!(self.state, State::Receiving(_, ObjectKind::Form, _));
        if is_form {
            self.form.extend(self.body.drain(start..));
            if self.form.len() > self.limits.reply {
                return self.too_much("octets of a form", self.limits.reply as u64);
            }
        } else {
            self.count(start);
        }
        if matches!(self.state, State::Done(_)) {
            return;
        }
        match decoded {
            Decoded::More => {}
            Decoded::End(whole) => {
                self.whole = if is_form { self.whole } else { Some(whole) };
                self.state = State::Step;
            }
            Decoded::Failed(kind, text) => {
                let during = match &self.state {
                    State::Receiving(_, _, during) => during.clone(),
                    _ => String::new(),
                };
                let reply = (!text.is_empty()).then_some(Reply { code: 0, text });
                self.fail_with(kind, &during, reply);
            }
        }
    }

    fn finish_transfer(&mut self) {
        let State::Transferring(one) = &self.state else { return };
        if one.is_sent && one.has_ended {
            self.whole = Some(Whole::Confirmed);
            self.state = State::ClosingData(Vec::new(), Ways::First);
        }
    }

    fn ended(&mut self, channel: Channel, ending: Ending) {
        match (channel, &mut self.state) {
            (Channel::Data, State::Transferring(_)) if ending == Ending::Reset => {
                self.fail(FailureKind::Reset, "reading the object");
            }
            (Channel::Data, State::Transferring(one)) => {
                one.has_ended = true;
                self.finish_transfer();
            }
            (Channel::Data, _) => {}
            (Channel::Control, State::Receiving(decoder, ..)) => {
                self.control.has_ended = true;
                let start = self.body.len();
                let decoded = decoder.end(ending, &mut self.body);
                self.decoded(decoded, start);
            }
            (Channel::Control, _) if ending == Ending::Reset => {
                let during = self.during();
                self.fail(FailureKind::Reset, &during);
            }
            (Channel::Control, _) => {
                self.control.has_ended = true;
                self.control_ended();
            }
        }
    }

    /// The control connection has ended, and the state still wants something of it.
    fn control_ended(&mut self) {
        let during = self.during();
        match &self.state {
            State::Transferring(one) if one.is_sent => {}
            State::Step | State::Done(_) => {}
            _ => self.fail(FailureKind::CutOff, &during),
        }
    }

    fn broke(&mut self, channel: Channel, kind: FailureKind) {
        match (channel, std::mem::replace(&mut self.state, State::Step)) {
            // A firewall may let only one of the ports through.
            (Channel::Data, State::DiallingData(transfer, way, _))
                if !matches!(kind, FailureKind::Forbidden(_)) =>
            {
                self.ask_port(transfer, way + 1);
            }
            (_, other) => {
                self.state = other;
                let during = self.during();
                self.fail(kind, &during);
            }
        }
    }

    fn check_time(&mut self, now: u64) {
        if self.last.is_some_and(|last| now >= last) {
            return self.timed_out(self.limits.whole.unwrap_or_default());
        }
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            match std::mem::replace(&mut self.state, State::Step) {
                State::DiallingData(transfer, way, _) => self.ask_port(transfer, way + 1),
                other => {
                    self.state = other;
                    self.timed_out(self.wait());
                }
            }
        }
    }

    fn timed_out(&mut self, time: u64) {
        let during = self.during();
        self.fail(FailureKind::TimedOut(time), &during);
    }

    /// Returns how long the state may last without an event.
    const fn wait(&self) -> u64 {
        match self.state {
            State::Dialling(_) | State::Securing(_) | State::DiallingData(..) | State::SecuringData(_) => {
                self.limits.connect
            }
            _ => self.limits.idle,
        }
    }

    fn set_deadline(&mut self, now: u64) {
        self.deadline = match self.state {
            // A user may think, and the reader of the object may be slow.
            State::Filling(..) | State::Http(_) | State::Local(_) => None,
            _ if !self.body.is_empty() => None,
            _ => Some(now.saturating_add(self.wait())),
        };
    }

    /// Returns what is being done, for people.
    fn during(&self) -> String {
        match &self.state {
            State::Dialling(to) => format!("connecting to {}, port {}", to.host, to.port),
            State::Securing(host) => format!("securing the connection to {host}"),
            State::Filling(one, _) | State::Sending(one, ..) | State::Replying(one) => {
                doing(&one.exchange.send)
            }
            State::Receiving(_, _, during) => during.clone(),
            State::DiallingData(_, _, port) => format!("opening a data connection to port {port}"),
            State::SecuringData(_) => "securing the data connection".into(),
            State::Transferring(one) => format!("reading {}", one.transfer.object.name),
            _ => String::new(),
        }
    }

    fn too_much(&mut self, what: &'static str, limit: u64) {
        let during = self.during();
        self.fail(FailureKind::TooMuch { what, limit }, &during);
    }

    fn fail(&mut self, kind: FailureKind, during: &str) {
        self.fail_with(kind, during, None);
    }

    fn fail_with(&mut self, kind: FailureKind, during: &str, reply: Option<Reply>) {
        self.finish(Outcome::Failed(Failure { kind, during: during.into(), reply }));
    }

    fn finish(&mut self, outcome: Outcome) {
        self.steps.clear();
        self.state = State::Done(outcome);
    }
}

/// Returns the holes of a message, in order.
fn holes(message: &Message) -> impl Iterator<Item = Hole<'_>> {
    message.pieces().iter().filter_map(|piece| match piece {
        MessagePiece::Answer(prompt) => Some(Hole::Prompt(prompt)),
        MessagePiece::Fresh(fresh) => Some(Hole::Fresh(*fresh)),
        _ => None,
    })
}

fn hole(message: &Message, index: usize) -> Want<'_> {
    match holes(message).nth(index) {
        Some(Hole::Prompt(prompt)) => Want::Ask(prompt),
        _ => Want::Random(16),
    }
}

/// Returns the most exact case that fits a reply.
fn case_of<'c>(cases: &'c [Case], code: u16, text: &str) -> Option<&'c Case> {
    cases.iter().rev().filter(|case| case.on.fits(code, text)).max_by_key(|case| case.on.exactness())
}

/// Returns the first line of a message for people, without its secrets.
fn doing(message: &Message) -> String {
    if message.is_packet() {
        return "asking the server".into();
    }
    let line = message.shown();
    match line.is_empty() {
        true => "waiting for the greeting of the server".into(),
        false => format!("sending {line}"),
    }
}
