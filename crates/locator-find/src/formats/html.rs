//! HTML. Finds the links of a page and the names that fragments may refer to, in document order.
//! Follows the HTML standard; `attributes` lists the attributes that contain URLs.
//!
//! By default, only links that a browser would follow are found. Not searched are comments,
//! scripts, templates without a shadow root, and the content of `textarea`, `title`, `xmp`,
//! `noembed`, `noframes` and `iframe`. Links in `noscript` are found, because user agents without
//! scripting follow them. A `base` there is ignored,
//! because other user agents do not see it.

mod attributes;
mod base;
mod json;
mod links;
mod meta;
mod raw_text;
mod references;
mod scan;
mod start;
mod tag;
#[cfg(test)]
mod tests;
mod tree;
mod value;
mod visible;

use std::io::{self, Read, SeekFrom};
use std::ops::ControlFlow;

use locator::BaseStack;

use crate::decode::charset::Charset;
use crate::decode::source::SourceMap;
use crate::link::escaped;
use crate::link::{PassedOver, Sink};
use crate::search::emitter::Emitter;
use crate::search::input::Input;
use crate::search::window::{Search, Window};
use crate::search::{FormatSpec, Query, ReadSeek};

pub(crate) use visible::{Reader as VisibleReader, visible_text};

use links::Links;
use scan::Scanner;

/// The HTML format.
pub(crate) static HTML: FormatSpec = FormatSpec {
    name: "html",
    extensions: &["html", "htm", "shtml"],
    sections: None,
    has_media_type: |kind, subtype| (kind, subtype) == ("text", "html"),
    begins: Some(|head| head.begins_with(&["<!doctype html", "<html"])),
    find,
    find_seekable: Some(find_seekable),
    find_in,
};

/// How many octets of a stream are searched for a `base` before the first link is emitted.
const LOOK: usize = 1 << 20;

/// Finds the links of a page in a stream; a `base` after its first [`LOOK`] octets has no effect.
fn find(query: &Query<'_>, input: Input<'_>) -> io::Result<()> {
    search(query, input, |window, _| Ok(base::find_in(window.octets())))
}

/// Finds the links of a page that can be read twice.
fn find_seekable(query: &Query<'_>, input: Input<'_, dyn ReadSeek + '_>) -> io::Result<()> {
    let start = input.source.stream_position()?;
    search(query, input, |window, source| {
        if window.is_last() {
            return Ok(base::find_in(window.octets()));
        }
        let base = base::find(window, source)?;
        source.seek(SeekFrom::Start(start))?;
        *window = Window::new();
        // The octets that declare the encoding.
        window.hold(source, meta::HEAD)?;
        Ok(base)
    })
}

/// Finds the links of a page after its base.
fn search<S: Read + ?Sized>(
    query: &Query<'_>,
    input: Input<'_, S>,
    find_base: impl FnOnce(&mut Window, &mut S) -> io::Result<Option<String>>,
) -> io::Result<()> {
    let mut window = Window::new();
    window.hold(input.source, meta::HEAD)?;
    // A page in an encoding in which tags are not ASCII is decoded first, in memory.
    if let Some(encoding) = meta::wide_encoding_of(window.octets()) {
        let charset = Charset::new(Some(encoding));
        return input.find_decoded(window, encoding, |text, emitter| {
            find_in(query, text, &mut emitter.of(emitter.source).in_charset(charset))
        });
    }
    let mut page = Page::new(query, input.bases, input.sink);
    if query.options.bases {
        window.hold(input.source, LOOK)?;
        page.embed(find_base(&mut window, input.source)?);
    }
    window.run(input.source, &mut page)
}

/// Finds the links of HTML in memory; it is in UTF-8, whatever it declares.
fn find_in(query: &Query<'_>, text: &[u8], emitter: &mut Emitter<'_>) -> ControlFlow<()> {
    let around = emitter.bases.len();
    if query.options.bases {
        embed(emitter.bases, base::find_in(text));
    }
    let mut links = Links { query, emitter: emitter.of(emitter.source), around, charset: Charset::UTF_8 };
    let found = Scanner::new(query.extent).scan(text, true, &mut links);
    emitter.bases.truncate(around);
    found.map_continue(|_| ())
}

/// A page that is read piece by piece.
struct Page<'a> {
    query: &'a Query<'a>,
    scanner: Scanner,
    charset: Charset,
    bases: BaseStack,
    around: usize,
    sink: &'a mut dyn Sink,
}

impl<'a> Page<'a> {
    fn new(query: &'a Query<'a>, bases: BaseStack, sink: &'a mut dyn Sink) -> Self {
        let around = bases.len();
        Self { query, scanner: Scanner::new(query.extent), charset: Charset::default(), bases, around, sink }
    }

    fn embed(&mut self, base: Option<String>) {
        embed(&mut self.bases, base);
    }
}

/// "If [...] urlRecord's scheme is "data" or "javascript" [...] set element's frozen base URL to
/// document's fallback base URL". The same applies to an invalid base, which the base candidates
/// check themselves.
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
        let emitter = Emitter::new(window, &mut self.bases, self.sink).in_charset(self.charset);
        let mut links = Links { query: self.query, emitter, around: self.around, charset: self.charset };
        self.scanner.scan(window.octets(), window.is_last(), &mut links)
    }

    fn let_go(&mut self, window: &Window) {
        self.sink.passed_over(&window.place(0..0), PassedOver::TooLong);
        self.scanner.let_go(window.octets());
    }
}
