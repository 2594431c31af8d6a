//! Objects on the control connection: reads and counts their octets.

#[cfg(feature = "wais")]
use locator::plan::ReplyFraming;
use locator::plan::{Framing, Object, ObjectKind};

use super::event::Whole;
use super::framing::{Decoded, Decoder};
use super::state::{Becomes, Receiving, Run, State};
use crate::error::failure::{FailureKind, Reply};

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
