//! Markdown, whatever stands in it: nothing panics, and every link stands where it says.
#![no_main]

mod documents;

use libfuzzer_sys::fuzz_target;
use locator_find::Format;

fuzz_target!(|octets: &[u8]| documents::check(Format::Markdown, octets));
