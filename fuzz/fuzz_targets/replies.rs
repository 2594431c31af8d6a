//! Any octets as replies of each framing (a line, lines, a head): in whatever pieces they come, the run is the same.
#![no_main]

#[allow(dead_code)]
#[path = "../../crates/locator-fetch/tests/it/run/pieces.rs"]
mod pieces;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|octets: &[u8]| pieces::check_replies(octets));
