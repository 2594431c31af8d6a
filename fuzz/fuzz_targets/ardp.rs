//! Any octets as datagrams of a server of ARDP: the answer consists of its packets in the order of their numbers, and
//! packets of other connections change nothing.
#![no_main]

#[path = "../../crates/locator-fetch/tests/it/ardp/datagrams.rs"]
mod datagrams;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|octets: &[u8]| datagrams::check(octets));
