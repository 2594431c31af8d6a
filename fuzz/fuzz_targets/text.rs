//! Any bytes as a running text: no panic, every hit is in the text and after the previous one, and
//! a text in pieces has the same hits as the whole.
#![no_main]

#[path = "../../crates/locator/tests/it/text/laws.rs"]
mod laws;

use libfuzzer_sys::fuzz_target;
use locator::text::{Finder, Preset};

fuzz_target!(|input: ([u8; 3], u8, &[u8])| {
    let (lengths, preset, text) = input;
    let preset = [Preset::Strict, Preset::Default, Preset::Relaxed][usize::from(preset % 3)];
    let finder = Finder::new().preset(preset).domains(laws::is_domain).scheme("x").expect("a scheme");
    match core::str::from_utf8(text) {
        Ok(text) => laws::obeys(text, &finder),
        Err(_) => laws::hits_are_in_order(text, &finder),
    }
    laws::pieces_are_the_whole(text, &finder, lengths.map(usize::from));
});
