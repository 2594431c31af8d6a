//! The gopher scheme: takes a URL, returns the first octet that breaks the edition's rule for it,
//! its parts, or the line that fetches an item. Follows "Gopher" of the draft of 1993, "Overall
//! summary and examples" of that of 1994, and RFC 1738, section 3.4; the protocols are those of RFC
//! 1436 and Gopher+ of July 1993. Menus and attributes, the responses of servers, have their own
//! files.
//!
//! The rules of three editions for gopher: takes the cursor after the scheme's ":", returns the
//! first octet that breaks the rule. Follows "BNF syntax" of the draft of 1993, "BNF for specific
//! URL schemes" of that of 1994, and RFC 1738, section 3.4.1.

#[cfg(feature = "plan")]
pub mod attributes;
#[cfg(feature = "plan")]
pub mod menu;
#[cfg(feature = "plan")]
mod plan;
mod plus;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::parts::{Divide, Field, Fields, LoginParts, Part, Parts, Shape, builder};
use super::syntax::login::Login;
use super::{Equivalences, Scheme, SchemeRule, if_ruled};
use crate::component::SpannedStr;
use crate::edition::{Edition, GopherSearch, RFC1738, Rule, URL_1993, URL_1994, rfc1738, url_1993};
use crate::error::ParseError;
use crate::form::{Syntax, SyntaxError};
use crate::reference::UriRef;
use crate::scheme::cursor::{BNF_1993, BNF_1994, PATH_1993, PATH_1994, SEARCH_1993, XALPHA_1994};
use crate::scheme::{Reader, Terminal};
use crate::simd::AsciiSet;
use crate::span::Component;
pub use plus::GopherPlus;
use plus::type_of;

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
            citation: "RFC 1738, 3.4.1",
        }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &RULES
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

    fn unreserved(&self, part: Component, reference: UriRef<'_>) -> AsciiSet {
        if part == Component::Path { if_ruled(self, reference, b";/?:@&=") } else { AsciiSet::EMPTY }
    }

    // "Within the <gopher-path>, no characters are reserved" (RFC 1738, 3.4.1): "/" divides
    // nothing.
    fn is_hierarchical(&self) -> bool {
        false
    }
}

impl Divide for Gopher {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        GopherUrl::of(reference).map(|url| url.fields())
    }

    fn parts(&self, edition: &Edition) -> &'static [Part] {
        match edition.forms.gopher_search {
            GopherSearch::QuestionMark => &PARTS_1993,
            GopherSearch::Tab => &PARTS,
        }
    }

    fn rewritten(&self, outer: Option<SpannedStr<'_>>, inner: &str, value: Option<&str>) -> Option<String> {
        GopherPlus::rewritten(outer.map(GopherPlus::of), inner, value)
    }
}

/// A view of a gopher URL as a server, a type, a selector and a search.
///
/// ```
/// use locator::scheme::{GopherPlus, GopherUrl};
///
/// let url = GopherUrl::of(locator::uri_ref!(
///     "gopher://h/00/a%20b%09%09!+ABSTRACT%20+SMELL"
/// ))
/// .unwrap();
/// assert_eq!(
///     (url.item_type(), url.selector.decode().as_ref()),
///     ('0', &b"0/a b"[..])
/// );
/// let Some(GopherPlus::Attributes { of_directory: false, names }) =
///     url.gopher_plus()
/// else {
///     panic!()
/// };
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
            None => return Err(SyntaxError::Form { span: path.place(), form: Gopher.form() }),
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

    /// Returns the type of the item, one octet as a character; '1' without a type.
    #[must_use]
    pub fn item_type(&self) -> char {
        char::from(self.type_octet())
    }

    fn type_octet(&self) -> u8 {
        self.kind.and_then(|kind| kind.decode().first().copied()).unwrap_or(b'1')
    }

    /// Returns the parsed Gopher+ string.
    #[must_use]
    pub fn gopher_plus(&self) -> Option<GopherPlus<'a>> {
        self.plus.map(GopherPlus::of)
    }

    fn fields(&self) -> Vec<Field<'a>> {
        let mut fields: Fields<'a> = self.login.fields();
        if let Some(kind) = self.kind {
            fields = fields.one("type", kind).meaning(type_name(self.type_octet()));
        }
        let fields = fields.one("selector", self.selector);
        let fields = fields.maybe("search", self.search).maybe("gopher_plus", self.plus);
        match self.gopher_plus() {
            Some(plus) => plus.fields(fields),
            None => fields,
        }
        .end()
    }
}

/// Returns what an item of this type is: those of RFC 1436, 3.8, of Gopher+, 2.9, and what servers have added.
const fn type_name(kind: u8) -> Option<&'static str> {
    Some(match kind {
        b'0' => "a text",
        b'1' => "a menu",
        b'2' => "a phone book (CSO)",
        b'3' => "an error",
        b'4' => "a text in BinHex",
        b'5' => "a DOS archive",
        b'6' => "a text in uuencode",
        b'7' => "a search",
        b'8' => "a telnet session",
        b'9' => "a binary file",
        b'+' => "another server of the item before",
        b'T' => "a tn3270 session",
        b'g' => "a GIF image",
        b'I' => "an image",
        b':' => "a bitmap image",
        b';' => "a video",
        b'<' | b's' => "a sound",
        b'M' => "a MIME message",
        b'd' => "a document",
        b'h' => "an HTML document",
        b'i' => "words without a target",
        b'p' => "a PNG image",
        _ => return None,
    })
}

/// "An encoded tab character (%09)", which divides.
const TAB: &str = "%09";

const KIND: Part = Part::new("type", "/", AsciiSet::ALPHA.union(AsciiSet::DIGIT)).or("1");
const SELECTOR: Part = Part::new("selector", "", SELECTED);
/// The path reserves only its delimiters.
const SELECTED: AsciiSet = rfc1738::UCHAR.union(AsciiSet::of(b"/"));

static PARTS: [Part; 8] = [
    KIND,
    SELECTOR,
    Part::new("search", TAB, SELECTED).or(""),
    Part::new(GOPHER_PLUS, TAB, SELECTED),
    Part::new("view", "", SELECTED).inside(GOPHER_PLUS),
    Part::new("language", "", SELECTED).inside(GOPHER_PLUS),
    Part::new("values", "", SELECTED).of(Shape::Many('\n')).inside(GOPHER_PLUS),
    Part::new("attributes", "", SELECTED).of(Shape::Many(' ')).inside(GOPHER_PLUS),
];

const GOPHER_PLUS: &str = "gopher_plus";

static PARTS_1993: [Part; 3] =
    [KIND, SELECTOR, Part::new("search", "?", rfc1738::UCHAR).in_query().of(Shape::Words)];

builder! {
    /// A builder of gopher URLs from a server, a type, a selector and a search.
    ///
    /// ```
    /// use locator::edition::RFC1738;
    /// use locator::scheme::{GopherParts, GopherUrl};
    ///
    /// let url = GopherParts::new("h")
    ///     .kind("7")
    ///     .selector("/find")
    ///     .search("a b")
    ///     .build_with(&RFC1738)?;
    /// assert_eq!(url, "gopher://h/7/find%09a%20b");
    /// assert_eq!(
    ///     GopherUrl::try_from(&url)
    ///         .unwrap()
    ///         .parts()
    ///         .search("c")
    ///         .build_with(&RFC1738)?,
    ///     "gopher://h/7/find%09c"
    /// );
    ///
    /// // The parts of a Gopher+ string have their own names.
    /// let item = GopherParts::new("h").kind("0").selector("a");
    /// let view = item.clone().view("application/postscript").language("Es_ES");
    /// assert_eq!(
    ///     view.build_with(&RFC1738)?,
    ///     "gopher://h/0a%09%09+application/postscript%20Es_ES"
    /// );
    /// assert_eq!(
    ///     item.value("red").value("7").build_with(&RFC1738)?,
    ///     "gopher://h/0a%09%09+%091%0D%0A+-1%0D%0Ared%0D%0A7%0D%0A.%0D%0A"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    GopherParts of GopherUrl, by [Gopher];

    /// Sets the server.
    login;
    /// Sets the type of the item, one octet: "0" for a text, "1" for a menu, "7" for a search.
    one kind: "type";
    /// Sets the selector of the item, which often begins with a second copy of the type.
    one selector: "selector";
    /// Sets the search words.
    one search: "search";
    /// Sets the Gopher+ string as a whole: "?" requests the form that the user must fill, and "$" the
    /// attributes of all items of a directory. The draft of 1993 has no such string.
    one plus: "gopher_plus";
    /// Requests a view of the item, a media type.
    one view: "view";
    /// Sets the language of the view.
    one language: "language";
    /// Adds a value of the filled form, one line.
    each value: "values";
    /// Requests an attribute, with its "+".
    each attribute: "attributes";
}

impl<'v> GopherParts<'v> {
    /// Creates a builder of the URL of a server, for an item of type "1": a menu.
    pub fn new(login: impl Into<LoginParts<'v>>) -> Self {
        Self(Parts::new("gopher").at(login).with("type", "1").with("selector", ""))
    }
}

static RULES: [SchemeRule; 3] = [
    SchemeRule {
        edition: &URL_1993,
        rule: &Rule::new(
            "gopheraddress",
            BNF_1993,
            "the form gopher://host[:port][/[type[selector]]][?search]",
        ),
        check: check_1993,
    },
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule::new(
            "gopheraddress",
            BNF_1994,
            "the form gopher://host[:port][/[type[selector[%09search[%09gopher+]]]]]",
        ),
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule::new(
            "gopherurl",
            "3.4.1",
            "the form gopher://host[:port][/[type[selector[%09search[%09gopher+]]]]]",
        ),
        check: check_1738,
    },
];

// gopheraddress = "gopher://" hostport [ "/" [ gtype [ selector ] ] ] [ "?" search ]
// gtype = xalpha; selector = path
fn check_1993(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    if reader.skip("/") && reader.find(b"?") > reader.offset() {
        reader.take_one(&GTYPE_1993)?;
        reader.take(&PATH_1993, b"?")?;
    }
    if reader.skip("?") {
        reader.take_some(&SEARCH_1993, b"")?;
    }
    Ok(())
}

static GTYPE_1993: Terminal = Terminal::new(
    url_1993::XALPHA,
    "gtype",
    BNF_1993,
    "a letter, a digit, an escape or one of $-_@.&!*\"'():;,",
);

// gopheraddress = "gopher://" hostport [ "/" [ gtype [ gcommand ] ] ]
// gtype = xalpha; gcommand = path
fn check_1994(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    if reader.skip("/") && !reader.is_at_end() {
        reader.take_one(&XALPHA_1994)?;
        reader.take(&PATH_1994, b"")?;
    }
    Ok(())
}

// gopherurl = "gopher://" hostport
//             [ "/" [ gtype [ selector [ "%09" gsearch [ "%09" gopherplus ] ] ] ] ]
// gtype = xchar; selector, gsearch and gopherplus are *xchar each, and so are all together.
fn check_1738(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    if reader.skip("/") {
        reader.take(&SELECTOR_1738, b"")?;
    }
    Ok(())
}

static SELECTOR_1738: Terminal = Terminal::new(
    rfc1738::XCHAR,
    "selector",
    "3.4.1",
    "letters, digits, escapes or any of $-_.+!*'(),;/?:@&=",
);
