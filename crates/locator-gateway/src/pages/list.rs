//! The page of a list: takes the octets of a menu, a directory, newsgroups, the articles of a group or what
//! a search found, and returns its entries as HTML, line by line as they come. The entries are those of
//! [`locator_fetch::entries`].
//!
//! A [`List`] reads lines, and its [`Layout`] writes the entries: a menu as lists between its lines of text,
//! names as a list, and what has sizes and times as a table. An article in the overview of a newsgroup (RFC
//! 3977, 8.3) has its author and its date as people read them (RFC 5322, 3.3 and 3.4; RFC 850, 2.1.1 has
//! authors as `address (name)`).
//!
//! ```text
//! let mut list = List::new(ObjectKind::Menu, url, edition::DEFAULT, 40, links);
//! let mut html = String::new();
//! list.push(b"0A text\t/a\tgopher.example\t70\r\n", &mut html);
//! list.end(true, &mut html);
//! ```

use std::time::SystemTime;

use locator::plan::ObjectKind;
use locator::{Edition, UriRefBuf};
use locator_fetch::entries::{ArticleOverview, Entry, EntryKind, SearchHit, entries_with};
use locator_fetch::fmt_http_date;
use locator_web::report::quantity::decimal_size;
use maud::{Markup, PreEscaped, html};
use memchr::{memchr, memrchr};

use super::article::decoded_words;
use super::links::{self, Links, is_shown};
use super::text::{Beginning, GuessingDecoder, WINDOWS, beginning, name, preformatted, visible};

/// How many octets a line may have.
const LONGEST_LINE: usize = 64 * 1024;
/// How many octets a list may have that is not read line by line.
const LONGEST_WHOLE: usize = 16 * 1024 * 1024;
/// How many entries are shown.
const MOST: usize = 100_000;

/// Writes a list.
#[derive(Debug)]
pub(super) struct List {
    kind: ObjectKind,
    url: UriRefBuf,
    edition: &'static Edition,
    /// What is not written yet.
    held: Vec<u8>,
    /// Whether the rest of a line is left out.
    skips: bool,
    /// Whether lines can be read without those after them; `None` until the first one is there.
    by_line: Option<bool>,
    end: ListEnd,
    layout: Layout,
    max_hits: u16,
}

/// Why nothing more is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListEnd {
    OpenElement,
    /// A line "." ends a menu.
    Dot,
    Full,
}

impl List {
    pub(super) fn new(
        kind: ObjectKind,
        url: UriRefBuf,
        edition: &'static Edition,
        max_hits: u16,
        links: Links,
    ) -> Self {
        let scheme = url.as_uri_ref().scheme().map(|scheme| scheme.as_str().to_ascii_lowercase());
        let is_here = scheme.as_deref() == Some("file");
        let by_line = match kind {
            ObjectKind::Groups | ObjectKind::Numbers | ObjectKind::Overview | ObjectKind::Facts => Some(true),
            // A menu of Gopher+ has several lines for an item.
            ObjectKind::Menu => None,
            // The names of local files may be divided by NUL.
            ObjectKind::Names => Some(!is_here),
            _ => Some(false),
        };
        let layout = Layout::new(kind, links, is_here);
        let (held, skips, end) = (Vec::new(), false, ListEnd::OpenElement);
        Self { kind, url, edition, held, skips, by_line, end, layout, max_hits }
    }

    /// Returns whether no more octets are wanted.
    pub(super) fn is_complete(&self) -> bool {
        self.end != ListEnd::OpenElement
    }

    /// Writes the entries whose lines are complete.
    pub(super) fn push(&mut self, mut octets: &[u8], out: &mut String) {
        if self.is_complete() {
            return;
        }
        if self.skips {
            let Some(end) = memchr(b'\n', octets) else { return };
            (octets, self.skips) = (&octets[end + 1..], false);
        }
        if self.by_line == Some(false) {
            return self.keep(octets);
        }
        let last = memrchr(b'\n', octets);
        let (lines, rest) = octets.split_at(last.map_or(0, |last| last + 1));
        if !lines.is_empty() {
            self.held.extend_from_slice(lines);
            let lines = std::mem::take(&mut self.held);
            let is_menu = || !lines.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"+INFO"));
            if !*self.by_line.get_or_insert_with(is_menu) {
                self.keep(&lines);
                return self.keep(rest);
            }
            self.lines(&lines, out);
        }
        self.held.extend_from_slice(rest);
        if self.held.len() > LONGEST_LINE && !self.is_complete() {
            self.layout.cut(LONGEST_LINE, out);
            self.held.clear();
            self.skips = true;
        }
    }

    /// Writes what is left, and what is to be said of the list. `is_whole` is false if the body ended early.
    pub(super) fn end(&mut self, is_whole: bool, out: &mut String) {
        if !self.is_complete() || self.end == ListEnd::Full && self.by_line == Some(false) {
            let rest = std::mem::take(&mut self.held);
            self.entries(&rest, out);
        }
        self.layout.close(out);
        let said = self.remarks(is_whole);
        out.push_str(&html! { @for said in said { p.note { (said) } } }.into_string());
    }

    fn keep(&mut self, octets: &[u8]) {
        let room = LONGEST_WHOLE.saturating_sub(self.held.len());
        self.held.extend_from_slice(octets.get(..room).unwrap_or(octets));
        if octets.len() > room {
            self.end = ListEnd::Full;
        }
    }

    /// Writes complete lines; those that are too long are left out.
    fn lines(&mut self, lines: &[u8], out: &mut String) {
        let mut rest = lines;
        while let Some(long) = long_line(rest) {
            self.entries(&rest[..long.start], out);
            self.layout.cut(LONGEST_LINE, out);
            rest = &rest[long.end..];
        }
        self.entries(rest, out);
    }

    fn entries(&mut self, lines: &[u8], out: &mut String) {
        if self.is_complete() && self.by_line != Some(false) {
            return;
        }
        let url = self.url.as_uri_ref();
        for entry in entries_with(self.kind, url, self.edition, lines).into_iter().flatten() {
            if self.layout.count >= MOST {
                self.end = ListEnd::Full;
                return;
            }
            self.layout.entry(&entry, out);
        }
        if self.kind == ObjectKind::Menu && self.by_line == Some(true) && has_dot(lines) {
            self.end = ListEnd::Dot;
        }
    }

    fn remarks(&self, is_whole: bool) -> Vec<String> {
        let empty = match self.kind {
            ObjectKind::Menu => "The menu is empty.",
            ObjectKind::Groups => "No newsgroup of the server matches.",
            ObjectKind::Numbers | ObjectKind::Overview => "The group has no articles.",
            ObjectKind::Hits => "Nothing was found.",
            _ => "The directory is empty.",
        };
        let mut said = Vec::new();
        if self.layout.count == 0 && is_whole && self.end != ListEnd::Full {
            said.push(empty.to_owned());
        }
        if self.end == ListEnd::Full {
            let count = self.layout.count;
            said.push(format!("The list is too long for a page. The first {count} entries are shown."));
        }
        if self.kind == ObjectKind::Hits && self.layout.count == usize::from(self.max_hits) {
            said.push(format!("The search is limited to {} results; there may be more.", self.max_hits));
        }
        if self.layout.guess.was_windows {
            said.push(WINDOWS.to_owned());
        }
        said
    }
}

/// Returns the range of the first line that is too long, with its end.
fn long_line(lines: &[u8]) -> Option<std::ops::Range<usize>> {
    if lines.len() <= LONGEST_LINE {
        return None;
    }
    let mut start = 0;
    while let Some(length) = memchr(b'\n', &lines[start..]) {
        let end = start + length + 1;
        if length > LONGEST_LINE {
            return Some(start..end);
        }
        start = end;
    }
    None
}

/// Returns whether lines contain one that is "." alone.
fn has_dot(lines: &[u8]) -> bool {
    lines == b".\r\n"
        || lines == b".\n"
        || lines.starts_with(b".\r\n")
        || lines.starts_with(b".\n")
        || [&b"\n.\r\n"[..], b"\n.\n"].iter().any(|dot| memchr::memmem::find(lines, dot).is_some())
}

/// Writes the entries of a list.
#[derive(Debug)]
pub(super) struct Layout {
    kind: ObjectKind,
    links: Links,
    /// Whether it is a list of this machine, which may lead to files.
    is_here: bool,
    open: OpenElement,
    pub(super) guess: GuessingDecoder,
    pub(super) count: usize,
}

/// The element that the next entry may be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenElement {
    Nothing,
    /// `ul` or `ol`.
    List,
    Table,
    /// `pre` with lines of text of a menu.
    Words,
}

impl Layout {
    pub(super) fn new(kind: ObjectKind, links: Links, is_here: bool) -> Self {
        Self { kind, links, is_here, open: OpenElement::Nothing, guess: GuessingDecoder::default(), count: 0 }
    }

    /// Writes an entry.
    pub(super) fn entry(&mut self, entry: &Entry, out: &mut String) {
        self.count += 1;
        let text = self.guess.decode(&entry.name).into_owned();
        if entry.kind == EntryKind::Words {
            self.open(OpenElement::Words, out);
            let Beginning { text, is_cut } = beginning(&text);
            let line = html! { (preformatted(text)) @if is_cut { "…" } "\n" };
            return out.push_str(&line.into_string());
        }
        let row = match (self.kind, &entry.overview) {
            (ObjectKind::Overview, Some(article)) => {
                self.open(OpenElement::Table, out);
                let cells = overview_cells(article, &mut self.guess);
                let subject = self.linked_name(entry, &subject_text(&text));
                html! { tr { th scope="row" { (subject) } (cells) } }
            }
            (ObjectKind::Facts | ObjectKind::Links, _) => {
                self.open(OpenElement::Table, out);
                self.row(entry, &text)
            }
            _ => {
                self.open(OpenElement::List, out);
                self.item(entry, &text)
            }
        };
        out.push_str(&row.into_string());
    }

    /// Writes that a line is not shown.
    pub(super) fn cut(&mut self, most: usize, out: &mut String) {
        self.close(out);
        let said = html! { p.note { "A line of more than " (decimal_size(most as u64)) " is not shown." } };
        out.push_str(&said.into_string());
    }

    /// Ends the element that is open.
    pub(super) fn close(&mut self, out: &mut String) {
        out.push_str(match std::mem::replace(&mut self.open, OpenElement::Nothing) {
            OpenElement::Nothing => "",
            OpenElement::List if self.is_ordered() => "</ol>",
            OpenElement::List => "</ul>",
            OpenElement::Table => "</tbody></table></div>",
            OpenElement::Words => "</pre>",
        });
    }

    const fn is_ordered(&self) -> bool {
        matches!(self.kind, ObjectKind::Hits)
    }

    fn open(&mut self, wanted: OpenElement, out: &mut String) {
        if self.open == wanted {
            return;
        }
        self.close(out);
        self.open = wanted;
        out.push_str(match wanted {
            OpenElement::Nothing => "",
            OpenElement::List if self.is_ordered() => "<ol class=\"entries\">",
            OpenElement::List => "<ul class=\"entries\">",
            // A line end directly after the tag is not part of the text.
            OpenElement::Words => "<pre class=\"words\" tabindex=\"0\">\n",
            OpenElement::Table => {
                return out.push_str(&self.head());
            }
        });
    }

    fn item(&self, entry: &Entry, text: &str) -> Markup {
        let has_kind = !matches!(entry.kind, EntryKind::Name | EntryKind::Group | EntryKind::Article);
        html! {
            li class=[(entry.kind == EntryKind::Error).then_some("error")] {
                @if has_kind { span.kind { (kind_word(entry.kind)) } " " }
                (self.linked_name(entry, text))
                @if let Some(hit) = &entry.hit { (self.search_details(entry, hit)) }
                @else if let Some(octets) = entry.size { " " span.note { (decimal_size(octets)) } }
            }
        }
    }

    fn row(&self, entry: &Entry, text: &str) -> Markup {
        html! {
            tr {
                th scope="row" {
                    (self.linked_name(entry, text))
                    @if let Some(target) = &entry.target {
                        @let target = GuessingDecoder::default().decode(target).into_owned();
                        span.note { " to " (visible(beginning(&target).text)) }
                    }
                }
                td { (kind_word(entry.kind)) }
                td { @if let Some(octets) = entry.size { (decimal_size(octets)) } }
                td { @if let Some(time) = entry.modified { (utc_minute(time)) } }
            }
        }
    }

    /// Writes the name with its link, or why it has none.
    fn linked_name(&self, entry: &Entry, text: &str) -> Markup {
        let slash = if entry.kind == EntryKind::Directory { "/" } else { "" };
        let Beginning { text, is_cut } = beginning(text);
        let name = html! { (name(text)) @if is_cut { "…" } (slash) };
        match &entry.url {
            Ok(url) => html! { (self.link(url.as_str(), &name)) },
            Err(_) if entry.kind == EntryKind::Error => name,
            Err(why) => html! { (name) " " span.note { "(no link: " (visible(&why.to_string())) ")" } },
        }
    }

    /// Writes what a search says of a document.
    fn search_details(&self, entry: &Entry, hit: &SearchHit) -> Markup {
        let lines = hit.lines.map(|lines| format!("{lines} lines"));
        let score = hit.score.map(|score| format!("score {score}"));
        let said = [score, entry.size.map(decimal_size), lines, hit.date.clone(), hit.source.clone()];
        let said: Vec<_> = said.into_iter().flatten().collect();
        let others = hit.types.iter().skip(1).zip(&hit.other_urls);
        html! {
            @if !said.is_empty() { " " span.note { (visible(&said.join(", "))) } }
            @for (wtype, url) in others {
                @if let Ok(url) = url { " " (self.link(url.as_str(), &html! { "as " (name(wtype)) })) }
            }
        }
    }

    /// Writes a link, if a text of others may have links of its scheme: a menu can name any. One to the web
    /// leads out, and its host is beside it.
    fn link(&self, url: &str, text: &Markup) -> Markup {
        let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
        if !(is_shown(&scheme) || self.is_here && scheme == "file") {
            let scheme = beginning(&scheme).text;
            return html! { (text) " " span.note { "(no link: the scheme is \"" (visible(scheme)) "\")" } };
        }
        if !links::is_web(url) {
            return html! { a href=(self.links.page(url)) { (text) } };
        }
        let host = locator::UriRef::parse(url).ok().and_then(|url| Some(url.host()?.as_str().to_owned()));
        html! {
            a.out href=(url) rel="noreferrer noopener" { (text) }
            @if let Some(host) = host { " " span.note { "(" (visible(&self.links.sentence(&host))) ")" } }
        }
    }

    /// Writes what is before the rows of a table.
    fn head(&self) -> String {
        let (title, columns) = match self.kind {
            ObjectKind::Overview => ("Articles", OVERVIEW_COLUMNS),
            _ => ("Directory", ["Name", "Kind", "Size", "Changed (UTC)"]),
        };
        let table = html! {
            div.scroll role="group" aria-label=(title) tabindex="0" {
                table.listing {
                    caption.hidden { (title) }
                    thead { tr { @for name in columns { th scope="col" { (name) } } } }
                    (PreEscaped("<tbody>"))
                }
            }
        };
        table.into_string().replace("</table></div>", "")
    }
}

/// Returns the word for a kind of entries.
pub(super) const fn kind_word(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Text => "text",
        EntryKind::Binary => "binary",
        EntryKind::Menu => "menu",
        EntryKind::Search => "search",
        EntryKind::Form => "form",
        EntryKind::Session => "session",
        EntryKind::Link => "link",
        EntryKind::Name | EntryKind::File => "file",
        EntryKind::Directory => "directory",
        EntryKind::Symlink => "link",
        EntryKind::Group => "group",
        EntryKind::Article => "article",
        EntryKind::Error => "error",
        _ => "other",
    }
}

/// Returns a day and a time of UTC: `12 Nov 2026 08:00`.
pub(super) fn utc_minute(time: SystemTime) -> String {
    // Thu, 12 Nov 2026 08:00:00 GMT
    let date = fmt_http_date(time);
    date.get(5..22).unwrap_or(&date).to_owned()
}

/// The columns of an overview.
pub(super) const OVERVIEW_COLUMNS: [&str; 4] = ["Subject", "Author", "Date", "Lines"];

/// Returns a subject, decoded.
pub(super) fn subject_text(text: &str) -> String {
    let subject = decoded_words(text);
    if subject.trim().is_empty() { "(no subject)".into() } else { subject }
}

/// Returns the cells after the subject.
pub(super) fn overview_cells(article: &ArticleOverview, guess: &mut GuessingDecoder) -> Markup {
    let from = decoded_words(&guess.decode(&article.from));
    let date = guess.decode(&article.date);
    html! {
        td.author { bdi { (visible(beginning(author(&from)).text)) } }
        td { (visible(beginning(shown_date(&date)).text)) }
        td { @if let Some(lines) = article.lines { (lines) } }
    }
}

/// Returns the name of an author, or the address if there is no name.
fn author(from: &str) -> &str {
    let from = from.trim();
    if let Some((name, address)) = from.split_once('<') {
        let name = name.trim().trim_matches('"').trim();
        return if name.is_empty() { address.trim_end_matches('>').trim() } else { name };
    }
    match from.split_once('(') {
        Some((_, name)) if from.ends_with(')') && name.len() > 1 => name.trim_end_matches(')').trim(),
        _ => from,
    }
}

/// Returns a date without the day of the week and without a comment.
fn shown_date(date: &str) -> &str {
    let date = date.split('(').next().unwrap_or_default();
    date.split_once(',').map_or(date, |(_, date)| date).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authors() {
        for (from, expected) in [
            ("Joe <joe@h>", "Joe"),
            ("\"Joe, the first\" <joe@h>", "Joe, the first"),
            (" <joe@h> ", "joe@h"),
            ("joe@h (Joe)", "Joe"),
            ("joe@h ()", "joe@h ()"),
            ("joe@h", "joe@h"),
            ("", ""),
        ] {
            assert_eq!(author(from), expected, "{from}");
        }
    }

    #[test]
    fn dates() {
        for (date, expected) in [
            ("Thu, 12 Nov 2026 08:00:00 +0100 (CET)", "12 Nov 2026 08:00:00 +0100"),
            ("12 Nov 2026 08:00 GMT", "12 Nov 2026 08:00 GMT"),
            ("(x", ""),
            ("", ""),
        ] {
            assert_eq!(shown_date(date), expected, "{date}");
        }
    }
}
