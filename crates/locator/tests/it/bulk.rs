//! Parsing in bulk gives the same rows as parsing references one at a time.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use locator::bulk::{Batch, Columns, Mask, RowsError, Separator};
use locator::{Edition, UriRef, edition};
use proptest::prelude::*;

fn rows<'b>(buffer: &'b [u8], separator: u8) -> Vec<&'b [u8]> {
    let mut rows: Vec<&'b [u8]> = buffer.split(|&octet| octet == separator).collect();
    // What follows the last separator is a row only if it is something.
    rows.pop_if(|last| last.is_empty());
    rows
}

fn agree(columns: &Batch, buffer: &[u8], rows: &[&[u8]], edition: &'static Edition) {
    assert_eq!(columns.len(), rows.len());
    for (i, octets) in rows.iter().enumerate() {
        let (start, end) = (columns.starts()[i] as usize, columns.ends()[i] as usize);
        assert_eq!(&buffer[start..end], *octets);
        match UriRef::parse_bytes_with(octets, edition) {
            Ok(reference) => {
                assert_eq!(columns.spans(i), Some(reference.spans()), "{reference:?}");
                assert_eq!(columns.row(buffer, i), Some(reference));
            }
            Err(error) => {
                assert_eq!(columns.errors()[i] as usize, error.span().start, "{error}");
                assert_eq!((columns.spans(i), columns.row(buffer, i)), (None, None));
            }
        }
    }
}

fn offsets(rows: &[&[u8]]) -> Vec<u32> {
    let mut offsets = vec![0];
    offsets.extend(rows.iter().scan(0, |end, row| {
        *end += row.len() as u32;
        Some(*end)
    }));
    offsets
}

fn agree_in_every_way(columns: &mut Batch, buffer: &[u8], edition: &'static Edition) {
    for (separator, octet) in [(Separator::Newline, b'\n'), (Separator::Nul, 0)] {
        let rows = rows(buffer, octet);
        columns.read(buffer, separator).expect("the buffer is short");
        agree(columns, buffer, &rows, edition);
        #[cfg(feature = "rayon")]
        {
            columns.read_in_parallel(buffer, separator).expect("the buffer is short");
            agree(columns, buffer, &rows, edition);
        }
        let values = rows.concat();
        columns.read_values(&values, &offsets(&rows)).expect("the buffer is short");
        agree(columns, &values, &rows, edition);
        agree_at_any_place(columns, buffer, &rows, edition);
    }
}

/// Rows from the last to the first, every third of which is masked and has a place outside the buffer.
fn agree_at_any_place(columns: &mut Batch, buffer: &[u8], rows: &[&[u8]], edition: &'static Edition) {
    let rows: Vec<&[u8]> = rows.iter().rev().copied().collect();
    let is_masked = |row: usize| row % 3 == 1;
    let start = |row: &[u8]| row.as_ptr().addr() - buffer.as_ptr().addr();
    let starts =
        rows.iter().enumerate().map(|(i, row)| if is_masked(i) { u64::MAX - 1 } else { start(row) as u64 });
    let starts: Vec<u64> = starts.collect();
    let lengths: Vec<u32> = rows
        .iter()
        .enumerate()
        .map(|(i, row)| if is_masked(i) { u32::MAX } else { row.len() as u32 })
        .collect();
    let mut bits = vec![0; rows.len() / 8 + 2];
    (0..rows.len()).filter(|&i| !is_masked(i)).for_each(|i| bits[(i + 5) / 8] |= 1 << ((i + 5) % 8));
    columns.read_rows(buffer, &starts, &lengths, Some(Mask::new(&bits, 5))).unwrap();
    assert_eq!(columns.len(), rows.len());
    for (i, octets) in rows.iter().enumerate() {
        let expected = UriRef::parse_bytes_with(octets, edition);
        if is_masked(i) {
            assert_eq!((columns.errors()[i], columns.spans(i)), (Batch::MASKED, None));
            continue;
        }
        assert_eq!((columns.starts()[i], columns.ends()[i] as usize), (0, octets.len()));
        match expected {
            Ok(reference) => {
                assert_eq!(columns.spans(i), Some(reference.spans()), "{reference:?}");
                assert_eq!(columns.row(octets, i), Some(reference));
            }
            Err(error) => assert_eq!(columns.errors()[i] as usize, error.span().start, "{error}"),
        }
    }
    let references = columns.references(buffer, &starts, &lengths, Some(Mask::new(&bits, 5))).unwrap();
    assert_eq!((references.len(), references.iter().len()), (rows.len(), rows.len()));
    for (i, octets) in rows.iter().enumerate() {
        let expected = UriRef::parse_bytes_with(octets, edition).ok().filter(|_| !is_masked(i));
        assert_eq!(references.get(i), expected);
        assert_eq!(references.get(i).map(UriRef::spans), expected.map(UriRef::spans));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn rows_are_what_the_single_reader_gives(
        lines in prop::collection::vec("(http://|//|a:)?[a-z0-9:/?#@.%|\\[\\]é-]{0,90}(%41)?[\\n\\x00]?", 0..40)
    ) {
        let buffer = lines.concat().into_bytes();
        for edition in edition::ALL {
            agree_in_every_way(&mut Batch::new_with(edition), &buffer, edition);
        }
    }

    #[test]
    fn any_octets(buffer in prop::collection::vec(any::<u8>(), 0..400)) {
        agree_in_every_way(&mut Batch::new(), &buffer, edition::DEFAULT);
    }
}

#[test]
fn buffers_of_many_pieces_and_rows_longer_than_one() {
    let long = format!("http://h/{}", "a%20".repeat(100_000));
    let mut buffer = Vec::new();
    for i in 0..30_000 {
        let row = format!("http://h{i}.org/{}?{}", "p/".repeat(i % 90), "q".repeat(i % 70));
        buffer.extend_from_slice(if i % 9_999 == 7 { &long } else { &row }.as_bytes());
        buffer.push(b'\n');
    }
    buffer.extend_from_slice(b"http://a b/");
    agree_in_every_way(&mut Batch::new(), &buffer, edition::DEFAULT);
}

#[test]
fn columns_are_used_again() {
    let mut columns = Batch::new();
    for buffer in ["http://a/\nb c\n//d", "", "\n", "x", "a\n\nb\n"] {
        agree_in_every_way(&mut columns, buffer.as_bytes(), edition::DEFAULT);
    }
}

/// The first error is reported, whether text follows or not.
#[test]
fn invalid_utf_8_before_and_after_an_error() {
    let rows: [&[u8]; 8] = [
        b"http://h/|\xFF",
        b"http://a\"b\xFF/",
        b"http://a\xFFb\"/",
        b"http://h/%4\xFF",
        b"http://h/\xC3\xA9\xFF|",
        b"\xFFhttp://h/|",
        b"1a:\xFF",
        b"//a_|\xFF?",
    ];
    for edition in edition::ALL {
        agree_in_every_way(&mut Batch::new_with(edition), &rows.join(&b'\n'), edition);
    }
}

/// The real URLs of the repository, by several threads where there are any.
#[test]
fn real_urls() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/urls");
    for entry in std::fs::read_dir(folder).unwrap() {
        let buffer = std::fs::read(entry.unwrap().path()).unwrap();
        for edition in edition::ALL {
            agree_in_every_way(&mut Batch::new_with(edition), &buffer, edition);
        }
    }
}

/// A row of a buffer that was not parsed is a reference of its own text, or none.
#[test]
fn another_buffer() {
    let buffer = b"http://a/b?c\n//[::1]:8/\n";
    let mut columns = Batch::new();
    columns.read(buffer, Separator::Newline).unwrap();
    assert_eq!(columns.row(buffer, 1).unwrap().port_u16(), Some(8));
    for other in
        ["http:/ a/b?c\n//[::1]:8 \n", "ht p://a/b?c\n//[::z]:8/\n", "http:/ a/b?\u{e9}\n//[\u{1}:1]:8/\n"]
    {
        assert_eq!(
            (columns.row(other.as_bytes(), 0), columns.row(other.as_bytes(), 1)),
            (None, None),
            "{other}"
        );
    }
    for other in ["http://b/a?x\n//[::2]:9/\n", "//abcdefghij\nhttp:/abcde\n"] {
        for row in 0..2 {
            let reference = columns.row(other.as_bytes(), row);
            let alone = UriRef::parse(other.lines().nth(row).unwrap()).unwrap();
            let is_alike = Some(alone.spans()) == columns.spans(row);
            assert_eq!(reference, is_alike.then_some(alone), "{other}");
        }
    }
    assert_eq!(columns.row(b"", 0), None);
}

#[test]
fn rows_that_are_not_in_the_buffer() {
    let mut columns = Batch::new();
    let not_in_buffer = |row| Err(RowsError::NotInBuffer { row });
    for (offsets, row) in [(&[0, 2, 1][..], 1), (&[0, 4][..], 0), (&[5, 5][..], 0), (&[3, 2][..], 0)] {
        assert_eq!(columns.read_values(b"abc", offsets), not_in_buffer(row), "{offsets:?}");
        assert!(columns.is_empty());
    }
    for offsets in [&[][..], &[9][..], &[3, 3][..]] {
        assert_eq!(columns.read_values(b"abc", offsets), Ok(()));
    }
    let wrong = [(4, 0), (0, 4), (3, 1), (u64::MAX, 2), (1 << 32, 0), (0, u32::MAX)];
    for (start, length) in wrong {
        // In any place of a tile, and of the second one.
        for place in [0, 7, 63, 64, 99] {
            let (mut starts, mut lengths) = ([1; 100], [2; 100]);
            (starts[place], lengths[place]) = (start, length);
            assert_eq!(columns.read_rows(b"abc", &starts, &lengths, None), not_in_buffer(place));
            assert!(columns.is_empty());
            let mut bits = [0xFF; 13];
            bits[place / 8] ^= 1 << (place % 8);
            assert_eq!(columns.read_rows(b"abc", &starts, &lengths, Some(Mask::new(&bits, 0))), Ok(()));
            assert_eq!(columns.errors()[place], Batch::MASKED);
        }
    }
    assert_eq!(columns.read_rows(b"abc", &[0, 1], &[1], None), Err(RowsError::Count));
    assert_eq!(columns.read_rows(b"abc", &[0; 9], &[1; 9], Some(Mask::new(&[1], 0))), Err(RowsError::Count));
    assert_eq!(columns.read_rows(b"", &[], &[], Some(Mask::new(&[], 3))), Ok(()));
}

#[test]
fn only_the_columns_that_are_wanted() {
    let buffer = "http://u@h:1/p?q#f\n//a b\nmailto:a\n".repeat(50);
    let mut all = Batch::new();
    all.read(buffer.as_bytes(), Separator::Newline).unwrap();
    type Column = fn(&Batch) -> &[u32];
    let each: [(Columns, Column); 10] = [
        (Columns::STARTS, Batch::starts),
        (Columns::ENDS, Batch::ends),
        (Columns::ERRORS, Batch::errors),
        (Columns::SCHEME_ENDS, Batch::scheme_ends),
        (Columns::HOST_STARTS, Batch::host_starts),
        (Columns::HOST_ENDS, Batch::host_ends),
        (Columns::PATH_STARTS, Batch::path_starts),
        (Columns::PATH_ENDS, Batch::path_ends),
        (Columns::QUERY_ENDS, Batch::query_ends),
        (Columns::MARKS, Batch::marks),
    ];
    for (wanted, column) in each {
        let wanted = wanted.union(Columns::ERRORS);
        let mut some = Batch::new().columns(wanted);
        some.read(buffer.as_bytes(), Separator::Newline).unwrap();
        assert_eq!((some.len(), column(&some)), (all.len(), column(&all)));
        assert!(each.iter().all(|(other, column)| wanted.contains(*other) || column(&some).is_empty()));
        assert_eq!((some.spans(0), some.row(buffer.as_bytes(), 0)), (None, None));
        #[cfg(feature = "rayon")]
        {
            some.read_in_parallel(buffer.as_bytes(), Separator::Newline).unwrap();
            assert_eq!((some.len(), column(&some)), (all.len(), column(&all)));
        }
        // All again.
        let mut some = some.columns(Columns::ALL);
        agree_in_every_way(&mut some, b"http://a/\n", edition::DEFAULT);
    }
}
