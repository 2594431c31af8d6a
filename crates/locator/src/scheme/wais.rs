//! wais: a URL enters; the first octet that breaks the edition's rule for it, its parts or the packets that
//! fetch what it identifies leave. Follows "WAIS" of the draft of 1993, the draft of 1994, and RFC 1738, section
//! 3.9; the protocol is Z39.50-1988 with the extensions of WAIS (RFC 1625). Document identifiers and packets
//! have their own files; the rules of three editions make this one long.

mod apdu;
mod identifier;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use self::apdu::{SLICE, Slice};
use super::field::Field;
use super::login::{Login, LoginParts};
use super::piece::{
    BNF_1993, BNF_1994, DIGITS_1993, DIGITS_1994, PATH_1993, PATH_1994, SEARCH_1738, SEARCH_1993, SEARCH_1994,
};
use super::{Piece, Reader, Scheme, SchemeRule, kept};
use crate::build::BuildError;
use crate::component::Excerpt;
use crate::edition::{Edition, RFC1738, Rule, URL_1993, URL_1994, rfc1738, url_1993, url_1994};
use crate::error::Error;
use crate::escape::EscapedBuf;
use crate::octet::Set;
use crate::part::Part;
use crate::plan::{
    Action, End, Form, Malformed, Message, Object, Options, Plan, PlanError, Protocol, Transport,
};
use crate::reference::{UriBuf, UriRef};

/// Databases of WAIS servers, searches in them, and documents.
#[derive(Debug)]
pub(super) struct Wais;

impl Scheme for Wais {
    fn names(&self) -> &'static [&'static str] {
        &["wais"]
    }

    fn object(&self) -> &'static str {
        "a database, a search, a document"
    }

    fn form(&self) -> Form {
        Form {
            text: "wais://host[:port]/database[?search] or …/database/wtype/wpath", see: "RFC 1738, 3.9"
        }
    }

    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, Malformed> {
        WaisUrl::of(reference).map(|url| url.fields())
    }

    fn plan(&self, reference: UriRef<'_>, _: &Options<'_>) -> Result<Plan, PlanError> {
        WaisUrl::of(reference)?.plan()
    }

    fn has_proxies(&self) -> bool {
        true
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &RULES
    }

    fn default_port(&self) -> Option<u16> {
        Some(210)
    }
}

/// A URL of wais.
///
/// ```
/// use locator::scheme::{WaisObject, WaisUrl};
///
/// let url = WaisUrl::of(locator::uri_ref!("wais://h/db/TEXT/67/1=h%3A210;3=0%2067%20/a;7=%00;")).unwrap();
/// let WaisObject::Document(document) = url.object else { panic!() };
/// assert_eq!((document.wtype.as_str(), document.length.unwrap().as_str()), ("TEXT", "67"));
/// assert_eq!(document.identifier().unwrap(), b"\x01\x05h:210\x03\x070 67 /a\x07\x01\0");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaisUrl<'a> {
    /// The server.
    pub login: Login<'a>,
    /// The database; it may be empty.
    pub database: Excerpt<'a>,
    /// What it identifies.
    pub object: WaisObject<'a>,
    /// Whether "+" in the search divides words.
    words: bool,
}

/// What a wais URL identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaisObject<'a> {
    /// The database itself, in which something may be searched.
    Database,
    /// What a search in it finds.
    Search(Excerpt<'a>),
    /// A document of it.
    Document(WaisDocument<'a>),
}

/// A document of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaisDocument<'a> {
    /// "The WAIS designation of the type of the object": `TEXT`.
    pub wtype: Excerpt<'a>,
    /// Its length in octets, where the URL tells it: in 1993, and in the URLs of later programs.
    pub length: Option<Excerpt<'a>>,
    /// The document's identifier, as a whole or as fields.
    pub wpath: Excerpt<'a>,
}

impl<'a> WaisDocument<'a> {
    /// The number and the value of each field of the identifier, if `wpath` has the form `number=value;…`
    /// of 1994; otherwise it is the identifier itself.
    pub fn fields(&self) -> Option<Vec<(Excerpt<'a>, Excerpt<'a>)>> {
        let mut fields: Vec<_> = self.wpath.split(";").collect();
        // The last ";" ends a field, and begins none.
        if fields.last().is_some_and(|last| last.is_empty()) {
            fields.pop();
        }
        let divided = |field: Excerpt<'a>| {
            field.split_once("=").filter(|(number, _)| {
                !number.is_empty() && number.as_str().bytes().all(|digit| digit.is_ascii_digit())
            })
        };
        fields.into_iter().map(divided).collect::<Option<Vec<_>>>().filter(|fields| !fields.is_empty())
    }

    /// The octets of the identifier, which "should be treated opaquely": only its server understands it.
    ///
    /// # Errors
    ///
    /// The number of a field is too large to be one.
    pub fn identifier(&self) -> Result<Vec<u8>, PlanError> {
        let Some(fields) = self.fields() else { return Ok(self.wpath.octets().into_owned()) };
        let mut identifier = Vec::new();
        for (number, value) in fields {
            let wrong = value_error(number, "the number of a field of a document identifier");
            let number: u16 = number.as_str().parse().map_err(|_| wrong)?;
            identifier::push(&mut identifier, number.into(), &value.octets());
        }
        Ok(identifier)
    }

    /// Its length; `None` if it is not told, or as 0.
    ///
    /// # Errors
    ///
    /// No document is as long.
    fn octets(&self) -> Result<Option<u64>, PlanError> {
        let Some(length) = self.length else { return Ok(None) };
        match length.as_str().parse() {
            Ok(0) => Ok(None),
            Ok(length) => Ok(Some(length)),
            Err(_) => Err(value_error(length, "the length of a document")),
        }
    }
}

impl<'a> WaisUrl<'a> {
    /// Reads one.
    ///
    /// # Errors
    ///
    /// It is of another scheme, has no authority or no database, or breaks the rule of its edition.
    pub fn of(reference: UriRef<'a>) -> Result<Self, Malformed> {
        let (login, rest) = Login::read_hostport(reference, &Wais)?;
        let wrong = |excerpt: Excerpt<'_>| Malformed::Form { span: excerpt.span(), form: Wais.form() };
        let path = rest.strip_prefix("/").ok_or(wrong(rest))?;
        let (path, search) = path.split_once("?").map_or((path, None), |(path, search)| (path, Some(search)));
        let (database, document) = path.split_once("/").map_or((path, None), |(a, b)| (a, Some(b)));
        let has_length = *reference.edition() == URL_1993;
        let object = match (document, search) {
            (None, None) => WaisObject::Database,
            (None, Some(search)) => WaisObject::Search(search),
            (Some(document), None) => {
                WaisObject::Document(document_of(document, has_length).ok_or(wrong(document))?)
            }
            (Some(_), Some(search)) => return Err(wrong(search)),
        };
        // search = xalphas [ + search ]
        let words = has_length || *reference.edition() == URL_1994;
        Ok(Self { login, database, object, words })
    }

    fn fields(&self) -> Vec<Field<'a>> {
        let fields = self.login.fields().one("database", self.database);
        match self.object {
            WaisObject::Database => fields.word("kind", "database"),
            WaisObject::Search(search) => fields.word("kind", "search").one("search", search),
            WaisObject::Document(document) => {
                let fields = fields.word("kind", "document").one("wtype", document.wtype);
                let fields = fields.maybe("length", document.length);
                // As a whole it is unescaped, as fields each of them is.
                match document.fields() {
                    Some(identifier) => fields.pairs("identifier", identifier.into_iter()),
                    None => fields.one("wpath", document.wpath),
                }
            }
        }
        .end()
    }

    fn plan(&self) -> Result<Plan, PlanError> {
        let plan = Plan::new().then(Action::Connect(self.login.connection(210, Transport::Tcp)?));
        let database = WAIS.octets_of("the database", self.database)?;
        let plan = self.asked(plan, apdu::init(), "the InitResponse")?;
        match self.object {
            // A search for nothing finds what describes the database, and its catalogue.
            WaisObject::Database => {
                self.asked(plan, apdu::search(&database, b""), "what describes the database")
            }
            WaisObject::Search(search) => {
                let words = self.words_of(search)?;
                self.asked(plan, apdu::search(&database, &words), "the list of documents found")
            }
            WaisObject::Document(document) => self.fetch(plan, &database, document),
        }
    }

    /// Retrieves a document slice by slice: a server sends no more at once than it said in its InitResponse.
    fn fetch(&self, plan: Plan, database: &[u8], document: WaisDocument<'_>) -> Result<Plan, PlanError> {
        // "Many WAIS implementations require that a client know the "type" of an object prior to retrieval."
        let wtype = WAIS.octets_of("the type", document.wtype)?;
        let identifier = document.identifier()?;
        for (excerpt, octets, expects) in [
            (document.wtype, &wtype, "the type of a document"),
            (document.wpath, &identifier, "the identifier of a document"),
        ] {
            if octets.is_empty() {
                return Err(value_error(excerpt, expects));
            }
        }
        let length = document.octets()?;
        let slice = |slice| apdu::retrieve(database, &identifier, &wtype, slice);
        if let Some(length) = length.filter(|&length| length <= SLICE) {
            return self.asked(plan, slice(Slice::First(length)), "the document");
        }
        let plan = self.asked(plan, slice(Slice::First(SLICE)), "the first slice of the document")?;
        let plan = plan.then(Action::Again { steps: 2, until: DOCUMENT_ENDS });
        self.asked(plan, slice(Slice::Next), "the next slice of the document")
    }

    /// Sends a packet and reads the answer to it.
    fn asked(&self, plan: Plan, packet: Option<Message>, what: &'static str) -> Result<Plan, PlanError> {
        // Nothing else of a URL stands where a packet is limited.
        let packet = packet.ok_or(value_error(self.database, "the name of a database, shorter,"))?;
        Ok(plan.then(Action::Send(packet)).then(Action::Receive(Object { what, end: End::Answer })))
    }

    fn words_of(&self, search: Excerpt<'_>) -> Result<Vec<u8>, PlanError> {
        if !self.words {
            return WAIS.octets_of("the search", search);
        }
        let words = search.split("+").map(|word| WAIS.octets_of("the search", word));
        Ok(words.collect::<Result<Vec<_>, _>>()?.join(&b' '))
    }
}

/// `wtype "/" [ length "/" ] wpath`. Without a rule that says so, digits are a length only if fields follow
/// them: an identifier as a whole may begin with anything.
fn document_of(document: Excerpt<'_>, has_length: bool) -> Option<WaisDocument<'_>> {
    let (wtype, wpath) = document.split_once("/")?;
    let whole = WaisDocument { wtype, length: None, wpath };
    let with_length =
        wpath.split_once("/").map(|(length, wpath)| WaisDocument { length: Some(length), wpath, ..whole });
    let is_length = |document: &WaisDocument<'_>| {
        let length = document.length.map_or("", Excerpt::as_str);
        let is_number = !length.is_empty() && length.bytes().all(|digit| digit.is_ascii_digit());
        has_length || is_number && document.fields().is_some()
    };
    Some(with_length.filter(is_length).unwrap_or(whole))
}

const fn value_error(excerpt: Excerpt<'_>, expects: &'static str) -> PlanError {
    PlanError::Value { span: excerpt.span(), expects, see: "RFC 1738, 3.9" }
}

const DOCUMENT_ENDS: &str = "a slice is shorter than it was asked for, or out of range";

/// Databases are divided by 1F where several are searched.
static WAIS: Protocol =
    Protocol { name: "WAIS", delimiters: Set::of(b"\x1F"), line_end: b"", see: "RFC 1738, 6; RFC 1625" };

/// What a wais URL is built of; all of it is data.
///
/// ```
/// use locator::edition::{RFC1738, URL_1994};
/// use locator::scheme::{LoginParts, WaisParts, WaisObjectParts};
///
/// let login = LoginParts { host: "h", ..LoginParts::default() };
/// let object = WaisObjectParts::Document { wtype: b"TEXT", length: None, identifier: b"\x03\x04a =b" };
/// let parts = WaisParts { login, database: b"db", object };
/// assert_eq!(parts.build(&URL_1994)?, "wais://h/db/TEXT/3=a%20%3Db;");
/// assert_eq!(parts.build(&RFC1738)?, "wais://h/db/TEXT/%03%04a%20%3Db");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaisParts<'v> {
    /// The server.
    pub login: LoginParts<'v>,
    /// The database.
    pub database: &'v [u8],
    /// What of it.
    pub object: WaisObjectParts<'v>,
}

/// What a wais URL is built for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WaisObjectParts<'v> {
    /// The database itself.
    #[default]
    Database,
    /// What a search for these words, divided by spaces, finds.
    Search(&'v [u8]),
    /// A document.
    Document {
        /// Its type.
        wtype: &'v [u8],
        /// Its length in octets. Only the draft of 1993 wants one; those of 1994 have no place for it.
        length: Option<u64>,
        /// Its identifier, as the server gave it.
        identifier: &'v [u8],
    },
}

impl WaisParts<'_> {
    /// The URL. An identifier is written as fields where it has them and the edition's rule allows it.
    ///
    /// # Errors
    ///
    /// Something that cannot stand in a URL of the edition; a segment "." or "..", which other programs would
    /// take for a step.
    pub fn build(&self, edition: &'static Edition) -> Result<UriBuf, BuildError> {
        let set = kept(edition, Part::Path, rfc1738::UCHAR);
        let has_words = *edition == URL_1993 || *edition == URL_1994;
        let escaped = |octets: &[u8], set| EscapedBuf::escape(octets, set).into_string();
        let mut rest = String::from("/") + &escaped(self.database, set);
        match self.object {
            WaisObjectParts::Database => {}
            WaisObjectParts::Search(search) if has_words => {
                let set = set.without(Set::of(b"+"));
                let words = search.split(|&octet| octet == b' ').map(|word| escaped(word, set));
                rest = rest + "?" + &words.collect::<Vec<_>>().join("+");
            }
            WaisObjectParts::Search(search) => rest = rest + "?" + &escaped(search, set),
            WaisObjectParts::Document { wtype, length, identifier } => {
                rest = rest + "/" + &escaped(wtype, set) + "/";
                let fields = identifier::divide(identifier).filter(|_| has_fields(edition));
                let is_after = *edition == URL_1993 || fields.is_some() && *edition != URL_1994;
                if let Some(length) = length.filter(|_| is_after) {
                    rest = rest + &length.to_string() + "/";
                }
                match fields {
                    None => rest += &escaped(identifier, set),
                    Some(fields) => {
                        let set = set.or(Set::of(b"/"));
                        for (number, value) in fields {
                            rest = rest + &number.to_string() + "=" + &escaped(value, set) + ";";
                        }
                    }
                }
            }
        }
        if rest.split(['/', '?']).any(|segment| matches!(segment, "." | "..")) {
            return Err(BuildError::DotSegment);
        }
        self.login.build("wais", edition, &rest)
    }
}

/// Whether "=" and ";" may stand in a wpath.
fn has_fields(edition: &Edition) -> bool {
    *edition != URL_1993 && *edition != RFC1738
}

static RULES: [SchemeRule; 3] = [
    SchemeRule {
        edition: &URL_1993,
        rule: &Rule {
            name: "waisaddress",
            section: BNF_1993,
            expects: "the form wais://host[:port]/database[?search] or …/database/type/length/path",
        },
        check: check_1993,
    },
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule {
            name: "waisaddress",
            section: BNF_1994,
            expects: "the form wais://host[:port]/database[?search] or …/database/type/number=value;…",
        },
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule {
            name: "waisurl",
            section: "3.9",
            expects: "the form wais://host[:port]/database[?search] or …/database/type/path",
        },
        check: check_1738,
    },
];

// waisindex = "wais://" hostport "/" database [ "?" search ]
// waisdoc   = "wais://" hostport "/" database "/" wtype "/" digits "/" path
fn check_1993(reader: &mut Reader<'_>) -> Result<(), Error> {
    reader.take_hostport()?;
    reader.expect("/")?;
    reader.take_some(&DATABASE_1993, b"/?")?;
    if reader.skip("?") {
        reader.take_some(&SEARCH_1993, b"")?;
    } else if reader.skip("/") {
        reader.take_some(&WTYPE_1993, b"/")?;
        reader.expect("/")?;
        reader.take_some(&DIGITS_1993, b"/")?;
        reader.expect("/")?;
        reader.take(&PATH_1993, b"")?;
    }
    Ok(())
}

const XALPHAS_1993: &str = "letters, digits, escapes or any of $-_@.&!*\"'():;,, at least one";

// database = 1*xalpha
static DATABASE_1993: Piece = Piece::new(url_1993::XALPHA, "database", BNF_1993, XALPHAS_1993);
// wtype = 1*xalpha
static WTYPE_1993: Piece = Piece::new(url_1993::XALPHA, "wtype", BNF_1993, XALPHAS_1993);

// waisindex = "wais://" hostport "/" database [ "?" search ]
// waisdoc   = "wais://" hostport "/" database "/" wtype "/" wpath
fn check_1994(reader: &mut Reader<'_>) -> Result<(), Error> {
    reader.take_hostport()?;
    reader.expect("/")?;
    reader.take_some(&DATABASE_1994, b"/?")?;
    if reader.skip("?") {
        reader.take_some(&SEARCH_1994, b"")?;
    } else if reader.skip("/") {
        reader.take_some(&WTYPE_1994, b"/")?;
        reader.expect("/")?;
        take_wpath(reader)?;
    }
    Ok(())
}

// wpath = 1*( digits "=" path ";" )
fn take_wpath(reader: &mut Reader<'_>) -> Result<(), Error> {
    loop {
        reader.take_some(&DIGITS_1994, b"=")?;
        reader.expect("=")?;
        reader.take(&PATH_1994, b";")?;
        reader.expect(";")?;
        if reader.is_at_end() {
            return Ok(());
        }
    }
}

const XALPHAS_1994: &str = "letters, digits, escapes or any of $-_@.&+!*\"'(),, at least one";

// database = 1*xalpha
static DATABASE_1994: Piece = Piece::new(url_1994::XALPHA, "database", BNF_1994, XALPHAS_1994);
// wtype = 1*xalpha
static WTYPE_1994: Piece = Piece::new(url_1994::XALPHA, "wtype", BNF_1994, XALPHAS_1994);

// waisdatabase = "wais://" hostport "/" database
// waisindex    = "wais://" hostport "/" database "?" search
// waisdoc      = "wais://" hostport "/" database "/" wtype "/" wpath
fn check_1738(reader: &mut Reader<'_>) -> Result<(), Error> {
    reader.take_hostport()?;
    reader.expect("/")?;
    reader.take(&DATABASE_1738, b"/?")?;
    if reader.skip("?") {
        reader.take(&SEARCH_1738, b"")?;
    } else if reader.skip("/") {
        reader.take(&WTYPE_1738, b"/")?;
        reader.expect("/")?;
        reader.take(&WPATH_1738, b"")?;
    }
    Ok(())
}

const UCHARS_1738: &str = "letters, digits, escapes or any of $-_.+!*'(),";

// database = *uchar
static DATABASE_1738: Piece = Piece::new(rfc1738::UCHAR, "database", "3.9", UCHARS_1738);
// wtype = *uchar
static WTYPE_1738: Piece = Piece::new(rfc1738::UCHAR, "wtype", "3.9", UCHARS_1738);
// wpath = *uchar
static WPATH_1738: Piece = Piece::new(rfc1738::UCHAR, "wpath", "3.9", UCHARS_1738);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edition::{ALL, RFC3986};

    #[test]
    fn a_document_is_the_one_it_was_built_for() {
        let mut opaque = Vec::new();
        identifier::push(&mut opaque, 3, b"0 67 /a;b=c");
        identifier::push(&mut opaque, 7, &[0]);
        let login = LoginParts { host: "h", ..LoginParts::default() };
        for edition in ALL {
            let object = WaisObjectParts::Document { wtype: b"TE/XT", length: Some(67), identifier: &opaque };
            let built = WaisParts { login, database: b"a/b", object }.build(edition);
            let built = built.unwrap_or_else(|error| panic!("{}: {error}", edition.name));
            let url = WaisUrl::of(*built.as_uri()).expect("it was built");
            let WaisObject::Document(document) = url.object else { panic!("{built}") };
            assert_eq!(document.identifier().as_ref(), Ok(&opaque), "{built}");
            assert_eq!((&*url.database.octets(), &*document.wtype.octets()), (&b"a/b"[..], &b"TE/XT"[..]));
            let told = *edition != URL_1994 && *edition != RFC1738;
            assert_eq!(document.length.is_some(), told, "{built}");
        }
    }

    #[test]
    fn a_step_is_no_database() {
        let parts = WaisParts {
            login: LoginParts { host: "h", ..LoginParts::default() },
            database: b"..",
            object: WaisObjectParts::Search(b"a"),
        };
        assert_eq!(parts.build(&RFC3986), Err(BuildError::DotSegment));
    }
}
