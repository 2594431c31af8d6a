//! The wais scheme: takes a URL, returns the first octet that breaks the edition's rule for it, or
//! its parts; `plan` has the packets that fetch what it identifies. Follows "WAIS" of the draft of
//! 1993, the draft of 1994, and RFC 1738, section 3.9.

#[cfg(feature = "plan")]
mod apdu;
mod document;
mod identifier;
#[cfg(feature = "plan")]
mod plan;
mod rules;

pub use document::{WaisDocument, media_type_of};

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use self::document::fields_of;
use super::parts::{Field, LoginParts, Part, Parts, Piece, Shape, builder, check_steps};
use super::syntax::login::Login;
use super::{Equivalences, Scheme, SchemeRule, if_ruled, rule_of};
use crate::build::{BuildError, Value};
use crate::component::SpannedStr;
use crate::edition::{Edition, WaisLength, rfc1738};
use crate::form::{Syntax, SyntaxError};
#[cfg(feature = "plan")]
use crate::plan::{Options, Plan, PlanError};
use crate::reference::UriRef;
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
        &rules::RULES
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
    let [Piece::One(identifier)] = *parts.pieces("identifier") else { return Ok(parts) };
    let written = match identifier {
        Value::Encoded(text) => String::from(text),
        data => {
            let octets = data.encoded(edition, Component::Path)?;
            let fields = identifier::divide(&octets).filter(|_| edition.forms.wais_fields);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edition::{ALL, RFC1738, RFC3986, URL_1994};
    use crate::scheme::{WaisObject, WaisUrl};

    #[test]
    fn a_document_is_the_one_it_was_built_for() {
        let mut opaque = Vec::new();
        identifier::push(&mut opaque, 3, b"0 67 /a;b=c");
        identifier::push(&mut opaque, 7, &[0]);
        for edition in ALL {
            let parts = WaisParts::new("h", "a/b").document("TE/XT", &opaque[..]).length(67);
            let built = parts.build_with(edition);
            let built = built.unwrap_or_else(|error| panic!("{}: {error}", edition.name));
            let url = WaisUrl::of(*built.as_uri()).expect("it was built");
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
}
