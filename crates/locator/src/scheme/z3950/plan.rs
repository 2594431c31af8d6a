//! The plan of a Z39.50 URL: takes a URL, returns the program to start, a client of Z39.50, and as notes
//! what it must ask for. Follows RFC 2056.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Z3950, Z3950Url};
use crate::component::SpannedStr;
use crate::plan::{Local, Note, Options, Plan, PlanError, Protocol, ReplyFraming};
use crate::scheme::telnet;
use crate::simd::AsciiSet;

impl Z3950Url<'_> {
    /// Starts the configured program, or `yaz-client`. A database is not one of its words: it could be
    /// an option, or a command of the program.
    pub(super) fn plan(&self, scheme: &Z3950, options: &Options<'_>) -> Result<Plan, PlanError> {
        let words: &[&str] = &["yaz-client", "{host}:{port}"];
        let client = telnet::Client { port: 210, program: words, protocol: &CLIENT };
        let session = telnet::session(&self.login, scheme, client, options)?;
        let plan = match self.request()? {
            fields if fields.is_empty() => Plan::new(),
            fields => {
                let all = fields.iter().map(|(name, value)| alloc::format!("{name} {value}"));
                let text = alloc::format!("ask for {}", all.collect::<Vec<_>>().join(", "));
                let note = Note::new("z3950-request", text);
                Plan::new().note(fields.into_iter().fold(note, |note, (name, value)| note.field(name, value)))
            }
        };
        Ok(plan.then(Local::Start(session)))
    }

    /// Returns what the client asks for, by name.
    fn request(&self) -> Result<Vec<(&'static str, String)>, PlanError> {
        let words = |place: &'static str, each: &mut dyn Iterator<Item = SpannedStr<'_>>| {
            let words = each.map(|word| {
                let octets = CLIENT.bytes_of(place, word)?;
                Ok(String::from_utf8_lossy(&octets).into_owned())
            });
            words.collect::<Result<Vec<String>, PlanError>>().map(|words| (place, words.join(" ")))
        };
        let all = [
            words("database", &mut self.databases())?,
            words("document", &mut self.docid.into_iter())?,
            words("element set", &mut self.element_set.into_iter())?,
            words("record syntax", &mut self.record_syntaxes())?,
        ];
        Ok(all.into_iter().filter(|(_, value)| !value.is_empty()).collect())
    }
}

/// What the URL asks for is typed or pasted by the user.
static CLIENT: Protocol = Protocol {
    name: "the session",
    delimiters: AsciiSet::EMPTY,
    line_end: b"\r\n",
    citation: "RFC 2056",
    replies: ReplyFraming::None,
    meanings: &[],
};
