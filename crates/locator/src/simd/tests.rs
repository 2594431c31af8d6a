//! Compares every backend with a naive one: the same bitmaps for every octet, length and alignment.

use std::format;
use std::string::String;
use std::vec::Vec;

#[cfg(not(miri))]
use proptest::prelude::*;

use super::eight::OctetByOctet;
use super::map::{BrokenEscape, First};
use super::{
    BLOCK, Backend, Bitmaps, Blocks, Class, ClassSearch, Codes, GROUPS, RowKernel, ShortText, SimdBackend,
    Table, U64x8, Walk, WithBackend,
};
use crate::edition;

const CLASSES: [Class; Class::COUNT] = Class::ALL;

/// The separators of rows.
const SEPARATORS: [u8; 3] = [b'\n', 0, b'a'];

/// Returns a bitmap, octet by octet.
fn naive(octets: &[u8], find: impl Fn(u8) -> bool) -> u64 {
    let bit = |(i, &octet): (usize, &u8)| u64::from(find(octet)) << i;
    octets.iter().take(BLOCK).enumerate().map(bit).fold(0, |all, bit| all | bit)
}

/// The operation that returns every bitmap of a block.
struct EachBitmap<'a>(&'a [u8], &'a Table);

impl WithBackend for EachBitmap<'_> {
    type Output = ([u64; Class::COUNT], [u64; 3]);

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> Self::Output {
        let block = backend.load(self.0, self.1);
        let bitmaps = CLASSES.map(|class| backend.bitmap(&block, self.1, class));
        (bitmaps, SEPARATORS.map(|octet| backend.equal(&block, octet)))
    }
}

/// The operation that returns the results of the searches from every position.
struct Answers<'a>(&'a [u8], &'a Table, Class);

impl WithBackend for Answers<'_> {
    type Output = (Vec<(usize, usize)>, bool);

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> Self::Output {
        let Self(octets, table, class) = self;
        let answers = |map: &dyn ClassSearch| {
            let all = (0..=octets.len()).map(|from| (map.find_in(class, from), map.find_not_in(class, from)));
            all.collect::<Vec<_>>()
        };
        let broken = BrokenEscape { octets, table, from: 0 }.run(backend);
        let first = |from, inside| First { octets, table, class, from, inside }.run(backend);
        let called = (0..=octets.len()).map(|from| (first(from, true), first(from, false)));
        let (long, whole) = (called.collect::<Vec<_>>(), broken == octets.len());
        if octets.len() < BLOCK {
            let block = backend.load(octets, table);
            let short = ShortText::of_block(backend, block, table, octets.len());
            assert_eq!((answers(&short), short.escapes_are_whole()), (long.clone(), whole));
        }
        // On the selected backend.
        let mut bitmaps = Bitmaps::new(octets, table, GROUPS);
        if bitmaps.fill() {
            assert_eq!(answers(&&bitmaps), long);
            assert_eq!(bitmaps.broken_escape(0).min(octets.len()), broken);
        }
        (long, whole)
    }
}

/// The operation that searches for the first octet that is not of the class, from increasing
/// positions, and checks the escapes.
struct Walked<'a>(&'a [u8], &'a Table, &'a [Class]);

impl WithBackend for Walked<'_> {
    type Output = (Vec<usize>, bool);

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> Self::Output {
        let Self(octets, table, classes) = self;
        let mut walk = Blocks::new(backend, octets, table, backend.load(octets, table));
        let mut from = 0;
        let mut past = |&class: &Class| {
            from = walk.find_not_in(class, from);
            from
        };
        let places = classes.iter().map(&mut past).collect();
        past(&Class::PATH);
        (places, walk.escapes_are_whole())
    }
}

/// The operation that returns the positions of the bits of a bitmap.
struct Places(u64, u32);

impl WithBackend for Places {
    type Output = Vec<u32>;

    const USES_VBMI: bool = true;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> Self::Output {
        let mut places = [0; BLOCK];
        backend.write_places(self.0, self.1, &mut places);
        places[..self.0.count_ones() as usize].to_vec()
    }
}

/// The operation that appends a text to another, with this capacity.
struct Pushed<'a>(&'a str, &'a str, usize);

impl WithBackend for Pushed<'_> {
    type Output = String;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> String {
        let Self(before, text, capacity) = self;
        let mut out = String::with_capacity(capacity);
        out.push_str(before);
        backend.push(&mut out, text);
        out
    }
}

/// Returns all 64 bits of eight numbers.
fn wide<E: U64x8>(backend: impl RowKernel<Eight = E>, eight: E) -> [u64; 8] {
    let (high, low) = (eight.down(backend.all(32)).numbers(), eight.numbers());
    core::array::from_fn(|i| u64::from(high[i]) << 32 | u64::from(low[i]))
}

fn wide_codes<E: U64x8>(backend: impl RowKernel<Eight = E>, codes: Codes<E>) -> [[u64; 8]; 8] {
    codes.0.map(|bitmaps| wide(backend, bitmaps))
}

/// The operation that returns the codes of eight blocks.
struct Coded<'a>(&'a [u8], &'a [u32; 8], &'a Table);

impl WithBackend for Coded<'_> {
    type Output = [[u64; 8]; 8];

    const USES_VBMI: bool = true;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> Self::Output {
        let eights = backend.eights();
        wide_codes(eights, eights.code(self.0, self.1, self.2))
    }
}

fn assert_codes_agree(buffer: &[u8], starts: &[u32; 8], table: &Table) {
    let expected = wide_codes(OctetByOctet, OctetByOctet.code(buffer, starts, table));
    for (kind, codes) in on_each(|| Coded(buffer, starts, table)) {
        assert_eq!(codes, expected, "{kind:?} on {buffer:?} at {starts:?}");
    }
}

/// All operations on eight numbers, on two times eight of 32 bits and a bitmap.
struct Sums([u32; 8], [u32; 8], u8);

/// The results: numbers and bits.
fn sums<M: RowKernel>(backend: M, one: &[u32; 8], other: &[u32; 8], which: u8) -> (Vec<[u64; 8]>, Vec<u8>) {
    let (one, other) = (backend.eight(one), backend.eight(other));
    let wide_one = one | one.up(backend.all(32));
    let places = other & backend.all(127);
    let numbers = [
        one & other,
        one | other,
        !one,
        one.plus(other),
        wide_one.up(places),
        wide_one.down(places),
        places.before(),
        one.leading_zeros(),
        wide_one.past(places),
        one.or_where(which, other),
    ];
    let bits = [one.equals(other), one.is_less(other), wide_one.highest(), wide_one.at(places)];
    (numbers.map(|eight| wide(backend, eight)).to_vec(), bits.to_vec())
}

impl WithBackend for Sums {
    type Output = (Vec<[u64; 8]>, Vec<u8>);

    const USES_VBMI: bool = true;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> Self::Output {
        sums(backend.eights(), &self.0, &self.1, self.2)
    }
}

/// Runs the operation on every available backend.
fn on_each<W: WithBackend>(work: impl Fn() -> W) -> impl Iterator<Item = (SimdBackend, W::Output)> {
    SimdBackend::ALL.into_iter().filter(|kind| kind.is_available()).map(move |kind| (kind, kind.run(work())))
}

fn assert_all_agree(octets: &[u8], table: &Table) {
    let bitmaps = CLASSES.map(|class| naive(octets, |octet| table.contains(class, octet)));
    let expected = (bitmaps, SEPARATORS.map(|separator| naive(octets, |octet| octet == separator)));
    for (kind, bitmaps) in on_each(|| EachBitmap(octets, table)) {
        let (len, start) = (octets.len(), &octets[..octets.len().min(2 * BLOCK)]);
        assert_eq!(bitmaps, expected, "{kind:?} on {len} octets that begin with {start:?}");
    }
}

fn naive_answers(octets: &[u8], table: &Table, class: Class) -> (Vec<(usize, usize)>, bool) {
    let first = |from: usize, inside: bool| {
        (from..octets.len()).find(|&i| table.contains(class, octets[i]) == inside).unwrap_or(octets.len())
    };
    let is_hex = |i: usize| octets.get(i).is_some_and(u8::is_ascii_hexdigit);
    let whole = (0..octets.len()).all(|i| octets[i] != b'%' || is_hex(i + 1) && is_hex(i + 2));
    ((0..=octets.len()).map(|from| (first(from, true), first(from, false))).collect(), whole)
}

#[test]
fn every_class_has_the_bit_of_its_number() {
    assert!(CLASSES.iter().enumerate().all(|(i, class)| class.number() == i));
}

#[test]
fn every_octet_at_every_place_of_every_length() {
    // Miri is slow; one edition and a few octets are sufficient for it.
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
fn codes_of_every_octet_and_start() {
    let text: Vec<u8> = (0..700u32).map(|i| (i * 37 % 251 + i / 251) as u8).collect();
    let (editions, starts) = if cfg!(miri) { (1, 211) } else { (edition::ALL.len(), 7) };
    for edition in &edition::ALL[..editions] {
        for start in (0..=700).step_by(starts) {
            // The first and the last of them within the text, up to its end and far after it.
            let starts = core::array::from_fn(|i| start + 64 * i as u32);
            assert_codes_agree(&text, &starts, &edition.table);
            assert_codes_agree(&text, &[start; 8], &edition.table);
        }
    }
}

#[test]
fn places_of_bits() {
    for bitmap in [0, 1, 1 << 63, u64::MAX, 0x8000_0000_0001_0001, 0x5555_5555_5555_5555, u64::MAX >> 47] {
        let expected: Vec<u32> = (0..64).filter(|i| bitmap >> i & 1 == 1).map(|i| i + 7).collect();
        for (kind, places) in on_each(|| Places(bitmap, 7)) {
            assert_eq!(places, expected, "{kind:?}");
        }
    }
}

#[test]
fn texts_after_others() {
    let (before, text) = ("http://a/é/", "é/aü.b?".repeat(22));
    let ends = (0..=text.len()).filter(|&end| text.is_char_boundary(end));
    for end in ends.step_by(if cfg!(miri) { 17 } else { 1 }) {
        let expected = [before, &text[..end]].concat();
        for capacity in [0, before.len() + 1, expected.len(), expected.len() + 100] {
            for (kind, pushed) in on_each(|| Pushed(before, &text[..end], capacity)) {
                assert_eq!(pushed, expected, "{kind:?}");
            }
        }
    }
}

#[test]
fn walks_across_blocks() {
    let table = &edition::DEFAULT.table;
    let texts = ["a%20/".repeat(40), "a".repeat(63) + "%4", "a".repeat(62) + "%41", "a".repeat(64)];
    let cut = ["a".repeat(63) + "%", "a".repeat(62) + "%4g", "%".repeat(200), String::new(), "a".repeat(128)];
    for text in texts.iter().chain(&cut) {
        for text in [text.clone(), std::format!("{text}?{text}#{text}")] {
            let octets = text.as_bytes();
            let whole = naive_answers(octets, table, Class::PATH).1;
            let classes = [Class::PATH, Class::QUERY, Class::FRAGMENT];
            let mut from = 0;
            let past = classes.map(|class| {
                from =
                    (from..octets.len()).find(|&i| !table.contains(class, octets[i])).unwrap_or(octets.len());
                from
            });
            for (kind, (places, is_whole)) in on_each(|| Walked(octets, table, &classes)) {
                assert_eq!(places, past, "{kind:?} on {text}");
                // The text after the end of the walk is not checked.
                assert!(from < octets.len() || is_whole == whole, "{kind:?} on {text}");
            }
        }
    }
}

#[test]
fn answers_across_blocks() {
    let (table, class) = (&edition::DEFAULT.table, Class::PATH);
    for text in ["a%20/?b".repeat(20), "%".repeat(3), format!("{}%4", "a".repeat(62)), "/".repeat(130)] {
        let expected = naive_answers(text.as_bytes(), table, class);
        for (kind, answers) in on_each(|| Answers(text.as_bytes(), table, class)) {
            assert_eq!(answers, expected, "{kind:?}");
        }
    }
}

#[cfg(all(feature = "bulk", not(miri), target_os = "linux"))]
mod page {
    use super::*;
    use crate::bulk::{Batch, Separator};
    use crate::reference::UriRef;
    use crate::span::ComponentSpans;

    /// Runs a test on a page of "a" at the end of the mapped memory: reading one more octet would
    /// end the process.
    fn before_the_end(test: impl FnOnce(&mut [u8])) {
        let page = region::page::size();
        let mut memory = region::alloc(2 * page, region::Protection::READ_WRITE).unwrap();
        let start = memory.as_mut_ptr::<u8>();
        // SAFETY: the two pages were just allocated, and the second one is not touched from here
        // on.
        let text = unsafe {
            region::protect(start.add(page), page, region::Protection::NONE).unwrap();
            core::slice::from_raw_parts_mut(start, page)
        };
        text.fill(b'a');
        test(text);
    }

    #[test]
    fn nothing_after_the_text_is_read() {
        let table = &edition::DEFAULT.table;
        before_the_end(|text| {
            for len in 0..=200 {
                let octets = &text[text.len() - len..];
                assert_all_agree(octets, table);
                for (kind, answers) in on_each(|| Answers(octets, table, Class::PATH)) {
                    assert_eq!(answers, naive_answers(octets, table, Class::PATH), "{kind:?}");
                }
                let starts = core::array::from_fn(|i| (len as u32).saturating_sub(9 * i as u32));
                assert_codes_agree(octets, &starts, table);
            }
        });
    }

    /// More than 4 GiB of memory, of which only the first and the last page are writable; the rest
    /// maps one page of zeros everywhere.
    #[cfg(target_pointer_width = "64")]
    fn beyond_32_bits(test: impl FnOnce(&mut [u8])) {
        use region::Protection;
        let page = region::page::size();
        let mut memory = region::alloc((1 << 32) + 2 * page, Protection::READ).unwrap();
        let (start, len) = (memory.as_mut_ptr::<u8>(), memory.len());
        // SAFETY: all of it was just allocated and is readable; the pages written to are made
        // writable here.
        let octets = unsafe {
            region::protect(start, page, Protection::READ_WRITE).unwrap();
            region::protect(start.add(len - 2 * page), 2 * page, Protection::READ_WRITE).unwrap();
            core::slice::from_raw_parts_mut(start, len)
        };
        test(octets);
    }

    /// Tests a text whose length has more than 32 bits; its low 32 bits may be any number.
    #[cfg(target_pointer_width = "64")]
    #[test]
    fn texts_beyond_32_bits_are_seen_whole() {
        let table = &edition::DEFAULT.table;
        beyond_32_bits(|octets| {
            let text = b"http://a%20b/%zz?\x7F\xE9".repeat(8);
            octets[..text.len()].copy_from_slice(&text);
            for low in [0, 1, 15, 16, 31, 32, 33, 63, 64, 65, 200] {
                assert_all_agree(&octets[..(1 << 32) + low], table);
                let text = &octets[..(1 << 32) + low];
                for (kind, whole) in on_each(|| AreWhole(text, table)) {
                    assert!(!whole, "{kind:?}");
                }
            }
            octets[..text.len()].fill(0);
            let (len, bound) = (octets.len(), 1 << 32);
            octets[len - text.len()..].copy_from_slice(&text);
            octets[bound] = b'%';
            for (kind, found) in on_each(|| FindBeyond(octets, table, bound - 100)) {
                assert_eq!(found, (bound, len - text.len() + 8), "{kind:?}");
            }
        });
    }

    /// The operation that checks whether each escape of a long text is complete.
    struct AreWhole<'a>(&'a [u8], &'a Table);

    impl WithBackend for AreWhole<'_> {
        type Output = bool;

        #[inline(always)]
        fn run<M: Backend>(self, backend: M) -> bool {
            BrokenEscape { octets: self.0, table: self.1, from: 0 }.run(backend) == self.0.len()
        }
    }

    /// The operation that returns the positions of the next two "%" from a position on.
    struct FindBeyond<'a>(&'a [u8], &'a Table, usize);

    impl WithBackend for FindBeyond<'_> {
        type Output = (usize, usize);

        #[inline(always)]
        fn run<M: Backend>(self, backend: M) -> (usize, usize) {
            let Self(octets, table, from) = self;
            let find = |from| First { octets, table, class: Class::PERCENT, from, inside: true }.run(backend);
            let first = find(from);
            (first, find(first + 1))
        }
    }

    /// Tests that rows near the end of the buffer are parsed like rows elsewhere.
    #[test]
    fn nothing_after_the_rows_is_read() {
        let row =
            "http://www.example.org/a%20/b?c=d%41/\nhttp://h/\n\nfile:///a/very/long/path/of/two/blocks/";
        let rows = row.repeat(9);
        let in_use = SimdBackend::current();
        before_the_end(|memory| {
            for kind in SimdBackend::ALL.into_iter().filter(|kind| kind.force()) {
                for len in 0..rows.len() {
                    let from = memory.len() - len;
                    let text = &mut memory[from..];
                    text.copy_from_slice(&rows.as_bytes()[..len]);
                    assert_eq!(read(text), read(&rows.as_bytes()[..len]), "{kind:?}");
                }
            }
        });
        assert!(in_use.force());
    }

    /// Returns all columns, of lines and of values of 40 octets, and the result for the last line
    /// alone.
    fn read(
        text: &[u8],
    ) -> (Vec<Option<ComponentSpans>>, Vec<Option<ComponentSpans>>, Option<ComponentSpans>) {
        let all = |columns: &Batch| (0..columns.len()).map(|row| columns.spans(row)).collect();
        let mut columns = Batch::new();
        columns.read(text, Separator::Newline).unwrap();
        let lines = all(&columns);
        let offsets: Vec<u32> = (0..=text.len() as u32).rev().step_by(40).collect();
        let offsets: Vec<u32> = offsets.into_iter().rev().collect();
        columns.read_values(text, &offsets).unwrap();
        let last = text.rsplit(|&octet| octet == b'\n').next().unwrap_or_default();
        (lines, all(&columns), UriRef::parse_bytes(last).ok().map(UriRef::spans))
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
    fn eight_numbers_are_eight_numbers(one: [u32; 8], other: [u32; 8], which: u8) {
        let expected = sums(OctetByOctet, &one, &other, which);
        for (kind, found) in on_each(|| Sums(one, other, which)) {
            prop_assert_eq!(&found, &expected, "{:?}", kind);
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
