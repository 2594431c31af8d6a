//! The groups of a news server (RFC 3977, 7.6.3, LIST ACTIVE), and the numbers of the articles of a
//! group (6.1.2, LISTGROUP).

use locator::scheme::{LoginParts, News, NewsUrl, NntpParts, NntpUrl};
use locator::{Edition, UriBuf, UriRef, Value};

use super::entry::{Entry, EntryError, EntryKind, lines};

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
        // article-number = 1*16DIGIT (RFC 3977, 9.8)
        let number =
            str::from_utf8(line).ok().filter(|text| text.len() <= 16).and_then(|text| text.parse().ok());
        let url = number
            .ok_or(EntryError::Line)
            .and_then(|number| group.as_ref().map_err(|why| *why)?.url_of(number));
        Entry::new(url, line, EntryKind::Article)
    })
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
