//! Every machine against a naive one: the same bitmaps for every octet, length and alignment.

use std::format;
use std::vec::Vec;

#[cfg(not(miri))]
use proptest::prelude::*;

use super::{BLOCK, Class, Kind, Long, Machine, Map, Short, Table, Work};
use crate::edition;

const CLASSES: [Class; 22] = [
    Class::Scheme,
    Class::Host,
    Class::Path,
    Class::Query,
    Class::Fragment,
    Class::Percent,
    Class::Dot,
    Class::Alphanumeric,
    Class::SchemeStart,
    Class::Userinfo,
    Class::Registry,
    Class::Opaque,
    Class::Label,
    Class::Letter,
    Class::Digit,
    Class::Hex,
    Class::EndOfScheme,
    Class::EndOfAuthority,
    Class::EndOfPath,
    Class::Colon,
    Class::At,
    Class::Plus,
];

/// What rows are divided by.
const SEPARATORS: [u8; 3] = [b'\n', 0, b'a'];

/// A bitmap, octet by octet.
fn naive(octets: &[u8], find: impl Fn(u8) -> bool) -> u64 {
    let bit = |(i, &octet): (usize, &u8)| u64::from(find(octet)) << i;
    octets.iter().take(BLOCK).enumerate().map(bit).fold(0, |all, bit| all | bit)
}

/// Every bitmap of a block.
struct Bitmaps<'a>(&'a [u8], &'a Table);

impl Work for Bitmaps<'_> {
    type Output = ([u64; 22], [u64; 3]);

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) -> Self::Output {
        let block = machine.load(self.0, self.1);
        let bitmaps = CLASSES.map(|class| machine.bitmap(block, self.1, class));
        (bitmaps, SEPARATORS.map(|octet| machine.equal(block, octet)))
    }
}

/// The answers of a map, long or short, from every place.
struct Answers<'a>(&'a [u8], &'a Table, Class);

impl Work for Answers<'_> {
    type Output = (Vec<(usize, usize)>, bool);

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) -> Self::Output {
        let Self(octets, table, class) = self;
        let answers = |map: &dyn Map| {
            let all = (0..=octets.len()).map(|from| (map.find(class, from), map.past(class, from)));
            (all.collect(), map.escapes_are_whole())
        };
        let long = answers(&Long::new(machine, octets, table));
        if octets.len() < BLOCK {
            assert_eq!(answers(&Short::new(machine, octets, table)), long);
        }
        long
    }
}

/// Does the work on every machine that is here.
fn on_each<W: Work>(work: impl Fn() -> W) -> impl Iterator<Item = (Kind, W::Output)> {
    Kind::ALL.into_iter().filter(|kind| kind.is_there()).map(move |kind| (kind, kind.run(work())))
}

fn assert_all_agree(octets: &[u8], table: &Table) {
    let bitmaps = CLASSES.map(|class| naive(octets, |octet| table.holds(class, octet)));
    let expected = (bitmaps, SEPARATORS.map(|separator| naive(octets, |octet| octet == separator)));
    for (kind, bitmaps) in on_each(|| Bitmaps(octets, table)) {
        assert_eq!(bitmaps, expected, "{kind:?} on {octets:?}");
    }
}

fn naive_answers(octets: &[u8], table: &Table, class: Class) -> (Vec<(usize, usize)>, bool) {
    let first = |from: usize, inside: bool| {
        (from..octets.len()).find(|&i| table.holds(class, octets[i]) == inside).unwrap_or(octets.len())
    };
    let is_hex = |i: usize| octets.get(i).is_some_and(u8::is_ascii_hexdigit);
    let whole = (0..octets.len()).all(|i| octets[i] != b'%' || is_hex(i + 1) && is_hex(i + 2));
    ((0..=octets.len()).map(|from| (first(from, true), first(from, false))).collect(), whole)
}

#[test]
fn every_octet_at_every_place_of_every_length() {
    // Miri is slow, and sees what it can see in one edition and a few octets.
    let (editions, octets) = if cfg!(miri) { (1, 101) } else { (edition::ALL.len(), 1) };
    for edition in &edition::ALL[..editions] {
        for octet in (0..=255).step_by(octets) {
            for len in [1, 3, 7, 15, 16, 17, 31, 32, 33, 48, 63, 64] {
                for place in [0, len / 2, len - 1] {
                    let mut octets = std::vec![b'/'; len];
                    octets[place] = octet;
                    assert_all_agree(&octets, &edition.table);
                }
            }
        }
    }
}

#[test]
fn every_alignment_and_length() {
    let text: Vec<u8> = (0..400u32).map(|i| (i * 37 % 251) as u8).collect();
    let (starts, lengths) = if cfg!(miri) { (63, 13) } else { (1, 1) };
    for start in (0..64).step_by(starts) {
        for len in (0..=200).step_by(lengths) {
            assert_all_agree(&text[start..start + len], &edition::DEFAULT.table);
        }
    }
}

#[test]
fn answers_across_blocks() {
    let (table, class) = (&edition::DEFAULT.table, Class::Path);
    for text in ["a%20/?b".repeat(20), "%".repeat(3), format!("{}%4", "a".repeat(62)), "/".repeat(130)] {
        let expected = naive_answers(text.as_bytes(), table, class);
        for (kind, answers) in on_each(|| Answers(text.as_bytes(), table, class)) {
            assert_eq!(answers, expected, "{kind:?}");
        }
    }
}

#[cfg(all(not(miri), target_os = "linux"))]
mod page {
    use super::*;

    /// The text ends where the memory ends: reading an octet more would end the process.
    #[test]
    fn nothing_behind_the_text_is_touched() {
        let page = region::page::size();
        let mut memory = region::alloc(2 * page, region::Protection::READ_WRITE).unwrap();
        let start = memory.as_mut_ptr::<u8>();
        // SAFETY: the two pages were just allocated, and the second one is not touched from here on.
        let text = unsafe {
            region::protect(start.add(page), page, region::Protection::NONE).unwrap();
            core::slice::from_raw_parts_mut(start, page)
        };
        text.fill(b'a');
        for len in 0..=200 {
            let octets = &text[page - len..];
            assert_all_agree(octets, &edition::DEFAULT.table);
            for (kind, answers) in on_each(|| Answers(octets, &edition::DEFAULT.table, Class::Path)) {
                assert_eq!(answers, naive_answers(octets, &edition::DEFAULT.table, Class::Path), "{kind:?}");
            }
        }
    }
}

#[cfg(not(miri))]
proptest! {
    #[test]
    fn any_octets_give_the_same_bitmaps(octets in prop::collection::vec(any::<u8>(), 0..=200)) {
        for edition in edition::ALL {
            assert_all_agree(&octets, &edition.table);
        }
    }

    #[test]
    fn any_text_gives_the_same_answers(text in "[a%0/:.é]{0,200}", class in 0..CLASSES.len()) {
        let (table, class) = (&edition::DEFAULT.table, CLASSES[class]);
        let expected = naive_answers(text.as_bytes(), table, class);
        for (kind, answers) in on_each(|| Answers(text.as_bytes(), table, class)) {
            prop_assert_eq!(&answers, &expected, "{:?}", kind);
        }
    }
}
