//! The builder of gopher URLs: takes their parts, returns a URL. Follows RFC 1738, section 3.4, and
//! "Gopher" of the draft of 1993, which writes a search after "?".

use alloc::string::String;
use alloc::vec::Vec;

use super::{Gopher, GopherPlusParts, GopherUrl, TAB};
use crate::build::{BuildError, Value};
use crate::edition::{Edition, GopherSearch, rfc1738};
use crate::reference::UriBuf;
use crate::scheme::LoginParts;
use crate::scheme::parts::{Frame, checked, raw, setters, written};
use crate::simd::AsciiSet;
use crate::span::Component;

/// A builder of gopher URLs from a server, a type, a selector and a search.
///
/// ```
/// use locator::edition::RFC1738;
/// use locator::scheme::{GopherParts, GopherUrl};
///
/// let url = GopherParts::new("h").kind("7").selector("/find").search("a b").build_with(&RFC1738)?;
/// assert_eq!(url, "gopher://h/7/find%09a%20b");
/// assert_eq!(GopherUrl::try_from(&url).unwrap().parts().search("c").build_with(&RFC1738)?, "gopher://h/7/find%09c");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[must_use = "it builds nothing before `build`"]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GopherParts<'v> {
    frame: Frame<'v>,
    /// The server.
    pub login: LoginParts<'v>,
    /// The type of the item, one octet; `None` in a URL without a path. A selector without a type
    /// has the type "1".
    pub kind: Option<Value<'v>>,
    /// The selector of the item.
    pub selector: Value<'v>,
    /// The search words.
    pub search: Option<Value<'v>>,
    /// The Gopher+ string.
    pub plus: Option<GopherPlusParts<'v>>,
    /// Whether the view has no text after the authority.
    bare: bool,
}

impl<'v> GopherParts<'v> {
    /// Begins a URL of a server, for an item of type "1": a menu.
    pub fn new(login: impl Into<LoginParts<'v>>) -> Self {
        Self {
            frame: Frame::default(),
            login: login.into(),
            kind: Some(Value::Text("1")),
            selector: Value::Text(""),
            search: None,
            plus: None,
            bare: false,
        }
    }

    setters! {
        /// Sets the server.
        login;
        /// Sets the type of the item, one octet: "0" for a text, "1" for a menu, "7" for a search.
        maybe kind;
        /// Sets the selector of the item, which often begins with a second copy of the type.
        one selector;
        /// Sets the search words.
        maybe search;
    }

    /// Sets the Gopher+ string.
    pub fn plus(mut self, plus: GopherPlusParts<'v>) -> Self {
        self.plus = Some(plus);
        self
    }

    /// Builds the URL. The path reserves only its delimiters.
    ///
    /// # Errors
    ///
    /// A value that is not allowed in a URL of the edition; a tab in the selector or the search; a
    /// part of a Gopher+ string that contains what divides it; a Gopher+ string in the draft of
    /// 1993, which has none.
    pub fn build_with(&self, edition: &'static Edition) -> Result<UriBuf, BuildError> {
        let has_tab_search = edition.forms.gopher_search == GopherSearch::Tab;
        let misread = BuildError::Misread { component: Component::Path, edition };
        // A tab divides, escaped or not, and the draft of 1993 has no place for a Gopher+ string.
        let has_tab = |value: Value<'_>| value.is_decoded() && value.as_bytes().contains(&b'\t');
        let has_no_place = self.plus.is_some() && !has_tab_search;
        if has_no_place || has_tab(self.selector) || self.search.is_some_and(has_tab) {
            return Err(misread);
        }
        let mut rest = self.item(edition)?;
        if has_tab_search {
            let search = self.search.or(self.plus.as_ref().map(|_| Value::Text("")));
            if let Some(search) = search {
                rest = rest + TAB + &written(search, edition, Component::Path, KEPT)?;
            }
            if let Some(plus) = &self.plus {
                rest = rest + TAB + &plus.written(edition, KEPT)?.ok_or(misread)?;
            }
        } else if let Some(search) = self.search {
            rest = rest + "?" + &words(search, edition)?;
        }
        let built = self.login.build(self.frame.begin("gopher", edition)?, &Gopher, &rest)?;
        checked(built, &self.values(), |url| GopherUrl::of(url).map(|url| url.parts().values()))
    }

    /// Writes type and selector with the "/" before them.
    fn item(&self, edition: &'static Edition) -> Result<String, BuildError> {
        let selector = written(self.selector, edition, Component::Path, KEPT)?;
        let kind = match self.kind {
            Some(kind) => {
                let octets = kind.encoded(edition, Component::Path)?;
                // One octet, which may be escaped.
                if octets.len() != 1 && kind.is_decoded() {
                    return Err(BuildError::Misread { component: Component::Path, edition });
                }
                written(kind, edition, Component::Path, AsciiSet::ALPHA.union(AsciiSet::DIGIT))?
            }
            None if selector.is_empty() && (self.search.is_none() && self.plus.is_none()) => {
                return Ok(String::from(if self.bare { "" } else { "/" }));
            }
            None if selector.is_empty() && edition.forms.gopher_search == GopherSearch::QuestionMark => {
                return Ok(String::from(if self.bare { "" } else { "/" }));
            }
            None => String::from("1"),
        };
        Ok(["/", &kind, &selector].concat())
    }

    fn values(&self) -> Vec<Value<'v>> {
        let plus = self.plus.iter().flat_map(GopherPlusParts::values);
        self.login.values().chain(self.kind).chain([self.selector]).chain(self.search).chain(plus).collect()
    }
}

/// The path reserves only its delimiters.
const KEPT: AsciiSet = rfc1738::UCHAR.union(AsciiSet::of(b"/"));

/// Writes the words of a search after "?", with "+" for each space of data.
fn words(search: Value<'_>, edition: &'static Edition) -> Result<String, BuildError> {
    if !search.is_decoded() {
        return written(search, edition, Component::Query, AsciiSet::EMPTY);
    }
    let octets = search.encoded(edition, Component::Path)?;
    let keep = rfc1738::UCHAR.difference(AsciiSet::of(b"+/"));
    let words = octets.split(|&octet| octet == b' ');
    let words = words.map(|word| written(Value::Decoded(word), edition, Component::Path, keep));
    Ok(words.collect::<Result<Vec<_>, _>>()?.join("+"))
}

impl<'a> GopherUrl<'a> {
    /// Returns the parts of this URL; building them by its edition returns the identical URL. The
    /// Gopher+ string is one encoded value.
    pub fn parts(&self) -> GopherParts<'a> {
        // The tab before a Gopher+ string may be there without one.
        let end = self.search.map_or(0, |search| search.span().end);
        let has_place = !self.words && end > 0 && self.url.as_str()[end..].starts_with(TAB);
        let plus = self.plus.map(raw).or(has_place.then_some(Value::Encoded("")));
        GopherParts {
            frame: Frame::of(self.url),
            login: self.login.parts(),
            kind: self.kind.map(raw),
            selector: raw(self.selector),
            search: self.search.map(raw),
            plus: plus.map(GopherPlusParts::Other),
            bare: self.url.path().as_str().is_empty(),
        }
    }
}
