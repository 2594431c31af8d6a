//! The plan of a gopher URL: takes a URL, returns the lines that fetch an item. Follows RFC 1436,
//! and Gopher+ of July 1993 as RFC 1738, sections 3.4.4 to 3.4.10, writes it in URLs.

use alloc::string::String;
use alloc::vec;

use super::plus::GopherPlus;
use super::{Gopher, GopherUrl, menu};
use crate::form::ValueError;
use crate::plan::{
    Connection, ErrorForm, Exchange, Framing, Line, Next, Object, ObjectKind, Options, Plan, PlanError,
    Prompt, Protocol, ReplyFraming, Step, Transport,
};
use crate::reference::{UriBuf, UriRef};
use crate::scheme::names::ports;
use crate::scheme::planner::Planner;
use crate::simd::AsciiSet;

impl Planner for Gopher {
    fn plan(&self, reference: UriRef<'_>, _: &Options<'_>) -> Result<Plan, PlanError> {
        GopherUrl::of(reference)?.plan()
    }

    fn has_proxies(&self) -> bool {
        true
    }
}

impl GopherUrl<'_> {
    fn plan(&self) -> Result<Plan, PlanError> {
        if let Some(elsewhere) = self.elsewhere() {
            self.login.connection(70, Transport::Tcp, &GOPHER)?;
            return self.lead_to(elsewhere);
        }
        let to = self.login.connection(70, Transport::Tcp, &GOPHER)?;
        // "2: Item is a CSO phone-book server": what follows speaks that server's own language.
        if self.type_octet() == b'2' {
            let why =
                "type 2 is a CSO phone-book server, which uses the protocol Ph on port 105 and not Gopher";
            return Err(PlanError::NoLocation { why, citation: "RFC 1436, 3.8; RFC 2378" });
        }
        let plan = Plan::with_session(vec![Step::Connect(to.clone())]);
        let Some(plus) = self.gopher_plus() else {
            // "If the URL refers to a search to be submitted to a gopher search engine, the search
            // string is required" (draft of 1994).
            let line = match (self.type_octet(), self.search) {
                (b'7', None) => self.asked()?.word("\t").answer(Prompt::Search),
                _ => self.asked()?,
            };
            return Ok(plan.then(Exchange::new(line.end())).then(object_of(self.type_octet())));
        };
        let item = self.item_of_plus(plus);
        let line = match plus {
            GopherPlus::Ask => return self.fill_in(plan, to, item),
            GopherPlus::Filled { view, language, block } => {
                let mut line = self.asked()?.word("\t+").excerpt("the view", view)?;
                if let Some(language) = language {
                    line = line.word(" ").excerpt("the language", language)?;
                }
                let message = line.word("\t1").end().block("the data block", block)?;
                return Ok(plan.then(Exchange::new(message)).then(item));
            }
            GopherPlus::View { .. } | GopherPlus::Attributes { .. } | GopherPlus::Other(_) => {
                let line = self.asked()?.word("\t");
                match self.plus {
                    Some(plus) => line.excerpt("the Gopher+ string", plus)?,
                    None => line,
                }
            }
        };
        Ok(plan.then(Exchange::new(line.end())).then(item))
    }

    /// "Require the client to fetch the item's +ASK attribute to get the form definition, and then
    /// ask the user to fill out the form and return the user's responses" (RFC 1738, 3.4.5). Servers
    /// without "!+ASK" support "!", and those with both return all attributes anyway.
    fn fill_in(&self, plan: Plan, to: Connection, item: Object) -> Result<Plan, PlanError> {
        let attributes = self.asked()?.word("\t!").end();
        let name = "the attributes (+ASK is the form)";
        let plan = plan.then(Exchange::new(attributes));
        let form = Object::new(ObjectKind::Form, name, Framing::GopherPlus).error(ErrorForm::MenuLine);
        let plan = plan.then(form).then(to);
        let message = self.asked()?.word("\t+\t1").end().line(Line::new(&GOPHER, "+-1"));
        let form = Line::new(&GOPHER, "").answer(Prompt::Form);
        let message = message.line(form).line(Line::new(&GOPHER, "."));
        Ok(plan.then(Exchange::new(message)).then(item))
    }

    /// Returns the object of a Gopher+ string.
    fn item_of_plus(&self, plus: GopherPlus<'_>) -> Object {
        let (kind, name) = match plus {
            GopherPlus::Attributes { of_directory: true, .. } => (ObjectKind::Menu, "the attributes"),
            GopherPlus::Attributes { .. } => (ObjectKind::Text, "the attributes"),
            _ => (object_of(self.type_octet()).kind, "the item"),
        };
        Object::new(kind, name, Framing::GopherPlus).error(ErrorForm::MenuLine)
    }

    /// Writes `selector [TAB search]`. An empty search is not sent before a Gopher+ string, as in
    /// the examples of the documents; servers of the time require this. A search engine gets it: it would
    /// take a Gopher+ string in that place for words.
    ///
    /// "the Gopher selector, followed by a tab and the search string (which may be empty), followed by
    /// a tab and the Gopher+ commands" (RFC 1738, 3.4.3)
    fn asked(&self) -> Result<Line, PlanError> {
        let line = Line::new(&GOPHER, "").excerpt("the selector", self.selector)?;
        match self.search {
            None => Ok(line),
            Some(search) if search.is_empty() && self.plus.is_some() && !self.is_search() => Ok(line),
            Some(search) if self.words => {
                let mut line = line.word("\t");
                for (i, word) in search.split("+").enumerate() {
                    line = line.word(if i == 0 { "" } else { " " }).excerpt("the search", word)?;
                }
                Ok(line)
            }
            Some(search) => line.word("\t").excerpt("the search", search),
        }
    }

    /// Whether a Gopher+ string is for a search engine that searches, not for attributes of the engine.
    fn is_search(&self) -> bool {
        let is_searched =
            !matches!(self.gopher_plus(), Some(GopherPlus::Attributes { .. } | GopherPlus::Ask));
        self.type_octet() == b'7' && is_searched
    }

    /// Fetches another URL instead. A link may lead only where an item of a menu may: a file of this
    /// machine, a script or a draft was not asked for.
    fn lead_to(&self, url: String) -> Result<Plan, PlanError> {
        let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
        if self.type_octet() == b'h' && !ports::may_lead(GOPHER_SCHEME, &scheme, false) {
            let expects = "after \"URL:\" a URL of the Web, ftp, gopher, wais or news";
            let span = self.selector.place();
            let citation = "RFC 1738, 6; RFC 4266, 2.1";
            return Err(PlanError::Value(ValueError::Unexpected { span, expects, citation }));
        }
        Ok(Plan::new().then(Next::Url(url)))
    }

    /// "Gopher links which refer to different protocols should be converted into URLs for those
    /// protocols" (draft of 1993).
    fn elsewhere(&self) -> Option<String> {
        let (kind, selector) = (self.type_octet(), self.selector.decode());
        if self.plus.is_some() || self.search.is_some() {
            return None;
        }
        let host = self.login.host_name().ok()?;
        let item = menu::Item {
            kind,
            name: b"",
            selector: &selector,
            host: host.as_bytes(),
            port: self.login.port_number().ok()?.unwrap_or(70),
            plus: None,
        };
        item.leads_elsewhere().then(|| item.url().ok()).flatten().map(UriBuf::into_string)
    }
}

/// The name of the scheme of menus.
const GOPHER_SCHEME: &str = "gopher";

/// Returns the object of an item of this type. Servers send texts with and without a last line ".",
/// and none adds a "." to other lines, so only the last one can be the end.
fn object_of(kind: u8) -> Object {
    let text = |name: &'static str| Object::new(ObjectKind::Text, name, Framing::ConnectionLessDot);
    match kind {
        b'0' => text("a text").media_type("text/plain"),
        b'1' | b'7' => Object::new(ObjectKind::Menu, "a menu", Framing::DotOrConnection),
        b'4' => text("a text in BinHex"),
        b'6' => text("a text in uuencode"),
        b'h' => Object::new(ObjectKind::Binary, "a document", Framing::Connection).media_type("text/html"),
        b'g' => Object::new(ObjectKind::Binary, "an image", Framing::Connection).media_type("image/gif"),
        _ => Object::new(ObjectKind::Binary, "a file", Framing::Connection),
    }
    .error(ErrorForm::MenuLine)
}

// "In the Gopher protocol, Gopher selector strings are a sequence of octets which may contain any
// octets except 09 hexadecimal (US-ASCII HT or tab) 0A hexadecimal (US-ASCII character LF), and
// 0D." RFC 1436 also excludes NUL: `UNASCII ::= ASCII - [Tab CR-LF NUL]`,
// `Selector ::= {UNASCII}`.
static GOPHER: Protocol = Protocol {
    name: "Gopher",
    delimiters: AsciiSet::of(b"\t"),
    line_end: b"\r\n",
    citation: "RFC 1436, appendix",
    replies: ReplyFraming::None,
    meanings: &[],
};
