//! Any bytes as a JSON document: no panic, and every link has the position that it reports. Input
//! in pieces has the same links.
#![no_main]

#[path = "../../crates/locator-find/tests/it/laws/position.rs"]
mod position;

use libfuzzer_sys::fuzz_target;
use locator_find::Format;

fuzz_target!(|octets: &[u8]| {
    position::check(Format::Json, octets);
    position::check_pieces(Format::Json, octets);
});
