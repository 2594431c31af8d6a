//! Prints the links of pages.
//!
//!     cargo run -p locator-find --example pages -- http://example.com/dir/ page.html
//! Each page is treated as retrieved from its name under that URL.
//!
//! A line contains, separated by tabs: the page, the line and the column, the element and the
//! attribute (or another context), the URL, and its absolute form.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;

use locator::Resolved;
use locator_find::{Context, Document, Finder, Format, Link};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let around = arguments.next().ok_or("say which URL the pages are under")?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let finder = Finder::new();
    for page in arguments {
        let document = Document::new(Format::Html).retrieved_by(&format!("{around}{page}"));
        let mut result = Ok(());
        let mut print = |link: &Link<'_>| {
            result = print(&mut out, &page, link);
            match result {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        };
        finder.find_seekable(&document, &mut File::open(&page)?, &mut print)?;
        result?;
    }
    Ok(out.flush()?)
}

fn print(out: &mut impl Write, page: &str, link: &Link<'_>) -> std::io::Result<()> {
    let within = match link.context() {
        Context::Attribute { element, attribute } => format!("{element} {attribute}"),
        other => format!("{other:?}"),
    };
    let escaped = link.escaped();
    let target = escaped.as_deref().map_or_else(|| link.resolved(), |escaped| link.resolve(escaped));
    let target = target.ok().and_then(Resolved::into_uri);
    let target = target.as_ref().map_or("", |target| target.as_str());
    let place = link.place();
    writeln!(out, "{page}\t{}:{}\t{within}\t{}\t{target}", place.line, place.column, link.url())
}
