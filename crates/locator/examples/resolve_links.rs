//! Resolves the links of a page, one a line, against the page's URI.
//!
//!     printf '../a\n?q\n//b/c\n' |
//!         cargo run -p locator-uri --example resolve_links -- http://example.com/x/y
#![allow(clippy::print_stdout, reason = "a program for a terminal")]

use std::io::{self, BufRead};

use locator::{Base, UriBuf, UriRefBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let page: UriBuf = std::env::args().nth(1).ok_or("give the URI of the page")?.try_into()?;
    let base = Base::new(&page)?;
    for line in io::stdin().lock().lines() {
        let link: UriRefBuf = line?.try_into()?;
        match base.resolve(&link)?.uri() {
            Some(target) => println!("{target}"),
            None => println!("{page} (this document)"),
        }
    }
    Ok(())
}
