//! Any octets as objects of each framing (to the end of the connection, with and without a last "."; to a line ".", with
//! dots that are added or not; Gopher+): in whatever pieces they come, the run is the same.
#![no_main]

#[allow(dead_code)]
#[path = "../../crates/locator-fetch/tests/it/run/pieces.rs"]
mod pieces;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|octets: &[u8]| pieces::check_objects(octets));
