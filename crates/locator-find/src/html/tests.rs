//! Laws: a page in pieces has the links that it has in one, and its tags are those of another tokenizer.

use std::ops::ControlFlow;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::Page;
use crate::window::Window;
use crate::{Anchor, Document, Finder, Format, Link, Sink};

/// What pages are put together of: whatever begins or ends something.
const PIECES: [&str; 62] = [
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

/// What is found if no more octets are held than must be, a few at first.
fn found_in_pieces(page: &[u8], room: usize) -> Found {
    let (finder, mut found) = (Finder::new().json_ld(true), Found::default());
    let document = Document::new(Format::Html).retrieved_by("http://h/");
    let mut search = Page::new(&finder, &document, &mut found);
    search.embed(super::base::find_in(page));
    Window::with_room(room).run(&mut &*page, &mut search).expect("a slice can be read");
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn a_page_in_pieces_has_the_same_links(pieces in vec(select(&PIECES[..]), 0..40), room in 1usize..20) {
        let page = pieces.concat();
        let whole = found_in_pieces(page.as_bytes(), page.len() + 1);
        prop_assert_eq!(found_in_pieces(page.as_bytes(), room), whole);
    }
}
