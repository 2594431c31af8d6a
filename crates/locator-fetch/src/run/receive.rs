//! Objects on the control connection: reads and counts their octets.

use locator::plan::{Framing, Object, ObjectKind, ReplyFraming};

use super::Whole;
use super::failure::FailureKind;
use super::framing::{Decoded, Decoder};
use super::machine::{Run, State};
use super::reply::Reply;

/// An object that is read from the control connection.
#[derive(Debug)]
pub(super) struct Receiving {
    decoder: Decoder,
    is_form: bool,
}

impl Run {
    pub(super) fn receive(&mut self, object: Object) {
        if object.end == Framing::Answer && self.control.framing() == ReplyFraming::Packets {
            self.object = Some(object);
            self.state = State::AwaitingAnswer;
            return;
        }
        let Some(decoder) = Decoder::new(&object) else { return self.not_supported("this object") };
        let is_form = object.kind == ObjectKind::Form;
        self.object = Some(object);
        self.state = State::Receiving(Box::new(Receiving { decoder, is_form }));
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
        if let Some(length) = one.decoder.announced() {
            self.proof.length = Some(length);
        }
        if one.is_form {
            self.form.extend(self.body.drain(start..));
            if self.form.len() > self.limits.reply {
                self.form.truncate(self.limits.reply);
                self.too_much("octets of a form", self.limits.reply as u64);
                return true;
            }
        } else if !self.count(start) {
            return true;
        }
        self.decoded(decoded);
        true
    }

    fn decoded(&mut self, decoded: Decoded) {
        let State::Receiving(one) = &self.state else { return };
        match decoded {
            Decoded::More => {}
            Decoded::End(_) if one.is_form && self.form.is_empty() => self.fail(FailureKind::CutOff),
            Decoded::End(_) if one.is_form => self.state = State::NextStep,
            Decoded::End(whole) => self.end_object(whole),
            Decoded::Failed(kind, text) => {
                let reply = (!text.is_empty()).then_some(Reply { code: None, text });
                self.fail_with(kind, self.during(), reply);
            }
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
        self.too_much("octets of the object", limit);
        false
    }
}
