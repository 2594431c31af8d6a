//! Exchanges: sends a message with what belongs in its holes, reads the reply, and follows its case.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use locator::plan::{Case, Exchange, Fresh, Hole, Meaning, Message, MessagePiece, Then};

use super::end::cut_off;
use super::event::{Outcome, Want, Whole};
use super::state::{Purpose, Rest, Run, Sending, State};
use crate::error::failure::{Failure, FailureKind, Reply};
use crate::protocols::ftp::facts::{FactKind, Facts};
use crate::protocols::ftp::reply::Parsed;
use crate::run::resume::Proof;

impl Sending {
    /// Returns what fills a hole of the message.
    pub(super) fn hole(&self, index: usize) -> Want<'_> {
        match holes(&self.exchange.send).nth(index) {
            Some(Hole::Prompt(prompt)) => Want::Ask(prompt),
            _ => Want::Random(16),
        }
    }

    /// Returns the sending of the message, for people.
    pub(super) fn sending(&self) -> String {
        format!("sending {}", shown(&self.exchange.send))
    }

    /// Returns the reading of the reply, for people.
    pub(super) fn reading(&self) -> String {
        match self.exchange.send.is_empty() {
            true => "waiting for the server's greeting".into(),
            false => format!("reading the reply to {}", shown(&self.exchange.send)),
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
fn shown(message: &Message) -> String {
    match message.shown() {
        line if message.is_packet() || line.is_empty() => "the request".into(),
        line => line,
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
        } else if holes(message).any(is_of_slices) {
            self.not_supported("this message of the plan");
        } else {
            self.fill(Box::new(sending), Vec::new());
        }
    }

    fn fill(&mut self, sending: Box<Sending>, filled: Vec<Vec<u8>>) {
        if holes(&sending.exchange.send).nth(filled.len()).is_some() {
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
                    matches!(holes(&sending.exchange.send).nth(filled.len()), Some(Hole::Prompt(_)));
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

    pub(super) fn is_announcement(&self, reply: &Reply) -> bool {
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
                self.state = State::ClosingData(steps, Rest::Dropped);
            }
            _ => self.not_supported("this case of a transfer"),
        }
    }
}
