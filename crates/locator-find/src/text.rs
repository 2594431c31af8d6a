//! Running text: octets enter, what the library's own finder sees in them leaves.

use std::io::{self, Read};
use std::ops::ControlFlow;

use locator::BaseStack;
use locator::text::How;

use crate::document::Document;
use crate::finder::Finder;
use crate::link::{Context, Sink};
use crate::outlet::Outlet;
use crate::source::Octets;

pub(crate) fn find(
    finder: &Finder,
    document: &Document,
    source: &mut dyn Read,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let mut text = Vec::new();
    source.read_to_end(&mut text)?;
    let mut outlet = Outlet { source: &Octets::new(&text), bases: &mut bases_of(document), sink };
    let _ = find_in(finder, &text, &mut outlet, Context::Text);
    Ok(())
}

/// Finds the URLs of running text that is part of a document, which says what they are there.
pub(crate) fn find_in<'c>(
    finder: &Finder,
    text: &[u8],
    outlet: &mut Outlet<'_>,
    context: impl Fn(How) -> Context<'c>,
) -> ControlFlow<()> {
    for hit in finder.text.find(text) {
        outlet.link(hit.span(), &String::from_utf8_lossy(hit.as_bytes()), context(hit.how()))?;
    }
    ControlFlow::Continue(())
}

/// What is around a document.
pub(crate) fn bases_of(document: &Document) -> BaseStack {
    document.bases()
}
