//! Copies texts, each ended by a NUL, and writes each URL in them between two "|". The first
//! argument is the preset; the others are the suffixes of domain names that are found without a
//! scheme.
//!
//!     printf 'see example.com.\0' |
//!         cargo run -p locator-uri --features text --example marked -- relaxed com org

use std::io::{self, Read, Write};

use locator::text::{Finder, Preset};

fn main() -> io::Result<()> {
    let preset = match std::env::args().nth(1).as_deref() {
        Some("strict") => Preset::Strict,
        Some("relaxed") => Preset::Relaxed,
        _ => Preset::Default,
    };
    let finder = Finder::new().preset(preset).domains(is_domain);
    let mut texts = Vec::new();
    io::stdin().lock().read_to_end(&mut texts)?;
    let mut out = io::stdout().lock();
    for text in texts.split_inclusive(|octet| *octet == 0) {
        let mut from = 0;
        for hit in finder.find_iter(text) {
            let span = hit.span();
            out.write_all(&[&text[from..span.start], b"|", hit.as_bytes(), b"|"].concat())?;
            from = span.end;
        }
        out.write_all(&text[from..])?;
    }
    Ok(())
}

/// Whether a name ends in one of the arguments after the first.
fn is_domain(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default().to_lowercase();
    std::env::args().skip(2).any(|suffix| suffix == last)
}
