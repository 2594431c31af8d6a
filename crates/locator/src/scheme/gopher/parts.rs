//! What builds a gopher URL: its parts enter, as data; a URL that has them leaves. Follows RFC 1738, section 3.4, and
//! "Gopher" of the draft of 1993, which writes a search after "?".

use alloc::string::String;
use alloc::vec::Vec;

use super::{GopherPlusParts, TAB};
use crate::build::BuildError;
use crate::edition::{Edition, GopherSearch, rfc1738};
use crate::escape::EscapedBuf;
use crate::octet::Set;
use crate::part::Part;
use crate::reference::UriBuf;
use crate::scheme::{LoginParts, kept};

/// What a gopher URL is built of; all of it is data.
///
/// ```
/// use locator::edition::RFC1738;
/// use locator::scheme::{GopherParts, LoginParts};
///
/// let login = LoginParts { host: "h", ..LoginParts::default() };
/// let parts = GopherParts { login, kind: b'7', selector: b"/find", search: Some(b"a b"), plus: None };
/// assert_eq!(parts.build(&RFC1738)?, "gopher://h/7/find%09a%20b");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GopherParts<'v> {
    /// The server.
    pub login: LoginParts<'v>,
    /// The type of the item.
    pub kind: u8,
    /// Its selector.
    pub selector: &'v [u8],
    /// What is searched for.
    pub search: Option<&'v [u8]>,
    /// The Gopher+ string.
    pub plus: Option<GopherPlusParts<'v>>,
}

impl Default for GopherParts<'_> {
    fn default() -> Self {
        Self { login: LoginParts::default(), kind: b'1', selector: b"", search: None, plus: None }
    }
}

impl GopherParts<'_> {
    /// The URL. Nothing is reserved in the path but what divides it.
    ///
    /// # Errors
    ///
    /// Something that cannot stand in a URL of the edition; a tab in the selector or the search; a part of a
    /// Gopher+ string with what divides it; a Gopher+ string in the draft of 1993, which has none.
    pub fn build(&self, edition: &'static Edition) -> Result<UriBuf, BuildError> {
        let set = kept(edition, Part::Path, rfc1738::UCHAR.or(Set::of(b"/")));
        let mut rest = String::from("/");
        rest.push_str(EscapedBuf::escape(&[self.kind], Set::ALPHA.or(Set::DIGIT)).as_str());
        rest.push_str(EscapedBuf::escape(self.selector, set).as_str());
        let search = self.search.or(self.plus.map(|_| &b""[..]));
        let misread = BuildError::Misread { part: Part::Path, edition };
        let plus = self.plus.map(|plus| plus.octets().ok_or(misread)).transpose()?;
        // A tab divides, escaped or not, and the draft of 1993 has no place for a Gopher+ string.
        let has_tab = |octets: &[u8]| octets.contains(&b'\t');
        let has_tab_search = edition.forms.gopher_search == GopherSearch::Tab;
        let has_no_place = plus.is_some() && !has_tab_search;
        if has_no_place || has_tab(self.selector) || search.is_some_and(has_tab) {
            return Err(misread);
        }
        if let Some(search) = search.filter(|_| !has_tab_search) {
            let words = search.split(|&octet| octet == b' ');
            let words: Vec<_> =
                words.map(|word| EscapedBuf::escape(word, set.without(Set::of(b"+/")))).collect();
            let words: Vec<_> = words.iter().map(EscapedBuf::as_str).collect();
            rest.push('?');
            rest.push_str(&words.join("+"));
            return self.login.build("gopher", edition, &rest);
        }
        for part in [search, plus.as_deref()].into_iter().flatten() {
            rest.push_str(TAB);
            rest.push_str(EscapedBuf::escape(part, set).as_str());
        }
        self.login.build("gopher", edition, &rest)
    }
}
