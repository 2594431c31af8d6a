//! Writes what a URL identifies to standard output: `cargo run --example fetch gopher://…`.

use std::error::Error;
use std::io::Write;

use locator::UriRef;
use locator_fetch::blocking::Fetcher;

fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().nth(1).ok_or("usage: fetch URL")?;
    let mut fetched = Fetcher::for_user_input().fetch(UriRef::parse(&url)?)?;
    let mut output = std::io::stdout().lock();
    while let Some(octets) = fetched.body.chunk()? {
        output.write_all(&octets)?;
    }
    Ok(())
}
