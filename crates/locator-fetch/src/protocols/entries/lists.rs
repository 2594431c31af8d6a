//! The lists of servers: the menus of Gopher and the attributes of Gopher+, which the library divides; the
//! groups of a news server (RFC 3977, 7.6.3, LIST ACTIVE), the numbers of the articles of a group (6.1.2,
//! LISTGROUP), and what a group says about its articles (8.3, OVER); the links of a directory of Prospero; and what
//! a search of WAIS found, the APDU of an answer. A document's identifier is octets that only its server
//! understands, so the URL repeats all of them as RFC 1738, 3.9 writes them.

use std::iter::Peekable;

use locator::pct::AsciiSet;
use locator::scheme::{
    LoginParts, News, NewsUrl, NntpParts, NntpUrl, ProsperoParts, ProsperoUrl, WaisObject, WaisParts,
    WaisUrl, attributes, menu,
};
use locator::{Edition, PctString, UriBuf, UriRef, Value, internal};

use super::entry::{ArticleOverview, Entry, EntryError, EntryKind, SearchHit, lines};
use crate::protocols::prospero::{
    Attribute, Link, LinkedObject, Method, MethodKind, Record, host_of, port_of, records,
};
use crate::protocols::wais;

/// Returns the entries of a menu.
pub(super) fn menu_entries<'b>(
    edition: &'static Edition,
    body: &'b [u8],
) -> Box<dyn Iterator<Item = Entry> + 'b> {
    if has_attributes(body) {
        let items = attributes::items(body).into_iter();
        return Box::new(items.filter_map(move |item| of_attributes(&item, edition)));
    }
    let mut lines = lines(body);
    Box::new(menu::items(body).map(move |item| {
        // An item is a line that is not empty, so the two go side by side.
        let line = lines.next().unwrap_or_default();
        match item {
            Ok(item) => of_item(&item, edition),
            Err(_) => Entry::new(Err(EntryError::Line), line, EntryKind::Unknown),
        }
    }))
}

/// "+INFO" is the first block of every item; a menu has no name "INFO:" with the type "+".
fn has_attributes(body: &[u8]) -> bool {
    body.get(..6)
        .is_some_and(|start| start[..5].eq_ignore_ascii_case(b"+INFO") && matches!(start[5], b':' | b' '))
}

fn of_attributes(item: &attributes::Attributes<'_>, edition: &'static Edition) -> Option<Entry> {
    let mut entry = of_item(&item.info()?, edition);
    let mut views = item.views();
    // The size and the type of an item are those of its view, if there is one alone.
    if let (Some(view), None) = (views.next(), views.next()) {
        entry.size = octets(view.size);
        entry.media_type = str::from_utf8(view.media_type).ok().map(|name| name.trim().to_ascii_lowercase());
    }
    Some(entry)
}

fn of_item(item: &menu::Item<'_>, edition: &'static Edition) -> Entry {
    let kind = kind_of(item);
    let mut entry = Entry::new(item.url_with(edition).map_err(EntryError::Item), item.name, kind);
    entry.media_type = media_type(item).map(Into::into);
    entry
}

/// RFC 1436, 3.8, and what servers have added.
fn kind_of(item: &menu::Item<'_>) -> EntryKind {
    match item.kind {
        b'8' | b'T' => EntryKind::Session,
        _ if item.leads_elsewhere() => EntryKind::Link,
        b'i' => EntryKind::Words,
        b'3' => EntryKind::Error,
        _ if item.plus.is_some_and(|plus| plus.starts_with(b"?")) => EntryKind::Form,
        b'0' | b'4' | b'6' | b'h' => EntryKind::Text,
        b'1' => EntryKind::Menu,
        b'5' | b'9' | b'g' | b'I' | b's' | b';' | b'd' | b'p' => EntryKind::Binary,
        b'7' => EntryKind::Search,
        _ => EntryKind::Unknown,
    }
}

fn media_type(item: &menu::Item<'_>) -> Option<&'static str> {
    match item.kind {
        b'0' => Some("text/plain"),
        b'g' => Some("image/gif"),
        b'h' if !item.leads_elsewhere() => Some("text/html"),
        _ => None,
    }
}

/// Reads the size of a view: `60k`, `.1k`, `512`. A size that was rounded to nothing is not known.
fn octets(size: &[u8]) -> Option<u64> {
    let text = str::from_utf8(size).ok()?.trim().trim_end_matches(['b', 'B']);
    let (number, unit) = match text.chars().next_back()? {
        'k' | 'K' => (&text[..text.len() - 1], 1024.0),
        'm' | 'M' => (&text[..text.len() - 1], 1024.0 * 1024.0),
        _ => (text, 1.0),
    };
    let is_number = number.bytes().all(|octet| octet.is_ascii_digit() || octet == b'.');
    let octets = number.parse::<f64>().ok().filter(|_| is_number)? * unit;
    (1.0..9e15).contains(&octets).then_some(octets as u64)
}

/// Returns the groups; a line is `name high low status`.
pub(super) fn groups<'b>(
    url: UriRef<'b>,
    edition: &'static Edition,
    body: &'b [u8],
) -> impl Iterator<Item = Entry> + 'b {
    let url = url.without_fragment();
    lines(body).map(move |line| {
        let end = line.iter().position(|octet| matches!(octet, b' ' | b'\t')).unwrap_or(line.len());
        let name = &line[..end];
        Entry::new(url_of_group(url, edition, name), name, EntryKind::Group)
    })
}

fn url_of_group(url: UriRef<'_>, edition: &'static Edition, name: &[u8]) -> Result<UriBuf, EntryError> {
    if let Ok(nntp) = NntpUrl::of(url) {
        let parts = nntp.parts().group(name).without("number");
        return of_group(parts.build_with(edition)?, |url| {
            NntpUrl::of(url).is_ok_and(|url| url.number.is_none() && *url.group.decode() == *name)
        });
    }
    let news = NewsUrl::of(url).map_err(|_| EntryError::NotExpressible)?;
    of_group(news.parts().news(name).build_with(edition)?, |url| {
        NewsUrl::of(url).is_ok_and(|url| matches!(url.news, News::Group(group) if *group.decode() == *name))
    })
}

/// Returns the URL if it leads to the group: what a server calls a group may be an identifier or a
/// pattern in a URL.
fn of_group(url: UriBuf, leads_there: impl FnOnce(UriRef<'_>) -> bool) -> Result<UriBuf, EntryError> {
    if leads_there(url.as_uri_ref()) { Ok(url) } else { Err(EntryError::NotExpressible) }
}

/// Returns the articles of the group of the URL; a line is a number.
pub(super) fn numbers<'b>(
    url: UriRef<'b>,
    edition: &'static Edition,
    body: &'b [u8],
) -> impl Iterator<Item = Entry> + 'b {
    let group = Group::of(url.without_fragment(), edition);
    lines(body).map(move |line| {
        let url = article_number(line)
            .ok_or(EntryError::Line)
            .and_then(|number| group.as_ref().map_err(|why| *why)?.url_of(number));
        Entry::new(url, line, EntryKind::Article)
    })
}

/// article-number = 1*16DIGIT (RFC 3977, 9.8)
fn article_number(octets: &[u8]) -> Option<u64> {
    let is_number = (1..=16).contains(&octets.len()) && octets.iter().all(u8::is_ascii_digit);
    str::from_utf8(octets).ok().filter(|_| is_number)?.parse().ok()
}

/// Returns the articles of the group of the URL; a line has the number, subject, author, date, identifier,
/// references, octets and lines, with a tab between two of them (RFC 3977, 8.3.2).
pub(super) fn overview<'b>(
    url: UriRef<'b>,
    edition: &'static Edition,
    body: &'b [u8],
) -> impl Iterator<Item = Entry> + 'b {
    let url = url.without_fragment();
    let group = Group::of(url, edition);
    lines(body).map(move |line| {
        let Some((article, subject, size)) = article(line) else {
            return Entry::new(Err(EntryError::Line), line, EntryKind::Article);
        };
        let by_number = group.as_ref().map_err(|why| *why).and_then(|group| group.url_of(article.number));
        // The scheme may have no numbers of articles, but identifiers.
        let found = by_number.or_else(|why| url_of_identifier(url, edition, &article.message_id).ok_or(why));
        let mut entry = Entry::new(found, subject, EntryKind::Article);
        (entry.size, entry.overview) = (size, Some(article));
        entry
    })
}

/// Returns what a line says, the subject and the number of octets.
fn article(line: &[u8]) -> Option<(ArticleOverview, &[u8], Option<u64>)> {
    let mut fields = line.split(|&octet| octet == b'\t');
    let number = article_number(fields.next()?)?;
    let subject = fields.next()?;
    let mut next = || fields.next().unwrap_or_default();
    let (from, date, message_id, references) = (next().into(), next().into(), next().into(), next().into());
    let (size, lines) = (article_number(next()), article_number(next()));
    Some((ArticleOverview { number, from, date, message_id, references, lines }, subject, size))
}

fn url_of_identifier(url: UriRef<'_>, edition: &'static Edition, message_id: &[u8]) -> Option<UriBuf> {
    let id = message_id.strip_prefix(b"<")?.strip_suffix(b">")?;
    let found = NewsUrl::of(url).ok()?.parts().news(id).build_with(edition).ok()?;
    let leads_there = NewsUrl::of(found.as_uri_ref())
        .is_ok_and(|url| matches!(url.news, News::Article(found) if *found.decode() == *id));
    leads_there.then_some(found)
}

/// A group of a server, as nntp URLs name it.
struct Group<'b> {
    login: LoginParts<'b>,
    group: Value<'b>,
    edition: &'static Edition,
}

impl<'b> Group<'b> {
    fn of(url: UriRef<'b>, edition: &'static Edition) -> Result<Self, EntryError> {
        if let Ok(nntp) = NntpUrl::of(url) {
            return Ok(Self { login: nntp.login.parts(), group: nntp.group.into(), edition });
        }
        let news = NewsUrl::of(url).map_err(|_| EntryError::NotExpressible)?;
        // No scheme has numbers of articles over TLS.
        let News::Group(group) = news.news else { return Err(EntryError::NotExpressible) };
        if news.is_secured() {
            return Err(EntryError::NotExpressible);
        }
        Ok(Self { login: news.login.ok_or(EntryError::NoServer)?.parts(), group: group.into(), edition })
    }

    fn url_of(&self, number: u64) -> Result<UriBuf, EntryError> {
        Ok(NntpParts::new(self.login.clone(), self.group.clone()).number(number).build_with(self.edition)?)
    }
}

/// Returns the documents that were found, the best first, as the server orders them.
pub(super) fn search_hits<'b>(
    url: UriRef<'b>,
    edition: &'static Edition,
    body: &'b [u8],
) -> Box<dyn Iterator<Item = Entry> + 'b> {
    let url = url.without_fragment();
    let Ok(answer) = wais::SearchResponse::parse(body) else {
        // An empty body is one that is not there yet.
        let entry = Entry::new(Err(EntryError::Line), b"", EntryKind::Unknown);
        return Box::new(Some(entry).filter(|_| !body.is_empty()).into_iter());
    };
    let errors = answer.diagnostics.into_iter().map(|diagnostic| {
        Entry::new(Err(EntryError::Line), diagnostic.to_string().as_bytes(), EntryKind::Error)
    });
    Box::new(answer.hits.into_iter().map(move |hit| of_hit(Search { url, edition }, &hit)).chain(errors))
}

/// The URL of a search, and the edition that writes the URLs of what it found.
#[derive(Clone, Copy)]
struct Search<'u> {
    url: UriRef<'u>,
    edition: &'static Edition,
}

fn of_hit(search: Search<'_>, hit: &wais::FoundDocument<'_>) -> Entry {
    // The reference client takes a document without a type for a text.
    let types = if hit.types.is_empty() { &[&b"TEXT"[..]] } else { hit.types.as_slice() };
    let (first, others) = types.split_first().map_or((&b""[..], types), |(first, others)| (*first, others));
    let (kind, media_type) = kind_of_document(first);
    let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    let given = |octets: &[u8]| Some(text(octets)).filter(|text| !text.is_empty());
    let mut entry = Entry::new(url_of_document(search, hit, first), hit.headline, kind);
    entry.size = hit.size;
    entry.media_type = media_type.map(Into::into);
    entry.hit = Some(SearchHit {
        score: hit.score,
        lines: hit.lines,
        types: types.iter().map(|wtype| text(wtype)).collect(),
        other_urls: others.iter().map(|wtype| url_of_document(search, hit, wtype)).collect(),
        date: given(hit.date).filter(|date| date != "0"),
        source: given(hit.source),
    });
    entry
}

/// The types that servers of the time used.
fn kind_of_document(wtype: &[u8]) -> (EntryKind, Option<&'static str>) {
    let kind = match wtype {
        b"TEXT" | b"HTML" | b"WSRC" => EntryKind::Text,
        _ => EntryKind::Binary,
    };
    (kind, internal::wais_media_type(wtype))
}

/// The octets of an identifier that are not escaped: every edition allows them, and no other program
/// changes them.
const PLAIN: AsciiSet = AsciiSet::UNRESERVED.difference(AsciiSet::of(b"~"));

/// Returns the URL of a document: as RFC 1738 writes it, or as the drafts did if it is read by one of
/// them. Reading it must give the identifier again, octet by octet.
fn url_of_document(
    Search { url, edition }: Search<'_>,
    hit: &wais::FoundDocument<'_>,
    wtype: &[u8],
) -> Result<UriBuf, EntryError> {
    if hit.identifier.is_empty() || wtype.is_empty() {
        return Err(EntryError::Line);
    }
    let searched = WaisUrl::of(url).map_err(|_| EntryError::NotExpressible)?;
    let parts = WaisParts::new(searched.login.parts(), searched.database);
    let identifier = PctString::encode(hit.identifier, PLAIN);
    let whole = parts.clone().document(wtype, Value::Encoded(identifier.as_str())).build_with(edition);
    if let Some(whole) = whole.ok().filter(|built| leads_to(built, hit.identifier, wtype)) {
        return Ok(whole);
    }
    let in_fields = parts.document(wtype, hit.identifier).length(hit.size.unwrap_or_default());
    let in_fields = in_fields.build_with(edition)?;
    if leads_to(&in_fields, hit.identifier, wtype) { Ok(in_fields) } else { Err(EntryError::NotExpressible) }
}

fn leads_to(url: &UriBuf, identifier: &[u8], wtype: &[u8]) -> bool {
    WaisUrl::of(url.as_uri_ref()).is_ok_and(|url| match url.object {
        WaisObject::Document(document) => {
            *document.wtype.decode() == *wtype
                && document.identifier().is_ok_and(|octets| octets == identifier)
        }
        _ => false,
    })
}

/// Returns the entries of a directory.
pub(super) fn prospero_links<'b>(
    url: UriRef<'b>,
    edition: &'static Edition,
    body: &'b [u8],
) -> impl Iterator<Item = Entry> + 'b {
    let server = ProsperoUrl::of(url).ok().map(|url| url.login.parts());
    let mut records = records(body).peekable();
    std::iter::from_fn(move || {
        loop {
            if let Record::Link(link) = records.next()? {
                let attributes = attributes(&mut records);
                return Some(link_entry(&link, &attributes, server.clone(), edition));
            }
        }
    })
}

/// Takes the attributes of a link.
fn attributes(records: &mut Peekable<impl Iterator<Item = Record>>) -> Vec<Attribute> {
    let mut attributes = Vec::new();
    while let Some(Record::Attribute(attribute)) =
        records.next_if(|record| matches!(record, Record::Attribute(_)))
    {
        attributes.push(attribute);
    }
    attributes
}

fn link_entry(
    link: &Link,
    attributes: &[Attribute],
    server: Option<LoginParts<'_>>,
    edition: &'static Edition,
) -> Entry {
    let kind = match link.target.as_slice() {
        b"FILE" => EntryKind::File,
        b"DIRECTORY" | b"DIRECTORY+FILE" => EntryKind::Directory,
        b"EXTERNAL" | b"SYMBOLIC" => EntryKind::Link,
        _ => EntryKind::Unknown,
    };
    let host = if link.host.is_empty() { server } else { host_of(&link.host) };
    let access = host.as_ref().and_then(|host| access_of_link(link, attributes, host, edition));
    // "External Prospero links are represented as URLs of the underlying access method" (draft of 1994).
    // Their host is not a server of Prospero; it may be `DUMMY`.
    let url = match (&access, host) {
        (Some(access), _) if kind == EntryKind::Link => Ok(access.clone()),
        (None, _) if kind == EntryKind::Link => Err(EntryError::NotExpressible),
        (_, Some(host)) => url_of_link(link, host, edition),
        (_, None) => Err(EntryError::NoServer),
    };
    let mut entry = Entry::new(url, &link.name, kind);
    // The size of a directory is that of the file that lists it.
    let stated = attributes.iter().find(|one| one.name == b"SIZE" && kind != EntryKind::Directory);
    entry.size = stated.and_then(size_in_octets);
    entry.access = access;
    entry
}

fn url_of_link(link: &Link, host: LoginParts<'_>, edition: &'static Edition) -> Result<UriBuf, EntryError> {
    let parts = ProsperoParts::new(host, link.object.as_slice());
    let parts = if link.version > 0 { parts.version(link.version) } else { parts };
    Ok(parts.build_with(edition)?)
}

/// Returns the URL of the first method that has one, in the order in which they are tried. Files of
/// the machine of the server are not there for others; those of an external link are on a file system
/// that it names.
fn access_of_link(
    link: &Link,
    attributes: &[Attribute],
    host: &LoginParts<'_>,
    edition: &'static Edition,
) -> Option<UriBuf> {
    let name = str::from_utf8(host.host.as_bytes()).ok()?.to_owned();
    let place = LinkedObject { host: &name, port: port_of(host), name: &link.object };
    let is_external = link.target == b"EXTERNAL";
    let is_there = |kind: MethodKind| !kind.reads_files() || is_external && kind != MethodKind::Local;
    let methods = Method::all(attributes).into_iter();
    let mut others = methods.filter(|method| method.kind.is_some_and(is_there));
    others.find_map(|method| method.url_with(place, edition).ok())
}

/// Reads a size: `9 bytes`.
fn size_in_octets(attribute: &Attribute) -> Option<u64> {
    let text = str::from_utf8(attribute.values.first()?).ok()?;
    let (number, unit) = text.split_once(' ').unwrap_or((text, "bytes"));
    number.parse().ok().filter(|_| matches!(unit, "bytes" | "byte"))
}
