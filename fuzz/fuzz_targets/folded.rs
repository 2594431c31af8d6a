//! iCalendar, vCard and LDIF from any octets: nothing panics, every link is where it says, and the links are the same if the octets come in pieces.
#![no_main]

#[path = "../../crates/locator-find/tests/laws/stands.rs"]
mod stands;

use libfuzzer_sys::fuzz_target;
use locator_find::Format;

fuzz_target!(|octets: &[u8]| {
    for format in [Format::ICalendar, Format::VCard, Format::Ldif] {
        stands::check(format, octets);
        stands::check_pieces(format, octets);
    }
});
