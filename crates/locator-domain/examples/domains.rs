//! Divides hosts by the Public Suffix List: reads one a line, prints its subdomain, registered domain and
//! public suffix, by ICANN rules and by all rules.
//!
//! ```console
//! $ echo www.anna.github.io | cargo run -q -p locator-domain --example domains | tr '\t' ' '
//! www.anna.github.io www.anna github.io io www anna.github.io github.io
//! ```
#![allow(clippy::print_stdout, reason = "a program")]

use std::io::{self, BufRead, Write};

use locator_domain::{Domain, Rules};

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let host = line?;
        write!(out, "{host}")?;
        for rules in [Rules::Icann, Rules::Private] {
            let domain = Domain::new(&host, rules);
            let subdomain = domain.and_then(|domain| domain.subdomain()).unwrap_or_default();
            let registered = domain.and_then(|domain| domain.registered()).unwrap_or_default();
            let suffix = domain.map(|domain| domain.public_suffix()).unwrap_or_default();
            write!(out, "\t{subdomain}\t{registered}\t{suffix}")?;
        }
        writeln!(out)?;
    }
    out.flush()
}
