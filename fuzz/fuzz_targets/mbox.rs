//! A mailbox, whatever stands in it: nothing panics, and every link stands where it says.
#![no_main]

#[path = "../../crates/locator-find/tests/laws/stands.rs"]
mod stands;

use libfuzzer_sys::fuzz_target;
use locator_find::Format;

fuzz_target!(|octets: &[u8]| stands::check(Format::Mbox, octets));
