//! Searches a document that is designed to take long and prints the number of its links. Without
//! arguments it lists the documents, one per line; with `formats` the formats.
//!
//!     cargo run -p locator-find --example hostile -- html 12 65536
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::ops::ControlFlow;

use locator_find::{Document, Finder, Format, Link};

#[path = "../tests/it/hostile/pieces.rs"]
mod pieces;

use pieces::{PARTS, PIECES, document};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let all: Vec<_> = PIECES.iter().map(|piece| ("", *piece)).chain(PARTS.iter().copied()).collect();
    let [format, number, length] = &arguments[..] else {
        match arguments.is_empty() {
            true => all.iter().for_each(|made| println!("{made:?}")),
            false => Format::ALL.iter().for_each(|format| println!("{}", format.name())),
        }
        return Ok(());
    };
    let format = Format::from_name(format).ok_or("the first argument is a format")?;
    let (before, piece) = *all.get(number.parse::<usize>()?).ok_or("there are not so many")?;
    let text = document(before, piece, length.parse()?);
    let mut count = 0;
    Finder::new().json_ld(true).find(&Document::new(format), &mut text.as_bytes(), &mut |_: &Link<'_>| {
        count += 1;
        ControlFlow::Continue(())
    })?;
    println!("{count}");
    Ok(())
}
