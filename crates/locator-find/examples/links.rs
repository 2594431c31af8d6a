//! Prints the links of documents, one per line, with tabs between the fields. The fields are: the
//! number of the file, the octets of the link, line, column, URL, absolute URL, and the start and
//! end of the message part it refers to. `-` marks a missing value.
//!
//!     cargo run -p locator-find --example links -- mail a.eml b.eml
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::fs::File;
use std::ops::ControlFlow;

use locator_find::{Document, Finder, Format, Link, Location};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let format =
        arguments.next().and_then(|name| Format::from_name(&name)).ok_or("the first argument is a format")?;
    for (number, path) in arguments.enumerate() {
        Finder::new().find(&Document::new(format), &mut File::open(path)?, &mut |link: &Link<'_>| {
            let Location { span, line, column } = link.place();
            let absolute = link.resolved().ok().and_then(|resolved| resolved.into_uri());
            let absolute = absolute.map_or_else(|| "-".into(), |uri| uri.into_string());
            let part = link.part().map_or_else(|| "-".into(), |part| format!("{:?}", part.span));
            println!("{number}\t{span:?}\t{line}\t{column}\t{}\t{absolute}\t{part}", link.url());
            ControlFlow::Continue(())
        })?;
    }
    Ok(())
}
