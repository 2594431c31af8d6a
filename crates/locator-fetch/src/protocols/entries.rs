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
//! let urls = entries(ObjectKind::Names, url, names)
//!     .unwrap()
//!     .map(|entry| entry.url.unwrap().to_string());
//! assert_eq!(
//!     urls.collect::<Vec<_>>(),
//!     ["ftp://h/pub/a%20b", "ftp://h/pub/a%252Fb"]
//! );
//! ```

mod directory;
mod entry;
mod lists;

use locator::edition::RFC3986;
use locator::plan::{ObjectKind, Server};
use locator::scheme::{LoginParts, NewsUrl, default_port};
use locator::{Edition, UriBuf, UriRef, UriRefBuf};
use locator_audit::{Auditor, Severity};

pub use self::directory::describe;
pub use entry::{ArticleOverview, Entry, EntryError, EntryKind, SearchHit};

/// Returns the entries of a list: of a body of this kind that a URL led to, after all redirections.
/// `None` if objects of the kind are not lists. The iterator takes one line at a time, but for hits.
///
/// The URLs of entries are written by the edition of the URL. Those that a server sent never name a
/// file, data or a script of this machine ([`EntryError::Here`]).
///
/// ```
/// use locator::plan::ObjectKind;
/// use locator_fetch::entries::entries;
///
/// let url = locator::uri_ref!("gopher://h/1/");
/// let menu = b"0About\t/about\th\t70\r\n.\r\n";
/// assert_eq!(entries(ObjectKind::Menu, url, menu).unwrap().count(), 1);
/// assert!(entries(ObjectKind::Text, url, b"text").is_none());
/// ```
#[must_use]
pub fn entries<'b>(
    kind: ObjectKind,
    url: UriRef<'b>,
    body: &'b [u8],
) -> Option<Box<dyn Iterator<Item = Entry> + 'b>> {
    entries_with(kind, url, url.edition(), body)
}

/// Returns the entries of a list, as [`entries`] does, with URLs of this edition.
///
/// ```
/// use locator::edition::RFC1738;
/// use locator::plan::ObjectKind;
/// use locator_fetch::entries::entries_with;
///
/// let url = locator::uri_ref!("ftp://h/pub/");
/// let mut found =
///     entries_with(ObjectKind::Names, url, &RFC1738, b"a b\n").unwrap();
/// assert_eq!(found.next().unwrap().url.unwrap(), "ftp://h/pub/a%20b");
/// ```
#[must_use]
pub fn entries_with<'b>(
    kind: ObjectKind,
    url: UriRef<'b>,
    edition: &'static Edition,
    body: &'b [u8],
) -> Option<Box<dyn Iterator<Item = Entry> + 'b>> {
    let entries = unjudged_entries(kind, url, edition, body)?;
    // The same entries by RFC 3986 are made only up to one that this edition cannot write.
    let (mut others, mut left) = (unjudged_entries(kind, url, &RFC3986, body)?, 0);
    Some(Box::new(entries.map(move |mut entry| {
        match entry.url {
            Err(why) if why.may_depend_on_edition() => {
                let other = others.nth(std::mem::take(&mut left));
                if other.is_some_and(|other| other.url.is_ok()) {
                    entry.url = Err(EntryError::Edition(edition));
                }
            }
            _ => left += 1,
        }
        judged_entry(entry, url)
    })))
}

/// Returns the entries of a list with URLs of an edition, as the body names them.
fn unjudged_entries<'b>(
    kind: ObjectKind,
    url: UriRef<'b>,
    edition: &'static Edition,
    body: &'b [u8],
) -> Option<Box<dyn Iterator<Item = Entry> + 'b>> {
    Some(match kind {
        ObjectKind::Menu => lists::menu_entries(edition, body),
        ObjectKind::Names => Box::new(directory::entries(url, edition, body)),
        ObjectKind::Facts => Box::new(directory::entries_with_facts(url, edition, body)),
        ObjectKind::Groups => Box::new(lists::groups(url, edition, body)),
        ObjectKind::Links => Box::new(lists::prospero_links(url, edition, body)),
        ObjectKind::Numbers => Box::new(lists::numbers(url, edition, body)),
        ObjectKind::Overview => Box::new(lists::overview(url, edition, body)),
        ObjectKind::Hits => lists::search_hits(url, edition, body),
        _ => return None,
    })
}

/// Returns the URL of a directory of FTP or of this machine with "/" at its end: it is listed, and never
/// retrieved as a file.
///
/// ```
/// let url = locator::uri_ref!("ftp://h/pub;type=d");
/// let directory = locator_fetch::entries::directory(url).unwrap();
/// assert_eq!(directory, "ftp://h/pub/");
/// ```
///
/// # Errors
///
/// The scheme has no directories.
pub fn directory(url: UriRef<'_>) -> Result<UriBuf, EntryError> {
    directory::directory(url)
}

/// Returns whether objects of a kind are lists, which have [`entries`].
///
/// ```
/// use locator::plan::ObjectKind;
/// use locator_fetch::entries::is_list;
///
/// assert!(is_list(ObjectKind::Menu) && !is_list(ObjectKind::Text));
/// ```
#[must_use]
pub const fn is_list(kind: ObjectKind) -> bool {
    use ObjectKind::{Facts, Groups, Hits, Links, Menu, Names, Numbers, Overview};
    matches!(kind, Menu | Names | Facts | Groups | Links | Numbers | Overview | Hits)
}

/// Schemes of files, data, messages and scripts of the machine that reads the URL.
const HERE: [&str; 8] = ["file", "data", "mid", "cid", "javascript", "vbscript", "livescript", "mocha"];

/// What the audit says of schemes that run something: `feed:javascript:`, `ms-msdt:`.
const RUNS: [&str; 2] = ["code-scheme", "abused-handler"];

/// Returns an entry of the list with this URL. It has no URL if a program that is given that URL would
/// read or run something of this machine, or would contact nobody. A list of a local directory names files.
fn judged_entry(mut entry: Entry, list: UriRef<'_>) -> Entry {
    if is_scheme(list, "file") {
        return entry;
    }
    let why = |url: &UriBuf| why_refused(url.as_uri_ref());
    if let Some(why) = entry.url.as_ref().ok().and_then(why) {
        entry.url = Err(why);
    }
    if entry.access.as_ref().and_then(why).is_some() {
        entry.access = None;
    }
    entry
}

/// Returns why a server must not name a URL.
fn why_refused(url: UriRef<'_>) -> Option<EntryError> {
    let scheme = url.scheme()?.as_str();
    // Links of Prospero name files of NFS servers (RFC 2224), which are asked over the network.
    let runs = || {
        !is_scheme(url, "nfs")
            && !Auditor::new().least(Severity::Info).only(&RUNS).audit(url.as_str()).is_empty()
    };
    if HERE.iter().any(|here| scheme.eq_ignore_ascii_case(here)) || runs() {
        return Some(EntryError::Here);
    }
    let host = url.host().map(|host| host.as_str());
    // A group without a server is one of the server that the user has chosen.
    let needs_host = default_port(&scheme.to_ascii_lowercase()).is_some() && !is_scheme(url, "news");
    let has_none = host.map_or(needs_host, str::is_empty);
    has_none.then_some(EntryError::NoHost)
}

fn is_scheme(url: UriRef<'_>, name: &str) -> bool {
    url.scheme().is_some_and(|scheme| scheme.as_str().eq_ignore_ascii_case(name))
}

/// Returns a news URL without a server with the one that was contacted; `None` for other URLs. In the editions
/// whose news URLs contain no server, the URLs of groups stay without it, and those of articles are nntp URLs.
///
/// ```
/// use locator::edition::RFC3986;
/// use locator::plan::{ObjectKind, Server};
/// use locator_fetch::entries::with_news_server;
///
/// let server = Some(Server { host: "news.example", port: None });
/// let url = with_news_server(locator::uri_ref!("news:a.b"), ObjectKind::Article, &RFC3986, server);
/// assert_eq!(url.unwrap().as_str(), "news://news.example/a.b");
/// ```
#[must_use]
pub fn with_news_server(
    url: UriRef<'_>,
    kind: ObjectKind,
    edition: &'static Edition,
    server: Option<Server<'_>>,
) -> Option<UriRefBuf> {
    let news = NewsUrl::of(url).ok()?;
    let server = server.filter(|_| news.login.is_none())?;
    let login = LoginParts::new(server.host);
    let login = match server.port {
        Some(port) => login.port(port),
        None => login,
    };
    let parts = news.parts().login(login);
    if kind == ObjectKind::Groups && parts.build_with(edition).is_err() {
        return None;
    }
    Some(parts.build().ok()?.into())
}
