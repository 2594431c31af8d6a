//! The transfers of FTP: learns a port (`ftp/port`), opens the data connection, and watches both
//! connections.

use locator::plan::{Case, Exchange, Meaning, On, Then, Transfer};

use super::end::cut_off;
use super::event::{Ending, Outcome, Whole};
use super::state::{Purpose, Rest, Run, Sending, State, Transferring};
use crate::error::failure::{ConnectCause, Detail, Failure, FailureKind, Reply};
use crate::protocols::ftp::port::{NoPort, PortAttempt};

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
    pub(super) fn replied_port(&mut self, attempt: PortAttempt, reply: Reply) {
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
    pub(super) fn begin_transfer(&mut self, transfer: Transfer) {
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
        self.state = State::ClosingData(steps, Rest::Kept);
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
    pub(super) fn replied_after(&mut self, mut one: Box<Transferring>, reply: Reply) {
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
            self.state = State::ClosingData(after, Rest::Kept);
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
        self.state = State::ClosingData(after, Rest::Kept);
    }

    /// The data connection is closed.
    pub(super) fn closed(&mut self) {
        match std::mem::replace(&mut self.state, State::NextStep) {
            State::ClosingData(steps, rest) => {
                if rest == Rest::Dropped {
                    self.drop_steps();
                }
                self.put_first(steps);
            }
            other => self.state = other,
        }
    }
}
