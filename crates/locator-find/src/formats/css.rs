//! Style sheets. Finds the URLs that a browser would fetch. Follows CSS Syntax Module Level 3; CSS
//! Values and Units Level 4 and 5, CSS Cascading Level 5 (`@import`) and CSS Images Level 4
//! (`image-set()`) define the functions and rules that have URLs.
//!
//! Comments, other strings and other tokens are searched only with [`Extent::All`]. The names of
//! `@namespace` are not fetched and are not links. The position of a rule is not validated.

mod scan;
mod token;

use std::io;
use std::ops::{ControlFlow, Range};

use encoding_rs::{Encoding, UTF_8};
use locator::BaseStack;
use memchr::memmem;

use crate::decode::chain::DecodeChain;
use crate::decode::source::SourceMap;
use crate::link::{Context, PassedOver, Sink};
use crate::search::emitter::Emitter;
use crate::search::input::Input;
use crate::search::options::Extent;
use crate::search::window::{Search, Window};
use crate::search::{FormatSpec, Query};

use scan::{Scanner, Token};

/// The style sheet format.
pub(crate) static CSS: FormatSpec = FormatSpec {
    name: "css",
    extensions: &["css"],
    sections: None,
    has_media_type: |kind, subtype| (kind, subtype) == ("text", "css"),
    begins: None,
    find,
    find_seekable: None,
    find_in,
};

/// Finds the links of a style sheet.
fn find(query: &Query<'_>, input: Input<'_>) -> io::Result<()> {
    let mut window = Window::new();
    window.hold(input.source, HEAD)?;
    if let Some(encoding) = encoding_of(window.octets()) {
        return input.find_decoded(window, encoding, |text, emitter| find_in(query, text, emitter));
    }
    let Input { source, mut bases, sink, .. } = input;
    window.run(source, &mut Sheet { query, scanner: scanner(query), bases: &mut bases, sink })
}

/// Returns a scanner, which reports everything if everything is searched.
fn scanner(query: &Query<'_>) -> Scanner {
    Scanner::new(query.extent == Extent::All)
}

/// "the first 1024 bytes"
const HEAD: usize = 1024;

/// Returns the encoding that the first octets declare, if it is not UTF-8: "determine the fallback
/// encoding" (CSS Syntax, 3.2).
fn encoding_of(head: &[u8]) -> Option<&'static Encoding> {
    let said = || {
        let label = head.strip_prefix(b"@charset \"")?;
        // "followed by [...] 22 3B"
        let end = memmem::find(&label[..label.len().min(HEAD)], b"\";")?;
        // "If the return value was utf-16be or utf-16le, use utf-8 as the fallback encoding"
        Encoding::for_label(&label[..end]).filter(|encoding| encoding.is_ascii_compatible())
    };
    let marked = Encoding::for_bom(head).map(|(encoding, _)| encoding);
    marked.or_else(said).filter(|encoding| *encoding != UTF_8)
}

/// Finds the links of a style sheet in memory.
fn find_in(query: &Query<'_>, text: &[u8], emitter: &mut Emitter<'_>) -> ControlFlow<()> {
    let found = scanner(query).scan(text, true, &mut |span, token| report(query, text, span, token, emitter));
    found.map_continue(|_| ())
}

/// Emits a URL, or the URLs of a text.
fn report(
    query: &Query<'_>,
    octets: &[u8],
    span: Range<usize>,
    token: Token<'_>,
    emitter: &mut Emitter<'_>,
) -> ControlFlow<()> {
    match token {
        Token::Url(url) => emitter.link(span, url, Context::Style),
        Token::Text => {
            let steps = DecodeChain::new(emitter.source, span.start, &octets[span]);
            query.find_urls(steps.text(), &mut emitter.of(&steps))
        }
        Token::Code => find_in_code(query, octets, span, emitter),
    }
}

/// Emits the URLs with "//" of tokens that are neither strings nor comments. Another colon belongs
/// to a selector or a declaration, and a semicolon ends a declaration.
fn find_in_code(
    query: &Query<'_>,
    octets: &[u8],
    span: Range<usize>,
    emitter: &mut Emitter<'_>,
) -> ControlFlow<()> {
    let mut start = span.start;
    for declaration in octets[span].split_inclusive(|octet| *octet == b';') {
        if memmem::find(declaration, b"://").is_some() {
            let text = declaration.strip_suffix(b";").unwrap_or(declaration);
            let steps = DecodeChain::new(emitter.source, start, text);
            query.find_urls_with(text, |url| url.contains("://"), &mut emitter.of(&steps))?;
        }
        start += declaration.len();
    }
    ControlFlow::Continue(())
}

struct Sheet<'a> {
    query: &'a Query<'a>,
    scanner: Scanner,
    bases: &'a mut BaseStack,
    sink: &'a mut dyn Sink,
}

impl Search for Sheet<'_> {
    fn search(&mut self, window: &Window) -> ControlFlow<(), usize> {
        let mut emitter = Emitter::new(window, self.bases, self.sink);
        let octets = window.octets();
        self.scanner.scan(octets, window.is_last(), &mut |span, token| {
            report(self.query, octets, span, token, &mut emitter)
        })
    }

    fn let_go(&mut self, window: &Window) {
        self.sink.passed_over(&window.place(0..0), PassedOver::TooLong);
        self.scanner.let_go();
    }
}

#[cfg(test)]
mod tests {
    use locator::BaseStack;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::finder::Finder;
    use crate::link::Link;

    const PIECES: [&str; 24] = [
        "http://h/a",
        "http://h/b ",
        " ",
        "\n",
        "\"",
        "'",
        "/*",
        "*/",
        "url(",
        "url('",
        ")",
        "src(",
        "image-set(",
        "@import ",
        "@namespace ",
        ";",
        "{",
        "}",
        "a:b",
        "\\",
        "\\41 ",
        "/",
        "*",
        "(",
    ];

    fn found_in_pieces(sheet: &[u8], limit: usize, all: bool) -> Vec<(String, u64)> {
        let (finder, mut found) = (Finder::new().all(all), Vec::new());
        let query = finder.query();
        let mut sink = |link: &Link<'_>| {
            found.push((link.url().to_owned(), link.place().span.start));
            ControlFlow::Continue(())
        };
        let mut sheet_search = Sheet {
            query: &query,
            scanner: scanner(&query),
            bases: &mut BaseStack::default(),
            sink: &mut sink,
        };
        Window::with_capacity(limit).run(&mut &*sheet, &mut sheet_search).expect("a slice can be read");
        found
    }

    #[test]
    fn a_function_whose_string_comes_in_pieces_counts_once() {
        let sheet = b"image-set(url('http://h/a\n)\"'";
        assert_eq!(found_in_pieces(sheet, 1, false), found_in_pieces(sheet, 100, false));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn a_sheet_in_pieces_has_the_same_links(pieces in prop::collection::vec(select(&PIECES[..]), 0..30), limit in 1usize..20, all: bool) {
            let sheet = pieces.concat();
            let whole = found_in_pieces(sheet.as_bytes(), sheet.len() + 1, all);
            prop_assert_eq!(found_in_pieces(sheet.as_bytes(), limit, all), whole);
        }
    }
}
