//! Any bytes as Markdown, MDX, components and notebooks: no panic, and every link has the position that it reports.
#![no_main]

#[path = "../../crates/locator-find/tests/it/laws/position.rs"]
mod position;

use libfuzzer_sys::fuzz_target;
use locator_find::Format;

/// The formats that are Markdown, have some, or have the tags of MDX.
const FORMATS: [Format; 6] =
    [Format::Markdown, Format::Mdx, Format::Vue, Format::Svelte, Format::Astro, Format::Jupyter];

fuzz_target!(|octets: &[u8]| {
    for format in FORMATS {
        position::check(format, octets);
    }
});
