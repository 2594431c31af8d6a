//! What is printed of a response: a [`Lister`] has the entries of a listing, [`Printing`] writes their lines as they
//! arrive, and [`Text`] is text on a terminal, decoded, with control characters shown as codes.

use std::io::{self, Write};
use std::time::SystemTime;

use encoding_rs::{Decoder, Encoding, UTF_8};
use locator::plan::{Object, ObjectKind, Options};
use locator::scheme::FtpUrl;
use locator::{Edition, UriRef, UriRefBuf};
use locator_fetch::entries::{
    Entry, EntryError, EntryKind, describe, directory, entries_with, with_news_server,
};

use super::error::{Failed, TransferError};
use super::json::EntryObject;
use crate::arguments::config::ServerWord;
use crate::exit::say;
use crate::output::Output;
use crate::report::failure::Failure;
use crate::terminal::visible::{legible, looks_binary};

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
    fn is_by_line(&self, body: &[u8]) -> bool {
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

    fn is_search(&self) -> bool {
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
    pub(super) fn lacks(&self, body: &[u8]) -> Option<TransferError> {
        let said = if self.is_search() && self.has_hits(body) { self.said(body) } else { None };
        said.map(TransferError::Beside).or_else(|| self.unwritten(body).map(TransferError::Incomplete))
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
    pub(super) fn error(&self, body: &[u8]) -> Option<TransferError> {
        if self.is_search() {
            let said = if self.has_hits(body) { None } else { self.said(body) };
            return said.map(|why| TransferError::Failed(Failed { why, error: None, is_said: true }));
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
        Some(TransferError::Failed(Failed { why, error: None, is_said }))
    }

    /// Returns the JSON objects of the entries.
    pub(super) fn objects(&self, body: &[u8]) -> Vec<EntryObject> {
        self.entries(body).map(EntryObject::new).collect()
    }
}

/// The state of a listing that is being printed.
pub(super) struct Printing<'l> {
    lister: &'l Lister,
    only_urls: bool,
    /// The number of bytes whose entries are printed.
    done: usize,
    /// The number of bytes that were searched for line ends.
    searched: usize,
    /// How many entries have no URL, and why the first has none.
    without: Option<(u64, EntryError)>,
}

impl<'l> Printing<'l> {
    pub(super) const fn new(lister: &'l Lister, only_urls: bool) -> Self {
        Self { lister, only_urls, done: 0, searched: 0, without: None }
    }

    /// Prints the entries whose lines are complete.
    pub(super) fn lines(&mut self, body: &[u8], out: &mut impl Write) -> io::Result<()> {
        let end = body[self.searched..].iter().rposition(|&octet| octet == b'\n');
        let end = end.map(|at| self.searched + at + 1);
        self.searched = body.len();
        match end {
            Some(end) if self.lister.is_by_line(body) => self.print(body, end, out),
            _ => Ok(()),
        }
    }

    /// Prints the rest of a complete listing, and notes about it.
    pub(super) fn end(mut self, body: &[u8], out: &mut impl Write) -> Result<(), TransferError> {
        self.print(body, body.len(), out)?;
        self.lister.remark_on_count(body);
        match self.lister.error(body) {
            Some(error) => Err(error),
            None => {
                self.lister.remark(self.without);
                Ok(())
            }
        }
    }

    fn print(&mut self, body: &[u8], end: usize, out: &mut impl Write) -> io::Result<()> {
        for entry in self.lister.entries(&body[self.done..end]) {
            match &entry.url {
                Ok(url) if self.only_urls => writeln!(out, "{url}")?,
                Ok(url) => line(out, url.as_str(), &entry.name)?,
                // A message of the server is not a result.
                Err(_) if self.lister.is_search() && entry.kind == EntryKind::Error => {}
                Err(why) => {
                    if !self.only_urls {
                        line(out, "", &entry.name)?;
                    }
                    if !matches!(entry.kind, EntryKind::Words | EntryKind::Error)
                        && !matches!(why, EntryError::Edition(_))
                    {
                        let (count, _) = self.without.get_or_insert((0, *why));
                        *count += 1;
                    }
                }
            }
        }
        self.done = end;
        out.flush()
    }
}

/// Writes an entry. The name comes from a server, so control characters in it are shown as codes.
fn line(out: &mut impl Write, url: &str, name: &[u8]) -> io::Result<()> {
    writeln!(out, "{url}\t{}", legible(&String::from_utf8_lossy(name)))
}

/// Writes a text to a terminal, piece by piece.
pub(super) struct Text {
    decoder: Decoder,
    /// Whether the body is text; `None` if its first bytes decide.
    is_text: Option<bool>,
    /// Whether a CR was read whose LF may follow.
    has_return: bool,
    ends_line: bool,
}

impl Text {
    /// Begins a body.
    pub(super) fn new(object: &Object, charset: Option<&str>) -> Self {
        let encoding = charset.and_then(|name| Encoding::for_label(name.as_bytes())).unwrap_or(UTF_8);
        let decoder = encoding.new_decoder();
        Self { decoder, is_text: is_text(object), has_return: false, ends_line: true }
    }

    /// Returns whether the body is binary data; these are its next bytes.
    pub(super) fn refuses(&mut self, octets: &[u8]) -> bool {
        !*self.is_text.get_or_insert_with(|| !looks_binary(octets))
    }

    /// Writes the next bytes.
    pub(super) fn write(&mut self, octets: &[u8], out: &mut Output) -> io::Result<()> {
        self.decode(octets, false, out)
    }

    /// Writes what is left, and ends the line.
    pub(super) fn end(&mut self, out: &mut Output) -> io::Result<()> {
        self.decode(b"", true, out)?;
        if self.has_return {
            write!(out, "{}", legible("\r"))?;
        }
        if self.ends_line { Ok(()) } else { writeln!(out) }
    }

    fn decode(&mut self, octets: &[u8], is_last: bool, out: &mut Output) -> io::Result<()> {
        let most = self.decoder.max_utf8_buffer_length(octets.len()).unwrap_or(octets.len());
        let mut text = String::with_capacity(most);
        let _ = self.decoder.decode_to_string(octets, &mut text, is_last);
        self.write_text(&text, out)
    }

    fn write_text(&mut self, text: &str, out: &mut impl Write) -> io::Result<()> {
        for piece in text.split_inclusive(['\n', '\r', '\t']) {
            if self.has_return && piece != "\n" {
                write!(out, "{}", legible("\r"))?;
            }
            self.has_return = piece.ends_with('\r');
            let (inner, end) = match piece.as_bytes() {
                [.., b'\n' | b'\t'] => piece.split_at(piece.len() - 1),
                [.., b'\r'] => (&piece[..piece.len() - 1], ""),
                _ => (piece, ""),
            };
            write!(out, "{}{end}", legible(inner))?;
            self.ends_line = end == "\n";
        }
        Ok(())
    }
}

/// Returns whether a body is text, if its kind or its media type says so.
fn is_text(object: &Object) -> Option<bool> {
    let media_type = object.media_type.as_deref().unwrap_or_default().to_ascii_lowercase();
    match object.kind {
        _ if media_type.starts_with("text/") || media_type.starts_with("message/") => Some(true),
        _ if media_type.starts_with("image/") || media_type.starts_with("audio/") => Some(false),
        ObjectKind::Binary | ObjectKind::Unknown => None,
        _ => Some(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written of a text that comes in pieces of any size.
    fn written(octets: &[u8]) -> String {
        let object = Object::new(ObjectKind::Text, "a text", locator::plan::Framing::Connection);
        let by = |size: usize| {
            let mut text = Text::new(&object, None);
            let mut out = Vec::new();
            for piece in octets.chunks(size) {
                let mut decoded = String::with_capacity(64 + 3 * piece.len());
                let _ = text.decoder.decode_to_string(piece, &mut decoded, false);
                text.write_text(&decoded, &mut out).unwrap();
            }
            String::from_utf8(out).unwrap()
        };
        assert_eq!(by(1), by(1000));
        by(1)
    }

    #[test]
    fn controls_are_written_by_code() {
        assert_eq!(written(b"a\tb\r\nc\rd\n\x1B[2Je\n"), "a\tb\nc<U+000D>d\n<U+001B>[2Je\n");
        assert_eq!(written("é\u{202E}x\r\r\n".as_bytes()), "é<U+202E>x<U+000D>\n");
        assert_eq!(written(b"latin \xE9\n"), "latin \u{FFFD}\n");
    }
}
