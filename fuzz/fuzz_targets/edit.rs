//! Any edits of any reference, in every edition. A refused edit changes nothing. A successful edit
//! leaves the other components as they were, and the result parses into the components it was made
//! of.
#![no_main]

#[path = "../../crates/locator/tests/it/edit/laws.rs"]
mod laws;

use laws::{Change, obeys};
use libfuzzer_sys::fuzz_target;
use locator::{UriRef, edition};

fuzz_target!(|input: (Vec<(u8, bool, &str, &str)>, &str)| {
    let (changes, text) = input;
    let change = |&(kind, raw, value, other)| Change { kind, raw, value, other };
    let changes: Vec<_> = changes.iter().take(8).map(change).collect();
    for edition in edition::ALL {
        if let Ok(reference) = UriRef::parse_const_with(text, edition) {
            obeys(reference, &changes);
        }
    }
});
