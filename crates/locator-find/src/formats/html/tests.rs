//! Properties: a page read in pieces has the same links as one read as a whole, and its tags are
//! those of another tokenizer.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::Page;
use crate::search::window::Window;
use crate::{Anchor, Document, Finder, Format, Link, Sink};

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
        self.0.push(format!("{:?} {:?} {} {base:?}", link.place(), link.written(), link.url()));
        ControlFlow::Continue(())
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        self.0.push(format!("{anchor:?}"));
    }
}

/// Returns the results with as few held octets as possible, beginning with `limit`.
fn found_in_pieces(page: &[u8], limit: usize, all: bool) -> Found {
    let (finder, mut found) = (Finder::new().json_ld(true).all(all), Found::default());
    let document = Document::new(Format::Html).retrieved_by("http://h/");
    let query = finder.query();
    let mut search = Page::new(&query, document.bases(), &mut found);
    search.embed(super::base::find_in(page));
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
        assert!(given.get() <= (link.place().span.end as usize + 16).max(super::meta::HEAD));
        count += 1;
        ControlFlow::Continue(())
    };
    let finder = Finder::new().bases(false);
    finder.find(&Document::new(Format::Html), &mut slow, &mut sink).expect("a slice can be read");
    assert_eq!(count, 8192);
}
