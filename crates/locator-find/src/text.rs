//! Running text: octets enter, what the library's own finder sees in them leaves.

use std::borrow::Cow;
use std::io::{self, Read};

use locator::BaseStack;

use crate::document::Document;
use crate::finder::Finder;
use crate::link::{Context, Link, Place, Sink};

pub(crate) fn find(
    finder: &Finder,
    document: &Document,
    source: &mut dyn Read,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let mut text = Vec::new();
    source.read_to_end(&mut text)?;
    let base = bases_of(document);
    for hit in finder.text.find(&text) {
        let span = hit.span();
        let before = &text[..span.start];
        let line_start = before.iter().rposition(|octet| *octet == b'\n').map_or(0, |at| at + 1);
        let place = Place {
            line: before.iter().filter(|octet| **octet == b'\n').count() as u64 + 1,
            column: (span.start - line_start) as u64 + 1,
            span: span.start as u64..span.end as u64,
        };
        let (written, url) = (Cow::Borrowed(hit.as_bytes()), String::from_utf8_lossy(hit.as_bytes()));
        let link = Link { written, url, other: None, place, context: Context::Text(hit.how()), base: &base };
        if sink.link(&link).is_break() {
            break;
        }
    }
    Ok(())
}

fn bases_of(document: &Document) -> BaseStack {
    // INVARIANT: RFC 3986 says how references are resolved.
    let mut bases =
        BaseStack::new(&locator::edition::RFC3986).unwrap_or_else(|error| unreachable!("{error}"));
    if let Some(url) = document.retrieved() {
        bases.retrieved_by(url);
    }
    bases
}
