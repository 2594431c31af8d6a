//! An entry of a list: its URL, or why it has none, and what the list says of it.

use std::fmt::{self, Display, Formatter};
use std::time::SystemTime;

use locator::scheme::menu::ItemUrlError;
use locator::{BuildError, Edition, UriBuf};

/// An entry of a list.
///
/// ```
/// use locator::plan::ObjectKind;
/// use locator_fetch::entries::{EntryKind, entries};
///
/// let menu = b"1Files\t/files\th\t70\r\n";
/// let entry = entries(ObjectKind::Menu, locator::uri_ref!("gopher://h/1/"), menu)
///     .unwrap()
///     .next()
///     .unwrap();
/// assert_eq!((entry.kind, &*entry.name), (EntryKind::Menu, &b"Files"[..]));
/// assert_eq!(entry.url.unwrap(), "gopher://h/1/files");
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The absolute URL of the entry, or the reason why it has none.
    pub url: Result<UriBuf, EntryError>,
    /// The name for display, in the octets of the server. It may contain any octet, also controls.
    pub name: Vec<u8>,
    /// The kind of the entry.
    pub kind: EntryKind,
    /// The number of octets, as the server rounds it.
    pub size: Option<u64>,
    /// The time of the last change, as the list says it: to the second, or as [`describe`](super::describe)
    /// reads it.
    pub modified: Option<SystemTime>,
    /// What no other file of the server has, if the server states it (RFC 3659, 7.5.2).
    pub unique: Option<Vec<u8>>,
    /// The path that a symbolic link leads to, if the server states it.
    pub target: Option<Vec<u8>>,
    /// The media type, if the server states it.
    pub media_type: Option<String>,
    /// The URL of an access method that the server states (Prospero).
    pub access: Option<UriBuf>,
    /// What is only known of a document that a search found.
    pub hit: Option<SearchHit>,
    /// What is only known of an article in the overview of its group. The name is the subject then.
    pub overview: Option<ArticleOverview>,
}

/// What a search says about a document that it found (WAIS).
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchHit {
    /// How well the document fits the words; 1000 is best.
    pub score: Option<u64>,
    /// The number of lines.
    pub lines: Option<u64>,
    /// The types that the document can be retrieved as: `TEXT`. The URL of the entry is for the first.
    pub types: Vec<String>,
    /// The URLs for the other types, in their order.
    pub other_urls: Vec<Result<UriBuf, EntryError>>,
    /// The date, as the server writes it: `950131`.
    pub date: Option<String>,
    /// The database that the document is in, as the server names it.
    pub source: Option<String>,
}

/// What the overview of a newsgroup says about an article (RFC 3977, 8.3.2): values of its header, in the octets
/// of the server, in which encoded words (RFC 2047) are not decoded.
///
/// ```
/// use locator::plan::ObjectKind;
/// use locator_fetch::entries::entries;
///
/// let line = b"7\tHello\tJoe <joe@h>\t\t<1@h>\t\t900\t12\r\n";
/// let url = locator::uri_ref!("nntp://h/a.b");
/// let entry = entries(ObjectKind::Overview, url, line).unwrap().next().unwrap();
/// assert_eq!(entry.url.unwrap(), "nntp://h/a.b/7");
/// assert_eq!(entry.name, b"Hello");
/// assert_eq!(entry.overview.unwrap().from, b"Joe <joe@h>");
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArticleOverview {
    /// The number of the article in the group.
    pub number: u64,
    /// The author: `Joe <joe@example.com>`.
    pub from: Vec<u8>,
    /// The date and time of RFC 5322.
    pub date: Vec<u8>,
    /// The identifier, with "<" and ">".
    pub message_id: Vec<u8>,
    /// The identifiers of the articles that this one answers, the oldest first.
    pub references: Vec<u8>,
    /// The number of lines, if the server states it.
    pub lines: Option<u64>,
}

impl Entry {
    pub(super) fn new(url: Result<UriBuf, EntryError>, name: &[u8], kind: EntryKind) -> Self {
        let (size, modified, unique, target) = (None, None, None, None);
        let (media_type, access, hit, overview) = (None, None, None, None);
        let name = name.into();
        Self { url, name, kind, size, modified, unique, target, media_type, access, hit, overview }
    }
}

locator::named! {
    /// The kind of an entry.
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum EntryKind {
        /// Lines of text.
        Text = "text",
        /// Octets.
        Binary = "binary",
        /// A menu of Gopher.
        Menu = "menu",
        /// A search of Gopher, which needs words.
        Search = "search",
        /// An item of Gopher+ that is fetched by filling in a form.
        Form = "form",
        /// An interactive session.
        Session = "session",
        /// An item of Gopher, or a link of Prospero, that leads to a URL of another protocol.
        Link = "link",
        /// A name that a listing does not describe: a file or a directory.
        Name = "name",
        /// A file.
        File = "file",
        /// A directory.
        Directory = "directory",
        /// A symbolic link of a file system, to a file or a directory.
        Symlink = "symlink",
        /// A newsgroup.
        Group = "group",
        /// An article of a newsgroup.
        Article = "article",
        /// A line of text in a menu, which leads nowhere.
        Words = "words",
        /// A message of a server that something is wrong.
        Error = "error",
        /// A kind that is not known.
        Unknown = "unknown",
    }

    /// Returns the name of this kind in JSON.
    pub const fn name;
}

/// The reason why an entry has no URL.
///
/// ```
/// use locator::plan::ObjectKind;
/// use locator_fetch::entries::{EntryError, entries};
///
/// let menu = b"no item\r\n";
/// let entry = entries(ObjectKind::Menu, locator::uri_ref!("gopher://h/1/"), menu)
///     .unwrap()
///     .next()
///     .unwrap();
/// assert_eq!(entry.url, Err(EntryError::Line));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum EntryError {
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

impl EntryError {
    /// Returns whether another edition may write the URL.
    pub(super) const fn may_depend_on_edition(self) -> bool {
        matches!(
            self,
            Self::Build(_) | Self::NotExpressible | Self::Item(ItemUrlError::Build(_) | ItemUrlError::Link)
        )
    }
}

impl Display for EntryError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Item(error) => error.fmt(f),
            Self::Build(error) => error.fmt(f),
            Self::Line => f.write_str("not a valid entry of this list"),
            Self::NoServer => f.write_str("the URL of the list has no host"),
            Self::NotExpressible => f.write_str("its scheme has no URL for this entry"),
            Self::Edition(edition) => {
                write!(f, "{} does not allow this URL; RFC 3986 does", edition.document)
            }
            Self::NoHost => f.write_str("the URL has no host"),
            Self::Here => f.write_str("a server may not link to local files, data or scripts"),
        }
    }
}

crate::redact::error!(EntryError);

impl From<BuildError> for EntryError {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

/// Returns the lines of a list, which end in LF or CR LF, without empty ones.
pub(super) fn lines(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = body.split(|&octet| octet == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines.filter(|line| !line.is_empty())
}
