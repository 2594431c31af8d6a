//! Any bytes as a document of the format that the first byte names: a rewritten document has exactly the new links, and
//! every other byte as it was.
#![no_main]

#[path = "../../crates/locator-find/tests/it/laws/rewritten.rs"]
mod rewritten;

use libfuzzer_sys::fuzz_target;
use locator_find::Format;

fuzz_target!(|octets: &[u8]| {
    if let Some((first, octets)) = octets.split_first() {
        rewritten::check(Format::ALL[usize::from(*first) % Format::ALL.len()], octets);
    }
});
