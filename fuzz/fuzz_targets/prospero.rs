//! Any octets as an answer of Prospero: it is the same in whatever packets it comes, and each entry of a directory has
//! URLs that can be read, or a reason.
#![no_main]

#[path = "../../crates/locator-fetch/tests/it/prospero/octets.rs"]
mod octets;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|octets: &[u8]| octets::check(octets));
