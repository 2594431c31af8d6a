//! The plan of a wais URL: takes a URL, returns the packets that fetch what it identifies. The
//! protocol is Z39.50-1988 with the extensions of WAIS (RFC 1625).

use alloc::vec;
use alloc::vec::Vec;

use super::apdu::{self, SLICE};
use super::document::{WaisDocument, value_error};
use super::{WaisObject, WaisUrl};
use crate::component::SpannedStr;
use crate::plan::{
    Exchange, Framing, Meaning, Message, Object, ObjectKind, On, Plan, PlanError, Protocol, ReplyFraming,
    Slices, Step, Then, Transport,
};
use crate::simd::AsciiSet;

impl WaisUrl<'_> {
    pub(super) fn plan(&self, most: Option<u16>) -> Result<Plan, PlanError> {
        let to = self.login.connection(210, Transport::Tcp, &WAIS)?;
        let database = WAIS.bytes_of("the database", self.database)?;
        let init = Exchange::new(self.packet(apdu::init())?).next(On::Code(1), Meaning::Ready);
        let init = init.on(On::Code(0), Meaning::Refused, Then::Fail);
        let plan = Plan::with_session(vec![Step::Connect(to), init.into()]);
        match self.object {
            // An empty search finds the description of the database, and its catalogue.
            WaisObject::Database => {
                self.find(plan, apdu::search(&database, b"", most), "what describes the database")
            }
            WaisObject::Search(search) => {
                let words = self.words_of(search)?;
                self.find(plan, apdu::search(&database, &words, most), "the list of documents found")
            }
            WaisObject::Document(document) => self.fetch(plan, &database, document),
        }
    }

    /// Retrieves a document slice by slice: the InitResponse of a server limits the size of a
    /// response.
    fn fetch(&self, plan: Plan, database: &[u8], document: WaisDocument<'_>) -> Result<Plan, PlanError> {
        // "Many WAIS implementations require that a client know the "type" of an object prior to
        // retrieval."
        let wtype = WAIS.bytes_of("the type", document.wtype)?;
        let identifier = document.identifier()?;
        for (excerpt, octets, expects) in [
            (document.wtype, &wtype, "the type of a document"),
            (document.wpath, &identifier, "the identifier of a document"),
        ] {
            if octets.is_empty() {
                return Err(value_error(excerpt, expects, document.citation()).into());
            }
        }
        let length = document.octets()?;
        let packet = self.packet(apdu::retrieve(database, &identifier, &wtype))?;
        let kind = match &*wtype {
            b"TEXT" => ObjectKind::Text,
            _ => ObjectKind::Binary,
        };
        let object = Object::new(kind, "the document", Framing::Answer);
        let object = document.media_type().into_iter().fold(object, Object::media_type);
        Ok(plan.then(Slices::new(packet, SLICE, length, object).identifier(&*identifier)))
    }

    /// Sends a search and reads what it finds.
    fn find(&self, plan: Plan, packet: Option<Message>, name: &'static str) -> Result<Plan, PlanError> {
        let search = Exchange::new(self.packet(packet)?);
        Ok(plan.then(search).then(Object::new(ObjectKind::Hits, name, Framing::Answer)))
    }

    /// Only the name of a database can exceed the limit of a packet.
    fn packet(&self, packet: Option<Message>) -> Result<Message, PlanError> {
        let shorter = "the name of a database, shorter,";
        packet.ok_or(value_error(self.database, shorter, "RFC 1738, 3.9").into())
    }

    fn words_of(&self, search: SpannedStr<'_>) -> Result<Vec<u8>, PlanError> {
        if !self.words {
            return WAIS.bytes_of("the search", search);
        }
        let words = search.split("+").map(|word| WAIS.bytes_of("the search", word));
        Ok(words.collect::<Result<Vec<_>, _>>()?.join(&b' '))
    }
}

/// 1F divides databases if several are searched.
static WAIS: Protocol = Protocol {
    name: "WAIS",
    delimiters: AsciiSet::of(b"\x1F"),
    line_end: b"",
    citation: "RFC 1738, 6; RFC 1625",
    replies: ReplyFraming::Packets,
    meanings: &[],
};
