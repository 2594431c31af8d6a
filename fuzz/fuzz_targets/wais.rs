//! Any octets as answers of a server of WAIS: in whatever pieces they come, the run is the same, and each hit has a URL
//! that can be read, or a reason.
#![no_main]

#[allow(dead_code)]
#[path = "../../crates/locator-fetch/tests/it/wais/pieces.rs"]
mod pieces;
#[allow(dead_code)]
#[path = "../../crates/locator-fetch/tests/it/wais/talk.rs"]
mod talk;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|octets: &[u8]| pieces::check(octets));
