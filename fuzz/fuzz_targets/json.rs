//! A document of JSON from any octets: nothing panics, every link is where it says, and the links are the same if the octets come in pieces.
#![no_main]

#[path = "../../crates/locator-find/tests/laws/stands.rs"]
mod stands;

use libfuzzer_sys::fuzz_target;
use locator_find::Format;

fuzz_target!(|octets: &[u8]| {
    stands::check(Format::Json, octets);
    stands::check_pieces(Format::Json, octets);
});
