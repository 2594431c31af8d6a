//! Exchanges: sends a message with what belongs in its holes, reads the reply, and follows its case. Then
//! objects: those on the control connection are read and counted; for those of FTP a port is learned, the data
//! connection is opened, and both connections are watched.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
#[cfg(feature = "wais")]
use locator::plan::ReplyFraming;
use locator::plan::{
    Case, Exchange, Framing, Fresh, Hole, Meaning, Message, MessagePiece, Object, ObjectKind, On, Then,
    Transfer,
};

use super::event::{Ending, Outcome, Want, Whole};
use super::framing::{Decoded, Decoder};
use super::resume::Proof;
use super::state::{Becomes, Purpose, Receiving, RemainingSteps, Run, Sending, State, Transferring, cut_off};
use crate::error::failure::{ConnectCause, Detail, Failure, FailureKind, Reply};
use crate::protocols::ftp::{FactKind, Facts, NoPort, Parsed, PortAttempt};

impl Sending {
    /// Returns what fills a hole of the message.
    pub(super) fn hole(&self, index: usize) -> Want<'_> {
        match holes_of(&self.exchange.send).nth(index) {
            Some(Hole::Prompt(prompt)) => Want::Ask(prompt),
            _ => Want::Random(16),
        }
    }

    /// Returns the sending of the message, for people.
    pub(super) fn sending(&self) -> String {
        format!("sending {}", first_line_shown(&self.exchange.send))
    }

    /// Returns the reading of the reply, for people.
    pub(super) fn reading(&self) -> String {
        match self.exchange.send.is_empty() {
            true => "waiting for the server's greeting".into(),
            false => format!("reading the reply to {}", first_line_shown(&self.exchange.send)),
        }
    }

    /// Returns the same exchange for a second time, in which a case is an error.
    fn without(mut self, taken: &Case) -> Exchange {
        let cases = self.exchange.cases.iter_mut();
        cases.filter(|case| case.on == taken.on).for_each(|case| case.then = Then::Fail);
        self.exchange
    }
}

/// Returns the first line of a message for people, without its secrets.
fn first_line_shown(message: &Message) -> String {
    match message.shown() {
        line if message.is_packet() || line.is_empty() => "the request".into(),
        line => line,
    }
}

/// Returns the holes of a message, in order.
fn holes_of(message: &Message) -> impl Iterator<Item = Hole<'_>> {
    message.pieces().iter().filter_map(|piece| match piece {
        MessagePiece::Answer(prompt) => Some(Hole::Prompt(prompt)),
        MessagePiece::Fresh(fresh) => Some(Hole::Fresh(*fresh)),
        _ => None,
    })
}

impl Run {
    /// Begins to fill and to send a message, or to wait for the server's own.
    pub(super) fn begin(&mut self, sending: Sending) {
        self.announcements = 0;
        let message = &sending.exchange.send;
        let is_of_slices = |hole| matches!(hole, Hole::Fresh(fresh) if fresh != Fresh::Nonce);
        if message.is_empty() {
            // Nothing is read where there are no cases.
            if !sending.exchange.cases.is_empty() {
                self.state = State::AwaitingReply(Box::new(sending));
            }
        } else if holes_of(message).any(is_of_slices) {
            self.not_supported("this message of the plan");
        } else {
            self.fill(Box::new(sending), Vec::new());
        }
    }

    fn fill(&mut self, sending: Box<Sending>, filled: Vec<Vec<u8>>) {
        if holes_of(&sending.exchange.send).nth(filled.len()).is_some() {
            self.state = State::Filling(sending, filled);
            return;
        }
        let mut filled = filled.into_iter();
        match sending.exchange.send.with_input(|_| filled.next().unwrap_or_default()) {
            #[cfg(feature = "prospero")]
            Ok(octets) if self.has_datagrams() => self.state = State::Numbering(sending, octets),
            Ok(octets) => self.state = State::Sending(sending, octets, 0),
            Err(_) => self.fail_with(FailureKind::Answer, sending.sending(), None),
        }
    }

    pub(super) fn answered(&mut self, octets: &[u8]) {
        match std::mem::replace(&mut self.state, State::NextStep) {
            State::Filling(sending, mut filled) => {
                self.has_moved = true;
                let is_prompt =
                    matches!(holes_of(&sending.exchange.send).nth(filled.len()), Some(Hole::Prompt(_)));
                filled.push(if is_prompt { octets.into() } else { BASE64_STANDARD.encode(octets).into() });
                self.fill(sending, filled);
            }
            other => self.state = other,
        }
    }

    pub(super) fn sent(&mut self, count: usize) {
        match std::mem::replace(&mut self.state, State::NextStep) {
            State::Sending(sending, octets, sent) => {
                self.has_moved |= count > 0;
                let sent = sent.saturating_add(count).min(octets.len());
                let is_one_way =
                    sending.exchange.cases.is_empty() && matches!(sending.purpose, Purpose::Exchange);
                if sent < octets.len() {
                    self.state = State::Sending(sending, octets, sent);
                    return;
                }
                match sending.purpose {
                    #[cfg(feature = "wais")]
                    Purpose::Slice(slicing) => self.state = State::AwaitingSlice(slicing),
                    _ if is_one_way => {}
                    _ => self.state = State::AwaitingReply(sending),
                }
            }
            other => self.state = other,
        }
    }

    /// The message could not be sent. A server that closes the connection says why before.
    pub(super) fn not_sent(&mut self, kind: FailureKind) {
        #[cfg(feature = "wais")]
        if let State::Sending(sending, ..) = &self.state
            && let Purpose::Slice(slicing) = &sending.purpose
            && slicing.is_at_length()
            && kind == FailureKind::CutOff
        {
            return self.end_object(Whole::Unverified);
        }
        let during = self.during();
        match self.control.take_reply(self.limits.reply) {
            Parsed::Reply(reply, _) if reply.code.is_some_and(|code| code >= 400) => {
                self.fail_with(FailureKind::Said(self.meaning(&reply)), during, Some(reply));
            }
            _ => self.fail(kind),
        }
    }

    /// Reads a reply; returns whether there was one, or will be none.
    pub(super) fn read_reply(&mut self) -> bool {
        match (self.control.take_reply(self.limits.reply), self.control.ending) {
            (Parsed::Reply(reply, _), _) => self.replied(reply),
            (Parsed::Unfinished, None) => return false,
            (Parsed::Unfinished, Some(ending)) => self.no_reply(cut_off(ending)),
            (Parsed::TooLong, _) => self.too_much("bytes in a reply", self.limits.reply as u64),
            (Parsed::Wrong, _) => self.no_reply(FailureKind::Garbled(self.control.name())),
        }
        true
    }

    /// There is no reply and will be none.
    pub(super) fn no_reply(&mut self, kind: FailureKind) {
        match std::mem::replace(&mut self.state, State::NextStep) {
            State::AwaitingReason(failure) => self.finish(Outcome::Failed(*failure)),
            other => {
                self.state = other;
                self.fail(kind);
            }
        }
    }

    fn replied(&mut self, reply: Reply) {
        self.has_moved = true;
        match std::mem::replace(&mut self.state, State::NextStep) {
            State::AwaitingReply(sending) => self.replied_to(*sending, reply),
            State::Transferring(one) => self.replied_after(one, reply),
            State::AwaitingReason(mut failure) => {
                if self.is_announcement(&reply) {
                    self.state = State::AwaitingReason(failure);
                    return self.announced();
                }
                failure.reply = reply.code.is_some_and(|code| code >= 400).then_some(reply);
                self.finish(Outcome::Failed(*failure));
            }
            other => self.state = other,
        }
    }

    fn replied_to(&mut self, sending: Sending, reply: Reply) {
        self.note_reply(&reply);
        let text = String::from_utf8_lossy(&reply.text);
        match sending.exchange.case(reply.code.unwrap_or_default(), &text).cloned() {
            Some(case) => self.follow(sending, case, reply),
            None if self.is_announcement(&reply) => {
                self.state = State::AwaitingReply(Box::new(sending));
                self.announced();
            }
            None => match sending.purpose {
                Purpose::Port(attempt) => self.replied_port(*attempt, reply),
                _ => {
                    let means = self.meaning(&reply);
                    self.note_session(&sending, &reply);
                    self.note_refusal(&sending, means, &reply);
                    self.fail_with(FailureKind::Said(means), sending.reading(), Some(reply));
                }
            },
        }
    }

    /// A reply announced another one.
    pub(super) fn announced(&mut self) {
        self.announcements += 1;
        if self.announcements > self.limits.announcements {
            self.too_much("preliminary replies", self.limits.announcements as u64);
        }
    }

    fn is_announcement(&self, reply: &Reply) -> bool {
        self.meaning(reply) == Meaning::Wait
    }

    /// Returns what a reply means that no case lists.
    pub(super) fn meaning(&self, reply: &Reply) -> Meaning {
        let code = reply.code.unwrap_or_default();
        self.control.protocol().map_or(Meaning::Unexpected, |protocol| protocol.meaning(code))
    }

    fn follow(&mut self, sending: Sending, case: Case, reply: Reply) {
        self.note(case.means, &reply);
        self.note_session(&sending, &reply);
        match case.then {
            Then::Next => self.attempted = None,
            Then::Attempt(_) => {
                let (kind, during) = (FailureKind::Said(case.means), sending.reading());
                self.attempted = Some(Failure { reply: Some(reply.clone()), ..Failure::new(kind, during) });
            }
            _ => {}
        }
        match case.then {
            Then::Fail => {
                self.note_refusal(&sending, case.means, &reply);
                self.fail_with(FailureKind::Said(case.means), sending.reading(), Some(reply));
            }
            Then::Nothing => {
                self.is_answered = true;
                self.finish(Outcome::Got { whole: Whole::Confirmed, octets: self.octets });
            }
            then => match sending.purpose {
                Purpose::Command(_) | Purpose::Restart(_) => {
                    self.follow_command(sending, Case { then, ..case });
                }
                _ => self.follow_exchange(sending, Case { then, ..case }),
            },
        }
    }

    /// Notes what a reply says of the object.
    fn note(&mut self, means: Meaning, reply: &Reply) {
        let text = String::from_utf8_lossy(&reply.text);
        let word = text.split_whitespace().next();
        match means {
            Meaning::Length => self.proof.length = word.and_then(|word| word.parse().ok()),
            Meaning::Modified => self.proof.last_modified = word.map(Into::into),
            Meaning::Facts => self.note_facts(&reply.text),
            _ => {}
        }
    }

    fn note_facts(&mut self, text: &[u8]) {
        let Some(facts) = Facts::of_reply(text) else { return };
        self.is_directory = matches!(facts.kind, Some(FactKind::Directory | FactKind::Listed));
        // What a server says of the size of a directory is not the length of its listing.
        self.proof.length = facts.size.filter(|_| !self.is_directory);
        self.proof.last_modified = facts.modified.map(Into::into);
    }

    fn follow_exchange(&mut self, sending: Sending, mut case: Case) {
        match std::mem::replace(&mut case.then, Then::Next) {
            Then::Next => {}
            Then::First(steps) => self.put_first(steps),
            Then::Instead(steps) | Then::Attempt(steps) => {
                self.drop_steps();
                self.put_first(steps);
            }
            Then::Retry(mut steps) => {
                steps.push(sending.without(&case).into());
                self.put_first(steps);
            }
            _ => self.not_supported("this case of the plan"),
        }
    }

    /// Follows the case of a reply to a command of a transfer. The data connection that was opened for it
    /// serves no other one.
    fn follow_command(&mut self, sending: Sending, mut case: Case) {
        let (transfer, is_begun) = match sending.purpose {
            Purpose::Command(transfer) => (transfer, true),
            Purpose::Restart(transfer) => (transfer, false),
            _ => return,
        };
        match (std::mem::replace(&mut case.then, Then::Next), is_begun) {
            (Then::Next, true) => self.begin_transfer(*transfer),
            (Then::Next, false) => self.command(transfer),
            (Then::Instead(steps) | Then::Attempt(steps), _) => {
                if is_begun {
                    // Another object is read.
                    self.proof = Proof::default();
                }
                self.state = State::ClosingData(steps, RemainingSteps::Dropped);
            }
            _ => self.not_supported("this case of a transfer"),
        }
    }
}

impl Run {
    /// Asks for the port of a data connection, in the first way from that of the attempt on that there
    /// is for this peer.
    pub(super) fn ask_port(&mut self, mut attempt: PortAttempt) {
        if let Some(port) = attempt.way(self.control.peer_is_ipv4) {
            let (exchange, purpose) = (Exchange::new(port.message()), Purpose::Port(Box::new(attempt)));
            return self.begin(Sending { exchange, purpose });
        }
        match attempt.failure {
            Some(failure) => self.finish(Outcome::Failed(failure)),
            None => {
                let text = "the server accepts neither EPSV nor PASV";
                let why = FailureKind::NotConnected(Detail::new(ConnectCause::DataPort, text));
                self.fail_with(why, "opening a data connection".into(), None);
            }
        }
    }

    /// Takes the reply that names a port, or refuses to.
    fn replied_port(&mut self, attempt: PortAttempt, reply: Reply) {
        let means = self.meaning(&reply);
        match attempt.port_of(reply, means) {
            Ok(port) => self.state = State::DiallingData(Box::new(attempt), port),
            Err(NoPort::TryNext(failure)) => self.try_next_way(attempt, failure),
            Err(NoPort::Failed(failure)) => self.finish(Outcome::Failed(failure)),
        }
    }

    fn try_next_way(&mut self, attempt: PortAttempt, failure: Failure) {
        self.has_moved = true;
        self.ask_port(attempt.after(failure));
    }

    /// The data connection could not be made: a firewall may let only one of the ports through.
    pub(super) fn data_not_dialled(&mut self, kind: FailureKind) {
        let failure = Failure::new(kind, self.during());
        match std::mem::replace(&mut self.state, State::NextStep) {
            State::DiallingData(attempt, _) if !matches!(failure.kind, FailureKind::Forbidden(_)) => {
                self.try_next_way(*attempt, failure);
            }
            _ => self.finish(Outcome::Failed(failure)),
        }
    }

    pub(super) fn dialled_data(&mut self) {
        match std::mem::replace(&mut self.state, State::NextStep) {
            State::DiallingData(attempt, _) => {
                self.has_moved = true;
                let transfer = Box::new(attempt.transfer);
                match &transfer.restart {
                    None => self.command(transfer),
                    Some(restart) => {
                        let exchange = restart.exchange.clone();
                        self.begin(Sending { exchange, purpose: Purpose::Restart(transfer) });
                    }
                }
            }
            other => self.state = other,
        }
    }

    /// Sends the command of a transfer.
    pub(super) fn command(&mut self, transfer: Box<Transfer>) {
        let exchange = transfer.command.clone();
        self.begin(Sending { exchange, purpose: Purpose::Command(transfer) });
    }

    /// The object follows.
    fn begin_transfer(&mut self, transfer: Transfer) {
        self.announcements = 0;
        self.is_restarted = false;
        self.from = transfer.restart.as_ref().map_or(0, |restart| restart.start);
        let one = Box::new(Transferring { transfer, is_sent: false, end: None, after: Vec::new() });
        self.state = if self.protects_data { State::SecuringData(one) } else { State::Transferring(one) };
    }

    pub(super) fn secured_data(&mut self) {
        match std::mem::replace(&mut self.state, State::NextStep) {
            State::SecuringData(one) => {
                self.has_moved = true;
                self.state = State::Transferring(one);
            }
            other => self.state = other,
        }
    }

    /// Takes octets of the data connection, which `add` appends to the body.
    pub(super) fn read_data(&mut self, add: impl FnOnce(&mut Vec<u8>)) {
        let is_wanted = match &self.state {
            State::Transferring(one) => one.end.is_none() && !one.is_upload(),
            _ => false,
        };
        if is_wanted {
            let start = self.body.len();
            add(&mut self.body);
            self.has_moved |= self.body.len() > start;
            if self.count(start) {
                self.end_at_length();
            }
        }
    }

    /// Octets of the object were sent, or all of them are.
    pub(super) fn uploaded(&mut self, count: usize) {
        let State::Transferring(one) = &mut self.state else { return };
        if !one.is_upload() || one.end.is_some() {
            return;
        }
        self.has_moved = true;
        self.octets += count as u64;
        if count == 0 {
            one.end = Some(Ending::Fin);
            self.end_transfer();
        }
    }

    /// Ends a transfer after the octets that are wanted. The server may have sent its reply, and else says
    /// that it could not send the rest.
    fn end_at_length(&mut self) {
        let State::Transferring(one) = &self.state else { return };
        let Some(length) = one.transfer.length.filter(|&length| self.octets >= length) else { return };
        let over = usize::try_from(self.octets - length).unwrap_or(usize::MAX);
        let any = |exchange: Exchange, class| exchange.next(On::Class(class), Meaning::Sent);
        let reply = [2, 4, 5].into_iter().fold(Exchange::greeting(), any);
        let steps = if one.is_sent { Vec::new() } else { vec![reply.into()] };
        self.body.truncate(self.body.len().saturating_sub(over));
        self.octets = length;
        self.end_object(Whole::Framed);
        self.state = State::ClosingData(steps, RemainingSteps::Kept);
    }

    pub(super) fn data_ended(&mut self, ending: Ending) {
        match &mut self.state {
            State::Transferring(_) if ending == Ending::Reset => {
                self.data_failed(FailureKind::Reset);
            }
            State::Transferring(one) if one.is_upload() => self.data_failed(cut_off(ending)),
            State::Transferring(one) => {
                self.has_moved = true;
                one.end = Some(ending);
                self.end_transfer();
            }
            State::SecuringData(_) => self.data_failed(cut_off(ending)),
            _ => {}
        }
    }

    /// The data connection failed while the object was read. The server may say why.
    pub(super) fn data_failed(&mut self, kind: FailureKind) {
        let failure = Failure::new(kind, self.during());
        let is_sent = matches!(&self.state, State::Transferring(one) if one.is_sent);
        let has_replies = matches!(self.state, State::Transferring(_) | State::SecuringData(_));
        if is_sent || !has_replies {
            return self.finish(Outcome::Failed(failure));
        }
        self.has_moved = true;
        self.state = State::AwaitingReason(Box::new(failure));
    }

    /// Takes the reply after the object.
    fn replied_after(&mut self, mut one: Box<Transferring>, reply: Reply) {
        let text = String::from_utf8_lossy(&reply.text);
        let case = Case::of(&one.transfer.done, reply.code.unwrap_or_default(), &text);
        let case = case.map(|case| (case.then.clone(), case.means));
        one.is_sent = matches!(case, Some((Then::Next | Then::First(_), _)));
        if let Some((Then::First(steps), _)) = &case {
            one.after.clone_from(steps);
        }
        self.state = State::Transferring(one);
        match case {
            Some((Then::Next | Then::First(_), _)) => self.end_transfer(),
            Some((Then::Fail, means)) => self.said(means, reply),
            Some(_) => self.not_supported("this reply after a transfer"),
            None if self.is_announcement(&reply) => self.announced(),
            None => self.said(self.meaning(&reply), reply),
        }
    }

    /// Ends a transfer whose data connection has ended and whose last reply was read. The object must
    /// have the length that was announced. Under TLS an end of the data that was not announced can be
    /// anybody's.
    fn end_transfer(&mut self) {
        let State::Transferring(one) = &mut self.state else { return };
        let (true, Some(end)) = (one.is_sent, one.end) else { return };
        let after = std::mem::take(&mut one.after);
        if one.is_upload() {
            self.end_object(Whole::Confirmed);
            self.state = State::ClosingData(after, RemainingSteps::Kept);
            return;
        }
        let (read, announced) = (self.from + self.octets, self.proof.length);
        if let Some(announced) = announced.filter(|&announced| read < announced) {
            let during = format!("reading {}", self.object_name());
            return self.fail_with(FailureKind::WrongLength { announced, read }, during, None);
        }
        // A file that grows has more octets than were announced.
        let has_grown = announced.is_some_and(|announced| read > announced);
        let is_doubtful = has_grown || self.protects_data && end != Ending::Notified;
        self.end_object(if is_doubtful { Whole::Unverified } else { Whole::Confirmed });
        self.state = State::ClosingData(after, RemainingSteps::Kept);
    }

    /// The data connection is closed.
    pub(super) fn closed(&mut self) {
        match std::mem::replace(&mut self.state, State::NextStep) {
            State::ClosingData(steps, rest) => {
                if rest == RemainingSteps::Dropped {
                    self.drop_steps();
                }
                self.put_first(steps);
            }
            other => self.state = other,
        }
    }
}

impl Becomes {
    const fn of(kind: ObjectKind) -> Self {
        match kind {
            ObjectKind::Form => Self::Form,
            ObjectKind::Dropped => Self::Dropped(0),
            _ => Self::Body,
        }
    }
}

impl Run {
    pub(super) fn receive(&mut self, object: Object) {
        #[cfg(feature = "wais")]
        if object.end == Framing::Answer && self.control.framing() == ReplyFraming::Packets {
            self.object = Some(object);
            self.state = State::AwaitingAnswer;
            return;
        }
        if object.end == Framing::Nothing {
            let mut object = object;
            if self.is_directory {
                object.kind = ObjectKind::Names;
            }
            self.object = Some(object);
            return self.end_object(Whole::Framed);
        }
        let Some(decoder) = Decoder::new(&object) else { return self.not_supported("this object") };
        let becomes = Becomes::of(object.kind);
        self.object = Some(object);
        self.state = State::Receiving(Box::new(Receiving { decoder, becomes }));
    }

    /// Reads the object as far as it is there; returns whether there was anything.
    pub(super) fn read_object(&mut self) -> bool {
        let State::Receiving(one) = &mut self.state else { return false };
        let start = self.body.len();
        let (decoded, used) = match (self.control.unread(), self.control.ending) {
            ([], Some(ending)) => (one.decoder.end(ending, &mut self.body), 0),
            ([], None) => return false,
            (octets, _) => one.decoder.decode(octets, &mut self.body),
        };
        self.control.use_up(used);
        self.has_moved = true;
        if let (Becomes::Body, Some(length)) = (one.becomes, one.decoder.announced()) {
            self.proof.length = Some(length);
        }
        let is_allowed = match &mut one.becomes {
            Becomes::Body => self.count(start),
            Becomes::Form => self.keep_form(start),
            Becomes::Dropped(count) => {
                *count += (self.body.len() - start) as u64;
                let count = *count;
                self.drop_read(start, count)
            }
        };
        if is_allowed {
            self.decoded(decoded);
        }
        true
    }

    /// Keeps what was read of a form from an offset of the body on; returns whether there is not too much.
    fn keep_form(&mut self, start: usize) -> bool {
        self.form.extend(self.body.drain(start..));
        let is_allowed = self.form.len() <= self.limits.reply;
        if !is_allowed {
            self.form.truncate(self.limits.reply);
            self.too_much("bytes in a form", self.limits.reply as u64);
        }
        is_allowed
    }

    /// Drops what was read from an offset of the body on; returns whether there was not too much.
    fn drop_read(&mut self, start: usize, count: u64) -> bool {
        self.body.truncate(start);
        let limit = self.limits.body.filter(|&limit| count > limit);
        if let Some(limit) = limit {
            self.too_much("bytes before the file", limit);
        }
        limit.is_none()
    }

    fn decoded(&mut self, decoded: Decoded) {
        let State::Receiving(one) = &self.state else { return };
        match (decoded, one.becomes) {
            (Decoded::More, _) => {}
            (Decoded::End(_), Becomes::Form) if self.form.is_empty() => self.fail(FailureKind::CutOff),
            (Decoded::End(_), Becomes::Form | Becomes::Dropped(_)) => self.state = State::NextStep,
            (Decoded::End(whole), Becomes::Body) => self.end_object(whole),
            (Decoded::Failed(kind, text), _) => {
                let reply = (!text.is_empty()).then_some(Reply { code: None, text });
                self.fail_with(kind, self.during(), reply);
            }
        }
    }

    #[cfg(any(feature = "prospero", feature = "wais"))]
    /// Takes an object that is one answer.
    pub(super) fn take_whole(&mut self, octets: &[u8]) {
        if self.object.as_ref().is_some_and(|object| object.kind == ObjectKind::Dropped) {
            self.state = State::NextStep;
            return;
        }
        let start = self.body.len();
        self.body.extend_from_slice(octets);
        if self.count(start) {
            self.end_object(Whole::Framed);
        }
    }

    /// Ends an object. Of several ones the end that is known least counts.
    pub(super) fn end_object(&mut self, whole: Whole) {
        self.whole = self.whole.max(Some(whole));
        self.state = State::NextStep;
    }

    /// Counts the octets of the object from an offset of the body on; returns whether they are allowed.
    pub(super) fn count(&mut self, start: usize) -> bool {
        self.octets += (self.body.len() - start) as u64;
        let Some(limit) = self.limits.body.filter(|&limit| self.octets > limit) else { return true };
        let over = usize::try_from(self.octets - limit).unwrap_or(usize::MAX);
        self.body.truncate(self.body.len().saturating_sub(over));
        self.octets = limit;
        self.too_much("bytes in the body", limit);
        false
    }
}
