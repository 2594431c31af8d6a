//! Links and anchors with their places in, lines for people and pipes out: `file:line:column:url`.
//!
//! A link is one line, whatever it holds: a line end in a name or in a text is shown by its code. To a terminal
//! nothing goes but what shows itself; a pipe gets the octets.

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

use anstyle::Style;
use locator::{Layer, UriRef};
use locator_find::{Link, Place};

use super::paint::{FAINT, FILE, FOUND, PLACE};
use super::visible::{is_plain, legible};
use super::{Paint, secrets};
use crate::failure::Failure;
use crate::find::Shown;

/// How lines are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    /// What colours them.
    pub(crate) paint: Paint,
    /// Whether a person sees them, who must be given nothing raw.
    pub(crate) is_terminal: bool,
    /// Whether a terminal can follow names and URLs.
    pub(crate) has_links: bool,
    /// Whether they begin with the file's name.
    pub(crate) name: bool,
    /// Whether they have the line's number.
    pub(crate) line: bool,
    /// Whether they have the column.
    pub(crate) column: bool,
    /// Whether they have the offset in the file.
    pub(crate) offset: bool,
    /// Whether the file's name is above them.
    pub(crate) heading: bool,
    /// Whether NUL stands behind a name, and behind a text without one.
    pub(crate) null: bool,
}

impl Lines {
    /// The name of a file as it stands before every line of it; nothing, if it does not.
    pub(crate) fn head(&self, path: &Path, url: Option<&str>) -> Vec<u8> {
        let mut head = Vec::new();
        if self.name && !self.heading {
            self.write_name(&mut head, path, url);
            head.push(if self.null { 0 } else { b':' });
        }
        head
    }

    /// Writes what is above the lines of a file.
    pub(crate) fn heading(&self, to: &mut Vec<u8>, path: &Path, url: Option<&str>) {
        if self.name && self.heading {
            self.file(to, path, url);
        }
    }

    /// Writes a line of the document near a link, `file-12-text`, or the sign that lines are left out.
    pub(crate) fn around(&self, to: &mut Vec<u8>, head: &[u8], shown: &Shown<'_>) {
        let Shown::Line(number, text) = shown else { return to.extend_from_slice(b"--\n") };
        let separator = to.len() + head.len();
        to.extend_from_slice(head);
        if let Some(end) = to[..separator].last_mut().filter(|end| **end == b':' && !head.is_empty()) {
            *end = b'-';
        }
        if self.line {
            let _ = write!(to, "{}-", self.paint.with(PLACE, number));
        }
        match self.is_terminal {
            true => {
                let text = String::from_utf8_lossy(text);
                let pieces: Vec<_> = text.split('\t').map(|piece| legible(piece).to_string()).collect();
                to.extend_from_slice(pieces.join("\t").as_bytes());
            }
            false => to.extend_from_slice(text),
        }
        to.push(b'\n');
    }

    /// Writes the line of a link that is broken, and what is wrong with it.
    pub(crate) fn broken(&self, to: &mut Vec<u8>, head: &[u8], place: &Place, (url, why): (&str, &Failure)) {
        self.place(to, head, place);
        if self.line || self.column {
            to.push(b' ');
        }
        // Who reads of a fault need not read a password.
        self.text(to, FOUND, secrets::masked(url).as_bytes(), None);
        let why = match why {
            Failure::NotValid(error) => secrets::redacted(url).error(*error).to_string(),
            why => why.to_string(),
        };
        let _ = write!(to, ": {}", legible(&why));
        self.end(to);
    }

    /// Writes the line of a link.
    pub(crate) fn link(&self, to: &mut Vec<u8>, head: &[u8], place: &Place, text: &[u8]) {
        self.place(to, head, place);
        let followed = self.has_links.then(|| str::from_utf8(text).ok().filter(|url| can_be_followed(url)));
        self.text(to, FOUND, text, followed.flatten());
        self.end(to);
    }

    /// Writes the line of a name that a fragment may point to.
    pub(crate) fn anchor(&self, to: &mut Vec<u8>, head: &[u8], place: &Place, name: &str) {
        self.place(to, head, place);
        self.text(to, FOUND, format!("#{name}").as_bytes(), None);
        self.end(to);
    }

    /// Writes the line of a file.
    pub(crate) fn file(&self, to: &mut Vec<u8>, path: &Path, url: Option<&str>) {
        self.write_name(to, path, url);
        to.push(if self.null { 0 } else { b'\n' });
    }

    /// Writes how many links a file has.
    pub(crate) fn count(&self, to: &mut Vec<u8>, head: &[u8], count: u64) {
        to.extend_from_slice(head);
        let _ = writeln!(to, "{count}");
    }

    /// Writes what may be the base of a link: which one is, and why the others are not.
    pub(crate) fn bases(&self, to: &mut Vec<u8>, link: &Link<'_>) {
        let mut chosen = false;
        for layer in link.bases().layers() {
            let why = not_chosen(layer, &mut chosen);
            let word = if why.is_none() { "base" } else { "not" };
            let given = layer.uri().map_or(layer.given(), |uri| uri.as_str());
            let why = why.map_or_else(String::new, |why| format!(": {why}"));
            let line = format!("  {word} {given}, {}{why}", layer.source());
            let _ = writeln!(to, "{}", self.paint.with(FAINT, legible(&line)));
        }
    }

    fn place(&self, to: &mut Vec<u8>, head: &[u8], place: &Place) {
        to.extend_from_slice(head);
        // A vector takes whatever is written.
        if self.line {
            let _ = write!(to, "{}:", self.paint.with(PLACE, place.line));
        }
        if self.column {
            let _ = write!(to, "{}:", self.paint.with(PLACE, place.column));
        }
        if self.offset {
            let _ = write!(to, "{}:", self.paint.with(PLACE, place.span.start));
        }
    }

    fn end(&self, to: &mut Vec<u8>) {
        to.push(if self.null && (!self.name || self.heading) { 0 } else { b'\n' });
    }

    fn write_name(&self, to: &mut Vec<u8>, path: &Path, url: Option<&str>) {
        self.text(to, FILE, path.as_os_str().as_encoded_bytes(), url.filter(|_| self.has_links));
    }

    fn text(&self, to: &mut Vec<u8>, style: Style, text: &[u8], followed: Option<&str>) {
        if let Some(url) = followed {
            let _ = write!(to, "\x1B]8;;{url}\x1B\\");
        }
        let text = self.shown(text);
        match self.paint.is_on() {
            true => {
                let _ = write!(to, "{}", style.render());
                to.extend_from_slice(&text);
                let _ = write!(to, "{}", style.render_reset());
            }
            false => to.extend_from_slice(&text),
        }
        if followed.is_some() {
            to.extend_from_slice(b"\x1B]8;;\x1B\\");
        }
    }

    fn shown<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        if is_plain(text) {
            return Cow::Borrowed(text);
        }
        if self.is_terminal {
            return legible(&String::from_utf8_lossy(text)).to_string().into_bytes().into();
        }
        if self.null || memchr::memchr2(b'\n', b'\r', text).is_none() {
            return Cow::Borrowed(text);
        }
        let codes = |octet: &u8| match octet {
            b'\n' => b"<U+000A>".to_vec(),
            b'\r' => b"<U+000D>".to_vec(),
            octet => vec![*octet],
        };
        text.iter().flat_map(codes).collect()
    }
}

/// Why a layer is not the base, if another one is; the layers come one after the other, the innermost first.
pub(crate) fn not_chosen(layer: &Layer, has_been: &mut bool) -> Option<String> {
    match layer.fault() {
        Some(fault) => Some(fault.to_string()),
        None if *has_been => Some("one further in counts more (5.1)".into()),
        None => {
            *has_been = true;
            None
        }
    }
}

/// A terminal is given a URL that is absolute and nothing but printable ASCII.
fn can_be_followed(url: &str) -> bool {
    is_plain(url.as_bytes()) && UriRef::parse(url).is_ok_and(|reference| reference.to_uri().is_some())
}
