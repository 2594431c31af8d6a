//! The packets of WAIS: the response to Init, and an answer that is the object itself.

use locator::plan::Meaning;

use super::control::Control;
use super::end::cut_off;
use super::event::Whole;
use super::state::{Run, State};
use crate::error::failure::{FailureKind, Reply};
use crate::protocols::ftp::reply::Parsed;
use crate::protocols::wais::{Diagnostic, Found, InitResponse, LARGEST_ANSWER, SearchResponse, find_packet};

/// What was read of a packet.
enum NextPacket {
    /// Its APDU.
    Whole(Vec<u8>),
    Unfinished,
    Wrong,
    TooLong,
}

impl Control {
    fn take_packet(&mut self, limit: u64) -> NextPacket {
        let unread = self.unread();
        match find_packet(unread, limit) {
            Found::Packet(range) => {
                let (apdu, end) = (unread.get(range.clone()).unwrap_or_default().to_vec(), range.end);
                self.use_up(end);
                NextPacket::Whole(apdu)
            }
            Found::Unfinished => NextPacket::Unfinished,
            Found::Wrong => NextPacket::Wrong,
            Found::TooLong => NextPacket::TooLong,
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
    pub(super) fn diagnosed(&mut self, diagnostic: &Diagnostic<'_>) {
        let reply = Reply { code: None, text: diagnostic.to_string().into_bytes() };
        self.said(diagnostic.meaning(), reply);
    }

    /// The answer is one to another request.
    pub(super) fn out_of_step(&mut self, reference: &[u8]) {
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
