//! Access methods: takes the attributes of an object (Prospero), and goes on with the URL of a method
//! that the driver's policy allows, with the contents, or with a list.

use locator::UriBuf;
use locator::plan::{Meaning, Next};
use locator::scheme::ProsperoParts;

use super::event::{Destination, Outcome, Way};
use super::state::{Choosing, Run, State};
use crate::error::failure::{FailureKind, Reply};
use crate::protocols::prospero::{
    self, Attribute, Link, Method, MethodError, MethodKind, Place, Reason, host_of,
};

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
            Err(Reason::Failed(failed)) => {
                return self.said(failed.means, Reply { code: None, text: failed.line });
            }
            Err(Reason::Forwarded(link)) => return self.forwarded(&link, &wanted),
        };
        if let Some((name, _)) = wanted.iter().find(|wanted| !has(&attributes, wanted)) {
            return self.differs(&attributes, name);
        }
        let methods = Method::all(&attributes);
        if methods.is_empty() {
            return self.put_first(list);
        }
        let port = Some(self.port).filter(|&port| port != USUAL_PORT);
        let place = Place { host: &self.host, port, name: &name };
        let ways = methods.iter().map(|method| way(method, place)).collect();
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
        match forward(link, wanted) {
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

fn has(attributes: &[Attribute], (name, value): &(Vec<u8>, Vec<u8>)) -> bool {
    attributes.iter().any(|one| one.name.eq_ignore_ascii_case(name) && one.has(value))
}

fn way(method: &Method, place: Place<'_>) -> Way {
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
fn forward(link: &Link, wanted: &[(Vec<u8>, Vec<u8>)]) -> Option<UriBuf> {
    let mut parts = ProsperoParts::new(host_of(&link.host)?, link.object.as_slice());
    if link.version > 0 {
        parts = parts.version(link.version);
    }
    let parts =
        wanted.iter().fold(parts, |parts, (name, value)| parts.field(name.as_slice(), value.as_slice()));
    parts.build().ok()
}
