//! Parses and writes the menus of Gopher servers.
//!
//! Takes the octets of a menu and returns its items, each with the URL of its target; and the reverse.
//! Follows RFC 1436, section 3.9 and appendix, the fifth field of Gopher+, and "Gopher" of the draft of
//! 1993: "Gopher links which refer to different protocols should be converted into URLs for those
//! protocols."
//!
//! ```
//! use locator::scheme::menu;
//!
//! let answer = b"1Docs\tdocs\th.example\t70\r\n8Login\tjan\th.example\t23\r\n\
//!     hHome\tURL:http://h.example/\th.example\t70\r\n.\r\n";
//! let mut urls = Vec::new();
//! for item in menu::items(answer) {
//!     urls.push(item?.url()?.into_string());
//! }
//! assert_eq!(urls, [
//!     "gopher://h.example/1docs",
//!     "telnet://jan@h.example",
//!     "http://h.example/",
//! ]);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # Pitfalls
//!
//! - Lines of type `i` are text, and those of type `3` are errors: [`Item::url`] returns an error for them.
//! - A menu is a stranger's text. Its items may lead to any host, port and protocol
//!   ([`Item::leads_elsewhere`]): ask `locator_audit::Policy::follow` before you connect.
//! - Names and selectors are bytes, often in ISO 8859-1.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::iter::FusedIterator;
use core::ops::Range;
use core::{slice, str};

use super::{GopherParts, GopherUrl};
use crate::as_text::error_as_sentence;
use crate::build::BuildError;
use crate::edition::{self, Edition};
use crate::form::SyntaxError;
use crate::reference::{Uri, UriBuf, UriRef};
use crate::scheme::SessionParts;
use crate::scheme::parts::LoginParts;

/// An item of a Gopher menu: a type, a name and the address of an object.
///
/// ```
/// use locator::scheme::menu;
///
/// let menu = b"0About\tabout.txt\trawBits.micro.umn.edu\t70\r\niWelcome\t\terror.host\t1\r\n.\r\n";
/// let items: Vec<_> = menu::items(menu).collect::<Result<_, _>>()?;
/// assert_eq!(
///     items[0].url().unwrap(),
///     "gopher://rawBits.micro.umn.edu/0about.txt"
/// );
/// assert!(items[1].url().is_err());
/// assert_eq!(
///     items[0].to_line(),
///     b"0About\tabout.txt\trawBits.micro.umn.edu\t70\r\n"
/// );
/// # Ok::<_, menu::ItemError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item<'m> {
    /// The type of the item.
    pub kind: u8,
    /// The name of the item, for display.
    pub name: &'m [u8],
    /// The selector, which is sent to the server.
    pub selector: &'m [u8],
    /// The host of the server.
    pub host: &'m [u8],
    /// The port of the server.
    pub port: u16,
    /// The fifth field: `+` for a Gopher+ item, `?` for one with a form.
    pub plus: Option<&'m [u8]>,
}

/// Returns the items of a menu, up to a line "." or the end. Lines end in CR LF, or in LF alone.
pub const fn items(menu: &[u8]) -> Items<'_> {
    Items { rest: menu, line: 0 }
}

/// The items of a menu, and the lines that are none: the result of [`items`].
///
/// ```
/// use locator::scheme::menu::{self, Items};
///
/// /// A menu that is shown item by item.
/// struct Pager<'m>(Items<'m>);
///
/// let mut pager = Pager(menu::items(b"0About\tabout.txt\th.example\t70\r\n.\r\n"));
/// assert_eq!(pager.0.next().unwrap()?.name, b"About");
/// assert!(pager.0.next().is_none());
/// # Ok::<_, menu::ItemError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Items<'m> {
    rest: &'m [u8],
    /// The number of the last line, counted from 1.
    line: usize,
}

impl<'m> Iterator for Items<'m> {
    type Item = Result<Item<'m>, ItemError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.rest.is_empty() {
            let end = self.rest.iter().position(|&octet| octet == b'\n').unwrap_or(self.rest.len());
            let (line, rest) = self.rest.split_at(end);
            self.rest = rest.get(1..).unwrap_or_default();
            self.line += 1;
            match line.strip_suffix(b"\r").unwrap_or(line) {
                b"." => self.rest = &[],
                b"" => {}
                line => return Some(Item::read(line).ok_or(ItemError { line: self.line })),
            }
        }
        None
    }
}

impl FusedIterator for Items<'_> {}

impl<'m> Item<'m> {
    /// Reads `DirEntity ::= Type User_Name Tab Selector Tab Host Tab Port CR-LF`. Lines of text
    /// alone (`i`, and errors, `3`) may lack the other fields.
    fn read(line: &'m [u8]) -> Option<Self> {
        let (&kind, rest) = line.split_first()?;
        let mut fields = rest.split(|&octet| octet == b'\t');
        let name = fields.next()?;
        let is_words = matches!(kind, b'i' | b'3');
        let (selector, host) = match (fields.next(), fields.next()) {
            (Some(selector), Some(host)) => (selector, host),
            (selector, _) if is_words => (selector.unwrap_or_default(), &b""[..]),
            _ => return None,
        };
        let port = fields.next().and_then(|port| str::from_utf8(port).ok()?.trim().parse().ok());
        let port = if is_words { port.or(Some(0)) } else { port }?;
        Some(Self { kind, name, selector, host, port, plus: fields.next().filter(|plus| !plus.is_empty()) })
    }

    /// Returns the item that a URL identifies.
    ///
    /// # Errors
    ///
    /// The reference is not a gopher URL, or names no server.
    pub fn of<'a>(url: &'a GopherUrl<'a>, name: &'a [u8]) -> Result<OwnedItem, SyntaxError> {
        let no_form = |span| SyntaxError::Form { span, form: super::Scheme::form(&super::Gopher) };
        let host = url.login.host_name().map_err(|_| no_form(url.login.host.place()))?;
        let port = url.login.port_number().map_err(|_| no_form(url.login.host.place()))?.unwrap_or(70);
        let plus = url.plus.map(|plus| plus.decode().into_owned());
        let selector = url.selector.decode().into_owned();
        Ok(OwnedItem {
            kind: url.type_octet(),
            name: name.into(),
            selector,
            host: host.into_bytes(),
            port,
            plus,
        })
    }

    /// Returns the URL of the item: a telnet URL for type 8, a tn3270 URL for type T, the URL after
    /// `URL:` in a selector of type h, otherwise a gopher URL.
    ///
    /// # Errors
    ///
    /// The item has no target (`i`, `3`), or its fields are not a valid URL.
    pub fn url(&self) -> Result<UriBuf, ItemUrlError> {
        self.url_with(edition::DEFAULT)
    }

    /// Returns the URL of the item, as [`url`](Self::url) does, written by an edition.
    ///
    /// # Errors
    ///
    /// Those of [`url`](Self::url).
    pub fn url_with(&self, edition: &'static Edition) -> Result<UriBuf, ItemUrlError> {
        let host = str::from_utf8(self.host).map_err(|_| ItemUrlError::Host)?;
        let server = |default: u16| match self.port {
            0 => LoginParts::new(host),
            port if port == default => LoginParts::new(host),
            port => LoginParts::new(host).port(port),
        };
        let session = |scheme| {
            let login = server(23);
            let login = if self.selector.is_empty() { login } else { login.user(self.selector) };
            SessionParts::new(scheme, login).build_with(edition)
        };
        let built = match (self.kind, self.link(edition)) {
            (b'i' | b'3', _) => return Err(ItemUrlError::Words),
            (b'8' | b'T', _) if host.is_empty() => return Err(ItemUrlError::NoHost),
            (b'8', _) => session("telnet"),
            (b'T', _) => session("tn3270"),
            (_, Some(link)) => return link.map(|link| link.to_owned()),
            _ if host.is_empty() => return Err(ItemUrlError::NoHost),
            (kind, None) => {
                let plus = self.plus.filter(|plus| matches!(plus, [b'+' | b'?', ..]));
                let kind = slice::from_ref(&kind);
                let parts = GopherParts::new(server(70)).kind(kind).selector(self.selector);
                plus.map_or(parts.clone(), |plus| parts.plus(plus)).build_with(edition)
            }
        };
        built.map_err(ItemUrlError::Build)
    }

    /// Returns whether the item leads to another protocol than Gopher.
    #[must_use]
    pub fn leads_elsewhere(&self) -> bool {
        matches!(self.kind, b'8' | b'T') || self.link(edition::DEFAULT).is_some_and(|link| link.is_ok())
    }

    /// Returns the URL in a selector `URL:…` of type h.
    fn link(&self, edition: &'static Edition) -> Option<Result<Uri<'m>, ItemUrlError>> {
        let text = (self.kind == b'h').then_some(self.selector)?;
        let text = text.strip_prefix(b"URL:").or(text.strip_prefix(b"/URL:"))?;
        let read = UriRef::parse_bytes_with(text, edition).and_then(Uri::try_from);
        Some(read.map_err(|_| ItemUrlError::Link))
    }

    /// Returns the line of the item in a menu, with CR LF.
    #[must_use]
    pub fn to_line(&self) -> Vec<u8> {
        let port = self.port.to_string();
        let mut line = Vec::from([self.kind]);
        let fields = [self.name, self.selector, self.host, port.as_bytes()].into_iter().chain(self.plus);
        for (i, field) in fields.enumerate() {
            if i > 0 {
                line.push(b'\t');
            }
            // The delimiters of fields and lines are not allowed in a field.
            line.extend(
                field.iter().map(|octet| if matches!(octet, b'\t' | b'\r' | b'\n') { &b' ' } else { octet }),
            );
        }
        line.extend_from_slice(b"\r\n");
        line
    }
}

/// An item that owns its fields.
///
/// [`Item::of`] returns it, because the fields of an item are decoded and those of a URL are not.
///
/// ```
/// use locator::scheme::GopherUrl;
/// use locator::scheme::menu::Item;
/// use locator::uri;
///
/// let url = GopherUrl::try_from(uri!("gopher://h.example/0a%20b"))?;
/// let item = Item::of(&url, b"A text")?;
/// let line = item.as_item().to_line();
/// assert_eq!(line, b"0A text\ta b\th.example\t70\r\n");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedItem {
    kind: u8,
    name: Vec<u8>,
    selector: Vec<u8>,
    host: Vec<u8>,
    port: u16,
    plus: Option<Vec<u8>>,
}

impl OwnedItem {
    /// Borrows this item; [`Item`] has all its methods.
    #[must_use]
    pub fn as_item(&self) -> Item<'_> {
        Item {
            kind: self.kind,
            name: &self.name,
            selector: &self.selector,
            host: &self.host,
            port: self.port,
            plus: self.plus.as_deref(),
        }
    }
}

/// The error of a line of a menu that is not an item.
///
/// ```
/// use locator::scheme::menu;
///
/// let menu = b"0About\tabout.txt\th.example\t70\r\nnot an item\r\n";
/// let error = menu::items(menu).find_map(Result::err).unwrap();
/// assert_eq!(error.line(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ItemError {
    line: usize,
}

impl ItemError {
    /// Returns the number of the line, counted from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Returns the document and section that define items: `RFC 1436, 3.9`.
    #[must_use]
    pub const fn citation(&self) -> &'static str {
        "RFC 1436, 3.9"
    }
}

impl Display for ItemError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {} of the menu is not an item: expected type and name, selector, host and port, ",
            self.line
        )?;
        f.write_str("separated by tabs (RFC 1436, 3.9)")
    }
}

error_as_sentence!(ItemError);

/// The reason why an item of a menu has no URL.
///
/// ```
/// use locator::scheme::menu::{self, ItemUrlError};
///
/// let menu = b"iWelcome\t\terror.host\t1\r\nhX\tURL:not a URL\th\t70\r\n";
/// let mut items = menu::items(menu).map(Result::unwrap);
/// let error = items.next().unwrap().url().unwrap_err();
/// assert_eq!(error, ItemUrlError::Words);
/// let error = items.next().unwrap().url().unwrap_err();
/// assert_eq!(error, ItemUrlError::Link);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ItemUrlError {
    /// The item is text and has no target.
    Words,
    /// The host of the item is not UTF-8.
    Host,
    /// The item names no host.
    NoHost,
    /// The text after `URL:` is not an absolute URL.
    Link,
    /// The fields of the item cannot be written as a URL.
    Build(BuildError),
}

impl ItemUrlError {
    /// Returns the bytes of the value that the error is about, if the URL cannot be built.
    #[must_use]
    pub const fn span(&self) -> Option<Range<usize>> {
        match self {
            Self::Build(error) => error.span(),
            Self::Words | Self::Host | Self::NoHost | Self::Link => None,
        }
    }

    /// Returns the document and section of the rule, where there is one: `RFC 3986, 3.3`.
    #[must_use]
    pub fn citation(&self) -> Option<impl Display> {
        match self {
            Self::Build(error) => Some(error.citation()),
            Self::Words | Self::Host | Self::NoHost | Self::Link => None,
        }
    }
}

impl Display for ItemUrlError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words => f.write_str("the item is text and leads nowhere"),
            Self::Host => f.write_str("the host of the item is not UTF-8"),
            Self::NoHost => f.write_str("the item names no host"),
            Self::Link => {
                f.write_str("the text after \"URL:\" in the selector of the item is not an absolute URL")
            }
            Self::Build(error) => error.fmt(f),
        }
    }
}

error_as_sentence!(ItemUrlError);
