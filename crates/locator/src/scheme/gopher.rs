//! The gopher scheme: takes a URL, returns the first octet that breaks the edition's rule for it,
//! its parts, or the line that fetches an item. Follows "Gopher" of the draft of 1993, "Overall
//! summary and examples" of that of 1994, and RFC 1738, section 3.4; the protocols are those of RFC
//! 1436 and Gopher+ of July 1993. Menus and attributes, the responses of servers, have their own
//! files.

pub mod attributes;
pub mod menu;
mod parts;
mod plus;
mod rules;

pub use parts::GopherParts;
pub use plus::{GopherPlus, GopherPlusParts};

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::field::{Field, Fields};
use super::login::Login;
use super::{Equivalences, OwnPart, Scheme, SchemeRule, Shape};
use crate::component::SpannedStr;
use crate::edition::{Edition, GopherSearch, rfc1738};
use crate::exchange::{
    Action, Framing, Line, Options, Plan, PlanError, Prompt, Protocol, Response, Transport,
};
use crate::form::{Syntax, SyntaxError};
use crate::reference::{UriBuf, UriRef};
use crate::simd::AsciiSet;

/// The scheme of items of Gopher servers.
#[derive(Debug)]
pub(super) struct Gopher;

impl Scheme for Gopher {
    fn names(&self) -> &'static [&'static str] {
        &["gopher"]
    }

    fn object(&self) -> &'static str {
        "a menu, document, search result or Gopher+ item"
    }

    fn form(&self) -> Syntax {
        Syntax {
            text: "gopher://host[:port][/[type[selector[%09search[%09gopher+]]]]]",
            see: "RFC 1738, 3.4.1",
        }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &rules::RULES
    }

    fn default_port(&self) -> Option<u16> {
        Some(70)
    }
}

impl Equivalences for Gopher {
    // "The entire <gopher-path> may also be empty, in which case the delimiting "/" is also
    // optional and the <gophertype> defaults to "1"" (RFC 1738, 3.4.1). What follows a "?" may be
    // the selector.
    fn normal_path<'a>(&self, path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        let is_all = reference.authority().is_some() && reference.query().is_none();
        Cow::Borrowed(if is_all && matches!(path, "" | "/1") { "/" } else { path })
    }

    // "Within the <gopher-path>, no characters are reserved" (RFC 1738, 3.4.1): "/" divides
    // nothing.
    fn is_hierarchical(&self) -> bool {
        false
    }
}

#[cfg(feature = "plan")]
impl super::Planner for Gopher {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        GopherUrl::of(reference).map(|url| url.fields())
    }

    fn own_parts(&self, edition: &Edition) -> &'static [OwnPart] {
        match edition.forms.gopher_search {
            GopherSearch::QuestionMark => &OWN_1993,
            GopherSearch::Tab => &OWN,
        }
    }

    fn plan(&self, reference: UriRef<'_>, options: &Options<'_>) -> Result<Plan, PlanError> {
        GopherUrl::of(reference)?.plan(options)
    }

    fn has_proxies(&self) -> bool {
        true
    }
}

/// A gopher URL.
///
/// ```
/// use locator::scheme::{GopherPlus, GopherUrl};
///
/// let url = GopherUrl::of(locator::uri_ref!("gopher://h/00/a%20b%09%09!+ABSTRACT%20+SMELL")).unwrap();
/// assert_eq!((url.item_type(), url.selector.decode().as_ref()), (b'0', &b"0/a b"[..]));
/// let Some(GopherPlus::Attributes { of_directory: false, names }) = url.gopher_plus() else { panic!() };
/// assert_eq!(names.decode().as_ref(), b"+ABSTRACT +SMELL");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GopherUrl<'a> {
    url: UriRef<'a>,
    /// The server of the item.
    pub login: Login<'a>,
    /// The type as written in the URL; `None` if the path is empty.
    pub kind: Option<SpannedStr<'a>>,
    /// The selector, which is sent to the server. It often begins with a second copy of the type,
    /// which belongs to it.
    pub selector: SpannedStr<'a>,
    /// The search words; empty if only their delimiter is present.
    pub search: Option<SpannedStr<'a>>,
    /// The Gopher+ string.
    pub plus: Option<SpannedStr<'a>>,
    /// Whether "+" in the search divides words.
    words: bool,
}

impl<'a> GopherUrl<'a> {
    /// Parses a reference as a URL of this scheme, like `try_from`.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, has no authority, or breaks the rule of its edition.
    pub fn of(reference: UriRef<'a>) -> Result<Self, SyntaxError> {
        let (login, rest) = Login::read_server(reference, &Gopher)?;
        let words = reference.edition().forms.gopher_search == GopherSearch::QuestionMark;
        // The draft of 1993 writes the search after "?"; later "?" is an ordinary character.
        let divided = rest.split_once("?").filter(|_| words);
        let (path, asked) = divided.map_or((rest, None), |(path, search)| (path, Some(search)));
        let path = match path.strip_prefix("/") {
            Some(path) => path,
            None if path.is_empty() => path,
            None => return Err(SyntaxError::Form { span: path.span(), form: Gopher.form() }),
        };
        let (kind, path) = type_of(path);
        if words {
            // In that draft an escaped tab is not a delimiter, and there is no Gopher+ string.
            return Ok(Self {
                url: reference,
                login,
                kind,
                selector: path,
                search: asked,
                plus: None,
                words,
            });
        }
        let (selector, rest) = path.split_once(TAB).map_or((path, None), |(a, b)| (a, Some(b)));
        let divided = rest.and_then(|rest| rest.split_once(TAB));
        let (search, plus) = divided.map_or((rest, None), |(search, plus)| (Some(search), Some(plus)));
        Ok(Self {
            url: reference,
            login,
            kind,
            selector,
            search,
            plus: plus.filter(|plus| !plus.is_empty()),
            words,
        })
    }

    /// Returns the type of the item, one octet; "1" without a type.
    pub fn item_type(&self) -> u8 {
        self.kind.and_then(|kind| kind.decode().first().copied()).unwrap_or(b'1')
    }

    /// Returns the parsed Gopher+ string.
    pub fn gopher_plus(&self) -> Option<GopherPlus<'a>> {
        self.plus.map(GopherPlus::of)
    }

    fn fields(&self) -> Vec<Field<'a>> {
        let fields: Fields<'a> = self.login.fields().maybe("type", self.kind).one("selector", self.selector);
        let fields = fields.maybe("search", self.search).maybe("gopher_plus", self.plus);
        match self.gopher_plus() {
            Some(plus) => plus.fields(fields),
            None => fields,
        }
        .end()
    }

    fn plan(&self, options: &Options<'_>) -> Result<Plan, PlanError> {
        if let Some(elsewhere) = self.elsewhere() {
            self.login.connection(70, Transport::Tcp)?;
            return Ok(Plan::new().then(Action::Redirect { url: elsewhere }));
        }
        // An example of a harmful URL was one of gopher "to cause a rude message to be sent via a
        // SMTP server" (draft of 1994). 105 is CSO's.
        let to = self.login.first_word(70, Transport::Tcp, &[70, 105], options)?;
        // "2: Item is a CSO phone-book server": what follows speaks that server's own language.
        if self.item_type() == b'2' {
            let why =
                "type 2 is a CSO phone-book server, which uses the protocol Ph on port 105 and not Gopher";
            return Err(PlanError::NoLocation { why, see: "RFC 1436, 3.8; RFC 2378" });
        }
        let connected = || Plan::new().then(Action::Connect(to.clone()));
        match self.gopher_plus() {
            None => {
                let (what, end) = object_of(self.item_type());
                let plan = connected();
                // "If the URL refers to a search to be submitted to a gopher search engine, the
                // search string is required" (draft of 1994).
                let plan = match (self.item_type(), self.search) {
                    (b'7', None) => plan.then(Action::Remark(NO_WORDS.into())),
                    _ => plan,
                };
                let plan = plan.then(Action::Send(self.asked()?.end()));
                Ok(plan.then(Action::Receive(Response { what, end })))
            }
            Some(GopherPlus::Ask) => {
                // "Require the client to fetch the item's +ASK attribute to get the form
                // definition, and then ask the user to fill out the form and return the user's
                // responses" (RFC 1738, 3.4.5). Servers without "!+ASK" support "!", and those with
                // both return all attributes anyway.
                let plan = connected().then(Action::Send(self.asked()?.word("\t!").end()));
                let plan = plan.then(received("the attributes, of which +ASK is the form,"));
                let plan = plan.then(Action::Ask(Prompt::Form));
                let message = self.asked()?.word("\t+\t1").end().line(Line::new(&GOPHER, "+-1"));
                let form = Line::new(&GOPHER, "").answer(Prompt::Form);
                let message = message.line(form).line(Line::new(&GOPHER, "."));
                let plan = plan.followed_by(connected()).then(Action::Send(message));
                Ok(plan.then(received("the item")))
            }
            Some(GopherPlus::Filled { view, language, block }) => {
                let mut line = self.asked()?.word("\t+").excerpt("the view", view)?;
                if let Some(language) = language {
                    line = line.word(" ").excerpt("the language", language)?;
                }
                let line = line.word("\t1");
                let message = line.end().block("the data block", block)?;
                Ok(connected().then(Action::Send(message)).then(received("the item")))
            }
            Some(GopherPlus::View { .. } | GopherPlus::Attributes { .. } | GopherPlus::Other(_)) => {
                let line = self.asked()?.word("\t");
                let line = match self.plus {
                    Some(plus) => line.excerpt("the Gopher+ string", plus)?,
                    None => line,
                };
                Ok(connected().then(Action::Send(line.end())).then(received("the item")))
            }
        }
    }

    /// Writes `selector [TAB search]`. An empty search is not sent before a Gopher+ string, as in
    /// the examples of the documents; servers of the time require this.
    fn asked(&self) -> Result<Line, PlanError> {
        let line = Line::new(&GOPHER, "").excerpt("the selector", self.selector)?;
        match self.search {
            None => Ok(line),
            Some(search) if search.is_empty() && self.plus.is_some() => Ok(line),
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

    /// "Gopher links which refer to different protocols should be converted into URLs for those
    /// protocols" (draft of 1993).
    fn elsewhere(&self) -> Option<String> {
        let (kind, selector) = (self.item_type(), self.selector.decode());
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

const NO_WORDS: &str = "type 7 is a search engine, and the URL does not say what is searched for";

fn received(what: &'static str) -> Action {
    Action::Receive(Response { what, end: Framing::GopherPlus })
}

/// Returns the content and the framing of the response for an item of this type.
fn object_of(kind: u8) -> (&'static str, Framing) {
    match kind {
        b'0' => ("a text", Framing::DotOrConnection),
        b'1' | b'7' => ("a menu", Framing::DotOrConnection),
        b'4' => ("a text in BinHex", Framing::DotOrConnection),
        b'6' => ("a text in uuencode", Framing::DotOrConnection),
        _ => ("a file", Framing::Connection),
    }
}

/// Divides a path after the first octet, which may be escaped.
fn type_of(path: SpannedStr<'_>) -> (Option<SpannedStr<'_>>, SpannedStr<'_>) {
    let first = path.placed().next();
    let length = first.map_or(0, |(_, span)| span.len() as usize);
    match path.split_at(length, 0) {
        Some((kind, rest)) if length > 0 => (Some(kind), rest),
        _ => (None, path),
    }
}

/// "An encoded tab character (%09)", which divides.
const TAB: &str = "%09";
const LINE_END: &str = "%0D%0A";

const KIND: OwnPart = OwnPart::new("type", "/", AsciiSet::ALPHA.union(AsciiSet::DIGIT)).or("1");
const SELECTOR: OwnPart = OwnPart::new("selector", "", SELECTED);
/// The path reserves only its delimiters.
const SELECTED: AsciiSet = rfc1738::UCHAR.union(AsciiSet::of(b"/"));

static OWN: [OwnPart; 4] = [
    KIND,
    SELECTOR,
    OwnPart::new("search", TAB, SELECTED).or(""),
    OwnPart::new("gopher_plus", TAB, SELECTED),
];

static OWN_1993: [OwnPart; 3] =
    [KIND, SELECTOR, OwnPart::new("search", "?", rfc1738::UCHAR).in_query().of(Shape::Words)];

// "In the Gopher protocol, Gopher selector strings are a sequence of octets which may contain any
// octets except 09 hexadecimal (US-ASCII HT or tab) 0A hexadecimal (US-ASCII character LF), and
// 0D." RFC 1436 also excludes NUL: `UNASCII ::= ASCII - [Tab CR-LF NUL]`,
// `Selector ::= {UNASCII}`.
static GOPHER: Protocol = Protocol {
    name: "Gopher",
    delimiters: AsciiSet::of(b"\t"),
    line_end: b"\r\n",
    see: "RFC 1436, appendix",
};
