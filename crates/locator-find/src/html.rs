//! HTML: octets enter, the links in them and the names that fragments may point to leave, in the order of the document. Follows the
//! HTML standard; `attributes` says which attributes are URLs.
//!
//! What a browser would not read as a link of the page is none, unless everything is searched: comments, scripts, the content of `textarea`, `title`,
//! `xmp`, `noembed`, `noframes` and `iframe`, and templates without a shadow root. What stands in `noscript` is one, for readers without
//! scripts follow it; a `base` there is none, for the others have that page.

mod attributes;
mod base;
mod json;
mod links;
mod meta;
mod references;
mod scan;
mod space;
mod tag;
#[cfg(test)]
mod tests;
mod tree;
mod value;

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use encoding_rs::Encoding;
use locator::BaseStack;

use crate::charset::Charset;
use crate::document::Document;
use crate::encoding::decode;
use crate::escaped;
use crate::finder::Finder;
use crate::limits::LONGEST;
use crate::link::{PassedOver, Sink};
use crate::outlet::Outlet;
use crate::source::Source;
use crate::steps::Steps;
use crate::window::{Search, Window};

use links::Links;
use scan::Scanner;

/// How much of a document that can be read but once is looked through for its `base` before the first link is told.
const LOOK: usize = 1 << 20;

/// Finds the links of a page that can be read once: a `base` behind its first [`LOOK`] octets comes too late.
pub(crate) fn find(
    finder: &Finder,
    document: &Document,
    source: &mut dyn Read,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    search(finder, document, source, sink, |window, _| Ok(base::find_in(window.octets())))
}

/// Finds the links of a page that can be read twice.
pub(crate) fn find_seekable(
    finder: &Finder,
    document: &Document,
    source: &mut (impl Read + Seek),
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let start = source.stream_position()?;
    search(finder, document, source, sink, |window, source| {
        if window.is_last() {
            return Ok(base::find_in(window.octets()));
        }
        let base = base::find(window, source)?;
        source.seek(SeekFrom::Start(start))?;
        *window = Window::new();
        // What tells how it is encoded.
        window.hold(source, meta::HEAD)?;
        Ok(base)
    })
}

/// Finds the links of a page; its base is looked for first.
fn search<R: Read + ?Sized>(
    finder: &Finder,
    document: &Document,
    source: &mut R,
    sink: &mut dyn Sink,
    find_base: impl FnOnce(&mut Window, &mut R) -> io::Result<Option<String>>,
) -> io::Result<()> {
    let mut window = Window::new();
    window.hold(source, meta::HEAD)?;
    if let Some(encoding) = meta::wide_encoding_of(window.octets()) {
        return find_decoded(finder, document, (window, source, encoding), sink);
    }
    let mut page = Page::new(finder, document, sink);
    if finder.bases {
        window.hold(source, LOOK)?;
        page.embed(find_base(&mut window, source)?);
    }
    window.run(source, &mut page)
}

/// Finds the links of a page whose tags are no ASCII: it is decoded first, and held for that.
fn find_decoded(
    finder: &Finder,
    document: &Document,
    (mut window, source, encoding): (Window, &mut (impl Read + ?Sized), &'static Encoding),
    sink: &mut dyn Sink,
) -> io::Result<()> {
    window.hold(source, LONGEST)?;
    let steps = Steps::new(&window, 0, window.octets()).then(|octets| decode(octets, encoding));
    let mut bases = document.bases();
    let mut outlet = Outlet::new(&window, &mut bases, sink);
    let outlet = outlet.of(&steps);
    let mut outlet = outlet.in_charset(Charset::new(Some(encoding)));
    if find_in(finder, steps.text(), &mut outlet).is_continue() && !window.is_last() {
        let end = window.octets().len();
        sink.passed_over(&window.place(end..end), PassedOver::TooLarge(end as u64));
    }
    Ok(())
}

/// Finds the links of HTML in a text, which is in UTF-8, whatever it says of itself.
pub(crate) fn find_in(finder: &Finder, text: &[u8], outlet: &mut Outlet<'_>) -> ControlFlow<()> {
    find_nested(finder, text, outlet, NESTED)
}

/// How deep documents in attributes may be nested.
const NESTED: u8 = 4;

fn find_nested(finder: &Finder, text: &[u8], outlet: &mut Outlet<'_>, nested: u8) -> ControlFlow<()> {
    let around = outlet.bases.len();
    if finder.bases {
        embed(outlet.bases, base::find_in(text));
    }
    let charset = Charset::UTF_8;
    let mut links = Links { finder, outlet: outlet.of(outlet.source), around, charset, nested };
    let found = Scanner::new(finder.extent).scan(text, true, &mut links);
    outlet.bases.truncate(around);
    found.map_continue(|_| ())
}

/// A page that is read piece by piece.
struct Page<'a> {
    finder: &'a Finder,
    scanner: Scanner,
    charset: Charset,
    bases: BaseStack,
    around: usize,
    sink: &'a mut dyn Sink,
}

impl<'a> Page<'a> {
    fn new(finder: &'a Finder, document: &Document, sink: &'a mut dyn Sink) -> Self {
        let bases = document.bases();
        let around = bases.len();
        Self {
            finder,
            scanner: Scanner::new(finder.extent),
            charset: Charset::default(),
            bases,
            around,
            sink,
        }
    }

    fn embed(&mut self, base: Option<String>) {
        embed(&mut self.bases, base);
    }
}

/// "If [...] urlRecord's scheme is "data" or "javascript" [...] set element's frozen base URL to document's fallback base URL".
/// The same if it is not valid, which the layers know themselves.
fn embed(bases: &mut BaseStack, base: Option<String>) {
    let is_none = |base: &String| {
        base.split_once(':').is_some_and(|(scheme, _)| {
            scheme.eq_ignore_ascii_case("data") || scheme.eq_ignore_ascii_case("javascript")
        })
    };
    if let Some(base) = base.filter(|base| !is_none(base)) {
        escaped::embed(bases, &base);
    }
}

impl Search for Page<'_> {
    fn search(&mut self, window: &Window) -> ControlFlow<(), usize> {
        if window.is_first() {
            self.charset = Charset::new(meta::encoding_of(window.octets()));
        }
        let outlet = Outlet::new(window, &mut self.bases, self.sink).in_charset(self.charset);
        let mut links =
            Links { finder: self.finder, outlet, around: self.around, charset: self.charset, nested: NESTED };
        self.scanner.scan(window.octets(), window.is_last(), &mut links)
    }

    fn let_go(&mut self, window: &Window) {
        self.sink.passed_over(&window.place(0..0), PassedOver::TooLong);
        self.scanner.let_go();
    }
}
