//! Listings: a menu, a directory, newsgroups, the articles of a group or the results of a search, as a
//! line for each entry.

use std::time::SystemTime;

use locator::plan::{Object, ObjectKind, Options};
use locator::scheme::FtpUrl;
use locator::{Edition, UriRef, UriRefBuf};
use locator_fetch::entries::{
    Entry, EntryError, EntryKind, describe, directory, entries_with, with_news_server,
};

use super::json::EntryObject;
use super::trouble::{Failed, Trouble};
use crate::arguments::config::ServerWord;
use crate::exit::say;
use crate::report::failure::Failure;
use crate::terminal::visible::legible;

/// Reads the entries of a listing.
pub(super) struct Lister {
    object: Object,
    /// The URL of the listing.
    url: UriRefBuf,
    /// The edition that writes the URLs of entries.
    edition: &'static Edition,
    /// What the server prints for people, if it was asked for it.
    long: Option<Vec<u8>>,
    /// The most results that a search was asked for.
    max_hits: u16,
    /// Whether no notes are printed.
    is_silent: bool,
}

impl Lister {
    /// Returns the lister of a response; `None` if that is not a listing.
    pub(super) fn of(
        object: &Object,
        url: UriRef<'_>,
        edition: &'static Edition,
        news_server: Option<&ServerWord>,
    ) -> Option<Self> {
        let server = news_server.map(ServerWord::as_server);
        let url = with_news_server(url, object.kind, edition, server).unwrap_or_else(|| url.to_owned());
        let is_list = entries_with(object.kind, url.as_uri_ref(), edition, b"").is_some();
        is_list.then(|| Self {
            object: object.clone(),
            url,
            edition,
            long: None,
            max_hits: Options::USUAL_HITS,
            is_silent: false,
        })
    }

    /// Sets whether no notes are printed.
    pub(super) fn silent(self, is_silent: bool) -> Self {
        Self { is_silent, ..self }
    }

    /// Sets the most results that a search was asked for.
    pub(super) fn max_hits(self, most: Option<u16>) -> Self {
        Self { max_hits: most.unwrap_or(self.max_hits), ..self }
    }

    pub(super) fn entries<'b>(&'b self, body: &'b [u8]) -> Box<dyn Iterator<Item = Entry> + 'b> {
        let url = self.url.as_uri_ref();
        let entries = entries_with(self.object.kind, url, self.edition, body).into_iter().flatten();
        let Some(long) = &self.long else { return Box::new(entries) };
        let mut entries: Vec<_> = entries.collect();
        describe(&mut entries, long, url, self.edition, SystemTime::now());
        Box::new(entries.into_iter())
    }

    /// Returns whether the server may say more of the entries than their names.
    pub(super) fn may_be_described(&self) -> bool {
        self.object.kind == ObjectKind::Names && FtpUrl::of(self.url.as_uri_ref()).is_ok()
    }

    /// Adds what the server prints for people, which `fetch` fetches.
    pub(super) fn describe(&mut self, fetch: &dyn Fn(UriRef<'_>) -> Option<Vec<u8>>) {
        if self.may_be_described() {
            let directory = directory(self.url.as_uri_ref()).ok();
            self.long = directory.and_then(|url| fetch(url.as_uri().into()));
        }
    }

    /// Returns whether a line of this listing can be read without the lines after it. Links are followed
    /// by their attributes, and the names of local files may be divided by NUL.
    pub(super) fn is_by_line(&self, body: &[u8]) -> bool {
        match self.object.kind {
            ObjectKind::Groups | ObjectKind::Numbers | ObjectKind::Overview => true,
            ObjectKind::Menu => body.first() != Some(&b'+'),
            ObjectKind::Names => {
                let scheme = self.url.as_uri_ref().scheme();
                scheme.is_some_and(|scheme| !scheme.as_str().eq_ignore_ascii_case("file"))
            }
            _ => false,
        }
    }

    pub(super) fn is_search(&self) -> bool {
        self.object.kind == ObjectKind::Hits
    }

    /// Notes if a search found as many results as it asked for, because there may be more, and if no
    /// newsgroup was found.
    pub(super) fn remark_on_count(&self, body: &[u8]) {
        let hits = || self.entries(body).filter(|entry| entry.kind != EntryKind::Error);
        let (most, count) = (self.max_hits, hits().take(self.max_hits.into()).count());
        match self.object.kind {
            _ if self.is_silent => {}
            ObjectKind::Hits if count == usize::from(most) => {
                let plural = if most == 1 { "" } else { "s" };
                say(&format!("the search is limited to {most} result{plural}; use --max-hits N for more"));
            }
            ObjectKind::Groups if count == 0 => say("no newsgroup of the server matches"),
            _ => {}
        }
    }

    /// Returns the message of a server in reply to a search.
    fn said(&self, body: &[u8]) -> Option<Failure> {
        let said = self.entries(body).find(|entry| entry.kind == EntryKind::Error)?;
        let text = String::from_utf8_lossy(&said.name).into_owned();
        Some(Failure::other("refused", format!("the server said: {}", legible(text.trim()))))
    }

    fn has_hits(&self, body: &[u8]) -> bool {
        self.entries(body).any(|entry| entry.kind != EntryKind::Error)
    }

    /// Returns the error of a listing that is printed nevertheless: a message of the server beside the
    /// results of a search, or entries whose URLs the edition cannot write.
    pub(super) fn lacks(&self, body: &[u8]) -> Option<Trouble> {
        let said = if self.is_search() && self.has_hits(body) { self.said(body) } else { None };
        said.map(Trouble::Beside).or_else(|| self.unwritten(body).map(Trouble::Incomplete))
    }

    /// Notes how many entries have no URL, and why the first has none.
    pub(super) fn remark(&self, without: Option<(u64, EntryError)>) {
        match without {
            Some(_) if self.is_silent => {}
            None => {}
            Some((1, why)) => say(&format!("1 entry has no URL: {why}")),
            Some((count, why)) => say(&format!("{count} entries have no URL; the first: {why}")),
        }
    }

    /// Returns the error of a listing with entries whose URLs the edition cannot write.
    fn unwritten(&self, body: &[u8]) -> Option<Failure> {
        let is_unwritten = |entry: &Entry| matches!(entry.url, Err(EntryError::Edition(_)));
        let entries = match self.entries(body).filter(is_unwritten).count() {
            0 => return None,
            1 => "1 entry has".into(),
            count => format!("{count} entries have"),
        };
        let why = format!("{entries} no URL in {}; use --edition rfc3986", self.edition.document);
        Some(Failure::other("not-expressible", why))
    }

    /// Returns the error that a server sent instead of a menu or of results: items of type 3, or lines
    /// that are not items, and no item with a URL.
    pub(super) fn error(&self, body: &[u8]) -> Option<Trouble> {
        if self.is_search() {
            let said = if self.has_hits(body) { None } else { self.said(body) };
            return said.map(|why| Trouble::Failed(Failed { why, error: None, is_said: true }));
        }
        if self.object.kind != ObjectKind::Menu {
            return None;
        }
        let mut said: Option<Entry> = None;
        for entry in self.entries(body) {
            match entry.kind {
                EntryKind::Words => {}
                _ if entry.kind != EntryKind::Error && entry.url != Err(EntryError::Line) => return None,
                _ => said = said.or(Some(entry)),
            }
        }
        let said = said?;
        let text = String::from_utf8_lossy(&said.name).into_owned();
        let is_said = said.kind == EntryKind::Error;
        let (kind, before) = match is_said {
            true => ("missing", "the server said"),
            false => ("garbled", "the server did not send a menu"),
        };
        let why = Failure::other(kind, format!("{before}: {}", legible(text.trim())));
        Some(Trouble::Failed(Failed { why, error: None, is_said }))
    }

    /// Returns the JSON objects of the entries.
    pub(super) fn objects(&self, body: &[u8]) -> Vec<EntryObject> {
        self.entries(body).map(EntryObject::new).collect()
    }
}
