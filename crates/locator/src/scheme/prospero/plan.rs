//! The plan of a prospero URL: takes a URL, returns the requests for the link's access methods. The
//! protocols are Prospero, version 5, and ARDP, its reliable datagram protocol.

use alloc::vec;
use alloc::vec::Vec;

use super::{ProsperoUrl, is_version};
use crate::component::SpannedStr;
use crate::form::ValueError;
use crate::plan::{
    Exchange, Framing, Line, Message, Next, Object, ObjectKind, Plan, PlanError, Protocol, ReplyFraming,
    Step, Transport, check_count,
};
use crate::simd::AsciiSet;

/// The most fields of a plan.
const MOST_FIELDS: usize = 1_000;

impl ProsperoUrl<'_> {
    /// "Prospero URLs are interpreted by contacting a Prospero directory server on the specified
    /// host and port to determine appropriate access methods for a resource, which might themselves
    /// be represented as different URLs."
    pub(super) fn plan(&self) -> Result<Plan, PlanError> {
        let to = self.login.connection(1525, Transport::Udp, &PROSPERO)?;
        check_count(self.attributes().chain(self.fields().map(|(name, _)| name)), "fields", MOST_FIELDS)?;
        let ask = |message, kind, name, end| {
            let request = Exchange::new(self.checked(message)?);
            Ok::<_, PlanError>(vec![request.into(), Object::new(kind, name, end).into()])
        };
        let attributes = "the attributes of the object";
        let first = ask(self.attributes_request()?, ObjectKind::Attributes, attributes, Framing::Answer)?;
        let contents = ask(self.contents_request()?, ObjectKind::Unknown, "the object", Framing::Contents)?;
        let links = "the links of the directory";
        let list = ask(self.list_request()?, ObjectKind::Links, links, Framing::Answer)?;
        let (name, wanted) = (self.hsoname.decode().into_owned(), self.wanted());
        let plan = Plan::with_session(vec![Step::Connect(to)]).then_all(first);
        Ok(plan.then(Next::AccessMethod { name, wanted, contents, list }))
    }

    /// Requests the access methods, and the attributes of the link that the URL contains. The size
    /// is also requested, because servers do not examine a file for its access methods alone, and the
    /// modes, because with them servers name no methods for a directory.
    fn attributes_request(&self) -> Result<Message, PlanError> {
        let mut line = Line::new(&PROSPERO, "GET-OBJECT-INFO ACCESS-METHOD+SIZE+UNIX-MODES");
        let fields = self.fields().filter(|field| !is_version(field)).map(|(name, _)| name);
        for name in self.attributes().chain(fields) {
            if name.is_empty() {
                return Err(value_error(name, "the name of a field"));
            }
            line = line.word("+").excerpt("the name of a field", name)?;
        }
        Ok(self.of_version(line)?.end())
    }

    /// Requests the octets of the object.
    fn contents_request(&self) -> Result<Message, PlanError> {
        Ok(self.of_version(Line::new(&PROSPERO, "GET-OBJECT-INFO CONTENTS"))?.end())
    }

    /// Requests the links of a directory, and the access methods of what they lead to.
    fn list_request(&self) -> Result<Message, PlanError> {
        let directory = self.named(Line::new(&PROSPERO, "DIRECTORY"))?;
        Ok(directory.end().line(Line::new(&PROSPERO, "LIST ATTRIBUTES COMPONENTS")))
    }

    /// Appends the name.
    fn named(&self, line: Line) -> Result<Line, PlanError> {
        line.word(" ASCII ").quoted("the name", self.hsoname, PLAIN)
    }

    /// Appends the name and the version.
    fn of_version(&self, line: Line) -> Result<Line, PlanError> {
        let line = self.named(line)?.word(" ");
        match self.version() {
            None => Ok(line.word("0")),
            Some(version) if version.decode().iter().all(u8::is_ascii_digit) => {
                line.excerpt("the version", version)
            }
            Some(version) => Err(value_error(version, "the number of a version")),
        }
    }

    /// Returns a message if it is short enough: the packets of ARDP are numbered in two octets.
    fn checked(&self, message: Message) -> Result<Message, PlanError> {
        match message.to_bytes().len() <= PACKET * usize::from(u16::MAX) {
            true => Ok(message),
            false => Err(value_error(self.hsoname, "a shorter name")),
        }
    }

    /// "These fields serve to identify the target of the URL": an object with another value does
    /// not match.
    fn wanted(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        let fields = self.fields().filter(|field| !is_version(field));
        fields.map(|(name, value)| (name.decode().into_owned(), value.decode().into_owned())).collect()
    }
}

/// The number of octets of a request in one packet.
const PACKET: usize = 1250;

const fn value_error(excerpt: SpannedStr<'_>, expects: &'static str) -> PlanError {
    PlanError::Value(ValueError::Unexpected { span: excerpt.place(), expects, citation: "RFC 1738, 3.11" })
}

/// Blanks divide words, "+" options; "'" quotes, and brackets follow an option.
static PROSPERO: Protocol = Protocol {
    name: "Prospero",
    delimiters: AsciiSet::of(b" \t'+()"),
    line_end: b"\n",
    citation: "RFC 1738, 6; the Prospero protocol, version 5",
    replies: ReplyFraming::Datagrams,
    meanings: &[],
};

/// The characters that need no quoting in a name.
const PLAIN: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT).union(AsciiSet::of(b"-._/"));
