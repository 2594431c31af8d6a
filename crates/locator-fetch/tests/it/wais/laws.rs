//! The law of `pieces`, for octets that are likely to matter.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::wais::packets::{accepted, diagnostic, field, found, hit, slice};
use crate::wais::pieces::check;

fn part() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(accepted(100_000)),
        Just(found(None, &hit(b"id", b"apple"))),
        Just(found(Some("1"), &slice(b"hello"))),
        Just(found(Some("2"), &diagnostic("SF", "x"))),
        Just(hit(b"\x03\x01a", b"a")),
        Just(field(99, &hit(b"\x03\x01a", b"a"))),
        Just(diagnostic("S1", "")),
        Just(b"0000000012z2wais        0".to_vec()),
        Just(vec![0x80; 20]),
        vec(any::<u8>(), 0..6),
    ]
}

proptest! {
    #[test]
    fn answers_in_pieces(how in 0_u8..12, piece: u8, parts in vec(part(), 0..5)) {
        check(&[&[how, piece], &parts.concat()[..]].concat());
    }
}
