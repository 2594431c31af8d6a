//! HTML. Finds the links of a page and the names that fragments may refer to, in document order.
//! Follows the HTML standard; `attributes` lists the attributes that contain URLs.
//!
//! By default, only links that a browser would follow are found. Not searched are comments,
//! scripts, templates without a shadow root, and the content of `textarea`, `title`, `xmp`,
//! `noembed`, `noframes` and `iframe`. Links in `noscript` are found, because user agents without
//! scripting follow them. A `base` there is ignored, because other user agents do not see it.
//!
//! The visible text of a page is without what a browser does not show: comments, scripts, style sheets,
//! templates, the title, and what is for browsers without scripts. Whether a style sheet hides an
//! element is not known.

mod attributes;
mod link_text;
mod links;
mod prescan;
mod scan;
mod tag;
mod value;

use std::io::{self, Read, SeekFrom};
use std::ops::ControlFlow;

use encoding_rs::UTF_8;
use locator::BaseStack;
use memchr::{memchr, memmem};

use crate::decode::SourceMap;
use crate::decode::charset::Charset;
use crate::formats::markup::Visible;
use crate::link::{PassedOver, Sink, reference};
use crate::search::emitter::Emitter;
use crate::search::input::{Input, Search, Window};
use crate::search::{FormatSpec, Query, ReadSeek};

pub(crate) use attributes::is_card;
use links::Links;
use scan::{Scanner, ScriptEscape, end_of_text, text_element};
use tag::Tag;
pub(crate) use value::candidates;
use value::decode;

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
    search(query, input, |window, _| Ok(prescan::base_in(window.octets())))
}

/// Finds the links of a page that can be read twice.
fn find_seekable(query: &Query<'_>, input: Input<'_, dyn ReadSeek + '_>) -> io::Result<()> {
    let start = input.source.stream_position()?;
    search(query, input, |window, source| {
        if window.is_last() {
            return Ok(prescan::base_in(window.octets()));
        }
        let base = prescan::find_base(window, source)?;
        source.seek(SeekFrom::Start(start))?;
        *window = Window::new();
        // The octets that declare the encoding.
        window.hold(source, prescan::HEAD)?;
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
    window.hold(input.source, prescan::HEAD)?;
    // A page in an encoding in which tags are not ASCII is decoded first, in memory.
    if let Some(encoding) = prescan::wide_encoding_of(window.octets()) {
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
        embed(emitter.bases, prescan::base_in(text));
    }
    let mut links = Links { query, emitter: emitter.of(emitter.source), around, charset: Charset::UTF_8 };
    let found = scanner(query).scan(text, true, &mut links);
    emitter.bases.truncate(around);
    found.map_continue(|_| ())
}

fn scanner(query: &Query<'_>) -> Scanner {
    Scanner::new(query.extent).with_texts(query.options.link_texts)
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
        Self { query, scanner: scanner(query), charset: Charset::default(), bases, around, sink }
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
        reference::embed_base(bases, &base);
    }
}

impl Search for Page<'_> {
    fn search(&mut self, window: &Window) -> ControlFlow<(), usize> {
        if window.is_first() {
            self.charset = Charset::new(prescan::encoding_of(window.octets()));
        }
        let emitter = Emitter::new(window, &mut self.bases, self.sink).in_charset(self.charset);
        let mut links = Links { query: self.query, emitter, around: self.around, charset: self.charset };
        self.scanner.scan(window.octets(), window.is_last(), &mut links)
    }

    fn skip_overlong(&mut self, window: &Window) {
        self.sink.passed_over(&window.place(0..0), PassedOver::TooLong);
        self.scanner.skip_overlong(window.octets());
    }
}

/// Returns the decoded value of an attribute in UTF-8.
pub(crate) fn decoded_value(octets: &[u8]) -> String {
    String::from_utf8_lossy(decode(octets, 0, UTF_8).text()).into_owned()
}

/// Returns what a reader sees of HTML in UTF-8 that is the text of a link.
pub(crate) fn shown_link_text(html: &str) -> String {
    link_text::shown_text(html.as_bytes(), 0..html.len(), Charset::UTF_8)
}

/// Elements that are in a line: a tag does not end a word.
const INLINE: [&[u8]; 36] = [
    b"a", b"abbr", b"acronym", b"b", b"bdi", b"bdo", b"big", b"cite", b"code", b"data", b"del", b"dfn",
    b"em", b"font", b"i", b"img", b"ins", b"kbd", b"label", b"mark", b"nobr", b"q", b"rp", b"s", b"samp",
    b"small", b"span", b"strike", b"strong", b"sub", b"sup", b"time", b"tt", b"u", b"var", b"wbr",
];

/// Returns the visible text of a page.
pub(crate) fn visible_text(octets: &[u8]) -> String {
    let declared = prescan::wide_encoding_of(octets).or_else(|| prescan::encoding_of(octets));
    let (page, _, _) = Charset::new(declared).of(octets).decode(octets);
    let mut visible = Visible::default();
    VisibleReader::default().read(page.as_bytes(), &mut visible);
    visible.finish()
}

/// Reads HTML in UTF-8, which may continue.
#[derive(Debug, Default)]
pub(crate) struct VisibleReader {
    tag: Tag,
    /// How many templates are open.
    templates: u32,
}

impl VisibleReader {
    /// Appends the text of octets in UTF-8.
    pub(crate) fn read(&mut self, octets: &[u8], visible: &mut Visible) {
        let mut at = 0;
        while let Some(rest) = octets.get(at..).filter(|rest| !rest.is_empty()) {
            let length = memchr(b'<', rest).unwrap_or(rest.len());
            self.take_text(&rest[..length], visible);
            at += length;
            if at < octets.len() {
                at = self.after_markup(octets, at, visible);
            }
        }
    }

    fn take_text(&self, text: &[u8], visible: &mut Visible) {
        if self.templates > 0 {
            return;
        }
        if memchr(b'&', text).is_some() {
            visible.push(str::from_utf8(decode(text, 0, UTF_8).text()).unwrap_or_default());
        } else {
            visible.push(str::from_utf8(text).unwrap_or_default());
        }
    }

    /// Returns the position after what begins with "<", and after its content if that is not visible.
    fn after_markup(&mut self, octets: &[u8], at: usize, visible: &mut Visible) -> usize {
        let rest = &octets[at..];
        let after = |end: &[u8], from: usize| {
            let found = rest.get(from..).and_then(|rest| memmem::find(rest, end));
            found.map_or(octets.len(), |found| at + from + found + end.len())
        };
        match rest {
            [b'<', b'!', b'-', b'-', b'>', ..] => at + 5,
            [b'<', b'!', b'-', b'-', ..] => after(b"-->", 2),
            [b'<', b'!' | b'?', ..] => after(b">", 2),
            [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => {
                self.after_tag(octets, at, 2, visible)
            }
            [b'<', letter, ..] if letter.is_ascii_alphabetic() => self.after_tag(octets, at, 1, visible),
            [b'<', b'/', ..] => after(b">", 2),
            _ => {
                self.take_text(b"<", visible);
                at + 1
            }
        }
    }

    /// Returns the position after a tag, whose name follows `open` octets, and after hidden content.
    fn after_tag(&mut self, octets: &[u8], at: usize, open: usize, visible: &mut Visible) -> usize {
        let Some(end) = self.tag.read(octets, at + open) else { return octets.len() };
        let (name, is_start) = (self.tag.name(), open == 1);
        if !INLINE.contains(&name) {
            visible.separate();
        }
        if name == b"template" {
            self.templates = if is_start { self.templates + 1 } else { self.templates.saturating_sub(1) };
        }
        match name {
            _ if !is_start => end,
            b"script" => ScriptEscape::No.pass(octets, end, true).at,
            b"style" => end_of_text(octets, end, "style", true).at,
            b"noscript" => end_of_text(octets, end, "noscript", true).at,
            b"plaintext" => octets.len(),
            _ => text_element(name).map_or(end, |name| end_of_text(octets, end, name, true).at),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::{Anchor, Document, Finder, Format, Link};

    #[test]
    fn texts() {
        for (page, expected) in [
            (
                "<title>T</title><style>s</style><p>A <b>bo</b>ld\n word<p>next<br>line",
                "A bold word next line",
            ),
            ("a<!-- <p> -->b<!--> c -->", "ab c -->"),
            ("x<script>if (a<b) '<p>'</script>y", "x y"),
            ("1 &lt; 2 &amp;&nbsp;3 &eacute;", "1 < 2 & 3 \u{E9}"),
            ("<template>a<template>b</template>c</template>d", "d"),
            ("a <3 b </> c <a title='>'>d</a", "a <3 b c d"),
            ("<noscript>a</noscript><textarea>b</textarea>c", "c"),
            ("", ""),
            ("<script>never closed", ""),
        ] {
            assert_eq!(visible_text(page.as_bytes()), expected, "{page}");
        }
        assert_eq!(visible_text(b"<meta charset=windows-1252>caf\xE9"), "caf\u{E9}");
        assert_eq!(visible_text(b"\xFF\xFE<\0p\0>\0a\0"), "a");
    }

    // Properties: a page read in pieces has the same links as one read as a whole, and its tags are
    // those of another tokenizer.

    /// The pieces of generated pages: everything that begins or ends a construct.
    const PIECES: [&str; 64] = [
        "http://n.example/",
        " http://o.example/?p&amp;q",
        "<",
        ">",
        "/",
        "=",
        "\"",
        "'",
        " ",
        "\n",
        "!",
        "-",
        "--",
        "]]>",
        "&",
        "&amp;",
        "&#x41;",
        "é",
        "\0",
        "a",
        "x=",
        "<a href=",
        "<a href=\"b\">",
        "<a HREF='c&amp;d'>",
        "</a>",
        "<img srcset=\"e 1x, f 2x\" src=g>",
        "<p id=h>",
        "<!--",
        "-->",
        "--!>",
        "<!-->",
        "<!x",
        "<?x",
        "</ ",
        "<![CDATA[",
        "<script>",
        "</script>",
        "<script",
        "</script",
        "<!--<script>",
        "<script type=application/ld+json>",
        "{\"url\":\"http://i/\"}",
        "<style>",
        "</style>",
        "@import \"j\";",
        "url(k)",
        "/*",
        "*/",
        "<title>",
        "</title>",
        "<textarea>",
        "</textarea>",
        "<template>",
        "</template>",
        "<svg>",
        "</svg>",
        "<foreignObject>",
        "<math>",
        "<mtext>",
        "<noscript>",
        "</noscript>",
        "<base href=l/>",
        "<iframe srcdoc=\"<a href=m>\">",
        "<plaintext>",
    ];

    #[derive(Debug, Default, PartialEq)]
    struct Found(Vec<String>);

    impl Sink for Found {
        fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
            let base = link.base().and_then(|base| base.uri()).map(|base| base.as_str().to_owned());
            let text = link.text();
            self.0.push(format!("{:?} {:?} {} {base:?} {text:?}", link.place(), link.written(), link.url()));
            ControlFlow::Continue(())
        }

        fn anchor(&mut self, anchor: &Anchor<'_>) {
            self.0.push(format!("{anchor:?}"));
        }
    }

    /// Returns the results with as few held octets as possible, beginning with `limit`.
    fn found_in_pieces(page: &[u8], limit: usize, all: bool) -> Found {
        let finder = Finder::new().json_ld(true).all(all).link_texts(true);
        let mut found = Found::default();
        let document = Document::new(Format::Html).retrieved_by("http://h/");
        let query = finder.query();
        let mut search = Page::new(&query, document.bases(), &mut found);
        search.embed(prescan::base_in(page));
        Window::with_capacity(limit).run(&mut &*page, &mut search).expect("a slice can be read");
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn a_page_in_pieces_has_the_same_links(pieces in vec(select(&PIECES[..]), 0..40), limit in 1usize..20, all: bool) {
            let page = pieces.concat();
            let whole = found_in_pieces(page.as_bytes(), page.len() + 1, all);
            prop_assert_eq!(found_in_pieces(page.as_bytes(), limit, all), whole);
        }
    }

    /// A page that arrives a few octets at a time.
    struct Slow<'p> {
        page: &'p [u8],
        piece: usize,
        /// The number of octets already read.
        given: &'p Cell<usize>,
    }

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let rest = &self.page[self.given.get()..];
            let length = rest.len().min(self.piece).min(buffer.len());
            buffer[..length].copy_from_slice(&rest[..length]);
            self.given.set(self.given.get() + length);
            Ok(length)
        }
    }

    #[test]
    fn a_page_is_answered_as_it_comes() {
        let page = "<a href=b>c</a>\n".repeat(8192);
        let (given, mut count) = (Cell::new(0), 0);
        let mut slow = Slow { page: page.as_bytes(), piece: 16, given: &given };
        let mut sink = |link: &Link<'_>| {
            // Encoding detection reads more of the page.
            assert!(given.get() <= (link.place().span.end as usize + 16).max(prescan::HEAD));
            count += 1;
            ControlFlow::Continue(())
        };
        let finder = Finder::new().bases(false);
        finder.find(&Document::new(Format::Html), &mut slow, &mut sink).expect("a slice can be read");
        assert_eq!(count, 8192);
    }
}
