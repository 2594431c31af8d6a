//! Laws of replies and objects, for octets that are likely to matter.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::run::pieces::{check_objects, check_replies};

/// Where the octets are cut, and the octets.
fn octets(words: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let cuts = vec(0_u8..8, 4);
    (cuts, vec(select(words), 0..24))
        .prop_map(|(cuts, words)| cuts.into_iter().chain(words.into_iter().flat_map(str::bytes)).collect())
}

const REPLIES: &[&str] =
    &["200", "220", "331", "1", "100", "550", " ", "-", "\r\n", "\n", "\r", "a", "HTTP/1.1 200 x", "HTTP/1."];

const OBJECTS: &[&str] =
    &[".", ".", "\r\n", "\n", "\r", "a", "+", "-", "1", "2", "+-1\r\n", "+-2\r\n", "+5\r\n", "--1\r\n", "\0"];

proptest! {
    #[test]
    fn replies_in_pieces(octets in octets(REPLIES)) {
        check_replies(&octets);
    }

    #[test]
    fn objects_in_pieces(octets in octets(OBJECTS)) {
        check_objects(&octets);
    }
}
