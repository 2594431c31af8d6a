//! Prints the findings of a text on standard input, those of the severity `info` too.
//!
//!     printf http://127.1/ | cargo run -p locator-audit --example audit

#![allow(clippy::print_stdout, reason = "a program for a terminal")]

use std::io::Read;

use locator_audit::{Auditor, Severity};

fn main() -> std::io::Result<()> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    for finding in Auditor::new().least(Severity::Info).audit(&text) {
        let span = finding.span();
        println!("{} {} {}..{}", finding.code().name(), finding.severity(), span.start, span.end);
    }
    Ok(())
}
