//! Writes what a URL identifies to standard output: `cargo run --example fetch gopher://…`.

use std::error::Error;

use locator_fetch::blocking::Fetcher;

fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().nth(1).ok_or("usage: fetch URL")?;
    Fetcher::for_user_input().fetch(url)?.copy_to(&mut std::io::stdout())?;
    Ok(())
}
