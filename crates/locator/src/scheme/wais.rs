//! The wais scheme: takes a URL, returns the first octet that breaks the edition's rule for it, or
//! its parts; `plan` has the packets that fetch what it identifies. Follows "WAIS" of the draft of
//! 1993, the draft of 1994, and RFC 1738, section 3.9.
//!
//! The rules of three editions for wais: takes the cursor after the scheme's ":", returns the first
//! octet that breaks the rule. Follows "BNF syntax" of the draft of 1993, "BNF for specific URL
//! schemes" of that of 1994, and RFC 1738, section 3.9.
//!
//! Document identifiers of WAIS: octets enter, their fields leave, and back. Each field is its
//! number, the length of its value, and the value; numbers and lengths are written by `compressed`.
//! "The wpath of a WAIS URL consists of encoded fields of the WAIS identifier, in the same order as
//! in the WAIS identifier. For each field, the identifier field number is the digits before the
//! equals sign" (draft of 1994).
//!
//! Documents of WAIS databases: takes the text after the name of a database, returns the document's
//! type, length and identifier. Follows "WAIS" of the drafts of 1993 and 1994, and RFC 1738,
//! section 3.9.

#[cfg(feature = "plan")]
mod plan;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::str::{self, FromStr};

use super::parts::{Field, LoginParts, Part, Parts, Piece, Shape, builder, check_steps};
use super::syntax::login::Login;
use super::{Equivalences, Scheme, SchemeRule, if_ruled, rule_of};
use crate::build::{BuildError, Value};
use crate::component::SpannedStr;
use crate::edition::{Edition, RFC1738, Rule, URL_1993, URL_1994, WaisLength, rfc1738, url_1993, url_1994};
use crate::error::ParseError;
use crate::form::{Syntax, SyntaxError, ValueError};
#[cfg(feature = "plan")]
use crate::plan::{Options, Plan, PlanError};
use crate::reference::UriRef;
use crate::scheme::cursor::{
    BNF_1993, BNF_1994, DIGITS_1993, DIGITS_1994, PATH_1993, PATH_1994, SEARCH_1738, SEARCH_1993, SEARCH_1994,
};
use crate::scheme::{Reader, Terminal};
use crate::simd::AsciiSet;
use crate::span::Component;

/// The scheme of databases of WAIS servers, searches in them, and documents.
#[derive(Debug)]
pub(super) struct Wais;

impl Scheme for Wais {
    fn names(&self) -> &'static [&'static str] {
        &["wais"]
    }

    fn object(&self) -> &'static str {
        "a database, a search, a document"
    }

    fn form(&self) -> Syntax {
        Syntax {
            text: "wais://host[:port]/database[?search] or …/database/wtype/wpath",
            citation: "RFC 1738, 3.9",
        }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &RULES
    }

    fn default_port(&self) -> Option<u16> {
        Some(210)
    }
}

impl Equivalences for Wais {
    // A document's identifier "should be treated opaquely" (RFC 1738, 3.9).
    fn is_hierarchical(&self) -> bool {
        false
    }

    // search = *( uchar / ";" / ":" / "@" / "&" / "=" ); a "+" divides no words (RFC 1738, 3.9)
    fn unreserved(&self, part: Component, reference: UriRef<'_>) -> AsciiSet {
        if part == Component::Query { if_ruled(self, reference, b";:@&=+") } else { AsciiSet::EMPTY }
    }

    // wpath = 1*( digits "=" path ";" )
    fn reserved(&self) -> AsciiSet {
        AsciiSet::of(b";=")
    }

    // waisdoc = "wais://" hostport "/" database "/" wtype "/" digits "/" path: the document's
    // identifier is one text (draft of 1993)
    fn undivided(&self, reference: UriRef<'_>) -> AsciiSet {
        let is_text = rule_of(self, reference.edition()).is_some() && !reference.edition().forms.wais_fields;
        if is_text { self.reserved() } else { AsciiSet::EMPTY }
    }
}

impl super::Divide for Wais {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        WaisUrl::of(reference).map(|url| url.fields())
    }

    fn parts(&self, edition: &Edition) -> &'static [Part] {
        if edition.forms.wais_search_is_words { &PARTS_WITH_WORDS } else { &PARTS }
    }
}

#[cfg(feature = "plan")]
impl super::Planner for Wais {
    fn plan(&self, reference: UriRef<'_>, options: &Options<'_>) -> Result<Plan, PlanError> {
        WaisUrl::of(reference)?.plan(options.max_hits)
    }

    fn has_proxies(&self) -> bool {
        true
    }
}

const DATABASE: Part = Part::new("database", "/", rfc1738::UCHAR).without_steps();
const SEARCH: Part = Part::new("search", "?", rfc1738::UCHAR).in_query().without_steps();
const WTYPE: Part = Part::new("wtype", "/", rfc1738::UCHAR).followed_by("/").without_steps();
const LENGTH: Part = Part::new("length", "/", AsciiSet::DIGIT);
const WPATH: Part = Part::new("wpath", "/", rfc1738::UCHAR);
const IDENTIFIER: Part =
    Part::new("identifier", "/", rfc1738::UCHAR.union(AsciiSet::of(b"/"))).of(Shape::Pairs(';'));

static PARTS: [Part; 6] = [DATABASE, SEARCH, WTYPE, LENGTH, WPATH, IDENTIFIER];
/// "+" divides the words of a search in the drafts.
static PARTS_WITH_WORDS: [Part; 6] = [DATABASE, SEARCH.of(Shape::Words), WTYPE, LENGTH, WPATH, IDENTIFIER];

/// A view of a wais URL as a server, a database, and a search or a document.
///
/// ```
/// use locator::scheme::{WaisObject, WaisUrl};
///
/// let url = WaisUrl::of(locator::uri_ref!(
///     "wais://h/db/TEXT/67/1=h%3A210;3=0%2067%20/a;7=%00;"
/// ))
/// .unwrap();
/// let WaisObject::Document(document) = url.object else { panic!() };
/// assert_eq!(
///     (document.wtype.as_str(), document.length.unwrap().as_str()),
///     ("TEXT", "67")
/// );
/// assert_eq!(
///     document.identifier().unwrap(),
///     b"\x01\x05h:210\x03\x070 67 /a\x07\x01\0"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaisUrl<'a> {
    url: UriRef<'a>,
    /// The server.
    pub login: Login<'a>,
    /// The name of the database; it may be empty.
    pub database: SpannedStr<'a>,
    /// The object that the URL identifies.
    pub object: WaisObject<'a>,
    /// Whether "+" in the search divides words.
    words: bool,
}

/// The object that a wais URL identifies.
///
/// ```
/// use locator::scheme::{WaisObject, WaisUrl};
/// use locator::uri;
///
/// assert!(matches!(
///     WaisUrl::try_from(uri!("wais://h/db")).unwrap().object,
///     WaisObject::Database
/// ));
/// let WaisObject::Search(words) =
///     WaisUrl::try_from(uri!("wais://h/db?a%20b")).unwrap().object
/// else {
///     panic!()
/// };
/// assert_eq!(words.decode_utf8().unwrap(), "a b");
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaisObject<'a> {
    /// The database itself, which can be searched.
    Database,
    /// The results of a search in the database.
    Search(SpannedStr<'a>),
    /// A document of the database.
    Document(WaisDocument<'a>),
}

impl<'a> WaisUrl<'a> {
    /// Parses a reference as a URL of this scheme, like `try_from`.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, has no authority or no database, or breaks the rule of
    /// its edition.
    pub fn of(reference: UriRef<'a>) -> Result<Self, SyntaxError> {
        let (login, rest) = Login::read_server(reference, &Wais)?;
        let wrong = |excerpt: SpannedStr<'_>| SyntaxError::Form { span: excerpt.place(), form: Wais.form() };
        let path = rest.strip_prefix("/").ok_or(wrong(rest))?;
        let (path, search) = path.split_once("?").map_or((path, None), |(path, search)| (path, Some(search)));
        let (database, document) = path.split_once("/").map_or((path, None), |(a, b)| (a, Some(b)));
        let forms = &reference.edition().forms;
        let has_length = forms.wais_length == WaisLength::Required;
        let object = match (document, search) {
            (None, None) => WaisObject::Database,
            (None, Some(search)) => WaisObject::Search(search),
            (Some(document), None) => {
                WaisObject::Document(WaisDocument::read(document, has_length).ok_or(wrong(document))?)
            }
            (Some(_), Some(search)) => return Err(wrong(search)),
        };
        Ok(Self { url: reference, login, database, object, words: forms.wais_search_is_words })
    }

    fn fields(&self) -> Vec<Field<'a>> {
        let fields = self.login.fields().one("database", self.database);
        match self.object {
            WaisObject::Database => fields.word("kind", "database"),
            WaisObject::Search(search) => fields.word("kind", "search").one("search", search),
            WaisObject::Document(document) => {
                let fields = fields.word("kind", "document").one("wtype", document.wtype);
                let fields = fields.maybe("length", document.length);
                // A whole identifier is decoded at once, fields are decoded each by itself.
                match document.fields() {
                    Some(identifier) => fields.pairs("identifier", identifier.into_iter()),
                    None => fields.one("wpath", document.wpath),
                }
            }
        }
        .end()
    }
}

builder! {
    /// A builder of wais URLs from a server, a database, and a search or a document.
    ///
    /// ```
    /// use locator::edition::{RFC1738, URL_1994};
    /// use locator::scheme::{WaisParts, WaisUrl};
    ///
    /// let parts = WaisParts::new("h", "db").document("TEXT", b"\x03\x04a =b");
    /// assert_eq!(parts.build_with(&URL_1994)?, "wais://h/db/TEXT/3=a%20%3Db;");
    /// assert_eq!(parts.build_with(&RFC1738)?, "wais://h/db/TEXT/%03%04a%20%3Db");
    ///
    /// let url = WaisParts::new("h", "db").search("a b").build_with(&RFC1738)?;
    /// assert_eq!(
    ///     WaisUrl::try_from(&url)
    ///         .unwrap()
    ///         .parts()
    ///         .database("c")
    ///         .build_with(&RFC1738)?,
    ///     "wais://h/c?a%20b"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    WaisParts of WaisUrl, by [Wais], prepare prepared;

    /// Sets the server.
    login;
    /// Sets the database.
    one database: "database";
    /// Sets the length of a document in octets. Only the draft of 1993 requires one; those of 1994
    /// have no place for it.
    number length: "length";
}

impl<'v> WaisParts<'v> {
    /// Creates a builder of the URL of a database on a server.
    pub fn new(login: impl Into<LoginParts<'v>>, database: impl Into<Value<'v>>) -> Self {
        Self(Parts::new("wais").at(login).with("database", database))
    }

    /// Sets the words to search for, divided by spaces, in place of a document.
    pub fn search(self, words: impl Into<Value<'v>>) -> Self {
        Self(self.of_database().with("search", words))
    }

    /// Sets the type and the identifier of a document, as the server returned it, in place of a
    /// search.
    ///
    /// An encoded value is the spelling of the URL.
    pub fn document(self, wtype: impl Into<Value<'v>>, identifier: impl Into<Value<'v>>) -> Self {
        Self(self.of_database().with("wtype", wtype).with("identifier", identifier))
    }

    fn of_database(self) -> Parts<'v> {
        let mut parts = self.0;
        for name in ["search", "wtype", "length", "wpath", "identifier"] {
            parts.remove(name);
        }
        parts.tail = "";
        parts
    }
}

/// Makes of an identifier what the edition has: the octets, or fields if its rule allows them. The
/// length is written where the edition has a place for it.
fn prepared<'v>(mut parts: Parts<'v>, edition: &'static Edition) -> Result<Parts<'v>, BuildError> {
    let [Piece::One(identifier)] = parts.pieces("identifier") else { return Ok(parts) };
    let identifier = &identifier.clone();
    let written = match identifier {
        Value::Encoded(text) => String::from(*text),
        data => {
            let octets = data.to_encoded(edition, Component::Path)?;
            let fields = divide(&octets).filter(|_| edition.forms.wais_fields);
            let has_length = match edition.forms.wais_length {
                WaisLength::Required => true,
                WaisLength::Optional => fields.is_some(),
                WaisLength::Absent => false,
            };
            if !has_length {
                parts.remove("length");
            }
            let field = |(number, value)| format!("{number}={};", IDENTIFIER.escaped(value, edition));
            match fields {
                Some(fields) => fields.into_iter().map(field).collect(),
                None => WPATH.escaped(&octets, edition),
            }
        }
    };
    check_steps(identifier, &written, edition)?;
    parts.remove("identifier");
    if fields_of(SpannedStr::at(&written, 0)).is_none() {
        parts.set("wpath", Piece::Text(written));
        return Ok(parts);
    }
    // The last ";" ends a field, and does not begin another.
    let (fields, end) = written.strip_suffix(';').map_or((&*written, ""), |fields| (fields, ";"));
    parts.set("identifier", Piece::Text(fields.into()));
    parts.tail = end;
    Ok(parts)
}

static RULES: [SchemeRule; 3] = [
    SchemeRule {
        edition: &URL_1993,
        rule: &Rule::new(
            "waisaddress",
            BNF_1993,
            "the form wais://host[:port]/database[?search] or …/database/type/length/path",
        ),
        check: check_1993,
    },
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule::new(
            "waisaddress",
            BNF_1994,
            "the form wais://host[:port]/database[?search] or …/database/type/number=value;…",
        ),
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule::new(
            "waisurl",
            "3.9",
            "the form wais://host[:port]/database[?search] or …/database/type/path",
        ),
        check: check_1738,
    },
];

// waisindex = "wais://" hostport "/" database [ "?" search ]
// waisdoc   = "wais://" hostport "/" database "/" wtype "/" digits "/" path
fn check_1993(reader: &mut Reader<'_>) -> Result<(), ParseError> {
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
static DATABASE_1993: Terminal = Terminal::new(url_1993::XALPHA, "database", BNF_1993, XALPHAS_1993);
// wtype = 1*xalpha
static WTYPE_1993: Terminal = Terminal::new(url_1993::XALPHA, "wtype", BNF_1993, XALPHAS_1993);

// waisindex = "wais://" hostport "/" database [ "?" search ]
// waisdoc   = "wais://" hostport "/" database "/" wtype "/" wpath
fn check_1994(reader: &mut Reader<'_>) -> Result<(), ParseError> {
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
fn take_wpath(reader: &mut Reader<'_>) -> Result<(), ParseError> {
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
static DATABASE_1994: Terminal = Terminal::new(url_1994::XALPHA, "database", BNF_1994, XALPHAS_1994);
// wtype = 1*xalpha
static WTYPE_1994: Terminal = Terminal::new(url_1994::XALPHA, "wtype", BNF_1994, XALPHAS_1994);

// waisdatabase = "wais://" hostport "/" database
// waisindex    = "wais://" hostport "/" database "?" search
// waisdoc      = "wais://" hostport "/" database "/" wtype "/" wpath
fn check_1738(reader: &mut Reader<'_>) -> Result<(), ParseError> {
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
static DATABASE_1738: Terminal = Terminal::new(rfc1738::UCHAR, "database", "3.9", UCHARS_1738);
// wtype = *uchar
static WTYPE_1738: Terminal = Terminal::new(rfc1738::UCHAR, "wtype", "3.9", UCHARS_1738);
// wpath = *uchar
static WPATH_1738: Terminal = Terminal::new(rfc1738::UCHAR, "wpath", "3.9", UCHARS_1738);

/// A field: its number and its value.
type IdentifierField<'a> = (usize, &'a [u8]);

/// Appends a field to an identifier.
fn push(identifier: &mut Vec<u8>, number: usize, value: &[u8]) {
    identifier.extend(compressed(number).chain(compressed(value.len())));
    identifier.extend_from_slice(value);
}

/// Returns the fields of an identifier; `None` if it does not consist of fields.
fn divide(identifier: &[u8]) -> Option<Vec<IdentifierField<'_>>> {
    let (mut rest, mut fields) = (identifier, Vec::new());
    while !rest.is_empty() {
        let (number, length);
        (number, rest) = read_compressed(rest)?;
        (length, rest) = read_compressed(rest)?;
        let value;
        (value, rest) = rest.split_at_checked(length)?;
        fields.push((number, value));
    }
    Some(fields)
}

/// Returns a compressed integer: seven bits an octet, the highest first. The highest bit of an
/// octet is set if another follows.
fn compressed(value: usize) -> impl Iterator<Item = u8> {
    let count = (usize::BITS - (value | 1).leading_zeros()).div_ceil(7);
    (0..count).rev().map(move |i| {
        let more = if i == 0 { 0 } else { 0x80 };
        (value >> (7 * i) & 0x7F) as u8 | more
    })
}

/// Reads a compressed integer, which another program may have written with octets of 0x80 before
/// it.
fn read_compressed(octets: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0_usize;
    for (i, octet) in octets.iter().enumerate() {
        value = value.checked_mul(0x80)? | usize::from(octet & 0x7F);
        if octet & 0x80 == 0 {
            return Some((value, octets.get(i + 1..)?));
        }
    }
    None
}

/// The document that defines the length, which later documents omit.
#[cfg(feature = "plan")]
const LENGTH_SOURCE: &str = "draft of 1993, WAIS";

/// A document of a database.
///
/// ```
/// use locator::scheme::{WaisObject, WaisUrl};
/// use locator::uri;
///
/// let url = WaisUrl::try_from(uri!("wais://h/db/TEXT/%03%01a")).unwrap();
/// let WaisObject::Document(document) = url.object else {
///     panic!("it names a document")
/// };
/// assert_eq!(
///     (document.wtype.as_str(), document.wpath.as_str()),
///     ("TEXT", "%03%01a")
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaisDocument<'a> {
    /// "The WAIS designation of the type of the object": `TEXT`.
    pub wtype: SpannedStr<'a>,
    /// The length in octets, if the URL contains it: in 1993, and in the URLs of later programs.
    pub length: Option<SpannedStr<'a>>,
    /// The document's identifier, as a whole or as fields.
    pub wpath: SpannedStr<'a>,
}

impl<'a> WaisDocument<'a> {
    /// Reads `wtype "/" [ length "/" ] wpath`. Without a rule for the length, digits are a length
    /// only if fields follow them: a whole identifier may begin with anything.
    fn read(document: SpannedStr<'a>, has_length: bool) -> Option<Self> {
        let (wtype, wpath) = document.split_once("/")?;
        let whole = Self { wtype, length: None, wpath };
        let with_length =
            wpath.split_once("/").map(|(length, wpath)| Self { length: Some(length), wpath, ..whole });
        let is_length = |document: &Self| {
            has_length || document.length.is_some_and(is_number) && document.fields().is_some()
        };
        Some(with_length.filter(is_length).unwrap_or(whole))
    }

    /// Returns the number and the value of each field of the identifier, if `wpath` has the form
    /// `number=value;…` of 1994; otherwise `wpath` is the identifier itself.
    #[must_use]
    pub fn fields(&self) -> Option<Vec<(SpannedStr<'a>, SpannedStr<'a>)>> {
        fields_of(self.wpath)
    }

    /// Returns the octets of the identifier, which "should be treated opaquely": only its server
    /// understands it.
    ///
    /// # Errors
    ///
    /// The number of a field is too large.
    pub fn identifier(&self) -> Result<Vec<u8>, ValueError> {
        let Some(fields) = self.fields() else { return Ok(self.wpath.decode().into_owned()) };
        let mut identifier = Vec::new();
        for (number, value) in fields {
            let expects = "the number of a field of a document identifier";
            let wrong = value_error(number, expects, "draft of 1994, WAIS");
            let number: u16 = value_of(number).ok_or(wrong)?;
            push(&mut identifier, number.into(), &value.decode());
        }
        Ok(identifier)
    }

    /// Returns the media type of documents of this type, for the types that servers used.
    ///
    /// ```
    /// use locator::scheme::{WaisObject, WaisUrl};
    /// use locator::uri;
    ///
    /// let url = WaisUrl::try_from(uri!("wais://h/db/HTML/%03%01a")).unwrap();
    /// let WaisObject::Document(document) = url.object else { panic!("it names a document") };
    /// assert_eq!(document.media_type(), Some("text/html"));
    /// ```
    #[must_use]
    pub fn media_type(&self) -> Option<&'static str> {
        media_type_of(&self.wtype.decode())
    }

    /// Returns the length; `None` if it is missing or 0.
    ///
    /// # Errors
    ///
    /// The length is too large.
    #[cfg(feature = "plan")]
    fn octets(&self) -> Result<Option<u64>, ValueError> {
        let Some(length) = self.length else { return Ok(None) };
        match value_of(length) {
            Some(0) => Ok(None),
            Some(length) => Ok(Some(length)),
            None => Err(value_error(length, "the length of a document", LENGTH_SOURCE)),
        }
    }

    /// Returns the section that defines the form of the identifier.
    #[cfg(feature = "plan")]
    fn citation(&self) -> &'static str {
        if self.length.is_some() { LENGTH_SOURCE } else { "RFC 1738, 3.9" }
    }
}

/// Returns the media type of a type of documents, for the types that servers used.
pub fn media_type_of(wtype: &[u8]) -> Option<&'static str> {
    Some(match wtype {
        b"TEXT" => "text/plain",
        b"HTML" => "text/html",
        b"WSRC" => "application/x-wais-source",
        b"GIF" => "image/gif",
        b"JPEG" => "image/jpeg",
        b"TIFF" => "image/tiff",
        b"PS" => "application/postscript",
        _ => return None,
    })
}

/// Returns the number and the value of each field of an identifier; `None` if it does not consist of
/// fields.
fn fields_of<'w>(wpath: SpannedStr<'w>) -> Option<Vec<(SpannedStr<'w>, SpannedStr<'w>)>> {
    let mut fields: Vec<_> = wpath.split(";").collect();
    // The last ";" ends a field, and does not begin another.
    if fields.last().is_some_and(|last| last.is_empty()) {
        fields.pop();
    }
    let divided = |field: SpannedStr<'w>| field.split_once("=").filter(|(number, _)| is_number(*number));
    fields.into_iter().map(divided).collect::<Option<Vec<_>>>().filter(|fields| !fields.is_empty())
}

/// Returns the error of a value that a packet cannot contain.
const fn value_error(excerpt: SpannedStr<'_>, expects: &'static str, citation: &'static str) -> ValueError {
    ValueError::Unexpected { span: excerpt.place(), expects, citation }
}

/// Returns whether these are decimal digits; escaped digits are equivalent.
fn is_number(excerpt: SpannedStr<'_>) -> bool {
    !excerpt.is_empty() && excerpt.decode().iter().all(u8::is_ascii_digit)
}

/// Returns the number of these digits; `None` if it is too large.
fn value_of<N: FromStr>(digits: SpannedStr<'_>) -> Option<N> {
    str::from_utf8(&digits.decode()).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edition::{ALL, RFC1738, RFC3986, URL_1994};
    use crate::scheme::{WaisObject, WaisUrl};

    #[test]
    fn a_document_is_the_one_it_was_built_for() {
        let mut opaque = Vec::new();
        push(&mut opaque, 3, b"0 67 /a;b=c");
        push(&mut opaque, 7, &[0]);
        for edition in ALL {
            let parts = WaisParts::new("h", "a/b").document("TE/XT", &opaque[..]).length(67);
            let built = parts.build_with(edition);
            let built = built.unwrap_or_else(|error| panic!("{}: {error}", edition.name));
            let url = WaisUrl::of(built.as_uri_ref()).expect("it was built");
            let WaisObject::Document(document) = url.object else { panic!("{built}") };
            assert_eq!(document.identifier().as_ref(), Ok(&opaque), "{built}");
            assert_eq!((&*url.database.decode(), &*document.wtype.decode()), (&b"a/b"[..], &b"TE/XT"[..]));
            let has_length = *edition != URL_1994 && *edition != RFC1738;
            assert_eq!(document.length.is_some(), has_length, "{built}");
        }
    }

    #[test]
    fn a_step_is_no_database() {
        let parts = WaisParts::new("h", "..").search("a");
        assert_eq!(parts.build(), Err(BuildError::DotSegment { edition: &RFC3986 }));
    }

    #[test]
    fn integers_are_what_they_were() {
        let octets = |value| compressed(value).collect::<Vec<_>>();
        assert_eq!(octets(0), [0]);
        assert_eq!(octets(127), [0x7F]);
        assert_eq!(octets(150), [0x81, 0x16]);
        assert_eq!(octets(753), [0x85, 0x71]);
        for value in [0, 1, 127, 128, 16383, 16384, usize::MAX] {
            assert_eq!(read_compressed(&octets(value)), Some((value, &[][..])));
        }
        assert_eq!(read_compressed(&[0x80, 0x80, 5, 6]), Some((5, &[6][..])));
        assert_eq!(read_compressed(&[0xFF; 11]), None);
        assert_eq!(read_compressed(&[0x81]), None);
    }

    #[test]
    fn fields_are_what_they_were() {
        let mut identifier = Vec::new();
        push(&mut identifier, 3, b"0 67 /a");
        push(&mut identifier, 7, &[0]);
        assert_eq!(identifier, b"\x03\x070 67 /a\x07\x01\0");
        assert_eq!(divide(&identifier), Some(alloc::vec![(3, &b"0 67 /a"[..]), (7, &[0][..])]));
        assert_eq!(divide(b"\x03\x07short"), None);
    }
}
