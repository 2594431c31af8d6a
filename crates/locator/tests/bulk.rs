//! Parsing in bulk gives the same rows as parsing references one at a time.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use locator::bulk::{Batch, Separator};
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
