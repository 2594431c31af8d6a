//! Style sheets: octets enter, the URLs that would be fetched leave. Follows CSS Syntax Module Level 3, and which functions and rules have
//! URLs: CSS Values and Units Level 4 and 5, CSS Cascading Level 5 (`@import`), CSS Images Level 4 (`image-set()`).
//!
//! The names of `@namespace` are fetched by nobody and are no links. Whether a rule stands where it may is not asked.

mod scan;

use std::io::{self, Read};
use std::ops::ControlFlow;

use crate::document::Document;
use crate::link::{Context, Sink};
use crate::outlet::Outlet;
use crate::window::{Search, Window};

pub(crate) use scan::Scanner;

/// Finds the links of a style sheet.
pub(crate) fn find(document: &Document, source: &mut dyn Read, sink: &mut dyn Sink) -> io::Result<()> {
    let mut search = Sheet { scanner: Scanner::default(), bases: &mut document.bases(), sink };
    Window::new().run(source, &mut search)
}

/// Finds the links of a style sheet in a text.
pub(crate) fn find_in(text: &[u8], outlet: &mut Outlet<'_>) -> ControlFlow<()> {
    let found = Scanner::default().scan(text, true, &mut |span, url| outlet.link(span, url, Context::Style));
    found.map_continue(|_| ())
}

struct Sheet<'a> {
    scanner: Scanner,
    bases: &'a mut locator::BaseStack,
    sink: &'a mut dyn Sink,
}

impl Search for Sheet<'_> {
    fn search(&mut self, window: &Window) -> ControlFlow<(), usize> {
        let mut outlet = Outlet::new(window, self.bases, self.sink);
        self.scanner
            .scan(window.octets(), window.is_last(), &mut |span, url| outlet.link(span, url, Context::Style))
    }

    fn let_go(&mut self) {
        self.scanner.let_go();
    }
}
