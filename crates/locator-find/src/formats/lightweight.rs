//! What the readers of reStructuredText, AsciiDoc and Org share: [`Lines`] of a document, and [`Prose`], which takes its
//! text from the beginning to the end, as running text, code or markup, with the links and names that the markup
//! declares, and emits all of them in order.
//!
//! These languages are read line by line with little state, in one pass, and not by a parser of the whole language. The
//! libraries that exist for Rust (`rst_parser`, `asciidork-parser`, `orgize`) make a tree of a valid document: they refuse
//! others or lose the positions, and each is larger than the rest of this crate.
//!
//! ```text
//! // "See `a <b>`_ and http://h/" is running text, markup with a link, running text.
//! prose.keep(4);
//! prose.link(8..9, "b", Context::Hyperlink);
//! prose.skip(12);
//! prose.keep(27);
//! prose.flush()?;
//! ```

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::ops::{ControlFlow, Range};

use encoding_rs::{Encoding, UTF_8};
use memchr::memchr;

use crate::decode::charset::decode;
use crate::decode::{DecodeChain, Decoded, DecodedSource};
use crate::link::cut::{self, Cut};
use crate::link::{Context, LabelKind, PassedOver};
use crate::search::Query;
use crate::search::emitter::Emitter;

/// An octet that no URL and no delimiter of URLs contains: "unit separator" in ASCII.
const GAP: &[u8] = b"\x1F";

/// The length of text after which a flush pays.
const LONG: usize = 64 << 10;

/// Reads a document as text, without a byte order mark.
pub(super) fn read(
    query: &Query<'_>,
    octets: &[u8],
    emitter: &mut Emitter<'_>,
    read: impl FnOnce(Prose<'_, '_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let steps = DecodeChain::new(emitter.source, 0, octets).then(|octets| {
        let marked = Encoding::for_bom(octets);
        decode(octets, marked.map_or(UTF_8, |(encoding, _)| encoding))
    });
    let emitter = emitter.of(&steps);
    // INVARIANT: the text is UTF-8 or was decoded.
    let text = str::from_utf8(steps.text()).unwrap_or_default();
    let mark = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    read(Prose::new(query, text, mark, emitter))
}

/// A line of a document, with offsets in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Where it begins.
    pub(super) start: usize,
    /// Where its text begins, after white space.
    pub(super) text: usize,
    /// Where its text ends, before white space.
    pub(super) end: usize,
    /// Where the next line begins.
    pub(super) next: usize,
    /// The column of its text, from 0, with a tab at every eighth column.
    pub(super) indent: usize,
}

impl Line {
    /// Returns the line that begins there; `None` at the end of the text.
    pub(super) fn at(text: &str, start: usize) -> Option<Self> {
        let rest = text.as_bytes().get(start..).filter(|rest| !rest.is_empty())?;
        let length = memchr(b'\n', rest).unwrap_or(rest.len());
        let next = start + (length + 1).min(rest.len());
        let line = &rest[..length];
        let blank =
            line.iter().take_while(|octet| matches!(octet, b' ' | b'\t' | b'\r' | 0x0B | 0x0C)).count();
        let indent = line[..blank].iter().fold(0, |column, octet| match octet {
            b'\t' => (column / 8 + 1) * 8,
            _ => column + 1,
        });
        let end = start + line.trim_ascii_end().len().max(blank);
        Some(Self { start, text: start + blank, end, next, indent })
    }

    /// Returns whether it has no text.
    pub(super) const fn is_blank(&self) -> bool {
        self.text == self.end
    }

    /// Returns its text, without the white space around it.
    pub(super) fn of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.text..self.end).unwrap_or_default()
    }
}

/// Returns the end of the block after `at` whose lines are blank or indented by more than `indent` columns.
pub(super) fn end_of_indented(text: &str, at: usize, indent: usize) -> usize {
    let mut end = at;
    while let Some(line) = Line::at(text, end) {
        if !line.is_blank() && line.indent <= indent {
            break;
        }
        end = line.next;
    }
    end
}

/// A text that is taken from its beginning to its end, with what is found in it.
pub(super) struct Prose<'a, 't> {
    query: &'a Query<'a>,
    text: &'t str,
    emitter: Emitter<'a>,
    /// The running text that is not searched yet, with a gap in place of markup.
    decoded: Decoded,
    /// The stretches of it that are code, in order.
    code: Vec<Range<usize>>,
    /// How much of the text is taken.
    done: usize,
    found: Vec<Declared<'t>>,
}

/// Something that markup declares.
struct Declared<'t> {
    /// Its offset in the running text.
    text: usize,
    span: Range<usize>,
    name: String,
    kind: DeclaredKind<'t>,
}

enum DeclaredKind<'t> {
    Link(Context<'t>, Option<Cut>),
    CrossReference(Context<'t>),
    Anchor,
    Label(LabelKind),
}

impl<'a, 't> Prose<'a, 't> {
    fn new(query: &'a Query<'a>, text: &'t str, done: usize, emitter: Emitter<'a>) -> Self {
        let (decoded, code, found) = (Decoded::default(), Vec::new(), Vec::new());
        Self { query, text, emitter, decoded, code, done, found }
    }

    /// Returns the text.
    pub(super) const fn text(&self) -> &'t str {
        self.text
    }

    /// Returns how much of the text is taken.
    pub(super) const fn done(&self) -> usize {
        self.done
    }

    /// Takes the text up to `end` as running text.
    pub(super) fn keep(&mut self, end: usize) {
        if let Some(text) = self.text.as_bytes().get(self.done..end) {
            self.decoded.keep(text, self.done);
            self.done = end;
        }
    }

    /// Takes the text up to `end` as code.
    pub(super) fn keep_code(&mut self, end: usize) {
        let start = self.decoded.text().len();
        self.keep(end);
        let stretch = start..self.decoded.text().len();
        match self.code.last_mut().filter(|last| last.end == start) {
            Some(last) => last.end = stretch.end,
            None if stretch.is_empty() => {}
            None => self.code.push(stretch),
        }
    }

    /// Takes the text up to `end` as markup, in which nothing is searched.
    pub(super) fn skip(&mut self, end: usize) {
        if end > self.done {
            self.decoded.put(GAP, self.done, end - self.done);
            self.done = end;
        }
    }

    /// Declares a link.
    pub(super) fn link(&mut self, span: Range<usize>, url: impl Into<String>, context: Context<'t>) {
        self.declare(span, url.into(), DeclaredKind::Link(context, None));
    }

    /// Declares a URL as it is in running text, which may be a part of one.
    pub(super) fn cut_link(&mut self, span: Range<usize>, url: impl Into<String>, cut: Option<Cut>) {
        let context = Context::Text(locator::text::MatchKind::Bare);
        self.declare(span, url.into(), DeclaredKind::Link(context, cut));
    }

    /// Declares a cross-reference.
    pub(super) fn cross_reference(
        &mut self,
        span: Range<usize>,
        name: impl Into<String>,
        context: Context<'t>,
    ) {
        self.declare(span, name.into(), DeclaredKind::CrossReference(context));
    }

    /// Declares a name that fragments may refer to.
    pub(super) fn anchor(&mut self, span: Range<usize>, name: impl Into<String>) {
        self.declare(span, name.into(), DeclaredKind::Anchor);
    }

    /// Declares a name that cross-references refer to.
    pub(super) fn label(&mut self, span: Range<usize>, name: impl Into<String>, kind: LabelKind) {
        self.declare(span, name.into(), DeclaredKind::Label(kind));
    }

    fn declare(&mut self, span: Range<usize>, name: String, kind: DeclaredKind<'t>) {
        self.found.push(Declared { text: self.decoded.text().len(), span, name, kind });
    }

    /// Emits what was found if that is much, so that memory is bounded. It is called between lines.
    pub(super) fn flush_if_long(&mut self) -> ControlFlow<()> {
        match self.decoded.text().len() >= LONG || self.found.len() >= LONG / 16 {
            true => self.flush(),
            false => ControlFlow::Continue(()),
        }
    }

    /// Emits what was found.
    pub(super) fn flush(&mut self) -> ControlFlow<()> {
        let decoded = std::mem::take(&mut self.decoded);
        let (code, found) = (std::mem::take(&mut self.code), std::mem::take(&mut self.found));
        let (mut code, mut found) = (code.into_iter().peekable(), found.into_iter().peekable());
        let source = self.emitter.source;
        let traced = DecodedSource { decoded: &decoded, source };
        let mut hits = self.query.options.text.find_iter(decoded.text());
        for hit in hits.by_ref() {
            let span = hit.span();
            while let Some(next) = found.next_if(|next| next.text <= span.start) {
                next.emit(&mut self.emitter)?;
            }
            while code.next_if(|code| code.end <= span.start).is_some() {}
            let is_code = code.peek().is_some_and(|code| code.start < span.end);
            let cut = cut::in_whole(decoded.text(), &hit);
            self.emitter.of(&traced).in_code(is_code).text_match(&hit, cut)?;
        }
        if let Some(start) = hits.passed_over() {
            self.emitter.of(&traced).passed_over(start, PassedOver::TooLong);
        }
        found.try_for_each(|next| next.emit(&mut self.emitter))
    }

    /// Searches the text up to `end` as a document of another format.
    pub(super) fn embed(&mut self, end: usize, media_type: &str) -> ControlFlow<()> {
        self.flush()?;
        let Some(inside) = self.text.as_bytes().get(self.done..end) else { return ControlFlow::Continue(()) };
        let source = self.emitter.source;
        let chain = DecodeChain::new(source, self.done, inside);
        self.done = end;
        match self.query.nested() {
            Some(query) => query.find_in(media_type, inside, &mut self.emitter.of(&chain)),
            None => self.query.find_urls(inside, &mut self.emitter.of(&chain)),
        }
    }
}

impl Declared<'_> {
    fn emit(&self, emitter: &mut Emitter<'_>) -> ControlFlow<()> {
        let Self { span, name, .. } = self;
        match self.kind {
            DeclaredKind::Link(context, cut) => emitter.cut_link(span.clone(), name, context, cut)?,
            DeclaredKind::CrossReference(context) => emitter.cross_reference(span.clone(), name, context)?,
            DeclaredKind::Anchor => emitter.anchor(span.clone(), name),
            DeclaredKind::Label(kind) => emitter.label(span.clone(), name, kind),
        }
        ControlFlow::Continue(())
    }
}

/// The maximum number of names that are stored.
const MOST: usize = 1 << 20;

/// The ids of a document so far, as hashes, so that memory is bounded.
#[derive(Debug, Default)]
pub(super) struct UsedIds {
    used: HashSet<u64>,
    keys: RandomState,
}

impl UsedIds {
    /// Adds an id; returns whether it is new.
    pub(super) fn add(&mut self, id: &str) -> bool {
        let key = self.keys.hash_one(id);
        if self.used.len() >= MOST {
            return !self.used.contains(&key);
        }
        self.used.insert(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_their_columns() {
        let text = " \ta b \r\n\nc";
        let first = Line::at(text, 0).unwrap();
        assert_eq!(first, Line { start: 0, text: 2, end: 5, next: 8, indent: 8 });
        assert_eq!(first.of(text), "a b");
        assert!(Line::at(text, 8).unwrap().is_blank());
        assert_eq!(Line::at(text, 9).unwrap().of(text), "c");
        assert_eq!(Line::at(text, 10), None);
        assert_eq!(Line::at(" \r\n", 0).map(|line| line.is_blank()), Some(true));
        assert_eq!(end_of_indented("  a\n\n b\nc\n", 0, 0), 8);
    }

    #[test]
    fn an_id_is_new_once() {
        let mut ids = UsedIds::default();
        assert!(ids.add("a") && ids.add("b") && !ids.add("a"));
    }
}
