//! A buffer of 5 GiB, which needs offsets of 64 bits. `scripts/builds/large-arrays` runs it.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, LargeStringArray, StringArray};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use locator::bulk::{Batch, RowsError};
use locator::edition;
use locator_arrow::{Argument, KernelError, evaluate};
use locator_functions::function;

const GIB: usize = 1 << 30;

/// Texts and their places in a buffer that is zero elsewhere: on both sides of 4 GiB, and across it.
const TEXTS: [(usize, &str); 4] = [
    (0, "http://first.example:1/a"),
    (4 * GIB - 10, "http://across.example:2/b"),
    (4 * GIB + 100, "http://u@after.example:3/c?d#e"),
    (5 * GIB - 23, "http://last.example:4/f"),
];

/// Returns the buffer, and the offsets of the texts and of what is between them.
fn large() -> (Vec<u8>, Vec<i64>) {
    let mut bytes = vec![0; 5 * GIB];
    let mut offsets = vec![0];
    for (start, text) in TEXTS {
        bytes[start..start + text.len()].copy_from_slice(text.as_bytes());
        offsets.extend([start, start + text.len()].iter().filter(|&&at| at > 0).map(|&at| at as i64));
    }
    (bytes, offsets)
}

#[test]
#[ignore = "needs 6 GiB of memory"]
fn a_column_of_5_gib() {
    let (bytes, offsets) = large();
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    let column = LargeStringArray::new(offsets, Buffer::from_vec(bytes), None);
    assert_eq!(column.len(), 7);
    let of = |name: &str| evaluate(function(name).unwrap(), &column, &[], edition::DEFAULT).unwrap();
    let rows = [0, 2, 4, 6];
    let texts = |name: &str| {
        let found = of(name);
        let found = found.as_string::<i64>().clone();
        assert!([1, 3, 5].iter().all(|&row| found.is_null(row)), "{name}");
        rows.map(|row| found.value(row).to_owned())
    };
    assert_eq!(texts("uri_host"), ["first.example", "across.example", "after.example", "last.example"]);
    assert_eq!(texts("uri_path"), ["/a", "/b", "/c", "/f"]);
    assert_eq!(texts("uri_normalize"), TEXTS.map(|(_, text)| text.to_owned()));
    let ports = of("uri_port");
    assert_eq!(rows.map(|row| ports.as_primitive::<Int32Type>().value(row)), [1, 2, 3, 4]);
    let valid = of("uri_is_valid");
    assert_eq!((0..7).filter(|&row| valid.as_boolean().value(row)).collect::<Vec<_>>(), rows);
}

#[test]
#[ignore = "needs 6 GiB of memory"]
fn rows_further_apart_than_4_gib() {
    let (bytes, _) = large();
    let (mut starts, mut lengths) = (Vec::new(), Vec::new());
    for (start, text) in TEXTS.iter().cycle().take(99) {
        starts.push(*start as u64);
        lengths.push(text.len() as u32);
    }
    let mut batch = Batch::new();
    batch.read_rows(&bytes, &starts, &lengths, None).unwrap();
    for row in 0..99 {
        let text = TEXTS[row % 4].1;
        assert_eq!(batch.row(text.as_bytes(), row).unwrap(), text);
    }
    lengths[70] += 5 * (GIB / 2) as u32;
    assert_eq!(batch.read_rows(&bytes, &starts, &lengths, None), Err(RowsError::NotInBuffer { row: 70 }));
}

/// A result of more than 2 GiB is an error in Utf8, and a result in LargeUtf8.
#[test]
#[ignore = "needs 10 GiB of memory"]
fn a_result_of_2_gib() {
    let long = format!("http://h/{}", "a".repeat(1 << 20));
    let references = vec!["?b"; 2100];
    let (bases, large) =
        (StringArray::from(vec!["http://h/"; 2100]), LargeStringArray::from(vec!["http://h/"; 2100]));
    let reference = StringArray::from(references);
    let resolve = function("uri_resolve").unwrap();
    let by_row =
        |column: &dyn Array| evaluate(resolve, column, &[Argument::Array(&reference)], edition::DEFAULT);
    assert_eq!(by_row(&bases).unwrap().as_string::<i32>().value(2099), "http://h/?b");
    let to_long = |column: &dyn Array| evaluate(resolve, column, &[Argument::Text(&long)], edition::DEFAULT);
    assert!(matches!(to_long(&bases), Err(KernelError::TooLong { .. })));
    assert_eq!(to_long(&large).unwrap().as_string::<i64>().value(2099), long);
}
