//! The entries of lists: takes the body of a menu, of a listing of names, of newsgroups, of article
//! numbers, of what a search found or of links, returns the entries, each with its absolute URL. Pure:
//! nothing is read or sent.
//!
//! The URL of an entry leads to exactly the octets that the server named: a name "a%2Fb" of FTP
//! becomes `a%252Fb`, a selector keeps its octets, and no octet of a name can end a line of a list
//! that is made of URLs.
//!
//! ```
//! use locator::plan::ObjectKind;
//! use locator::uri_ref;
//! use locator_fetch::entries::entries;
//!
//! let url = uri_ref!("ftp://h/pub/");
//! let names = b"a b\r\na%2Fb\n.\n..\n";
//! let urls = entries(ObjectKind::Names, url, names).unwrap().map(|entry| entry.url.unwrap().to_string());
//! assert_eq!(urls.collect::<Vec<_>>(), ["ftp://h/pub/a%20b", "ftp://h/pub/a%252Fb"]);
//! ```

mod foreign;
mod hits;
mod links;
mod menu;
mod names;
mod news;

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use locator::edition::RFC3986;
use locator::plan::ObjectKind;
use locator::scheme::menu::ItemUrlError;
use locator::{BuildError, Edition, UriBuf, UriRef};

/// An entry of a list.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The absolute URL of the entry, or the reason why it has none.
    pub url: Result<UriBuf, NoUrl>,
    /// The name for display, in the octets of the server. It may contain any octet, also controls.
    pub name: Vec<u8>,
    /// The kind of the entry.
    pub kind: EntryKind,
    /// The number of octets, as the server rounds it.
    pub size: Option<u64>,
    /// The media type, if the server states it.
    pub media_type: Option<String>,
    /// The URL of an access method that the server states (Prospero).
    pub access: Option<UriBuf>,
    /// What is only known of a document that a search found.
    pub hit: Option<Hit>,
}

/// What a search says about a document that it found (WAIS).
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hit {
    /// How well the document fits the words; 1000 is best.
    pub score: Option<u64>,
    /// The number of lines.
    pub lines: Option<u64>,
    /// The types that the document can be retrieved as: `TEXT`. The URL of the entry is for the first.
    pub types: Vec<String>,
    /// The URLs for the other types, in their order.
    pub other_urls: Vec<Result<UriBuf, NoUrl>>,
    /// The date, as the server writes it: `950131`.
    pub date: Option<String>,
    /// The database that the document is in, as the server names it.
    pub source: Option<String>,
}

impl Entry {
    fn new(url: Result<UriBuf, NoUrl>, name: &[u8], kind: EntryKind) -> Self {
        Self { url, name: name.into(), kind, size: None, media_type: None, access: None, hit: None }
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $word:literal;)*) => {
        /// The kind of an entry.
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum EntryKind {
            $($(#[$doc])* $name,)*
        }

        impl EntryKind {
            /// Returns the name of this kind in JSON.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }
        }
    };
}

kinds! {
    /// Lines of text.
    Text = "text";
    /// Octets.
    Binary = "binary";
    /// A menu of Gopher.
    Menu = "menu";
    /// A search of Gopher, which needs words.
    Search = "search";
    /// An item of Gopher+ that is fetched by filling in a form.
    Form = "form";
    /// An interactive session.
    Session = "session";
    /// An item of Gopher, or a link of Prospero, that leads to a URL of another protocol.
    Link = "link";
    /// A name that a listing does not describe: a file or a directory.
    Name = "name";
    /// A file.
    File = "file";
    /// A directory.
    Directory = "directory";
    /// A newsgroup.
    Group = "group";
    /// An article of a newsgroup.
    Article = "article";
    /// A line of text in a menu, which leads nowhere.
    Words = "words";
    /// A message of a server that something is wrong.
    Error = "error";
    /// A kind that is not known.
    Unknown = "unknown";
}

/// The reason why an entry has no URL.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoUrl {
    /// The item of a menu leads nowhere, or its fields are no URL.
    Item(ItemUrlError),
    /// The name cannot be written as a URL.
    Build(BuildError),
    /// The line of the list is not an entry.
    Line,
    /// The URL of the list names no server, and entries without one cannot be found again.
    NoServer,
    /// No URL of the scheme identifies such an entry.
    NotExpressible,
    /// The edition cannot write the URL, which RFC 3986 can.
    Edition(&'static Edition),
    /// The URL names no host.
    NoHost,
    /// A server named a file, data or a script of this machine.
    Here,
}

impl NoUrl {
    /// Returns whether another edition may write the URL.
    const fn may_depend_on_edition(self) -> bool {
        matches!(
            self,
            Self::Build(_) | Self::NotExpressible | Self::Item(ItemUrlError::Build(_) | ItemUrlError::Link)
        )
    }
}

impl Display for NoUrl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Item(error) => error.fmt(f),
            Self::Build(error) => error.fmt(f),
            Self::Line => f.write_str("the line is not an entry of such a list"),
            Self::NoServer => f.write_str("the URL of the list names no server"),
            Self::NotExpressible => f.write_str("no URL of the scheme identifies such an entry"),
            Self::Edition(edition) => {
                write!(f, "the {} cannot write the URL; RFC 3986 can", edition.document)
            }
            Self::NoHost => f.write_str("the URL of the entry names no host"),
            Self::Here => f.write_str("a server must not name a file, data or a script of this machine"),
        }
    }
}

impl Error for NoUrl {}

impl From<BuildError> for NoUrl {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

/// Returns the entries of a list: of a body of this kind that a URL led to, after all redirections.
/// `None` if objects of the kind are not lists. The iterator takes one line at a time, but for hits.
///
/// The URLs of entries are written by the edition of the URL. Those that a server sent never name a
/// file, data or a script of this machine ([`NoUrl::Here`]).
#[must_use]
pub fn entries<'b>(
    kind: ObjectKind,
    url: UriRef<'b>,
    body: &'b [u8],
) -> Option<Box<dyn Iterator<Item = Entry> + 'b>> {
    entries_with(kind, url, url.edition(), body)
}

/// Returns the entries of a list, as [`entries`] does, with URLs of this edition.
#[must_use]
pub fn entries_with<'b>(
    kind: ObjectKind,
    url: UriRef<'b>,
    edition: &'static Edition,
    body: &'b [u8],
) -> Option<Box<dyn Iterator<Item = Entry> + 'b>> {
    let entries = written(kind, url, edition, body)?;
    // The same entries by RFC 3986 are made only up to one that this edition cannot write.
    let (mut others, mut left) = (written(kind, url, &RFC3986, body)?, 0);
    Some(Box::new(entries.map(move |mut entry| {
        match entry.url {
            Err(why) if why.may_depend_on_edition() => {
                let other = others.nth(std::mem::take(&mut left));
                if other.is_some_and(|other| other.url.is_ok()) {
                    entry.url = Err(NoUrl::Edition(edition));
                }
            }
            _ => left += 1,
        }
        foreign::judged(entry, url)
    })))
}

/// Returns the entries of a list with URLs of an edition, as the body names them.
fn written<'b>(
    kind: ObjectKind,
    url: UriRef<'b>,
    edition: &'static Edition,
    body: &'b [u8],
) -> Option<Box<dyn Iterator<Item = Entry> + 'b>> {
    Some(match kind {
        ObjectKind::Menu => menu::entries(edition, body),
        ObjectKind::Names => Box::new(names::entries(url, edition, body)),
        ObjectKind::Groups => Box::new(news::groups(url, edition, body)),
        ObjectKind::Links => Box::new(links::entries(url, edition, body)),
        ObjectKind::Numbers => Box::new(news::numbers(url, edition, body)),
        ObjectKind::Hits => hits::entries(url, edition, body),
        _ => return None,
    })
}

/// Returns whether objects of a kind are lists, which have [`entries`].
#[must_use]
pub const fn is_list(kind: ObjectKind) -> bool {
    use ObjectKind::{Groups, Hits, Links, Menu, Names, Numbers};
    matches!(kind, Menu | Names | Groups | Links | Numbers | Hits)
}

/// Returns the lines of a list, which end in LF or CR LF, without empty ones.
fn lines(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = body.split(|&octet| octet == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines.filter(|line| !line.is_empty())
}
