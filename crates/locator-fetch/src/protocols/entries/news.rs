//! The groups of a news server (RFC 3977, 7.6.3, LIST ACTIVE), the numbers of the articles of a group
//! (6.1.2, LISTGROUP), and what a group says about its articles (8.3, OVER).

use locator::scheme::{LoginParts, News, NewsUrl, NntpParts, NntpUrl};
use locator::{Edition, UriBuf, UriRef, Value};

use super::entry::{ArticleOverview, Entry, EntryError, EntryKind, lines};

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
    if leads_there(*url.as_uri()) { Ok(url) } else { Err(EntryError::NotExpressible) }
}

/// Returns the articles of the group of the URL; a line is a number.
pub(super) fn numbers<'b>(
    url: UriRef<'b>,
    edition: &'static Edition,
    body: &'b [u8],
) -> impl Iterator<Item = Entry> + 'b {
    let group = Group::of(url.without_fragment(), edition);
    lines(body).map(move |line| {
        let url = number(line)
            .ok_or(EntryError::Line)
            .and_then(|number| group.as_ref().map_err(|why| *why)?.url_of(number));
        Entry::new(url, line, EntryKind::Article)
    })
}

/// article-number = 1*16DIGIT (RFC 3977, 9.8)
fn number(octets: &[u8]) -> Option<u64> {
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
    let number = number(fields.next()?)?;
    let subject = fields.next()?;
    let mut next = || fields.next().unwrap_or_default();
    let (from, date, message_id, references) = (next().into(), next().into(), next().into(), next().into());
    let (size, lines) = (self::number(next()), self::number(next()));
    Some((ArticleOverview { number, from, date, message_id, references, lines }, subject, size))
}

fn url_of_identifier(url: UriRef<'_>, edition: &'static Edition, message_id: &[u8]) -> Option<UriBuf> {
    let id = message_id.strip_prefix(b"<")?.strip_suffix(b">")?;
    let found = NewsUrl::of(url).ok()?.parts().news(id).build_with(edition).ok()?;
    let leads_there = NewsUrl::of(*found.as_uri())
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
        Ok(NntpParts::new(self.login, self.group).number(number).build_with(self.edition)?)
    }
}
