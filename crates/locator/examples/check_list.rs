//! Checks a list of references, one a line, and shows the error of each that is not valid.
//!
//!     printf 'http://example.com/\nhttp://a b/\n' |
//!         cargo run -p locator-uri --example check_list -- rfc1738
#![allow(clippy::print_stderr, reason = "a program for a terminal")]

use std::io::{self, BufRead};
use std::process::ExitCode;

use locator::edition::RFC3986;
use locator::{Edition, UriRef};

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let edition: &Edition = match std::env::args().nth(1) {
        Some(name) => name.parse()?,
        None => &RFC3986,
    };
    let mut status = ExitCode::SUCCESS;
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        if let Err(error) = UriRef::parse_with(&line, edition) {
            eprintln!("line {}: {error}\n{}", number + 1, error.report(&line));
            status = ExitCode::FAILURE;
        }
    }
    Ok(status)
}
