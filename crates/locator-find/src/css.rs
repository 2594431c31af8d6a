//! Style sheets: octets enter, the URLs that would be fetched leave. Follows CSS Syntax Module Level 3, and which functions and rules have
//! URLs: CSS Values and Units Level 4 and 5, CSS Cascading Level 5 (`@import`), CSS Images Level 4 (`image-set()`).
//!
//! Comments are searched if everything is. The names of `@namespace` are fetched by nobody and are no links. Whether a rule stands where it may is not asked.

mod scan;
mod token;

use std::io::{self, Read};
use std::ops::{ControlFlow, Range};

use encoding_rs::{Encoding, UTF_8};
use memchr::memmem;

use crate::document::Document;
use crate::encoding::decode;
use crate::finder::Finder;
use crate::limits::LONGEST;
use crate::link::{Context, PassedOver, Sink};
use crate::outlet::Outlet;
use crate::source::Source;
use crate::steps::Steps;
use crate::text;
use crate::window::{Search, Window};

pub(crate) use scan::{Scanner, Token};

/// Finds the links of a style sheet.
pub(crate) fn find(
    finder: &Finder,
    document: &Document,
    source: &mut dyn Read,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let (mut window, mut bases) = (Window::new(), document.bases());
    window.hold(source, HEAD)?;
    if let Some(encoding) = encoding_of(window.octets()) {
        window.hold(source, LONGEST)?;
        let steps = Steps::new(&window, 0, window.octets()).then(|octets| decode(octets, encoding));
        let found = find_in(finder, steps.text(), &mut Outlet::new(&window, &mut bases, sink).of(&steps));
        if found.is_continue() && !window.is_last() {
            let end = window.octets().len();
            sink.passed_over(&window.place(end..end), PassedOver::TooLarge(end as u64));
        }
        return Ok(());
    }
    window.run(source, &mut Sheet { finder, scanner: Scanner::new(finder), bases: &mut bases, sink })
}

/// "the first 1024 bytes"
const HEAD: usize = 1024;

/// The encoding of a style sheet that begins so, if it says another one than UTF-8: "determine the fallback encoding" (CSS Syntax, 3.2).
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

/// Finds the links of a style sheet in a text.
pub(crate) fn find_in(finder: &Finder, text: &[u8], outlet: &mut Outlet<'_>) -> ControlFlow<()> {
    let found =
        Scanner::new(finder).scan(text, true, &mut |span, token| tell(finder, text, (span, token), outlet));
    found.map_continue(|_| ())
}

/// Gives out a URL, or those of a comment.
fn tell(
    finder: &Finder,
    octets: &[u8],
    (span, token): (Range<usize>, Token<'_>),
    outlet: &mut Outlet<'_>,
) -> ControlFlow<()> {
    match token {
        Token::Url(url) => outlet.link(span, url, Context::Style),
        Token::Comment => {
            let steps = Steps::new(outlet.source, span.start, &octets[span]);
            text::find_in(finder, steps.text(), &mut outlet.of(&steps), Context::Text)
        }
    }
}

struct Sheet<'a> {
    finder: &'a Finder,
    scanner: Scanner,
    bases: &'a mut locator::BaseStack,
    sink: &'a mut dyn Sink,
}

impl Search for Sheet<'_> {
    fn search(&mut self, window: &Window) -> ControlFlow<(), usize> {
        let mut outlet = Outlet::new(window, self.bases, self.sink);
        let octets = window.octets();
        self.scanner.scan(octets, window.is_last(), &mut |span, token| {
            tell(self.finder, octets, (span, token), &mut outlet)
        })
    }

    fn let_go(&mut self, window: &Window) {
        self.sink.passed_over(&window.place(0..0), PassedOver::TooLong);
        self.scanner.let_go();
    }
}
