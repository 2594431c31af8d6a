//! The gopher scheme: takes a URL, returns the first octet that breaks the edition's rule for it,
//! its parts, or the line that fetches an item. Follows "Gopher" of the draft of 1993, "Overall
//! summary and examples" of that of 1994, and RFC 1738, section 3.4; the protocols are those of RFC
//! 1436 and Gopher+ of July 1993. Menus and attributes, the responses of servers, have their own
//! files.

pub mod attributes;
pub mod menu;
mod parts;
#[cfg(feature = "plan")]
mod plan;
mod plus;
mod rules;

pub use parts::GopherParts;
pub use plus::{GopherPlus, GopherPlusParts};

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::parts::{Field, Fields};
use super::syntax::login::Login;
use super::{Equivalences, Scheme, SchemeRule, if_ruled};
use crate::component::SpannedStr;
use crate::edition::GopherSearch;
use crate::form::{Syntax, SyntaxError};
use crate::reference::UriRef;
use crate::simd::AsciiSet;
use crate::span::Component;
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

    fn unreserved(&self, part: Component, reference: UriRef<'_>) -> AsciiSet {
        if part == Component::Path { if_ruled(self, reference, b";/?:@&=") } else { AsciiSet::EMPTY }
    }

    // "Within the <gopher-path>, no characters are reserved" (RFC 1738, 3.4.1): "/" divides
    // nothing.
    fn is_hierarchical(&self) -> bool {
        false
    }
}

/// A view of a gopher URL as a server, a type, a selector and a search.
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

    /// Returns the type of the item, one octet; "1" without a type.
    #[must_use]
    pub fn item_type(&self) -> u8 {
        self.kind.and_then(|kind| kind.decode().first().copied()).unwrap_or(b'1')
    }

    /// Returns the parsed Gopher+ string.
    #[must_use]
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
}

/// "An encoded tab character (%09)", which divides.
const TAB: &str = "%09";
