//! Any bytes as reStructuredText, AsciiDoc and Org: no panic, and every link has the position that it reports.
#![no_main]

#[path = "../../crates/locator-find/tests/it/laws/position.rs"]
mod position;

use libfuzzer_sys::fuzz_target;
use locator_find::Format;

fuzz_target!(|octets: &[u8]| {
    for format in [Format::Rst, Format::AsciiDoc, Format::Org] {
        position::check(format, octets);
    }
});
