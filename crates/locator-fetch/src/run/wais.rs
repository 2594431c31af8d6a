//! WAIS: the response to Init, an answer that is the object itself, and documents, which are read slice by
//! slice: the only loop of a plan. It ends because each slice but the last one is as long as it was asked for, and
//! offsets have ten digits.

use locator::plan::{Exchange, Fresh, Hole, Meaning, MessagePiece, Slices};

use super::event::Whole;
use super::framing::ControlConnection;
use super::state::{Purpose, Run, Sending, SliceSize, Slicing, State, cut_off};
use crate::error::failure::{FailureKind, Reply};
use crate::protocols::ftp::Parsed;
use crate::protocols::wais::{
    Diagnostic, InitResponse, LARGEST_ANSWER, PacketSearch, SearchResponse, find_packet,
};

/// What was read of a packet.
enum NextPacket {
    /// Its APDU.
    Whole(Vec<u8>),
    Unfinished,
    Wrong,
    TooLong,
}

impl ControlConnection {
    fn take_packet(&mut self, limit: u64) -> NextPacket {
        let unread = self.unread();
        match find_packet(unread, limit) {
            PacketSearch::Packet(range) => {
                let (apdu, end) = (unread.get(range.clone()).unwrap_or_default().to_vec(), range.end);
                self.use_up(end);
                NextPacket::Whole(apdu)
            }
            PacketSearch::Unfinished => NextPacket::Unfinished,
            PacketSearch::Wrong => NextPacket::Wrong,
            PacketSearch::TooLong => NextPacket::TooLong,
        }
    }

    /// Takes the response to Init, whose code is its result. It says how much the server sends at once.
    pub(super) fn take_init_response(&mut self, limit: usize) -> Parsed {
        let apdu = match self.take_packet(LARGEST_ANSWER.min(limit as u64)) {
            NextPacket::Whole(apdu) => apdu,
            NextPacket::Unfinished => return Parsed::Unfinished,
            NextPacket::Wrong => return Parsed::Wrong,
            NextPacket::TooLong => return Parsed::TooLong,
        };
        let Ok(response) = InitResponse::parse(&apdu) else { return Parsed::Wrong };
        self.states_largest = response.largest.is_some();
        self.largest_answer = response.largest.unwrap_or(LARGEST_ANSWER).min(LARGEST_ANSWER);
        // What was read is used up already.
        Parsed::Reply(Reply { code: Some(response.result.into()), text: Vec::new() }, 0)
    }
}

impl Run {
    /// Reads an answer; returns whether there was one, or will be none.
    pub(super) fn read_answer(&mut self) -> bool {
        let limit = self.control.largest_answer;
        match (self.control.take_packet(limit), self.control.ending) {
            (NextPacket::Whole(apdu), _) => self.take_answer(&apdu),
            (NextPacket::Unfinished, None) => return false,
            (NextPacket::Unfinished, Some(ending)) => self.no_answer(cut_off(ending)),
            (NextPacket::Wrong, _) => self.fail(FailureKind::Garbled(self.control.name())),
            (NextPacket::TooLong, _) => self.too_much("bytes in a response", limit),
        }
        true
    }

    fn take_answer(&mut self, apdu: &[u8]) {
        self.has_moved = true;
        let Ok(answer) = SearchResponse::parse(apdu) else {
            return self.fail(FailureKind::Garbled(self.control.name()));
        };
        match std::mem::replace(&mut self.state, State::NextStep) {
            State::AwaitingSlice(slicing) => self.take_slice(slicing, &answer),
            other => {
                self.state = other;
                self.take_hits(apdu, &answer);
            }
        }
    }

    /// Takes the answer to a search, which is the object.
    fn take_hits(&mut self, apdu: &[u8], answer: &SearchResponse<'_>) {
        if let Some(reference) = answer.reference {
            return self.out_of_step(reference);
        }
        if let (true, Some(diagnostic)) = (answer.hits.is_empty(), answer.diagnostics.first()) {
            return self.diagnosed(diagnostic);
        }
        self.take_whole(apdu);
    }

    /// The server said what it cannot do.
    fn diagnosed(&mut self, diagnostic: &Diagnostic<'_>) {
        let reply = Reply { code: None, text: diagnostic.to_string().into_bytes() };
        self.said(diagnostic.meaning(), reply);
    }

    /// The answer is one to another request.
    fn out_of_step(&mut self, reference: &[u8]) {
        let reference = String::from_utf8_lossy(reference);
        let text = format!("response to request {reference}").into_bytes();
        self.said(Meaning::Unexpected, Reply { code: None, text });
    }

    /// There is no answer and will be none.
    fn no_answer(&mut self, kind: FailureKind) {
        match &self.state {
            // All that the URL announced was read, and the server closes instead of an answer.
            State::AwaitingSlice(slicing)
                if slicing.is_at_length()
                    && kind == FailureKind::CutOff
                    && self.control.unread().is_empty() =>
            {
                self.end_object(Whole::Unverified);
            }
            _ => self.fail(kind),
        }
    }
}

/// The number of octets of an answer besides the slice, in addition to those of the request: both
/// contain the identifier of the document.
const AROUND: u64 = 100;

/// The number of equal slices, one after the other, from which on a server is thought to send the same
/// slice whatever it is asked for, unless it repeats the numbers of the requests.
const REPEATS: u32 = 250;

/// The number of octets of such slices that is enough.
const REPEATED: u64 = 2_500_000;

impl Slicing {
    /// Returns whether all was read that the URL announced.
    pub(super) fn is_at_length(&self) -> bool {
        self.slices.length == Some(self.start)
    }

    /// Returns the number of octets of a slice that the server can send in one answer.
    fn size(&self, largest_answer: u64) -> Option<u64> {
        let octets = |piece: &MessagePiece| match piece {
            MessagePiece::Bytes(octets) => octets.len(),
            MessagePiece::Fresh(fresh) => fresh.width(),
            _ => 0,
        };
        let request: usize = self.slices.packet.pieces().iter().map(octets).sum();
        let room = largest_answer.saturating_sub(request as u64 + AROUND);
        let first = self.slices.slice.max(1);
        // After the length of the URL the only question is whether the document ends there.
        let is_large = self.size == SliceSize::Largest && !self.is_at_length();
        let wanted = if is_large { first.max(room) } else { first };
        let size = wanted.min(room);
        (size >= first.min(Slices::LEAST)).then_some(size)
    }

    /// Returns the octets of the request for the slice.
    fn request(&self) -> Option<Vec<u8>> {
        let digits = |hole: Hole<'_>| match hole {
            Hole::Fresh(Fresh::SliceStart) => self.start.to_string().into_bytes(),
            Hole::Fresh(Fresh::SliceEnd) => self.end.to_string().into_bytes(),
            Hole::Fresh(Fresh::SliceNumber) => self.number.to_string().into_bytes(),
            _ => Vec::new(),
        };
        self.slices.packet.with_input(digits).ok()
    }

    /// Returns whether an answer is one to the present request. Some servers may not repeat its number.
    fn is_answered_by(&self, answer: &SearchResponse<'_>) -> bool {
        let number = |reference| str::from_utf8(reference).ok().and_then(|digits| digits.parse().ok());
        answer.reference.is_none_or(|reference| number(reference) == Some(self.number))
    }

    /// Returns whether a diagnostic only says that the document ends before the slice does. Servers send
    /// the same code for a document that they do not have.
    fn is_after_end(&self, diagnostic: &Diagnostic<'_>, answer: &SearchResponse<'_>) -> bool {
        let is_about_range = diagnostic.text.to_ascii_lowercase().starts_with(b"request out of range");
        let is_there = self.start > 0 || answer.text.is_some() || is_about_range;
        self.is_at_length() || diagnostic.is_out_of_range() && is_there
    }

    /// Returns whether a slice may be short because the server sends less at once than it has said. Then
    /// the rest is asked for in slices that any server sends.
    fn may_be_cut(&self, octets: &[u8]) -> bool {
        self.end - self.start > self.slices.slice && !octets.is_empty()
    }

    /// Returns whether a slice equals those before it so often that it is no progress.
    fn is_no_progress(&mut self, octets: &[u8]) -> bool {
        self.repeats = if octets == self.last { self.repeats + 1 } else { 0 };
        if self.repeats == 0 {
            self.last = octets.into();
        }
        self.repeats >= REPEATS || u64::from(self.repeats) * octets.len() as u64 >= REPEATED
    }
}

impl Run {
    /// Begins to read a document.
    pub(super) fn begin_slices(&mut self, slices: Slices) {
        self.object = Some(slices.object.clone());
        let size = SliceSize::First;
        let slicing = Slicing { slices, number: 0, start: 0, end: 0, size, last: Vec::new(), repeats: 0 };
        self.ask_slice(slicing.into());
    }

    fn ask_slice(&mut self, mut slicing: Box<Slicing>) {
        let Some(size) = slicing.size(self.control.largest_answer) else {
            return self.not_supported("a server with responses this short");
        };
        if slicing.start >= Slices::MOST_OCTETS {
            return self.too_much("bytes in a document in slices", Slices::MOST_OCTETS);
        }
        slicing.number += 1;
        slicing.end = (slicing.start + size).min(Slices::MOST_OCTETS);
        // The URL may be wrong about the length: what follows it is asked for, too.
        if let Some(length) = slicing.slices.length.filter(|&length| length > slicing.start) {
            slicing.end = slicing.end.min(length);
        }
        let exchange = Exchange::new(slicing.slices.packet.clone());
        match slicing.request() {
            Some(octets) => {
                let sending = Sending { exchange, purpose: Purpose::Slice(slicing) };
                self.state = State::Sending(sending.into(), octets, 0);
            }
            None => self.not_supported("this message of the plan"),
        }
    }

    /// Takes the answer to the request for a slice.
    fn take_slice(&mut self, mut slicing: Box<Slicing>, answer: &SearchResponse<'_>) {
        if let Some(reference) = answer.reference.filter(|_| !slicing.is_answered_by(answer)) {
            return self.slice_failed(slicing, |run| run.out_of_step(reference));
        }
        let is_end = match answer.diagnostics.first() {
            None => false,
            Some(diagnostic) if slicing.is_after_end(diagnostic, answer) => true,
            Some(diagnostic) => return self.slice_failed(slicing, |run| run.diagnosed(diagnostic)),
        };
        if answer.text.is_some_and(|text| !text.is_of(&slicing.slices.identifier)) {
            return self.slice_failed(slicing, Self::of_another_document);
        }
        let octets = answer.text.map_or(&[][..], |text| text.octets);
        let wanted = slicing.end - slicing.start;
        let is_no_document = answer.text.is_none() && !is_end && slicing.start == 0;
        if is_no_document || octets.len() as u64 > wanted {
            let kind = FailureKind::Garbled(self.control.name());
            return self.slice_failed(slicing, |run| run.fail(kind));
        }
        let start = self.body.len();
        self.body.extend_from_slice(octets);
        if !self.count(start) {
            return;
        }
        if is_end || (octets.len() as u64) < wanted && !slicing.may_be_cut(octets) {
            return self.end_object(Whole::Framed);
        }
        // A slice that answers its own request, or one of the length that the URL announced, is progress.
        let is_progress = answer.reference.is_some() || slicing.slices.length >= Some(slicing.end);
        if !is_progress && slicing.is_no_progress(octets) {
            return self.slice_failed(slicing, |run| run.fail(FailureKind::NoProgress));
        }
        slicing.start += octets.len() as u64;
        slicing.size = match slicing.size {
            // The slices of the reference client have 10,000 octets; each costs the time of a round trip.
            SliceSize::First if self.control.states_largest => SliceSize::Largest,
            SliceSize::Largest if (octets.len() as u64) < wanted => SliceSize::Least,
            size => size,
        };
        self.ask_slice(slicing);
    }

    /// The server sent a part of another document.
    fn of_another_document(&mut self) {
        let text = b"a part of another document".into();
        self.said(Meaning::Unexpected, Reply { code: None, text });
    }

    /// Ends the run in the state of waiting for the slice, which the failure is described by.
    fn slice_failed(&mut self, slicing: Box<Slicing>, fail: impl FnOnce(&mut Self)) {
        self.state = State::AwaitingSlice(slicing);
        fail(self);
    }
}
