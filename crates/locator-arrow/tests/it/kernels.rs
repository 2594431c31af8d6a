//! Each kernel returns for each row what the function of the library returns for its text.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod cells;
mod corpus;
mod shapes;

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{BinaryViewType, GenericBinaryType, GenericStringType, Int8Type, StringViewType};
use arrow_array::{Array, ArrayRef, DictionaryArray, Int8Array, Int64Array, NullArray, StringArray};
use locator::{Edition, edition};
use locator_arrow::{Argument, KernelError, Uniq, evaluate, result_type};
use locator_functions::{Answer, ArgumentValue, Call, FUNCTIONS, Function, ParameterKind, Row, function};
use shapes::Texts;

/// Returns what the functions of the library give, row by row.
fn expected(
    function: &Function,
    rows: &Texts,
    arguments: &[ArgumentValue<'_>],
    edition: &'static Edition,
) -> Vec<String> {
    let arguments = function.arguments(arguments).unwrap();
    let answer = |row: &Option<Vec<u8>>| {
        Some(function.answer(&Row::from_bytes(row.as_deref()?, edition), &arguments).json().to_string())
    };
    let null = match function.call() {
        Call::Constant(_) => function.answer(&Row::new("", edition), &[]),
        _ => Answer::Null,
    };
    rows.iter().map(|row| answer(row).unwrap_or_else(|| null.json().to_string())).collect()
}

fn compare(
    function: &Function,
    array: &ArrayRef,
    expected: &[String],
    context: &str,
    edition: &'static Edition,
) {
    let given: Vec<_> = function.example().arguments.iter().map(|given| argument(*given)).collect();
    let found = evaluate(function, array, &given, edition).unwrap();
    assert_eq!(found.len(), array.len());
    assert_eq!(found.data_type(), &result_type(function, array.data_type()).unwrap());
    found.to_data().validate_full().unwrap();
    for (row, expected) in expected.iter().enumerate() {
        let found = cells::json(&found, row);
        assert_eq!(&found, expected, "{} of row {row}, {context}, {}", function.name(), edition.name);
    }
}

fn argument(given: ArgumentValue<'static>) -> Argument<'static> {
    match given {
        ArgumentValue::Text(text) => Argument::Text(text),
        ArgumentValue::Int(int) => Argument::Int(int),
    }
}

/// Returns the functions with a result for each row.
fn functions() -> impl Iterator<Item = &'static Function> {
    FUNCTIONS.iter().filter(|function| !matches!(function.call(), Call::Distinct))
}

#[test]
fn every_function_in_every_edition() {
    let rows = corpus::rows(20_000, 1);
    for (edition, rows) in edition::ALL.into_iter().zip(rows.chunks(20_000 / edition::ALL.len())) {
        let array = shapes::bytes::<GenericStringType<i32>>(rows);
        for function in functions() {
            let expected = expected(function, rows, function.example().arguments, edition);
            compare(function, &array, &expected, "Utf8", edition);
        }
    }
}

#[test]
fn every_function_in_every_layout() {
    let mut rows = corpus::rows(300, 2);
    // Values of 0, 12 and 13 bytes, and parts of them that are in the view or in a buffer.
    let lengths = ["", "http://h/abc", "http://h/abcd", "http://a.very.long.host.example/p"];
    rows.extend(lengths.map(|text| Some(text.as_bytes().to_vec())));
    for rows in [&rows[..], &rows[..65], &rows[rows.len() - 4..], &[], &[None, None, None]] {
        for (name, array) in shapes::all(rows) {
            for function in functions() {
                let expected = expected(function, rows, function.example().arguments, edition::DEFAULT);
                compare(function, &array, &expected, name, edition::DEFAULT);
            }
        }
    }
}

/// The seed is SEED, 1 by default: `scripts/builds/asan` runs one after the other.
#[test]
fn columns_over_the_c_data_interface() {
    let seed = std::env::var("SEED").map_or(1, |seed| seed.parse().unwrap());
    let rows = corpus::rows(60, seed);
    for (name, array) in shapes::all(&rows) {
        let array = shapes::imported(&array);
        for function in functions() {
            let expected = expected(function, &rows, function.example().arguments, edition::DEFAULT);
            compare(function, &array, &expected, name, edition::DEFAULT);
        }
    }
}

#[test]
fn keys_of_every_size() {
    let rows = corpus::rows(100, 3);
    for array in shapes::dictionaries(&rows) {
        for function in functions() {
            let expected = expected(function, &rows, function.example().arguments, edition::DEFAULT);
            compare(function, &array, &expected, "dictionary", edition::DEFAULT);
        }
    }
}

/// Bytes that are not UTF-8 give NULL, whatever the function is.
#[test]
fn bytes_that_are_not_utf_8() {
    let rows: Vec<_> = (0..=255_u8).map(|octet| Some([b"http://h/", &[octet][..], b"a"].concat())).collect();
    for (name, array) in [
        ("Binary", shapes::bytes::<GenericBinaryType<i32>>(&rows)),
        ("LargeBinary", shapes::bytes::<GenericBinaryType<i64>>(&rows)),
        ("BinaryView", shapes::views::<BinaryViewType>(&rows, 2)),
    ] {
        for function in functions() {
            let expected = expected(function, &rows, function.example().arguments, edition::DEFAULT);
            compare(function, &array, &expected, name, edition::DEFAULT);
        }
    }
}

/// A column of the type Null has no texts.
#[test]
fn a_column_of_nothing() {
    for function in functions() {
        let expected = expected(function, &vec![None; 9], function.example().arguments, edition::DEFAULT);
        let array: ArrayRef = Arc::new(NullArray::new(9));
        compare(function, &array, &expected, "Null", edition::DEFAULT);
    }
}

/// Returns the arguments of a function's example after the first.
fn others(function: &Function) -> &'static [ArgumentValue<'static>] {
    function.example().arguments.get(1..).unwrap_or_default()
}

#[test]
fn arguments_from_arrays() {
    let rows = corpus::rows(400, 4);
    let names: Vec<_> =
        ["a", "q", "utm_source", "/x", "../y", "http://h/", ""].map(|text| text.as_bytes().to_vec()).into();
    let others: Vec<_> = (0..rows.len()).map(|row| names.get(row % 8).cloned()).collect();
    let numbers: Vec<_> = (0..rows.len() as i64).map(|row| (row % 7 > 0).then_some(row % 7 - 3)).collect();
    let texts = shapes::all(&others);
    for function in functions().filter(|function| !function.parameters().is_empty()) {
        let parameter = function.parameters()[0];
        let arguments: Vec<ArrayRef> = match parameter.kind {
            ParameterKind::Text => texts.iter().map(|(_, array)| array.clone()).collect(),
            ParameterKind::Int => vec![
                Arc::new(Int64Array::from(numbers.clone())),
                Arc::new(
                    numbers.iter().map(|number| number.map(|number| number as i8)).collect::<Int8Array>(),
                ),
            ],
            _ => continue,
        };
        for argument in &arguments {
            for (name, column) in shapes::all(&rows) {
                let mut arguments = vec![Argument::Array(argument)];
                arguments.extend(self::others(function).iter().map(|given| self::argument(*given)));
                let found = evaluate(function, &column, &arguments, edition::DEFAULT).unwrap();
                for (row, text) in rows.iter().enumerate() {
                    let other =
                        others[row].as_deref().map(|text| ArgumentValue::Text(str::from_utf8(text).unwrap()));
                    let other = if parameter.kind == ParameterKind::Int {
                        numbers[row].map(ArgumentValue::Int)
                    } else {
                        other
                    };
                    let text = std::slice::from_ref(text);
                    let expected = other.map(|other| {
                        let given = [&[other][..], self::others(function)].concat();
                        expected(function, text, &given, edition::DEFAULT).remove(0)
                    });
                    let found = cells::json(&found, row);
                    assert_eq!(
                        found,
                        expected.unwrap_or_else(|| "null".into()),
                        "{} of {name}",
                        function.name()
                    );
                }
            }
        }
    }
}

#[test]
fn a_null_argument() {
    let rows = corpus::rows(50, 5);
    for function in functions().filter(|function| !function.parameters().is_empty()) {
        for (name, column) in shapes::all(&rows) {
            let mut arguments = vec![Argument::Null];
            arguments.extend(others(function).iter().map(|given| argument(*given)));
            let found = evaluate(function, &column, &arguments, edition::DEFAULT).unwrap();
            assert_eq!(found.data_type(), &result_type(function, column.data_type()).unwrap());
            assert!((0..50).all(|row| cells::json(&found, row) == "null"), "{} of {name}", function.name());
        }
    }
}

#[test]
fn errors_are_values() {
    let urls: ArrayRef = shapes::bytes::<GenericStringType<i32>>(&corpus::rows(10, 6));
    let error = |name: &str, column: &dyn Array, arguments: &[Argument<'_>]| {
        let error = evaluate(function(name).unwrap(), column, arguments, edition::DEFAULT).unwrap_err();
        assert!(!matches!(error, KernelError::Unsupported { .. }));
        error.to_string()
    };
    let (short, ints) = (urls.slice(0, 9), Int64Array::from(vec![1; 10]));
    let of_ints: DictionaryArray<Int8Type> =
        DictionaryArray::new(Int8Array::from(vec![0; 10]), Arc::new(ints.clone()));
    for (found, expected) in [
        (error("uri_host", &ints, &[]), "uri_host needs a column of texts, not Int64"),
        (error("uri_host", &of_ints, &[]), "uri_host needs a column of texts, not Dictionary(Int8, Int64)"),
        (error("uri_uniq", &urls, &[]), "uri_uniq is an aggregate and has no result for each row"),
        (error("uri_host", &urls, &[Argument::Null]), "uri_host takes at most 1 argument, not 2"),
        (error("uri_host", &urls, &[Argument::Array(&urls)]), "uri_host takes at most 1 argument, not 2"),
        (error("uri_resolve", &urls, &[]), "uri_resolve needs the argument \"reference\""),
        (
            error("uri_resolve", &urls, &[Argument::Array(&ints)]),
            "uri_resolve does not accept an array of Int64 as \"reference\"",
        ),
        (
            error("uri_path_segment", &urls, &[Argument::Array(&urls)]),
            "uri_path_segment does not accept an array of Utf8 as \"number\"",
        ),
        (
            error("uri_resolve", &urls, &[Argument::Array(&short)]),
            "the column has 10 rows, but an argument has 9",
        ),
        (
            error("uri_strip", &urls, &[Argument::Array(&urls)]),
            "uri_strip needs a constant as \"parts\", not an array",
        ),
    ] {
        assert_eq!(found, expected);
    }
}

#[test]
fn a_result_outlives_its_column() {
    for (name, array) in shapes::all(&corpus::rows(100, 7)) {
        let path = function("uri_path").unwrap();
        let expected = cells::column(&evaluate(path, &array, &[], edition::DEFAULT).unwrap());
        let result = evaluate(path, &array, &[], edition::DEFAULT).unwrap();
        drop(array);
        assert_eq!(cells::column(&result), expected, "{name}");
    }
}

/// What is longer than a view is in the buffer of the value; the texts are those of a plain array.
#[test]
fn parts_of_views_are_not_copied() {
    let hosts = ["h", "h.example.co", "ho.example.com", "a.much.longer.host.example"];
    let mut rows = corpus::rows(500, 8);
    rows.extend(hosts.iter().flat_map(|host| [Some(format!("http://{host}/").into_bytes()), None]));
    let (views, plain) =
        (shapes::views::<StringViewType>(&rows, 300), shapes::bytes::<GenericStringType<i32>>(&rows));
    let buffers = views.as_string_view().data_buffers().to_vec();
    for function in functions().filter(|function| matches!(function.call(), Call::Slice(_))) {
        let given: Vec<_> = function.example().arguments.iter().map(|given| argument(*given)).collect();
        let found = evaluate(function, &views, &given, edition::DEFAULT).unwrap();
        let found_buffers = found.as_string_view().data_buffers();
        assert!(buffers.iter().zip(found_buffers).all(|(one, other)| one.as_ptr() == other.as_ptr()));
        assert_eq!(found_buffers.len(), buffers.len(), "{}", function.name());
        let expected = evaluate(function, &plain, &given, edition::DEFAULT).unwrap();
        assert_eq!(cells::column(&found), cells::column(&expected), "{}", function.name());
    }
}

#[test]
fn different_values_are_counted() {
    let rows = corpus::rows(3000, 9);
    let count = |rows: &Texts| rows.iter().flatten().collect::<BTreeSet<_>>().len() as u64;
    for (name, array) in shapes::all(&rows) {
        let mut all = Uniq::new();
        all.add(&array).unwrap();
        assert_eq!(all.count(), count(&rows), "{name}");
        // Again, and in parts that are merged, in either direction.
        all.add(&array).unwrap();
        let mut parts = Uniq::default();
        for (start, length) in [(0, 10), (10, 2000), (2010, 990)] {
            let mut part = Uniq::new();
            part.add(&array.slice(start, length)).unwrap();
            parts.merge(part);
            assert_eq!(parts.count(), count(&rows[..start + length]), "{name}");
        }
        let mut hashes = Uniq::new();
        parts.into_hashes().for_each(|hash| hashes.add_hash(hash));
        all.merge(hashes);
        assert_eq!(all.count(), count(&rows), "{name}");
    }
    let mut zero = Uniq::new();
    zero.add_hash([0; 16]);
    zero.merge(zero.clone());
    assert_eq!((zero.count(), zero.into_hashes().collect::<Vec<_>>()), (1, vec![[0; 16]]));
    let mut many = Uniq::new();
    let empty = many.size();
    (0..10_000_u128).for_each(|number| many.add_hash((number << 96).to_be_bytes()));
    assert!(many.count() == 10_000 && many.size() >= empty + 16 * 10_000);
    let error = Uniq::new().add(&Int64Array::from(vec![1])).unwrap_err();
    assert_eq!(error.to_string(), "uri_uniq needs a column of texts, not Int64");
}

/// Many values, so that tables grow and queues are full.
#[test]
fn many_different_values() {
    let values =
        StringArray::from_iter_values((0..300_000).map(|number: u32| (number % 200_000).to_string()));
    let (mut one, mut other) = (Uniq::new(), Uniq::new());
    one.add(&values.slice(0, 150_000)).unwrap();
    other.add(&values.slice(150_000, 150_000)).unwrap();
    assert_eq!((one.count(), other.count()), (150_000, 150_000));
    one.merge(other);
    assert_eq!(one.count(), 200_000);
}

#[test]
fn bytes_that_are_not_utf8_are_not_valid_and_not_null() {
    let rows = [
        Some(b"http://h/\xFF".to_vec()),
        Some(b"http://h/\xED\xA0\x80".to_vec()),
        None,
        Some(b"http://h/".to_vec()),
    ];
    // With few rows, and with so many that they are parsed at once.
    for times in [1, 10] {
        let rows: Vec<_> = std::iter::repeat_n(rows.clone(), times).flatten().collect();
        let small = shapes::bytes::<GenericBinaryType<i32>>(&rows);
        let views = shapes::views::<BinaryViewType>(&rows, 2);
        for array in [small, views] {
            let cells = |name| {
                let found = evaluate(function(name).unwrap(), &array, &[], edition::DEFAULT).unwrap();
                (0..4).map(|row| cells::json(&found, row)).collect::<Vec<_>>()
            };
            assert_eq!(cells("uri_is_valid"), ["false", "false", "null", "true"]);
            assert_eq!(cells("uri_is_reference"), ["false", "false", "null", "true"]);
            assert_eq!(cells("uri_host"), ["null", "null", "null", "\"h\""]);
            assert_eq!(cells("uri_error")[0], "\"invalid UTF-8: byte FF\"");
            assert_eq!(cells("uri_redact")[0], "\"http://h/\u{FFFD}\"");
            let offsets = &cells("uri_error_info")[0];
            assert!(offsets.starts_with("{\"offset\":9,\"length\":1,"), "{offsets}");
            assert!(cells("uri_hash128").iter().filter(|cell| *cell != "null").count() == 3);
            assert_eq!(cells("uri_audit_severity")[2], "null");
        }
    }
}
