//! Prospero: a message of an exchange is the request of a call of ARDP, whose answer is read by the step after
//! it. Of the access methods in the attributes of an object the run goes on with the URL of one that the driver's
//! policy allows, with the contents, or with a list.

use locator::UriBuf;
use locator::plan::{Framing, Meaning, Next, Object, ObjectKind, ReplyFraming, Step};
use locator::scheme::ProsperoParts;

use super::event::{Destination, Outcome, Want, Way};
use super::state::{Calling, Choosing, Run, State};
use crate::error::failure::{FailureKind, Reply};
use crate::protocols::ardp::{self, Call, CallError};
use crate::protocols::prospero::{
    self, Attribute, AttributesError, Link, LinkedObject, Method, MethodError, MethodKind, host_of,
};

impl Calling {
    pub(super) fn want(&self) -> Want<'_> {
        match self.call.want() {
            ardp::CallWant::Send(datagram) => Want::SendDatagram(datagram),
            ardp::CallWant::Wait | ardp::CallWant::Done(_) => Want::ReadDatagram,
        }
    }

    /// Returns for how long the server asked to wait.
    pub(super) const fn pause(&self) -> u64 {
        self.call.pause()
    }

    pub(super) const fn wake_at(&self) -> Option<u64> {
        self.call.wake_at()
    }

    /// Returns the reading of the answer, for people.
    pub(super) fn reading(&self) -> String {
        self.sending.reading()
    }
}

impl Run {
    pub(super) fn has_datagrams(&self) -> bool {
        self.control.protocol().is_some_and(|protocol| protocol.replies == ReplyFraming::Datagrams)
    }

    /// Begins a call with a random number.
    pub(super) fn numbered(&mut self, random: &[u8], now: u64) {
        let State::Numbering(sending, octets) = std::mem::replace(&mut self.state, State::NextStep) else {
            return;
        };
        if !sending.exchange.cases.is_empty() {
            return self.not_supported("replies to datagrams");
        }
        self.has_moved = true;
        let number = random.first_chunk().map_or(0, |&octets| u16::from_be_bytes(octets));
        let limits = ardp::CallLimits { octets: self.longest_answer(), ..ardp::CallLimits::default() };
        let mut call = Call::new(&octets, number.max(1), limits);
        call.handle(ardp::CallEvent::Time, now);
        self.state = State::Calling(Box::new(Calling { sending: *sending, call }));
    }

    /// Returns the number of octets that the next answer may have.
    fn longest_answer(&self) -> usize {
        let most = ardp::CallLimits::default().octets;
        match self.steps.front() {
            Some(Step::Receive(object)) if object.kind == ObjectKind::Attributes => self.limits.reply,
            // An octet may need two in a quotation.
            _ => self.limits.body.map_or(most, |body| {
                let longest = body.saturating_mul(2).saturating_add(self.limits.reply as u64);
                most.min(usize::try_from(longest).unwrap_or(most))
            }),
        }
    }

    /// Takes what happened to a call.
    pub(super) fn call(&mut self, event: ardp::CallEvent<'_>, now: u64) {
        if let State::Calling(one) = &mut self.state {
            let before = one.call.progress();
            one.call.handle(event, now);
            self.has_moved |= one.call.progress() != before;
        }
    }

    /// Ends a call that has ended; returns whether it has.
    pub(super) fn end_call(&mut self) -> bool {
        let State::Calling(one) = &self.state else { return false };
        let ardp::CallWant::Done(end) = one.call.want() else { return false };
        match end.map_err(Clone::clone) {
            Ok(()) => {
                self.has_moved = true;
                self.answer = one.call.answer().into();
                self.state = State::NextStep;
            }
            Err(error) => self.call_failed(error),
        }
        true
    }

    fn call_failed(&mut self, error: CallError) {
        let too_much = |what, limit: u64| FailureKind::TooMuch { what, limit };
        self.fail(match error {
            CallError::Refused(text) => return self.said(Meaning::Refused, Reply { code: None, text }),
            CallError::Redirected(to) => return self.finish(Outcome::Redirected(to.into())),
            CallError::Silent => FailureKind::TimedOut(ardp::CallLimits::default().silence()),
            CallError::Garbled => FailureKind::Garbled("ARDP"),
            CallError::TooLong(limit) => too_much("bytes in a response", limit as u64),
            CallError::TooMany(limit) => too_much("useless datagrams", limit.into()),
            CallError::WaitsTooOften(limit) => too_much("requests to wait", limit.into()),
            CallError::WaitsTooLong(_) => FailureKind::Said(Meaning::Busy),
            CallError::RequestTooLong => FailureKind::NotSupported("a request of this length"),
        });
    }

    /// Reads an object that is the answer to the last call.
    pub(super) fn receive_answer(&mut self, object: Object) {
        let answer = std::mem::take(&mut self.answer);
        if object.kind == ObjectKind::Attributes {
            self.attributes = answer;
            return;
        }
        let is_contents = object.end == Framing::Contents;
        if is_contents && !self.list.is_empty() && prospero::has_nothing(&answer) {
            // The methods of a directory were those of a file.
            let list = std::mem::take(&mut self.list);
            return self.put_first(list);
        }
        self.object = Some(object);
        if let Some(failed) = prospero::failure(&answer) {
            return self.said(failed.means, Reply { code: None, text: failed.line });
        }
        let octets = if is_contents { prospero::contents(&answer) } else { Some(answer) };
        let Some(octets) = octets else {
            return self.fail(FailureKind::Garbled(self.control.name()));
        };
        self.take_whole(&octets);
    }
}

/// The port that a URL of Prospero without one means. It is not that of a method.
const USUAL_PORT: u16 = 1525;

impl Run {
    /// Goes on to another URL.
    pub(super) fn go_on_with(&mut self, next: Next) {
        let Next::AccessMethod { name, wanted, contents, list } = next else {
            return self.finish(Outcome::GoOn(next));
        };
        let attributes = match prospero::attributes(&std::mem::take(&mut self.attributes)) {
            Ok(attributes) => attributes,
            Err(AttributesError::Failed(failed)) => {
                return self.said(failed.means, Reply { code: None, text: failed.line });
            }
            Err(AttributesError::Forwarded(link)) => return self.forwarded(&link, &wanted),
        };
        if let Some((name, _)) = wanted.iter().find(|wanted| !has_attribute(&attributes, wanted)) {
            return self.differs(&attributes, name);
        }
        let methods = Method::all(&attributes);
        if methods.is_empty() {
            return self.put_first(list);
        }
        let port = Some(self.port).filter(|&port| port != USUAL_PORT);
        let place = LinkedObject { host: &self.host, port, name: &name };
        let ways = methods.iter().map(|method| way_of_method(method, place)).collect();
        self.state = State::Choosing(Box::new(Choosing { ways, contents, list }));
    }

    /// The driver has chosen one of the ways.
    pub(super) fn chosen(&mut self, index: usize) {
        let State::Choosing(one) = std::mem::replace(&mut self.state, State::NextStep) else { return };
        self.has_moved = true;
        match one.ways.into_iter().nth(index).map(|way| way.to) {
            Some(Destination::Url(url) | Destination::File(url)) => {
                self.finish(Outcome::GoOn(Next::Url(url)));
            }
            Some(Destination::Server) => {
                self.list = one.list;
                self.put_first(one.contents);
            }
            _ => self.not_supported("this access method"),
        }
    }

    /// The object is elsewhere, with the same attributes.
    fn forwarded(&mut self, link: &Link, wanted: &[(Vec<u8>, Vec<u8>)]) {
        match forwarded_url(link, wanted) {
            Some(url) => self.finish(Outcome::GoOn(Next::Url(url.to_string()))),
            None => self.fail(FailureKind::Garbled(self.control.name())),
        }
    }

    /// The object has other attributes than the URL says.
    fn differs(&mut self, attributes: &[Attribute], name: &[u8]) {
        let found = attributes.iter().filter(|one| one.name.eq_ignore_ascii_case(name));
        let values: Vec<_> = found.map(|one| one.values.join(&b' ')).collect();
        let shown = String::from_utf8_lossy(name).into_owned();
        let text = [name, b" is ", &values.join(&b", "[..])].concat();
        let reply = (!values.is_empty()).then_some(Reply { code: None, text });
        let during = format!("comparing the attribute {shown} with that of the URL");
        self.fail_with(FailureKind::Said(Meaning::Missing), during, reply);
    }
}

fn has_attribute(attributes: &[Attribute], (name, value): &(Vec<u8>, Vec<u8>)) -> bool {
    attributes.iter().any(|one| one.name.eq_ignore_ascii_case(name) && one.has(value))
}

fn way_of_method(method: &Method, place: LinkedObject<'_>) -> Way {
    let is_file = method.kind.is_some_and(MethodKind::reads_files);
    let to = match method.url(place) {
        Ok(url) if is_file => Destination::File(url.to_string()),
        Ok(url) => Destination::Url(url.to_string()),
        Err(MethodError::Contents) => Destination::Server,
        Err(why) => Destination::Nowhere(why.to_string()),
    };
    Way { method: String::from_utf8_lossy(&method.name).into_owned(), to }
}

/// Returns the URL of the object that a link leads to.
fn forwarded_url(link: &Link, wanted: &[(Vec<u8>, Vec<u8>)]) -> Option<UriBuf> {
    let mut parts = ProsperoParts::new(host_of(&link.host)?, link.object.as_slice());
    if link.version > 0 {
        parts = parts.version(link.version);
    }
    let parts =
        wanted.iter().fold(parts, |parts, (name, value)| parts.field(name.as_slice(), value.as_slice()));
    parts.build().ok()
}
