//! The page of a list: takes the octets of a menu, a directory, newsgroups, the articles of a group or what
//! a search found, and returns its entries as HTML, line by line as they come. The entries are those of
//! [`locator_fetch::entries`].

use locator::plan::ObjectKind;
use locator::{Edition, UriRefBuf};
use locator_fetch::entries::entries_with;
use maud::html;
use memchr::{memchr, memrchr};

use super::decode::WINDOWS;
use super::links::Links;
use super::table::Layout;

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
    end: End,
    layout: Layout,
    max_hits: u16,
}

/// Why nothing more is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Open,
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
        let (held, skips, end) = (Vec::new(), false, End::Open);
        Self { kind, url, edition, held, skips, by_line, end, layout, max_hits }
    }

    /// Returns whether no more octets are wanted.
    pub(super) fn is_complete(&self) -> bool {
        self.end != End::Open
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
        if !self.is_complete() || self.end == End::Full && self.by_line == Some(false) {
            let rest = std::mem::take(&mut self.held);
            self.entries(&rest, out);
        }
        self.layout.close(out);
        let said = self.said(is_whole);
        out.push_str(&html! { @for said in said { p.note { (said) } } }.into_string());
    }

    fn keep(&mut self, octets: &[u8]) {
        let room = LONGEST_WHOLE.saturating_sub(self.held.len());
        self.held.extend_from_slice(octets.get(..room).unwrap_or(octets));
        if octets.len() > room {
            self.end = End::Full;
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
                self.end = End::Full;
                return;
            }
            self.layout.entry(&entry, out);
        }
        if self.kind == ObjectKind::Menu && self.by_line == Some(true) && has_dot(lines) {
            self.end = End::Dot;
        }
    }

    fn said(&self, is_whole: bool) -> Vec<String> {
        let empty = match self.kind {
            ObjectKind::Menu => "The menu is empty.",
            ObjectKind::Groups => "No newsgroup of the server matches.",
            ObjectKind::Numbers | ObjectKind::Overview => "The group has no articles.",
            ObjectKind::Hits => "Nothing was found.",
            _ => "The directory is empty.",
        };
        let mut said = Vec::new();
        if self.layout.count == 0 && is_whole && self.end != End::Full {
            said.push(empty.to_owned());
        }
        if self.end == End::Full {
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
